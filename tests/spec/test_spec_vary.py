"""What a sweep changes of a spec, and what follows."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.errors import SpecError
from pipeline.ir.call import Blocked, Squeezed
from pipeline.spec.load import load_specs, parse_candidate
from pipeline.spec.spec import Spec, Static
from pipeline.spec.vary import links_of, parse_path, paths_of, values_of
from pipeline.trace.trace import trace

SPECS = Path(__file__).parents[2] / "specs"


def varied(name: str, settings: dict[str, Static]) -> Spec:
    path = SPECS / f"{name}.toml"
    (spec, *_) = load_specs(path)
    return parse_candidate(path.read_text(), path, spec.variant or None, settings, links_of(trace(spec)))


def blocks(spec: Spec) -> dict[str, tuple[int, ...]]:
    return {o.name: tuple(d.size for d in o.block if isinstance(d, Blocked)) for o in spec.operands if o.block}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1,2", [1, 2]),
        ("64..512", [64, 128, 256, 512]),
        ("64..500", [64, 128, 256]),
        ("64..160:32, 7", [64, 96, 128, 160, 7]),
        ("0.5,true,float32", [0.5, True, "float32"]),
        ("128x512", ["128x512"]),
        ("", []),
    ],
)
def test_values(text: str, values: list[Static]) -> None:
    assert values_of(text) == values


@pytest.mark.parametrize("text", ["9..1", "0..5", "1..5:0", "1..10000000:1"])
def test_ranges_without_use(text: str) -> None:
    with pytest.raises(ValueError):
        values_of(text)


def test_a_grid_axis_follows_its_block_and_so_do_the_others_along_it() -> None:
    spec = varied("softmax", {"block.x.0": 128})
    assert (spec.grid, blocks(spec)) == ((16,), {"x": (128, 512), "o": (128, 512)})
    spec = varied("softmax", {"block.o": "512x512"})
    assert (spec.grid, blocks(spec)) == ((4,), {"x": (512, 512), "o": (512, 512)})


def test_a_grid_that_is_set_does_not_follow() -> None:
    spec = varied("softmax", {"block.x.0": 128, "grid.0": 3})
    assert (spec.grid, blocks(spec)) == ((3,), {"x": (128, 512), "o": (256, 512)})


def test_each_axis_follows_on_its_own() -> None:
    spec = varied("matmul", {"block.a.0": 128, "BK": 256})
    (before, *_) = load_specs(SPECS / "matmul.toml")
    assert spec.grid[0] == before.grid[0] * before.operands[0].block[0].size // 128
    assert spec.grid[1] == before.grid[1]
    assert blocks(spec)["a"] == (128, 256) and blocks(spec)["b"][0] == 256 and blocks(spec)["o"][0] == 128


def test_other_paths() -> None:
    spec = varied("softmax", {"buffers.x": 1, "vmem_limit_bytes": 1 << 20})
    assert spec.operands[0].buffer_count == 1 and spec.operands[1].buffer_count is None
    assert spec.vmem_limit_bytes == 1 << 20


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"block.x.0": 128, "block.o.0": 64}, "asks for 32 steps of grid axis 0"),
        ({"block.x": "128"}, "takes 2 sizes"),
        ({"block.x.0": 0}, "whole number"),
        ({"buffers.x": "two"}, "whole number"),
        ({"grid.0": 1.5}, "whole number"),
    ],
)
def test_what_does_not_fit(settings: dict[str, Static], words: str) -> None:
    with pytest.raises(SpecError) as found:
        varied("softmax", settings)
    assert found.value.diagnostics[0].code == "C114" and words in found.value.diagnostics[0].message


def test_paths_name_what_there_is() -> None:
    (spec, *_) = load_specs(SPECS / "softmax.toml")
    paths = paths_of(spec)
    assert paths == ["block.x", "block.o", "buffers.x", "buffers.o", "grid.0", "vmem_limit_bytes"]
    assert all(parse_path(path, spec) is not None for path in paths)
    for wrong in ("block.y", "block.x.2", "block.x.-1", "block.x.0.0", "grid.1", "grid.", "buffers.x.0", "x", "block"):
        assert parse_path(wrong, spec) is None, wrong


def test_a_squeezed_dimension_has_no_size() -> None:
    (spec, *_) = load_specs(SPECS / "normalise" / "group_norm.toml")
    name, at = next(
        (o.name, at) for o in spec.operands for at, dim in enumerate(o.block or ()) if isinstance(dim, Squeezed)
    )
    with pytest.raises(SpecError, match="squeezed"):
        varied("normalise/group_norm", {f"block.{name}.{at}": 8})
