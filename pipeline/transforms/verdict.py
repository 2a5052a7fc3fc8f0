"""Does JAX differentiate and batch this call? A verdict for each transformation, with the reasons where it does not.

Source: what JAX 0.10.2 answers for the kernels of this repository, where it answers with an assertion without text too.
"""

from __future__ import annotations

from typing import NamedTuple

from pipeline.ir.call import KernelCall, Role
from pipeline.ir.jaxpr import Prim
from pipeline.lower.equations import nested_eqns
from pipeline.trace.text import print_windows
from pipeline.transforms.vmap import unbatched, vmap

TRANSFORMS = ("jvp", "grad", "vmap")
BATCH = 2  # of the vmapped call that a report shows; any other size only changes it in the grid and the arrays
# Primitives without a derivative there; reads and writes of refs have one.
_NO_DERIVATIVE = frozenset(
    {
        *(Prim.DMA_START, Prim.DMA_WAIT, Prim.SEMAPHORE_SIGNAL, Prim.SEMAPHORE_WAIT, Prim.SEMAPHORE_READ),
        *(Prim.ROLL, Prim.RUN_SCOPED, Prim.PACK_ELEMENTWISE, Prim.UNPACK_ELEMENTWISE),
    }
)


class Verdict(NamedTuple):
    """`reasons` are why not, each enough by itself; none where JAX does it."""

    transform: str
    reasons: tuple[str, ...]
    advice: str = ""

    @property
    def possible(self) -> bool:
        return not self.reasons


def verdicts(call: KernelCall) -> tuple[Verdict, ...]:
    """jvp, grad and vmap of the call, in this order."""
    forward = tuple(_against_jvp(call))
    backward = forward or ("the derivative of a kernel is not turned around: JAX linearises it as a whole, or not",)
    return (
        Verdict("jvp", forward, "supply a custom rule: jax.custom_jvp" if forward else ""),
        Verdict("grad", backward, "supply a custom rule: jax.custom_vjp, with kernels for both passes"),
        Verdict("vmap", (), _of_whole_operands(call)),
    )


def _against_jvp(call: KernelCall) -> list[str]:
    found = []
    prefetched = [operand.name for operand in call.with_role(Role.SCALAR_PREFETCH)]
    if prefetched:
        found.append(f"scalar prefetch ({', '.join(prefetched)}): its rule takes none")
    if call.aliases:
        found.append("an output that shares an input's memory: its rule takes no aliases")
    if call.dynamic_grid:
        found.append("a grid whose size is known at run time only")
    if call.scratch:
        found.append(f"scratch ({', '.join(s.name for s in call.scratch)}): its rule makes none for the tangents")
    eqns = list(nested_eqns(call.body))
    asked = sorted({axis for eqn in eqns if eqn.prim is Prim.PROGRAM_ID and isinstance(axis := eqn.param("axis"), int)})
    if asked:
        axes = ", ".join(map(str, asked))
        found.append(f"program id in the body (axis {axes}): its rule calls the body outside of the grid")
    lacking = sorted({eqn.prim.value for eqn in eqns if eqn.prim in _NO_DERIVATIVE})
    if lacking:
        found.append(f"no derivative of {', '.join(lacking)}")
    return found


def _of_whole_operands(call: KernelCall) -> str:
    whole = unbatched(call)
    if not whole:
        return ""
    return f"in interpret mode only: {', '.join(whole)} gets a window, which memory that stays whole has not on a chip"


def print_verdicts(call: KernelCall, found: tuple[Verdict, ...]) -> str:
    """A line for each transformation, and its reasons."""
    lines = [f"transformations of {call.name}"]
    for verdict in found:
        lines.append(f"  {verdict.transform}: {'yes' if verdict.possible else 'no'}")
        lines.extend(f"    {reason}" for reason in verdict.reasons)
        if verdict.advice:
            lines.append(f"    {verdict.advice}")
    return "\n".join(lines) + "\n"


def report(call: KernelCall, asked: tuple[str, ...]) -> str:
    """What a spec's capture tells: the verdicts that are asked for, and the call that vmap makes."""
    text = print_verdicts(call, tuple(verdict for verdict in verdicts(call) if verdict.transform in asked))
    if "vmap" not in asked:
        return text
    return f"{text}\nvmap of {call.name} over {BATCH}\n{print_windows(vmap(call, BATCH))}"
