"""Whatever a function of the tables is called with, it gives a value or a diagnostic: never another exception."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline.dtypes import BF16, BOOL, DMA_SEM, F32, I32, U32, DType
from pipeline.errors import SpecError
from pipeline.ir.jaxpr import MemorySpace, RefAval, ShapedArray
from pipeline.trace.builder import Builder
from pipeline.trace.codes import CODES
from pipeline.trace.surface import attributes, modules, operators
from pipeline.trace.surface.common import Bound, Function, Namespace
from pipeline.trace.surface.dtype_kinds import DTypeKind

TABLES = {
    "jax": modules.JAX,
    "jnp": modules.JNP,
    "lax": modules.LAX,
    "nn": modules.NN,
    "pl": modules.PL,
    "pltpu": modules.PLTPU,
}
_NAMES = ("axis", "keepdims", "dtype", "shape", "initial", "where", "unroll", "length", "mask", "precision", "step",
          "preferred_element_type", "operand", "axes", "unknown_name")  # fmt: skip


def _functions() -> dict[str, Function]:
    found: dict[str, Function] = {}
    for prefix, table in TABLES.items():
        for name, value in table.items():
            items = value.table.items() if isinstance(value, Namespace) else [(name, value)]
            found |= {f"{prefix}.{key}": one for key, one in items if isinstance(one, Function)}
    return found


FUNCTIONS = _functions()
_AVALS = (
    RefAval(ShapedArray((8, 128), F32)),
    RefAval(ShapedArray((8, 128), BF16)),
    RefAval(ShapedArray((), I32), MemorySpace.SMEM),
    RefAval(ShapedArray((2, 8, 128), U32), MemorySpace.VMEM),
    RefAval(ShapedArray((2,), DMA_SEM), MemorySpace.SEMAPHORE),
    RefAval(ShapedArray((4, 4), BOOL)),
)


def _values(ctx: Builder, refs: tuple[Any, ...]) -> list[Any]:
    arrays = [operators.getitem(ctx, ref, ...) for ref in refs if not ref.dtype.is_semaphore]
    fixed = [0, 1, -1, 2, 7, 2**40, 10**30, True, 1.5, float("nan"), float("inf"), None, "float32", "x", "", (), [],
             (0, 1), (8, 128), [1, 2, 3], (-1, -1), {"a": 1}, slice(None), slice(0, 4), Ellipsis, F32, I32, BF16,
             (((1,), (0,)), ((), ())), (0, (1, (2,)))]  # fmt: skip
    functions: list[Callable[..., Any]] = [
        lambda *args: args[0] if args else None,
        lambda *args: None,
        lambda *args: (args[-1] if args else 1, None),
        lambda *args: True,
        lambda: arrays[0],
        lambda *args: args,
    ]
    made = [modules.PLTPU["VMEM"](ctx, (8, 128), F32), modules.PLTPU["SemaphoreType"].table["DMA"]]  # type: ignore
    return [*arrays, *arrays, *refs, *fixed, *functions, *made, [arrays[0], arrays[1]], (arrays[0], 1)]


def _attempts(name: str, seed: int, call: Callable[[Builder, list[Any], random.Random], Any]) -> set[str]:
    """Call 12 times in one trace; the codes of what was refused."""
    rng = random.Random(f"{name} {seed}")
    codes: set[str] = set()

    def kernel(*refs: Any) -> None:
        values = _values(ctx, refs)
        for _ in range(12):
            try:
                result = call(ctx, values, rng)
                if isinstance(result, Bound):
                    result(*[rng.choice(values) for _ in range(rng.randrange(3))])
            except SpecError as error:
                codes.update(one.code for one in error.diagnostics)

    ctx = Builder((3,))
    ctx.trace(kernel, _AVALS, "the kernel")
    return codes


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_refuse_what_they_cannot_take(name: str, seed: int) -> None:
    def call(ctx: Builder, values: list[Any], rng: random.Random) -> Any:
        args = [rng.choice(values) for _ in range(rng.choice((0, 1, 1, 2, 2, 3, 4)))]
        kwargs = {rng.choice(_NAMES): rng.choice(values) for _ in range(rng.choice((0, 0, 0, 1, 2)))}
        return FUNCTIONS[name](ctx, *args, **kwargs)

    assert _attempts(name, seed, call) <= CODES.keys()


@pytest.mark.parametrize("seed", range(60))
def test_operators_indices_and_attributes(seed: int) -> None:
    names = sorted({*attributes.ARRAY_METHODS, *attributes.ARRAY_PROPERTIES, *attributes.REF_METHODS,
                    *attributes.REF_PROPERTIES, "at", "nothing", "__class__", "_private"})  # fmt: skip

    def call(ctx: Builder, values: list[Any], rng: random.Random) -> Any:
        left, right = rng.choice(values[:14]), rng.choice(values)
        match rng.randrange(7):
            case 0:
                return operators.binary(ctx, rng.choice("+-*/%&|^@") if rng.random() < 0.8 else "**", left, right)
            case 1:
                return operators.unary(ctx, rng.choice(("-", "~", "+", "abs")), left)
            case 2:
                return operators.compare(ctx, rng.choice(("==", "!=", "<", "<=", ">", ">=")), left, right)
            case 3:
                index = tuple(rng.choice(values) for _ in range(rng.randrange(4))) if rng.random() < 0.5 else right
                return operators.getitem(ctx, left, index)
            case 4:
                return operators.setitem(ctx, left, right, rng.choice(values))
            case 5:
                return operators.cast(ctx, rng.choice([F32, I32, BF16, BOOL]), right)
            case _:
                found = operators.attribute(ctx, left, rng.choice(names))
                if isinstance(found, attributes.At):
                    return operators.getitem(ctx, found, right)
                return found

    assert _attempts("operators", seed, call) <= CODES.keys()


def test_every_value_of_the_tables_is_of_a_known_kind() -> None:
    for table in TABLES.values():
        for value in table.values():
            known = (Function, Namespace, DType, DTypeKind, MemorySpace, float, str)
            assert value is None or isinstance(value, known)


def test_every_code_in_the_sources_is_explained() -> None:
    folder = Path(modules.__file__).parents[1]
    files = [*folder.glob("surface/*.py"), *folder.glob("types/*.py"), folder / "builder.py"]
    used = {code for file in files for code in re.findall(r'"(T\d{3})"', file.read_text())}
    assert len(used) > 20
    assert used <= CODES.keys()
