"""A call's timeline as an SVG: the start and the end of the pipeline, and how full each unit's slots are over a step.

It is drawn from whole cycles with fixed colours and the reader's own sans-serif, so it is the same bytes everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from xml.sax.saxutils import escape

from pipeline.chips.chip import Chip
from pipeline.ir.call import KernelCall, Role
from pipeline.schedule.bundles.step import Step
from pipeline.schedule.result import Schedule
from pipeline.simulate.play import Play, Player

_WIDTH, _LEFT, _RIGHT = 1000, 130, 60
_ROW, _GAP = 18, 4  # height of a row's boxes, and what lies between rows
_BODY, _IN, _OUT, _SLOTS, _PART, _LINE, _TEXT = (
    "#4c78a8",
    "#54a24b",
    "#e45756",
    ("#b7cde2", "#d8e4ef"),
    "#eeeeee",
    "#dddddd",
    "#333333",
)
_HEAT = ("#f3e9dc", "#f5cfa0", "#eeab5b", "#d9822b", "#a65610")  # up to a fifth, two, .. of a unit's slots in use
_WHOLE, _FIRST, _LAST = 12, 6, 4  # iterations drawn of a short call, and of a long one's start and end
_COLUMNS = 135  # of the picture of a step
_UNITS = ("vload", "valu", "eup", "vpop", "xlu", "push", "mxu", "vstore")
_HEADS = {"push": "weights", "mxu": "matmul"}


def draw(call: KernelCall, schedule: Schedule, chip: Chip, step: Step | None) -> tuple[str, int]:
    """The SVG's text, and the cycles of the call. The chip has to know clock and bandwidth."""
    player = Player(call, schedule, chip)
    plays = [player.first(player.loop)] if player.loop <= _WHOLE else [player.first(_FIRST), player.last(_LAST)]
    page = _Page()
    steps = f"{player.model.steps} steps" + (f" on each of {player.cores} cores" if player.cores > 1 else "")
    page.text(8, f"{schedule.call} on {schedule.chip}: {player.total} cycles, {steps}", 14)
    page.down(22)
    blocked = sum(operand.role is not Role.SCALAR_PREFETCH for operand in call.operands)
    if blocked > len(player.windows):
        page.text(8, "copies that the body makes itself are not drawn, and their time is not in it")
        page.down()
    _pipeline(page, player, plays)
    if step is not None and step.bundles:
        page.down(14)
        _step(page, step, schedule)
    return page.finish(), player.total


