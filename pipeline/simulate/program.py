"""Compiles a jaxpr, once a run, to a list of steps over numbered slots, so that a grid step costs little Python.

Nested `jit` bodies are put in place; equations of constants alone are computed once; a load is left as a view of its
ref where nobody writes before its last use.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from pipeline.errors import SpecError
from pipeline.ir.jaxpr import Atom, Aval, Eqn, Jaxpr, Literal, Prim, ShapedArray, Var
from pipeline.simulate.counts import Counts, count_eqn
from pipeline.simulate.machine import EQUATION_WORK, MAX_BYTES, OFTEN, Machine
from pipeline.simulate.numerics.control import jaxpr_param
from pipeline.simulate.numerics.dtypes import literal, numpy_dtype
from pipeline.simulate.numerics.matmul import dimension_numbers
from pipeline.simulate.numerics.table import RULES

INLINED = {Prim.JIT: "jaxpr", Prim.CUSTOM_JVP_CALL: "call_jaxpr", Prim.CUSTOM_VJP_CALL: "call_jaxpr"}
# results are new arrays whatever the inputs: using a view here does not keep the view alive
FRESH = frozenset(
    {
        Prim.ADD, Prim.SUB, Prim.MUL, Prim.DIV, Prim.EXP, Prim.EXP2, Prim.LOG, Prim.TANH, Prim.SQRT, Prim.RSQRT,
        Prim.NEG, Prim.LOGISTIC, Prim.SQUARE, Prim.MAX, Prim.MIN, Prim.DOT_GENERAL, Prim.ERF, Prim.EQ, Prim.NE,
        Prim.LT, Prim.LE, Prim.GT, Prim.GE, Prim.AND, Prim.OR, Prim.XOR, Prim.RECIPROCAL, Prim.CONCATENATE,
    }
)  # fmt: skip
# these write to refs, or may
WRITERS = frozenset(
    {
        Prim.SWAP, Prim.ADDUPDATE, Prim.MASKED_SWAP, Prim.DMA_START, Prim.DMA_WAIT, Prim.COND, Prim.SCAN, Prim.WHILE,
        Prim.RUN_SCOPED,
    }
)  # fmt: skip
# a value that depends on more than its inputs
IMPURE = WRITERS | {
    Prim.GET, Prim.MASKED_LOAD, Prim.PROGRAM_ID, Prim.NUM_PROGRAMS, Prim.SEMAPHORE_READ, Prim.SEMAPHORE_SIGNAL,
    Prim.SEMAPHORE_WAIT, Prim.DEBUG_PRINT, Prim.CHECK, Prim.MULTIPLE_OF, Prim.GATHER,
}  # fmt: skip
HELD_SIZE = 4096  # elements; smaller values are not worth freeing


def work_of(eqn: Eqn) -> int:
    """Budgeted work of one equation, without that of nested jaxprs."""
    sizes = [v.aval.size for v in eqn.outputs if isinstance(v.aval, ShapedArray)]
    work = EQUATION_WORK + sum(sizes)
    if eqn.prim is Prim.DOT_GENERAL:
        contract = dimension_numbers(eqn)[0]
        for axis in contract:
            sizes[0] *= eqn.inputs[0].aval.shape[axis]
        work += sizes[0] // 32
    return work


class Form:
    """What a step was made from: for whoever writes it in another way (`straight.py`)."""

    __slots__ = ("aliasing", "eqn", "programs", "used")

    def __init__(self, eqn: Eqn, programs: tuple[Program, ...], used: bool, aliasing: bool) -> None:
        self.eqn = eqn
        self.programs = programs  # the nested ones, in the order of its params
        self.used = used  # whether anybody reads its first output
        self.aliasing = aliasing  # whether that may be a view of the ref it reads


class Program:
    """A compiled jaxpr. `run` takes one value per binder (a Buffer for a ref) and gives one per result."""

    def __init__(self, machine: Machine, size: int) -> None:
        self.machine = machine
        self.template: list[Any] = [None] * size
        self.steps: list[tuple[Any, tuple[int, ...], Any, tuple[int, ...]]] = []
        self.forms: list[Form | None] = []  # by step; None for one that somebody watches, or that is many lanes'
        self.inputs = 0
        self.avals: list[Aval] = []  # of the inputs
        self.results: tuple[int, ...] = ()
        self.work = 0
        self.counts = Counts()
        self.runs = [0]  # in this run of the kernel
        self.calls = 0  # of `run`, in all runs of the kernel
        self.lanes = 1  # grid steps that one run is
        self.batched: tuple[bool, ...] = ()  # per result, whether it has a leading axis of lanes

    def run(self, *args: Any) -> list[Any]:
        self.machine.spend(self.work)
        self.runs[0] += self.lanes
        self.calls += 1
        if self.calls == OFTEN or self.machine.often:
            self._straighten()
        env = self.template.copy()
        env[: self.inputs] = args
        for function, inputs, output, dead in self.steps:
            value = function(*[env[i] for i in inputs])
            if type(output) is int:
                env[output] = value
            elif output is not None:
                for slot, one in zip(output, value, strict=True):
                    env[slot] = one
            for slot in dead:
                env[slot] = None
        return [env[i] for i in self.results]

    def _straighten(self) -> None:
        """From now on, run as one function."""
        from pipeline.simulate.straight import straight_line

        run = straight_line(self)
        if run is not None:
            self.run = run  # type: ignore[method-assign]


class Compiler:
    """Turns jaxprs into programs for one machine."""

    of_lanes = False  # whether a value may have a leading axis that its aval does not tell

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.used: set[Var] = set()
        self.aliasing: set[int] = set()
        self.programs: list[Program] = []
        self.nested: list[Program] = []  # made since the equation began that is being compiled

    def start(self) -> None:
        """Get ready for a run: nothing has been executed."""
        for program in self.programs:
            program.runs[0] = 0

    def counts(self) -> Counts:
        """Arithmetic of all programs as often as they ran."""
        total = Counts()
        for program in self.programs:
            total.add(program.counts, program.runs[0])
        return total

    def program(self, jaxpr: Jaxpr) -> Program:
        """Compile. SpecError R102 for a primitive without a numeric rule."""
        eqns, results = inline(jaxpr)
        outer = self.used, self.aliasing, self.nested
        self.used = {atom for eqn in eqns for atom in eqn.inputs if isinstance(atom, Var)}
        self.used.update(atom for atom in results if isinstance(atom, Var))
        self.aliasing = aliasing_reads(eqns, results)
        program = _emit(self, jaxpr, eqns, results)
        self.finish(program, results)
        self.programs.append(program)
        self.used, self.aliasing, self.nested = outer
        self.nested.append(program)
        return program

    def function(self, eqn: Eqn) -> Any:
        """What a step does for one equation. SpecError R102 where there is no rule."""
        rule = RULES.get(eqn.prim)
        if rule is None:
            raise SpecError(
                "R102", f"the simulator has no rule for {eqn.prim.value}", eqn.span,
                hint="the gap is the simulator's, not the kernel's; leave out the functional run, or rewrite the op",
            )  # fmt: skip
        return rule(eqn, self)

    def work(self, eqn: Eqn) -> int:
        """Budgeted work of one equation in one run of its program."""
        return work_of(eqn)

    def finish(self, program: Program, results: list[Atom]) -> None:
        """Called with each program when its equations are compiled."""

    def is_used(self, eqn: Eqn, output: int) -> bool:
        return eqn.outputs[output] in self.used

    def may_alias(self, eqn: Eqn) -> bool:
        return id(eqn) in self.aliasing


def inline(jaxpr: Jaxpr) -> tuple[list[Eqn], list[Atom]]:
    """Equations and results with the bodies of `jit` and its like in place."""
    found: list[Eqn] = []

    def put(inner: Jaxpr, names: dict[Var, Atom], is_outer: bool) -> None:
        """Add the equations of `inner`, whose variables are called `names` outside."""
        for eqn in inner.eqns:
            inputs = tuple([names.get(a, a) if isinstance(a, Var) else a for a in eqn.inputs])
            if eqn.prim in INLINED:
                body = jaxpr_param(eqn, INLINED[eqn.prim])
                inside = dict(zip(body.invars, inputs, strict=True))
                put(body, inside, False)
                for var, atom in zip(eqn.outputs, body.outvars, strict=True):
                    names[var] = inside.get(atom, atom) if isinstance(atom, Var) else atom
            elif is_outer and inputs == eqn.inputs:
                found.append(eqn)
            else:
                outputs = eqn.outputs
                if not is_outer:  # new ones, since one body may be called twice
                    outputs = tuple([Var(var.aval) for var in outputs])
                    names.update(zip(eqn.outputs, outputs, strict=True))
                found.append(Eqn(eqn.prim, inputs, outputs, eqn.params, eqn.span))

    names: dict[Var, Atom] = {}
    put(jaxpr, names, True)
    return found, [names.get(a, a) if isinstance(a, Var) else a for a in jaxpr.outvars]


def evaluate(jaxpr: Jaxpr, args: tuple[Any, ...], machine: Machine) -> list[Any]:
    """Run a jaxpr once, without compiling it. Its equations have one result each."""
    eqns, results = inline(jaxpr)
    compiler = Compiler(machine)
    values: dict[Atom, Any] = dict(zip(jaxpr.invars, args, strict=True))

    def value(atom: Atom) -> Any:
        return literal(atom.value, atom.aval.dtype) if isinstance(atom, Literal) else values[atom]

    for eqn in eqns:
        values[eqn.outputs[0]] = compiler.function(eqn)(*map(value, eqn.inputs))
    return [value(atom) for atom in results]


def aliasing_reads(eqns: list[Eqn], results: list[Atom]) -> set[int]:
    """ids of the loads whose value, or a view of it, nobody uses after the next write to any ref."""
    writers: list[int] = []
    uses: dict[Atom, list[int]] = {}
    for i, eqn in enumerate(eqns):
        if eqn.prim in WRITERS:
            writers.append(i)
        for atom in eqn.inputs:
            if isinstance(atom, Var):
                uses.setdefault(atom, []).append(i)
    safe: set[int] = set()
    for at, eqn in enumerate(eqns):
        if eqn.prim is not Prim.GET:
            continue
        views: set[Atom] = set(eqn.outputs)
        last, todo = at, list(eqn.outputs)
        while todo:
            for i in uses.get(todo.pop(), ()):
                last, later = max(last, i), eqns[i]
                if later.prim not in FRESH and later.prim is not Prim.SWAP:
                    todo += [var for var in later.outputs if var not in views]
                    views.update(later.outputs)
        following = bisect_right(writers, at)
        writes_between = following < len(writers) and writers[following] < last
        nested = eqns[last].prim in (Prim.COND, Prim.SCAN, Prim.WHILE, Prim.RUN_SCOPED)
        if not writes_between and not nested and views.isdisjoint(results):
            safe.add(id(eqn))
    return safe


def _emit(compiler: Compiler, jaxpr: Jaxpr, eqns: list[Eqn], results: list[Atom]) -> Program:
    slots: dict[Var, int] = {var: i for i, var in enumerate(jaxpr.invars)}
    program = Program(compiler.machine, len(slots))
    program.inputs = len(slots)
    program.avals = [var.aval for var in jaxpr.invars]
    template = program.template
    constant: set[int] = set()

    def slot(atom: Atom) -> int:
        if isinstance(atom, Literal):
            template.append(literal(atom.value, atom.aval.dtype))
            constant.add(len(template) - 1)
            return len(template) - 1
        return slots[atom]

    for eqn in eqns:
        for var in eqn.outputs:
            if isinstance(var.aval, ShapedArray) and var.aval.size * numpy_dtype(var.aval.dtype).itemsize > MAX_BYTES:
                raise SpecError(
                    "R103", f"{eqn.prim.value} makes {var.aval}, more than the simulator's {MAX_BYTES} bytes a value",
                    eqn.span, hint="declare a smaller variant",
                )  # fmt: skip
        inputs = tuple(slot(atom) for atom in eqn.inputs)
        for var in eqn.outputs:
            slots[var] = len(template)
            template.append(None)
        outputs: Any = tuple(slots[var] for var in eqn.outputs)
        compiler.nested = []
        plain = function = compiler.function(eqn)
        for watcher in compiler.machine.watchers:
            function = watcher.wrap(eqn, function, compiler)
        if eqn.prim not in IMPURE and constant.issuperset(inputs):
            value = function(*[template[i] for i in inputs])
            for where, one in zip(outputs, value if len(outputs) != 1 else (value,), strict=True):
                template[where] = one
                constant.add(where)
            continue
        program.work += compiler.work(eqn)
        count_eqn(eqn, program.counts)
        program.steps.append((function, inputs, outputs[0] if len(outputs) == 1 else outputs or None, ()))
        form = None
        if function is plain and not compiler.of_lanes:
            used = bool(outputs) and compiler.is_used(eqn, 0)
            form = Form(eqn, tuple(compiler.nested), used, compiler.may_alias(eqn))
        program.forms.append(form)
    program.results = tuple(slot(atom) for atom in results)
    _free_dead(program, eqns, slots, constant)
    return program


def _free_dead(program: Program, eqns: list[Eqn], slots: dict[Var, int], constant: set[int]) -> None:
    """Let go of large values after their last use."""
    large = {
        slots[var]
        for eqn in eqns
        for var in eqn.outputs
        if isinstance(var.aval, ShapedArray) and var.aval.size >= HELD_SIZE
    }
    large -= set(program.results) | constant
    for at in range(len(program.steps) - 1, -1, -1):
        function, inputs, outputs, _ = program.steps[at]
        dead = tuple(sorted(large.intersection(inputs)))
        large.difference_update(dead)
        if dead:
            program.steps[at] = (function, inputs, outputs, dead)
