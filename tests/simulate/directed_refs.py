"""Cases about refs: bitcasts, reshapes, chains of views, strides, of every width; copies to and from such views."""

from __future__ import annotations

from directed import Ref, kernel

NORMAL = 'kind = "normal", seed = 0'
I8 = 'kind = "integers", low = -128, high = 127, seed = 0'
I4 = 'kind = "integers", low = -8, high = 7, seed = 0'
BITS = 'kind = "integers", low = 0, high = 1, seed = 0'
WIDE = 'kind = "integers", low = -1000000000, high = 1000000000, seed = 0'
ANY = 'memory_space = "any"'
X, OUT, S = Ref("x", (16, 16), data=NORMAL), Ref("o", (16, 16)), Ref("s", (16, 16))
H, X_HBM, H_HBM = (
    Ref("h", (32, 16), "bfloat16", NORMAL),
    X._replace(more=ANY),
    Ref("x", (32, 16), "bfloat16", NORMAL, ANY),
)
SEM = Ref("sem", (), "", more='kind = "dma_semaphore"')
SET = "s[...] = x[...]\n"


def copy(source: str, target: str, between: str = "", after: str = "") -> str:
    return f"c = pltpu.make_async_copy({source}, {target}, sem)\nc.start()\n{between}\nc.wait()\n{after}"


def of(dtype: str, data: str, body: str) -> str:
    """A kernel from `c` to `o`, both of that dtype."""
    return kernel(f"o[...] = jnp.zeros_like(o)\n{body}", [Ref("c", (32, 16), dtype, data)], [Ref("o", (16, 16), dtype)])


