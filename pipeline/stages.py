"""The ordered table of stages, and how one spec is run through them. Command line and tests share it.

Stages are imported when they run, so that showing a spec's jaxpr needs neither the lowering nor NumPy.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from pipeline.capture import names
from pipeline.errors import Diagnostic, Severity, SpecError

if TYPE_CHECKING:
    from pipeline.spec.spec import Spec, Target


class Stage(NamedTuple):
    """One step of the pipeline.

    needs: the stages whose results `run` takes, after the spec and the target (None for a stage that knows no chip).
    print: the capture's text; None for a step that only prepares a later one.
    chips: whether `run` takes at the end, for each chip that the spec declares, its name and what refuses it there.
    reports: whether the result has `findings`: an error among them fails the stage, and it has no capture.
    judges: whether the result has a verdict, `passed`: its capture is kept also where it fails, and tells why.
    asked: whether a spec asks for the stage; None for one that every spec has.
    """

    name: str
    needs: tuple[str, ...]
    per_target: bool
    run: Callable[..., Any]
    print: Callable[[Any], str] | None
    reports: bool = False
    judges: bool = False
    chips: bool = False
    asked: Callable[[Spec], bool] | None = None


class Form(NamedTuple):
    """How a stage is done for targets of one kind: `Stage`'s fields in another form."""

    needs: tuple[str, ...]
    run: Callable[..., Any]
    print: Callable[[Any], str]
    reports: bool = False
    judges: bool = False
    chips: bool = False


class StageResult(NamedTuple):
    """What came of one stage for one target (None: for all).

    status:      "ok"; "failed" (a diagnostic says why); "not run" (a stage before it failed); "bug".
    diagnostics: all that this stage found, warnings included; a stage that found an error has failed, except that a
                 simulation says so in its text and in `passed`.
    passed:      the simulation's verdict; True for other stages.
    bug:         the traceback of an exception that is no `SpecError`.
    """

    stage: str
    target: str | None
    status: str
    text: str | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    passed: bool = True
    bug: str | None = None


def _trace(spec: Spec, target: None) -> Any:
    from pipeline.trace.trace import trace

    return trace(spec)


def _print_trace(result: Any) -> str:
    from pipeline.trace.text import print_call

    return print_call(result)


def _transforms_asked(spec: Spec) -> bool:
    return bool(spec.transforms)


def _transform(spec: Spec, target: None, call: Any) -> Any:
    from pipeline.transforms.verdict import report

    return report(call, spec.transforms)


def _print_transform(result: Any) -> str:
    return str(result)


def _chip(spec: Spec | None, target: Target) -> Any:
    from pipeline.chips.load import load_target

    return load_target(target)


def _lower(spec: Spec, target: Target, call: Any, chip: Any) -> Any:
    from pipeline.lower.mosaic_tpu.lower import lower

    return lower(call, chip)


def _print_lower(result: Any) -> str:
    from pipeline.lower.mosaic_tpu.text import print_mosaic

    return print_mosaic(result)


def _lower_interpret(spec: Spec, target: Target, call: Any) -> Any:
    from pipeline.lower.stablehlo.lower import lower

    return lower(call)


def _print_interpret(result: Any) -> str:
    from pipeline.lower.stablehlo.text import print_stablehlo

    return print_stablehlo(result)


def _portability(spec: Spec, target: Target, module: Any) -> Any:
    return module


def _print_portability(result: Any) -> str:
    from pipeline.lower.portability import print_portability

    return print_portability(result)


def _schedule(spec: Spec, target: Target, call: Any, module: Any, chip: Any) -> Any:
    from pipeline.schedule.schedule import schedule

    return schedule(call, module, chip)


def _print_schedule(result: Any) -> str:
    from pipeline.schedule.text import print_schedule

    return print_schedule(result)


def _judge_triton(spec: Spec, target: Target, call: Any) -> Any:
    from pipeline.triton.verdict import judge

    return judge(call)


def _print_triton(result: Any) -> str:
    from pipeline.triton.verdict import print_verdict

    return print_verdict(result)


def _functional(spec: Spec, target: None, call: Any) -> Any:
    from pipeline.simulate.functional import run_functional

    return run_functional(spec, call)


def _simulate(spec: Spec, target: Target, call: Any, schedule: Any, chip: Any, functional: Any) -> Any:
    from pipeline.simulate.simulate import simulate

    return simulate(call, schedule, chip, functional)


def _print_simulate(result: Any) -> str:
    from pipeline.simulate.text import print_simulation

    return print_simulation(result)


def _judge(
    spec: Spec, target: Target, call: Any, functional: Any, chips: list[tuple[str, tuple[Diagnostic, ...]]]
) -> Any:
    from pipeline.simulate.simulate import judge, legal_on

    return judge(call, target.name, functional, tuple(legal_on(*chip) for chip in chips))


# "functional" comes last: a kernel is not run whose schedule is refused on every target.
_SIMULATE_NEEDS = ("trace", "schedule", "chip", "functional")

STAGES: tuple[Stage, ...] = (
    Stage("trace", (), False, _trace, _print_trace),
    Stage("transform", ("trace",), False, _transform, _print_transform, asked=_transforms_asked),
    Stage("chip", (), True, _chip, None),
    Stage("lower", ("trace", "chip"), True, _lower, _print_lower),
    Stage("portability", ("lower",), True, _portability, _print_portability),
    Stage("schedule", ("trace", "lower", "chip"), True, _schedule, _print_schedule, reports=True),
    Stage("functional", ("trace",), False, _functional, None),
    Stage("simulate", _SIMULATE_NEEDS, True, _simulate, _print_simulate, reports=True, judges=True),
)

