"""The built-in profiles, and what happens to profiles that are wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import tomli

import pipeline.chips.load
from pipeline.chips.abilities import load_abilities
from pipeline.chips.chip import Chip, PortableTarget
from pipeline.chips.costs import load_costs
from pipeline.chips.load import list_chips, load_chip, load_target
from pipeline.chips.matrix import print_matrix
from pipeline.chips.model import ProfileModel
from pipeline.chips.profile import make_profile
from pipeline.chips.text import print_chip
from pipeline.dtypes import BF16, F32
from pipeline.errors import SpecError, render
from pipeline.spec.spec import Target

MIB = 1 << 20


CHIPS = ("7x", "v2", "v3", "v4", "v5e", "v5p", "v6e")
COSTED = ("7x", "v4", "v5e", "v5p", "v6e")  # the others have no table of what instructions cost


def test_the_targets_there_are() -> None:
    assert list_chips() == ("7x", "interpret", "triton", "v2", "v3", "v4", "v5e", "v5p", "v6e")
    assert [name for name in list_chips() if isinstance(load_target(name), Chip)] == list(CHIPS)


def test_a_target_that_is_no_chip_states_no_facts(tmp_path: Path) -> None:
    assert load_target("interpret") == PortableTarget("interpret", "interpret", load_target("interpret").summary)
    with pytest.raises(SpecError, match=r"P007.*not a chip"):
        load_chip("interpret")
    assert print_chip(load_target("interpret")).endswith("kind interpret: no chip, so no facts\n")
    text = 'name = "mine"\nkind = "interpret"\nextends = "v5e"\n'
    found = mistakes(profile(tmp_path, "mine", text))
    assert any("a target of kind 'interpret' is no chip: its profile has no 'core'" in one for one in found)
    assert any("has no 'matmul'" in one for one in found)


@pytest.mark.parametrize(
    ("name", "default", "physical", "scratch", "cores"),
    [
        ("v2", 16 * MIB, 16 * MIB, 36864, 2),
        ("v3", 16 * MIB, 16 * MIB, 36864, 2),
        ("v4", 16 * MIB, 16 * MIB, 36864, 2),
        ("v5e", 16 * MIB, 128 * MIB, 36864, 1),
        ("v5p", 16 * MIB, 64 * MIB - 65536, 36864, 2),
        ("v6e", 32 * MIB, 128 * MIB - 65536, 73728, 1),
        ("7x", 32 * MIB, 64 * MIB, 73728, 2),
    ],
)
def test_vmem_as_the_compiler_counts_it(name: str, default: int, physical: int, scratch: int, cores: int) -> None:
    chip = load_chip(name)
    assert (chip.vmem_default_limit_bytes, chip.vmem_bytes) == (default, physical)
    assert (chip.internal_scratch_bytes, chip.cores) == (scratch, cores)


@pytest.mark.parametrize("name", list_chips())
def test_built_in_profiles_have_the_form_that_loading_takes_for_granted(name: str) -> None:
    file = Path(pipeline.chips.load.__file__).with_name(f"{name}.toml")
    data = tomli.loads(file.read_text(encoding="utf-8"))
    model, made = ProfileModel.model_validate(data), make_profile(data)
    for key in ("name", "kind", "summary", "extends", "costs", "sources"):
        assert getattr(made, key) == getattr(model, key)
    for section, facts in made.facts.items():
        assert {key: one._asdict() for key, one in facts.items()} == {
            key: one.model_dump() for key, one in getattr(model, section).items()
        }
    assert [row._asdict() for row in made.matmul] == [row.model_dump() for row in model.matmul]
    features = None if made.features is None else made.features._asdict()
    assert features == (None if model.features is None else model.features.model_dump())
    assert load_target(name, thorough=True) == load_target(name)


def test_thorough_loading_finds_a_built_in_profile_that_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = Path(pipeline.chips.load.__file__).with_name("v5e.toml").read_text(encoding="utf-8")
    (tmp_path / "odd.toml").write_text("surprise = 1\n" + text.replace("v5e", "odd"), encoding="utf-8")
    monkeypatch.setattr("pipeline.chips.load._HERE", tmp_path)
    with pytest.raises(SpecError, match="surprise"):
        load_chip("odd", thorough=True)


def test_the_same_profile_beside_a_spec_is_checked(tmp_path: Path) -> None:
    """A user's copy of a built-in profile gives the same chip, and a mistake in it is found."""
    built_in = Path(pipeline.chips.load.__file__).with_name("v5e.toml")
    text = built_in.read_text(encoding="utf-8")
    (tmp_path / "v5e.toml").write_text(text, encoding="utf-8")
    assert replace(load_chip(str(tmp_path / "v5e.toml")), costs=None, ops=None) == replace(
        load_chip("v5e"), costs=None, ops=None
    )
    (tmp_path / "v5e.toml").write_text("surprise = 1\n" + text, encoding="utf-8")
    with pytest.raises(SpecError, match="surprise"):
        load_chip(str(tmp_path / "v5e.toml"))


