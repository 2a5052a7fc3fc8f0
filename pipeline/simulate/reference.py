"""Evaluates a spec's `reference`, "lambda x: softmax(x.astype(float32), axis=1)", by walking its syntax tree.

Names come from `reference_names` alone: nothing of the text is executed by Python. Float operands enter as f64 and
integers as i64, so that the reference does not share the kernel's rounding; what it casts itself, it computes in that
dtype. Size and work are bounded; every mistake is a SpecError R21x at its place in the text.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import numpy as np

from pipeline.errors import SpecError
from pipeline.near import near_words
from pipeline.simulate.reference_names import (
    CONSTANTS,
    FUNCTIONS,
    MAX_ELEMENTS,
    METHODS,
    MODULES,
    PROPERTIES,
    Rounding,
    TooLarge,
    broadcast_room,
)
from pipeline.spec.spec import Code

Array = Any
_NODES = 5_000
_DEPTH = 100
_INT_BITS = 256
_WORK = 4_000_000_000  # elements read by all calls together

_BINARY: dict[type[ast.operator], Callable[..., Any]] = {
    ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.Div: np.divide, ast.FloorDiv: np.floor_divide,
    ast.Mod: np.mod, ast.Pow: np.power, ast.BitAnd: np.bitwise_and, ast.BitOr: np.bitwise_or,
    ast.BitXor: np.bitwise_xor, ast.LShift: np.left_shift, ast.RShift: np.right_shift,
}  # fmt: skip
_COMPARE: dict[type[ast.cmpop], Callable[..., Any]] = {
    ast.Eq: np.equal, ast.NotEq: np.not_equal, ast.Lt: np.less, ast.LtE: np.less_equal, ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
}  # fmt: skip


class Module:
    """`jnp`, `np`: a prefix for the same table of names."""


def evaluate(code: Code, operands: Mapping[str, Array], params: Mapping[str, Any]) -> tuple[Array, ...]:
    """Results of the reference, one for each output. `operands`: arrays by name, in the kernel's dtypes."""
    return _Evaluator(code, params).run(operands)


