"""Codes of what a target cannot express."""

CODES: dict[str, tuple[str, str]] = {
    "L101": (
        "primitive has no lowering for this target",
        "The kernel traces, but the target's compiler has no op for one of its primitives, nor can it be written in "
        "other ops. JAX's own lowering refuses the same kernel. All such places are reported at "
        "once. Rewrite the expression in other primitives (the hint says which, where one is known), or move this "
        "part out of the kernel.",
    ),
    "L102": (
        "no form for these dtypes, shapes or params",
        "The primitive has a lowering, but not for these operands. Common cases: scalars have 32 bits, so a vector of "
        "16-bit elements cannot be reduced to a scalar; the matrix unit accumulates in 32 bits, so a product has to be "
        "asked for as float32 or int32 and converted; unsigned integers are not reduced and not multiplied as "
        "matrices; argmax and argmin take float32 over one axis. Convert the operand first.",
    ),
    "L103": (
        "memory access the target cannot make",
        "Refs in VMEM are read and written as vectors, refs in SMEM as scalars, refs in HBM or ANY not at all: they "
        "are copied. Indices are scalars and slices; masks select among 32-bit elements on a store, never on a load. "
        "Put the operand into the space that fits its use, or copy it there with pltpu.make_async_copy.",
    ),
    "L104": (
        "loop the target cannot run",
        "Loops carry values from step to step and count up. A scan over arrays, a reverse scan, or the full unrolling "
        "of a loop of unknown length has no form. Use lax.fori_loop and index refs with its counter.",
    ),
    "L105": (
        "copy, semaphore or message the target cannot issue",
        "A DMA moves whole elements between two views of equal shape. Bools are not copied, since memory keeps them as "
        "32 bits; a ref whose block has squeezed dimensions cannot be sliced in a copy; a message shows 32-bit "
        "integers, or one vector at the end of its text.",
    ),
    "L106": (
        "window the target cannot move",
        "Operands reach the kernel through windows that the pipeline moves from step to step of the grid. A window has "
        "one or two buffers, its dimensions are all blocked or all elements, and without a grid it is the whole array.",
    ),
    "L107": (
        "module too large",
        "Unrolled loops repeat their body, nested ones multiply. A module of this many ops would take the compiler "
        "hours. Loop with lax.fori_loop without unroll, or unroll by a small factor.",
    ),
}
