"""A spec against the real compilers, layer by layer: what `pipeline verify` says.

jax:    its trace and its Mosaic module for the same kernel are equal to ours.
libtpu: accepts our module, and makes as many bundles of it as of JAX's.
xla:    runs our interpret form on the CPU, to the executor's numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pipeline.chips.chip import PortableTarget
from pipeline.chips.load import load_chip, load_target
from pipeline.errors import Diagnostic, SpecError
from pipeline.ir.call import KernelCall
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.lower.mosaic_tpu.text import print_mosaic
from pipeline.oracles.compare import call_difference
from pipeline.oracles.compare_mosaic import module_difference
from pipeline.oracles.jax_mosaic import CHIPS, emit
from pipeline.oracles.libtpu import Job, Verdict, compile_all
from pipeline.spec.spec import Spec, Target
from pipeline.trace.trace import trace

EQUAL, DIFFERENT, UNKNOWN = "equal", "different", "unknown"


class Layer(NamedTuple):
    """What was found of one layer of a spec: `said` in words, `status` EQUAL, DIFFERENT or UNKNOWN."""

    spec: str
    variant: str
    layer: str
    target: str | None
    status: str
    said: str


class _Theirs(NamedTuple):
    """JAX's trace of a kernel in our form, and what gives its Mosaic module for a chip (raises as JAX does)."""

    call: KernelCall
    emit: Callable[[str], str]


def verify_against_jax(spec: Spec, targets: Sequence[str] = ()) -> Iterator[Layer]:
    """The trace, then the lowering for each target (of `targets`, if any). Errors: none."""
    try:
        ours = trace(spec)
    except SpecError as error:
        yield _refused_here(spec, "trace", None, error)
        return
    try:
        theirs = _theirs(spec)
    except Exception as error:  # JAX and the kernel's own code raise what they like
        yield _layer(spec, "trace", None, UNKNOWN, _reason(error))
        return
    difference = call_difference(ours, theirs.call)
    yield _layer(spec, "trace", None, EQUAL if difference is None else DIFFERENT, difference or "equal")
    for target in _chosen(spec, targets):
        yield _lowering(spec, target, ours, theirs)


def verify_against_libtpu(spec: Spec, targets: Sequence[str] = ()) -> Iterator[Layer]:
    """For each target: our module accepted, its bundles as many as those of JAX's module. Errors: none."""
    try:
        ours = trace(spec)
    except SpecError as error:
        yield _refused_here(spec, "compile", None, error)
        return
    chosen = _chosen(spec, targets)
    chips = {target.name: chip for target in chosen if (chip := _compilers_name(target)) is not None}
    modules: dict[str, str] = {}
    for target in chosen:
        if target.name not in chips:
            yield _layer(spec, "compile", target, UNKNOWN, f"the compiler knows no {target.name}")
            continue
        try:
            modules[target.name] = print_mosaic(lower(ours, load_chip(target)))
        except SpecError as error:
            yield _refused_here(spec, "lower", target, error)
    others, reason = _their_modules(spec, {name: chips[name] for name in modules})
    texts = [*modules.items(), *((name, text) for name, text in others.items() if isinstance(text, str))]
    verdicts = iter(compile_all([Job.of(ours, chips[name], text, count_bundles=True) for name, text in texts]))
    mine = {name: next(verdicts) for name in modules}
    its = {name: next(verdicts) if isinstance(text, str) else text for name, text in others.items()}
    for target in chosen:
        if target.name in modules:
            yield from _compiled(spec, target, mine[target.name], its.get(target.name), reason)


def verify_against_xla(spec: Spec, targets: Sequence[str] = ()) -> Iterator[Layer]:
    """The interpret form, whether or not the spec declares that target. Errors: none."""
    from pipeline.oracles.xla import verify_spec

    try:
        found = verify_spec(spec)
    except SpecError as error:
        yield _layer(spec, "interpret", None, UNKNOWN, _not_run(spec, error.diagnostics[0]))
    except Exception as error:  # how XLA refuses a module
        yield _layer(spec, "interpret", None, DIFFERENT, f"refused: {_reason(error)}")
    else:
        same = f"{found.elements} elements agree, {found.elements - found.different} of them to the last bit"
        if found.lenient:
            same += " (with the lenient mode)"
        if found.other_data:
            same += f" (on other data than the spec's: {found.other_data})"
        status, said = EQUAL, same
        if found.problems:
            status, said = DIFFERENT, "; ".join(found.problems)
        elif found.given_up is not None:
            status, said = UNKNOWN, _not_run(spec, found.given_up)
        yield _layer(spec, "interpret", None, status, said)


def _not_run(spec: Spec, why: Diagnostic) -> str:
    expected = ", as the spec expects" if why.code in (spec.expect, *spec.expects_also) else ""
    return f"not run{expected}: {why.code}: {why.message}"


def _their_modules(spec: Spec, chips: Mapping[str, str]) -> tuple[dict[str, str | Verdict], str]:
    """By target, JAX's module or its lowering's refusal; none with the reason where JAX has no trace.

    `chips` says what the compiler calls each target.
    """
    try:
        theirs = _theirs(spec)
    except Exception as error:  # as above
        return {}, _reason(error)
    found: dict[str, str | Verdict] = {}
    for name, chip in chips.items():
        try:
            found[name] = theirs.emit(chip)
        except Exception as error:  # how JAX's lowering refuses a kernel
            found[name] = Verdict(False, _reason(error))
    return found, ""


