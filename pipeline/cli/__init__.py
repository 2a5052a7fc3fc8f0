"""The command line. `main` is the entry point; each command is a module, imported when it runs."""

from __future__ import annotations

from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` (default: the process's own) and return its exit status. Errors: none."""
    try:
        from pipeline.cli.app import run
    except KeyboardInterrupt:
        return 130

    return run(argv)
