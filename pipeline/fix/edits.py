"""A fix as edits of the spec's text: where the key, the index or the expression stands, and what takes its place."""

from __future__ import annotations

import ast
import json
import re
from typing import NamedTuple

from pipeline.errors import Fix, Span
from pipeline.fix.expressions import converted, rounded_down
from pipeline.ir.call import Role
from pipeline.spec.places import Place, Places
from pipeline.spec.spec import Code, Spec

_SECTIONS = {Role.SCALAR_PREFETCH: "scalar_prefetch", Role.INPUT: "inputs", Role.OUTPUT: "outputs"}
_AXIS = re.compile(r"\b(?:program_id|num_programs)\(\s*(?:axis\s*=\s*)?(\d+)\s*\)")
_MAPPED = ("scalar_prefetch", "inputs", "outputs")


class Edit(NamedTuple):
    """`text` takes the place of the characters [start, end) of the spec file."""

    start: int
    end: int
    text: str


def edits_of(spec: Spec, fix: Fix) -> tuple[Edit, ...] | None:
    """The edits that make `fix`; None where the text is written so that it has to be changed by hand."""
    places = spec.locate
    if not isinstance(places, Places):
        return None
    maker = _Maker(spec, places)
    match fix.kind:
        case "set":
            return maker.set(fix)
        case _ if fix.key and fix.kind in ("index", "align"):
            return maker.index(fix)
        case "order":
            return maker.order(fix)
        case "clear":
            return maker.clear(fix)
        case _:
            return maker.expression(fix)


