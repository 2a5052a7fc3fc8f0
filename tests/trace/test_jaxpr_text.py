"""Jaxprs as text and back: over every primitive, every kind of param, nested jaxprs, every form of a ref."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pipeline.dtypes import BF16, BY_NAME, F32, I32
from pipeline.errors import SpecError
from pipeline.ir.jaxpr import (
    Arg,
    Atom,
    Aval,
    Eqn,
    Jaxpr,
    Literal,
    MemorySpace,
    NDIndexer,
    Prim,
    RefAval,
    RefBitcast,
    RefReshape,
    ShapedArray,
    Slice,
    Var,
)
from pipeline.ir.jaxpr_text import parse_jaxpr, print_jaxpr, var_name

# a comparison of its own: `same` says whether two jaxprs are equal but for the identity of their variables


def same(left: Any, right: Any, names: dict[Var, Var]) -> bool:
    if type(left) is not type(right):
        return False
    match left:
        case Jaxpr():
            binders = zip(left.invars, right.invars, strict=False)
            names = dict(names)
            if len(left.invars) != len(right.invars) or any(a.aval != b.aval for a, b in binders):
                return False
            names.update(zip(left.invars, right.invars, strict=True))
            if len(left.eqns) != len(right.eqns):
                return False
            for one, other in zip(left.eqns, right.eqns, strict=True):
                if one.prim is not other.prim or not same(one.inputs, other.inputs, names):
                    return False
                if [out.aval for out in one.outputs] != [out.aval for out in other.outputs]:
                    return False
                if not same(one.params, other.params, names):
                    return False
                names.update(zip(one.outputs, other.outputs, strict=True))
            return same(left.outvars, right.outvars, names)
        case Var():
            return names.get(left) is right
        case tuple():
            return len(left) == len(right) and all(same(a, b, names) for a, b in zip(left, right, strict=True))
        case float():
            return repr(left) == repr(right)
        case _:
            return bool(left == right)


def assert_survives(jaxpr: Jaxpr) -> None:
    text = print_jaxpr(jaxpr)
    again = parse_jaxpr(text)
    assert print_jaxpr(again) == text
    assert same(jaxpr, again, {}), text


# random jaxprs: well formed as to variables and refs, otherwise anything goes

dtypes = st.sampled_from(sorted(BY_NAME.values(), key=str))
shapes = st.lists(st.integers(0, 300), max_size=3).map(tuple)
arrays = st.builds(ShapedArray, shapes, dtypes, st.booleans())
refs = st.builds(RefAval, arrays, st.sampled_from(list(MemorySpace)))
avals: st.SearchStrategy[Aval] = st.one_of(arrays, refs)
values = st.one_of(
    st.booleans(),
    st.integers(-(2**64), 2**64),
    st.floats(),
    st.sampled_from([float("inf"), float("-inf"), float("nan"), -0.0, 1e-45, 1e300]),
)
literals = st.builds(Literal, values, arrays)
texts = st.one_of(
    st.text(max_size=8), st.sampled_from(["None", "float32", "in", "exp", "_where", "a b", "é", "\U0001f600", '"\\'])
)


@st.composite
def transforms(draw: Any, inputs: tuple[Atom, ...]) -> tuple[Any, ...]:
    """Any transforms whose Args are positions of `inputs`, fitting or not."""
    position = st.integers(0, max(len(inputs) - 1, 0)).map(Arg)
    number = st.one_of(st.integers(0, 300), position) if inputs else st.integers(0, 300)
    index = st.one_of(number, st.builds(Slice, number, number, st.integers(1, 4)))
    indexer = st.lists(index, max_size=3).map(lambda found: NDIndexer(tuple(found)))
    return tuple(
        draw(
            st.lists(
                st.one_of(indexer, st.builds(RefReshape, shapes), st.builds(RefBitcast, dtypes, shapes)), max_size=3
            )
        )
    )


@st.composite
def chain(draw: Any, ref: Aval, dynamic: list[Atom], scalars: list[Atom], first: int) -> tuple[Any, ...]:
    """Transforms as the tracer makes them: each fits the ref, its dynamic parts are fresh inputs."""
    shape: tuple[int | None, ...] = ref.shape

    def number(low: int = 0, high: int = 64) -> int | Arg:
        if scalars and draw(st.booleans()):
            dynamic.append(draw(st.sampled_from(scalars)))
            return Arg(first + len(dynamic) - 1)
        return int(draw(st.integers(low, high)))

    out: list[Any] = []
    for _ in range(draw(st.integers(0, 3))):
        kind = draw(st.sampled_from(["index", "full", "reshape", "bitcast"]))
        if kind == "full" and None not in shape:
            out.append(NDIndexer(tuple(Slice(0, size or 0) for size in shape)))
        elif kind == "reshape":
            shape = draw(shapes)
            out.append(RefReshape(shape))  # type: ignore[arg-type]
        elif kind == "bitcast":
            shape = draw(shapes)
            out.append(RefBitcast(draw(dtypes), shape))  # type: ignore[arg-type]
        else:
            indices: list[Any] = []
            for size in shape:
                if draw(st.booleans()):
                    indices.append(number())
                else:
                    start = number()
                    whole = size is not None and isinstance(start, int) and start <= size and draw(st.booleans())
                    indices.append(Slice(start, size - start if whole else number(), draw(st.sampled_from([1, 1, 2]))))
            out.append(NDIndexer(tuple(indices)))
            kept = [index.size for index in indices if isinstance(index, Slice)]
            shape = tuple(size if isinstance(size, int) else None for size in kept)
    return tuple(out)


@st.composite
def jaxprs(draw: Any, depth: int = 2) -> Jaxpr:
    invars = [Var(aval) for aval in draw(st.lists(avals, max_size=4))]
    known: list[Var] = list(invars)
    eqns: list[Eqn] = []
    for _ in range(draw(st.integers(0, 4))):
        atom = st.one_of(literals, st.sampled_from(known)) if known else literals
        inputs: tuple[Atom, ...] = tuple(draw(st.lists(atom, max_size=4)))
        outputs = [Var(aval) for aval in draw(st.lists(avals, max_size=2))]
        prim = draw(st.sampled_from(list(Prim)))
        ref_vars = [var for var in known if isinstance(var.aval, RefAval)]
        params: dict[str, Any]
        form = draw(st.sampled_from(["any", "ref", "copy"]))
        if form != "any" and ref_vars:
            scalars: list[Atom] = [var for var in known if var.aval == ShapedArray((), I32)]
            scalars.append(draw(st.builds(Literal, st.integers(0, 9), st.just(ShapedArray((), I32)))))
            dynamic: list[Atom] = []
            ref = [draw(st.sampled_from(ref_vars)) for _ in range(3)]
            if form == "ref":
                prim = draw(
                    st.sampled_from([Prim.GET, Prim.SWAP, Prim.ADDUPDATE, Prim.SEMAPHORE_SIGNAL, Prim.MASKED_LOAD])
                )
                rest = [draw(atom) for _ in range({Prim.GET: 0, Prim.MASKED_LOAD: 2}.get(prim, 1))]
                found = draw(chain(ref[0].aval, dynamic, scalars, 1 + len(rest)))
                inputs = (ref[0], *rest, *dynamic)
                outputs = outputs[:1] if prim in (Prim.GET, Prim.SWAP, Prim.MASKED_LOAD) else []
                params = {"transforms": found}
                if prim is Prim.SWAP and draw(st.booleans()):
                    outputs = [Var(ShapedArray(rest[0].aval.shape, rest[0].aval.dtype))]
            else:
                prim = draw(st.sampled_from([Prim.DMA_START, Prim.DMA_WAIT]))
                params = {}
                for which, key in zip(ref, ("src", "dst", "semaphore"), strict=True):
                    params[f"{key}_transforms"] = draw(chain(which.aval, dynamic, scalars, 3))
                inputs, outputs = (*ref, *dynamic), []
                if prim is Prim.DMA_START:
                    params["priority"] = draw(st.integers(0, 3))
        else:
            simple = st.one_of(st.none(), values, texts, dtypes, st.sampled_from(list(MemorySpace)))
            choices: list[Any] = [simple, transforms(inputs)]
            if depth:
                choices += [jaxprs(depth - 1), st.lists(jaxprs(depth - 1), min_size=1, max_size=2).map(tuple)]
            value = st.one_of(*choices, st.lists(st.one_of(*choices), max_size=3).map(tuple))
            keys = st.sampled_from(["axes", "jaxpr", "branches", "transforms", "priority", "name", "src_transforms"])
            params = draw(st.dictionaries(keys, value, max_size=3))
        eqns.append(Eqn(prim, inputs, tuple(outputs), tuple(sorted(params.items()))))
        known.extend(outputs)
    atom = st.one_of(literals, st.sampled_from(known)) if known else literals
    return Jaxpr(tuple(invars), tuple(eqns), tuple(draw(st.lists(atom, max_size=3))))


@settings(max_examples=300, deadline=None)
@given(jaxprs())
@example(Jaxpr((), (Eqn(Prim.DMA_WAIT, (Literal(0, ShapedArray((), I32)),), ()),), ()))
def test_any_jaxpr_survives_the_way_to_text_and_back(jaxpr: Jaxpr) -> None:
    assert_survives(jaxpr)


@pytest.mark.parametrize("prim", Prim, ids=lambda prim: prim.value)
def test_every_primitive_survives(prim: Prim) -> None:
    x, out = Var(ShapedArray((8, 128), F32)), Var(ShapedArray((8, 128), F32, True))
    params = (("axes", (0, 1)), ("dtype", BF16), ("name", prim.value))
    assert_survives(Jaxpr((x,), (Eqn(prim, (x, Literal(0.5, ShapedArray((), F32))), (out,), params),), (out,)))


def test_the_text_is_jaxs_manner() -> None:
    x, o = Var(RefAval(ShapedArray((8, 128), F32))), Var(RefAval(ShapedArray((8, 128), F32), MemorySpace.VMEM))
    i = Var(ShapedArray((), I32))
    row, out, old = Var(ShapedArray((128,), F32)), Var(ShapedArray((2, 128), F32)), Var(ShapedArray((2, 128), F32))
    whole, part = Slice(0, 128), NDIndexer((Slice(Arg(2), 2), Slice(0, 128)))
    eqns = (
        Eqn(Prim.GET, (x, i), (row,), (("transforms", (NDIndexer((Arg(1), whole)),)),)),
        Eqn(Prim.BROADCAST_IN_DIM, (row,), (out,), (("broadcast_dimensions", (1,)), ("shape", (2, 128)))),
        Eqn(Prim.SWAP, (o, out, i), (old,), (("transforms", (part,)),)),
        Eqn(Prim.SWAP, (o, out), (Var(old.aval),), (("transforms", (NDIndexer((Slice(6, 2), whole)),)),)),
        Eqn(Prim.ADDUPDATE, (o, Literal(1.0, ShapedArray((), F32, True))), (), (("transforms", ()),)),
    )
    assert print_jaxpr(Jaxpr((x, o, i), eqns, (old, Literal(0, ShapedArray((), I32))))).splitlines() == [
        "{ lambda ; a:Ref<default>{f32[8,128]} b:Ref<vmem>{f32[8,128]} c:i32[]. let",
        "    d:f32[128] <- a[c,:]",
        "    e:f32[2,128] = broadcast_in_dim[broadcast_dimensions=(1,) shape=(2, 128)] d",
        "    f:f32[2,128], b[c:c+2,:] <- b[c:c+2,:], e",
        "    b[6:,:] <- e",
        "    b[...] += 1.0:~f32[]",
        "  in (f, 0:i32[]) }",
    ]


def test_names_run_on_as_jaxs_do() -> None:
    assert [var_name(n) for n in (0, 25, 26, 27, 51, 52, 26 * 26 - 1, 26 * 26)] == [
        "a", "z", "ba", "bb", "bz", "ca", "zz", "baa",
    ]  # fmt: skip


def test_two_prints_of_one_jaxpr_are_equal_and_spans_do_not_show() -> None:
    text = "{ lambda ; a:f32[8]. let\n    b:f32[8] = exp a\n  in (b,) }"
    jaxpr = parse_jaxpr(text)
    assert jaxpr.eqns[0].span.line == 2
    assert print_jaxpr(jaxpr) == print_jaxpr(jaxpr) == text


BROKEN = [
    ("", 1, 1),
    ("{ lambda ; a:f32[8]. let in (b,) }", 1, 30),
    ("{ lambda ; a:f33[8]. let in () }", 1, 14),
    ("{ lambda ; a:Ref<moon>{f32[8]}. let in () }", 1, 18),
    ("{ lambda ; a:f32[8] a:f32[8]. let in () }", 1, 21),
    ("{ lambda ; a:f32[8]. let\n b:f32[8] = explode a\n in () }", 2, 13),
    ("{ lambda ; a:f32[8]. let\n b:f32[8] = exp a b\n in () }", 2, 19),
    ("{ lambda ; a:f32[8]. let\n b:f32[8] = exp[y=1 y=2] a\n in () }", 2, 21),
    ("{ lambda ; a:f32[8]. let in () } x", 1, 34),
    ("{ lambda ; a:Ref<any>{f32[8]}. let\n b:f32[] <- a[0,0]\n in () }", 2, 14),
    ("{ lambda ; a:Ref<any>{f32[8]}. let\n b:f32[] <- a[1.5]\n in () }", 2, 15),
    ("{ lambda ; a:Ref<any>{f32[8]}. let\n b:f32[] <- a.flatten()\n in () }", 2, 15),
    ("{ lambda ; a:Ref<any>{f32[8]} i:i32[] j:i32[]. let\n b:f32[2] <- a[i:j+2]\n in () }", 2, 16),
    ("{ lambda ; a:Ref<any>{f32[8]} b:f32[]. let\n c:f32[], a[0] <- a[1], b\n in () }", 2, 19),
    ('{ lambda ; . let\n jit[name="\\x"]\n in () }', 2, 11),
    ("{ lambda ; a:f32[@]. let in () }", 1, 18),
    ("{ lambda ; . let\n jit[n=" + "(" * 100000 + "]\n in () }", 2, 57),
    ("{ lambda ; . let\n jit[n=" + "9" * 10000 + "]\n in () }", 2, 8),
    ("{ lambda ; . let", 1, 17),
]


@pytest.mark.parametrize(("text", "line", "column"), BROKEN, ids=[str(number) for number in range(len(BROKEN))])
def test_broken_text_is_a_diagnostic_with_its_place(text: str, line: int, column: int) -> None:
    with pytest.raises(SpecError) as caught:
        parse_jaxpr(text)
    (found,) = caught.value.diagnostics
    assert (found.code, found.span.line, found.span.column) == ("T901", line, column), found.message


@settings(max_examples=200, deadline=None)
@given(jaxprs(1), st.data())
def test_damaged_text_never_fails_otherwise(jaxpr: Jaxpr, data: Any) -> None:
    text = print_jaxpr(jaxpr)
    at = data.draw(st.integers(0, len(text)))
    cut = data.draw(st.integers(0, 4))
    put = data.draw(st.text(alphabet='abz019.,:;=<>[](){}+-*$~"\\ \n_', max_size=3))
    try:
        parse_jaxpr(text[:at] + put + text[at + cut :])
    except SpecError as error:
        assert error.diagnostics[0].code == "T901"
