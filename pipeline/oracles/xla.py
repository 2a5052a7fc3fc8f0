"""StableHLO by jaxlib and XLA: parser, verifiers and printer for our text, and XLA's CPU client to run it.

JAX is imported inside functions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from pipeline.errors import Diagnostic, Severity, SpecError
from pipeline.ir.call import KernelCall, Role
from pipeline.lower.stablehlo.lower import lower
from pipeline.lower.stablehlo.text import print_stablehlo
from pipeline.oracles.jax_mosaic import parse
from pipeline.simulate.data import make_data, make_inputs
from pipeline.simulate.executor import execute
from pipeline.simulate.functional import hold
from pipeline.simulate.mode import LENIENT, SEQUENTIAL
from pipeline.simulate.prepared import Prepared
from pipeline.spec.build import default_data
from pipeline.spec.spec import Spec
from pipeline.trace.trace import trace

# our text rounds where it says so; XLA would leave out a rounding between two ops if it may
OPTIONS = {"xla_allow_excess_precision": "False"}
# a quarter of the time to compile, for what is run once
QUICK = {
    "xla_backend_optimization_level": "0",
    "xla_llvm_disable_expensive_passes": "True",
    "xla_cpu_use_fusion_emitters": "False",
}


def reprint(text: str) -> str:
    """How jaxlib prints our module: equal to `text` when that is in canonical form. Raises MLIRError."""
    return "".join(line.rstrip() + "\n" for line in str(parse(text)).splitlines())


@cache
def _client() -> Any:
    import jax

    return jax.devices("cpu")[0].client


def run(text: str, inputs: Sequence[Any], *, quick: bool = False) -> list[Any]:
    """The results of `main` of our module for NumPy arrays, compiled and run by XLA's CPU client.

    quick: compiled with few optimisations.
    Raises MLIRError for a module that does not verify, XlaRuntimeError for one that XLA refuses.
    """
    from importlib import import_module

    import jax

    client = _client()
    device = client.local_devices()[0]
    xla_client = import_module("jax._src.lib").xla_client  # no public name for it
    options = xla_client.CompileOptions()
    options.num_replicas = options.num_partitions = 1
    options.env_option_overrides = list({**OPTIONS, **(QUICK if quick else {})}.items())
    module = parse(text)
    with module.context:
        loaded = client.compile_and_load(module, xla_client.DeviceList((device,)), options)
    with jax.enable_x64(True):
        buffers = [jax.device_put(np.ascontiguousarray(x), device) for x in inputs]
    results = loaded.execute_sharded(buffers).disassemble_into_single_device_arrays()
    return [np.asarray(result[0]) for result in results]


_NO_DATA = frozenset({"R201", "R202", "R203"})  # a spec's data can't be read, or made
_ENDS = frozenset({"R101", "R104", "R303", "R304", "R310"})  # too much work, or nothing to go on with


@dataclass(frozen=True, slots=True)
class Agreement:
    """What XLA made of a spec's interpret form, held against the executor. No `problems`: they agree.

    given_up: the finding with which the executor gave the kernel up (a loop without end, an impossible copy), so that
    XLA did not run it. lenient: held against the lenient mode, since the kernel does what no machine promises a result
    of. other_data: what is wrong with the spec's own data, in place of which it was run on what specs have by default.
    """

    elements: int
    different: int  # elements that are not equal to the last bit, within the tolerance or not
    lines: int  # of the module
    problems: tuple[str, ...]
    given_up: Diagnostic | None = None
    lenient: bool = False
    other_data: str = ""

    @property
    def finished(self) -> bool:
        return self.given_up is None


def verify_spec(spec: Spec) -> Agreement:
    """The spec's kernel on the spec's data. Raises what XLA raises where it refuses the module."""
    try:
        return verify_call(trace(spec), make_inputs(spec), spec.expect is not None)
    except SpecError as error:
        first = error.diagnostics[0]
        if first.code not in _NO_DATA:
            raise
        found = verify_call(trace(spec), _stand_ins(spec), spec.expect is not None)
        return replace(found, other_data=f"{first.code}: {first.message}")


def _stand_ins(spec: Spec) -> dict[str, Any]:
    """The spec's inputs, those that can't be made by what a spec has by default."""
    found = {}
    for number, operand in enumerate(o for o in spec.operands if o.role is not Role.OUTPUT):
        try:
            found[operand.name] = make_data(operand)
        except SpecError:
            found[operand.name] = make_data(replace(operand, data=default_data(number, operand.dtype)))
    return found


def verify_call(call: KernelCall, inputs: Mapping[str, Any], faulty: bool = False) -> Agreement:
    """Lower, print, parse, verify, print back, run; compare with the executor where both of them store.

    A kernel that is `faulty`, or that the executor finds an error in, is held against the lenient mode. Integers have
    to be equal, floats as near as the tolerance is that their dtypes and reductions give.
    """
    text = print_stablehlo(lower(call))
    problems = [] if reprint(text) == text else ["jaxlib prints the module another way"]
    ours = execute(call, inputs)
    lenient = faulty or not ours.finished or any(finding.severity is Severity.ERROR for finding in ours.findings)
    if lenient:
        ours = execute(call, inputs, mode=LENIENT)
    if not ours.finished:
        return Agreement(0, 0, text.count("\n"), tuple(problems), _last(ours.findings), True)
    results = run(text, [inputs[o.name] for o in call.operands if o.role is not Role.OUTPUT])
    elements = different = 0
    theirs = {}
    for output, got in zip(call.with_role(Role.OUTPUT), results, strict=True):
        want, marks = ours.outputs[output.name], ours.written[output.name]
        if (got.dtype, got.shape) != (want.dtype, want.shape):
            problems.append(f"{output.name}: {got.dtype}{got.shape}, not {want.dtype}{want.shape}")
            continue
        if marks is not None:  # what nobody wrote holds anything
            got = np.where(marks, got, want)
        elements += got.size
        different += outside(got, want, 0.0, 0.0)
        theirs[output.name] = got
    mode = LENIENT if lenient else SEQUENTIAL
    for name, (_, comparison) in hold(Prepared(call), inputs, ours.outputs, theirs, mode).items():
        if comparison.outside:
            problems.append(f"{name}: {comparison.outside} of {theirs[name].size} elements differ")
    return Agreement(elements, different, text.count("\n"), tuple(problems), None, lenient)


def _last(findings: Sequence[Diagnostic]) -> Diagnostic:
    """The finding with which a run ended."""
    return ([finding for finding in findings if finding.code in _ENDS] or list(findings))[-1]


def outside(got: Any, want: Any, relative: float, absolute: float) -> int:
    """Elements further from `want` than the tolerance; NaN equals NaN."""
    a, b = np.asarray(got).astype(np.float64), np.asarray(want).astype(np.float64)
    with np.errstate(all="ignore"):
        near = (a == b) | (np.isnan(a) & np.isnan(b)) | (np.abs(a - b) <= relative * np.abs(b) + absolute)
    return int(np.size(near) - np.count_nonzero(near))
