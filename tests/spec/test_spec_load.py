"""What a spec file becomes: every field, variants, data, code positions, files; and that nothing crashes the loader."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from spec_texts import BASE, edited, toml_file

from pipeline.dtypes import BF16, DMA_SEM, F32, I32, SEM
from pipeline.errors import Diagnostic, Source, SpecError, render
from pipeline.ir.call import Blocked, Element, Role, Squeezed
from pipeline.ir.jaxpr import MemorySpace
from pipeline.spec.load import load_specs, parse_specs
from pipeline.spec.spec import Code, Spec

SPECS = Path(__file__).parents[2] / "specs"

Load = Callable[..., tuple[Spec, ...]]
Problems = Callable[..., tuple[Diagnostic, ...]]

FULL = """\
name = "full"
targets = ["v5e", "chips/mine.toml"]
vmem_limit_bytes = "64 * 2**20"

[params]
N = 64
B = 8
T = "int32"
scale = 0.5
causal = true

[kernel]
file = "kernels/k.py"
function = "second"
static = { block = "B", mode = "fast", scale = 2.0 }

[grid]
shape = ["cdiv(N, B)", 2]
semantics = ["parallel", "arbitrary"]

[[scalar_prefetch]]
name = "ids"
shape = ["N"]
dtype = "T"
data = { kind = "integers", high = "N", seed = 7 }

[[inputs]]
name = "x"
shape = [4, "N", 128]
dtype = "float32"
block = ["squeezed", { element = "B", padding = [0, "B // 2"] }, 128]
index_map = "lambda i, j, ids: (j, ids[i], 0)"
buffer_count = 3
memory_space = "vmem"
data = "data/x.npy"

[[inputs]]
name = "y"
shape = [16]
dtype = "uint8"
memory_space = "hbm"

[[outputs]]
name = "o"
shape = [16]
dtype = "uint8"
memory_space = "hbm"
alias = "y"

[[scratch]]
name = "acc"
kind = "vmem"
shape = ["B", 128]
dtype = "float32"

[[scratch]]
name = "count"
kind = "smem"
shape = [1]
dtype = "T"

[[scratch]]
name = "dma"
kind = "dma_semaphore"
shape = [2]

[[scratch]]
name = "sem"
kind = "semaphore"

[simulate]
reference = '''
lambda ids, x, y: (
    x
)
'''
"""


@pytest.fixture
def full(load: Load) -> Spec:
    for name, text in (
        ("kernels/k.py", "def first(a):\n    pass\n\n\ndef second(a, *, block, mode, scale):\n    pass\n"),
        ("data/x.npy", ""),
        ("chips/mine.toml", ""),
    ):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    (spec,) = load(FULL, "full.toml")
    return spec


def test_every_field(full: Spec) -> None:
    assert (full.name, full.variant, full.summary) == ("full", "", "")
    assert [(one.name, one.path) for one in full.targets] == [("v5e", None), ("mine", Path("chips/mine.toml"))]
    assert full.vmem_limit_bytes == 64 << 20
    assert full.params == {"N": 64, "B": 8, "T": "int32", "scale": 0.5, "causal": True}
    assert full.kernel.function == "second"
    assert full.kernel.static_args == (("block", 8), ("mode", "fast"), ("scale", 2.0))
    assert full.kernel.code.origin.name == "kernels/k.py"
    assert full.grid == (8, 2)
    assert full.semantics == ("parallel", "arbitrary")
    ids, x, y, o = full.operands
    assert (ids.role, ids.shape, ids.dtype, ids.space) == (Role.SCALAR_PREFETCH, (64,), I32, MemorySpace.SMEM)
    assert (ids.data.kind, ids.data.low, ids.data.high, ids.data.seed) == ("integers", 0, 64, 7)
    assert (x.role, x.shape, x.dtype, x.space) == (Role.INPUT, (4, 64, 128), F32, MemorySpace.VMEM)
    assert x.block == (Squeezed(), Element(8, (0, 4)), Blocked(128))
    assert x.index_map is not None and x.index_map.text == "lambda i, j, ids: (j, ids[i], 0)"
    assert x.buffer_count == 3
    assert (x.data.kind, x.data.file) == ("file", Path("data/x.npy"))
    assert (y.block, y.index_map, y.space) == (None, None, MemorySpace.HBM)
    assert (o.role, o.loc) == (Role.OUTPUT, ("outputs", 0))
    assert full.aliases == ((2, 0),)
    assert [(one.name, one.shape, one.dtype, one.space) for one in full.scratch] == [
        ("acc", (8, 128), F32, MemorySpace.VMEM),
        ("count", (1,), I32, MemorySpace.SMEM),
        ("dma", (2,), DMA_SEM, MemorySpace.SEMAPHORE),
        ("sem", (), SEM, MemorySpace.SEMAPHORE),
    ]
    assert full.files == (Path("kernels/k.py"), Path("data/x.npy"))
    assert full.expect is None


def excerpt(code: Code, line: int, column: int, width: int) -> str:
    """The characters of the file that a place in the code's text maps to."""
    span = code.span(line, column, column + width)
    assert span.source is not None and span.end_column is not None
    return (span.source.line(span.line) or "")[span.column - 1 : span.end_column - 1]


