"""What each kind of statement does: one rule a node class, in `RULES`. Conditions are static; loops are unrolled."""

from __future__ import annotations

import ast
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from pipeline.trace import expressions, functions, names
from pipeline.trace.builder import kind_of
from pipeline.trace.builtins import text_of
from pipeline.trace.expressions import assign, get_item, operate, set_item, store
from pipeline.trace.surface.scopes import NamedScope
from pipeline.trace.values import Builtin, Frame, KernelException

if TYPE_CHECKING:
    from pipeline.trace.evaluator import Evaluator


class Leave:
    """How a block was left before its end: by a return (with its value), or as `_BREAK` or `_CONTINUE`."""

    __slots__ = ("value",)

    def __init__(self, value: object = None) -> None:
        self.value = value


_BREAK = Leave()
_CONTINUE = Leave()


def run_block(ev: Evaluator, body: list[ast.stmt], frame: Frame) -> Leave | None:
    for node in body:
        ev.spend(1)
        rule = RULES.get(type(node))
        if rule is None:
            ev.fail("T102", f"{type(node).__name__} is not supported in a kernel", None, node)
        leave = rule(ev, node, frame)
        if leave is not None:
            return leave
    return None


def expression(ev: Evaluator, node: ast.Expr, frame: Frame) -> None:
    ev.eval(node.value, frame)


def assignment(ev: Evaluator, node: ast.Assign, frame: Frame) -> None:
    value = ev.eval(node.value, frame)
    for target in node.targets:
        assign(ev, target, value, frame)


def annotated(ev: Evaluator, node: ast.AnnAssign, frame: Frame) -> None:
    if node.value is not None:
        assign(ev, node.target, ev.eval(node.value, frame), frame)


def augmented(ev: Evaluator, node: ast.AugAssign, frame: Frame) -> None:
    """`target op= value`. The target is read before the value is evaluated, its index evaluated once."""
    sign = expressions.BINARY[type(node.op)]
    target = node.target
    if isinstance(target, ast.Name):
        old = ev.eval(ast.copy_location(ast.Name(target.id, ast.Load()), target), frame)
        store(frame, target.id, _augment(ev, sign, old, ev.eval(node.value, frame), node))
    elif isinstance(target, ast.Subscript):
        base = ev.eval(target.value, frame)
        index = ev.eval(target.slice, frame)
        ev.at(target)
        old = get_item(ev, base, index)
        new = _augment(ev, sign, old, ev.eval(node.value, frame), node)
        ev.at(target)
        set_item(ev, base, index, new)
    else:
        from pipeline.trace import classes

        base = ev.eval(target.value, frame)
        old = ev.attribute(base, target.attr, target)
        new = _augment(ev, sign, old, ev.eval(node.value, frame), node)
        classes.assign(ev, base, target.attr, new, target)


def _augment(ev: Evaluator, sign: str, old: object, value: object, node: ast.AST) -> object:
    ev.at(node)
    if sign == "+" and isinstance(old, list):
        old.extend(ev.collect(value, node))
        ev.bounded(old)
        return old
    return operate(ev, sign, (old, value))


def delete(ev: Evaluator, node: ast.Delete, frame: Frame) -> None:
    for target in node.targets:
        if not isinstance(target, ast.Name):
            ev.fail("T102", "only names can be deleted in a kernel", None, target)
        if frame.values.pop(target.id, ev) is ev:
            ev.fail("T104", f"{target.id!r} has no value to delete here", None, target)


def conditional(ev: Evaluator, node: ast.If, frame: Frame) -> Leave | None:
    holds = ev.truth(ev.eval(node.test, frame), node.test, "an if")
    return run_block(ev, node.body if holds else node.orelse, frame)


def for_loop(ev: Evaluator, node: ast.For, frame: Frame) -> Leave | None:
    for item in ev.iterate(ev.eval(node.iter, frame), node.iter):
        assign(ev, node.target, item, frame)
        leave = run_block(ev, node.body, frame)
        if leave is _BREAK:
            return None
        if leave is not None and leave is not _CONTINUE:
            return leave
    return run_block(ev, node.orelse, frame)


def while_loop(ev: Evaluator, node: ast.While, frame: Frame) -> Leave | None:
    while ev.truth(ev.eval(node.test, frame), node.test, "a while"):
        leave = run_block(ev, node.body, frame)
        if leave is _BREAK:
            return None
        if leave is not None and leave is not _CONTINUE:
            return leave
    return run_block(ev, node.orelse, frame)