# kind of target -> the stages that it does in a form of its own, None: not at all; all others as the table says
KINDS: dict[str, dict[str, Form | None]] = {
    "tpu": {},
    "interpret": {
        "lower": Form(("trace",), _lower_interpret, _print_interpret),
        "portability": None,
        "schedule": None,
        "simulate": Form(("trace", "functional"), _judge, _print_simulate, True, True, chips=True),
    },
    "triton": {
        "lower": None,
        "portability": None,
        "schedule": Form(("trace",), _judge_triton, _print_triton, reports=True),
        "simulate": None,
    },
}


_ASKED = {stage.name: stage.asked for stage in STAGES if stage.asked is not None}


def declared(stage: str, spec: Spec) -> bool:
    """Whether the spec asks for the stage, or every spec has it."""
    return stage not in _ASKED or _ASKED[stage](spec)


def applies(stage: str, target: Target) -> bool:
    """Whether targets of this kind have the stage; True where the profile cannot be read, which is reported."""
    if all(stage not in forms for forms in KINDS.values()):
        return True
    try:
        kind = _chip(None, target).kind
    except SpecError:
        return True
    return KINDS[kind].get(stage, True) is not None


def run_spec(
    spec: Spec,
    targets: Iterable[Target] | None = None,
    wanted: Iterable[str] = names.STAGES,
    stages: tuple[Stage, ...] | None = None,
) -> tuple[StageResult, ...]:
    """Run the `wanted` stages, and those they need, for each of `targets` (default: all that the spec declares).

    A stage that fails stops those that need it, for its target; everything else goes on, so that one run reports all
    there is to find. Errors: none; a `SpecError` and also an exception of our own end in a result.
    """
    stages = STAGES if stages is None else stages
    asked = frozenset(wanted)
    run = _Run(spec, stages, asked)
    selected = tuple(spec.targets if targets is None else targets)
    for stage in stages:
        if stage.name not in asked:
            continue
        for target in selected if stage.per_target else (None,):
            run.result(stage.name, target)
    order = {stage.name: position for position, stage in enumerate(stages)}
    chosen = {None, *(target.name for target in selected)}
    results = [r for r in run.results.values() if r.status != _DOES_NOT_APPLY and r.target in chosen]
    return tuple(sorted(results, key=lambda result: order[result.stage]))  # stable: targets keep order


_DOES_NOT_APPLY = "does not apply"


class _Run:
    """The results of one spec so far; a stage is run when its value is first asked for."""

    def __init__(self, spec: Spec, stages: tuple[Stage, ...], asked: frozenset[str]) -> None:
        self.spec = spec
        self.asked = asked
        self.stages = {stage.name: stage for stage in stages}
        self.results: dict[tuple[str, str | None], StageResult] = {}
        self.values: dict[tuple[str, str | None], Any] = {}

    def result(self, name: str, target: Target | None) -> StageResult:
        stage = self.stages[name]
        if not stage.per_target:
            target = None
        key = (name, target.name if target is not None else None)
        if key not in self.results:
            self.results[key] = self._run(stage, target, key)
        return self.results[key]

    def _run(self, stage: Stage, target: Target | None, key: tuple[str, str | None]) -> StageResult:
        if stage.asked is not None and not stage.asked(self.spec):
            return StageResult(*key, _DOES_NOT_APPLY)
        form = self._form(stage, target)
        if form is None:
            return StageResult(*key, _DOES_NOT_APPLY)
        stage = form
        inputs = []
        for need in stage.needs:
            if self.result(need, target).status != "ok":
                return StageResult(*key, "not run")
            inputs.append(self.values[need, key[1] if self.stages[need].per_target else None])
        if stage.chips:
            inputs.append(self._chips())
        try:
            value = stage.run(self.spec, target, *inputs)
            findings: tuple[Diagnostic, ...] = tuple(value.findings) if stage.reports else ()
            passed = bool(value.passed) if stage.judges else True
            if not stage.judges and any(finding.severity is Severity.ERROR for finding in findings):
                return StageResult(*key, "failed", None, findings)
            text = stage.print(value) if stage.print is not None and stage.name in self.asked else None
        except SpecError as error:
            return StageResult(*key, "failed", None, error.diagnostics)
        except Exception:  # a bug of ours must not end the run of other specs; it is reported as one
            return StageResult(*key, "bug", bug=traceback.format_exc())
        self.values[key] = value
        return StageResult(*key, "ok", text, findings, passed)

    def _chips(self) -> list[tuple[str, tuple[Diagnostic, ...]]]:
        """Each chip that the spec declares, with what its lowering and its schedule find."""
        found = []
        for target in self.spec.targets:
            if self.result("chip", target).status != "ok":
                continue  # reported where the chip is used
            results = [self.result(name, target) for name in ("lower", "schedule")]
            if results[-1].status != _DOES_NOT_APPLY:
                found.append((target.name, tuple(d for result in results for d in result.diagnostics)))
        return found

    def _form(self, stage: Stage, target: Target | None) -> Stage | None:
        """The stage as targets of this kind have it; None for one that they do not have."""
        if target is None or stage.name == "chip" or "chip" not in self.stages:
            return stage
        if self.result("chip", target).status != "ok":
            return stage  # what needs the chip will not run
        own = KINDS.get(getattr(self.values["chip", target.name], "kind", ""), {})
        if stage.name not in own:
            return stage
        form = own[stage.name]
        return None if form is None else stage._replace(**form._asdict())
