"""Integer division of vectors: no unit divides, so a quotient is made bit by bit, or of a product where the divisor is
known.

Source: libtpu 0.0.42.1's schedules of `lax.div` and `lax.rem` of two int32 and two uint32 blocks, and of one by 30
constants.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.schedule.bundles.graph import FREE, Node

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


def divide_by(low: Lowering, name: str, node: Node, divisor: int) -> Node:
    """A register's quotient or remainder by a constant: a shift or a mask for powers of two, else of the upper half of
    a product. Numbers with a sign are divided without it, unless they are known to have none."""
    signed, remainder = name.endswith("si"), name.startswith("arith.rem")
    size = abs(divisor) if signed else divisor % (1 << _BITS)
    if node < 0 or size == 0 or (size == 1 and (remainder or divisor == 1)):
        return FREE if remainder or node < 0 else node
    least, most = low.ranges.get(node, (-1, -1))
    signed = signed and (least < 0 or divisor < 0)
    top = _magnitude(low, node) if signed else node
    found = _rest(low, top, size) if remainder else _quotient(low, top, size)
    if signed:
        negative = low.valu("cmp slt", node, mark="zero")
        return low.valu("select", negative, low.valu("subi", found, mark="from zero"), found)
    if least >= 0:
        low.ranges[found] = (0, min(most, size - 1)) if remainder else (least // size, most // size)
    return found


def _quotient(low: Lowering, top: Node, size: int) -> Node:
    if size & (size - 1) == 0:
        return low.valu("shr", top, mark=size) if size > 1 else top
    high = low.sequence("multiply high", low.costs.ops.get("multiply high", {}), (top,), mark=size)
    if _is_long(size):
        half = low.valu("shr", low.valu("subi", top, high), mark="half")
        high = low.valu("addi", half, high)
    return low.valu("shr", high, mark=size)


def _rest(low: Lowering, top: Node, size: int) -> Node:
    if size & (size - 1) == 0:
        return low.valu("and", top, mark=size)
    quotient = _quotient(low, top, size)
    dear = low.costs.ops.get("arith.muli", {}).get("valu", 0) > 1
    product = low.shifted_sums((quotient,), size) if dear else low.valu("muli", quotient, mark=size)
    return low.valu("subi", top, product)


def _is_long(size: int) -> bool:
    """Whether the factor that divides by `size` takes a bit more than a word: the least power of two over the divisor
    that is near enough to a multiple of it."""
    for bits in range(_BITS, 2 * _BITS):
        short = -(1 << bits) % size
        if short << _BITS <= 1 << bits:
            return ((1 << bits) + short) // size >> _BITS > 0
    return True


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
