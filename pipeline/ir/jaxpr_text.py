"""A jaxpr as text, in JAX's manner, and back: `print_jaxpr`, `parse_jaxpr`.

What differs from JAX's own printing: one equation a line whatever its width (only nested jaxprs are blocks), a weak
type is shown (`~f32[]`), a result that nobody reads is `_`, `dma_wait` shows its source, and named scopes stand at
the end of the line, outermost first (`@ attention @ "qd,kd->qk"`). Whatever has no short form prints generically,
`prim[params] operands` with transforms as `at[0+8, $2]`, so any jaxpr survives the way to text and back. Names are
given in order of definition; spans are not printed.

A `#` starts a comment. One of the form `# attention.py:41` is an origin: this equation and those of the following
lines, up to the next one, were made from that line of that file, and diagnostics say so.
"""

from __future__ import annotations

from collections.abc import Callable

from pipeline.dtypes import BY_NAME, BY_SHORT, DType
from pipeline.errors import Span
from pipeline.ir.jaxpr import (
    Arg,
    Atom,
    Aval,
    Eqn,
    Jaxpr,
    Literal,
    MemorySpace,
    NDIndexer,
    Param,
    Prim,
    RefAval,
    RefBitcast,
    RefReshape,
    ShapedArray,
    Slice,
    Transform,
    Var,
)

# Words that the grammar needs: no Var is called so, and a str param that is one of them is quoted.
RESERVED = frozenset({"in", "let", "lambda", "inf", "nan", "None", "True", "False", "at", "reshape", "bitcast", "Ref"})
_TAKEN = RESERVED | BY_NAME.keys() | BY_SHORT.keys() | {prim.value for prim in Prim}
_COPY_PARAMS = {
    Prim.DMA_START: ("dst_transforms", "priority", "semaphore_transforms", "src_transforms"),
    Prim.DMA_WAIT: ("dst_transforms", "semaphore_transforms", "src_transforms"),
}

Shape = tuple["int | None", ...]  # None: a size known at run time only


def print_jaxpr(jaxpr: Jaxpr, indent: int = 0, *, origins: bool = False) -> str:
    """The jaxpr's text without a final newline; lines after the first are indented by `indent` more.

    `origins`: with the origin of each equation's span, in a comment where it changes.
    """
    return _Printer(origins).jaxpr(jaxpr, indent)


def parse_jaxpr(text: str, span_at: Callable[[int, int, int], Span] | None = None) -> Jaxpr:
    """The jaxpr that `text` states: print_jaxpr(parse_jaxpr(t)) == t for every printed t.

    `span_at(line, column, end_column)`, all from 1, tells where a place of `text` stands in the file it came from.
    Errors: SpecError T901 at the first place that does not parse or names what is not there.
    """
    from pipeline.ir.jaxpr_parse import Parser  # the printing path has no use for it

    return Parser(text, span_at).parse()


def print_aval(aval: Aval) -> str:
    """`bf16[8,128]`, `~f32[]`, `Ref<vmem>{f32[8,128]}`."""
    if isinstance(aval, RefAval):
        return f"Ref<{aval.space.value}>{{{print_aval(aval.inner)}}}"
    shape = ",".join(map(str, aval.shape))
    return f"{'~' if aval.weak_type else ''}{aval.dtype.short}[{shape}]"


def var_name(number: int) -> str:
    """JAX's name of its nth variable: a .. z, ba, bb, .."""
    name = ""
    while True:
        number, letter = divmod(number, 26)
        name = chr(ord("a") + letter) + name
        if not number:
            return name


def shape_after(transform: Transform, shape: Shape | None, inputs: tuple[Atom, ...]) -> Shape | None:
    """Shape of a ref of `shape` under one more transform; None where integer arrays index it."""
    match transform:
        case NDIndexer(indices):
            kept: list[int | None] = []
            for index in indices:
                if isinstance(index, Slice):
                    kept.append(index.size if isinstance(index.size, int) else None)
                elif isinstance(index, Arg) and inputs[index.position].aval.shape:
                    return None
            return tuple(kept)
        case RefReshape(new_shape) | RefBitcast(_, new_shape):
            return new_shape


