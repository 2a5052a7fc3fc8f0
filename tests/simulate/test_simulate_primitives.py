"""Every numeric rule against what JAX computed (recorded): edge values through one primitive."""

from __future__ import annotations

import numpy as np
import pytest
from simulate_records import entries, read_array

from pipeline.ir.jaxpr import Prim
from pipeline.ir.jaxpr_text import parse_jaxpr
from pipeline.simulate.machine import Filling, Machine
from pipeline.simulate.numerics.table import RULES
from pipeline.simulate.program import INLINED, Compiler

# XLA on a CPU flushes subnormal results to zero, as a TPU does; NumPy keeps them
SMALLEST = float(np.finfo(np.float32).tiny)
# a float of these is approximated by both sides: units in the last place of f32 (one of the narrower dtypes)
ULPS = {
    "exp": 4, "exp2": 64,  # XLA takes exp(x ln 2); NumPy is exact at whole numbers
    "expm1": 4, "log": 4, "log1p": 4, "sin": 4, "cos": 4, "tan": 8, "tanh": 8, "logistic": 8,
    "erf": 8, "erf_inv": 32, "rsqrt": 4, "cbrt": 4, "pow": 16, "atan2": 8, "pow-2": 2, "pow3": 2, "div": 1, "sqrt": 1,
    "rem": 0,
}  # fmt: skip


RECORDED = {**entries("primitives"), **entries("edges")}


def run(name):
    entry = RECORDED[name]
    program = Compiler(Machine((), Filling())).program(parse_jaxpr(entry["program"]))
    args = list(map(read_array, entry["args"]))
    with np.errstate(all="ignore"):
        got = program.run(*args)
    return args, [np.asarray(g) for g in got], list(map(read_array, entry["out"]))


@pytest.mark.parametrize("name", RECORDED)
def test_equals_jax(name):
    _, got, want = run(name)
    assert len(got) == len(want)
    for have, need in zip(got, want, strict=True):
        assert have.shape == need.shape
        assert have.dtype == need.dtype
        check(name.split("-")[0] if not name.startswith("pow-2") else "pow-2", have, need)


def check(op, have, need):
    if have.dtype.kind in "iub":
        np.testing.assert_array_equal(have, need)
        return
    a, b = have.astype(np.float64), need.astype(np.float64)
    np.testing.assert_array_equal(np.isnan(a), np.isnan(b))
    precision = {"float32": 23, "bfloat16": 7, "float16": 10}.get(have.dtype.name, 3)
    ulps = ULPS.get(op, 0)
    ulps = min(ulps, 1) if precision < 23 else ulps
    with np.errstate(all="ignore"):
        scale = np.maximum(np.abs(a), np.abs(b))
        good = (np.abs(a - b) <= ulps * scale * 2.0**-precision) | (a == b) | np.isnan(a)
        good |= (np.abs(a) < 2 * SMALLEST) & (np.abs(b) < 2 * SMALLEST)
    assert good.all(), (have[~good], need[~good])
    if not ulps:  # exact ops keep the sign of zero
        both = (a == 0) & (b == 0)
        np.testing.assert_array_equal(np.signbit(a[both]), np.signbit(b[both]))


def test_every_primitive_has_a_rule():
    assert [p.value for p in Prim if p not in RULES and p not in INLINED] == []


def test_inputs_are_never_written_to():
    for name in ("dynamic_update-int32", "sort-float32", "while", "scan", "clamp-float32"):
        before = [a.copy() for a in map(read_array, entries("primitives")[name]["args"])]
        args, _, _ = run(name)
        for a, b in zip(args, before, strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(
    ("axes", "out"), [("((), ())", (3, 4, 3, 4)), ("((0, 1), (0, 1))", ()), ("((0, 1), (1, 0))", None)]
)
def test_a_contraction_of_no_axis_and_of_all(axes, out):
    """Against the sum written out: an outer product, a scalar, a transposed operand."""
    x = np.arange(12, dtype=np.int32).reshape(3, 4)
    y = x + 5 if out is not None else (x + 5).T.copy()
    want = (x[:, :, None, None] * y) if out else np.sum(x * (y if out is not None else y.T), dtype=np.int32)
    shape = ",".join(map(str, np.shape(want)))
    text = f"{{ lambda ; a:i32[3,4] b:i32[{y.shape[0]},{y.shape[1]}]. let\n    c:i32[{shape}] = "
    text += f"dot_general[dimension_numbers=({axes}, ((), ())) precision=None preferred_element_type=int32] a b\n"
    program = Compiler(Machine((), Filling())).program(parse_jaxpr(text + "  in (c,) }"))
    (got,) = program.run(x, y)
    np.testing.assert_array_equal(got, want)
    assert np.shape(got) == np.shape(want)
