"""Dtypes that an operand may have, in each memory and whatever is done with it: libtpu's verdict is ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.oracles.agreement import judge
from pipeline.oracles.verify import EQUAL, verify_against_libtpu
from pipeline.oracles.whole_path import judge_specs
from pipeline.spec.load import load_specs
from pipeline.trace.trace import trace

CHIPS = ("v4", "v5e", "v6e", "7x")
DTYPES = ("float16", "bfloat16", "uint16", "float8_e4m3b11fnuz", "bool")
COPY = "    copy = pltpu.make_async_copy(x_ref, {to}, sem)\n    copy.start()\n    copy.wait()\n"
ZERO = "    o_ref[...] = jnp.zeros(o_ref.shape, o_ref.dtype)\n"
SEMAPHORE = '[[scratch]]\nname = "sem"\nkind = "dma_semaphore"\nshape = []\n'
SCRATCH = '[[scratch]]\nname = "s"\nkind = "vmem"\nshape = [64, 256]\ndtype = "{dtype}"\n'
OUT = '[[outputs]]\nname = "o"\nshape = [64, 256]\n'
# kind -> memory of x, arguments beside x and o, body, tables after x
KERNELS = {
    "copied in hbm": ("any", ", sem", COPY.format(to="o_ref"), OUT + 'dtype = "{dtype}"\nmemory_space = "any"\n'),
    "copied to vmem": ("any", ", s_ref, sem", COPY.format(to="s_ref") + ZERO, OUT + 'dtype = "float32"\n' + SCRATCH),
    "unused in hbm": ("any", "", ZERO, OUT + 'dtype = "float32"\n'),
    "unused in vmem": ("vmem", "", ZERO, OUT + 'dtype = "float32"\n'),
    "unused in smem": ("smem", "", ZERO, OUT + 'dtype = "float32"\n'),
}


def kernel(kind: str, dtype: str, chip: str) -> str:
    space, more, body, tables = KERNELS[kind]
    return (
        f'name = "kernel"\nsummary = "{kind}"\ntargets = ["{chip}"]\n'
        f"[kernel]\nsource = '''\ndef kernel(x_ref, o_ref{more}):\n{body}'''\n"
        f'[[inputs]]\nname = "x"\nshape = [64, 256]\ndtype = "{dtype}"\nmemory_space = "{space}"\n'
        + tables.replace("{dtype}", dtype)
        + (SEMAPHORE if "sem" in more else "")
    )


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str, str], tuple[bool, bool]]:
    """(do we accept, do JAX and libtpu) for each kind, dtype and chip."""
    folder = tmp_path_factory.mktemp("dtypes")
    cases = [(kind, dtype, chip) for kind in KERNELS for dtype in DTYPES for chip in CHIPS]
    paths = []
    for number, case in enumerate(cases):
        path = folder / f"case_{number}.toml"
        path.write_text(kernel(*case), encoding="utf-8")
        paths.append(path)
    theirs = judge_specs([(path, chip) for path, (_, _, chip) in zip(paths, cases, strict=True)])
    ours = [not judge(trace(load_specs(path)[0]), chip).codes for path, (_, _, chip) in zip(paths, cases, strict=True)]
    return {case: (us, them.accepted) for case, us, them in zip(cases, ours, theirs, strict=True)}


@pytest.mark.parametrize("kind", KERNELS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_verdicts_are_equal(kind: str, dtype: str, verdicts: dict[tuple[str, str, str], tuple[bool, bool]]) -> None:
    for chip in CHIPS:
        ours, theirs = verdicts[kind, dtype, chip]
        assert ours == theirs, chip
        assert theirs == (dtype != "float16" and not (dtype == "bool" and "copied" in kind))


def test_our_module_of_a_mask_compiles(tmp_path: Path) -> None:
    """Bools come and go in words: the compiler is given the operands that our module's kernel has."""
    text = kernel("unused in vmem", "bool", "v5e").replace(ZERO, "    o_ref[...] = jnp.where(x_ref[...], 1.0, 0.0)\n")
    path = tmp_path / "mask.toml"
    path.write_text(text, encoding="utf-8")
    found = {layer.layer: layer.status for layer in verify_against_libtpu(load_specs(path)[0])}
    assert found == {"compile": EQUAL, "bundles": EQUAL}
