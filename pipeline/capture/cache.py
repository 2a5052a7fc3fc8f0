"""What the last build found, so that unchanged specs are answered without running anything.

One file under `snapshots/.cache/`: a line with the digest of the rest, then JSON. An entry holds only while the
pipeline's own files, its libraries, the spec, every file the spec was read from, and every capture on disk have the
bytes they had; anything else, a damaged cache included, just means that the spec is built again. `check` writes none.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from contextlib import suppress
from importlib.util import find_spec

from pipeline.capture.outcome import Outcome, Record

FORMAT = 1
FOLDER = ".cache"
_FILE = "build"
_LARGEST = 256 << 20  # bytes of a cache file that is read at all
_LIBRARIES = ("ml_dtypes", "numpy", "pydantic", "pydantic_core", "tomli", "yaml")
_MARGIN_NS = 20_000_000  # a file system's clock may lag by a tick or two


class Cache:
    """The cache of one snapshots folder. `tool` is what every entry hangs on besides its own files."""

    def __init__(self, root: str, tool: str) -> None:
        self.root = root
        self.path = os.path.join(root, FOLDER, _FILE)
        self.tool = tool
        self.changed = False
        self.entries: dict[str, object] = {}
        with suppress(OSError, ValueError, RecursionError):
            if os.path.getsize(self.path) <= _LARGEST:
                with open(self.path, "rb") as file:
                    head, _, body = file.read().partition(b"\n")
                if head == _head(tool, body):
                    self.entries = json.loads(body)

    def look_up(self, file: str) -> Outcome | None:
        """The outcome of `file` if all it hangs on is as it was and each capture on disk has the bytes it had."""
        entry = self.entries.get(file)
        if not isinstance(entry, dict):
            return None
        try:
            folder = os.path.dirname(file)
            for name, digest in entry["files"]:
                if _digest(os.path.join(folder, name)) != digest:
                    return None
            records = []
            for spec, variant, stage, target, status, path, passed, diagnostics, digest in entry["records"]:
                if path is not None and _capture_digest(self.root, path) != digest:
                    return None
                record = Record(spec, variant, stage, target, status, path, None, bool(passed), diagnostics)
                records.append(record)
            return Outcome(
                file,
                records,
                names=[str(name) for name in entry["names"]],
                owned=[record.path for record in records if record.path is not None],
                targets=[str(target) for target in entry["targets"]],
                cached=True,
            )
        except (KeyError, TypeError, ValueError, OSError):
            return None

    def keep(self, outcome: Outcome, started_ns: int) -> None:
        """Remember an outcome whose captures are on disk. One with errors is not kept, nor one whose files changed
        after `started_ns` (time.time_ns before it was read): which bytes were read is then not known."""
        old = self.entries.pop(outcome.file, None)
        entry = _entry(outcome, started_ns)
        if entry is not None:
            self.entries[outcome.file] = entry
        self.changed = self.changed or entry != old

    def save(self) -> None:
        """Write the cache if it has changed, without the entries of files that are gone.

        Errors: none; a cache that cannot be written is none.
        """
        if not self.changed:
            return
        from pipeline.capture.write import write_file

        known = {file: entry for file, entry in sorted(self.entries.items()) if os.path.isfile(file)}
        body = json.dumps(known, separators=(",", ":")).encode()
        with suppress(OSError):
            if not os.path.islink(os.path.dirname(self.path)):
                os.makedirs(os.path.dirname(self.path), exist_ok=True)
                write_file(self.path, _head(self.tool, body) + b"\n" + body)


def _head(tool: str, body: bytes) -> bytes:
    """The first line of a cache file: whole, and made by this very pipeline."""
    return f"{FORMAT} {tool} {hashlib.sha256(body).hexdigest()}".encode()


def tool_digest() -> str:
    """A digest of the pipeline's own files (code, chip profiles, tables), its libraries' files and the Python."""
    total = hashlib.sha256(f"{FORMAT} {sys.version} {sys.platform}".encode())
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for folder, subfolders, files in os.walk(package):
        subfolders[:] = sorted(name for name in subfolders if name != "__pycache__" and not name.startswith("."))
        for name in sorted(files):
            if not name.endswith((".pyc", ".pyo")):
                path = os.path.join(folder, name)
                total.update(f"\0{os.path.relpath(path, package)}\0{_digest(path)}".encode())
    for library in _LIBRARIES:
        place = find_spec(library)
        origin = place.origin if place is not None else None
        if origin is not None:
            facts = os.stat(origin)
            total.update(f"\0{library}\0{facts.st_size}\0{facts.st_mtime_ns}".encode())
    return total.hexdigest()


def _entry(outcome: Outcome, started_ns: int) -> dict[str, object] | None:
    if not outcome.loaded or any(record.status in ("error", "bug", "not run") for record in outcome.records):
        return None
    try:
        folder = os.path.dirname(outcome.file)
        files = [
            [os.path.relpath(path, folder or "."), _digest_settled(path, started_ns)]
            for path in (outcome.file, *outcome.dependencies)
        ]
    except (OSError, ValueError):
        return None
    if any(digest is None for _, digest in files):
        return None
    return {
        "files": files,
        "names": outcome.names,
        "targets": outcome.targets,
        "records": [
            [r.spec, r.variant, r.stage, r.target, _lasting(r), r.path, r.passed, r.diagnostics, _text_digest(r)]
            for r in outcome.records
        ],
    }


def _lasting(record: Record) -> str:
    """The status a later run starts from: what this run did to the file on disk is over."""
    return record.status if record.path is None else "captured"


def _text_digest(record: Record) -> str | None:
    return hashlib.sha256(record.text.encode()).hexdigest() if record.text is not None else None


def _digest_settled(path: str, started_ns: int) -> str | None:
    """Digest of a file that has not been touched since `started_ns`; None where it has."""
    if os.stat(path).st_mtime_ns >= started_ns - _MARGIN_NS:
        return None
    return _digest(path)


def _digest(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def _capture_digest(root: str, name: str) -> str | None:
    from pipeline.capture.write import read_capture
    from pipeline.errors import SpecError

    try:
        data = read_capture(root, name)
    except SpecError:
        return None
    return hashlib.sha256(data).hexdigest() if data is not None else None
