"""Traced values (`Tracer`, `RefTracer`) and `Builder`, which collects equations into nested jaxprs.

The evaluator keeps `Builder.span` at the expression it is evaluating; every equation and every error takes
its place in the source from there. What functions and operators expand to is `surface/`; shape and dtype
rules are `types/`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NoReturn, Union

from pipeline.dtypes import DType
from pipeline.errors import NOWHERE, Span, SpecError
from pipeline.ir.jaxpr import (
    Arg,
    Atom,
    Aval,
    Eqn,
    Index,
    Jaxpr,
    Literal,
    MemorySpace,
    NDIndexer,
    Param,
    Prim,
    RefAval,
    RefBitcast,
    RefReshape,
    ShapedArray,
    Slice,
    Transform,
    Transforms,
    Var,
)
from pipeline.trace.tree import Named, TreeDef, flatten
from pipeline.trace.types import rules
from pipeline.trace.types.common import round_float

MAX_EQUATIONS = 50_000
MAX_ELEMENTS = 2**40  # of one array; nothing real is near it, and sizes stay printable
MAX_RANK = 16
MAX_DEPTH = 60  # of nested jaxprs


class Tracer:
    """A value known at run time only: an array or a scalar, by its aval.

    `home` is set for a literal that a kernel's author has made (`jnp.float32(0)`): the scope it was made in. Like
    JAX, a nested jaxpr takes such a value from outside as an operand, whereas a Python number is just a number.
    """

    __slots__ = ("atom", "home")

    def __init__(self, atom: Atom) -> None:
        self.atom = atom
        self.home: _Scope | None = None

    @property
    def aval(self) -> ShapedArray:
        aval = self.atom.aval
        assert isinstance(aval, ShapedArray)
        return aval

    @property
    def shape(self) -> tuple[int, ...]:
        return self.aval.shape

    @property
    def dtype(self) -> DType:
        return self.aval.dtype

    @property
    def weak_type(self) -> bool:
        return self.aval.weak_type

    @property
    def ndim(self) -> int:
        return len(self.aval.shape)

    @property
    def size(self) -> int:
        return self.aval.size

    def __repr__(self) -> str:
        return f"Tracer<{self.aval}>"


class Typed(float):
    """A static float that keeps its dtype, as `jnp.finfo(dtype).max` does: NumPy's scalars are not weakly typed.

    So does what Python's arithmetic makes of it; of two dtypes the left one's.
    """

    dtype: DType

    def __new__(cls, value: float, dtype: DType) -> Typed:
        found = super().__new__(cls, round_float(float(value), dtype))
        found.dtype = dtype
        return found


def _kept(plain: Callable[..., object]) -> Callable[..., object]:
    def method(self: Typed, *others: object) -> object:
        result = plain(self, *others)
        return Typed(result, self.dtype) if isinstance(result, float) else result

    return method


for _sign in ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow"]:
    for _name in (f"__{_sign}__", f"__r{_sign}__"):
        setattr(Typed, _name, _kept(float.__dict__[_name]))
for _name in ("__neg__", "__pos__", "__abs__"):
    setattr(Typed, _name, _kept(float.__dict__[_name]))


class PendingSlice:
    """`pl.ds(start, size, stride)` whose start or size may be traced."""

    __slots__ = ("size", "start", "stride")

    def __init__(self, start: int | Tracer, size: int | Tracer, stride: int = 1) -> None:
        self.start = start
        self.size = size
        self.stride = stride


PendingIndex = Union[int, Tracer, PendingSlice]


class PendingIndexer:
    """An `NDIndexer` before its dynamic parts have become operands of an equation."""

    __slots__ = ("indices",)

    def __init__(self, indices: tuple[PendingIndex, ...]) -> None:
        self.indices = indices


PendingTransform = Union[PendingIndexer, RefReshape, RefBitcast]


class RefTracer:
    """A ref, or a view of one: the binder `var` with `transforms` still to be applied; `aval` is the view's."""

    __slots__ = ("aval", "transforms", "var")

    def __init__(self, var: Var, aval: RefAval, transforms: tuple[PendingTransform, ...] = ()) -> None:
        self.var = var
        self.aval = aval
        self.transforms = transforms

    @property
    def shape(self) -> tuple[int, ...]:
        return self.aval.inner.shape

    @property
    def dtype(self) -> DType:
        return self.aval.inner.dtype

    @property
    def ndim(self) -> int:
        return len(self.aval.inner.shape)

    @property
    def size(self) -> int:
        return self.aval.inner.size

    @property
    def space(self) -> MemorySpace:
        return self.aval.space

    def view(self, transform: PendingTransform, shape: tuple[int, ...], dtype: DType | None = None) -> RefTracer:
        """This ref with one more transform, which gives it `shape` (and `dtype`)."""
        inner = ShapedArray(shape, dtype or self.aval.inner.dtype)
        return RefTracer(self.var, RefAval(inner, self.aval.space), (*self.transforms, transform))

    def __repr__(self) -> str:
        return f"RefTracer<{self.aval}>"


