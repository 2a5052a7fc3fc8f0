"""Room that is left unused: larger blocks that are proposed are tried, and nothing is said where none would help."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from pipeline.chips.load import load_chip
from pipeline.errors import Severity
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.schedule.result import Schedule
from pipeline.schedule.schedule import schedule
from pipeline.spec.load import load_specs
from pipeline.trace.trace import trace

BODY = "def kernel(x_ref, o_ref):\n    o_ref[...] = jnp.sin(x_ref[...])\n"
ASKING = "def kernel(x_ref, o_ref):\n    o_ref[...] = jnp.sin(x_ref[...]) * pl.program_id(0)\n"
HINT = re.compile(r"x: block = (\[[\d, ]*\]), o: block = (\[[\d, ]*\]), grid: shape = (\[[\d, ]*\])")


def spec(block: Sequence[int], grid: Sequence[int], body: str = BODY, index_map: str = "") -> str:
    letters = ", ".join("ij"[: len(grid)])
    index_map = index_map or f"lambda {letters}: ({letters}{', 0' if len(grid) == 1 else ''})"
    entry = f'shape = [16384, 1024]\ndtype = "float32"\nblock = {list(block)}\nindex_map = "{index_map}"\n'
    return (
        f'name = "kernel"\nsummary = "s"\ntargets = ["v5e"]\n[kernel]\nsource = """\n{body}"""\n'
        f'[grid]\nshape = {list(grid)}\n[[inputs]]\nname = "x"\n{entry}[[outputs]]\nname = "o"\n{entry}'
    )


def scheduled(text: str, folder: Path, chip: str = "v5e") -> Schedule:
    path = folder / "kernel.toml"
    path.write_text(text)
    [loaded] = load_specs(path)
    call = trace(loaded)
    return schedule(call, lower(call, load_chip(chip)), load_chip(chip))


def cycles(found: Schedule) -> int:
    """Of the whole call, as far as the steps decide."""
    assert found.estimate is not None
    return found.pipeline.steps * found.estimate.bundles


def hints(found: Schedule) -> dict[str, str]:
    return {finding.code: finding.hint or "" for finding in found.findings}


@pytest.mark.parametrize("block, grid", [((8, 512), (2048, 2)), ((8, 256), (2048, 4)), ((8, 128), (2048, 8))])
@pytest.mark.parametrize("chip", ["v5e", "v6e", "7x"])
def test_the_proposed_blocks_take_the_finding_away(
    block: Sequence[int], grid: Sequence[int], chip: str, tmp_path: Path
) -> None:
    """Each time it is applied the call takes less time; a block that gained by latency may gain once more."""
    found = scheduled(spec(block, grid), tmp_path, chip)
    (code,) = hints(found).keys() & {"P503", "P505"}
    for _ in range(3):
        before, fix = cycles(found), HINT.search(hints(found)[code])
        assert fix is not None, hints(found)
        assert fix[1] == fix[2]
        block, grid = json.loads(fix[1]), json.loads(fix[3])
        found = scheduled(spec(block, grid), tmp_path, chip)
        assert not any(finding.severity is Severity.ERROR for finding in found.findings)
        assert cycles(found) < before
        left = hints(found).keys() & {"P503", "P505"}
        if not left:
            return
        (code,) = left
    raise AssertionError(hints(found))


@pytest.mark.parametrize(
    "text",
    [
        spec((16384, 256), (1,), index_map="lambda i: (0, 0)"),  # one step
        spec((512, 1024), (32,)),  # the body takes far longer than the pipeline's code
        spec((8, 512), (2048, 2), ASKING),  # which step it is matters
        spec(
            (8, 512), (2048, 2), index_map="lambda i, j: (2047 - i, 1 - j)"
        ),  # larger blocks would not be the same ones
    ],
    ids=["one step", "long steps", "program id", "backwards"],
)
def test_quiet_where_nothing_is_gained_or_known(text: str, tmp_path: Path) -> None:
    assert "P505" not in hints(scheduled(text, tmp_path))
    assert "block =" not in "".join(hints(scheduled(text, tmp_path)).values())
