"""Each finding of the stage in full: what a spec author reads."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from schedule_calls import affine_map, call, operand, scratch

import pipeline.chips
import pipeline.schedule
from pipeline.chips.codes import CODES as CHIP_CODES
from pipeline.chips.load import load_chip
from pipeline.dtypes import BOOL, BY_SHORT, DMA_SEM, F16, F32, I8, I32
from pipeline.errors import render
from pipeline.ir.call import Blocked, Element, KernelCall, Operand, Role
from pipeline.ir.jaxpr import Arg, Eqn, Jaxpr, Literal, MemorySpace, NDIndexer, Prim, RefAval, ShapedArray, Slice, Var
from pipeline.ir.jaxpr_text import parse_jaxpr
from pipeline.ir.module import Func, Module, Op, Raw, Region, ScalarType, Value, VectorType
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.schedule.codes import CODES
from pipeline.schedule.schedule import schedule

EXPECTED = Path(__file__).parent / "findings.txt"
ROWS = affine_map(1, [(0, [1]), (0, [0])])
ONE = affine_map(1, [(1, [0]), (0, [0])])
OUT = Role.OUTPUT


def one(made: Operand, grid: tuple[int, ...] = (4,)) -> KernelCall:
    return call([made], grid)


def element_rows() -> KernelCall:
    made = operand("x", (64, 256), (16, 256), affine_map(1, [(4, [8]), (0, [0])]))
    return one(replace(made, block=(Element(16), Element(256))))


def element_sum() -> KernelCall:
    made = operand("x", (64, 256), (16, 256), affine_map(1, [(8, [8]), (0, [0])]))
    return one(replace(made, block=(Element(16), Element(256))))


def mixed() -> KernelCall:
    return one(replace(operand("x", (64, 256), (16, 256), ROWS), block=(Element(16), Blocked(256))))


def accumulating(grid: tuple[int, int], rows: list[tuple[int, list[int]]], semantics: tuple[str, ...]) -> KernelCall:
    """x is read; o is read by the body too, so that it accumulates."""
    o = operand("o", (16, 128), (8, 128), affine_map(2, rows), role=OUT)
    return call([o], grid, semantics=semantics)


def overwriting() -> KernelCall:
    made = accumulating((4, 2), [(0, [0, 1]), (0, [0, 0])], ("arbitrary", "arbitrary"))
    ref = made.body.invars[0]
    value = Var(ShapedArray((8, 128), F32))
    entry = NDIndexer((Slice(0, 8), Slice(0, 128)))
    ones = Eqn(Prim.BROADCAST_IN_DIM, (Literal(1.0, ShapedArray((), F32)),), (value,))
    store = Eqn(Prim.SWAP, (ref, value), (Var(value.aval),), (("transforms", (entry,)),))
    return replace(made, body=Jaxpr((ref,), (ones, store), ()))


def in_place() -> KernelCall:
    """o, which shares x's memory, becomes x."""
    made = call([operand("x", (24, 128), (8, 128), ROWS), operand("o", (24, 128), (8, 128), ROWS, role=OUT)], (3,))
    source, target = made.body.invars
    value, old = (Var(ShapedArray((8, 128), F32)) for _ in range(2))
    load = Eqn(Prim.GET, (source,), (value,), (("transforms", ()),))
    store = Eqn(Prim.SWAP, (target, value), (old,), (("transforms", ()),))
    body = Jaxpr((source, target), (load, store), ())
    return replace(made, body=body, aliases=((0, 0),), semantics=("parallel",))


def large_matmul() -> KernelCall:
    rank = 3
    a = operand("a", (4096, 4096), (2048, 1024), affine_map(rank, [(0, [1, 0, 0]), (0, [0, 0, 1])]))
    b = operand("b", (4096, 4096), (1024, 2048), affine_map(rank, [(0, [0, 0, 1]), (0, [0, 1, 0])]))
    o = operand("o", (4096, 4096), (2048, 2048), affine_map(rank, [(0, [1, 0, 0]), (0, [0, 1, 0])]), role=OUT)
    return call([a, b, o], (2, 2, 4), [scratch("acc", (2048, 2048))])


