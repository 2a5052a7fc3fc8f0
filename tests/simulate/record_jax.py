"""Records what JAX computes: edge values through single primitives, and small kernels under `interpret=True`.

    python tests/simulate/record_jax.py          (needs the `oracle` extra)

writes data/primitives.json and data/kernels.json beside it. Programs are stored in our jaxpr text, so that the tests
that read the records need no JAX.
"""

from __future__ import annotations

import base64
import json
import os
import re
import zlib
from pathlib import Path
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import jaxlib
import numpy as np
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

from pipeline.frontend.jax_bridge import convert_jaxpr, kernel_calls
from pipeline.ir.call import Blocked, Element, KernelCall, Role
from pipeline.ir.jaxpr_text import print_jaxpr

HERE = Path(__file__).parent / "data"
VERSIONS = {"jax": jax.__version__, "jaxlib": jaxlib.__version__}
BF, F, I32 = jnp.bfloat16, jnp.float32, jnp.int32
E4, E5 = jnp.float8_e4m3fn, jnp.float8_e5m2

FLOATS = [
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, 0.49999997, 1e-3, -1e-3, 1e-7, 100.0, -100.0, 256.0, 300.0,
    -300.0, 65520.0, 2147483648.0, -2147483648.0, 4294967296.0, 3.4028235e38, -3.4028235e38, float("inf"),
    float("-inf"), float("nan"), 0.9999999, 447.0, 465.0,
]  # fmt: skip


def ints(dtype: Any) -> np.ndarray[Any, Any]:
    info = np.iinfo(dtype) if np.dtype(dtype).kind in "iu" else jnp.iinfo(dtype)
    low, high = int(info.min), int(info.max)
    wanted = [0, 1, 2, 3, 5, 7, 8, 31, 32, 33, 63, 100, -1, -2, -7, -31, -100, low, low + 1, high, high - 1]
    return np.array(sorted({v for v in wanted if low <= v <= high})).astype(dtype)


def values(dtype: Any) -> np.ndarray[Any, Any]:
    if dtype == np.bool_:
        return np.array([False, True])
    if jnp.issubdtype(dtype, jnp.floating):
        return np.array(FLOATS, np.float32).astype(dtype)
    return ints(dtype)


def pack(x: Any) -> str:
    return base64.b64encode(zlib.compress(np.ascontiguousarray(x).tobytes(), 9)).decode()


def array(x: Any) -> dict[str, Any]:
    x = np.asarray(x)
    return {"dtype": x.dtype.name, "shape": list(x.shape), "data": pack(x)}


UNARY_FLOAT = {
    "neg": lax.neg, "sign": lax.sign, "floor": lax.floor, "ceil": lax.ceil, "round_away": lax.round,
    "round_even": lambda x: lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN), "exp": lax.exp, "exp2": lax.exp2,
    "expm1": lax.expm1, "log": lax.log, "log1p": lax.log1p, "sin": lax.sin, "cos": lax.cos, "tan": lax.tan,
    "tanh": lax.tanh, "logistic": lax.logistic, "erf": lax.erf, "erf_inv": lax.erf_inv, "rsqrt": lax.rsqrt,
    "sqrt": lax.sqrt, "cbrt": lax.cbrt, "square": lax.square, "abs": lax.abs, "is_finite": lax.is_finite,
    "pow3": lambda x: lax.integer_pow(x, 3), "pow-2": lambda x: lax.integer_pow(x, -2),
    "reduce_precision": lambda x: lax.reduce_precision(x, 8, 7),
}  # fmt: skip
UNARY_INT = {
    "neg": lax.neg, "sign": lax.sign, "abs": lax.abs, "not": lax.bitwise_not, "population_count": lax.population_count,
    "clz": lax.clz, "pow3": lambda x: lax.integer_pow(x, 3),
}  # fmt: skip
BINARY_FLOAT = {
    "add": lax.add, "sub": lax.sub, "mul": lax.mul, "div": lax.div, "rem": lax.rem, "pow": lax.pow,
    "atan2": lax.atan2, "nextafter": lax.nextafter, "max": lax.max, "min": lax.min, "eq": lax.eq, "ne": lax.ne,
    "lt": lax.lt, "le": lax.le, "gt": lax.gt, "ge": lax.ge,
}  # fmt: skip
BINARY_INT = {
    "add": lax.add, "sub": lax.sub, "mul": lax.mul, "div": lax.div, "rem": lax.rem, "max": lax.max, "min": lax.min,
    "and": lax.bitwise_and, "or": lax.bitwise_or, "xor": lax.bitwise_xor, "shift_left": lax.shift_left,
    "shift_right_arithmetic": lax.shift_right_arithmetic, "shift_right_logical": lax.shift_right_logical,
    "eq": lax.eq, "ne": lax.ne, "lt": lax.lt, "le": lax.le, "gt": lax.gt, "ge": lax.ge,
}  # fmt: skip
CAST = [np.bool_, np.int8, np.int16, np.int32, np.uint8, np.uint16, np.uint32, np.float32, BF, np.float16, E4, E5]


