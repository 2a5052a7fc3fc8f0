"""JAX's own trace as our IR: a `pallas_call` equation becomes a `KernelCall`.

The one place that knows how JAX keeps what we keep otherwise; what is held against JAX is compared in our form.
JAX is imported inside functions, so that this module can be imported without it.

What is kept as it is: the equations and their order, operands, params by JAX's names, avals with weak types.
What is rewritten:
- flattened trees (`tree`, `args_tree`) become the operands and `transforms` params that `ir.jaxpr.Prim` states;
  a scalar literal in an index becomes an int, since JAX keeps ints in both forms;
- constvars and closed constants of nested jaxprs become binders, or literals where they are scalars;
- enum members become their names, dataclasses and named tuples become tuples of (field, value);
- the Python line that an equation was made from is its span's `origin`;
- params of `DROPPED` go, where they have the value given there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from enum import Enum
from typing import Any

from pipeline.dtypes import BY_NAME, DMA_SEM, SEM, DType
from pipeline.errors import NOWHERE, Span
from pipeline.frontend.origins import origin_of
from pipeline.frontend.pretend import pretend_chip
from pipeline.ir.call import BlockDim, Blocked, Element, KernelCall, Operand, Role, Scratch, Squeezed
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
    Transforms,
    Var,
)

# Params that say nothing about the kernel, and the values they may have; ANY: whatever it is.
ANY = object()
DROPPED: dict[str, tuple[object, ...]] = {
    "sharding": (None,),  # one device: nothing to place
    "out_sharding": (None,),
    "accuracy": (None,),  # no request for another approximation
    "device_id_type": (ANY,),  # of copies to other devices, refused below
    "add": (False,),
    "insert_dummy_device": (False,),
    "eviction_policy": (None,),  # GPU caches
    "cache_modifier": (None,),
    "is_volatile": (False,),
    "collective_axes": ((),),
    "ref_transforms": (ANY,),  # of scoped refs: () for each, checked in `_run_scoped`
}
# what JAX keeps as the caller gave it: a dtype, its name or the function that converts to it
NAMES_OF_DTYPES = ("packed_dtype", "unpacked_dtype")
# of `jit`, only name and body matter once the call is one program
JIT_PARAMS = ("jaxpr", "name")
# how `debug_print` formats is the host's business
DEBUG_PRINT_PARAMS = ("fmt",)


class BridgeError(Exception):
    """JAX says something that our IR has no form for."""


def kernel_calls(fn: Callable[..., Any], args: Sequence[Any], bounds: Sequence[int] | None = None) -> list[KernelCall]:
    """Every `pallas_call` that `fn(*args)` makes, in order, nested ones too. `args` may be ShapeDtypeStructs.

    `bounds`: see `convert_call`.
    """
    import jax

    with pretend_chip():
        closed = jax.make_jaxpr(fn)(*args)
    return [convert_call(eqn, bounds) for eqn in pallas_eqns(closed.jaxpr)]


def pallas_eqns(jaxpr: Any) -> Iterator[Any]:
    """JAX's `pallas_call` equations in `jaxpr` (a JAX Jaxpr), depth first."""
    for eqn in jaxpr.eqns:
        if eqn.primitive.name == "pallas_call":
            yield eqn
            continue
        for inner in nested_jaxprs(eqn):
            yield from pallas_eqns(inner)


def nested_jaxprs(eqn: Any) -> Iterator[Any]:
    """JAX's Jaxprs in the params of an equation, without their constants."""
    for value in eqn.params.values():
        for item in value if isinstance(value, (tuple, list)) else (value,):
            inner = getattr(item, "jaxpr", item)
            if hasattr(inner, "eqns"):
                yield inner


