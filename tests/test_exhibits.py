"""Every exhibit that has a fixed twin: the twin is about the same kernel and passes on the same targets."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.cli.exhibits import exhibits
from pipeline.spec.load import load_specs

EXHIBITS = Path(__file__).parent.parent / "specs" / "exhibits"
FIXED = sorted((EXHIBITS / "fixed").glob("*.toml"))


def test_there_are_twins() -> None:
    assert len(FIXED) >= 55


@pytest.mark.parametrize("path", FIXED, ids=lambda path: path.stem)
def test_twin(path: Path) -> None:
    """That the one ends in its code and the other in none is held by their goldens."""
    [broken], [fixed] = load_specs(EXHIBITS / path.name), load_specs(path)
    assert (fixed.name, fixed.expect) == (f"{broken.name}_fixed", None)
    assert broken.expect is not None
    assert [target.name for target in fixed.targets] == [target.name for target in broken.targets]
    shapes = [[(o.name, o.shape, o.dtype) for o in spec.operands] for spec in (broken, fixed)]
    assert shapes[0] == shapes[1]


def test_exhibits_are_found_without_a_toml_reader() -> None:
    """What `pipeline explain` and the page of codes find by a glance at the text is what the loader reads."""
    loaded: dict[str, list[Path]] = {}
    for path in sorted(EXHIBITS.glob("*.toml")):
        [spec] = load_specs(path)
        assert spec.expect is not None
        loaded.setdefault(spec.expect, []).append(path)
    assert exhibits(EXHIBITS) == loaded
