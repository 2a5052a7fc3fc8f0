"""What an index map does over a grid: which grid axes each block index depends on, and how.

Most maps are affine in the grid indices, and affine maps are decided in closed form for grids of any size. The others
are tabulated over the axes they depend on, where that is small enough; what is left stays undecided.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import prod
from typing import NamedTuple

from pipeline.ir.jaxpr import Atom, Eqn, Jaxpr, Literal, Prim, RefAval, Var
from pipeline.schedule.intervals import dtype_interval, result_interval, rounding_call
from pipeline.schedule.scalar import (
    SCALAR,
    IndexFunction,
    Reader,
    Undecided,
    apply_scalar,
    compile_map,
    count_steps,
    scalar_dtype,
)

MAX_POINTS = 100_000  # grid points of one group of axes that are tabulated
_MAX_WORK = 1_000_000  # equations evaluated for one table: well under a second


class Form(NamedTuple):
    """One block index as a function of the grid indices.

    coefficients: one for each grid axis if the index is `constant + sum(c * i)`, else None.
    axes:         grid axes of size 2 or more that it depends on, sorted.
    data:         it depends on scalar-prefetch data.
    least, greatest: bounds on its values; those of an affine form are attained.
    """

    constant: int
    coefficients: tuple[int, ...] | None
    axes: tuple[int, ...]
    data: bool
    least: int
    greatest: int


class Group(NamedTuple):
    """Block indices that share grid axes, directly or through one another. Groups have no axis in common.

    points: (grid indices along `axes` -> block indices of `members`), in row-major order, None for a group that is
    affine throughout or undecided.
    """

    axes: tuple[int, ...]
    members: tuple[int, ...]
    affine: bool
    table: dict[tuple[int, ...], tuple[int, ...]] | None

    @property
    def decided(self) -> bool:
        return self.affine or self.table is not None


class IndexMap(NamedTuple):
    """An analysed index map. `at(point, read)` evaluates it; `forms` has an entry for each axis of the array."""

    grid: tuple[int, ...]
    forms: tuple[Form, ...]
    groups: tuple[Group, ...]
    function: IndexFunction

    @property
    def data_dependent(self) -> bool:
        return any(form.data for form in self.forms)

    @property
    def depends_on_grid(self) -> bool:
        """Whether the block may differ between two steps, read off the map's text rather than its values."""
        return any(form.axes or form.data for form in self.forms)

    @property
    def decided(self) -> bool:
        return all(group.decided for group in self.groups)

    def at(self, point: tuple[int, ...], read: Reader | None = None) -> tuple[int, ...]:
        """Block indices at a grid point. Errors: Undecided."""
        return self.function(point, read)


def constant_map(rank: int, grid: tuple[int, ...]) -> IndexMap:
    """The map of an operand without one: all zeros."""
    zeros = (0,) * rank
    form = _constant(0, grid)
    return IndexMap(grid, (form,) * rank, (), lambda point, read: zeros)


