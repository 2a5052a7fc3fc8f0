"""The functions, dtypes, methods and operators that a spec's `reference` may use: textbook NumPy, nothing of ours.

Every function that makes an array asks `room` first, so that no expression takes more memory than the budget.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from pipeline.dtypes import BY_NAME
from pipeline.simulate.numerics.dtypes import is_narrow, numpy_dtype
from pipeline.simulate.numerics.special import erf

Array = Any
MAX_ELEMENTS = 1 << 27  # of one array (1 GiB in f64)


class TooLarge(Exception):
    """An array past MAX_ELEMENTS; carries its shape."""


class Rounding:
    """A dtype named in a reference: `astype` rounds to it and computes on in it; bf16 and fp8 in f32."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.dtype = BY_NAME[name]

    def cast(self, x: Array) -> Array:
        own = numpy_dtype(self.dtype)
        if is_narrow(self.dtype):
            return np.asarray(x).astype(np.float32).astype(own).astype(np.float32)
        if self.dtype.bits < 8 and self.dtype.is_integer:
            return np.asarray(x).astype(own).astype(np.int64)
        return np.asarray(x).astype(own)


def room(shape: Any) -> tuple[int, ...]:
    """`shape` as a tuple of ints; TooLarge past the budget."""
    sizes = tuple(int(n) for n in (shape if isinstance(shape, tuple) else (shape,)))
    if math.prod(max(n, 0) for n in sizes) > MAX_ELEMENTS:
        raise TooLarge(sizes)
    return sizes


def broadcast_room(*xs: Array) -> None:
    """Check the size that operands broadcast to."""
    room(np.broadcast_shapes(*(np.shape(x) for x in xs)))


def elementwise(function: Callable[..., Any], operands: int) -> Callable[..., Any]:
    """A function of so many operands that broadcast."""

    def checked(*xs: Array) -> Array:
        if len(xs) != operands:
            raise TypeError(f"it takes {operands} operands, {len(xs)} are given")
        broadcast_room(*xs)
        return function(*xs)

    return checked


def reducer(function: Callable[..., Any]) -> Callable[..., Any]:
    def reduce(x: Array, axis: Any = None, keepdims: bool = False) -> Array:
        return function(np.asarray(x), axis=axis, keepdims=bool(keepdims))

    return reduce


def _indexer(function: Callable[..., Any]) -> Callable[..., Any]:
    def find(x: Array, axis: Any = None) -> Array:
        return function(np.asarray(x), axis=axis)

    return find


def _scan(function: Callable[..., Any]) -> Callable[..., Any]:
    def scan(x: Array, axis: int | None = None) -> Array:
        return function(np.asarray(x), axis=axis)

    return scan


def _softmax(x: Array, axis: Any = -1) -> Array:
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


def _log_softmax(x: Array, axis: Any = -1) -> Array:
    shifted = x - np.max(x, axis=axis, keepdims=True)
    return shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True))


def _logsumexp(x: Array, axis: Any = None, keepdims: bool = False) -> Array:
    top = np.max(x, axis=axis, keepdims=True)
    total = np.log(np.sum(np.exp(x - top), axis=axis, keepdims=True)) + top
    return total if keepdims else np.squeeze(total, axis=axis)


def _sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def _gelu(x: Array, approximate: bool = True) -> Array:
    if approximate:
        return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + erf(np.asarray(x / math.sqrt(2))))


def _where(condition: Array, x: Array, y: Array) -> Array:
    broadcast_room(condition, x, y)
    return np.where(condition, x, y)


def _clip(x: Array, low: Array, high: Array) -> Array:
    broadcast_room(x, low, high)
    return np.minimum(np.maximum(x, low), high)


def _arange(*bounds: int) -> Array:
    room(len(range(*(int(b) for b in bounds))))
    return np.arange(*(int(b) for b in bounds))


def _full(shape: Any, value: Any) -> Array:
    return np.full(room(shape), value)


def _zeros(shape: Any) -> Array:
    return np.zeros(room(shape))


def _ones(shape: Any) -> Array:
    return np.ones(room(shape))


