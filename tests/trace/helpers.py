"""Specs made in a line, for tests of the trace stage."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pipeline.dtypes import BF16, F32, I32, DType
from pipeline.errors import Diagnostic, Source, Span, SpecError
from pipeline.ir.call import BlockDim, KernelCall, Role
from pipeline.ir.jaxpr import MemorySpace
from pipeline.spec.spec import Code, Data, KernelSource, Spec, SpecOperand, SpecScratch
from pipeline.trace.trace import trace


def code(text: str, name: str = "kernel.py") -> Code:
    return Code(text, Source(name, text))


def operand(
    name: str,
    role: Role,
    shape: tuple[int, ...] = (8, 128),
    dtype: DType = F32,
    block: tuple[BlockDim, ...] | None = None,
    index_map: str | None = None,
    space: MemorySpace = MemorySpace.DEFAULT,
) -> SpecOperand:
    found = None if index_map is None else code(index_map, "index_map")
    return SpecOperand(name, role, shape, dtype, block, found, space, None, Data(), (name,))


X = operand("x", Role.INPUT)
O = operand("o", Role.OUTPUT)  # noqa: E741


def spec(
    source: str,
    operands: tuple[SpecOperand, ...] = (X, O),
    *,
    function: str = "kernel",
    grid: tuple[int, ...] = (),
    scratch: tuple[SpecScratch, ...] = (),
    params: dict[str, Any] | None = None,
    static: dict[str, Any] | None = None,
) -> Spec:
    text = Source("kernel.py", source)
    return Spec(
        name="test",
        variant="",
        summary="",
        targets=(),
        kernel=KernelSource(code(source), function, tuple((static or {}).items()), Span(text, 1, 1)),
        params=params or {},
        grid=grid,
        semantics=None,
        operands=operands,
        scratch=scratch,
        aliases=(),
        vmem_limit_bytes=None,
        reference=None,
        expect=None,
        locate=lambda *loc: Span(text, 1, 1),
        source=text,
        folder=Path("."),
    )


def traced(source: str, *args: Any, **kwargs: Any) -> KernelCall:
    return trace(spec(source, *args, **kwargs))


def diagnostics(source: str, *args: Any, **kwargs: Any) -> tuple[Diagnostic, ...]:
    """What tracing `source` reports; an AssertionError where it reports nothing."""
    try:
        traced(source, *args, **kwargs)
    except SpecError as error:
        return error.diagnostics
    raise AssertionError(f"no diagnostic for:\n{source}")


def value_of(expression: str, setup: str = "") -> str:
    """The text of a static expression's value, as the evaluator has it: the kernel raises with it."""
    lines = "".join(f"    {line}\n" for line in setup.splitlines())
    (found,) = diagnostics(f"def kernel(x_ref, o_ref):\n{lines}    raise ValueError(str({expression}))\n")
    assert found.code == "T117", found
    return found.message.removeprefix("the kernel raises ValueError").removeprefix(": ")


__all__ = ["BF16", "F32", "I32"]
