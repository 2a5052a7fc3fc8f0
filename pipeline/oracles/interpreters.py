"""JAX's own interpreters on a spec's data: `interpret=True`, a loop that XLA runs, and the TPU interpreter, which keeps
buffers, copies and semaphores in Python.

JAX is imported inside functions.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from pipeline.ir.call import Role
from pipeline.oracles.spec_to_jax import spec_to_jax
from pipeline.spec.spec import Spec

Array = Any
# what the TPU interpreter is asked for in each of the modes; "interpret" is the other interpreter
MODES: dict[str, dict[str, Any] | None] = {
    "interpret": None,
    "tpu": {},
    "eager": {"dma_execution_mode": "eager"},
    "zero": {"uninitialized_memory": "zero"},
    "races": {"detect_races": True, "num_cores_or_threads": 2, "random_seed": 1},
}


class Seen(NamedTuple):
    """What a user of the interpreter sees: arrays, or an exception's type and first line of interest; a race told."""

    outputs: tuple[Array, ...] | None
    error: str
    race: bool

    @property
    def kind(self) -> str:
        """The type of the exception."""
        return self.error.removeprefix("JaxRuntimeError: ").partition(":")[0]

    @property
    def reports(self) -> bool:
        """Whether the user is told of a fault of the kernel, rather than of something that the interpreter lacks."""
        return self.race or self.kind in ("IndexError", "RuntimeError")


def interpret(spec: Spec, inputs: Mapping[str, Array], mode: str) -> Seen:
    """The spec's kernel on `inputs`, under the interpreter of that mode. Errors: none but those of the spec."""
    import jax
    from jax.experimental.pallas import tpu as pltpu

    from pipeline.frontend.pretend import pretend_chip

    reset: Any = pltpu.reset_tpu_interpret_mode_state  # untyped in JAX
    params = MODES[mode]
    call, _ = spec_to_jax(spec, True if params is None else pltpu.InterpretParams(**params))
    bounds = [np.int32(spec.grid[axis]) for axis in spec.dynamic_grid]
    arrays = [inputs[o.name] for role in (Role.SCALAR_PREFETCH, Role.INPUT) for o in spec.operands if o.role is role]
    told = io.StringIO()
    try:
        with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told), _silent_callbacks(), pretend_chip():
            found = jax.jit(call)(*bounds, *arrays)
            outputs = tuple(np.asarray(x) for x in (found if isinstance(found, (list, tuple)) else (found,)))
    except Exception as error:  # the interpreters raise what they like
        return Seen(None, _of_interest(error), False)
    finally:
        if params is not None:
            race = _race_found()
            reset()
    return Seen(outputs, "", params is not None and race)


def _race_found() -> bool:
    from importlib import import_module

    module = import_module("jax._src.pallas.mosaic.interpret.interpret_pallas_call")
    races = module.races
    return races is not None and bool(races.races_found)


@contextlib.contextmanager
def _silent_callbacks() -> Any:
    """JAX logs the traceback of an exception in a callback before it raises it."""
    import logging

    loggers = [logging.getLogger(name) for name in ("jax", "jax._src.callback")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _of_interest(error: Exception) -> str:
    lines = [line.strip() for line in str(error).strip().splitlines()] or ["no message"]
    hits = [line for line in lines if "out of bounds" in line.lower() or "out-of-bounds" in line.lower()]
    return f"{type(error).__name__}: {(hits or lines[-1:])[0][:200]}"
