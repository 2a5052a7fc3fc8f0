"""The files that a profile names beside itself: read as TOML, whatever is wrong with them told at its place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pipeline.errors import Source, Span, SpecError

_MAX_BYTES = 1 << 20


def read_table(path: Path, what: str, key: str) -> tuple[Source, dict[str, Any]]:
    """The text and the data of a table. `what` it should be, and the profile's `key` that names it, go into messages.

    Errors: SpecError P002 for a file that cannot be read, P003 for one that is not TOML.
    """
    import tomli

    source = Source(path.name, "")
    try:
        if not path.is_file() or path.stat().st_size > _MAX_BYTES:
            raise SpecError("P002", f"{path.name} is no {what}", Span(source, 1, 1), hint=f"check `{key}`")
        source = Source(path.name, path.read_bytes().decode("utf-8"))
        return source, tomli.loads(source.text)
    except (OSError, UnicodeDecodeError) as error:
        raise SpecError("P002", f"{path.name} cannot be read: {error}", Span(source, 1, 1)) from None
    except (tomli.TOMLDecodeError, RecursionError) as error:
        raise SpecError("P003", f"not valid TOML: {error}", Span(source, 1, 1)) from None
