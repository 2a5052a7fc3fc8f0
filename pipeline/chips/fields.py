"""The facts a chip profile may state: unit, range and whether a chip can do without. The table is the grammar."""

from __future__ import annotations

from typing import NamedTuple

# unit -> (dimension, factor to the dimension's base unit)
UNITS: dict[str, tuple[str, float]] = {
    "count": ("count", 1),
    "cycles": ("cycles", 1),
    "B": ("bytes", 1),
    "KiB": ("bytes", 2**10),
    "MiB": ("bytes", 2**20),
    "GiB": ("bytes", 2**30),
    "kB": ("bytes", 1e3),
    "MB": ("bytes", 1e6),
    "GB": ("bytes", 1e9),
    "Hz": ("frequency", 1),
    "MHz": ("frequency", 1e6),
    "GHz": ("frequency", 1e9),
    "B/s": ("bandwidth", 1),
    "GB/s": ("bandwidth", 1e9),
    "GiB/s": ("bandwidth", 2**30),
    "TB/s": ("bandwidth", 1e12),
    "ops/s": ("throughput", 1),
    "Gops/s": ("throughput", 1e9),
    "Tops/s": ("throughput", 1e12),
}


class Field(NamedTuple):
    """What one fact may be. `dimension`: one of `UNITS`, "text" or "dtypes" or "names"; `low`..`high` in base units."""

    dimension: str
    low: float = 0
    high: float = 0
    required: bool = False
    whole: bool = True


def _count(low: int, high: int, required: bool = False) -> Field:
    return Field("count", low, high, required)


def _cycles(high: int = 10**6, whole: bool = True) -> Field:
    return Field("cycles", 0, high, False, whole)


def _bytes(high: int, required: bool = False) -> Field:
    return Field("bytes", 0, high, required)


_SLOT = _count(0, 64)
_DTYPES = Field("dtypes")

FIELDS: dict[str, dict[str, Field]] = {
    "core": {
        "device_kind": Field("text"),
        "generation": _count(1, 1000, True),
        "cores": _count(1, 4096, True),
        "cores_per_device": _count(1, 4096),
        "clock": Field("frequency", 1e6, 1e11, False, False),
    },
    "vector": {
        "lanes": _count(1, 4096, True),
        "sublanes": _count(1, 256, True),
        "registers": _count(1, 65536),
        "masks": _count(1, 65536),
    },
    "matrix": {
        "count": _count(0, 4096, True),
        "size": _count(0, 65536, True),
        "accumulators": _count(0, 65536),
        "staged_weights": _count(1, 64),
    },
    "rows_per_cycle": {
        "float32": _count(1, 1024),
        "bfloat16": _count(1, 1024),
        "int8": _count(1, 1024),
        "int4": _count(1, 1024),
        "float8": _count(1, 1024),
    },
    "memory": {
        "vmem": _bytes(2**40, True),
        "vmem_default_limit": _bytes(2**40, True),
        "word": _bytes(2**20),
        "internal_scratch": _bytes(2**30),
        "smem": _bytes(2**40, True),
        "smem_reserved": _bytes(2**30),
        "semaphores": _bytes(2**30, True),
        "semaphores_reserved": _bytes(2**30),
        "hbm": _bytes(2**50, True),
        "hbm_available": _bytes(2**50),
        "hbm_bandwidth": Field("bandwidth", 1e6, 1e16, False, False),
        "dma_latency": _cycles(),
        "inputs_kept": _bytes(2**40),
    },
    "peak": {
        name: Field("throughput", 1e6, 1e20, False, False) for name in ("float32", "bfloat16", "int8", "int4", "float8")
    },
    "slots": {
        "mxu": _SLOT,
        "xlu": _SLOT,
        "valu": _SLOT,
        "vpop": _SLOT,
        "eup": _SLOT,
        "vload": _SLOT,
        "vstore": _SLOT,
        "vload_vstore": _SLOT,
        "valu_add": _SLOT,
        "valu_mul": _SLOT,
        "salu": _SLOT,
        "extended": _SLOT,
    },
    "cycles": {
        name: _cycles()
        for name in (
            "float_op",
            "int_op",
            "select",
            "load",
            "byte_pack",
            "byte_pack_latency",
            "byte_unpack",
            "byte_unpack_latency",
            "dma_wait",
            "transcendental",
            "transcendental_packed",
            "transcendental_op",
            "transcendental_packed_op",
            "lane_reduce",
            "lane_rotate",
            "lane_permute",
            "transpose",
            "transpose_packed",
            "transpose_bytes",
            "xlu_op",
            "xlu_reduce_to_permute",
            "xlu_permute_to_reduce",
            "matmul_result",
            "matmul_result_int8",
            "matmul_result_float8",
            "matmul_pop",
            "matmul_pop_int8",
            "matmul_pop_float8",
            "mxu_push",
            "mxu_push_wide",
            "mxu_transposed_push",
            "matmul_fill",
            "matmul_transposed_fill",
            "scalar_predicate",
            "scalar_load",
            "scalar_multiply",
            "branch_delay",
            "vector_to_scalar",
            "hbm_pointer",
            "vmem_pointer",
            "hbm_unpack",
            "vmem_unpack",
            "semaphore_read",
            "core_choice",
            "core_check",
        )
    },
    "overhead": {"loads_per_window": _cycles(whole=False), "copy_tiles": _count(1, 4096)},
    "dtypes": {
        "vector": _DTYPES,
        "transcendental": _DTYPES,
        "arithmetic": _DTYPES,
        "comparison": _DTYPES,
        "equality": _DTYPES,
        "reduction": _DTYPES,
        "memory": _DTYPES,
    },
}
