"""What names may stand for while a kernel is evaluated, beside plain Python values and tracers; and the bounds.

A spec is not trusted: every loop, copy and comparison is paid for out of one budget of steps (`Limits`), in
proportion to its work, so that no source runs or grows without end.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, Protocol

from pipeline.trace.builder import kind_of

MAX_STEPS = 400_000
OPERATION = 16  # steps that an operation on arrays costs, for the equations it makes
MAX_CALLS = 64  # of functions within functions
MAX_NESTING = 100  # of the source's syntax tree
MAX_SOURCE = 200_000  # characters
MAX_ITEMS = 100_000  # of a list, tuple, string or range that is gone through
MAX_KEYS = 4_096  # of a dict or set: colliding keys cost the square
MAX_BITS = 4_096  # of an int


# plain classes with slots: dataclasses would cost half a millisecond each at import


class Module:
    """A table of names reached by attributes: `jnp`, `math`."""

    __slots__ = ("name", "table")

    def __init__(self, name: str, table: dict[str, Any]) -> None:
        self.name = name
        self.table = table


class Callee(Protocol):
    """What the functions below need of the evaluator; `evaluator.Evaluator` is the one there is."""

    def call(self, fn: object, args: list[object], kwargs: dict[str, object]) -> object: ...


class Builtin:
    """A function of ours on static values: `fn(evaluator, *args, **kwargs)`. `types` makes it fit for isinstance."""

    __slots__ = ("fn", "name", "types")

    def __init__(self, name: str, fn: Callable[..., object], types: tuple[type, ...] = ()) -> None:
        self.name = name
        self.fn = fn
        self.types = types


class Partial:
    """`functools.partial(fn, *args, **kwargs)`; callable, so that `surface/` can call it."""

    __slots__ = ("args", "fn", "kwargs", "owner")

    def __init__(self, owner: Callee, fn: object, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
        self.owner = owner
        self.fn = fn
        self.args = args
        self.kwargs = kwargs

    def __call__(self, *args: object, **kwargs: object) -> object:
        return self.owner.call(self.fn, [*self.args, *args], {**self.kwargs, **kwargs})


class KernelException:
    """`ValueError("..")` as a value, for `raise`."""

    __slots__ = ("kind", "message")

    def __init__(self, kind: str, message: str) -> None:
        self.kind = kind
        self.message = message


class Frame:
    """The names of one running function, comprehension or module.

    `bound` are the names that the source binds here, whether or not that has happened yet.
    """

    __slots__ = ("bound", "is_comprehension", "outer_names", "parent", "values")

    def __init__(
        self,
        parent: Frame | None,
        bound: frozenset[str] = frozenset(),
        outer_names: frozenset[str] = frozenset(),
        is_comprehension: bool = False,
    ) -> None:
        self.parent = parent
        self.bound = bound
        self.outer_names = outer_names  # declared nonlocal
        self.is_comprehension = is_comprehension
        self.values: dict[str, object] = {}


class Closure:
    """A function of the kernel's source together with the frame that it was made in. `surface/` calls it."""

    __slots__ = ("defaults", "frame", "kw_defaults", "name", "node", "owner")

    def __init__(
        self,
        owner: ClosureOwner,
        node: ast.FunctionDef | ast.Lambda,
        frame: Frame,
        defaults: list[object],
        kw_defaults: dict[str, object],
    ) -> None:
        self.owner = owner
        self.node = node
        self.frame = frame
        self.defaults = defaults
        self.kw_defaults = kw_defaults
        self.name = node.name if isinstance(node, ast.FunctionDef) else "<lambda>"

    def __call__(self, *args: object, **kwargs: object) -> object:
        return self.owner.enter(self, list(args), kwargs)


def describe(value: object) -> str:
    """As `kind_of`, with what only the evaluator knows."""
    if isinstance(value, Module):
        return f"the module {value.name}"
    if isinstance(value, Closure | Builtin):
        return f"the function {value.name}"
    return kind_of(value)


class ClosureOwner(Protocol):
    def enter(self, fn: Closure, args: list[object], kwargs: dict[str, object]) -> object: ...
