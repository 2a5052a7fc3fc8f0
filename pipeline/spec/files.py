"""Reads the text of a spec, and of the files it names: only regular files of bounded size, inside the spec's folder."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from pipeline.errors import Source, Span, SpecError
from pipeline.spec.context import Context, Loc
from pipeline.spec.suggest import shown


def read_text(path: Path, limit: int, where: Span | None = None) -> str:
    """The text of a file, its newlines as \\n, without a byte order mark.

    `where` is what the diagnostic points at; None for the file itself.
    Errors: SpecError S001 (not a file that can be read), S002 (over `limit` bytes), S003 (not UTF-8).
    """
    name = shown(str(path))
    span = where or Span(Source(str(path), ""), 1, 1)
    try:
        status = os.stat(path)
        if stat.S_ISDIR(status.st_mode):
            raise SpecError("S001", f"{name} is a folder, not a file", span)
        if not stat.S_ISREG(status.st_mode):
            raise SpecError("S001", f"{name} is not a regular file", span)
        if status.st_size > limit:
            raise SpecError("S002", f"{name} has {status.st_size} bytes; at most {limit} are read", span)
        with open(path, "rb") as stream:
            data = stream.read(limit + 1)
    except FileNotFoundError:
        raise SpecError("S001", f"there is no file {name}", span) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "not a file name"
        raise SpecError("S001", f"{name} cannot be read: {reason.lower()}", span) from None
    if len(data) > limit:
        raise SpecError("S002", f"{name} has more than {limit} bytes, which is all that is read", span)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise SpecError("S003", f"{name} is not UTF-8 text: byte {error.start} is wrong", span) from None
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def inside_folder(context: Context, name: str, loc: Loc) -> Path | None:
    """The path of a file the spec names, checked to exist in the spec's folder or below; None after a report.

    Reports: S109.
    """
    path = context.folder / name
    try:
        home = os.path.realpath(context.folder)
        real = os.path.realpath(path)
        inside = not os.path.isabs(name) and os.path.commonpath([home, real]) == home and real != home
        mode = os.stat(real).st_mode if inside else 0
    except FileNotFoundError:
        context.report("S109", f"there is no file {shown(str(path))}", loc, "names are relative to the spec's folder")
        return None
    except (OSError, ValueError):
        context.report("S109", f"{shown(name)} is not a file that can be read", loc)
        return None
    if not inside:
        hint = "a spec may only name files in its own folder or below it"
        context.report("S109", f"{shown(name)} lies outside the spec's folder", loc, hint)
        return None
    if not stat.S_ISREG(mode):
        context.report("S109", f"{shown(str(path))} is not a regular file", loc)
        return None
    return path
