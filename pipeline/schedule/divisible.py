"""Does the compiler see that an index map gives multiples of a number? It reads the expression, not its values.

A window of Element dimensions has to start on a tile. What counts: a constant, a product with one factor that does, a
choice between such values, and `pl.multiple_of`. A sum does not, whatever its terms, unless they cancel; nor do minima,
remainders, quotients, shifts and absolute values. Source: verdicts of libtpu 0.0.42.1 on some sixty maps, alike on v4
and v6e.
"""

from __future__ import annotations

from typing import NamedTuple

from pipeline.ir.jaxpr import Atom, Eqn, Jaxpr, Literal, Prim, Var
from pipeline.schedule.scalar import Undecided, apply_scalar
from pipeline.schedule.uses import nested

_SAME = frozenset({Prim.CONVERT_ELEMENT_TYPE, Prim.BROADCAST_IN_DIM, Prim.RESHAPE, Prim.SQUEEZE, Prim.STOP_GRADIENT})
_NOTHING_BY_ZERO = frozenset(
    {Prim.OR, Prim.XOR, Prim.SHIFT_LEFT, Prim.SHIFT_RIGHT_LOGICAL, Prim.SHIFT_RIGHT_ARITHMETIC}
)
_MOST_TERMS = 64  # of one sum; in a longer one nothing is looked for that cancels


def sees_multiple(index_map: Jaxpr, axis: int, multiple: int) -> bool | None:
    """Whether index `axis` of the map is seen to be a multiple of `multiple`; None if that is not known."""
    reader = _Reader(multiple)
    return reader.seen[reader.read(index_map, [reader.new() for _ in index_map.invars])[axis]]


class _Sum(NamedTuple):
    """constant + the values of `plus` - those of `minus`."""

    constant: int
    plus: tuple[int, ...]
    minus: tuple[int, ...]


