"""`Spec`: one variant of a spec file, validated, its expressions evaluated. What the stages read.

The file's own form is `model.py`; `load.py` makes one `Spec` per variant from it. Frozen dataclasses only, so that
no stage depends on pydantic.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol, Union

from pipeline.dtypes import DType
from pipeline.errors import NOWHERE, Source, Span
from pipeline.ir.call import BlockDim, Role
from pipeline.ir.jaxpr import MemorySpace

Static = Union[bool, int, float, str]  # a param's value


class Locate(Protocol):
    """Where a key stands in the spec file, e.g. `locate("inputs", 0, "block", 1)`.

    Never fails: an unknown place answers with the nearest enclosing key's span, at worst line 1 column 1.
    """

    def __call__(self, *loc: str | int) -> Span: ...


@dataclass(frozen=True, slots=True)
class Code:
    """Python source text out of a spec, and how to find its characters in the file it came from.

    Line n, column c (from 1) of `text` stand at line `first_line + n - 1`, column `c + column_offset` of
    `origin`; on the first line `first_column - 1` is added instead (a lambda in a quoted string).
    """

    text: str
    origin: Source
    first_line: int = 1
    column_offset: int = 0
    first_column: int | None = None

    def span(self, line: int, column: int, end_column: int | None = None) -> Span:
        """Span of columns [column, end_column) of a line of `text`, all from 1."""
        first = line == 1 and self.first_column is not None
        shift = (self.first_column or 1) - 1 if first else self.column_offset
        end = None if end_column is None else end_column + shift
        return Span(self.origin, self.first_line + line - 1, column + shift, end)


def is_jaxpr_text(text: str) -> bool:
    """Whether an index map is a jaxpr's text rather than a lambda."""
    return text.lstrip().startswith("{")


class PythonOrigin(NamedTuple):
    """The user's Python function that a kernel comes from: "module:function", its arguments as `frontend` reads them,
    static keyword arguments, and which of the kernels it calls (from 1)."""

    function: str
    args: tuple[str, ...]
    static: tuple[tuple[str, Static], ...]
    call: int


@dataclass(frozen=True, slots=True)
class KernelSource:
    """The kernel's Python text and the function in it to trace. `static_args` fix keyword parameters.

    is_jaxpr: `code` is a jaxpr's text instead, and `function` the kernel's name; `python` says where it came from.
    """

    code: Code
    function: str
    static_args: tuple[tuple[str, Static], ...] = ()
    span: Span = field(default=NOWHERE, compare=False)
    is_jaxpr: bool = False
    python: PythonOrigin | None = None
    runs_python: bool = False  # it was traced by JAX just now, and may be another one tomorrow


@dataclass(frozen=True, slots=True)
class Data:
    """How an input's values are made.

    kind: "normal" (mean, std), "uniform" (low, high), "integers" (low inclusive, high exclusive), "iota" (row-major
    0, 1, 2 .., plus low, modulo high when given), "constant" (value), "values" (one for each element, row-major),
    "file" (a .npy beside the spec).
    """

    kind: str = "normal"
    seed: int = 0
    low: float | None = None
    high: float | None = None
    mean: float = 0.0
    std: float = 1.0
    value: float = 0.0
    values: tuple[float, ...] = ()
    file: Path | None = None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class SpecOperand:
    """A declared operand. `block` None: the whole array. `index_map` None with a block: all zeros."""

    name: str
    role: Role
    shape: tuple[int, ...]
    dtype: DType
    block: tuple[BlockDim, ...] | None
    index_map: Code | None
    space: MemorySpace
    buffer_count: int | None
    data: Data
    loc: tuple[str | int, ...]  # ("inputs", 0)


@dataclass(frozen=True, slots=True)
class SpecScratch:
    """Declared scratch: VMEM or SMEM of `dtype`, or semaphores (dtype DMA_SEM or SEM)."""

    name: str
    shape: tuple[int, ...]
    dtype: DType
    space: MemorySpace
    loc: tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Target:
    """A chip asked for: a built-in profile's name, or a path (already resolved against the spec's folder)."""

    name: str  # what captures are named by: "v5e", or the stem of the path
    path: Path | None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Spec:
    """One variant of a spec file.

    name:     the spec's name; `variant` is "" for a spec without variants.
    params:   static parameters, also names in the kernel source, index maps and reference.
    operands: scalar prefetch, inputs, outputs, in this order.
    aliases:  (input position among scalar prefetch + inputs, output position).
    sweep:    what `pipeline sweep` tries, as the file says it: values, or the text of a range, by path.
    expect:   code of the diagnostic this spec must end in, e.g. "P101"; None for one that must pass. It is an error,
              or, if `expects_warning`, a warning with which it passes. `expects_also`: findings that come with it.
    """

    name: str
    variant: str
    summary: str
    targets: tuple[Target, ...]
    kernel: KernelSource
    params: Mapping[str, Static]
    grid: tuple[int, ...]
    semantics: tuple[str, ...] | None
    operands: tuple[SpecOperand, ...]
    scratch: tuple[SpecScratch, ...]
    aliases: tuple[tuple[int, int], ...]
    vmem_limit_bytes: int | None
    reference: Code | None
    expect: str | None
    locate: Locate
    source: Source
    folder: Path  # the spec file's folder, for .npy and kernel files
    files: tuple[Path, ...] = ()  # further files this spec was read from (kernel file, .npy)
    expects_warning: bool = False
    expects_also: tuple[str, ...] = ()
    sweep: Mapping[str, Sequence[Static] | str] = field(default_factory=dict)
    dynamic_grid: tuple[int, ...] = ()  # axes whose size is known at run time only; `grid` has that of this run
    checks: tuple[str, ...] = ()  # what the functional run looks for beyond what is wrong in every kernel
    transforms: tuple[str, ...] = ()  # of "jvp", "grad", "vmap": those that a capture tells of, in this order

    def ends_as_expected(self, errors: set[str]) -> bool:
        """Whether these codes of errors are an exhibit's own, with none that it does not name."""
        own: set[str | None] = set() if self.expects_warning else {self.expect}
        return bool(errors) and own <= errors <= {*own, *self.expects_also}

    def shows(self, code: str, severity: str) -> bool:
        """Whether an exhibit is there to show a finding of this code."""
        own = code == self.expect and (severity == "warning") == self.expects_warning
        return own or code in self.expects_also
