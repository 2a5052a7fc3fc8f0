"""Classes of the source that hold values together: plain ones, dataclasses and named tuples, with their methods.

A class is a table of names, an object one of values; there is no inheritance, but of NamedTuple, and no operators.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from pipeline.trace import functions
from pipeline.trace.builder import kind_of
from pipeline.trace.near import near
from pipeline.trace.scope import names_bound
from pipeline.trace.tree import Named, Node, Record
from pipeline.trace.values import Builtin, Closure, Frame, Module, Partial

if TYPE_CHECKING:
    from pipeline.trace.evaluator import Evaluator

# methods that Python calls itself, of those that an author may define
SPECIAL = frozenset({"__init__", "__post_init__", "__call__"})
REQUIRED = object()  # in place of a default


class Field:
    """`dataclasses.field(..)`."""

    __slots__ = ("default", "factory")

    def __init__(self, default: object, factory: object) -> None:
        self.default, self.factory = default, factory


class Wrapped:
    """A method under `@property`, `@staticmethod` or `@classmethod`."""

    __slots__ = ("fn", "how")

    def __init__(self, how: str, fn: object) -> None:
        self.how, self.fn = how, fn


class Class(Named):
    """A class of the source. `kind` is "plain", "dataclass" or "tuple"; `fields` those of the constructor, in order.

    data: the fields that JAX takes for arrays, where the class is registered with it; the others are static.
    """

    __slots__ = ("data", "fields", "frozen", "kind", "name", "owner", "table")

    def __init__(self, owner: Evaluator, name: str, kind: str, fields: dict[str, object], table: dict[str, object]):
        self.owner, self.name, self.kind, self.fields, self.table = owner, name, kind, fields, table
        self.frozen = kind == "tuple"
        self.data: tuple[str, ...] | None = None

    def __call__(self, *args: object, **kwargs: object) -> object:
        return construct(self.owner, self, list(args), kwargs)

    def said(self) -> str:
        return f"the class {self.name}"

    # as a node of a tree of values

    def split(self, value: object) -> tuple[list[object], tuple[object, ...]]:
        """Children and what is static of an object."""
        if isinstance(value, Record):
            return list(value), ()
        assert isinstance(value, Object) and self.data is not None
        static = tuple((name, value.values[name]) for name in self.fields if name not in self.data)
        return [value.values[name] for name in self.data], static

    def join(self, children: list[object], static: tuple[Any, ...]) -> object:
        if self.kind == "tuple":
            return Record(self, children)
        assert self.data is not None
        return Object(self, {**dict(static), **dict(zip(self.data, children, strict=True))})


class Object(Node):
    """An object of a class that is no tuple."""

    __slots__ = ("made", "values")

    def __init__(self, made: Class, values: dict[str, object]) -> None:
        self.made, self.values = made, values

    def said(self) -> str:
        return f"an object of {self.made.name}"

    @property
    def node(self) -> Class | None:
        return self.made if self.made.data is not None else None

    def __call__(self, *args: object, **kwargs: object) -> object:
        ev = self.made.owner
        return ev.call(attribute(ev, self, "__call__"), list(args), kwargs)


def define(ev: Evaluator, node: ast.ClassDef, frame: Frame) -> Class:
    """The class that a `class` statement makes, before its decorators."""
    if node.keywords or len(node.bases) > 1:
        ev.fail("T102", "a class here has no bases but NamedTuple", None, node)
    kind = "plain"
    for base in node.bases:
        value = ev.eval(base, frame)
        if isinstance(value, Builtin) and value.name == "typing.NamedTuple":
            kind = "tuple"
        elif not (isinstance(value, Builtin) and value.name == "object"):
            ev.fail("T102", "a class here has no bases but NamedTuple", "put an object into a field instead", base)
    scope = Frame(frame, frozenset(names_bound(node.body)))
    fields: dict[str, object] = {}
    for part in node.body:
        ev.spend(1)
        match part:
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                pass
            case ast.AnnAssign(target=ast.Name(id=name)):
                fields[name] = REQUIRED if part.value is None else ev.eval(part.value, scope)
                if part.value is not None and not isinstance(fields[name], Field):
                    scope.values[name] = fields[name]
            case ast.Assign(targets=[ast.Name(id=name)]):
                scope.values[name] = ev.eval(part.value, scope)
            case ast.FunctionDef():
                scope.values[part.name] = _method(ev, part, scope, frame)
            case _:
                ev.fail("T102", "a class here holds fields, constants and functions", None, part)
    return Class(ev, node.name, kind, fields, scope.values)


def _method(ev: Evaluator, node: ast.FunctionDef, scope: Frame, frame: Frame) -> object:
    """A function in a class: its body sees what is around the class, not the class's own names."""
    if node.name.startswith("__") and node.name not in SPECIAL:
        known = ", ".join(sorted(SPECIAL))
        ev.fail("T102", f"the method {node.name!r} of a class is not supported", f"there are {known}", node)
    value: object = functions.make(ev, node, scope)
    assert isinstance(value, Closure)
    value.frame = frame
    for decorator in reversed(node.decorator_list):
        wrapper = ev.eval(decorator, scope)
        ev.at(decorator)
        value = ev.call(wrapper, [value], {})
    return value


