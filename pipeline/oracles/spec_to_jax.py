"""A spec as the `pallas_call` a kernel author would write: its own source text, executed by Python and traced by JAX.

Executing a spec's source is what the tool never does; this is for tests, over specs of this repository.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from pipeline.dtypes import DMA_SEM, SEM, DType
from pipeline.ir.call import BlockDim, Blocked, Element, Role, Squeezed
from pipeline.ir.jaxpr import MemorySpace
from pipeline.spec.spec import Code, Spec, SpecOperand, SpecScratch


def spec_to_jax(spec: Spec, interpret: Any = False, params: Any = None) -> tuple[Callable[..., Any], list[Any]]:
    """The function that calls the kernel, and its arguments as ShapeDtypeStructs (dynamic grid bounds, scalar prefetch,
    inputs).

    `interpret` is `pallas_call`'s own; `params` are another backend's in place of the TPU's. A spec that holds a jaxpr
    is traced from the Python function it came from.
    Raises SpecError F100 to F111 where there is no such function.
    """
    if spec.kernel.is_jaxpr:
        return _imported(spec, interpret, params)
    import itertools
    from functools import partial

    import jax
    from jax._src import checkify
    from jax.experimental import pallas as pl
    from jax.experimental.pallas import tpu as pltpu

    namespace = _namespace(spec)
    exec(compile(spec.kernel.code.text, spec.kernel.code.origin.name, "exec"), namespace)
    kernel = namespace[spec.kernel.function]
    if spec.kernel.static_args:
        kernel = partial(kernel, **dict(spec.kernel.static_args))

    prefetch = [operand for operand in spec.operands if operand.role is Role.SCALAR_PREFETCH]
    inputs = [operand for operand in spec.operands if operand.role is Role.INPUT]
    outputs = [operand for operand in spec.operands if operand.role is Role.OUTPUT]
    window: dict[str, Any] = dict(
        num_scalar_prefetch=len(prefetch),
        in_specs=[_block_spec(operand, namespace) for operand in inputs],
        out_specs=[_block_spec(operand, namespace) for operand in outputs],
        scratch_shapes=[_scratch(scratch) for scratch in spec.scratch],
    )
    compiler: dict[str, Any] = {"dimension_semantics": spec.semantics, "vmem_limit_bytes": spec.vmem_limit_bytes}
    options: dict[str, Any] = dict(
        out_shape=[_struct(operand) for operand in outputs],
        name=spec.kernel.function,
        interpret=interpret,
        input_output_aliases=dict(spec.aliases),
        compiler_params=params if params is not None else pltpu.CompilerParams(**compiler),
    )
    count = len(spec.dynamic_grid)

    def call(*args: Any) -> Any:
        grid = list(spec.grid)
        for axis, bound in zip(spec.dynamic_grid, args[:count], strict=True):
            grid[axis] = bound
        checkify.next_code = itertools.count(1).__next__  # codes of checks count up through a process
        grid_spec = pltpu.PrefetchScalarGridSpec(grid=tuple(grid), **window)
        return pl.pallas_call(kernel, grid_spec=grid_spec, **options)(*args[count:])

    struct: Any = jax.ShapeDtypeStruct
    return call, [*[struct((), "int32")] * count, *(_struct(operand) for operand in prefetch + inputs)]


def _imported(spec: Spec, interpret: Any, own: Any) -> tuple[Callable[..., Any], list[Any]]:
    """The kernel's own call, out of the function that the spec was imported from."""
    import jax

    from pipeline.errors import SpecError
    from pipeline.frontend.python_function import traced_origin

    if spec.kernel.python is None:
        raise SpecError("F111", "the spec holds a jaxpr, and doesn't say by kernel.python which function it is from")
    _, eqn = traced_origin(spec.kernel.python, spec.folder)
    params = dict(eqn.params, interpret=interpret)  # whatever the user's code asked for
    if own is not None:
        params["compiler_params"] = own
    struct: Any = jax.ShapeDtypeStruct
    args = [struct(var.aval.shape, var.aval.dtype) for var in eqn.invars]
    return lambda *operands: eqn.primitive.bind(*operands, **params), args


def dynamic_bounds(spec: Spec) -> list[int] | None:
    """Steps of the dynamic grid axes in the spec's run; None where there are none."""
    return [spec.grid[axis] for axis in spec.dynamic_grid] or None


def _namespace(spec: Spec) -> dict[str, Any]:
    """The names that a kernel's source may use without importing them, and the spec's params."""
    import functools

    import jax
    import jax.numpy as jnp
    from jax import lax
    from jax.experimental import pallas as pl
    from jax.experimental.pallas import tpu as pltpu

    names = {"jax": jax, "jnp": jnp, "lax": lax, "pl": pl, "pltpu": pltpu, "math": math, "functools": functools}
    return {**names, **spec.params}


def _block_spec(operand: SpecOperand, namespace: dict[str, Any]) -> Any:
    from jax.experimental import pallas as pl
    from jax.experimental.pallas import tpu as pltpu

    space = {
        MemorySpace.DEFAULT: None,
        MemorySpace.ANY: pl.ANY,
        MemorySpace.HBM: pltpu.HBM,
        MemorySpace.VMEM: pltpu.VMEM,
        MemorySpace.SMEM: pltpu.SMEM,
        MemorySpace.SEMAPHORE: pltpu.SEMAPHORE,
    }[operand.space]
    extra: dict[str, Any] = {} if operand.buffer_count is None else {"pipeline_mode": pl.Buffered(operand.buffer_count)}
    if operand.block is None:
        return pl.BlockSpec(memory_space=space, **extra)
    zeros = (0,) * len(operand.block)
    index_map = (lambda *_: zeros) if operand.index_map is None else _evaluate(operand.index_map, namespace)
    return pl.BlockSpec(tuple(_block_dim(dim) for dim in operand.block), index_map, memory_space=space, **extra)


def _evaluate(code: Code, namespace: dict[str, Any]) -> Any:
    return eval(compile(code.text.strip(), code.origin.name, "eval"), namespace)


def _block_dim(dim: BlockDim) -> Any:
    from jax.experimental import pallas as pl

    match dim:
        case Blocked(size):
            return size
        case Squeezed():
            return None
        case Element(size, padding):
            return pl.Element(size, padding)


def _scratch(scratch: SpecScratch) -> Any:
    from jax.experimental.pallas import tpu as pltpu

    if scratch.dtype == DMA_SEM:
        return pltpu.SemaphoreType.DMA(scratch.shape)
    if scratch.dtype == SEM:
        return pltpu.SemaphoreType.REGULAR(scratch.shape)
    make = {MemorySpace.VMEM: pltpu.VMEM, MemorySpace.SMEM: pltpu.SMEM}[scratch.space]
    return make(scratch.shape, jax_dtype(scratch.dtype))


def _struct(operand: SpecOperand) -> Any:
    import jax

    struct: Any = jax.ShapeDtypeStruct  # untyped in JAX
    return struct(operand.shape, jax_dtype(operand.dtype))


def jax_dtype(dtype: DType) -> Any:
    """The scalar type of that name in `jax.numpy` (`bool` is `bool_` there)."""
    import jax.numpy as jnp

    return getattr(jnp, "bool_" if dtype.name == "bool" else dtype.name)
