"""What the Triton path refuses of a kernel's body: equation by equation, those of nested jaxprs too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pipeline.dtypes import DType, Kind
from pipeline.errors import Diagnostic
from pipeline.ir.jaxpr import Atom, Eqn, Jaxpr, NDIndexer, Prim, ShapedArray, Var
from pipeline.lower.equations import ints
from pipeline.triton.table import LACKING, MOST_ELEMENTS, REFUSED

_MEMORY = frozenset({Prim.GET, Prim.SWAP, Prim.ADDUPDATE, Prim.MASKED_LOAD, Prim.MASKED_SWAP})
_STORED = frozenset({Prim.SWAP, Prim.ADDUPDATE, Prim.MASKED_SWAP})


class Access(NamedTuple):
    """A load or a store of the ref `root` (a position among the body's binders), and the shape that it moves."""

    root: int | None
    eqn: Eqn
    shape: tuple[int, ...]


class _Walk:
    def __init__(self) -> None:
        self.accesses: list[Access] = []
        self.findings: list[Diagnostic] = []
        self.told: set[object] = set()

    def visit(self, jaxpr: Jaxpr, roots: dict[Var, int]) -> None:
        for eqn in jaxpr.eqns:
            if eqn.prim in _MEMORY:
                self.access(eqn, roots)
            else:
                self.findings.extend(_equation(eqn, self.told))
                for inner in _inside(eqn):
                    self.visit(inner, _passed(eqn, inner, roots))
                if not any(True for _ in _inside(eqn)):
                    self.values(eqn)

    def access(self, eqn: Eqn, roots: dict[Var, int]) -> None:
        ref = eqn.inputs[0]
        transforms = eqn.param("transforms")
        assert isinstance(transforms, tuple)
        if len(transforms) > 1 or any(not isinstance(one, NDIndexer) for one in transforms):
            message = f"{_named(eqn)} goes through a view of a view of its ref"
            self.findings.append(Diagnostic("P707", message, eqn.span, "index the ref once, with all indices together"))
        moved = eqn.inputs[1] if eqn.prim in _STORED else eqn.outputs[0]
        shape = _shape(moved)
        root = roots.get(ref) if isinstance(ref, Var) else None
        self.accesses.append(Access(root, eqn, shape))

    def values(self, eqn: Eqn) -> None:
        """Results whose size no tensor has; of each shape the first, and none that a load has brought."""
        for out in eqn.outputs:
            if not isinstance(out.aval, ShapedArray) or ("value", out.aval.shape) in self.told:
                continue
            fault = size_fault(out.aval.shape)
            if fault is not None and not any(access.shape == out.aval.shape for access in self.accesses):
                self.told.add(("value", out.aval.shape))
                message = f"{eqn.prim.value} gives {out.aval}: {fault}"
                self.findings.append(
                    Diagnostic("P701", message, eqn.span, "compute a power of two of elements, and mask those beyond")
                )


def check_body(body: Jaxpr) -> tuple[tuple[Access, ...], tuple[Diagnostic, ...]]:
    """Every load and store, whose sizes the caller judges with their blocks; findings on everything else."""
    walk = _Walk()
    walk.visit(body, {var: at for at, var in enumerate(body.invars)})
    return tuple(walk.accesses), tuple(walk.findings)


def is_power_of_two(n: int) -> bool:
    return n > 0 and n & (n - 1) == 0


def size_fault(shape: tuple[int, ...]) -> str | None:
    """What is wrong with the number of elements, None if nothing is."""
    elements = 1
    for n in shape:
        elements *= n
    if not is_power_of_two(elements):
        return f"{elements} elements, not a power of two"
    return f"{elements} elements, more than {MOST_ELEMENTS}" if elements > MOST_ELEMENTS else None


def _shape(atom: Atom) -> tuple[int, ...]:
    assert isinstance(atom.aval, ShapedArray)
    return atom.aval.shape


def _named(eqn: Eqn) -> str:
    return "the store" if eqn.prim in _STORED else "the load"


def _inside(eqn: Eqn) -> Iterator[Jaxpr]:
    for _, param in eqn.params:
        for item in param if isinstance(param, tuple) else (param,):
            if isinstance(item, Jaxpr):
                yield item


def _passed(eqn: Eqn, inner: Jaxpr, roots: dict[Var, int]) -> dict[Var, int]:
    """Refs by the binders of a nested jaxpr: its last ones take the equation's last inputs, whatever comes before."""
    if eqn.prim is Prim.WHILE:
        conditions, bodies = eqn.param("cond_nconsts"), eqn.param("body_nconsts")
        assert isinstance(conditions, int) and isinstance(bodies, int)
        first = inner is eqn.param("cond_jaxpr")
        own = eqn.inputs[:conditions] if first else eqn.inputs[conditions : conditions + bodies]
        given = (*own, *eqn.inputs[conditions + bodies :])
    else:
        given = eqn.inputs[len(eqn.inputs) - len(inner.invars) :]
    pairs = zip(inner.invars, given, strict=False)
    return {binder: roots[atom] for binder, atom in pairs if isinstance(atom, Var) and atom in roots}


def _equation(eqn: Eqn, told: set[object]) -> Iterator[Diagnostic]:
    if eqn.prim in LACKING:
        if eqn.prim not in told:
            told.add(eqn.prim)
            message = f"{eqn.prim.value} has no Triton lowering"
            yield Diagnostic("P702", message, eqn.span, LACKING[eqn.prim])
        return
    if eqn.prim is Prim.DOT_GENERAL:
        yield from _product(eqn)
    elif eqn.inputs and isinstance(eqn.inputs[0].aval, ShapedArray):
        yield from _dtype(eqn, eqn.inputs[0].aval.dtype)
    said = _form(eqn)
    if said is not None:
        yield Diagnostic("P707", said[0], eqn.span, said[1])


def _dtype(eqn: Eqn, dtype: DType) -> Iterator[Diagnostic]:
    if eqn.prim is Prim.CONVERT_ELEMENT_TYPE:
        new = eqn.param("new_dtype")
        assert isinstance(new, DType)
        if new != dtype and _tiny_float(new) != _tiny_float(dtype) and not (new.is_float and dtype.is_float):
            message = f"a cast of {dtype.name} to {new.name} has no Triton lowering"
            yield Diagnostic("P703", message, eqn.span, "cast to float32 first")
    elif dtype.name in REFUSED.get(eqn.prim, ()):
        wide = "int32" if dtype.kind is Kind.BOOL else "float32"
        message = f"{eqn.prim.value} of {dtype.name} has no Triton lowering"
        yield Diagnostic("P703", message, eqn.span, f"compute in {wide}, and cast the result back")


def _tiny_float(dtype: DType) -> bool:
    return dtype.is_float and dtype.bits == 8


def _product(eqn: Eqn) -> Iterator[Diagnostic]:
    left, right = (atom.aval for atom in eqn.inputs[:2])
    assert isinstance(left, ShapedArray) and isinstance(right, ShapedArray)
    numbers = eqn.param("dimension_numbers")
    assert isinstance(numbers, tuple) and len(numbers) == 2
    contracted, batch = numbers
    assert isinstance(contracted, tuple) and isinstance(batch, tuple)
    said = f"the product of {left} and {right}"
    if batch and any(ints(axes) for axes in batch):
        yield Diagnostic("P706", f"{said} has batch axes", eqn.span, "give them a grid axis")
    elif len(left.shape) != 2 or len(right.shape) != 2 or len(ints(contracted[0])) != 1:
        yield Diagnostic("P706", f"{said} is not one of two matrices along one axis", eqn.span, "reshape to matrices")
    for aval in dict.fromkeys((left, right)):
        if aval.dtype.kind is Kind.UINT:
            message = f"{said} would take {aval.dtype.name} for signed integers"
            yield Diagnostic("P706", message, eqn.span, "cast to a wider signed dtype first")
    if left.dtype != right.dtype:
        message = f"{said} is of two dtypes, {left.dtype.name} and {right.dtype.name}"
        yield Diagnostic("P706", message, eqn.span, "cast both operands to one dtype")
    wide = left.dtype.name == right.dtype.name == "float64"
    if wide and len(left.shape) == 2 == len(right.shape):
        depth, rows = left.shape[1], left.shape[0]
        if rows < 16 or depth < 16 or min(right.shape) < 8:
            yield Diagnostic("P706", f"{said} is below 16 x 8 x 16", eqn.span, "use larger blocks, or float32")


def _form(eqn: Eqn) -> tuple[str, str] | None:
    """What is wrong with this form of a primitive that has a rule, and what to do."""
    match eqn.prim:
        case Prim.SCAN if eqn.param("reverse"):
            return "a loop that runs backwards has no Triton lowering", "count up, and compute the index from that"
        case Prim.SCAN if eqn.param("unroll") != 1:
            return "an unrolled loop has no Triton lowering", "leave unroll out"
        case Prim.CUMSUM if eqn.param("reverse"):
            return "a sum that runs backwards has no Triton lowering", "take the whole sum less the sum so far"
        case Prim.CONCATENATE:
            shapes = [_shape(atom) for atom in eqn.inputs]
            last = eqn.param("dimension") == len(shapes[0]) - 1 and all(shape[-1] == 1 for shape in shapes)
            if len(shapes) != 2 or not last:
                return "concatenate takes two arrays of one element along the last axis", "store the parts one by one"
        case Prim.STACK:
            rank = len(_shape(eqn.inputs[0]))
            if len(eqn.inputs) != 2 or eqn.param("axis") != rank:
                return "stack takes two arrays, along a new last axis", "store the parts one by one"
        case Prim.SPLIT:
            sizes = eqn.param("sizes")
            assert isinstance(sizes, tuple)
            if not is_power_of_two(len(sizes)) or len(set(ints(sizes))) > 1:
                return "split makes a power of two of equal parts", "load the parts one by one"
        case Prim.DEBUG_PRINT if "{" in str(eqn.param("fmt")):
            return "a message with placeholders has no Triton lowering", "give a message, and the values after it"
    return None
