"""`pipeline import` and `pipeline verify`: kernels of a user's Python become specs that are the same kernels."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks import real_kernels
from pipeline.cli.app import run
from pipeline.errors import SpecError
from pipeline.frontend.importing import import_function
from pipeline.oracles.verify import EQUAL, verify_against_jax, verify_against_libtpu
from pipeline.spec.load import load_specs
from pipeline.stages import run_spec
from pipeline.trace.trace import trace

USER = """
import functools

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu


def kernel(x_ref, y_ref, o_ref, *, scale):
    with jax.named_scope("scaling"):
        scaled = x_ref[...] * scale
    o_ref[...] = scaled + y_ref[...]


def add(x, y, scale=2.0):
    spec = pl.BlockSpec((8, 128), lambda i: (i, 0))
    return pl.pallas_call(
        functools.partial(kernel, scale=scale),
        out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype),
        grid=(2,),
        in_specs=[spec, spec],
        out_specs=spec,
    )(x, y)


@jax.custom_vjp
def twice(x):
    return jax.jit(add)(add(x, x), x)


twice.defvjp(lambda x: (twice(x), None), lambda _, g: (g,))


def gathered(ids, table):
    order = jnp.argsort(ids)

    def gather(ids_ref, row_ref, o_ref):
        o_ref[...] = row_ref[...]

    grid_spec = pltpu.PrefetchScalarGridSpec(
        num_scalar_prefetch=1,
        grid=(ids.shape[0],),
        in_specs=[pl.BlockSpec((None, 1, 128), lambda i, ids: (ids[i], 0, 0))],
        out_specs=pl.BlockSpec((None, 1, 128), lambda i, ids: (i, 0, 0)),
    )
    return pl.pallas_call(gather, grid_spec=grid_spec, out_shape=jax.ShapeDtypeStruct((4, 1, 128), table.dtype))(
        order.astype(jnp.int32), table
    )


def steps(n, x):
    def body(x_ref, o_ref):
        o_ref[...] = x_ref[...] * pl.num_programs(0).astype(jnp.float32)

    spec = pl.BlockSpec((8, 128), lambda i: (i, 0))
    call = pl.pallas_call(body, out_shape=x, grid=(n,), in_specs=[spec], out_specs=spec)
    return call(x)


def unsupported(x):
    def body(x_ref, o_ref):
        o_ref[...] = jax.lax.digamma(x_ref[...]) + jax.lax.lgamma(x_ref[...])

    return pl.pallas_call(body, out_shape=x)(x)


ON_TPU = jax.default_backend() == "tpu"


def careful(x):
    kind = jax.devices()[0].device_kind
    assert ON_TPU and kind == "TPU v5 lite" and jax.local_devices()[0].platform == "tpu", kind
    assert jax.devices("cpu")[0].platform == "cpu"

    def body(x_ref, o_ref):
        o_ref[...] = x_ref[...] + jax.device_count() - jax.device_count()

    return pl.pallas_call(body, out_shape=x, interpret=True)(x)


def none(x):
    return x + 1


def stacked(x):
    def row(x):
        assert x.ndim == 3
        return add(x, x)

    return row(x)


def on_a_mesh(x):
    mesh = pltpu.create_tensorcore_mesh("core", num_cores=1)

    @functools.partial(pl.kernel, out_type=x, mesh=mesh)
    def body(x_ref, o_ref):
        pltpu.sync_copy(x_ref, o_ref)

    return body(x)
