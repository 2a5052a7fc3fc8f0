"""Codes of the Triton verdict: P7xx. `table.py` holds which primitives and dtypes are meant."""

CODES: dict[str, tuple[str, str]] = {
    "P701": (
        "array of a size that Triton has not",
        "What a kernel loads, stores or computes on the Triton path has a power of two of elements, at most "
        "1048576: its threads share them evenly. A product is a power of two only if every axis of the block is. "
        "Round a block up and let the last one be partial, with a mask: no mask is made for you there.",
    ),
    "P702": (
        "primitive without a Triton lowering",
        "JAX's Triton path has no rule for this primitive. A part of a value is the commonest case: index the ref "
        "instead of the value that was loaded from it.",
    ),
    "P703": (
        "dtype that a primitive does not take on the Triton path",
        "The Triton path has the primitive, but not for this dtype: division of bfloat16 or float16, a maximum of "
        "booleans, a cast from integers to 8-bit floats. Compute in float32 (int32) and cast the result.",
    ),
    "P704": (
        "scratch on the Triton path",
        "Scratch memory is a TPU's: it lives from step to step. On a GPU the programs of the grid run at once, and the "
        "Triton path has no scratch. Keep the sum in a loop's carry within one program.",
    ),
    "P705": (
        "call that the Triton path has not",
        "Scalar prefetch, a grid whose size is known at run time only, a number of buffer slots, and padding around an "
        "array are not there on the Triton path. Scalars can be an ordinary input; the compiler's own stages of its "
        "pipeline take the place of buffer slots.",
    ),
    "P706": (
        "product that Triton does not compute",
        "On the Triton path a product is of two matrices of one dtype along one axis, without batch axes, and not of "
        "unsigned integers, which it would take for signed ones.",
    ),
    "P707": (
        "form of a primitive without a Triton lowering",
        "The Triton path has the primitive, but not in this form: a loop that is unrolled or runs backwards, a view of "
        "a view of a ref, a concatenation of anything but two arrays of one last element.",
    ),
}
