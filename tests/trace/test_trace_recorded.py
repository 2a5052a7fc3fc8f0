"""Python around arrays traces to what JAX traced for the same source (recorded.json names JAX's version)."""

from __future__ import annotations

import json

import pytest

from pipeline.ir.jaxpr_text import parse_jaxpr, print_jaxpr
from tests.trace.helpers import traced
from tests.trace.record import GRID, RECORDED, kernels

_JAXPRS: dict[str, str] = json.loads(RECORDED.read_text())["jaxprs"]


@pytest.mark.parametrize("title", kernels())
def test_traces_as_jax_does(title: str) -> None:
    assert print_jaxpr(traced(kernels()[title], grid=GRID).body).splitlines() == _JAXPRS[title].splitlines()


@pytest.mark.parametrize("title", _JAXPRS)
def test_recorded_text_is_read_back(title: str) -> None:
    assert print_jaxpr(parse_jaxpr(_JAXPRS[title])) == _JAXPRS[title]
