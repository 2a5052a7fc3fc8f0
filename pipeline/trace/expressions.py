"""What each kind of expression evaluates to: one rule a node class, in `RULES`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn

from pipeline.trace import arithmetic, functions, methods
from pipeline.trace.builder import RefTracer, Tracer, kind_of
from pipeline.trace.builtins import text_of
from pipeline.trace.near import near
from pipeline.trace.scope import Comprehension, targets
from pipeline.trace.surface import operators
from pipeline.trace.values import MAX_ITEMS, MAX_KEYS, OPERATION, Closure, Frame, Module

if TYPE_CHECKING:
    from pipeline.trace.evaluator import Evaluator

BINARY: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.MatMult: "@",
}
UNARY: dict[type[ast.unaryop], str] = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}
COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_STATIC = (bool, int, float, str, tuple, list, dict, set, range, type(None), type(...), Closure, Module)


def is_static(value: object) -> bool:
    """Whether Python's own operators apply, rather than those of `surface/`."""
    return isinstance(value, _STATIC)


def operate(ev: Evaluator, sign: str, values: tuple[object, ...]) -> object:
    """A binary (two values) or unary operator on any values."""
    if all(map(is_static, values)):
        if len(values) == 2:
            return arithmetic.binary(ev, sign, *values)
        return arithmetic.unary(ev, sign, values[0])
    ev.spend(OPERATION)
    if len(values) == 2:
        return operators.binary(ev.builder, sign, *values)
    return operators.unary(ev.builder, sign, values[0])


def name(ev: Evaluator, node: ast.Name, frame: Frame) -> object:
    found: Frame | None = frame
    wanted = node.id
    while found is not None:
        if wanted in found.values:
            return found.values[wanted]
        if wanted in found.bound:
            ev.fail("T104", f"{wanted!r} has no value yet here", "it is assigned further on, or on another path", node)
        found = found.parent
    ev.fail("T104", f"no name {wanted!r} is known here", near(wanted, visible(frame)), node)


def visible(frame: Frame | None) -> list[str]:
    """Every name that can be read from `frame`."""
    names: list[str] = []
    while frame is not None:
        names.extend(frame.values)
        names.extend(sorted(frame.bound))
        frame = frame.parent
    return names


def constant(ev: Evaluator, node: ast.Constant, frame: Frame) -> object:
    if isinstance(node.value, bytes | complex):
        ev.fail("T102", f"a {type(node.value).__name__} constant is not supported in a kernel", None, node)
    ev.node = node
    return ev.bounded(node.value)


def attribute(ev: Evaluator, node: ast.Attribute, frame: Frame) -> object:
    value = ev.eval(node.value, frame)
    ev.node = node
    return ev.attribute(value, node.attr, node)


def binary(ev: Evaluator, node: ast.BinOp, frame: Frame) -> object:
    left = ev.eval(node.left, frame)
    right = ev.eval(node.right, frame)
    ev.at(node)
    return operate(ev, BINARY[type(node.op)], (left, right))


def unary(ev: Evaluator, node: ast.UnaryOp, frame: Frame) -> object:
    value = ev.eval(node.operand, frame)
    ev.at(node)
    if isinstance(node.op, ast.Not):
        return not ev.truth(value, node, "`not`")
    return operate(ev, UNARY[type(node.op)], (value,))


def boolean(ev: Evaluator, node: ast.BoolOp, frame: Frame) -> object:
    """`and`, `or`: the last value that was looked at. Only the others have to be static."""
    stop = isinstance(node.op, ast.Or)
    what = "`or`" if stop else "`and`"
    for operand in node.values[:-1]:
        value = ev.eval(operand, frame)
        if ev.truth(value, node, what) is stop:
            return value
    value = ev.eval(node.values[-1], frame)
    if isinstance(value, Tracer | RefTracer):
        ev.truth(value, node, what)  # Python would let it pass; said here, since it hardly is what was meant
    return value


def compare(ev: Evaluator, node: ast.Compare, frame: Frame) -> object:
    left = ev.eval(node.left, frame)
    result: object = True
    for number, (op, operand) in enumerate(zip(node.ops, node.comparators, strict=True)):
        right = ev.eval(operand, frame)
        ev.at(node)
        result = _compare(ev, op, left, right)
        if number + 1 < len(node.ops) and not ev.truth(result, node, "a chained comparison"):
            return False
        left = right
    return result


