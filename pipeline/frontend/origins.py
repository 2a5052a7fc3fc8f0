"""Which line of the user's Python an equation comes from, as JAX remembers it: `attention.py:41`.

Only the file's own name is kept: a spec says nothing of the machine it was imported on.
"""

from __future__ import annotations

import os
from functools import lru_cache
from typing import Any

# parts of the jax package that build kernels on behalf of an author; pallas/ops holds kernels, so it counts as one
_MACHINERY = ("jax/_src/", "jax/numpy/", "jax/lax/", "jax/nn/", "jax/experimental/pallas/__", "jaxlib/")

_OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def origin_of(source_info: Any) -> str | None:
    """`file.py:line` of the innermost frame that is the author's; None where there is none."""
    traceback = source_info.traceback
    if traceback is None:
        return None
    code, lasti = traceback.raw_frames()
    for i, frame in enumerate(code):
        if _is_author(frame.co_filename):
            return f"{_file_name(frame.co_filename)}:{_line(frame, lasti[i])}"
    return None


def raised_at(error: BaseException) -> tuple[str | None, str]:
    """Of an exception, `file.py:line` of the innermost frame that is the author's, and the text of that line."""
    import linecache

    found: tuple[str | None, str] = None, ""
    step = error.__traceback__
    while step is not None:
        path = step.tb_frame.f_code.co_filename
        if _is_author(path) and not path.startswith(_OURS):
            text = linecache.getline(path, step.tb_lineno).strip()
            found = f"{_file_name(path)}:{step.tb_lineno}", text[:200]
        step = step.tb_next
    return found


@lru_cache(maxsize=4096)
def _line(code: Any, lasti: int) -> int:
    from jaxlib import _jax  # the same mapping that JAX's own messages use

    return int(_jax.Traceback.code_addr2line(code, lasti))


@lru_cache(maxsize=1024)
def _is_author(path: str) -> bool:
    name = path.replace(os.sep, "/")
    if name.startswith("<") or any(part in name for part in _MACHINERY):
        return False
    return not name.startswith(os.path.dirname(os.__file__).replace(os.sep, "/") + "/functools")


@lru_cache(maxsize=1024)
def _file_name(path: str) -> str:
    name = os.path.basename(path)
    return "".join(c if c.isalnum() or c in "._-" else "_" for c in name) or "unknown"
