"""What a sweep changes of a spec: params, and by path blocks, buffer slots, grid axes and the VMEM limit.

    BM                 a param
    block.x, block.x.0 the block of operand x ("128x512"), or one of its dimensions
    buffers.x          its buffer slots
    grid.1             steps along a grid axis
    vmem_limit_bytes   the VMEM that the compiler may use

A grid axis follows the block that it steps over: where an index map counts blocks of a dimension by that axis alone,
and the grid has just as many steps as there are blocks, a new size of the block gives the grid its new number of steps.
Other operands that the axis steps over in blocks of the same size get the new size too, unless it is varied itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pipeline.errors import SpecError
from pipeline.ir.call import BlockDim, Blocked, Element, KernelCall
from pipeline.spec.spec import Spec, SpecOperand, Static

MAX_VALUES = 1000  # of one path
_RANGE = re.compile(r"(\d+)\.\.(\d+)(?::(\d+))?")
_SIZES = re.compile(r"\d+(x\d+)*")
Links = dict[str, tuple["int | None", ...]]  # operand: for each dimension the grid axis that alone counts its blocks


class Path(NamedTuple):
    """A path that is no param: kind is "block", "buffers", "grid" or "limit"."""

    kind: str
    name: str = ""
    axis: int | None = None


def is_path(name: str) -> bool:
    """Whether this is a path rather than a param's name."""
    return "." in name or name == "vmem_limit_bytes"


def paths_of(spec: Spec) -> list[str]:
    """All that can be varied of a spec, shortest forms."""
    found = list(spec.params)
    blocked = [operand for operand in spec.operands if operand.block is not None]
    found += [f"block.{operand.name}" for operand in blocked]
    found += [f"buffers.{operand.name}" for operand in blocked]
    return [*found, *(f"grid.{axis}" for axis in range(len(spec.grid))), "vmem_limit_bytes"]


def parse_path(text: str, spec: Spec) -> Path | None:
    """A path other than a param's name; None if the spec has nothing there."""
    kind, _, rest = text.partition(".")
    if text == "vmem_limit_bytes":
        return Path("limit")
    if kind == "grid" and rest.isascii() and rest.isdigit() and int(rest[:4]) < len(spec.grid):
        return Path("grid", axis=int(rest))
    name, _, axis = rest.partition(".")
    operand = next((one for one in spec.operands if one.name == name and one.block is not None), None)
    if operand is None or operand.block is None:
        return None
    if kind == "buffers" and not axis:
        return Path("buffers", name)
    if kind == "block" and not axis:
        return Path("block", name)
    if kind == "block" and axis.isascii() and axis.isdigit() and int(axis[:4]) < len(operand.block):
        return Path("block", name, int(axis))
    return None


def values_of(text: str) -> list[Static]:
    """Values of "64,128", "64..512" (doubled as long as it is not more) or "64..512:64" (added to).

    Errors: ValueError with what is wrong.
    """
    found: list[Static] = []
    for word in (word.strip() for word in text.split(",")):
        match = _RANGE.fullmatch(word)
        if match is not None:
            low, high, step = int(match[1]), int(match[2]), None if match[3] is None else int(match[3])
            if low < 1 or high < low or step == 0:
                raise ValueError(f"the range {word} is empty; one is written 64..512, or 64..512:64")
            while low <= high and len(found) <= MAX_VALUES:
                found.append(low)
                low = low * 2 if step is None else low + step
        elif ".." in word:
            raise ValueError(f"{word!r} is no range; one is written 64..512, or 64..512:64")
        elif word:
            found.append(_value(word))
        if len(found) > MAX_VALUES:
            raise ValueError(f"there are more than {MAX_VALUES} values")
    return found


def _value(word: str) -> Static:
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    return {"true": True, "false": False}.get(word, word)


def links_of(call: KernelCall) -> Links:
    """For each blocked operand of a traced call, the grid axis that alone counts a dimension's blocks."""
    found: Links = {}
    for operand in call.operands:
        if operand.block is None or operand.index_map is None:
            continue
        axes = {id(var): axis for axis, var in enumerate(operand.index_map.invars[: len(call.grid)])}
        found[operand.name] = tuple(
            axes.get(id(out)) if isinstance(dim, Blocked) else None
            for out, dim in zip(operand.index_map.outvars, operand.block, strict=True)
        )
    return found


