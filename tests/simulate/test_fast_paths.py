"""What is computed in a faster way gives the bits of the plain one."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pipeline.dtypes import BF16, BOOL, F8_E4M3B11FNUZ, F8_E4M3FN, F8_E5M2, F16, F32, I4, I8, I16, I32, I64, U8
from pipeline.ir.jaxpr import Eqn, Prim, ShapedArray, Var
from pipeline.simulate.numerics.dtypes import numpy_dtype, widening
from pipeline.simulate.numerics.elementwise import choose
from pipeline.simulate.numerics.matmul import contraction
from pipeline.simulate.numerics.special import erf


def bits(x):
    return np.ascontiguousarray(x).view(np.uint8).tobytes()


def anything(dtype, shape, seed):
    """Bits drawn at random: NaN of all kinds, infinities and subnormals among the floats."""
    own = numpy_dtype(dtype)
    drawn = np.random.default_rng(seed).integers(0, 256, (*shape, own.itemsize), dtype=np.uint8)
    if dtype is BOOL:
        return (drawn[..., 0] & 1).view(bool)
    if dtype is I4:
        return (drawn[..., 0].view(np.int8) >> 4).astype(own)
    return drawn.view(own).reshape(shape)


@pytest.mark.parametrize("dtype", [F32, BF16, F16, F8_E4M3FN, I32, I8, I4, I64, BOOL], ids=str)
@pytest.mark.parametrize("shape", [(3, 5), (64, 128), (65, 129)])
def test_a_choice_by_bits(dtype, shape):
    which = np.random.default_rng(1).random(shape) > 0.5
    no, yes = anything(dtype, shape, 2), anything(dtype, shape, 3)
    one = anything(dtype, (), 4)
    cases = [(no, yes), (no, np.broadcast_to(one, shape)), (np.broadcast_to(one, shape), yes), (one, yes), (no, one),
             (no, np.broadcast_to(yes[:1], shape)), (np.broadcast_to(no[:, :1], shape), yes), (no[:1], yes),
             (no.T.copy().T, yes),
             (np.broadcast_to(one, shape), np.broadcast_to(yes[0, 0], shape)), (np.stack([no, yes]), yes)]  # fmt: skip
    for first, second in cases:
        got, want = choose(which, first, second), np.where(which, second, first)
        assert got.shape == want.shape and got.dtype == want.dtype
        assert bits(got) == bits(want)


@pytest.mark.parametrize("dtype", [F8_E4M3FN, F8_E5M2, F8_E4M3B11FNUZ, BF16, F16], ids=str)
def test_narrow_floats_are_widened(dtype):
    own = numpy_dtype(dtype)
    every = np.arange(1 << dtype.bits).astype(f"u{own.itemsize}").view(own)
    assert bits(widening(dtype)(every)) == bits(every.astype(np.float32))
    assert widening(dtype)(every.reshape(16, -1)[:, ::2]).shape == (16, every.size // 32)
    assert widening(dtype)(every[5]).dtype == np.float32


@pytest.mark.parametrize("k", [1, 64, 258, 259, 1024, 1025, 3000])
@pytest.mark.parametrize(("lhs", "rhs"), [(I8, I8), (U8, U8), (I8, U8), (I16, I8), (I16, I16), (I4, I8)], ids=str)
def test_integers_are_added_up_exactly(k, lhs, rhs):
    """Operands at the ends of their range, where a float would round first, if it had to."""
    shapes = (2, k), (k, 3)
    avals = [ShapedArray(shape, dtype) for shape, dtype in zip(shapes, (lhs, rhs), strict=True)]
    numbers = (((1,), (0,)), ((), ()))
    eqn = Eqn(Prim.DOT_GENERAL, tuple(map(Var, avals)), (Var(ShapedArray((2, 3), I32)),),
              (("dimension_numbers", numbers),))  # fmt: skip
    dot = contraction(eqn)
    for seed in range(3):
        drawn = np.random.default_rng(seed)
        x, y = (_extreme(drawn, shape, dtype) for shape, dtype in zip(shapes, (lhs, rhs), strict=True))
        got = dot.product(dot.left(x), dot.right(y))
        want = (x.astype(np.int64) @ y.astype(np.int64)).astype(np.int32)
        assert got.dtype == np.int32 and (got == want).all()


def _extreme(drawn, shape, dtype):
    low, high = (0, 255) if dtype is U8 else (-(1 << dtype.bits - 1), (1 << dtype.bits - 1) - 1)
    near = drawn.choice([low, low + 1, high, high - 1], shape)
    return np.where(drawn.random(shape) < 0.8, near, 1).astype(np.int32).astype(numpy_dtype(dtype))


def test_erf_of_f32():
    """Within 2.5 units in the last place of the standard library's, at floats of every size."""
    positive = np.arange(0, 0x7F800000, 500_009, dtype=np.uint32).view(np.float32)
    x = np.concatenate([positive, -positive, np.linspace(-6, 6, 9001).astype(np.float32)])
    want = np.array([math.erf(v) for v in x.tolist()])
    with np.errstate(all="ignore"):
        got = erf(x)
        halves = np.concatenate([erf(x[:5000]), erf(x[5000:])])
        ends = erf(np.array([np.nan, np.inf, -np.inf, 0.0, -0.0], np.float32))
    units = np.abs(got - want) / np.spacing(np.abs(want.astype(np.float32)).clip(1e-45)).astype(np.float64)
    assert units.max() < 2.5
    assert bits(got) == bits(halves)
    assert [str(v) for v in ends] == ["nan", "1.0", "-1.0", "0.0", "-0.0"]
