"""Functions of the source: what a `def` or `lambda` makes, and how a call's arguments meet its parameters."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from pipeline.trace.scope import bindings
from pipeline.trace.values import Closure, Frame

if TYPE_CHECKING:
    from pipeline.trace.evaluator import Evaluator


def make(ev: Evaluator, node: ast.FunctionDef | ast.Lambda, frame: Frame) -> Closure:
    """The closure; defaults are evaluated now, as in Python. Annotations never are."""
    args = node.args
    defaults = [ev.eval(default, frame) for default in args.defaults]
    pairs = zip(args.kwonlyargs, args.kw_defaults, strict=True)
    kw_defaults = {arg.arg: ev.eval(default, frame) for arg, default in pairs if default is not None}
    return Closure(ev, node, frame, defaults, kw_defaults)


def parameters(fn: Closure) -> tuple[int, int | None]:
    """The fewest and the most positional arguments that `fn` takes; None where there is no most."""
    args = fn.node.args
    count = len(args.posonlyargs) + len(args.args)
    return count - len(fn.defaults), None if args.vararg else count


def bind(ev: Evaluator, fn: Closure, args: list[object], kwargs: dict[str, object]) -> Frame:
    """A frame with the parameters bound. Errors: T114 at the call where they do not match."""
    spec = fn.node.args
    bound, outer = bindings(fn.node)
    frame = Frame(fn.frame, bound, outer)
    values = frame.values
    positional = [arg.arg for arg in (*spec.posonlyargs, *spec.args)]
    if len(args) > len(positional) and spec.vararg is None:
        ev.fail("T114", f"{fn.name}() takes {len(positional)} positional arguments, but {len(args)} are given")
    values.update(zip(positional, args, strict=False))
    if spec.vararg is not None:
        values[spec.vararg.arg] = tuple(args[len(positional) :])
    named = {arg.arg for arg in (*spec.args, *spec.kwonlyargs)}
    extra: dict[str, object] = {}
    for name, value in kwargs.items():
        if name not in named:
            if spec.kwarg is None:
                ev.fail("T114", f"{fn.name}() has no parameter {name!r}", _known(spec))
            extra[name] = value
        elif name in values:
            ev.fail("T114", f"{fn.name}() is given {name!r} twice")
        else:
            values[name] = value
    if spec.kwarg is not None:
        values[spec.kwarg.arg] = extra
    first = len(positional) - len(fn.defaults)
    for number, name in enumerate(positional):
        if name not in values and number >= first:
            values[name] = fn.defaults[number - first]
    for name, value in fn.kw_defaults.items():
        values.setdefault(name, value)
    missing = [name for name in (*positional, *(arg.arg for arg in spec.kwonlyargs)) if name not in values]
    if missing:
        ev.fail("T114", f"{fn.name}() is called without {', '.join(map(repr, missing))}")
    return frame


def _known(spec: ast.arguments) -> str | None:
    names = [arg.arg for arg in (*spec.args, *spec.kwonlyargs)]
    return f"its parameters are {', '.join(names)}" if names else None
