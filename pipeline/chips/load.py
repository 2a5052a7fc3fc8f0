"""Chip profiles: find the file, merge what it extends, check it, make a `Chip`.

A profile's text is data of unknown origin: sizes and depths are bounded, and every mistake is a diagnostic with its
place. All mistakes of a profile are reported at once.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Union

from pipeline.chips.chip import Chip, Fact, Matmul, PortableTarget
from pipeline.chips.fields import FIELDS, UNITS, Field
from pipeline.chips.profile import Profile, Stated, make_profile
from pipeline.dtypes import BY_NAME, DType
from pipeline.errors import NOWHERE, Diagnostic, Source, Span, SpecError
from pipeline.near import near_words
from pipeline.spec.spec import Locate, Target

_HERE = Path(__file__).parent
_TABLES = (".costs", ".ops")  # files beside the profiles that profiles name
_MAX_BYTES = 1 << 20
_MAX_DEPTH = 8
_CACHE: dict[str, Chip | PortableTarget] = {}  # built-in profiles by name: they do not change while we run
_PORTABLE_KINDS = ("interpret", "triton")


def list_chips() -> tuple[str, ...]:
    """Names of the built-in profiles, sorted."""
    return tuple(sorted(path.stem for path in _HERE.glob("*.toml") if not path.stem.endswith(_TABLES)))


def load_chip(target: Union[Target, str], thorough: bool = False) -> Chip:
    """The chip that `target` names. Errors: as for `load_target`, and P007 for a target that is no chip."""
    found = load_target(target, thorough)
    if isinstance(found, PortableTarget):
        span = target.span if isinstance(target, Target) else NOWHERE
        message = f"{found.name!r} is of kind {found.kind!r}, not a chip"
        raise SpecError("P007", message, span, hint="name a chip: pipeline chips list")
    return found


def load_target(target: Union[Target, str], thorough: bool = False) -> Chip | PortableTarget:
    """What `target` names: a built-in profile, or a path. `thorough` checks the form of built-in ones too.

    Errors: SpecError P001..P006, at the target's span where no profile can be read, else inside the profile.
    """
    path = target.path if isinstance(target, Target) else _as_path(target)
    name = target.name if isinstance(target, Target) else target
    span = target.span if isinstance(target, Target) else NOWHERE
    if path is None and name in _CACHE and not thorough:
        return _CACHE[name]
    layers = _layers(path if path is not None else _built_in(name, span), span, thorough)
    chip = _assemble(layers)
    if path is None:
        _CACHE[name] = chip
    return chip


def _as_path(name: str) -> Path | None:
    return Path(name) if "/" in name or name.endswith(".toml") else None


def _built_in(name: str, span: Span) -> Path:
    """Path of the built-in profile `name`; only names that are listed are ever looked up."""
    if name not in list_chips():
        raise SpecError("P001", f"there is no chip {name!r}", span, hint=_suggest(name, list_chips()))
    return _HERE / f"{name}.toml"


def _suggest(name: str, known: tuple[str, ...]) -> str:
    close = near_words(name, known, 1)
    listed = ", ".join(known)
    return f"did you mean {close[0]!r}? known: {listed}" if close else f"known: {listed}"


def _lazily(source: Source) -> Locate:
    """Places of the profile's keys; the text is scanned when the first mistake asks for one."""
    found: list[Locate] = []

    def locate(*loc: str | int) -> Span:
        if not found:
            from pipeline.spec.locate import locate_toml

            found.append(locate_toml(source))
        return found[0](*loc)

    return locate


class _Layer:
    """One profile file of a chain: its place, its text, its checked statements."""

    def __init__(self, path: Path, source: Source, locate: Locate, profile: Profile) -> None:
        self.path, self.source, self.locate, self.profile = path, source, locate, profile


