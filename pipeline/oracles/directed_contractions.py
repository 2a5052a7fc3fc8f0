"""Kernels about products, as spec text: which axes are contracted, of which dtypes, how long each axis is; one alone,
and two that follow each other with and without vector work between. One thing varies at a time.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.oracles.directed_vectors import BF16, F32, I8, Array, kernel_text

_F8 = "float8_e5m2"
FORMS = {"nn": (1, 0), "nt": (1, 1), "tn": (0, 0), "tt": (0, 1)}  # by name the contracted axes


def directed_contractions() -> Iterator[tuple[str, str]]:
    """(name, the spec's text)."""
    yield from _alone()
    yield from _followed()
    yield from _accumulated()
    yield from _turned()
    yield from _rounds()
    yield from _mixed()
    yield from _sums()
    yield from _two_sums()


def _dot(a: str, b: str, form: str, result: str = "float32") -> str:
    left, right = FORMS[form]
    numbers = f"((({left},), ({right},)), ((), ()))"
    return f"jax.lax.dot_general({a}, {b}, {numbers}, preferred_element_type=jnp.{result})"


def _sides(form: str, m: int, k: int, n: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The operands' shapes for a product of m rows, depth k and n columns."""
    return ((m, k) if form[0] == "n" else (k, m)), ((k, n) if form[1] == "n" else (n, k))


def _sizes(*longer: int) -> Iterator[tuple[int, int, int]]:
    yield (128, 128, 128)
    for size in longer:
        yield from ((size, 128, 128), (128, size, 128), (128, 128, size))
    yield (256, 256, 256)


def _alone() -> Iterator[tuple[str, str]]:
    for form in FORMS:
        for dtype, longer in ((F32, (512,)), (BF16, (64, 512)), (I8, ()), (_F8, ())):
            result = "int32" if dtype == I8 else F32
            for m, k, n in _sizes(*longer):
                left, right = _sides(form, m, k, n)
                body = f"o_ref[...] = {_dot('x_ref[...]', 'y_ref[...]', form, result)}"
                yield (
                    f"{form} {dtype} {m}x{k}x{n}",
                    kernel_text(body, [(left, dtype), (right, dtype)], ((m, n), result)),
                )


def _followed() -> Iterator[tuple[str, str]]:
    """s = x y^T of (rows, columns), something done to it, and a product with it as either operand."""
    between = {"": "s", " exp to bf16": "jnp.exp(s).astype(jnp.bfloat16)"}
    for form in ("nn", "tn", "right n", "right t"):
        for name, done in between.items():
            for rows, columns in ((128, 128), (256, 128), (128, 256), (512, 512)):
                dtype = BF16 if "bf16" in done else F32
                shared = columns if form in ("nn", "right t") else rows
                lines = [f"s = {_dot('x_ref[...]', 'y_ref[...]', 'nt')}", f"p = {done}"]
                if form.startswith("right"):
                    # z^T p, z^T p^T
                    lines.append(f"o_ref[...] = {_dot('z_ref[...]', 'p', 'tn' if form == 'right n' else 'tt')}")
                    out = (128, columns if form == "right n" else rows)
                else:
                    lines.append(f"o_ref[...] = {_dot('p', 'z_ref[...]', form)}")
                    out = (rows if form == "nn" else columns, 128)
                inputs: list[Array] = [((rows, 128), BF16), ((columns, 128), BF16), ((shared, 128), dtype)]
                yield f"{form} after{name} {rows}x{columns}", kernel_text("\n".join(lines), inputs, (out, F32))


def _accumulated() -> Iterator[tuple[str, str]]:
    """Products with parts of the operands, each added to what a ref holds."""
    for form in ("nn", "tn"):
        for parts in (1, 2, 4):
            lines = ["o_ref[...] = jnp.zeros_like(o_ref)"]
            for i in range(parts):
                part = f"pl.ds({128 * i}, 128)"
                left = f"x_ref[:, {part}]" if form == "nn" else f"x_ref[{part}, :]"
                lines.append(f"o_ref[...] += {_dot(left, f'y_ref[{part}, :]', form)}")
            sides = _sides(form, 128, 128 * parts, 128)
            text = kernel_text("\n".join(lines), [(sides[0], BF16), (sides[1], BF16)], ((128, 128), F32))
            yield f"{form} added {parts}", text
    for parts in (1, 2, 4):
        lines = ["o_ref[...] = jnp.zeros_like(o_ref)"]
        for i in range(parts):
            part = f"pl.ds({128 * i}, 128)"
            lines.append(f"s = {_dot(f'x_ref[{part}, :]', 'y_ref[...]', 'nt')}")
            lines.append("p = jnp.exp(s).astype(jnp.bfloat16)")
            lines.append(f"o_ref[...] += {_dot('p', f'z_ref[{part}, :]', 'tn')}")
        rows: Array = ((128 * parts, 128), BF16)
        text = kernel_text("\n".join(lines), [rows, ((128, 128), BF16), rows], ((128, 128), F32))
        yield f"tn added after exp {parts}", text


def _turned() -> Iterator[tuple[str, str]]:
    """Values of 32 bits turned before they are rounded: stored, or the rows of a product."""
    turned = "jnp.exp(x_ref[...]).T.astype(jnp.bfloat16)"
    scores = _dot("x_ref[...]", "y_ref[...]", "nt") + ".T.astype(jnp.bfloat16)"
    for rows, columns in ((256, 128), (128, 256), (256, 256), (128, 512)):
        size = f"{rows}x{columns}"
        before, after = ((rows, columns), F32), ((columns, rows), BF16)
        yield f"turned and rounded {size}", kernel_text(f"o_ref[...] = {turned}", [before], after)
        body = f"o_ref[...] = {_dot(turned, 'y_ref[...]', 'nn')}"
        yield f"turned for a product {size}", kernel_text(body, [before, ((rows, 128), BF16)], ((columns, 128), F32))
        body = f"o_ref[...] = {_dot(scores, 'z_ref[...]', 'nn')}"
        arrays: list[Array] = [((rows, 128), BF16), ((columns, 128), BF16), ((rows, 128), BF16)]
        yield f"turned between products {size}", kernel_text(body, arrays, ((columns, 128), F32))


def _rounds() -> Iterator[tuple[str, str]]:
    """Scores, and products with what comes of them, one round after another: as a backward pass has them."""
    for kinds, width in (("scores and values", 256), ("scores and values", 128), ("both gradients", 256)):
        for rounds in (2, 3, 4):
            lines = []
            for i in range(rounds):
                q, k = f"pl.ds({128 * (i // 2)}, 128)", f"pl.ds({width * (i % 2)}, {width})"
                lines.append(f"p = jnp.exp({_dot(f'x_ref[{q}, :]', f'y_ref[{k}, :]', 'nt')})")
                lines.append(f"o_ref[{i}] = {_dot('p.T.astype(jnp.bfloat16)', f'z_ref[{q}, :]', 'nn')}")
                if kinds == "both gradients":
                    lines.append(f"d = p * {_dot(f'z_ref[{q}, :]', f'w_ref[{k}, :]', 'nt')}")
                    lines.append(f"o_ref[{i + rounds}] = {_dot('d.T.astype(jnp.bfloat16)', f'x_ref[{q}, :]', 'nn')}")
            arrays: list[Array] = [((256, 128), BF16), ((2 * width, 128), BF16)] * 2
            outputs = rounds * (2 if kinds == "both gradients" else 1)
            yield (
                f"{kinds} {width} rounds {rounds}",
                kernel_text("\n".join(lines), arrays, ((outputs, width, 128), F32)),
            )


def _mixed() -> Iterator[tuple[str, str]]:
    """Operands of two element types, or of one that the units do not take as it is."""
    pairs = ((BF16, I8), (F32, I8), (BF16, "int4"), ("int4", "int4"), (BF16, _F8), (F32, BF16))
    for form in ("nn", "nt"):
        for left, right in pairs:
            result = "int32" if left == right else F32
            body = f"o_ref[...] = {_dot('x_ref[...]', 'y_ref[...]', form, result)}"
            arrays: list[Array] = [((128, 256), left), ((256, 256), right)]
            yield f"{form} {left} by {right} 256", kernel_text(body, arrays, ((128, 256), result))


_STARTS = {"zero": "o_ref[...] = jnp.zeros_like(o_ref)", "read": "o_ref[...] = w_ref[...]"}
_ENDS = {"stored": "a", "goes on": "a * 2.0", "seen": "a * e"}


def _sums() -> Iterator[tuple[str, str]]:
    """Products with what comes of scores, added up: in a ref from zero or from what was read, or as values, of which
    the sum is stored or goes on, or the first is also seen by others."""
    for start in (*_STARTS, *_ENDS):
        for parts in (2, 3, 4):
            lines = [_STARTS[start]] if start in _STARTS else []
            for i in range(parts):
                part = f"pl.ds({128 * i}, 128)"
                lines.append(f"p = jnp.exp({_dot(f'x_ref[{part}, :]', 'y_ref[...]', 'nt')}).astype(jnp.bfloat16)")
                product = _dot("p", f"z_ref[{part}, :]", "nn")
                if start in _STARTS:
                    lines.append(f"o_ref[...] += {product}")
                else:
                    lines.append(f"a = a + {product}" if i else f"a = {product}")
                if start == "seen" and not i:
                    lines.append("e = jnp.exp(a)")
            if start not in _STARTS:
                lines.append(f"o_ref[...] = {_ENDS[start]}")
            rows: Array = ((128 * parts, 128), BF16)
            arrays: list[Array] = [rows, ((128, 128), BF16), rows]
            if start == "read":
                arrays.append(((128, 128), F32))
            yield f"sum {start} {parts}", kernel_text("\n".join(lines), arrays, ((128, 128), F32))


def _two_sums() -> Iterator[tuple[str, str]]:
    """Two sums that products are added to by turns, in parts of one ref: as a backward pass has them."""
    for rounds in (2, 3):
        lines = ["o_ref[...] = jnp.zeros_like(o_ref)"]
        for i in range(rounds):
            part = f"pl.ds({128 * i}, 128)"
            lines.append(f"p = jnp.exp({_dot(f'x_ref[{part}, :]', 'y_ref[...]', 'nt')})")
            lines.append(f"o_ref[0] += {_dot('p.astype(jnp.bfloat16)', f'z_ref[{part}, :]', 'nn')}")
            lines.append(f"d = p * {_dot(f'z_ref[{part}, :]', 'y_ref[...]', 'nt')}")
            lines.append(f"o_ref[1] += {_dot('d.astype(jnp.bfloat16)', f'x_ref[{part}, :]', 'nn')}")
        rows: Array = ((128 * rounds, 128), BF16)
        yield (
            f"two sums {rounds}",
            kernel_text("\n".join(lines), [rows, ((128, 128), BF16), rows], ((2, 128, 128), F32)),
        )
