"""Checks a file's data against the models, and says what is wrong in our own words, at the file's own places.

A file with mistakes of form is mended as far as possible (`Structure.poisoned` says where), so that what `build.py`
checks is still checked and one run reports it all.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import ValidationError

from pipeline.errors import Diagnostic
from pipeline.spec.limits import MAX_DIAGNOSTICS
from pipeline.spec.model import SECTIONS, SpecFile, Table
from pipeline.spec.places import Key, Places
from pipeline.spec.suggest import counted, did_you_mean, listed, nearest, shown, shown_number

Loc = tuple[Key, ...]
Fault = Mapping[str, Any]  # one entry of pydantic's `ValidationError.errors()`

_TYPE_FAULTS = {
    "int_type": "an integer",
    "string_type": "a string",
    "float_type": "a float",
    "bool_type": "a boolean",
    "list_type": "an array",
    "dict_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
    "none_required": "nothing",
}
_MAX_FAULTS = 200
_LISTS = ("scalar_prefetch", "inputs", "outputs", "scratch", "variants")
_TABLES = ("kernel", "grid", "simulate", "expect")
# What a reader of Pallas code may look for, and where a spec has it.
_PALLAS = {
    "in_specs": "an input has its block and index_map itself: [[inputs]]",
    "out_specs": "an output has its block and index_map itself: [[outputs]]",
    "out_shape": "an output has its shape and dtype itself: [[outputs]]",
    "scratch_shapes": "each scratch is a table of its own: [[scratch]]",
    "grid_spec": "the iteration space is the table [grid]; scalars that index maps read are [[scalar_prefetch]]",
    "num_scalar_prefetch": "each scalar operand is a table of its own: [[scalar_prefetch]]",
    "dimension_semantics": "it is the key 'semantics' of [grid]",
    "input_output_aliases": "an output names the input that it overwrites: alias",
    "block_shape": "the key is 'block'",
    "pipeline_mode": "the key is 'buffer_count'",
    "<<": "YAML's merge key is not read here: write the keys out",
    "tolerance": "it follows from the dtypes, the reductions and how roundings grow; the simulate capture states it",
    "rtol": "the tolerance follows from the dtypes, the reductions and how roundings grow",
    "atol": "the tolerance follows from the dtypes, the reductions and how roundings grow",
}
# Values that stand in for what a file leaves out or gets wrong, so that its other parts can be checked.
_STAND_INS: dict[tuple[str, ...], Any] = {
    ("name",): "unnamed",
    ("targets",): [""],
    ("kernel",): {},
    ("grid", "shape"): [],
    ("outputs",): [{"name": "_", "shape": [], "dtype": ""}],
    ("scratch", "kind"): "vmem",
    ("variants", "name"): "_",
}
_OPERAND_STAND_INS: dict[str, Any] = {"name": "_", "shape": [], "dtype": ""}


class Structure(NamedTuple):
    """The file's model (None where it can't be mended), the mistakes of form, and the locs that were mended."""

    file: SpecFile | None
    diagnostics: tuple[Diagnostic, ...]
    poisoned: frozenset[Loc]


def check_structure(data: Mapping[str, object], places: Places) -> Structure:
    """Hold the file's data against the models.

    Diagnostics: S101 unknown key, S102 missing key, S103 wrong type, S105 a value that isn't allowed.
    """
    try:
        return Structure(SpecFile.model_validate(data), (), frozenset())
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=True, include_input=False)[:_MAX_FAULTS]
    grouped = _by_place(faults, data)
    renamed = _renamed(grouped, data)
    diagnostics = []
    for loc, group in grouped.items():
        if group[0]["type"] == "missing" and loc in renamed.values():
            continue
        diagnostics.append(_diagnostic(loc, group, data, places, renamed))
        if len(diagnostics) == MAX_DIAGNOSTICS:
            break
    for loc, known in renamed.items():
        places.rename(loc, known[-1])
    poisoned: frozenset[Loc] = frozenset()
    mended: Mapping[str, object] = data
    for _ in range(3):  # a key that was mistyped may have a value that is wrong as well
        mended, more = _mend(grouped, renamed, mended)
        poisoned |= more
        try:
            return Structure(SpecFile.model_validate(mended), tuple(diagnostics), poisoned)
        except ValidationError as error:
            grouped = _by_place(error.errors(include_url=False, include_input=False)[:_MAX_FAULTS], mended)
            renamed = {}
    return Structure(None, tuple(diagnostics), poisoned)


def _by_place(faults: Sequence[Fault], data: Mapping[str, object]) -> dict[Loc, list[Fault]]:
    """The faults at each loc of the file; pydantic's loc also has names of union members in it, which are left out."""
    grouped: dict[Loc, list[Fault]] = {}
    for fault in faults:
        loc: list[Key] = []
        node: object = data
        for key in fault["loc"]:
            inside = _inside(node, key)
            if inside is not _ABSENT:
                loc.append(key)
                node = inside
        if fault["type"] == "missing":
            loc.append(fault["loc"][-1])
        grouped.setdefault(tuple(loc), []).append(fault)
    return {loc: group for loc, group in grouped.items() if not _covered(loc, grouped, data)}


