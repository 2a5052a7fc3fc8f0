"""What a function hands to its kernels: the outer program run on JAX's CPU, up to each `pallas_call`.

Kernels read scalars that code around them computes: group metadata, block masks, dynamic grid bounds. A spec that has
been imported holds those numbers, or the kernel would walk over zeros.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pipeline.frontend.jax_bridge import nested_jaxprs
from pipeline.frontend.python_function import Argument
from pipeline.ir.call import Role
from pipeline.ir.jaxpr import MemorySpace
from pipeline.spec.spec import Data, SpecOperand

Array = Any
Kernel = Callable[[int, list[Array]], Sequence[Array]]
# params that hold the program of a call that is just a call
_CALLS = ("jaxpr", "call_jaxpr", "fun_jaxpr", "call")


def argument_values(arguments: Sequence[Argument]) -> list[Array]:
    """NumPy arrays for a function's arguments, as `Data` says; by default what a spec's inputs hold."""
    from pipeline.simulate.data import make_data
    from pipeline.spec.build import default_data

    made = []
    for i, (aval, data) in enumerate(arguments):
        held = data if data is not None else default_data(i, aval.dtype)
        made.append(
            make_data(
                SpecOperand(
                    f"arg{i}", Role.INPUT, aval.shape, aval.dtype, None, None, MemorySpace.DEFAULT, None, held, ()
                )
            )
        )
    return made


def operand_values(closed: Any, eqns: Sequence[Any], arguments: Sequence[Array]) -> dict[int, list[Array]]:
    """For each of `eqns`, `pallas_call`s in JAX's `closed` jaxpr, by position: its operands, dynamic grid bounds first.

    A kernel's own results, which are not computed here, are zeros to the kernels after it. A kernel inside a loop or
    a branch is left out.
    """
    run = _Run(eqns, _zeros)
    run.jaxpr(closed.jaxpr, closed.consts, arguments)
    return run.found


def run_function(closed: Any, eqns: Sequence[Any], arguments: Sequence[Array], kernel: Kernel) -> list[Array]:
    """The function's results, its kernels computed by `kernel(position among eqns, operands)`."""
    import numpy as np

    run = _Run(eqns, lambda i, _, operands: kernel(i, operands))
    return [np.asarray(value) for value in run.jaxpr(closed.jaxpr, closed.consts, arguments)]


def _zeros(_: int, eqn: Any, operands: list[Array]) -> list[Array]:
    import jax.numpy as jnp

    return [jnp.zeros(var.aval.shape, var.aval.dtype) for var in eqn.outvars]


class _Run:
    def __init__(self, eqns: Sequence[Any], kernel: Callable[[int, Any, list[Array]], Sequence[Array]]) -> None:
        self.kernel = kernel
        self.positions = {id(eqn): i for i, eqn in enumerate(eqns)}
        self.found: dict[int, list[Array]] = {}

    def jaxpr(self, jaxpr: Any, consts: Sequence[Any], args: Sequence[Any]) -> list[Any]:
        env: dict[Any, Any] = dict(zip(jaxpr.constvars, consts, strict=True))
        env.update(zip(jaxpr.invars, args, strict=True))
        for eqn in jaxpr.eqns:
            operands = [_read(env, atom) for atom in eqn.invars]
            env.update(zip(eqn.outvars, self.eqn(eqn, operands), strict=True))
        return [_read(env, atom) for atom in jaxpr.outvars]

    def eqn(self, eqn: Any, operands: list[Any]) -> list[Any]:
        import jax.numpy as jnp
        import numpy as np

        if id(eqn) in self.positions:
            position = self.positions[id(eqn)]
            self.found[position] = [np.asarray(value) for value in operands]
            return [jnp.asarray(value) for value in self.kernel(position, eqn, self.found[position])]
        if _holds_kernel(eqn):
            body = next((eqn.params[key] for key in _CALLS if key in eqn.params), None)
            jaxpr = getattr(body, "jaxpr", body)
            if jaxpr is None or eqn.primitive.name in ("scan", "while", "cond") or len(jaxpr.invars) != len(operands):
                return list(_zeros(0, eqn, operands))
            return self.jaxpr(jaxpr, getattr(body, "consts", ()), operands)
        with eqn.ctx.manager:
            found = eqn.primitive.bind(*operands, **eqn.primitive.get_bind_params(eqn.params))
        return list(found) if eqn.primitive.multiple_results else [found]


def _holds_kernel(eqn: Any) -> bool:
    return any(
        inner.primitive.name == "pallas_call" or _holds_kernel(inner)
        for jaxpr in nested_jaxprs(eqn)
        for inner in jaxpr.eqns
    )


def _read(env: dict[Any, Any], atom: Any) -> Any:
    return atom.val if hasattr(atom, "val") else env[atom]


def given_as(closed: Any, eqn: Any, arguments: Sequence[Argument]) -> list[Data | None]:
    """For each operand of `eqn`: the data of the function's argument that it is, passed on as it came; else None."""
    found = _passed_on(closed.jaxpr, list(range(len(closed.jaxpr.invars))), eqn)
    if found is None:
        return [None] * len(eqn.invars)
    return [None if i is None else arguments[i].data for i in found]


def _passed_on(jaxpr: Any, args: Sequence[int | None], wanted: Any) -> list[int | None] | None:
    """Which argument each operand of `wanted` is, where it is in `jaxpr`, whose binders are `args`."""
    known: dict[Any, int | None] = dict(zip(jaxpr.invars, args, strict=True))
    for eqn in jaxpr.eqns:
        operands = [None if hasattr(atom, "val") else known.get(atom) for atom in eqn.invars]
        if eqn is wanted:
            return operands
        for inner in nested_jaxprs(eqn):
            if len(inner.invars) == len(operands):
                found = _passed_on(inner, operands, wanted)
                if found is not None:
                    return found
    return None
