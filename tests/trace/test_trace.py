"""What the trace stage makes of a spec: refs, windows, index maps, the file's top level, and its diagnostics."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import pipeline.ir.jaxpr_parse
import pipeline.trace
from pipeline.dtypes import BF16, DMA_SEM, F32, I32
from pipeline.ir.call import Blocked, Element, Role, Squeezed
from pipeline.ir.jaxpr import MemorySpace, RefAval, ShapedArray
from pipeline.ir.jaxpr_text import print_jaxpr
from pipeline.spec.spec import SpecScratch
from pipeline.trace.codes import CODES
from pipeline.trace.text import print_call
from tests.trace.helpers import O, X, diagnostics, operand, traced

COPY = "def kernel(x_ref, o_ref):\n    o_ref[...] = x_ref[...]\n"


def test_a_whole_array_is_one_block_at_the_origin() -> None:
    call = traced(COPY)
    for window in call.operands:
        assert window.block == (Blocked(8), Blocked(128))
        assert window.index_map is not None
        assert print_jaxpr(window.index_map) == "{ lambda ; . let in (0:~i32[], 0:~i32[]) }"


def test_a_whole_array_has_an_index_map_over_the_grid_too() -> None:
    ids = operand("ids", Role.SCALAR_PREFETCH, (4,), I32)
    call = traced("def kernel(ids_ref, x_ref, o_ref):\n    o_ref[...] = x_ref[...]\n", (ids, X, O), grid=(4, 2))
    assert call.operands[0].block is None and call.operands[0].index_map is None
    assert call.operands[0].ref == RefAval(ShapedArray((4,), I32), MemorySpace.SMEM)
    assert call.operands[1].index_map is not None
    text = print_jaxpr(call.operands[1].index_map)
    assert text == "{ lambda ; a:i32[] b:i32[] c:Ref<smem>{i32[4]}. let in (0:~i32[], 0:~i32[]) }"


@pytest.mark.parametrize("space", [MemorySpace.ANY, MemorySpace.HBM])
def test_an_array_in_any_or_hbm_has_no_window(space: MemorySpace) -> None:
    call = traced("def kernel(x_ref, o_ref):\n    pass\n", (operand("x", Role.INPUT, space=space), O))
    assert call.operands[0].block is None
    assert call.operands[0].ref == RefAval(ShapedArray((8, 128), F32), space)


def test_block_dimensions_shape_the_ref() -> None:
    x = operand("x", Role.INPUT, (4, 64, 256), BF16, (Squeezed(), Element(16), Blocked(128)), "lambda i: (i, i * 8, 0)")
    call = traced("def kernel(x_ref, o_ref):\n    assert x_ref.shape == (16, 128)\n", (x, O), grid=(4,))
    assert call.operands[0].ref == RefAval(ShapedArray((16, 128), BF16))
    assert call.operands[0].index_map is not None
    assert print_jaxpr(call.operands[0].index_map).splitlines() == [
        "{ lambda ; a:i32[]. let",
        "    b:i32[] = mul a 8:i32[]",
        "  in (a, b, 0:~i32[]) }",
    ]


def test_refs_come_in_the_order_of_the_call() -> None:
    scratch = (
        SpecScratch("acc", (8, 128), F32, MemorySpace.VMEM, ("scratch", 0)),
        SpecScratch("sem", (2,), DMA_SEM, MemorySpace.SEMAPHORE, ("scratch", 1)),
    )
    call = traced("def kernel(x, o, acc, sem):\n    acc[...] = x[...]\n", scratch=scratch)
    assert [str(var.aval) for var in call.body.invars] == [
        "Ref<default>{f32[8,128]}",
        "Ref<default>{f32[8,128]}",
        "Ref<vmem>{f32[8,128]}",
        "Ref<semaphore_mem>{dma_sem[2]}",
    ]
    assert [entry.name for entry in call.scratch] == ["acc", "sem"]


def test_params_static_arguments_and_the_files_constants_are_names() -> None:
    source = (
        "import functools\n"
        "from jax.experimental import pallas as pl\n"
        "import jax.numpy as xnp\n"
        "import torch\n"
        "ROWS = [1]\n"
        "ROWS.append(N)\n"
        "TWICE = ROWS[1] * 2\n"
        "class Host:\n    pass\n"
        "def helper(x):\n    return xnp.exp(x) * TWICE\n"
        "def body(x_ref, o_ref, *, power, scale=1):\n"
        "    assert (power, scale, N, TWICE, M) == (3, 2, 5, 10, 'm')\n"
        "    o_ref[...] = helper(x_ref[...])\n"
        "kernel = functools.partial(body, scale=2)\n"
        "if __name__ == '__main__':\n    print(torch.compile(kernel), undefined)\n"
    )
    call = traced(source, params={"N": 5, "M": "m"}, static={"power": 3})
    assert [eqn.prim.value for eqn in call.body.eqns] == ["get", "exp", "mul", "swap"]


def test_equations_know_their_place() -> None:
    source = "def twice(x):\n    return x * 2.0\ndef kernel(x_ref, o_ref):\n    o_ref[...] = twice(x_ref[...])\n"
    get, mul, swap = traced(source).body.eqns
    assert (get.span.line, get.span.column, get.span.end_column) == (4, 24, 34)
    assert (mul.span.line, mul.span.column, mul.span.end_column) == (2, 12, 19)
    assert (swap.span.line, swap.span.column) == (4, 5)


def test_index_map_mistakes() -> None:
    def first(index_map: str, grid: tuple[int, ...] = (2,)) -> tuple[str, str]:
        x = operand("x", Role.INPUT, (16, 128), F32, (Blocked(8), Blocked(128)), index_map)
        (found,) = diagnostics(COPY, (x, O), grid=grid)
        return found.code, found.message

    assert first("lambda i: (i, 0, 0)") == ("T132", "the index map of 'x' gives 3 indices for a block of rank 2")
    assert first("lambda i: i") == ("T132", "the index map of 'x' gives 1 indices for a block of rank 2")
    assert first("lambda i: (i, 0.5)")[0] == "T132"
    assert first("lambda i: (i, True)")[0] == "T132"
    assert first("lambda i: (i, 2**40)")[0] == "T132"
    assert first("lambda i: (i, i.astype(jnp.float32))")[0] == "T132"
    assert first("lambda i: (i, j)")[0] == "T104"
    assert first("3") == ("T132", "an index map is a function, not the int 3")
    assert first("lambda i: (i,")[0] == "T101"
    code, message = first("lambda i: (i, 0)", (2, 2))
    assert (code, message) == ("T130", "<lambda> takes 1 arguments, but it gets 2 grid indices")


def test_body_and_index_maps_report_together() -> None:
    x = operand("x", Role.INPUT, (16, 128), F32, (Blocked(8), Blocked(128)), "lambda i: (i, j)")
    o = operand("o", Role.OUTPUT, (16, 128), F32, (Blocked(8), Blocked(128)), "lambda i: (i,)")
    found = diagnostics("def kernel(x_ref, o_ref):\n    o_ref[...] = y\n    z\n", (x, o), grid=(2,))
    assert [d.code for d in found] == ["T104", "T132", "T104", "T104"]


def test_signature_mistakes() -> None:
    (found,) = diagnostics("def kernel(x_ref):\n    pass\n")
    assert (found.code, found.message) == ("T130", "kernel takes 1 arguments, but it gets 2 refs: x, o")
    assert found.span.line == 1
    (found,) = diagnostics("def kernel(x_ref, o_ref, *, n):\n    pass\n")
    assert (found.code, found.message) == ("T114", "kernel() is called without 'n'")
    (found,) = diagnostics("def other(x_ref, o_ref):\n    pass\n")
    assert (found.code, found.hint) == ("T106", "there is other")
    traced("def kernel(*refs, n):\n    x_ref, o_ref = refs\n", static={"n": 1})
    traced("def kernel(x_ref, o_ref, n):\n    assert n == 1\n", static={"n": 1})


def test_the_capture_states_one_fact_a_line() -> None:
    x = operand("x", Role.INPUT, (16, 128), F32, (Blocked(8), Squeezed()), "lambda i: (i, 0)")
    o = operand("o", Role.OUTPUT, (16,), F32, (Blocked(8),), "lambda i: i")
    call = traced(COPY, (x, o), grid=(2,))
    assert print_call(call).splitlines() == [
        "kernel kernel",
        "grid (2)",
        "",
        "input x",
        "  array f32[16,128]",
        "  block (8, squeezed)",
        "  ref Ref<default>{f32[8]}",
        "  index map { lambda ; a:i32[]. let in (a, 0:~i32[]) }",
        "",
        "output o",
        "  array f32[16]",
        "  block (8)",
        "  ref Ref<default>{f32[8]}",
        "  index map { lambda ; a:i32[]. let in (a,) }",
        "",
        "{ lambda ; a:Ref<default>{f32[8]} b:Ref<default>{f32[8]}. let",
        "    c:f32[8] <- a[...]",
        "    b[...] <- c",
        "  in () }",
    ]


def test_every_code_has_an_entry() -> None:
    folder = Path(pipeline.trace.__path__[0])
    files = [*sorted(folder.rglob("*.py")), Path(pipeline.ir.jaxpr_parse.__file__)]
    raised = {code for file in files if file.name != "codes.py" for code in re.findall(r'"(T\d{3})"', file.read_text())}
    assert raised <= CODES.keys(), sorted(raised - CODES.keys())
    assert all(title and len(text) > 40 for title, text in CODES.values())
