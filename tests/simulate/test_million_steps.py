"""A million grid steps: in bounded memory, and in seconds."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from small_specs import small_spec, table

KERNELS = {
    "each step a block of its own": {
        "body": "    o_ref[...] = x_ref[...] + 1", "dtype": "int32", "block": [1, 8],
        "x_shape": [1000, 8000], "x_map": "(i, j)", "o_shape": [1000, 8000], "o_map": "(i, j)", "reference": "x + 1",
    },
    "a thousand steps a block": {
        "body": "    @pl.when(pl.program_id(1) == 0)\n    def _():\n        o_ref[...] = jnp.zeros_like(o_ref)\n"
        "    o_ref[...] += x_ref[...]", "dtype": "float32", "block": [8, 16],
        "x_shape": [8, 16000], "x_map": "(0, j)", "o_shape": [8000, 16], "o_map": "(i, 0)",
        "reference": "np.tile(np.sum(np.reshape(x, (8, 1000, 16)), axis=1), (1000, 1))",
    },
}  # fmt: skip
PROGRAM = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
from pathlib import Path
from pipeline.simulate.functional import run_functional
from pipeline.spec.load import load_specs
from pipeline.trace.trace import trace
[spec] = load_specs(Path(sys.argv[1]))
found = run_functional(spec, trace(spec))
print(found.status, found.numerics_pass, len(found.findings))
"""


@pytest.mark.parametrize("name", KERNELS)
def test_a_million_steps_take_under_a_gigabyte(name, tmp_path):
    """Of address space, so that it holds for whatever the kernel's arrays would have been spread over."""
    path = tmp_path / "k.toml"
    made = KERNELS[name]
    windows = [
        table(
            section, of, shape=made[f"{of}_shape"], dtype=made["dtype"], block=made["block"],
            index_map=f"lambda i, j: {made[f'{of}_map']}",
        )
        for section, of in (("inputs", "x"), ("outputs", "o"))
    ]  # fmt: skip
    reference = f'[simulate]\nreference = "lambda x: {made["reference"]}"\n'
    source = f"def kernel(x_ref, o_ref):\n{made['body']}"
    path.write_text(small_spec(source, [1000, 1000], *windows, reference))
    env = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(path)], capture_output=True, text=True, env=env, timeout=120
    )
    assert done.stdout == "ran True 0\n", done.stderr
