"""`pipeline import`: every kernel that a Python function calls, as spec files that need no JAX."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pipeline.errors import Diagnostic, SpecError
from pipeline.frontend.pretend import pretend_devices
from pipeline.frontend.python_function import (
    Argument,
    Traced,
    find_function,
    kernel_of,
    need_jax,
    parse_argument,
    trace_function,
)
from pipeline.frontend.values import argument_values, given_as, operand_values
from pipeline.frontend.write_spec import Written, with_plain_names, write_spec
from pipeline.ir.call import KernelCall, Role
from pipeline.spec.spec import Data, PythonOrigin, Static


class Imported(NamedTuple):
    """One kernel of a function: its call under plain names, and what its operands hold.

    values: by operand name; empty where the code around the kernel could not be run.
    """

    call: KernelCall
    origin: PythonOrigin
    data: dict[str, Data]
    values: dict[str, Any]
    note: str  # why there are no values


def import_kernels(traced: Traced, arguments: Sequence[Argument], origin: PythonOrigin) -> list[Imported]:
    """Every kernel in a trace. Errors: SpecError F106, F107 with what is not supported, of all kernels at once."""
    try:
        held = operand_values(traced.closed, traced.eqns, argument_values(arguments))
        why = ""
    except Exception as error:  # the user's code around the kernels may need what is not here, e.g. more devices
        held, why = {}, f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0][:200]}"
    found: list[Imported] = []
    problems: list[Diagnostic] = []
    for i, eqn in enumerate(traced.eqns):
        count = eqn.params["grid_mapping"].num_dynamic_grid_bounds
        operands = held.get(i)
        bounds = None if operands is None else [max(1, int(value)) for value in operands[:count]]
        try:
            call = with_plain_names(kernel_of(eqn, bounds))
        except SpecError as error:
            problems.extend(error.diagnostics)
            continue
        names = [operand.name for operand in call.operands if operand.role is not Role.OUTPUT]
        values = {} if operands is None else dict(zip(names, operands[count:], strict=True))
        passed = given_as(traced.closed, eqn, arguments)[count:]
        data = {name: one for name, one in zip(names, passed, strict=True) if one is not None}
        note = "" if operands is not None else why or "the kernel is called in a loop or a branch"
        found.append(Imported(call, origin._replace(call=i + 1), data, values, note))
    if problems:
        raise SpecError.of(dict.fromkeys(problems))
    return found


def import_function(
    function: str,
    args: Sequence[str],
    static: Sequence[tuple[str, Static]],
    folder: Path | None = None,
    chip: str = "v5e",
) -> list[Imported]:
    """Every kernel that the function named `function` calls with `args`. Errors: SpecError F100 to F107."""
    need_jax()
    os.environ.setdefault("JAX_PLATFORMS", "cpu")  # tracing takes no accelerator, and none must be taken
    arguments = [parse_argument(text) for text in args]
    with pretend_devices(chip):  # a module may ask while it is imported
        found = find_function(function, folder)
    traced = trace_function(found, arguments, dict(static), chip)
    return import_kernels(traced, arguments, PythonOrigin(function, tuple(args), tuple(static), 1))


def spec_texts(kernels: Sequence[Imported], name: str, targets: Sequence[str], summary: str = "") -> dict[str, Written]:
    """By spec name: `name`, or NAME_1, NAME_2 .. where there are several kernels."""
    written: dict[str, Written] = {}
    for i, (call, origin, data, values, _) in enumerate(kernels):
        own = name if len(kernels) == 1 else f"{name}_{i + 1}"
        said = summary or f"{call.name}, imported from {origin.function}"
        written[own] = write_spec(call, own, origin=origin, targets=targets, summary=said, data=data, values=values)
    return written