def _layers(path: Path, span: Span, thorough: bool) -> list[_Layer]:
    """The chain of profiles from `path` to the one that extends nothing."""
    layers: list[_Layer] = []
    seen: list[Path] = []
    while True:
        where = layers[-1].locate("extends") if layers else span
        resolved = path.resolve()
        if resolved in seen:
            chain = " -> ".join(p.stem for p in [*seen, resolved])
            raise SpecError("P005", f"profiles extend each other: {chain}", where, hint="end the chain in one of them")
        if len(seen) == _MAX_DEPTH:
            raise SpecError(
                "P005", f"profiles extend each other over more than {_MAX_DEPTH} files", where, hint="shorten the chain"
            )
        seen.append(resolved)
        layer = _read(path, where, thorough or path.parent != _HERE)
        layers.append(layer)
        base = layer.profile.extends
        if base is None:
            return layers
        relative = _as_path(base)
        if relative is None:
            path = _built_in(base, layer.locate("extends"))
        elif relative.is_absolute():
            raise SpecError(
                "P004",
                "'extends' is an absolute path",
                layer.locate("extends"),
                hint="give a path relative to this profile, or a built-in profile's name",
            )
        elif not _beside(path.parent, relative):
            raise SpecError(
                "P004", "'extends' lies outside the profile's folder", layer.locate("extends"), hint=_BESIDE
            )
        else:
            path = path.parent / relative


_BESIDE = "a profile may only name files in its own folder or below it"


def _beside(folder: Path, name: str | Path) -> bool:
    """Whether `name` is a file of `folder` or below it, links followed."""
    try:
        return (folder / name).resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):  # a link that leads to itself; a name with a NUL
        return False


def _read(path: Path, span: Span, checks_form: bool) -> _Layer:
    """One profile file, parsed and checked on its own. A test holds the form of the built-in ones, not each start."""
    import tomli

    shown = path.name if path.parent == _HERE else path.as_posix()
    try:
        if not path.is_file():
            raise SpecError("P001", f"there is no chip profile at {shown}", span, hint="check the target's path")
        if path.stat().st_size > _MAX_BYTES:
            raise SpecError("P002", f"{shown} is larger than {_MAX_BYTES} bytes, too large for a chip profile", span)
        text = path.read_bytes().decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise SpecError("P002", f"{shown} is not UTF-8 text (byte {error.start})", span) from None
    except OSError as error:
        raise SpecError("P002", f"{shown} cannot be read: {error.strerror}", span) from None
    source = Source(shown, text)
    try:
        data = tomli.loads(text)
    except tomli.TOMLDecodeError as error:
        raise SpecError("P003", f"not valid TOML: {_reason(error)}", _at(source, error)) from None
    except RecursionError:
        raise SpecError("P003", "not valid TOML: nested too deeply", Span(source, 1, 1)) from None
    locate = _lazily(source)
    if checks_form:
        _check_form(data, locate)
    profile = make_profile(data)
    layer = _Layer(path, source, locate, profile)
    if profile.name != path.stem:
        found = f"the profile is called {profile.name!r}, its file {path.name!r}"
        raise SpecError("P004", found, locate("name"), hint=f'write name = "{path.stem}", or rename the file')
    return layer


def _check_form(data: dict[str, Any], locate: Locate) -> None:
    """Hold a profile's data against its model. Errors: SpecError P004 with every mistake of form."""
    from pydantic import ValidationError

    from pipeline.chips.model import ProfileModel

    try:
        ProfileModel.model_validate(data)
    except ValidationError as error:
        raise SpecError.of([_explain(e, locate) for e in error.errors(include_url=False)]) from None


_POSITION = re.compile(r" \(at line (\d+), column (\d+)\)$")


def _reason(error: Exception) -> str:
    text = _POSITION.sub("", str(error)).removesuffix(" (at end of document)")
    return text[:1].lower() + text[1:]


def _at(source: Source, error: Exception) -> Span:
    found = _POSITION.search(str(error))
    if found:
        return Span(source, int(found[1]), int(found[2]))
    return Span(source, max(1, len(source.text.splitlines())), 1)


