"""Cases about indices: elements named twice, negative and too large ones of every kind of access, arrays in the middle
of a chain of views."""

from __future__ import annotations

from directed import Ref, kernel
from directed_refs import SEM, X

N = Ref("n", (8,), "int32", 'kind = "values", values = [0, 3, 3, -2, 20, -20, 5, 3]')
TWICE = "(lax.iota(jnp.int32, 8) // 3)"  # 0, 0, 0, 1, 1, 1, 2, 2
APART = "(lax.iota(jnp.int32, 8) * 5 - 20)"  # -20 to 15
ADD = "jax.ref.addupdate"


def of(body: str, dtype: str = "float32", scratch: tuple[Ref, ...] = ()) -> str:
    """A kernel from `x` to `o`, which starts as `x`; `n` holds indices."""
    first = f"o[...] = (x[...] * 50).astype(jnp.{dtype})\n" if dtype != "float32" else "o[...] = x[...]\n"
    return kernel(first + body, [X], [Ref("o", (16, 16), dtype)], scratch, prefetch=[N])


def copied(source: str, target: str, semaphore: Ref = SEM, at: str = "sem") -> str:
    return of(f"c = pltpu.make_async_copy({source}, {target}, {at})\nc.start()\nc.wait()", scratch=(semaphore,))


