"""Numbers below the smallest normal one: ours as IEEE has them, XLA's on a CPU as zeros in arithmetic (recorded).

docs/numerics.md says so; what XLA gives is what ours gives of operands without such numbers, less those it makes.
"""

from __future__ import annotations

import numpy as np
import pytest
from simulate_records import entries, read_array

from pipeline.ir.jaxpr_text import parse_jaxpr
from pipeline.simulate.machine import Filling, Machine
from pipeline.simulate.program import Compiler

RECORDED = entries("subnormals")
# bits are moved, or rounded as integers; f16 is computed in f32, in which its subnormals are normal
KEPT = {"neg", "abs", "select", "to_bf16", "neg-bfloat16", "abs-bfloat16", "half-float16", "to_f32-float16"}
APPROXIMATE = {"log": 1e-6}
IEEE = {"half": lambda x: x * 0.5, "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide}


def flushed(x):
    """Zeros of the same sign for what is subnormal in f32 and bf16."""
    if x.dtype.name not in ("float32", "bfloat16"):
        return x
    small = np.abs(x.astype(np.float64)) < float(np.finfo(np.float32).tiny)
    return np.where(small, np.copysign(np.zeros_like(x), x), x).astype(x.dtype)


def ours(name, args):
    program = Compiler(Machine((), Filling())).program(parse_jaxpr(RECORDED[name]["program"]))
    with np.errstate(all="ignore"):
        (got,) = program.run(*args)
    return np.asarray(got)


@pytest.mark.parametrize("name", RECORDED)
def test_what_xla_makes_of_them(name):
    args = [read_array(arg) for arg in RECORDED[name]["args"]]
    (want,) = map(read_array, RECORDED[name]["out"])
    kept, zeros = ours(name, args), flushed(ours(name, [flushed(arg) for arg in args]))
    got = kept if name in KEPT else zeros
    if name in APPROXIMATE:
        np.testing.assert_allclose(got, want, rtol=APPROXIMATE[name])
    else:
        assert got.dtype == want.dtype and got.tobytes() == want.tobytes(), (got, want)


@pytest.mark.parametrize("name", IEEE)
def test_ours_are_rounded_from_the_exact_value(name):
    args = [read_array(arg) for arg in RECORDED[name]["args"]]
    got = ours(name, args)
    with np.errstate(all="ignore"):
        want = IEEE[name](*[arg.astype(np.float64) for arg in args]).astype(np.float32)
    np.testing.assert_array_equal(got, want)
    assert (got != flushed(got)).any(), "some are subnormal"


def test_the_record_tells_both_apart():
    """Each operation that takes them for zeros is recorded with operands that show it, but for a few."""
    same = []
    for name in set(RECORDED) - KEPT - set(APPROXIMATE):
        args = [read_array(arg) for arg in RECORDED[name]["args"]]
        same += [name] if ours(name, args).tobytes() == read_array(RECORDED[name]["out"][0]).tobytes() else []
    assert sorted(same) == ["is_finite", "square", "to_f16", "to_i32"]
