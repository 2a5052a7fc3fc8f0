"""`pipeline explain CODE` in a folder that has exhibits: their diagnostics and how the fixed twin differs."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.cli import main

ROOT = Path(__file__).parents[2]
SHAPES = """
Exhibit: specs/exhibits/shapes_that_do_not_broadcast.toml
Row sums of shape (8,) against rows of 128

On every target:

shapes_that_do_not_broadcast.toml: error[T204]: jnp.sub: shapes [8, 128] and [8] do not broadcast \
(axis -1: 128 against 8)
 |
 |     o_ref[...] = x_ref[...] - jnp.sum(x_ref[...], axis=1)
 |                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
 = hint: sizes have to be equal or 1, aligned at the last axis

Fixed: specs/exhibits/fixed/shapes_that_do_not_broadcast.toml
keepdims leaves an axis of 1 that broadcasts

@@
 def kernel(x_ref, o_ref):
-    o_ref[...] = x_ref[...] - jnp.sum(x_ref[...], axis=1)
+    o_ref[...] = x_ref[...] - jnp.sum(x_ref[...], axis=1, keepdims=True)
 '''
"""


def explain(code: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["explain", code]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_an_exhibit_and_its_twin(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    text, _, rest = explain("t204", capsys).partition("\nExhibit: ")
    assert text.startswith("T204: shapes do not fit\n\n")
    assert f"\nExhibit: {rest}" == SHAPES


def test_targets_that_say_the_same_are_told_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    out = explain("P101", capsys)
    assert "\nOn 7x, v5e, v6e:\n\nlattice_violation.toml: error[P101]: " in out
    assert out.count("operand 'x' axis 0") == 1


def test_without_exhibits_only_the_text(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "Exhibit" not in explain("T204", capsys)


def test_other_files_in_the_folder_do_no_harm(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "specs" / "exhibits"
    folder.mkdir(parents=True)
    (folder / "a.toml").write_bytes(b'\xff[expect]\nerror = "T204"\n')
    (folder / "b.toml").write_text('name = "../../x"\n\n[expect]\nerror = "T204"\n')
    (folder / "c.toml").mkdir()
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "5-diagnostics.txt").write_text("not to be shown\n")
    monkeypatch.chdir(tmp_path)
    out = explain("T204", capsys)
    assert "Exhibit: specs/exhibits/b.toml\n" in out
    assert "a.toml" not in out
    assert "not to be shown" not in out
