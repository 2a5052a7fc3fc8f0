"""The interpret form: well formed, the text that XLA ran, and what it refuses."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from stablehlo_cases import CHAINS, VERIFIED, chain_spec, digest, modules

from pipeline.dtypes import DMA_SEM, F32
from pipeline.errors import SpecError
from pipeline.ir.call import Blocked, Element, KernelCall, Operand, Role, Scratch, Squeezed
from pipeline.ir.jaxpr import Eqn, Jaxpr, Literal, MemorySpace, Prim, RefAval, ShapedArray, Var
from pipeline.ir.jaxpr_text import parse_jaxpr
from pipeline.ir.module import Module
from pipeline.ir.verify import verify_module
from pipeline.lower.stablehlo.lower import lower
from pipeline.lower.stablehlo.rules import RULES
from pipeline.lower.stablehlo.text import print_stablehlo
from pipeline.oracles.shipped import shipped_specs, spec_id
from pipeline.spec.spec import Spec
from pipeline.trace.trace import trace

MODULES: dict[str, Module] = dict(modules())
TEXTS: dict[str, str] = json.loads(VERIFIED.read_text(encoding="utf-8"))["modules"]


def test_every_primitive_has_a_rule() -> None:
    assert set(RULES) == set(Prim)


@pytest.mark.parametrize("name", MODULES)
def test_a_module_is_well_formed(name: str) -> None:
    assert verify_module(MODULES[name], {}) == []


@pytest.mark.parametrize("name", TEXTS)
def test_a_module_is_the_one_that_xla_ran(name: str) -> None:
    """A text that is meant to change is run again: `python tests/stablehlo/record.py`."""
    assert digest(print_stablehlo(MODULES[name])) == TEXTS[name]


@pytest.mark.parametrize("spec", [pytest.param(spec, id=spec_id(spec)) for spec in shipped_specs()])
def test_a_shipped_spec_has_an_interpret_form(spec: Spec) -> None:
    """One loop over the grid, and every op of the body in it or beside it."""
    call = trace(spec)
    module = lower(call)
    assert verify_module(module, {}) == []
    (main,) = module.funcs
    assert len(main.body.args) == sum(o.role is not Role.OUTPUT for o in call.operands)
    assert [value.shape for value in main.results] == [o.array.shape for o in call.with_role(Role.OUTPUT)]  # type: ignore[union-attr]
    outer = sum(op.name == "stablehlo.while" for op in main.body.ops)
    assert outer == 1 if call.grid else outer >= 0


def call_with(body: str, operands: list[Operand], grid: tuple[int, ...] = (), **more: object) -> KernelCall:
    return KernelCall("k", parse_jaxpr(body), grid, tuple(operands), **more)  # type: ignore[arg-type]


def windowed(name: str, role: Role, n: int, dim: object, ref: tuple[int, ...], index_map: str) -> Operand:
    array = ShapedArray((n,), F32)
    return Operand(name, role, array, RefAval(ShapedArray(ref, F32)), (dim,), parse_jaxpr(index_map))  # type: ignore[arg-type]


def test_a_ragged_block_is_padded_before_the_loop_and_cut_after_it() -> None:
    body = (
        "{ lambda ; a:Ref<default>{f32[64]} b:Ref<default>{f32[64]}. let\n c:f32[64] <- a[...]\n b[...] <- c\n in () }"
    )
    index_map = "{ lambda ; a:i32[]. let in (a,) }"
    operands = [
        windowed("x", Role.INPUT, 100, Blocked(64), (64,), index_map),
        windowed("o", Role.OUTPUT, 100, Blocked(64), (64,), index_map),
    ]
    text = print_stablehlo(lower(call_with(body, operands, (2,))))
    assert "stablehlo.pad %arg0, %cst, low = [0], high = [28], interior = [0]" in text
    assert "stablehlo.constant dense<0x7FC00000> : tensor<128xf32>" in text
    assert text.count("sizes = [64] : (tensor<128xf32>, tensor<i32>) -> tensor<64xf32>") == 1  # the output is not read
    assert "[0:100] : (tensor<128xf32>) -> tensor<100xf32>" in text


def test_element_and_squeezed_dimensions() -> None:
    body = "{ lambda ; a:Ref<default>{f32[16]} b:Ref<default>{f32[]}. let\n c:f32[16] <- a[...]\n"
    body += " d:f32[] = reduce_sum[axes=(0,)] c\n b[...] <- d\n in () }"
    operands = [
        windowed("x", Role.INPUT, 30, Element(16, (1, 1)), (16,), "{ lambda ; a:i32[]. let in (a,) }"),
        windowed("o", Role.OUTPUT, 16, Squeezed(), (), "{ lambda ; a:i32[]. let in (a,) }"),
    ]
    text = print_stablehlo(lower(call_with(body, operands, (16,))))
    assert "low = [1], high = [1], interior = [0] : (tensor<30xf32>, tensor<f32>) -> tensor<32xf32>" in text
    assert "stablehlo.reshape" in text and "tensor<1xf32>" in text


COPY = """{ lambda ; a:Ref<any>{f32[8,128]} b:Ref<any>{f32[8,128]} c:Ref<semaphore_mem>{dma_sem[]}. let
    dma_start(p0) a -> b c
    dma_wait a -> b c
    d:i32[] = semaphore_read c[...]
    e:f32[] = convert_element_type[new_dtype=float32 weak_type=False] d
    f:f32[8,128] = broadcast_in_dim[broadcast_dimensions=() shape=(8, 128)] e
    b[...] <- f
  in () }"""


def copying(body: str) -> Module:
    aval = RefAval(ShapedArray((8, 128), F32), MemorySpace.ANY)
    semaphore = Scratch("sem", RefAval(ShapedArray((), DMA_SEM), MemorySpace.SEMAPHORE))
    operands = [Operand("x", Role.INPUT, aval.inner, aval), Operand("o", Role.OUTPUT, aval.inner, aval)]
    return lower(call_with(body, operands, scratch=(semaphore,)))


def test_a_semaphore_is_a_counter_only_where_it_is_read() -> None:
    def names(module: Module) -> list[str]:
        return [op.name for op in module.funcs[0].body.ops]

    counted = print_stablehlo(copying(COPY))
    assert "stablehlo.constant dense<4096> : tensor<i32>" in counted and "stablehlo.subtract" in counted
    unread = "\n".join(line for line in COPY.splitlines() if line.split(":")[0].strip() not in ("d", "e", "f"))
    unread = unread.replace("    b[...] <- f\n", "")
    assert names(copying(unread)) == ["func.return"]  # the copy is the input itself


@pytest.mark.parametrize("ends", CHAINS, ids=["row", "window", "both"])
def test_a_copy_of_traced_size_ends_a_chain_of_views(ends: tuple[str, str]) -> None:
    module = lower(trace(chain_spec(*ends)))
    assert verify_module(module, {}) == []
    assert "stablehlo.scatter" in print_stablehlo(module)


def test_a_traced_size_that_is_sliced_again_is_refused() -> None:
    spec = chain_spec("x.at[1].at[pl.ds(0, n)].at[:, pl.ds(0, 128)]", "s.at[pl.ds(0, n)]")
    with pytest.raises(SpecError, match="transformed further has no StableHLO form"):
        lower(trace(spec))


def test_a_module_that_grows_too_large_is_refused() -> None:
    aval = RefAval(ShapedArray((8,), F32))
    body = "{ lambda ; a:Ref<default>{f32[8]} b:Ref<default>{f32[8]}. let\n c:f32[8] <- a[...]\n b[...] <- c\n in () }"
    fine = call_with(body, [Operand("x", Role.INPUT, aval.inner, aval), Operand("o", Role.OUTPUT, aval.inner, aval)])
    assert lower(fine).name == "k"
    read, write = fine.body.eqns
    with pytest.raises(SpecError, match="lowers to more than 250000 ops"):
        lower(KernelCall("k", Jaxpr(fine.body.invars, (read, *_additions(250_001), write), ()), (), fine.operands))


def _additions(count: int) -> tuple[Eqn, ...]:
    one = Literal(1.0, ShapedArray((), F32))
    return (Eqn(Prim.ADD, (one, one), (Var(ShapedArray((), F32)),)),) * count
