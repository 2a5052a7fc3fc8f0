"""Where portability ends: how many of a module's ops any vector machine could run, and which name a unit of this one.

A standard dialect (`arith`, `math`, `vector`, `scf`, `memref`, `func`) is algebra and structure; any other one is the
machine's own. Memory spaces in types tie standard ops to the machine as well, so they are listed too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pipeline.ir.module import MemRefType, Module, Op, Region, Value, walk_ops

STANDARD_DIALECTS = ("arith", "func", "math", "memref", "scf", "vector")


def print_portability(module: Module) -> str:
    """One fact a line, names in alphabetical order, with a final newline. Ops of index maps are counted apart."""
    kernel, *maps = module.funcs
    lines = [f"portability of {module.name}", ""]
    ops = list(walk_ops(kernel.body))
    lines.extend(_section("kernel", ops))
    if maps:
        lines.append("")
        lines.extend(_section("index maps", [op for func in maps for op in walk_ops(func.body)]))
    lines.append("")
    spaces = _count(space for func in module.funcs for space in _spaces(func.body))
    lines.extend(_table("values in a memory space", spaces))
    return "\n".join(lines) + "\n"


def _section(title: str, ops: list[Op]) -> list[str]:
    standard = _count(op.name for op in ops if op.dialect in STANDARD_DIALECTS)
    own = _count(op.name for op in ops if op.dialect not in STANDARD_DIALECTS)
    return [
        *_table(f"{title}: ops of any vector machine", standard),
        *_table(f"{title}: ops that name a unit of this one", own),
    ]


def _table(title: str, counts: dict[str, int]) -> list[str]:
    rows = [(title, sum(counts.values())), *((f"  {name}", counts[name]) for name in sorted(counts))]
    return [f"{name:<{_COLUMN}}{count:>{_DIGITS}}" for name, count in rows]


# fixed, so that a longer name in one line moves nothing in the others
_COLUMN = 48
_DIGITS = 8


def _count(names: Iterable[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return counts


def _spaces(region: Region) -> Iterator[str]:
    """The memory space of each ref that the region defines."""
    yield from _named(region.args)
    for op in region.ops:
        yield from _named(op.results)
        for inner in op.regions:
            yield from _spaces(inner)


def _named(values: Iterable[Value]) -> Iterator[str]:
    for value in values:
        if isinstance(value.type, MemRefType) and value.type.space is not None:
            yield value.type.space
