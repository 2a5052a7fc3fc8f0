"""Words of narrow elements: packed and unpacked as NumPy reads the same bytes, on a little-endian machine."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from pipeline.ir.jaxpr_text import parse_jaxpr
from pipeline.simulate.machine import Filling, Machine
from pipeline.simulate.program import Compiler

SHORT = {"float32": "f32", "int32": "i32", "int16": "i16", "uint32": "u32", "uint16": "u16"}
FLOATS = [0.0, -0.0, 1.0, -2.5, 1e38, -1e-38, np.inf, -np.inf, 1.00390625, 1.01171875]  # the last two are between


def run(outs, equation, *args):
    """One equation on arrays named a, b, c, ..; `outs` is its result's type."""
    binders = " ".join(f"{n}:{SHORT[x.dtype.name]}[{x.size}]" for n, x in zip("abcdefgh", args, strict=False))
    text = f"{{ lambda ; {binders}. let\n z:{outs} = {equation}\n in (z,) }}"
    with np.errstate(all="ignore"):
        (got,) = Compiler(Machine((), Filling())).program(parse_jaxpr(text)).run(*args)
    return got


def little(array, dtype):
    return np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<")).view(np.dtype(dtype).newbyteorder("<"))


@pytest.mark.parametrize(("wide", "narrow"), [("int32", "int16"), ("int32", "int8"), ("uint32", "uint8"),
                                              ("int16", "int8")])  # fmt: skip
def test_packed_integers_lie_side_by_side(wide, narrow):
    ratio = np.dtype(wide).itemsize // np.dtype(narrow).itemsize
    rng = np.random.default_rng(0)
    parts = [(rng.integers(0, 1 << 15, 64) * (-1) ** i).astype(wide) for i in range(ratio)]
    bits = np.dtype(wide).itemsize * 8
    got = run(f"u{bits}[64]", f"pack_elementwise[packed_dtype={narrow}] {' '.join('abcdefgh'[:ratio])}", *parts)
    assert got.dtype == f"uint{bits}"
    np.testing.assert_array_equal(little(got, narrow).reshape(64, ratio), np.stack(parts, 1).astype(narrow))


def test_packed_floats_are_rounded_to_even():
    x, y = np.array(FLOATS, np.float32), np.array(FLOATS[::-1], np.float32)
    n = len(FLOATS)
    got = run(f"u32[{n}]", "pack_elementwise[packed_dtype=bfloat16] a b", x, y)
    want = np.stack([x, y], 1).astype(ml_dtypes.bfloat16).view(np.uint16)
    np.testing.assert_array_equal(little(got, np.uint16).reshape(n, 2), want)


@pytest.mark.parametrize(("narrow", "wide", "signed"), [("bfloat16", "float32", None), ("int16", "int32", "int16"),
                                                        ("uint16", "int32", "int16"), ("int8", "int32", "int8"),
                                                        ("uint8", "uint32", "int8")])  # fmt: skip
def test_unpacked_integers_have_the_sign_of_their_highest_bit(narrow, wide, signed):
    """Unsigned ones too: the operation knows widths only."""
    x = np.random.default_rng(1).integers(0, 1 << 31, 64).astype(np.uint32) * np.uint32(2) + np.uint32(1)
    held = little(x, signed or np.uint16).reshape(64, -1)
    for index in range(held.shape[1]):
        params = f"index={index} packed_dtype={narrow} unpacked_dtype={wide}"
        got = run(f"{SHORT[wide]}[64]", f"unpack_elementwise[{params}] a", x)
        want = held[:, index]
        if signed is None:
            np.testing.assert_array_equal(got.view(np.uint32), want.astype(np.uint32) << 16)
        else:
            np.testing.assert_array_equal(got, want.astype(wide))
