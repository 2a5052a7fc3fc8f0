"""Faulty kernels, and what each of JAX's interpreters tells of them: the page docs/faults.md.

`python -m pipeline.oracles.faults record [NAME..]` asks JAX and writes the record (a kernel that hangs an interpreter
is given up after a while); `python -m pipeline.oracles.faults page` prints the page, from the record alone.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pipeline.capture.outcome import is_error
from pipeline.ir.call import Role
from pipeline.oracles.interpreters import MODES, Seen, interpret
from pipeline.oracles.shipped import SPECS
from pipeline.simulate.data import make_inputs
from pipeline.simulate.executor import execute
from pipeline.simulate.functional import steps_in_place
from pipeline.simulate.tolerance import compare, rounding_of, tolerance_for
from pipeline.spec.load import load_specs
from pipeline.spec.spec import Spec
from pipeline.stages import run_spec
from pipeline.trace.trace import trace

Array = Any
RECORD = Path(__file__).resolve().parents[2] / "tests" / "modes" / "faults.json"
PATIENCE = 12  # seconds after which an interpreter hangs; it answers in two

# kinds of faults, and the exhibits that have them
FAULTS: dict[str, tuple[str, ...]] = {
    "bounds": (
        "index_map_out_of_range", "table_names_no_block", "search_past_the_end", "slice_past_the_end", "negative_row",
    ),
    "races": (
        "steps_share_a_block", "copies_overlap_over_a_parallel_axis", "scratch_over_a_parallel_axis",
        "prefetch_over_a_parallel_axis",
    ),
    "aliasing": ("shift_in_place", "aliased_block_in_part"),
    "initialisation": (
        "half_written_output", "padding_in_a_sum", "uninitialised_accumulator", "revisited_output",
        "old_memory_in_a_comparison", "counts_never_cleared",
    ),
    "copies": (
        "read_before_the_wait", "overwrite_in_flight", "block_replaced_under_a_copy", "wait_without_start",
        "signal_left_over", "copy_never_waited_for", "semaphore_read_early",
    ),
}  # fmt: skip
REPORTS = ("raises", "race", "hangs")  # first words of what a user is told of, whatever the numbers
_TITLES = {
    "interpret": "`interpret=True`",
    "tpu": "TPU interpreter",
    "eager": "eager copies",
    "zero": "zeroed memory",
    "races": "races, 2 cores",
}


def load(name: str) -> tuple[Spec, Spec]:
    """The exhibit and its twin without the fault."""
    (broken,), (fixed,) = (load_specs(SPECS / "exhibits" / part / f"{name}.toml") for part in ("", "fixed"))
    return broken, fixed


def names() -> list[str]:
    """All of FAULTS."""
    return [name for kind in FAULTS.values() for name in kind]


def told_here(spec: Spec) -> list[str]:
    """Codes of what the pipeline finds for the spec's first target: errors, and a warning that the exhibit is for."""
    found = [d for result in run_spec(spec, spec.targets[:1]) for d in result.diagnostics]
    return list(dict.fromkeys(d.code for d in found if is_error(d) or spec.shows(d.code, "warning")))


def right_answer(name: str) -> dict[str, Array]:
    """What the twin computes from the exhibit's data."""
    broken, fixed = load(name)
    return dict(execute(trace(fixed), make_inputs(broken)).outputs)


def word(spec: Spec, right: dict[str, Array], outputs: Sequence[Array]) -> str:
    """ "right", "wrong", or "NaN": what a comparison with the right answer would show."""
    import numpy as np

    call = trace(spec)
    facts = rounding_of(call.body)
    wrong = nan = 0
    for output, got in zip(call.with_role(Role.OUTPUT), outputs, strict=True):
        tolerance = tolerance_for(call, facts, output, steps_in_place(call, output))
        wrong += compare(np.asarray(got), right[output.name], tolerance).outside
        nan += compare(np.asarray(got), right[output.name], tolerance).unexpected_nan
    return "NaN" if nan else "wrong" if wrong else "right"


def seen_word(spec: Spec, right: dict[str, Array], seen: Seen) -> str:
    """What a user of an interpreter sees, in a word or two."""
    if seen.outputs is None:
        return f"raises {seen.kind}" if seen.reports else "cannot run it"
    return "race" if seen.race else word(spec, right, seen.outputs)  # what racing cores leave hangs on the machine


