"""A `Module` as MLIR text, with the names and the layout that MLIR's own printer gives.

What an op looks like is a table, `Forms`, that the dialects' owner hands in; an op without a form is printed in MLIR's
generic one. Trailing blanks, which MLIR leaves after some ops, are not printed.

Names: results are `%0, %1, ..`, region arguments `%arg0, ..` (of a StableHLO loop `%iterArg`); a constant and an
allocation are named by what they are, with `_N` after a name already taken, N counting clashes. An op's regions are
named after everything in the region around it, and each of them starts from the counts reached there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from pipeline.ir.float_text import float_text
from pipeline.ir.module import (
    Attr,
    Dense,
    DictAttr,
    Func,
    IntArray,
    MemRefType,
    Module,
    Op,
    Raw,
    Region,
    ScalarType,
    SymbolRef,
    TensorType,
    Type,
    TypedInt,
    Value,
    VectorType,
)

# (printer, op, depth) -> the op's text after "results = "; text of nested regions included
Form = Callable[["Printer", Op, int], str]
Forms = Mapping[str, Form]

_FLOATS = ("f32", "bf16", "f16", "f64", "f8E4M3FN", "f8E5M2", "f8E4M3B11FNUZ")
_CONSTANTS = ("arith.constant", "stablehlo.constant")
_BARE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_$.]*")


def print_module(module: Module, forms: Forms) -> str:
    """The module's text, with a final newline. `forms` maps op names to their assembly forms."""
    types: dict[Type, str] = {}
    lines = [f"module @{symbol_text(module.name)} {{"]
    lines.extend(Printer(func, forms, types).text() for func in module.funcs)
    lines.append("}")
    return "\n".join(lines) + "\n"


def symbol_text(name: str) -> str:
    """A symbol after its `@`: bare where MLIR allows it, else quoted."""
    return name if _BARE_NAME.fullmatch(name) else string_text(name)


def string_text(text: str) -> str:
    """A quoted MLIR string: backslash, quote and everything outside printable ASCII are escaped by their bytes."""
    out: list[str] = []
    for byte in text.encode():
        if byte == 0x5C:
            out.append("\\\\")
        elif byte == 0x22 or not 0x20 <= byte < 0x7F:
            out.append(f"\\{byte:02X}")
        else:
            out.append(chr(byte))
    return f'"{"".join(out)}"'


class Printer:
    """Prints one function. Forms use its `value`, `values`, `type`, `types`, `attr`, `attr_dict` and `block`."""

    def __init__(self, func: Func, forms: Forms, types: dict[Type, str]) -> None:
        self._func = func
        self._forms = forms
        self._types = types
        self._names: dict[Value, str] = {}
        self._heads: dict[int, str] = {}  # id of an op to "%1:2", for ops with several results

    def text(self) -> str:
        func = self._func
        _Numbering(self._names, self._heads).func(func.body)
        args = ", ".join(f"{self._names[arg]}: {self.type(arg.type)}" for arg in func.body.args)
        results = ""
        if len(func.results) == 1:
            results = f" -> {self.type(func.results[0])}"
        elif func.results:
            results = f" -> ({self.types(func.results)})"
        attrs = f" attributes {self.attr(DictAttr(func.attrs))}" if func.attrs else ""
        head = f"  func.func @{symbol_text(func.name)}({args}){results}{attrs} {{"
        return f"{head}\n{self.block(func.body, 2)}  }}"

    def block(self, region: Region, depth: int, skip: Op | None = None) -> str:
        """The region's ops, one line each or more, every line ended; `skip` is left out (an empty terminator)."""
        indent = "  " * depth
        out: list[str] = []
        for op in region.ops:
            if op is skip:
                continue
            form = self._forms.get(op.name)
            body = form(self, op, depth) if form is not None else self.generic(op, depth)
            results = op.results
            if not results:
                out.append(f"{indent}{body}\n")
            elif len(results) == 1:
                out.append(f"{indent}{self._names[results[0]]} = {body}\n")
            else:
                out.append(f"{indent}{self._heads[id(op)]} = {body}\n")
        return "".join(out)

    def generic(self, op: Op, depth: int) -> str:
        """MLIR's generic form: `"dialect.op"(operands) <{attrs}> ({ regions }) : (types) -> types`."""
        attrs = f" <{self.attr(DictAttr(op.attrs))}>" if op.attrs else ""
        regions = ""
        if op.regions:
            inner = "  " * depth
            texts = []
            for region in op.regions:
                head = ""
                if region.args:
                    args = ", ".join(f"{self.value(arg)}: {self.type(arg.type)}" for arg in region.args)
                    head = f"{inner}^bb0({args}):\n"
                texts.append(f"{{\n{head}{self.block(region, depth + 1)}{inner}}}")
            regions = f" ({', '.join(texts)})"
        results = self.types(value.type for value in op.results)
        if len(op.results) != 1:
            results = f"({results})"
        operands = self.types(value.type for value in op.operands)
        return f'"{op.name}"({self.values(op.operands)}){attrs}{regions} : ({operands}) -> {results}'

    def value(self, value: Value) -> str:
        return self._names[value]

    def values(self, values: Iterable[Value]) -> str:
        names = self._names
        return ", ".join([names[value] for value in values])

    def type(self, type_: Type) -> str:
        text = self._types.get(type_)
        if text is None:
            text = self._types[type_] = type_text(type_)
        return text

    def types(self, types: Iterable[Type]) -> str:
        return ", ".join([self.type(type_) for type_ in types])

    def attr_dict(self, attrs: Iterable[tuple[str, Attr]], *omit: str) -> str:
        """` {a = .., b = ..}` without the attributes in `omit`; nothing if none is left."""
        kept = tuple(item for item in attrs if item[0] not in omit)
        return f" {self.attr(DictAttr(kept))}" if kept else ""

    def attr(self, attr: Attr) -> str:
        return attr_text(attr)


