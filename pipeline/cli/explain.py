"""`pipeline explain`: what a code means and, in a checkout that has exhibits, what ends in it and how to mend that."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

from pipeline.cli.exhibits import exhibits, show_exhibit
from pipeline.codes import LETTERS, load_codes, near_codes

EXHIBITS = Path("specs/exhibits")
SNAPSHOTS = Path("snapshots")
_WIDTH = 100


def run_explain(asked: str | None) -> int:
    """Print one code's explanation, or (None) the list of all. Exit status 2 for a code there is none of."""
    codes = load_codes()
    if asked is None:
        for letter, stage in LETTERS.items():
            print(f"{letter}: {stage}")
            for code, doc in codes.items():
                if code.startswith(letter):
                    print(f"  {code}  {doc.title}")
        return 0
    found = codes.get(asked.strip().upper())
    if found is None:
        near = near_codes(asked.strip(), codes)
        print(f"there is no code {asked!r}; near it:", file=sys.stderr)
        for code in near:
            print(f"  {code}  {codes[code].title}", file=sys.stderr)
        return 2
    code = asked.strip().upper()
    print(f"{code}: {found.title}")
    for paragraph in found.explanation.strip().split("\n"):
        print()
        print(textwrap.fill(" ".join(paragraph.split()), _WIDTH) if paragraph.strip() else "", end="\n")
    for exhibit in exhibits(EXHIBITS).get(code, []):
        print()
        print(show_exhibit(exhibit, SNAPSHOTS), end="")
    return 0
