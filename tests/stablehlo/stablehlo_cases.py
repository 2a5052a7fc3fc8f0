"""What the StableHLO lowering is held to without XLA: every recorded primitive and kernel, and its module's text."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from pipeline.ir.jaxpr_text import parse_jaxpr
from pipeline.ir.module import Module
from pipeline.lower.stablehlo.lower import lower, lower_function

TESTS = Path(__file__).resolve().parent.parent
for folder in ("simulate", "lower"):
    if str(TESTS / folder) not in sys.path:
        sys.path.append(str(TESTS / folder))

from simulate_records import entries, kernel  # noqa: E402

from pipeline.oracles.call_data import read_call  # noqa: E402
from pipeline.spec.load import parse_specs  # noqa: E402
from pipeline.spec.spec import Spec  # noqa: E402

CHAINS = [
    ("x.at[1].at[pl.ds(0, n)]", "s.at[pl.ds(0, n)]"),
    ("x.at[1].at[pl.ds(8, 48)].at[pl.ds(0, n)]", "s.at[pl.ds(0, n)]"),
    ("x.at[1].at[pl.ds(0, n)]", "s.at[pl.ds(0, 32)].at[pl.ds(0, n)]"),
]
_CHAIN = """
name = "k"
targets = ["v5e"]

[kernel]
source = '''
def kernel(x, o, s, sem):
    n = pl.multiple_of((pl.program_id(0) + 1) * 8, 8)
    s[...] = jnp.zeros_like(s)
    copy = pltpu.make_async_copy({source}, {target}, sem)
    copy.start()
    copy.wait()
    o[...] = s[...]
'''

[grid]
shape = [4]

[[inputs]]
name = "x"
shape = [4, 64, 128]
dtype = "float32"
memory_space = "any"
data = {{ kind = "normal", seed = 0 }}

[[outputs]]
name = "o"
shape = [128, 128]
dtype = "float32"
block = [32, 128]
index_map = "lambda i: (i, 0)"

[[scratch]]
name = "s"
kind = "vmem"
shape = [32, 128]
dtype = "float32"

[[scratch]]
name = "sem"
kind = "dma_semaphore"
"""


def chain_spec(source: str, target: str) -> Spec:
    """A copy of 8 to 32 rows from one view to another."""
    [spec] = parse_specs(_CHAIN.format(source=source, target=target), Path("k.toml"))
    return spec


VERIFIED = Path(__file__).parent / "verified.json"


def modules() -> Iterator[tuple[str, Module]]:
    """(name, module) of all that `tests/oracle/test_stablehlo_runs.py` has XLA run, specs apart."""
    for name, entry in {**entries("primitives"), **entries("edges")}.items():
        yield f"primitive {name}", lower_function("f", parse_jaxpr(entry["program"]))
    for name in entries("kernels"):
        yield f"kernel {name}", lower(kernel(name)[0])
    calls = json.loads((TESTS / "lower" / "recorded.json").read_text(encoding="utf-8"))["kernels"]
    for name, record in calls.items():
        yield f"recorded {name}", lower(read_call(record["call"]))


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