def type_text(type_: Type) -> str:
    match type_:
        case ScalarType(name):
            return name
        case VectorType(shape, element):
            return f"vector<{''.join(f'{n}x' for n in shape)}{element.name}>"
        case TensorType(shape, element):
            return f"tensor<{''.join(f'{n}x' for n in shape)}{element.name}>"
        case MemRefType(shape, element, space):
            dims = "".join("?x" if n is None else f"{n}x" for n in shape)
            tail = "" if space is None else f", #tpu.memory_space<{space}>"
            return f"memref<{dims}{element.name}{tail}>"


def attr_text(attr: Attr) -> str:
    """An attribute as MLIR prints it inside a dictionary."""
    match attr:
        case None:
            return "unit"
        case bool():
            return "true" if attr else "false"
        case str():
            return string_text(attr)
        case Raw(text):
            return text
        case TypedInt(value, type_):
            return f"{value} : {type_}"
        case IntArray(values, element):
            return f"array<{element}: {', '.join(map(str, values))}>" if values else f"array<{element}>"
        case SymbolRef(name):
            return f"@{symbol_text(name)}"
        case DictAttr(items):
            return f"{{{', '.join(f'{key} = {attr_text(value)}' for key, value in items)}}}"
        case tuple():
            return f"[{', '.join(attr_text(item) for item in attr)}]"
        case Dense():
            return dense_text(attr)


def dense_text(attr: Dense) -> str:
    """`0 : i32`, `true`, `dense<0.000000e+00> : vector<8xf32>`."""
    match attr.type:
        case ScalarType(name):
            text = number_text(attr.value, name)
            return text if name == "i1" else f"{text} : {name}"
        case VectorType(_, element) | TensorType(_, element):
            return f"dense<{number_text(attr.value, element.name)}> : {type_text(attr.type)}"
        case MemRefType():
            raise AssertionError(f"a constant of type {type_text(attr.type)}")


def number_text(value: bool | int | float, element: str) -> str:
    if element == "i1":
        return "true" if value else "false"
    return float_text(float(value), element) if element in _FLOATS else str(int(value))


def _result_name(op: Op) -> str | None:
    """The name MLIR suggests for an op's result; None for a number."""
    if op.name == "memref.alloca":
        return "alloca"
    if op.name not in _CONSTANTS:
        return None
    value = op.attr("value")
    assert isinstance(value, Dense)
    if isinstance(value.type, TensorType):
        return "cst" if value.type.element.name in _FLOATS else "c"
    if isinstance(value.type, ScalarType):
        element = value.type.name
        if element == "i1":
            return "true" if value.value else "false"
        if element == "index":
            return f"c{value.value}"
        if element not in _FLOATS:
            return f"c{value.value}_{element}"
    return "cst"


class _Numbering:
    """Gives every value of a function its name."""

    def __init__(self, names: dict[Value, str], heads: dict[int, str]) -> None:
        self._names = names
        self._heads = heads

    def func(self, body: Region) -> None:
        # regions wait until the one around them is done; each carries the counts and the names it starts from
        waiting: list[tuple[Region, bool, int, int, int, frozenset[str]]] = [(body, False, 0, 0, 0, frozenset())]
        while waiting:
            region, iterates, number, arg, clash, taken = waiting.pop()
            used = set(taken)
            for value in region.args:
                name, clash = _unique("iterArg" if iterates else f"arg{arg}", used, clash)
                self._names[value] = f"%{name}"
                arg += not iterates
            nested: list[tuple[Region, bool]] = []
            for op in region.ops:
                if op.regions:
                    nested.extend((inner, op.name == "stablehlo.while") for inner in op.regions)
                results = op.results
                if not results:
                    continue
                suggested = _result_name(op)
                if suggested is None:
                    name = str(number)
                    number += 1
                else:
                    name, clash = _unique(suggested, used, clash)
                if len(results) == 1:
                    self._names[results[0]] = f"%{name}"
                else:
                    self._heads[id(op)] = f"%{name}:{len(results)}"
                    for i, value in enumerate(results):
                        self._names[value] = f"%{name}#{i}"
            if nested:
                around = frozenset(used)
                waiting.extend((inner, loops, number, arg, clash, around) for inner, loops in nested)


def _unique(name: str, used: set[str], clash: int) -> tuple[str, int]:
    found = name
    while found in used:
        found = f"{name}_{clash}"
        clash += 1
    used.add(found)
    return found, clash
