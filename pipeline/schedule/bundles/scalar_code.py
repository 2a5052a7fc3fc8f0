"""Scalar code without a graph: instructions issued in program order, each in the first bundle with a free scalar slot
in which its operands are there. What the pipeline's own code and the checks before a copy are counted with.
"""

from __future__ import annotations

from typing import NamedTuple

from pipeline.chips.chip import Chip


class Timing(NamedTuple):
    """What the scalar unit of a chip takes, in cycles, and what its compiler adds to a copy.

    slots:      scalar instructions in a bundle.
    predicate:  from a comparison or an operation on predicates to its user.
    load:       from a load out of scalar memory to its user.
    multiply:   from a product to its user.
    delay:      bundles after a branch that belong to it.
    hbm_pointer, vmem_pointer:   from an address to what a copy takes.
    hbm_unpack, vmem_unpack:     from there to what a bounds check takes.
    semaphore:  from asking for a semaphore's value to its user.
    wraps: whether a bounds check of HBM sees to it that its end is not before its start.
    core_choice, core_check: before a kernel of one step, where one core of a device runs it, and where all do.
    """

    slots: int
    predicate: int
    load: int
    multiply: int
    delay: int
    hbm_pointer: int
    vmem_pointer: int
    hbm_unpack: int
    vmem_unpack: int
    semaphore: int
    wraps: bool
    core_choice: int
    core_check: int

    @classmethod
    def of(cls, chip: Chip) -> Timing:
        cycles = dict(chip.cycles)
        return cls(
            chip.slot("salu") or 1,
            cycles.get("scalar_predicate", 1),
            cycles.get("scalar_load", 1),
            cycles.get("scalar_multiply", 1),
            cycles.get("branch_delay", 0),
            cycles.get("hbm_pointer", 0),
            cycles.get("vmem_pointer", 0),
            cycles.get("hbm_unpack", 0),
            cycles.get("vmem_unpack", 0),
            cycles.get("semaphore_read", 0),
            "checks_wrapped_addresses" in chip.features,
            cycles.get("core_choice", 0),
            cycles.get("core_check", 0),
        )


class Code:
    """A block of scalar code: `op` gives the time at which the result is there; `length` is the bundles so far."""

    def __init__(self, timing: Timing) -> None:
        self.timing = timing
        self.used: dict[int, int] = {}
        self.length = 0

    def op(self, *ready: int, latency: int = 1, slots: int = 1) -> int:
        at = max(ready, default=0)
        while self.used.get(at, 0) + slots > self.timing.slots:
            at += 1
        self.used[at] = self.used.get(at, 0) + slots
        self.length = max(self.length, at + 1)
        return at + latency

    def test(self, *ready: int) -> int:
        """A comparison, or an operation on predicates."""
        return self.op(*ready, latency=self.timing.predicate)

    def load(self, *ready: int) -> int:
        """A load from scalar memory."""
        return self.op(*ready, latency=self.timing.load)

    def steps(self, n: int, *ready: int) -> int:
        """A chain of `n` instructions."""
        at = max(ready, default=0)
        for _ in range(n):
            at = self.op(at)
        return at

    def pointer(self, address: int, hbm: bool) -> int:
        """What a copy takes as one of its ends."""
        return self.steps(self.timing.hbm_pointer if hbm else self.timing.vmem_pointer, address)

    def check(self, pointer: int, guard: int | None, hbm: bool, whole: bool = False) -> None:
        """The bounds check of one end of a copy; it ends the block. `guard`: when the copy's predicate is there, None
        for a copy that is always made. `whole`: of an array that is copied whole only whether its end is past the
        largest address is seen to, where that is at all."""
        timing = self.timing
        start = self.steps(timing.hbm_unpack if hbm else timing.vmem_unpack, pointer)
        end = self.op(start)
        seen = whole and hbm and not timing.hbm_unpack
        limit = 0 if seen else self.op()
        empty = self.test(end)
        if seen:
            outside = self.test(end) if timing.wraps else 0
        else:
            below, above = self.test(start), self.test(end, limit)
            outside = self.test(below, above)
            if timing.wraps and hbm:
                outside = self.test(outside, self.test(end))
        if guard is not None:
            empty = self.test(self.test(empty, guard))
        wrong = self.test(empty, outside)
        self.length = max(self.length, wrong) + 1