def edit(data: dict[str, Any], spec: Spec, links: Links, settings: Mapping[str, Static]) -> None:
    """Put `settings`, by path, into a spec file's data; `spec` is that file's as it is without them.

    Errors: SpecError C114 for a value that does not fit its place, or sizes that ask one grid axis for two lengths.
    """
    sizes: dict[tuple[str, int], int] = {}
    grid: dict[int, int] = {}
    for text, value in settings.items():
        path = parse_path(text, spec)
        assert path is not None, text
        match path.kind:
            case "limit":
                data["vmem_limit_bytes"] = _whole(text, value)
            case "buffers":
                _table(data, spec, path.name)["buffer_count"] = _whole(text, value)
            case "grid":
                grid[path.axis or 0] = _whole(text, value)
            case _:
                operand = _operand(spec, path.name)
                sizes.update(_sizes(text, value, operand, path.axis))
    steps = _follow(spec, links, sizes, grid)
    for (name, axis), size in sizes.items():
        _set_size(_table(data, spec, name)["block"], axis, size)
    for axis, size in {**steps, **grid}.items():
        data["grid"]["shape"][axis] = size


def _whole(text: str, value: Static) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise SpecError("C114", f"{text} takes a whole number from 1 up, not {value!r}")
    return value


def _sizes(text: str, value: Static, operand: SpecOperand, axis: int | None) -> dict[tuple[str, int], int]:
    block = operand.block or ()
    if axis is not None:
        wanted: Sequence[int] = (_whole(text, value),)
        axes: Sequence[int] = (axis,)
    else:
        words = str(value)
        axes = [at for at, dim in enumerate(block) if isinstance(dim, (Blocked, Element))]
        wanted = [int(n) for n in words.split("x")] if _SIZES.fullmatch(words) else []
        if len(wanted) != len(axes):
            raise SpecError(
                "C114", f"{text} takes {len(axes)} sizes such as {'x'.join(['128'] * len(axes))}, not {words}"
            )
    for at in axes:
        if _size(block[at]) is None:
            raise SpecError("C114", f"{text} is a squeezed dimension, which has no size")
    return {(operand.name, at): size for at, size in zip(axes, wanted, strict=True)}


def _follow(spec: Spec, links: Links, sizes: dict[tuple[str, int], int], fixed: Mapping[int, int]) -> dict[int, int]:
    """Steps of the grid axes that follow; sizes that follow are added to `sizes`."""
    steps: dict[int, int] = {}
    by: dict[int, str] = {}
    followers: dict[tuple[str, int], int] = {}
    for (name, at), size in sizes.items():
        operand = _operand(spec, name)
        axis, old = _axis(links, name, at), _size((operand.block or ())[at])
        if axis is None or old is None or axis in fixed or spec.grid[axis] != -(-operand.shape[at] // old):
            continue
        count = -(-operand.shape[at] // size)
        if steps.get(axis, count) != count:
            raise SpecError(
                "C114", f"block.{name}.{at} asks for {count} steps of grid axis {axis}, {by[axis]} for {steps[axis]}"
            )
        steps[axis], by[axis] = count, f"block.{name}.{at}"
        for other in spec.operands:
            for place, dim in enumerate(other.block or ()):
                alike = _size(dim) == old and spec.grid[axis] == -(-other.shape[place] // old)
                if _axis(links, other.name, place) == axis and alike and (other.name, place) not in sizes:
                    followers[other.name, place] = size
    sizes.update(followers)
    return steps


def _axis(links: Links, name: str, at: int) -> int | None:
    return links[name][at] if name in links else None


def _size(dim: BlockDim) -> int | None:
    return dim.size if isinstance(dim, (Blocked, Element)) else None


def _operand(spec: Spec, name: str) -> SpecOperand:
    return next(operand for operand in spec.operands if operand.name == name)


def _table(data: dict[str, Any], spec: Spec, name: str) -> dict[str, Any]:
    section, position = _operand(spec, name).loc
    found: dict[str, Any] = data[str(section)][position]
    return found


def _set_size(block: list[Any], axis: int, size: int) -> None:
    if isinstance(block[axis], dict):
        block[axis]["element"] = size
    else:
        block[axis] = size
