"""Which lines of the kernel a step's bundles go to, and how a line is written."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from pipeline.chips.costs import load_costs
from pipeline.chips.load import load_chip
from pipeline.errors import Source, Span
from pipeline.ir.module import Op
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.schedule.bundles.lines import bundles_by_line, walk_path
from pipeline.schedule.bundles.source_text import line_of
from pipeline.schedule.bundles.step import Step, schedule_step
from pipeline.schedule.schedule import schedule
from pipeline.spec.load import load_specs, parse_candidate
from pipeline.trace.trace import trace

SPECS = Path(__file__).parents[2] / "specs"
SOFTMAX = SPECS / "softmax.toml"


def scheduled(path: Path, chip_name: str) -> Step:
    chip = load_chip(chip_name)
    costs = load_costs(chip)
    assert costs is not None
    (spec, *_) = load_specs(path)
    call = trace(spec)
    return schedule_step(lower(call, chip), chip, costs, call.grid)


@pytest.mark.parametrize("name", ["softmax", "matmul", "flash_attention", "control/newton_sqrt", "train/adam"])
@pytest.mark.parametrize("chip", ["v4", "v5e", "7x"])
def test_every_bundle_goes_to_a_line_or_is_loop_code(name: str, chip: str) -> None:
    step = scheduled(SPECS / f"{name}.toml", chip)
    lines = bundles_by_line(step)
    assert len({(op.span.source, op.span.line) for op, _ in lines}) == len(lines)
    assert abs(sum(n for _, n in lines) + step.extra - step.bundles) <= len(lines) / 2  # each is rounded


def test_a_path_covers_its_block_without_a_gap() -> None:
    step = scheduled(SPECS / "flash_attention.toml", "v5e")
    for block in step.blocks:
        stretches = list(walk_path(step.low.graph, block))
        assert not stretches or (stretches[0].ends, stretches[-1].begins) == (block.packed.length, 0)
        for later, earlier in pairwise(stretches):
            assert earlier.ends == later.begins


def test_a_line_that_does_more_costs_more() -> None:
    """The third line of softmax does exp, which the cost of the whole follows."""
    text = SOFTMAX.read_text()
    chip = load_chip("v5e")

    def costs(changed: str) -> dict[str, int]:
        call = trace(parse_candidate(changed, SOFTMAX, None, {}))
        estimate = schedule(call, lower(call, chip), chip).estimate
        assert estimate is not None
        return {cost.text: cost.bundles for cost in estimate.costs}

    before, after = costs(text), costs(text.replace("jnp.exp(x - m)", "jnp.exp(jnp.tanh(x - m))"))
    assert before["_ = jnp.exp(_ - _)"] + 60 < after["_ = jnp.exp(jnp.tanh(_ - _))"]


def test_names_and_comments_of_the_author_move_nothing() -> None:
    text = SOFTMAX.read_text()
    renamed = text.replace("    m = jnp.max(x, axis=1", "    peak = jnp.max(x, axis=1")
    renamed = renamed.replace("jnp.exp(x - m)", "jnp.exp(x - peak)  # at most 1")
    assert renamed != text
    chip = load_chip("v5e")
    found = []
    for one in (text, renamed):
        call = trace(parse_candidate(one, SOFTMAX, None, {}))
        found.append(schedule(call, lower(call, chip), chip).estimate)
    assert found[0] == found[1] and found[0] is not None and len(found[0].costs) == 3


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("x = y", "_ = _"),
        ("  o_ref[...] = jnp.sum(x, axis=1, keepdims=True)  # rows", "_[...] = jnp.sum(_, axis=1, keepdims=True)"),
        ("s = jnp.dot(\n    q,\n    k,  # transposed\n)", "_ = jnp.dot(_, _)"),
        ("a = b if c == d else e", "_ = _ if _ == _ else _"),
        ("    d:f32[8,128] = convert_element_type[new_dtype=float32 weak_type=False] cc",
         "_:f32[8,128] = convert_element_type[new_dtype=float32 weak_type=False] _"),
        ("    k:f32[8,256] = mul 2.0:f32[] j  # k.py:1", "_:f32[8,256] = mul 2.0:f32[] _"),
    ],
)  # fmt: skip
def test_a_line_without_names(text: str, printed: str) -> None:
    found = line_of(Op("arith.addf", span=Span(Source("k", text), 1, 1, 2)))
    assert found == printed


def test_a_long_line_is_cut() -> None:
    text = "x = " + " + ".join(["first"] * 40)
    found = line_of(Op("arith.addf", span=Span(Source("k", text), 1, 1, 2)))
    assert found.startswith("_ = _ + _") and found.endswith("...") and len(found) <= 96


def test_an_operation_from_nowhere_has_no_line() -> None:
    assert line_of(Op("arith.addf")) == ""
