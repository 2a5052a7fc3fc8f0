"""The trace stage's codes: T1xx for evaluating the source, T2xx for what it computes, T9xx for a jaxpr as text."""

from __future__ import annotations

from pipeline.trace.values import (
    MAX_BITS,
    MAX_CALLS,
    MAX_ITEMS,
    MAX_KEYS,
    MAX_NESTING,
    MAX_SOURCE,
    MAX_STEPS,
)

CODES: dict[str, tuple[str, str]] = {
    "T101": (
        "the source is not Python",
        "A kernel's source and an index map are Python text. This one does not parse at the place shown, or it is "
        f"longer than {MAX_SOURCE} characters or nests more than {MAX_NESTING} levels deep.\n\n"
        "Check the line above as well: an open bracket is often noticed only further on.",
    ),
    "T102": (
        "this construct is not supported in a kernel",
        "Kernels are evaluated by walking their syntax tree, never run by Python. Supported are functions (nested, "
        "with closures, defaults, *args), lambda, assignment of every form, if, for, while, match, comprehensions, "
        "assert, raise, decorators, f-strings, and import lines of the modules that kernels have; classes that hold "
        "values together: dataclasses, NamedTuple, and plain ones with methods, without bases and operators.\n\n"
        "Inheritance, try, global, yield and async are not: nothing that a kernel traces to needs them.",
    ),
    "T103": (
        "there is no such attribute",
        "Attributes come out of tables: those of jnp, lax, pl, pltpu, math and functools, those of arrays and refs "
        "(.astype, .shape, .at, ..) and a few methods of strings, tuples, lists and dicts. The one named is in none of "
        "them; it may exist in JAX and not be known here, or be misspelt.\n\n"
        "Names with two leading underscores are never reachable.",
    ),
    "T104": (
        "there is no such name",
        "A kernel sees its parameters, what it assigns, the functions and constants of its file, the spec's params, "
        "jax, jnp, lax, pl, pltpu, np, math, functools, and the builtins that work on static values.\n\n"
        "Where a name is assigned further down or on another path only, it has no value yet at this place.",
    ),
    "T105": (
        "there is no such module for kernels",
        "An import line at the top of a kernel file is an alias to a table; nothing is imported. There are jax, "
        "jax.numpy, jax.lax, jax.nn, jax.experimental.pallas and its tpu module, functools, math and numpy (dtypes and "
        "constants).\n\nMove helpers of your own into the kernel's file.",
    ),
    "T106": (
        "the kernel source does not define the kernel",
        "The spec names a function that the source does not define at its top level. Rename one of the two.",
    ),
    "T110": (
        "evaluating the source takes too long",
        f"The evaluator stops after {MAX_STEPS} steps. Python loops run while tracing, and each round of them adds its "
        "equations to the kernel again.\n\nA loop with many rounds belongs in lax.fori_loop, which is traced once.",
    ),
    "T111": (
        "a static collection is too large",
        f"Lists, tuples, strings and ranges that are gone through hold at most {MAX_ITEMS} items, dicts and sets "
        f"{MAX_KEYS}. These are values of the tracing, not arrays: large arrays come from jnp or refs.",
    ),
    "T112": (
        "a static int is too large",
        f"Ints known while tracing hold at most {MAX_BITS} bits. What a kernel computes has 64 at most.",
    ),
    "T113": (
        "evaluation nests too deeply",
        f"Functions may call each other {MAX_CALLS} deep. A recursion needs an end that is reached by static values: "
        "tracing follows every call.",
    ),
    "T114": (
        "an operation does not fit its values",
        "An operator, a call, an index or an unpacking was given values of another kind or number than it takes, as "
        "Python would say with a TypeError. The message names the values.",
    ),
    "T115": (
        "an operation has no value",
        "For these static values the operation has no result: a division by zero, a logarithm of a negative number, "
        "a float beyond its range.",
    ),
    "T116": (
        "an index or key is not there",
        "A tuple, list, string or dict has no item at this index or key. Shapes are tuples: x.shape[2] of an array of "
        "rank 2 is such a case.",
    ),
    "T117": (
        "the kernel raises an exception",
        "While it was traced, the kernel came to a raise, or to an assert that does not hold. What it says is shown. "
        "Such checks usually guard shapes: look at the spec's shapes, blocks and params.",
    ),
    "T120": (
        "a value known at run time only is used as a static one",
        "Python's if, while, and, or, not, in, range, int() and subscripts of tuples decide while the kernel is "
        "traced, when arrays and what is read from refs have no value yet.\n\n"
        "Choose between values with jnp.where, run effects under @pl.when(cond), choose both with lax.cond, loop with "
        "lax.fori_loop or lax.while_loop.",
    ),
    "T121": (
        "this cannot be gone through in Python",
        "A for loop, an unpacking or a comprehension needs a static collection. Arrays and refs are indexed instead; "
        "sets have no order, so sort them first.",
    ),
    "T130": (
        "a function takes another number of arguments",
        "A kernel takes one ref for each scalar-prefetch operand, input, output and scratch entry, in this order; an "
        "index map takes one index for each grid axis, then the scalar-prefetch refs. The message shows both sides.",
    ),
    "T131": (
        "the kernel returns a value",
        "A kernel gives its results by writing to its output refs: o_ref[...] = value. It returns nothing.",
    ),
    "T132": (
        "an index map gives no block index",
        "An index map returns a tuple with one i32 for each dimension of the block: Python ints, grid indices, values "
        "read from scalar-prefetch refs, or what is computed of these.",
    ),
    "T201": (
        "a function is called with other arguments than it has",
        "An argument is missing, given twice, or unknown to this function of jnp, lax, pl or pltpu. Parameters have "
        "the names and the order that JAX gives them.",
    ),
    "T202": (
        "an argument is of the wrong kind",
        "A function, operator or method was given a value of another kind than it takes, e.g. a tuple where an array "
        "is needed, or a number outside of what the argument allows. The message names the value.",
    ),
    "T203": (
        "dtypes do not fit",
        "Operands have no common dtype to promote to, or an operation does not exist for this dtype. The functions of "
        "jnp promote as JAX does, a Python number yields to the array's dtype; those of lax take one dtype.\n\n"
        "Convert with .astype(..).",
    ),
    "T204": (
        "shapes do not fit",
        "Shapes broadcast from the last axis on: sizes have to be equal, or one of them 1. Reshapes keep the number "
        "of elements. The message shows the shapes that were met; they follow from the spec's blocks.",
    ),
    "T205": (
        "an axis is not there",
        "An axis is out of range for the array's rank, or named twice. Axes count from 0, negative ones from the end. "
        "A squeezed dimension of a block is no axis of the ref.",
    ),
    "T206": (
        "an index or a slice is out of range",
        "A static index or slice reaches outside of the array or ref. For refs the shape is that of the block, not of "
        "the whole array, and indices do not count from the end.",
    ),
    "T207": (
        "this is no index",
        "Arrays and refs are indexed by integers, slices, `...`, pl.ds(start, size) and integer arrays; arrays by None "
        "as well. There is at most one index for each axis.",
    ),
    "T208": (
        "this is no dtype",
        "dtypes are jnp.float32, jnp.bfloat16, jnp.int32, .. or their names as strings. 64-bit names mean the 32-bit "
        "dtype, as in JAX without x64.",
    ),
    "T209": (
        "a contraction pairs different axes",
        "dot_general contracts axes of the left operand with as many of the right one, of equal sizes; batch axes "
        "likewise.",
    ),
    "T210": (
        "source and destination of a copy or store differ",
        "What is stored has the shape and dtype of the view that it is stored to; a copy moves bytes between two views "
        "of one shape and one dtype. Nothing is converted on the way: use .astype(o_ref.dtype) before storing.",
    ),
    "T211": (
        "a ref is used as a value, or a value as a ref",
        "A ref is a window on memory: x_ref[...] reads it, o_ref[...] = v writes it. Functions on arrays take what was "
        "read; async copies and stores take the ref itself.",
    ),
    "T212": (
        "a value is used outside of the function that made it",
        "What is computed in a loop body or in a branch exists there only. Give it out as the carry of the loop or as "
        "the result of the branch, or store it in scratch.",
    ),
    "T213": (
        "a branch or condition returns something else than it has to",
        "All branches of a cond or switch return values of one structure, shape and dtype; the condition of a while "
        "loop returns one scalar bool.",
    ),
    "T214": (
        "a loop's carry changes its type",
        "What goes into a loop's body has the structure, shapes and dtypes of what comes out. A Python number as the "
        "first carry is weakly typed: write jnp.float32(0.0) or jnp.zeros(..).",
    ),
    "T215": (
        "an argument has to be static",
        "Shapes, axes, sizes and strides are known while tracing. A position may be traced: use pl.ds(start, size).",
    ),
    "T216": (
        "JAX has this, and it is not supported here",
        "The function exists, but not with this argument or in this form. The hint says what does the same.",
    ),
    "T217": (
        "the kernel traces to too much",
        "The number of equations, and how deep loops and branches nest, are bounded. A Python loop adds its equations "
        "once a round: lax.fori_loop traces its body once.",
    ),
    "T218": (
        "an array is too large",
        "No memory holds an array of this rank or size. Check the shape's factors.",
    ),
    "T219": (
        "there is no such grid axis",
        "pl.program_id and pl.num_programs take an axis of the spec's grid, from 0. An index map gets its indices as "
        "arguments instead.",
    ),
    "T220": (
        "a semaphore is used wrongly",
        "DMA semaphores belong to async copies, regular ones to signal and wait. One copy uses one semaphore: index "
        "an array of them with sem.at[i]. Their values are not read as arrays.",
    ),
    "T221": (
        "an array, ref or dtype has no such attribute",
        "The tables of arrays, refs, copies and dtypes do not have this attribute or method. It may exist in JAX and "
        "not be known here.",
    ),
    "T222": (
        "a number does not fit its dtype",
        "An int beyond the range of the dtype that it takes on in this operation. A Python int is i32 unless the other "
        "operand says otherwise.",
    ),
    "T902": (
        "the jaxpr is not of this kernel",
        "A kernel given as a jaxpr's text has one binder for each operand and scratch of the spec, in this order: "
        "scalar prefetch, inputs, outputs, scratch; each is a ref of the block's shape and the operand's dtype, in "
        "its memory space. An index map has an i32[] for each grid axis, then the scalar-prefetch refs, and gives an "
        "i32[] for each dimension.\n\nAfter a change of the kernel, import it again.",
    ),
    "T903": (
        "an equation of the jaxpr is not well formed",
        "The shapes, dtypes or params of this equation do not go together: what its primitive makes of the operands is "
        "not what the text says its results are. Jaxprs are written by `pipeline import`; one that has been changed by "
        "hand has to be changed consistently.",
    ),
    "T901": (
        "the text is no jaxpr",
        "The place shown does not fit the form in which jaxprs are printed: binders, then one equation a line, then "
        "the results; every variable bound before it is read.",
    ),
}
