"""The names a kernel finds without defining them: the modules that its file would import, and Python's builtins.

`import` lines are aliases to these tables. Nothing is ever imported for a kernel.
"""

from __future__ import annotations

import ast

from pipeline.trace.builtins import BUILTINS, FUNCTOOLS, MATH, NUMPY
from pipeline.trace.near import near
from pipeline.trace.surface.modules import JAX, JNP, LAX, NN, PL, PLTPU
from pipeline.trace.tree_functions import TREE, TREE_UTIL
from pipeline.trace.values import Module

_JNP = Module("jnp", JNP)
_LAX = Module("lax", LAX)
_NN = Module("jax.nn", NN)
_PL = Module("pl", PL)
_PLTPU = Module("pltpu", PLTPU)
_PALLAS = Module("pl", {**PL, "tpu": _PLTPU})
_EXPERIMENTAL = Module("jax.experimental", {"pallas": _PALLAS})
_JAX = Module(
    "jax",
    {**JAX, "numpy": _JNP, "lax": _LAX, "nn": _NN, "experimental": _EXPERIMENTAL, "tree": TREE, "tree_util": TREE_UTIL},
)

# by the dotted name that an import line has
MODULES: dict[str, Module] = {
    "jax": _JAX,
    "jax.numpy": _JNP,
    "jax.lax": _LAX,
    "jax.nn": _NN,
    "jax.experimental": _EXPERIMENTAL,
    "jax.experimental.pallas": _PALLAS,
    "jax.experimental.pallas.tpu": _PLTPU,
    "functools": FUNCTOOLS,
    "math": MATH,
    "numpy": NUMPY,
    "jax.tree": TREE,
    "jax.tree_util": TREE_UTIL,
}
# those that make classes, which few kernels have
_CLASSES = ("collections", "collections.abc", "dataclasses", "typing")


def _module(name: str | None) -> Module | None:
    if name in _CLASSES:
        from pipeline.trace.classes import MODULES as CLASSES

        return CLASSES[name]
    return None if name is None else MODULES.get(name)


# what is there without an import line
GLOBALS: dict[str, object] = {
    "jax": _JAX,
    "jnp": _JNP,
    "lax": _LAX,
    "pl": _PALLAS,
    "pltpu": _PLTPU,
    "functools": FUNCTOOLS,
    "math": MATH,
    "np": NUMPY,
    **BUILTINS,
}


def imported(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> tuple[str, object] | None:
    """The name that one alias of an import line binds, and what it stands for; None where there is no such thing."""
    if isinstance(node, ast.Import):
        module = _module(alias.name)
        if module is None:
            return None
        if alias.asname is None:
            root = alias.name.partition(".")[0]
            return root, _module(root)
        return alias.asname, module
    name = alias.asname or alias.name
    if node.module == "__future__":
        return name, None
    module = _module(node.module)
    if node.level or module is None:
        return None
    table = module.table
    return (name, table[alias.name]) if alias.name in table else None


def not_there(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> tuple[str, str | None]:
    """Message and hint for an import line that stands for nothing here."""
    module = alias.name if isinstance(node, ast.Import) else "." * node.level + (node.module or "")
    found = _module(module)
    if found is not None:
        return f"{module} has no {alias.name!r} here", near(alias.name, found.table)
    return f"the module {module!r} is not there for kernels", f"there is {', '.join((*MODULES, *_CLASSES))}"
