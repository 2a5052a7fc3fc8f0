"""One variant of a spec file to a `Spec`: expressions evaluated, dtypes looked up, sizes held against the limits."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pipeline.dtypes import BY_NAME, BY_SHORT, DMA_SEM, SEM, DType
from pipeline.ir.call import BlockDim, Element, Role, Squeezed
from pipeline.ir.call import Blocked as BlockedDim
from pipeline.ir.jaxpr import MemorySpace
from pipeline.spec.checks import Drawn
from pipeline.spec.context import Context, Loc
from pipeline.spec.expr import ExprError, evaluate
from pipeline.spec.limits import MAX_DIM, MAX_GRID_DIM, MAX_GRID_STEPS, MAX_OPERAND_BYTES, all_checks
from pipeline.spec.spec import Data, KernelSource, Spec, SpecOperand, SpecScratch, Static, Target
from pipeline.spec.suggest import did_you_mean, listed, shown, shown_number

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.spec.model import Blocked, BlockEntry, DataTable, ScalarPrefetch, Scratch, SpecFile

_WIDE = {"int64": "int32", "uint64": "uint32", "float64": "float32"}
_DTYPES = tuple(name for name, dtype in BY_NAME.items() if not dtype.is_semaphore and name not in _WIDE)
_MAX_BUFFERS = 64
_FAILED = 1  # stands for a number that couldn't be found; the run ends in a report


@dataclass(frozen=True, slots=True)
class Common:
    """What all variants of a file share. `data` is by operand name."""

    targets: tuple[Target, ...]
    kernel: KernelSource
    data: Mapping[str, Drawn]
    files: tuple[Path, ...]


class Builder:
    """Builds one variant; mistakes go to the context."""

    def __init__(self, context: Context, file: SpecFile, params: Mapping[str, Static]) -> None:
        self.context = context
        self.file = file
        self.params = params

    def build(self, common: Common | None, variant: str) -> Spec | None:
        """The variant's Spec; None without `common`, for a file whose other parts are wrong already.

        Reports: S106 (expressions), S107 (dtypes), S110-S112 (sizes), S118 (aliases), S120 (data).
        """
        file, context = self.file, self.context
        grid = self.grid()
        prefetch = tuple(
            self.prefetch(("scalar_prefetch", i), one, common) for i, one in enumerate(file.scalar_prefetch)
        )
        inputs = tuple(self.operand(("inputs", i), one, Role.INPUT, common) for i, one in enumerate(file.inputs))
        outputs = tuple(self.operand(("outputs", i), one, Role.OUTPUT, common) for i, one in enumerate(file.outputs))
        scratch = tuple(self.scratch(("scratch", i), one) for i, one in enumerate(file.scratch))
        self.total((*prefetch, *inputs, *outputs))
        aliases = self.aliases((*prefetch, *inputs), outputs)
        limit = None
        if file.vmem_limit_bytes is not None and context.sound(("vmem_limit_bytes",)):
            limit = self.integer(("vmem_limit_bytes",), file.vmem_limit_bytes, 1, MAX_DIM, "vmem_limit_bytes")
        if common is None:
            return None
        reference = file.simulate.reference if file.simulate is not None else None
        return Spec(
            name=file.name,
            variant=variant,
            summary=file.summary,
            targets=common.targets,
            kernel=replace(common.kernel, static_args=self.static()),
            params=self.params,
            grid=grid,
            semantics=None if file.grid is None or file.grid.semantics is None else tuple(file.grid.semantics),
            operands=(*prefetch, *inputs, *outputs),
            scratch=scratch,
            aliases=aliases,
            vmem_limit_bytes=limit,
            reference=None if reference is None else context.code(("simulate", "reference"), reference),
            expect=None if file.expect is None else file.expect.error or file.expect.warning,
            locate=context.places,
            source=context.places.source,
            folder=context.folder,
            files=common.files,
            expects_warning=file.expect is not None and file.expect.error is None,
            expects_also=() if file.expect is None else tuple(file.expect.also),
            checks=() if file.simulate is None else all_checks(file.simulate.checks),
            transforms=tuple(name for name in ("jvp", "grad", "vmap") if name in file.transforms),
            sweep=file.sweep,
            dynamic_grid=() if file.grid is None else tuple(sorted(set(file.grid.dynamic))),
        )

    def static(self) -> tuple[tuple[str, Static], ...]:
        """Static arguments; a string that is a param's name stands for the param's value."""
        return tuple(
            (name, self.params.get(value, value) if isinstance(value, str) else value)
            for name, value in self.file.kernel.static.items()
        )

    def number(self, loc: Loc, value: int | str) -> int | None:
        """An integer or expression's value; None after a report."""
        if isinstance(value, int):
            return value
        try:
            return evaluate(value, self.params)
        except ExprError as error:
            span = self.context.code(loc, value).span(1, error.column, error.end_column)
            self.context.report("S106", error.message, span, error.hint)
            return None

    def integer(self, loc: Loc, value: int | str, low: int, high: int, what: str, code: str = "S110") -> int:
        """A number that has to be in [low, high]."""
        number = self.number(loc, value)
        if number is None:
            return _FAILED
        if not low <= number <= high:
            said = f"{shown(value)} is" if isinstance(value, str) else "is"
            self.context.report(code, f"{what} must be from {low} to {high}, but {said} {shown_number(number)}", loc)
            return _FAILED
        return number

    def grid(self) -> tuple[int, ...]:
        if self.file.grid is None or not self.context.sound(("grid", "shape")):
            return ()
        sizes = tuple(
            self.integer(("grid", "shape", i), value, 1, MAX_GRID_DIM, "a grid axis", "S112")
            for i, value in enumerate(self.file.grid.shape)
        )
        steps = math.prod(sizes)
        if steps > MAX_GRID_STEPS:
            fact = f"the grid has {shown_number(steps)} steps; at most {MAX_GRID_STEPS} are allowed"
            self.context.report("S112", fact, ("grid", "shape"), "use larger blocks")
        return sizes

    def shape(self, loc: Loc, shape: list[int | str], what: str) -> tuple[int, ...]:
        if not self.context.sound(loc):
            return ()
        return tuple(self.integer((*loc, i), n, 1, MAX_DIM, f"a dimension of {what}") for i, n in enumerate(shape))

    def dtype(self, loc: Loc, name: str) -> DType:
        """The dtype named, maybe by a param."""
        if not self.context.sound(loc):
            return BY_NAME["float32"]
        value = self.params.get(name, name)
        if not isinstance(value, str):
            self.context.report("S107", f"the param {shown(name)} is no dtype's name", loc)
        elif value in _DTYPES:
            return BY_NAME[value]
        elif value in _WIDE:
            fact = f"the dtype {shown(value)} is not available: JAX has no 64-bit types unless told to"
            self.context.report("S107", fact, loc, f"use {_WIDE[value]}")
        else:
            short = BY_SHORT.get(value)
            exact = f"did you mean '{short.name}'?" if short is not None and short.name in _DTYPES else None
            hint = exact or did_you_mean(value, (*_DTYPES, *self.params)) or f"known: {listed(_DTYPES, 24)}"
            said = f"the param {shown(name)} is {shown(value)}, which is no dtype" if name in self.params else None
            self.context.report("S107", said or f"there is no dtype {shown(value)}", loc, hint)
        return BY_NAME["float32"]

    def prefetch(self, loc: Loc, operand: ScalarPrefetch, common: Common | None) -> SpecOperand:
        shape = self.shape((*loc, "shape"), operand.shape, shown(operand.name))
        dtype = self.dtype((*loc, "dtype"), operand.dtype)
        return SpecOperand(
            name=operand.name,
            role=Role.SCALAR_PREFETCH,
            shape=shape,
            dtype=dtype,
            block=None,
            index_map=None,
            space=MemorySpace.SMEM,
            buffer_count=None,
            data=self.data((*loc, "data"), operand.name, common, Data("constant"), shape, dtype),
            loc=loc,
        )

    def operand(self, loc: Loc, operand: Blocked, role: Role, common: Common | None) -> SpecOperand:
        shape = self.shape((*loc, "shape"), operand.shape, shown(operand.name))
        dtype = self.dtype((*loc, "dtype"), operand.dtype)
        block: tuple[BlockDim, ...] | None = None
        if operand.block is not None and self.context.sound((*loc, "block")):
            block = tuple(self.block_dim((*loc, "block", i), entry) for i, entry in enumerate(operand.block))
        count = None
        if operand.buffer_count is not None and self.context.sound((*loc, "buffer_count")):
            count = self.integer((*loc, "buffer_count"), operand.buffer_count, 1, _MAX_BUFFERS, "buffer_count")
        return SpecOperand(
            name=operand.name,
            role=role,
            shape=shape,
            dtype=dtype,
            block=block,
            index_map=None if operand.index_map is None else self.context.code((*loc, "index_map"), operand.index_map),
            space=MemorySpace(operand.memory_space),
            buffer_count=count,
            data=self.data((*loc, "data"), operand.name, common, default_data(int(loc[1]), dtype), shape, dtype),
            loc=loc,
        )

    def block_dim(self, loc: Loc, entry: BlockEntry) -> BlockDim:
        if entry is None or entry == "squeezed":
            return Squeezed()
        if not isinstance(entry, (int, str)):
            size = self.integer((*loc, "element"), entry.element, 1, MAX_DIM, "a block entry")
            low, high = (
                self.integer((*loc, "padding", i), n, 0, MAX_DIM, "padding") for i, n in enumerate(entry.padding)
            )
            return Element(size, (low, high))
        return BlockedDim(self.integer(loc, entry, 1, MAX_DIM, "a block entry"))

    def scratch(self, loc: Loc, scratch: Scratch) -> SpecScratch:
        shape = self.shape((*loc, "shape"), scratch.shape or [], shown(scratch.name))
        if scratch.kind in ("vmem", "smem"):
            space = MemorySpace(scratch.kind)
            dtype = BY_NAME["float32"] if scratch.dtype is None else self.dtype((*loc, "dtype"), scratch.dtype)
        else:
            space = MemorySpace.SEMAPHORE
            dtype = DMA_SEM if scratch.kind == "dma_semaphore" else SEM
        return SpecScratch(scratch.name, shape, dtype, space, loc)

    def total(self, operands: tuple[SpecOperand, ...]) -> None:
        """S111: the run holds all operands in memory at once."""
        sizes = [array_bytes(one.shape, one.dtype) for one in operands]
        if sum(sizes) > MAX_OPERAND_BYTES:
            largest = operands[sizes.index(max(sizes))]
            fact = f"the operands take {sum(sizes)} bytes in all, {max(sizes)} of them {shown(largest.name)}"
            hint = "use a smaller array of the same block shape: the kernel's captures say as much"
            self.context.report("S111", f"{fact}; at most {MAX_OPERAND_BYTES} are run", (*largest.loc, "shape"), hint)

    def aliases(self, inputs: tuple[SpecOperand, ...], outputs: tuple[SpecOperand, ...]) -> tuple[tuple[int, int], ...]:
        """S118: an output that shares an input's memory has its shape and dtype."""
        found = []
        for j, output in enumerate(outputs):
            alias = self.file.outputs[j].alias
            position = next((i for i, one in enumerate(inputs) if one.name == alias), None)
            if alias is None or position is None:
                continue
            source = inputs[position]
            found.append((position, j))
            locs = [(*one.loc, key) for one in (source, output) for key in ("shape", "dtype", "name")]
            if (source.shape, source.dtype) != (output.shape, output.dtype) and self.context.sound(*locs):
                both = f"{shown(output.name)} is {_aval(output)}, {shown(source.name)} is {_aval(source)}"
                fact = f"an output has the shape and dtype of the input it is an alias of, but {both}"
                self.context.report("S118", fact, (*output.loc, "alias"))
        return tuple(found)

    def data(
        self, loc: Loc, name: str, common: Common | None, default: Data, shape: tuple[int, ...], dtype: DType
    ) -> Data:
        """S120: numbers of the data."""
        if common is None or name not in common.data or not self.context.sound(loc):
            return default
        kind, table, path = common.data[name]
        seed = default.seed
        if table is not None and table.seed is not None:
            seed = self.integer((*loc, "seed"), table.seed, 0, 2**32 - 1, "seed", "S120")
        low, high = (self.real(loc, kind, table, key) for key in ("low", "high"))
        if kind == "uniform":
            low, high = 0.0 if low is None else low, 1.0 if high is None else high
        elif kind == "integers":
            low = 0 if low is None else low
        mean, std, value = (self.real(loc, kind, table, key) for key in ("mean", "std", "value"))
        if low is not None and high is not None and low >= high and kind in ("uniform", "integers"):
            self.context.report("S120", f"low must be below high, but low is {low} and high is {high}", loc)
        if kind == "iota" and high is not None and high < 1:
            self.context.report("S120", f"high must be 1 or more, but is {high}", (*loc, "high"))
        if std is not None and std < 0:
            self.context.report("S120", f"std must not be negative, but is {std}", (*loc, "std"))
        given: tuple[int | float, ...] = ()
        if table is not None and table.values is not None:
            given = self.values((*loc, "values"), table.values, shape, dtype)
        return Data(
            kind=kind,
            seed=seed,
            low=low,
            high=high,
            mean=0.0 if mean is None else mean,
            std=1.0 if std is None else std,
            value=0.0 if value is None else value,
            values=given,
            file=path,
            span=self.context.places(*loc),
        )

    def values(
        self, loc: Loc, values: list[int | float], shape: tuple[int, ...], dtype: DType
    ) -> tuple[int | float, ...]:
        """One value for each element; those of an integer operand are whole and fit its dtype."""
        if not self.context.sound((*loc[:-2], "shape"), (*loc[:-2], "dtype")):
            return tuple(values)
        if len(values) != math.prod(shape):
            fact = f"{len(values)} values are given for the {math.prod(shape)} elements of shape {list(shape)}"
            self.context.report("S120", fact, loc, "give one for each element, in row-major order")
        if not dtype.is_float:
            low, high = (
                (-(1 << dtype.bits - 1), (1 << dtype.bits - 1) - 1) if dtype.is_signed else (0, (1 << dtype.bits) - 1)
            )
            for i, value in enumerate(values):
                if not low <= value <= high or value != int(value):
                    self.context.report("S120", f"the value {value} is no {dtype.name}", (*loc, i))
        return tuple(values)

    def real(self, loc: Loc, kind: str, table: DataTable | None, key: str) -> float | None:
        """A number of the data table; only `value` may be infinite or nan."""
        given = None if table is None else getattr(table, key)
        if given is None:
            return None
        where = (*loc, key)
        number = given if isinstance(given, float) else self.number(where, given)
        if number is None:
            return None
        if isinstance(number, int) and not -(2**63) <= number < 2**64:
            self.context.report("S120", f"{key} does not fit 64 bits", where)
            return None
        if key != "value" and not math.isfinite(number):
            self.context.report("S120", f"{key} must be finite, but is {number}", where)
            return None
        whole = kind in ("integers", "iota")
        if whole and number != int(number):
            self.context.report("S120", f"{key} must be a whole number, but is {number}", where)
            return None
        return number


def array_bytes(shape: tuple[int, ...], dtype: DType) -> int:
    """Bytes of a dense array; a bool takes one, a 4-bit integer half a byte."""
    return (math.prod(shape) * max(dtype.bits, 4 if dtype.is_integer else 8) + 7) // 8


def _aval(operand: SpecOperand) -> str:
    return f"{operand.dtype.short}[{','.join(map(str, operand.shape))}]"


def default_data(position: int, dtype: DType) -> Data:
    """What an input holds when the spec doesn't say: small numbers, different for each input."""
    seed = position
    if dtype.is_float:
        return Data(seed=seed)
    if not dtype.is_integer:
        return Data("integers", seed, 0, 2)
    return Data("integers", seed, -8, 8) if dtype.is_signed else Data("integers", seed, 0, 16)
