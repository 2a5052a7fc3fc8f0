"""What has to fit together in a spec whatever its params are: names, ranks, index maps, spaces, aliases, data."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pipeline.spec.context import Context, Loc
from pipeline.spec.files import inside_folder
from pipeline.spec.limits import MAX_KERNEL_BYTES
from pipeline.spec.python import PythonError, parse_python
from pipeline.spec.spec import Target, is_jaxpr_text
from pipeline.spec.suggest import counted, did_you_mean, listed, shown
from pipeline.spec.variants import RESERVED

if TYPE_CHECKING:
    from pipeline.spec.model import Blocked, DataTable, Expect, ScalarPrefetch, Scratch, SpecFile

    Named = tuple[Loc, ScalarPrefetch | Blocked | Scratch]

_CODE = re.compile(r"[A-Z][0-9]{3}")
# Keys that each kind of data reads beside `kind`; the ones with a ! are needed.
_DATA_KEYS: dict[str, tuple[str, ...]] = {
    "normal": ("seed", "mean", "std"),
    "uniform": ("seed", "low", "high"),
    "integers": ("seed", "low", "high!"),
    "iota": ("low", "high"),
    "constant": ("value!",),
    "values": ("values!",),
    "file": ("file!",),
}
_BESIDE_KIND = ("seed", "low", "high", "mean", "std", "value", "values", "file")  # a data table's keys


class Drawn(NamedTuple):
    """How an operand's values are made: the kind, the table with its numbers (None: a file's name), the .npy's path."""

    kind: str
    table: DataTable | None
    path: Path | None


def check_file(context: Context, file: SpecFile) -> None:
    """Reports S104 and S113-S119, S126, S127; what the params decide is `build.py`'s."""
    _check_names(context, file)
    _check_grid(context, file)
    for loc, operand in blocked(file):
        _check_block(context, loc, operand)
        _check_index_map(context, file, loc, operand)
    _check_aliases(context, file)
    for i, scratch in enumerate(file.scratch):
        _check_scratch(context, ("scratch", i), scratch)
    if file.simulate is not None and file.simulate.reference is not None:
        _lambda(context, ("simulate", "reference"), file.simulate.reference, "the reference")
    if file.expect is not None:
        _check_expect(context, file.expect)


def named(file: SpecFile) -> Iterator[Named]:
    """Everything the kernel gets a ref to, in its order."""
    for i, prefetch in enumerate(file.scalar_prefetch):
        yield ("scalar_prefetch", i), prefetch
    yield from blocked(file)
    for i, scratch in enumerate(file.scratch):
        yield ("scratch", i), scratch


def blocked(file: SpecFile) -> Iterator[tuple[Loc, Blocked]]:
    """Inputs and outputs."""
    for i, one in enumerate(file.inputs):
        yield ("inputs", i), one
    for i, other in enumerate(file.outputs):
        yield ("outputs", i), other


def _check_names(context: Context, file: SpecFile) -> None:
    """S117: two operands of one name, or a name that means something else already."""
    first: dict[str, Loc] = {}
    params = {*file.params, *file.matrix, *(key for one in file.variants for key in one.params)}
    for loc, one in named(file):
        where = (*loc, "name")
        if not context.sound(where):
            continue
        name = one.name
        if name in first:
            line = context.places(*first[name], "name").line
            context.report("S117", f"two operands are named {shown(name)}, the first in line {line}", where)
        elif name in params:
            context.report("S117", f"{shown(name)} names an operand and a param", where, "rename one of them")
        elif name in RESERVED:
            context.report("S117", f"{shown(name)} can't name an operand: it has a meaning already", where)
        first.setdefault(name, loc)


def _check_grid(context: Context, file: SpecFile) -> None:
    """S113: one word of dimension semantics for each grid axis, and dynamic axes that are there."""
    if file.grid is not None and context.sound(("grid", "dynamic"), ("grid", "shape")):
        for i, axis in enumerate(file.grid.dynamic):
            if not 0 <= axis < len(file.grid.shape):
                fact = f"there is no grid axis {axis} to be dynamic"
                context.report("S113", fact, ("grid", "dynamic", i), "axes count from 0")
    if file.grid is None or file.grid.semantics is None or not context.sound(("grid",)):
        return
    words, axes = len(file.grid.semantics), len(file.grid.shape)
    if words != axes:
        fact = f"semantics has {counted(words, 'word')}, but the grid has {counted(axes, 'axis', 'axes')}"
        context.report("S113", fact, ("grid", "semantics"), "give one word for each grid axis")


