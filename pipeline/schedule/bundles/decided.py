"""What of a kernel's control flow is known before it runs: which side of a branch, how many trips of a loop.

Source: libtpu 0.0.42.1's schedules of the kernels of `oracles/directed_decisions.py`. A predicate of constants and of
the indices of axes of one step is decided; one that only the range of an index decides is not.
"""

from __future__ import annotations

from collections.abc import Mapping

from pipeline.ir.module import Dense, Op, Value
from pipeline.schedule.bundles.scalars import Scalars

_DEPTH = 16  # additions and products that a constant is followed through


def only_way(op: Op, scalars: Scalars) -> int | None:
    """The region that runs once whatever happens: the side of a decided branch, the body of a loop of one trip. As many
    as there are regions for a side that the branch lacks."""
    if op.name == "scf.if":
        verdict = scalars.integer(scalars.origin(op.operands[0]))
        return None if verdict is None else int(not verdict)
    return 0 if op.name == "scf.for" and trip_count(op, scalars) == 1 else None


def trip_count(op: Op, scalars: Scalars) -> int | None:
    """Trips of an `scf.for` whose bounds are known; None if they are not."""
    bounds = [scalars.integer(scalars.origin(bound)) for bound in op.operands[:3]]
    if None in bounds:
        bounds = [constant(bound, scalars.made) for bound in op.operands[:3]]
    if None in bounds:
        return None
    start, end, by = (bound for bound in bounds if bound is not None)
    return max(0, -(-(end - start) // by)) if by > 0 else None


def constant(value: Value, made: Mapping[Value, Op], depth: int = _DEPTH) -> int | None:
    """A scalar that folds to a constant through a few additions and products."""
    op = made.get(value)
    if op is None or depth == 0:
        return None
    if op.name == "arith.constant":
        held = op.attr("value")
        return int(held.value) if isinstance(held, Dense) else None
    if op.name in ("arith.addi", "arith.subi", "arith.muli"):
        a, b = (constant(v, made, depth - 1) for v in op.operands)
        if a is None or b is None:
            return None
        return a + b if op.name == "arith.addi" else a - b if op.name == "arith.subi" else a * b
    if op.name == "arith.index_cast":
        return constant(op.operands[0], made, depth - 1)
    return None
