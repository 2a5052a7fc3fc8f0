"""The pytest side in a project of its own: the same files as `pipeline build`, and no run deletes a golden."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pipeline

ROOT = Path(pipeline.__file__).parent.parent
SPECS = ("softmax", "softmax_kernel", "layernorm")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    for name in ("conftest.py", "test_goldens.py"):
        shutil.copy(ROOT / "tests" / name, tmp_path / "tests" / name)
    (tmp_path / "specs").mkdir()
    for name in SPECS:
        shutil.copy(ROOT / "specs" / f"{name}.toml", tmp_path / "specs")
    shutil.copy(ROOT / "specs/exhibits/lattice_violation.toml", tmp_path / "specs")
    return tmp_path


def run(project: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, "-m", *argv],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def pytest_run(project: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    fewer = ("--deselect", "tests/test_goldens.py::test_there_are_specs")
    return run(project, "pytest", "-p", "no:cacheprovider", "tests", *fewer, *argv)


def tree(project: Path) -> dict[str, bytes]:
    root = project / "snapshots"
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".cache" not in path.parts
    }


def test_pytest_and_build_write_the_same_files(project: Path) -> None:
    done = pytest_run(project)
    assert done.returncode == 1  # no goldens yet
    assert not (project / "snapshots").exists()
    done = pytest_run(project, "--snapshot-update")
    assert done.returncode == 0, done.stdout
    assert "warning" not in done.stdout.lower()
    written = tree(project)
    assert any("5-diagnostics" in name for name in written)
    assert run(project, "pipeline", "check").returncode == 0
    shutil.rmtree(project / "snapshots")
    assert run(project, "pipeline", "build").returncode == 0
    assert tree(project) == written
    assert pytest_run(project).returncode == 0


def test_a_partial_run_touches_no_other_golden(project: Path) -> None:
    assert run(project, "pipeline", "build").returncode == 0
    golden = project / "snapshots/softmax/1-trace.jaxpr"
    other = project / "snapshots/layernorm/1-trace.jaxpr"
    fresh = golden.read_bytes()
    for path in (golden, other):
        path.write_bytes(b"stale\n")
    (project / "snapshots/gone").mkdir()
    (project / "snapshots/gone/1-trace.jaxpr").write_bytes(b"of a spec that was removed\n")
    before = tree(project)
    done = pytest_run(project, "-k", "softmax-1-trace", "--snapshot-update")
    assert done.returncode == 0, done.stdout
    assert tree(project) == {**before, "softmax/1-trace.jaxpr": fresh}
    done = pytest_run(project)
    assert done.returncode == 1
    failed = [line for line in done.stdout.splitlines() if line.startswith("FAILED")]
    assert len(failed) == 2, done.stdout  # the stale golden and the orphan, each in a test of its own
    assert any("layernorm-1-trace.jaxpr" in line for line in failed)
    assert any("test_every_golden_belongs_to_a_spec" in line for line in failed)


def test_a_full_update_deletes_nothing(project: Path) -> None:
    assert run(project, "pipeline", "build").returncode == 0
    orphan = project / "snapshots/softmax/1-trace.v9.jaxpr"
    orphan.write_bytes(b"no spec's\n")
    done = pytest_run(project, "--snapshot-update")
    assert done.returncode == 1
    assert orphan.exists()
    assert "test_every_golden_belongs_to_a_spec" in done.stdout
