"""Which spec files a command line means."""

from __future__ import annotations

import os

from pipeline.capture.outcome import Finding, problem

DEFAULT = "specs"
SUFFIXES = (".toml", ".yaml", ".yml")
_OTHER_FOLDERS = frozenset({"chips", "__pycache__"})  # chip profiles are TOML too


def find_specs(arguments: list[str]) -> tuple[list[str], list[Finding]]:
    """The spec files that `arguments` name, each once, in order, folders searched in sorted order; and the problems.

    A file is taken whatever its name is; the loader says what is wrong with it.
    """
    files: list[str] = []
    problems: list[Finding] = []
    seen: set[str] = set()
    for argument in arguments or [DEFAULT]:
        if not os.path.isdir(argument):
            found = [argument]
            if not arguments:
                hint = "name a spec file or a folder of specs"
                problems.append(problem("C108", "there is no such folder", argument, hint))
                continue
        else:
            found = _search(argument, problems)
            if not found:
                hint = f"a spec file ends in one of {', '.join(SUFFIXES)}"
                problems.append(problem("C108", "no spec files in this folder", argument, hint))
        for path in found:
            real = os.path.realpath(path)
            if real not in seen:
                seen.add(real)
                files.append(path)
    return files, problems


def is_whole(arguments: list[str], snapshots: str) -> bool:
    """Whether a run covers all specs that write to `snapshots`, so that other files there are orphans.

    Taken to be so when every argument is a folder beside the snapshots folder or beside one of its parents; a folder
    further down (`specs/attention`) is a part.
    """
    place = os.path.realpath(snapshots)
    for argument in arguments or [DEFAULT]:
        if not os.path.isdir(argument):
            return False
        parent = os.path.dirname(os.path.realpath(argument))
        if os.path.commonpath([parent, place]) != parent:
            return False
    return True


def _search(folder: str, problems: list[Finding]) -> list[str]:
    """Spec files below `folder`, sorted; hidden folders and links to folders are not entered."""

    def unreadable(error: OSError) -> None:
        problems.append(problem("C108", f"cannot read this folder: {error.strerror}", str(error.filename)))

    found: list[str] = []
    for place, folders, names in os.walk(folder, onerror=unreadable):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _OTHER_FOLDERS)
        found.extend(os.path.join(place, n) for n in names if n.endswith(SUFFIXES) and not n.startswith("."))
    return sorted(found)
