"""An expression of a kernel rewritten: computed in another dtype, or rounded down to a multiple."""

from __future__ import annotations

import ast

_MODULES = frozenset({"jnp", "lax", "pl", "pltpu", "jax", "np"})
_ACCUMULATOR = "preferred_element_type"


def rounded_down(text: str, multiple: int) -> str | None:
    """The expression as a multiple that can be seen to be one; None for text that is no expression."""
    tree = _parse(text)
    if tree is None:
        return None
    inner = text if isinstance(tree, (ast.Name, ast.Call, ast.Subscript, ast.Attribute)) else f"({text})"
    return f"{inner} // {multiple} * {multiple}"


def converted(text: str, between: str, back: str) -> str | None:
    """The expression with its operands in dtype `between`, and its result in `back` ("": as it comes).

    None for text that is no expression, or one of which it is not clear what its operands are.
    """
    tree = _parse(text)
    operands = () if tree is None else _operands(tree)
    if tree is None or not operands:
        return None
    edits = [(node, f"{_grouped(text, node)}.astype(jnp.{between})") for node in operands]
    cast = isinstance(tree, ast.Call) and isinstance(tree.func, ast.Attribute) and tree.func.attr == "astype"
    if isinstance(tree, ast.Call):
        for keyword in tree.keywords:
            if keyword.arg == _ACCUMULATOR:
                edits.append((keyword.value, "jnp.float32"))
    for node, new in sorted(edits, key=lambda edit: -edit[0].col_offset):
        start, end = _columns(text, node)
        text = text[:start] + new + text[end:]
    if cast or back == "" or isinstance(tree, ast.Compare):
        return text
    return f"({text} != 0)" if back == "bool" else f"({text}).astype(jnp.{back})"


def _parse(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _operands(tree: ast.expr) -> tuple[ast.expr, ...]:
    """The parts that are arrays: what a dtype can be given to."""
    match tree:
        case ast.BinOp():
            parts = [tree.left, tree.right]
        case ast.UnaryOp():
            parts = [tree.operand]
        case ast.Compare():
            parts = [tree.left, *tree.comparators]
        case ast.Subscript():
            parts = [tree.value]
        case ast.Call(func=ast.Attribute(value=value)) if _root(value) not in _MODULES:
            parts = [value]  # a method
        case ast.Call():
            parts = [argument for argument in tree.args if not isinstance(argument, (ast.Tuple, ast.List, ast.Lambda))]
        case _:
            parts = []
    return tuple(part for part in parts if not _is_number(part))


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) or (isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant))


def _grouped(text: str, node: ast.expr) -> str:
    """The part's text, in parentheses where a method could not be called on it as it is."""
    start, end = _columns(text, node)
    plain = isinstance(node, (ast.Name, ast.Call, ast.Subscript, ast.Attribute))
    return text[start:end] if plain else f"({text[start:end]})"


def _columns(text: str, node: ast.expr) -> tuple[int, int]:
    """Where a node of a one-line text stands, in characters: `ast` counts bytes."""
    data = text.encode()
    assert node.end_col_offset is not None
    return len(data[: node.col_offset].decode()), len(data[: node.end_col_offset].decode())
