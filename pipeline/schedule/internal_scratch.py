"""The compiler's own scratch in VMEM: whether a kernel is known to take it.

Some reshapes of whole rows change places by way of memory. The compiler then takes all that it keeps for that, however
little moves; a kernel without such a reshape takes none.

Known is what was measured without an exception: 32-bit elements, two axes before and after, with more than one row
each and whole tiles of lanes, and more than one register of them. Others may take the scratch too, above all reshapes
of three axes and of packed elements; the text of the schedule says that they are not counted.

Source: 680 reshapes compiled by libtpu 0.0.42.1 for v4, v5e, v5p, v6e and 7x, loaded and stored or between two `exp`.
"""

from __future__ import annotations

from pipeline.chips.chip import Chip
from pipeline.ir.jaxpr import Atom, Jaxpr, Prim, RefAval, Var
from pipeline.schedule.uses import nested

JOINED, SPLIT = "joins_rows_in_scratch", "splits_rows_in_scratch"
Shape = tuple[int, ...]


def internal_scratch(body: Jaxpr, chip: Chip) -> tuple[int, str] | None:
    """(bytes, why) of the compiler's scratch, where the kernel is known to take it."""
    if not chip.internal_scratch_bytes or not (JOINED in chip.features or SPLIT in chip.features):
        return None
    found = _reshape(body, chip)
    if found is None:
        return None
    before, after = (",".join(map(str, shape)) for shape in found)
    return chip.internal_scratch_bytes, f"the compiler's own, for a reshape of [{before}] to [{after}]"


def moves_by_memory(before: Shape, after: Shape, chip: Chip) -> bool:
    """Whether a reshape of 32-bit elements is known to go by way of the compiler's scratch."""
    if len(before) != 2 or len(after) != 2 or before == after:
        return False
    (old_rows, old), (new_rows, new) = before, after
    if old % chip.lanes or new % chip.lanes or old_rows * old <= chip.sublanes * chip.lanes:
        return False
    few, many = sorted((old_rows, new_rows))
    if few == 1 or many % few or not _power_of_two(many // few):
        return False
    if not _power_of_two(few) and few % chip.sublanes:
        return False
    return JOINED in chip.features if new > chip.lanes else SPLIT in chip.features


def _reshape(jaxpr: Jaxpr, chip: Chip) -> tuple[Shape, Shape] | None:
    """The first reshape that is known to take the scratch, as its shapes; those of reshapes are folded, so left out."""
    uniform: set[Var] = set()  # the same number everywhere: the compiler reshapes no such value
    for eqn in jaxpr.eqns:
        for inner, _ in nested(eqn):
            found = _reshape(inner, chip)
            if found is not None:
                return found
        if all(_uniform(atom, uniform) for atom in eqn.inputs) and eqn.prim is not Prim.IOTA:
            uniform.update(eqn.outputs)
        if eqn.prim is not Prim.RESHAPE:
            continue
        value, (out,) = eqn.inputs[0], eqn.outputs
        assert not isinstance(value.aval, RefAval) and not isinstance(out.aval, RefAval)
        if (
            out.aval.dtype.bits == 32
            and moves_by_memory(value.aval.shape, out.aval.shape, chip)
            and out not in uniform
            and not any(e.prim is Prim.RESHAPE and (value in e.outputs or out in e.inputs) for e in jaxpr.eqns)
        ):
            return value.aval.shape, out.aval.shape
    return None


def _uniform(atom: Atom, known: set[Var]) -> bool:
    return not isinstance(atom.aval, RefAval) and (atom.aval.size == 1 or atom in known)


def _power_of_two(n: int) -> bool:
    return n & (n - 1) == 0
