"""What a well-formed `Module` is: a list of complaints, empty for a good one.

Structure is checked here; what types an op takes is a table, `Checks`, of the dialects' owner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from pipeline.ir.module import Func, Module, Op, Region, SymbolRef, Value

# op -> what is wrong with its operands, results and attributes; None if nothing is
Check = Callable[[Op], "str | None"]
Checks = Mapping[str, Check]

TERMINATORS = ("func.return", "scf.yield", "scf.condition", "tpu.yield", "stablehlo.return")


def verify_module(module: Module, checks: Checks) -> list[str]:
    """Complaints, none for a good module.

    They are: values used outside their definition or defined twice, missing or early terminators, returns that do not
    fit the signature, unsorted attributes, dangling symbols, and what `checks` find.
    """
    found: list[str] = []
    names = [func.name for func in module.funcs]
    if len(set(names)) != len(names):
        found.append(f"two functions of one name among {names}")
    defined: set[Value] = set()
    for func in module.funcs:
        found.extend(f"@{func.name}: {text}" for text in _verify_func(func, checks, defined))
        for symbol in _symbols(func):
            if symbol not in names:
                found.append(f"@{func.name}: no function @{symbol}")
    return found


def _verify_func(func: Func, checks: Checks, defined: set[Value]) -> Iterator[str]:
    yield from _verify_region(func.body, frozenset(), checks, defined)
    if func.body.ops:
        returned = tuple(value.type for value in func.body.ops[-1].operands)
        if returned != func.results:
            yield f"returns {returned}, not {func.results}"
    yield from _sorted(func.attrs)


def _verify_region(region: Region, outer: frozenset[Value], checks: Checks, defined: set[Value]) -> Iterator[str]:
    visible = set(outer)
    for arg in region.args:
        if arg in defined:
            yield "an argument is defined twice"
        defined.add(arg)
        visible.add(arg)
    for position, op in enumerate(region.ops):
        last = position == len(region.ops) - 1
        if (op.name in TERMINATORS) != last:
            yield f"op {position}, {op.name}: a terminator stands last and only there"
        for value in op.operands:
            if value not in visible:
                yield f"op {position}, {op.name}: an operand of type {value.type} is not defined here"
        for inner in op.regions:
            yield from _verify_region(inner, frozenset(visible), checks, defined)
        for value in op.results:
            if value in defined:
                yield f"op {position}, {op.name}: a result is defined twice"
            defined.add(value)
            visible.add(value)
        yield from (f"op {position}, {op.name}: {text}" for text in _sorted(op.attrs))
        check = checks.get(op.name)
        wrong = check(op) if check is not None else None
        if wrong is not None:
            yield f"op {position}, {op.name}: {wrong}"
    if not region.ops:
        yield "a region without a terminator"


def _sorted(attrs: tuple[tuple[str, object], ...]) -> Iterator[str]:
    names = [name for name, _ in attrs]
    if names != sorted(names):
        yield f"attributes out of order: {names}"


def _symbols(func: Func) -> Iterator[str]:
    """Functions that a function's attributes refer to."""
    waiting: list[object] = [value for _, value in func.attrs]
    while waiting:
        item = waiting.pop()
        if isinstance(item, SymbolRef):
            yield item.name
        elif isinstance(item, tuple):
            waiting.extend(item)
        elif hasattr(item, "items") and isinstance(item.items, tuple):
            waiting.extend(value for _, value in item.items)
