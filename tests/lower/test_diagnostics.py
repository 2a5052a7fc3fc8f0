"""What a target cannot express is reported at its place, all of it at once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from kernels import V5E, call_of, recorded_call

import pipeline.lower
from pipeline.errors import SpecError, render
from pipeline.ir.jaxpr import Prim
from pipeline.lower.codes import CODES
from pipeline.lower.mosaic_tpu import context, elementwise
from pipeline.lower.mosaic_tpu.context import merge
from pipeline.lower.mosaic_tpu.lower import lower

KERNEL = """\
{ lambda ; a:Ref<default>{f32[8,128]} b:Ref<default>{f32[8,128]}. let
    c:f32[8,128] <- a[...]
    d:f32[8,128] = cumsum[axis=0 reverse=False] c
    e:f32[8,128] = expm1 d
    b[...] <- e
  in () }
"""


def diagnostics_of(text: str) -> list[str]:
    with pytest.raises(SpecError) as caught:
        lower(call_of(text), V5E)
    return [render(diagnostic) for diagnostic in caught.value.diagnostics]


def test_all_missing_primitives_at_once() -> None:
    cumsum, expm1 = diagnostics_of(KERNEL)
    assert cumsum.splitlines() == [
        "kernel.jaxpr:3:5: error[L101]: cumsum has no lowering for TPUs",
        "  |",
        "3 |     d:f32[8,128] = cumsum[axis=0 reverse=False] c",
        "  |     ^",
        "  = hint: multiply with a triangular matrix of ones: jnp.dot(x, jnp.triu(ones))",
    ]
    assert expm1.startswith("kernel.jaxpr:4:5: error[L101]: expm1 has no lowering for TPUs")
    assert expm1.endswith("= hint: write jnp.exp(x) - 1")


def test_all_unsupported_forms_at_once() -> None:
    text = """\
{ lambda ; a:Ref<default>{u32[8,128]} h:Ref<any>{u32[8,128]} b:Ref<default>{u32[8,128]}. let
    c:u32[8,128] <- a[...]
    d:u32[8] = reduce_max[axes=(1,)] c
    e:u32[8,1] = broadcast_in_dim[broadcast_dimensions=(0,) shape=(8, 1)] d
    f:u32[8,128] = add c e
    g:u32[8,128] <- h[...]
    i:u32[8,128] = add f g
    b[...] <- i
  in () }
"""
    reduction, load = diagnostics_of(text)
    assert reduction.startswith("kernel.jaxpr:3:5: error[L102]: reduce_max of uint32 has no Mosaic form")
    assert load.startswith("kernel.jaxpr:6:5: error[L103]: a ref in ANY cannot be read or written directly")


def test_index_array() -> None:
    text = """\
{ lambda ; a:Ref<default>{f32[8,128]} b:Ref<default>{f32[8,128]}. let
    i:i32[8] = iota[dimension=0 dtype=int32 shape=(8,) sharding=None]
    c:f32[8,128] <- a[i,:]
    b[...] <- c
  in () }
"""
    (found,) = diagnostics_of(text)
    assert "error[L103]: an index of type i32[8] has no Mosaic form" in found


def test_unrolling_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context, "OP_LIMIT", 20)
    with pytest.raises(SpecError) as caught:
        lower(recorded_call("fori_full"), V5E)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "L107"


def test_every_code_is_explained() -> None:
    folder = Path(pipeline.lower.__file__).parent
    raised = {code for path in folder.rglob("*.py") for code in re.findall(r'"(L\d{3})"', path.read_text("utf-8"))}
    assert raised == set(CODES)
    assert all(title and explanation.endswith(".") for title, explanation in CODES.values())


def test_two_rules_for_one_primitive_are_a_bug() -> None:
    with pytest.raises(AssertionError, match="two lowering rules for exp"):
        merge(elementwise.RULES, {Prim.EXP: elementwise.RULES[Prim.EXP]})