def construct(ev: Evaluator, made: Class, args: list[object], kwargs: dict[str, object]) -> object:
    """An object of the class. Errors: T114 where the arguments are not those that it takes."""
    if made.kind == "plain":
        found = Object(made, {})
        start = made.table.get("__init__")
        if start is not None:
            ev.call(start, [found, *args], kwargs)
        elif args or kwargs:
            ev.fail("T114", f"{made.name}() takes no arguments")
        return found
    values = _given(ev, made, args, kwargs)
    if made.kind == "tuple":
        return Record(made, [values[name] for name in made.fields])
    found = Object(made, values)
    after = made.table.get("__post_init__")
    if after is not None:
        frozen, made.frozen = made.frozen, False
        ev.call(after, [found], {})
        made.frozen = frozen
    return found


def _given(ev: Evaluator, made: Class, args: list[object], kwargs: dict[str, object]) -> dict[str, object]:
    names = list(made.fields)
    if len(args) > len(names):
        ev.fail("T114", f"{made.name}() takes {len(names)} arguments, but {len(args)} are given")
    values = dict(zip(names, args, strict=False))
    for name, value in kwargs.items():
        if name not in made.fields:
            ev.fail("T114", f"{made.name}() has no field {name!r}", near(name, names))
        if name in values:
            ev.fail("T114", f"{made.name}() is given {name!r} twice")
        values[name] = value
    for name, default in made.fields.items():
        if name not in values and default is not REQUIRED:
            if not isinstance(default, Field):
                values[name] = default
            elif default.factory is not None:
                values[name] = ev.call(default.factory, [], {})
            elif default.default is not REQUIRED:
                values[name] = default.default
    missing = [name for name in names if name not in values]
    if missing:
        ev.fail("T114", f"{made.name}() is called without {', '.join(map(repr, missing))}")
    return {name: values[name] for name in names}


def attribute(ev: Evaluator, value: object, name: str) -> object:
    """What `value.name` is: a field, a constant, or a method with its object."""
    if not isinstance(value, Class | Object | Record):
        ev.fail("T103", f"{kind_of(value)} has no attribute {name!r} here")
    made = value if isinstance(value, Class) else value.made
    if isinstance(value, Object) and name in value.values:
        return value.values[name]
    if isinstance(value, Record) and name in made.fields:
        return value[list(made.fields).index(name)]
    if isinstance(value, Record) and name in _TUPLE_METHODS:
        return Partial(ev, _TUPLE_METHODS[name], (value,), {})
    found = made.table.get(name, REQUIRED)
    if found is REQUIRED:
        names = [*made.fields, *made.table, *(value.values if isinstance(value, Object) else ())]
        shown = kind_of(value) if isinstance(value, Named) else f"an object of {made.name}"
        ev.fail("T103", f"{shown} has no {name!r}", near(name, names))
    if isinstance(found, Wrapped):
        if found.how == "staticmethod":
            return found.fn
        if found.how == "classmethod":
            return Partial(ev, found.fn, (made,), {})
        return found.fn if value is made else ev.call(found.fn, [value], {})
    return Partial(ev, found, (value,), {}) if isinstance(found, Closure) and value is not made else found


def assign(ev: Evaluator, value: object, name: str, new: object, node: ast.AST) -> None:
    """`value.name = new`, for an object that may change."""
    if not isinstance(value, Object):
        ev.fail("T102", f"assigning to the attribute {name!r} of {kind_of(value)} is not supported", None, node)
    if value.made.frozen:
        ev.fail("T114", f"{value.made.name} is frozen: {name!r} cannot be assigned", "dataclasses.replace", node)
    if name.startswith("__"):
        ev.fail("T103", f"the attribute {name!r} is not there for kernels", None, node)
    value.values[name] = new
    ev.bounded(tuple(value.values))


# the functions of `dataclasses`, and of JAX about them


