"""A call made ready to run: what hangs on the call alone is made once, however often it is run.

That is the compiled body, the block indices of all steps, and the proof and plan of steps that run at once. Perturbed
orders, other fillings of memory and other data all use the same. What a run does is `executor.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np

from pipeline.errors import Diagnostic
from pipeline.ir.call import KernelCall
from pipeline.simulate.executor import Core, Run, excess_work
from pipeline.simulate.machine import EQUATION_WORK, WORK_LIMIT, Filling, Machine
from pipeline.simulate.mode import SEQUENTIAL, Mode
from pipeline.simulate.program import Program
from pipeline.simulate.sharing import watch_for

Array = Any
KEPT_BYTES = 1 << 24
MANY_STEPS = 1_000
LEAST_STEPS = 48  # batches have to save this many steps in Python, over all runs, or compiling them costs more


class Prepared:
    """A call, and what its runs have in common. One run at a time.

    often: it is run so often that whatever makes a run faster is worth its preparation; else it is once it was.
    """

    def __init__(self, call: KernelCall, often: bool = False) -> None:
        # the C library learns by this that memory of such a size comes again, and gives back no smaller piece at once:
        # clearing its pages anew for the next value takes longer than most operations
        np.empty(KEPT_BYTES, np.uint8)
        self.call = call
        self.often = often
        self.runs = 0
        self.fit: int | None = None  # how many steps fill the cache
        self.proven = True  # no run has shown yet that steps cannot be run at once
        self.cores: dict[tuple[type[Machine], bool], Core] = {}

    def run(
        self,
        inputs: Mapping[str, Array],
        filling: Filling | None = None,
        work_limit: int = WORK_LIMIT,
        mode: Mode = SEQUENTIAL,
        lanes: int | None = None,
    ) -> Run:
        """Run on `inputs`: an array of the declared shape and dtype for each scalar prefetch and input operand.

        lanes: steps that may run at once where it is proven that they do not depend on each other; None: as many as fit
        in cache, if that is faster. The result is the same bit for bit.
        Errors: SpecError R102 (a primitive without a rule), R103 (memory); everything the kernel does wrong while it
        runs is a finding of the result.
        """
        filling = filling or Filling()
        self.runs += 1
        with np.errstate(all="ignore"):
            at_once = self._worth(mode, self.runs) if lanes is None else lanes
            if at_once > 1 and self.proven:
                run = self._at_once(inputs, filling, work_limit, mode, at_once)
                if run is not None:
                    return run
            return self._in_turn(inputs, filling, work_limit, mode)

    def too_much_work(self, work_limit: int = WORK_LIMIT, mode: Mode | None = None) -> Diagnostic | None:
        """Whether `run` would leave this call out, without making any array: the finding R101, or None.

        With a `mode` in which steps may run at once, they are taken to do so; if they do not, the run has the finding.
        """
        with np.errstate(all="ignore"):
            body = self._body()
        dispatch = EQUATION_WORK * (len(body.steps) + max(1, len(self.call.operands)))
        elements = body.work - EQUATION_WORK * len(body.steps)
        at_once = 1 if mode is None else self._worth(mode, 1)
        if at_once > 1 and prod(self.call.grid) * (elements + dispatch // at_once) <= work_limit:
            return None
        return excess_work(self.call, body, work_limit)

    def _body(self) -> Program:
        key = (Machine, False)
        if key not in self.cores:
            self.cores[key] = self._core(SEQUENTIAL, Machine)
        return self.cores[key].compiled()

    def _core(self, mode: Mode, machine: type[Machine]) -> Core:
        core = Core(self.call, mode, machine)
        core.machine.often = self.often
        return core

    def _worth(self, mode: Mode, runs: int) -> int:
        """How many steps to run at once; 1 where batches would not be faster, over so many runs."""
        steps = prod(self.call.grid)
        runs = LEAST_STEPS if self.often else runs
        if steps * runs < LEAST_STEPS or steps < 2 or not _any_order(mode):
            return 1
        if self.fit is None:
            from pipeline.simulate.batch.plan import lanes_at_once

            self.fit = lanes_at_once(self.call)
        at_once = self.fit
        return at_once if runs * (steps - -(-steps // at_once)) >= LEAST_STEPS else 1

    def _trusting(self) -> bool:
        """Whether it is worth looking for outputs of which no account has to be kept."""
        return self.often or self.runs > 1 or prod(self.call.grid) >= MANY_STEPS

    def _at_once(
        self, inputs: Mapping[str, Array], filling: Filling, work_limit: int, mode: Mode, at_once: int
    ) -> Run | None:
        """A run of `at_once` steps at a time; None where it has to be step by step."""
        from pipeline.simulate.batch.compiler import LanesMachine, Unproven

        if not _any_order(mode) or (mode.record and watch_for(self.call)):
            return None
        mode = mode._replace(record=False) if mode.record else mode
        key = (LanesMachine, mode.lenient)
        core = self.cores.pop(key, None) or self._core(mode, LanesMachine)
        try:
            core.start(inputs, filling, work_limit, mode, trusting=self._trusting())
            run = core.run_lanes(at_once)
        except Unproven:
            self.proven = False
            return None
        self.cores[key] = core
        return run

    def _in_turn(self, inputs: Mapping[str, Array], filling: Filling, work_limit: int, mode: Mode) -> Run:
        """A run of one step after the other."""
        plain = not mode.watched and mode.cores == 1
        plain = plain and not (mode.record and watch_for(self.call))
        key = (Machine, mode.lenient)
        core = (self.cores.pop(key, None) if plain else None) or self._core(mode, Machine)
        quiet = mode.tell is None and mode.progress is None
        trusting = plain and quiet and self._trusting()
        core.start(inputs, filling, work_limit, mode, trusting)
        if mode.cores > 1:
            from pipeline.simulate.cores import run_on_cores

            return run_on_cores(core, inputs)
        run = core.run()
        if trusting and not run.finished and all(finding.code != "R104" for finding in run.findings):
            # what it left behind is told by a run that keeps account of it; nobody asks after one that was given up
            core = self._core(mode, Machine)
            core.start(inputs, filling, work_limit, mode)
            run = core.run()
        if plain and run.finished and not run.findings:  # what was found once is not looked for again
            self.cores[key] = core
        return run


def too_much_work(call: KernelCall, work_limit: int = WORK_LIMIT, mode: Mode | None = None) -> Diagnostic | None:
    """Whether a run of `call` would be left out: `Prepared.too_much_work` of a call that is asked about once."""
    return Prepared(call).too_much_work(work_limit, mode)


def _any_order(mode: Mode) -> bool:
    """Whether nobody looks on step by step."""
    return mode.in_order and not mode.watched
