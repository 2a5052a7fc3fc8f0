"""What a command that works on one variant and one target chooses among a spec's."""

from __future__ import annotations

from pathlib import Path

from pipeline.spec.spec import Spec, Target


def choose_variant(specs: tuple[Spec, ...], asked: str | None) -> Spec | None:
    """The first, or the one asked for; None if there is none of that name."""
    if asked is None:
        return specs[0]
    return next((spec for spec in specs if spec.variant == asked), None)


def choose_target(spec: Spec, asked: str | None) -> Target:
    """The spec's first target, the declared one asked for, or any other profile by name or path."""
    if asked is None:
        return spec.targets[0]
    for target in spec.targets:
        if target.name == asked:
            return target
    path = Path(asked)
    return Target(path.stem, path) if path.suffix == ".toml" else Target(asked, None)
