"""What form each param of an equation has, whatever the equation: held against jaxprs that come as text.

Rules of later stages rely on it. A param that is not in the table has no form of its own, or is checked elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pipeline.dtypes import DType
from pipeline.ir.jaxpr import NDIndexer, RefBitcast, RefReshape

Form = Callable[[object], bool]


def is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_ints(value: object) -> bool:
    return isinstance(value, tuple) and all(map(is_int, value))


def is_counts(value: object) -> bool:
    """A tuple of ints, none negative."""
    return isinstance(value, tuple) and all(isinstance(n, int) and is_int(n) and n >= 0 for n in value)


def _is(kind: type) -> Form:
    return lambda value: isinstance(value, kind)


def _or_none(form: Form) -> Form:
    return lambda value: value is None or form(value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


def _is_precision(value: object) -> bool:
    pair = isinstance(value, tuple) and len(value) == 2 and all(isinstance(one, str | None) for one in value)
    return value is None or isinstance(value, str) or pair


def _is_dimension_numbers(value: object) -> bool:
    """A contraction's ((left, right), (left batch, right batch)), or a gather's named fields."""
    if not isinstance(value, tuple):
        return False
    pairs = [pair for pair in value if isinstance(pair, tuple) and len(pair) == 2]
    if len(pairs) != len(value):
        return False
    if len(pairs) == 2 and all(is_counts(axes) for pair in pairs for axes in pair):
        return True
    return all(isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], str) for item in value)


def _is_padding(value: object) -> bool:
    return isinstance(value, tuple) and all(is_ints(dim) and isinstance(dim, tuple) and len(dim) == 3 for dim in value)


def _is_transforms(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(one, NDIndexer | RefReshape | RefBitcast) for one in value)


FORMS: Mapping[str, Form] = {
    **dict.fromkeys(
        ("axes", "broadcast_dimensions", "limit_indices", "new_sizes", "permutation", "reps", "shape", "sizes",
         "slice_sizes", "start_indices"),
        is_counts,
    ),
    **dict.fromkeys(("dimensions", "strides"), _or_none(is_counts)),
    **dict.fromkeys(("axis", "dimension", "exponent_bits", "index", "length", "mantissa_bits", "num_keys", "priority",
                     "unroll", "y"), is_int),
    **dict.fromkeys(("stride", "stride_axis"), _or_none(is_int)),
    **dict.fromkeys(("approx", "has_mask", "has_other", "indices_are_sorted", "is_stable", "reverse", "unique_indices",
                     "weak_type"), _is(bool)),
    **dict.fromkeys(("dtype", "index_dtype", "new_dtype", "packed_dtype", "ty", "unpacked_dtype"), _is(DType)),
    "preferred_element_type": _or_none(_is(DType)),
    **dict.fromkeys(("fmt", "mode", "name", "rounding_method"), _is(str)),
    "fill_value": _or_none(_is_number),
    "precision": _is_precision,
    "dimension_numbers": _is_dimension_numbers,
    "padding_config": _is_padding,
    **dict.fromkeys(("transforms", "src_transforms", "dst_transforms", "semaphore_transforms"), _is_transforms),
}  # fmt: skip