def _compiled(spec: Spec, target: Target, ours: Verdict, theirs: Verdict | None, reason: str) -> Iterator[Layer]:
    if not ours.accepted:
        same = theirs is not None and not theirs.accepted
        said = f"refused: {_first_line(ours.message)}"
        if same:
            said += " (JAX's own module is refused too)"
        yield _layer(spec, "compile", target, EQUAL if same else DIFFERENT, said)
        return
    yield _layer(spec, "compile", target, EQUAL, "accepted")
    if theirs is None:
        yield _layer(spec, "bundles", target, UNKNOWN, reason)
    elif not theirs.accepted:
        yield _layer(spec, "bundles", target, DIFFERENT, f"JAX's own is refused: {_first_line(theirs.message)}")
    elif ours.bundles is None or theirs.bundles is None:
        yield _layer(spec, "bundles", target, UNKNOWN, "the compiler left no listing")
    elif ours.bundles == theirs.bundles:
        yield _layer(spec, "bundles", target, EQUAL, f"equal, {ours.bundles}")
    else:
        yield _layer(spec, "bundles", target, DIFFERENT, f"{ours.bundles} here, {theirs.bundles} of JAX's module")


def _lowering(spec: Spec, target: Target, ours: KernelCall, theirs: _Theirs) -> Layer:
    chip = _compilers_name(target)
    if chip is None:
        return _layer(spec, "lower", target, UNKNOWN, f"JAX knows no {target.name}")
    module: str | None = None
    refusal = ""
    try:
        module = print_mosaic(lower(ours, load_chip(target)))
    except SpecError as error:
        refusal = str(error)
    try:
        other = theirs.emit(chip)
    except Exception as error:  # how JAX's lowering refuses a kernel
        if module is None:
            return _layer(spec, "lower", target, EQUAL, f"refused by both, here as {refusal}")
        # blocks off the lattice are refused here by the schedule, which JAX has no stage for
        return _schedule_refuses(spec, target, ours, _reason(error))
    if module is None:
        return _layer(spec, "lower", target, DIFFERENT, f"refused here only: {refusal}")
    difference = module_difference(module, other)
    if difference is None:
        return _layer(spec, "lower", target, EQUAL, "equal")
    if module_difference(module, other, ignore_casts=True) is None:
        return _layer(spec, "lower", target, EQUAL, "equal, but for casts of arrays to the shape they have")
    return _layer(spec, "lower", target, DIFFERENT, difference)


def _schedule_refuses(spec: Spec, target: Target, call: KernelCall, reason: str) -> Layer:
    from pipeline.errors import Severity
    from pipeline.schedule.schedule import schedule

    chip = load_chip(target)
    errors = [f for f in schedule(call, lower(call, chip), chip).findings if f.severity is Severity.ERROR]
    if errors:
        return _layer(spec, "lower", target, EQUAL, f"refused by both, here as {errors[0].code}")
    return _layer(spec, "lower", target, DIFFERENT, f"refused by JAX only: {reason}")


def _theirs(spec: Spec) -> _Theirs:
    """JAX's own trace of the spec's kernel. Raises what JAX, the kernel's Python and the front end raise."""
    import jax

    from pipeline.frontend.jax_bridge import pallas_eqns
    from pipeline.frontend.pretend import pretend_chip
    from pipeline.frontend.python_function import kernel_of
    from pipeline.frontend.write_spec import with_plain_names
    from pipeline.oracles.spec_to_jax import dynamic_bounds, spec_to_jax

    fn, args = spec_to_jax(spec)
    with pretend_chip():
        closed = jax.make_jaxpr(fn)(*args)
    eqns = list(pallas_eqns(closed.jaxpr))
    call = kernel_of(eqns[0], dynamic_bounds(spec))
    return _Theirs(with_plain_names(call) if spec.kernel.is_jaxpr else call, lambda chip: emit(fn, args, chip)[0])


def _chosen(spec: Spec, targets: Sequence[str]) -> list[Target]:
    """The chips among the targets that are asked for."""
    asked = [target for target in spec.targets if not targets or target.name in targets]
    return [target for target in asked if not _is_portable(target)]


def _is_portable(target: Target) -> bool:
    try:
        return isinstance(load_target(target), PortableTarget)
    except SpecError:
        return False  # reported where the chip is used


def _compilers_name(target: Target) -> str | None:
    """What the compilers know a target by: a profile of one's own is compiled for the device that it is like."""
    try:
        kind = load_chip(target).device_kind
    except SpecError:
        return None
    return next((name for name, (known, _) in CHIPS.items() if known == kind), None)


def _layer(spec: Spec, layer: str, target: Target | None, status: str, said: str) -> Layer:
    return Layer(spec.name, spec.variant, layer, None if target is None else target.name, status, said)


def _refused_here(spec: Spec, layer: str, target: Target | None, error: SpecError) -> Layer:
    found: Diagnostic = error.diagnostics[0]
    return _layer(spec, layer, target, UNKNOWN, f"refused here: {found.code}: {found.message}")


def _reason(error: Exception) -> str:
    return _first_line(str(error) if isinstance(error, SpecError) else f"{type(error).__name__}: {error}")


def _first_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[0][:400] if lines else "no message"
