"""The traced program: `Var`, `Literal`, `Eqn`, `Jaxpr`. Data without behaviour; printing is `jaxpr_text.py`.

The IR follows JAX's jaxprs: the same primitives with the same parameters, refs as binders, nested jaxprs
in the params of `cond`, `scan`, `while`, `jit` and `run_scoped`. It names no chip.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Union

from pipeline.dtypes import DType
from pipeline.errors import NOWHERE, Span


class MemorySpace(Enum):
    """Where a ref lives, as the kernel's author names it; DEFAULT leaves the choice to the target."""

    DEFAULT = "default"
    ANY = "any"
    HBM = "hbm"
    VMEM = "vmem"
    SMEM = "smem"
    SEMAPHORE = "semaphore_mem"


@dataclass(frozen=True, slots=True)
class ShapedArray:
    """Shape and dtype of a value. `weak_type` marks a Python scalar's dtype, which yields to any other."""

    shape: tuple[int, ...]
    dtype: DType
    weak_type: bool = False

    @property
    def size(self) -> int:
        total = 1
        for n in self.shape:
            total *= n
        return total

    def __str__(self) -> str:
        return f"{self.dtype.short}[{','.join(map(str, self.shape))}]"


@dataclass(frozen=True, slots=True)
class RefAval:
    """Aval of a ref: a mutable view of `inner` in `space`."""

    inner: ShapedArray
    space: MemorySpace = MemorySpace.DEFAULT

    @property
    def shape(self) -> tuple[int, ...]:
        return self.inner.shape

    @property
    def dtype(self) -> DType:
        return self.inner.dtype

    def __str__(self) -> str:
        return f"Ref<{self.space.value}>{{{self.inner}}}"


Aval = Union[ShapedArray, RefAval]


@dataclass(frozen=True, slots=True, eq=False)
class Var:
    """A binder. Compared by identity; the printer gives it a name."""

    aval: Aval


@dataclass(frozen=True, slots=True)
class Literal:
    """A scalar constant: a Python bool, int or float that `aval.dtype` can hold exactly.

    A float is stored as the double of the rounded value (0.1 in f32 is 0.10000000149011612), as JAX prints it.
    """

    value: bool | int | float
    aval: ShapedArray

    def __eq__(self, other: object) -> bool:
        # repr tells -0.0 from 0.0 and holds for nan
        return isinstance(other, Literal) and self.aval == other.aval and repr(self.value) == repr(other.value)

    def __hash__(self) -> int:
        return hash((repr(self.value), self.aval))


Atom = Union[Var, Literal]


@dataclass(frozen=True, slots=True)
class Arg:
    """In a param: stands for `eqn.inputs[position]`, a dynamic scalar index or slice start."""

    position: int


Index = Union[int, Arg, "Slice"]


@dataclass(frozen=True, slots=True)
class Slice:
    """`pl.ds(start, size, stride)` along one dimension. A dynamic `size` is an Arg too."""

    start: int | Arg
    size: int | Arg
    stride: int = 1


@dataclass(frozen=True, slots=True)
class NDIndexer:
    """One indexing step applied to a ref: an entry for each dimension of the ref it is applied to.

    An int or Arg entry drops its dimension; a `Slice` keeps it. JAX's `...` and `:` are full slices.
    Integer-array indexers (an Arg whose input has a shape) broadcast as in NumPy.
    """

    indices: tuple[Index, ...]


@dataclass(frozen=True, slots=True)
class RefReshape:
    """`ref.reshape(shape)`."""

    shape: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RefBitcast:
    """`ref.bitcast(dtype)`: the second-minor dimension scales by the ratio of the widths."""

    dtype: DType
    shape: tuple[int, ...]


Transform = Union[NDIndexer, RefReshape, RefBitcast]
Transforms = tuple[Transform, ...]


