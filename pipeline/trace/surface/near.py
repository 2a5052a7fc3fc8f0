"""Names near a mistaken one, for hints. Imported on the error path alone."""

from __future__ import annotations

from collections.abc import Iterable


def near_names(name: str, names: Iterable[str]) -> str:
    """`did you mean ..` for a few close names, or else the whole list where it is short."""
    from difflib import get_close_matches

    known = sorted(names)
    close = get_close_matches(name, known, n=3, cutoff=0.6)
    if close:
        return f"did you mean {' or '.join(close)}?"
    if len(known) <= 30:
        return f"there are: {', '.join(known)}"
    return f"there are {len(known)} names here, none of them close"
