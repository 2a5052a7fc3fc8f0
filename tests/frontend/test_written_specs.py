"""A kernel written as jaxpr text is the kernel: every shipped spec, traced, written and read back."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.errors import SpecError
from pipeline.frontend.write_spec import parse_static, quoted, with_plain_names, write_spec
from pipeline.ir.jaxpr import MemorySpace
from pipeline.oracles.compare import call_difference
from pipeline.oracles.shipped import shipped_specs, spec_id
from pipeline.spec.load import parse_specs
from pipeline.spec.spec import Data, PythonOrigin, Spec
from pipeline.stages import run_spec
from pipeline.trace.text import print_call
from pipeline.trace.trace import trace


@pytest.mark.parametrize("spec", shipped_specs(), ids=spec_id)
def test_a_written_spec_is_the_same_kernel(spec: Spec) -> None:
    call = with_plain_names(trace(spec))
    written = write_spec(call, spec.name)
    [again] = parse_specs(written.text, Path("written.toml"))
    found = trace(again)
    assert call_difference(found, call) is None
    assert print_call(found) == print_call(call)


def without_source(text: str | None) -> str:
    """A schedule without what its critical path quotes of the kernel's text: a jaxpr reads otherwise than Python."""
    assert text is not None
    return re.sub(r"^(  [a-z]+\.\w+ +\d+(?: \(.*?\))?)  \S.*$", r"\1", text, flags=re.MULTILINE)


def test_later_stages_take_it() -> None:
    [spec] = [one for one in shipped_specs() if one.name == "flash_attention"]
    written = write_spec(with_plain_names(trace(spec)), "flash", targets=["v5e"])
    [again] = parse_specs(written.text, Path("flash.toml"))
    for ours, other in zip(run_spec(again), run_spec(spec, again.targets), strict=True):
        assert ours.status == "ok"
        if ours.stage in ("trace", "lower"):
            assert ours.text == other.text
        if ours.stage == "schedule":
            assert without_source(ours.text) == without_source(other.text)


def test_data_and_origin_survive() -> None:
    import numpy as np

    [spec] = [one for one in shipped_specs() if one.name == "embedding_gather"]
    call = with_plain_names(trace(spec))
    ids = next(operand for operand in call.operands if operand.role.value == "scalar prefetch")
    held = np.arange(ids.array.size, dtype=np.int32).reshape(ids.array.shape)
    origin = PythonOrigin("my.module:gather", ("i32[8]", "f32[8,128]"), (("scale", 2.0), ("flag", True)), 2)
    written = write_spec(call, "gather", origin=origin, values={ids.name: held}, data={"none": Data()})
    [again] = parse_specs(written.text, Path("gather.toml"))
    assert again.kernel.python == origin
    data = next(operand.data for operand in again.operands if operand.name == ids.name)
    assert data.kind == "values" and data.values == tuple(range(ids.array.size))
    assert written.arrays == {}


def test_many_integers_go_beside_the_spec() -> None:
    import numpy as np

    text = SMALL.replace("[8, 128]", "[64, 128]").replace("i32[8,128]", "i32[64,128]")
    [spec] = parse_specs(text, Path("small.toml"))
    written = write_spec(trace(spec), "small", values={"x": np.arange(64 * 128, dtype=np.int32).reshape(64, 128)})
    assert list(written.arrays) == ["small.x.npy"]
    assert 'data = { kind = "file", file = "small.x.npy" }' in written.text


SMALL = """
name = "small"
targets = ["v5e"]

[kernel]
jaxpr = '''
{ lambda ; a:Ref<default>{i32[8,128]} b:Ref<default>{i32[8,128]}. let
    c:i32[8,128] <- a[...]  # kernel.py:7
    d:i32[8,128] = add c 1:i32[] @ "step one"
    b[...] <- d  # kernel.py:8
  in () }
'''

[[inputs]]
name = "x"
shape = [8, 128]
dtype = "int32"
data = { kind = "iota" }

[[outputs]]
name = "o"
shape = [8, 128]
dtype = "int32"
"""


def test_origins_and_scopes() -> None:
    [spec] = parse_specs(SMALL, Path("small.toml"))
    get, add, swap = trace(spec).body.eqns
    assert [eqn.span.origin for eqn in (get, add, swap)] == ["kernel.py:7", "kernel.py:7", "kernel.py:8"]
    assert [eqn.span.line for eqn in (get, add, swap)] == [8, 9, 10]
    assert add.scopes == ("step one",) and get.scopes == ()
    text = next(result.text for result in run_spec(spec, wanted=("lower",)) if result.stage == "lower") or ""
    assert 'tpu.trace_start"() <{level = 10 : i32, message = "step one"}>' in text


@pytest.mark.parametrize("text", ['a"b\\c', "tab\there", "line\nbreak", "\x07", "ünï\u2028"])
def test_strings_survive_toml(text: str) -> None:
    import tomli

    assert tomli.loads(f"x = {quoted(text)}")["x"] == text


def test_static_arguments() -> None:
    assert parse_static("n=3") == ("n", 3)
    assert parse_static("x=0.5") == ("x", 0.5)
    assert parse_static("flag=true") == ("flag", True)
    assert parse_static("dtype=float32") == ("dtype", "float32")
    with pytest.raises(SpecError, match="F103"):
        parse_static("n")


def test_memory_that_specs_do_not_name() -> None:
    [spec] = [one for one in shipped_specs() if one.name == "softmax"]
    call = trace(spec)
    first, *rest = call.operands
    there = replace(first, ref=replace(first.ref, space=MemorySpace.SEMAPHORE))
    with pytest.raises(SpecError, match="F107: operand 'x' lives in memory space semaphore"):
        write_spec(replace(call, operands=(there, *rest)), "softmax")