class Prim(Enum):
    """Primitives, by JAX's names; params are JAX's too, less those of sharding and of jit's internals.

    Where JAX flattens a tree into operands, the operands and params here are:

    get            (ref, *dynamic)                      transforms
    swap           (ref, value, *dynamic)               transforms; the result is the old value
    addupdate      (ref, value, *dynamic)               transforms; no result
    masked_load    (ref, mask, other, *dynamic)         transforms, has_mask, has_other (absent operands left out)
    masked_swap    (ref, value, mask, *dynamic)         transforms, has_mask
    dma_start      (src, dst, semaphore, *dynamic)      src_transforms, dst_transforms, semaphore_transforms, priority
    dma_wait       (src, dst, semaphore, *dynamic)      the same, without priority
    semaphore_*    (semaphore, *[value], *dynamic)      transforms
    cond           (index, *operands)                   branches: jaxprs; branch 0 is the false one
    scan           (*consts, *carry)                    jaxpr, length, num_carry, num_consts, reverse, unroll
                   the body's binders are consts then carry; a `fori_loop` carries its i32 counter first
    while          (*cond_consts, *body_consts, *carry) cond_jaxpr, cond_nconsts, body_jaxpr, body_nconsts
    jit            (*operands)                          name, jaxpr
    custom_jvp_call (*operands)                         call_jaxpr; likewise custom_vjp_call
    run_scoped     (*consts)                            jaxpr: binders are the scoped refs, then the consts
    debug_print    (*operands)                          fmt
    check          (failed, code)                       debug, message; JAX keeps the message out of sight

    Enum params (`precision`, a gather's `mode`) are the member's name as a str; `dimension_numbers` of a gather is a
    tuple of (field, value). `accuracy`, `sharding`, `out_sharding` and mul's `out_dtype` are left out.
    A literal scalar index is an int, never an Arg that points at a Literal.

    Each `transforms` param is a tuple of `Transform`; its `Arg(i)` means `inputs[i]` of the equation, so that
    substituting an input never touches a param.
    """

    __hash__ = object.__hash__  # Enum's own, of the name, is a call of Python in each look-up in a table

    # memory
    GET = "get"
    SWAP = "swap"
    ADDUPDATE = "addupdate"
    MASKED_LOAD = "masked_load"
    MASKED_SWAP = "masked_swap"
    # grid
    PROGRAM_ID = "program_id"
    NUM_PROGRAMS = "num_programs"
    # elementwise, one operand
    NEG = "neg"
    SIGN = "sign"
    FLOOR = "floor"
    CEIL = "ceil"
    ROUND = "round"
    EXP = "exp"
    EXP2 = "exp2"
    EXPM1 = "expm1"
    LOG = "log"
    LOG1P = "log1p"
    SIN = "sin"
    COS = "cos"
    TAN = "tan"
    TANH = "tanh"
    LOGISTIC = "logistic"
    ERF = "erf"
    ERF_INV = "erf_inv"
    RSQRT = "rsqrt"
    SQRT = "sqrt"
    CBRT = "cbrt"
    SQUARE = "square"
    ABS = "abs"
    NOT = "not"
    POPULATION_COUNT = "population_count"
    CLZ = "clz"
    IS_FINITE = "is_finite"
    INTEGER_POW = "integer_pow"
    CONVERT_ELEMENT_TYPE = "convert_element_type"
    BITCAST_CONVERT_TYPE = "bitcast_convert_type"
    BITCAST = "bitcast"
    PACK_ELEMENTWISE = "pack_elementwise"
    UNPACK_ELEMENTWISE = "unpack_elementwise"
    RECIPROCAL = "reciprocal"
    REDUCE_PRECISION = "reduce_precision"
    STOP_GRADIENT = "stop_gradient"
    # elementwise, two or more
    ADD = "add"
    SUB = "sub"
    MUL = "mul"
    DIV = "div"
    REM = "rem"
    POW = "pow"
    ATAN2 = "atan2"
    NEXTAFTER = "nextafter"
    MAX = "max"
    MIN = "min"
    AND = "and"
    OR = "or"
    XOR = "xor"
    SHIFT_LEFT = "shift_left"
    SHIFT_RIGHT_ARITHMETIC = "shift_right_arithmetic"
    SHIFT_RIGHT_LOGICAL = "shift_right_logical"
    EQ = "eq"
    NE = "ne"
    LT = "lt"
    LE = "le"
    GT = "gt"
    GE = "ge"
    SELECT_N = "select_n"
    CLAMP = "clamp"
    # reductions
    REDUCE_SUM = "reduce_sum"
    REDUCE_MAX = "reduce_max"
    REDUCE_MIN = "reduce_min"
    REDUCE_PROD = "reduce_prod"
    REDUCE_AND = "reduce_and"
    REDUCE_OR = "reduce_or"
    ARGMAX = "argmax"
    ARGMIN = "argmin"
    CUMSUM = "cumsum"
    CUMPROD = "cumprod"
    CUMMAX = "cummax"
    CUMMIN = "cummin"
    # shape
    BROADCAST_IN_DIM = "broadcast_in_dim"
    RESHAPE = "reshape"
    SQUEEZE = "squeeze"
    EXPAND_DIMS = "expand_dims"
    TRANSPOSE = "transpose"
    CONCATENATE = "concatenate"
    SLICE = "slice"
    DYNAMIC_SLICE = "dynamic_slice"
    DYNAMIC_UPDATE_SLICE = "dynamic_update_slice"
    PAD = "pad"
    REV = "rev"
    GATHER = "gather"
    SORT = "sort"
    IOTA = "iota"
    TILE = "tile"
    ROLL = "roll"
    SPLIT = "split"
    STACK = "stack"
    # contraction
    DOT_GENERAL = "dot_general"
    # control
    COND = "cond"
    WHILE = "while"
    SCAN = "scan"
    JIT = "jit"
    CUSTOM_JVP_CALL = "custom_jvp_call"
    CUSTOM_VJP_CALL = "custom_vjp_call"
    RUN_SCOPED = "run_scoped"
    # async copies and semaphores
    DMA_START = "dma_start"
    DMA_WAIT = "dma_wait"
    SEMAPHORE_SIGNAL = "semaphore_signal"
    SEMAPHORE_WAIT = "semaphore_wait"
    SEMAPHORE_READ = "semaphore_read"
    # hints and debugging
    MULTIPLE_OF = "multiple_of"
    DEBUG_PRINT = "debug_print"
    CHECK = "check"


Param = Union[None, bool, int, float, str, DType, MemorySpace, "Jaxpr", Transforms, tuple["Param", ...]]


@dataclass(frozen=True, slots=True)
class Eqn:
    """One primitive applied. `params` are sorted by name; nested jaxprs are params.

    `scopes` are the named scopes around it (an einsum is one), outermost first: they become trace events on the chip.
    """

    prim: Prim
    inputs: tuple[Atom, ...]
    outputs: tuple[Var, ...]
    params: tuple[tuple[str, Param], ...] = ()
    span: Span = field(default=NOWHERE, compare=False)
    scopes: tuple[str, ...] = field(default=(), compare=False)

    def param(self, name: str) -> Param:
        """The param called `name`; an absent one is a bug of ours (KeyError)."""
        for key, value in self.params:
            if key == name:
                return value
        raise KeyError(f"{self.prim.value} has no param {name!r}")


@dataclass(frozen=True, slots=True)
class Jaxpr:
    """A closed program: binders, equations in order, results. There are no constvars."""

    invars: tuple[Var, ...]
    eqns: tuple[Eqn, ...]
    outvars: tuple[Atom, ...]
