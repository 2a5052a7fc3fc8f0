"""Loads, stores, broadcasts, reshapes, slices, transposes: operations that move registers rather than compute."""

from __future__ import annotations

from itertools import product
from math import prod

from pipeline.ir.module import Dense, MemRefType, Op, Value, VectorType
from pipeline.schedule.bundles import apart, folds, lined, shifted, strided
from pipeline.schedule.bundles.attrs import int_values
from pipeline.schedule.bundles.columns import as_stored
from pipeline.schedule.bundles.graph import FREE, Node
from pipeline.schedule.bundles.held import DROPPED
from pipeline.schedule.bundles.lowering import Lowering
from pipeline.schedule.bundles.tiles import Tiled, packing, spread

_PATTERN = 6  # cycles to set a permute's pattern: kernels of one gather


def ints(op: Op, name: str) -> tuple[int, ...]:
    """The integers of an attribute; none if it is absent."""
    return int_values(dict(op.attrs).get(name))


def _index(low: Lowering, value: Value) -> int | None:
    made = low.made.get(value)
    if made is None or made.name != "arith.constant":
        return None
    held = dict(made.attrs).get("value")
    return int(held.value) if isinstance(held, Dense) else None


def _place(low: Lowering, op: Op, shape: tuple[int, ...]) -> tuple[object, ...]:
    """What tells accesses to one ref apart: indices, where constant, and the size."""
    indices = [v for v in op.operands[1:] if not isinstance(v.type, VectorType)]
    return (*(i if (i := _index(low, v)) is not None else id(v) for v in indices), shape)


def _indices(low: Lowering, op: Op) -> list[int | None]:
    return [_index(low, v) for v in op.operands[1:] if not isinstance(v.type, VectorType)]


def _overlaps(low: Lowering, ref: Value, place: tuple[object, ...]) -> list[list[Node]]:
    """Accesses to the ref that may touch `place`: all but those that differ in a constant index."""
    found = []
    for other, nodes in low.stores.get(ref, {}).items():
        assert isinstance(other, tuple)
        apart = (
            len(other) == len(place)
            and other[-1] == place[-1]
            and any(
                isinstance(a, int) and isinstance(b, int) and a != b and max(a, b) < 1 << 30
                for a, b in zip(other[:-1], place[:-1], strict=False)
            )
        )
        if not apart:
            found.append(nodes)
    return found


