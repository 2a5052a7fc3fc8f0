"""Goldens for pytest: the files that `pipeline build` writes, read and written through syrupy.

The capture's path comes from the command line's own function, so there is one set of goldens.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from syrupy.data import SnapshotCollection, SnapshotCollections
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.location import PyTestLocation
from syrupy.types import SnapshotIndex

from pipeline.capture.write import write_file

# a busy machine is no failure, and a run is the same each time
settings.register_profile("steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")

SNAPSHOTS = Path(__file__).parent.parent / "snapshots"


@pytest.fixture
def golden() -> Callable[[str], type[SingleFileSnapshotExtension]]:
    """Makes the syrupy extension for a capture's name below the snapshots folder."""
    return lambda name: golden_extension(SNAPSHOTS / name)


def golden_extension(path: Path) -> type[SingleFileSnapshotExtension]:
    """A syrupy extension whose one snapshot is `path`, a file below `SNAPSHOTS`."""

    class Golden(SingleFileSnapshotExtension):
        _write_mode, file_extension = WriteMode.TEXT, path.suffix[1:]

        @classmethod
        def dirname(cls, *, test_location: PyTestLocation) -> str:
            return str(path.parent)

        @classmethod
        def discovery_dirname(cls, *, test_location: PyTestLocation) -> str:
            return str(SNAPSHOTS)

        @classmethod
        def get_file_basename(cls, *, test_location: PyTestLocation, index: SnapshotIndex) -> str:
            return path.stem

        @classmethod
        def matches_test_location(cls, *, test_location: PyTestLocation, snapshot_location: str) -> bool:
            return Path(snapshot_location) == path  # the file is named by the spec, not by the test

        def discover_snapshots(
            self, *, test_location: PyTestLocation, ignore_extensions: list[str] | None = None
        ) -> SnapshotCollections:
            """None: a file that no spec makes is for the orphan test to report, which sees all of them."""
            return SnapshotCollections()

        @classmethod
        def write_snapshot_collection(
            cls, *, snapshot_collection: SnapshotCollection, name_order: dict[str, int] | None = None
        ) -> None:
            """Whole or not at all, and with `\\n`, as `pipeline build` writes it."""
            (snapshot,) = snapshot_collection
            write_file(snapshot_collection.location, str(snapshot.data).encode("utf-8"))

        def read_snapshot_data_from_location(
            self, *, snapshot_location: str, snapshot_name: str, session_id: str
        ) -> str | None:
            try:
                return Path(snapshot_location).read_bytes().decode("utf-8")  # a carriage return is a difference
            except FileNotFoundError:
                return None

        def delete_snapshots(self, *, snapshot_location: str, snapshot_names: set[str]) -> None:
            pytest.fail(f"a test run removes no golden: {snapshot_location}")

    return Golden
