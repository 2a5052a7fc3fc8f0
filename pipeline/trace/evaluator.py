"""`Evaluator`: walks a syntax tree over an explicit table of names. No `exec`, `eval`, `getattr` or import.

What a node means is `expressions.py` and `statements.py`; this file holds what they share: the budget, the place
in the source, calls, and attributes, which only the tables here give out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NoReturn

from pipeline.dtypes import DType
from pipeline.errors import SpecError
from pipeline.trace import expressions, functions, methods, statements
from pipeline.trace.builder import Builder, RefTracer, Tracer, kind_of
from pipeline.trace.near import INSTEAD, near
from pipeline.trace.source import Located
from pipeline.trace.surface import operators
from pipeline.trace.surface.common import Function, Namespace
from pipeline.trace.tree import Named, Node, Record
from pipeline.trace.values import (
    MAX_BITS,
    MAX_CALLS,
    MAX_ITEMS,
    MAX_STEPS,
    OPERATION,
    Builtin,
    Closure,
    Frame,
    Module,
    Partial,
    describe,
)

_WEIGHED = (tuple, list, dict, str, Node)
MAX_DEPTH = 3_000  # of nested evaluations, calls included


class Evaluator:
    """Evaluates one source's nodes for one trace. `builder` collects the equations of what is traced.

    Errors: every method raises SpecError with a T1xx code at the node that it works on.
    """

    def __init__(self, located: Located, builder: Builder, steps: int = MAX_STEPS) -> None:
        self.located = located
        self.builder = builder
        self.steps = steps
        self.limit = steps
        self.calls = 0
        self.depth = 0
        self.node: ast.AST = ast.Pass()

    # the place, and what went wrong there

    def fail(self, code: str, message: str, hint: str | None = None, node: ast.AST | None = None) -> NoReturn:
        raise SpecError(code, message, self.located.span(node or self.node), hint=hint)

    def at(self, node: ast.AST) -> None:
        """What is emitted or goes wrong from here on belongs to `node`."""
        self.node = node
        self.builder.span = self.located.span(node)

    # the budget

    def spend(self, steps: int) -> None:
        self.steps -= steps
        if self.steps < 0:
            self.fail(
                "T110",
                f"evaluating this source takes more than {self.limit} steps",
                "Python loops are unrolled while tracing: use lax.fori_loop, or fewer iterations",
            )

    def pay_items(self, count: int, what: str) -> None:
        """Pay for a copy of `count` items made in one go."""
        if count > MAX_ITEMS:
            self.fail("T111", f"{what} has {count if count < 10**20 else 'too many'} items, above {MAX_ITEMS}")
        self.spend(count // 8)

    def weigh(self, *values: object) -> None:
        """Pay for looking through all of `values`, before a comparison, a hash or a conversion does.

        Tuples that share parts may be exponentially larger than they look; lists may hold themselves.
        """
        stack = [value for value in values if isinstance(value, _WEIGHED)]
        while stack:
            value = stack.pop()
            if isinstance(value, Node):
                value = [] if value.node is None else value.node.split(value)[0]
            if isinstance(value, str):
                self.spend(len(value) // 64)
                continue
            self.spend(1 + len(value) // 8)
            items = [*value.keys(), *value.values()] if isinstance(value, dict) else value
            stack.extend(item for item in items if isinstance(item, _WEIGHED))
            if len(stack) > 10 * MAX_ITEMS:
                self.fail("T111", f"this value holds more than {10 * MAX_ITEMS} items")

    def bounded(self, value: object) -> object:
        """`value`, unless it is an int of too many bits or a collection of too many items."""
        if isinstance(value, int) and value.bit_length() > MAX_BITS:
            self.fail("T112", f"this int has more than {MAX_BITS} bits", "kernel arithmetic is at most 64 bits wide")
        if isinstance(value, str | tuple | list):
            self.pay_items(len(value), f"this {type(value).__name__}")
        return value

    # evaluation

    def eval(self, node: ast.AST, frame: Frame) -> object:
        self.steps -= 1
        if self.steps < 0:
            self.spend(0)
        rule = expressions.RULES.get(type(node))
        if rule is None:
            self.fail("T102", f"{type(node).__name__} is not supported in a kernel", node=node)
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.fail("T113", f"evaluation nests more than {MAX_DEPTH} deep", node=node)
        try:
            return rule(self, node, frame)
        finally:
            self.depth -= 1

    def truth(self, value: object, node: ast.AST, what: str) -> bool:
        """Whether `value` holds, for a static condition; `what` names it: "an if", "`and`"."""
        if isinstance(value, Tracer):
            self.fail(
                "T120",
                f"{what} needs a value known while tracing, but this is {kind_of(value)}",
                "for a value use jnp.where or jnp.logical_and/or/not, for effects @pl.when(cond), for both lax.cond",
                node,
            )
        if isinstance(value, RefTracer):
            self.fail("T120", f"{what} needs a value known while tracing, but this is {kind_of(value)}", None, node)
        if isinstance(value, bool | int | float | str | tuple | list | dict | set | range) or value is None:
            return bool(value)
        return True

    def iterate(self, value: object, node: ast.AST) -> Iterator[object]:
        """The items of `value`, each paid for."""
        if isinstance(value, Tracer | RefTracer):
            self.fail(
                "T121",
                f"a Python loop cannot go through {kind_of(value)}",
                "index it in lax.fori_loop, or loop over range(..) of its static shape",
                node,
            )
        if isinstance(value, set):
            self.fail("T121", "a set has no order to go through it in", "use sorted(..) or a tuple", node)
        if isinstance(value, dict):
            value = list(value)
        if not isinstance(value, tuple | list | str | range | Iterator):
            self.fail("T121", f"{kind_of(value)} cannot be gone through", None, node)
        return self._paid(iter(value))

    def _paid(self, items: Iterator[object]) -> Iterator[object]:
        for item in items:
            self.spend(1)
            yield item

    def collect(self, value: object, node: ast.AST) -> list[object]:
        """The items of `value` as a list, up to the limit."""
        out: list[object] = []
        for item in self.iterate(value, node):
            out.append(item)
            if len(out) > MAX_ITEMS:
                self.fail("T111", f"this has more than {MAX_ITEMS} items", None, node)
        return out

    # attributes

    def attribute(self, value: object, name: str, node: ast.AST) -> object:
        if isinstance(value, Named | Record):
            from pipeline.trace import classes

            self.at(node)
            return classes.attribute(self, value, name)
        if isinstance(value, Module):
            if name in value.table:
                return value.table[name]
            self.fail("T103", *no_attribute(value, name), node)
        table = methods.of(value)
        if table is not None:
            if name not in table:
                self.fail("T103", f"{kind_of(value)} has no {name!r} here", near(name, table), node)
            return Partial(self, Builtin(f"{type(value).__name__}.{name}", table[name]), (value,), {})
        if value is None or isinstance(value, bool | set | range | Closure | Builtin | Partial):
            self.fail("T103", f"{describe(value)} has no attribute {name!r} here", None, node)
        if name.startswith("_"):
            self.fail("T103", f"{describe(value)} has no attribute {name!r} here", None, node)
        self.at(node)
        return operators.attribute(self.builder, value, name)

    def operate(self, sign: str, *values: object) -> object:
        """An operator, or `abs`, on static or traced values."""
        return expressions.operate(self, sign, values)

    # calls

    def call(self, fn: object, args: list[object], kwargs: dict[str, object]) -> object:
        """Call any value that is a function; the place is the current one."""
        if isinstance(fn, Closure):
            return fn.owner.enter(fn, args, kwargs)
        if isinstance(fn, Partial):
            return self.call(fn.fn, [*fn.args, *args], {**fn.kwargs, **kwargs})
        if isinstance(fn, Builtin):
            try:
                return fn.fn(self, *args, **kwargs)
            except TypeError:
                given = ", ".join([kind_of(arg) for arg in args] + [f"{k}={kind_of(v)}" for k, v in kwargs.items()])
                self.fail("T114", f"{fn.name}() does not take ({given})")
            except (ValueError, OverflowError, ZeroDivisionError, KeyError, IndexError, AttributeError):
                given = ", ".join(kind_of(arg) for arg in args)
                self.fail("T115", f"{fn.name}() has no value for ({given})")
        self.weigh(*args, *kwargs.values())
        args = [self.given(arg) for arg in args]
        kwargs = {name: self.given(arg) for name, arg in kwargs.items()}
        if isinstance(fn, Function):
            self.spend(OPERATION)
            return fn(self.builder, *args, **kwargs)
        if isinstance(fn, DType):
            return self.cast(fn, args, kwargs)
        if not callable(fn):
            self.fail("T114", f"{describe(fn)} is not a function")
        return fn(*args, **kwargs)

    def given(self, value: object) -> object:
        """`value` as `surface/` gets it: a function of a table, which needs the builder, becomes one that has it.

        So `lax.cond(p, jnp.sin, abs, x)` works. Python's types stay: they may stand for dtypes.
        """
        if type(value) is Function or (isinstance(value, Builtin) and not value.types):
            return Partial(self, value, (), {})
        if isinstance(value, tuple | list) and any(
            type(item) is Function or isinstance(item, Builtin) for item in value
        ):
            items = [self.given(item) for item in value]
            return value.made.join(items, ()) if isinstance(value, Record) else type(value)(items)
        return value

    def cast(self, dtype: DType, args: list[object], kwargs: dict[str, object]) -> object:
        if len(args) != 1 or kwargs:
            self.fail("T114", f"{dtype.name}() takes one value to convert")
        return operators.cast(self.builder, dtype, args[0])

    def enter(self, fn: Closure, args: list[object], kwargs: dict[str, object]) -> object:
        """Run a function of the source; the place afterwards is the caller's again."""
        if self.calls >= MAX_CALLS:
            self.fail("T113", f"functions call each other more than {MAX_CALLS} deep", "recursion needs a static end")
        node, span = self.node, self.builder.span
        frame = functions.bind(self, fn, args, kwargs)
        self.calls += 1
        try:
            if isinstance(fn.node, ast.Lambda):
                result = self.eval(fn.node.body, frame)
            else:
                leave = statements.run_block(self, fn.node.body, frame)
                result = None if leave is None else leave.value
            self.weigh(result)  # `surface/` goes through it
            return result
        finally:
            self.calls -= 1
            self.node, self.builder.span = node, span


def no_attribute(module: Module | Namespace, name: str) -> tuple[str, str | None]:
    """Message and hint for a name that a module's table lacks."""
    hint = INSTEAD.get(f"{module.name}.{name}") or near(name, module.table)
    return f"{module.name} has no {name!r} here", hint
