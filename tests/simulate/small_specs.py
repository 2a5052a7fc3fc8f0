"""Specs of small kernels as text, for tests that make many: a table each, with the keys that the test gives."""

from __future__ import annotations

import json
from collections.abc import Sequence


def small_spec(source: str, grid: Sequence[int] | str, *tables: str, semantics: str = "", chip: str = "v5e") -> str:
    """A spec of a kernel's source, its grid and its tables. `semantics`: the words, as TOML writes a list."""
    words = f"semantics = {semantics}\n" if semantics else ""
    shape = grid if isinstance(grid, str) else list(grid)
    head = f'name = "k"\nsummary = "a test"\ntargets = ["{chip}"]\n'
    kernel = f"[kernel]\nsource = '''\n{source}\n'''\n"
    return "\n".join((head, kernel, f"[grid]\nshape = {shape}\n{words}", *tables))


def table(section: str, name: str, more: str = "", **keys: object) -> str:
    """An entry of `[[section]]`. `more`: lines as they are; keys that are None are left out."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in keys.items() if value is not None]
    return "\n".join((f"[[{section}]]", f'name = "{name}"', *lines, more, ""))