@pytest.mark.parametrize("name", CHIPS)
def test_every_fact_cites_a_source_in_words(name: str) -> None:
    chip = load_chip(name)
    sources = dict(chip.sources)
    assert chip.facts
    for fact in chip.facts:
        assert len(sources[fact.source]) > 20
    assert (load_costs(chip) is not None) == (name in COSTED)
    shown = print_chip(chip)
    assert shown.endswith("\n")
    assert all(f"  {fact.name} " in shown for fact in chip.facts)


@pytest.mark.parametrize("name", CHIPS)
def test_derived_clocks_agree_with_peaks(name: str) -> None:
    """Peak bfloat16 = cores x units x size x size x rows a cycle x 2 x clock, to the two digits the sources give."""
    chip = load_chip(name)
    rows = dict(chip.mxu_rows_per_cycle)["bfloat16"]
    assert chip.clock_hz is not None
    made = chip.cores * chip.mxu_count * chip.mxu_size**2 * rows * 2 * chip.clock_hz
    peak = chip.peak("bfloat16")
    assert peak is not None
    assert made == pytest.approx(peak, rel=0.01)  # SB gives v5e's clock as "about" 1.5 GHz


def test_what_a_profile_extends_it_can_change_and_drop() -> None:
    v6e, seven = load_chip("v6e"), load_chip("7x")
    assert seven.lanes == v6e.lanes
    assert seven.latency("lane_reduce") != v6e.latency("lane_reduce")
    assert (v6e.peak("int8"), seven.peak("int8")) == (1836e12, None)
    assert (v6e.latency("dma_wait"), seven.latency("dma_wait")) == (7, None)
    assert v6e.hbm_bytes_per_cycle == pytest.approx(936, rel=1e-3)


def test_dtypes_by_unit() -> None:
    assert BF16 not in load_chip("v5e").vector_dtypes
    assert BF16 in load_chip("v6e").vector_dtypes
    assert all(F32 in load_chip(name).transcendental_dtypes for name in CHIPS)
    pairs = {(m.lhs.name, m.rhs.name): m for m in load_chip("v4").matmuls}
    assert ("int8", "int8") not in pairs
    assert not {(m.lhs.name, m.rhs.name): m for m in load_chip("7x").matmuls}["int8", "int8"].native


def profile(folder: Path, name: str, text: str) -> Path:
    path = folder / f"{name}.toml"
    path.write_text(text)
    return path


def load(path: Path) -> Chip:
    return load_chip(Target(path.stem, path))


def mistakes(path: Path) -> list[str]:
    with pytest.raises(SpecError) as caught:
        load(path)
    texts = [render(diagnostic) for diagnostic in caught.value.diagnostics]
    return [text.replace(str(path.parent), "chips") for text in texts]


def test_a_profile_of_ones_own(tmp_path: Path) -> None:
    path = profile(
        tmp_path,
        "small",
        """extends = "v5e"
name = "small"

[sources]
ME = "made up for this test"

[memory]
vmem = { value = 8, unit = "MiB", source = "ME" }
vmem_default_limit = { value = 4096, unit = "KiB", source = "ME", note = "half" }
""",
    )
    chip = load(path)
    assert (chip.name, chip.vmem_bytes, chip.vmem_default_limit_bytes) == ("small", 8 * MIB, 4 * MIB)
    assert chip.generation == load_chip("v5e").generation
    profile(tmp_path, "smaller", 'extends = "./small.toml"\nname = "smaller"\n')
    assert load_chip(str(tmp_path / "smaller.toml")).vmem_bytes == 8 * MIB
    assert replace(load(path), name="v5e", vmem_bytes=0).costs == load_chip("v5e").costs


