"""Captures to disk, whole or not at all: a temporary file beside the capture, then a rename.

A build that is killed leaves whole files, and of one spec's captures none is replaced before all are on disk. Two
builds at once do not disturb each other: the later rename wins, with equal bytes.
"""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Mapping
from contextlib import suppress

from pipeline.capture.outcome import about_file
from pipeline.errors import SpecError

_TEMPORARY = re.compile(r"\..+\.([0-9]{1,9})-[0-9a-f]{8}\.tmp", re.DOTALL)
LARGEST = 1 << 26  # bytes of a capture that are read; one that is larger is none of ours
_TRIES = 5  # another process may remove a folder (prune) or a temporary file (cleaning) under our hands
_OLD_SECONDS = 86_400.0  # where a process cannot be asked after, a temporary file this old is stale


def read_capture(root: str, name: str, most: int = LARGEST) -> bytes | None:
    """The capture's bytes, the first `most` of them; None where there is none. A link counts as none, and so does what
    is no file, such as a pipe: a capture is a file of its own.

    Errors: C106 where the system refuses, C107 where a folder on the way is a link.
    """
    path = _path(root, name)
    try:
        kind = os.lstat(path).st_mode
        if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):
            return None
        with open(path, "rb") as file:
            return file.read(most)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise _refused(path, "read", error) from None


def write_captures(root: str, texts: Mapping[str, str]) -> None:
    """Write `texts` (name below `root` -> text) so that each file is replaced whole, all after all are prepared.

    Errors: C106 where the system refuses, C107 where a folder on the way is a link.
    """
    for attempt in range(_TRIES):
        try:
            return _write(root, texts)
        except FileNotFoundError as error:
            if attempt == _TRIES - 1:
                raise _refused(error.filename or root, "write", error) from None
        except OSError as error:
            raise _refused(error.filename or root, "write", error) from None


def write_file(path: str, data: bytes) -> None:
    """Replace one file whole. Errors: OSError."""
    write_files({path: data})


def write_files(files: Mapping[str, bytes]) -> None:
    """Replace each file (path -> bytes) whole, all after all are prepared. Errors: OSError."""
    pending: list[tuple[str, str]] = []
    try:
        for path, data in files.items():
            temporary = _temporary(path)
            pending.append((temporary, path))  # before it is made: an interrupt may come at any moment
            _fill(temporary, data)
        while pending:
            os.replace(*pending[0])
            del pending[0]
    finally:
        for temporary, _ in pending:
            _remove(temporary)


def remove_captures(root: str, orphans: list[str]) -> None:
    """Remove files below `root`, then the folders this leaves empty. Errors: C106, C107."""
    for name in orphans:
        path = _path(root, name)
        try:
            os.remove(path)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise _refused(path, "remove", error) from None
        folder = os.path.dirname(path)
        with suppress(OSError):  # not empty: done
            while os.path.normpath(folder) != os.path.normpath(root):
                os.rmdir(folder)
                folder = os.path.dirname(folder)


def find_orphans(root: str, owned: set[str]) -> list[str]:
    """Files below `root` that are not in `owned`, sorted; hidden files and folders are not looked at."""
    found: list[str] = []
    pending = [""]
    while pending:
        prefix = pending.pop()
        try:
            entries = list(os.scandir(os.path.join(root, prefix) if prefix else root))
        except OSError:
            continue  # nothing there, or nothing we may see
        for entry in entries:
            name = f"{prefix}/{entry.name}" if prefix else entry.name
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                pending.append(name)
            elif name not in owned:
                found.append(name)
    return sorted(found)


def _write(root: str, texts: Mapping[str, str]) -> None:
    files: dict[str, bytes] = {}
    folders: set[str] = set()
    for name, text in texts.items():
        path = _path(root, name)
        folder = os.path.dirname(path)
        if folder not in folders:
            os.makedirs(folder, exist_ok=True)
            _clean(folder)
            folders.add(folder)
        files[path] = text.encode("utf-8")
    write_files(files)


def _temporary(path: str) -> str:
    """A name beside `path` that no other build takes."""
    folder, name = os.path.split(path)
    return os.path.join(folder, f".{name}.{os.getpid()}-{os.urandom(4).hex()}.tmp")


def _fill(path: str, data: bytes) -> None:
    """Write `data` to a new file, with the permissions any new file gets."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
    with os.fdopen(os.open(path, flags, 0o666), "wb") as file:
        file.write(data)


def _path(root: str, name: str) -> str:
    """The path of a capture. Errors: C107 where a folder between `root` and the file is a link."""
    parts = name.split("/")
    folder = root
    for part in parts[:-1]:
        folder = os.path.join(folder, part)
        if os.path.islink(folder):
            message = "the folder of captures is a symbolic link, which may lead out of the snapshots folder"
            raise SpecError("C107", message, about_file(folder), hint="replace the link by a folder")
    return os.path.join(folder, parts[-1])


def _clean(folder: str) -> None:
    """Remove the temporary files of builds that were killed."""
    with suppress(OSError):
        for entry in list(os.scandir(folder)):
            match = _TEMPORARY.fullmatch(entry.name)
            if match is not None and _is_stale(int(match.group(1)), entry):
                _remove(entry.path)


def _is_stale(pid: int, entry: os.DirEntry[str]) -> bool:
    """Whether the process that made a temporary file is gone."""
    if os.name == "posix":
        try:
            os.kill(pid, 0)
        except (ProcessLookupError, OverflowError):
            return True
        except PermissionError:
            return False
        return False
    return time.time() - entry.stat(follow_symlinks=False).st_mtime > _OLD_SECONDS


def _remove(path: str) -> None:
    with suppress(OSError):
        os.remove(path)


def _refused(path: str, verb: str, error: OSError) -> SpecError:
    reason = error.strerror or type(error).__name__
    return SpecError("C106", f"cannot {verb} the capture: {reason}", about_file(path))