_ABSENT = object()


def _inside(node: object, key: Key) -> object:
    if isinstance(node, dict) and key in node:
        inside: object = node[key]
        return inside
    if isinstance(node, list) and isinstance(key, int) and 0 <= key < len(node):
        return node[key]
    return _ABSENT


def _at(data: object, loc: Loc) -> object:
    for key in loc:
        data = _inside(data, key)
    return data


def _covered(loc: Loc, grouped: Mapping[Loc, list[Fault]], data: object) -> bool:
    """Whether the loc's faults are only that it isn't of a union's other types, while the one it is has faults inside.

    A block entry that is a table is neither an integer nor a string, but what's wrong is a key in it.
    """
    if not isinstance(_at(data, loc), dict) or any(fault["type"] not in _TYPE_FAULTS for fault in grouped[loc]):
        return False
    return any(len(other) > len(loc) and other[: len(loc)] == loc for other in grouped)


def _renamed(grouped: Mapping[Loc, list[Fault]], data: object) -> dict[Loc, Loc]:
    """Unknown keys that are a known key mistyped: its loc to the known key's loc."""
    renamed: dict[Loc, Loc] = {}
    for loc, group in grouped.items():
        if group[0]["type"] != "extra_forbidden" or not isinstance(loc[-1], str):
            continue
        table = _at(data, loc[:-1])
        free = [key for key in _known_keys(loc[:-1]) if isinstance(table, dict) and key not in table]
        best = nearest(loc[-1], free)
        if best is not None and (*loc[:-1], best) not in renamed.values():
            renamed[loc] = (*loc[:-1], best)
    return renamed


def _known_keys(loc: Loc) -> list[str]:
    model: type[Table] | None = SECTIONS.get(tuple(key for key in loc if isinstance(key, str)))
    return [] if model is None else list(model.model_fields)


def _diagnostic(loc: Loc, group: list[Fault], data: object, places: Places, renamed: Mapping[Loc, Loc]) -> Diagnostic:
    kind = group[0]["type"]
    if kind == "missing":
        return Diagnostic("S102", f"{_where(loc[:-1], data)} lacks the key {shown(str(loc[-1]))}", places(*loc[:-1]))
    if kind == "extra_forbidden":
        key = str(loc[-1])
        known = _known_keys(loc[:-1])
        hint = f"did you mean {shown(str(renamed[loc][-1]))}?" if loc in renamed else None
        hint = hint or _elsewhere(key) or did_you_mean(key, known)
        where = _where(loc[:-1], data)
        return Diagnostic(
            "S101", f"{where} has an unknown key {shown(key)}", places.key(*loc), hint or f"known: {listed(known, 24)}"
        )
    value = _at(data, loc)
    where = _where(loc, data)
    if all(fault["type"] in _TYPE_FAULTS for fault in group):
        wanted = _wanted([fault["type"] for fault in group])
        return Diagnostic("S103", f"{where} must be {wanted}, not {_kind(value)}", places(*loc))
    for fault in group:
        if fault["type"] not in _TYPE_FAULTS:
            say = _VALUE_FAULTS.get(fault["type"])
            fact, hint = say(value, fault.get("ctx", {})) if say else ("has a value that is not allowed", None)
            return Diagnostic("S105", f"{where} {fact}", places(*loc), hint)
    raise AssertionError(group)


def _elsewhere(key: str) -> str | None:
    """Where a key belongs that is none of its table: what stands below a [table] is a key of that table."""
    if key in _PALLAS:
        return _PALLAS[key]
    if key in SpecFile.model_fields:
        return f"{shown(key)} is a key of the spec itself: put it above the first [table]"
    places = [f"[{loc[0]}]" if loc[0] in _TABLES else f"[[{loc[0]}]]" for loc, model in SECTIONS.items()
              if len(loc) == 1 and key in model.model_fields]  # fmt: skip
    return f"{shown(key)} is a key of {' or '.join(places)}" if places else None


def _wanted(kinds: list[str]) -> str:
    """`an integer, an expression or a table`, for the types of a union."""
    wanted: list[str] = []
    for kind in kinds:
        words = _TYPE_FAULTS[kind]
        if kind == "string_type" and "int_type" in kinds and "bool_type" not in kinds:
            words = "an expression in quotes"
        if kind == "float_type" and "int_type" in kinds:
            continue  # "a number" below
        if kind == "int_type" and "float_type" in kinds:
            words = "a number"
        if kind != "none_required" and words not in wanted:
            wanted.append(words)
    return " or ".join([", ".join(wanted[:-1]), wanted[-1]] if len(wanted) > 1 else wanted)


