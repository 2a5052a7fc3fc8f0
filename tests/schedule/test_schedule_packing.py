"""What any schedule of a block has to hold: operands are there, no slot is given twice, registers are counted right."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from pipeline.chips.costs import load_costs
from pipeline.chips.load import load_chip
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.schedule.bundles.graph import Graph, Kind
from pipeline.schedule.bundles.machine import Machine
from pipeline.schedule.bundles.pack import pack
from pipeline.schedule.bundles.spills import pressure, spilled
from pipeline.schedule.bundles.step import Step, schedule_step
from pipeline.spec.load import load_specs
from pipeline.trace.trace import trace

SPECS = Path(__file__).parents[2] / "specs"
NAMES = ["softmax", "matmul", "layernorm", "bias_gelu", "flash_attention", "embedding_gather"]


def scheduled(name: str, chip_name: str) -> Step:
    chip = load_chip(chip_name)
    costs = load_costs(chip)
    assert costs is not None
    (spec, *_) = load_specs(SPECS / f"{name}.toml")
    call = trace(spec)
    return schedule_step(lower(call, chip), chip, costs, call.grid)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("chip", ["v4", "v5e", "7x"])
def test_operands_are_there_and_slots_are_given_once(name: str, chip: str) -> None:
    step = scheduled(name, chip)
    graph, slots = step.low.graph, step.low.machine.slots
    assert any(block.packed.bundles for block in step.blocks)
    for block in step.blocks:
        first, at = block.packed.first, block.packed.bundles
        started: Counter[tuple[str, int]] = Counter()
        held: Counter[tuple[str, int]] = Counter()
        for i, t in enumerate(at):
            node = first + i
            kind = graph.kinds[node]
            assert t < block.packed.length
            for operand in graph.operands[node]:
                assert operand < node
                if operand >= first:
                    ready = at[operand - first] + graph.kinds[operand].latency + graph.wait.get(node, 0)
                    assert ready <= t, (kind, graph.kinds[operand])
            slot = {"eup": "valu", "xlu": "extended", "mxu": "extended", "push": "extended"}.get(kind.unit, kind.unit)
            started[slot, t] += 1
            for busy in range(t, t + kind.hold):
                held[kind.unit, busy] += 1
        for (unit, _), n in started.items():
            assert n <= slots.get(unit, len(at)), unit
        for (unit, _), n in held.items():
            if unit in ("xlu", "mxu", "eup"):
                assert n <= slots[unit], unit


def chain(length: int, rows: int) -> Graph:
    """`rows` independent chains of adds, each of a loaded register, stored."""
    graph = Graph()
    load, add, store = Kind("load", "vload", 1), Kind("add", "valu", 2), Kind("store", "vstore", 1)
    for _ in range(rows):
        node = graph.add(load, ())
        for _ in range(length):
            node = graph.add(add, (node,))
        graph.add(store, (node,))
    return graph


@pytest.mark.parametrize(
    ("length", "rows", "bundles"),
    [
        (1, 1, 4),  # load, add for two cycles, store
        (5, 1, 12),
        (1, 40, 43),  # one store a bundle
        (8, 40, 84),  # 320 adds in bundles of four, then the last one's store
    ],
)
def test_bundles_that_can_be_counted_by_hand(length: int, rows: int, bundles: int) -> None:
    graph = chain(length, rows)
    packed = pack(graph, 0, len(graph), Machine(load_chip("v5e")))
    assert bundles <= packed.length <= bundles + length  # a list schedule may end a chain late
    assert packed.spills == 0


def test_registers_alive_at_once() -> None:
    """Values made one after the other and used together later: what finds no register beside those that are taken by
    what is under way is stored."""
    graph = Graph()
    add, store = Kind("add", "valu", 1), Kind("store", "vstore", 1)
    made = [graph.add(add, ()) for _ in range(4)]
    graph.add(store, tuple(made))
    assert pressure(graph, 0, [0, 1, 2, 3, 9]) == 4
    assert spilled(graph, 0, [0, 1, 2, 3, 4], 12) == (0, 0, 0)
    assert spilled(graph, 0, [0, 1, 2, 3, 4], 11) == (1, 1, 1)


def test_a_division_by_a_rows_sum_takes_one_reciprocal_a_row() -> None:
    step = scheduled("softmax", "v5e")
    graph = step.low.graph
    pushes = [i for i in range(len(graph)) if graph.kinds[i].unit == "eup"]
    of_division = [i for i in pushes if step.ops[graph.origin[i]].name == "arith.divf"]
    (spec, *_) = load_specs(SPECS / "softmax.toml")
    rows, _ = trace(spec).body.invars[0].aval.shape
    assert len(of_division) == rows // 8
