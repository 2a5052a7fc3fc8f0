"""The page of all diagnostic codes, docs/codes.md: `python -m pipeline.cli.codes_page` prints it."""

from __future__ import annotations

import sys
from pathlib import Path

from pipeline.cli.exhibits import exhibits
from pipeline.codes import LETTERS, load_codes

_HEAD = """\
# Diagnostic codes

Every code with what it means and what to do, as `pipeline explain CODE` says it. The letter is the stage that reports.
Made by `python -m pipeline.cli.codes_page`, from the tables beside the code that raises them and from `specs/exhibits`.
"""


def codes_page(folder: Path) -> str:
    """The page's text; a code that an exhibit in `folder` ends in is linked to it."""
    shown = exhibits(folder)
    parts = [_HEAD]
    codes = load_codes()
    for letter, stage in LETTERS.items():
        parts.append(f"## {letter}: {stage}\n")
        for code, doc in codes.items():
            if code.startswith(letter):
                text = " ".join(doc.explanation.split())
                links = "".join(_link(path) for path in shown.get(code, ()))
                parts.append(f"### {code}: {doc.title}\n\n{text}\n{links}")
    return "\n".join(parts)


def _link(path: Path) -> str:
    """An exhibit's link, and its twin's that passes."""
    text = f"\nExhibit: [{path.name}](../specs/exhibits/{path.name})"
    if (path.parent / "fixed" / path.name).is_file():
        text += f", [fixed](../specs/exhibits/fixed/{path.name})"
    return f"{text}\n"


if __name__ == "__main__":
    sys.stdout.write(codes_page(Path("specs/exhibits")))
