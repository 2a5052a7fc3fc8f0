"""Processes that tests interrupt."""

from __future__ import annotations

import signal


def takes_interrupts() -> None:
    """For a new process: a shell's background job ignores interrupts, and so would all that it starts."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
