"""Every block of README.md is true: it is run, or compared with what the tool makes.

The comment above a block says how:

    <!-- file: PATH -->      the block is written to PATH in the sandbox (a copy of specs and snapshots)
    <!-- excerpt: PATH -->   the block stands in PATH, line for line
    <!-- section: PATH -->   the block is the section of PATH that begins with its first line; written anew by
                             `pytest --snapshot-update`
    <!-- run command -->, <!-- test command -->   the two commands for a new machine; `.ci/run` runs them
    (none, language console) `$ pipeline ...` lines are run in the sandbox in order and must print what follows
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent


class Block(NamedTuple):
    line: int
    mark: str
    language: str
    text: str


def blocks() -> list[Block]:
    found = []
    mark, language, lines, start = "", None, [], 0
    for number, line in enumerate((ROOT / "README.md").read_text().splitlines(), 1):
        if language is None and line.startswith("```"):
            language, lines, start = line[3:].strip(), [], number
        elif language is not None and line.startswith("```"):
            found.append(Block(start, mark, language, "\n".join(lines) + "\n"))
            mark, language = "", None
        elif language is not None:
            lines.append(line)
        elif comment := re.fullmatch(r"<!-- (.*) -->", line):
            mark = comment[1]
        elif line.strip():
            mark = ""
    return found


def console(block: Block, sandbox: Path) -> None:
    """Run each `$` line of a block and compare what it prints; `# exit N` after a command states its status."""
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        command, _, status = command.partition("  # exit ")
        words = shlex.split(command)
        if words[0] == "pipeline":
            words[:1] = [sys.executable, "-m", "pipeline"]
        elif words[0] == "sed":
            pass
        else:
            raise AssertionError(f"README.md:{block.line}: only pipeline and sed are run: {command}")
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "COLUMNS": "100"}
        done = subprocess.run(
            words, cwd=sandbox, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        where = f"README.md:{block.line}: {command}"
        assert done.returncode == int(status or 0), f"{where}\n{done.stdout}"
        assert matches(expected, done.stdout), f"{where}\n--- README\n{expected}\n--- printed\n{done.stdout}"


def matches(expected: str, printed: str) -> bool:
    """Whether the text is the same; a line `...` in README stands for any number of lines."""
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line.rstrip()) + r"[ ]*\n"
        for line in expected.rstrip("\n").splitlines()
    )
    return re.fullmatch(pattern, printed if printed.endswith("\n") or not printed else printed + "\n") is not None


def section(path: str, heading: str) -> str:
    """The lines of a capture from `heading` to the next empty line."""
    text = (ROOT / path).read_text()
    start = text.index(f"\n{heading}\n") + 1
    end = text.find("\n\n", start)
    return text[start : end + 1 if end >= 0 else len(text)]


def test_sections_are_those_of_the_captures(request: pytest.FixtureRequest) -> None:
    readme = ROOT / "README.md"
    text = readme.read_text()
    found = [block for block in blocks() if block.mark.startswith("section: ")]
    assert found
    for block in found:
        whole = section(block.mark.removeprefix("section: "), block.text.partition("\n")[0])
        if request.config.getoption("update_snapshots"):
            text = text.replace(f"\n{block.text}```\n", f"\n{whole}```\n")
        else:
            assert block.text == whole, f"README.md:{block.line}: pytest --snapshot-update tests/test_readme.py"
    if text != readme.read_text():
        readme.write_text(text)


def test_every_block(tmp_path: Path) -> None:
    for part in ("specs", "snapshots"):
        if (ROOT / part).exists():
            shutil.copytree(ROOT / part, tmp_path / part)
    kinds = set()
    for block in blocks():
        kind, _, path = block.mark.partition(": ")
        kinds.add(kind or block.language)
        if kind == "file":
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(block.text)
        elif kind == "excerpt":
            assert matches("...\n" + block.text + "...\n", (ROOT / path).read_text()), f"README.md:{block.line}: {path}"
        elif kind == "section":
            pass  # a test of its own
        elif kind in ("run command", "test command"):
            assert block.language == "sh" and "pip install" in block.text
        elif block.language == "console":
            console(block, tmp_path)
        else:
            raise AssertionError(f"README.md:{block.line}: nothing says how this block is checked")
    assert {"file", "excerpt", "run command", "test command", "console"} <= kinds


def test_ci_runs_both_commands() -> None:
    marks = [block.mark for block in blocks()]
    assert marks.count("run command") == 1 and marks.count("test command") == 1
    script = (ROOT / ".ci" / "run").read_text()
    assert "run command" in script and "test command" in script