def test_code_maps_to_the_file(full: Spec) -> None:
    assert full.reference is not None
    assert excerpt(full.reference, 2, 5, 1) == "x"
    assert full.reference.span(2, 5).line == FULL.split("\n").index("    x") + 1
    index_map = full.operands[1].index_map
    assert index_map is not None and excerpt(index_map, 1, 20, 3) == "j, "
    assert excerpt(full.kernel.code, 5, 5, 6) == "second"


@pytest.mark.parametrize(
    ("source", "line", "column", "text"),
    [
        ("source = '''\ndef k(x, o):\n    abc\n'''", 2, 5, "abc"),
        ("source = '''def k(x, o):\n    abc\n'''", 2, 5, "abc"),
        ("source = '''\n\n  def k(x, o):\n      abc\n  '''", 3, 5, "abc"),
        ('source = """\ndef k(x, o):\n    abc\n"""', 1, 5, "k(x"),
        ('source = "def k(x, o): abc"', 1, 14, "abc"),
        ("source = 'def k(x, o): abc'", 1, 14, "abc"),
        ('source = """\ndef k(x, o):\n    a = "\\\\t"\n    abc\n"""', 3, 5, "abc"),
    ],
)
def test_kernel_positions_in_toml(source: str, line: int, column: int, text: str, load: Load) -> None:
    start, end = BASE.index("source = '''"), BASE.index("\n[grid]")
    (spec,) = load(BASE[:start] + source + "\n" + BASE[end:])
    assert excerpt(spec.kernel.code, line, column, 3) == text


@pytest.mark.parametrize(
    ("source", "line", "column", "text"),
    [
        ("source: |\n    def k(x):\n        abc\n", 2, 5, "abc"),
        ("source: |2-\n      def k(x):\n          abc\n", 2, 5, "abc"),
        ("source: |  # a comment\n\n    def k(x):\n        abc\n", 3, 5, "abc"),
        ('source: "def k(x): abc"\n', 1, 11, "abc"),
        ("source: 'def k(x): abc'\n", 1, 11, "abc"),
    ],
)
def test_kernel_positions_in_yaml(source: str, line: int, column: int, text: str, load: Load) -> None:
    rest = "outputs:\n- {name: o, shape: [8], dtype: float32}\n"
    (spec,) = load(f"name: k\ntargets: [v5e]\nkernel:\n  {source}{rest}", "k.yaml")
    assert excerpt(spec.kernel.code, line, column, 3) == text