def _check_block(context: Context, loc: Loc, operand: Blocked) -> None:
    """S104: one block entry for each dimension. S116: blocks only where there is a window."""
    name = shown(operand.name)
    if operand.memory_space in ("any", "hbm") and context.sound((*loc, "memory_space")):
        for key in ("block", "index_map", "buffer_count"):
            if getattr(operand, key) is not None and context.sound((*loc, key)):
                space = f"operand {name} is in memory space {operand.memory_space}, which has no window"
                fact = f"{space}, but has {key}"
                context.report("S116", fact, context.places.key(*loc, key), f"leave out {key} or memory_space")
        return
    if operand.block is None:
        if operand.index_map is not None and context.sound((*loc, "block")):
            fact = f"operand {name} has an index_map, but no block"
            context.report("S116", fact, context.places.key(*loc, "index_map"), "give the block it counts in")
        return
    entries, rank = len(operand.block), len(operand.shape)
    if entries != rank and context.sound((*loc, "block"), (*loc, "shape")):
        fact = f"block has {counted(entries, 'entry', 'entries')}, but operand {name} has rank {rank}"
        context.report("S104", fact, (*loc, "block"), f"give one entry for each dimension of {name}")


def _check_index_map(context: Context, file: SpecFile, loc: Loc, operand: Blocked) -> None:
    """S126: not a lambda. S114: parameters. S115: results."""
    where = (*loc, "index_map")
    if operand.index_map is None or not context.sound(where):
        return
    if is_jaxpr_text(operand.index_map):  # its form is the trace stage's business
        if len(operand.index_map) > MAX_KERNEL_BYTES:
            fact = f"the index_map has {len(operand.index_map)} characters; at most {MAX_KERNEL_BYTES} are read"
            context.report("S126", fact, where)
        return
    tree = _lambda(context, where, operand.index_map, "the index_map")
    if tree is None:
        return
    code = context.code(where, operand.index_map)
    least, most = _arity(tree)
    axes = len(file.grid.shape) if file.grid is not None else 0
    scalars = len(file.scalar_prefetch)
    if context.sound(("grid", "shape")) and not (least <= axes + scalars and (most or 0) >= axes + scalars):
        takes = counted(least, "parameter") if least == most else f"{least} to {most} parameters"
        takes = takes if most != _ANY else f"at least {counted(least, 'parameter')}"
        are = "is" if axes == 1 else "are"
        sources = counted(axes, "grid axis", "grid axes")
        if scalars:
            sources += f" and {counted(scalars, 'scalar-prefetch operand')}"
        fact = f"index_map of {shown(operand.name)} takes {takes}, but there {are} {sources}"
        hint = "give one parameter for each grid axis, then one for each scalar-prefetch operand"
        context.report("S114", fact, where, hint)
    if operand.block is None or not context.sound((*loc, "block")):
        return
    results = len(tree.body.elts) if isinstance(tree.body, ast.Tuple) else None
    if results is not None and results != len(operand.block) and not _starred(tree.body):
        entries = counted(len(operand.block), "entry", "entries")
        fact = (
            f"index_map of {shown(operand.name)} gives {counted(results, 'index', 'indices')}, but block has {entries}"
        )
        column, end = _columns(operand.index_map, tree.body)
        span = code.span(tree.body.lineno, column, end)
        context.report("S115", fact, span, "give one index for each block entry")


def _starred(node: ast.expr) -> bool:
    return isinstance(node, ast.Tuple) and any(isinstance(one, ast.Starred) for one in node.elts)


def _columns(text: str, node: ast.expr) -> tuple[int, int | None]:
    """Columns from 1, in characters, of a node that `ast` places by bytes."""
    line = text.split("\n")[node.lineno - 1].encode()
    column = len(line[: node.col_offset].decode(errors="ignore")) + 1
    if node.end_lineno != node.lineno or node.end_col_offset is None:
        return column, None
    return column, len(line[: node.end_col_offset].decode(errors="ignore")) + 1


_ANY = 1 << 30  # parameters that a lambda with *args takes


def _arity(tree: ast.Lambda) -> tuple[int, int]:
    """Fewest and most positional parameters."""
    args = tree.args
    count = len(args.posonlyargs) + len(args.args)
    return count - len(args.defaults), _ANY if args.vararg is not None else count


def _lambda(context: Context, loc: Loc, text: str, what: str) -> ast.Lambda | None:
    """The text's lambda; None after a report of S126."""
    code = context.code(loc, text)
    if len(text) > MAX_KERNEL_BYTES:
        context.report("S126", f"{what} has {len(text)} characters; at most {MAX_KERNEL_BYTES} are read", loc)
        return None
    try:
        tree = parse_python(text, "eval")
    except PythonError as error:
        span = code.span(error.line, error.column, error.end_column)
        context.report("S126", f"{what} is not valid Python: {error.message}", span, 'write it as "lambda i: ..."')
        return None
    assert isinstance(tree, ast.Expression)
    if isinstance(tree.body, ast.Lambda):
        if any(default is None for default in tree.body.args.kw_defaults):
            context.report("S126", f"{what} has a parameter that can only be given by name", code.span(1, 1))
            return None
        return tree.body
    context.report("S126", f"{what} must be a lambda, not {shown(text.strip())}", loc, 'write it as "lambda i: ..."')
    return None