def define(ev: Evaluator, node: ast.FunctionDef, frame: Frame) -> None:
    _decorated(ev, node, functions.make(ev, node, frame), frame)


def _decorated(ev: Evaluator, node: ast.FunctionDef | ast.ClassDef, value: object, frame: Frame) -> None:
    decorators = [ev.eval(decorator, frame) for decorator in node.decorator_list]
    for decorator, place in zip(reversed(decorators), reversed(node.decorator_list), strict=True):
        ev.at(place)
        value = ev.call(decorator, [value], {})
    store(frame, node.name, value)


def class_(ev: Evaluator, node: ast.ClassDef, frame: Frame) -> None:
    from pipeline.trace import classes

    _decorated(ev, node, classes.define(ev, node, frame), frame)


def match(ev: Evaluator, node: ast.Match, frame: Frame) -> Leave | None:
    """The first case whose pattern fits a static value."""
    from pipeline.trace import patterns

    subject = ev.eval(node.subject, frame)
    for case in node.cases:
        ev.spend(1)
        if patterns.fits(ev, case.pattern, subject, frame) and (
            case.guard is None or ev.truth(ev.eval(case.guard, frame), case.guard, "a case")
        ):
            return run_block(ev, case.body, frame)
    return None


def return_(ev: Evaluator, node: ast.Return, frame: Frame) -> Leave:
    return Leave(None if node.value is None else ev.eval(node.value, frame))


def check(ev: Evaluator, node: ast.Assert, frame: Frame) -> None:
    if not ev.truth(ev.eval(node.test, frame), node.test, "an assert"):
        said = "" if node.msg is None else f": {text_of(ev, ev.eval(node.msg, frame))[:400]}"
        ev.fail("T117", f"an assertion of the kernel does not hold{said}", None, node.test)


def raise_(ev: Evaluator, node: ast.Raise, frame: Frame) -> None:
    value = None if node.exc is None else ev.eval(node.exc, frame)
    ev.at(node)
    if isinstance(value, Builtin):
        value = ev.call(value, [], {})
    if not isinstance(value, KernelException):
        ev.fail("T114", f"raise takes an exception, not {kind_of(value)}", "raise ValueError(..)", node)
    said = f": {value.message[:400]}" if value.message else ""
    ev.fail("T117", f"the kernel raises {value.kind}{said}", None, node)


def with_(ev: Evaluator, node: ast.With, frame: Frame) -> Leave | None:
    """`with jax.named_scope(..)`, the one context manager there is."""
    with ExitStack() as stack:
        for item in node.items:
            value = ev.eval(item.context_expr, frame)
            if not isinstance(value, NamedScope):
                ev.fail("T102", f"'with' does not take {kind_of(value)}", "jax.named_scope is there", item.context_expr)
            stack.enter_context(ev.builder.named(value.name))
            if item.optional_vars is not None:
                assign(ev, item.optional_vars, None, frame)
        return run_block(ev, node.body, frame)


def import_(ev: Evaluator, node: ast.Import | ast.ImportFrom, frame: Frame) -> None:
    """An alias to one of our tables; nothing is imported."""
    for alias in node.names:
        found = names.imported(node, alias)
        if found is None:
            ev.fail("T105", *names.not_there(node, alias), node)
        store(frame, *found)


def nothing(ev: Evaluator, node: ast.stmt, frame: Frame) -> None:
    """`pass`; and `nonlocal`, which `scope.py` has read."""


def break_(ev: Evaluator, node: ast.Break, frame: Frame) -> Leave:
    return _BREAK


def continue_(ev: Evaluator, node: ast.Continue, frame: Frame) -> Leave:
    return _CONTINUE


RULES: dict[type[ast.stmt], Callable[[Evaluator, Any, Frame], Leave | None]] = {
    ast.Expr: expression,
    ast.Assign: assignment,
    ast.AnnAssign: annotated,
    ast.AugAssign: augmented,
    ast.Delete: delete,
    ast.If: conditional,
    ast.For: for_loop,
    ast.While: while_loop,
    ast.FunctionDef: define,
    ast.ClassDef: class_,
    ast.Match: match,
    ast.Return: return_,
    ast.Assert: check,
    ast.Raise: raise_,
    ast.With: with_,
    ast.Import: import_,
    ast.ImportFrom: import_,
    ast.Pass: nothing,
    ast.Nonlocal: nothing,
    ast.Break: break_,
    ast.Continue: continue_,
}