def _explain(error: Any, locate: Locate) -> Diagnostic:
    """A pydantic finding in our words; its wording differs from version to version, its types do not."""
    loc = tuple(
        part for part in error["loc"] if part not in ("int", "float", "str", "list[str]", "list[constrained-str]")
    )
    key = ".".join(map(str, loc))
    match error["type"]:
        case "extra_forbidden":
            known = (*FIELDS, "name", "kind", "summary", "extends", "costs", "ops", "sources", "features", "matmul")
            hint = _suggest(str(loc[-1]), known) if len(loc) == 1 else "known: value, unit, source, note, unknown"
            return Diagnostic("P004", f"a chip profile has no {key!r}", locate(*loc), hint)
        case "missing":
            return Diagnostic("P004", f"{key!r} is missing", locate(*loc[:-1]), f"add {loc[-1]}")
        case _:
            return Diagnostic("P004", f"{key!r} is not what a chip profile takes here", locate(*loc), _expected(loc))


def _expected(loc: tuple[Any, ...]) -> str:
    match loc:
        case ("name",):
            return "a name of letters, digits, '.', '_' and '-'"
        case ("kind",):
            return 'kind = "tpu", kind = "interpret" or kind = "triton"'
        case ("matmul", *_):
            return 'e.g. lhs = ["int8"], rhs = ["int8"], accumulator = "int32", native = true, source = ".."'
        case (_,) | ("sources", _):
            return "a string"
        case _:
            return 'a fact is written { value = 16, unit = "MiB", source = "AOT" }'


