"""jvp, grad and vmap of a kernel: JAX's verdicts as recorded, and the batched call run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipeline.capture.evaluate import possible_captures
from pipeline.cli import main
from pipeline.ir.call import KernelCall, Role
from pipeline.oracles.shipped import spec_id
from pipeline.oracles.transforms import RECORDED, SIZE, askable, batched_call
from pipeline.simulate.data import make_inputs
from pipeline.simulate.executor import execute
from pipeline.spec.load import parse_specs
from pipeline.spec.spec import Spec
from pipeline.stages import run_spec
from pipeline.trace.trace import trace
from pipeline.transforms.verdict import report, verdicts
from pipeline.transforms.vmap import unbatched, vmap

RECORD: dict[str, Any] = json.loads(RECORDED.read_text(encoding="utf-8"))
SPECS = [spec for spec in askable() if spec_id(spec) in RECORD["takes"]]
BATCHED = [spec for spec in SPECS if spec_id(spec) in RECORD["batched"]]
KERNEL = """\
name = "k"
targets = ["v5e"]

[kernel]
source = '''
{source}
'''

[grid]
shape = [4]

[[inputs]]
name = "x"
shape = [32, 128]
dtype = "float32"
block = [8, 128]
index_map = "lambda i: (i, 0)"

[[outputs]]
name = "o"
shape = [{rows}, 128]
dtype = "float32"
block = [8, 128]
index_map = "lambda i: ({map}, 0)"
"""
SCRATCH = '\n[[scratch]]\nname = "s"\nkind = "vmem"\nshape = [8, 128]\ndtype = "float32"\n'
K1 = KERNEL.format(source="def k(x_ref, o_ref):\n    o_ref[...] = x_ref[...] * 2", rows=32, map="i")
K2 = KERNEL.format(source="def k(x_ref, o_ref):\n    o_ref[...] = x_ref[...] + pl.program_id(0)", rows=32, map="i")
K3_SOURCE = """def k(x_ref, o_ref, s_ref):
    @pl.when(pl.program_id(0) == 0)
    def _():
        s_ref[...] = jnp.zeros_like(s_ref)

    s_ref[...] += x_ref[...]
    o_ref[...] = s_ref[...]"""
K3 = KERNEL.format(source=K3_SOURCE, rows=8, map="0") + SCRATCH


def traced(text: str) -> KernelCall:
    [spec] = parse_specs(text, Path("k.toml"))
    return trace(spec)


def said(call: KernelCall) -> dict[str, str]:
    return {v.transform: "yes" if v.possible else "; ".join((*v.reasons, v.advice)) for v in verdicts(call)}


def test_s09() -> None:
    """Each "no" has its reason, and what to do about it; JAX ends in an assertion without text."""
    one, two, three = said(traced(K1)), said(traced(K2)), said(traced(K3))
    assert one["jvp"] == one["vmap"] == two["vmap"] == three["vmap"] == "yes"
    assert "program id in the body (axis 0)" in two["jvp"] and "scratch" not in two["jvp"]
    assert "scratch (s)" in three["jvp"]
    for verdict in (one["grad"], two["jvp"], two["grad"], three["jvp"], three["grad"]):
        assert "supply a custom rule" in verdict


def test_s09_batched_sums() -> None:
    """Scratch is cleared at the first step of each: the body asks for what is now the grid's second axis."""
    call = vmap(traced(K3), 2)
    x = np.stack([np.full((32, 128), value, np.float32) for value in (1, 2)])
    run = execute(call, {"x": x})
    assert run.outputs["o"].shape == (2, 8, 128)
    assert np.array_equal(run.outputs["o"][:, 0, 0], [4, 8])
    assert len(np.unique(run.outputs["o"])) == 2


def test_many_specs_are_recorded() -> None:
    assert len(SPECS) >= 200 and len(BATCHED) >= 25 and len(RUN) >= 8
    jvp = [RECORD["takes"][spec_id(spec)]["jvp"] for spec in SPECS]
    assert 80 < sum(jvp) < len(SPECS) - 80


@pytest.mark.parametrize("spec", SPECS, ids=spec_id)
def test_verdicts_are_jaxs(spec: Spec) -> None:
    ours = {v.transform: v.possible for v in verdicts(trace(spec))}
    assert not ours.pop("grad")
    assert ours == RECORD["takes"][spec_id(spec)]


@pytest.mark.parametrize("spec", BATCHED, ids=spec_id)
def test_the_batched_call_is_jaxs(spec: Spec) -> None:
    assert batched_call(vmap(trace(spec), SIZE)) == RECORD["batched"][spec_id(spec)]


RUN = [s for s in BATCHED if s.expect is None and not unbatched(trace(s)) and np.prod(s.grid) <= 64][:10]


@pytest.mark.parametrize("spec", RUN, ids=spec_id)
def test_a_batch_is_each_by_itself(spec: Spec) -> None:
    call, inputs = trace(spec), make_inputs(spec)
    both = {
        o.name: inputs[o.name] if o.role is Role.SCALAR_PREFETCH else np.stack([inputs[o.name], inputs[o.name][::-1]])
        for o in call.operands
        if o.role is not Role.OUTPUT
    }
    run = execute(vmap(call, 2), both)
    for at in range(2):
        alone = execute(call, {o: v if v.shape == inputs[o].shape else v[at] for o, v in both.items()})
        for name, value in alone.outputs.items():
            assert np.array_equal(run.outputs[name][at].astype(np.float64), value.astype(np.float64), equal_nan=True)


def test_a_spec_asks_for_a_capture() -> None:
    """Of what it asks for, in a fixed order; one that asks for nothing has none, and none is its own to keep."""
    asking = K3.replace("[kernel]", 'transforms = ["vmap", "jvp"]\n\n[kernel]')
    for text, asked in ((K3, ()), (asking, ("jvp", "vmap"))):
        [spec] = parse_specs(text, Path("k.toml"))
        assert spec.transforms == asked
        made = [result.text for result in run_spec(spec, wanted=("transform",)) if result.stage == "transform"]
        assert made == ([report(trace(spec), asked)] if asked else [])
        assert ("k/1-transform.txt" in possible_captures(spec)) == bool(asked)
    assert "  jvp: no\n" in made[0] and "grad" not in made[0] and "vmap of k over 2\ngrid (2, 4)\n" in made[0]


def test_show_says_that_the_spec_does_not_ask(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = tmp_path / "k.toml"
    spec.write_text(K3, encoding="utf-8")
    assert main(["show", str(spec), "--stage", "transform"]) == 2
    assert "error[C111]: the spec does not ask for the stage 'transform'" in capsys.readouterr().err


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = tmp_path / "k.toml"
    spec.write_text(K3, encoding="utf-8")
    assert main(["transform", str(spec)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("transformations of k\n  jvp: no\n    scratch (s)")
    assert main(["transform", str(spec), "--vmap", "2"]) == 0
    out = capsys.readouterr().out
    assert "grid (2, 4)\n" in out and "program_id[axis=1]" in out
    assert main(["transform", str(spec), "--variant", "no"]) == 2
    assert "error[C110]" in capsys.readouterr().err
