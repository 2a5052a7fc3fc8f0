"""Kernels about one thing of a copy each, as spec text: which memories, how many tiles, in segments or not, starts and
sizes that are known or not, how many in flight, in loops, behind predicates, beside tables and windows.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.oracles.random_legality import kernel, operand, scratch

_HEAD = 'name = "directed"\nsummary = "A copy"\ntargets = ["v4", "v5e", "v5p", "v6e", "7x"]\n\n'
_MEMORIES = ("any", "vmem", "smem")
_STARTS = {"first": "0", "known": "16", "read": "pl.multiple_of(n_ref[1], 8)", "computed": "n_ref[1] * 8"}


def directed_copies() -> Iterator[tuple[str, str]]:
    """(name, text of a spec) of every kernel; the first word of a name is its family."""
    for family in (_between, _within, _segments, _starts, _sizes, _flights, _loops, _others):
        for name, text in family():
            yield f"{family.__name__[1:]} {name}", _HEAD + text


def _copy(source: str, target: str, sem: str = "d_ref") -> str:
    return _start(source, target, sem) + "    c.wait()\n"


def _start(source: str, target: str, sem: str = "d_ref", name: str = "c") -> str:
    return f"    {name} = pltpu.make_async_copy({source}, {target}, {sem})\n    {name}.start()\n"


def _used(at: str = "s_ref", part: str = "o_ref.at[0:8]", sem: str = "d_ref") -> str:
    """A copy out of what was copied in: what nobody reads the compiler leaves out."""
    return _copy(at, part, sem)


def _inside(lines: str) -> str:
    return "".join(f"    {line}\n" for line in lines.splitlines())


def _hbm(table: str, name: str, shape: tuple[int, ...] = (64, 256), dtype: str = "float32") -> str:
    return operand(table, name, shape, dtype, space="any")


def _made(body: str, parts: dict[str, str], grid: tuple[int, ...] = ()) -> str:
    """A kernel of named refs, in the order of the call."""
    source = f"def kernel({', '.join(f'{name}_ref' for name in parts)}):\n{body}"
    return kernel(source, grid) + "".join(parts.values())


def _parts(
    shape: tuple[int, ...] = (8, 256),
    sems: tuple[int, ...] = (),
    array: tuple[int, ...] = (64, 256),
    table: bool = True,
) -> dict[str, str]:
    """Perhaps a table, two arrays in HBM, VMEM, semaphores."""
    first = {"n": operand("scalar_prefetch", "n", (4,), "int32")} if table else {}
    return {
        **first,
        "x": _hbm("inputs", "x", array),
        "o": _hbm("outputs", "o", array),
        "s": scratch("s", "vmem", shape, "float32"),
        "d": scratch("d", "dma_semaphore", sems),
    }


def _between() -> Iterator[tuple[str, str]]:
    """Whole arrays from each memory to each other."""
    for source in _MEMORIES:
        for target in _MEMORIES:
            if source != target or source == "any":
                for rows, columns in ((8, 128), (64, 256)):
                    ends = {"any": ("x", "o"), "vmem": ("v", "v"), "smem": ("m", "m")}
                    a, b = ends[source][0], ends[target][1]
                    parts = {"x": _hbm("inputs", "x", (rows, columns)), "o": _hbm("outputs", "o", (rows, columns))}
                    for memory in {source, target} - {"any"}:
                        name = ends[memory][0]
                        parts[name] = scratch(name, memory, (rows, columns), "float32")
                    parts = dict(sorted(parts.items(), key=lambda part: "xovm".index(part[0])))
                    parts["d"] = scratch("d", "dma_semaphore")
                    yield f"{source} {target} {rows}", _made(_copy(f"{a}_ref", f"{b}_ref"), parts)


def _windows(shape: tuple[int, ...], part: tuple[int, ...], source: str, target: str, dtype: str = "float32") -> str:
    parts = {"x": operand("inputs", "x", shape, dtype), "o": operand("outputs", "o", part, dtype)}
    return _made(_copy(source, target), {**parts, "d": scratch("d", "dma_semaphore")})


def _within() -> Iterator[tuple[str, str]]:
    """From window to window: so many tiles in a row, whole ones or not."""
    for rows in (8, 16, 40, 128, 248, 256, 264, 504, 512, 1000, 2048, 8000):
        yield f"{rows} rows", _windows((rows, 128), (rows, 128), "x_ref", "o_ref")
    for rows in (4, 12, 100):
        yield f"{rows} rows", _windows((rows, 128), (rows, 128), "x_ref", "o_ref")
    for dtype, rows in (("bfloat16", 64), ("int8", 256), ("bfloat16", 512)):
        yield f"{dtype} {rows}", _windows((rows, 128), (rows, 128), "x_ref", "o_ref", dtype)


def _segments() -> Iterator[tuple[str, str]]:
    """From window to window: rows or columns of what is wider."""
    for rows in (16, 64, 256, 1024):
        yield f"column {rows}", _windows((rows, 256), (rows, 128), "x_ref.at[:, pl.ds(128, 128)]", "o_ref")
        yield f"columns {rows}", _windows((rows, 512), (rows, 256), "x_ref.at[:, pl.ds(256, 256)]", "o_ref")
    for rows in (8, 64, 512):
        yield f"rows {rows}", _windows((4, 1024, 128), (4, rows, 128), f"x_ref.at[:, pl.ds(0, {rows})]", "o_ref")
        yield f"plane {rows}", _windows((4, rows, 128), (rows, 128), "x_ref.at[2]", "o_ref")


def _starts() -> Iterator[tuple[str, str]]:
    for name, at in _STARTS.items():
        part = f"pl.ds({at}, 8)"
        yield f"in {name}", _made(_copy(f"x_ref.at[{part}]", "s_ref") + _used(), _parts())
        yield f"out {name}", _made(_copy("s_ref", f"o_ref.at[{part}]"), _parts())
        yield f"across {name}", _made(_copy(f"x_ref.at[{part}]", f"o_ref.at[{part}]"), _parts())
        yield (
            f"slot {name}",
            _made(_copy("x_ref.at[0:8]", f"s_ref.at[{part}]") + _used(part="o_ref"), _parts((64, 256))),
        )
    plane = _copy("x_ref.at[n_ref[0]]", "s_ref") + _used(part="o_ref.at[0]")
    yield "plane", _made(plane, _parts((64, 256), array=(4, 64, 256)))
    columns = _copy("x_ref.at[:, pl.ds(128, 128)]", "s_ref") + _used(part="o_ref.at[:, pl.ds(0, 128)]")
    yield "columns in", _made(columns, _parts((64, 128)))
    yield "columns out", _made(_copy("s_ref", "o_ref.at[:, pl.ds(128, 128)]"), _parts((64, 128)))


def _sizes() -> Iterator[tuple[str, str]]:
    """A number of rows that is read."""
    part = "pl.ds(0, n_ref[0] * 8)"
    yield "out", _made(_copy(f"s_ref.at[{part}]", f"o_ref.at[{part}]"), _parts((64, 256)))
    yield "across", _made(_copy(f"x_ref.at[{part}]", f"o_ref.at[{part}]"), _parts())


def _flights() -> Iterator[tuple[str, str]]:
    """Several copies started, then waited for; with a semaphore each, or one for all."""
    for n in (1, 2, 4, 8):
        rows = [f"pl.ds({8 * i}, 8)" for i in range(n)]
        waits = "".join(f"    c{i}.wait()\n" for i in range(n))
        for way, source, target in (("in", "x", "s"), ("out", "s", "o"), ("across", "x", "o")):
            starts = "".join(
                _start(
                    f"{source}_ref.at[{at}]", f"{target}_ref.at[{at}]",
                    "d_ref.at[0]" if way == "across" else f"d_ref.at[{i}]", f"c{i}",
                )
                for i, at in enumerate(rows)
            )  # fmt: skip
            used = _used(part="o_ref", sem="d_ref.at[0]") if way == "in" else ""
            yield f"{way} {n}", _made(starts + waits + used, _parts((64, 256), (n,), table=False))


def _loops() -> Iterator[tuple[str, str]]:
    head, at = "    @pl.loop(0, 8)\n    def _(i):\n", "pl.ds(i * 8, 8)"
    for name, source, target in (
        ("in", f"x_ref.at[{at}]", "s_ref.at[0]"), ("out", "s_ref.at[0]", f"o_ref.at[{at}]"),
        ("across", f"x_ref.at[{at}]", f"o_ref.at[{at}]"), ("slot", f"x_ref.at[{at}]", "s_ref.at[i]"),
    ):  # fmt: skip
        used = _used("s_ref.at[0]") if source.startswith("x") else ""
        yield name, _made(head + _inside(_copy(source, target)) + used, _parts((8, 8, 256), table=False))
        in_grid = "    i = pl.program_id(0)\n" + _copy(source, target) + used
        yield f"grid {name}", _made(in_grid, _parts((8, 8, 256), table=False), (8,))
    for name, sem in (("one semaphore", "d_ref.at[0]"), ("semaphores", "d_ref.at[i]")):
        start = _inside(_start(f"x_ref.at[{at}]", "s_ref.at[i]", sem))
        wait = _inside(f"    pltpu.make_async_copy(x_ref.at[{at}], s_ref.at[i], {sem}).wait()\n")
        used = _used("s_ref.at[0]", sem="d_ref.at[0]")
        yield name, _made(head + start + head + wait + used, _parts((8, 8, 256), (8,), table=False))


def _others() -> Iterator[tuple[str, str]]:
    """Predicates, other names for a copy, tables alone and several, windows without a loop."""
    when = "    @pl.when(n_ref[0] > 0)\n    def _():\n"
    yield "when in", _made(when + _inside(_copy("x_ref.at[0:8]", "s_ref")) + _used(), _parts())
    yield "when out", _made(when + _inside(_copy("s_ref", "o_ref.at[0:8]")), _parts())
    yield "sync", _made("    pltpu.sync_copy(x_ref.at[0:8], s_ref)\n" + _used(), _parts(table=False))
    yield "async", _made("    pltpu.async_copy(x_ref.at[0:8], s_ref, d_ref).wait()\n" + _used(), _parts(table=False))
    yield "in and out", _made(_copy("x_ref.at[0:8]", "s_ref") + _copy("s_ref", "o_ref.at[0:8]"), _parts(table=False))
    for count in (1, 2, 3):
        tables = {f"n{i}": operand("scalar_prefetch", f"n{i}", (64,), "int32") for i in range(count)}
        yield f"tables {count}", _made(_copy("x_ref", "o_ref"), {**tables, **_parts(table=False)})
    yield (
        "table of one",
        _made(_copy("x_ref", "o_ref"), {"n": operand("scalar_prefetch", "n", (1,), "int32"), **_parts(table=False)}),
    )
    window = {
        "x": operand("inputs", "x", (8, 128), "int32", space="smem"),
        "o": operand("outputs", "o", (8, 128), "int32"),
    }
    yield "scalar window", _made("    o_ref[...] = jnp.full(o_ref.shape, x_ref[0, 1])\n", window)
