"""A spec file to its `Spec`s, one for each variant, or to all that is wrong with it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.errors import Diagnostic, Source, Span, SpecError
from pipeline.spec.build import Builder, Common
from pipeline.spec.checks import Drawn, check_data, check_file, check_targets
from pipeline.spec.context import Context, Loc
from pipeline.spec.files import read_text
from pipeline.spec.kernel import kernel_source
from pipeline.spec.limits import MAX_DEPTH, MAX_DIAGNOSTICS, MAX_FILE_BYTES, MAX_YAML_BYTES
from pipeline.spec.locate import locate_toml, toml_depth
from pipeline.spec.places import Place, Places
from pipeline.spec.quick import read_quickly
from pipeline.spec.spec import Spec, Static
from pipeline.spec.variants import settings

if TYPE_CHECKING:
    from pipeline.spec.model import SpecFile
    from pipeline.spec.vary import Links

YAML_SUFFIXES = (".yaml", ".yml")
SUFFIXES = (".toml", *YAML_SUFFIXES)


def load_specs(path: Path) -> tuple[Spec, ...]:
    """The spec file's variants, in the file's order; one unnamed variant for a spec without any.

    Errors: SpecError with every mistake that can be found, in the order of the file.
    """
    if path.suffix not in SUFFIXES:
        nowhere, hint = Span(Source(str(path), ""), 1, 1), f"spec files end in {', '.join(SUFFIXES)}"
        if not path.suffix and not os.path.lexists(path):
            raise SpecError("S001", f"there is no file or folder {str(path)!r}", nowhere, hint=hint)
        what = "is a folder, not a spec file" if path.is_dir() else "is not a spec file's name"
        raise SpecError("S006", f"{str(path)!r} {what}", nowhere, hint=hint)
    text = read_text(path, MAX_YAML_BYTES if path.suffix in YAML_SUFFIXES else MAX_FILE_BYTES)
    return parse_specs(text, path)


def parse_specs(text: str, path: Path) -> tuple[Spec, ...]:
    """As `load_specs`, for a text that has been read; `path` names it, and files it names are beside `path`."""
    source = Source(str(path), text)
    data, places = _parse_yaml(source) if path.suffix in YAML_SUFFIXES else _parse_toml(source)
    if not isinstance(data, dict):
        found = "is empty" if data is None else "is not a table of keys"
        raise SpecError("S103", f"the spec {found}", Span(source, 1, 1), hint="it starts with name, targets and kernel")
    runs_python = _is_python_only(data)
    if runs_python:
        from pipeline.frontend.direct import with_traced_kernel  # only here: it needs JAX

        data = with_traced_kernel(data, path.parent, places("kernel", "python"))
    file, faults, poisoned = _form(data, places)
    context = Context(places, path.parent, poisoned)
    specs = () if file is None else _check_and_build(context, file)
    diagnostics = context.diagnostics(faults)
    if diagnostics:
        raise SpecError.of(diagnostics)
    if runs_python:
        specs = tuple(replace(spec, kernel=replace(spec.kernel, runs_python=True)) for spec in specs)
    return specs


def _is_python_only(data: dict[str, object]) -> bool:
    """Whether the kernel is only named, as a Python function that JAX has to trace."""
    kernel = data.get("kernel")
    return isinstance(kernel, dict) and "python" in kernel and not kernel.keys() & {"source", "file", "jaxpr"}


def parse_candidate(
    text: str, path: Path, variant: str | None, settings: Mapping[str, Static], links: Links | None = None
) -> Spec:
    """One variant (None: the first) of a spec's text with some of its params, or what paths name, at other values.

    `settings` has to name params that the spec has, and paths of it (see `vary.py`); paths need `links`.
    Errors: as `parse_specs`; C114 for a value that does not fit its path.
    """
    from pipeline.spec.vary import edit, is_path  # only here: a build varies nothing

    edits = {name: value for name, value in settings.items() if is_path(name)}
    params = {name: value for name, value in settings.items() if name not in edits}
    source = Source(str(path), text)
    data, places = _parse_yaml(source) if path.suffix in YAML_SUFFIXES else _parse_toml(source)
    assert isinstance(data, dict), "the caller has parsed this text before"
    if _is_python_only(data):
        from pipeline.frontend.direct import with_traced_kernel

        data = with_traced_kernel(data, path.parent, places("kernel", "python"))
    if edits:
        assert links is not None
        edit(data, parse_candidate(text, path, variant, params), links, edits)
    file, faults, poisoned = _form(data, places)
    context = Context(places, path.parent, poisoned)
    specs = () if file is None else _check_and_build(context, file, (variant, params))
    diagnostics = context.diagnostics(faults)
    if diagnostics:
        raise SpecError.of(diagnostics)
    return specs[0]


def _form(data: dict[str, object], places: Places) -> tuple[SpecFile | None, tuple[Diagnostic, ...], frozenset[Loc]]:
    """The file's tables, its mistakes of form, and the locs that were mended; see `Structure`."""
    file = read_quickly(data)
    if file is not None:
        return file, (), frozenset()
    from pipeline.spec.structure import check_structure  # only here: a file without mistakes needs no pydantic

    return check_structure(data, places)


