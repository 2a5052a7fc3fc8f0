"""Loaders of spec texts, in a folder of their own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.errors import Diagnostic, SpecError
from pipeline.spec.load import load_specs
from pipeline.spec.spec import Spec


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Spec, ...]]:
    """Loads a text as softmax.toml (or another name) in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def run(text: str | bytes, name: str = "softmax.toml") -> tuple[Spec, ...]:
        path = Path(name)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return load_specs(path)

    return run


@pytest.fixture
def problems(load: Callable[..., tuple[Spec, ...]]) -> Callable[..., tuple[Diagnostic, ...]]:
    """The diagnostics a text ends in; a text without any is a wrong test."""

    def run(text: str | bytes, name: str = "softmax.toml") -> tuple[Diagnostic, ...]:
        with pytest.raises(SpecError) as caught:
            load(text, name)
        return caught.value.diagnostics

    return run