def copying(start: int, size: int, axis: int = 0, dynamic: bool = False) -> KernelCall:
    """A copy of a slice of x, in HBM, to VMEM."""
    shape = [64, 256]
    shape[axis] = size
    x = operand("x", (64, 256), space=MemorySpace.ANY)
    made = call([x], (4,), [scratch("buf", tuple(shape)), scratch("sem", (), DMA_SEM, MemorySpace.SEMAPHORE)])
    ref, buf, sem = made.body.invars
    scalar = Var(ShapedArray((), I32))
    entries: list[Slice] = [Slice(0, 64), Slice(0, 256)]
    entries[axis] = Slice(Arg(3) if dynamic else start, size)
    params = (
        ("dst_transforms", ()),
        ("priority", 0),
        ("semaphore_transforms", ()),
        ("src_transforms", (NDIndexer(tuple(entries)),)),
    )
    number = Eqn(Prim.PROGRAM_ID, (), (scalar,), (("axis", 0),))
    copy = Eqn(Prim.DMA_START, (ref, buf, sem, *((scalar,) if dynamic else ())), (), params)
    return replace(made, body=Jaxpr((ref, buf, sem), (number, copy), ()))


def copying_bools() -> KernelCall:
    x = operand("x", (64, 256), space=MemorySpace.ANY, dtype=BOOL)
    made = call([x], (), [scratch("buf", (64, 256), BOOL), scratch("sem", (), DMA_SEM, MemorySpace.SEMAPHORE)])
    params = tuple((f"{name}_transforms", ()) for name in ("dst", "semaphore", "src"))
    return replace(made, body=Jaxpr(made.body.invars, (Eqn(Prim.DMA_START, made.body.invars, (), params),), ()))


def moving(shape: str, source: str, rows: str = "") -> Callable[[], KernelCall]:
    """A copy out of HBM, of what `rows` takes of it (f32); the grid index is d."""

    def make() -> KernelCall:
        made = whole(
            f"{{ lambda ; a:Ref<any>{{f32[{shape}]}} b:Ref<{source}}} c:Ref<semaphore_mem>{{dma_sem[]}}. let\n"
            f"    d:i32[] = program_id[axis=0]\n    dma_start(p0) a{rows} -> b c\n  in () }}\n",
            (2,),
        )
        return replace(made, operands=made.operands[:-1], scratch=(scratch("sem", (), DMA_SEM, MemorySpace.SEMAPHORE),))

    return make


def storing_odd_bytes() -> KernelCall:
    body = parse_jaxpr("{ lambda ; a:Ref<vmem>{i8[4000]}. let\n    b:i8[4000] <- a[...]\n    a[...] <- b\n  in () }\n")
    return replace(one(operand("x", (4000,), (4000,), affine_map(1, [(0, [0])]), dtype=I8)), body=body)


def whole(body: str, grid: tuple[int, ...] = ()) -> KernelCall:
    """A call over whole arrays, made from its body: binders are named x0, x1 .. and, the last one, o."""
    jaxpr = parse_jaxpr(body)
    operands = []
    for position, var in enumerate(jaxpr.invars):
        assert isinstance(var.aval, RefAval)
        last = position == len(jaxpr.invars) - 1
        made = operand("o" if last else f"x{position}", var.aval.shape, dtype=var.aval.dtype)
        operands.append(replace(made, role=OUT if last else Role.INPUT, ref=var.aval))
    return replace(call(operands, grid), body=jaxpr)


def unary(
    eqn: str, dtype: str, result: str = "", shape: str = "32,128", out: str = "32,128"
) -> Callable[[], KernelCall]:
    """A kernel that loads c from x0, makes d of it by `eqn` and stores d."""
    result = result or dtype
    return lambda: whole(
        f"{{ lambda ; a:Ref<vmem>{{{dtype}[{shape}]}} b:Ref<vmem>{{{result}[{out}]}}. let\n"
        f"    c:{dtype}[{shape}] <- a[...]\n    d:{result}[{out}] = {eqn}\n    b[...] <- d\n  in () }}\n"
    )


def loading(
    row: str, dtype: str, start: str = "mul d 4:i32[]", columns: int = 256, rows: int = 8
) -> Callable[[], KernelCall]:
    """A kernel that loads x0[row, :] at a start computed from the grid index d, and stores it."""
    return lambda: whole(
        f"{{ lambda ; a:Ref<vmem>{{{dtype}[64,{columns}]}} b:Ref<vmem>{{{dtype}[{rows},{columns}]}}. let\n"
        f"    d:i32[] = program_id[axis=0]\n    e:i32[] = {start}\n"
        f"    f:{dtype}[{rows},{columns}] <- a[{row}]\n    b[...] <- f\n  in () }}\n",
        (4,),
    )