def convert_call(eqn: Any, bounds: Sequence[int] | None = None) -> KernelCall:
    """A JAX `pallas_call` equation as a `KernelCall`; names are the kernel function's parameter names.

    `bounds` are the steps of the dynamic grid axes in this run, in order; 1 each where None.
    """
    params = eqn.params
    mapping = params["grid_mapping"]
    dynamic = tuple(axis for axis, n in enumerate(mapping.grid) if not isinstance(n, int))
    grid = list(mapping.grid)
    for axis, bound in zip(dynamic, bounds or (1,) * len(dynamic), strict=True):
        grid[axis] = bound
    body = params["jaxpr"]
    names = _arg_names(body)
    refs = [convert_aval(var.aval) for var in body.invars]
    operands: list[Operand] = []
    for i in range(mapping.num_index_operands):
        ref = _ref(refs[i])
        operands.append(Operand(names[i], Role.SCALAR_PREFETCH, ref.inner, ref))
    for i, block in enumerate(mapping.block_mappings):
        role = Role.INPUT if i < mapping.num_inputs else Role.OUTPUT
        at = len(operands)
        operands.append(_operand(names[at], role, block, _ref(refs[at])))
    first = len(operands)
    scratch = tuple(Scratch(name, _ref(ref)) for name, ref in zip(names[first:], refs[first:], strict=True))
    compiler = params["compiler_params"]
    if getattr(compiler, "fuse_transposed_lhs_in_matmul", False):
        raise BridgeError("fuse_transposed_lhs_in_matmul")
    words = getattr(compiler, "dimension_semantics", None)
    semantics = None if not words else tuple(str(getattr(word, "value", word)) for word in words)
    converted = convert_jaxpr(body)
    vmapped = frozenset(mapping.vmapped_dims)
    if vmapped:
        # the author's axes are those that no vmap has added; an axis of a vmap is parallel
        axes = [axis for axis in range(len(grid)) if axis not in vmapped]
        converted = _with_axes(converted, axes)
        own = dict(zip(axes, semantics or ("arbitrary",) * len(axes), strict=True))
        semantics = tuple(own.get(axis, "parallel") for axis in range(len(grid)))
    return KernelCall(
        name=params["name"] or body.debug_info.func_name,
        body=converted,
        grid=tuple(grid),
        dynamic_grid=dynamic,
        operands=tuple(operands),
        scratch=scratch,
        semantics=semantics,
        aliases=tuple((int(i), int(o)) for i, o in params["input_output_aliases"]),
        vmem_limit_bytes=getattr(compiler, "vmem_limit_bytes", None),
    )


def _with_axes(jaxpr: Jaxpr, axes: Sequence[int]) -> Jaxpr:
    """`jaxpr` with grid axis `n` of `program_id` and `num_programs` replaced by `axes[n]`, nested jaxprs too."""

    def param(prim: Prim, key: str, value: Any) -> Any:
        if isinstance(value, Jaxpr):
            return _with_axes(value, axes)
        if isinstance(value, tuple):
            return tuple(param(prim, "", item) for item in value)
        if key == "axis" and prim in (Prim.PROGRAM_ID, Prim.NUM_PROGRAMS):
            return axes[value]
        return value

    def eqn(one: Eqn) -> Eqn:
        return replace(one, params=tuple((key, param(one.prim, key, value)) for key, value in one.params))

    return replace(jaxpr, eqns=tuple(map(eqn, jaxpr.eqns)))


def _arg_names(body: Any) -> list[str]:
    names = list(body.debug_info.arg_names or ())
    return names if len(names) == len(body.invars) else [f"arg{i}" for i in range(len(body.invars))]


def _ref(aval: Aval) -> RefAval:
    if not isinstance(aval, RefAval):
        raise BridgeError(f"a kernel's operand is no ref: {aval}")
    return aval


def _operand(name: str, role: Role, block: Any, ref: RefAval) -> Operand:
    if block.transforms:
        raise BridgeError(f"{name}: block transforms {block.transforms}")
    array = _shaped(convert_aval(block.array_aval))
    if ref.space in (MemorySpace.ANY, MemorySpace.HBM, MemorySpace.SEMAPHORE) and block.has_trivial_window():
        return Operand(name, role, array, ref)
    buffers = block.pipeline_mode
    if getattr(buffers, "revisit", None) is not None:
        raise BridgeError(f"{name}: revisit mode {buffers.revisit}")
    if getattr(buffers, "use_lookahead", False):
        raise BridgeError(f"{name}: lookahead")
    return Operand(
        name,
        role,
        array,
        ref,
        block=tuple(_block_dim(dim) for dim in block.block_shape),
        index_map=convert_jaxpr(block.index_map_jaxpr.jaxpr, block.index_map_jaxpr.consts),
        buffer_count=None if buffers is None else int(buffers.buffer_count),
    )


def _block_dim(dim: Any) -> BlockDim:
    match type(dim).__name__:
        case "Blocked":
            return Blocked(int(dim.block_size))
        case "Squeezed":
            return Squeezed()
        case "Element":
            low, high = dim.padding
            return Element(int(dim.block_size), (int(low), int(high)))
        case name:
            raise BridgeError(f"block dimension {name}")


