"""`jax.tree` and `jax.tree_util`: functions on tuples, lists, dicts and registered objects with values in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pipeline.trace.builder import kind_of
from pipeline.trace.tree import Named, TreeDef, describe, flatten, unflatten
from pipeline.trace.values import Builtin, Module

if TYPE_CHECKING:
    from pipeline.trace.evaluator import Evaluator


class Structure(Named):
    """What `jax.tree.structure` gives."""

    __slots__ = ("tree",)

    def __init__(self, tree: TreeDef) -> None:
        self.tree = tree

    def said(self) -> str:
        return f"the structure {describe(self.tree)}"


def _flat(ev: Evaluator, value: object) -> tuple[list[object], TreeDef]:
    ev.weigh(value)
    return flatten(value)


def _map(ev: Evaluator, f: object, tree: object, *rest: object) -> object:
    leaves, structure = _flat(ev, tree)
    columns = [leaves]
    for other in rest:
        more, same = _flat(ev, other)
        if same != structure:
            message = f"jax.tree.map: the trees {describe(structure)} and {describe(same)} are not alike"
            ev.fail("T114", message, "all of them have the first one's structure")
        columns.append(more)
    return unflatten(structure, [ev.call(f, list(row), {}) for row in zip(*columns, strict=True)])


def _leaves(ev: Evaluator, tree: object) -> list[object]:
    return _flat(ev, tree)[0]


def _structure(ev: Evaluator, tree: object) -> Structure:
    return Structure(_flat(ev, tree)[1])


def _flatten(ev: Evaluator, tree: object) -> tuple[object, Structure]:
    leaves, structure = _flat(ev, tree)
    return leaves, Structure(structure)


def _unflatten(ev: Evaluator, treedef: object, leaves: object) -> object:
    if not isinstance(treedef, Structure):
        ev.fail("T114", f"jax.tree.unflatten takes a structure first, not {kind_of(treedef)}", "jax.tree.structure")
    found = ev.collect(leaves, ev.node)
    count = _count(treedef.tree)
    if len(found) != count:
        ev.fail("T114", f"jax.tree.unflatten: {len(found)} leaves for a structure of {count}")
    return unflatten(treedef.tree, found)


def _count(tree: TreeDef) -> int:
    return 1 if tree[0] == "leaf" else sum(_count(child) for child in tree[2:] if isinstance(child, tuple))


def _register(ev: Evaluator, *args: object, **kwargs: object) -> object:
    from pipeline.trace.classes import register

    return register(ev, *args, **kwargs)


_FUNCTIONS: dict[str, Callable[..., object]] = {
    "map": _map,
    "leaves": _leaves,
    "structure": _structure,
    "flatten": _flatten,
    "unflatten": _unflatten,
}
TREE = Module("jax.tree", {name: Builtin(f"jax.tree.{name}", fn) for name, fn in _FUNCTIONS.items()})
TREE_UTIL = Module(
    "jax.tree_util",
    {
        **{f"tree_{name}": Builtin(f"jax.tree_util.tree_{name}", fn) for name, fn in _FUNCTIONS.items()},
        "register_dataclass": Builtin("jax.tree_util.register_dataclass", _register),
    },
)
