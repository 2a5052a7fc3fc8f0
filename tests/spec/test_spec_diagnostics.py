"""One spec for each code: the whole rendering is a golden, and the span is where the mistake stands."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from spec_texts import BASE, edited
from syrupy.assertion import SnapshotAssertion

import pipeline.spec
from pipeline.errors import Diagnostic, SpecError, render
from pipeline.spec.codes import CODES
from pipeline.spec.load import load_specs

Problems = Callable[..., tuple[Diagnostic, ...]]

KERNEL = BASE[BASE.index("source = '''") : BASE.index("[grid]")]
SECOND = "def other(x_ref, o_ref):\n    pass\n\ndef third(x_ref, o_ref):"
SCRATCH = '[[scratch]]\nname = "acc"\nkind = "vmem"\nshape = [8]\ndtype = "float32"\n\n[simulate]'
PREFETCH = '[[scalar_prefetch]]\nname = "ids"\nshape = [16]\ndtype = "int32"\n\n[[inputs]]'

# id: code and edits of BASE, or a whole text
CASES: dict[str, tuple[str, str | bytes]] = {
    "S003-binary": ("S003", b'name = "\xff"\n'),
    "S004-toml": ("S004", edited(('name = "softmax"', "name = softmax"))),
    "S004-twice": ("S004", edited(("[params]", 'name = "again"\n[params]'))),
    "S004-long-integer": ("S004", edited(("M = 4096", "M = " + "9" * 5000))),
    "S004-end": ("S004", 'name = "x'),
    "S005-deep": ("S005", edited(('targets = ["v5e", "v6e"]', "targets = " + "[" * 40 + "]" * 40))),
    "S101-key": ("S101", edited(("summary =", "sumary ="))),
    "S101-foreign": ("S101", edited(("[params]", "zzz = 1\n[params]"))),
    "S101-block-shape": ("S101", edited(('block = ["BM", 512]', 'block_shape = ["BM", 512]'))),
    "S101-elsewhere": ("S101", edited(("[grid]", "[grid]\nvmem_limit_bytes = 8388608"))),
    "S101-pallas": ("S101", edited(("[params]", "scratch_shapes = []\n[params]"))),
    "S101-other-table": ("S101", edited(("[params]", "semantics = []\n[params]"))),
    "S101-inline": ("S101", edited(("seed = 0", "sead = 0"))),
    "S101-element": ("S101", edited(('block = ["BM"', "block = [{ elment = 8 }"))),
    "S102-key": ("S102", edited(('dtype = "bfloat16"\n', ""))),
    "S102-table": ("S102", edited(("[kernel]\n" + KERNEL, ""))),
    "S102-element": ("S102", edited(('block = ["BM"', "block = [{ padding = [0, 1] }"))),
    "S103-bool": ("S103", edited(('shape = ["M", 512]', "shape = [true, 512]"))),
    "S103-float": ("S103", edited(('block = ["BM"', "block = [8.0"))),
    "S103-string": ("S103", edited(('shape = ["M", 512]', 'shape = "4096, 512"'))),
    "S103-table": ("S103", edited(("[grid]\n", "[[grid]]\n"))),
    "S103-date": ("S103", edited(('"Row softmax"', "1979-05-27 07:32:00"))),
    "S103-number": ("S103", edited(("seed = 0", "mean = false"))),
    "S103-param": ("S103", edited(("M = 4096", "M = [4096]"))),
    "S103-huge": ("S103", edited(('name = "x"', "name = 0x" + "f" * 5000))),
    "S104-rank": ("S104", edited(('block = ["BM", 512]', 'block = [8, "BM", 512]'), ("(i, 0)", "(0, i, 0)"))),
    "S105-word": ("S105", edited(('"parallel"', '"paralel"'))),
    "S105-name": ("S105", edited(('"softmax"', '"Softmax-2"'))),
    "S105-operand-name": ("S105", edited(('name = "x"', 'name = "2x"'))),
    "S105-rank": ("S105", edited(('shape = ["M", 512]', "shape = [1, 1, 1, 1, 1, 1, 1, 1, 1]"))),
    "S105-empty": ("S105", edited(('["v5e", "v6e"]', "[]"))),
    "S105-long": ("S105", edited(('"softmax"', '"' + "s" * 65 + '"'))),
    "S106-power": ("S106", edited(('"M // BM"', '"9**9**9"'))),
    "S106-name": ("S106", edited(('"M // BM"', '"M // BN"'))),
    "S106-type": ("S106", edited(('"M // BM"', '"M // OUT"'))),
    "S106-slash": ("S106", edited(('"M // BM"', '"M / BM"'))),
    "S106-call": ("S106", edited(('"M // BM"', "\"__import__('os').getpid()\""))),
    "S106-zero": ("S106", edited(('"M // BM"', '"M // (BM - 256)"'))),
    "S106-syntax": ("S106", edited(('"M // BM"', '"M //"'))),
    "S106-long": ("S106", edited(('"M // BM"', '"' + "1 + " * 100 + '1"'))),
    "S107-short": ("S107", edited(('dtype = "bfloat16"', 'dtype = "bf16"'))),
    "S107-typo": ("S107", edited(('dtype = "bfloat16"', 'dtype = "flaot32"'))),
    "S107-wide": ("S107", edited(('dtype = "bfloat16"', 'dtype = "float64"'))),
    "S107-param": ("S107", edited(('OUT = "bfloat16"', 'OUT = "half"'))),
    "S107-number": ("S107", edited(('dtype = "OUT"', 'dtype = "BM"'))),
    "S107-semaphore": ("S107", edited(('dtype = "bfloat16"', 'dtype = "dma_sem"'))),
    "S108-unknown": ("S108", edited(('"v6e"', '"v6"'))),
    "S108-twice": ("S108", edited(('"v6e"', '"v5e"'))),
    "S109-outside": ("S109", edited(('{ kind = "normal", seed = 0 }', '"../x.npy"'))),
    "S109-absolute": ("S109", edited(('{ kind = "normal", seed = 0 }', '"/etc/passwd"'))),
    "S109-missing": ("S109", edited(('{ kind = "normal", seed = 0 }', '{ kind = "file", file = "no.npy" }'))),
    "S109-null": ("S109", edited(('{ kind = "normal", seed = 0 }', '"a\\u0000.npy"'))),
    "S109-chip": ("S109", edited(('"v6e"', '"chips/none.toml"'))),
    "S109-kernel": ("S109", edited((KERNEL, 'file = "../../kernel.py"\n'))),
    "S110-zero": ("S110", edited(('"M", 512]', '"M - 4096", 512]'))),
    "S110-negative": ("S110", edited(('block = ["BM"', "block = [-8"))),
    "S110-large": ("S110", edited(('"M", 512]', '"2**31", 512]'))),
    "S110-buffers": ("S110", edited(("data =", "buffer_count = 0\ndata ="))),
    "S110-vmem": ("S110", edited(("[params]", "vmem_limit_bytes = -1\n[params]"))),
    "S111-large": ("S111", edited(('"M", 512]', '"M", "M * BM"]'))),
    "S112-zero": ("S112", edited(('"M // BM"', "0"))),
    "S112-axis": ("S112", edited(('"M // BM"', "2147483647"))),
    "S112-steps": (
        "S112",
        edited(
            ('["M // BM"]', "[65536, 65536]"),
            ('["parallel"]', '["parallel", "parallel"]'),
            ("lambda i:", "lambda i, j:"),
            ("lambda i:", "lambda i, j:"),
        ),
    ),
    "S113-words": ("S113", edited(('["parallel"]', '["parallel", "arbitrary"]'))),
    "S114-few": ("S114", edited(("lambda i:", "lambda:"))),
    "S114-many": ("S114", edited(("lambda i:", "lambda i, j:"))),
    "S114-prefetch": ("S114", edited(("[[inputs]]", PREFETCH), ("lambda i:", "lambda i, ids:"))),
    "S115-results": ("S115", edited(("(i, 0)", "(i, 0, 0)"))),
    "S116-no-block": ("S116", edited(('block = ["BM", 512]\n', ""))),
    "S116-any": ("S116", edited(("data =", 'memory_space = "any"\ndata ='), ('index_map = "lambda i: (i, 0)"\n', ""))),
    "S117-operands": ("S117", edited(('name = "o"', 'name = "x"'))),
    "S117-param": ("S117", edited(('name = "o"', 'name = "BM"'))),
    "S117-reserved": ("S117", edited(('name = "o"', 'name = "jnp"'))),
    "S118-unknown": ("S118", edited(('name = "o"', 'name = "o"\nalias = "y"'))),
    "S118-dtype": ("S118", edited(('OUT = "bfloat16"', 'OUT = "float32"'), ('name = "o"', 'name = "o"\nalias = "x"'))),
    "S118-twice": (
        "S118",
        edited(
            ('name = "o"', 'name = "o"\nalias = "x"'),
            ("[simulate]", '[[outputs]]\nname = "p"\nshape = ["M", 512]\ndtype = "OUT"\nalias = "x"\n\n[simulate]'),
        ),
    ),
    "S119-shape": ("S119", edited(("[simulate]", SCRATCH.replace("shape = [8]\n", "")))),
    "S119-dtype": ("S119", edited(("[simulate]", SCRATCH.replace("vmem", "dma_semaphore")))),
    "S120-key": ("S120", edited(("seed = 0", "low = 0"))),
    "S120-lacks": ("S120", edited(('kind = "normal"', 'kind = "integers"'))),
    "S120-order": ("S120", edited(('kind = "normal"', 'kind = "uniform", low = 1.0, high = "BM - 255"'))),
    "S120-std": ("S120", edited(("seed = 0", "std = -1.0"))),
    "S120-nan": ("S120", edited(("seed = 0", "mean = nan"))),
    "S120-whole": ("S120", edited(('kind = "normal"', 'kind = "integers", high = 1.5'))),
    "S120-count": ("S120", edited(('kind = "normal", seed = 0', "values = [1, 2]"))),
    "S120-fit": (
        "S120",
        edited(
            ('"bfloat16"\nblock', '"int8"\nblock'),
            ('["M", 512]', "[1, 2]"),
            ('kind = "normal", seed = 0', "values = [1, 128]"),
        ),
    ),
    "S121-name": ("S121", edited(("M = 4096", '"M N" = 3\nM = 4096'))),
    "S121-reserved": ("S121", edited(("M = 4096", "float32 = 3\nM = 4096"))),
    "S121-of-the-spec": ("S121", edited(("M = 4096", "vmem_limit_bytes = 8388608\nM = 4096"))),
    "S121-nan": ("S121", edited(("M = 4096", "F = nan\nM = 4096"))),
    "S121-many": (
        "S121",
        edited(("[kernel]", "[matrix]\n" + "".join(f"P{i} = [1, 2]\n" for i in range(9)) + "[kernel]")),
    ),
    "S121-same": ("S121", edited(("[kernel]", "[matrix]\nBM = [256, 256]\n[kernel]"))),
    "S121-names": ("S121", edited(("[kernel]", '[[variants]]\nname = "a"\n[[variants]]\nname = "a"\n[kernel]'))),
    "S121-unknown": (
        "S121",
        edited(("[kernel]", '[[variants]]\nname = "a"\nparams = { BN = 3 }\n[[variants]]\nname = "b"\n[kernel]')),
    ),
    "S121-long": ("S121", edited(("[kernel]", f'[matrix]\nTEXT = ["{"x" * 70}"]\n[kernel]'))),
    "S122-none": ("S122", edited((KERNEL, "\n"))),
    "S122-both": ("S122", edited((KERNEL, KERNEL.rstrip() + '\nfile = "k.py"\n'))),
    "S123-bracket": ("S123", edited(("x_ref[...]", "x_ref[..."))),
    "S123-indent": ("S123", edited(("    x = x_ref", "   x = x_ref"))),
    "S123-deep": ("S123", edited(("x_ref[...]", "-" * 100000 + "1"))),
    "S123-null": ("S123", edited((KERNEL, 'source = "def k(x):\\n  pass\\u0000"\n'))),
    "S123-escaped": ("S123", edited((KERNEL, 'source = "def k(x):\\n  x = (\\n"\n'))),
    "S124-none": ("S124", edited(("def softmax_kernel(x_ref, o_ref):", "if True:"))),
    "S124-many": ("S124", edited(("def softmax_kernel(x_ref, o_ref):", SECOND))),
    "S124-unknown": ("S124", edited(("[kernel]", '[kernel]\nfunction = "softmax_kernl"'))),
    "S125-static": ("S125", edited(("[kernel]", "[kernel]\nstatic = { eps = 1.0 }"))),
    "S126-syntax": ("S126", edited(("(i, 0)", "(i, 0"))),
    "S126-other": ("S126", edited(('"lambda i: (i, 0)"', '"(i, 0)"'))),
    "S126-reference": ("S126", edited(("lambda x: softmax", "softmax"))),
    "S126-keyword": ("S126", edited(("lambda i:", "lambda i, *, j:"))),
    "S127-form": ("S127", edited(("[simulate]", '[expect]\nerror = "lattice"\n[simulate]'))),
    "S127-none": ("S127", edited(("[simulate]", "[expect]\n[simulate]"))),
    "S127-two": ("S127", edited(("[simulate]", '[expect]\nerror = "P101"\nwarning = "P501"\n[simulate]'))),
    "S127-also": ("S127", edited(("[simulate]", '[expect]\nerror = "P101"\nalso = ["P102", "p9"]\n[simulate]'))),
    "S127-unknown": ("S127", edited(("[simulate]", '[expect]\nerror = "S998"\n[simulate]'))),
}


@pytest.mark.parametrize("case", CASES)
def test_rendering(case: str, problems: Problems, snapshot: SnapshotAssertion) -> None:
    code, text = CASES[case]
    found = problems(text)
    assert [one.code for one in found] == [code]
    assert "\n".join(map(render, found)) == snapshot


def test_yaml_syntax(problems: Problems, snapshot: SnapshotAssertion) -> None:
    texts = [
        "index_map: lambda i: (i, 0)\n",
        "a: 1\na: 2\n",
        "a: &a [*a]\n",
        "a: *b\n",
        "a: 1\n---\nb: 2\n",
        "? [a]\n: 1\n",
        "a: !!python/object:os.system ls\n",
        "a: !!int x\n",
        "a: \x00\n",
        'a: "\\ud800"\n',
        "a: " + "9" * 5000 + "\n",
        "[" * 100,
        "- 1\n",
        "# nothing\n",
    ]
    found = [render(one) for text in texts for one in problems(text, "softmax.yaml")]
    assert "\n".join(found) == snapshot


def test_files_that_cannot_be_read(
    problems: Problems, load: Callable[..., object], snapshot: SnapshotAssertion
) -> None:
    Path("folder.toml").mkdir()
    os.mkfifo("pipe.toml")
    Path("big.toml").write_text("#" * (4 << 20) + "\n")
    Path("big.yaml").write_text("#" * (1 << 18) + "\n")
    Path("long.toml").write_text(edited((KERNEL, f"source = '''{'#' * (1 << 18)}'''\n")))
    found = []
    for name in ("none.toml", "folder.toml", "pipe.toml", "big.toml", "big.yaml", "long.toml", "x.json"):
        with pytest.raises(SpecError) as caught:
            load_specs(Path(name))
        found += [render(one) for one in caught.value.diagnostics]
    assert "\n".join(found) == snapshot


def test_every_code_is_shown() -> None:
    shown = {code for code, _ in CASES.values()} | {"S001", "S002", "S006"}  # these: files, just above
    assert shown == set(CODES)


def test_every_code_raised_is_explained() -> None:
    folder = Path(next(iter(pipeline.spec.__path__)))
    raised = {
        code
        for path in folder.glob("*.py")
        if path.name != "codes.py"
        for code in re.findall(r'"(S\d{3})"', path.read_text())
    }
    assert raised == set(CODES)
    for title, explanation in CODES.values():
        assert title and len(explanation) > 60


def test_all_mistakes_at_once(problems: Problems) -> None:
    """Mistakes of form do not hide mistakes of fit."""
    text = edited(
        ("summary =", "sumary ="),
        ('dtype = "bfloat16"', 'dtype = "bf16"'),
        ('block = ["BM", 512]', 'block_shape = ["BM", 512, 1]'),
        ('"parallel"', '"paralel"'),
        ('reference = "lambda x: ', 'reference = "'),
    )
    found = {(one.code, one.span.line) for one in problems(text)}
    lines = text.split("\n")
    at = {
        key: 1 + next(i for i, line in enumerate(lines) if key in line)
        for key in ("sumary", "paralel", "bf16", "block_shape", "reference")
    }
    assert found == {
        ("S101", at["sumary"]),
        ("S105", at["paralel"]),
        ("S107", at["bf16"]),
        ("S101", at["block_shape"]),
        ("S104", at["block_shape"]),
        ("S115", at["block_shape"] + 1),
        ("S126", at["reference"]),
    }


def test_many_mistakes_are_bounded(problems: Problems) -> None:
    text = BASE.replace("[kernel]", "".join(f"k{i} = [1]\n" for i in range(5000)) + "[kernel]", 1)
    assert len(problems(text)) == 50
    assert len(problems("inputs = [" + "1," * 200_000 + "]\n" + BASE)) <= 50


def test_variants_share_a_report(problems: Problems) -> None:
    text = edited(
        ("[kernel]", "[matrix]\nBM = [0, 256, -1, 7, 0x7fffffff]\n[kernel]"), ('shape = ["M // BM"]', "shape = [16]")
    )
    found = problems(text)
    assert [one.code for one in found] == ["S110", "S110"]  # block of x, block of o
    assert found[0].details == ("in variant BM0, BM_1",)