_STRIDES = "o[pl.ds(2, 7, 2), :] = c[pl.ds(1, 7, 4), :]\no[0:2, :] += c[3:5, :]\no.at[4:8].at[1][...] = c[5, :]"
REFS = {
    "copy_to_bitcast": kernel(copy("x", "s.bitcast(jnp.float32)", after="o[...] = s.bitcast(jnp.float32)[...]"),
                              [X_HBM], [OUT], [Ref("s", (16, 16), "int32"), SEM]),
    "copy_to_narrower": kernel(copy("x", "s.bitcast(jnp.bfloat16)", after="o[...] = s[...]"), [H_HBM], [OUT], [S, SEM]),
    "copy_to_part_of_narrower": kernel(
        "s[...] = jnp.ones_like(s)\n"
        + copy("x.at[pl.ds(0, 16)]", "s.bitcast(jnp.bfloat16).at[pl.ds(8, 16)]", after="o[...] = s[...]"),
        [H_HBM], [OUT], [S, SEM]),
    "copy_to_wider": kernel(copy("x", "s.bitcast(jnp.int32)", after="o[...] = s[...]"),
                            [Ref("x", (16, 16), "int32", WIDE, ANY)], [Ref("o", (64, 16), "int8")],
                            [Ref("s", (64, 16), "int8"), SEM]),
    "copy_to_bytes": kernel(copy("x", "s.bitcast(jnp.int8)", after="o[...] = s[...]"),
                            [Ref("x", (64, 16), "int8", I8, ANY)], [Ref("o", (16, 16), "int32")],
                            [Ref("s", (16, 16), "int32"), SEM]),
    "copy_of_narrower": kernel("t[...] = x[...]\n" + copy("t.bitcast(jnp.int16)", "s", after="o[...] = s[...]"),
                               [Ref("x", (16, 16), "int32", WIDE)], [Ref("o", (32, 16), "int16")],
                               [Ref("t", (16, 16), "int32"), Ref("s", (32, 16), "int16"), SEM]),
    "copy_to_an_output_as_narrower": kernel(
        copy("x", "o.bitcast(jnp.bfloat16)"), [H_HBM], [OUT._replace(more=ANY)], [SEM]),
    "copy_to_a_bitcast_of_a_bitcast": kernel(
        "s[...] = jnp.ones_like(s)\n"
        + copy("x.at[pl.ds(0, 8)]", "s.bitcast(jnp.int16).at[pl.ds(8, 16)].bitcast(jnp.int32).bitcast(jnp.float32)",
               after="o[...] = s[...]"),
        [X_HBM], [OUT], [S, SEM]),
    "copy_to_a_reshape": kernel(copy("x", "s.reshape(32, 16)", after="o[...] = s[...].reshape(32, 16)"),
                                [Ref("x", (32, 16), data=NORMAL, more=ANY)], [Ref("o", (32, 16))],
                                [Ref("s", (4, 8, 16)), SEM]),
    "copy_waited_for_by_another_view": kernel(
        "pltpu.make_async_copy(x, s.bitcast(jnp.bfloat16), sem).start()\npltpu.make_async_copy(x, x, sem).wait()\n"
        "o[...] = s[...]", [H_HBM], [OUT], [S, SEM]),
    "strided_store_to_narrower": kernel(SET + "s.bitcast(jnp.bfloat16)[pl.ds(1, 8, 2), :] = h[0:8, :]\no[...] = s[...]",
                                        [X, H], [OUT], [S]),
    "strided_load_of_narrower": kernel("o[...] = x.bitcast(jnp.bfloat16)[pl.ds(1, 16, 2), :].astype(jnp.float32)",
                                       [X], [OUT]),
    "addition_to_narrower": kernel(SET + "s.bitcast(jnp.bfloat16)[0:8, :] += h[0:8, :]\no[...] = s[...]", [X, H], [OUT],
                                   [S]),
    "masked_store_to_narrower": kernel(
        SET + "pltpu.store(s.bitcast(jnp.bfloat16).at[3:19, :], h[0:16, :], mask=h[0:16, :] > 0)\no[...] = s[...]",
        [X, H], [OUT], [S]),
    "masked_load_of_narrower": kernel(
        "m = h[0:16, :] > 0\nv = pltpu.load(x.bitcast(jnp.bfloat16).at[0:16, :], mask=m)\n"
        "o[...] = jnp.where(m, v.astype(jnp.float32), 0)", [X, H], [OUT]),
    "store_to_a_reshape": kernel(
        "s[...] = x[...].reshape(2, 8, 16)\ns.reshape(16, 16)[3:9, :] = x[0:6, :]\no[...] = s[...].reshape(16, 16)",
        [X], [OUT], [Ref("s", (2, 8, 16))]),
    "store_to_a_reshaped_slice": kernel(
        "s[...] = x[...].reshape(2, 8, 16)\ns.at[:, 0:4, :].reshape(8, 16)[3:5, :] = x[0:2, :]\n"
        "o[...] = s[...].reshape(16, 16)", [X], [OUT], [Ref("s", (2, 8, 16))]),
    "store_to_reshaped_lanes": kernel(SET + "s.at[:, 0:8].reshape(8, 16)[3:5, :] = x[0:2, :]\no[...] = s[...]", [X],
                                      [OUT], [S]),
    "chain_of_views": kernel(
        SET + "s.at[2:14, :].at[3:9, :].at[1, :][0:8] = x[0, 0:8]\no[...] = s[...] + s.at[2:14].at[1][...][None]",
        [X], [OUT], [S]),
    "strides_of_bf16": of("bfloat16", NORMAL, _STRIDES),
    "strides_of_i8": of("int8", I8, _STRIDES),
    "strides_of_u8": of("uint8", 'kind = "integers", low = 0, high = 255, seed = 0', _STRIDES),
    "strides_of_i4": of("int4", I4, _STRIDES),
    "strides_of_u4": of("uint4", 'kind = "integers", low = 0, high = 15, seed = 0', _STRIDES),
    "strides_of_f8": of("float8_e4m3fn", NORMAL, _STRIDES),
    "strides_of_f8_e5m2": of("float8_e5m2", NORMAL, _STRIDES),
    "strides_of_bool": of("bool", BITS, _STRIDES.replace("+=", "=")),
    "i4_of_i32_ref": kernel("o[...] = c.bitcast(jnp.int4)[8:72, :]", [Ref("c", (16, 16), "int32", WIDE)],
                            [Ref("o", (64, 16), "int4")]),
    "i4_to_i32_ref": kernel("s[...] = c[...]\ns.bitcast(jnp.int4)[8:24, :] = d[...]\no[...] = s[...]",
                            [Ref("c", (16, 16), "int32", WIDE), Ref("d", (16, 16), "int4", I4)],
                            [Ref("o", (16, 16), "int32")], [Ref("s", (16, 16), "int32")]),
    "i32_of_i4": kernel("o[...] = pltpu.bitcast(c[...], jnp.int32)", [Ref("c", (128, 16), "int4", I4)],
                        [Ref("o", (16, 16), "int32")]),
    "u4_of_u16": kernel("o[...] = pltpu.bitcast(c[...], jnp.uint4)",
                        [Ref("c", (16, 16), "uint16", 'kind = "integers", low = 0, high = 65535, seed = 0')],
                        [Ref("o", (64, 16), "uint4")]),
    "u4_of_i4": kernel("o[...] = jax.lax.bitcast_convert_type(c[...], jnp.uint4)", [Ref("c", (16, 16), "int4", I4)],
                       [Ref("o", (16, 16), "uint4")]),
    "i4_of_i8": kernel("o[...] = jax.lax.bitcast_convert_type(c[...], jnp.int4)[:, :, 1]",
                       [Ref("c", (16, 16), "int8", I8)], [Ref("o", (16, 16), "int4")]),
    "words_of_two_numbers": kernel(
        "o[...] = pltpu.pack_elementwise([x[...], x[...] * 2], packed_dtype=jnp.bfloat16)", [X],
        [Ref("o", (16, 16), "uint32")]),
    "number_out_of_words": kernel(
        "v = pltpu.pack_elementwise([x[...], x[...] * 2], packed_dtype=jnp.bfloat16)\n"
        "o[...] = pltpu.unpack_elementwise(v, index=1, packed_dtype=jnp.bfloat16, unpacked_dtype=jnp.float32)", [X],
        [OUT]),
}  # fmt: skip
