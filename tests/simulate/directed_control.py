"""Cases about control: program ids inside loops and branches, loops that test a ref, carries of several dtypes, many
branches, empty and strided ranges, memory read before and after a branch writes it."""

from __future__ import annotations

from math import prod

from directed import Ref, Shape, kernel
from directed_refs import NORMAL

N = Ref("n", (8,), "int32", 'kind = "values", values = [0, 3, 3, 1, 2, 4, 5, 3]')
BLOCK = 'block = [8, 16]\nindex_map = "lambda {}, n: ({}, 0)"'


def of(body: str, grid: Shape = (3,), scratch: tuple[Ref, ...] = ()) -> str:
    """A kernel over blocks of 8 rows."""
    axes, row = ("i", "i") if len(grid) == 1 else ("i, j", f"i * {grid[1]} + j")
    rows, block = 8 * prod(grid), BLOCK.format(axes, row)
    taken, made = Ref("x", (rows, 16), data=NORMAL, more=block), Ref("o", (rows, 16), more=block)
    return kernel(body, [taken], [made], scratch, grid, [N])


# interpret=True keeps what a loop's test reads of a ref from before the loop; these two end there at the count's limit
STALE = ("loop_that_tests_a_ref", "loop_that_tests_smem")
CONTROL = {
    "id_in_a_loop": of("o[...] = lax.fori_loop(0, 3, lambda k, c: c + pl.program_id(0) * k, x[...])"),
    "id_as_a_bound": of(
        "o[...] = lax.fori_loop(0, pl.program_id(0), lambda k, c: c * 0.5 + pl.program_id(0), x[...])"),
    "id_in_a_test": of(
        "o[...] = lax.while_loop(lambda c: c[0] < pl.program_id(0), lambda c: (c[0] + 1, c[1] + pl.program_id(0)),\n"
        "    (0, x[...]))[1]"),
    "id_in_a_branch": of(
        "o[...] = lax.cond(x[0, 0] > 0, lambda v: v + pl.program_id(0), lambda v: v * pl.num_programs(0), x[...])"),
    "id_in_a_branch_of_a_loop": of(
        "def body(k, c):\n"
        "    return lax.cond(k > pl.program_id(0), lambda v: v + pl.program_id(0), lambda v: v - 1, c)\n"
        "o[...] = lax.fori_loop(0, 4, body, x[...])"),
    "ids_of_two_axes": of(
        "o[...] = lax.fori_loop(0, 3, lambda k, c: c + pl.program_id(0) * k - pl.program_id(1), x[...])", (2, 3)),
    "id_in_a_scope": of(
        "def inside(t):\n    t[...] = x[...] * pl.program_id(0)\n    o[...] = t[...] + 1\n"
        "pl.run_scoped(inside, pltpu.VMEM((8, 16), jnp.float32))"),
    "id_as_an_index": of("o[...] = x[...]\n@pl.loop(0, 4)\ndef _(k):\n    o[k + pl.program_id(0)] = x[k] * 2"),
    "id_in_a_condition": of(
        "o[...] = x[...]\n@pl.loop(0, 4)\ndef _(k):\n    @pl.when(k == pl.program_id(0))\n    def _():\n"
        "        o[k] = x[k] * 2"),
    "loop_that_tests_a_ref": of(
        "s[...] = jnp.abs(x[...])\ndef body(c):\n    s[...] = s[...] * 0.5\n    return c + 1\n"
        "k = lax.while_loop(lambda c: (jnp.max(s[...]) > 0.2) & (c < 9), body, 0)\no[...] = s[...] + k",
        scratch=(Ref("s", (8, 16)),)),
    "loop_that_tests_smem": of(
        "q[0] = 0\ndef body(c):\n    q[0] += 2\n    return c + 1\n"
        "k = lax.while_loop(lambda c: (q[0] < 7) & (c < 9), body, 0)\no[...] = x[...] + k",
        scratch=(Ref("q", (4,), "int32", more='kind = "smem"'),)),
    "carry_of_many_dtypes": of(
        "def body(k, c):\n    a, b, d, e = c\n"
        "    return a * jnp.bfloat16(1.5), b * jnp.int8(3), d ^ (b[0] > 0), e + jnp.uint8(200)\n"
        "a, b, d, e = lax.fori_loop(0, 5, body, (x[...].astype(jnp.bfloat16), (x[...] * 20).astype(jnp.int8),\n"
        "    x[0] > 0, jnp.full((16,), 77, jnp.uint8)))\n"
        "o[...] = (a.astype(jnp.float32) + b.astype(jnp.float32) + d.astype(jnp.float32)[None]\n"
        "    + e.astype(jnp.float32)[None])"),
    "loops_in_a_loop": of(
        "def inner(k, c):\n    return c[0] + k, c[1] * 2, ~c[2]\n"
        "def outer(k, c):\n    return lax.fori_loop(0, k + 1, inner, c)\n"
        "a, b, c = lax.fori_loop(0, 3, outer, (x[...], jnp.int32(1), True))\n"
        "o[...] = a + b.astype(jnp.float32) + jnp.where(c, 1.0, 2.0)"),
    "many_branches": of(
        "o[...] = lax.switch(n[pl.program_id(0) + 2], [lambda v: v, lambda v: v + 1, lambda v: v * 2,\n"
        "    lambda v: v - 7], x[...])"),
    "branch_out_of_range": of(
        "o[...] = lax.switch(n[pl.program_id(0) + 1] * 2 - 5, [lambda v: v, lambda v: v + 1, lambda v: v * 2],\n"
        "    x[...])"),
    "branches_with_refs": of(
        "o[...] = x[...]\ndef a():\n    o[0] = x[1]\n    return 1\ndef b():\n    o[2:4] = x[4:6]\n    return 2\n"
        "def c():\n    return 3\nk = lax.switch(pl.program_id(0), [a, b, c])\no[7] = x[5] * k"),
    "prints_in_a_loop": of("@pl.loop(0, 3)\ndef _(k):\n    pl.debug_print('k {}', k)\no[...] = x[...]"),
    "checks_in_a_loop": of(
        "@pl.loop(0, 3)\ndef _(k):\n    pl.debug_check(k < 2, 'k is too large')\no[...] = x[...]"),
    "unrolled": of(
        "o[...] = lax.fori_loop(0, 7, lambda k, c: c * 0.5 + k, x[...], unroll=3)\n"
        "o[...] += lax.fori_loop(2, 6, lambda k, c: c * 0.5 + k, x[...], unroll=True)"),
    "empty_and_negative_ranges": of(
        "o[...] = lax.fori_loop(5, 2, lambda k, c: c * 0.5 + k, x[...])\n"
        "o[...] += lax.fori_loop(-3, 2, lambda k, c: c + k, x[...])\n"
        "o[...] += lax.fori_loop(n[1], n[0], lambda k, c: c * 0.5 + k, x[...])\n"
        "o[...] += lax.fori_loop(n[0] - 3, n[4], lambda k, c: c + k, x[...])"),
    "stride_of_a_loop": of("o[...] = x[...]\n@pl.loop(1, 8, step=3)\ndef _(k):\n    o[k] = x[k] * k"),
    "exchanged_carries": of(
        "def body(k, c):\n    a, b = c\n    return b, a\n"
        "a, b = lax.fori_loop(0, 3, body, (x[...], x[...] * 2))\no[...] = a - b"),
    "read_before_a_write_in_a_loop": of(
        "o[...] = x[...]\ndef body(k, c):\n    old = o[...]\n    o[k] = old[k + 1] * 2\n    return c + old\n"
        "o[...] = lax.fori_loop(0, 4, body, jnp.zeros((8, 16), jnp.float32))"),
    "read_before_a_write_in_a_branch": of(
        "o[...] = x[...]\nv = o[...]\n@pl.when(pl.program_id(0) > 0)\ndef _():\n    o[...] = v * 2\n"
        "o[...] = o[...] + v"),
    "counts_of_signals": of(
        "pl.semaphore_signal(sem, 3)\npl.semaphore_wait(sem, 1)\no[...] = x[...] * pl.semaphore_read(sem)\n"
        "pl.semaphore_wait(sem, 2)", scratch=(Ref("sem", (), "", more='kind = "semaphore"'),)),
}  # fmt: skip
