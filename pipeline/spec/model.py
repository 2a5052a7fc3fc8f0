"""The spec file's form: pydantic models that check structure and types, key by key.

What needs more than one key at a time (ranks, index maps, names, files) is `build.py`'s. The JSON Schema is made from
these models by `schema.py`, so the descriptions here are what an editor shows.
"""

from __future__ import annotations

from typing import Annotated, Literal, Union

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictInt, StrictStr

from pipeline.spec.limits import MAX_NAME, MAX_OPERANDS, MAX_PARAMS, MAX_RANK, MAX_VARIANTS

Integer = Union[StrictInt, StrictStr]  # a string is an expression over the params, see expr.py
Number = Union[StrictInt, StrictFloat, StrictStr]
Scalar = Union[StrictBool, StrictInt, StrictFloat, StrictStr]
Identifier = Annotated[StrictStr, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=MAX_NAME)]
Scalars = Annotated[dict[str, Scalar], Field(max_length=MAX_PARAMS)]
Values = Annotated[list[Scalar], Field(min_length=1, max_length=MAX_VARIANTS)]
SweepValues = Union[Values, StrictStr]
Shape = Annotated[list[Integer], Field(max_length=MAX_RANK)]

SHAPE = 'Dimensions: integers, or expressions over the params in quotes, e.g. [4096, "N // 2"].'
DTYPE = 'NumPy\'s name of the dtype, e.g. "bfloat16", or the name of a param that holds one.'


class Table(BaseModel):
    """A table of the file; an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", defer_build=True)


class PythonFunction(Table):
    """A function of the user's own Python that calls the kernel. Only JAX can trace it, see `pipeline import`."""

    function: StrictStr = Field(description='Where it is: "package.module:function", or "file.py:function".')
    args: Annotated[list[StrictStr], Field(max_length=MAX_OPERANDS)] = Field(
        description='Its arguments, e.g. "bf16[8,128]"; "i32[4]=constant(7)" also says what their values are.'
    )
    static: Scalars = Field(default={}, description="Keyword arguments that are no arrays.")
    call: StrictInt = Field(default=1, description="Which of the kernels that it calls, from 1.")


class Kernel(Table):
    """The kernel: real Pallas source text, parsed and never executed, or a jaxpr as text."""

    source: StrictStr | None = Field(default=None, description="The kernel as Python text. Give this or 'file'.")
    file: StrictStr | None = Field(default=None, description="A .py file beside the spec that holds the kernel.")
    jaxpr: StrictStr | None = Field(
        default=None, description="The kernel as a jaxpr's text instead, as `pipeline import` writes it."
    )
    function: StrictStr | None = Field(
        default=None,
        description="The function to trace; may be left out where the source has one function. With 'jaxpr', the "
        "kernel's name, by default the spec's.",
    )
    python: PythonFunction | None = Field(
        default=None,
        description="The Python function that calls the kernel: with 'jaxpr', where that came from; alone, what to "
        "trace with JAX (needs the extra [jax]).",
    )
    static: Scalars = Field(
        default={},
        description="Keyword parameters of the function fixed to a value; a param's name stands for its value.",
    )


class Grid(Table):
    """The iteration space. Without it the kernel runs once."""

    shape: Shape = Field(description="Steps along each axis; the last varies fastest. " + SHAPE)
    semantics: list[Literal["parallel", "arbitrary"]] | None = Field(
        default=None, description="A promise about each grid axis, one word per axis."
    )
    dynamic: Annotated[list[StrictInt], Field(max_length=MAX_RANK)] = Field(
        default=[],
        description="Axes whose number of steps is known at run time only; 'shape' says what it is in this run.",
    )


class ElementDim(Table):
    """A block dimension whose index map counts elements, not blocks."""

    element: Integer = Field(description="Elements along this dimension.")
    padding: Annotated[list[Integer], Field(min_length=2, max_length=2)] = Field(
        default=[0, 0], description="Elements of padding before and after the array."
    )