def _check_and_build(
    context: Context, file: SpecFile, candidate: tuple[str | None, Mapping[str, Static]] | None = None
) -> tuple[Spec, ...]:
    """All variants, or a candidate: one variant with other params. What is wrong is in the context afterwards."""
    check_file(context, file)
    targets = check_targets(context, file.targets)
    kernel = kernel_source(context, file.kernel, file.name)
    data: dict[str, Drawn] = {}
    for key in ("scalar_prefetch", "inputs"):
        for i, operand in enumerate(getattr(file, key)):
            loc: Loc = (key, i, "data")
            if operand.data is not None and context.sound(loc):
                data[operand.name] = check_data(context, loc, operand.data)
    if not context.sound(("params",), ("matrix",), ("variants",)):
        return ()
    common = None
    if kernel is not None:
        arrays = (one.path for one in data.values() if one.path is not None)
        common = Common(targets, kernel[0], data, (*kernel[1], *dict.fromkeys(arrays)))
    specs = []
    found: Sequence[tuple[str, Mapping[str, Static]]] = settings(context, file)
    if candidate is not None:
        found = [(name, {**params, **candidate[1]}) for name, params in found if candidate[0] in (None, name)][:1]
    for variant, params in found:
        context.variant = variant
        spec = Builder(context, file, params).build(common, variant)
        if spec is not None:
            specs.append(spec)
        if len(context.found) >= MAX_DIAGNOSTICS:
            break
    context.variant = None
    return tuple(specs)


def _parse_toml(source: Source) -> tuple[object, Places]:
    """Errors: SpecError S004 (not TOML), S005 (nests too deeply)."""
    import tomli

    too_deep = toml_depth(source.text, MAX_DEPTH)
    if too_deep is not None:
        span = Places(source, Place(0, 0)).span(too_deep, too_deep + 1)
        raise SpecError("S005", f"values nest deeper than {MAX_DEPTH} levels", span)
    try:
        data = tomli.loads(source.text)
    except tomli.TOMLDecodeError as error:
        message, line, column = _toml_fault(error, source.text)
        hint = "this key has been given before" if message.startswith("cannot overwrite") else None
        raise SpecError("S004", f"not valid TOML: {message}", Span(source, line, column), hint=hint) from None
    except RecursionError:
        raise SpecError("S005", f"values nest deeper than {MAX_DEPTH} levels", Span(source, 1, 1)) from None
    except ValueError:  # Python converts integers of at most 4300 digits
        found = re.search(r"\d[\d_]{4000,}", source.text)
        line = source.text.count("\n", 0, found.start()) + 1 if found else 1
        raise SpecError("S004", "not valid TOML: an integer is too long", Span(source, line, 1)) from None
    return data, locate_toml(source)


def _toml_fault(error: Exception, text: str) -> tuple[str, int, int]:
    """What tomli says, without the place in the message, and the place."""
    message = re.sub(r" \(at (?:line \d+, column \d+|end of document)\)$", "", str(error))
    place = re.search(r"\(at line (\d+), column (\d+)\)$", str(error))
    if place is not None:
        line, column = int(place[1]), int(place[2])
    else:
        lines = text.rstrip("\n").split("\n")
        line, column = len(lines), len(lines[-1]) + 1
    return message[:1].lower() + message[1:], line, column


def _parse_yaml(source: Source) -> tuple[object, Places]:
    """Errors: SpecError S004 (not YAML), S005 (nests too deeply or expands too far)."""
    from pipeline.spec.yaml_reader import read_yaml  # only here: TOML specs need no PyYAML

    read = read_yaml(source)
    if isinstance(read, Diagnostic):
        raise SpecError.of([read])
    return read
