"""Which names a function, comprehension or module binds: found from the tree, without evaluating it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def bindings(node: ast.FunctionDef | ast.Lambda) -> tuple[frozenset[str], frozenset[str]]:
    """Names local to a function, and those it declares nonlocal. Kept on the node: calls ask again and again."""
    known = node.__dict__.get("_bindings")
    if isinstance(known, tuple):
        return known
    body: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else list(node.body)
    outer = frozenset(name for part in body for found in _nonlocals(part) for name in found.names)
    bound = frozenset(names_bound(body)) | {arg.arg for arg in arguments(node.args)}
    node.__dict__["_bindings"] = (bound - outer, outer)
    return bound - outer, outer


def arguments(args: ast.arguments) -> list[ast.arg]:
    """All parameters, in order of their text."""
    extra = [arg for arg in (args.vararg, args.kwarg) if arg is not None]
    return [*args.posonlyargs, *args.args, *args.kwonlyargs, *extra]


def names_bound(nodes: Iterable[ast.AST]) -> list[str]:
    """Names that `nodes` bind in the scope they stand in, in order of appearance, repeats included."""
    return [name for node in nodes for name in _bound(node, False)]


def targets(node: Comprehension) -> frozenset[str]:
    """The loop variables of a comprehension."""
    stores = (name for generator in node.generators for name in ast.walk(generator.target))
    return frozenset(name.id for name in stores if isinstance(name, ast.Name))


def names_read(node: ast.AST) -> list[str]:
    """Every name that `node` mentions anywhere but in annotations, functions inside it included."""
    found: list[str] = []
    todo: list[ast.AST] = [node]
    while todo:
        part = todo.pop()
        if isinstance(part, ast.Name):
            found.append(part.id)
        skipped = _ANNOTATIONS.get(type(part), ())
        for name, value in ast.iter_fields(part):
            if name not in skipped:
                todo.extend(one for one in (value if isinstance(value, list) else [value]) if isinstance(one, ast.AST))
    return found


_ANNOTATIONS: dict[type[ast.AST], tuple[str, ...]] = {
    ast.arg: ("annotation",),
    ast.AnnAssign: ("annotation",),
    ast.FunctionDef: ("returns",),
}


def _bound(node: ast.AST, in_comprehension: bool) -> Iterator[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            if not in_comprehension:
                yield name
            return
        case ast.NamedExpr(target=ast.Name(id=name), value=value):
            yield name  # also out of a comprehension
            yield from _bound(value, in_comprehension)
            return
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name
            return
        case ast.Lambda():
            return
        case ast.Import() | ast.ImportFrom():
            for alias in node.names:
                yield alias.asname or alias.name.partition(".")[0]
            return
        case ast.ExceptHandler(name=str(name)):
            yield name
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
    inside = in_comprehension or isinstance(node, Comprehension)
    for child in ast.iter_child_nodes(node):
        yield from _bound(child, inside)


def _nonlocals(node: ast.AST) -> Iterator[ast.Nonlocal]:
    if isinstance(node, ast.Nonlocal):
        yield node
    if not isinstance(node, Function | ast.ClassDef):
        for child in ast.iter_child_nodes(node):
            yield from _nonlocals(child)
