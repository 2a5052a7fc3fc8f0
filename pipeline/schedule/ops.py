"""What each op of the module asks of the chip's units: elements, shapes and operand types they do not take.

Which elements an op takes is the chip's table of abilities; the rules here are those that hang on shapes.
Source: verdicts of libtpu 0.0.42.1 on about 700 kernels of one op each on v4, v5e, v6e and 7x.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from math import prod

from pipeline.chips.abilities import Abilities, load_abilities
from pipeline.chips.chip import Chip
from pipeline.dtypes import BY_NAME
from pipeline.errors import Diagnostic, Fix
from pipeline.ir.module import Attr, Dense, Module, Op, Raw, Region, ScalarType, Value, VectorType, walk_ops
from pipeline.schedule.bundles.attrs import int_values
from pipeline.schedule.layout import TALL, crosses_registers, masks, packing, tiling
from pipeline.schedule.reshapes import reshape_needs

_CASTS = frozenset(
    {"arith.extf", "arith.truncf", "arith.sitofp", "arith.uitofp", "arith.fptosi", "arith.fptoui"}
    | {"arith.extsi", "arith.extui", "arith.trunci"}
)
_MOVED = frozenset({"arith.constant", "arith.index_cast", "arith.index_castui", "arith.bitcast"})
_ORDER = {"s": "signed", "u": "unsigned"}
_SMALL = ("i8", "i4")
_PACKED = ("i16", *_SMALL)
_INTS = re.compile(r"-?\d+")
_SIGNED = {dtype.mlir: dtype.name for dtype in reversed(BY_NAME.values())}
_UNSIGNED = {dtype.mlir: dtype.name for dtype in BY_NAME.values()}  # the unsigned ones come after the signed
_WORD = re.compile(r"^\w+\.(max|min|div|rem|shr|abs|\w+?)(?:ui|si|f|i|_index)?$")


def check_ops(module: Module, chip: Chip) -> tuple[Diagnostic, ...]:
    """Findings on the ops of the kernel function, nested ones too, in order; none for a chip without a table."""
    abilities = load_abilities(chip)
    if abilities is None:
        return ()
    checker = _Checker(chip, abilities)
    checker.index(module.funcs[0].body)
    findings: list[Diagnostic] = []
    for op in walk_ops(module.funcs[0].body):
        findings.extend(checker.check(op))
    return tuple(dict.fromkeys(findings))


def _vector(value: Value) -> VectorType | None:
    return value.type if isinstance(value.type, VectorType) else None


_REDUCED = {"vector.multi_reduction": "reduction_dims", "tpu.reduce_index": "axis"}  # the attribute that names axes


def _attr(op: Op, name: str) -> Attr:
    return dict(op.attrs).get(name)


def _bits(element: str) -> int:
    digits = _INTS.search(element)
    return 8 if element.startswith("f8") else int(digits[0]) if digits else 32


def _said(element: str, unsigned: bool = False) -> str:
    """An element as the spec's author writes it."""
    return (_UNSIGNED if unsigned else _SIGNED).get(element, element)


