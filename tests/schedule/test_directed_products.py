"""Which matrix unit takes which product: unrelated ones in a kernel against the compiler's recorded schedules."""

from __future__ import annotations

from typing import Any

import pytest
from recorded_calls import records

from pipeline.chips.costs import load_costs
from pipeline.chips.load import load_chip
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.oracles.bundle_accuracy import relative_errors
from pipeline.oracles.directed_products import SEEDS, Product, product_call, products
from pipeline.schedule.bundles.step import schedule_step
from pipeline.schedule.schedule import schedule

RECORDS = records("products_directed.jsonl")


def drawn(record: dict[str, Any]) -> tuple[Product, ...]:
    return tuple(Product(*product) for product in record["products"])


def test_they_are_drawn_as_recorded() -> None:
    assert [drawn(record) for record in RECORDS] == [found for seed in SEEDS for found in products(seed)]


@pytest.mark.parametrize("chip", ["v6e", "7x"])
def test_each_unit_takes_what_it_does(chip: str) -> None:
    """Pushes of weights and groups of rows of either unit."""
    loaded = load_chip(chip)
    costs = load_costs(loaded)
    assert costs is not None
    alike = 0
    for record in RECORDS:
        call = product_call(drawn(record))
        graph = schedule_step(lower(call, loaded), loaded, costs, call.grid).low.graph
        mine = [(graph.kinds[node].unit, unit) for node, unit in graph.queue.items()]
        units = [[mine.count((kind, unit)) for kind in ("push", "mxu")] for unit in range(loaded.mxu_count)]
        alike += units == record["units"][chip]
    assert alike >= len(RECORDS) - 1


@pytest.mark.parametrize(("chip", "median", "nine"), [("v6e", 0.06, 0.11), ("7x", 0.19, 0.28)])
def test_they_are_near(chip: str, median: float, nine: float) -> None:
    """On 7x the code of their many windows is counted too high."""
    loaded, ours = load_chip(chip), []
    for record in RECORDS:
        call = product_call(drawn(record))
        found = schedule(call, lower(call, loaded), loaded).estimate
        assert found is not None
        ours.append(found.bundles)
    errors = relative_errors(ours, [record["said"][chip] for record in RECORDS])
    assert errors[len(errors) // 2] <= median
    assert errors[len(errors) * 9 // 10] <= nine
