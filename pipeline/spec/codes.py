"""Codes of the spec stage: title, and what it means, why, and what to do."""

from __future__ import annotations

CODES: dict[str, tuple[str, str]] = {
    "S001": (
        "a file cannot be read",
        "The file isn't there, is a folder or a device, or may not be read. Only regular files are read, so that a "
        "spec can't make the run wait for a pipe or read without end. Check the path as it is shown.",
    ),
    "S002": (
        "a file is too large",
        "Specs and kernel sources have a size limit, because a spec is read before anything is known about who wrote "
        "it. Keep arrays in .npy files beside the spec, and long kernels in a .py file named by kernel.file.",
    ),
    "S003": (
        "a file is not UTF-8 text",
        "Spec files and kernel sources are UTF-8. The message gives the offset of the first byte that isn't; save the "
        "file as UTF-8 in your editor.",
    ),
    "S004": (
        "not valid TOML or YAML",
        "The parser stopped here. In TOML a key may be set once and strings need quotes. In YAML text that holds ': ' "
        "(every lambda does) needs quotes, a key may be set once, a file is one document, and tags that make objects "
        "are refused. YAML is read by version 1.2's rules: only true and false are booleans, 0o17 is octal.",
    ),
    "S005": (
        "nested or expanded too far",
        "Arrays and tables may nest a few dozen levels, and a YAML file may hold a bounded number of values with its "
        "aliases written out. No spec needs more; a small file that unfolds to gigabytes is refused here.",
    ),
    "S006": (
        "not a spec file's name",
        "The suffix decides how a spec is read: .toml is TOML, .yaml and .yml are YAML. Rename the file.",
    ),
    "S101": (
        "unknown key",
        "The table has a key that nothing reads. It is an error because a mistyped key would otherwise be a setting "
        "silently not made. The hint names the key that is nearest, or all that the table knows.",
    ),
    "S102": (
        "missing key",
        "A spec needs name, targets, kernel and at least one output; an operand needs name, shape and dtype; scratch "
        "needs name and kind. Add the key to the table that the message points at.",
    ),
    "S103": (
        "wrong type",
        "The value is of another type than this key takes. Booleans are not integers here, a float such as 8.0 is not "
        'an integer, and a number in quotes is an expression: "8 * N" is fine for a shape, not for a name.',
    ),
    "S104": (
        "block and shape differ in rank",
        'A block has one entry for each dimension of its operand: a size, "squeezed" for one element whose dimension '
        "the ref drops, or { element = n }. A dimension that isn't blocked is written with its whole size.",
    ),
    "S105": (
        "value not allowed",
        "The value has the right type, but isn't one of the words this key knows, isn't a name that can be used, or "
        "has too many or too few entries. The message gives the limit, the hint the words.",
    ),
    "S106": (
        "wrong integer expression",
        "A string where an integer is expected is an expression over the params: integers, names of integer params, "
        "+ - * // % **, parentheses, min, max and cdiv (division rounded up). Every value on the way has to fit 64 "
        "bits. Nothing else is evaluated.",
    ),
    "S107": (
        "unknown dtype",
        'dtypes go by NumPy\'s names: "bfloat16", not "bf16"; a param may hold such a name. 64-bit types are refused, '
        "as JAX makes them 32-bit ones unless jax_enable_x64 is set, and no TPU kernel takes them.",
    ),
    "S108": (
        "unknown target",
        "A target is the name of a built-in chip profile or the path of a profile, ending in .toml, in the spec's "
        "folder or below. Captures are named by it, so each may be given once.",
    ),
    "S109": (
        "a file the spec names can't be used",
        "Kernel files, .npy data and chip profiles lie in the spec's own folder or below it, also after symbolic links "
        "are followed. That keeps a spec you were sent from reading the rest of your disk. Move or copy the file.",
    ),
    "S110": (
        "size out of range",
        "Dimensions and block entries are from 1 to 2**31 - 1: array sizes are 32-bit numbers on every target. The "
        "message gives the value, and the expression it came from.",
    ),
    "S111": (
        "operands too large to run",
        "The functional run holds all operands in memory at once, so their total is limited. What a kernel lowers to "
        "depends on its block shapes; the array can usually be made smaller without changing what is being shown.",
    ),
    "S112": (
        "grid out of range",
        "Each grid axis has at least one step, and all steps together are counted in 31 bits. Larger blocks make "
        "fewer steps.",
    ),
    "S113": (
        "dimension semantics and grid differ",
        'semantics has one word for each grid axis: "parallel" promises that its steps may run in any order or on '
        'different cores, "arbitrary" that they run in order.',
    ),
    "S114": (
        "index map takes the wrong number of parameters",
        "An index map is called with one grid index for each grid axis, then with one ref for each scalar-prefetch "
        'operand. Without a grid and scalar prefetch it takes none: "lambda: (0, 0)".',
    ),
    "S115": (
        "index map gives the wrong number of indices",
        "An index map gives one index for each block entry, in blocks (in elements for an { element = n } entry). A "
        "squeezed dimension has an index too.",
    ),
    "S116": (
        "block, index map and memory space don't go together",
        "An operand in any or hbm is handed to the kernel whole, to be copied by hand: it has no block, index map or "
        "buffer count. An index map counts in blocks, so it needs one.",
    ),
    "S117": (
        "name already taken",
        "Operands, scratch and params share one space of names, as all can be used in the kernel, in index maps and in "
        "the reference. Names that those know already (jnp, pl, ...) can't be used either.",
    ),
    "S118": (
        "wrong alias",
        "An output with an alias is written over an input's memory: the input has to exist, to have the same shape and "
        "dtype, and to be given away once.",
    ),
    "S119": (
        "scratch lacks or has too many keys",
        "Scratch of kind vmem or smem has a shape and a dtype. Semaphores have no dtype, and a shape only where there "
        "are several.",
    ),
    "S120": (
        "wrong data",
        "Each kind of data reads its own keys: normal (seed, mean, std), uniform (seed, low, high), integers (seed, "
        "low, high, where high is needed and not reached), iota (low, high), constant (value), values (values: one "
        "number for each element, the last axis fastest), file (file).",
    ),
    "S121": (
        "wrong params or variants",
        "A param's name is an identifier that means nothing else, its value a boolean, a number or a string. A "
        "variant sets params that every variant has, and all variants have different names.",
    ),
    "S122": (
        "kernel without source, or with two",
        "[kernel] gives the kernel's text either in the spec (source) or in a .py file beside it (file), or as a "
        "jaxpr's text (jaxpr), which is how `pipeline import` writes kernels of other packages.",
    ),
    "S123": (
        "the kernel is not valid Python",
        "The kernel's source is parsed by Python's own parser, which stopped here. The line and column are those of "
        "the spec file, or of the kernel file.",
    ),
    "S124": (
        "which function is the kernel",
        "The kernel is a function at the top level of the source. With one function there it is that one; with more, "
        "the one named as the spec (or with _kernel after it), or the one that kernel.function names. A kernel given "
        "as a jaxpr's text has a name only.",
    ),
    "S125": (
        "unknown static argument",
        "kernel.static fixes parameters of the kernel's function to a value; this one has no parameter of the name.",
    ),
    "S126": (
        "not a lambda",
        'Index maps and references are lambda expressions in quotes, e.g. "lambda i, j: (i, 0)". An index map may also '
        "be a jaxpr's text, which starts with a brace.",
    ),
    "S127": (
        "unknown expected code",
        '[expect] says which diagnostic an exhibit is there to show: error = "P101" for one that it must end in, '
        'warning = "P501" for one with which it passes. It names one of the two, and a code that some stage reports; '
        "findings that come with it stand in also. Else the exhibit could never pass.",
    ),
}