def _compare(ev: Evaluator, op: ast.cmpop, left: object, right: object) -> object:
    if isinstance(op, ast.Is | ast.IsNot):
        return _same(ev, left, right) is isinstance(op, ast.Is)
    if isinstance(op, ast.In | ast.NotIn):
        if isinstance(left, Tracer | RefTracer) or isinstance(right, Tracer | RefTracer):
            traced = left if isinstance(left, Tracer | RefTracer) else right
            ev.fail("T120", f"'in' needs values known while tracing, but this is {kind_of(traced)}", "use ==")
        return arithmetic.contains(ev, right, left) is isinstance(op, ast.In)
    sign = COMPARE[type(op)]
    if not isinstance(left, Tracer | RefTracer) and not isinstance(right, Tracer | RefTracer):
        return arithmetic.compare(ev, sign, left, right)
    return operators.compare(ev.builder, sign, left, right)


def _same(ev: Evaluator, left: object, right: object) -> bool:
    """`is`: for what there is one of. Whether two equal numbers are one object is up to the Python version."""
    if isinstance(left, int | float | str | tuple) and isinstance(right, int | float | str | tuple):
        if isinstance(left, bool) and isinstance(right, bool):
            return left is right
        ev.fail("T114", f"'is' between {kind_of(left)} and {kind_of(right)} has no certain answer", "use ==")
    return left is right


def call(ev: Evaluator, node: ast.Call, frame: Frame) -> object:
    fn = ev.eval(node.func, frame)
    args: list[object] = []
    for arg in node.args:
        if isinstance(arg, ast.Starred):
            args.extend(ev.collect(ev.eval(arg.value, frame), arg))
        else:
            args.append(ev.eval(arg, frame))
    kwargs: dict[str, object] = {}
    for keyword in node.keywords:
        value = ev.eval(keyword.value, frame)
        if keyword.arg is not None:
            pairs: list[tuple[object, object]] = [(keyword.arg, value)]
        elif isinstance(value, dict):
            pairs = list(value.items())
        else:
            ev.fail("T114", f"** takes a dict, not {kind_of(value)}", None, keyword)
        for key, item in pairs:
            if not isinstance(key, str) or key in kwargs:
                ev.fail("T114", f"the keyword {arithmetic.key_text(key)} is given twice or is no string", None, keyword)
            kwargs[key] = item
    ev.at(node)
    return ev.call(fn, args, kwargs)


def conditional(ev: Evaluator, node: ast.IfExp, frame: Frame) -> object:
    chosen = node.body if ev.truth(ev.eval(node.test, frame), node.test, "a conditional expression") else node.orelse
    return ev.eval(chosen, frame)


def lambda_(ev: Evaluator, node: ast.Lambda, frame: Frame) -> object:
    return functions.make(ev, node, frame)


def sequence(ev: Evaluator, nodes: list[ast.expr], frame: Frame) -> list[object]:
    out: list[object] = []
    for node in nodes:
        if isinstance(node, ast.Starred):
            out.extend(ev.collect(ev.eval(node.value, frame), node))
        else:
            out.append(ev.eval(node, frame))
    return out


def tuple_(ev: Evaluator, node: ast.Tuple, frame: Frame) -> object:
    return tuple(sequence(ev, node.elts, frame))


def list_(ev: Evaluator, node: ast.List, frame: Frame) -> object:
    return sequence(ev, node.elts, frame)


def set_(ev: Evaluator, node: ast.Set, frame: Frame) -> object:
    found: set[object] = set()
    for item in sequence(ev, node.elts, frame):
        _add(ev, found, item, node)
    return found


def _add(ev: Evaluator, found: set[object], item: object, node: ast.AST) -> None:
    ev.weigh(item)
    try:
        found.add(item)
    except TypeError:
        ev.fail("T114", f"{kind_of(item)} cannot be in a set", None, node)
    if len(found) > MAX_KEYS:
        ev.fail("T111", f"this set has more than {MAX_KEYS} items", None, node)


def dict_(ev: Evaluator, node: ast.Dict, frame: Frame) -> object:
    out: dict[object, object] = {}
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        if key_node is None:
            more = ev.eval(value_node, frame)
            if not isinstance(more, dict):
                ev.fail("T114", f"** takes a dict, not {kind_of(more)}", None, value_node)
            for key, value in more.items():
                set_key(ev, out, key, value, value_node)
        else:
            key = ev.eval(key_node, frame)
            set_key(ev, out, key, ev.eval(value_node, frame), key_node)
    return out


