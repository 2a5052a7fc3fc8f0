"""The TPU compiler accepts the text of every kernel we call legal, and refuses what we refuse."""

from __future__ import annotations

from typing import Any

import pytest

from pipeline.chips.load import load_chip
from pipeline.errors import Severity
from pipeline.ir.jaxpr import MemorySpace
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.lower.mosaic_tpu.text import print_mosaic
from pipeline.oracles.agreement import LOWERING
from pipeline.oracles.jax_mosaic import emit
from pipeline.oracles.libtpu import Job, Verdict, compile_all
from pipeline.oracles.record import vmem_sizes
from pipeline.oracles.shipped import chip_targets, shipped_specs, spec_id
from pipeline.oracles.spec_to_jax import spec_to_jax
from pipeline.schedule.result import Schedule
from pipeline.schedule.schedule import schedule
from pipeline.spec.spec import Spec, Target
from pipeline.trace.trace import trace

LOWERED = [spec for spec in shipped_specs() if not (spec.expect or "").startswith("L")]
TARGETS = [(spec, target) for spec in LOWERED for target in chip_targets(spec)]


def ids(pair: tuple[Spec, Target]) -> str:
    return f"{spec_id(pair[0])}-{pair[1].name}"


@pytest.fixture(scope="session")
def judged() -> dict[str, tuple[Schedule, Verdict]]:
    """Our schedule and the compiler's verdict for each spec and target; one child process compiles them all."""
    schedules: list[Schedule] = []
    jobs: list[Job] = []
    for spec, target in TARGETS:
        call, chip = trace(spec), load_chip(target)
        module = lower(call, chip)
        schedules.append(schedule(call, module, chip))
        jobs.append(Job.of(call, target.name, print_mosaic(module)))
    pairs = zip(schedules, compile_all(jobs), strict=True)
    return {ids(pair): both for pair, both in zip(TARGETS, pairs, strict=True)}


def errors(found: Schedule) -> set[str]:
    return {finding.code for finding in found.findings if finding.severity is Severity.ERROR}


SPILLED = [pair for pair in TARGETS if pair[0].expect == "P206"]
HBM = [pair for pair in TARGETS if pair[0].expect == "P205"]
LEGAL = [pair for pair in TARGETS if pair[0].expect is None or pair[0].expect[0] == "R" or pair[0].expects_warning]
LEGAL = [pair for pair in LEGAL if pair not in SPILLED]
PHYSICAL = [pair for pair in TARGETS if pair[0].expect in ("P202", "P203", "P204")]
BY_JAX = [pair for pair in TARGETS if pair[0].expect in LOWERING - {"P101"}]
REVISITED = [pair for pair in TARGETS if pair[0].expect == "P302"]
LATTICE = [pair for pair in TARGETS if pair[0].expect == "P101"]
OVERFLOW = [pair for pair in TARGETS if pair[0].expect == "P201"]
OUT_OF_RANGE = [pair for pair in TARGETS if pair[0].expect == "P301"]
APART = SPILLED + HBM + LEGAL + PHYSICAL + BY_JAX + REVISITED + LATTICE + OVERFLOW + OUT_OF_RANGE
OTHERS = [pair for pair in TARGETS if pair not in APART]


@pytest.mark.parametrize("pair", LEGAL, ids=ids)
def test_both_accept(pair: tuple[Spec, Target], judged: dict[str, tuple[Schedule, Verdict]]) -> None:
    """Also what only a run shows to be wrong."""
    ours, theirs = judged[ids(pair)]
    assert errors(ours) == set()
    assert theirs == Verdict(True)


@pytest.mark.parametrize("pair", LATTICE, ids=ids)
def test_both_refuse_blocks_off_the_lattice(
    pair: tuple[Spec, Target], judged: dict[str, tuple[Schedule, Verdict]]
) -> None:
    """JAX refuses them before lowering; the compiler, given our text, names the tiling and the block."""
    ours, theirs = judged[ids(pair)]
    assert errors(ours) == {"P101"}
    assert not theirs.accepted
    assert "CompileTimeMosaicMisalignedBlockAndTiling" in theirs.message
    with pytest.raises(ValueError, match="divisible by 8 and 128"):
        emit(*spec_to_jax(pair[0]), pair[1].name)


@pytest.mark.parametrize("pair", OTHERS, ids=ids)
def test_both_refuse(pair: tuple[Spec, Target], judged: dict[str, tuple[Schedule, Verdict]]) -> None:
    ours, theirs = judged[ids(pair)]
    assert errors(ours) == {pair[0].expect}
    assert not theirs.accepted
    assert "Mosaic failed to compile" in theirs.message or "The target does not support" in theirs.message


