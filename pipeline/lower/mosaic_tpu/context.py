"""What lowering rules work with: the op list under construction, the values of a jaxpr's variables, the target's facts.

Rules are functions of a table (`Rules`), one table an op family; `merge` joins them. A rule raises `Unsupported` for
what the target cannot express; the driver notes it at the equation's place and goes on, so that all are reported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, Union

from pipeline.errors import NOWHERE, Diagnostic, Span
from pipeline.ir.jaxpr import Atom, Eqn, Jaxpr, Literal, Param, Prim, ShapedArray, Var
from pipeline.ir.module import Attr, Dense, IntArray, Op, Region, ScalarType, Type, TypedInt, Value, VectorType
from pipeline.lower.equations import OP_LIMIT as OP_LIMIT
from pipeline.lower.equations import TooLarge as TooLarge
from pipeline.lower.equations import Unsupported as Unsupported
from pipeline.lower.equations import ints as ints
from pipeline.lower.equations import is_bool as is_bool
from pipeline.lower.equations import out_aval as out_aval
from pipeline.lower.equations import ref_aval as ref_aval
from pipeline.lower.equations import shaped as shaped
from pipeline.lower.mosaic_tpu.types import aval_type, scalar_type

Operand = Union[Value, Literal]  # a literal becomes a constant where its rule wants one
Dims = tuple[Union[int, None], ...]  # a ref's dimensions as its memref has them; None: squeezed out of the ref

TRACE_LEVEL = 10  # at which named scopes are traced


class Target(Protocol):
    """What of a chip the lowering depends on."""

    @property
    def generation(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Form:
    """Which of JAX's two spellings of a module is wanted.

    mesh_casts: JAX compares the avals of an access and of its ref, devices of the mesh included. With an abstract
        device in the mesh, which is how one lowers without a TPU, only outputs' avals carry it; loads from outputs and
        stores to all other refs in VMEM then get shape casts to the same shape. Without such a mesh there are none.
        The casts mean nothing to the compiler.
    """

    mesh_casts: bool = True


class Rule(NamedTuple):
    """How one primitive is lowered. `literals`: the rule makes constants of literals itself, in an order of its own."""

    lower: Callable[[LowerContext, Eqn, Sequence[Operand]], Sequence[Value]]
    literals: bool = False


Rules = Mapping[Prim, Rule]


def merge(*tables: Rules) -> dict[Prim, Rule]:
    """One table of several; two rules for one primitive are a bug."""
    merged: dict[Prim, Rule] = {}
    for table in tables:
        for prim, rule in table.items():
            if prim in merged:
                raise AssertionError(f"two lowering rules for {prim.value}")
            merged[prim] = rule
    return merged


class LowerContext:
    """The state of lowering one function."""

    def __init__(self, rules: Rules, target: Target, form: Form, grid_indices: Sequence[Value] = ()) -> None:
        self.rules = rules
        self.generation = target.generation
        self.form = form
        self.grid_indices = tuple(grid_indices)
        self.ops: list[Op] = []
        self.span: Span = NOWHERE
        self.dims: dict[Value, Dims] = {}  # of refs whose memref keeps squeezed dimensions
        self.outputs: set[Value] = set()  # refs of the call's outputs, and views of them
        self.known: dict[Value, int] = {}  # scalars whose value is known here
        self.problems: list[Diagnostic] = []
        self.count = 0

    # --- emitting -------------------------------------------------------------------------------------------------

    def emit(
        self,
        name: str,
        operands: tuple[Value, ...],
        type_: Type,
        attrs: tuple[tuple[str, Attr], ...] = (),
        regions: tuple[Region, ...] = (),
    ) -> Value:
        """Append an op with one result."""
        result = Value(type_)
        self.append(Op(name, operands, (result,), attrs, regions, self.span))
        return result

    def emit_many(
        self,
        name: str,
        operands: tuple[Value, ...],
        types: Iterable[Type] = (),
        attrs: tuple[tuple[str, Attr], ...] = (),
        regions: tuple[Region, ...] = (),
    ) -> tuple[Value, ...]:
        """Append an op with any number of results."""
        results = tuple(Value(type_) for type_ in types)
        self.append(Op(name, operands, results, attrs, regions, self.span))
        return results

    def append(self, op: Op) -> None:
        self.count += 1
        if self.count > OP_LIMIT:
            raise TooLarge
        self.ops.append(op)

    def constant(self, value: bool | int | float, type_: Type) -> Value:
        """`arith.constant`, a scalar or (for a vector type) a splat."""
        element = type_ if isinstance(type_, ScalarType) else type_.element
        shown = _wrap(value, element.name)
        result = self.emit("arith.constant", (), type_, (("value", Dense(shown, type_)),))
        if isinstance(type_, ScalarType) and isinstance(shown, int) and not isinstance(shown, bool):
            self.known[result] = shown
        return result

    def literal(self, literal: Literal) -> Value:
        return self.constant(literal.value, scalar_type(literal.aval.dtype))

    def value(self, operand: Operand) -> Value:
        """The operand as a value; a literal becomes a constant here."""
        return self.literal(operand) if isinstance(operand, Literal) else operand

    def broadcast(self, value: Value, shape: tuple[int, ...]) -> Value:
        """`vector.broadcast` to `shape`, whether or not that changes anything."""
        element = value.type if isinstance(value.type, ScalarType) else value.type.element
        return self.emit("vector.broadcast", (value,), VectorType(shape, element))

    def shape_cast(self, value: Value, shape: tuple[int, ...]) -> Value:
        if not isinstance(value.type, VectorType):
            raise Unsupported("L102", "a scalar cannot be reshaped", "broadcast it to a vector first")
        return self.emit("vector.shape_cast", (value,), VectorType(shape, value.type.element))

    def extract_scalar(self, value: Value) -> Value:
        """The one element of a vector of ones."""
        if not isinstance(value.type, VectorType):
            raise Unsupported("L102", "a scalar has no elements to extract")
        position = tuple(0 for _ in value.type.shape)
        return self.emit("vector.extract", (value,), value.type.element, (("position", IntArray(position)),))

    def region(self, args: tuple[Value, ...], build: Callable[[], None]) -> Region:
        """The region whose ops `build` emits."""
        outer = self.ops
        self.ops = []
        try:
            build()
            return Region(args, tuple(self.ops))
        finally:
            self.ops = outer

    # --- lowering -------------------------------------------------------------------------------------------------

    def inline(self, jaxpr: Jaxpr, args: Sequence[Value]) -> list[Value]:
        """Emit `jaxpr` with its binders bound to `args`; its results."""
        env: dict[Var, Value] = dict(zip(jaxpr.invars, args, strict=True))
        scopes: tuple[str, ...] = ()
        for eqn in jaxpr.eqns:
            self.span = eqn.span
            operands: Sequence[Operand] = [_read(env, atom) for atom in eqn.inputs]
            rule = self.rules.get(eqn.prim)
            if rule is not None and not rule.literals:
                operands = [self.literal(x) if isinstance(x, Literal) else x for x in operands]
            if eqn.scopes != scopes:
                self._change_scopes(scopes, eqn.scopes)
                scopes = eqn.scopes
            env.update(zip(eqn.outputs, self._lower_eqn(eqn, operands), strict=True))
        self._change_scopes(scopes, ())
        return [self.value(_read(env, atom)) for atom in jaxpr.outvars]

    def _change_scopes(self, before: tuple[str, ...], after: tuple[str, ...]) -> None:
        """Trace events: an end for each scope left, a start for each one entered."""
        common = 0
        while common < min(len(before), len(after)) and before[common] == after[common]:
            common += 1
        for _ in before[common:]:
            self.emit_many("tpu.trace_stop", ())
        for name in after[common:]:
            attrs = (("level", TypedInt(TRACE_LEVEL, "i32")), ("message", name))
            self.emit_many("tpu.trace_start", (), (), attrs)

    def _lower_eqn(self, eqn: Eqn, operands: Sequence[Operand]) -> Sequence[Value]:
        rule = self.rules.get(eqn.prim)
        if rule is None:
            return self._stand_in(eqn)  # reported before lowering starts, all at once
        try:
            for out in eqn.outputs:
                if 0 in out.aval.shape:
                    raise Unsupported(
                        "L102", f"a value of type {out.aval} has no Mosaic form: vectors are not empty", "leave it out"
                    )
            return rule.lower(self, eqn, operands)
        except Unsupported as error:
            self.problems.append(Diagnostic(error.code, error.message, eqn.span, error.hint))
            return self._stand_in(eqn)

    def apply(self, prim: Prim, out: ShapedArray, *operands: tuple[Operand, ShapedArray], **params: Param) -> Value:
        """Lower one equation that is not in the kernel: a step of a rule that is itself written in primitives."""
        atoms = tuple(x if isinstance(x, Literal) else Var(aval) for x, aval in operands)
        eqn = Eqn(prim, atoms, (Var(out),), tuple(sorted(params.items())), self.span)
        rule = self.rules[prim]
        values: Sequence[Operand] = [x for x, _ in operands]
        if not rule.literals:
            values = [self.value(x) for x in values]
        (result,) = rule.lower(self, eqn, values)
        return result

    def _stand_in(self, eqn: Eqn) -> list[Value]:
        """Values of the right types for an equation that could not be lowered, so that the rest can be looked at."""
        return [Value(aval_type(var.aval)) for var in eqn.outputs]


def _read(env: Mapping[Var, Value], atom: Atom) -> Operand:
    return atom if isinstance(atom, Literal) else env[atom]


_WIDTHS = {"i4": 4, "i8": 8, "i16": 16, "i32": 32, "i64": 64}


def _wrap(value: bool | int | float, element: str) -> bool | int | float:
    """Integers of signless types are shown as signed."""
    if element == "i1":
        return bool(value)
    width = _WIDTHS.get(element)
    if width is None:
        return value
    number = int(value) & ((1 << width) - 1)
    return number - (1 << width) if number >> (width - 1) else number