Outer = Union[Var, Tracer]  # a value of an enclosing scope: a var, or a literal tracer


class Inner:
    """A nested jaxpr, just traced.

    jaxpr:  binders are `consts` first (values of enclosing jaxprs, in order of first use), then the arguments.
    consts: those values as the enclosing jaxprs know them.
    outs:   avals of the results; `tree` is the structure of what the function returned.
    """

    __slots__ = ("consts", "jaxpr", "outs", "tree")

    def __init__(self, jaxpr: Jaxpr, consts: tuple[Outer, ...], outs: tuple[ShapedArray, ...], tree: TreeDef) -> None:
        self.jaxpr = jaxpr
        self.consts = consts
        self.outs = outs
        self.tree = tree


class _Scope:
    __slots__ = ("consts", "eqns", "invars", "names", "what")

    def __init__(self, what: str) -> None:
        self.what = what
        self.names: tuple[str, ...] = ()  # named scopes entered here; a nested jaxpr starts without any
        self.invars: list[Var] = []
        self.consts: dict[Outer, Var] = {}  # a value of an enclosing scope -> its binder here
        self.eqns: list[Eqn] = []


class Builder:
    """Collects equations. `grid` is the grid of the kernel call, None inside an index map's own trace; an axis of
    it that is None has a size known at run time only.

    Every function of `surface/` takes the builder as its first argument, there called `ctx`.
    """

    def __init__(self, grid: tuple[int | None, ...] | None = (), max_equations: int = MAX_EQUATIONS) -> None:
        self.span: Span = NOWHERE
        self.grid = grid
        # index and size along each axis of the grid inside the kernel that is being traced, if one is
        self.axes: tuple[tuple[int | Tracer, int], ...] | None = None
        self.checks = 0  # `pl.debug_check`s so far
        self._left = max_equations
        self._max = max_equations
        self._scopes: list[_Scope] = []
        self._home: dict[Var, _Scope] = {}  # where a var was bound, to tell values that leak out of their scope

    # errors

    def fail(self, code: str, message: str, hint: str | None = None) -> NoReturn:
        """Raise a `SpecError` at the current span."""
        raise SpecError(code, message, self.span, hint=hint)

    # tracing of functions into jaxprs

    def trace(self, fn: Callable[..., object], avals: Sequence[Aval], what: str) -> Inner:
        """Trace `fn`, called with one tracer for each of `avals`, into a jaxpr. `what` names it in messages.

        For the kernel itself there is nothing around it, so `consts` is empty.
        """
        if len(self._scopes) >= MAX_DEPTH:
            self.fail("T217", f"loops and branches nest more than {MAX_DEPTH} deep here", "write the kernel flatter")
        scope = _Scope(what)
        self._scopes.append(scope)
        depth = len(self._scopes)
        try:
            args: list[Tracer | RefTracer] = []
            for aval in avals:
                var = self._bind(aval, scope)
                scope.invars.append(var)
                args.append(_wrap(var))
            leaves, tree = flatten(fn(*args))
            assert len(self._scopes) == depth
            outs = [self._result(leaf, what) for leaf in leaves]
            outvars = tuple(self._lift(out) for out in outs)
        finally:
            del self._scopes[depth - 1 :]
        jaxpr = Jaxpr((*scope.consts.values(), *scope.invars), tuple(scope.eqns), outvars)
        return Inner(jaxpr, tuple(scope.consts), tuple(out.aval for out in outs), tree)

    def _result(self, leaf: object, what: str) -> Tracer:
        if isinstance(leaf, RefTracer):
            self.fail("T211", f"{what} returns a ref, {leaf.aval}", "return a value: read it with ref[...]")
        return self.asarray(leaf, f"a result of {what}")

    def asarray(self, value: object, what: str = "this operand") -> Tracer:
        """`value` as a tracer: a Python scalar becomes a weakly typed literal."""
        if isinstance(value, Tracer):
            return value
        if isinstance(value, Typed):
            return Tracer(Literal(float(value), ShapedArray((), value.dtype)))
        if isinstance(value, (bool, int, float)):
            return Tracer(self.literal(value))
        if isinstance(value, RefTracer):
            self.fail("T211", f"{what} is a ref, {value.aval}, where a value is needed", "read it: ref[...]")
        self.fail("T202", f"{what} is {kind_of(value)}, where an array or a number is needed")

    def literal(self, value: bool | int | float) -> Literal:
        """The weakly typed literal that a Python scalar is, as JAX has it: bool, i32 or f32."""
        return rules.scalar_literal(value, self.span)

    # values and scopes

    def _bind(self, aval: Aval, scope: _Scope) -> Var:
        var = Var(aval)
        self._home[var] = scope
        return var

    def settle(self, value: object) -> object:
        """Note where a literal was made, once it is handed to the author's code. Gives `value` back."""
        if isinstance(value, Tracer) and isinstance(value.atom, Literal) and value.home is None and self._scopes:
            value.home = self._scopes[-1]
        return value

    def _lift(self, value: Tracer) -> Atom:
        """`value` as the current scope knows it; one of an enclosing scope becomes one of its consts."""
        atom = value.atom
        if isinstance(atom, Var):
            return self._lift_var(atom)
        home = value.home
        if home is None or home is self._scopes[-1]:
            return atom
        return self._outer(value, value.aval, home)

    def _lift_var(self, var: Var) -> Var:
        home = self._home.get(var)
        if home is self._scopes[-1]:
            return var
        return self._outer(var, var.aval, home)

    def _outer(self, value: Outer, aval: Aval, home: _Scope | None) -> Var:
        scope = self._scopes[-1]
        known = scope.consts.get(value)
        if known is not None:
            return known
        if home is None or home not in self._scopes:
            name = "the kernel" if home is None else home.what
            self.fail(
                "T212",
                f"this value ({aval}) was made inside {name} and is used outside of it",
                "return it from there: results of a loop body or branch are its carry or outputs",
            )
        inner = self._bind(aval, scope)
        scope.consts[value] = inner
        return inner

    def lift(self, values: Sequence[Tracer | RefTracer]) -> None:
        """Make `values` known to the current scope, in this order, before the equation that uses them.

        The order of a nested jaxpr's consts is that of first use; where JAX flattens operands in another order
        than our equation has them, this keeps it.
        """
        for value in values:
            self._input(value)

    def lift_all(self, *values: object) -> None:
        """`lift` of the tracers among a function's arguments: JAX does so where it wraps the function into a jit."""
        self.lift([value for value in values if isinstance(value, Tracer)])

    def known(self, value: Tracer) -> bool | int | float | None:
        """The number that `value` is, if it is a literal of the current scope; one from outside is an operand here."""
        atom = value.atom
        if isinstance(atom, Literal) and (value.home is None or value.home is self._scopes[-1]):
            return atom.value
        return None

    def _input(self, value: Tracer | RefTracer | Var) -> Atom:
        if isinstance(value, Tracer):
            return self._lift(value)
        return self._lift_var(value if isinstance(value, Var) else value.var)

    # equations

    @contextmanager
    def named(self, name: str) -> Iterator[None]:
        """Equations made within carry the named scope `name`."""
        scope = self._scopes[-1]
        before = scope.names
        scope.names = (*before, name)
        try:
            yield
        finally:
            scope.names = before

    def emit(
        self,
        prim: Prim,
        inputs: Sequence[Tracer | RefTracer | Var],
        params: Mapping[str, Param] | None = None,
        span: Span | None = None,
    ) -> list[Tracer]:
        """Append one equation; its results' avals come from the primitive's rule.

        A `RefTracer` among `inputs` stands for its binder: its transforms have to be in `params` already.
        """
        where = span or self.span
        if self._left <= 0:
            self.fail(
                "T217",
                f"this kernel traces to more than {self._max} equations",
                "a static Python loop is unrolled: use lax.fori_loop for long ones",
            )
        self._left -= 1
        scope = self._scopes[-1]
        atoms = tuple(self._input(x) for x in inputs)
        items = tuple(sorted(params.items())) if params else ()
        avals = rules.infer(prim, tuple(atom.aval for atom in atoms), dict(items), where)
        for aval in avals:
            self._check_size(aval)
        outputs = tuple(self._bind(aval, scope) for aval in avals)
        scope.eqns.append(Eqn(prim, atoms, outputs, items, where, scope.names))
        return [Tracer(var) for var in outputs]

    def emit1(
        self,
        prim: Prim,
        inputs: Sequence[Tracer | RefTracer | Var],
        params: Mapping[str, Param] | None = None,
    ) -> Tracer:
        """`emit` of a primitive with one result."""
        (out,) = self.emit(prim, inputs, params)
        return out

    def _check_size(self, aval: ShapedArray) -> None:
        if len(aval.shape) > MAX_RANK:
            self.fail("T218", f"an array of rank {len(aval.shape)} is above the limit of {MAX_RANK}")
        if aval.size > MAX_ELEMENTS:
            self.fail("T218", f"{aval} has more than {MAX_ELEMENTS} elements", "no chip holds an array of this size")

    # nested jaxprs

    def jit(self, name: str, fn: Callable[..., object], *args: object) -> list[Tracer]:
        """A call of `fn` as a `jit` equation called `name`; results are flat."""
        tracers = [self.asarray(arg) for arg in args]
        inner = self.trace(fn, [tracer.aval for tracer in tracers], name)
        return self.emit(Prim.JIT, [*inner.consts, *tracers], {"name": name, "jaxpr": inner.jaxpr})

    # refs

    def transforms(self, ref: RefTracer, dynamic: list[Tracer], first: int) -> Transforms:
        """`ref.transforms` as a param; traced indices are appended to `dynamic`.

        `first` is the position, among the equation's inputs, of `dynamic[0]`.
        """

        def scalar(value: int | Tracer) -> int | Arg:
            if isinstance(value, int):
                return value
            known = self.known(value)
            if isinstance(known, int):
                return known
            dynamic.append(value)
            return Arg(first + len(dynamic) - 1)

        def index(value: PendingIndex) -> Index:
            if isinstance(value, PendingSlice):
                return Slice(scalar(value.start), scalar(value.size), value.stride)
            return scalar(value)

        out: list[Transform] = []
        for transform in ref.transforms:
            if isinstance(transform, PendingIndexer):
                out.append(NDIndexer(tuple(index(entry) for entry in transform.indices)))
            else:
                out.append(transform)
        return tuple(out)


def _wrap(var: Var) -> Tracer | RefTracer:
    return RefTracer(var, var.aval) if isinstance(var.aval, RefAval) else Tracer(var)


def kind_of(value: object) -> str:
    """What a value is, for messages: `an array f32[8,128]`, `the int 3`, `a tuple`."""
    if isinstance(value, Tracer):
        return f"an array {value.aval}"
    if isinstance(value, RefTracer):
        return f"a ref {value.aval}"
    if value is None:
        return "None"
    if isinstance(value, bool | int | float):
        text = repr(value) if not isinstance(value, int) or abs(value) < 10**20 else "of many digits"
        return f"the {'float' if isinstance(value, float) else type(value).__name__} {text}"
    if isinstance(value, str):
        return f"the string {value[:40]!r}"
    if isinstance(value, DType):
        return f"the dtype {value.name}"
    if isinstance(value, tuple | list | dict):
        return f"a {type(value).__name__} of {len(value)}"
    if isinstance(value, Named):
        return value.said()
    if callable(value):
        return "a function"
    name = type(value).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
