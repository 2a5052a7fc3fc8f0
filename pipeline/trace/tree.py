"""Values inside values: tuples, lists, dicts and None flattened to leaves and put together again.

Loop carries and branch results are such trees. A dict's leaves come in the order of its sorted keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

TreeDef = tuple[object, ...]  # ("leaf",) | ("none",) | (kind, keys, *children); keys: the class of an object, and more


class Named:
    """What says for messages what it is."""

    __slots__ = ()

    def said(self) -> str:
        raise NotImplementedError


class Node(Named):
    """An object of a class of the source. `node` is that class where the object is a tree of values, else None."""

    __slots__ = ()

    made: Any  # the class

    @property
    def node(self) -> Any:
        raise NotImplementedError


class Record(tuple[object, ...]):
    """A named tuple of the class `made`, which says what it is split into and joined from."""

    made: Any

    def __new__(cls, made: Any, values: Sequence[object]) -> Record:
        found = super().__new__(cls, values)
        found.made = made
        return found


LEAF: TreeDef = ("leaf",)
_NONE: TreeDef = ("none",)


def flatten(value: object) -> tuple[list[object], TreeDef]:
    """Leaves of `value` from left to right, and its structure."""
    leaves: list[object] = []
    return leaves, _flatten(value, leaves)


def _flatten(value: object, leaves: list[object]) -> TreeDef:
    if value is None:
        return _NONE
    made = value.made if isinstance(value, Record) else value.node if isinstance(value, Node) else None
    if made is not None:
        children, static = made.split(value)
        return ("object", (made, static), *[_flatten(item, leaves) for item in children])
    if isinstance(value, tuple):
        return ("tuple", (), *[_flatten(item, leaves) for item in value])
    if isinstance(value, list):
        return ("list", (), *[_flatten(item, leaves) for item in value])
    if isinstance(value, dict):
        keys = tuple(sorted(value, key=repr))
        return ("dict", keys, *[_flatten(value[key], leaves) for key in keys])
    leaves.append(value)
    return LEAF


def unflatten(tree: TreeDef, leaves: Sequence[object]) -> object:
    """The value of structure `tree` with `leaves` in it; there have to be as many as the tree has."""
    value, used = _unflatten(tree, leaves, 0)
    assert used == len(leaves), f"{len(leaves)} leaves for a tree of {used}"
    return value


def _unflatten(tree: TreeDef, leaves: Sequence[object], at: int) -> tuple[object, int]:
    kind = tree[0]
    if kind == "leaf":
        return leaves[at], at + 1
    if kind == "none":
        return None, at
    children: list[object] = []
    for child in tree[2:]:
        assert isinstance(child, tuple)
        item, at = _unflatten(child, leaves, at)
        children.append(item)
    if kind == "tuple":
        return tuple(children), at
    if kind == "list":
        return children, at
    if kind == "object":
        held: Any = tree[1]
        made, static = held
        return made.join(children, static), at
    keys = tree[1]
    assert isinstance(keys, tuple)
    return dict(zip(keys, children, strict=True)), at


def describe(tree: TreeDef) -> str:
    """The structure for a message: `(*, [*, *], None)`."""
    kind = tree[0]
    if kind == "leaf":
        return "*"
    if kind == "none":
        return "None"
    parts = [describe(child) for child in tree[2:] if isinstance(child, tuple)]
    if kind == "tuple":
        return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
    if kind == "list":
        return f"[{', '.join(parts)}]"
    if kind == "object":
        return f"{tree[1][0].name}({', '.join(parts)})"  # type: ignore[index]
    keys = tree[1]
    assert isinstance(keys, tuple)
    return "{" + ", ".join(f"{key!r}: {part}" for key, part in zip(keys, parts, strict=True)) + "}"