def load(low: Lowering, op: Op) -> None:
    kind = op.results[0].type
    if not isinstance(kind, VectorType):
        return
    ref = op.operands[0]
    place = _place(low, op, kind.shape)
    outer, rows, columns = low.grid(kind)
    after = _overlaps(low, ref, place)
    shift, lane = _shifts(low, op, kind, ref)
    if lane:
        columns = -(-(lane + kind.shape[-1]) // low.chip.lanes)
    if shift:
        rows = -(-(shift + kind.shape[-2]) // (low.chip.sublanes * packing(kind.element)))
    nodes: list[Node] = []
    n = outer * rows * columns
    lies = _registers(low, op, kind, (shift, lane), (outer, rows, columns)) or [(place, i) for i in range(n)]
    held = low.held.passed_on(low, op, _indices(low, op), kind) or [None] * n
    tall = lined.loaded(low, op, kind)
    for i in range(n):
        known = held[i]
        if known is not None:
            nodes.append(known)
            continue
        if i % tall:
            nodes.append(nodes[-1])
            continue
        before = tuple(stored[i * len(stored) // n] for stored in after if stored)
        nodes.append(low.once(low.machine.load, before, (ref, lies[i])))
    low.values[op.results[0]] = Tiled(outer, rows, columns, nodes, packing(kind.element), shift=lane, down=shift)


def _registers(
    low: Lowering, op: Op, kind: VectorType, inside: tuple[int, int], of: tuple[int, int, int]
) -> list[tuple[object, ...]]:
    """Where each register of a load begins in the ref; none where that is not known."""
    indices = [i for i in _indices(low, op) if i is not None]
    ref = op.operands[0].type
    plain = op.name == "vector.load" and isinstance(ref, MemRefType) and len(ref.shape) == len(kind.shape)
    if not plain or len(indices) != len(kind.shape) or len(indices) < 2:
        return []
    _, rows, columns = of
    tall = low.chip.sublanes * packing(kind.element)
    tops = [indices[-2] - inside[0] + r * tall for r in range(rows)]
    lefts = [indices[-1] - inside[1] + c * low.chip.lanes for c in range(columns)]
    axes = [range(i, i + n) for i, n in zip(indices[:-2], kind.shape[:-2], strict=True)]
    return [(*at, top, left) for at in product(*axes) for top in tops for left in lefts]


def _shifts(low: Lowering, op: Op, kind: VectorType, ref: Value) -> tuple[int, int]:
    """By how many rows a load starts inside a tile of rows, and by how many lanes inside one of lanes.

    Rows of 32 bits that are one tile wide lie one after the other in memory: any of them can be loaded first.
    """
    shape = ref.type.shape if isinstance(ref.type, MemRefType) else ()
    indices = [v for v in op.operands[1:] if not isinstance(v.type, VectorType)]
    if len(shape) < 2 or len(indices) != len(shape) or len(kind.shape) < 2 or "strided" in op.name:
        return 0, 0
    row, lane = _index(low, indices[-2]), _index(low, indices[-1])
    per_word = packing(kind.element)
    inside = (row or 0) % (low.chip.sublanes * per_word) if kind.shape[-2] > 1 else 0
    narrow = per_word == 1 and (shape[-1] or 0) <= low.chip.lanes
    return 0 if narrow else inside, (lane or 0) % low.chip.lanes


def store(low: Lowering, op: Op) -> None:
    vector = next((v for v in op.operands if isinstance(v.type, VectorType)), None)
    if vector is None or not isinstance(vector.type, VectorType):
        return
    ref = op.operands[0]
    place = _place(low, op, vector.type.shape)
    value = lined.compact(low, vector.type, as_stored(low, vector.type, low.in_lines(vector)))
    places = low.held.cover(low, op, _indices(low, op), vector.type, value)
    after = _overlaps(low, ref, place)
    n = len(value.nodes)
    made: list[Node] = []
    for i, node in enumerate(value.nodes):
        before = tuple(stored[i * len(stored) // n] for stored in after if stored)
        before = tuple(other for other in before if low.graph.kinds[other] is not DROPPED)
        made.append(low.graph.add(low.machine.store, (node, *before) if node >= 0 else before))
    low.stores.setdefault(ref, {})[place] = made
    low.held.note(ref, places, value, made)


def broadcast(low: Lowering, op: Op) -> None:
    """Free for a value that fills its lanes or sublanes; otherwise a permute of each register, or two instructions."""
    result = op.results[0].type
    assert isinstance(result, VectorType)
    source = op.operands[0]
    outer, rows, columns = low.grid(result)
    per_word = packing(result.element)
    if not isinstance(source.type, VectorType):
        scalar = low.scalar(source)
        node = low.valu("to vector", scalar) if scalar >= 0 else FREE
        low.values[op.results[0]] = Tiled(outer, rows, columns, [node] * (outer * rows * columns), per_word, True, True)
        return
    value, shape = low.shifted(source), source.type.shape
    if len(shape) == 1:
        value = lined.apart(low, value)
    # wherever it is in its register
    one_row, one_lane = (len(shape) >= n and shape[-n] == 1 and result.shape[-n] > 1 for n in (2, 1))
    lane, down = value.shift if one_lane else 0, value.down if one_row else 0
    moves = (value.shift and not one_lane) or (value.down and not one_row)
    value = low.value(source) if moves else value._replace(down=0, shift=0)
    wide = one_lane and not value.lane_same and not value.upright
    tall = len(shape) > 1 and shape[-2] == 1 and result.shape[-2] > 1 and not value.row_same
    tall = tall or (len(shape) == 1 and len(result.shape) > 1 and not value.row_same and not value.upright)
    nodes = value.nodes
    if wide:
        push = low.machine.permute._replace(name=f"lane permute {lane}") if lane else low.machine.permute
        nodes = [low.crossed(push, n) if n >= 0 else FREE for n in nodes]
    if tall:
        sliced = source in low.made and low.made[source].name == "vector.extract_strided_slice"
        nodes = [_row_everywhere(low, n, down, sliced) if n >= 0 else FREE for n in nodes]
    value = value._replace(nodes=nodes, lane_same=value.lane_same or wide, row_same=value.row_same or tall)
    repeated = spread(value, shape, result.shape, outer, rows, columns)
    low.values[op.results[0]] = Tiled(
        outer, rows, columns, repeated, value.packing, shape[-1:] == (1,) or value.upright, value.row_same,
        apart=one_row and apart.comes_apart(low, source, value),
    )  # fmt: skip


def _row_everywhere(low: Lowering, node: Node, row: int, sliced: bool) -> Node:
    """A register of one of its rows: by a pattern for that row, on chips that turn rows by one; from a register of its
    own in two steps."""
    if not sliced or "broadcast_row" not in low.costs.ops:
        return low.valu("broadcast row", low.valu("broadcast row", node, mark=row), mark=row)
    if "row_pattern" not in low.costs.ops:
        return low.valu("broadcast row", node, mark=row)
    rows = low.valu("row pattern", low.valu("iota", mark="rows"), mark="rows")
    return low.valu("broadcast row", node, low.valu("row pattern", rows, mark=row), mark=row)


def shape_cast(low: Lowering, op: Op) -> None:
    """Free where tiles stay whole; a relayout of about an instruction a register where they don't."""
    begun, out = op.operands[0], op.results[0]
    while (made := low.made.get(begun)) is not None and made.name == "vector.shape_cast":  # of casts the last counts
        begun = made.operands[0]
    source, result = begun.type, out.type
    if not isinstance(result, VectorType) or not isinstance(source, VectorType):
        return
    ways = strided.is_loaded(low, begun), strided.is_stored(low, op)
    line = lined.cast(low, low.in_lines(begun), source, result, *ways) if begun is op.operands[0] else None
    if line is not None:
        low.values[out] = line
        return
    value = low.value(begun)
    outer, rows, columns = low.grid(result)
    if value.upright and result.shape[-1:] == (1,):
        low.values[out] = value._replace(upright=False)
        return
    if source.shape[-1:] == (1,) and result.shape == source.shape[:-1]:
        low.values[out] = value._replace(upright=True)
        return
    if value.upright:
        low.values[out] = value
        return
    if value.lane_same and value.row_same and value.outer == prod(result.shape):
        low.values[out] = value  # of every element a register that is the same all over
        return
    total = outer * rows * columns
    whole = source.shape[-1:] == result.shape[-1:]
    if total == len(value.nodes) and (whole or total == 1):
        low.values[out] = Tiled(outer, rows, columns, value.nodes, value.packing, value.lane_same, value.row_same)
        return
    if not value.lane_same and not value.row_same:
        loaded, stored = strided.is_loaded(low, begun), strided.is_stored(low, op)
        found = folds.split(low, value, source.shape, result.shape, stored)
        found = found or folds.fold(low, value, source.shape, result.shape, loaded)
        if found is None and whole and len(source.shape) > 2:
            found = folds.stacked(low, value, source.shape, (outer, rows, columns))
        if found is not None:
            low.values[out] = found
            return
    have = len(value.nodes)
    nodes = [
        low.once(low.machine.valu("relayout"), (value.nodes[i * have // total],), i)
        if value.nodes[i * have // total] >= 0
        else FREE
        for i in range(total)
    ]
    low.values[out] = Tiled(outer, rows, columns, nodes, value.packing)


def iota(low: Lowering, op: Op) -> None:
    """Different registers only along the axis that counts."""
    kind = op.results[0].type
    assert isinstance(kind, VectorType)
    outer, rows, columns = low.grid(kind)
    axes = ints(op, "dimensions") or ints(op, "dimension")
    rank = len(kind.shape)
    outer_axis = any(a < rank - 2 for a in axes)
    tall, lanes = low.chip.sublanes * packing(kind.element), low.chip.lanes
    nodes: list[Node] = []
    for o in range(outer):
        for r in range(rows):
            for c in range(columns):
                at = (
                    o if outer_axis else 0,
                    r if rank - 2 in axes else 0,
                    c if rank - 1 in axes else 0,
                )
                if rank - 1 in axes:
                    counted = (c * lanes, (c + 1) * lanes - 1)
                elif rank - 2 in axes:
                    counted = (r * tall, (r + 1) * tall - 1)
                else:
                    counted = (0, kind.shape[axes[0]] - 1) if axes else (0, 0)
                node = low.once(low.machine.valu("iota"), (), (axes, at))
                if len(axes) == 1:
                    low.ranges[node] = counted
                nodes.append(node)
    low.values[op.results[0]] = Tiled(
        outer, rows, columns, nodes, packing(kind.element), rank - 1 not in axes, rank - 2 not in axes
    )


def extract_slice(low: Lowering, op: Op) -> None:
    source, result = op.operands[0].type, op.results[0].type
    assert isinstance(source, VectorType) and isinstance(result, VectorType)
    value = low.raised(op.operands[0])
    outer, rows, columns = low.grid(result)
    offsets = ints(op, "offsets")
    offsets = (0,) * (2 - len(offsets)) + offsets
    tall = low.chip.sublanes * value.packing
    first_outer = 0
    for offset, size in zip(offsets[:-2], source.shape[:-2], strict=False):
        first_outer = first_outer * size + offset
    row_off = offsets[-2] % tall
    left, lane_off = divmod(offsets[-1] + value.shift, low.chip.lanes)
    top = offsets[-2] // tall
    shift = 0 if value.lane_same else lane_off
    columns = max(columns, -(-(shift + result.shape[-1]) // low.chip.lanes))
    down = 0 if value.row_same or len(result.shape) < 2 else row_off
    if down:
        rows = -(-(down + result.shape[-2]) // tall)
    nodes = [
        value.at(min(first_outer + o, value.outer - 1), min(top + r, value.rows - 1), min(left + c, value.columns - 1))
        for o in range(outer)
        for r in range(rows)
        for c in range(columns)
    ]
    same = (value.lane_same, value.row_same)
    low.values[op.results[0]] = Tiled(outer, rows, columns, nodes, value.packing, *same, shift=shift, down=down)


def concatenate(low: Lowering, op: Op) -> None:
    """Whole tiles are only renamed."""
    result = op.results[0].type
    assert isinstance(result, VectorType)
    outer, rows, columns = low.grid(result)
    axis = (ints(op, "dimension") or (0,))[0] - len(result.shape)
    widths = [v.type.shape[-1] for v in op.operands if isinstance(v.type, VectorType)]
    if axis == -1 and any(width % low.chip.lanes for width in widths[:-1]):
        low.values[op.results[0]] = _side_by_side(low, op, widths, (outer, rows, columns))
        return
    heights = [v.type.shape[-2] for v in op.operands if isinstance(v.type, VectorType) and len(v.type.shape) > 1]
    if axis == -2 and packing(result.element) == 1 and any(height % low.chip.sublanes for height in heights[:-1]):
        low.values[op.results[0]] = _one_below_the_other(low, op, heights, (outer, rows, columns))
        return
    parts = [low.in_lines(v) for v in op.operands]
    if axis == -1 and sum(p.columns for p in parts) == columns:
        nodes = [n for o in range(outer) for r in range(rows) for p in parts for n in
                 p.nodes[(o * p.rows + r) * p.columns : (o * p.rows + r + 1) * p.columns]]  # fmt: skip
    elif axis == -2 and sum(p.rows for p in parts) == rows:
        nodes = [n for o in range(outer) for p in parts for n in
                 p.nodes[o * p.rows * p.columns : (o + 1) * p.rows * p.columns]]  # fmt: skip
    elif axis < -2:
        nodes = [n for p in parts for n in p.nodes]
    else:
        have = [n for p in parts for n in p.nodes]
        total = outer * rows * columns
        pairs = [
            (have[i * len(have) // total], have[min(len(have) - 1, i * len(have) // total + 1)]) for i in range(total)
        ]
        nodes = [low.valu("select", *(low.valu("rotate", n) for n in pair if n >= 0)) for pair in pairs]
    low.values[op.results[0]] = Tiled(outer, rows, columns, nodes, packing(result.element))


def _side_by_side(low: Lowering, op: Op, widths: list[int], of: tuple[int, int, int]) -> Tiled:
    """Parts that begin or end inside a register: each rotated to its lanes, and selected into the register."""
    outer, rows, columns = of
    lanes = low.chip.lanes
    found: list[list[Node]] = [[] for _ in range(outer * rows * columns)]
    at = 0
    for value, width in zip(op.operands, widths, strict=True):
        first, lane = divmod(at, lanes)
        placed = shifted.moved(low, low.raised(value), width, lane)
        for line in range(outer * rows):
            for c in range(-(-(lane + width) // lanes)):
                node = placed.nodes[line * placed.columns + min(c, placed.columns - 1)]
                found[line * columns + first + c].append(node)
        at += width
    nodes = [shifted.merged(low, parts, ("beside", n % columns)) for n, parts in enumerate(found)]
    kind = op.results[0].type
    assert isinstance(kind, VectorType)
    return Tiled(outer, rows, columns, nodes, packing(kind.element))


def _one_below_the_other(low: Lowering, op: Op, heights: list[int], of: tuple[int, int, int]) -> Tiled:
    """Parts that begin or end inside a register, along its rows: each turned to its rows, unless all of them are the
    same, and selected into the register."""
    outer, rows, columns = of
    tall = low.chip.sublanes
    found: list[list[Node]] = [[] for _ in range(outer * rows * columns)]
    at = 0
    for value, height in zip(op.operands, heights, strict=True):
        part = low.shifted(value)
        if part.shift or (part.down and part.row_same):
            part = low.value(value)
        for r in range(part.rows):
            first, last = max(at, at + r * tall - part.down), min(at + height, at + (r + 1) * tall - part.down) - 1
            for o in range(outer):
                for c in range(columns):
                    node = part.at(min(o, part.outer - 1), r, min(c, part.columns - 1))
                    up = 0 if part.row_same else (part.down - at) % tall
                    node = shifted.turned(low, node, up, 1, part.columns)
                    for row in range(first // tall, last // tall + 1):
                        found[(o * rows + row) * columns + c].append(node)
        at += height
    nodes = [shifted.merged(low, parts, ("below", n)) for n, parts in enumerate(found)]
    return Tiled(outer, rows, columns, nodes, 1)


def rotate(low: Lowering, op: Op) -> None:
    """Along lanes through the XLU, along sublanes in the vector ALU; a select joins neighbours."""
    kind = op.results[0].type
    assert isinstance(kind, VectorType)
    value = low.value(op.operands[0])
    lanes = (ints(op, "dimension") or (0,))[0] == len(kind.shape) - 1
    amount = _index(low, op.operands[1]) if len(op.operands) > 1 else (ints(op, "amount") or (None,))[0]
    nodes: list[Node] = []
    group = value.columns if lanes else value.rows
    whole = amount is not None and amount % (low.chip.lanes if lanes else low.chip.sublanes * value.packing) == 0
    row = low.costs.ops.get("sublane_rotate", {"valu": 2.0})
    for node in value.nodes:
        if whole or node < 0:
            nodes.append(node)
        elif lanes:
            nodes.append(low.crossed(low.machine.rotate._replace(name=f"lane rotate {amount}"), node))
        else:
            inner = {**row, "valu": max(1.0, row.get("valu", 1.0) - 1)}
            up = -(amount or 0) % low.chip.sublanes
            if up and value.packing == 1 and "sublane_step" in low.costs.ops:
                nodes.append(shifted.turned(low, node, up, 1, value.columns))
            else:
                nodes.append(low.sequence(f"rotate rows {amount}", inner, (node,)))
    if not whole and (group > 1 or not lanes):
        step = 1 if lanes else value.columns
        turned = nodes
        nodes = []
        for i, node in enumerate(turned):
            place = (i // step) % group
            other = turned[i - step] if place else turned[i + step * (group - 1)]
            nodes.append(low.valu("select", node, other, mark=amount) if node >= 0 else FREE)
    low.values[op.results[0]] = value._replace(nodes=nodes)


def gather(low: Lowering, op: Op) -> None:
    """A permute by a pattern, which is set for each register."""
    permute = low.machine.permute
    permute = permute._replace(latency=permute.latency + _PATTERN, hold=permute.hold + _PATTERN)
    value = low.value(op.operands[0])
    kind = op.results[0].type
    assert isinstance(kind, VectorType)
    outer, rows, columns = low.grid(kind)
    index = low.value(op.operands[1]).nodes if len(op.operands) > 1 else []
    nodes: list[Node] = []
    for i in range(outer * rows * columns):
        inputs: tuple[Node, ...] = (value.nodes[i * len(value.nodes) // (outer * rows * columns)],)
        if index:
            inputs += (index[i * len(index) // (outer * rows * columns)],)
        nodes.append(low.popped(permute, tuple(n for n in inputs if n >= 0)))
    low.values[op.results[0]] = Tiled(outer, rows, columns, nodes, value.packing)


def reduce(low: Lowering, op: Op) -> None:
    """Leading axes and whole registers in the vector ALU, then lanes through the XLU and sublanes by rotations."""
    source = op.operands[0].type
    assert isinstance(source, VectorType)
    rank = len(source.shape)
    axes = set(ints(op, "reduction_dims"))
    value = low.value(op.operands[0])
    words = str(dict(op.attrs).get("kind"))
    step = next((w for w in ("max", "min", "mul", "and", "or") if w in words), "add")
    if source.element.name.startswith("i"):
        step += "i"
    nodes: list[Node] = []
    if value.packing > 1 and source.element.name not in low.native:
        for line in range(value.outer * value.rows):
            held = value.nodes[line * value.columns : (line + 1) * value.columns]
            for part in range(value.packing):
                nodes.extend(low.unpack(n, part) for n in held)
        value = Tiled(value.outer, value.rows * value.packing, value.columns, nodes, 1)
    outer_axes = [a for a in range(rank - 2) if a in axes]
    if outer_axes:
        value = _reduce_outer(low, value, source.shape[:-2], axes, step)
    in_lanes, in_rows = rank - 1 in axes, rank > 1 and rank - 2 in axes
    o, r, c = value.outer, value.rows, value.columns
    if in_rows:
        nodes = [_combine(low, step, [value.at(i, j, k) for j in range(r)], o * c) for i in range(o) for k in range(c)]
        r = 1
        value = value._replace(rows=1, nodes=nodes)
    if in_lanes:
        nodes = [_combine(low, step, [value.at(i, j, k) for k in range(c)]) for i in range(o) for j in range(r)]
        whole = source.element.name.startswith("i")
        nodes = [FREE if n < 0 else _lanes_of_int(low, step, n) if whole else _lanes(low, step, n) for n in nodes]
        value = value._replace(columns=1, nodes=nodes, lane_same=True)
    if in_rows and source.shape[-2] > 1:
        if source.shape[-2] % low.chip.sublanes:  # what is no row of it must not count
            value = value._replace(nodes=[low.valu("select", n) if n >= 0 else n for n in value.nodes])
        value = value._replace(nodes=[_within(low, step, n) for n in value.nodes], row_same=True)
        if not in_lanes and value.outer > 1 and _taken_together(low, op):
            value = _stacked(low, value, prod(source.shape[:-3]) if rank > 3 else 1)
    value = value._replace(upright=in_lanes and not in_rows)
    wanted = packing(source.element)
    low.values[op.results[0]] = low.packed(value, wanted) if value.packing < wanted else value


def _taken_together(low: Lowering, op: Op) -> bool:
    """Whether the rows that a reduction leaves, each in a register of its own, are wanted in common registers."""
    users = low.users.get(op.results[0], [])
    shapes = [user.results[0].type for user in users if user.name == "vector.shape_cast"]
    apart = [isinstance(kind, VectorType) and len(kind.shape) > 1 and kind.shape[-2] == 1 for kind in shapes]
    return len(apart) < len(users) or not all(apart)


def _stacked(low: Lowering, value: Tiled, outer: int) -> Tiled:
    """Registers of one row each, along the last of the outer axes, selected into registers of many rows."""
    size = value.outer // outer
    nodes: list[Node] = []
    for o in range(outer):
        for first in range(0, size, low.chip.sublanes):
            lines = range(first, min(first + low.chip.sublanes, size))
            for c in range(value.columns):
                nodes.append(shifted.merged(low, [value.at(o * size + i, 0, c) for i in lines], "stack"))
    return value._replace(outer=outer, rows=-(-size // low.chip.sublanes), nodes=nodes, row_same=False)


def _reduce_outer(low: Lowering, value: Tiled, shape: tuple[int, ...], axes: set[int], step: str) -> Tiled:
    groups: dict[tuple[int, ...], list[int]] = {}
    for o in range(value.outer):
        rest, digits = o, []
        for size in reversed(shape):
            rest, digit = divmod(rest, size)
            digits.append(digit)
        key = tuple(d for a, d in enumerate(reversed(digits)) if a not in axes)
        groups.setdefault(key, []).append(o)
    nodes: list[Node] = []
    for members in groups.values():
        for r in range(value.rows):
            for c in range(value.columns):
                nodes.append(_combine(low, step, [value.at(o, r, c) for o in members]))
    return value._replace(outer=prod(shape) // prod(n for a, n in enumerate(shape) if a in axes), nodes=nodes)


def _lanes(low: Lowering, step: str, node: Node) -> Node:
    return low.popped(low.machine.reduce._replace(name=f"lane {step}"), (node,))


def _lanes_of_int(low: Lowering, step: str, node: Node) -> Node:
    """The unit reduces floats: an integer goes as two halves, of which a maximum takes the upper first."""
    valu = low.valu
    upper, lower = (valu("convert", valu(f"{part} half", node)) for part in ("upper", "lower"))
    first = _lanes(low, step, upper)
    if step in ("maxi", "mini"):
        lower = valu("select", valu("cmp eq", upper, first), lower)
    second = _lanes(low, step, lower)
    halves = (valu("shl", valu("convert", first)), valu("convert", second))
    return valu("addi", *halves)


def _combine(low: Lowering, step: str, nodes: list[Node], chains: int = 1) -> Node:
    """All of them in one: as a tree, or one after the other where as many `chains` as there are vector ALUs go on
    beside each other; then they wait for each other's loads, which two strands for each come near."""
    nodes = [n for n in nodes if n >= 0] or [FREE]
    if chains >= (low.machine.slots.get("valu") or 1):
        strands = nodes[:2]
        for i, node in enumerate(nodes[2:]):
            strands[i % 2] = _joined(low, step, strands[i % 2], node)
        nodes = strands
    while len(nodes) > 1:
        pairs = [_joined(low, step, nodes[i], nodes[i + 1]) for i in range(0, len(nodes) - 1, 2)]
        nodes = pairs + ([nodes[-1]] if len(nodes) % 2 else [])
    return nodes[0]


def _joined(low: Lowering, step: str, a: Node, b: Node) -> Node:
    if step in ("maxi", "mini"):
        return low.valu("select", low.valu(f"cmp {step[:3]}", a, b), a, b)
    return low.valu(step, a, b)


def _within(low: Lowering, step: str, node: Node) -> Node:
    """All sublanes of a register in one: a rotation and an operation, three times."""
    if node < 0:
        return node
    row = low.costs.ops.get("sublane_reduce", {"valu": 6.0})
    turn = low.machine.valu("rotate rows")
    for _ in range(3):
        node = _joined(low, step, node, low.once(turn, (node,)))
    extra = round(row.get("valu", 6.0)) - 6
    for _ in range(max(0, extra)):
        node = low.graph.add(turn, (node,))
    return node


def arg_reduce(low: Lowering, op: Op) -> None:
    """Compare and select between registers, then an index reduction; more than one register takes a permute as well."""
    value = low.value(op.operands[0])
    nodes: list[Node] = []
    for line in range(value.outer * value.rows):
        held = value.nodes[line * value.columns : (line + 1) * value.columns]
        best, where = held[0], FREE
        for node in held[1:]:
            mask = low.valu("cmp", best, node)
            best = low.valu("select", mask, best, node)
            where = low.valu("select index", mask, *(() if where < 0 else (where,)))
        found = low.popped(low.machine.reduce._replace(name="lane argmax"), (best,))
        if where >= 0:
            found = low.popped(low.machine.permute, (found, where))
        nodes.append(found)
    low.values[op.results[0]] = Tiled(value.outer, value.rows, 1, nodes, 1, True, False, True)