def test_escaped_code_points_at_the_value(load: Load) -> None:
    (spec,) = load(edited(('"lambda i: (i, 0)"', '"lambda i: (i,\\u00200)"')))
    index_map = spec.operands[0].index_map
    assert index_map is not None and index_map.text == "lambda i: (i, 0)"
    assert index_map.span(1, 12) == spec.locate("inputs", 0, "index_map")


def test_variants_of_a_matrix(load: Load) -> None:
    text = edited(
        (
            "[kernel]",
            '[matrix]\nBM = [128, 256]\nOUT = ["float32", "bfloat16"]\nflag = [true]\n'
            '[[variants]]\nname = "odd"\nparams = { BM = 512, flag = false }\n[kernel]',
        )
    )
    specs = load(text)
    assert [one.variant for one in specs] == [
        "BM128_OUTfloat32_flagtrue",
        "BM128_OUTbfloat16_flagtrue",
        "BM256_OUTfloat32_flagtrue",
        "BM256_OUTbfloat16_flagtrue",
        "odd",
    ]
    assert [one.grid for one in specs] == [(32,), (32,), (16,), (16,), (8,)]
    assert [one.operands[1].dtype for one in specs] == [F32, BF16, F32, BF16, BF16]
    assert specs[-1].params["flag"] is False


def test_variant_without_a_matrix_value(problems: Problems) -> None:
    text = edited(("[kernel]", '[matrix]\nextra = [1]\n[[variants]]\nname = "odd"\n[kernel]'))
    assert [one.code for one in problems(text)] == ["S121"]


def test_default_data(load: Load) -> None:
    inputs = "".join(
        f'[[inputs]]\nname = "in_{dtype}"\nshape = [8]\ndtype = "{dtype}"\n\n'
        for dtype in ("float32", "int8", "uint8", "bool")
    )
    prefetch = '[[scalar_prefetch]]\nname = "s"\nshape = [1]\ndtype = "int32"\n\n'
    with_s = ("lambda i:", "lambda i, s:")
    text = edited(("[[outputs]]", inputs + prefetch + "[[outputs]]"), with_s, with_s)
    (spec,) = load(text)
    data: dict[str, tuple[object, ...]] = {
        one.name: (one.data.kind, one.data.seed, one.data.low, one.data.high) for one in spec.operands
    }
    assert data["in_float32"] == ("normal", 1, None, None)
    assert data["in_int8"] == ("integers", 2, -8, 8)
    assert data["in_uint8"] == ("integers", 3, 0, 16)
    assert data["in_bool"] == ("integers", 4, 0, 2)
    assert data["s"][0] == "constant"


def test_data_given_one_by_one(load: Load) -> None:
    prefetch = '[[scalar_prefetch]]\nname = "s"\nshape = [3]\ndtype = "int32"\ndata = { values = [2, 0, 1] }\n\n'
    with_s = ("lambda i:", "lambda i, s:")
    (spec,) = load(edited(("[[outputs]]", prefetch + "[[outputs]]"), with_s, with_s))
    assert (spec.operands[0].data.kind, spec.operands[0].data.values) == ("values", (2, 0, 1))


@pytest.mark.parametrize("name", ["softmax", "softmax_kernel"])
def test_kernel_named_as_the_spec_is_found(name: str, load: Load) -> None:
    text = edited(("def softmax_kernel", f"def helper(x):\n    return x\n\ndef {name}"))
    assert load(text)[0].kernel.function == name


def test_static_of_a_function_with_any_keywords(load: Load) -> None:
    (spec,) = load(
        edited(("(x_ref, o_ref):", "(x_ref, o_ref, **rest):"), ("[kernel]", "[kernel]\nstatic = { eps = 1.0 }"))
    )
    assert spec.kernel.static_args == (("eps", 1.0),)


def test_index_map_with_any_parameters(load: Load) -> None:
    assert load(edited(("lambda i:", "lambda *i:")))
    assert load(edited(("lambda i:", "lambda i, j=0:")))


