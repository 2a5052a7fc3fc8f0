"""Input data: pinned bytes, distributions, conversions, and hostile .npy files."""

from __future__ import annotations

import io
import math

import ml_dtypes
import numpy as np
import pytest

from pipeline.dtypes import BF16, BOOL, F8_E4M3FN, F32, F64, I4, I8, I32, U64
from pipeline.errors import SpecError
from pipeline.ir.call import Role
from pipeline.ir.jaxpr import MemorySpace
from pipeline.simulate.data import describe, make_data
from pipeline.spec.spec import Data, SpecOperand


def operand(shape, dtype, name="x", **data):
    return SpecOperand(
        name, Role.INPUT, shape, dtype, None, None, MemorySpace.DEFAULT, None, Data(**data), ("inputs", 0)
    )


def make(shape, dtype, name="x", **data):
    return make_data(operand(shape, dtype, name, **data))


def test_pinned_values():
    """Computed by hand-checked integer arithmetic once; every machine must give these bits."""
    assert make((4,), F64, kind="normal").tolist() == [
        1.1546564901838074, 0.14409089666694402, -0.8719454994196291, 0.604695472439413,
    ]  # fmt: skip
    assert make((4,), F64, kind="uniform").tolist() == [
        0.3584126111859044, 0.9254624628348135, 0.40704508433175146, 0.06626220861534815,
    ]  # fmt: skip
    assert make((4,), BF16, kind="normal", seed=7).tolist() == [-0.52734375, 1.59375, -0.7265625, -1.0]
    assert make((6,), I32, kind="integers", low=-3, high=4).tolist() == [-1, 3, -1, -3, 0, 0]
    assert make((6,), BOOL, kind="integers").tolist() == [False, True, False, False, False, True]
    assert make((6,), I4, kind="integers").tolist() == [2, 6, 2, 0, 3, 3]
    assert make((6,), U64, kind="integers").tolist() == [3, 9, 4, 0, 4, 5]


def test_the_hash_is_splitmix64():
    """Against a plain-integer evaluation of the published recipe."""
    from pipeline.simulate.data import _key, hashed_bits

    mask = 2**64 - 1

    def plain(key, i):
        z = (key + (i + 1) * 0x9E3779B97F4A7C15) & mask
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & mask
        z = (z ^ z >> 27) * 0x94D049BB133111EB & mask
        return z ^ z >> 31

    key = _key(3, "weights")
    assert hashed_bits(key, 1000, 5).tolist() == [plain(key, i) for i in range(1000, 1005)]


def test_elements_do_not_depend_on_the_shape_or_the_chunking():
    whole = make((50_000,), F32, kind="normal")
    np.testing.assert_array_equal(make((20_000,), F32, kind="normal"), whole[:20_000])
    np.testing.assert_array_equal(make((100, 500), F32, kind="normal").reshape(-1), whole)


def test_operands_with_one_seed_differ():
    assert not np.array_equal(make((100,), F32, "q", kind="normal"), make((100,), F32, "k", kind="normal"))
    assert not np.array_equal(make((100,), F32, kind="normal", seed=1), make((100,), F32, kind="normal", seed=2))


def test_distributions():
    x = make((200_000,), F64, kind="normal", mean=2.0, std=3.0)
    assert abs(x.mean() - 2) < 0.03
    assert abs(x.std() - 3) < 0.03
    assert abs(np.mean(np.abs(x - 2) < 3) - 0.667) < 0.01  # a sum of four uniforms: 66.7 % within one sigma
    u = make((200_000,), F64, kind="uniform", low=-1.0, high=3.0)
    assert -1 <= u.min() < -0.99
    assert 2.99 < u.max() < 3
    assert abs(u.mean() - 1) < 0.02
    counts = np.bincount(make((70_000,), I32, kind="integers", low=0, high=7))
    assert counts.min() > 9_500
    assert len(counts) == 7


def test_iota_and_constant():
    assert make((2, 3), I32, kind="iota").tolist() == [[0, 1, 2], [3, 4, 5]]
    assert make((5,), F32, kind="iota", low=2, high=4).tolist() == [2, 3, 0, 1, 2]
    assert make((2,), BF16, kind="constant", value=0.1).tolist() == [0.10009765625] * 2
    assert make((2,), I8, kind="constant", value=300).tolist() == [127, 127]
    assert make((2,), F8_E4M3FN, kind="constant", value=1.0).dtype == ml_dtypes.float8_e4m3fn


