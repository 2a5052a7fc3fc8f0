"""The known words nearest to a mistyped one, for hints. A leaf that any stage may import."""

from __future__ import annotations

from collections.abc import Iterable

_LONGEST = 64  # characters that are compared: the time grows with their square


def near_words(word: str, known: Iterable[str], most: int = 3) -> list[str]:
    """Up to `most` of the known words that resemble `word`, the nearest first; none that are longer than 64."""
    from difflib import get_close_matches  # some ms to import: only mistakes pay for it

    choices = [choice for choice in known if len(choice) <= _LONGEST]
    return get_close_matches(word[:_LONGEST], choices, n=most, cutoff=0.6)
