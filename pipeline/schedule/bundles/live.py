"""Which operations of a kernel matter: those with an effect and those that feed one. A store to memory of the kernel's
own that nobody reads has none.

Source: libtpu 0.0.42.1's schedules of kernels that write scratch and read it, part of it, nothing of it, in loops and
branches. In a loop it drops the store alone and leaves what was stored; there nothing is taken out here.
"""

from __future__ import annotations

from collections.abc import Iterable

from pipeline.ir.module import MemRefType, Op, Region, Value

STORES = frozenset({"vector.store", "tpu.vector_store", "tpu.strided_store"})
_EFFECTS = ("store", "dma", "sem_", "alloc", "log", "yield", "return", "condition")
_LOOPS = frozenset({"scf.for", "scf.while"})


def live_ops(region: Region, scratch: Iterable[Value], users: dict[Value, list[Op]], made: dict[Value, Op]) -> set[int]:
    """Ids of the operations that have an effect or feed one; `users` and `made` are filled. `scratch`: refs to the
    kernel's own memory."""
    first = _Walk({}, {})
    first.visit(region, set(), looped=False)
    walk = _Walk(users, made)
    walk.visit(region, _unread(region, scratch, first.kept), looped=False)
    return walk.kept


class _Walk:
    def __init__(self, users: dict[Value, list[Op]], made: dict[Value, Op]) -> None:
        self.users, self.made = users, made
        self.used: set[Value] = set()
        self.kept: set[int] = set()

    def visit(self, region: Region, unread: set[Value], looped: bool) -> bool:
        """Whether something in it, other than what ends it, has an effect."""
        does = False
        for op in reversed(region.ops):
            self.made.update((result, op) for result in op.results)
            used = any(result in self.used for result in op.results)
            if op.name in STORES and op.operands[0] in unread and not looped:
                continue
            if op.regions:
                inner = op.name in _LOOPS or looped
                found = [self.visit(nested, unread, inner) for nested in op.regions]
                if op.name == "scf.if" and not any(found) and not used:
                    continue
            elif not used and not any(word in op.name for word in _EFFECTS):
                continue
            does = does or op is not region.ops[-1]
            self.kept.add(id(op))
            self.used.update(op.operands)
            for operand in op.operands:
                self.users.setdefault(operand, []).append(op)
        return does


def _unread(region: Region, scratch: Iterable[Value], kept: set[int]) -> set[Value]:
    """Refs to scratch in vector memory, and their views, to which there are stores and nothing else that is kept."""
    base = {ref: ref for ref in scratch if isinstance(ref.type, MemRefType) and ref.type.space == "vmem"}
    read: set[Value] = set()

    def visit(inner: Region) -> None:
        for op in inner.ops:
            if id(op) not in kept:
                continue
            if op.name == "memref.alloca" and getattr(op.results[0].type, "space", None) == "vmem":
                base[op.results[0]] = op.results[0]
            elif op.name.startswith("tpu.memref") and op.operands[0] in base:
                base[op.results[0]] = base[op.operands[0]]
            else:
                seen = op.operands[1:] if op.name in STORES else op.operands
                read.update(base[ref] for ref in seen if ref in base)
            for nested in op.regions:
                visit(nested)

    visit(region)
    return {ref for ref, first in base.items() if first not in read}