"""


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "user_kernels.py").write_text(USER)
    monkeypatch.chdir(tmp_path)
    return tmp_path


Capture = pytest.CaptureFixture[str]


def test_the_command_writes_a_spec_that_needs_no_jax(user: Path, capsys: Capture) -> None:
    avals = "f32[16,128] f32[16,128]=iota"
    command = ["import", "user_kernels.py:add", "--args", avals, "--static", "scale=3.0", "-o", "specs/add.toml"]
    assert run(command) == 0
    [spec] = load_specs(user / "specs" / "add.toml")
    call = trace(spec)
    assert call.body.eqns[0].span.origin == "user_kernels.py:12"
    assert call.body.eqns[0].scopes == ("scaling",)
    assert [operand.data.kind for operand in spec.operands] == ["normal", "iota", "normal"]
    assert all(result.status == "ok" for result in run_spec(spec))
    assert {layer.status for layer in verify_against_jax(spec)} == {EQUAL}
    assert run(command) == 2
    assert "F110" in capsys.readouterr().err
    assert run([*command, "--force"]) == 0


def test_the_users_code_finds_a_tpu_and_its_interpret_mode_is_not_the_kernels(user: Path) -> None:
    import jax

    assert run(["import", "user_kernels:careful", "--args", "f32[16,128]", "-o", "careful.toml"]) == 0
    [spec] = load_specs(user / "careful.toml")
    assert [layer.status for layer in verify_against_jax(spec)] == [EQUAL] * 3
    assert jax.default_backend() == jax.devices()[0].platform == "cpu"


def test_every_kernel_of_a_function_is_found(user: Path) -> None:
    assert run(["import", "user_kernels:twice", "--args", "f32[16,128]", "-o", "twice.toml"]) == 0
    assert sorted(path.name for path in user.glob("*.toml")) == ["twice_1.toml", "twice_2.toml"]
    for number in (1, 2):
        [spec] = load_specs(user / f"twice_{number}.toml")
        assert spec.kernel.python is not None and spec.kernel.python.call == number
        assert {layer.status for layer in verify_against_jax(spec)} == {EQUAL}


def test_integers_that_code_around_the_kernel_computes_are_held(user: Path) -> None:
    args = ["i32[4]=values(30,10,20,0)", "f32[8,1,128]"]
    [found] = import_function("user_kernels.py:gathered", args, ())
    assert [value.tolist() for name, value in found.values.items() if "ids" in name] == [[3, 1, 2, 0]]
    assert run(["import", "user_kernels.py:gathered", "--args", " ".join(args), "-o", "gather.toml"]) == 0
    [spec] = load_specs(user / "gather.toml")
    assert spec.operands[0].data.values == (3, 1, 2, 0)
    assert all(result.status == "ok" for result in run_spec(spec))


def test_a_dynamic_grid(user: Path) -> None:
    args = "i32[]=constant(2) f32[16,128]"
    assert run(["import", "user_kernels.py:steps", "--args", args, "-o", "steps.toml"]) == 0
    [spec] = load_specs(user / "steps.toml")
    assert (spec.grid, spec.dynamic_grid) == ((2,), (0,))
    assert {layer.status for layer in verify_against_jax(spec)} == {EQUAL}
    assert [layer.said.partition(",")[0] for layer in verify_against_libtpu(spec, ("v5e",))] == ["accepted", "equal"]


def test_a_spec_may_name_the_function_only(user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = '[kernel.python]\nfunction = "user_kernels.py:add"\nargs = ["f32[16,128]", "f32[16,128]"]\n'
    (user / "direct.toml").write_text(f'name = "direct"\ntargets = ["v5e"]\n{table}')
    with pytest.raises(SpecError, match="F109"):
        load_specs(user / "direct.toml")
    monkeypatch.setenv("PIPELINE_TRUST_PYTHON", "1")
    [spec] = load_specs(user / "direct.toml")
    assert {layer.status for layer in verify_against_jax(spec)} == {EQUAL}
    assert spec.kernel.runs_python
    (user / "direct.toml").write_text(f'name = "direct"\ntargets = ["v5e"]\n{table}call = 2\n')
    with pytest.raises(SpecError, match="F108"):
        load_specs(user / "direct.toml")


REFUSED: dict[str, tuple[str, list[str], list[str]]] = {
    "a primitive": ("user_kernels.py:unsupported", ["f32[8,128]"], ["F106", "F106"]),
    "no kernel": ("user_kernels.py:none", ["f32[8,128]"], ["F105"]),
    "another kind of kernel": ("user_kernels.py:on_a_mesh", ["f32[8,128]"], ["F105"]),
    "an assertion without words": ("user_kernels.py:stacked", ["f32[8,128]"], ["F104"]),
    "wrong arguments": ("user_kernels.py:add", ["f32[8,128]"], ["F104"]),
    "no module": ("there_is_no_module:add", [], ["F101"]),
    "no file": ("missing.py:add", [], ["F101"]),
    "no function": ("user_kernels.py:subtract", [], ["F102"]),
    "no dtype": ("user_kernels.py:add", ["f31[8]"], ["F103"]),
    "too few values": ("user_kernels.py:add", ["i32[3]=values(1,2)"], ["F103"]),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_imported_is_said(user: Path, case: str) -> None:
    function, args, codes = REFUSED[case]
    with pytest.raises(SpecError) as caught:
        import_function(function, args, ())
    assert [one.code for one in caught.value.diagnostics] == codes
    if case == "a primitive":
        line = next(n for n, text in enumerate(USER.splitlines(), 1) if "digamma" in text)
        assert [one.span.origin for one in caught.value.diagnostics] == [f"user_kernels.py:{line}"] * 2
    if case == "an assertion without words":
        line = next(n for n, text in enumerate(USER.splitlines(), 1) if "ndim == 3" in text)
        [one] = caught.value.diagnostics
        assert (one.span.origin, "AssertionError: assert x.ndim == 3" in one.message) == (
            f"user_kernels.py:{line}",
            True,
        )
    if case == "another kind of kernel":
        assert "mpmd_map" in str(caught.value)


def test_a_difference_is_told(user: Path, capsys: Capture) -> None:
    """The Python has changed since the import."""
    assert run(["import", "user_kernels.py:add", "--args", "f32[16,128] f32[16,128]", "-o", "add.toml"]) == 0
    assert not (user / "__pycache__").exists()  # which would be taken for the file that is written now
    (user / "user_kernels.py").write_text(USER.replace("scaled + y_ref", "scaled - y_ref"))
    capsys.readouterr()
    assert run(["verify", "add.toml", "--against", "jax", "--target", "v5e", "--format", "json"]) == 1
    layers = json.loads(capsys.readouterr().out)
    assert [(one["layer"], one["status"]) for one in layers] == [("trace", "different"), ("lower", "different")]
    assert layers[0]["said"] == "body: equation 3 (sub): add here"
    assert "arith.subf" in layers[1]["said"]


@pytest.mark.parametrize("name", real_kernels.CASES)
def test_kernels_of_the_jax_package(name: str, tmp_path: Path) -> None:
    make: Callable[[], Any] = real_kernels.CASES[name]
    row, bad = real_kernels.check(name, make(), tmp_path, libtpu=False)
    assert not bad, row


MAPPED = """
import functools