class _Printer:
    def __init__(self, origins: bool = False) -> None:
        self.names: dict[Var, str] = {}
        self.count = 0
        self.origins = origins
        self.origin: str | None = None  # the last one printed

    def jaxpr(self, jaxpr: Jaxpr, indent: int) -> str:
        read = {atom for eqn in jaxpr.eqns for atom in eqn.inputs if isinstance(atom, Var)}
        read.update(atom for atom in jaxpr.outvars if isinstance(atom, Var))
        binders = " ".join(self.binder(var) for var in jaxpr.invars)
        lines = [self.line(eqn, read, indent + 4) for eqn in jaxpr.eqns]
        results = ", ".join(self.atom(atom) for atom in jaxpr.outvars)
        end = f"in ({results},) }}" if len(jaxpr.outvars) == 1 else f"in ({results}) }}"
        if not lines:
            return f"{{ lambda ; {binders}. let {end}"
        body = "\n".join(" " * (indent + 4) + line for line in lines)
        return f"{{ lambda ; {binders}. let\n{body}\n{' ' * (indent + 2)}{end}"

    def binder(self, var: Var) -> str:
        name = var_name(self.count)
        while name in _TAKEN:
            self.count += 1
            name = var_name(self.count)
        self.count += 1
        self.names[var] = name
        return f"{name}:{print_aval(var.aval)}"

    def result(self, var: Var, read: set[Var]) -> str:
        return self.binder(var) if var in read else f"_:{print_aval(var.aval)}"

    def atom(self, atom: Atom) -> str:
        if isinstance(atom, Literal):
            return f"{atom.value!r}:{print_aval(atom.aval)}"
        return self.names.get(atom, "?")  # "?" shows an unbound Var, a bug; no parser accepts it

    # equations

    def line(self, eqn: Eqn, read: set[Var], indent: int) -> str:
        """The equation with its scopes, and with its origin where that differs from the line's before it."""
        origin = eqn.span.origin if self.origins else None
        fresh = origin is not None and origin != self.origin
        self.origin = origin or self.origin
        text = self.eqn(eqn, read, indent)
        for scope in eqn.scopes:
            text += f" @ {self.param(scope, indent)}"
        if not fresh:
            return text
        head, newline, rest = text.partition("\n")
        return f"{head}  # {origin}{newline}{rest}"

    def eqn(self, eqn: Eqn, read: set[Var], indent: int) -> str:
        short = self.short_form(eqn, read)
        if short is not None:
            return short
        results = " ".join(self.result(var, read) for var in eqn.outputs)
        params, inputs = dict(eqn.params), eqn.inputs
        operands: str | None = None
        transforms = params.get("transforms")
        if isinstance(transforms, tuple):
            fixed = _fixed_inputs(eqn, (transforms,))
            ref = None if fixed is None or fixed < 1 else self.ref(inputs, 0, transforms, fixed)
            if ref is not None:
                del params["transforms"]
                operands = " ".join([ref[0], *map(self.atom, inputs[1:fixed])])
        if operands is None:
            operands = " ".join(map(self.atom, inputs))
        head = f"{results} = " if results else ""
        return f"{head}{eqn.prim.value}{self.params(params, indent)} {operands}".rstrip()

    def short_form(self, eqn: Eqn, read: set[Var]) -> str | None:
        """`c <- a[...]` and its kin; None where the equation has more to it than that."""
        names = tuple(key for key, _ in eqn.params)
        match eqn.prim:
            case Prim.GET | Prim.SWAP | Prim.ADDUPDATE:
                count = 1 if eqn.prim is Prim.GET else 2
                if names != ("transforms",) or len(eqn.outputs) != (eqn.prim is not Prim.ADDUPDATE):
                    return None
                transforms = eqn.params[0][1]
                if not isinstance(transforms, tuple) or _fixed_inputs(eqn, (transforms,)) != count:
                    return None
                found = self.ref(eqn.inputs, 0, transforms, count)
                if found is None:
                    return None
                ref = found[0]
                if eqn.prim is Prim.GET:
                    return f"{self.result(eqn.outputs[0], read)} <- {ref}"
                value = eqn.inputs[1]
                if eqn.prim is Prim.ADDUPDATE:
                    return f"{ref} += {self.atom(value)}"
                if eqn.outputs[0] not in read and eqn.outputs[0].aval == replaced_aval(value):
                    return f"{ref} <- {self.atom(value)}"
                return f"{self.result(eqn.outputs[0], read)}, {ref} <- {ref}, {self.atom(value)}"
            case Prim.DMA_START | Prim.DMA_WAIT:
                return None if eqn.outputs or names != _COPY_PARAMS[eqn.prim] else self.copy_form(eqn)
            case _:
                return None

    def copy_form(self, eqn: Eqn) -> str | None:
        chains = [eqn.param(f"{name}_transforms") for name in ("src", "dst", "semaphore")]
        if _fixed_inputs(eqn, chains) != 3:
            return None
        priority = eqn.param("priority") if eqn.prim is Prim.DMA_START else 0
        if not isinstance(priority, int) or isinstance(priority, bool) or priority < 0:
            return None
        texts: list[str] = []
        position = 3
        for number, chain in enumerate(chains):
            found = self.ref(eqn.inputs, number, chain, position, "")
            if found is None:
                return None
            texts.append(found[0])
            position = found[1]
        head = f"dma_start(p{priority})" if eqn.prim is Prim.DMA_START else "dma_wait"
        return f"{head} {texts[0]} -> {texts[1]} {texts[2]}"

    # refs

    def ref(
        self, inputs: tuple[Atom, ...], number: int, transforms: Param, position: int, whole: str = "[...]"
    ) -> tuple[str, int] | None:
        """Text of `inputs[number]` under `transforms`, and the position after its dynamic inputs.

        `whole` marks a ref without transforms.

        None unless its Args count up from `position`: the parser numbers them in order of appearance.
        """
        var = inputs[number]
        if not isinstance(var, Var) or not isinstance(transforms, tuple):
            return None
        shape: Shape | None = var.aval.shape
        text = self.atom(var) + ("" if transforms else whole)
        for transform in transforms:
            match transform:
                case NDIndexer(indices):
                    if shape is None or len(indices) != len(shape):
                        return None
                    entries: list[str] = []
                    for index, size in zip(indices, shape, strict=True):
                        for arg in (index.start, index.size) if isinstance(index, Slice) else (index,):
                            if isinstance(arg, Arg):
                                if arg.position != position:
                                    return None
                                position += 1
                        entries.append(self.index(index, size, inputs))
                    text += f"[{','.join(entries)}]"
                case RefReshape(new_shape):
                    text += f".reshape({','.join(map(str, new_shape))})"
                case RefBitcast(dtype, new_shape):
                    text += f".bitcast({dtype.short}[{','.join(map(str, new_shape))}])"
                case _:
                    return None
            shape = shape_after(transform, shape, inputs)
        return text, position

    def index(self, index: int | Arg | Slice, size: int | None, inputs: tuple[Atom, ...]) -> str:
        def number(value: int | Arg) -> str:
            return self.atom(inputs[value.position]) if isinstance(value, Arg) else str(value)

        if not isinstance(index, Slice):
            return number(index)
        start = number(index.start)
        if index.stride != 1:
            return f"{start}:{start}+{number(index.size)}:{index.stride}"
        if isinstance(index.start, Arg) or isinstance(index.size, Arg):
            return f"{start}:{start}+{number(index.size)}"
        end = index.start + index.size
        return f"{index.start or ''}:{'' if end == size else end}"

    # params

    def params(self, params: dict[str, Param], indent: int) -> str:
        if not params:
            return ""
        if not any(_holds_jaxpr(value) for value in params.values()):
            return f"[{' '.join(f'{key}={self.param(value, indent)}' for key, value in params.items())}]"
        inner = " " * (indent + 2)
        lines = "\n".join(f"{inner}{key}={self.param(value, indent + 2)}" for key, value in params.items())
        return f"[\n{lines}\n{' ' * indent}]"

    def param(self, value: Param | Transform, indent: int) -> str:
        match value:
            case Jaxpr():
                return self.jaxpr(value, indent)
            case tuple():
                if _holds_jaxpr(value):
                    inner = " " * (indent + 2)
                    items = "\n".join(inner + self.param(item, indent + 2) for item in value)
                    return f"(\n{items}\n{' ' * indent})"
                texts = [self.param(item, indent) for item in value]
                return f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"
            case str():
                plain = value.isascii() and value.isidentifier() and value not in _TAKEN
                return value if plain else quote(value)
            case DType():
                return value.name
            case MemorySpace():
                return f"<{value.value}>"
            case NDIndexer(indices):
                return f"at[{', '.join(map(_generic_index, indices))}]"
            case RefReshape(shape):
                return f"reshape({','.join(map(str, shape))})"
            case RefBitcast(dtype, shape):
                return f"bitcast({dtype.short}[{','.join(map(str, shape))}])"
            case _:
                return repr(value)


