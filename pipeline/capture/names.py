"""Where a capture stands under the snapshots folder: the one function that names the file, for command line and tests.

Imports nothing, so that the command line's help can read the stages' names from here.
"""

from __future__ import annotations

DIAGNOSTICS = "diagnostics"  # pseudo-stage: the golden of a spec that must end in an error

# stage, number (pipeline order, so that names sort), extension, one capture per target?
CAPTURES: tuple[tuple[str, int, str, bool], ...] = (
    ("trace", 1, "jaxpr", False),
    ("transform", 1, "txt", False),
    ("lower", 2, "mlir", True),
    ("portability", 2, "txt", True),
    ("schedule", 3, "txt", True),
    ("simulate", 4, "txt", True),
)
STAGES: tuple[str, ...] = tuple(row[0] for row in CAPTURES)

_KINDS = {row[0]: row for row in CAPTURES} | {DIAGNOSTICS: (DIAGNOSTICS, 5, "txt", True)}
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_LONGEST = 100  # characters of one name; "2-portability." and ".txt" must fit in 255 beside it


def is_name(text: str) -> bool:
    """Whether `text` may be part of a path: letters, digits, `_`, and after the first also `.`, `-`, `+`, `=`.

    No separator, no leading dot, so a path made of such names stays below the snapshots folder.
    """
    return 0 < len(text) <= _LONGEST and text[0] in _LETTERS and not set(text) - _LETTERS - set(".-+=")


def folder_name(spec: str, variant: str) -> str:
    """The folder of a spec's captures, below the snapshots folder."""
    return f"{spec}/{variant}" if variant else spec


def file_name(stage: str, target: str | None) -> str:
    """The file name of a stage's capture; `target` None for one that holds for every target."""
    name, number, extension, _ = _KINDS[stage]
    return f"{number}-{name}.{target}.{extension}" if target is not None else f"{number}-{name}.{extension}"


def capture_name(spec: str, variant: str, stage: str, target: str | None) -> str:
    """Path of a capture below the snapshots folder, with `/`, e.g. `softmax/2-lower.v5e.mlir`.

    Errors: AssertionError for a name that `is_name` refuses; callers report those to the user before.
    """
    for part in (spec, variant or "_", target if target is not None else "_"):
        assert is_name(part), part
    return f"{folder_name(spec, variant)}/{file_name(stage, target)}"
