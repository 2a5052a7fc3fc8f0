"""What a capture shows of the kernel's text: names of its author's choosing are written `_`, so that renaming a local
variable changes no capture."""

from __future__ import annotations

import re
from keyword import kwlist

from pipeline.ir.module import Op

_WORD = re.compile(r"""'[^']*'|"[^"]*"|#.*|[(\[{]|[)\]}]|(?<![\w.])[A-Za-z_]\w*(?!\w)(?P<keyword>\s*=(?!=))?""")
# an equation of a kernel that is written as a jaxpr: results, primitive, parameters, operands
_EQUATION = re.compile(r"\s*((?:\w+:\w+\[[^\]]*\]\s+)+)=\s+(\w+(?:\[.*\])?)(.*)")
_VARIABLE = re.compile(r"(?<![\w.:\[])[A-Za-z_]\w*(?!\[)")
_KEPT = frozenset((*kwlist, "jnp", "jax", "lax", "pl", "pltpu", "math", "np", "functools"))
_LINES = 12  # of a statement in brackets that are put together
_WIDTH = 96


def text_of(op: Op) -> str:
    """The kernel's text that an operation comes from; "" where the module does not say."""
    span = op.span
    line = span.source.line(span.line) if span.source is not None else None
    if line is None:
        return ""
    return _equation(line) or _masked(line[span.column - 1 : span.end_column - 1] if span.end_column else line)[0]


def line_of(op: Op) -> str:
    """The line that an operation comes from or begins on, with what its open brackets go on to, in one line."""
    span = op.span
    first = span.source.line(span.line) if span.source is not None else None
    if first is not None and (equation := _equation(first)):
        return equation
    parts: list[str] = []
    depth = 0
    for number in range(span.line, span.line + _LINES):
        line = span.source.line(number) if span.source is not None else None
        if line is None:
            break
        part, depth = _masked(line, depth)
        parts.append(part)
        if depth <= 0:
            break
    text = " ".join(part for part in parts if part)
    for spaced, closed in (("( ", "("), ("[ ", "["), (", )", ")"), (" )", ")"), (", ]", "]"), (" ]", "]")):
        text = text.replace(spaced, closed)
    return text if len(text) <= _WIDTH else text[: _WIDTH - 3].rstrip() + "..."


def _equation(line: str) -> str:
    """A line of a jaxpr with `_` for its variables; "" for any other line."""
    found = _EQUATION.fullmatch(line)
    if found is None:
        return ""
    results, primitive, operands = found.groups()
    operands = _VARIABLE.sub("_", operands.partition("#")[0])
    return f"{_VARIABLE.sub('_', results).strip()} = {primitive}{operands}".rstrip()


def _masked(text: str, depth: int = 0) -> tuple[str, int]:
    """The text with `_` for its names and without a comment, and how many brackets are open at its end, `depth` having
    been open before. A name before a `=` in brackets is a keyword argument's, and stays."""

    def one(found: re.Match[str]) -> str:
        nonlocal depth
        word = found[0]
        if word[0] in "([{":
            depth += 1
        elif word[0] in ")]}":
            depth -= 1
        elif word[0] == "#":
            return ""
        elif word[0] not in "'\"":
            name = word.removesuffix(found["keyword"] or "")
            if name not in _KEPT and not (found["keyword"] and depth > 0):
                return "_" + word[len(name) :]
        return word

    return _WORD.sub(one, text).strip(), depth
