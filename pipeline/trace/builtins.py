"""Python's builtins, `math`, `functools` and the constants of NumPy, as far as a kernel may use them.

Each function takes the evaluator first and works on static values; `abs`, `sum`, `pow`, `divmod` and `len` also
take traced ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from pipeline.dtypes import BY_NAME, DType
from pipeline.trace import arithmetic
from pipeline.trace.builder import RefTracer, Tracer, kind_of
from pipeline.trace.surface import constants, convert
from pipeline.trace.surface.common import Function
from pipeline.trace.surface.modules import JNP
from pipeline.trace.tree import Named, Node, Record
from pipeline.trace.values import MAX_KEYS, Builtin, KernelException, Module, Partial

if TYPE_CHECKING:
    from pipeline.trace.evaluator import Evaluator


def _static(ev: Evaluator, name: str, value: object) -> None:
    if isinstance(value, Tracer | RefTracer):
        hints = {
            "max": "use jnp.maximum for two arrays, jnp.max for the maximum of one",
            "min": "use jnp.minimum for two arrays, jnp.min for the minimum of one",
            "int": "use .astype(jnp.int32)",
            "float": "use .astype(jnp.float32)",
            "bool": "compare with != 0",
            "round": "use jnp.round",
            "range": "use lax.fori_loop for a bound that is known at run time only",
            "any": "use jnp.any",
            "all": "use jnp.all",
        }
        ev.fail("T120", f"{name}() needs a value known while tracing, but this is {kind_of(value)}", hints.get(name))


def _range(ev: Evaluator, *args: object) -> range:
    for arg in args:
        _static(ev, "range", arg)
    made: range = range(*args)  # type: ignore[call-overload]  # what is no int is a TypeError
    return made


def _len(ev: Evaluator, value: Any) -> int:
    if isinstance(value, Tracer | RefTracer):
        if not value.shape:
            ev.fail("T114", f"len() of {kind_of(value)}, which is a scalar")
        return value.shape[0]
    if isinstance(value, tuple | list | dict | str | set | range):
        return len(value)
    ev.fail("T114", f"len() does not take {kind_of(value)}")


def _extreme(name: str) -> Callable[..., object]:
    sign = ">" if name == "max" else "<"

    def extreme(ev: Evaluator, *args: object, key: object = None, default: object = None) -> object:
        items = list(args)
        if len(args) == 1:
            _static(ev, name, args[0])
            items = list(args[0]) if isinstance(args[0], set) else ev.collect(args[0], ev.node)
        if not items:
            if default is None:
                ev.fail("T115", f"{name}() of nothing")
            return default
        keys = items if key is None else [ev.call(key, [item], {}) for item in items]
        for value in keys:
            _static(ev, name, value)
        best = 0
        for number in range(1, len(keys)):
            ev.spend(1)
            if arithmetic.compare(ev, sign, keys[number], keys[best]):
                best = number
        return items[best]

    return extreme


def _abs(ev: Evaluator, value: object) -> object:
    if isinstance(value, bool | int | float):
        return abs(value)
    return ev.operate("abs", value)


def _sum(ev: Evaluator, items: object, start: object = 0) -> object:
    total = start
    for item in ev.iterate(items, ev.node):
        total = ev.operate("+", total, item)
    return total


def _pow(ev: Evaluator, base: object, exponent: object) -> object:
    return ev.operate("**", base, exponent)


def _divmod(ev: Evaluator, left: object, right: object) -> object:
    if isinstance(left, Tracer) or isinstance(right, Tracer):
        return ev.call(JNP["divmod"], [left, right], {})  # one jit, not two
    return ev.operate("//", left, right), ev.operate("%", left, right)


def _round(ev: Evaluator, value: Any, digits: int | None = None) -> object:
    _static(ev, "round", value)
    if digits is None:
        return ev.bounded(round(value))
    return ev.bounded(round(value, max(-MAX_DIGITS, min(digits, MAX_DIGITS))))


MAX_DIGITS = 400  # for round(): a double has no more on either side of its point


def _int(ev: Evaluator, value: Any = 0, base: int | None = None) -> object:
    _static(ev, "int", value)
    if isinstance(value, str):
        ev.weigh(value)
        return ev.bounded(int(value[:1000]) if base is None else int(value[:1000], base))
    return ev.bounded(int(value))


def _float(ev: Evaluator, value: Any = 0.0) -> float:
    _static(ev, "float", value)
    return float(value[:1000] if isinstance(value, str) else value)


def _bool(ev: Evaluator, value: object = False) -> bool:
    _static(ev, "bool", value)
    return ev.truth(value, ev.node, "bool()")


def _str(ev: Evaluator, value: object = "") -> str:
    return text_of(ev, value)


def text_of(ev: Evaluator, value: object) -> str:
    """`str(value)` of static values that have one text on every machine."""
    ev.weigh(value)
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool | int | float):
        return str(value)
    if isinstance(value, DType):
        return value.name
    if isinstance(value, Record):
        pairs = zip(value.made.fields, value, strict=True)
        return f"{value.made.name}({', '.join(f'{name}={_repr(ev, item)}' for name, item in pairs)})"
    if isinstance(value, tuple | list):
        parts = [_repr(ev, item) for item in value]
        close = ("(", ",)" if len(value) == 1 else ")") if isinstance(value, tuple) else ("[", "]")
        return close[0] + ", ".join(parts) + close[1]
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_repr(ev, key)}: {_repr(ev, item)}" for key, item in value.items()) + "}"
    ev.fail("T114", f"{kind_of(value)} has no text here")


def _repr(ev: Evaluator, value: object) -> str:
    return repr(value) if isinstance(value, str) else text_of(ev, value)


def _tuple(ev: Evaluator, items: object = ()) -> tuple[object, ...]:
    return tuple(ev.collect(items, ev.node))


def _list(ev: Evaluator, items: object = ()) -> list[object]:
    return ev.collect(items, ev.node)


def _dict(ev: Evaluator, items: object = (), **named: object) -> dict[object, object]:
    pairs = (
        items.items()
        if isinstance(items, dict)
        else [tuple(ev.collect(p, ev.node)) for p in ev.collect(items, ev.node)]
    )
    out: dict[object, object] = {}
    for key, value in (*pairs, *named.items()):
        ev.weigh(key)
        out[key] = value
        if len(out) > MAX_KEYS:
            ev.fail("T111", f"this dict has more than {MAX_KEYS} keys")
    return out


def _set(ev: Evaluator, items: object = ()) -> set[object]:
    found = ev.collect(items, ev.node)
    if len(found) > MAX_KEYS:
        ev.fail("T111", f"this set has more than {MAX_KEYS} items")
    ev.weigh(found)
    return set(found)


def _enumerate(ev: Evaluator, items: object, start: int = 0) -> Iterator[object]:
    return enumerate(ev.iterate(items, ev.node), start)


def _zip(ev: Evaluator, *many: object, strict: bool = False) -> Iterator[object]:
    return zip(*[ev.iterate(items, ev.node) for items in many], strict=strict)


def _map(ev: Evaluator, fn: object, *many: object) -> Iterator[object]:
    rows = zip(*[ev.iterate(items, ev.node) for items in many], strict=False)
    return (ev.call(fn, list(row), {}) for row in rows)


def _filter(ev: Evaluator, fn: object, items: object) -> Iterator[object]:
    node = ev.node
    kept = (item for item in ev.iterate(items, node))
    return (item for item in kept if ev.truth(item if fn is None else ev.call(fn, [item], {}), node, "filter()"))


def _reversed(ev: Evaluator, items: object) -> object:
    if isinstance(items, range):
        return items[::-1]
    return list(reversed(ev.collect(items, ev.node)))


def _sorted(ev: Evaluator, items: object, *, key: object = None, reverse: bool = False) -> list[object]:
    found = list(items) if isinstance(items, set) else ev.collect(items, ev.node)
    keys: list[Any] = found if key is None else [ev.call(key, [item], {}) for item in found]
    for value in keys:
        _static(ev, "sorted", value)
    ev.spend(len(found))
    for _ in range(len(found).bit_length()):
        ev.weigh(keys)
    order = sorted(range(len(found)), key=keys.__getitem__, reverse=bool(reverse))
    return [found[number] for number in order]


def _any(ev: Evaluator, items: object) -> bool:
    _static(ev, "any", items)
    return any(ev.truth(item, ev.node, "any()") for item in ev.iterate(items, ev.node))


def _all(ev: Evaluator, items: object) -> bool:
    _static(ev, "all", items)
    return all(ev.truth(item, ev.node, "all()") for item in ev.iterate(items, ev.node))


def _slice(ev: Evaluator, *args: object) -> slice:
    return slice(*args)


def _callable(ev: Evaluator, value: object) -> bool:
    return callable(value) or isinstance(value, Builtin)


def _isinstance(ev: Evaluator, value: object, kinds: object) -> bool:
    if isinstance(kinds, tuple):
        return any(_isinstance(ev, value, kind) for kind in kinds[:64])
    if isinstance(kinds, Named):
        return isinstance(value, Node | Record) and value.made is kinds
    if not isinstance(kinds, Builtin) or not kinds.types:
        known = "int, float, bool, str, tuple, list, dict, set and the source's own classes"
        ev.fail("T114", f"isinstance() knows {known}, not {kind_of(kinds)}")
    return isinstance(value, kinds.types)


def _method_kind(how: str) -> Builtin:
    """`@property` and its like, in a class."""

    def make(ev: Evaluator, fn: object) -> object:
        from pipeline.trace.classes import Wrapped

        return Wrapped(how, fn)

    return Builtin(how, make)


def _exception(kind: str) -> Builtin:
    def make(ev: Evaluator, *args: object) -> KernelException:
        return KernelException(kind, ", ".join(text_of(ev, arg) for arg in args))

    return Builtin(kind, make)


_FUNCTIONS: dict[str, Callable[..., object]] = {
    "abs": _abs,
    "all": _all,
    "any": _any,
    "callable": _callable,
    "divmod": _divmod,
    "enumerate": _enumerate,
    "filter": _filter,
    "isinstance": _isinstance,
    "len": _len,
    "map": _map,
    "max": _extreme("max"),
    "min": _extreme("min"),
    "pow": _pow,
    "range": _range,
    "reversed": _reversed,
    "round": _round,
    "slice": _slice,
    "sorted": _sorted,
    "sum": _sum,
    "zip": _zip,
}

BUILTINS: dict[str, object] = {
    **{name: Builtin(name, fn) for name, fn in _FUNCTIONS.items()},
    "bool": Builtin("bool", _bool, (bool,)),
    "dict": Builtin("dict", _dict, (dict,)),
    "float": Builtin("float", _float, (float,)),
    "int": Builtin("int", _int, (int,)),
    "list": Builtin("list", _list, (list,)),
    "set": Builtin("set", _set, (set,)),
    "str": Builtin("str", _str, (str,)),
    "tuple": Builtin("tuple", _tuple, (tuple,)),
    **{
        name: _exception(name)
        for name in ("ValueError", "TypeError", "NotImplementedError", "RuntimeError", "AssertionError", "Exception")
    },
    **{how: _method_kind(how) for how in ("property", "staticmethod", "classmethod")},
    "object": Builtin("object", lambda ev: None),
    "Ellipsis": ...,
}

# Names of Python that a kernel does without, and what to do instead.
REFUSED: dict[str, str] = {
    "print": "use pl.debug_print",
    "getattr": "write the attribute out",
    "setattr": "kernels have no attributes to set",
    "hasattr": "attributes are fixed: each is there or not",
    "open": "a kernel reads and writes its refs only",
    "input": "a kernel reads its refs only",
    "eval": "write the expression out",
    "exec": "write the statements out",
    "compile": "write the code out",
    "__import__": "jax, jnp, lax, pl, pltpu, functools and math are there already",
    "globals": "pass what is needed as a parameter",
    "locals": "pass what is needed as a parameter",
    "vars": "pass what is needed as a parameter",
    "type": "use isinstance for static values, .dtype for arrays",
    "iter": "loop with for",
    "next": "loop with for",
    "super": "a class here has no bases",
    "id": "compare with == or `is None`",
    "hash": "compare with ==",
    "dir": "see `pipeline explain T103`",
    "complex": "kernels have no complex numbers",
    "bytes": "kernels have no bytes",
    "breakpoint": "use pl.debug_print",
    "exit": "a kernel runs to its end",
    "quit": "a kernel runs to its end",
}


def _math(fn: Callable[..., object]) -> Callable[..., object]:
    def call(ev: Evaluator, *args: object) -> object:
        for arg in args:
            if isinstance(arg, Tracer | RefTracer):
                ev.fail("T120", f"math works on static numbers, but this is {kind_of(arg)}", "use jnp or lax")
        return ev.bounded(fn(*args))

    return call


def _prod(ev: Evaluator, items: object, *, start: object = 1) -> object:
    total = start
    for item in ev.iterate(items, ev.node):
        total = ev.operate("*", total, item)
    return total


_MATH = (
    "acos asin atan atan2 ceil copysign cos cosh degrees erf exp expm1 fabs floor fmod frexp gcd hypot isclose "
    "isfinite isinf isnan isqrt lcm log log10 log1p log2 pow radians sin sinh sqrt tan tanh trunc"
)

MATH = Module(
    "math",
    {
        **{name: Builtin(f"math.{name}", _math(math.__dict__[name])) for name in _MATH.split()},
        "prod": Builtin("math.prod", _prod),
        "pi": math.pi,
        "e": math.e,
        "tau": math.tau,
        "inf": math.inf,
        "nan": math.nan,
    },
)


def _partial(ev: Evaluator, fn: object, *args: object, **kwargs: object) -> Partial:
    return Partial(ev, fn, args, kwargs)


def _reduce(ev: Evaluator, fn: object, items: object, *start: object) -> object:
    found = [*start, *ev.collect(items, ev.node)]
    total = found[0]
    for item in found[1:]:
        total = ev.call(fn, [total, item], {})
    return total


FUNCTOOLS = Module(
    "functools",
    {"partial": Builtin("functools.partial", _partial), "reduce": Builtin("functools.reduce", _reduce)},
)

# No functions: NumPy's results are strongly typed scalars, unlike the Python numbers of `math`.
NUMPY = Module(
    "numpy",
    {
        **{name: dtype for name, dtype in BY_NAME.items() if not dtype.is_semaphore and name != "bool"},
        "bool_": BY_NAME["bool"],
        "dtype": Function("np.dtype", convert.dtype_object),
        "finfo": Function("np.finfo", constants.finfo),
        "iinfo": Function("np.iinfo", constants.iinfo),
        "newaxis": None,
        "pi": math.pi,
        "e": math.e,
        "inf": math.inf,
        "nan": math.nan,
    },
)