@pytest.mark.parametrize("pair", BY_JAX, ids=ids)
def test_jax_refuses_to_lower(pair: tuple[Spec, Target], judged: dict[str, tuple[Schedule, Verdict]]) -> None:
    """The compiler may accept our text of it."""
    ours, _ = judged[ids(pair)]
    assert errors(ours) == {pair[0].expect}
    with pytest.raises((ValueError, NotImplementedError)):
        emit(*spec_to_jax(pair[0]), pair[1].name)


@pytest.mark.parametrize("pair", REVISITED, ids=ids)
def test_the_compiler_lets_revisited_outputs_pass(
    pair: tuple[Spec, Target], judged: dict[str, tuple[Schedule, Verdict]]
) -> None:
    """Their data is lost all the same."""
    ours, theirs = judged[ids(pair)]
    assert errors(ours) == {"P302"}
    assert theirs.accepted


@pytest.mark.parametrize("pair", PHYSICAL, ids=ids)
def test_both_refuse_more_memory_than_the_chip_has(
    pair: tuple[Spec, Target], judged: dict[str, tuple[Schedule, Verdict]]
) -> None:
    ours, theirs = judged[ids(pair)]
    assert errors(ours) == {pair[0].expect}
    assert not theirs.accepted
    assert "would exceed memory" in theirs.message


@pytest.mark.parametrize("pair", SPILLED, ids=ids)
def test_the_compiler_has_no_room_for_what_it_spills(
    pair: tuple[Spec, Target], judged: dict[str, tuple[Schedule, Verdict]]
) -> None:
    """We warn of it: the plan alone fits, and the rest is an estimate."""
    ours, theirs = judged[ids(pair)]
    assert errors(ours) == set() and "P206" in {finding.code for finding in ours.findings}
    sizes = vmem_sizes(theirs.message)
    use = ours.use(MemorySpace.VMEM)
    assert sizes is not None and use is not None
    assert use.used < sizes[1] < sizes[0]


@pytest.mark.parametrize("pair", HBM, ids=ids)
def test_both_refuse_more_than_the_hbm(pair: tuple[Spec, Target], judged: dict[str, tuple[Schedule, Verdict]]) -> None:
    ours, theirs = judged[ids(pair)]
    assert errors(ours) == {"P205"}
    assert not theirs.accepted and "Ran out of memory on HBM" in theirs.message


@pytest.mark.parametrize("pair", OVERFLOW, ids=ids)
def test_both_refuse_an_overflow_with_the_same_sizes(
    pair: tuple[Spec, Target], judged: dict[str, tuple[Schedule, Verdict]]
) -> None:
    ours, theirs = judged[ids(pair)]
    assert errors(ours) == {"P201"}
    assert not theirs.accepted
    use = ours.use(MemorySpace.VMEM)
    assert use is not None
    assert vmem_sizes(theirs.message) == (use.used, use.limit)


@pytest.mark.parametrize("pair", OUT_OF_RANGE, ids=ids)
def test_an_index_map_out_of_range_is_refused(
    pair: tuple[Spec, Target], judged: dict[str, tuple[Schedule, Verdict]]
) -> None:
    """JAX's TPU interpreter refuses it when it runs; compilers may die of it or let it pass, by generation."""
    ours, _ = judged[ids(pair)]
    assert errors(ours) == {"P301"}
    with pytest.raises(Exception, match=r"(?i)out.of.bound|out of range"):
        _interpret(pair[0])


def test_the_compiler_dies_of_an_index_map_out_of_range(judged: dict[str, tuple[Schedule, Verdict]]) -> None:
    """On some generation at least: that is why the verdict has to come before it."""
    assert any(judged[ids(pair)][1].message.startswith("crash") for pair in OUT_OF_RANGE)


def _interpret(spec: Spec) -> None:
    """Run `spec` in JAX's interpreter of TPU kernels, on ones."""
    import jax.numpy as jnp
    from jax.experimental.pallas import tpu as pltpu

    interpreter: Any = pltpu
    call, args = spec_to_jax(spec, interpret=interpreter.InterpretParams())
    try:
        for result in call(*(jnp.ones(arg.shape, arg.dtype) for arg in args)):
            result.block_until_ready()
    finally:
        interpreter.reset_tpu_interpret_mode_state()  # left in disorder by an exception