def convert_dtype(dtype: Any) -> DType:
    """A NumPy dtype, or one of JAX's semaphore dtypes."""
    name = getattr(dtype, "name", str(dtype))
    special = {"dma_sem": DMA_SEM, "semaphore": SEM}
    found = special.get(name) or BY_NAME.get(name)
    if found is None:
        raise BridgeError(f"dtype {name}")
    return found


def convert_aval(aval: Any) -> Aval:
    """JAX's ShapedArray or AbstractRef."""
    inner = getattr(aval, "inner_aval", None)
    if inner is not None:
        space = getattr(aval.memory_space, "value", aval.memory_space)
        try:
            return RefAval(_shaped(convert_aval(inner)), MemorySpace("default" if space is None else space))
        except ValueError:
            raise BridgeError(f"memory space {space}") from None
    if not hasattr(aval, "shape"):
        raise BridgeError(f"aval {aval}")
    return ShapedArray(tuple(int(n) for n in aval.shape), convert_dtype(aval.dtype), bool(aval.weak_type))


def _shaped(aval: Aval) -> ShapedArray:
    if not isinstance(aval, ShapedArray):
        raise BridgeError(f"a ref where an array belongs: {aval}")
    return aval


def convert_literal(value: Any, aval: Any) -> Literal:
    """A scalar constant; floats as the double of the value rounded to the dtype."""
    import numpy as np

    array = np.asarray(value, dtype=aval.dtype)
    if array.shape != ():
        raise BridgeError(f"array constant of shape {array.shape}")
    shaped = _shaped(convert_aval(aval))
    if shaped.dtype.is_float:
        return Literal(float(array), shaped)
    return Literal(bool(array) if shaped.dtype.name == "bool" else int(array), shaped)


def convert_jaxpr(jaxpr: Any, consts: Sequence[Any] = (), *, constvars_last: bool = False) -> Jaxpr:
    """A JAX Jaxpr (or ClosedJaxpr with its `consts`) with constvars turned into literals or binders.

    With `consts`, which must be scalars, constvars become literals; otherwise they become binders, before the
    others or, with `constvars_last`, after them.
    """
    atoms: dict[Any, Atom] = {}
    free: list[Var] = []
    if consts:
        for var, value in zip(jaxpr.constvars, consts, strict=True):
            atoms[var] = convert_literal(value, var.aval)
    else:
        free = [_bind(atoms, var) for var in jaxpr.constvars]
    bound = [_bind(atoms, var) for var in jaxpr.invars]
    eqns = tuple(_Equation(eqn, atoms).convert() for eqn in jaxpr.eqns)
    binders = bound + free if constvars_last else free + bound
    return Jaxpr(tuple(binders), eqns, tuple(_atom(atoms, var) for var in jaxpr.outvars))


def _source(eqn: Any) -> tuple[tuple[str, ...], Span]:
    """The named scopes around an equation, and where in the user's Python it was made."""
    origin = origin_of(eqn.source_info)
    scopes = tuple(scope.name for scope in eqn.source_info.name_stack.stack)
    return scopes, NOWHERE if origin is None else Span(None, 0, 0, None, origin)


def _bind(atoms: dict[Any, Atom], var: Any) -> Var:
    ours = Var(convert_aval(var.aval))
    atoms[var] = ours
    return ours


def _atom(atoms: dict[Any, Atom], atom: Any) -> Atom:
    return convert_literal(atom.val, atom.aval) if hasattr(atom, "val") else atoms[atom]


class _Leaf:
    """Stands for one flattened operand while JAX's tree is rebuilt around it."""

    def __init__(self, atom: Atom) -> None:
        self.atom = atom


def _check_message(err_tree: Any) -> str:
    """The text of a check, out of the error that it would raise."""
    import jax

    error = jax.tree.unflatten(err_tree, [None] * err_tree.num_leaves)
    [exception] = error._metadata.values()
    return str(jax.tree.unflatten(exception, [None] * exception.num_leaves).fmt_string)