def analyse(jaxpr: Jaxpr, grid: tuple[int, ...]) -> IndexMap:
    """Analyse an index map over a grid. Errors: none; what cannot be decided is marked so."""
    function = compile_map(jaxpr)
    env: dict[Var, Form | None] = {}
    axis = 0
    for var in jaxpr.invars:
        if isinstance(var.aval, RefAval):
            env[var] = None
        elif grid[axis] == 1:
            env[var] = _constant(0, grid)
            axis += 1
        else:
            env[var] = affine_form(0, tuple(int(a == axis) for a in range(len(grid))), grid)
            axis += 1
    forms = tuple(form if form is not None else _UNKNOWN for form in _trace(jaxpr, env, grid))
    limit = min(MAX_POINTS, _MAX_WORK // (1 + count_steps(jaxpr)))
    return IndexMap(grid, forms, join_groups(forms, grid, function, limit), function)


def affine_form(constant: int, coefficients: tuple[int, ...], grid: tuple[int, ...]) -> Form:
    least = greatest = constant
    for c, n in zip(coefficients, grid, strict=True):
        least += min(0, c) * (n - 1)
        greatest += max(0, c) * (n - 1)
    axes = tuple(axis for axis, c in enumerate(coefficients) if c)
    return Form(constant, coefficients, axes, False, least, greatest)


def _constant(value: int, grid: tuple[int, ...]) -> Form:
    return Form(value, (0,) * len(grid), (), False, value, value)


_ANY = (-(1 << 63), (1 << 63) - 1)
_UNKNOWN = Form(0, None, (), True, *_ANY)


def _trace(jaxpr: Jaxpr, env: dict[Var, Form | None], grid: tuple[int, ...]) -> list[Form | None]:
    """Abstract evaluation: a form for each result."""

    def look(atom: Atom) -> Form | None:
        if isinstance(atom, Literal):
            if isinstance(atom.value, float):
                return Form(0, None, (), False, *_ANY)
            return _constant(int(atom.value), grid)
        return env[atom]

    for eqn in jaxpr.eqns:
        inputs = [look(a) for a in eqn.inputs]
        if eqn.prim is Prim.JIT:
            inner = eqn.param("jaxpr")
            assert isinstance(inner, Jaxpr)
            results = _trace(inner, dict(zip(inner.invars, inputs, strict=True)), grid)
            known = [(f.least, f.greatest) for f in inputs if f is not None]
            rounded = rounding_call(inner, known) if len(known) == len(inputs) else None
            if rounded is not None and len(results) == 1 and results[0] is not None:
                form = results[0]
                if form.coefficients is None:
                    results = [form._replace(least=rounded[0], greatest=rounded[1])]
        else:
            one = _apply(eqn, inputs, grid)
            results = [one] * len(eqn.outputs)
        env.update(zip(eqn.outputs, results, strict=True))
    return [look(a) for a in jaxpr.outvars]


def _opaque(eqn: Eqn, inputs: list[Form | None]) -> Form:
    """Anything within bounds, of the axes that the inputs depend on. A ref among the inputs (None) is data."""
    known = [f for f in inputs if f is not None]
    axes = tuple(sorted({a for f in known for a in f.axes}))
    bounds = [(f.least, f.greatest) for f in known]
    reads = len(known) < len(inputs)
    least, greatest = result_interval(eqn, [] if reads else bounds) if len(eqn.outputs) == 1 else _ANY
    return Form(0, None, axes, reads or any(f.data for f in known), least, greatest)


def _apply(eqn: Eqn, inputs: list[Form | None], grid: tuple[int, ...]) -> Form:
    """One equation on forms: affine where that is certain and no wrap-around can happen."""
    if any(f is None for f in inputs):
        return _opaque(eqn, inputs)
    forms = [f for f in inputs if f is not None]
    made = _affine(eqn, forms, grid)
    if made is None:
        return _opaque(eqn, inputs)
    try:
        lowest, highest = dtype_interval(scalar_dtype(eqn.outputs[0]))
    except Undecided:
        return _opaque(eqn, inputs)
    return made if lowest <= made.least and made.greatest <= highest else _opaque(eqn, inputs)


def _affine(eqn: Eqn, forms: list[Form], grid: tuple[int, ...]) -> Form | None:
    coefficients = [f.coefficients for f in forms]
    if any(c is None for c in coefficients):
        return None
    if all(not f.axes for f in forms):
        try:
            return _constant(apply_scalar(eqn, [f.constant for f in forms]), grid)
        except Undecided:
            return None
    match eqn.prim:
        case Prim.ADD:
            return _combine(forms[0], forms[1], 1, grid)
        case Prim.SUB:
            return _combine(forms[0], forms[1], -1, grid)
        case Prim.NEG:
            return _combine(_constant(0, grid), forms[0], -1, grid)
        case Prim.MUL if not forms[1].axes:
            return _combine(_constant(0, grid), forms[0], forms[1].constant, grid)
        case Prim.MUL if not forms[0].axes:
            return _combine(_constant(0, grid), forms[1], forms[0].constant, grid)
        case Prim.CONVERT_ELEMENT_TYPE | Prim.BROADCAST_IN_DIM | Prim.RESHAPE | Prim.SQUEEZE | Prim.MULTIPLE_OF:
            return forms[0]
        case Prim.DIV if not forms[1].axes and forms[1].constant != 0:
            return _divide(forms[0], forms[1].constant, grid)
        case Prim.MAX | Prim.MIN:
            return _extreme(forms, grid, SCALAR[eqn.prim])
        case Prim.EQ | Prim.NE | Prim.LT | Prim.LE | Prim.GT | Prim.GE:
            return _compare(eqn.prim, forms, grid)
        case Prim.SELECT_N if not forms[0].axes and 0 <= forms[0].constant < len(forms) - 1:
            return forms[1 + forms[0].constant]
        case Prim.SIGN:
            low, high = forms[0].least, forms[0].greatest
            return _constant(1, grid) if low > 0 else _constant(-1, grid) if high < 0 else None
        case _:
            return None


def _combine(a: Form, b: Form, factor: int, grid: tuple[int, ...]) -> Form:
    """a + factor * b."""
    assert a.coefficients is not None and b.coefficients is not None
    coefficients = tuple(x + factor * y for x, y in zip(a.coefficients, b.coefficients, strict=True))
    return affine_form(a.constant + factor * b.constant, coefficients, grid)


def _divide(form: Form, divisor: int, grid: tuple[int, ...]) -> Form | None:
    """Exact only where every term divides."""
    assert form.coefficients is not None
    if form.constant % divisor or any(c % divisor for c in form.coefficients):
        return None
    coefficients = tuple(c // divisor for c in form.coefficients)
    return affine_form(form.constant // divisor, coefficients, grid)


def _extreme(forms: list[Form], grid: tuple[int, ...], pick: Callable[..., int]) -> Form | None:
    """max or min where one side wins over the whole grid."""
    a, b = forms
    gap = _combine(a, b, -1, grid)
    low, high = gap.least, gap.greatest
    if low >= 0:
        return a if pick(1, 0) == 1 else b
    if high <= 0:
        return b if pick(1, 0) == 1 else a
    return None


def _compare(prim: Prim, forms: list[Form], grid: tuple[int, ...]) -> Form | None:
    """A comparison whose outcome is the same over the whole grid."""
    gap = _combine(forms[0], forms[1], -1, grid)
    low, high = gap.least, gap.greatest
    outcomes = {SCALAR[prim](value, 0) for value in {low, high} | ({0} if low <= 0 <= high else set())}
    if low == high or (len(outcomes) == 1 and (low > 0 or high < 0 or prim not in (Prim.EQ, Prim.NE))):
        return _constant(outcomes.pop(), grid)
    return None


def join_groups(
    forms: tuple[Form, ...], grid: tuple[int, ...], function: IndexFunction, limit: int
) -> tuple[Group, ...]:
    """Join block indices that share an axis; tabulate the groups that are not affine."""
    parts: list[tuple[set[int], list[int]]] = []
    for member, form in enumerate(forms):
        if not form.axes and not form.data:
            continue
        axes, members = set(form.axes), [member]
        rest = []
        for other_axes, other_members in parts:
            if axes & other_axes or (form.data and any(forms[m].data for m in other_members)):
                axes |= other_axes
                members = [*other_members, *members]
            else:
                rest.append((other_axes, other_members))
        parts = [*rest, (axes, members)]
    return tuple(_group(tuple(sorted(a)), tuple(sorted(m)), forms, grid, function, limit) for a, m in parts)


def _group(
    axes: tuple[int, ...],
    members: tuple[int, ...],
    forms: tuple[Form, ...],
    grid: tuple[int, ...],
    at: IndexFunction,
    limit: int,
) -> Group:
    if all(forms[m].coefficients is not None for m in members):
        return Group(axes, members, True, None)
    size = prod(grid[a] for a in axes)
    if size > limit or any(forms[m].data for m in members):
        return Group(axes, members, False, None)
    table: dict[tuple[int, ...], tuple[int, ...]] = {}
    point = [0] * len(grid)
    try:
        for digits in product(*(range(grid[a]) for a in axes)):
            for axis, digit in zip(axes, digits, strict=True):
                point[axis] = digit
            found = at(point, None)
            table[digits] = tuple(found[m] for m in members)
    except Undecided:
        return Group(axes, members, False, None)
    return Group(axes, members, False, table)
