"""The patterns of `match`: which static values they fit, and the names that they bind."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from pipeline.trace import arithmetic, expressions
from pipeline.trace.builder import RefTracer, Tracer, kind_of
from pipeline.trace.builtins import BUILTINS
from pipeline.trace.tree import Named, Node, Record
from pipeline.trace.values import Builtin, Frame

if TYPE_CHECKING:
    from pipeline.trace.evaluator import Evaluator


def fits(ev: Evaluator, pattern: ast.pattern, value: object, frame: Frame) -> bool:
    """Whether `value` is as the pattern says; names are bound on the way. Errors: T120 for a traced value."""
    ev.spend(1)
    match pattern:
        case ast.MatchValue():
            if isinstance(value, Tracer | RefTracer):
                said = f"a case needs a value known while tracing, but this is {kind_of(value)}"
                ev.fail("T120", said, "lax.switch chooses by a traced index", pattern)
            wanted = ev.eval(pattern.value, frame)
            ev.at(pattern)
            return bool(arithmetic.compare(ev, "==", value, wanted))
        case ast.MatchSingleton():
            return value is pattern.value
        case ast.MatchOr():
            return any(fits(ev, part, value, frame) for part in pattern.patterns)
        case ast.MatchAs():
            if pattern.pattern is not None and not fits(ev, pattern.pattern, value, frame):
                return False
            if pattern.name is not None:
                expressions.store(frame, pattern.name, value)
            return True
        case ast.MatchSequence():
            return isinstance(value, tuple | list) and _items(ev, pattern.patterns, list(value), frame)
        case ast.MatchClass():
            return _object(ev, pattern, value, frame)
        case _:
            ev.fail("T102", f"{type(pattern).__name__} is not supported in a case", None, pattern)


def _items(ev: Evaluator, patterns: list[ast.pattern], items: list[object], frame: Frame) -> bool:
    stars = [n for n, part in enumerate(patterns) if isinstance(part, ast.MatchStar)]
    if not stars:
        return len(items) == len(patterns) and all(map(lambda p, v: fits(ev, p, v, frame), patterns, items))
    at, after = stars[0], len(patterns) - stars[0] - 1
    if len(items) < len(patterns) - 1:
        return False
    end = len(items) - after
    if not _items(ev, patterns[:at] + patterns[at + 1 :], items[:at] + items[end:], frame):
        return False
    star = patterns[at]
    assert isinstance(star, ast.MatchStar)
    if star.name is not None:
        expressions.store(frame, star.name, items[at:end])
    return True


def _object(ev: Evaluator, pattern: ast.MatchClass, value: object, frame: Frame) -> bool:
    """`Config(rows=r)`, `int()`, `str(name)`."""
    kind = ev.eval(pattern.cls, frame)
    isinstance_ = BUILTINS["isinstance"]
    assert isinstance(isinstance_, Builtin)
    ev.at(pattern)
    if not ev.call(isinstance_, [value, kind], {}):
        return False
    if not isinstance(kind, Named):
        if pattern.kwd_attrs or len(pattern.patterns) > 1:
            ev.fail("T114", f"a case of {kind_of(kind)} has at most one pattern in it", None, pattern)
        return all(fits(ev, part, value, frame) for part in pattern.patterns)
    assert isinstance(value, Node | Record)
    names = [*list(value.made.fields)[: len(pattern.patterns)], *pattern.kwd_attrs]
    parts = [*pattern.patterns, *pattern.kwd_patterns]
    if len(names) < len(parts):
        ev.fail("T114", f"{value.made.name} has {len(value.made.fields)} fields", None, pattern)
    return all(
        fits(ev, part, ev.attribute(value, name, pattern), frame) for name, part in zip(names, parts, strict=True)
    )