class _Equation:
    """Conversion of one equation: collects operands, so that `Arg` positions follow from their order."""

    def __init__(self, eqn: Any, atoms: dict[Any, Atom]) -> None:
        self.eqn = eqn
        self.params: dict[str, Any] = dict(eqn.params)
        self.operands: list[Atom] = [_atom(atoms, var) for var in eqn.invars]
        self.atoms = atoms
        self.inputs: list[Atom] = []

    def convert(self) -> Eqn:
        name = self.eqn.primitive.name
        try:
            prim = Prim(name)
        except ValueError:
            raise BridgeError(f"primitive {name}") from None
        rule = _TREES.get(prim)
        if rule is not None:
            kept = rule(self)
        else:
            self.inputs = self.operands
            kept = self._plain(prim)
        outputs = tuple(_bind(self.atoms, var) for var in self.eqn.outvars)
        scopes, span = _source(self.eqn)
        return Eqn(prim, tuple(self.inputs), outputs, tuple(sorted(kept.items())), span, scopes)

    def _plain(self, prim: Prim) -> dict[str, Param]:
        if prim is Prim.JIT:
            return {key: convert_param(self.params[key]) for key in JIT_PARAMS}
        if prim is Prim.CHECK:
            return {"debug": bool(self.params["debug"]), "message": _check_message(self.params["err_tree"])}
        if prim is Prim.DEBUG_PRINT:
            return {key: convert_param(self.params[key]) for key in DEBUG_PRINT_PARAMS}
        if prim in (Prim.CUSTOM_JVP_CALL, Prim.CUSTOM_VJP_CALL):
            return {"call_jaxpr": convert_param(self.params["call_jaxpr"])}
        if prim is Prim.RUN_SCOPED:
            if any(self.params["ref_transforms"]):
                raise BridgeError("run_scoped with transformed refs")
            self.params["jaxpr"] = convert_jaxpr(self.params["jaxpr"], constvars_last=True)
        return self.rest()

    def rest(self, *used: str) -> dict[str, Param]:
        """The params apart from `used` and the dropped ones, as plain values."""
        import numpy as np

        kept: dict[str, Param] = {}
        for key, value in self.params.items():
            allowed = DROPPED.get(key)
            if key in used:
                continue
            if allowed is None:
                dtype = key in NAMES_OF_DTYPES
                kept[key] = convert_dtype(np.dtype(value)) if dtype else convert_param(value)
            elif allowed[0] is not ANY and value not in allowed:
                raise BridgeError(f"{self.eqn.primitive.name} with {key}={value}")
        if kept.get("out_dtype", 0) is None:
            del kept["out_dtype"]  # None: that of the operands
        return kept

    def tree(self, key: str, operands: Sequence[Atom]) -> Any:
        return self.params[key].unflatten([_Leaf(atom) for atom in operands])

    def transforms(self, transforms: Any, aval: Aval) -> Transforms:
        """JAX's transforms with their leaves put among our inputs. `aval` is the untransformed ref's."""
        found: list[NDIndexer | RefReshape | RefBitcast] = []
        shape: list[int | Arg] = list(aval.shape)
        dtype = aval.dtype
        for step in transforms:
            match type(step).__name__:
                case "NDIndexer":
                    indices = tuple(self._index(index) for index in step.indices)
                    found.append(NDIndexer(indices))
                    shape = [index.size for index in indices if isinstance(index, Slice)]
                case "ReshapeTransform":
                    sizes = tuple(int(n) for n in step.shape)
                    shape = list(sizes)
                    found.append(RefReshape(sizes))
                case "BitcastTransform":
                    wide, dtype = dtype, convert_dtype(step.dtype)
                    if len(shape) > 1:
                        shape[-2] = _size(shape[-2]) * wide.bits // dtype.bits
                    found.append(RefBitcast(dtype, tuple(_size(n) for n in shape)))
                case name:
                    raise BridgeError(f"ref transform {name}")
        return tuple(found)

    def _index(self, index: Any) -> int | Arg | Slice:
        if type(index).__name__ == "Slice":
            return Slice(self._scalar(index.start), self._scalar(index.size), int(index.stride))
        return self._scalar(index)

    def _scalar(self, value: Any) -> int | Arg:
        if not isinstance(value, _Leaf):
            return int(value)
        if isinstance(value.atom, Literal):
            return int(value.atom.value)
        self.inputs.append(value.atom)
        return Arg(len(self.inputs) - 1)


def _size(size: int | Arg) -> int:
    if isinstance(size, Arg):
        raise BridgeError("a view of dynamic size, transformed further")
    return size


def _get(eqn: _Equation) -> dict[str, Param]:
    ref, *dynamic = eqn.operands
    eqn.inputs = [ref]
    return {"transforms": eqn.transforms(eqn.tree("tree", dynamic), ref.aval), **eqn.rest("tree")}