class DataTable(Table):
    """How an input's values are made; the same on every machine for the same seed."""

    kind: Literal["normal", "uniform", "integers", "iota", "constant", "values", "file"] | None = Field(
        default=None,
        description="normal (mean, std), uniform (low, high), integers (low inclusive, high exclusive), "
        "iota (0, 1, 2 .. in row-major order, plus low, modulo high), constant (value), values (all of them, "
        "in row-major order), file.",
    )
    seed: Integer | None = Field(default=None, description="Seed of the generator; by default the input's position.")
    low: Number | None = None
    high: Number | None = None
    mean: Number | None = None
    std: Number | None = None
    value: Number | None = None
    values: list[Union[StrictInt, StrictFloat]] | None = None
    file: StrictStr | None = Field(default=None, description="A .npy file beside the spec.")


Data = Union[DataTable, StrictStr]
BlockEntry = Union[StrictInt, StrictStr, ElementDim, None]


class ScalarPrefetch(Table):
    """An array of scalars in SMEM, read before the grid starts; index maps see it after the grid indices."""

    name: Identifier = Field(description="The operand's name.")
    shape: Shape = Field(description=SHAPE)
    dtype: StrictStr = Field(description=DTYPE)
    data: Data | None = Field(
        default=None, description="Its values: a table, or the name of a .npy file. Default: zeros."
    )


class Blocked(Table):
    """What inputs and outputs have in common."""

    name: Identifier = Field(description="The operand's name.")
    shape: Shape = Field(description=SHAPE)
    dtype: StrictStr = Field(description=DTYPE)
    block: Annotated[list[BlockEntry], Field(max_length=MAX_RANK)] | None = Field(
        default=None,
        description='The part one program sees, one entry per dimension: a size, "squeezed" for one element whose '
        "dimension the ref drops, or { element = n, padding = [lo, hi] }. Default: the whole array.",
    )
    index_map: StrictStr | None = Field(
        default=None,
        description='Grid indices (and scalar-prefetch refs) to block indices, e.g. "lambda i, j: (i, 0)"; or a '
        'jaxpr\'s text, "{ lambda ; a:i32[] b:i32[]. let in (a, 0:i32[]) }".',
    )
    memory_space: Literal["default", "any", "hbm", "vmem", "smem"] = Field(
        default="default", description="Where the ref lives. In any and hbm the kernel copies by hand, without blocks."
    )
    buffer_count: Integer | None = Field(default=None, description="Buffer slots of the window; 2 is double buffering.")


class Input(Blocked):
    """An array the kernel reads."""

    data: Data | None = Field(
        default=None, description="Its values: a table, or the name of a .npy file. Default: normal."
    )


class Output(Blocked):
    """An array the kernel writes."""

    alias: Identifier | None = Field(default=None, description="An input that shares this output's memory.")


class Scratch(Table):
    """Memory that lives for the whole call, or semaphores."""

    name: Identifier = Field(description="The scratch operand's name.")
    kind: Literal["vmem", "smem", "dma_semaphore", "semaphore"] = Field(description="What it is.")
    shape: Shape | None = Field(default=None, description=SHAPE + " Semaphores: default [], a single one.")
    dtype: StrictStr | None = Field(default=None, description=DTYPE + " Not for semaphores.")


class Variant(Table):
    """One named setting of the params."""

    name: Annotated[StrictStr, Field(pattern=r"^[A-Za-z0-9_]+$", max_length=MAX_NAME)] = Field(
        description="The variant's name in captures."
    )
    params: Scalars = Field(default={}, description="Params that differ from [params].")


class Simulate(Table):
    """The functional run and what it is held against."""

    reference: StrictStr | None = Field(
        default=None,
        description='The expected outputs as a function of the inputs, e.g. "lambda x: softmax(x, axis=1)".',
    )
    checks: Annotated[
        list[Literal["bounds", "nan", "div", "uninitialized", "debug", "all"]], Field(max_length=MAX_OPERANDS)
    ] = Field(
        default=[],
        description="What to look for beyond what is wrong in every kernel: values indexed out of bounds, NaN or "
        "infinity made, divisions by zero, reads before a write, pl.debug_check.",
    )


