"""The page of all diagnostic codes, docs/codes.md: `python -m pipeline.cli.codes_page` prints it."""

from __future__ import annotations

import sys
from pathlib import Path

from pipeline.codes import LETTERS, load_codes

_HEAD = """\
# Diagnostic codes

Every code with what it means and what to do, as `pipeline explain CODE` says it. The letter is the stage that reports.
Made by `python -m pipeline.cli.codes_page`, from the tables beside the code that raises them and from `specs/exhibits`.
"""


def codes_page(exhibits: Path) -> str:
    """The page's text; a code that an exhibit under `exhibits` ends in is linked to it."""
    shown = _exhibits(exhibits)
    parts = [_HEAD]
    codes = load_codes()
    for letter, stage in LETTERS.items():
        parts.append(f"## {letter}: {stage}\n")
        for code, doc in codes.items():
            if code.startswith(letter):
                text = " ".join(doc.explanation.split())
                links = "".join(f"\nExhibit: [{name}](../specs/exhibits/{name})\n" for name in shown.get(code, ()))
                parts.append(f"### {code}: {doc.title}\n\n{text}\n{links}")
    return "\n".join(parts)


def _exhibits(folder: Path) -> dict[str, list[str]]:
    """Code -> names of the spec files that have to end in it."""
    import tomli

    found: dict[str, list[str]] = {}
    for path in sorted(folder.glob("*.toml")):
        code = tomli.loads(path.read_text(encoding="utf-8")).get("expect", {}).get("error")
        if isinstance(code, str):
            found.setdefault(code, []).append(path.name)
    return found


if __name__ == "__main__":
    sys.stdout.write(codes_page(Path("specs/exhibits")))
