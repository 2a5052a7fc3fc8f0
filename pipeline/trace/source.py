"""Python source out of a spec to a syntax tree, and a tree's nodes to spans. Nothing here evaluates."""

from __future__ import annotations

import ast
import warnings
from typing import NoReturn

from pipeline.errors import Span, SpecError
from pipeline.spec.spec import Code
from pipeline.trace.values import MAX_NESTING, MAX_SOURCE


class Located:
    """A `Code` and where its nodes stand. `ast` counts columns in UTF-8 bytes from 0, spans in characters from 1."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.lines = code.text.split("\n")
        self.ascii = code.text.isascii()

    def span(self, node: ast.AST) -> Span:
        """The node's first line; the whole of a statement with a body would be its head line."""
        line = getattr(node, "lineno", 1)
        start = self.column(line, getattr(node, "col_offset", 0))
        if getattr(node, "end_lineno", line) == line:
            return self.code.span(line, start, self.column(line, getattr(node, "end_col_offset", start)))
        width = len(self.lines[line - 1].rstrip()) if line <= len(self.lines) else start
        return self.code.span(line, start, max(width, start) + 1)

    def column(self, line: int, offset: int) -> int:
        if self.ascii or line > len(self.lines):
            return offset + 1
        return len(self.lines[line - 1].encode()[:offset].decode(errors="replace")) + 1


def parse_module(code: Code, what: str) -> ast.Module:
    """The syntax tree of a file's text; `what` names it in messages.

    Errors: T101 where it is not Python, or nests or reaches beyond the bounds.
    """
    tree = _parse(code, code.text, what, "exec", 0)
    assert isinstance(tree, ast.Module)
    return tree


def parse_expression(code: Code, what: str) -> ast.Expression:
    """The same for one expression, which may be indented and span lines."""
    # parentheses make that so; the line that they add is taken off again
    tree = _parse(code, f"(\n{code.text}\n)", what, "eval", 1)
    assert isinstance(tree, ast.Expression)
    return tree


def _parse(code: Code, text: str, what: str, mode: str, added: int) -> ast.AST:
    def fail(message: str, line: int = 1, column: int = 1, end: int | None = None, hint: str | None = None) -> NoReturn:
        raise SpecError("T101", message, code.span(line, column, end), hint=hint)

    if len(text) > MAX_SOURCE:
        fail(f"{what} has {len(text)} characters, above the limit of {MAX_SOURCE}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd escapes: what is warned of depends on Python's version
            tree = compile(text, "<spec>", mode, ast.PyCF_ONLY_AST, dont_inherit=True)
    except SyntaxError as error:
        lines = code.text.split("\n")
        line = min(max((error.lineno or 1) - added, 1), len(lines))
        column = min(max(error.offset or 1, 1), len(lines[line - 1]) + 1)
        # the parser's own words differ between versions of Python, so they stay out
        fail(f"{what} is not valid Python", line, column, column + 1, "check brackets, colons and indentation here")
    except (ValueError, MemoryError, RecursionError, OverflowError):
        fail(f"{what} cannot be parsed: it nests too deeply or holds characters that no source has")
    assert isinstance(tree, ast.AST)
    for node in ast.walk(tree) if added else ():
        if isinstance(node, ast.expr | ast.arg | ast.keyword):
            node.lineno = max(node.lineno - added, 1)
            node.end_lineno = max((node.end_lineno or 1) - added, 1)
    deep = _deepest(tree)
    if deep is not None:
        fail_at = Located(code).span(deep)
        raise SpecError("T101", f"{what} nests more than {MAX_NESTING} deep", fail_at, hint="use more statements")
    return tree


def _deepest(tree: ast.AST) -> ast.AST | None:
    """A node that stands deeper than the limit, if there is one. Iterative: the tree may be deep."""
    level: list[ast.AST] = [tree]
    for _ in range(MAX_NESTING):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return None
    return next((node for node in level if hasattr(node, "lineno")), tree)