def scalar(index: str, dtype: str) -> Callable[[], KernelCall]:
    """A kernel that reads one element of x0 and fills o with it."""
    return lambda: whole(
        f"{{ lambda ; a:Ref<vmem>{{{dtype}[64,256]}} b:Ref<vmem>{{{dtype}[8,256]}}. let\n"
        f"    d:i32[] = program_id[axis=0]\n    e:{dtype}[] <- a[{index}]\n"
        f"    f:{dtype}[8,256] = broadcast_in_dim[broadcast_dimensions=() shape=(8, 256)] e\n    b[...] <- f\n"
        "  in () }\n",
        (4,),
    )


def in_smem(dtype: str, eqns: str, out: str) -> Callable[[], KernelCall]:
    """A kernel that loads c from x0, in scalar memory, and stores `out`."""
    return lambda: whole(
        f"{{ lambda ; a:Ref<smem>{{{dtype}[256]}} b:Ref<smem>{{{dtype}[256]}}. let\n"
        f"    c:{dtype}[] <- a[3]\n{eqns}    b[4] <- {out}\n  in () }}\n"
    )


def product(lhs: str, rhs: str, out: str) -> Callable[[], KernelCall]:
    return lambda: whole(
        f"{{ lambda ; a:Ref<vmem>{{{lhs}[128,128]}} b:Ref<vmem>{{{rhs}[128,128]}} c:Ref<vmem>{{{out}[128,128]}}. let\n"
        f"    d:{lhs}[128,128] <- a[...]\n    e:{rhs}[128,128] <- b[...]\n"
        f"    f:{out}[128,128] = dot_general[dimension_numbers=(((1,), (0,)), ((), ())) precision=None "
        f"preferred_element_type={BY_SHORT[out].name}] d e\n    c[...] <- f\n  in () }}\n"
    )


def refetching() -> KernelCall:
    """A large x that depends on the inner axis only, a small o on both."""
    x = operand("x", (4096, 1024), (512, 1024), affine_map(2, [(0, [0, 1]), (0, [0, 0])]))
    y = operand("y", (512, 128), (8, 128), affine_map(2, [(0, [1, 0]), (0, [0, 0])]))
    o = operand("o", (512, 1024), (8, 128), affine_map(2, [(0, [1, 0]), (0, [0, 1])]), role=OUT)
    return call([x, y, o], (64, 8))


def short_steps() -> KernelCall:
    made = unary("add c c", "f32", shape="8,128", out="8,128")()
    shapes = [replace(o, array=ShapedArray((8192, 128), F32), index_map=ROWS) for o in made.operands]
    return replace(made, grid=(1024,), operands=tuple(replace(o, block=(Blocked(8), Blocked(128))) for o in shapes))


def few_sines() -> KernelCall:
    """Steps of some work, with most of VMEM unused."""
    made = unary("sin[accuracy=None] c", "f32", shape="8,512", out="8,512")()
    shapes = [replace(o, array=ShapedArray((16384, 512), F32), index_map=ROWS) for o in made.operands]
    return replace(made, grid=(2048,), operands=tuple(replace(o, block=(Blocked(8), Blocked(512))) for o in shapes))


def spilling() -> KernelCall:
    """A softmax of more rows than there are registers, in exactly the VMEM that its windows take."""
    shape = "f32[256,1024]"
    made = whole(
        f"{{ lambda ; a:Ref<vmem>{{{shape}}} b:Ref<vmem>{{{shape}}}. let\n    c:{shape} <- a[...]\n"
        "    d:f32[256] = reduce_max[axes=(1,) out_sharding=None] c\n"
        "    e:f32[256,1] = broadcast_in_dim[broadcast_dimensions=(0,) shape=(256, 1)] d\n"
        f"    f:{shape} = sub c e\n    g:{shape} = exp[accuracy=None] f\n"
        "    h:f32[256] = reduce_sum[axes=(1,) out_sharding=None] g\n"
        "    i:f32[256,1] = broadcast_in_dim[broadcast_dimensions=(0,) shape=(256, 1)] h\n"
        f"    j:{shape} = div g i\n    b[...] <- j\n  in () }}\n"
    )
    return replace(made, vmem_limit_bytes=2 << 20)


