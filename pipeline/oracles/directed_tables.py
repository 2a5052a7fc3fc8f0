"""Kernels that look up their blocks in prefetched tables, or read them in the body, as spec text: of whole words and of
bytes, with one to three indices, for one window and for two.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.oracles.kernel_text import head_text

_TABLE = """
[[scalar_prefetch]]
name = "t{n}"
shape = {shape}
dtype = "{dtype}"
data = {{ kind = "constant", value = 1 }}
"""
_WINDOW = """
[[{role}]]
name = "{name}"
shape = [4, 1024, 128]
dtype = "float32"
block = ["squeezed", 256, 128]
index_map = "lambda {names}: ({index})"
"""


def directed_tables() -> Iterator[tuple[str, str]]:
    """(name, the spec's text)."""
    for dtype in ("int32", "int8", "uint8"):
        yield f"table {dtype}", _text((4,), dtype, ["4"], ["{t0[i]}, 0, 0"], "i, 0, 0")
        row = _text((2, 4, 4), dtype, ["4, 4"], ["i, {t0[j, k]}, 0"], "i, j, 0")
        yield f"table {dtype} of two axes", row
        yield f"table {dtype} of three", _text((2, 4, 4), dtype, ["1, 4, 4"], ["i, {t0[0, j, k]}, 0"], "i, j, 0")
        yield f"table {dtype} flat", _text((2, 4, 4), dtype, ["16"], ["i, {t0[j * 4 + k]}, 0"], "i, j, 0")
        two = _text((4,), dtype, ["4"], ["{t0[i]}, 0, 0", "{t0[i]}, 1, 0"], "i, 0, 0")
        yield f"windows {dtype}", two
        alike = _text((2, 4, 4), dtype, ["1, 4, 4"], ["i, {t0[0, j, k]}, 0"] * 2, "i, j, 0")
        yield f"windows {dtype} alike", alike
        apart = ["i, {t0[j, k]}, 0", "i, {t1[j, k]}, 0"]
        yield f"windows {dtype} a table each", _text((2, 4, 4), dtype, ["4, 4"] * 2, apart, "i, j, 0")
        for rank, index in enumerate(("2", "pl.program_id(1)", "pl.program_id(0), pl.program_id(1)")):
            yield f"read {dtype} of {rank}", _reader(dtype, ["4", "4", "4, 4"][rank], index)
    yield "plain windows", _text((2, 4, 4), "int32", [], ["i, k, 0"] * 2, "i, j, 0")


def _reader(dtype: str, shape: str, index: str) -> str:
    """A branch by an element of a table."""
    text = _text((4, 4), dtype, [shape], ["i, j, 0"], "i, j, 0")
    body = f"    @pl.when(t0_ref[{index}].astype(jnp.int32) > 0)\n    def _():\n        o_ref[...] = x0_ref[...] * 2.0"
    return text.replace("    o_ref[...] = x0_ref[...]", body)


def _text(grid: tuple[int, ...], dtype: str, tables: list[str], indices: list[str], output: str) -> str:
    """Windows whose indices are looked up where braces say so."""
    refs = [f"t{n}" for n in range(len(tables))] + [f"x{n}" for n in range(len(indices))] + ["o"]
    names = ", ".join([*"ijk"[: len(grid)], *(f"t{n}" for n in range(len(tables)))])
    total = " + ".join(f"x{n}_ref[...]" for n in range(len(indices)))
    text = head_text("Blocks that a table tells", refs, [f"o_ref[...] = {total}"], grid)
    for n, shape in enumerate(tables):
        text += _TABLE.format(n=n, shape=f"[{shape}]", dtype=dtype)
    ends = ("", "") if dtype == "int32" else ("jnp.int32(", ")")
    for n, index in enumerate(indices):
        looked_up = index.replace("{", ends[0]).replace("}", ends[1])
        text += _WINDOW.format(role="inputs", name=f"x{n}", names=names, index=looked_up)
    return text + _WINDOW.format(role="outputs", name="o", names=names, index=output)
