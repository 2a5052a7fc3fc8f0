"""A spec whose kernel is only the name of a Python function: JAX traces it each time the spec is read.

That runs the user's code, so it has to be allowed in the environment; an imported spec needs neither that nor JAX.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from pipeline.errors import Span, SpecError
from pipeline.frontend.importing import import_function
from pipeline.frontend.write_spec import write_spec

TRUST = "PIPELINE_TRUST_PYTHON"
_OPERANDS = ("scalar_prefetch", "inputs", "outputs")


def with_traced_kernel(data: dict[str, Any], folder: Path, span: Span) -> dict[str, Any]:
    """The spec's data with what JAX says of the kernel: its jaxpr, grid, operands and scratch.

    What the spec says of them itself holds: a table of [[inputs]] that names an operand may give its data.
    Errors: SpecError F100 to F109 at `span`, S103 where [kernel.python] is not of its form.
    """
    if os.environ.get(TRUST) != "1":
        name = data["kernel"]["python"]
        shown = name.get("function") if isinstance(name, dict) else None
        message = f"this spec imports and calls Python, {shown!r}, which has not been allowed"
        raise SpecError("F109", message, span, hint=f"set {TRUST}=1, or run `pipeline import` and keep what it writes")
    function, args, static, call = _named(data["kernel"]["python"], span)
    try:
        kernels = import_function(function, args, static, folder)
        if not 1 <= call <= len(kernels):
            raise SpecError("F108", f"the function calls {len(kernels)} kernels, and number {call} is asked for")
        found = kernels[call - 1]
        text = write_spec(found.call, "traced", data=found.data, values=found.values, inline=1 << 20).text
    except SpecError as error:
        raise SpecError.of([_at(one, span) for one in error.diagnostics]) from None
    return merged(data, text)


def _at(diagnostic: Any, span: Span) -> Any:
    from dataclasses import replace

    return replace(diagnostic, span=replace(span, origin=diagnostic.span.origin))


def _named(table: Any, span: Span) -> tuple[str, list[str], list[tuple[str, Any]], int]:
    if isinstance(table, dict):
        function, args = table.get("function"), table.get("args")
        static, call = table.get("static", {}), table.get("call", 1)
        strings = isinstance(args, list) and all(isinstance(arg, str) for arg in args)
        if isinstance(function, str) and strings and isinstance(static, dict) and type(call) is int:
            return function, list(args or ()), list(static.items()), call
    raise SpecError("S103", "[kernel.python] names a function and its args", span, hint='args = ["f32[8,128]"]')


def merged(data: dict[str, Any], text: str) -> dict[str, Any]:
    """`data` over the spec file `text`: tables key by key, operands by their names."""
    import tomli

    made = tomli.loads(text)
    kernel = {"function": made["kernel"].get("function", "traced"), "jaxpr": made["kernel"]["jaxpr"]}
    whole = {**made, **data, "kernel": {**kernel, **data["kernel"]}}
    for key in _OPERANDS:
        said = data.get(key, [])
        if not isinstance(said, list) or not all(isinstance(one, dict) for one in said):
            continue  # a mistake of form, which is told as any
        own = {one.get("name"): one for one in said}
        whole[key] = [{**one, **own.pop(one["name"], {})} for one in made.get(key, [])] + list(own.values())
        if not whole[key]:
            del whole[key]
    return whole
