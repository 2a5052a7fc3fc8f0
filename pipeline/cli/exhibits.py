"""The exhibits of a checkout: spec files that have to end in a code, by a glance at their text.

A spec names its code in a line of its own under `[expect]`, so that no TOML reader is needed
and `pipeline explain` starts fast. A file that says it otherwise is not found; a test holds that the repository's are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from pipeline.capture.names import DIAGNOSTICS, is_name

_EXPECT = re.compile(
    r'^\[expect\][ \t]*\n(?:[ \t]*(?:#.*)?\n)*(?:error|warning)[ \t]*=[ \t]*"([A-Z]\d{3})"', re.MULTILINE
)
_TEXT = '^{}[ \t]*=[ \t]*"([^"\\\\\n]*)"'
_MOST_BYTES = 100_000  # an exhibit is small; another file in its folder need not be read


def exhibits(folder: Path) -> dict[str, list[Path]]:
    """Code -> the spec files of `folder` that have to end in it, by name; {} where there is no such folder."""
    found: dict[str, list[Path]] = {}
    for path in sorted(folder.glob("*.toml")):
        expected = _EXPECT.search(_text(path))
        if expected is not None:
            found.setdefault(expected[1], []).append(path)
    return found


def show_exhibit(path: Path, snapshots: Path) -> str:
    """An exhibit as text: its name and summary, what it ends in, and the difference that makes its twin pass."""
    text = _text(path)
    name = _key(text, "name") or path.stem
    parts = [f"Exhibit: {path.as_posix()}\n{_key(text, 'summary')}".rstrip() + "\n"]
    if is_name(name):
        parts.extend(f"{on}:\n\n{shown}" for on, shown in _renderings(snapshots / name))
    twin = path.parent / "fixed" / path.name
    fixed = _text(twin)
    if fixed:
        parts.append(f"Fixed: {twin.as_posix()}\n{_key(fixed, 'summary')}".rstrip() + "\n")
        parts.append("".join(_difference(text, fixed)))
    return "\n".join(parts)


def _renderings(folder: Path) -> Iterator[tuple[str, str]]:
    """The diagnostics that are recorded, each text once, with the targets that it holds for."""
    prefix = f"5-{DIAGNOSTICS}"
    targets: dict[str, list[str]] = {}
    for path in sorted(folder.glob(f"{prefix}*.txt")):
        target = path.name.removeprefix(prefix).removesuffix(".txt").removeprefix(".")
        targets.setdefault(_text(path), []).append(target)
    for text, on in targets.items():
        named = [target for target in on if target]
        yield (f"On {', '.join(named)}" if named else "On every target"), text


def _difference(broken: str, fixed: str) -> Iterator[str]:
    """The unified difference of two specs, without the lines in which twins always differ."""
    from difflib import unified_diff

    lines = list(unified_diff(_bare(broken), _bare(fixed), n=1))
    for line in lines[2:]:  # the names of the files stand above; line numbers would be those of the shortened texts
        yield "@@\n" if line.startswith("@@") else line


def _bare(text: str) -> list[str]:
    """A spec's lines from its targets on, without what it has to end in and the blank line before that."""
    head, _, rest = text.partition("\ntargets")
    rest = f"targets{rest}" if rest else head
    return _EXPECT.sub("", rest).replace("\n\n\n[", "\n[").splitlines(keepends=True)


def _key(text: str, key: str) -> str:
    """A string that stands in a line of its own before the first table; "" if there is none."""
    found = re.search(_TEXT.format(key), text.partition("\n[")[0], re.MULTILINE)
    return "" if found is None else found[1]


def _text(path: Path) -> str:
    """A small file's text; "" for one that can't be read as such."""
    try:
        if not path.is_file() or path.stat().st_size > _MOST_BYTES:
            return ""
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
