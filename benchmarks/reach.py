"""Which primitives the tests of the executor against independent ones reach, and in how many kernels or programs:

    python benchmarks/reach.py          (the `test` extra)

random: of the kernels that hypothesis makes for `tests/oracle/test_three_ways.py`; directed: of the cases of
`tests/simulate/directed_*.py`; recorded: of the edge values and kernels that `tests/simulate/record_*.py` recorded.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "simulate"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from directed import all_cases, parsed
from simulate_records import entries

from pipeline.ir.jaxpr import Jaxpr, Prim
from pipeline.ir.jaxpr_text import parse_jaxpr
from pipeline.spec.load import parse_specs
from pipeline.trace.trace import trace

Column = dict[str, set[Prim]]  # by name of the kernel or program


def primitives(jaxpr: Jaxpr) -> Iterator[Prim]:
    """Of a jaxpr and all in it."""
    for eqn in jaxpr.eqns:
        yield eqn.prim
        for _, value in eqn.params:
            for inner in value if isinstance(value, tuple) else (value,):
                if isinstance(inner, Jaxpr):
                    yield from primitives(inner)


def directed() -> Column:
    return {name: set(primitives(trace(spec).body)) for name, spec in parsed(all_cases()).items()}


def recorded() -> Column:
    programs = {**entries("primitives"), **entries("edges")}
    found = {name: entry["program"] for name, entry in programs.items()}
    found.update({f"kernel {name}": entry["body"] for name, entry in entries("kernels").items()})
    return {name: set(primitives(parse_jaxpr(text))) for name, text in found.items()}


def made(texts: Iterable[str]) -> Column:
    return {text: set(primitives(trace(parse_specs(text, Path("random.toml"))[0]).body)) for text in texts}


def main() -> None:
    from tests.oracle.test_three_ways import BATCHES, drawn

    columns = {
        "random": made(text for batch in range(BATCHES) for text in drawn(batch)),
        "directed": directed(),
        "recorded": recorded(),
    }
    counts = {name: Counter(p for prims in column.values() for p in prims) for name, column in columns.items()}
    print("".join(f"{name:>12}" for name in columns))
    print("".join(f"{len(column):>12}" for column in columns.values()))
    for prim in Prim:
        print("".join(f"{counts[name][prim]:>12}" for name in columns) + f"  {prim.value}")


if __name__ == "__main__":
    main()
