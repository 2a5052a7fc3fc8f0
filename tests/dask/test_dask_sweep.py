"""A sweep on a cluster of this machine's own gives what it gives in one process."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import LocalCluster

from pipeline.cli.app import run

MATMUL = Path(__file__).parents[2] / "specs" / "matmul.toml"
BASE = ["sweep", str(MATMUL), "--target", "v5e", "--target", "v6e", "--format", "json"]
VARY = ["--vary", "BM=100,128,256", "--vary", "block.b.1=128..512"]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
    ) as cluster:
        yield cluster.scheduler_address


def test_the_same_rows(address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*BASE, *VARY, "-j", "1"]) == 0
    alone = json.loads(capsys.readouterr().out)
    keep = tmp_path / "rows.jsonl"
    assert run([*BASE, *VARY, "--dask", address, "--resume", str(keep)]) == 0
    assert json.loads(capsys.readouterr().out) == alone
    assert {row["refused"] is None for row in alone} == {True, False}
    lines = keep.read_text().splitlines()
    assert len(lines) == 1 + len(alone)
    # a part of it again: what was kept is not tried again, the rest is
    keep.write_text("\n".join(lines[: len(lines) // 2]) + "\n")
    assert run([*BASE, *VARY, "--dask", address, "--resume", str(keep)]) == 0
    assert json.loads(capsys.readouterr().out) == alone


@pytest.mark.parametrize("nowhere", ["tcp://127.0.0.1:9", "nonsense", "http://127.0.0.1:9"])
def test_no_cluster_there(nowhere: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.cli.on_dask._SECONDS", 1)
    assert run([*BASE, "--vary", "BM=128", "--dask", nowhere]) == 2
    said = capsys.readouterr()
    ((finding,),) = [file["diagnostics"] for file in json.loads(said.out)]
    assert (finding["code"], said.err) == ("C117", "")
    assert run([*BASE[:-2], "--vary", "BM=128", "--dask", nowhere]) == 2
    assert "error[C117]" in capsys.readouterr().err