# name -> call, chip; their ops are judged too
LOWERED: dict[str, tuple[Callable[[], KernelCall], str]] = {
    "short steps": (short_steps, "v5e"),
    "room for larger blocks": (few_sines, "v6e"),
    "registers that may not fit": (spilling, "v5e"),
    "sum of int8": (unary("add c c", "i8"), "v6e"),
    "maximum of uint32": (unary("max c 7:u32[]", "u32"), "v5e"),
    "bool to int4": (
        lambda: whole(
            "{ lambda ; a:Ref<vmem>{i32[64,128]} b:Ref<vmem>{i4[64,128]}. let\n    c:i32[64,128] <- a[...]\n"
            "    d:bool[64,128] = lt c 3:i32[]\n"
            "    e:i4[64,128] = convert_element_type[new_dtype=int4 weak_type=False] d\n"
            "    b[...] <- e\n  in () }\n"
        ),
        "v6e",
    ),
    "int8 product on v4": (product("i8", "i8", "i32"), "v4"),
    "float8 product on v4": (product("f8_e5m2", "f8_e5m2", "f32"), "v4"),
    "rows nobody knows where": (loading("e:e+8,:", "f32"), "v5e"),
    "one row of bf16": (loading("e:e+1,:", "bf16", "mul d 2:i32[]", 128, 1), "v5e"),
    "int8 rows inside a tile on v4": (loading("3:11,:", "i8"), "v4"),
    "strided bf16": (loading("0:0+4:2,:", "bf16", columns=128, rows=4), "v5e"),
    "strided in a wide ref": (loading("0:0+4:2,:", "f32", rows=4), "v5e"),
    "scalar at a computed index": (scalar("d,5", "f32"), "v5e"),
    "scalar of bf16": (scalar("3,5", "bf16"), "v5e"),
    "lanes split on v4": (
        unary("reshape[dimensions=None new_sizes=(32, 4, 32)] c", "f32", out="32,4,32"), "v4",
    ),
    "sum of single bf16": (in_smem("bf16", "    d:bf16[] = add c c\n", "d"), "v6e"),
    "comparison of single int16": (
        in_smem("i16", "    d:bool[] = lt c 3:i16[]\n    e:i16[] = select_n d c c\n", "c"), "v5e",
    ),
    "constant of bf16 in scalar memory": (in_smem("bf16", "", "1.0:bf16[]"), "v5e"),
    "single float8 to bf16": (
        lambda: whole(
            "{ lambda ; a:Ref<smem>{f8_e5m2[256]} b:Ref<smem>{bf16[256]}. let\n    c:f8_e5m2[] <- a[3]\n"
            "    d:bf16[] = convert_element_type[new_dtype=bfloat16 weak_type=False] c\n    b[4] <- d\n  in () }\n"
        ),
        "7x",
    ),
    "lanes cut over rows": (
        unary("reshape[dimensions=None new_sizes=(128, 64)] c", "f32", shape="32,256", out="128,64"), "v6e",
    ),
    "int8 rows joined off the tile on v4": (
        unary("concatenate[dimension=0] c c c c c c c c", "i8", shape="12,128", out="96,128"), "v4",
    ),
    "bf16 rows inside a tile on v3": (loading("3:11,:", "bf16"), "v3"),
    "bf16 rows joined inside a register on v2": (
        unary("concatenate[dimension=0] c c", "bf16", shape="20,128", out="40,128"), "v2",
    ),
    "place of an extreme along lanes on v3": (
        unary("argmax[axes=(1,) index_dtype=int32] c", "f32", "i32", out="32"), "v3",
    ),
    "comparison of int16 on v3": (
        lambda: whole(
            "{ lambda ; a:Ref<vmem>{i16[64,128]} b:Ref<vmem>{i32[64,128]}. let\n    c:i16[64,128] <- a[...]\n"
            "    d:bool[64,128] = lt c 3:i16[]\n"
            "    e:i32[64,128] = convert_element_type[new_dtype=int32 weak_type=False] d\n"
            "    b[...] <- e\n  in () }\n"
        ),
        "v3",
    ),
    "bf16 product on v3": (product("bf16", "bf16", "f32"), "v3"),
    "rotated rows of bf16": (unary("roll[axis=0 stride=None stride_axis=None] c 3:i32[]", "bf16"), "v5e"),
    "a column turned on v4": (unary("reduce_sum[axes=(1,) out_sharding=None] c", "f32", out="32"), "v4"),
}  # fmt: skip

