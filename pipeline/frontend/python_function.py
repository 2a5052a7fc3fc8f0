"""A function of the user's own Python: found by name, called by JAX with the avals that it is given, and never run.

This executes the user's modules, so it happens only where a person asks for it. JAX is imported inside functions.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from pipeline.dtypes import BOOL, BY_NAME, BY_SHORT
from pipeline.errors import Diagnostic, Span, SpecError
from pipeline.frontend.jax_bridge import BridgeError, convert_call, nested_jaxprs, pallas_eqns
from pipeline.frontend.origins import origin_of, raised_at
from pipeline.frontend.pretend import pretend_chip, pretend_devices
from pipeline.ir.call import KernelCall
from pipeline.ir.jaxpr import Prim, ShapedArray
from pipeline.spec.spec import Data, PythonOrigin

_ARG = re.compile(r"(?P<dtype>[a-z][a-z0-9_]*)\[(?P<shape>[\d, ]*)\](?:=(?P<kind>[a-z]+)(?:\((?P<numbers>[^()]*)\))?)?")
# kind of data -> the keys that its numbers stand for; "values" takes any number of them
_KINDS: dict[str, tuple[str, ...]] = {
    "normal": ("mean", "std"),
    "uniform": ("low", "high"),
    "integers": ("low", "high"),
    "iota": ("low", "high"),
    "constant": ("value",),
    "values": (),
}


class Argument(NamedTuple):
    """One array that the function takes, and what its values are in the functional run (None: not said)."""

    aval: ShapedArray
    data: Data | None


class Traced(NamedTuple):
    """What JAX made of a function: its jaxpr (JAX's own, closed), and the kernel calls in it, in order."""

    closed: Any
    eqns: tuple[Any, ...]


def need_jax() -> None:
    """Errors: SpecError F100 where JAX is not installed."""
    if importlib.util.find_spec("jax") is None:
        message = "JAX is not installed, and only JAX can trace a Python function"
        raise SpecError("F100", message, hint='install the extra: pip install "kernel-pipeline[jax]"')


def split_arguments(text: str) -> list[str]:
    """The words of `--args`: blanks inside brackets don't part them."""
    return re.findall(r"(?:\[[^\]]*\]|\([^)]*\)|[^\s(\[])+", text)


def parse_argument(text: str) -> Argument:
    """`bf16[8,128]`, or `i32[4]=constant(7)` with what the values are. Errors: SpecError F103."""
    found = _ARG.fullmatch(text.strip())
    if found is None:
        raise _bad_argument(text, 'write it as "bf16[8,128]" or "i32[4]=integers(0,16)"')
    dtype = BY_SHORT.get(found["dtype"]) or BY_NAME.get(found["dtype"])
    if dtype is None or dtype.is_semaphore:
        raise _bad_argument(text, f"there is no dtype {found['dtype']!r}; e.g. f32, bf16, i32, i8, bool")
    shape = tuple(int(n) for n in found["shape"].replace(" ", "").split(",") if n)
    aval = ShapedArray(shape, dtype)
    kind = found["kind"]
    if kind is None:
        return Argument(aval, None)
    if kind not in _KINDS:
        raise _bad_argument(text, f"the kinds of values are {', '.join(_KINDS)}")
    try:
        numbers = [float(n) for n in (found["numbers"] or "").split(",") if n.strip()]
    except ValueError:
        raise _bad_argument(text, "numbers are separated by commas") from None
    if kind == "values":
        if len(numbers) != aval.size:
            raise _bad_argument(text, f"it has {aval.size} elements, but {len(numbers)} values")
        return Argument(aval, Data("values", values=tuple(numbers)))
    keys = _KINDS[kind]
    if len(numbers) > len(keys) or (kind in ("constant", "integers") and len(numbers) != len(keys)):
        raise _bad_argument(text, f"{kind} takes {', '.join(keys)}")
    return Argument(aval, Data(kind, **dict(zip(keys, numbers, strict=False))))  # type: ignore[arg-type]


def _bad_argument(text: str, hint: str) -> SpecError:
    return SpecError("F103", f"{text[:80]!r} is not an argument", hint=hint)


def find_function(name: str, folder: Path | None = None) -> Callable[..., Any]:
    """The function `package.module:function` or `file.py:function`; files and modules also in `folder`.

    Errors: SpecError F101 (the module), F102 (the function).
    """
    module_name, colon, path = name.partition(":")
    if not colon or not module_name or not path:
        hint = 'write it as "package.module:function" or "file.py:function"'
        raise SpecError("F102", f"{name[:80]!r} names no function", hint=hint)
    folder = folder or Path.cwd()
    try:
        if module_name.endswith(".py"):
            module = _load_file(folder / module_name)
        else:
            with _on_path(str(Path.cwd())), _on_path(str(folder)):
                module = importlib.import_module(module_name)
    except Exception as error:  # whatever the user's module does while it is imported
        message = f"{module_name} cannot be imported: {type(error).__name__}: {_first_line(error)}"
        raise SpecError("F101", message) from error
    found: Any = module
    for part in path.split("."):
        found = getattr(found, part, None)
    if not callable(found):
        raise SpecError("F102", f"{module_name} has no function {path!r}")
    return found  # type: ignore[no-any-return]


def _load_file(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise FileNotFoundError(f"there is no file {path}")
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)
    with _on_path(str(path.parent)):
        spec.loader.exec_module(module)
    return module


@contextmanager
def _on_path(folder: str) -> Iterator[None]:
    """The user's folder gets no compiled modules: Python takes one for the source of the same second and size."""
    kept, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        sys.path.remove(folder)
        sys.dont_write_bytecode = kept


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:300] if lines else "no message"


