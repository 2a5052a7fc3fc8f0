"""Recorded kernels as `KernelCall`s: the form that recorded verdicts and bundle counts share. Needs no JAX."""

from __future__ import annotations

from typing import Any

from pipeline.dtypes import BY_NAME
from pipeline.ir.call import BlockDim, Blocked, Element, KernelCall, Operand, Role, Scratch, Squeezed
from pipeline.ir.jaxpr import RefAval, ShapedArray
from pipeline.ir.jaxpr_text import parse_jaxpr


def _dim(value: Any) -> BlockDim:
    match value:
        case None:
            return Squeezed()
        case int():
            return Blocked(value)
        case _:
            low, high = value["padding"]
            return Element(value["element"], (low, high))


def recorded_call(record: dict[str, Any]) -> KernelCall:
    body = parse_jaxpr(record["body"])
    refs = [var.aval for var in body.invars]
    operands = []
    for said, ref in zip(record["operands"], refs, strict=False):
        assert isinstance(ref, RefAval)
        block = said.get("block")
        operands.append(
            Operand(
                said["name"],
                Role[said["role"]],
                ShapedArray(tuple(said["shape"]), BY_NAME[said["dtype"]]),
                ref,
                None if block is None else tuple(map(_dim, block)),
                parse_jaxpr(said["map"]) if "map" in said else None,
                said.get("buffers"),
            )
        )
    scratch = []
    for name, ref in zip(record["scratch"], refs[len(operands) :], strict=True):
        assert isinstance(ref, RefAval)
        scratch.append(Scratch(name, ref))
    return KernelCall(
        "kern",
        body,
        tuple(record["grid"]),
        tuple(operands),
        tuple(scratch),
        aliases=tuple((i, o) for i, o in record.get("aliases", ())),
        vmem_limit_bytes=record.get("vmem_limit_bytes"),
    )