class _Maker:
    def __init__(self, spec: Spec, places: Places) -> None:
        self.spec, self.places, self.text = spec, places, spec.source.text

    def set(self, fix: Fix) -> tuple[Edit, ...] | None:
        table = self._table(fix.at)
        if table is None:
            return None
        value = json.dumps(list(fix.value) if isinstance(fix.value, tuple) else fix.value)
        there = table.child(fix.key)
        if there is not None:
            return (Edit(there.start, there.end, value),)
        first = table.child("name") or table.child("shape")
        if first is None:
            return None
        line = self.text.rfind("\n", 0, first.key_start) + 1
        indent = self.text[line : first.key_start]
        if indent.strip(" -"):
            return None  # a table in one line
        between = ": " if self.spec.source.name.endswith((".yaml", ".yml")) else " = "
        at = self.text.find("\n", first.end)
        at = len(self.text) if at < 0 else at
        return (Edit(at, at, f"\n{' ' * len(indent)}{fix.key}{between}{value}"),)

    def index(self, fix: Fix) -> tuple[Edit, ...] | None:
        """One entry of an index map that is a lambda with a tuple."""
        found = self._lambda(fix.at)
        if found is None:
            return None
        tree, base = found
        axis = int(fix.key)
        if not isinstance(tree.body, ast.Tuple) or axis >= len(tree.body.elts):
            return None
        edit = self._node(tree.body.elts[axis], base, str(fix.value))
        if fix.kind == "align":
            new = rounded_down(self.text[edit.start : edit.end], int(str(fix.value)))
            return None if new is None else (edit._replace(text=new),)
        return (edit,)

    def order(self, fix: Fix) -> tuple[Edit, ...] | None:
        """The grid's entries, its words, the parameters of index maps, and the axes that the kernel asks for."""
        order = [axis for axis in fix.value if isinstance(axis, int)] if isinstance(fix.value, tuple) else []
        code = self.spec.kernel.code
        source = self._child("kernel", "source")
        grid = self.places.root.child("grid")
        if source is None or code.origin is not self.spec.source or grid is None or self.spec.dynamic_grid:
            return None
        edits: list[Edit] = []
        for key in ("shape", "semantics"):
            entries = grid.child(key)
            if entries is None:
                continue
            parts = [entries.child(axis) for axis in range(len(order))]
            for at, axis in enumerate(order):
                old, new = parts[at], parts[axis]
                if old is None or new is None:
                    return None
                edits.append(Edit(old.start, old.end, self.text[new.start : new.end]))
        for operand in self.spec.operands:
            if operand.index_map is None:
                continue
            found = self._lambda(operand.name)
            if found is None or len(found[0].args.args) < len(order):
                return None
            tree, base = found
            names = tree.args.args
            edits.extend(self._node(names[at], base, names[axis].arg) for at, axis in enumerate(order))
        for match in _AXIS.finditer(self.text, source.start, source.end):
            axis = int(match[1])
            if axis >= len(order):
                return None
            edits.append(Edit(match.start(1), match.end(1), str(order.index(axis))))
        return tuple(edit for edit in edits if self.text[edit.start : edit.end] != edit.text)

    def clear(self, fix: Fix) -> tuple[Edit, ...] | None:
        """Lines before the first statement of the kernel's function, if that stands in a line of its own."""
        kernel, code = self.spec.kernel, self.spec.kernel.code
        if code.origin is not self.spec.source or kernel.is_jaxpr or self._child("kernel", "source") is None:
            return None
        tree = ast.parse(code.text)  # it has been traced
        function = next((n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == kernel.function), None)
        if function is None:
            return None
        fixed = {name for name, _ in kernel.static_args}
        refs = [arg.arg for arg in (*function.args.posonlyargs, *function.args.args) if arg.arg not in fixed]
        names = [one.name for one in self.spec.operands] + [one.name for one in self.spec.scratch]
        body = function.body[1:] if ast.get_docstring(function) is not None else function.body
        if len(refs) != len(names) or not body or body[0].lineno == function.lineno:
            return None
        ref, first = refs[names.index(fix.at)], body[0]
        indent = " " * (first.col_offset + code.column_offset)
        axes = fix.value if isinstance(fix.value, tuple) else ()
        zeros = f"{ref}[...] = jnp.zeros_like({ref})\n"
        if axes:
            tests = [f"pl.program_id({axis}) == 0" for axis in axes]
            when = tests[0] if len(tests) == 1 else " & ".join(f"({test})" for test in tests)
            zeros = f"@pl.when({when})\n{indent}def _():\n{indent}    {zeros}"
        decorators = first.decorator_list if isinstance(first, ast.FunctionDef) else []
        line = min([first.lineno, *(node.lineno for node in decorators)])
        at = sum(len(text) + 1 for text in self.text.split("\n")[: code.span(line, 1).line - 1])
        return (Edit(at, at, f"{indent}{zeros}\n"),)

    def expression(self, fix: Fix) -> tuple[Edit, ...] | None:
        found = self._stretch(fix.span)
        if found is None:
            return None
        start, end = found
        text = self.text[start:end]
        if fix.kind == "align":
            new = rounded_down(text, int(fix.value)) if isinstance(fix.value, int) else None
        else:
            new = converted(text, str(fix.value), fix.key)
        return None if new is None else (Edit(start, end, new),)

    def _table(self, name: str) -> Place | None:
        """The table of an operand or a scratch entry, the grid's, or ("") the whole file's."""
        if name == "":
            return self.places.root
        if name == "grid":
            return self.places.root.child("grid")
        counts: dict[str, int] = {}
        for operand in self.spec.operands:
            section = _SECTIONS[operand.role]
            if operand.name == name:
                return self._child(section, counts.get(section, 0))
            counts[section] = counts.get(section, 0) + 1
        for at, scratch in enumerate(self.spec.scratch):
            if scratch.name == name:
                return self._child("scratch", at)
        return None

    def _child(self, *keys: str | int) -> Place | None:
        place: Place | None = self.places.root
        for key in keys:
            place = None if place is None else place.child(key)
        return place

    def _lambda(self, name: str) -> tuple[ast.Lambda, int] | None:
        """An operand's index map, if it is a lambda in one line, and the offset of its text."""
        operand = next((one for one in self.spec.operands if one.name == name), None)
        table = self._table(name)
        place = None if table is None else table.child("index_map")
        if operand is None or place is None or not isinstance(operand.index_map, Code):
            return None
        text = operand.index_map.text
        at = self.text.find(text, place.start, place.end)
        if at < 0 or "\n" in text or not text.isascii():
            return None
        try:
            tree = ast.parse(text, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        return (tree, at) if isinstance(tree, ast.Lambda) else None

    def _node(self, node: ast.expr | ast.arg, base: int, text: str) -> Edit:
        assert node.end_col_offset is not None
        return Edit(base + node.col_offset, base + node.end_col_offset, text)

    def _stretch(self, span: Span) -> tuple[int, int] | None:
        """Offsets of a span of this file."""
        if span.source is not self.spec.source or span.end_column is None:
            return None
        lines = self.text.split("\n")
        start = sum(len(line) + 1 for line in lines[: span.line - 1]) + span.column - 1
        return start, start + span.end_column - span.column
