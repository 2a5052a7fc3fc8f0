"""The specs of this repository, for checks that go through all of them."""

from __future__ import annotations

from pathlib import Path

from pipeline.chips.chip import Chip
from pipeline.chips.load import load_target
from pipeline.cli.discover import find_specs
from pipeline.spec.load import load_specs
from pipeline.spec.spec import Spec, Target
from pipeline.stages import applies

SPECS = Path(__file__).resolve().parents[2] / "specs"


def shipped_specs(folder: Path = SPECS) -> list[Spec]:
    """Every variant of every spec file under `folder` that JAX can trace too, by path and then in the file's order."""
    return [spec for spec in _all_specs(folder) if not _has_no_trace(spec) and not _is_text_alone(spec)]


def untraceable_specs(folder: Path = SPECS) -> list[Spec]:
    """The exhibits of what the trace refuses: no later stage, and no compiler, has anything to say about them."""
    return [spec for spec in _all_specs(folder) if _has_no_trace(spec)]


def _has_no_trace(spec: Spec) -> bool:
    return spec.expect is not None and spec.expect.startswith("T")


def _is_text_alone(spec: Spec) -> bool:
    """A kernel as a jaxpr's text that does not say which Python it is from: there is nothing for JAX to trace."""
    return spec.kernel.is_jaxpr and spec.kernel.python is None


def _all_specs(folder: Path) -> list[Spec]:
    found, _ = find_specs([str(folder)])
    paths = [Path(path) for path in found]
    if not paths:
        raise AssertionError(f"no spec files under {folder}")
    return [spec for path in paths for spec in load_specs(path)]


def spec_id(spec: Spec) -> str:
    """`softmax`, or `matmul-small` for a variant."""
    return f"{spec.name}-{spec.variant}" if spec.variant else spec.name


def chip_targets(spec: Spec) -> list[Target]:
    """The spec's targets that are chips: those the TPU compilers can be asked about."""
    return [target for target in spec.targets if isinstance(load_target(target), Chip)]


def is_lowered(spec: Spec) -> bool:
    """Whether any of the spec's targets has a lowered form."""
    return any(applies("lower", target) for target in spec.targets)
