"""Records what JAX traces for the kernels of kernels.txt: run `python -m tests.trace.record` with JAX installed."""

from __future__ import annotations

import json
from pathlib import Path

HERE = Path(__file__).parent
RECORDED = HERE / "recorded.json"
GRID = (4,)


def kernels() -> dict[str, str]:
    """Source by title, in the file's order."""
    out: dict[str, str] = {}
    for block in (HERE / "kernels.txt").read_text().strip().split("\n\n"):
        title, _, source = block.partition("\n")
        out[title.removeprefix("# ")] = source + "\n"
    return out


def main() -> None:
    import jax

    from pipeline.frontend.jax_bridge import kernel_calls
    from pipeline.ir.jaxpr_text import print_jaxpr
    from pipeline.oracles.spec_to_jax import spec_to_jax
    from tests.trace.helpers import spec

    found: dict[str, str] = {}
    for title, source in kernels().items():
        [call] = kernel_calls(*spec_to_jax(spec(source, grid=GRID)))
        found[title] = print_jaxpr(call.body)
    RECORDED.write_text(json.dumps({"jax": jax.__version__, "jaxprs": found}, indent=1) + "\n")


if __name__ == "__main__":
    main()