def _matmul(x: Array, y: Array) -> Array:
    x, y = np.asarray(x), np.asarray(y)
    if x.ndim >= 2 and y.ndim >= 2:
        room((*np.broadcast_shapes(x.shape[:-2], y.shape[:-2]), x.shape[-2], y.shape[-1]))
    return np.matmul(x, y)


def _einsum(subscripts: str, *xs: Array) -> Array:
    if not isinstance(subscripts, str) or "." in subscripts:
        raise TypeError("its subscripts are a text without an ellipsis, such as 'ij,jk->ik'")
    sizes: dict[str, int] = {}
    left, arrow, right = subscripts.replace(" ", "").partition("->")
    for term, x in zip(left.split(","), xs, strict=True):
        for letter, n in zip(term, np.shape(x), strict=True):
            sizes[letter] = max(n, sizes.get(letter, 1))
    free = right if arrow else "".join(sorted(c for c in set(left) - {","} if left.count(c) == 1))
    room(tuple(sizes[c] for c in free))
    if math.prod(sizes.values()) > 1 << 37:
        raise TooLarge(tuple(sizes.values()))
    return np.einsum(subscripts, *xs, optimize=len(xs) > 1)


def _outer(x: Array, y: Array) -> Array:
    room((np.size(x), np.size(y)))
    return np.outer(x, y)


def _concatenate(xs: tuple[Array, ...], axis: int = 0) -> Array:
    room(sum(np.size(x) for x in xs))
    return np.concatenate(xs, axis)


def _stack(xs: tuple[Array, ...], axis: int = 0) -> Array:
    room(sum(np.size(x) for x in xs))
    return np.stack(xs, axis)