class _Checker:
    """Checks one op at a time; knows which op made a value and which ops use it."""

    def __init__(self, chip: Chip, abilities: Abilities) -> None:
        self.chip, self.abilities = chip, abilities
        self.made: dict[Value, Op] = {}
        self.users: dict[Value, list[Op]] = {}

    def index(self, region: Region) -> None:
        for op in walk_ops(region):
            self.made.update(dict.fromkeys(op.results, op))
            for value in op.operands:
                self.users.setdefault(value, []).append(op)

    def check(self, op: Op) -> Iterator[Diagnostic]:
        vectors = [t for v in (*op.operands, *op.results) if (t := _vector(v)) is not None]
        if not vectors:
            yield from self._scalar(op)
            return
        rule = _RULES.get(op.name)
        if op.name in _CASTS:
            yield from self._cast(op)
        elif rule is not None:
            yield from rule(self, op)
        else:
            yield from self._element(op, op.name, vectors[-1].element.name)

    def _element(self, op: Op, row: str, element: str) -> Iterator[Diagnostic]:
        if self.abilities.takes(row, element) or self._unseen(element):
            return
        unsigned = op.name.endswith("ui") or row.endswith("unsigned")
        taken = [_said(e, unsigned) for e in self.abilities.accepts[row]]
        word = _WORD.sub(r"\1", op.name).replace("cmp", "comparison")
        hint = f"convert to {taken[0]} first, and back after" if taken else "compute in a signed or a float dtype"
        what = f"it takes {', '.join(taken)}" if taken else "it takes no such dtype"
        yield Diagnostic(
            "P601",
            f"{self.chip.name} has no {word} of {_said(element, unsigned)} ({op.name}); {what}",
            op.span,
            hint,
            fixes=() if not taken else _convert(op, taken[0], _said(element, unsigned)),
        )

    def _as_product(self, op: Op, names: tuple[str, str, str]) -> tuple[Fix, ...]:
        """Operands in bfloat16, or in float32 on chips that take no other; the result in what it was."""
        rows = {(m.lhs.name, m.rhs.name, m.accumulator.name) for m in self.chip.matmuls}
        taken = next((name for name in ("bfloat16", "float32") if (name, name, "float32") in rows), None)
        return () if taken is None or taken in map(_said, names[:2]) else _convert(op, taken, _said(names[2]))

    def _scalar(self, op: Op) -> Iterator[Diagnostic]:
        """Scalars of fewer bits are loaded, stored and converted, but not computed with."""
        elements = [v.type.name for v in (*op.operands, *op.results) if isinstance(v.type, ScalarType)]
        narrow = next((e for e in elements if not self.abilities.scalar(e)), None)
        if narrow is None or op.name.partition(".")[0] not in ("arith", "math", "memref"):
            return
        if op.name == "memref.store":
            made = self.made.get(op.operands[0])
            if made is None or made.name != "arith.constant" or narrow.startswith("i"):
                return  # a value that was loaded, or a constant that goes with the store
            message = f"a constant of {_said(narrow)} is stored in scalar memory (memref.store)"
            hint = "store a value that was loaded or converted, or keep the scratch in float32"
        elif op.name in _CASTS:
            wide = _bits(elements[-1])
            if op.name != "arith.extf" or wide == 32:
                return
            message = f"a scalar is converted from {_said(elements[0])} to {_said(elements[-1])} ({op.name})"
            hint = "convert to float32, and then on"
            yield Diagnostic("P602", f"{self.chip.name} widens scalars to float32 only: {message}", op.span, hint)
            return
        elif op.name.startswith("memref.") or op.name in _MOVED:
            return
        else:
            word = _WORD.sub(r"\1", op.name).replace("cmp", "comparison")
            message = f"it has no {word} of one {_said(narrow, op.name.endswith('ui'))} ({op.name})"
            hint = "convert to float32 or int32 first, and back after"
        yield Diagnostic("P601", f"the scalar unit of {self.chip.name} computes in 32 bits: {message}", op.span, hint)

    def _unseen(self, element: str) -> bool:
        """Whether vector memory does not take the element at all: that is reported where it is loaded."""
        return all(dtype.mlir != element for dtype in self.chip.memory_dtypes)

    def _cast(self, op: Op) -> Iterator[Diagnostic]:
        source, result = _vector(op.operands[0]), _vector(op.results[0])
        assert source is not None and result is not None
        pair = (source.element.name, result.element.name)
        if op.name == "arith.trunci" and self._mask_behind(op.operands[0]):
            pair = ("i1", pair[1])  # the compiler makes one cast of the two
        if self.abilities.casts("arith.extui" if pair[0] == "i1" else op.name, *pair):
            memory = {dtype.mlir for dtype in self.chip.memory_dtypes} | {"i1"}
            lacking = [element for element in pair if element not in memory]
            if not lacking:
                return
            message = f"{self.chip.name} does not convert {_said(pair[0])} to {_said(pair[1])} ({op.name})"
            yield Diagnostic(
                "P602", message, op.span, f"there are no vectors of {_said(lacking[0])}; use another dtype"
            )
            return
        message = f"{self.chip.name} does not convert {_said(pair[0])} to {_said(pair[1])} ({op.name})"
        between = "float32" if pair[0] == "i1" and pair[1] in _SMALL else "int32"
        fixes = _convert(op, between, "")
        yield Diagnostic("P602", message, op.span, f"convert to {between} in between", fixes=fixes)

    def _mask_behind(self, value: Value) -> bool:
        """Whether an integer is a mask that has only been widened and cut."""
        made = self.made.get(value)
        while made is not None and made.name in ("arith.extui", "arith.extsi", "arith.trunci"):
            kind = _vector(made.operands[0])
            if kind is not None and kind.element.name == "i1":
                return True
            made = self.made.get(made.operands[0])
        return False

    def _compare(self, op: Op) -> Iterator[Diagnostic]:
        kind = _vector(op.operands[0])
        assert kind is not None
        element = kind.element.name
        if op.operands[0] is op.operands[1]:
            return  # known without comparing
        predicate = _attr(op, "predicate")
        text = predicate.text if isinstance(predicate, Raw) else str(predicate)
        row = "arith.cmpi eq" if text in ("eq", "ne") else f"arith.cmpi {_ORDER.get(text[:1], 'signed')}"
        if row == "arith.cmpi eq" and element in _PACKED:
            users = self.users.get(op.results[0], [])
            if users and all(self._selects(user, op.results[0], element) for user in users):
                return  # the compiler selects by the bits and makes no mask
        yield from self._element(op, row, element)

    def _selects(self, op: Op, mask: Value, element: str) -> bool:
        """Whether an op does nothing with a mask but select elements of the width that was compared."""
        kind = _vector(op.results[0]) if op.results else None
        same = kind is not None and _bits(kind.element.name) == _bits(element)
        return op.name == "arith.select" and op.operands[0] is mask and same

    def _select(self, op: Op) -> Iterator[Diagnostic]:
        kind = _vector(op.results[0])
        if kind is not None:
            yield from self._element(op, op.name, kind.element.name)

    def _unsigned_extreme(self, op: Op) -> Iterator[Diagnostic]:
        """A maximum with zero is no op at all."""
        if op.name == "arith.maxui" and any(self._is_zero(value) for value in op.operands):
            return
        kind = _vector(op.results[0])
        assert kind is not None
        yield from self._element(op, op.name, kind.element.name)

    def _is_zero(self, value: Value) -> bool:
        made = self.made.get(value)
        if made is not None and made.name == "vector.broadcast":
            made = self.made.get(made.operands[0])
        found = None if made is None else _attr(made, "value")
        return isinstance(found, Dense) and found.value == 0

    def _reduction(self, op: Op) -> Iterator[Diagnostic]:
        kind, result = _vector(op.operands[0]), _vector(op.results[0])
        assert kind is not None
        yield from self._element(op, op.name, kind.element.name)
        last = len(kind.shape) - 1 in int_values(_attr(op, "reduction_dims"))
        if result is not None and len(result.shape) == 1 and last and self._turned(op):
            yield from self._gathers(op, f"the sum or extreme over the last axis of {kind.shape} into a row")

    def _reduce_index(self, op: Op) -> Iterator[Diagnostic]:
        kind = _vector(op.operands[0])
        assert kind is not None
        yield from self._element(op, op.name, kind.element.name)
        if len(kind.shape) - 1 in int_values(_attr(op, "axis")):
            yield from self._gathers_lanes(op, f"the place of an extreme along the lanes of {kind.shape}")

    def _gathers_lanes(self, op: Op, what: str) -> Iterator[Diagnostic]:
        if "lane_gather" not in self.chip.features:
            yield Diagnostic(
                "P608",
                f"{what} permutes lanes by computed indices, which {self.chip.name} cannot (tpu.dynamic_gather)",
                op.span,
                "search along rows instead: transpose first, or compare with an iota and reduce",
            )

    def _turned(self, op: Op) -> bool:
        """Whether a rank 1 result is stored as it is: a column has to be turned into a row."""
        stack = list(self.users.get(op.results[0], []))
        while stack:
            user = stack.pop()
            if user.name in ("tpu.vector_store", "vector.store"):
                return True
            if user.results and (t := _vector(user.results[0])) is not None and len(t.shape) == 1:
                stack.extend(self.users.get(user.results[0], []))
        return False

    def _gathers(self, op: Op, what: str) -> Iterator[Diagnostic]:
        if "sublane_gather" not in self.chip.features:
            yield Diagnostic(
                "P608",
                f"{what} moves data across sublanes, which {self.chip.name} cannot (tpu.dynamic_gather)",
                op.span,
                "keep the axis: keepdims=True, or a result of shape (rows, 1)",
            )

    def _gather(self, op: Op) -> Iterator[Diagnostic]:
        kind = _vector(op.results[0])
        assert kind is not None
        element, shape = kind.element.name, kind.shape
        if _bits(element) != 32:
            yield Diagnostic(
                "P608",
                f"a gather from {_said(element)} by int32 indices: indices and data have to be of one width "
                "(tpu.dynamic_gather)",
                op.span,
                "convert the data to 32 bits first",
                fixes=_convert(op, "int32" if element[0] == "i" else "float32", _said(element)),
            )
            return
        for dim in int_values(_attr(op, "dimensions")):
            size, unit = shape[dim], (self.chip.lanes if dim == len(shape) - 1 else self.chip.sublanes)
            if size > unit:
                yield Diagnostic(
                    "P608",
                    f"a gather along axis {dim} of {shape}: its {size} elements do not lie in one vector register, "
                    f"which has {unit} along that axis (tpu.dynamic_gather)",
                    op.span,
                    f"gather from pieces of {unit}, or multiply with a one-hot matrix",
                )
            elif dim == len(shape) - 2:
                yield from self._gathers(op, f"a gather along axis {dim} of {shape}")
            elif dim == len(shape) - 1:
                yield from self._gathers_lanes(op, f"a gather along axis {dim} of {shape}")

    def _rotate(self, op: Op) -> Iterator[Diagnostic]:
        kind = _vector(op.results[0])
        assert kind is not None
        element, rank = kind.element.name, len(kind.shape)
        (at,) = int_values(_attr(op, "dimension"))
        stride = _attr(op, "stride_dimension")
        if element == "i1":
            message, hint = "booleans are not rotated", "rotate an int32 and compare after"
        elif _bits(element) < 32 and (at == rank - 2 or stride is not None):
            message = f"{_said(element)} is not rotated along rows: its rows are packed into 32-bit words"
            hint = "convert to 32 bits, rotate, and convert back"
        elif stride is not None and "strided_rotate" not in self.chip.features:
            message, hint = f"{self.chip.name} has no strided rotation", "rotate row by row"
        else:
            return
        wide = "int32" if element[0] == "i" else "float32"
        fixes = () if at != rank - 2 and element != "i1" else _convert(op, wide, _said(element))
        yield Diagnostic("P608", f"{message} (tpu.dynamic_rotate)", op.span, hint, fixes=fixes)

    def _concatenate(self, op: Op) -> Iterator[Diagnostic]:
        kind = _vector(op.results[0])
        if kind is None:
            return
        (dim,) = int_values(_attr(op, "dimension"))
        back, bits = len(kind.shape) - dim, _bits(kind.element.name)
        if bits in (8, 16) and back == 2 and not masks(bits, self.chip):
            yield from self._joined_rows(op, kind)
        if bits != 1:
            return
        unit = {1: self.chip.lanes, 2: self.chip.sublanes}.get(back, 1)
        if any((t := _vector(v)) is not None and t.shape[dim] % unit for v in op.operands):
            yield Diagnostic(
                "P607",
                f"booleans are joined off the tiles of {unit} along axis {dim} (tpu.concatenate)",
                op.span,
                "join the numbers and compare after",
                fixes=_convert(op, "int32", "bool"),
            )

    def _joined_rows(self, op: Op, kind: VectorType) -> Iterator[Diagnostic]:
        """Packed rows joined off the large tile: pieces that begin inside a register and go on, or were cut there.

        Where no array lies in tiles that tall, it is pieces that begin inside 8 rows and fill more than a register.
        """
        dtype = BY_NAME[_said(kind.element.name)]
        by_register = TALL not in self.chip.features
        tall = tiling(kind.shape, dtype, self.chip).rows or 1
        if tall <= self.chip.sublanes and not by_register:
            return
        most = self.chip.sublanes * packing(dtype)
        at = 0
        for value in op.operands:
            piece, made = _vector(value), self.made.get(value)
            assert piece is not None
            rows = piece.shape[-2]
            cut = made is not None and made.name == "vector.extract_strided_slice"
            off = cut and made is not None and int_values(_attr(made, "offsets"))[-2] % tall != 0
            inside = at % self.chip.sublanes
            long = rows > most if by_register else inside + rows > self.chip.sublanes
            if (inside and long) or (off and not by_register):
                yield Diagnostic(
                    "P607",
                    f"{_said(kind.element.name)} rows are joined off the tiles of {tall} rows; {self.chip.name} cannot "
                    f"mask {_bits(kind.element.name)}-bit rows (tpu.concatenate)",
                    op.span,
                    "join pieces that are multiples of the tile, or convert to a wider dtype first",
                )
                return
            at += rows

    def _slice(self, op: Op) -> Iterator[Diagnostic]:
        kind = _vector(op.operands[0])
        offsets = int_values(_attr(op, "offsets"))
        assert kind is not None
        bits = _bits(kind.element.name)
        if len(kind.shape) < 2 or bits > 16 or bits == 1:
            return
        row, after = offsets[-2], _vector(op.results[0])
        if after is None or after.shape[-2] == 1 or kind.shape[-2] <= self.chip.sublanes:
            return
        dtype = BY_NAME[_said(kind.element.name)]
        crosses = crosses_registers(row, after.shape[-2], dtype, self.chip)
        if crosses and not masks(bits, self.chip) and not self._widened(op.results[0]):
            yield Diagnostic(
                "P607",
                f"a slice of {_said(kind.element.name)} at row {row}, inside a tile; {self.chip.name} cannot shift "
                f"{bits}-bit rows into place (vector.extract_strided_slice)",
                op.span,
                "slice at a multiple of the tile's rows, or convert to a wider dtype first",
                fixes=_convert(op, "int32", _said(kind.element.name)),
            )

    def _widened(self, value: Value) -> bool:
        """Whether all that is done with a value is to transpose it or to convert it to 32 bits: the compiler widens it
        first."""
        users = self.users.get(value, [])
        return bool(users) and all(
            user.name == "tpu.transpose"
            or (user.name in _CASTS and (t := _vector(user.results[0])) is not None and _bits(t.element.name) == 32)
            for user in users
        )

    def _reshape(self, op: Op) -> Iterator[Diagnostic]:
        value, made = op.operands[0], self.made.get(op.operands[0])
        while made is not None and made.name == op.name:  # the compiler makes one reshape of several
            value, made = made.operands[0], self.made.get(made.operands[0])
        before, after = _vector(value), _vector(op.results[0])
        if before is None or after is None or before.shape == after.shape or not before.shape or not after.shape:
            return
        element, lanes = before.element.name, self.chip.lanes
        old, new = before.shape[-1], after.shape[-1]
        said = f"{before.shape} to {after.shape}"
        if element == "i1" and old != new:
            yield Diagnostic(
                "P607",
                f"booleans are reshaped from {said}, which changes their last axis (tpu.reshape)",
                op.span,
                "reshape the numbers and compare after, or compare an iota of the final shape",
                fixes=_convert(op, "int32", "bool"),
            )
            return
        if old == new > 1 and len(before.shape) == 1 and self._column(op.operands[0]):
            yield from self._gathers(op, f"the reshape of the column {said}")
        if old == new or prod(before.shape) == 1:
            return
        needs = reshape_needs(before.shape, after.shape, _bits(element), lanes)
        if len(before.shape) == 1 and self._column(op.operands[0]):
            return
        if needs == "never":
            yield Diagnostic(
                "P607",
                f"no chip reshapes from {said}: rows are cut or joined while lanes are (tpu.reshape)",
                op.span,
                "cut or join the last axis alone, as (8, 256) to (8, 4, 64), or keep its sizes multiples of "
                f"{lanes}; or reshape outside the kernel",
            )
        elif needs == "sublane_gather" and old == 1:
            if len(after.shape) > 1 or self._turned(op):
                yield from self._gathers(op, f"the reshape of {said}")
        elif needs is not None and needs not in self.chip.features:
            yield self._relayout(op, element, said)

    def _column(self, value: Value) -> bool:
        """Whether a rank 1 value runs along sublanes already: it was reduced over lanes."""
        made = self.made.get(value)
        axes = _REDUCED.get("" if made is None else made.name)
        if made is not None and axes is not None:
            kind = _vector(made.operands[0])
            return kind is not None and len(kind.shape) - 1 in int_values(_attr(made, axes))
        if made is None or made.name.partition(".")[0] not in ("arith", "math", "vector"):
            return False
        return any(self._column(operand) for operand in made.operands if _vector(operand) is not None)

    def _relayout(self, op: Op, element: str, said: str) -> Diagnostic:
        return Diagnostic(
            "P607",
            f"{self.chip.name} does not reshape {_said(element)} from {said} (tpu.reshape)",
            op.span,
            "convert to float32 first" if _bits(element) < 32 else "reshape outside the kernel, or copy piece by piece",
            fixes=_convert(op, "float32", _said(element)) if _bits(element) < 32 else (),
        )

    def _iota(self, op: Op) -> Iterator[Diagnostic]:
        kind = _vector(op.results[0])
        assert kind is not None
        yield from self._element(op, op.name, kind.element.name)

    def _unpack(self, op: Op) -> Iterator[Diagnostic]:
        kind = _vector(op.results[0])
        assert kind is not None
        if not self.abilities.takes(op.name, kind.element.name):
            yield Diagnostic(
                "P601",
                f"{self.chip.name} does not unpack words into {_said(kind.element.name)} ({op.name})",
                op.span,
                "shift the words to the left, and take their bits for a float: jax.lax.bitcast_convert_type",
            )

    def _extract(self, op: Op) -> Iterator[Diagnostic]:
        return iter(())  # scalars read from a ref are judged where the ref is known

    def _matmul(self, op: Op) -> Iterator[Diagnostic]:
        lhs, rhs, start = (_vector(value) for value in op.operands)
        assert lhs is not None and rhs is not None and start is not None
        names = (lhs.element.name, rhs.element.name, start.element.name)
        rows = [(row.lhs.mlir, row.rhs.mlir, row.accumulator.mlir) for row in self.chip.matmuls]
        if names not in rows:
            if any(self._unseen(name) for name in names[:2]) and "i1" not in names:
                return
            left = [_said(b) for a, b, c in rows if (a, c) == (names[0], names[2])]
            accepted = ", ".join(dict.fromkeys(left))
            hint = f"with {_said(names[0])} and {_said(names[2])} it takes {accepted}" if left else _native(self.chip)
            yield Diagnostic(
                "P603",
                f"the matrix unit path of {self.chip.name} does not multiply {_said(names[0])} by {_said(names[1])} "
                f"into {_said(names[2])} (tpu.matmul)",
                op.span,
                hint,
                fixes=self._as_product(op, names),
            )
            return
        precision = _attr(op, "precision")
        if isinstance(precision, Raw) and "fp32" in precision.text and "f32" not in names[:2]:
            yield Diagnostic(
                "P603",
                f"precision HIGHEST splits float32 operands; {_said(names[0])} has nothing to split (tpu.matmul)",
                op.span,
                "leave the precision out",
            )
        if len(rhs.shape) == 1 and len(lhs.shape) > 1:
            yield from self._gathers(op, "a product with a vector on the right")


