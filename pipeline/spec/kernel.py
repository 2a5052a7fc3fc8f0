"""The kernel's source of a spec: its text, where it stands, and which of its functions is the kernel."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.errors import Source, SpecError
from pipeline.spec.context import Context, Loc
from pipeline.spec.files import inside_folder, read_text
from pipeline.spec.limits import MAX_JAXPR_BYTES, MAX_KERNEL_BYTES, MAX_NAME
from pipeline.spec.places import OpaqueCode
from pipeline.spec.python import PythonError, parse_python
from pipeline.spec.spec import Code, KernelSource, PythonOrigin
from pipeline.spec.suggest import did_you_mean, listed, shown

if TYPE_CHECKING:
    from pipeline.spec.model import Kernel

_FORMS = ("source", "file", "jaxpr")


def kernel_source(context: Context, kernel: Kernel, spec_name: str) -> tuple[KernelSource, tuple[Path, ...]] | None:
    """The source with its function chosen (static arguments are each variant's), and the file it came from.

    Reports: S001-S003 and S109 (the file), S122 (both or none), S123 (not Python), S124 (which function).
    """
    if not context.sound(*(("kernel", key) for key in _FORMS)):
        return None
    given = [f"'{key}'" for key in _FORMS if getattr(kernel, key) is not None]
    if len(given) != 1:
        fact = f"both {' and '.join(given)}" if given else "neither 'source' nor 'file'"
        context.report("S122", f"[kernel] has {fact}", ("kernel",), "give the kernel's text in one of them")
        return None
    if kernel.jaxpr is not None:
        found = _jaxpr_source(context, kernel, kernel.jaxpr, spec_name)
        return None if found is None else (found, ())
    files: tuple[Path, ...] = ()
    if kernel.source is not None:
        if len(kernel.source) > MAX_KERNEL_BYTES:
            size = f"{len(kernel.source)} characters; at most {MAX_KERNEL_BYTES} are read"
            context.report("S002", f"the kernel's source has {size}", ("kernel", "source"))
            return None
        code = _dedented(context.code(("kernel", "source"), kernel.source))
    else:
        path = inside_folder(context, kernel.file or "", ("kernel", "file"))
        if path is None:
            return None
        try:
            text = read_text(path, MAX_KERNEL_BYTES, context.places("kernel", "file")).replace("\r", "\n")
        except SpecError as error:
            for one in error.diagnostics:
                context.report(one.code, one.message, one.span, one.hint)
            return None
        code = Code(text, Source(str(path), text))
        files = (path,)
    function = _function(context, kernel, code, spec_name)
    return None if function is None else (KernelSource(code, function, (), context.places("kernel")), files)


def _jaxpr_source(context: Context, kernel: Kernel, text: str, spec_name: str) -> KernelSource | None:
    """The kernel as a jaxpr's text. Reports: S002 (too long), S125 (static arguments, which it has no place for)."""
    if len(text) > MAX_JAXPR_BYTES:
        size = f"{len(text)} characters; at most {MAX_JAXPR_BYTES} are read"
        context.report("S002", f"the kernel's jaxpr has {size}", ("kernel", "jaxpr"))
        return None
    for name in kernel.static:
        span = context.places.key("kernel", "static", name)
        context.report("S125", f"a kernel given as a jaxpr has no parameter {shown(name)} to fix", span)
    name = kernel.function or spec_name
    if not (name.isascii() and name.isidentifier() and len(name) <= 2 * MAX_NAME):
        fact = f"{shown(name)} can't be the kernel's name"
        context.report("S124", fact, ("kernel", "function"), "letters, digits and underscores")
        return None
    origin = None
    if kernel.python is not None:
        python = kernel.python
        origin = PythonOrigin(python.function, tuple(python.args), tuple(python.static.items()), python.call)
    code = context.code(("kernel", "jaxpr"), text)
    return KernelSource(code, name, (), context.places("kernel"), True, origin)


def _dedented(code: Code) -> Code:
    """Code whose every line is indented alike, as in an indented TOML string, without that indentation."""
    lines = code.text.split("\n")
    written = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not written or not written[0].startswith(" ") or isinstance(code, OpaqueCode):
        return code
    indent = len(written[0]) - len(written[0].lstrip(" "))
    if any(line.strip() and not line.startswith(" " * indent) for line in lines):
        return code
    text = "\n".join(line[indent:] for line in lines)
    first_column = None if code.first_column is None else code.first_column + indent
    return replace(code, text=text, column_offset=code.column_offset + indent, first_column=first_column)


def _function(context: Context, kernel: Kernel, code: Code, spec_name: str) -> str | None:
    """The name of the kernel's function; None after a report."""
    try:
        tree = parse_python(code.text, "exec")
    except PythonError as error:
        span = code.span(error.line, error.column, error.end_column)
        context.report("S123", f"the kernel's source is not valid Python: {error.message}", span)
        return None
    assert isinstance(tree, ast.Module)
    found = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    loc: Loc = (
        ("kernel", "function") if kernel.function is not None else ("kernel", "source" if kernel.source else "file")
    )
    if kernel.function is not None:
        chosen = kernel.function
        if chosen not in found:
            hint = did_you_mean(chosen, found) or (f"it has {listed(found)}" if found else None)
            context.report("S124", f"the kernel's source has no function {shown(chosen)} at its top level", loc, hint)
            return None
    elif len(found) == 1:
        (chosen,) = found
    elif not found:
        context.report("S124", "the kernel's source has no function at its top level", loc, "write it as a def")
        return None
    else:
        named = [name for name in (spec_name, f"{spec_name}_kernel") if name in found]
        if not named:
            hint = f'say which: function = "{list(found)[-1]}"'
            context.report("S124", f"the kernel's source has {len(found)} functions ({listed(found)})", loc, hint)
            return None
        chosen = named[0]
    _check_static(context, kernel, found[chosen])
    return chosen


def _check_static(context: Context, kernel: Kernel, function: ast.FunctionDef) -> None:
    """Reports S125 for a static argument that the function doesn't take."""
    args = function.args
    taken = [arg.arg for arg in (*args.args, *args.kwonlyargs)]
    if args.kwarg is not None:
        return
    for name in kernel.static:
        if name not in taken:
            hint = did_you_mean(name, taken) or f"its parameters: {listed(taken)}"
            span = context.places.key("kernel", "static", name)
            context.report("S125", f"{shown(function.name)} has no parameter {shown(name)} to fix", span, hint)