def test_unnamed_files_and_links_outside_are_refused(
    load: Load, problems: Problems, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "x.npy").write_text("")
    os.symlink(outside, "link")
    text = edited(('{ kind = "normal", seed = 0 }', '"link/x.npy"'))
    (found,) = problems(text)
    assert found.code == "S109" and "outside" in found.message
    os.symlink("inner.npy", "alias.npy")
    Path("inner.npy").write_text("")
    assert load(text.replace("link/x.npy", "alias.npy"))[0].files == (Path("alias.npy"),)


def test_kernel_file_problems(problems: Problems) -> None:
    start, end = BASE.index("source = '''"), BASE.index("\n[grid]")
    text = BASE[:start] + 'file = "k.py"\n' + BASE[end:]
    for content, code in ((b"def k(x:\n", "S123"), (b"\xff", "S003"), (b"x" * (1 << 18), "S002")):
        Path("k.py").write_bytes(content)
        (found,) = problems(text)
        assert found.code == code
    Path("k.py").write_bytes(b"\xef\xbb\xbf\r\n\r\ndef k(x:\r\n")
    (found,) = problems(text)
    assert (found.span.source and found.span.source.name, found.span.line) == ("k.py", 3)


def test_line_ends_and_byte_order_mark(load: Load) -> None:
    plain = load(BASE)[0]
    other = load(b"\xef\xbb\xbf" + BASE.replace("\n", "\r\n").encode())[0]
    assert plain == replace(other, locate=plain.locate)


def test_the_names_of_files_are_as_given(tmp_path: Path) -> None:
    path = tmp_path / "sub" / "x.toml"
    path.parent.mkdir()
    path.write_text(BASE.replace("softmax", "Softmax", 1))
    with pytest.raises(SpecError) as caught:
        load_specs(path)
    assert render(caught.value.diagnostics[0]).startswith(f"{path}:1:8: error[S105]")


@pytest.mark.parametrize("path", sorted([*SPECS.glob("*.toml"), *SPECS.glob("*.yaml")]), ids=lambda path: path.name)
def test_shipped_specs_load(path: Path) -> None:
    for spec in load_specs(path):
        assert spec.name == path.stem


def without_places(spec: Spec) -> Spec:
    """A Spec that is equal for equal contents, wherever they were read from."""
    nowhere = Source("", "")

    def plain(code: Code | None) -> Code | None:
        return None if code is None else Code(code.text, nowhere)

    kernel_code = plain(spec.kernel.code)
    assert kernel_code is not None
    return replace(
        spec,
        kernel=replace(spec.kernel, code=kernel_code),
        operands=tuple(replace(one, index_map=plain(one.index_map)) for one in spec.operands),
        reference=plain(spec.reference),
        source=nowhere,
        locate=lambda *loc: None,  # type: ignore[arg-type]
    )


