"""JAX's promotion lattice, without 64-bit types: what two dtypes become together. Types go by name.

Source: JAX's documentation, "Type promotion semantics".
"""

from __future__ import annotations

from pipeline.dtypes import BF16, BOOL, BY_NAME, F16, F32, F64, I4, I8, I16, I32, I64, U4, U8, U16, U32, U64, DType

WEAK_INT, WEAK_FLOAT = "int*", "float*"
_SMALL_FLOATS = tuple(name for name in BY_NAME if name.startswith("float8"))
# each type's immediate successors; without 64-bit types u32 and i32 meet at i32, as JAX has it
_NEXT: dict[str, tuple[str, ...]] = {
    BOOL.name: (WEAK_INT,),
    WEAK_INT: (U8.name, U4.name, I8.name, I4.name),
    U4.name: (),
    U8.name: (I16.name, U16.name),
    U16.name: (I32.name, U32.name),
    U32.name: (I32.name, U64.name),
    U64.name: (WEAK_FLOAT,),
    I4.name: (),
    I8.name: (I16.name,),
    I16.name: (I32.name,),
    I32.name: (I64.name,),
    I64.name: (WEAK_FLOAT,),
    WEAK_FLOAT: (*_SMALL_FLOATS, BF16.name, F16.name),
    **{name: () for name in _SMALL_FLOATS},
    BF16.name: (F32.name,),
    F16.name: (F32.name,),
    F32.name: (F64.name,),
    F64.name: (),
}
_NARROW = {I64: I32, U64: U32, F64: F32}  # JAX without 64-bit types
_above: dict[str, frozenset[str]] = {}
_joined: dict[tuple[str, str], str | None] = {}


def canonical(dtype: DType) -> DType:
    """`dtype` without 64-bit types: what JAX makes of it by default."""
    return _NARROW.get(dtype, dtype)


def _upper(name: str) -> frozenset[str]:
    found = _above.get(name)
    if found is None:
        found = frozenset((name,)).union(*(_upper(after) for after in _NEXT[name]))
        _above[name] = found
    return found


def join(a: str, b: str) -> str | None:
    """The least type above both, None where there is none (two float8, an int4 and an int8)."""
    if a == b:
        return a
    key = (a, b)
    if key not in _joined:
        both = _upper(a) & _upper(b)
        least = [name for name in both if both <= _upper(name)]
        _joined[key] = least[0] if len(least) == 1 else None
    return _joined[key]


def common(a: DType, b: DType) -> DType | None:
    """What two arrays of these dtypes promote to."""
    name = join(a.name, b.name)
    return None if name is None else canonical(BY_NAME[name])