# name -> call, chip
CASES: dict[str, tuple[Callable[[], KernelCall], str]] = {
    "second-minor block of 4": (lambda: one(operand("x", (256, 256), (4, 256), ROWS), (64,)), "v5e"),
    "both axes off": (lambda: one(operand("x", (256, 512), (4, 100), ROWS), (64,)), "v5e"),
    "squeezed second-minor axis": (lambda: one(operand("x", (64, 256), (None, 256), ROWS), (64,)), "v5e"),
    "int8 block cuts a tile": (lambda: one(operand("x", (256, 256), (8, 256), ROWS, dtype=I8), (32,)), "v5e"),
    "rank 1 off the lattice": (lambda: one(operand("x", (4096,), (100,), affine_map(1, [(0, [1])])), (40,)), "v5e"),
    "rank 1 int8 on v4": (storing_odd_bytes, "v4"),
    "block in HBM": (lambda: one(operand("x", (64, 256), (8, 256), ROWS, space=MemorySpace.ANY)), "v5e"),
    "scalar block": (lambda: one(operand("x", (), (), affine_map(1, []))), "v5e"),
    "element and blocked": (mixed, "v5e"),
    "three buffer slots": (lambda: one(operand("x", (64, 256), (8, 256), ROWS, buffers=3)), "v5e"),
    "float16 window": (lambda: one(operand("x", (64, 256), (8, 256), ROWS, dtype=F16)), "v5e"),
    "float16 in hbm": (lambda: one(operand("x", (64, 256), dtype=F16, space=MemorySpace.ANY)), "v4"),
    "element off the tile": (element_rows, "v5e"),
    "element not seen to be on the tile": (element_sum, "v5e"),
    "index map of 64 bits": (
        lambda: one(
            operand("x", (64, 256), (8, 256), parse_jaxpr("{ lambda ; a:i32[]. let in (a, 0:i64[]) }")), (8,)
        ),
        "v5e",
    ),
    "scratch in HBM": (
        lambda: call([operand("x", (64, 256), (8, 256), ROWS)], (4,), [scratch("s", (8, 128), F32, MemorySpace.HBM)]),
        "v5e",
    ),
    "matmul over the default limit": (large_matmul, "v5e"),
    "matmul over its own limit": (lambda: replace(large_matmul(), vmem_limit_bytes=40 << 20), "v6e"),
    "matmul over the chip": (large_matmul, "v4"),
    "one window over the limit": (lambda: one(operand("x", (65536, 1024), (4096, 1024), ROWS), (16,)), "v5e"),
    "smem overflow": (lambda: one(operand("x", (2048, 1), space=MemorySpace.SMEM), ()), "v5e"),
    "semaphore overflow": (
        lambda: call(
            [operand("x", (64, 256), (8, 256), ROWS)], (4,), [scratch("s", (500,), DMA_SEM, MemorySpace.SEMAPHORE)]
        ),
        "v5e",
    ),
    "hbm overflow": (lambda: one(operand("x", (1 << 20, 8192), (8, 8192), ROWS), (4,)), "v5e"),
    "constant index out of range": (lambda: one(operand("b", (1, 256), (1, 256), ONE)), "v5e"),
    "grid too long": (lambda: one(operand("x", (64, 256), (8, 256), ROWS), (9,)), "v5e"),
    "negative index": (lambda: one(operand("x", (64, 256), (8, 256), affine_map(1, [(-1, [1]), (0, [0])]))), "v5e"),
    "output revisited": (
        lambda: accumulating((4, 2), [(0, [0, 1]), (0, [0, 0])], ("arbitrary", "arbitrary")),
        "v5e",
    ),
    "output overwritten": (overwriting, "v5e"),
    "output shared along a parallel axis": (
        lambda: accumulating((2, 4), [(0, [1, 0]), (0, [0, 0])], ("arbitrary", "parallel")),
        "v5e",
    ),
    "undecided map": (
        lambda: one(
            operand(
                "x",
                (64, 256),
                (8, 256),
                parse_jaxpr("{ lambda ; a:i32[]. let b:i32[] = xor a a in (b, 0:i32[]) }"),
            ),
            (10**9,),
        ),
        "v5e",
    ),
    "core axis too long": (
        lambda: replace(one(operand("x", (64, 256), (8, 256), ROWS), (8,)), semantics=("core_parallel",)),
        "v5p",
    ),
    "two core axes": (
        lambda: replace(
            call([operand("x", (64, 256), (8, 256), affine_map(2, [(0, [1, 0]), (0, [0, 0])]))], (2, 2)),
            semantics=("core_parallel", "core_parallel"),
        ),
        "v5p",
    ),
    "copy starts inside a tile": (lambda: copying(4, 8), "v5e"),
    "copy starts nobody knows where": (lambda: copying(0, 16, dynamic=True), "v5e"),
    "copy ends inside a tile": (lambda: copying(8, 12), "v5e"),
    "copy of some lanes": (lambda: copying(0, 100, axis=1), "v5e"),
    "axis too long to count": (lambda: one(operand("x", (64, 256), (8, 256), ONE), (2**31,)), "v5e"),
    "grid too long to count": (
        lambda: call([operand("x", (64, 256), (8, 256), affine_map(2, [(0, [0, 0]), (0, [0, 0])]))], (2**20, 2**20)),
        "v5e",
    ),
    "semantics of another grid": (
        lambda: replace(one(operand("x", (64, 256), (8, 256), ROWS), (8,)), semantics=("parallel", "arbitrary")),
        "v5e",
    ),
    "step in place run again": (in_place, "v5p"),
    "copy of bools": (copying_bools, "v5e"),
    "copy of some of one dimension": (moving("1024", "vmem>{f32[64]", "[128:192]"), "v6e"),
    "copy within HBM on v3": (moving("64,256", "hbm>{f32[64,256]"), "v3"),
    "one row of a wide array on v3": (moving("64,256", "vmem>{f32[1,256]", "[2:3,:]"), "v3"),
    "one row of a narrow array on v3": (moving("64,128", "vmem>{f32[1,128]", "[2:3,:]"), "v3"),
    "an odd row of a narrow array on v3": (moving("64,128", "vmem>{f32[2,128]", "[3:5,:]"), "v3"),
    "a computed row of a narrow array on v3": (moving("8,8,128", "vmem>{f32[8,128]", "[d,:,:]"), "v3"),
    "seven rows of some lanes on v3": (moving("7,256", "vmem>{f32[7,128]", "[:,128:]"), "v3"),
    "an order that fetches too much": (refetching, "v5e"),
    "narrow block": (lambda: one(operand("x", (4096, 16), (64, 16), ROWS), (64,)), "v5e"),
}  # fmt: skip