def _dataclass(ev: Evaluator, made: object = None, /, *, frozen: bool = False, **options: object) -> object:
    """`@dataclass` and `@dataclass(frozen=True, ..)`; options that change no value are let pass."""
    if made is None:
        return Partial(ev, Builtin("dataclasses.dataclass", _dataclass), (), {"frozen": frozen, **options})
    if not isinstance(made, Class) or made.kind != "plain":
        ev.fail("T114", f"dataclasses.dataclass takes a class, not {kind_of(made)}")
    unknown = set(options) - {"slots", "kw_only", "eq", "repr", "order", "init", "unsafe_hash", "match_args"}
    if unknown or options.get("init") is False:
        ev.fail("T216", f"dataclasses.dataclass with {', '.join(sorted(unknown) or ['init=False'])} is not supported")
    made.kind, made.frozen = "dataclass", bool(frozen)
    return made


def _field(ev: Evaluator, *, default: object = REQUIRED, default_factory: object = None, **options: object) -> Field:
    return Field(default, default_factory)


def _replace(ev: Evaluator, value: object, /, **changes: object) -> object:
    if not isinstance(value, Object) or value.made.kind != "dataclass":
        ev.fail("T114", f"dataclasses.replace takes an object of a dataclass, not {kind_of(value)}")
    return construct(ev, value.made, [], {**{name: value.values[name] for name in value.made.fields}, **changes})


def _asdict(ev: Evaluator, value: object) -> object:
    if not isinstance(value, Object) or value.made.kind != "dataclass":
        ev.fail("T114", f"dataclasses.asdict takes an object of a dataclass, not {kind_of(value)}")
    return {name: value.values[name] for name in value.made.fields}


def _tuple_replace(ev: Evaluator, value: Record, /, **changes: object) -> object:
    made: Class = value.made
    return construct(ev, made, [], {**dict(zip(made.fields, value, strict=True)), **changes})


def _tuple_asdict(ev: Evaluator, value: Record) -> object:
    return dict(zip(value.made.fields, value, strict=True))


_TUPLE_METHODS = {
    "_replace": Builtin("_replace", _tuple_replace),
    "_asdict": Builtin("_asdict", _tuple_asdict),
}


def register(
    ev: Evaluator, made: object, data_fields: object = None, meta_fields: object = None, drop_fields: object = ()
) -> object:
    """`jax.tree_util.register_dataclass`: the data fields are a loop's carries; the others are the class's own."""
    if not isinstance(made, Class) or made.kind != "dataclass":
        ev.fail("T114", f"jax.tree_util.register_dataclass takes a dataclass, not {kind_of(made)}")
    static = [] if meta_fields is None else ev.collect(meta_fields, ev.node)
    data = [n for n in made.fields if n not in static] if data_fields is None else ev.collect(data_fields, ev.node)
    if sorted(map(str, (*data, *static))) != sorted(made.fields):
        ev.fail("T114", f"jax.tree_util.register_dataclass: data and meta fields are not those of {made.name}")
    made.data = tuple(map(str, data))
    return made


def _only_an_annotation(ev: Evaluator, *args: object) -> object:
    ev.fail("T114", "names of typing stand in annotations only")


def _named_tuple(ev: Evaluator, name: object, fields: object, *, defaults: object = ()) -> Class:
    """`collections.namedtuple("Point", "x y")`."""
    names = fields.replace(",", " ").split() if isinstance(fields, str) else ev.collect(fields, ev.node)
    if not isinstance(name, str) or not all(isinstance(one, str) and one.isidentifier() for one in names):
        ev.fail("T114", "namedtuple takes a name, and its fields' names")
    values = ev.collect(defaults, ev.node)
    found: dict[str, object] = dict.fromkeys(map(str, names), REQUIRED)
    found.update(zip(list(found)[len(found) - len(values) :], values, strict=True))
    return Class(ev, name, "tuple", found, {})


DATACLASSES = Module(
    "dataclasses",
    {
        "dataclass": Builtin("dataclasses.dataclass", _dataclass),
        "field": Builtin("dataclasses.field", _field),
        "replace": Builtin("dataclasses.replace", _replace),
        "asdict": Builtin("dataclasses.asdict", _asdict),
    },
)
# what stands in annotations only, which nobody evaluates
_WORDS = "Any Callable ClassVar Final Generic Iterable Iterator Literal Mapping Optional Protocol Self Sequence Union"
TYPING = Module(
    "typing",
    {
        **{word: Builtin(f"typing.{word}", _only_an_annotation) for word in _WORDS.split()},
        "NamedTuple": Builtin("typing.NamedTuple", _named_tuple),
        "TYPE_CHECKING": False,
    },
)
COLLECTIONS = Module("collections", {"namedtuple": Builtin("collections.namedtuple", _named_tuple)})
MODULES = {"collections": COLLECTIONS, "collections.abc": TYPING, "dataclasses": DATACLASSES, "typing": TYPING}