def _swap(eqn: _Equation) -> dict[str, Param]:
    ref, value, *dynamic = eqn.operands
    eqn.inputs = [ref, value]
    return {"transforms": eqn.transforms(eqn.tree("tree", dynamic), ref.aval), **eqn.rest("tree")}


def _masked_load(eqn: _Equation) -> dict[str, Param]:
    ref, transforms, mask, other = eqn.tree("args_tree", eqn.operands)
    eqn.inputs = [leaf.atom for leaf in (ref, mask, other) if leaf is not None]
    return {
        "transforms": eqn.transforms(transforms, ref.atom.aval),
        "has_mask": mask is not None,
        "has_other": other is not None,
        **eqn.rest("args_tree"),
    }


def _masked_swap(eqn: _Equation) -> dict[str, Param]:
    ref, transforms, value, mask = eqn.tree("args_tree", eqn.operands)
    eqn.inputs = [leaf.atom for leaf in (ref, value, mask) if leaf is not None]
    return {
        "transforms": eqn.transforms(transforms, ref.atom.aval),
        "has_mask": mask is not None,
        **eqn.rest("args_tree"),
    }


def _dma(eqn: _Equation) -> dict[str, Param]:
    src, dst, semaphore, src_semaphore, device = eqn.tree("tree", eqn.operands)
    if src_semaphore is not None or device is not None:
        raise BridgeError("copy to another device")
    views = [_view(view) for view in (src, dst, semaphore)]
    eqn.inputs = [ref.atom for ref, _ in views]
    kept = eqn.rest("tree")
    for name, (ref, transforms) in zip(("src", "dst", "semaphore"), views, strict=True):
        kept[f"{name}_transforms"] = eqn.transforms(transforms, ref.atom.aval)
    return kept


def _view(view: Any) -> tuple[_Leaf, Any]:
    return (view, ()) if isinstance(view, _Leaf) else (view.ref, view.transforms)


def _semaphore(eqn: _Equation) -> dict[str, Param]:
    ref, transforms, *rest = eqn.tree("args_tree", eqn.operands)
    eqn.inputs = [ref.atom]
    match eqn.eqn.primitive.name, rest:
        case "semaphore_read", []:
            pass
        case "semaphore_signal", [value, None, None]:
            eqn.inputs.append(value.atom)
        case "semaphore_wait", [value, _Leaf(atom=Literal(value=True))]:  # it decrements, as by default
            eqn.inputs.append(value.atom)
        case name, _:
            raise BridgeError(f"{name} of another device or core, or without decrement")
    return {"transforms": eqn.transforms(transforms, ref.atom.aval), **eqn.rest("args_tree")}


_TREES: dict[Prim, Callable[[_Equation], dict[str, Param]]] = {
    Prim.GET: _get,
    Prim.SWAP: _swap,
    Prim.ADDUPDATE: _swap,
    Prim.MASKED_LOAD: _masked_load,
    Prim.MASKED_SWAP: _masked_swap,
    Prim.DMA_START: _dma,
    Prim.DMA_WAIT: _dma,
    Prim.SEMAPHORE_READ: _semaphore,
    Prim.SEMAPHORE_SIGNAL: _semaphore,
    Prim.SEMAPHORE_WAIT: _semaphore,
}


def convert_param(value: Any) -> Param:
    """A param as a plain value."""
    import numpy as np

    if isinstance(value, Enum):  # before int: some are IntEnums
        return value.name
    if value is None or isinstance(value, (bool, int, float, str, Jaxpr, DType)):
        return value if not isinstance(value, np.generic) else value.item()
    if isinstance(value, np.generic):
        return convert_param(value.item())
    if hasattr(value, "jaxpr") and hasattr(value, "consts"):
        return convert_jaxpr(value.jaxpr, value.consts)
    if hasattr(value, "eqns"):
        return convert_jaxpr(value)
    if isinstance(value, np.dtype) or hasattr(value, "itemsize"):
        return convert_dtype(value)
    fields = getattr(value, "_fields", None) or getattr(value, "__dataclass_fields__", None)
    if fields is not None:
        return tuple((str(name), convert_param(getattr(value, name))) for name in fields)
    if isinstance(value, (tuple, list)):
        return tuple(convert_param(item) for item in value)
    raise BridgeError(f"param of type {type(value).__name__}: {value}")
