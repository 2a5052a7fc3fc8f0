"""Methods of static Python values: the only attributes they have here. Each takes the evaluator, then the value."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pipeline.trace.values import MAX_ITEMS, MAX_KEYS

if TYPE_CHECKING:
    from pipeline.trace.evaluator import Evaluator


def grow_dict(ev: Evaluator, value: dict[Any, Any], key: Any, item: object) -> None:
    """`value[key] = item`, within the bound on keys. A key that cannot be hashed raises TypeError."""
    ev.weigh(key)
    value[key] = item
    if len(value) > MAX_KEYS:
        ev.fail("T111", f"this dict has more than {MAX_KEYS} keys")


def grow_list(ev: Evaluator, value: list[Any], items: list[Any]) -> None:
    if len(value) + len(items) > MAX_ITEMS:
        ev.fail("T111", f"this list has more than {MAX_ITEMS} items")
    ev.spend(len(items) // 8)
    value.extend(items)


def _append(ev: Evaluator, value: list[Any], item: object) -> None:
    grow_list(ev, value, [item])


def _extend(ev: Evaluator, value: list[Any], items: object) -> None:
    grow_list(ev, value, ev.collect(items, ev.node))


def _insert(ev: Evaluator, value: list[Any], at: int, item: object) -> None:
    grow_list(ev, value, [item])
    ev.spend(len(value) // 64)
    value.insert(at, value.pop())


def _pop(ev: Evaluator, value: list[Any], at: int = -1) -> object:
    ev.spend(len(value) // 64)
    return value.pop(at)


def _index(ev: Evaluator, value: Any, item: object) -> int:
    ev.weigh(value, item)
    return int(value.index(item))


def _count(ev: Evaluator, value: Any, item: object) -> int:
    ev.weigh(value, item)
    return int(value.count(item))


def _reverse(ev: Evaluator, value: list[Any]) -> None:
    ev.spend(len(value) // 8)
    value.reverse()


def _copy(ev: Evaluator, value: Any) -> object:
    ev.spend(len(value) // 8)
    return value.copy()


def _keys(ev: Evaluator, value: dict[Any, Any]) -> tuple[object, ...]:
    ev.spend(len(value) // 8)
    return tuple(value)


def _values(ev: Evaluator, value: dict[Any, Any]) -> tuple[object, ...]:
    ev.spend(len(value) // 8)
    return tuple(value.values())


def _items(ev: Evaluator, value: dict[Any, Any]) -> tuple[object, ...]:
    ev.spend(len(value) // 8)
    return tuple(value.items())


def _get(ev: Evaluator, value: dict[Any, Any], key: Any, default: object = None) -> object:
    ev.weigh(key)
    return value.get(key, default)


def _pop_key(ev: Evaluator, value: dict[Any, Any], key: Any, *default: object) -> object:
    ev.weigh(key)
    return value.pop(key, *default)


def _setdefault(ev: Evaluator, value: dict[Any, Any], key: Any, default: object = None) -> object:
    ev.weigh(key)
    if key not in value:
        grow_dict(ev, value, key, default)
    return value[key]


def _update(ev: Evaluator, value: dict[Any, Any], other: dict[Any, Any]) -> None:
    for key, item in dict(other).items():
        ev.spend(1)
        grow_dict(ev, value, key, item)


def _join(ev: Evaluator, value: str, items: object) -> object:
    parts = ev.collect(items, ev.node)
    if sum(len(part) + len(value) for part in parts if isinstance(part, str)) > MAX_ITEMS:
        ev.fail("T111", f"this string has more than {MAX_ITEMS} characters")
    return value.join(parts)  # type: ignore[arg-type]  # a part that is no string is a TypeError


def _string(name: str) -> Callable[..., object]:
    def method(ev: Evaluator, value: str, *args: object) -> object:
        ev.weigh(value, *args)
        return ev.bounded(_STRING[name](value, *args))

    return method


_STRING: dict[str, Callable[..., object]] = {
    "startswith": str.startswith,
    "endswith": str.endswith,
    "lower": str.lower,
    "upper": str.upper,
    "strip": str.strip,
    "split": str.split,
    "removeprefix": str.removeprefix,
    "removesuffix": str.removesuffix,
}

LIST: dict[str, Callable[..., object]] = {
    "append": _append,
    "extend": _extend,
    "insert": _insert,
    "pop": _pop,
    "index": _index,
    "count": _count,
    "reverse": _reverse,
    "copy": _copy,
}
TUPLE: dict[str, Callable[..., object]] = {"index": _index, "count": _count}
DICT: dict[str, Callable[..., object]] = {
    "keys": _keys,
    "values": _values,
    "items": _items,
    "get": _get,
    "pop": _pop_key,
    "setdefault": _setdefault,
    "update": _update,
    "copy": _copy,
}
STRING: dict[str, Callable[..., object]] = {"join": _join, **{name: _string(name) for name in _STRING}}
INT: dict[str, Callable[..., object]] = {"bit_length": lambda ev, value: int(value).bit_length()}
FLOAT: dict[str, Callable[..., object]] = {"is_integer": lambda ev, value: float(value).is_integer()}


def of(value: object) -> dict[str, Callable[..., object]] | None:
    """The methods of a static value; None for what is not one."""
    match value:
        case bool():
            return INT
        case int():
            return INT
        case float():
            return FLOAT
        case str():
            return STRING
        case tuple():
            return TUPLE
        case list():
            return LIST
        case dict():
            return DICT
        case _:
            return None
