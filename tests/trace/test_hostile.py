"""Sources that mean harm or make mistakes: each ends in a diagnostic with a code and a place, in bounded time."""

from __future__ import annotations

import time

import pytest

from tests.trace.helpers import diagnostics

# what it tries, the body of the kernel, the code it has to end in
HOSTILE = [
    ("attribute of a tuple's class", "().__class__.__bases__[0].__subclasses__()", "T103"),
    ("globals of a function", "(lambda: 0).__globals__", "T103"),
    ("code of a function", "(lambda: 0).__code__", "T103"),
    ("format reaches attributes", "'{0.__class__}'.format(x_ref)", "T103"),
    ("import", "import os", "T105"),
    ("from import", "from os import system", "T105"),
    ("relative import", "from . import secrets", "T105"),
    ("import function", "__import__('os').system('true')", "T104"),
    ("open", "open('/etc/passwd')", "T104"),
    ("eval", "eval('1')", "T104"),
    ("exec", "exec('x = 1')", "T104"),
    ("compile", "compile('1', '', 'eval')", "T104"),
    ("getattr", "getattr(x_ref, 'aval')", "T104"),
    ("globals", "globals()", "T104"),
    ("builtins by name", "__builtins__", "T104"),
    ("breakpoint", "breakpoint()", "T104"),
    ("internals of a tracer", "x_ref[...].atom", "T2"),
    ("internals of a ref", "x_ref.var", "T2"),
    ("table of a module", "jnp.table", "T103"),
    ("private attribute", "x_ref._anything", "T103"),
    ("class of a class", "class A(x_ref): pass", "T102"),
    ("metaclass", "class A(metaclass=abs): pass", "T102"),
    ("operator of a class", "class A:\n        def __add__(self, other): return 1", "T102"),
    ("class of an object", "class A: pass\n    A().__class__", "T103"),
    ("table of a class", "class A: pass\n    A.table", "T103"),
    ("values of an object", "class A: pass\n    A().values", "T103"),
    ("owner of a class", "class A: pass\n    A.owner", "T103"),
    ("attribute of a number", "x = 1\n    x.y = 2", "T102"),
    ("attribute of a module", "jnp.exp = 2", "T102"),
    ("constructor without end", "class A:\n        def __init__(self): A()\n    A()", "T113"),
    ("property without end", "class A:\n        @property\n        def b(self): return self.b\n    A().b", "T113"),
    ("object of itself", "class A: pass\n    a = A()\n    a.a = a\n    str(a)", "T114"),
    ("registered object of itself", "import dataclasses\n    @jax.tree_util.register_dataclass\n"
     "    @dataclasses.dataclass\n    class A: b: int\n    a = A(1)\n    a.b = a\n    jax.tree.leaves(a)", "T1"),
    ("nested named tuples", "import collections\n    A = collections.namedtuple('A', 'a b')\n    a = A(1, 1)\n"
     "    for i in range(200):\n        a = A(a, a)\n    jax.tree.leaves(a)", "T110"),
    ("frozen", "import dataclasses\n    @dataclasses.dataclass(frozen=True)\n    class A:\n        a: int\n"
     "    A(1).a = 2", "T114"),
    ("missing field", "import collections\n    collections.namedtuple('A', 'a b')(1)", "T114"),
    ("module of the system", "import sys", "T105"),
    ("try", "try:\n        pass\n    except Exception:\n        pass", "T102"),
    ("global", "global y", "T102"),
    ("generator", "yield 1", "T102"),
    ("await", "async def f():\n        await 1", "T102"),
    ("match of a dict", "match {}:\n        case {'a': 1}: pass", "T102"),
    ("traced match", "match x_ref[0, 0]:\n        case 1: pass", "T120"),
    ("trees that are not alike", "jax.tree.map(lambda a, b: a, (1, 2), [1, 2])", "T114"),
    ("leaves of another count", "jax.tree.unflatten(jax.tree.structure((1, 2)), [1])", "T114"),
    ("bytes", "b'abc'", "T102"),
    ("endless loop", "while True:\n        pass", "T110"),
    ("endless loop in a comprehension", "[1 for i in range(10**12)]", "T11"),
    ("nested loops", "for i in range(10**6):\n        for j in range(10**6):\n            pass", "T110"),
    ("endless sum", "sum(range(10**15))", "T110"),
    ("endless any", "any(i < 0 for i in [0] * 99999 for j in [0] * 99999)", "T11"),
    ("power of powers", "9**9**9", "T112"),
    ("shift", "1 << 10**9", "T112"),
    ("negative shift", "1 << -1", "T115"),
    ("huge product", "a = 2**4000\n    a * a", "T112"),
    ("huge string", "'a' * 10**9", "T111"),
    ("huge list", "[0] * 10**9", "T111"),
    ("growing list", "a = [0]\n    while True:\n        a += a", "T111"),
    ("growing string", "a = 'a'\n    while True:\n        a = a + a", "T111"),
    ("growing tuple", "a = (0,)\n    while True:\n        a = (*a, *a)", "T111"),
    ("list of everything", "list(range(10**9))", "T111"),
    ("join", "('a' * 90000).join(['b'] * 90000)", "T111"),
    ("format width", "f'{1:1000000000}'", "T114"),
    ("format precision", "f'{1.0:.1000000000f}'", "T114"),
    ("round to many digits", "round(7, -10**9) + [] ", "T114"),
    ("float in a huge range", "1.5 in range(10**18)\n    while True: pass", "T110"),
    ("nested tuples equal", "a = b = ()\n    for i in range(99):\n        a, b = (a, a), (b, b)\n    a == b", "T110"),
    ("nested tuples hashed", "a = ()\n    for i in range(200):\n        a = (a, a)\n    {a: 1}", "T110"),
    ("nested tuples printed", "a = ()\n    for i in range(200):\n        a = (a, a)\n    str(a)", "T110"),
    ("list of itself", "a = []\n    a.append(a)\n    a == a\n    str(a)", "T110"),
    ("colliding keys", "{i * (2**61 - 1): 0 for i in range(100000)}", "T111"),
    ("recursion", "def f(n):\n        return f(n + 1)\n    f(0)", "T113"),
    ("mutual recursion", "def f(n): return g(n)\n    def g(n): return f(n)\n    f(0)", "T113"),
    ("recursion through a callback", "def f(n):\n        return sorted([1], key=f)\n    f(0)", "T113"),
    ("recursion through partial", "def f(g):\n        return functools.partial(g, g)()\n    f(f)", "T113"),
    ("deep expression", "+".join(["1"] * 5000), "T101"),
    ("deep brackets", "(" * 3000 + ")" * 3000, "T101"),
    ("deep unary", "-" * 5000 + "1", "T101"),
    ("long attribute chain", "x_ref" + ".a" * 5000, "T101"),
    ("null character", "a = 'b\x00'", "T101"),
    ("huge literal", "9" * 10000, "T101"),
    ("not Python", "a = = 1", "T101"),
    ("set order", "[i for i in {'a', 'b'}]", "T121"),
    ("identity of ints", "1000 is 1000", "T114"),
    ("unhashable key", "{[]: 1}", "T114"),
    ("unhashable item", "{[1]}", "T114"),
    ("matmul of numbers", "2 @ 3", "T114"),
    ("division by zero", "1 // 0", "T115"),
    ("float overflow", "2.0 ** 10000", "T115"),
    ("complex result", "(-8) ** 0.5", "T115"),
    ("math domain", "math.sqrt(-1)", "T115"),
    ("math of nothing", "math.log()", "T114"),
    ("missing item", "(1, 2)[5]", "T116"),
    ("missing key", "{'a': 1}['b']", "T116"),
    ("unbound local", "y = z\n    z = 1", "T104"),
    ("wrong unpacking", "a, b = 1, 2, 3", "T114"),
    ("calling a number", "3(4)", "T114"),
    ("wrong arguments", "(lambda a: a)(1, 2)", "T114"),
    ("twice the same argument", "(lambda a: a)(1, a=2)", "T114"),
    ("unknown keyword", "(lambda a: a)(b=2)", "T114"),
    ("ref in an if", "if x_ref: pass", "T120"),
    ("traced if", "if x_ref[0, 0] > 0: pass", "T120"),
    ("traced and", "x_ref[0, 0] > 0 and x_ref[0, 1] > 0", "T120"),
    ("traced not", "not x_ref[0, 0] > 0", "T120"),
    ("traced while", "while x_ref[0, 0] > 0: pass", "T120"),
    ("traced range", "range(x_ref[0, 0])", "T120"),
    ("traced int", "int(x_ref[0, 0])", "T120"),
    ("traced index of a tuple", "(1, 2)[x_ref[0, 0]]", "T120"),
    ("traced text", "f'{x_ref[0, 0]}'", "T120"),
    ("traced maximum", "max(x_ref[0, 0], 1)", "T120"),
    ("loop over an array", "for row in x_ref[...]: pass", "T121"),
    ("unpacking an array", "a, b = x_ref[...]", "T121"),
    ("raise", "raise ValueError('rows: %d')", "T117"),
    ("assert", "assert x_ref.shape == (1, 1), x_ref.shape", "T117"),
    ("return", "return 3", "T131"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "code"), [case[1:] for case in HOSTILE], ids=[case[0] for case in HOSTILE])
