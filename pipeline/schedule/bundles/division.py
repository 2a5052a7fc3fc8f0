"""Integer division of vectors: no unit divides, so a quotient is made bit by bit.

Source: libtpu 0.0.42.1's schedules of `lax.div` and `lax.rem` of two int32 and two uint32 blocks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.schedule.bundles.graph import Node

if TYPE_CHECKING:
    from pipeline.schedule.bundles.lowering import Lowering

DIVISIONS = frozenset({"arith.divsi", "arith.remsi", "arith.divui", "arith.remui"})
COMPARES_UNSIGNED = "compares_unsigned"  # a chip's feature; without it both sides' signs are turned first
_BITS = 32


def divide(low: Lowering, name: str, nodes: tuple[Node, ...]) -> Node:
    """A register's quotient or remainder; one of both, of the same registers, costs what one of them does."""
    valu = low.valu
    top, bottom = nodes
    signed = name.endswith("si")
    given = top
    if signed:
        top, bottom = _magnitude(low, top), _magnitude(low, bottom)
    unsigned = COMPARES_UNSIGNED in low.chip.features
    limit = bottom if unsigned else valu("xor", *_there(bottom), mark="sign")
    rest, quotient = valu("shr", *_there(top), mark="top bit"), valu("shl", *_there(top), mark="next bit")
    for bit in range(_BITS):
        if bit:
            high = valu("shr", quotient, mark="top bit")
            rest = valu("or", valu("shl", rest, mark="next bit"), high)
            quotient = valu("shl", quotient, mark="next bit")
        turned = rest if unsigned else valu("xor", rest, mark="sign")
        fits = valu("cmp uge", turned, *_there(limit))
        less, more = valu("subi", rest, *_there(bottom)), valu("addi", quotient, mark="a bit")
        rest, quotient = valu("select", fits, less, rest), valu("select", fits, more, quotient)
    found = rest if name.startswith("arith.rem") else quotient
    if not signed:
        return found
    negative = valu("cmp slt", *_there(given), mark="zero")
    if name == "arith.divsi":
        other = valu("cmp slt", *_there(nodes[1]), mark="zero")
        negative = low.once(low.machine.mask, (negative, other), "arith.xori")
    return valu("select", negative, valu("subi", found, mark="from zero"), found)


def _magnitude(low: Lowering, node: Node) -> Node:
    """Without its sign: the unsigned minimum of both, or the one that a comparison with zero says."""
    if node < 0:
        return node
    turned = low.valu("subi", node, mark="from zero")
    if COMPARES_UNSIGNED in low.chip.features:
        return low.valu("min", turned, node)
    return low.valu("select", low.valu("cmp slt", node, mark="zero"), turned, node)


def _there(node: Node) -> tuple[Node, ...]:
    return (node,) if node >= 0 else ()