def _assemble(layers: list[_Layer]) -> Chip | PortableTarget:
    """Merge the chain (the first layer wins), check every fact, make the chip."""
    kind = next((layer.profile.kind for layer in layers if layer.profile.kind is not None), "tpu")
    if kind in _PORTABLE_KINDS:
        return _portable(layers, kind)
    findings: list[Diagnostic] = []
    sources: dict[str, str] = {}
    for layer in reversed(layers):
        sources.update(layer.profile.sources)
    values: dict[tuple[str, str], Any] = {}
    facts: dict[tuple[str, str], Fact] = {}
    for layer in reversed(layers):
        for section, fields in FIELDS.items():
            for name, stated in layer.profile.facts[section].items():
                spot = (section, name)
                field = fields.get(name)
                if field is None:
                    message = f"[{section}] of a chip profile has no {name!r}"
                    hint = _suggest(name, tuple(fields))
                    findings.append(Diagnostic("P004", message, layer.locate(section, name), hint))
                elif stated.unknown and stated.value is None:
                    values.pop(spot, None)
                    facts.pop(spot, None)
                else:
                    problem, value, text = _check(field, stated, sources)
                    if problem is not None:
                        message = f"{section}.{name}: {problem[0]}"
                        findings.append(Diagnostic("P004", message, layer.locate(section, name), problem[1]))
                    else:
                        values[spot] = value
                        facts[spot] = Fact(section, name, text, stated.source or "", stated.note)
    top = layers[0]
    for section, fields in FIELDS.items():
        for name, field in fields.items():
            if field.required and (section, name) not in values and not findings:
                unit = next((u for u, (dimension, _) in UNITS.items() if dimension == field.dimension), "")
                hint = f'add to [{section}]: {name} = {{ value = .., unit = "{unit}", source = ".." }}'
                message = f"the profile of {top.profile.name!r} does not state {section}.{name}"
                findings.append(Diagnostic("P006", message, top.locate("name"), hint))
    features: tuple[str, ...] = ()
    for layer in layers:
        if layer.profile.features is not None:
            stated = layer.profile.features
            if not isinstance(stated.value, list) or stated.source not in sources:
                hint = 'value = ["sublane_gather"], source = ".."'
                findings.append(
                    Diagnostic("P004", "[features] needs a list and a source", layer.locate("features"), hint)
                )
            else:
                features = tuple(sorted(stated.value))
            break
    matmuls = _matmuls(layers, sources, findings)
    costs, ops = (_table(name, layers, findings) for name in ("costs", "ops"))
    if findings:
        raise SpecError.of(findings)

    def get(section: str, name: str, default: Any = None) -> Any:
        return values.get((section, name), default)

    def group(section: str) -> tuple[tuple[str, Any], ...]:
        return tuple((n, values[section, n]) for n in FIELDS[section] if (section, n) in values)

    def dtypes(name: str) -> tuple[DType, ...]:
        return tuple(get("dtypes", name, ()))

    def first(name: str, default: str) -> str:
        return next((v for layer in layers if (v := getattr(layer.profile, name)) is not None), default)

    return Chip(
        name=top.profile.name,
        kind=kind,
        summary=first("summary", ""),
        device_kind=get("core", "device_kind", ""),
        generation=get("core", "generation"),
        cores=get("core", "cores"),
        cores_per_device=get("core", "cores_per_device", 1),
        lanes=get("vector", "lanes"),
        sublanes=get("vector", "sublanes"),
        vector_registers=get("vector", "registers"),
        vector_masks=get("vector", "masks"),
        mxu_count=get("matrix", "count"),
        mxu_size=get("matrix", "size"),
        mxu_accumulators=get("matrix", "accumulators"),
        mxu_staged_weights=get("matrix", "staged_weights", 1),
        mxu_rows_per_cycle=group("rows_per_cycle"),
        vmem_bytes=get("memory", "vmem"),
        vmem_default_limit_bytes=get("memory", "vmem_default_limit"),
        word_bytes=get("memory", "word", 4 * get("vector", "lanes")),
        internal_scratch_bytes=get("memory", "internal_scratch", 0),
        smem_bytes=get("memory", "smem"),
        smem_reserved_bytes=get("memory", "smem_reserved", 0),
        semaphore_bytes=get("memory", "semaphores"),
        semaphore_reserved_bytes=get("memory", "semaphores_reserved", 0),
        hbm_bytes=get("memory", "hbm"),
        hbm_available_bytes=get("memory", "hbm_available"),
        hbm_bytes_per_second=get("memory", "hbm_bandwidth"),
        clock_hz=get("core", "clock"),
        peaks=group("peak"),
        slots=group("slots"),
        cycles=group("cycles"),
        loads_per_window=int(get("overhead", "loads_per_window", 0)),
        copy_tiles=get("overhead", "copy_tiles", 1),
        inputs_kept_bytes=get("memory", "inputs_kept", 0),
        dma_latency_cycles=get("memory", "dma_latency"),
        vector_dtypes=dtypes("vector"),
        transcendental_dtypes=dtypes("transcendental"),
        arithmetic_dtypes=dtypes("arithmetic"),
        comparison_dtypes=dtypes("comparison"),
        equality_dtypes=dtypes("equality"),
        reduction_dtypes=dtypes("reduction"),
        memory_dtypes=dtypes("memory"),
        features=features,
        matmuls=matmuls,
        costs=costs,
        ops=ops,
        sources=tuple(sources.items()),
        facts=tuple(facts[s, n] for s, fields in FIELDS.items() for n in fields if (s, n) in facts),
    )


def _portable(layers: list[_Layer], kind: str) -> PortableTarget:
    """A target without facts. Errors: SpecError P004 for each that the chain states."""
    findings: list[Diagnostic] = []
    for layer in layers:
        profile = layer.profile
        stated = [section for section, facts in profile.facts.items() if facts]
        stated += [name for name in ("features", "matmul", "costs", "ops") if getattr(profile, name)]
        for section in stated:
            message = f"a target of kind {kind!r} is no chip: its profile has no {section!r}"
            findings.append(Diagnostic("P004", message, layer.locate(section), "leave it out"))
    if findings:
        raise SpecError.of(findings)
    summary = next((layer.profile.summary for layer in layers if layer.profile.summary is not None), "")
    return PortableTarget(layers[0].profile.name, kind, summary)


