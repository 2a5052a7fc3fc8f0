"""Checks against a Dask cluster. They run only where they are asked for: `pytest tests/dask`.

Without the `[dask]` extra they fail; nothing here is skipped.
"""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave this folder out of a plain run, which must not need Dask."""
    asked = (Path(config.invocation_params.dir, arg.partition("::")[0]).resolve() for arg in config.args)
    return None if any(path == HERE or HERE in path.parents for path in asked) else True