SIZES = st.one_of(st.integers(1, 64), st.sampled_from(["N", "N // 2", "cdiv(N, 3)"]))
DATA = st.one_of(
    st.fixed_dictionaries({"kind": st.just("normal")}, optional={"seed": st.integers(0, 99), "mean": st.floats(-9, 9)}),
    st.fixed_dictionaries({"kind": st.just("integers"), "high": st.integers(1, 99)}),
    st.fixed_dictionaries({"kind": st.just("constant"), "value": st.floats(allow_nan=False)}),
)


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    """Good specs of many forms, as plain data."""
    grid = draw(st.lists(SIZES, max_size=2))
    arguments = "".join(f"g{i}, " for i in range(len(grid)))

    def operand(name: str) -> dict[str, Any]:
        shape = draw(st.lists(SIZES, max_size=3))
        one: dict[str, Any] = {"name": name, "shape": shape, "dtype": draw(st.sampled_from(["float32", "int8", "T"]))}
        if draw(st.booleans()):
            entries = st.one_of(SIZES, st.just("squeezed"), st.just({"element": 8, "padding": [0, "N"]}))
            one["block"] = [draw(entries) for _ in shape]
            one["index_map"] = f"lambda {arguments}*s: ({'0, ' * len(shape)})"
        else:
            one["memory_space"] = draw(st.sampled_from(["default", "any", "hbm", "vmem", "smem"]))
        return one

    document: dict[str, Any] = {
        "name": "twin",
        "summary": draw(st.text("ab: #'\"\\\n-é", max_size=12)),
        "targets": draw(st.sampled_from([["v5e"], ["v6e", "v5e"]])),
        "params": {"N": draw(st.integers(2, 99)), "T": "bfloat16", "on": draw(st.sampled_from([True, 1.5, "no", -3]))},
        "kernel": {"source": "def k(*refs, a=0):\n    if a:\n        pass\n", "static": {"a": "on"}},
        "inputs": [operand(f"x{i}") | {"data": draw(DATA)} for i in range(draw(st.integers(0, 2)))],
        "outputs": [operand("o")],
        "scratch": [{"name": "acc", "kind": "vmem", "shape": [draw(SIZES)], "dtype": "T"}],
    }
    if grid:
        document["grid"] = {"shape": grid}
    if draw(st.booleans()):
        document["matrix"] = {
            "N": [2, 64],
            "extra": draw(st.lists(st.integers(0, 9), min_size=1, max_size=2, unique=True)),
        }
    return document


@given(documents())
@settings(max_examples=60, deadline=None)
def test_toml_and_yaml_twins_load_to_equal_specs(document: dict[str, Any]) -> None:
    toml = parse_specs(toml_file(document), Path("twin.toml"))
    block_style = yaml.safe_dump(document, sort_keys=False, allow_unicode=True)
    for text in (json.dumps(document, ensure_ascii=False), block_style):
        others = parse_specs(text.replace("Infinity", ".inf"), Path("twin.yaml"))
        assert len(toml) == len(others)
        for one, other in zip(map(without_places, toml), map(without_places, others), strict=True):
            assert one == replace(other, locate=one.locate)


def test_shipped_twins_are_equal() -> None:
    (toml,), (yaml,) = load_specs(SPECS / "bias_gelu.toml"), load_specs(SPECS / "bias_gelu_yaml.yaml")
    one, other = without_places(toml), without_places(yaml)
    assert one == replace(other, name=one.name, summary=one.summary, locate=one.locate)


@given(st.one_of(st.text(), st.binary()), st.sampled_from(["a.toml", "a.yaml"]))
@settings(max_examples=200, deadline=None)
def test_no_text_crashes_the_loader(content: str | bytes, name: str) -> None:
    text = content if isinstance(content, str) else content.decode("latin-1")
    with pytest.raises(SpecError):
        parse_specs(text, Path(name))


@given(st.data(), st.booleans())
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_damage_crashes_the_loader(data: st.DataObject, as_yaml: bool) -> None:
    """A good spec with pieces cut out, copied or replaced."""
    text = (SPECS / "bias_gelu_yaml.yaml").read_text() if as_yaml else FULL
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 40)))
        piece = data.draw(
            st.one_of(
                st.just(""),
                st.text(max_size=5),
                st.just(text[start:end] * 2),
                st.sampled_from(
                    [
                        "[",
                        "]",
                        "{",
                        "}",
                        '"',
                        "'''",
                        "\n",
                        "[[inputs]]\n",
                        "null",
                        "true",
                        "1e999",
                        "- ",
                        "*a",
                        "&a ",
                        "|",
                        "''",
                        "0x" + "f" * 99,
                        "1.5",
                    ]
                ),
            )
        )
        text = text[:start] + piece + text[end:]
    try:
        parse_specs(text, Path("a.yaml" if as_yaml else "a.toml"))
    except SpecError as error:
        assert error.diagnostics
        for one in error.diagnostics:
            assert one.span.line >= 1 and one.span.column >= 1
            assert render(one)