def test_all_mistakes_of_a_profile_are_reported_at_their_places(tmp_path: Path) -> None:
    path = profile(
        tmp_path,
        "wrong",
        """extends = "v5e"
name = "wrong"

[memory]
vmem = { value = 16, unit = "MHz", source = "AOT" }
smem = { value = 1, unit = "MiB", source = "XYZ" }
vmme = { value = 16, unit = "MiB", source = "AOT" }
hbm = { value = -1, unit = "GiB", source = "GC" }
hbm_available = { unit = "GiB", source = "GC" }

[dtypes]
vector = { value = ["float33"], source = "AOT" }
""",
    )
    found = mistakes(path)
    assert [text.split("\n")[0] for text in found] == [
        "chips/wrong.toml:5:8: error[P004]: memory.vmem: is given in 'MHz', not a unit of bytes",
        "chips/wrong.toml:6:8: error[P004]: memory.smem: cites source 'XYZ', not in [sources]",
        "chips/wrong.toml:7:8: error[P004]: [memory] of a chip profile has no 'vmme'",
        "chips/wrong.toml:8:7: error[P004]: memory.hbm: -1 GiB is outside 0..1.1259e+15 (in base units)",
        "chips/wrong.toml:9:17: error[P004]: memory.hbm_available: has no value",
        "chips/wrong.toml:12:10: error[P004]: dtypes.vector: there is no dtype 'float33'",
    ]
    assert "did you mean 'vmem'?" in found[2]


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("name = ", "P003", "not valid TOML"),
        ("name = [", "P003", "not valid TOML"),
        ('name = "x"\nextra = 1\n', "P004", "a chip profile has no 'extra'"),
        ('name = "x"\nkind = "cpu"\n', "P004", "'kind' is not what a chip profile takes here"),
        ('name = "x"\n[memory]\nvmem = 16\n', "P004", "'memory.vmem' is not what a chip profile takes here"),
        ('name = "x"\n[memory]\nvmem = { value = true, unit = "B", source = "A" }\n', "P004", "'memory.vmem.value'"),
        ('name = "x"\n[memory]\nvmem = { value = nan, unit = "B", source = "A" }\n[sources]\nA = ""\n', "P004", "nan"),
        ('name = "y"\n', "P004", "the profile is called 'y', its file 'x.toml'"),
        ('summary = "no name"\n', "P004", "'name' is missing"),
        ('name = "x"\n', "P006", "does not state core.generation"),
        ('extends = "v9"\nname = "x"\n', "P001", "there is no chip 'v9'"),
        ('extends = "/etc/x.toml"\nname = "x"\n', "P004", "'extends' is an absolute path"),
        ('extends = "../x.toml"\nname = "x"\n', "P004", "'extends' lies outside the profile's folder"),
        ('extends = "v5e"\ncosts = "../x.toml"\nname = "x"\n', "P004", "'costs' lies outside the profile's folder"),
        ('extends = "./gone.toml"\nname = "x"\n', "P001", "there is no chip profile at"),
        ('extends = "./x.toml"\nname = "x"\n', "P005", "x -> x"),
        ('name = "x"\nextends = "v5e"\n[[matmul]]\nlhs = ["int9"]\nrhs = ["int8"]\naccumulator = "int32"\n'
         'native = true\nsource = "TI"\n', "P004", "there is no dtype 'int9'"),
    ],
)  # fmt: skip
def test_wrong_profiles(tmp_path: Path, text: str, code: str, said: str) -> None:
    found = mistakes(profile(tmp_path, "x", text))
    assert any(f"error[{code}]" in one and said in one for one in found), found


