"""Hints that name what does exist."""

from __future__ import annotations

from collections.abc import Iterable


def near(name: str, known: Iterable[str]) -> str | None:
    """A hint with the known names that resemble `name`; with all of them where they are few; else None."""
    from difflib import get_close_matches  # only mistakes pay for it

    names = sorted(n for n in known if not n.startswith("_"))
    found = sorted(get_close_matches(name[:64], names, n=4, cutoff=0.6))
    if found:
        return f"did you mean {' or '.join(found)}?"
    if names and len(names) <= 16:
        return f"there is {', '.join(names)}"
    return None