import jax
import numpy as np
from jax.experimental import pallas as pl
from jax.sharding import PartitionSpec


def kernel(x_ref, o_ref):
    @pl.when(pl.program_id(1) == 0)
    def first():
        o_ref[...] = x_ref[...] * pl.program_id(0).astype("float32")


def call(x):
    spec = pl.BlockSpec((8, 128), lambda i, j: (i, j))
    return pl.pallas_call(kernel, out_shape=x, grid=(2, 2), in_specs=[spec], out_specs=spec)(x)


def mapped(x):
    return jax.vmap(jax.vmap(call))(x)


def sharded(x):
    mesh = jax.sharding.Mesh(np.array(jax.devices()[:1]), "x")
    rows = PartitionSpec("x")
    return jax.shard_map(call, mesh=mesh, in_specs=rows, out_specs=rows, check_vma=False)(x)


def repeated(x):
    return jax.lax.fori_loop(0, 3, lambda _, y: call(y), x)
"""


def test_kernels_inside_transformations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    """A vmap adds axes to the grid, before the author's own, which keep their program ids."""
    (tmp_path / "mapped_kernels.py").write_text(MAPPED)
    monkeypatch.chdir(tmp_path)
    avals = {"mapped": "f32[3,2,16,256]", "sharded": "f32[16,256]", "repeated": "f32[16,256]"}
    for name, aval in avals.items():
        assert run(["import", f"mapped_kernels.py:{name}", "--args", aval, "-o", f"{name}.toml"]) == 0
        [spec] = load_specs(tmp_path / f"{name}.toml")
        said = [(layer.layer, layer.said) for layer in verify_against_jax(spec, ("v5e",))]
        assert all(words.startswith("equal") for _, words in said), (name, said)
    [spec] = load_specs(tmp_path / "mapped.toml")
    assert spec.grid == (3, 2, 2, 2) and spec.semantics == ("parallel", "parallel", "arbitrary", "arbitrary")
    assert "note: repeated.toml" in capsys.readouterr().err