def _table(name: str, layers: list[_Layer], findings: list[Diagnostic]) -> str | None:
    """Path of the table that the first layer to say so names under `name`."""
    for layer in layers:
        said = getattr(layer.profile, name)
        if said is not None:
            if Path(said).is_absolute():
                findings.append(
                    Diagnostic("P004", f"{name!r} is an absolute path", layer.locate(name), "make it relative")
                )
            elif not _beside(layer.path.parent, said):
                message = f"{name!r} lies outside the profile's folder"
                findings.append(Diagnostic("P004", message, layer.locate(name), _BESIDE))
            return str(layer.path.parent / said)
    return None


_Problem = tuple[str, str]


def _check(field: Field, stated: Stated, sources: dict[str, str]) -> tuple[_Problem | None, Any, str]:
    """(what is wrong and what to do, or None; the value in base units; the text to show)."""
    if stated.unknown:
        return ("states a value and that it is unknown", "drop one of the two"), None, ""
    if stated.value is None:
        return ("has no value", "write value = .., or unknown = true"), None, ""
    if stated.source is None or stated.source not in sources:
        said = "has no source" if stated.source is None else f"cites source {stated.source!r}, not in [sources]"
        return (said, "name a tag of [sources] and explain it there"), None, ""
    if field.dimension in ("text", "dtypes"):
        if stated.unit is not None:
            return (f"takes no unit, not {stated.unit!r}", "drop the unit"), None, ""
        if field.dimension == "text":
            if not isinstance(stated.value, str):
                return ("takes a string", 'value = ".."'), None, ""
            return None, stated.value, stated.value
        if not isinstance(stated.value, list):
            return ("takes a list of dtypes", 'value = ["float32"]'), None, ""
        wrong = [n for n in stated.value if n not in BY_NAME]
        if wrong:
            return (f"there is no dtype {wrong[0]!r}", _suggest(wrong[0], tuple(BY_NAME))), None, ""
        return None, [BY_NAME[n] for n in stated.value], " ".join(stated.value)
    dimension, factor = UNITS.get(stated.unit or "", ("", 1.0))
    fitting = ", ".join(u for u, (d, _) in UNITS.items() if d == field.dimension)
    if dimension != field.dimension:
        said = "has no unit" if stated.unit is None else f"is given in {stated.unit!r}"
        return (f"{said}, not a unit of {field.dimension}", f"units: {fitting}"), None, ""
    if not isinstance(stated.value, (int, float)):
        return (f"takes a number, not {stated.value!r}"[:80], "value = 1"), None, ""
    value = stated.value * factor
    if not field.low <= value <= field.high:  # also refuses nan
        text = f"{stated.value} {stated.unit} is outside {field.low:g}..{field.high:g} (in base units)"
        return (text, "check the number and its unit"), None, ""
    return None, int(value) if field.whole else float(value), f"{stated.value} {stated.unit}"


def _matmuls(layers: list[_Layer], sources: dict[str, str], findings: list[Diagnostic]) -> tuple[Matmul, ...]:
    """Rows of the nearest layer that has any, pairs written out; the first row that fits a pair holds."""
    layer = next((layer for layer in layers if layer.profile.matmul), None)
    if layer is None:
        return ()
    rows: dict[tuple[str, str, str], Matmul] = {}
    for position, row in enumerate(layer.profile.matmul):
        names = [*row.lhs, *row.rhs, row.accumulator]
        wrong = [n for n in names if n not in BY_NAME]
        span = layer.locate("matmul", position)
        if wrong:
            hint = _suggest(wrong[0], tuple(BY_NAME))
            findings.append(Diagnostic("P004", f"there is no dtype {wrong[0]!r}", span, hint))
        elif row.source not in sources:
            message = f"matmul cites source {row.source!r}, not in [sources]"
            findings.append(Diagnostic("P004", message, span, "name a tag of [sources] and explain it there"))
        else:
            for lhs in row.lhs:
                for rhs in row.rhs:
                    made = Matmul(BY_NAME[lhs], BY_NAME[rhs], BY_NAME[row.accumulator], row.native)
                    rows.setdefault((lhs, rhs, row.accumulator), made)
    return tuple(rows.values())