def test_hostile_source_ends_in_a_diagnostic(body: str, code: str) -> None:
    start = time.process_time()
    found = diagnostics(f"def kernel(x_ref, o_ref):\n    {body}\n")
    assert time.process_time() - start < 5.0
    assert found[0].code.startswith(code), found
    for diagnostic in found:
        assert diagnostic.span.source is not None
        assert diagnostic.span.line >= 1
        assert len(diagnostic.message) < 600


def test_every_unknown_name_and_construct_is_reported_at_once() -> None:
    found = diagnostics(
        "def kernel(x_ref, o_ref):\n"
        "    a = unknown_one\n"
        "    b = jnp.maxx(a)\n"
        "    c = pl.program_ids(0)\n"
        "    global y\n"
        "    print(c)\n"
        "    o_ref[...] = a.__class__\n"
    )
    assert [(d.span.line, d.code) for d in found] == [
        (2, "T104"), (3, "T103"), (4, "T103"), (5, "T102"), (6, "T104"), (7, "T103"),
    ]  # fmt: skip
    assert found[1].hint is not None and "max" in found[1].hint
    assert found[2].hint is not None and "program_id" in found[2].hint
    assert found[4].hint == "use pl.debug_print"


def test_columns_count_characters() -> None:
    (found,) = diagnostics("def kernel(x_ref, o_ref):\n    a = 'äöü' + unknown\n")
    assert (found.span.line, found.span.column, found.span.end_column) == (2, 17, 24)