class Expect(Table):
    """For an exhibit: what this spec is there to show, an error or a warning."""

    error: StrictStr | None = Field(default=None, description='The code of the error that it must end in, e.g. "P101".')
    warning: StrictStr | None = Field(
        default=None, description='The code of the warning with which it passes, e.g. "P501".'
    )
    also: Annotated[list[StrictStr], Field(max_length=MAX_OPERANDS)] = Field(
        default=[], description="Codes of findings that come with it."
    )


class SpecFile(Table):
    """A kernel pipeline spec: kernel, operands with their blocks, grid, and the chips it is for."""

    name: Annotated[StrictStr, Field(pattern=r"^[a-z0-9_]+$", max_length=MAX_NAME)] = Field(
        description="The spec's name; its captures are in the folder of this name."
    )
    summary: StrictStr = Field(default="", description="One line on what the kernel does.")
    targets: Annotated[list[StrictStr], Field(min_length=1, max_length=MAX_OPERANDS)] = Field(
        description='Chips: names of built-in profiles ("v5e"), or paths of profiles ("./chips/mychip.toml").'
    )
    kernel: Kernel = Field(description="The kernel's source.")
    params: Scalars = Field(
        default={}, description="Static parameters: names for the kernel source, index maps and expressions."
    )
    matrix: Annotated[dict[str, Values], Field(max_length=MAX_PARAMS)] = Field(
        default={}, description="Values to try for params: every combination is a variant, e.g. BM128_BN256."
    )
    variants: Annotated[list[Variant], Field(max_length=MAX_VARIANTS)] = Field(
        default=[], description="Variants with a name of their own, beside those of the matrix."
    )
    grid: Grid | None = Field(default=None, description="The iteration space. Default: a single step.")
    scalar_prefetch: Annotated[list[ScalarPrefetch], Field(max_length=MAX_OPERANDS)] = Field(
        default=[], description="Scalars that index maps may read; the kernel's first refs."
    )
    inputs: Annotated[list[Input], Field(max_length=MAX_OPERANDS)] = Field(
        default=[], description="Arrays the kernel reads."
    )
    outputs: Annotated[list[Output], Field(min_length=1, max_length=MAX_OPERANDS)] = Field(
        description="Arrays the kernel writes."
    )
    scratch: Annotated[list[Scratch], Field(max_length=MAX_OPERANDS)] = Field(
        default=[], description="Memory for the whole call; the kernel's last refs."
    )
    vmem_limit_bytes: Integer | None = Field(default=None, description="The VMEM the compiler may use, in bytes.")
    simulate: Simulate | None = Field(default=None, description="The functional run.")
    sweep: Annotated[dict[str, SweepValues], Field(max_length=MAX_PARAMS)] = Field(
        default={},
        description='What `pipeline sweep` tries: a param, or a path such as "block.x.0", "buffers.x", "grid.1" or '
        '"vmem_limit_bytes", with a list of values or a range: "64..512" doubles, "64..512:64" adds.',
    )
    transforms: Annotated[list[Literal["jvp", "grad", "vmap"]], Field(max_length=MAX_OPERANDS)] = Field(
        default=[],
        description="JAX's transformations to say of whether it makes them of this kernel, and why not; of vmap also "
        "the call that it makes.",
    )
    expect: Expect | None = Field(default=None, description="What an exhibit shows.")


# Which model checks the table at a loc, its list positions left out: for the known keys of a table.
SECTIONS: dict[tuple[str, ...], type[Table]] = {
    (): SpecFile,
    ("kernel",): Kernel,
    ("kernel", "python"): PythonFunction,
    ("grid",): Grid,
    ("scalar_prefetch",): ScalarPrefetch,
    ("scalar_prefetch", "data"): DataTable,
    ("inputs",): Input,
    ("inputs", "data"): DataTable,
    ("inputs", "block"): ElementDim,
    ("outputs",): Output,
    ("outputs", "block"): ElementDim,
    ("scratch",): Scratch,
    ("variants",): Variant,
    ("simulate",): Simulate,
    ("expect",): Expect,
}