INDICES = {
    "stored_twice": of(f"o[{TWICE}] = x[0:8]\no[{TWICE}, {TWICE}] = x[0:8, 0]"),
    "updated_twice": of(f"o[{TWICE}] += x[0:8]"),
    "added_twice": of(f"{ADD}(o, ({TWICE},), x[0:8])"),
    "added_twice_bf16": of(f"{ADD}(o, ({TWICE},), x[0:8].astype(jnp.bfloat16))", "bfloat16"),
    "added_twice_i8": of(f"{ADD}(o, ({TWICE}, {TWICE}), (x[0, 0:8] * 50).astype(jnp.int8))", "int8"),
    "added_twice_to_a_slice": of(
        f"{ADD}(o, (pl.ds(2, 8), {TWICE}), x[0:8, 0:8])\n{ADD}(o, (n[1], {TWICE}), x[0, 0:8])"),
    "added_twice_out_of_range": of(
        f"{ADD}(o, ({TWICE} * 9 - 13,), x[0:8])\n{ADD}(o, ({TWICE} * 9 - 13, pl.ds(n[1], 5, 2)), x[0:8, 0:5])"),
    "added_to_a_chain": of(f"{ADD}(o.at[2:12], ({TWICE},), x[0:8])\n{ADD}(o.at[{TWICE}], (pl.ds(2, 3),), x[0:3])"),
    "added_with_strides": of(f"{ADD}(o, (pl.ds(n[3], 4, 3),), x[0:4])\n{ADD}(o, (pl.ds(n[4], 4, 3),), x[0:4])"),
    "counted": of(
        "k = (jnp.abs(x[...]) * 5).astype(jnp.int32) % 16\n@pl.loop(0, 16)\ndef _(r):\n"
        f"    {ADD}(o, (r, k[0]), jnp.ones((16,), jnp.int32))", "int32"),
    "array_before_a_slice": of(f"o.at[{TWICE}].at[2:4][...] = x[0:2]\no.at[{TWICE}].at[0:1][...] = x[0:1]"),
    "array_before_a_bitcast": of(f"o[0:8] = x.at[{TWICE}].bitcast(jnp.int32)[...]", "int32"),
    "array_before_a_reshape": of(f"o[0:4] = x.at[{TWICE}].reshape(4, 32)[:, 0:16]"),
    "copy_of_an_array": copied(f"x.at[{TWICE}]", "o.at[pl.ds(0, 8)]"),
    "copy_to_an_array": copied("x.at[pl.ds(0, 8)]", f"o.at[{TWICE}]"),
    "copy_with_strides": copied("x.at[pl.ds(0, 8, 2)]", "o.at[pl.ds(0, 8)]"),
    "copy_to_strides": copied("x.at[pl.ds(0, 4)]", "o.at[pl.ds(n[1], 4, 3)]"),
    "copy_out_of_range": copied("x.at[pl.ds(n[3], 4)]", "o.at[pl.ds(n[4], 4)]"),
    "semaphore_out_of_range": copied(
        "x.at[pl.ds(0, 4)]", "o.at[pl.ds(4, 4)]", SEM._replace(shape=(4,)), "sem.at[n[3]]"),
    "arrays_out_of_range": of(f"o[{APART}] = x[0:8]\no[0:8] += x[{APART}]"),
    "scalars_out_of_range": of("o[n[3]] = x[0]\no[1] = x[n[3]]\no[n[4]] = x[0]\no[1] = x[n[5]]\no[n[5]] = x[3]"),
    "slices_from_the_end": of("o[-3:] = x[0:3]\no[1:3] = x[-4:-2]"),
    "updates_out_of_range": of("o[n[3]] += x[0]\no[n[4]] += x[0]\no[n[5], 3] += x[0, 0]"),
    "additions_out_of_range": of(
        f"{ADD}(o, (n[3],), x[0])\n{ADD}(o, (pl.ds(n[4], 4),), x[0:4])\n{ADD}(o, ({APART},), x[0:8])"),
    "mixed_out_of_range": of(
        f"o[n[3], {APART}] = x[0, 0:8]\no[{TWICE}, n[1]] = x[0:8, 1]\no[{APART}, pl.ds(n[4], 4)] = x[0:8, 0:4]"),
    "masks_out_of_range": of(
        "m = x[0:4] > 0\npltpu.store(o.at[pl.ds(n[3], 4)], x[0:4], mask=m)\n"
        "pltpu.store(o.at[pl.ds(n[4], 4)], x[4:8], mask=m)\n"
        "o[8:12] = jnp.where(m, pltpu.load(x.at[pl.ds(n[3], 4)], mask=m), 0.0)\n"
        "o[12:16] = jnp.where(m, pltpu.load(x.at[pl.ds(n[4], 4)], mask=m), 0.0)"),
    "smem_out_of_range": of(
        "@pl.loop(0, 8)\ndef _(i):\n    s[i] = i\ns[n[3]] = 7\ns[n[4]] = 9\n"
        "o[...] = x[...] + s[n[3]].astype(jnp.float32) - s[n[5]].astype(jnp.float32)",
        scratch=(Ref("s", (8,), "int32", more='kind = "smem"'),)),
    "chains_out_of_range": of("o.at[pl.ds(2, 8)][n[3]] = x[0]\no[5] = x.at[pl.ds(n[3], 6)][pl.ds(n[3], 2)][0]"),
    "strides_out_of_range": of("o[pl.ds(n[3], 4, 2)] = x[0:4]\no[0:4] += x[pl.ds(n[4], 4, 3)]"),
    "values_out_of_range": of(
        "v = x[...]\no[...] = lax.dynamic_update_slice(v, v[0:4], (n[3], n[5]))\n"
        "o[0:4] = lax.dynamic_slice(v, (n[4], n[3]), (4, 16))"),
    "lookups_out_of_range": of(
        "v = x[...]\nk = (v * 20).astype(jnp.int32)\n"
        "o[...] = jnp.take_along_axis(v, k, axis=0, mode='clip') + jnp.take_along_axis(v, k, axis=1)"),
    "rotations": of("o[...] = pltpu.roll(x[...], 3, 0) + jnp.roll(x[...], -2, 1) + pltpu.roll(x[...], n[4] % 16, 1)"),
    "unsigned_index": of("k = n[1].astype(jnp.uint32)\no[k] = x[0]\no[0] = x[k]"),
    "unsigned_index_of_a_negative": of(
        "k = n[3].astype(jnp.uint32)\no[k] = x[0]\no[0] = x[k]\no[1] = x[pl.ds(k, 1)][0]"),
    "index_of_a_byte": of("k = n[3].astype(jnp.uint8)\no[k] = x[0]\no[0] = x[k]\no[1] = x[pl.ds(k, 1)][0]"),
    "narrow_arrays_of_indices": of(
        "k = (lax.iota(jnp.int32, 4) * 2 - 3).astype(jnp.int16)\no[0:4] = x[k]\no[k.astype(jnp.int8)] = x[4:8]"),
    "arrays_beside_slices": of(
        "k = lax.iota(jnp.int32, 4) * 2\no[2:4, k] = x[0:2, 0:4]\no[k, 5:9] = x[0:4, 0:4]\no[k, n[1]] = x[4:8, 3]"),
    "prefetched_that_changes": of("n[0] = 5\no[...] = x[...] + n[0].astype(jnp.float32)"),
    "promised_multiple": of("o[0:4] = x[pl.ds(pl.multiple_of(n[7], 8), 4)]").replace("5, 3] }", "5, 8] }"),
}  # fmt: skip