def _check_aliases(context: Context, file: SpecFile) -> None:
    """S118: an alias names an input that no other output is an alias of."""
    sources = [*(one.name for one in file.scalar_prefetch), *(one.name for one in file.inputs)]
    taken: dict[str, str] = {}
    for i, output in enumerate(file.outputs):
        loc: Loc = ("outputs", i, "alias")
        if output.alias is None or not context.sound(loc):
            continue
        if output.alias not in sources:
            if context.sound(*(("inputs", j, "name") for j in range(len(file.inputs)))):
                hint = did_you_mean(output.alias, sources) or f"inputs: {listed(sources)}"
                fact = f"output {shown(output.name)} is an alias of {shown(output.alias)}, which is no input"
                context.report("S118", fact, loc, hint)
        elif output.alias in taken:
            both = f"outputs {shown(taken[output.alias])} and {shown(output.name)}"
            context.report("S118", f"{both} are both aliases of {shown(output.alias)}", loc)
        taken.setdefault(output.alias, output.name)


def _check_scratch(context: Context, loc: Loc, scratch: Scratch) -> None:
    """S119: memory has a shape and a dtype, a semaphore has no dtype."""
    if not context.sound((*loc, "kind")):
        return
    name = shown(scratch.name)
    if scratch.kind in ("vmem", "smem"):
        for key in ("shape", "dtype"):
            if getattr(scratch, key) is None and context.sound((*loc, key)):
                context.report("S119", f"scratch {name} in {scratch.kind} lacks the key '{key}'", loc)
    elif scratch.dtype is not None and context.sound((*loc, "dtype")):
        fact = f"scratch {name} is a {scratch.kind}, which has no dtype"
        context.report("S119", fact, context.places.key(*loc, "dtype"), "leave out dtype")


def _check_expect(context: Context, expect: Expect) -> None:
    """S127: an exhibit names one error or warning, and codes that some stage reports."""
    given = {key: code for key, code in (("error", expect.error), ("warning", expect.warning)) if code is not None}
    if not context.sound(("expect",)):
        return
    if len(given) != 1:
        fact = "the exhibit names neither an error nor a warning" if not given else "an error and a warning are named"
        context.report("S127", fact, ("expect",), "give one of them: an exhibit shows one thing")
        return
    known: dict[str, object] | None = None
    for loc, code in (
        *((("expect", key), code) for key, code in given.items()),
        *((("expect", "also", i), code) for i, code in enumerate(expect.also)),
    ):
        if _CODE.fullmatch(code) is None:
            context.report("S127", f"{shown(code)} is not a diagnostic's code", loc, 'codes look like "P101"')
            continue
        if known is None:
            from pipeline.codes import load_codes  # only here: the table reaches into every stage's package

            known = dict(load_codes())
        if code not in known:
            context.report("S127", f"no diagnostic has the code {shown(code)}", loc, did_you_mean(code, known))


def check_data(context: Context, loc: Loc, data: DataTable | str) -> Drawn:
    """What the data says, with its kind filled in.

    Reports: S109 (the file), S120 (keys that the kind doesn't read, or lacks).
    """
    if isinstance(data, str):
        return Drawn("file", None, inside_folder(context, data, loc))
    kind: str = data.kind or next((key for key in ("file", "values") if getattr(data, key) is not None), "normal")
    known = _DATA_KEYS[kind]
    names = [key.rstrip("!") for key in known]
    for key in _BESIDE_KIND:
        if key not in names and getattr(data, key) is not None:
            fact = f"data of kind '{kind}' does not read {shown(key)}"
            context.report("S120", fact, context.places.key(*loc, key), f"it reads: {listed(names)}")
    for key in known:
        if key.endswith("!") and getattr(data, key[:-1]) is None:
            context.report("S120", f"data of kind '{kind}' lacks the key '{key[:-1]}'", loc)
    path = inside_folder(context, data.file, (*loc, "file")) if kind == "file" and data.file is not None else None
    return Drawn(kind, data, path)


def check_targets(context: Context, names: list[str]) -> tuple[Target, ...]:
    """The chips asked for. Reports: S108 (unknown, or given twice), S109 (a profile's file)."""
    if not context.sound(("targets",)):
        return ()
    from pipeline.chips.load import list_chips  # only here: tests of this package's other parts need no profiles

    known = list_chips()
    found: dict[str, Target] = {}
    for i, name in enumerate(names):
        loc: Loc = ("targets", i)
        path: Path | None = None
        if name.endswith(".toml"):
            path = inside_folder(context, name, loc)
            label = Path(name).stem
            if path is None:
                continue
            if re.fullmatch(r"[A-Za-z0-9_]+", label) is None:
                hint = "captures are named by it: letters, digits and underscores"
                context.report("S108", f"the profile's file name {shown(label)} can't name captures", loc, hint)
                continue
        elif name in known:
            label = name
        else:
            hint = did_you_mean(name, known) or f"known: {listed(known)}; or the path of a profile, ending in .toml"
            context.report("S108", f"there is no target {shown(name)}", loc, hint)
            continue
        if label in found:
            context.report("S108", f"the target {shown(label)} is given twice", loc)
            continue
        found[label] = Target(label, path, context.places(*loc))
    return tuple(found.values())