def set_key(ev: Evaluator, out: dict[Any, Any], key: object, value: object, node: ast.AST) -> None:
    ev.node = node
    if isinstance(key, Tracer | RefTracer):
        ev.fail("T120", f"{kind_of(key)} is no key of a dict", "keys are known while tracing", node)
    try:
        methods.grow_dict(ev, out, key, value)
    except TypeError:
        ev.fail("T114", f"{kind_of(key)} is no key of a dict", None, node)


def slice_(ev: Evaluator, node: ast.Slice, frame: Frame) -> object:
    parts = (None if part is None else ev.eval(part, frame) for part in (node.lower, node.upper, node.step))
    return slice(*parts)


def subscript(ev: Evaluator, node: ast.Subscript, frame: Frame) -> object:
    value = ev.eval(node.value, frame)
    index = ev.eval(node.slice, frame)
    ev.at(node)
    return get_item(ev, value, index)


def get_item(ev: Evaluator, value: object, index: object) -> object:
    if isinstance(value, tuple | list | str | range | dict):
        if isinstance(index, Tracer | RefTracer):
            ev.fail(
                "T120",
                f"{kind_of(value)} is indexed by {kind_of(index)}, which is known at run time only",
                "choose among values with lax.select or lax.switch, or read a ref",
            )
        return arithmetic.subscript(ev, value, index)
    if is_static(value):
        ev.fail("T114", f"{kind_of(value)} cannot be indexed")
    return operators.getitem(ev.builder, value, index)


def named(ev: Evaluator, node: ast.NamedExpr, frame: Frame) -> object:
    value = ev.eval(node.value, frame)
    home = frame
    while home.is_comprehension and home.parent is not None:
        home = home.parent
    store(home, node.target.id, value)
    return value


def store(frame: Frame, name: str, value: object) -> None:
    """Assign to a name of `frame`, or to that of an enclosing function where it is declared nonlocal."""
    if name in frame.outer_names:
        home = frame.parent
        while home is not None and name not in home.bound:
            home = home.parent
        frame = home or frame
    frame.values[name] = value


def comprehension(ev: Evaluator, node: Comprehension, frame: Frame) -> object:
    inner = Frame(frame, targets(node), is_comprehension=True)
    if isinstance(node, ast.GeneratorExp):
        # as Python does it: the outermost source now, each item when it is asked for
        source = ev.eval(node.generators[0].iter, frame)
        return (ev.eval(node.elt, inner) for _ in _rounds(ev, node.generators, 0, frame, inner, source))
    out: list[object] = []
    pairs: dict[object, object] = {}
    items: set[object] = set()
    for _ in _rounds(ev, node.generators, 0, frame, inner):
        if isinstance(node, ast.DictComp):
            key = ev.eval(node.key, inner)
            set_key(ev, pairs, key, ev.eval(node.value, inner), node)
        elif isinstance(node, ast.SetComp):
            _add(ev, items, ev.eval(node.elt, inner), node)
        else:
            out.append(ev.eval(node.elt, inner))
            if len(out) > MAX_ITEMS:
                ev.fail("T111", f"this has more than {MAX_ITEMS} items", None, node)
    if isinstance(node, ast.DictComp):
        return pairs
    if isinstance(node, ast.SetComp):
        return items
    return out


def _rounds(
    ev: Evaluator,
    generators: list[ast.comprehension],
    number: int,
    outer: Frame,
    inner: Frame,
    source: object = None,
) -> Iterator[None]:
    """Once for every combination of the loops' items that passes the conditions; `source` is the first loop's, if
    it is evaluated already."""
    if number == len(generators):
        yield
        return
    generator = generators[number]
    if source is None:
        source = ev.eval(generator.iter, outer if number == 0 else inner)
    for item in ev.iterate(source, generator.iter):
        assign(ev, generator.target, item, inner)
        if all(ev.truth(ev.eval(test, inner), test, "a condition") for test in generator.ifs):
            yield from _rounds(ev, generators, number + 1, outer, inner)


