"""Reads what `record_jax.py` wrote: programs in jaxpr text, arrays as compressed bytes, kernel calls."""

from __future__ import annotations

import base64
import json
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.dtypes import BY_NAME
from pipeline.ir.call import BlockDim, Blocked, Element, KernelCall, Operand, Role, Scratch, Squeezed
from pipeline.ir.jaxpr import MemorySpace, RefAval, ShapedArray
from pipeline.ir.jaxpr_text import parse_jaxpr
from pipeline.simulate.numerics.dtypes import numpy_dtype

DATA = Path(__file__).parent / "data"


@cache
def entries(name: str) -> dict[str, dict[str, Any]]:
    """The records of `name`.json by name."""
    return {entry["name"]: entry for entry in json.loads((DATA / f"{name}.json").read_text())["entries"]}


def read_array(record: dict[str, Any]) -> Any:
    raw = zlib.decompress(base64.b64decode(record["data"]))
    return np.frombuffer(raw, numpy_dtype(BY_NAME[record["dtype"]])).reshape(record["shape"])


def read_ref(record: dict[str, Any]) -> RefAval:
    return RefAval(ShapedArray(tuple(record["shape"]), BY_NAME[record["dtype"]]), MemorySpace(record["space"]))


def read_dim(record: Any) -> BlockDim:
    if record is None:
        return Squeezed()
    if isinstance(record, int):
        return Blocked(record)
    return Element(record["element"], tuple(record["padding"]))


def read_call(entry: dict[str, Any]) -> KernelCall:
    operands = tuple(
        Operand(
            o["name"],
            Role(o["role"]),
            ShapedArray(tuple(o["shape"]), BY_NAME[o["dtype"]]),
            read_ref(o["ref"]),
            None if o["block"] is None else tuple(map(read_dim, o["block"])),
            None if o["index_map"] is None else parse_jaxpr(o["index_map"]),
        )
        for o in entry["operands"]
    )
    return KernelCall(
        entry["name"],
        parse_jaxpr(entry["body"]),
        tuple(entry["grid"]),
        operands,
        tuple(Scratch(s["name"], read_ref(s["ref"])) for s in entry["scratch"]),
        aliases=tuple((a, b) for a, b in entry["aliases"]),
    )


def kernel(name: str) -> tuple[KernelCall, dict[str, Any], list[Any] | None]:
    """A recorded kernel: its call, its inputs by name, what JAX's interpret mode gave (None where it was not run)."""
    entry = entries("kernels")[name]
    call = read_call(entry)
    ins = [o.name for o in call.operands if o.role is not Role.OUTPUT]
    inputs = dict(zip(ins, map(read_array, entry["args"]), strict=True))
    outs = entry["interpret"]
    return call, inputs, None if outs is None else list(map(read_array, outs))
