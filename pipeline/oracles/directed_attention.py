"""Kernels about attention as spec text: products whose weights are taller than wide, and the chain from queries and
keys to the weighted sum of values, a link longer each time. Each in a few sizes, one varied at a time.

Even ones, by their place in the list, were looked at while rules were made; odd ones only measured.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.oracles.kernel_text import head_text, operand_text

F32, BF16 = "float32", "bfloat16"
_STEPS = 4
_WIDE = 128  # lanes that a row's maximum and sum are kept in
_SCRATCH = """
[[scratch]]
name = "{name}"
kind = "vmem"
shape = {shape}
dtype = "float32"
"""
Shape = tuple[int, int]


def directed_attention() -> Iterator[tuple[str, str]]:
    """(name, the spec's text)."""
    yield from _tall_weights()
    for dtype in (F32, BF16):
        for links in range(1, 6):
            yield f"{links} links {dtype}", _chain(256, 256, 128, dtype, links)
        yield f"5 links {dtype} long", _chain(128, 1024, 128, dtype, 5)
        for causal in (False, True):
            name = f"{'causal' if causal else 'online'} {dtype}"
            yield name, _online(256, 256, 128, dtype, 1, causal)
            for times in (2, 4):
                yield f"{name} {times} blocks", _online(256, 128, 128, dtype, times, causal)
            for rows in (64, 128, 512):
                yield f"{name} {rows} rows", _online(rows, 256, 128, dtype, 2, causal)
            for keys in (128, 512, 1024):
                yield f"{name} {keys} keys", _online(128, keys, 128, dtype, 1, causal)
            for head in (64, 256):
                yield f"{name} heads of {head}", _online(256, 128, head, dtype, 2, causal)


def _kernel(body: str, inputs: dict[str, tuple[Shape, str]], output: Shape, scratch: dict[str, Shape]) -> str:
    """A kernel over blocks of rows of `q`; other operands are the same in every step."""
    operands = {**inputs, "o": (output, F32)}
    text = head_text("A part of attention", (*operands, *scratch), body.splitlines(), [_STEPS])
    for name, (shape, dtype) in operands.items():
        moves = name in ("q", "o")
        array = [shape[0] * (_STEPS if moves else 1), shape[1]]
        indices = "i, 0" if moves else "0, 0"
        text += operand_text("outputs" if name == "o" else "inputs", name, array, shape, indices, dtype)
    return text + "".join(_SCRATCH.format(name=name, shape=list(shape)) for name, shape in scratch.items())


def _tall_weights() -> Iterator[tuple[str, str]]:
    body = "o_ref[...] = jnp.dot(q_ref[...], v_ref[...], preferred_element_type=jnp.float32)"
    for lhs, rhs in ((F32, F32), (BF16, BF16), (F32, BF16), (BF16, F32)):
        for rows in (64, 128, 136, 256, 272, 512):
            text = _kernel(body, {"q": ((rows, 256), lhs), "v": ((256, 128), rhs)}, (rows, 128), {})
            yield f"tall weights {lhs} {rhs} {rows} rows", text


def _chain(rows: int, keys: int, head: int, dtype: str, links: int) -> str:
    """Scores; less their maximum; as powers; over their sum; times the values."""
    lines = [
        "s = lax.dot_general(q_ref[...], k_ref[...], (((1,), (1,)), ((), ())), preferred_element_type=jnp.float32)",
        "s = s - jnp.max(s, axis=1, keepdims=True)",
        "s = jnp.exp(s)",
        "s = s / jnp.sum(s, axis=1, keepdims=True)",
        f"s = jnp.dot(s.astype(jnp.{dtype}), v_ref[...], preferred_element_type=jnp.float32)",
    ]
    inputs = {"q": ((rows, head), dtype), "k": ((keys, head), dtype)}
    if links > 4:
        inputs["v"] = (keys, head), dtype
    return _kernel("\n".join([*lines[:links], "o_ref[...] = s"]), inputs, (rows, head if links > 4 else keys), {})


def _online(rows: int, keys: int, head: int, dtype: str, times: int, causal: bool) -> str:
    """`times` blocks of keys, one after the other; the rows' maxima and sums, and the values' sum, are kept in VMEM."""
    lines = []
    for at in range(0, times * keys, keys):
        lines += [
            f"s = lax.dot_general(q_ref[...], k_ref[{at} : {at + keys}, :], (((1,), (1,)), ((), ())), "
            "preferred_element_type=jnp.float32)",
        ]
        if causal:
            lines += [
                f"row = pl.program_id(0) * {rows} + lax.broadcasted_iota(jnp.int32, ({rows}, {keys}), 0)",
                f"column = {at} + lax.broadcasted_iota(jnp.int32, ({rows}, {keys}), 1)",
                "s = jnp.where(column <= row, s, -1e30)",
            ]
        wide = f"jnp.tile(top, (1, {keys // _WIDE}))"
        own = f"jnp.tile(less, (1, {head // _WIDE}))" if head >= _WIDE else f"less[:, :{head}]"
        lines += [
            "before = m_ref[...]",
            "top = jnp.maximum(before, jnp.max(s, axis=1, keepdims=True))",
            f"p = jnp.exp(s - {wide})",
            "less = jnp.exp(before - top)",
            "l_ref[...] = less * l_ref[...] + jnp.sum(p, axis=1, keepdims=True)",
            "m_ref[...] = top",
            f"r = jnp.dot(p.astype(jnp.{dtype}), v_ref[{at} : {at + keys}, :], preferred_element_type=jnp.float32)",
            f"o_ref[...] = o_ref[...] * {own} + r",
        ]
    inputs = {"q": ((rows, head), dtype), "k": ((times * keys, head), dtype), "v": ((times * keys, head), dtype)}
    return _kernel("\n".join(lines), inputs, (rows, head), {"m": (rows, _WIDE), "l": (rows, _WIDE)})
