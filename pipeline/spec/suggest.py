"""Untrusted words in messages: shortened, made printable, and the nearest known word to a mistyped one."""

from __future__ import annotations

from collections.abc import Iterable

from pipeline.near import near_words

_SHOWN = 60  # characters of a word that a message quotes


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """A hint that names the known word nearest to `word`; None where none is near."""
    best = nearest(word, known)
    return None if best is None else f"did you mean {shown(best)}?"


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word nearest to `word`, None where none is near."""
    if len(word) > _SHOWN:
        return None
    choices = [one for one in known if len(one) <= _SHOWN]
    for one in choices:
        if one.casefold() == word.casefold():
            return one
    found = near_words(word, choices, 1)
    if found:
        return found[0]
    longer = [one for one in choices if len(word) >= 3 and (one.startswith(word) or word.startswith(one))]
    return longer[0] if len(longer) == 1 else None


def shown(text: str) -> str:
    """`text` quoted for a message."""
    short = text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
    return "'" + "".join(c if c.isprintable() else " " for c in short) + "'"


def shown_number(number: int) -> str:
    """An integer for a message; one of hundreds of digits by its size."""
    return str(number) if number.bit_length() <= 128 else f"an integer of {number.bit_length()} bits"


def listed(words: Iterable[str], limit: int = 12) -> str:
    """Words for a hint, separated by commas, in the order given."""
    chosen = list(words)
    more = f" and {len(chosen) - limit} more" if len(chosen) > limit else ""
    return ", ".join(one if len(one) <= _SHOWN else one[: _SHOWN - 3] + "..." for one in chosen[:limit]) + more


def counted(number: int, one: str, many: str | None = None) -> str:
    """`3 entries`, `1 entry`."""
    return f"{number} {one if number == 1 else many or one + 's'}"