def answer(name: str, mode: str) -> str:
    """`seen_word` of the exhibit under JAX's interpreter, from this process: it may hang."""
    broken, _ = load(name)
    return seen_word(broken, right_answer(name), interpret(broken, make_inputs(broken), mode))


class Asker:
    """Answers from a process that is killed, and started anew, when it hangs."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self.patience = patience
        self.process: Any = None

    def ask(self, name: str, mode: str) -> str:
        """`answer`, or "hangs"."""
        if self.process is None:
            context = multiprocessing.get_context("spawn")
            self.mine, its = context.Pipe()
            self.process = context.Process(target=_answers, args=(its,), daemon=True)
            self.process.start()
            self.mine.recv()  # JAX is there
        self.mine.send((name, mode))
        if self.mine.poll(self.patience):
            return str(self.mine.recv())
        self.close()
        return "hangs"

    def close(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.process = None


def _answers(connection: Any) -> None:
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import jax  # noqa: F401

    connection.send("ready")
    while True:
        connection.send(answer(*connection.recv()))


def record(chosen: Sequence[str]) -> None:
    """Ask JAX of the `chosen` faults (none: of all), and write what it says to the record."""
    import importlib.metadata

    versions = {package: importlib.metadata.version(package) for package in ("jax", "jaxlib")}
    found: dict[str, dict[str, str]] = recorded() if RECORD.exists() else {}
    asker = Asker()
    for name in chosen or names():
        found[name] = {mode: asker.ask(name, mode) for mode in MODES}
        print(name, found[name], file=sys.stderr, flush=True)
        kept = {known: found[known] for known in names() if known in found}
        RECORD.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"versions": versions, "faults": kept}, indent=1) + "\n"
        RECORD.write_text(text, encoding="utf-8", newline="\n")
    asker.close()


def recorded() -> dict[str, dict[str, str]]:
    """By fault and mode, what JAX was seen to do."""
    found: dict[str, dict[str, str]] = json.loads(RECORD.read_text(encoding="utf-8"))["faults"]
    return found


def page() -> str:
    """docs/faults.md. What is said of us is found anew; what is said of JAX is the record's."""
    data = json.loads(RECORD.read_text(encoding="utf-8"))
    found: dict[str, dict[str, str]] = data["faults"]
    lines = [
        "# Faults, and who sees them",
        "",
        f"{len(found)} faulty kernels, and what a user is told of them: here, by `pallas_call(interpret=True)` and by",
        f"the TPU interpreter in four of its modes (JAX {data['versions']['jax']}). *Right*, *wrong* and *NaN* say how",
        "the outputs compare with those of the kernel without its fault: the interpreter itself reports nothing then,",
        "and *right* means that no test of the outputs would. *Cannot run it*: the interpreter lacks a primitive.",
        "Made by `python -m pipeline.oracles.faults page` from `tests/modes/faults.json`.",
    ]
    counts = dict.fromkeys(MODES, 0)
    shown = dict.fromkeys(MODES, 0)
    here = 0
    for kind, members in FAULTS.items():
        lines += ["", f"## {kind.capitalize()}", ""]
        lines.append("| kernel | here | " + " | ".join(_TITLES[mode] for mode in MODES) + " |")
        lines.append("|" + "---|" * (len(MODES) + 2))
        for name in members:
            spec, _ = load(name)
            codes = told_here(spec)
            here += bool(codes)
            for mode, said in found[name].items():
                counts[mode] += said.startswith(REPORTS)
                shown[mode] += said.startswith(REPORTS) or said in ("wrong", "NaN")
            link = f"[{name}](../specs/exhibits/{name}.toml)"
            lines.append(f"| {link} | {', '.join(codes)} | " + " | ".join(found[name][mode] for mode in MODES) + " |")
    total = len(found)
    lines += ["", "## In all", "", "| | here | " + " | ".join(_TITLES[mode] for mode in MODES) + " |"]
    lines.append("|" + "---|" * (len(MODES) + 2))
    lines.append(f"| reported | {here} of {total} | " + " | ".join(str(counts[mode]) for mode in MODES) + " |")
    lines.append(
        f"| reported, or the outputs are not right | {here} | " + " | ".join(str(shown[mode]) for mode in MODES) + " |"
    )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if sys.argv[1:2] == ["record"]:
        record(sys.argv[2:])
    else:
        sys.stdout.write(page())
