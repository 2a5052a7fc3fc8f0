"""Small kernels, one a line of cases.txt: an expression over the arguments below, or statements with `;;` between.

`x` is the value of the ref `x_ref`; an expression's value is stored to an output of its type. What JAX traces for
each is recorded in recorded.json by record.py.
"""

from __future__ import annotations

import re
from pathlib import Path

ARGS: dict[str, tuple[tuple[int, ...], str, str]] = {
    "x": ((8, 128), "float32", "default"),
    "y": ((8, 128), "float32", "default"),
    "b": ((8, 128), "bfloat16", "default"),
    "h": ((8, 128), "float16", "default"),
    "i": ((8, 128), "int32", "default"),
    "u": ((8, 128), "uint32", "default"),
    "c": ((8, 128), "int8", "default"),
    "q": ((8, 128), "bool", "default"),
    "r": ((1, 128), "float32", "default"),
    "k": ((8, 1), "float32", "default"),
    "v": ((128,), "float32", "default"),
    "w": ((128, 128), "float32", "default"),
    "t": ((2, 8, 128), "float32", "default"),
    "s": ((), "float32", "smem"),
    "n": ((), "int32", "smem"),
    "m": ((8,), "int32", "smem"),
    "f": ((8, 128), "float8_e4m3fn", "default"),
}
GRID = (3, 2)

CASES = Path(__file__).with_name("cases.txt")


def cases() -> list[str]:
    """Every case once, in order."""
    lines = CASES.read_text().splitlines()
    return list(dict.fromkeys(line for line in lines if line and not line.startswith("#")))


REFUSED = Path(__file__).with_name("refused.txt")


def refused() -> list[tuple[str, str]]:
    """(code, case) of refused.txt."""
    lines = [line for line in REFUSED.read_text().splitlines() if line and not line.startswith("#")]
    return [(line[:4], line[5:]) for line in lines]


def arguments(case: str) -> list[str]:
    """The arguments that a case mentions, in the order of ARGS."""
    return [name for name in ARGS if re.search(rf"(?<![\w.'\"]){name}(_ref)?\b(?!=[^=])", case)]


def is_expression(case: str) -> bool:
    try:
        compile(case, "<case>", "eval")
    except SyntaxError:
        return False
    return True


def source(case: str, outputs: int) -> str:
    """The kernel of a case, which has `outputs` output refs for what its expression gives."""
    names = arguments(case)
    refs = [f"{name}_ref" for name in names] + [f"out{k}" for k in range(outputs)]
    lines = [f"def kernel({', '.join(refs)}):"]
    lines += [f"    {name} = {name}_ref[...]" for name in names]
    if is_expression(case):
        lines.append(f"    result = {case}")
        if outputs == 1:
            lines.append("    out0[...] = result")
        lines += [f"    out{k}[...] = result[{k}]" for k in range(outputs) if outputs > 1]
    else:
        lines += [f"    {part.strip()}" for part in case.split(";;")]
    return "\n".join(lines) + "\n"
