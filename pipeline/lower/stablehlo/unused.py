"""Removes ops whose results nobody reads: nothing in a StableHLO function here has an effect."""

from __future__ import annotations

from dataclasses import replace

from pipeline.ir.module import Op, Region, Value


def drop_unused(region: Region) -> Region:
    """The region without dead ops, nested regions included."""
    return _drop(region, set())


def _drop(region: Region, used: set[Value]) -> Region:
    """`used` gathers what the region reads, values from outside it included."""
    kept: list[Op] = []
    for position in range(len(region.ops) - 1, -1, -1):
        op = region.ops[position]
        terminator = position == len(region.ops) - 1
        if not terminator and used.isdisjoint(op.results):
            continue
        if op.regions:
            op = replace(op, regions=tuple(_drop(inner, used) for inner in op.regions))
        used.update(op.operands)
        kept.append(op)
    return replace(region, ops=tuple(reversed(kept)))