def assign(ev: Evaluator, target: ast.expr, value: object, frame: Frame) -> None:
    """`target = value` for names, tuples, starred names, and items of lists, dicts and refs."""
    match target:
        case ast.Name(id=name):
            store(frame, name, value)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            _unpack(ev, target, parts, value, frame)
        case ast.Subscript():
            base = ev.eval(target.value, frame)
            index = ev.eval(target.slice, frame)
            ev.at(target)
            set_item(ev, base, index, value)
        case ast.Attribute():
            from pipeline.trace import classes

            base = ev.eval(target.value, frame)
            ev.at(target)
            classes.assign(ev, base, target.attr, value, target)
        case _:
            ev.fail("T102", f"assigning to this is not supported: {type(target).__name__}", None, target)


def set_item(ev: Evaluator, base: object, index: object, value: object) -> None:
    if isinstance(base, dict):
        set_key(ev, base, index, value, ev.node)
    elif isinstance(base, list):
        if not isinstance(index, int):
            ev.fail("T114", f"{kind_of(base)} is indexed by an int known while tracing, not by {kind_of(index)}")
        if not -len(base) <= index < len(base):
            ev.fail("T116", f"index {index if abs(index) < 10**20 else 'of many digits'} is out of {kind_of(base)}")
        base[index] = value
    elif is_static(base):
        ev.fail("T114", f"items of {kind_of(base)} cannot be assigned")
    else:
        ev.weigh(value)
        operators.setitem(ev.builder, base, index, value)


def _unpack(ev: Evaluator, node: ast.expr, parts: list[ast.expr], value: object, frame: Frame) -> None:
    if isinstance(value, Tracer | RefTracer):
        ev.fail("T121", f"{kind_of(value)} cannot be unpacked", "index it: x[0], x[1]", node)
    items = ev.collect(value, node)
    stars = [number for number, part in enumerate(parts) if isinstance(part, ast.Starred)]
    wrong = len(items) < len(parts) - 1 if stars else len(items) != len(parts)
    if wrong:
        least = f"at least {len(parts) - 1}" if stars else str(len(parts))
        ev.fail("T114", f"{least} values are unpacked here, but there are {len(items)}", None, node)
    if stars:
        first, after = stars[0], len(parts) - stars[0] - 1
        end = len(items) - after
        items = [*items[:first], items[first:end], *items[end:]]
    for part, item in zip(parts, items, strict=True):
        assign(ev, part.value if isinstance(part, ast.Starred) else part, item, frame)


def joined(ev: Evaluator, node: ast.JoinedStr, frame: Frame) -> object:
    text = "".join(str(ev.eval(part, frame)) for part in node.values)
    ev.node = node
    return ev.bounded(text)


def formatted(ev: Evaluator, node: ast.FormattedValue, frame: Frame) -> object:
    value = ev.eval(node.value, frame)
    spec = "" if node.format_spec is None else str(ev.eval(node.format_spec, frame))
    ev.node = node
    if isinstance(value, Tracer | RefTracer):
        ev.fail(
            "T120", f"{kind_of(value)} has no text while tracing", "print run-time values with pl.debug_print", node
        )
    if node.conversion == ord("r") and isinstance(value, str):
        value = repr(value)
    if not spec:
        return text_of(ev, value)
    if len(spec) > 8 or sum(map(str.isdigit, spec)) > 3 or not isinstance(value, bool | int | float | str):
        ev.fail("T114", f"{kind_of(value)} is not formatted by {spec[:40]!r} here", None, node)
    try:
        return format(value, spec)
    except (ValueError, OverflowError):
        ev.fail("T114", f"{kind_of(value)} is not formatted by {spec[:40]!r}", None, node)


def starred(ev: Evaluator, node: ast.Starred, frame: Frame) -> NoReturn:
    ev.fail("T102", "a starred expression is not supported here", None, node)


RULES: dict[type[ast.AST], Callable[[Evaluator, Any, Frame], object]] = {
    ast.Name: name,
    ast.Constant: constant,
    ast.Attribute: attribute,
    ast.BinOp: binary,
    ast.UnaryOp: unary,
    ast.BoolOp: boolean,
    ast.Compare: compare,
    ast.Call: call,
    ast.IfExp: conditional,
    ast.Lambda: lambda_,
    ast.Tuple: tuple_,
    ast.List: list_,
    ast.Set: set_,
    ast.Dict: dict_,
    ast.Slice: slice_,
    ast.Subscript: subscript,
    ast.NamedExpr: named,
    ast.ListComp: comprehension,
    ast.SetComp: comprehension,
    ast.DictComp: comprehension,
    ast.GeneratorExp: comprehension,
    ast.JoinedStr: joined,
    ast.FormattedValue: formatted,
    ast.Starred: starred,
}
