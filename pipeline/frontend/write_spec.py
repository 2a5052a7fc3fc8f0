"""Writes a `KernelCall` as a self-contained spec file: kernel and index maps as jaxpr text, the rest as tables."""

from __future__ import annotations

import keyword
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from pipeline.dtypes import BY_NAME, BY_SHORT, DMA_SEM, SEM
from pipeline.errors import SpecError
from pipeline.ir.call import BlockDim, Blocked, Element, KernelCall, Operand, Role, Scratch, Squeezed
from pipeline.ir.jaxpr import MemorySpace
from pipeline.ir.jaxpr_text import print_jaxpr
from pipeline.spec.limits import MAX_NAME
from pipeline.spec.spec import Data, PythonOrigin, Static
from pipeline.spec.variants import RESERVED

INLINE = 4096  # integers of one operand that are written into the file; more go into a .npy beside it
_SPACES = {MemorySpace.ANY: "any", MemorySpace.HBM: "hbm", MemorySpace.VMEM: "vmem", MemorySpace.SMEM: "smem"}


class Written(NamedTuple):
    """The spec's text, and the arrays that go beside it by file name."""

    text: str
    arrays: dict[str, Any]


def with_plain_names(call: KernelCall) -> KernelCall:
    """`call` with names that specs can have: identifiers, each once, that mean nothing else."""
    taken: set[str] = set()
    operands = tuple(replace(one, name=_name(one.name, taken)) for one in call.operands)
    scratch = tuple(replace(one, name=_name(one.name, taken)) for one in call.scratch)
    return replace(call, name=kernel_name(call.name), operands=operands, scratch=scratch)


def kernel_name(name: str) -> str:
    """A kernel's name as an identifier."""
    plain = re.sub(r"[^A-Za-z0-9_]+", "_", name).strip("_") or "kernel"
    return (f"k{plain}" if plain[0].isdigit() else plain)[: 2 * MAX_NAME].rstrip("_")


def _name(name: str, taken: set[str]) -> str:
    plain = re.sub(r"[^A-Za-z0-9_]+", "_", name).strip("_")[: MAX_NAME - 8] or "ref"
    if plain[0].isdigit() or keyword.iskeyword(plain) or plain in RESERVED or plain in BY_NAME or plain in BY_SHORT:
        plain = f"{plain}_ref" if not plain[0].isdigit() else f"ref_{plain}"
    unique, count = plain, 1
    while unique in taken:
        count += 1
        unique = f"{plain}_{count}"
    taken.add(unique)
    return unique


def write_spec(
    call: KernelCall,
    name: str,
    *,
    origin: PythonOrigin | None = None,
    targets: Sequence[str] = ("v5e", "v6e"),
    summary: str = "",
    data: Mapping[str, Data] | None = None,
    values: Mapping[str, Any] | None = None,
    inline: int = INLINE,
) -> Written:
    """A spec file that `pipeline.spec.load` reads back to the same call.

    data:   by operand name, how its values are made; values: NumPy arrays that integer operands hold, which go into the
            file or, where they are more than `inline`, beside it.
    Errors: SpecError F107 for a scratch space that specs do not have.
    """
    call = with_plain_names(call)
    writer = _Writer(name, dict(data or {}), dict(values or {}), inline)
    writer.head(call, origin, targets, summary)
    for operand in call.operands:
        writer.operand(call, operand)
    for scratch in call.scratch:
        writer.scratch(scratch)
    return Written("\n".join(writer.lines) + "\n", writer.arrays)


