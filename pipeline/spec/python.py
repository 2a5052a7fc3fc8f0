"""Python text out of a spec to an `ast` tree, whatever the text is: parsed, never compiled or run."""

from __future__ import annotations

import ast
import warnings
from typing import Literal


class PythonError(Exception):
    """Text that Python's parser refuses: what it says, and where (lines and columns from 1)."""

    def __init__(self, message: str, line: int, column: int, end_column: int | None = None) -> None:
        super().__init__(message)
        self.message, self.line, self.column, self.end_column = message, line, column, end_column


def parse_python(text: str, mode: Literal["exec", "eval"]) -> ast.Module | ast.Expression:
    """The tree of a module or of an expression.

    Errors: PythonError, also for text that nests too deeply for Python's parser or holds a null byte.
    """
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise PythonError("the text holds a null byte", line, 1)
    blank = len(text) - len(text.lstrip(" \t")) if mode == "eval" else 0  # Python takes a leading blank for an indent
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # e.g. an invalid escape, which would go to the user's terminal
            tree = ast.parse(text[blank:], mode=mode)
    except SyntaxError as error:
        column = max(1, error.offset or 1) + (blank if error.lineno == 1 else 0)
        end = error.end_offset
        same_line = end is not None and error.end_lineno == error.lineno and end > (error.offset or 1)
        end_column = column + end - (error.offset or 1) if end is not None and same_line else None
        raise PythonError(error.msg, max(1, error.lineno or 1), column, end_column) from None
    except (RecursionError, MemoryError):
        raise PythonError("the text nests too deeply", 1, 1) from None
    except ValueError:  # e.g. half a character in an escape
        raise PythonError("the text cannot be parsed", 1, 1) from None
    if blank:
        for node in ast.walk(tree):
            if getattr(node, "lineno", 0) == 1:
                node.col_offset += blank  # type: ignore[attr-defined]
            if getattr(node, "end_lineno", 0) == 1:
                node.end_col_offset += blank  # type: ignore[attr-defined]
    return tree  # type: ignore[return-value]
