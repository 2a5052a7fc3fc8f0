"""Every code has an exhibit, and every exhibit a fixed twin: about the same kernel, and passing on the same targets."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.cli.exhibits import exhibits
from pipeline.codes import load_codes
from pipeline.spec.load import load_specs

ROOT = Path(__file__).parent.parent
EXHIBITS = ROOT / "specs" / "exhibits"
# What is wrong with these is the shape of an array, its dtype or the size of the whole: the twin has another.
OTHER_ARRAYS = frozenset(
    {
        "float16_in_vector_memory",
        "int8_row_ends_early",
        "more_than_the_hbm",
        "narrow_blocks",
        "sixteen_columns",
        "too_large_to_run",
    }
)
# Codes that no exhibit can end in, and why; the file that shows the code all the same.
_RUN = "it is about the run, not about one spec"
_REFUSED = "the loader refuses such a spec file first; an imported or hand-made call can have it"
_LOWERING = "lowering refuses it first where a module is made"
WITHOUT = {
    "C": (_RUN, "tests/cli/test_*.py"),
    "F": ("it is about Python that is imported, not about a spec", "tests/*/test_*.py"),
    "S": ("a file that does not load has no expectation either", "tests/spec/__snapshots__/*.ambr"),
    "L107": ("its record would be a module of 250,000 ops", "tests/lower/test_*.py"),
    "P00": ("it is about a chip's profile", "tests/chips/test_*.py"),
    "P104": (_REFUSED, "tests/schedule/findings.txt"),
    "P105": (_LOWERING, "tests/schedule/findings.txt"),
    "P106": (_LOWERING, "tests/schedule/findings.txt"),
    "P107": (_LOWERING, "tests/schedule/findings.txt"),
    "P111": (_REFUSED, "tests/schedule/findings.txt"),
    "P112": (
        "its index maps come of a trace with 64-bit integers, which specs have not",
        "pipeline/oracles/agreement.py",
    ),
    "P306": (_REFUSED, "tests/schedule/findings.txt"),
    "P307": (_REFUSED, "tests/schedule/findings.txt"),
    "P308": (_REFUSED, "tests/schedule/findings.txt"),
    "P309": (_REFUSED, "tests/schedule/findings.txt"),
    "P403": (_LOWERING, "tests/schedule/findings.txt"),
    "R102": ("every primitive that is traced has a rule", "tests/simulate/test_simulate_functional.py"),
    "R333": ("the array would have to be too large for a golden", "tests/simulate/test_races.py"),
    "R341": ("the search for races finds it first", "tests/simulate/test_compare_modes.py"),
    "T101": (_REFUSED, "tests/trace/test_hostile.py"),
    "T106": (_REFUSED, "tests/trace/test_trace.py"),
}
FIXED = sorted((EXHIBITS / "fixed").glob("*.toml"))


def test_there_are_twins() -> None:
    assert len(FIXED) >= 90


@pytest.mark.parametrize("path", FIXED, ids=lambda path: path.stem)
def test_twin(path: Path) -> None:
    """That the one ends in its code and the other in none is held by their goldens."""
    [broken], [fixed] = load_specs(EXHIBITS / path.name), load_specs(path)
    assert (fixed.name, fixed.expect) == (f"{broken.name}_fixed", None)
    assert broken.expect is not None
    assert [target.name for target in fixed.targets] == [target.name for target in broken.targets]
    shapes = [[(o.name, o.shape, o.dtype) for o in spec.operands] for spec in (broken, fixed)]
    assert (shapes[0] == shapes[1]) == (path.stem not in OTHER_ARRAYS)


def test_every_exhibit_has_a_twin() -> None:
    assert {path.name for path in EXHIBITS.glob("*.toml")} == {path.name for path in FIXED}


@pytest.mark.parametrize("code", load_codes())
def test_every_code_has_an_exhibit(code: str) -> None:
    """Or a reason why it cannot have one, and another test that shows it."""
    reasons = [WITHOUT[code[:size]] for size in (1, 3, 4) if code[:size] in WITHOUT]
    if code in exhibits(EXHIBITS):
        assert reasons == []
    else:
        [(reason, where)] = reasons
        texts = [path.read_text(encoding="utf-8") for path in ROOT.glob(where)]
        assert any(code in text for text in texts), f"{reason}, and {where} does not show it"


def test_exhibits_are_found_without_a_toml_reader() -> None:
    """What `pipeline explain` and the page of codes find by a glance at the text is what the loader reads."""
    loaded: dict[str, list[Path]] = {}
    for path in sorted(EXHIBITS.glob("*.toml")):
        [spec] = load_specs(path)
        assert spec.expect is not None
        loaded.setdefault(spec.expect, []).append(path)
    assert exhibits(EXHIBITS) == loaded