def converted_products(module: Module, chip: Chip) -> tuple[str, ...]:
    """Products that the chip's compiler accepts though its matrix unit has no such mode, each pair of dtypes once."""
    native = {(row.lhs.mlir, row.rhs.mlir, row.accumulator.mlir): row.native for row in chip.matmuls}
    found: dict[str, None] = {}
    for op in walk_ops(module.funcs[0].body):
        kinds = [_vector(value) for value in op.operands] if op.name == "tpu.matmul" else []
        names = tuple(kind.element.name for kind in kinds if kind is not None)
        if len(names) == 3 and native.get((names[0], names[1], names[2])) is False:
            found.setdefault(f"{_said(names[0])} by {_said(names[1])} into {_said(names[2])}")
    return tuple(found)


def _convert(op: Op, between: str, back: str) -> tuple[Fix, ...]:
    """The fix that does an op in another dtype; none where the op comes from no text."""
    return () if op.span.source is None else (Fix("convert", key=back, value=between, span=op.span),)


def _native(chip: Chip) -> str:
    pairs = dict.fromkeys(f"{m.lhs.name} x {m.rhs.name} -> {m.accumulator.name}" for m in chip.matmuls if m.native)
    return f"natively it takes {', '.join(list(pairs)[:6])}"


_RULES: dict[str, Callable[[_Checker, Op], Iterator[Diagnostic]]] = {
    "arith.cmpi": _Checker._compare,
    "arith.cmpf": lambda self, op: self._element(op, op.name, _element_of(op.operands[0])),
    "arith.select": _Checker._select,
    "arith.maxui": _Checker._unsigned_extreme,
    "arith.minui": _Checker._unsigned_extreme,
    "vector.multi_reduction": _Checker._reduction,
    "tpu.reduce_index": _Checker._reduce_index,
    "tpu.weird": lambda self, op: self._element(op, op.name, _element_of(op.operands[0])),
    "tpu.dynamic_gather": _Checker._gather,
    "tpu.dynamic_rotate": _Checker._rotate,
    "tpu.concatenate": _Checker._concatenate,
    "vector.extract_strided_slice": _Checker._slice,
    "vector.shape_cast": _Checker._reshape,
    "vector.extract": _Checker._extract,
    "tpu.iota": _Checker._iota,
    "tpu.unpack_elementwise": _Checker._unpack,
    "tpu.matmul": _Checker._matmul,
}


def _element_of(value: Value) -> str:
    return value.type.name if isinstance(value.type, ScalarType) else value.type.element.name
