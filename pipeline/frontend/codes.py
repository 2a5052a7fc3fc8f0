"""The front end's codes: F1xx, for kernels that come from the user's own Python by way of JAX."""

from __future__ import annotations

CODES: dict[str, tuple[str, str]] = {
    "F100": (
        "JAX is not installed",
        'Tracing a Python function takes JAX, which is an extra: pip install "kernel-pipeline[jax]". A spec that has '
        "been imported doesn't need it: it holds the kernel as a jaxpr's text.",
    ),
    "F101": (
        "the Python module cannot be imported",
        "The part before the colon is a module's name as in an import statement, found in the current folder too, or "
        "the path of a .py file. Importing it ran into the error shown.",
    ),
    "F102": (
        "there is no such Python function",
        "The part after the colon is a function of the module, or an attribute path to one, e.g. "
        "ops:attention.forward.",
    ),
    "F103": (
        "wrong argument",
        'Arguments are written as JAX prints avals, "bf16[8,1024,128]", separated by blanks. What an array holds when '
        'the kernel is run can be said with it: "i32[4]=constant(512)", "=integers(0,16)", "=uniform(0,1)", '
        '"=normal(0,1)", "=iota", "=values(1,2,3)". Numbers that are no arrays are given with --static NAME=VALUE.',
    ),
    "F104": (
        "JAX cannot trace the function",
        "JAX called the function with the arguments given and it raised the error shown. Check shapes and dtypes, and "
        "whether an argument has to be static.",
    ),
    "F105": (
        "the function calls no kernel",
        "Nothing in the function's trace is a pallas_call. It may choose another path on machines without a TPU: "
        "import the function that calls the kernel itself.",
    ),
    "F106": (
        "a primitive of the kernel is not supported",
        "The kernel, or one of its index maps, uses a JAX primitive that no stage here knows. All of them are listed, "
        "each with the lines of Python that it comes from.",
    ),
    "F107": (
        "the kernel cannot be written as a spec",
        "JAX's trace holds something that specs have no form for, e.g. a copy to another device or a block dimension "
        "of bounded size. The message says what.",
    ),
    "F108": (
        "the function has fewer kernels",
        "kernel.python.call counts the kernels that the function calls, from 1. It has fewer than that; the function "
        "may have changed since the import.",
    ),
    "F110": (
        "the import has nowhere to go",
        "-o names the spec file to write, ending in .toml, whose stem becomes the spec's name. A file that is there is "
        "written over with --force only.",
    ),
    "F111": (
        "the spec cannot be verified",
        'Verifying needs the real compilers, the extra [oracle]: pip install "kernel-pipeline[oracle]". A spec that '
        "holds its kernel as a jaxpr's text can be held against JAX only where kernel.python says which function it "
        "comes from; and a target has to be a TPU that the compiler knows.",
    ),
    "F109": (
        "the spec names Python that is not run unasked",
        "A spec whose kernel is only a Python function's name makes the pipeline import and call that function. Specs "
        "are read from anywhere, so this happens only where PIPELINE_TRUST_PYTHON=1 is set in the environment. Better "
        "still, run `pipeline import` once: the spec it writes holds the kernel itself and runs no Python.",
    ),
}
