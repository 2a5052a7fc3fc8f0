"""A spec's variants: every combination of its matrix, then the ones with a name of their own."""

from __future__ import annotations

import keyword
import math
from collections.abc import Mapping
from itertools import product
from typing import TYPE_CHECKING

from pipeline.dtypes import BY_NAME
from pipeline.spec.context import Context, Loc
from pipeline.spec.limits import MAX_DIAGNOSTICS, MAX_NAME, MAX_VARIANTS
from pipeline.spec.spec import Static
from pipeline.spec.suggest import did_you_mean, listed, shown

if TYPE_CHECKING:
    from pipeline.spec.model import SpecFile

# Names that kernels, index maps and expressions use already.
RESERVED = frozenset({"jax", "jnp", "lax", "pl", "pltpu", "math", "functools", "np", "min", "max", "cdiv", "squeezed"})
_MAX_TEXT = 1000  # characters of a string param

_OF_THE_SPEC = ("summary", "vmem_limit_bytes")  # keys that a param can be taken for, as none that is an array or table
Setting = tuple[str, Mapping[str, Static]]  # a variant's name ("" for the only one) and all its params


def settings(context: Context, file: SpecFile) -> list[Setting]:
    """Each variant's name and params; empty where it can't be said which variants there are.

    Reports: S121 for names and values of params, for the number of variants and for their names.
    """
    _check_params(context, file)
    combinations = math.prod(len(values) for values in file.matrix.values()) if file.matrix else 0
    if combinations + len(file.variants) > MAX_VARIANTS:
        where: Loc = ("matrix",) if file.matrix else ("variants",)
        count = combinations + len(file.variants)
        context.report("S121", f"the spec has {count} variants; at most {MAX_VARIANTS} are built", where)
        return []
    if not file.matrix and not file.variants:
        return [("", dict(file.params))]
    found: list[Setting] = []
    names: set[str] = set()
    for values in product(*file.matrix.values()) if file.matrix else ():
        name = "_".join(f"{key}{_word(value)}" for key, value in zip(file.matrix, values, strict=True))
        if name in names or len(name) > MAX_NAME:
            fault = "names two of its variants" if name in names else f"is longer than {MAX_NAME} characters"
            fact = f"the matrix makes the name {shown(name)}, which {fault}"
            context.report("S121", fact, ("matrix",), "give these variants names under [[variants]]")
            return []
        names.add(name)
        found.append((name, {**file.params, **dict(zip(file.matrix, values, strict=True))}))
    for i, variant in enumerate(file.variants):
        if variant.name in names:
            context.report("S121", f"two variants are named {shown(variant.name)}", ("variants", i, "name"))
            continue
        names.add(variant.name)
        found.append((variant.name, {**file.params, **variant.params}))
    return found


def _word(value: Static) -> str:
    """A value as a part of a variant's name, which is a file name."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return "".join(c if c.isascii() and c.isalnum() else "_" for c in text)


def _check_params(context: Context, file: SpecFile) -> None:
    for key, value in file.params.items():
        _check_param(context, key, value, ("params", key))
        if key in _OF_THE_SPEC:
            hint = "what stands below [params] is a param: put it above the first [table]"
            context.report(
                "S121", f"the param {shown(key)} is a key of the spec", context.places.key("params", key), hint
            )
    for key, values in file.matrix.items():
        for i, value in enumerate(values):
            _check_param(context, key, value, ("matrix", key, i), key_loc=("matrix", key))
    everywhere = set.intersection(*(set(one.params) for one in file.variants)) if file.variants else set()
    known = [*file.params, *file.matrix, *sorted(everywhere if not file.matrix else ())]
    for i, variant in enumerate(file.variants):
        for key, value in variant.params.items():
            loc = ("variants", i, "params", key)
            _check_param(context, key, value, loc)
            if key not in known and len(context.found) < MAX_DIAGNOSTICS:
                hint = did_you_mean(key, known) or "give it a value for the others too, under [params]"
                fact = f"variant {shown(variant.name)} sets {shown(key)}, which other variants don't have"
                context.report("S121", fact, context.places.key(*loc), hint)
        missing = [key for key in file.matrix if key not in file.params and key not in variant.params]
        if missing:
            context.report("S121", f"variant {shown(variant.name)} has no value for {listed(missing)}", ("variants", i))


def _check_param(context: Context, key: str, value: Static, loc: Loc, key_loc: Loc | None = None) -> None:
    """Reports S121 for a name that can't be used or a value that can't be kept."""
    span = context.places.key(*(key_loc or loc))
    if not (key.isascii() and key.isidentifier()) or keyword.iskeyword(key) or len(key) > MAX_NAME:
        hint = "letters, digits and underscores, starting with no digit"
        context.report("S121", f"{shown(key)} can't be a param's name", span, hint)
    elif key in RESERVED or key in BY_NAME:
        context.report("S121", f"{shown(key)} can't be a param's name: it has a meaning already", span)
    if isinstance(value, float) and math.isnan(value):
        context.report("S121", f"the param {shown(key)} is nan, which is not equal to itself", loc)
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        context.report("S121", f"the param {shown(key)} does not fit 64 bits", loc)
    if isinstance(value, str) and len(value) > _MAX_TEXT:
        context.report("S121", f"the param {shown(key)} has {len(value)} characters; at most {_MAX_TEXT}", loc)
