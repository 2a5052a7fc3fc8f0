"""Where captures stand, and which names may be part of a path."""

from __future__ import annotations

import pytest

from pipeline.capture import names


def test_layout() -> None:
    assert names.capture_name("softmax", "", "trace", None) == "softmax/1-trace.jaxpr"
    assert names.capture_name("softmax", "", "lower", "v5e") == "softmax/2-lower.v5e.mlir"
    assert names.capture_name("softmax", "", "portability", "v5e") == "softmax/2-portability.v5e.txt"
    assert names.capture_name("softmax", "", "schedule", "7x") == "softmax/3-schedule.7x.txt"
    assert names.capture_name("matmul", "BM128", "simulate", "v6e") == "matmul/BM128/4-simulate.v6e.txt"
    assert names.capture_name("bad", "", "diagnostics", None) == "bad/5-diagnostics.txt"
    assert names.capture_name("bad", "", "diagnostics", "v5e") == "bad/5-diagnostics.v5e.txt"


@pytest.mark.parametrize("name", ["a", "softmax_2", "7x", "BM=128,"[:-1], "a.b-c+d", "x" * 100])
def test_good_names(name: str) -> None:
    assert names.is_name(name)


@pytest.mark.parametrize(
    "name", ["", ".", "..", ".cache", "a/b", "a\\b", "-x", "a b", "a\n", "é", "x" * 101, "a\0", "a:b"]
)
def test_bad_names(name: str) -> None:
    assert not names.is_name(name)


def test_a_path_is_never_made_of_a_bad_name() -> None:
    with pytest.raises(AssertionError):
        names.capture_name("..", "", "trace", None)
