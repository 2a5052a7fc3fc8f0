"""Looks through a kernel's tree before it is evaluated: every unknown name, unknown attribute of a module and
unsupported construct, all in one run. What depends on values is left to the evaluator, which stops at the first.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from pipeline.errors import Diagnostic
from pipeline.trace import expressions, statements
from pipeline.trace.builtins import REFUSED
from pipeline.trace.evaluator import no_attribute
from pipeline.trace.names import imported, not_there
from pipeline.trace.near import near
from pipeline.trace.scope import Comprehension, arguments, bindings, names_bound, targets
from pipeline.trace.source import Located
from pipeline.trace.surface.common import Namespace
from pipeline.trace.values import Module

MAX_FOUND = 50  # diagnostics of one source; more help nobody

# node class -> what to call it, what to do instead
_UNSUPPORTED: dict[str, tuple[str, str | None]] = {
    "AsyncFunctionDef": ("an async function", "async copies are pltpu.make_async_copy(..).start() and .wait()"),
    "AsyncFor": ("async for", None),
    "AsyncWith": ("async with", None),
    "Await": ("await", "async copies are pltpu.make_async_copy(..).start() and .wait()"),
    "Try": ("try", "nothing is caught while tracing"),
    "TryStar": ("try", "nothing is caught while tracing"),
    "Global": ("global", "return the value, or use nonlocal in a nested function"),
    "Yield": ("yield", "build a list or tuple"),
    "YieldFrom": ("yield from", "build a list or tuple"),
    "TypeAlias": ("a type statement", None),
}

Scope = dict[str, object]  # a name, and its module where it is one


def check(
    located: Located, nodes: Iterable[ast.AST], known: Mapping[str, object], bound: Iterable[str] = ()
) -> list[Diagnostic]:
    """Mistakes in `nodes`, top-level statements or an expression, in order of the text.

    `known` are the names there are outside; `bound` those that the file binds at its top level.
    """
    walker = _Walker(located, [dict(known), dict.fromkeys(bound)])
    for node in nodes:
        walker.visit(node)
    found = dict.fromkeys(walker.found)
    return sorted(found, key=lambda d: (d.span.line, d.span.column))[:MAX_FOUND]


class _Walker:
    def __init__(self, located: Located, scopes: list[Scope]) -> None:
        self.located = located
        self.scopes = scopes
        self.found: list[Diagnostic] = []

    def report(self, code: str, message: str, node: ast.AST, hint: str | None = None) -> None:
        self.found.append(Diagnostic(code, message, self.located.span(node), hint))

    def visit(self, node: ast.AST) -> None:
        kind = type(node).__name__
        if kind in _UNSUPPORTED:
            what, hint = _UNSUPPORTED[kind]
            self.report("T102", f"{what} is not supported in a kernel", node, hint)
            return
        match node:
            case ast.FunctionDef():
                for part in (*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)):
                    self.visit(part)
                self.function(node, node.body)
            case ast.ClassDef():
                self.class_(node)
            case ast.Match():
                self.match(node)
            case ast.Lambda():
                for part in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
                    self.visit(part)
                self.function(node, [node.body])
            case ast.Import() | ast.ImportFrom():
                for alias in node.names:
                    found = imported(node, alias)
                    if found is None:
                        message, hint = not_there(node, alias)
                        self.report("T105", message, node, hint)
                    else:
                        self.scopes[-1][found[0]] = found[1]
            case ast.AnnAssign():
                self.visit(node.target)
                if node.value is not None:
                    self.visit(node.value)
            case ast.Name():
                self.name(node)
            case ast.Attribute():
                self.attribute(node)
            case ast.Constant(value=bytes() | complex()):
                kind = type(node.value).__name__
                self.report("T102", f"a {kind} constant is not supported in a kernel", node)
            case _ if isinstance(node, Comprehension):
                self.visit(node.generators[0].iter)
                self.scopes.append(dict.fromkeys(targets(node)))
                for number, generator in enumerate(node.generators):
                    for part in (*([generator.iter] if number else []), generator.target, *generator.ifs):
                        self.visit(part)
                for part in (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,):
                    self.visit(part)
                self.scopes.pop()
            case _:
                if isinstance(node, ast.stmt) and type(node) not in statements.RULES:
                    self.report("T102", f"{kind} is not supported in a kernel", node)
                    return
                if isinstance(node, ast.expr) and type(node) not in expressions.RULES:
                    self.report("T102", f"{kind} is not supported in a kernel", node)
                    return
                for child in ast.iter_child_nodes(node):
                    self.visit(child)

    def function(self, node: ast.FunctionDef | ast.Lambda, body: list[ast.stmt] | list[ast.expr]) -> None:
        self.scopes.append(dict.fromkeys(sorted(bindings(node)[0] | {arg.arg for arg in arguments(node.args)})))
        for part in body:
            self.visit(part)
        self.scopes.pop()

    def class_(self, node: ast.ClassDef) -> None:
        """Functions in a class don't see the names beside them."""
        for outer in (*node.decorator_list, *node.bases):
            self.visit(outer)
        inner = dict.fromkeys(names_bound(node.body))
        for part in node.body:
            if isinstance(part, ast.FunctionDef):
                self.scopes.append(inner)
                for outer in (*part.decorator_list, *part.args.defaults, *filter(None, part.args.kw_defaults)):
                    self.visit(outer)
                self.scopes.pop()
                self.function(part, part.body)
            else:
                self.scopes.append(inner)
                self.visit(part)
                self.scopes.pop()

    def match(self, node: ast.Match) -> None:
        self.visit(node.subject)
        for case in node.cases:
            for part in ast.walk(case.pattern):
                if isinstance(part, ast.MatchValue):
                    self.visit(part.value)
                elif isinstance(part, ast.MatchClass):
                    self.visit(part.cls)
                elif isinstance(part, ast.MatchMapping):
                    self.report("T102", "a pattern of a dict is not supported in a case", part)
            for inner in (*filter(None, [case.guard]), *case.body):
                self.visit(inner)

    def lookup(self, name: str) -> tuple[bool, object]:
        for scope in reversed(self.scopes):
            if name in scope:
                return True, scope[name]
        return False, None

    def name(self, node: ast.Name) -> None:
        if not isinstance(node.ctx, ast.Load) or self.lookup(node.id)[0]:
            return
        if node.id in REFUSED:
            self.report("T104", f"{node.id!r} is not there for kernels", node, REFUSED[node.id])
            return
        known = [name for scope in self.scopes for name in scope]
        self.report(
            "T104", f"no name {node.id!r} is known here", node, near(node.id, known) if len(known) > 16 else None
        )

    def attribute(self, node: ast.Attribute) -> None:
        if node.attr.startswith("__"):
            self.report("T103", f"the attribute {node.attr!r} is not there for kernels", node)
            self.visit(node.value)
            return
        owner = self.module(node.value)
        if owner is None:
            self.visit(node.value)
        elif node.attr not in owner.table:
            message, hint = no_attribute(owner, node.attr)
            self.report("T103", message, node, hint)

    def module(self, node: ast.expr) -> Module | Namespace | None:
        """The module that an expression certainly is, e.g. `jax.nn`."""
        match node:
            case ast.Name(id=name):
                found = self.lookup(name)[1]
            case ast.Attribute(value=inner, attr=name):
                owner = self.module(inner)
                found = None if owner is None else owner.table.get(name)
            case _:
                return None
        return found if isinstance(found, Module | Namespace) else None