def replaced_aval(value: Atom) -> Aval:
    """Aval of what a swap of `value` replaces, where nothing else is said: as the value, never weak."""
    return ShapedArray(value.aval.shape, value.aval.dtype)


def quote(text: str) -> str:
    """`text` in double quotes; controls, quotes and what is not ASCII as \\uXXXX escapes (JSON's)."""
    units = text.encode("utf-16-be", "surrogatepass")
    codes = [int.from_bytes(units[i : i + 2], "big") for i in range(0, len(units), 2)]
    return '"' + "".join(chr(c) if 32 <= c < 127 and c not in (34, 92) else f"\\u{c:04x}" for c in codes) + '"'


def _generic_index(index: int | Arg | Slice) -> str:
    def number(value: int | Arg) -> str:
        return f"${value.position}" if isinstance(value, Arg) else str(value)

    if not isinstance(index, Slice):
        return number(index)
    stride = "" if index.stride == 1 else f"*{index.stride}"
    return f"{number(index.start)}+{number(index.size)}{stride}"


def _holds_jaxpr(value: object) -> bool:
    return isinstance(value, Jaxpr) or (isinstance(value, tuple) and any(map(_holds_jaxpr, value)))


def _fixed_inputs(eqn: Eqn, chains: tuple[Param, ...] | list[Param]) -> int | None:
    """Inputs that no transform of `chains` refers to; None where a chain holds something else."""
    dynamic = 0
    for chain in chains:
        if not isinstance(chain, tuple):
            return None
        for transform in chain:
            if not isinstance(transform, (NDIndexer, RefReshape, RefBitcast)):
                return None
            dynamic += len(_args(transform))
    return len(eqn.inputs) - dynamic


def _args(transform: Transform) -> list[Arg]:
    if not isinstance(transform, NDIndexer):
        return []
    parts: list[int | Arg] = []
    for index in transform.indices:
        parts.extend((index.start, index.size) if isinstance(index, Slice) else (index,))
    return [part for part in parts if isinstance(part, Arg)]
