"""Records what JAX makes of the kernels of `corpus`: `python tests/lower/record.py`, with the oracle extra.

Writes `recorded.json`: JAX's version, and for each kernel the call as data with JAX's module, or its refusal. Modules
are in our form: named after the kernel, function `main`, without the attributes that say nothing of the kernel. `plain`
is what JAX makes on a machine with a TPU, `mesh` the same under a mesh with an abstract device, where that differs.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

HERE = Path(__file__).parent
RECORDED = HERE / "recorded.json"
CHIP = "v5e"


def canonical(text: str, name: str) -> str:
    """JAX's module text in our form."""
    from pipeline.ir.module_text import symbol_text

    text = re.sub(r"^module attributes \{[^}]*\}", f"module @{symbol_text(name)}", text)
    text = re.sub(r"func\.func @(?!transform_\d+\()[\w.$-]+\(", "func.func @main(", text, count=1)
    text = text.replace(", tpu.core_type = #tpu.core_type<tc>", "")
    return "\n".join(line.rstrip() for line in text.rstrip().splitlines()) + "\n"


@contextlib.contextmanager
def without_mesh() -> Iterator[None]:
    """JAX lowers as on a machine whose device is the chip: there is no abstract device in a mesh."""
    import jax
    from jax._src.pallas.mosaic import tpu_info

    from pipeline.oracles.jax_mosaic import CHIPS

    with (
        mock.patch.object(jax.sharding, "use_abstract_mesh", lambda mesh: contextlib.nullcontext()),
        mock.patch.object(tpu_info, "get_device_kind", lambda: CHIPS[CHIP][0]),
        mock.patch.object(tpu_info, "get_num_device_cores", lambda: 1),
    ):
        yield


def emitted(fn: Any, args: list[Any], name: str) -> str | Exception:
    from pipeline.oracles.jax_mosaic import emit

    try:
        (text,) = emit(fn, args, CHIP)
    except Exception as error:
        return error
    return canonical(text, name)


def record() -> dict[str, Any]:
    import jax
    from corpus import CASES

    from pipeline.frontend.jax_bridge import kernel_calls
    from pipeline.oracles.call_data import write_call

    kernels: dict[str, Any] = {}
    for name, make in CASES.items():
        fn, args = make()
        (call,) = kernel_calls(fn, args)
        with without_mesh():
            plain = emitted(fn, args, call.name)
        mesh = emitted(fn, args, call.name)
        entry: dict[str, Any] = {"call": write_call(call)}
        if isinstance(plain, Exception):
            entry["refused"] = f"{type(plain).__name__}: {str(plain).splitlines()[0] if str(plain) else ''}"[:160]
        else:
            assert isinstance(mesh, str), (name, mesh)
            entry["plain"] = plain.splitlines()
            if mesh != plain:
                entry["mesh"] = mesh.splitlines()
        kernels[name] = entry
    return {"jax": jax.__version__, "chip": CHIP, "kernels": kernels}


def write() -> None:
    found = record()
    text = json.dumps(found, indent=1, ensure_ascii=True)
    RECORDED.write_text(text + "\n", encoding="utf-8", newline="\n")
    refused = sum("refused" in entry for entry in found["kernels"].values())
    print(f"{len(found['kernels'])} kernels, {refused} of them refused by JAX {found['jax']}")


if __name__ == "__main__":
    os.environ["JAX_PLATFORMS"] = "cpu"
    sys.path[:0] = [str(HERE), str(HERE.parent.parent)]
    write()
