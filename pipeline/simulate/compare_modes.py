"""Where the modes differ: which ways of running a kernel pass it, and which do not, with the first reason.

- interpret: as `pallas_call(interpret=True)` runs it, which clamps, knows one order and lands copies at once;
- strict:    the functional run itself;
- reversed order, shuffled order: of the steps along parallel axes;
- eager copies: every copy lands when it is started;
- random memory: uninitialised memory and padding hold finite values, where the strict run has NaN, and then the
  opposite ones, so that no comparison of theirs comes out the same twice.

A kernel that depends on none of this gives the same values in every mode. Most need no further run to know: a mode is
called the same where the kernel gives it nothing to differ in. What is left is tried in two runs that change everything
at once, and one mode at a time only where one of the two differs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from pipeline.errors import NOWHERE, Diagnostic, Severity, SpecError
from pipeline.ir.call import KernelCall, Operand, Role
from pipeline.ir.jaxpr import Prim
from pipeline.lower.equations import nested_eqns
from pipeline.schedule.uses import Use, ref_uses
from pipeline.simulate.codes import CODES
from pipeline.simulate.executor import Run
from pipeline.simulate.machine import WORK_LIMIT, Filling
from pipeline.simulate.mode import LENIENT, SEQUENTIAL, Mode, parallel_axes
from pipeline.simulate.prepared import Prepared
from pipeline.simulate.sharing import overwritten_by_tasks, watch_for

Array = Any
RERUN_LIMIT = WORK_LIMIT // 4  # of a single further run
_TOO_MUCH = "too much work for a further run"
_RANDOM, _MIRRORED = Filling(seed=0), Filling(seed=1)
_ORDER, _COPIES, _MEMORY = "R341", "R342", "R343"


class ModeResult(NamedTuple):
    """One mode's answer; `passed` is None where it was not run."""

    name: str
    passed: bool | None
    detail: str


class Strict(NamedTuple):
    """The strict run, what it found (numeric mismatches too), and what tells whether arrays agree with the reference.

    `wants` is None where there is no reference.
    """

    run: Run
    findings: tuple[Diagnostic, ...]
    wants: Mapping[str, Array] | None
    outside: Any  # (output's name, array) -> how many elements are outside the tolerance


class _Way(NamedTuple):
    """A mode: its name, why it cannot differ from the strict run ("": it may), what it runs, the finding's code."""

    name: str
    same: str
    mode: Mode
    fillings: tuple[Filling, ...]
    code: str


def compare_modes(
    prepared: Prepared, inputs: Mapping[str, Array], strict: Strict
) -> tuple[tuple[ModeResult, ...], tuple[Diagnostic, ...]]:
    """The modes in the order of the capture, and a finding for each that fails where the strict run passes.

    Errors: none; what a further run cannot do is told in its line.
    """
    return _Comparison(prepared, inputs, strict).run()