def test_a_long_chain_of_profiles_ends(tmp_path: Path) -> None:
    for i in range(12):
        profile(tmp_path, f"c{i}", f'extends = "./c{i + 1}.toml"\nname = "c{i}"\n')
    (found,) = mistakes(tmp_path / "c0.toml")
    assert "error[P005]: profiles extend each other over more than 8 files" in found


def test_unreadable_profiles(tmp_path: Path) -> None:
    (tmp_path / "b.toml").write_bytes(b"\xff\xfe")
    assert "error[P002]" in mistakes(tmp_path / "b.toml")[0]
    (tmp_path / "big.toml").write_text("#" * (1 << 20) + "\n")
    assert "error[P002]" in mistakes(tmp_path / "big.toml")[0]
    assert "error[P001]" in mistakes(tmp_path)[0]
    (tmp_path / "deep.toml").write_text("name = " + "[" * 100_000)
    assert "error[P003]" in mistakes(tmp_path / "deep.toml")[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[ops]\n", "does not say where it comes from"),
        ('source = "s"\n[ops]\n"arith.addf" = { valu = "1" }\n', "no row of unit-cycles"),
        ('source = "s"\n[ops]\n"arith.addf" = { vaul = 1 }\n', "no row of unit-cycles"),
        ('source = "s"\nother = 1\n', "a cost table has no 'other'"),
        ("source = ", "not valid TOML"),
    ],
)
def test_wrong_cost_tables(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "x.costs.toml").write_text(text)
    path = profile(tmp_path, "x", 'extends = "v5e"\nname = "x"\ncosts = "x.costs.toml"\n')
    with pytest.raises(SpecError) as caught:
        load_costs(load(path))
    assert said in render(caught.value.diagnostics[0])


def test_a_table_of_ops_says_what_a_feature_adds() -> None:
    v4, v5e = (load_abilities(load_chip(name)) for name in ("v4", "v5e"))
    assert v4 is not None and v5e is not None
    assert v5e.takes("arith.cmpi eq", "i8") and not v4.takes("arith.cmpi eq", "i8")
    assert v5e.casts("arith.extui", "i1", "i8") and not v4.casts("arith.extui", "i1", "i8")
    assert v5e.takes("an op nobody lists", "i8") and not v5e.takes("arith.addi", "i8")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[accepts]\n", "does not say where it comes from"),
        ('source = "me"\n[accepts]\n"arith.addf" = "f32"\n', "is no list of elements"),
        ('source = "me"\n[accepts]\n[surprise]\n', "has no 'surprise'"),
        ('source = "me"\naccepts = 3\n', "is no table"),
        ('source = "me"\nneeds = 3\n', "is no table of features"),
        ("source = \n", "not valid TOML"),
    ],
)
def test_a_wrong_table_of_ops_is_reported(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "x.ops.toml").write_text(text)
    path = profile(tmp_path, "x", 'extends = "v5e"\nname = "x"\nops = "x.ops.toml"\n')
    with pytest.raises(SpecError, match=message):
        load_abilities(load(path))


def test_the_matrix_shows_what_chips_take_and_groups_those_alike() -> None:
    text = print_matrix([load_chip(name) for name in ("v4", "v5e", "v5p")])
    assert [line for line in text.splitlines() if line and not line.startswith(" ")] == ["v4", "v5e, v5p"]
    v4, v5e = text.split("v5e, v5p\n")
    for block, marks in ((v4, ("-", "-")), (v5e, ("yes", "yes"))):
        [head] = [line.split() for line in block.splitlines() if line.startswith("  op")]
        [row] = [line for line in block.splitlines() if line.startswith("  eq, ne")]
        cells = dict(zip(head[1:], row.removeprefix("  eq, ne").split(), strict=True))
        assert (cells["i8"], cells["u8"]) == marks
        assert cells["f32"] == cells["bf16"] == "yes" and cells["i4"] == "-"
    assert "i8  -> i32  by i8" in " ".join(v5e.split()).replace("i8 ->", "i8  ->").replace("i32 by", "i32  by")


def test_a_profile_without_a_table_of_ops_has_no_ops_to_show() -> None:
    assert "names no table of ops" in print_matrix([replace(load_chip("v5e"), ops=None)])