class _Evaluator:
    def __init__(self, code: Code, params: Mapping[str, Any]) -> None:
        self.code = code
        self.names: dict[str, Any] = {**CONSTANTS, **FUNCTIONS, **dict.fromkeys(sorted(MODULES), Module()), **params}
        self.work = 0
        self.depth = 0

    def fail(self, node: ast.AST, code: str, message: str, hint: str | None = None) -> NoReturn:
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1
        end = getattr(node, "end_col_offset", None)
        if getattr(node, "end_lineno", line) != line:
            end = None
        shift = 1 if line == 1 else 0  # of the parenthesis put around the text
        span = self.code.span(line, max(1, column - shift), None if end is None else end + 1 - shift)
        raise SpecError(code, message, span, hint=hint)

    def run(self, operands: Mapping[str, Array]) -> tuple[Array, ...]:
        try:
            tree = ast.parse(f"({self.code.text}\n)", mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            line = min(getattr(error, "lineno", None) or 1, self.code.text.count("\n") + 1)
            span = self.code.span(line, max(1, (getattr(error, "offset", None) or 1) - (line == 1)))
            raise SpecError("R210", "the reference is no Python expression", span,
                            hint='write a lambda over operand names, "lambda x: exp(x)"') from None  # fmt: skip
        if not isinstance(tree, ast.Lambda):
            self.fail(tree, "R210", "the reference is not a lambda", 'write "lambda x: ..." over operand names')
        args = tree.args
        if args.vararg or args.kwarg or args.defaults or args.kw_defaults or args.kwonlyargs:
            self.fail(tree, "R210", "the reference's lambda takes plain arguments only, the names of operands")
        if sum(1 for _ in ast.walk(tree)) > _NODES:
            self.fail(tree, "R213", f"the reference has more than {_NODES} syntax nodes")
        for arg in [*args.posonlyargs, *args.args]:
            if arg.arg not in operands:
                have = ", ".join(operands)
                self.fail(arg, "R210", f"the reference's argument '{arg.arg}' is no input of the kernel",
                          f"inputs are: {have}")  # fmt: skip
            self.names[arg.arg] = _widen(operands[arg.arg])
        with np.errstate(all="ignore"):
            result = self.value(tree.body)
        results = result if isinstance(result, tuple) else (result,)
        for one in results:
            if not isinstance(one, (np.ndarray, np.generic, int, float, bool)):
                self.fail(tree.body, "R211", "the reference gives something that is no array")
        return tuple(np.asarray(one) for one in results)

    def value(self, node: ast.expr) -> Any:
        self.depth += 1
        if self.depth > _DEPTH:
            self.fail(node, "R213", f"the reference is nested deeper than {_DEPTH} levels")
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            self.fail(node, "R211", f"a reference has no {_WORDS.get(type(node).__name__, type(node).__name__)}",
                      "use calls, operators, indexing and names")  # fmt: skip
        result = method(node)
        self.depth -= 1
        return result

    # one method for each kind of node, found by its name
    def _constant(self, node: ast.Constant) -> Any:
        if isinstance(node.value, int) and node.value.bit_length() > _INT_BITS:
            self.fail(node, "R213", f"an integer of more than {_INT_BITS} bits")
        if node.value is None or node.value is Ellipsis or isinstance(node.value, (bool, int, float, str)):
            return node.value
        self.fail(node, "R211", f"a reference has no {type(node.value).__name__} constants")

    def _name(self, node: ast.Name) -> Any:
        if node.id not in self.names:
            self.fail(node, "R211", f"the reference does not know '{node.id}'", _near(node.id, self.names))
        return self.names[node.id]

    def _namedexpr(self, node: ast.NamedExpr) -> Any:
        name = node.target.id
        if name in FUNCTIONS or name in CONSTANTS or name in MODULES:
            self.fail(node.target, "R211", f"'{name}' names a function or constant already", "choose another name")
        self.names[name] = self.value(node.value)
        return self.names[name]

    def _tuple(self, node: ast.Tuple | ast.List) -> Any:
        return tuple(self.value(item) for item in node.elts)

    _list = _tuple

    def _slice(self, node: ast.Slice) -> slice:
        ends = (None if end is None else self.value(end) for end in (node.lower, node.upper, node.step))
        return slice(*ends)

    def _attribute(self, node: ast.Attribute) -> Any:
        base = self.value(node.value)
        if isinstance(base, Module):
            if node.attr in MODULES or node.attr not in {**FUNCTIONS, **CONSTANTS}:
                if node.attr in MODULES:
                    return base
                self.fail(node, "R211", f"the reference does not know '{node.attr}'",
                          _near(node.attr, {**FUNCTIONS, **CONSTANTS}))  # fmt: skip
            return FUNCTIONS.get(node.attr, CONSTANTS.get(node.attr))
        if isinstance(base, (np.ndarray, np.generic, int, float)):
            if node.attr in PROPERTIES:
                return PROPERTIES[node.attr](base)
            if node.attr in METHODS:
                function = METHODS[node.attr]
                return lambda *args, **kwargs: function(base, *args, **kwargs)
        self.fail(node, "R211", f"the reference does not know the attribute '{node.attr}'",
                  _near(node.attr, {**PROPERTIES, **METHODS}))  # fmt: skip

    def _call(self, node: ast.Call) -> Any:
        function = self.value(node.func)
        if isinstance(function, Rounding):
            function = function.cast
        if not callable(function):
            self.fail(node, "R211", "what is called here is no function")
        args = []
        for arg in node.args:
            args.append(self.value(arg))
        kwargs: dict[str, Any] = {}
        cast: Rounding | None = None
        for keyword in node.keywords:
            if keyword.arg is None:
                self.fail(keyword.value, "R211", "a reference has no ** arguments")
            if keyword.arg == "dtype":
                cast = self.value(keyword.value)
                if not isinstance(cast, Rounding):
                    self.fail(keyword.value, "R211", "dtype= takes a dtype such as float32")
                continue
            kwargs[keyword.arg] = self.value(keyword.value)
        result = self._apply(node, function, args, kwargs)
        return result if cast is None else cast.cast(result)

    def _apply(self, node: ast.expr, function: Callable[..., Any], args: list[Any], kwargs: dict[str, Any]) -> Any:
        """Call one of the table's functions; whatever it raises is the author's mistake."""
        self.work += sum(int(np.size(a)) for a in args if isinstance(a, np.ndarray))
        if self.work > _WORK:
            self.fail(node, "R213", f"the reference reads more than {_WORK} elements", "use a smaller variant")
        try:
            return function(*args, **kwargs)
        except TooLarge as error:
            shape = error.args[0]
            self.fail(node, "R213", f"an array of shape {shape} is larger than the reference's {MAX_ELEMENTS} elements",
                      "use a smaller variant")  # fmt: skip
        except MemoryError:
            self.fail(node, "R213", "the reference runs out of memory", "use a smaller variant")
        except Exception:  # NumPy's words differ between versions; shapes say more
            shapes = ", ".join(_shape_text(a) for a in [*args, *kwargs.values()])
            self.fail(node, "R212", f"this cannot be computed from {shapes or 'nothing'}",
                      "check shapes, axes and arguments")  # fmt: skip

    def _binop(self, node: ast.BinOp) -> Any:
        left, right = self.value(node.left), self.value(node.right)
        if isinstance(node.op, ast.MatMult):
            return self._apply(node, FUNCTIONS["matmul"], [left, right], {})
        if isinstance(left, tuple) and isinstance(right, tuple) and isinstance(node.op, ast.Add):
            return left + right
        if type(left) in (int, float, bool) and type(right) in (int, float, bool):
            return self._scalars(node, left, right)
        function = _BINARY.get(type(node.op))
        if function is None:
            self.fail(node, "R211", "a reference has no such operator")

        def checked(x: Any, y: Any) -> Any:
            broadcast_room(x, y)
            return function(x, y)

        return self._apply(node, checked, [left, right], {})

    def _scalars(self, node: ast.BinOp, left: Any, right: Any) -> Any:
        """Python's own arithmetic on plain numbers, with bounded integers."""
        bits = max(int(abs(v)).bit_length() if isinstance(v, int) else 0 for v in (left, right))
        if isinstance(node.op, (ast.Pow, ast.LShift)) and isinstance(left, int) and isinstance(right, int):
            grown = left.bit_length() * abs(right) if isinstance(node.op, ast.Pow) else left.bit_length() + abs(right)
            bits = max(bits, grown)
        if bits > _INT_BITS:
            self.fail(node, "R213", f"an integer of more than {_INT_BITS} bits")
        operators: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
            ast.Add: lambda a, b: a + b, ast.Sub: lambda a, b: a - b, ast.Mult: lambda a, b: a * b,
            ast.Div: lambda a, b: a / b, ast.FloorDiv: lambda a, b: a // b, ast.Mod: lambda a, b: a % b,
            ast.Pow: lambda a, b: a**b, ast.LShift: lambda a, b: a << b, ast.RShift: lambda a, b: a >> b,
            ast.BitAnd: lambda a, b: a & b, ast.BitOr: lambda a, b: a | b, ast.BitXor: lambda a, b: a ^ b,
        }  # fmt: skip
        result = self._apply(node, operators[type(node.op)], [left, right], {})
        if isinstance(result, complex):
            self.fail(node, "R212", "this has no real value")
        return result

    def _unaryop(self, node: ast.UnaryOp) -> Any:
        x = self.value(node.operand)
        match node.op:
            case ast.USub():
                return self._apply(node, lambda v: -v, [x], {})
            case ast.UAdd():
                return x
            case ast.Invert():
                return self._apply(node, np.invert, [x], {})
            case _:
                return not self._truth(node.operand, x)

    def _compare(self, node: ast.Compare) -> Any:
        left = self.value(node.left)
        result: Any = None
        for op, comparator in zip(node.ops, node.comparators, strict=True):
            right = self.value(comparator)
            function = _COMPARE.get(type(op))
            if function is None:
                self.fail(node, "R211", "a reference has no such comparison")

            def checked(x: Any, y: Any, function: Callable[..., Any] = function) -> Any:
                broadcast_room(x, y)
                return function(x, y)

            one = self._apply(node, checked, [left, right], {})
            result = one if result is None else np.logical_and(result, one)
            left = right
        return bool(result) if np.ndim(result) == 0 else result

    def _boolop(self, node: ast.BoolOp) -> Any:
        stop = isinstance(node.op, ast.Or)
        value: Any = None
        for item in node.values:
            value = self.value(item)
            if self._truth(item, value) is stop:
                break
        return value

    def _ifexp(self, node: ast.IfExp) -> Any:
        return self.value(node.body if self._truth(node.test, self.value(node.test)) else node.orelse)

    def _truth(self, node: ast.expr, value: Any) -> bool:
        if np.ndim(value) != 0:
            self.fail(node, "R211", "an array has no single truth value", "use where(), logical_and(), & or |")
        return bool(value)

    def _subscript(self, node: ast.Subscript) -> Any:
        base, index = self.value(node.value), self.value(node.slice)

        def pick(x: Any, at: Any) -> Any:
            if isinstance(x, (str, Rounding, Module)):
                raise TypeError
            if isinstance(x, np.ndarray):
                at = tuple(_as_index(i) for i in at) if isinstance(at, tuple) else _as_index(at)
            return x[at]

        return self._apply(node, pick, [base, index], {})


_WORDS = {
    "Lambda": "inner lambda", "ListComp": "comprehension", "GeneratorExp": "comprehension", "Dict": "dict",
    "Set": "set", "JoinedStr": "f-string", "Starred": "starred argument", "Await": "await",
}  # fmt: skip


def _as_index(index: Any) -> Any:
    return index.astype(np.int64) if isinstance(index, np.ndarray) and index.dtype.kind == "f" else index


def _widen(x: Array) -> Array:
    kind = np.asarray(x).dtype
    if kind == np.bool_:
        return x
    if kind.kind in "iu" or kind.name in ("int4", "uint4"):
        return x.astype(np.int64) if kind != np.uint64 else x
    return x.astype(np.float64)


def _shape_text(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    if isinstance(value, (int, float, bool, type(None))):
        return str(value)
    return {"tuple": "a tuple", "str": "a text", "Rounding": "a dtype"}.get(type(value).__name__, "something else")


def _near(name: str, known: Mapping[str, Any]) -> str | None:
    close = near_words(name, known)
    return f"did you mean {' or '.join(repr(c) for c in close)}?" if close else None
