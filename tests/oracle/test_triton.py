"""JAX's Triton path takes the kernels, the primitives and the dtypes that we say it does. All are in the record."""

from __future__ import annotations

import pytest

from pipeline.oracles.shipped import spec_id
from pipeline.oracles.triton import askable, has_rule, kernels, refused_dtypes, takes
from pipeline.spec.spec import Spec
from pipeline.trace.trace import trace
from pipeline.triton.table import LACKING, REFUSED
from pipeline.triton.verdict import judge


@pytest.mark.parametrize("spec", [*askable()[2::4], *kernels()], ids=spec_id)
def test_verdicts(spec: Spec) -> None:
    assert takes(spec) == (not judge(trace(spec)).findings)


def test_primitives() -> None:
    assert {name for name, there in has_rule().items() if not there} == {prim.value for prim in LACKING}


@pytest.mark.parametrize("name", ["sign", "div", "max", "reduce_min", "add", "exp"])
def test_dtypes(name: str) -> None:
    [found] = refused_dtypes((name,)).values()
    assert set(found) == {dtype for prim, dtypes in REFUSED.items() if prim.value == name for dtype in dtypes}
