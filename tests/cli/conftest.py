"""The stand-in stages, for every test in this folder."""

from __future__ import annotations

from stand_ins import fakes

__all__ = ["fakes"]
