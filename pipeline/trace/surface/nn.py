"""`jax.nn`: activations, as JAX expands them."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

from pipeline.dtypes import F32
from pipeline.ir.jaxpr import Prim
from pipeline.trace.builder import Builder, Tracer
from pipeline.trace.surface.common import (
    Function,
    as_dtype,
    axis_of,
    convert,
    functions,
    literal,
    operand,
    promote_inexact,
    refuse,
    static_int,
)
from pipeline.trace.surface.division import integer_pow
from pipeline.trace.surface.elementwise import jnp_binary, jnp_inexact
from pipeline.trace.surface.pieces import split
from pipeline.trace.surface.reduce import logsumexp, max_, sum_
from pipeline.trace.surface.select import where_call
from pipeline.trace.surface.special import custom_jvp, logaddexp

Fn = Callable[..., Tracer]
_add, _sub, _mul = jnp_binary(Prim.ADD), jnp_binary(Prim.SUB), jnp_binary(Prim.MUL)
_div, _max, _min = jnp_binary(Prim.DIV, inexact=True), jnp_binary(Prim.MAX), jnp_binary(Prim.MIN)
_gt, _lt, _ge = jnp_binary(Prim.GT), jnp_binary(Prim.LT), jnp_binary(Prim.GE)


def jitted(name: str, body: Fn) -> Fn:
    """A function of one array that JAX wraps into a jit of its name."""

    def jnp_fn(ctx: Builder, x: object) -> Tracer:
        (out,) = ctx.jit(name, lambda a: body(ctx, a), operand(ctx, x, f"jax.nn.{name}"))
        return out

    return jnp_fn


def _logistic(ctx: Builder, x: object) -> Tracer:
    return ctx.emit1(Prim.LOGISTIC, [ctx.asarray(x)])


def sigmoid(ctx: Builder, x: object) -> Tracer:
    return _logistic(ctx, operand(ctx, x, "jax.nn.sigmoid"))


def _softplus(ctx: Builder, x: Tracer) -> Tracer:
    return logaddexp(ctx, x, 0)


softplus = jitted("softplus", _softplus)
silu = jitted("silu", lambda ctx, x: _mul(ctx, x, _logistic(ctx, x)))


def _log_sigmoid(ctx: Builder, x: Tracer) -> Tracer:
    return ctx.emit1(Prim.NEG, [softplus(ctx, ctx.emit1(Prim.NEG, [x]))])


def _clipped(name: str, body: Fn) -> Fn:
    """relu and relu6: a jit inside a custom_jvp_call."""

    def jnp_fn(ctx: Builder, x: object) -> Tracer:
        value = ctx.asarray(operand(ctx, x, f"jax.nn.{name}"))
        return custom_jvp(ctx, lambda a: ctx.jit(name, lambda b: body(ctx, b), a)[0], value)

    return jnp_fn


relu = _clipped("relu", lambda ctx, x: _max(ctx, x, 0))
relu6 = _clipped("relu6", lambda ctx, x: _min(ctx, _max(ctx, x, 0), 6.0))
hard_sigmoid = jitted("hard_sigmoid", lambda ctx, x: _div(ctx, relu6(ctx, _add(ctx, x, 3.0)), 6.0))
hard_silu = jitted("hard_silu", lambda ctx, x: _mul(ctx, x, hard_sigmoid(ctx, x)))


def _hard_tanh(ctx: Builder, x: Tracer) -> Tracer:
    above = _gt(ctx, x, 1)
    return where_call(ctx, above, 1, where_call(ctx, _lt(ctx, x, -1), -1, x))


def _soft_sign(ctx: Builder, x: Tracer) -> Tracer:
    return _div(ctx, x, _add(ctx, ctx.emit1(Prim.ABS, [x]), 1))


def leaky_relu(ctx: Builder, x: object, negative_slope: object = 1e-2) -> Tracer:
    def body(a: Tracer, *slope: Tracer) -> Tracer:
        positive = _ge(ctx, a, 0)
        return where_call(ctx, positive, a, _mul(ctx, slope[0] if slope else negative_slope, a))

    given = () if not isinstance(negative_slope, Tracer) and negative_slope == 1e-2 else (negative_slope,)
    (out,) = ctx.jit("leaky_relu", body, operand(ctx, x, "jax.nn.leaky_relu"), *given)
    return out


def elu(ctx: Builder, x: object, alpha: object = 1.0) -> Tracer:
    def body(a: Tracer, *scale: Tracer) -> Tracer:
        positive = _gt(ctx, a, 0)
        safe = where_call(ctx, _gt(ctx, a, 0), 0.0, a)
        small = _mul(ctx, scale[0] if scale else alpha, ctx.emit1(Prim.EXPM1, promote_inexact(ctx, "elu", safe)))
        return where_call(ctx, positive, a, small)

    given = () if not isinstance(alpha, Tracer) and alpha == 1.0 else (alpha,)
    (out,) = ctx.jit("elu", body, operand(ctx, x, "jax.nn.elu"), *given)
    return out


def gelu(ctx: Builder, x: object, approximate: object = True) -> Tracer:
    """The tanh approximation, or the exact one by erfc."""
    (value,) = promote_inexact(ctx, "jax.nn.gelu", x)
    if not approximate:
        ctx.fail("T216", "jax.nn.gelu(approximate=False) is not supported here",
                 "use 0.5 * x * (1 + jax.lax.erf(x / sqrt(2)))")  # fmt: skip
    factor = literal(sqrt(2 / 3.141592653589793), value.dtype)
    cubed = _mul(ctx, 0.044715, integer_pow(ctx, value, 3))
    inner = _mul(ctx, factor, _add(ctx, value, cubed))
    scale = _mul(ctx, 0.5, _add(ctx, 1.0, ctx.emit1(Prim.TANH, [inner])))
    return _mul(ctx, value, scale)


def softmax(ctx: Builder, x: object, axis: object = -1, where: object = None, initial: object = None) -> Tracer:
    """Shifted by the maximum, as JAX computes it."""
    refuse(ctx, "jax.nn.softmax", where=where, initial=initial)
    shifted = _shifted(ctx, ctx.asarray(operand(ctx, x, "jax.nn.softmax")), axis)
    unnormalized = ctx.emit1(Prim.EXP, promote_inexact(ctx, "jax.nn.softmax", shifted))
    return _div(ctx, unnormalized, sum_(ctx, unnormalized, axis, keepdims=True))


def _shifted(ctx: Builder, x: Tracer, axis: object) -> Tracer:
    top = max_(ctx, x, axis, keepdims=True, initial=float("-inf"))
    return _sub(ctx, x, ctx.emit1(Prim.STOP_GRADIENT, [top]))


def log_softmax(ctx: Builder, x: object, axis: object = -1, where: object = None, initial: object = None) -> Tracer:
    refuse(ctx, "jax.nn.log_softmax", where=where, initial=initial)

    def body(a: Tracer) -> Tracer:
        shifted = _shifted(ctx, a, axis)
        total = sum_(ctx, ctx.emit1(Prim.EXP, promote_inexact(ctx, "log_softmax", shifted)), axis, keepdims=True)
        return _sub(ctx, shifted, ctx.emit1(Prim.LOG, [total]))

    (out,) = ctx.jit("log_softmax", body, operand(ctx, x, "jax.nn.log_softmax"))
    return out


def one_hot(ctx: Builder, x: object, num_classes: object, *, dtype: object = None, axis: object = -1) -> Tracer:
    """`jax.nn.one_hot` along a new last axis."""
    count = static_int(ctx, num_classes, "jax.nn.one_hot: num_classes")
    wanted = F32 if dtype is None else as_dtype(ctx, dtype, "jax.nn.one_hot")
    value = ctx.asarray(operand(ctx, x, "jax.nn.one_hot"))
    if axis_of(ctx, axis, value.ndim + 1, "jax.nn.one_hot") != value.ndim:
        ctx.fail("T216", "jax.nn.one_hot: only the last axis is supported here")
    if not value.dtype.is_integer:
        ctx.fail("T203", f"jax.nn.one_hot takes integers, not {value.aval}")

    def body(a: Tracer) -> Tracer:
        rank = a.ndim
        column = ctx.emit1(
            Prim.BROADCAST_IN_DIM, [a], {"shape": (*a.shape, 1), "broadcast_dimensions": tuple(range(rank))}
        )
        classes = ctx.emit1(Prim.IOTA, [], {"dtype": a.dtype, "shape": (*(1,) * rank, count), "dimension": rank})
        return convert(ctx, ctx.emit1(Prim.EQ, [column, classes]), wanted)

    (out,) = ctx.jit("_one_hot", body, value)
    return out


def _squareplus(ctx: Builder, x: Tracer) -> Tracer:
    root = ctx.emit1(Prim.SQRT, [_add(ctx, ctx.emit1(Prim.SQUARE, [x]), 4)])
    return _div(ctx, _add(ctx, x, root), 2)


def _mish(ctx: Builder, x: Tracer) -> Tracer:
    return _mul(ctx, x, ctx.emit1(Prim.TANH, [softplus(ctx, x)]))


def glu(ctx: Builder, x: object, axis: object = -1) -> Tracer:
    """`jax.nn.glu`: one half times the sigmoid of the other."""

    def body(a: Tracer) -> Tracer:
        place = axis_of(ctx, axis, a.ndim, "jax.nn.glu")
        if a.shape[place] % 2:
            ctx.fail("T204", f"jax.nn.glu halves axis {place}, which has {a.shape[place]}")
        first, second = split(ctx, a, 2, place)
        return ctx.emit1(Prim.MUL, [first, _logistic(ctx, second)])

    (out,) = ctx.jit("glu", body, operand(ctx, x, "jax.nn.glu"))
    return out


NN: dict[str, Function] = functions(
    "jax.nn",
    elu=elu,
    gelu=gelu,
    glu=glu,
    hard_sigmoid=hard_sigmoid,
    hard_silu=hard_silu,
    hard_swish=hard_silu,
    hard_tanh=jitted("hard_tanh", _hard_tanh),
    leaky_relu=leaky_relu,
    log_sigmoid=jitted("log_sigmoid", _log_sigmoid),
    log_softmax=log_softmax,
    logsumexp=logsumexp,
    mish=jitted("mish", _mish),
    one_hot=one_hot,
    relu=relu,
    relu6=relu6,
    sigmoid=sigmoid,
    silu=silu,
    soft_sign=jitted("soft_sign", _soft_sign),
    softmax=softmax,
    softplus=softplus,
    squareplus=jitted("squareplus", _squareplus),
    swish=silu,
    tanh=jnp_inexact(Prim.TANH),
)
