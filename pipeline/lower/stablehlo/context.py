"""What StableHLO rules work with: the op list under construction, values, and cells for refs.

A ref becomes a `Cell`, whose value is the tensor that it holds at this point of the program: a store gives it another
one. Where a region may store, the cells it stores to travel through the op's results, or through the loop's carry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Union

from pipeline.dtypes import BOOL, DType
from pipeline.dtypes import I32 as INT32
from pipeline.errors import NOWHERE, Diagnostic, Span
from pipeline.ir.jaxpr import Atom, Eqn, Jaxpr, Literal, Prim, RefAval, ShapedArray, Var
from pipeline.ir.module import Attr, Dense, IntArray, Op, Raw, Region, TensorType, Type, Value
from pipeline.lower.equations import OP_LIMIT, TooLarge, Unsupported
from pipeline.lower.stablehlo.types import element_type, tensor, tensor_type, uninitialised


class Cell:
    """A ref: what it holds now. `value` is None for a semaphore that nobody reads."""

    __slots__ = ("dtype", "shape", "value")

    def __init__(self, shape: tuple[int, ...], dtype: DType, value: Value | None) -> None:
        self.shape = shape
        self.dtype = dtype
        self.value = value

    def get(self) -> Value:
        assert self.value is not None, "a semaphore's count where none is kept"
        return self.value


Operand = Union[Value, Literal, Cell]
Rule = Callable[["LowerContext", Eqn, Sequence[Operand]], Sequence[Value]]
Rules = Mapping[Prim, Rule]


def merge(*tables: Rules) -> dict[Prim, Rule]:
    """One table of several; two rules for one primitive are a bug."""
    merged: dict[Prim, Rule] = {}
    for table in tables:
        for prim, rule in table.items():
            assert prim not in merged, f"two StableHLO rules for {prim.value}"
            merged[prim] = rule
    return merged


class LowerContext:
    """The state of lowering one function. `counts` says whether semaphores are kept as counters."""

    def __init__(self, rules: Rules, grid: tuple[int, ...], counts: bool) -> None:
        self.rules = rules
        self.grid = grid
        self.counts = counts
        self.program_ids: tuple[Value, ...] = ()
        self.ops: list[Op] = []
        self.span: Span = NOWHERE
        self.problems: list[Diagnostic] = []
        self.count = 0
        self.makers: dict[Value, Op] = {}  # by result, of ops with one
        self.naturals: set[Value] = set()  # integers seen not to be negative (`starts.py`)
        self._constants: dict[tuple[str, Type], Value] = {}  # of the region under construction

    # --- emitting -------------------------------------------------------------------------------------------------

    def emit(
        self,
        name: str,
        operands: Sequence[Value],
        type_: Type,
        attrs: tuple[tuple[str, Attr], ...] = (),
        regions: tuple[Region, ...] = (),
    ) -> Value:
        """Append `stablehlo.name` (or an op of another dialect, by its full name) with one result."""
        (result,) = self.emit_many(name, operands, (type_,), attrs, regions)
        return result

    def emit_many(
        self,
        name: str,
        operands: Sequence[Value],
        types: Iterable[Type] = (),
        attrs: tuple[tuple[str, Attr], ...] = (),
        regions: tuple[Region, ...] = (),
    ) -> tuple[Value, ...]:
        """The same with any number of results."""
        self.count += 1
        if self.count > OP_LIMIT:
            raise TooLarge
        results = tuple(Value(type_) for type_ in types)
        full = name if "." in name else f"stablehlo.{name}"
        op = Op(full, tuple(operands), results, attrs, regions, self.span)
        self.ops.append(op)
        if len(results) == 1:
            self.makers[results[0]] = op
        return results

    def constant(self, value: bool | int | float, type_: TensorType) -> Value:
        """A constant, a splat where `type_` has a shape; one of each in a region."""
        key = (repr(value), type_)
        found = self._constants.get(key)
        if found is None:
            found = self._constants[key] = self.emit("constant", (), type_, (("value", Dense(value, type_)),))
        return found

    def integer(self, value: int) -> Value:
        """A scalar i32."""
        return self.constant(value, tensor((), INT32))

    def full(self, value: bool | int | float, aval: ShapedArray) -> Value:
        return self.constant(float(value) if aval.dtype.is_float else value, tensor_type(aval))

    def value(self, operand: Operand, shape: tuple[int, ...] | None = None) -> Value:
        """An operand that is no ref, as a value; broadcast to `shape` by NumPy's rule where one is given."""
        assert not isinstance(operand, Cell), "a ref where a value belongs"
        if isinstance(operand, Literal):
            return self.full(operand.value, ShapedArray(shape or (), operand.aval.dtype))
        if shape is None:
            return operand
        rank = len(shape_of(operand))
        return self.broadcast(operand, shape, tuple(range(len(shape) - rank, len(shape))))

    def broadcast(self, value: Value, shape: tuple[int, ...], dims: tuple[int, ...] = ()) -> Value:
        """`value`, whose axes become axes `dims` of the result; nothing to do where it has the shape already."""
        own = shape_of(value)
        if own == shape and dims in ((), tuple(range(len(shape)))):
            return value
        assert len(own) == len(dims), f"{own} broadcast to {shape}"
        return self.emit("broadcast_in_dim", (value,), like(value, shape), (("dims", IntArray(dims)),))

    def reshape(self, value: Value, shape: tuple[int, ...]) -> Value:
        return value if shape_of(value) == shape else self.emit("reshape", (value,), like(value, shape))

    def convert(self, value: Value, dtype: DType) -> Value:
        """`stablehlo.convert`, unless the value has that dtype."""
        type_ = tensor(shape_of(value), dtype)
        return value if value.type == type_ else self.emit("convert", (value,), type_)

    def compare(self, direction: str, x: Value, y: Value, dtype: DType) -> Value:
        """Booleans of the operands' shape; `dtype` is the operands'."""
        kind = "FLOAT" if dtype.is_float else "SIGNED" if dtype.is_integer and dtype.is_signed else "UNSIGNED"
        attrs = (("compare_type", Raw(kind)), ("comparison_direction", Raw(direction)))
        return self.emit("compare", (x, y), TensorType(shape_of(x), element_type(BOOL)), attrs)

    def iota(self, shape: tuple[int, ...], axis: int, dtype: DType = INT32) -> Value:
        return self.emit("iota", (), tensor(shape, dtype), (("dim", Raw(str(axis))),))

    def slice(
        self, value: Value, starts: Sequence[int], limits: Sequence[int], strides: Sequence[int] | None = None
    ) -> Value:
        """A static slice; the value itself where that is all of it."""
        strides = [1] * len(starts) if strides is None else strides
        shape = tuple(-(-(b - a) // s) for a, b, s in zip(starts, limits, strides, strict=True))
        if shape == shape_of(value):
            return value
        attrs = (
            ("limits", IntArray(tuple(limits))),
            ("starts", IntArray(tuple(starts))),
            ("strides", IntArray(tuple(strides))),
        )
        return self.emit("slice", (value,), like(value, shape), attrs)

    def dynamic_slice(self, value: Value, starts: Sequence[Value], sizes: tuple[int, ...]) -> Value:
        return self.emit("dynamic_slice", (value, *starts), like(value, sizes), (("sizes", IntArray(sizes)),))

    def update_slice(self, value: Value, update: Value, starts: Sequence[Value]) -> Value:
        return self.emit("dynamic_update_slice", (value, update, *starts), value.type)

    def concatenate(self, values: Sequence[Value], axis: int) -> Value:
        shape = list(shape_of(values[0]))
        shape[axis] = sum(shape_of(value)[axis] for value in values)
        type_ = like(values[0], tuple(shape))
        return self.emit("concatenate", values, type_, (("dim", Raw(str(axis))),))

    def pad(
        self, value: Value, fill: Value, low: Sequence[int], high: Sequence[int], interior: Sequence[int] | None = None
    ) -> Value:
        """`stablehlo.pad`; the value itself where nothing is added."""
        between = [0] * len(low) if interior is None else interior
        shape = tuple(
            n + a + b + max(n - 1, 0) * c for n, a, b, c in zip(shape_of(value), low, high, between, strict=True)
        )
        if not (any(low) or any(high) or any(between)):
            return value
        attrs = (
            ("high", IntArray(tuple(high))),
            ("interior", IntArray(tuple(between))),
            ("low", IntArray(tuple(low))),
        )
        return self.emit("pad", (value, fill), like(value, shape), attrs)

    def unset(self, shape: tuple[int, ...], dtype: DType) -> Value:
        """Memory that nobody has written."""
        return self.constant(uninitialised(dtype), tensor(shape, dtype))

    # --- regions --------------------------------------------------------------------------------------------------

    def region(
        self, args: tuple[Value, ...], build: Callable[[], Sequence[Value]], cells: Sequence[Cell] = ()
    ) -> Region:
        """The region whose ops `build` emits; it returns what `build` gives, then what `cells` hold at its end."""
        outer, constants, held, span = self.ops, self._constants, [cell.value for cell in cells], self.span
        self.ops, self._constants = [], {}
        try:
            results = [*build(), *(cell.get() for cell in cells)]
            self.emit_many("return", results)
            return Region(args, tuple(self.ops))
        finally:
            self.ops, self._constants, self.span = outer, constants, span
            for cell, value in zip(cells, held, strict=True):
                cell.value = value

    def while_loop(
        self,
        carry: Sequence[Value],
        cells: Sequence[Cell],
        test: Callable[[tuple[Value, ...]], Value],
        step: Callable[[tuple[Value, ...]], Sequence[Value]],
    ) -> tuple[Value, ...]:
        """`stablehlo.while` that carries `carry` and what `cells` hold; leaves the cells with what they end with."""
        start = (*carry, *(cell.get() for cell in cells))
        before, after = (tuple(Value(value.type) for value in start) for _ in range(2))
        count = len(carry)

        def condition() -> Sequence[Value]:
            for cell, value in zip(cells, before[count:], strict=True):
                cell.value = value
            return (test(before[:count]),)

        def body() -> Sequence[Value]:
            for cell, value in zip(cells, after[count:], strict=True):
                cell.value = value
            return step(after[:count])

        held = [cell.value for cell in cells]
        checked = self.region(before, condition)
        for cell, old in zip(cells, held, strict=True):
            cell.value = old
        results = self.emit_many(
            "while", start, [v.type for v in start], (), (checked, self.region(after, body, cells))
        )
        for cell, value in zip(cells, results[count:], strict=True):
            cell.value = value
        return results[:count]

    # --- lowering -------------------------------------------------------------------------------------------------

    def inline(self, jaxpr: Jaxpr, args: Sequence[Operand]) -> list[Value]:
        """Emit `jaxpr` with its binders bound to `args`; its results."""
        env: dict[Var, Operand] = dict(zip(jaxpr.invars, args, strict=True))

        def read(atom: Atom) -> Operand:
            return atom if isinstance(atom, Literal) else env[atom]

        for eqn in jaxpr.eqns:
            self.span = eqn.span
            env.update(zip(eqn.outputs, self._lower_eqn(eqn, [read(atom) for atom in eqn.inputs]), strict=True))
        return [self.value(read(atom)) for atom in jaxpr.outvars]

    def _lower_eqn(self, eqn: Eqn, operands: Sequence[Operand]) -> Sequence[Value]:
        try:
            rule = self.rules.get(eqn.prim)  # a missing one is reported before lowering starts, all at once
            if rule is not None:
                return rule(self, eqn, operands)
        except Unsupported as error:
            self.problems.append(Diagnostic(error.code, error.message, eqn.span, error.hint))
        return [Value(tensor(var.aval.shape, var.aval.dtype)) for var in eqn.outputs]


def cell_for(ctx: LowerContext, aval: RefAval) -> Cell:
    """A new ref to uninitialised memory; a semaphore's count is kept only where somebody reads one."""
    if aval.dtype.is_semaphore and not ctx.counts:
        return Cell(aval.shape, aval.dtype, None)
    return Cell(aval.shape, aval.dtype, ctx.unset(aval.shape, aval.dtype))


def like(value: Value, shape: tuple[int, ...]) -> TensorType:
    """The value's type with another shape."""
    assert isinstance(value.type, TensorType)
    return TensorType(shape, value.type.element)


def shape_of(value: Value) -> tuple[int, ...]:
    assert isinstance(value.type, TensorType)
    return value.type.shape
