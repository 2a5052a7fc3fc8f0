"""The top level of a kernel's file: only what the kernel needs of it is looked at, the rest is not run.

So a file may go on to call `pallas_call` or to define classes and tests; none of that concerns the kernel.
"""

from __future__ import annotations

import ast

from pipeline.trace.scope import names_bound, names_read


def top_bindings(tree: ast.Module) -> dict[str, list[ast.stmt]]:
    """The statements that bind each top-level name, in order; `NAME[..] = v` and `NAME.append(v)` count for NAME."""
    out: dict[str, list[ast.stmt]] = {}
    for node in tree.body:
        names = names_bound([node])
        if isinstance(node, ast.Assign | ast.AugAssign | ast.Expr):
            names += [name for name in map(_changed, _places(node)) if name is not None]
        for name in dict.fromkeys(names):
            out.setdefault(name, []).append(node)
    return out


def needed(tree: ast.Module, name: str) -> list[ast.stmt]:
    """Top-level statements that `name` needs, directly or through others, in the order of the file."""
    bindings = top_bindings(tree)
    wanted: set[int] = set()
    seen = {name}
    todo = [name]
    while todo:
        for node in bindings.get(todo.pop(), ()):
            if id(node) not in wanted:
                wanted.add(id(node))
                fresh = [read for read in dict.fromkeys(names_read(node)) if read not in seen]
                seen.update(fresh)
                todo.extend(fresh)
    return [node for node in tree.body if id(node) in wanted]


def _places(node: ast.Assign | ast.AugAssign | ast.Expr) -> list[ast.expr]:
    """Expressions through which a statement may change a value that has a name."""
    match node:
        case ast.Assign(targets=targets):
            return [target.value for target in targets if isinstance(target, ast.Subscript)]
        case ast.AugAssign(target=ast.Subscript(value=value)):
            return [value]
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=value))):
            return [value]
        case _:
            return []


def _changed(place: ast.expr) -> str | None:
    return place.id if isinstance(place, ast.Name) else None