def test_values_given_one_by_one():
    assert make((2, 2), I32, kind="values", values=(3, 0, -2, 7)).tolist() == [[3, 0], [-2, 7]]
    assert make((2,), BF16, kind="values", values=(0.1, 2)).tolist() == [0.10009765625, 2.0]
    assert describe(Data(kind="values", values=(3, 0.5)), operand((2,), F32)) == "values 3, 0.5"
    assert describe(Data(kind="values", values=tuple(range(17))), operand((17,), I32)).endswith(" 14, 15, ..")


def test_descriptions():
    assert describe(Data(kind="integers", high=1000), operand((1,), I32)) == "integers, 0 to 1000, seed 0"
    assert describe(Data(kind="normal"), operand((1,), F32)) == "normal, mean 0, std 1, seed 0"
    assert describe(Data(kind="iota", high=5), operand((1,), F32)) == "iota from 0, modulo 5"


def test_integers_over_too_wide_a_range():
    with pytest.raises(SpecError, match="R203"):
        make((4,), I32, kind="integers", low=-(2.0**40), high=2.0**40)


# --- .npy


def save(path, array, **options):
    np.save(path, array, **options)
    return path


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", ["<f4", ">f4"])
def test_npy_in_any_order(tmp_path, order, dtype):
    want = np.arange(12, dtype=np.float32).reshape(3, 4)
    path = save(tmp_path / "x.npy", np.asarray(want, dtype=dtype, order=order))
    got = make((3, 4), F32, kind="file", file=path)
    assert got.dtype == np.float32
    np.testing.assert_array_equal(got, want)


def test_npy_of_bf16_is_raw_bytes(tmp_path):
    want = np.array([1.5, -2.0, 3.0], ml_dtypes.bfloat16)
    got = make((3,), BF16, kind="file", file=save(tmp_path / "x.npy", want))
    assert got.dtype == ml_dtypes.bfloat16
    np.testing.assert_array_equal(got, want)


def refused(path, shape=(3,), dtype=F32):
    with pytest.raises(SpecError) as caught:
        make(shape, dtype, kind="file", file=path)
    (diagnostic,) = caught.value.diagnostics
    return diagnostic.code, diagnostic.message


def test_npy_that_does_not_fit(tmp_path):
    path = save(tmp_path / "x.npy", np.zeros((3, 2), np.int32))
    assert refused(path, (2, 3)) == (
        "R202", "x.npy holds int32 of shape (3, 2), but operand 'x' is float32 of shape (2, 3)",
    )  # fmt: skip


def test_npy_of_objects_is_never_unpickled(tmp_path):
    class Bomb:
        def __reduce__(self):
            return (pytest.fail, ("unpickled",))

    path = save(tmp_path / "x.npy", np.array([Bomb()], dtype=object), allow_pickle=True)
    assert refused(path, (1,)) == ("R201", "x.npy holds Python objects, which are never loaded")


def test_npy_cut_short_or_too_long(tmp_path):
    buffer = io.BytesIO()
    np.save(buffer, np.zeros(3, np.float32))
    for change in (-1, 4):
        raw = buffer.getvalue()
        (tmp_path / "x.npy").write_bytes(raw[:change] if change < 0 else raw + b"\0" * change)
        code, message = refused(tmp_path / "x.npy")
        assert code == "R201"
        assert message == f"x.npy has {12 + change} bytes of data where its header promises 12"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x93NUMPY",
        b"\x93NUMPY\x01\x00\xff\xff",
        b"\x93NUMPY\x09\x00\x10\x00" + b" " * 16,
        b"not an array at all",
        b"\x93NUMPY\x01\x00\x10\x00" + b"__import__('os')",
        b"\x93NUMPY\x02\x00" + (20_000).to_bytes(4, "little") + b"(" * 20_000,
        b"\x93NUMPY\x01\x00\x46\x00" + b"{'descr': '<f4', 'fortran_order': False, 'shape': (-1, 3)}".ljust(70),
    ],
)
def test_hostile_npy(tmp_path, content):
    (tmp_path / "x.npy").write_bytes(content)
    assert refused(tmp_path / "x.npy")[0] in ("R201", "R202")


def test_npy_with_a_huge_shape_reads_nothing(tmp_path):
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (1099511627776,)}".ljust(117) + b"\n"
    (tmp_path / "x.npy").write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header)
    assert refused(tmp_path / "x.npy", (2**40,))[0] == "R201"
    assert math.prod((2**40,)) == 2**40


def test_missing_npy(tmp_path):
    assert refused(tmp_path / "none.npy") == ("R201", "none.npy cannot be read: No such file or directory")