def record(name: str, fn: Any, *args: Any) -> dict[str, Any]:
    closed = jax.make_jaxpr(fn)(*args)
    program = convert_jaxpr(closed.jaxpr, closed.consts)
    out = jax.jit(fn)(*args)
    outs = out if isinstance(out, (tuple, list)) else [out]
    text = re.sub(r"<RoundingMethod\.(\w+): \d+>", r"\1", print_jaxpr(program))
    return {"name": name, "program": text, "args": list(map(array, args)), "out": list(map(array, outs))}


def primitives() -> list[dict[str, Any]]:
    found = []
    for dtype in (np.float32, BF, np.float16):
        x = values(dtype)
        a, b = (np.ascontiguousarray(v) for v in np.meshgrid(x, x, indexing="ij"))
        for name, fn in UNARY_FLOAT.items():
            if name in ("erf_inv", "cbrt", "tan", "reduce_precision", "pow-2") and dtype == np.float16:
                continue  # XLA rounds the steps of its expansions to f16, which no target computes in
            if name == "exp2" and dtype != np.float32:
                continue  # XLA multiplies by ln 2 in the narrow dtype: 27% off at 2^100
            found.append(record(f"{name}-{np.dtype(dtype).name}", fn, x))
        for name, fn in BINARY_FLOAT.items():
            found.append(record(f"{name}-{np.dtype(dtype).name}", fn, a, b))
        found.append(record(f"clamp-{np.dtype(dtype).name}", lambda low, x, high: lax.clamp(low, x, high),
                            np.full_like(x, -1), x, np.full_like(x, 2)))  # fmt: skip
    for dtype in (np.int32, np.uint32, np.int16, np.int8, np.uint8):
        x = values(dtype)
        a, b = (np.ascontiguousarray(v) for v in np.meshgrid(x, x, indexing="ij"))
        for name, fn in UNARY_INT.items():
            if name == "abs" and np.dtype(dtype).kind == "u":
                continue
            found.append(record(f"{name}-{np.dtype(dtype).name}", fn, x))
        for name, fn in BINARY_INT.items():
            found.append(record(f"{name}-{np.dtype(dtype).name}", fn, a, b))
    for source in CAST:
        x = values(source)
        for target in CAST:
            if source != target:
                name = f"convert-{np.dtype(source).name}-{np.dtype(target).name}"
                found.append(record(name, lambda x, target=target: lax.convert_element_type(x, target), x))
    m = np.arange(24, dtype=np.int32).reshape(4, 6) * 7 % 11
    f = m.astype(np.float32)
    f[1, 2] = np.nan
    w = np.array([[0, 3, 1], [2, 5, 5], [4, 0, 1], [1, 1, 2]], np.int32)
    shapes = {
        "broadcast": lambda x: lax.broadcast_in_dim(x, (2, 4, 3, 6), (1, 3)), "transpose": lambda x: x.T,
        "concatenate": lambda x: lax.concatenate([x, x + 1], 1), "stack": lambda x: jnp.stack([x, x]),
        "split": lambda x: jnp.split(x, 3, axis=1), "slice": lambda x: lax.slice(x, (1, 0), (4, 5), (2, 3)),
        "dynamic_slice": lambda x: lax.dynamic_slice(x, (3, -2), (2, 3)),
        "dynamic_update": lambda x: lax.dynamic_update_slice(x, x[:2, :2] * 100, (1, 5)),
        "pad": lambda x: lax.pad(x, jnp.asarray(-1, x.dtype), ((1, 2, 1), (-1, -2, 0))),
        "pad_cut": lambda x: lax.pad(x, jnp.asarray(-1, x.dtype), ((-2, 3, 2), (2, -3, 1))),
        "rev": lambda x: lax.rev(x, (0, 1)), "tile": lambda x: lax.tile(x, (2, 3)),
        "iota": lambda x: x + lax.broadcasted_iota(x.dtype, x.shape, 1), "sort": lambda x: lax.sort(x, dimension=1),
        "sort2": lambda x: lax.sort((x // 4, x), dimension=1, num_keys=1),
        "reduce_max": lambda x: jnp.max(x, axis=0), "reduce_min": lambda x: jnp.min(x, axis=(0, 1)),
        "argmax": lambda x: lax.argmax(x, 1, np.int32), "argmin": lambda x: lax.argmin(x, 0, np.int32),
        "cumsum": lambda x: lax.cumsum(x, 1), "cumsum_rev": lambda x: lax.cumsum(x, 0, reverse=True),
        "cummax": lambda x: lax.cummax(x, 1), "cumprod": lambda x: lax.cumprod(x, 1),
        "select3": lambda x: lax.select_n(lax.rem(x.astype(np.int32), 3), x, x * 10, x * 100),
    }  # fmt: skip
    for name, fn in shapes.items():
        found.append(record(f"{name}-int32", fn, m))
        if name not in ("sort2", "select3"):
            found.append(record(f"{name}-float32", fn, f))
    at = np.array([0, 3, 9, -2], np.int32)
    takes = {
        "take_along": (lambda x, w: jnp.take_along_axis(x, w, axis=1, mode="promise_in_bounds"), w),
        "take_fill": (lambda x, at: jnp.take(x, at, axis=0, mode="fill"), at),
        "take_clip": (lambda x, at: jnp.take(x, at, axis=0, mode="clip"), at),
    }
    for name, (fn, index) in takes.items():
        for x in (m, f):
            found.append(record(f"{name}-{x.dtype.name}", fn, x, index))
    for dtype in (np.int8, np.int32):
        x = values(dtype)[:20]
        a = np.resize(x, (5, 7)).astype(dtype)
        b = np.resize(x[::-1], (7, 6)).astype(dtype)
        found.append(record(f"dot-{np.dtype(dtype).name}", lambda a, b: lax.dot_general(
            a, b, (((1,), (0,)), ((), ())), preferred_element_type=np.int32), a, b))  # fmt: skip
    q = np.arange(2 * 3 * 4, dtype=np.float32).reshape(2, 3, 4) - 5
    k = np.arange(2 * 5 * 4, dtype=np.float32).reshape(5, 2, 4) % 7
    for dtype in (np.float32, BF):
        found.append(record(f"dot_batch-{np.dtype(dtype).name}", lambda a, b: lax.dot_general(
            a, b, (((2,), (2,)), ((0,), (1,))), preferred_element_type=np.float32),
            q.astype(dtype), k.astype(dtype)))  # fmt: skip
    found.append(record("bitcast-f32-i32", lambda x: lax.bitcast_convert_type(x, np.int32), values(np.float32)))
    found.append(record("bitcast-f32-i8", lambda x: lax.bitcast_convert_type(x, np.int8), values(np.float32)))
    found.append(
        record("while", lambda x: lax.while_loop(lambda c: c[0] < 10, lambda c: (c[0] + 3, c[1] * 2), (0, x)), m)
    )
    found.append(record("scan", lambda x: lax.fori_loop(0, 5, lambda i, c: c + i * x, x), m))
    found.append(record("scan_xs", lambda x: lax.scan(lambda c, r: (c + r, c * 2), x[0], x), m))
    found.append(record("switch", lambda x: lax.switch(x[0, 1], [lambda x: x, lambda x: x + 1, lambda x: x * 2], x), m))
    return found


# --- kernels
B, S = pl.BlockSpec, jax.ShapeDtypeStruct


def row(i: Any) -> Any:
    return (i, 0)


def numbers(*shape: int, dtype: Any = np.float32) -> np.ndarray[Any, Any]:
    """Small whole numbers: sums of them are exact in any order."""
    return (np.arange(np.prod(shape)).reshape(shape) * 7 % 23 - 11).astype(dtype)


def matmul(a, b, o, acc):
    @pl.when(pl.program_id(2) == 0)
    def _():
        acc[...] = jnp.zeros_like(acc)

    acc[...] += jnp.dot(a[...], b[...], preferred_element_type=F)

    @pl.when(pl.program_id(2) == pl.num_programs(2) - 1)
    def _():
        o[...] = acc[...].astype(o.dtype)


def tail(a, b, o, acc):
    @pl.when(pl.program_id(0) == 0)
    def _():
        acc[...] = jnp.zeros_like(acc)

    acc[...] += jnp.dot(a[...], b[...], preferred_element_type=F)
    o[...] = acc[...]


def triple(x, o):
    o[...] = 3 * x[...]


def double_buffer(past_the_end: bool):
    def kernel(x, o, buf, sem):
        def copy(i, slot):
            return pltpu.make_async_copy(x.at[pl.ds(i * 8, 8)], buf.at[slot], sem.at[slot])

        copy(0, 0).start()

        def body(i, _):
            slot, other = i % 2, (i + 1) % 2

            @pl.when((i if past_the_end else i + 1) < 4)
            def _():
                copy(i + 1, other).start()

            copy(i, slot).wait()
            o[pl.ds(i * 8, 8)] = buf[slot] * 2
            return 0

        lax.fori_loop(0, 4, body, 0)

    return kernel


def revisit(x, o):
    @pl.when(pl.program_id(0) == 0)
    def _():
        o[...] = jnp.zeros_like(o)

    o[...] += x[0]


def revisit_ok(x, o):
    @pl.when(pl.program_id(1) == 0)
    def _():
        o[...] = jnp.zeros_like(o)

    o[...] += x[0]


def plus(x, b, o):
    o[...] = x[...] + b[...]


def half(x, o):
    o[0:4, :] = x[0:4, :]


def uninitialised(x, o, acc):
    acc[...] += x[...]
    o[...] = acc[...]


def tail_sum(x, o):
    @pl.when(pl.program_id(0) == 0)
    def _():
        o[...] = jnp.zeros_like(o)

    o[...] += jnp.sum(x[...], axis=0, keepdims=True)


def read_too_early(x, o, buf, sem):
    copy = pltpu.make_async_copy(x, buf, sem)
    copy.start()
    o[...] = buf[...]
    copy.wait()


def overwrite_too_early(x, o, buf, sem):
    copy = pltpu.make_async_copy(x, buf, sem)
    copy.start()
    copy.wait()
    out = pltpu.make_async_copy(buf, o, sem)
    out.start()
    buf[...] = jnp.zeros_like(buf)
    out.wait()


def dead_wait(x, o, buf, sem):
    pltpu.make_async_copy(x, buf, sem).wait()
    o[...] = buf[...]


def never_waited(x, o, buf, sem):
    pltpu.make_async_copy(x, buf, sem).start()
    o[...] = x[...] if False else jnp.zeros_like(o)


def signals(x, o, sem):
    pl.semaphore_signal(sem, 3)
    pl.semaphore_wait(sem, 1)
    o[...] = x[...] * pl.semaphore_read(sem)


def signals_dead(x, o, sem):
    pl.semaphore_wait(sem, 1)
    o[...] = x[...]


def scalar_index(i, x, o):
    o[...] = jnp.full(o.shape, x[i[0], 0])


def slice_past(x, o):
    o[...] = x[pl.ds(pl.program_id(0) + 4, 8), :]


def increment(x, o):
    o[...] = x[...] + 1


def gather_rows(ids, x, o):
    o[...] = x[...]


def scoped(x, o):
    def body(buf, sem):
        copy = pltpu.make_async_copy(x, buf, sem)
        copy.start()
        copy.wait()
        o[...] = buf[...] * 2

    pl.run_scoped(body, pltpu.VMEM((8, 128), F), pltpu.SemaphoreType.DMA)


def promise(x, o):
    start = pl.multiple_of(pl.program_id(0) * 4, 8)
    o[...] = x[pl.ds(start, 8), :]


def smem_table(x, o, table):
    table[0, 0] = 2
    table[0, 1] = table[0, 0] * 3
    o[...] = x[...] * table[0, 1]


def strided(x, o):
    o[pl.ds(0, 4, 2), :] = x[pl.ds(1, 4, 2), :]
    o[pl.ds(1, 4, 2), :] = x[pl.ds(0, 4, 2), :]


def grid_marks(o):
    o[...] = jnp.full(o.shape, pl.program_id(0) * 100 + pl.program_id(1) * 10 + pl.num_programs(1))


def rank3(x, o):
    i = pl.program_id(0)
    o[...] = x[i % 2] * 2 + x[0, 3:4]


def endless(x, o):
    o[...] = x[...] * lax.while_loop(lambda c: c < 1e9, lambda c: c * 1.0, 1.0)


def masked(x, o):
    o[...] = jnp.zeros_like(o)
    pltpu.store(o.at[:, :], x[...], mask=lax.broadcasted_iota(I32, x.shape, 1) < 40)


X8, X16, X20, X32 = numbers(8, 128), numbers(16, 128), numbers(20, 128), numbers(32, 128)
ANY = B(memory_space=pl.ANY)
DMA = [pltpu.VMEM((8, 128), F), pltpu.SemaphoreType.DMA]
KERNELS: dict[str, tuple[Any, dict[str, Any], list[Any]]] = {
    "matmul": (matmul, dict(grid=(2, 2, 2), in_specs=[B((16, 128), lambda i, j, k: (i, k)),
        B((128, 128), lambda i, j, k: (k, j))], out_specs=B((16, 128), lambda i, j, k: (i, j)),
        out_shape=S((32, 256), F), scratch_shapes=[pltpu.VMEM((16, 128), F)]), [numbers(32, 256), numbers(256, 256)]),
    "partial_contraction": (tail, dict(grid=(2,), in_specs=[B((16, 128), lambda k: (0, k)),
        B((128, 128), lambda k: (k, 0))], out_specs=B((16, 128), lambda k: (0, 0)), out_shape=S((16, 128), F),
        scratch_shapes=[pltpu.VMEM((16, 128), F)]), [numbers(16, 200), numbers(200, 128)]),
    "partial_elementwise": (triple, dict(grid=(3,), in_specs=[B((8, 128), row)], out_specs=B((8, 128), row),
        out_shape=S((20, 128), F)), [X20]),
    "partial_elementwise_int": (triple, dict(grid=(3,), in_specs=[B((8, 128), row)], out_specs=B((8, 128), row),
        out_shape=S((20, 128), I32)), [X20.astype(np.int32)]),
    "prefetch_past_the_end": (double_buffer(True), dict(in_specs=[ANY], out_shape=S((32, 128), F), scratch_shapes=[
        pltpu.VMEM((2, 8, 128), F), pltpu.SemaphoreType.DMA((2,))]), [X32]),
    "prefetch_guarded": (double_buffer(False), dict(in_specs=[ANY], out_shape=S((32, 128), F), scratch_shapes=[
        pltpu.VMEM((2, 8, 128), F), pltpu.SemaphoreType.DMA((2,))]), [X32]),
    "revisit": (revisit, dict(grid=(4, 2), in_specs=[B((1, 8, 128), lambda q, i: (q, i, 0))],
        out_specs=B((8, 128), lambda q, i: (i, 0)), out_shape=S((16, 128), F)), [numbers(4, 16, 128)]),
    "revisit_ok": (revisit_ok, dict(grid=(2, 4), in_specs=[B((1, 8, 128), lambda i, q: (q, i, 0))],
        out_specs=B((8, 128), lambda i, q: (i, 0)), out_shape=S((16, 128), F)), [numbers(4, 16, 128)]),
    "block_out_of_range": (plus, dict(grid=(2, 2), in_specs=[B((8, 128), lambda i, j: (i, j)),
        B((1, 128), lambda i, j: (1, j))], out_specs=B((8, 128), lambda i, j: (i, j)), out_shape=S((16, 256), F)),
        [numbers(16, 256), numbers(1, 256)]),
    "half_written": (half, dict(grid=(2,), in_specs=[B((8, 128), row)], out_specs=B((8, 128), row),
        out_shape=S((16, 128), F)), [X16]),
    "uninitialised": (uninitialised, dict(grid=(2,), in_specs=[B((8, 128), row)],
        out_specs=B((8, 128), lambda i: (0, 0)), out_shape=S((8, 128), F),
        scratch_shapes=[pltpu.VMEM((8, 128), F)]), [X16]),
    "uninitialised_int": (uninitialised, dict(grid=(2,), in_specs=[B((8, 128), row)],
        out_specs=B((8, 128), lambda i: (0, 0)), out_shape=S((8, 128), I32),
        scratch_shapes=[pltpu.VMEM((8, 128), I32)]),
        [X16.astype(np.int32)]),
    "partial_sum": (tail_sum, dict(grid=(2,), in_specs=[B((8, 128), row)], out_specs=B((1, 128), lambda i: (0, 0)),
        out_shape=S((1, 128), F)), [numbers(12, 128)]),
    "partial_sum_int": (tail_sum, dict(grid=(2,), in_specs=[B((8, 128), row)],
        out_specs=B((1, 128), lambda i: (0, 0)), out_shape=S((1, 128), I32)), [numbers(12, 128, dtype=np.int32)]),
    "read_too_early": (read_too_early, dict(in_specs=[ANY], out_shape=S((8, 128), F), scratch_shapes=DMA), [X8]),
    "overwrite_too_early": (overwrite_too_early, dict(in_specs=[ANY], out_specs=ANY, out_shape=S((8, 128), F),
        scratch_shapes=DMA), [X8]),
    "dead_wait": (dead_wait, dict(in_specs=[ANY], out_shape=S((8, 128), F), scratch_shapes=DMA), [X8]),
    "never_waited": (never_waited, dict(in_specs=[ANY], out_shape=S((8, 128), F), scratch_shapes=DMA), [X8]),
    "signals_left_over": (signals, dict(out_shape=S((8, 128), I32), scratch_shapes=[pltpu.SemaphoreType.REGULAR]),
        [X8.astype(np.int32)]),
    "signals_dead": (signals_dead, dict(out_shape=S((8, 128), F), scratch_shapes=[pltpu.SemaphoreType.REGULAR]), [X8]),
    "scalar_index_past": (scalar_index, dict(in_specs=[B(memory_space=pltpu.SMEM), B()], out_shape=S((8, 128), F)),
        [np.array([9], np.int32), X8]),
    "slice_past": (slice_past, dict(grid=(1,), in_specs=[B((8, 128), row)], out_specs=B((8, 128), row),
        out_shape=S((8, 128), F)), [X8]),
    "aliased": (increment, dict(grid=(3,), in_specs=[B((8, 128), lambda i: (0, 0))],
        out_specs=B((8, 128), lambda i: (0, 0)), out_shape=S((8, 128), F), input_output_aliases={0: 0}), [X8]),
    "aliased_in_part": (half, dict(in_specs=[B((8, 128), lambda: (0, 0))], out_specs=B((8, 128), lambda: (0, 0)),
        out_shape=S((8, 128), F), input_output_aliases={0: 0}), [X8]),
    "gather_rows": (gather_rows, dict(grid_spec=pltpu.PrefetchScalarGridSpec(num_scalar_prefetch=1, grid=(4,),
        in_specs=[B((None, 8, 128), lambda i, t: (t[i], 0, 0))], out_specs=B((None, 8, 128), lambda i, t: (i, 0, 0))),
        out_shape=S((4, 8, 128), F)), [np.array([3, 0, 5, 3], np.int32), numbers(6, 8, 128)]),
    "gather_rows_past": (gather_rows, dict(grid_spec=pltpu.PrefetchScalarGridSpec(num_scalar_prefetch=1, grid=(4,),
        in_specs=[B((None, 8, 128), lambda i, t: (t[i], 0, 0))], out_specs=B((None, 8, 128), lambda i, t: (i, 0, 0))),
        out_shape=S((4, 8, 128), F)), [np.array([3, 0, 7, 3], np.int32), numbers(6, 8, 128)]),
    "scoped": (scoped, dict(in_specs=[ANY], out_shape=S((8, 128), F)), [X8]),
    "broken_promise": (promise, dict(grid=(2,), in_specs=[B((16, 128), lambda i: (0, 0))], out_specs=B((8, 128), row),
        out_shape=S((16, 128), F)), [X16]),
    "smem_table": (smem_table, dict(out_shape=S((8, 128), I32), scratch_shapes=[pltpu.SMEM((1, 2), I32)]),
        [X8.astype(np.int32)]),
    "strided": (strided, dict(out_shape=S((8, 128), F)), [X8]),
    "grid_marks": (grid_marks, dict(grid=(2, 3), in_specs=[], out_specs=B((8, 128), lambda i, j: (i, j)),
        out_shape=S((16, 384), I32)), []),
    "rank3": (rank3, dict(grid=(4,), in_specs=[B((2, 8, 128), lambda i: (0, 0, 0))], out_specs=B((8, 128), row),
        out_shape=S((32, 128), F)), [numbers(2, 8, 128)]),
    "element_windows": (triple, dict(grid=(3,), in_specs=[B((pl.Element(8), pl.Element(128)), lambda i: (i * 4, 0))],
        out_specs=B((8, 128), row), out_shape=S((24, 128), F)), [X16]),
    "endless": (endless, dict(out_shape=S((8, 128), F)), [X8]),
    "masked": (masked, dict(out_shape=S((8, 128), F)), [X8]),
}  # fmt: skip
NOT_RUN = {"endless", "dead_wait", "signals_dead"}  # would not end under JAX, or need a semaphore it lacks


def dims(block: Any) -> Any:
    if block is None:
        return None
    found: list[Any] = []
    for dim in block:
        match dim:
            case Blocked(size):
                found.append(size)
            case Element(size, padding):
                found.append({"element": size, "padding": list(padding)})
            case _:
                found.append(None)
    return found


def ref(aval: Any) -> dict[str, Any]:
    return {"shape": list(aval.shape), "dtype": aval.dtype.name, "space": aval.space.value}


def describe(call: KernelCall) -> dict[str, Any]:
    return {
        "grid": list(call.grid),
        "body": print_jaxpr(call.body),
        "operands": [
            {
                "name": o.name, "role": o.role.value, "shape": list(o.array.shape), "dtype": o.array.dtype.name,
                "ref": ref(o.ref), "block": dims(o.block),
                "index_map": None if o.index_map is None else print_jaxpr(o.index_map),
            }
            for o in call.operands
        ],
        "scratch": [{"name": s.name, "ref": ref(s.ref)} for s in call.scratch],
        "aliases": [list(pair) for pair in call.aliases],
    }  # fmt: skip


def kernels() -> list[dict[str, Any]]:
    found = []
    for name, (kernel, options, args) in KERNELS.items():
        (call,) = kernel_calls(pl.pallas_call(kernel, **options), args)
        entry = {"name": name, **describe(call), "args": list(map(array, args)), "interpret": None}
        if name not in NOT_RUN and not name.startswith("signals"):
            out = pl.pallas_call(kernel, interpret=True, **options)(*args)
            outs = out if isinstance(out, (tuple, list)) else [out]
            entry["interpret"] = list(map(array, outs))
        assert [o for o in call.operands if o.role is Role.OUTPUT]
        found.append(entry)
    return found


def main() -> None:
    HERE.mkdir(exist_ok=True)
    for name, entries in (("primitives", primitives()), ("kernels", kernels())):
        lines = ",\n".join(json.dumps(entry) for entry in entries)
        text = f'{{"versions": {json.dumps(VERSIONS)}, "entries": [\n{lines}\n]}}\n'
        (HERE / f"{name}.json").write_text(text)
        print(name, len(entries), len(text))


if __name__ == "__main__":
    main()