class _Comparison:
    def __init__(self, prepared: Prepared, inputs: Mapping[str, Array], strict: Strict) -> None:
        self.prepared = prepared
        self.call = call = prepared.call
        self.inputs = inputs
        self.strict = strict
        self.error = next((f for f in strict.findings if f.severity is Severity.ERROR), None)
        self.uses = ref_uses(call.body)
        self.prims = {eqn.prim for eqn in nested_eqns(call.body)}
        self.copies = Prim.DMA_START in self.prims
        self.same = {
            "interpret": self._clamps_nothing(),
            "reversed": self._one_order(),
            "eager": "" if self.copies else "no copies of its own",
            "random": self._reads_what_it_wrote(),
        }
        self.findings: list[Diagnostic] = []

    def run(self) -> tuple[tuple[ModeResult, ...], tuple[Diagnostic, ...]]:
        strict = ModeResult("strict", self.error is None, "" if self.error is None else _title(self.error.code))
        if self.prepared.too_much_work(RERUN_LIMIT) is not None:
            lines = [ModeResult(name, None, _TOO_MUCH) for name in ("reversed order", "shuffled order", "eager copies",
                                                                   "random memory")]  # fmt: skip
            return (ModeResult("interpret", None, _TOO_MUCH), strict, *lines), ()
        lines = [self._interpret(), strict]
        if self.error is None:
            lines += self._together()
        else:
            lines += [self._alone(way) for way in self._ways()]
        return tuple(lines), tuple(self.findings)

    def _ways(self) -> list[_Way]:
        plain = (Filling(),)
        same = self.same
        return [
            _Way("reversed order", same["reversed"], Mode("reversed"), plain, _ORDER),
            _Way("shuffled order", same["reversed"], Mode("shuffled"), plain, _ORDER),
            _Way("eager copies", same["eager"], Mode(eager=True), plain, _COPIES),
            _Way("random memory", same["random"], SEQUENTIAL, (_RANDOM, _MIRRORED), _MEMORY),
        ]

    def _interpret(self) -> ModeResult:
        if self.same["interpret"]:
            return ModeResult("interpret", self.error is None, "as strict: " + self.same["interpret"])
        return self._judge("interpret", self._execute(LENIENT, Filling(variant=2)), None)

    def _together(self) -> list[ModeResult]:
        """After a strict run that passes: everything that may differ at once, then what does by itself."""
        ordered, plain = not self.same["reversed"], bool(self.same["random"])
        runs = []
        for order, eager, filling in (("reversed", self.copies, _RANDOM), ("shuffled", False, _MIRRORED)):
            mode = Mode(order if ordered else "sequential", eager=eager)
            if mode != SEQUENTIAL or not plain:
                runs.append((mode, Filling() if plain else filling))
        differs = any(self._judge("", self._execute(*run), None).passed is not True for run in runs)
        return [self._alone(way) if way.same or differs else ModeResult(way.name, True, "") for way in self._ways()]

    def _alone(self, way: _Way) -> ModeResult:
        if way.same:
            return ModeResult(way.name, self.error is None, f"as strict: {way.same}")
        for filling in way.fillings:
            result = self._judge(way.name, self._execute(way.mode, filling), way.code)
            if result.passed is not True:
                break
        return result

    def _execute(self, mode: Mode, filling: Filling) -> Run | str:
        """A run, or why there is none."""
        try:
            return self.prepared.run(self.inputs, filling, RERUN_LIMIT, mode)
        except SpecError as error:
            return error.diagnostics[0].code

    def _judge(self, name: str, run: Run | str, code: str | None) -> ModeResult:
        """Whether a run passes by itself and, after a strict run that passes, has its values. With a `code`, what it
        fails by is a finding."""
        if isinstance(run, str):
            return ModeResult(name, None, f"not run, {_title(run)}")
        found = [f for f in run.findings if f.severity is Severity.ERROR]
        if any(f.code == "R104" for f in found):
            return ModeResult(name, None, _TOO_MUCH)
        if name == "interpret":  # which reports nothing
            found = [] if run.finished else found
        if found:
            return ModeResult(name, False, _title(found[0].code))
        for output in self.call.with_role(Role.OUTPUT):
            got = run.outputs[output.name]
            count, what = self._wrong(output.name, got)
            if count:
                where = f"{count} of {got.size} elements of output '{output.name}'"
                if code is not None and self.error is None:
                    self._report(code, name, where, output.span)
                return ModeResult(name, False, f"{where} {what}")
        return ModeResult(name, True, "")

    def _wrong(self, name: str, got: Array) -> tuple[int, str]:
        """How many elements of an output are wrong, and in what way."""
        strict = self.strict
        if self.error is None:
            differ = _differs(got, strict.run.outputs[name])
            marks = strict.run.written[name]
            return int(np.count_nonzero(differ if marks is None else differ & marks)), "differ"
        if strict.wants is not None:
            return strict.outside(name, got), "differ from the reference"
        return int(np.count_nonzero(_is_nan(got))), "are NaN"

    def _report(self, code: str, mode: str, where: str, span: Any) -> None:
        why, hint = {
            _ORDER: ("in which order the steps along parallel axes run",
                     "let each parallel step have blocks and scratch of its own, or call the axis arbitrary"),
            _COPIES: ("when its copies land", "wait for a copy before its ends are read or written"),
            _MEMORY: ("what uninitialised memory or padding holds", "write memory before it is read; mask padding"),
        }[code]  # fmt: skip
        if code == _MEMORY and (name := self._memory()):
            why, hint = (
                f"what '{name}' holds where nobody wrote",
                f"write '{name}' before it is read, or mask its padding",
            )
        if all(finding.code != code for finding in self.findings):
            self.findings.append(Diagnostic(code, f"{where} depend on {why} ({mode})", span or NOWHERE, hint))

    def _memory(self) -> str:
        """A buffer on whose uninitialised memory or padding the outputs hang by itself; empty if it takes several."""
        names = [s.name for s in self.call.scratch if not s.ref.dtype.is_semaphore]
        for name in (*names, *(operand.name for operand in self.call.operands)):
            runs = [self._execute(SEQUENTIAL, replace(filling, only=name)) for filling in (_RANDOM, _MIRRORED)]
            if any(self._judge("", run, None).passed is False for run in runs):
                return name
        return ""

    def _clamps_nothing(self) -> str:
        """Why interpret mode cannot differ from the strict run; empty where it may."""
        run = self.strict.run
        stored = [use for use, operand in self._operands() if use.written and operand.role is not Role.OUTPUT]
        if not run.finished or run.findings or run.revisited or stored or self.error is not None:
            return ""
        return "nothing to clamp"

    def _one_order(self) -> str:
        """Why the order of parallel steps cannot matter; empty where it may."""
        if not parallel_axes(self.call.grid, self.call.semantics):
            return "no parallel axis"
        return "" if watch_for(self.call) else "no two parallel steps share memory"

    def _reads_what_it_wrote(self) -> str:
        """Why no equation can read memory that the kernel was not given; empty where one may.

        No padding, no scoped memory. Scratch is not read, or overwritten whole first; so is an output's block, by the
        first step that has it, and no block is visited twice.
        """
        call, run = self.call, self.strict.run
        if run.partial or not self.prims.isdisjoint((Prim.RUN_SCOPED, Prim.MASKED_LOAD, Prim.DMA_START)):
            return ""
        for use, binder, operand in zip(self.uses, call.body.invars, self._every_operand(), strict=True):
            if not use.read or use.covered_first or (operand is not None and operand.role is not Role.OUTPUT):
                continue
            axes = () if operand is None else _varies_along(call, operand)
            if (operand is not None and run.revisited) or binder not in overwritten_by_tasks(call, axes):
                return ""
        return "it reads nothing it did not write"

    def _every_operand(self) -> list[Operand | None]:
        """The operand of each binder of the body; None for scratch."""
        return [*self.call.operands, *([None] * len(self.call.scratch))]

    def _operands(self) -> list[tuple[Use, Operand]]:
        return list(zip(self.uses, self.call.operands, strict=False))


def passes(modes: Iterable[ModeResult]) -> bool:
    """Whether no mode fails."""
    return all(mode.passed is not False for mode in modes)


def _varies_along(call: KernelCall, operand: Operand) -> tuple[int, ...]:
    """Grid axes that an output's block may hang on."""
    if operand.index_map is None:
        return ()
    used = {atom for eqn in operand.index_map.eqns for atom in eqn.inputs} | set(operand.index_map.outvars)
    return tuple(axis for axis, n in enumerate(call.grid) if n > 1 and operand.index_map.invars[axis] in used)


def _title(code: str) -> str:
    return f"{code}: {CODES[code][0]}"


def _differs(a: Array, b: Array) -> Array:
    return (a != b) & ~(_is_nan(a) & _is_nan(b))


def _is_nan(x: Array) -> Array:
    if x.dtype.kind in "iub" or x.dtype.name in ("int4", "uint4"):
        return np.zeros(x.shape, bool)
    return np.isnan(x if x.dtype.kind == "f" else x.astype(np.float32))