class _Writer:
    def __init__(self, name: str, data: dict[str, Data], values: dict[str, Any], inline: int) -> None:
        self.name = name
        self.inline = inline
        self.room = 3 * inline  # in the whole file: what reads it takes no more than `MAX_VALUES`
        self.data = data
        self.values = values
        self.lines: list[str] = []
        self.arrays: dict[str, Any] = {}

    def key(self, key: str, value: object) -> None:
        self.lines.append(f"{key} = {toml(value)}")

    def table(self, header: str) -> None:
        self.lines += ["", header]

    def head(self, call: KernelCall, origin: PythonOrigin | None, targets: Sequence[str], summary: str) -> None:
        self.key("name", self.name)
        if summary:
            self.key("summary", summary)
        self.key("targets", list(targets))
        if call.vmem_limit_bytes is not None:
            self.key("vmem_limit_bytes", call.vmem_limit_bytes)
        self.table("[kernel]")
        if call.name != self.name:
            self.key("function", call.name)
        body = print_jaxpr(call.body, origins=True)
        self.lines.append(f"jaxpr = {multi_line(body)}")
        if origin is not None:
            self.table("[kernel.python]")
            self.key("function", origin.function)
            self.key("args", list(origin.args))
            if origin.static:
                self.key("static", dict(origin.static))
            if origin.call != 1:
                self.key("call", origin.call)
        if call.grid:
            self.table("[grid]")
            self.key("shape", list(call.grid))
            if call.dynamic_grid:
                self.key("dynamic", list(call.dynamic_grid))
            if call.semantics is not None:
                self.key("semantics", list(call.semantics))

    def operand(self, call: KernelCall, operand: Operand) -> None:
        section = {Role.SCALAR_PREFETCH: "scalar_prefetch", Role.INPUT: "inputs", Role.OUTPUT: "outputs"}[operand.role]
        self.table(f"[[{section}]]")
        self.key("name", operand.name)
        self.key("shape", list(operand.array.shape))
        self.key("dtype", operand.array.dtype.name)
        if operand.role is not Role.SCALAR_PREFETCH:
            if operand.ref.space in _SPACES:
                self.key("memory_space", _SPACES[operand.ref.space])
            elif operand.ref.space is not MemorySpace.DEFAULT:
                raise SpecError("F107", f"operand {operand.name!r} lives in memory space {operand.ref.space.value}")
            if operand.block is not None:
                self.key("block", [_block_dim(dim) for dim in operand.block])
            if operand.index_map is not None:
                self.lines.append(f"index_map = {multi_line(print_jaxpr(operand.index_map))}")
            if operand.buffer_count is not None:
                self.key("buffer_count", operand.buffer_count)
        if operand.role is Role.OUTPUT:
            place = call.with_role(Role.OUTPUT).index(operand)
            given = [one for one in call.operands if one.role is not Role.OUTPUT]
            for source, output in call.aliases:
                if output == place:
                    self.key("alias", given[source].name)
            return
        table = self.data_table(operand)
        if table is not None:
            self.key("data", table)

    def data_table(self, operand: Operand) -> dict[str, object] | None:
        held = self.values.get(operand.name)
        if held is not None and not operand.array.dtype.is_float:
            flat = [int(value) for value in held.reshape(-1)[: self.inline + 1].tolist()]
            if len(flat) <= self.inline and len(set(flat)) > 1 and len(flat) <= self.room:
                self.room -= len(flat)
                return {"kind": "values", "values": flat}
            if flat and bool((held == held.reshape(-1)[0]).all()):
                return {"kind": "constant", "value": flat[0]}
            file = f"{self.name}.{operand.name}.npy"
            self.arrays[file] = held
            return {"kind": "file", "file": file}
        data = self.data.get(operand.name)
        if data is None or data.kind == "file":
            return None
        table: dict[str, object] = {"kind": data.kind}
        keys = {"normal": ("seed", "mean", "std"), "uniform": ("seed", "low", "high"), "constant": ("value",),
                "integers": ("seed", "low", "high"), "iota": ("low", "high"), "values": ("values",)}  # fmt: skip
        for key in keys[data.kind]:
            value = getattr(data, key)
            if value is not None:
                table[key] = list(value) if isinstance(value, tuple) else _number(value)
        return table

    def scratch(self, scratch: Scratch) -> None:
        self.table("[[scratch]]")
        self.key("name", scratch.name)
        space, dtype = scratch.ref.space, scratch.ref.dtype
        kinds = {DMA_SEM: "dma_semaphore", SEM: "semaphore"}
        kind = kinds.get(dtype) or {MemorySpace.VMEM: "vmem", MemorySpace.SMEM: "smem"}.get(space)
        if kind is None:
            raise SpecError("F107", f"scratch {scratch.name!r} lives in memory space {space.value}")
        self.key("kind", kind)
        self.key("shape", list(scratch.ref.shape))
        if dtype not in kinds:
            self.key("dtype", dtype.name)


def _block_dim(dim: BlockDim) -> object:
    match dim:
        case Blocked(size):
            return size
        case Squeezed():
            return "squeezed"
        case Element(size, (0, 0)):
            return {"element": size}
        case Element(size, (low, high)):
            return {"element": size, "padding": [low, high]}


def _number(value: float) -> int | float:
    return int(value) if float(value).is_integer() else value


def toml(value: object) -> str:
    """A value in TOML's form, on one line."""
    match value:
        case bool():
            return "true" if value else "false"
        case float() if math.isinf(value) or math.isnan(value):
            return repr(value)
        case int() | float():
            return repr(value)
        case str():
            return quoted(value)
        case list():
            return f"[{', '.join(map(toml, value))}]"
        case dict():
            return f"{{ {', '.join(f'{key} = {toml(item)}' for key, item in value.items())} }}"
    raise AssertionError(value)


def quoted(text: str) -> str:
    """A basic string of TOML."""
    escaped = "".join(
        {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}.get(c, c if c.isprintable() else f"\\U{ord(c):08X}")
        for c in text
    )
    return f'"{escaped}"'


def multi_line(text: str) -> str:
    """A string of TOML that keeps `text`, printed jaxprs, readable: literal, unless it has quotes of that kind."""
    if "'''" in text:
        return quoted(text)
    return f"'{text}'" if "\n" not in text and "'" not in text else f"'''\n{text}\n'''"


def parse_static(text: str) -> tuple[str, Static]:
    """`name=value` of the command line: a number, true, false, or else a string. Errors: SpecError F103."""
    key, equals, value = text.partition("=")
    if not equals or not key.isidentifier():
        raise SpecError("F103", f"{text[:80]!r} is no static argument", hint="write it as NAME=VALUE")
    if value.lower() in ("true", "false"):
        return key, value.lower() == "true"
    for kind in (int, float):
        try:
            return key, kind(value)
        except ValueError:
            continue
    return key, value