def _take(x: Array, indices: Array, axis: int = 0) -> Array:
    x = np.asarray(x)
    room(np.size(indices) * x.size // max(1, x.shape[axis]))
    return np.take(x, np.asarray(indices).astype(np.int64), axis=axis)


def _take_along_axis(x: Array, indices: Array, axis: int) -> Array:
    return np.take_along_axis(np.asarray(x), np.asarray(indices).astype(np.int64), axis)


def _one_hot(x: Array, classes: int) -> Array:
    room((*np.shape(x), classes))
    return (np.asarray(x)[..., None] == np.arange(classes)).astype(np.float64)


def _repeat(x: Array, repeats: int, axis: int) -> Array:
    room(np.size(x) * int(repeats))
    return np.repeat(x, int(repeats), axis)


def _tile(x: Array, reps: Any) -> Array:
    room(np.size(x) * math.prod(reps if isinstance(reps, tuple) else (reps,)))
    return np.tile(x, reps)


def _broadcast_to(x: Array, shape: Any) -> Array:
    return np.broadcast_to(x, room(shape))


def _reshape(x: Array, *shape: Any) -> Array:
    return np.reshape(x, shape[0] if len(shape) == 1 else shape)


def _transpose(x: Array, *axes: Any) -> Array:
    order = axes[0] if len(axes) == 1 else axes
    return np.transpose(x, order or None)


def _mean(x: Array, axis: Any = None, keepdims: bool = False) -> Array:
    return np.mean(np.asarray(x), axis=axis, keepdims=bool(keepdims))


def _var(x: Array, axis: Any = None, keepdims: bool = False) -> Array:
    return np.var(np.asarray(x), axis=axis, keepdims=bool(keepdims))


def _astype(x: Array, dtype: Any) -> Array:
    if not isinstance(dtype, Rounding):
        raise TypeError("astype takes a dtype such as float32")
    return dtype.cast(x)


def _logical_right_shift(x: Array, by: Array) -> Array:
    return np.asarray(x).astype(np.uint32) >> np.asarray(by).astype(np.uint32)


_UNARY: dict[str, Callable[..., Any]] = {
    "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1, "log": np.log, "log2": np.log2, "log1p": np.log1p,
    "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x), "square": np.square, "abs": np.abs, "sign": np.sign,
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "tanh": np.tanh, "sigmoid": _sigmoid,
    "erf": lambda x: erf(np.asarray(x)),
    "relu": lambda x: np.maximum(x, 0), "silu": lambda x: x * _sigmoid(x), "floor": np.floor, "ceil": np.ceil,
    "round": np.rint, "rint": np.rint, "isnan": np.isnan, "isfinite": np.isfinite, "isinf": np.isinf,
    "logical_not": np.logical_not, "reciprocal": lambda x: 1 / x, "softplus": lambda x: np.logaddexp(x, 0),
}  # fmt: skip
_BINARY: dict[str, Callable[..., Any]] = {
    "maximum": np.maximum, "minimum": np.minimum, "power": np.power, "arctan2": np.arctan2,
    "logical_and": np.logical_and, "logical_or": np.logical_or, "logical_xor": np.logical_xor,
    "floor_divide": np.floor_divide, "mod": np.mod, "remainder": np.mod, "fmod": np.fmod,
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide,
    "shift_right_logical": _logical_right_shift,
}  # fmt: skip

FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: elementwise(function, 1) for name, function in _UNARY.items()},
    **{name: elementwise(function, 2) for name, function in _BINARY.items()},
    "sum": reducer(np.sum), "max": reducer(np.max), "min": reducer(np.min), "prod": reducer(np.prod),
    "any": reducer(np.any), "all": reducer(np.all), "mean": _mean, "var": _var,
    "std": lambda x, axis=None, keepdims=False: np.sqrt(_var(x, axis, keepdims)),
    "argmax": _indexer(np.argmax), "argmin": _indexer(np.argmin),
    "cumsum": _scan(np.cumsum), "cumprod": _scan(np.cumprod),
    "sort": lambda x, axis=-1: np.sort(x, axis), "argsort": lambda x, axis=-1: np.argsort(x, axis, kind="stable"),
    "flip": lambda x, axis=None: np.flip(x, axis),
    "roll": lambda x, shift, axis=None: np.roll(x, shift, axis),
    "softmax": _softmax, "log_softmax": _log_softmax, "logsumexp": _logsumexp, "gelu": _gelu,
    "where": _where, "clip": _clip, "arange": _arange, "full": _full, "zeros": _zeros, "ones": _ones,
    "zeros_like": lambda x: np.zeros(np.shape(x)), "ones_like": lambda x: np.ones(np.shape(x)),
    "full_like": lambda x, value: np.full(np.shape(x), value),
    "eye": lambda n, m=None: np.eye(room((n, n if m is None else m))[0], m),
    "matmul": _matmul, "dot": _matmul, "einsum": _einsum, "outer": _outer,
    "transpose": _transpose, "swapaxes": lambda x, a, b: np.swapaxes(x, a, b),
    "moveaxis": lambda x, a, b: np.moveaxis(x, a, b),
    "reshape": _reshape, "squeeze": lambda x, axis=None: np.squeeze(x, axis),
    "expand_dims": lambda x, axis: np.expand_dims(x, axis), "broadcast_to": _broadcast_to,
    "concatenate": _concatenate, "stack": _stack, "repeat": _repeat, "tile": _tile,
    "take": _take, "take_along_axis": _take_along_axis, "one_hot": _one_hot,
    "tril": lambda x, k=0: np.tril(x, k), "triu": lambda x, k=0: np.triu(x, k), "astype": _astype,
}  # fmt: skip

CONSTANTS: dict[str, Any] = {
    "pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan, "newaxis": None,
    **{dtype.name: Rounding(dtype.name) for dtype in BY_NAME.values() if not dtype.is_semaphore},
}  # fmt: skip
MODULES = frozenset({"np", "jnp", "numpy", "lax", "nn"})

METHODS: dict[str, Callable[..., Any]] = {
    name: FUNCTIONS[name]
    for name in (
        "sum", "max", "min", "prod", "any", "all", "mean", "var", "std", "argmax", "argmin", "cumsum", "cumprod",
        "reshape", "transpose", "swapaxes", "squeeze", "astype", "clip", "dot", "repeat", "round", "take",
    )
}  # fmt: skip
PROPERTIES: dict[str, Callable[[Array], Any]] = {
    "T": np.transpose,
    "mT": lambda x: np.swapaxes(x, -1, -2),
    "shape": np.shape,
    "ndim": np.ndim,
    "size": np.size,
}
