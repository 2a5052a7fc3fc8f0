"""Every capture of every shipped spec equals its golden: one test, one file.

`pytest --snapshot-update` rewrites the goldens of the tests that run, as `pipeline build` does.
`pipeline build --prune` removes those that no spec makes any more.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension

from pipeline.capture import names
from pipeline.capture.evaluate import evaluate, possible_captures
from pipeline.capture.outcome import Outcome, Record
from pipeline.capture.write import find_orphans
from pipeline.cli.discover import find_specs
from pipeline.errors import SpecError
from pipeline.spec.load import load_specs

ROOT = Path(__file__).parent.parent
SPECS = ROOT / "specs"
SNAPSHOTS = ROOT / "snapshots"
FILES = [Path(file).relative_to(ROOT).as_posix() for file in find_specs([str(SPECS)])[0]]

Golden = Callable[[str], type[SingleFileSnapshotExtension]]


class Case(NamedTuple):
    """A golden that a spec has, or (an exhibit) may have."""

    file: str
    path: str
    exhibit: bool

    def __str__(self) -> str:
        return self.path.replace("/", "-")


def cases(exhibits: bool) -> list[Case]:
    """The goldens of all specs that load; `test_a_spec_gives_no_error` reports the others."""
    found = []
    for file in FILES:
        try:
            specs = load_specs(ROOT / file)
        except SpecError:
            continue
        for spec in specs:
            if (spec.expect is not None) == exhibits:
                paths = possible_captures(spec)
                # a spec that passes has no diagnostics; an exhibit may have a golden of each kind
                paths = [path for path in paths if exhibits or f"-{names.DIAGNOSTICS}." not in path]
                found.extend(Case(file, path, exhibits) for path in paths)
    return found


@cache
def outcome(file: str) -> Outcome:
    """One run of a spec file, shared by the tests of its captures. Goldens name no folder, so neither need we."""
    return evaluate(str(ROOT / file))


def capture(case: Case) -> Record | None:
    return next((record for record in outcome(case.file).records if record.path == case.path), None)


def test_there_are_specs() -> None:
    assert len(FILES) >= 10


@pytest.mark.parametrize("file", FILES)
def test_a_spec_gives_no_error(file: str) -> None:
    found = outcome(file)
    texts = [f["rendered"] for r in found.records if r.status in ("error", "bug") for f in r.diagnostics]
    bugs = [record.bug for record in found.records if record.bug is not None]
    assert (found.exit_status(), texts, bugs) == (0, [], [])


@pytest.mark.parametrize("case", cases(exhibits=False), ids=str)
def test_golden(case: Case, snapshot: SnapshotAssertion, golden: Golden) -> None:
    record = capture(case)
    assert record is not None, f"no capture {case.path}: see test_a_spec_gives_no_error"
    assert record.text == snapshot.use_extension(golden(case.path))


@pytest.mark.parametrize("case", cases(exhibits=True), ids=str)
def test_exhibit(case: Case, snapshot: SnapshotAssertion, golden: Golden) -> None:
    """What an exhibit makes equals its golden, and what it does not make has none."""
    record = capture(case)
    if record is None:
        assert not (SNAPSHOTS / case.path).exists(), f"the spec no longer makes {case.path}; pipeline build --prune"
    else:
        assert record.text == snapshot.use_extension(golden(case.path))


def test_every_golden_belongs_to_a_spec() -> None:
    owned = {case.path for exhibits in (False, True) for case in cases(exhibits)}
    assert find_orphans(str(SNAPSHOTS), owned) == []