def _kind(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return f"the boolean {str(value).lower()}"
        case int():
            return f"the integer {value}" if value.bit_length() <= 128 else shown_number(value)
        case float():
            return f"the float {value!r}"
        case str():
            return f"the string {shown(value)}"
        case list():
            return "an array"
        case dict():
            return "a table"
    return "a date or time"


def _one_of(value: object, ctx: Mapping[str, Any]) -> tuple[str, str | None]:
    words = [word.strip("'") for word in str(ctx.get("expected", "")).replace(" or ", ", ").split(", ")]
    guess = did_you_mean(value, words) if isinstance(value, str) else None
    return f"is {_kind(value)}, which is not one of the words known here", guess or f"known: {listed(words)}"


def _pattern(value: object, ctx: Mapping[str, Any]) -> tuple[str, str | None]:
    lower = "a-z" in ctx.get("pattern", "") and "A-Z" not in ctx.get("pattern", "")
    letters = "lower-case letters" if lower else "letters"
    fact = f"is {_kind(value)}, but a name has only {letters}, digits and underscores"
    starts = "[A-Za-z_][" in ctx.get("pattern", "")
    return fact + (", and starts with no digit" if starts else ""), None


def _too_long(value: object, ctx: Mapping[str, Any]) -> tuple[str, str | None]:
    count = len(value) if isinstance(value, (list, str, dict)) else 0
    unit = ("character", None) if isinstance(value, str) else ("entry", "entries")
    return f"has {counted(count, *unit)}; at most {ctx.get('max_length')} are allowed", None


def _too_short(value: object, ctx: Mapping[str, Any]) -> tuple[str, str | None]:
    count = len(value) if isinstance(value, list) else 0
    return f"has {counted(count, 'entry', 'entries')}; at least {ctx.get('min_length')} are needed", None


_VALUE_FAULTS: dict[str, Callable[[object, Mapping[str, Any]], tuple[str, str | None]]] = {
    "literal_error": _one_of,
    "string_pattern_mismatch": _pattern,
    "string_too_long": _too_long,
    "too_long": _too_long,
    "too_short": _too_short,
}


def _where(loc: Loc, data: object) -> str:
    """What a user calls a place: `inputs[0].shape of 'x'`, `[grid]`, `the file`."""
    if not loc:
        return "the spec"
    text = ""
    for key in loc:
        text += f"[{key}]" if isinstance(key, int) else (f".{key}" if text else key)
    name = _inside(_at(data, loc[:2]), "name") if len(loc) > 1 and loc[0] in _LISTS else None
    return shown(text) + (f" (of {shown(name)})" if isinstance(name, str) and loc[2:] != ("name",) else "")


def _mend(
    grouped: Mapping[Loc, list[Fault]], renamed: Mapping[Loc, Loc], data: Mapping[str, object]
) -> tuple[dict[str, Any], frozenset[Loc]]:
    """A copy of the data without its mistakes of form, and the locs whose values aren't the file's own."""
    mended: dict[str, Any] = copy.deepcopy(dict(data))
    poisoned: set[Loc] = set()
    for loc in sorted(grouped, key=len, reverse=True):
        table = _at(mended, loc[:-1])
        if grouped[loc][0]["type"] == "extra_forbidden" and isinstance(table, dict):
            value = table.pop(loc[-1], None)
            if loc in renamed:
                table[renamed[loc][-1]] = value
    for loc, group in grouped.items():
        if group[0]["type"] == "extra_forbidden" or loc in renamed.values():
            continue
        cut = loc[:3] if loc[0] in _LISTS else loc[:2] if loc[0] in _TABLES else loc[:1]
        poisoned.add(cut)
        parent = _at(mended, cut[:-1])
        section = tuple(key for key in cut if isinstance(key, str))
        stand_in = _STAND_INS.get(section, _ABSENT)
        if stand_in is _ABSENT and len(section) == 2 and section[0] in _LISTS and section[0] != "variants":
            stand_in = _OPERAND_STAND_INS.get(section[1], _ABSENT)
        if isinstance(cut[-1], int) and isinstance(parent, list):  # a whole entry that is no table
            parent[cut[-1]] = dict(_OPERAND_STAND_INS, **({"kind": "vmem"} if cut[0] == "scratch" else {}))
            if cut[0] == "variants":
                parent[cut[-1]] = {"name": "_"}
        elif isinstance(parent, dict):
            parent.pop(cut[-1], None)
            if stand_in is not _ABSENT and not (cut[0] == "scratch" and cut[-1] in ("shape", "dtype")):
                parent[cut[-1]] = copy.deepcopy(stand_in)
    return mended, frozenset(poisoned)
