"""Our modules are those that JAX made of the same kernels, byte for byte, and we refuse what JAX refused."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from kernels import HERE, V5E, Chip, recorded, recorded_call

from pipeline.errors import SpecError
from pipeline.ir.verify import verify_module
from pipeline.lower.codes import CODES
from pipeline.lower.mosaic_tpu.checks import CHECKS
from pipeline.lower.mosaic_tpu.context import Form
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.lower.mosaic_tpu.text import print_mosaic

ACCEPTED = sorted(name for name, entry in recorded().items() if "refused" not in entry)
REFUSED = sorted(name for name, entry in recorded().items() if "refused" in entry)


def test_there_are_enough() -> None:
    assert len(ACCEPTED) > 300 and len(REFUSED) > 30


@pytest.mark.parametrize("name", ACCEPTED)
def test_module_is_jax_s(name: str) -> None:
    entry, call = recorded()[name], recorded_call(name)
    plain = lower(call, V5E, Form(mesh_casts=False))
    assert print_mosaic(plain).splitlines() == entry["plain"]
    mesh = lower(call, V5E, Form(mesh_casts=True))
    assert print_mosaic(mesh).splitlines() == entry.get("mesh", entry["plain"])
    assert verify_module(plain, CHECKS) == []
    assert verify_module(mesh, CHECKS) == []


@pytest.mark.parametrize("name", REFUSED)
def test_refusal_is_jax_s(name: str) -> None:
    with pytest.raises(SpecError) as caught:
        lower(recorded_call(name), V5E)
    assert {diagnostic.code for diagnostic in caught.value.diagnostics} <= set(CODES)


def test_softmax_is_the_listing() -> None:
    listing = (HERE / "softmax_kernel.mosaic.mlir").read_text(encoding="utf-8")
    assert print_mosaic(lower(recorded_call("softmax_kernel"), V5E)) == listing


def test_generation_decides_the_sign_of_bf16() -> None:
    call = recorded_call("bf16_sign")
    assert "vector<8x128xi16>" in print_mosaic(lower(call, Chip(4)))
    older = lower(call, Chip(3))
    assert "arith.shrui" in print_mosaic(older)
    assert verify_module(older, CHECKS) == []


def test_text_does_not_depend_on_the_hash_seed() -> None:
    program = (
        "import hashlib; from kernels import *; from pipeline.lower.mosaic_tpu.lower import lower\n"
        "from pipeline.lower.mosaic_tpu.text import print_mosaic\n"
        "names = ['flash_attention', 'copy_buffered', 'prefetch_chain', 'f32_erf_inv']\n"
        "print(hashlib.sha256(''.join(print_mosaic(lower(recorded_call(n), V5E)) for n in names).encode()).hexdigest())"
    )
    root = Path(HERE).parent.parent
    digests = set()
    for seed in ("0", "1"):
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join((str(root), str(HERE)))}
        done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True)
        digests.add(done.stdout)
    assert len(digests) == 1