class _Reader:
    """The values of a map, as the compiler's simplification leaves them. A value is a number; equal ones are the same.

    `seen[value]`: whether it is seen to be a multiple; `constant`, `sums`, `products` ((factor, value)) say what it is.
    """

    def __init__(self, multiple: int) -> None:
        self.multiple = multiple
        self.seen: list[bool | None] = []
        self.constants: dict[int, int] = {}
        self.sums: dict[int, _Sum] = {}
        self.products: dict[int, tuple[int, int]] = {}
        self.known: dict[object, int] = {}

    def new(self, seen: bool | None = False, key: object = None) -> int:
        """A value; the one made before if there is one of this key."""
        if key is not None and key in self.known:
            return self.known[key]
        self.seen.append(seen)
        if key is not None:
            self.known[key] = len(self.seen) - 1
        return len(self.seen) - 1

    def constant(self, value: int) -> int:
        made = self.new(value % self.multiple == 0, ("constant", value))
        self.constants[made] = value
        return made

    def read(self, jaxpr: Jaxpr, inputs: list[int]) -> list[int]:
        """The results of a jaxpr."""
        env = dict(zip(jaxpr.invars, inputs, strict=True))

        def look(atom: Atom) -> int:
            if isinstance(atom, Var):
                return env[atom]
            assert isinstance(atom, Literal)
            return self.constant(int(atom.value)) if isinstance(atom.value, int) else self.new(None)

        for eqn in jaxpr.eqns:
            env.update(zip(eqn.outputs, self._results(eqn, [look(atom) for atom in eqn.inputs]), strict=True))
        return [look(atom) for atom in jaxpr.outvars]

    def _results(self, eqn: Eqn, inputs: list[int]) -> list[int]:
        if eqn.prim is Prim.JIT:
            ((inner, _),) = nested(eqn)
            return self.read(inner, inputs)
        if eqn.prim is Prim.COND:
            branches = [self.read(inner, inputs[1:]) for inner, _ in nested(eqn)]
            return [self._choice(values) for values in zip(*branches, strict=True)]
        if len(eqn.outputs) == 1 and not any(True for _ in nested(eqn)):
            return [self._apply(eqn, inputs)]
        return [self.new(None) for _ in eqn.outputs]

    def _apply(self, eqn: Eqn, inputs: list[int]) -> int:
        """One equation without jaxprs inside."""
        constants = [self.constants.get(value) for value in inputs]
        known = [value for value in constants if value is not None]
        if inputs and len(known) == len(inputs):
            try:
                return self.constant(apply_scalar(eqn, known))
            except Undecided:
                return self.new(None)
        match eqn.prim:
            case Prim.ADD:
                return self._sum(inputs[0], inputs[1], 1)
            case Prim.SUB:
                return self._sum(inputs[0], inputs[1], -1)
            case Prim.NEG:
                return self._sum(self.constant(0), inputs[0], -1)
            case Prim.MUL:
                return self._product(inputs[0], inputs[1])
            case Prim.SELECT_N if constants[0] is not None and 0 <= constants[0] < len(inputs) - 1:
                return inputs[1 + constants[0]]
            case Prim.SELECT_N:
                return self._choice(tuple(inputs[1:]))
            case Prim.MULTIPLE_OF:
                return self._claim(eqn, inputs[0])
            case Prim.MIN | Prim.MAX | Prim.AND | Prim.OR if inputs[0] == inputs[1]:
                return inputs[0]
            case Prim.DIV if constants[1] == 1:
                return inputs[0]
            case Prim.REM if constants[1] == 1:
                return self.constant(0)
            case Prim.AND if 0 in constants:
                return self.constant(0)
            case prim if prim in _SAME or (prim in _NOTHING_BY_ZERO and constants[1] == 0):
                return inputs[0]
            case _:
                return self.new()

    def _choice(self, values: tuple[int, ...]) -> int:
        if all(value == values[0] for value in values):
            return values[0]
        found = [self.seen[value] for value in values]
        return self.new(False if False in found else None if None in found else True)

    def _claim(self, eqn: Eqn, value: int) -> int:
        """What the author says; whether a claim of less hides what is seen without it is not known."""
        values = eqn.param("values")
        multiple = values[0] if isinstance(values, tuple) and len(values) == 1 else 1
        said = isinstance(multiple, int) and multiple % self.multiple == 0
        return self.new(True if said else None if self.seen[value] else self.seen[value])

    def _sum(self, a: int, b: int, sign: int) -> int:
        """a + sign * b, with what cancels gone."""
        constant = 0
        plus: list[int] = []
        minus: list[int] = []
        for value, sense in ((a, 1), (b, sign)):
            one = self.constants.get(value)
            of = self.sums.get(value, _Sum(0, (value,), ()) if one is None else _Sum(one, (), ()))
            constant += sense * of.constant
            plus += of.plus if sense > 0 else of.minus
            minus += of.minus if sense > 0 else of.plus
        if len(plus) + len(minus) > _MOST_TERMS:
            return self.new()
        for term in tuple(minus):
            if term in plus:
                plus.remove(term)
                minus.remove(term)
        if not plus and not minus:
            return self.constant(constant)
        if len(plus) == 1 and not minus and not constant:
            return plus[0]
        terms = _Sum(constant, tuple(plus), tuple(minus))
        made = self.new(False, terms)
        self.sums[made] = terms
        return made

    def _product(self, a: int, b: int) -> int:
        """a * b; constant factors come together."""
        if a in self.constants:
            a, b = b, a
        if b not in self.constants:
            found = (self.seen[a], self.seen[b])
            return self.new(True if True in found else None if None in found else False, ("product", a, b))
        factor, value = self.products.get(a, (1, a))
        factor *= self.constants[b]
        if factor == 0:
            return self.constant(0)
        if factor == 1:
            return value
        made = self.new(True if factor % self.multiple == 0 else self.seen[value], ("times", factor, value))
        self.products[made] = (factor, value)
        return made
