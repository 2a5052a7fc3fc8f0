"""Hints that name what does exist."""

from __future__ import annotations

from collections.abc import Iterable

from pipeline.near import near_words


def near(name: str, known: Iterable[str]) -> str | None:
    """A hint with the known names that resemble `name`; with all of them where they are few; else None."""
    names = sorted(n for n in known if not n.startswith("_"))
    found = sorted(near_words(name, names, 4))
    if found:
        return f"did you mean {' or '.join(found)}?"
    if names and len(names) <= 16:
        return f"there is {', '.join(names)}"
    return None