class _Page:
    """Lines of an SVG, from the top down; `y` is where the next row goes."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.y = 24

    def down(self, by: int = _ROW + _GAP) -> None:
        self.y += by

    def text(self, x: float, text: str, size: int = 11, anchor: str = "start", fill: str = _TEXT) -> None:
        place = f'x="{_number(x)}" y="{self.y + 13 if size < 14 else self.y}"'
        self.lines.append(
            f'<text {place} font-size="{size}" text-anchor="{anchor}" fill="{fill}">{escape(text)}</text>'
        )

    def box(self, x: float, width: float, fill: str, title: str, label: str = "") -> None:
        """A box in the current row; what is too narrow for its label goes without."""
        place = f'x="{_number(x)}" y="{self.y}" width="{_number(width)}" height="{_ROW}"'
        self.lines.append(f'<rect {place} fill="{fill}"><title>{escape(title)}</title></rect>')
        if label and width > 5.8 * len(label) + 3:
            self.text(x + width / 2, label, 11, "middle", "#ffffff" if fill in (_BODY, _IN, _OUT) else _TEXT)

    def rule(self, x: float, top: int, bottom: int) -> None:
        self.lines.append(f'<path d="M{_number(x)} {top}V{bottom}" stroke="{_LINE}"/>')

    def finish(self) -> str:
        height = self.y + 8
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" '
            f'height="{height}" font-family="sans-serif">'
        )
        page = f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>'
        return "\n".join([head, page, *self.lines, "</svg>"]) + "\n"


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


class _Scale:
    """Cycles to places along a row: the plays after one another, with a gap where iterations are left out."""

    def __init__(self, plays: list[Play]) -> None:
        self.gap = 36 if len(plays) > 1 else 0
        drawn = sum(play.end - play.start for play in plays)
        self.per_cycle = (_WIDTH - _LEFT - _RIGHT - self.gap) / max(1, drawn)
        self.offsets = []
        x = float(_LEFT)
        for play in plays:
            self.offsets.append(x)
            x += (play.end - play.start) * self.per_cycle + self.gap

    def box(self, play: int, plays: list[Play], start: int, end: int) -> tuple[float, float]:
        """(x, width) of a stretch of cycles, cut to what is drawn."""
        low, high = max(start, plays[play].start), min(end, plays[play].end)
        return self.offsets[play] + (low - plays[play].start) * self.per_cycle, max(0, high - low) * self.per_cycle


def _pipeline(page: _Page, player: Player, plays: list[Play]) -> None:
    scale = _Scale(plays)
    top = page.y
    marks = len(page.lines)
    for p, play in enumerate(plays):
        for title, start, end in _parts(play, player.loop):
            x, width = scale.box(p, plays, start, end)
            page.box(x, width, _PART, f"{title}: cycles {start} to {end}", title)
    page.down()
    page.text(8, "body")
    for p, play in enumerate(plays):
        for one in play.iterations:
            if one.step is not None:
                x, width = scale.box(p, plays, one.body_start, one.body_start + one.body)
                title = f"step {one.step} at {one.point}: cycles {one.body_start} to {one.body_start + one.body}"
                page.box(x, width, _BODY, title, str(one.step))
    page.down()
    for w, window in enumerate(player.windows):
        way, fill = ("in", _IN) if window.role is Role.INPUT else ("out", _OUT)
        page.text(8, f"copy {way} {_short(window.operand)}")
        for p, play in enumerate(plays):
            for copy in (copy for one in play.iterations for copy in one.copies if copy.window == w):
                x, width = scale.box(p, plays, copy.start, copy.start + copy.cycles)
                page.box(x, width, fill, f"{window.copy_bytes} B: cycles {copy.start} to {copy.start + copy.cycles}")
        page.down()
    for w, window in enumerate(player.windows):
        for slot in range(window.buffers):
            page.text(8, _short(window.operand) + (f", slot {slot}" if window.buffers > 1 else ""))
            for p, play in enumerate(plays):
                for n, held in enumerate(h for h in play.held if (h.window, h.slot) == (w, slot)):
                    x, width = scale.box(p, plays, held.start, held.end)
                    block = "?" if held.block is None else ",".join(map(str, held.block))
                    page.box(x, width, _SLOTS[n % 2], f"block {block}: cycles {held.start} to {held.end}", block)
            page.down()
    rules = _Page()
    for p, play in enumerate(plays):
        for one in play.iterations:
            rules.rule(scale.box(p, plays, one.start, one.start)[0], top, page.y)
        rules.rule(scale.box(p, plays, play.end, play.end)[0], top, page.y)
    page.lines[marks:marks] = rules.lines
    page.text(_LEFT, "cycle 0")
    if len(plays) > 1:
        left_out = player.loop - sum(len(play.iterations) for play in plays)
        page.text(scale.offsets[1] - scale.gap / 2, f"{left_out} more iterations", 11, "middle")
    page.text(_WIDTH - _RIGHT, str(player.total), 11, "end")
    page.down()


def _parts(play: Play, loop: int) -> list[tuple[str, int, int]]:
    """(name, start, end) of prologue, steady state and epilogue, as far as the play shows them."""
    found = []
    for name, first, last in (("prologue", 0, 0), ("steady state", 1, loop - 2), ("epilogue", loop - 1, loop - 1)):
        mine = [one for one in play.iterations if first <= one.number <= last]
        if mine:
            found.append((name, mine[0].start, mine[-1].start + mine[-1].cycles))
    return found


def _short(name: str) -> str:
    return name if len(name) <= 13 else name[:12] + "…"


def _step(page: _Page, step: Step, schedule: Schedule) -> None:
    """A row for each unit: how much of its slots is in use, from the first bundle of the body to the last."""
    length = sum(block.packed.length for block in step.blocks)
    busy = _busy(step, length)
    estimate = schedule.estimate
    shares = (
        {}
        if estimate is None
        else {use.unit: 100 * use.bundles // max(1, estimate.body_bundles) for use in estimate.slots}
    )
    page.text(8, f"slots in use over the {length} bundles of a step, each block once", 11)
    page.down()
    for unit in (unit for unit in _UNITS if unit in busy):
        page.text(8, _HEADS.get(unit, unit))
        for first, last, level in _runs(busy[unit]):
            columns = len(busy[unit])
            x = _LEFT + (_WIDTH - _LEFT - _RIGHT) * first / columns
            width = (_WIDTH - _LEFT - _RIGHT) * (last - first) / columns
            title = f"bundles {first * length // columns} to {last * length // columns}: up to {20 * level + 20}%"
            page.box(x, width, _HEAT[level], title)
        if unit in shares:
            page.text(_WIDTH - 8, f"{shares[unit]}%", 11, "end")
        page.down()


def _busy(step: Step, length: int) -> dict[str, list[float]]:
    """Per unit, for each column of the picture, the share of its slots in use."""
    columns = min(_COLUMNS, length)
    slots = step.low.machine.slots
    used: dict[str, list[float]] = {}
    graph = step.low.graph
    base = 0
    for block in step.blocks:
        for node, at in enumerate(block.packed.bundles, block.packed.first):
            kind = graph.kinds[node]
            if kind.unit in _UNITS:
                row = used.setdefault(kind.unit, [0.0] * length)
                for bundle in range(base + at, min(length, base + at + kind.hold)):
                    row[bundle] += 1
        base += block.packed.length
    found = {}
    for unit, row in used.items():
        capacity = slots.get("mxu" if unit == "push" else unit) or 1
        edges = [c * length // columns for c in range(columns + 1)]
        found[unit] = [sum(row[a:b]) / (capacity * (b - a)) for a, b in pairwise(edges)]
    return found


def _runs(row: Iterable[float]) -> list[tuple[int, int, int]]:
    """(first column, one past the last, level) of stretches of a level; columns in which nothing happens have none."""
    found: list[tuple[int, int, int]] = []
    for column, share in enumerate(row):
        if share <= 0:
            continue
        level = min(len(_HEAT) - 1, int(share * len(_HEAT) * 0.999))
        if found and found[-1][1:] == (column, level):
            found[-1] = (found[-1][0], column + 1, level)
        else:
            found.append((column, column + 1, level))
    return found
