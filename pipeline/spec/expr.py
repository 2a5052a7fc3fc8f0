"""Integer expressions over a spec's params, as in shape = ["M", "N // 2"]. Parsed by `ast`, evaluated here, bounded."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import lru_cache

from pipeline.spec.limits import MAX_EXPRESSION
from pipeline.spec.python import PythonError, parse_python
from pipeline.spec.spec import Static
from pipeline.spec.suggest import did_you_mean, shown, shown_number

FUNCTIONS = ("min", "max", "cdiv")
_LIMIT = 1 << 63  # every intermediate value stays below this


class ExprError(Exception):
    """What is wrong with an expression, at columns [column, end_column) of its text, from 1."""

    def __init__(self, message: str, column: int = 1, end_column: int | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message, self.column, self.end_column, self.hint = message, column, end_column, hint


def evaluate(text: str, params: Mapping[str, Static]) -> int:
    """The integer that `text` stands for.

    Known: integers, names of integer params, + - * // % **, parentheses, min, max, cdiv.
    Errors: ExprError.
    """
    if len(text) > MAX_EXPRESSION:
        raise ExprError(f"an expression of {len(text)} characters is longer than {MAX_EXPRESSION}")
    if not text.strip():
        raise ExprError("the expression is empty", hint='give an integer, or an expression such as "M // 2"')
    return _Evaluator(text, params).value(_parsed(text))


@lru_cache(maxsize=1024)  # a spec's variants evaluate the same few texts again and again
def _parsed(text: str) -> ast.expr:
    try:
        tree = parse_python(text, "eval")
    except PythonError as error:
        hint = "integers, names of params, + - * // % **, min, max and cdiv are known"
        raise ExprError(f"{shown(text)} is not an expression", error.column, error.end_column, hint) from None
    assert isinstance(tree, ast.Expression)
    return tree.body


class _Evaluator:
    def __init__(self, text: str, params: Mapping[str, Static]) -> None:
        self.text = text
        self.params = params

    def fault(self, node: ast.expr, message: str, hint: str | None = None) -> ExprError:
        line = self.text.encode()
        column, end = (len(line[:n].decode(errors="ignore")) + 1 for n in (node.col_offset, node.end_col_offset or 0))
        return ExprError(message, column, end, hint)

    def value(self, node: ast.expr) -> int:
        """An expression's value. Recursion is bounded by the length of the text."""
        match node:
            case ast.Constant(value=int(number)) if not isinstance(number, bool):
                return self.bounded(node, number)
            case ast.Name(id=name):
                return self.param(node, name)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self.bounded(node, -self.value(operand))
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self.value(operand)
            case ast.BinOp(left=left, op=op, right=right):
                return self.binary(node, op, self.value(left), self.value(right))
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in FUNCTIONS:
                return self.call(node, name, [self.value(arg) for arg in args])
        hint = "use integers, names of params, + - * // % **, min, max and cdiv"
        raise self.fault(node, f"{self.part(node)} is not known in an integer expression", hint)

    def part(self, node: ast.expr) -> str:
        return shown(ast.get_source_segment(self.text, node) or self.text)

    def bounded(self, node: ast.expr, number: int) -> int:
        if not -_LIMIT < number < _LIMIT:
            raise self.fault(node, f"{self.part(node)} is {shown_number(number)}, which does not fit 64 bits")
        return number

    def param(self, node: ast.expr, name: str) -> int:
        if name not in self.params:
            known = ", ".join(sorted(self.params)[:8])
            guess = did_you_mean(name, self.params)
            hint = guess or (f"params: {known}" if known else "declare it under [params]")
            raise self.fault(node, f"there is no param {shown(name)}", hint)
        value = self.params[name]
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.fault(node, f"the param {shown(name)} is {_kind(value)}, but an integer is needed here")
        return self.bounded(node, value)

    def binary(self, node: ast.expr, op: ast.operator, left: int, right: int) -> int:
        match op:
            case ast.Add():
                return self.bounded(node, left + right)
            case ast.Sub():
                return self.bounded(node, left - right)
            case ast.Mult():
                return self.bounded(node, left * right)
            case ast.FloorDiv() | ast.Mod() if right == 0:
                raise self.fault(node, f"{self.part(node)} divides by zero")
            case ast.FloorDiv():
                return self.bounded(node, left // right)
            case ast.Mod():
                return left % right
            case ast.Pow():
                return self.power(node, left, right)
            case ast.Div():
                raise self.fault(node, f"{self.part(node)} may not be an integer", "use //, or cdiv to round up")
        raise self.fault(node, f"the operator in {self.part(node)} is not known", "known: + - * // % **")

    def power(self, node: ast.expr, base: int, exponent: int) -> int:
        if exponent < 0:
            raise self.fault(node, f"{self.part(node)} has the negative exponent {exponent}")
        if abs(base) > 1 and exponent >= 64:
            raise self.fault(node, f"{self.part(node)} does not fit 64 bits")
        return self.bounded(node, base ** (exponent if abs(base) > 1 else exponent % 2 or (2 if exponent else 0)))

    def call(self, node: ast.expr, name: str, args: list[int]) -> int:
        if name == "cdiv":
            if len(args) != 2:
                raise self.fault(node, f"cdiv takes 2 arguments, not {len(args)}")
            if args[1] == 0:
                raise self.fault(node, f"{self.part(node)} divides by zero")
            return self.bounded(node, -(-args[0] // args[1]))
        pick: Callable[[list[int]], int] = min if name == "min" else max
        if not args:
            raise self.fault(node, f"{name} takes 1 argument or more")
        return pick(args)


def _kind(value: Static) -> str:
    if isinstance(value, bool):
        return "a boolean"
    return "a float" if isinstance(value, float) else "a string"