def found(name: str) -> str:
    make, chip = (CASES | LOWERED)[name]
    made = make()
    module = lower(made, load_chip(chip)) if name in LOWERED else None
    return "\n".join(render(finding) for finding in schedule(made, module, load_chip(chip)).findings)


def expected() -> dict[str, str]:
    parts = re.split(r"^## (.*)\n", EXPECTED.read_text(), flags=re.MULTILINE)[1:]
    return {name: text.strip() for name, text in zip(parts[::2], parts[1::2], strict=True)}


@pytest.mark.parametrize("name", CASES | LOWERED)
def test_wording(name: str) -> None:
    assert found(name) == expected()[name]


def test_the_file_has_no_case_that_is_gone() -> None:
    assert list(expected()) == list(CASES | LOWERED)


def test_a_narrow_product_is_named() -> None:
    f32 = ScalarType("f32")
    lhs, rhs, start, out = (Value(VectorType(shape, f32)) for shape in ((256, 128), (128, 16), (256, 16), (256, 16)))
    numbers = ("dimension_numbers", Raw("#tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>"))
    body = Region((), (Op("tpu.matmul", (lhs, rhs, start), (out,), (numbers,)), Op("func.return")))
    module = Module("k", (Func("main", body),))
    (finding,) = schedule(call([], ()), module, load_chip("v5e")).findings
    assert render(finding) == (
        "warning[P502]: a product of (256, 128) by (128, 16) fills 16 of the 128 columns of the matrix unit: 12.5 %\n"
        "  = hint: give the right operand 128 columns, or as many as the problem has"
    )


def test_every_code_raised_is_explained_and_every_code_explained_is_raised() -> None:
    for package, codes in ((pipeline.chips, CHIP_CODES), (pipeline.schedule, CODES)):
        raised: set[str] = set()
        for path in Path(str(package.__path__[0])).glob("*.py"):
            if path.name != "codes.py":
                raised |= set(re.findall(r'"(P\d\d\d)"', path.read_text()))
        assert raised == set(codes)


def test_every_code_of_this_stage_is_shown() -> None:
    shown = set(re.findall(r"\[(P\d\d\d)\]", EXPECTED.read_text()))
    assert set(CODES) == shown | {"P502"}