def trace_function(
    function: Callable[..., Any], arguments: Sequence[Argument], static: Mapping[str, Any], chip: str = "v5e"
) -> Traced:
    """JAX's trace of `function`. Errors: SpecError F104 (JAX or the function raises), F105 (it calls no kernel)."""
    import jax
    import jax.numpy as jnp

    struct: Any = jax.ShapeDtypeStruct
    avals = [struct(arg.aval.shape, "bool" if arg.aval.dtype is BOOL else jnp.dtype(arg.aval.dtype.name))
             for arg in arguments]  # fmt: skip
    try:
        with pretend_chip(chip), pretend_devices(chip):
            closed = jax.make_jaxpr(lambda *args: function(*args, **static))(*avals)
    except Exception as error:  # whatever the user's function does while it is traced
        origin, line = raised_at(error)
        said = _first_line(error) if str(error).strip() else line or "no message"
        message = f"JAX cannot trace the function: {type(error).__name__}: {said}"
        shown = ", ".join(str(arg.aval) for arg in arguments)
        raise SpecError("F104", message, Span(None, 0, 0, None, origin), hint=f"called with ({shown})") from error
    eqns = tuple(pallas_eqns(closed.jaxpr))
    if not eqns:
        others = sorted({eqn.primitive.name for eqn in _all_eqns(closed.jaxpr)} & _OTHER_KERNELS)
        if others:
            message = f"the function's kernels are of a kind that specs have no form for: {', '.join(others)}"
            raise SpecError("F105", message, hint="what pl.pallas_call makes is read, not what pl.kernel does")
        raise SpecError("F105", "the function calls no Pallas kernel", hint="pl.pallas_call has to be reached")
    return Traced(closed, eqns)


_OTHER_KERNELS = frozenset({"core_map", "mpmd_map"})  # of SparseCores, of several cores, of GPUs


def kernel_of(eqn: Any, bounds: Sequence[int] | None = None) -> KernelCall:
    """JAX's `pallas_call` equation as a `KernelCall`, refused with all that our IR has no form for.

    Errors: SpecError F106 (primitives, each with the Python lines that use it), F107 (anything else).
    """
    unknown: dict[str, list[str]] = {}
    jaxprs = [eqn.params["jaxpr"]]
    jaxprs += [block.index_map_jaxpr.jaxpr for block in eqn.params["grid_mapping"].block_mappings]
    for jaxpr in jaxprs:
        for inner in _all_eqns(jaxpr):
            if inner.primitive.name not in _PRIMS:
                places = unknown.setdefault(inner.primitive.name, [])
                origin = origin_of(inner.source_info)
                if origin is not None and origin not in places:
                    places.append(origin)
    if unknown:
        raise SpecError.of(
            Diagnostic(
                "F106", f"the primitive {name} is not supported", Span(None, 0, 0, None, ", ".join(places[:8]) or None)
            )
            for name, places in sorted(unknown.items())
        )
    try:
        return convert_call(eqn, bounds)
    except BridgeError as error:
        raise SpecError("F107", f"the kernel has something that specs have no form for: {error}") from error


_PRIMS = frozenset(prim.value for prim in Prim)


def _all_eqns(jaxpr: Any) -> Iterator[Any]:
    for eqn in jaxpr.eqns:
        yield eqn
        for inner in nested_jaxprs(eqn):
            yield from _all_eqns(inner)


def traced_origin(origin: PythonOrigin, folder: Path | None = None, chip: str = "v5e") -> tuple[Traced, Any]:
    """The trace of the function that `origin` names, and the kernel's own equation in it.

    Errors: SpecError F100 to F105, F108 (fewer kernels than that).
    """
    need_jax()
    arguments = [parse_argument(text) for text in origin.args]
    with pretend_devices(chip):  # a module may ask while it is imported
        function = find_function(origin.function, folder)
    traced = trace_function(function, arguments, dict(origin.static), chip)
    if not 1 <= origin.call <= len(traced.eqns):
        message = f"the function calls {len(traced.eqns)} kernels, and number {origin.call} is asked for"
        raise SpecError("F108", message)
    return traced, traced.eqns[origin.call - 1]
