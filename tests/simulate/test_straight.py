"""Scalar code as Python's numbers gives, bit for bit, what the NumPy rules give; so do loops and accesses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pipeline.simulate.function_text import Writer
from pipeline.simulate.machine import WORK_LIMIT, Filling
from pipeline.simulate.mode import LENIENT, SEQUENTIAL
from pipeline.simulate.prepared import Prepared
from pipeline.spec.load import parse_specs
from pipeline.trace.trace import trace
from tests.simulate.small_specs import small_spec, table
from tests.simulate.test_simulate_lanes import assert_same

NEVER = 1 << 60
LOOPS = {"eval_scan.<locals>.scan", "eval_scan.<locals>.scan_or_function"}  # called where the budget runs out in one
# of x, y and of b, a comparison
OPERATIONS = (
    "x + y", "x - y", "x * y", "0 + x", "x - 0", "1 * x", "x * 1",
    "jax.lax.div(x, y)", "jax.lax.rem(x, y)", "x // 7", "jax.lax.rem(x, x.dtype.type(5))",
    "jnp.maximum(x, y)", "jnp.minimum(x, 3)", "jnp.clip(x, 2, 90)", "jax.lax.clamp(y, x, x)", "x & y", "x | y", "x ^ y",
    "~x", "jax.lax.shift_left(x, y)", "jax.lax.shift_right_logical(x, y)", "jax.lax.shift_right_arithmetic(x, y)",
    "x << 3", "jax.lax.shift_right_logical(x, x.dtype.type(2))", "x >> 1", "-x", "abs(x)", "jnp.sign(x)",
    "jnp.square(x)", "jax.lax.population_count(x)", "jax.lax.clz(x)", "jnp.where(b, x, y)",
    "jnp.where(~b & (x > 4), x, 5)", "jnp.where(b ^ (y == 1) | (x != 7), y, x)", "b.astype(x.dtype)",
    "jnp.where((x >= y) == b, x, y)", "jnp.where((x + y).astype(jnp.bool_), x, y)",
)  # fmt: skip
OF_TWO = """
def kernel(x_ref, y_ref, o_ref):
    @pl.loop(0, 120)
    def _(i):
        x, y = x_ref[i], y_ref[i]
        b = x < y
        """
CASTS = ("int8", "uint8", "int16", "uint16", "int32", "uint32")


def call_of(source, *tables, grid=()):
    [spec] = parse_specs(small_spec(source, grid, *tables), Path("k.toml"))
    return trace(spec)


def smem(section, name, shape, dtype="int32"):
    return table(section, name, shape=shape, dtype=dtype, memory_space="smem")


def both_ways(monkeypatch, call, inputs, limit=WORK_LIMIT, mode=SEQUENTIAL):
    """A run of the steps one by one, and one of functions."""
    for module in ("pipeline.simulate.program", "pipeline.simulate.numerics.control"):
        monkeypatch.setattr(f"{module}.OFTEN", NEVER)
    ready = [Prepared(call, often) for often in (False, True)]
    steps, functions = [one.run(inputs, Filling(variant=2), limit, mode) for one in ready]
    return steps, functions


def edges(dtype, count, seed):
    """Values of all sizes, the extremes and small ones often."""
    rng = np.random.default_rng(seed)
    info = np.iinfo(dtype)
    special = np.array(
        [info.min, info.max, info.min + 1, 0, 1, 2, 5, 7, info.bits - 1, info.bits, -1 & info.max], dtype
    )
    anything = rng.integers(info.min, info.max, count, dtype, endpoint=True)
    return np.where(rng.random(count) < 0.6, rng.choice(special, count), anything)


def called(monkeypatch):
    """The names of what the functions that are made leave to a call, filled in as they are made."""
    calls = set()
    plain = Writer.call

    def call(writer, function, *rest):
        calls.add(function.__qualname__)
        return plain(writer, function, *rest)

    monkeypatch.setattr(Writer, "call", call)
    return calls


@pytest.mark.parametrize("dtype", CASTS)
def test_operations_on_scalars(dtype, monkeypatch):
    lines = [f"o_ref[{n}, i] = ({text}).astype(x.dtype)" for n, text in enumerate(OPERATIONS)]
    lines += [f"o_ref[{len(lines) + n}, i] = x.astype(jnp.{to}).astype(x.dtype)" for n, to in enumerate(CASTS)]
    body = "\n        ".join(lines)
    tables = [smem("inputs", name, [120], dtype) for name in "xy"]
    call = call_of(OF_TWO + body, *tables, smem("outputs", "o", [len(lines), 120], dtype))
    inputs = {"x": edges(dtype, 120, 1), "y": edges(dtype, 120, 2)}
    calls = called(monkeypatch)
    steps, functions = both_ways(monkeypatch, call, inputs)
    signed = {"_shift.<locals>.rule.<locals>.shift"} if dtype.startswith("u") else set()  # an arithmetic one's
    assert calls <= LOOPS | signed, "each operation has a text of its own"
    assert_same(functions, steps)
    assert len(np.unique(steps.outputs["o"])) > 20


SEARCH = """
def kernel(n_ref, x_ref, o_ref, s_ref):
    s_ref[0] = pl.program_id(0)
    s_ref[1] = jnp.int32(2147483647)

    def halve(j, bounds):
        low, high = bounds
        middle = (low + high) // 2
        right = n_ref[middle] < s_ref[0] * 5
        return jnp.where(right, middle + 1, low), jnp.where(right, high, middle)

    def collatz(state):
        value, rounds = state
        odd = value % 2 == 1
        value = jax.lax.cond(odd, lambda v: 3 * v + 1, lambda v: v // 2, value)
        return value, rounds + 1

    @pl.loop(0, 9)
    def _(i):
        low, high = jax.lax.fori_loop(0, 5, halve, (jnp.int32(0), jnp.int32(31)))
        _, rounds = jax.lax.while_loop(lambda s: (s[0] > 1) & (s[1] < n_ref[1]), collatz, (i + low, jnp.int32(0)))
        s_ref[1] = s_ref[1] + rounds
        o_ref[pl.ds(i * REACH, 1), :] = x_ref[pl.ds(low % 8, 1), :] * rounds.astype(jnp.float32)
        s_ref[2] = jax.lax.switch(i % 5, [lambda a: a, lambda a: a + n_ref[low], lambda a: -a], s_ref[1])
        o_ref[low % 8, 3] = s_ref[2].astype(jnp.float32) * 0.5

        @pl.when(rounds > 8)
        def _():
            o_ref[0:8, :] += x_ref[0:8, :]
"""


def search(reach=1):
    return call_of(
        SEARCH.replace("REACH", str(reach)),
        table("scalar_prefetch", "n", shape=[32], dtype="int32"),
        table("inputs", "x", shape=[24, 128], dtype="float32", block=[8, 128], index_map="lambda i, n: (i, 0)"),
        table("outputs", "o", shape=[36, 128], dtype="float32", block=[12, 128], index_map="lambda i, n: (i, 0)"),
        table("scratch", "s", kind="smem", shape=[3], dtype="int32"),
        grid=(3,),
    )  # fmt: skip


INPUTS = {
    "n": np.sort(np.random.default_rng(0).integers(1, 40, 32)).astype(np.int32) + np.int32(20),
    "x": np.random.default_rng(1).normal(size=(24, 128)).astype(np.float32),
}


@pytest.mark.parametrize("mode", [SEQUENTIAL, LENIENT], ids=["sequential", "lenient"])
@pytest.mark.parametrize("reach", [1, 2, -1])
def test_loops_branches_and_accesses(reach, mode, monkeypatch):
    calls = called(monkeypatch)
    steps, functions = both_ways(monkeypatch, search(reach), INPUTS, mode=mode)
    assert_same(functions, steps)
    assert [finding.code for finding in steps.findings] == ["R303"] * (reach != 1)
    assert calls <= LOOPS | {"multiply", "add"}  # of rows
    assert np.unique(steps.outputs["o"]).size > 100


@pytest.mark.parametrize("limit", [200_000, 400_000, 612_345, 800_000, 1_000_000, 1_500_000])
def test_the_budget_ends_where_it_did(limit, monkeypatch):
    steps, functions = both_ways(monkeypatch, search(2), INPUTS, limit)
    assert [f.code for f in functions.findings] == [f.code for f in steps.findings]
    assert [f.message for f in functions.findings] == [f.message for f in steps.findings]
    assert functions.finished == steps.finished
    for name, value in steps.outputs.items():
        assert functions.outputs[name].tobytes() == value.tobytes()


UNWAITED = "pltpu.make_async_copy(buf_ref.at[0], o_ref.at[r + 1], sems.at[0]).start()"
EAGER = ("late", "eager", "lenient")
COPIES = """
def kernel(t_ref, x_ref, o_ref, buf_ref, n_ref, sem, sems):
    def fetch(r):
        return pltpu.make_async_copy(x_ref.at[t_ref[r]], buf_ref.at[r % 4], sem)

    @pl.loop(0, 4)
    def _(r):
        fetch(r).start()
        FIRST

    @pl.loop(0, 4)
    def _(r):
        fetch(3 - r).wait()

    @pl.loop(0, 6)
    def _(r):
        n_ref[0] = n_ref[0] * 3 + t_ref[r]
        out = pltpu.make_async_copy(buf_ref.at[pl.ds(r % 2, 2)], o_ref.at[pl.ds(WHERE, 2)], sems.at[r % 2])
        out.start()
        THEN
        out.wait()
        o_ref[r, 0:1, :] = buf_ref[t_ref[r] % 4, 0:1, :] + n_ref[0].astype(jnp.float32)
"""


@pytest.mark.parametrize("mode", [SEQUENTIAL, SEQUENTIAL._replace(eager=True), LENIENT], ids=EAGER)
@pytest.mark.parametrize(
    ("at", "first", "then", "codes"),
    [
        ("r", "pass", "pass", []),
        ("r + 6", "pass", "pass", ["R303"]),
        ("r - 1", "pass", "pass", ["R303"]),
        ("r", "n_ref[0] = buf_ref[r % 4, 0, 0].astype(jnp.int32)", "pass", ["R301"]),
        ("r", "pass", "buf_ref[1, 0, :] = buf_ref[0, 0, :]", ["R302"]),
        (
            "r",
            "pass",
            "pltpu.make_async_copy(buf_ref.at[0], o_ref.at[r + 1], sems.at[0]).start()",
            ["R302", "R311", "R312"],
        ),
        ("r", "pass", "n_ref[0] = o_ref[r, 0, 0].astype(jnp.int32)", ["R301"]),
    ],
)
def test_copies(at, first, then, codes, mode, monkeypatch):
    call = call_of(
        COPIES.replace("WHERE", at).replace("FIRST", first).replace("THEN", then),
        smem("inputs", "t", [6]),
        table("inputs", "x", shape=[7, 1, 128], dtype="float32", memory_space="any"),
        table("outputs", "o", shape=[8, 1, 128], dtype="float32", memory_space="any"),
        table("scratch", "buf", kind="vmem", shape=[4, 1, 128], dtype="float32"),
        table("scratch", "n", kind="smem", shape=[1], dtype="int32"),
        table("scratch", "sem", kind="dma_semaphore"),
        table("scratch", "sems", kind="dma_semaphore", shape=[2]),
    )
    inputs = {"t": np.array([3, 6, 0, 3, 5, 1], np.int32), "x": np.arange(7 * 128, dtype=np.float32).reshape(7, 1, 128)}
    steps, functions = both_ways(monkeypatch, call, inputs, mode=mode)
    assert_same(functions, steps)
    if not mode.eager:
        assert sorted({finding.code for finding in steps.findings}) == codes
