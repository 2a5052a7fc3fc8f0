"""Reads a .npy named by a spec. The file is untrusted: its header is checked against the spec before any data is."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pipeline.errors import SpecError
from pipeline.simulate.numerics.dtypes import numpy_dtype
from pipeline.spec.spec import Data, SpecOperand

_HEADER_LIMIT = 10_000  # bytes; an honest header takes some hundred


def read_npy(data: Data, operand: SpecOperand) -> Any:
    """The array in `data.file`, which must have the operand's shape and dtype.

    bf16 and fp8 have no name in the format: NumPy writes them as raw bytes of their width, and so they are read.
    Errors: SpecError R201 (not a readable .npy), R202 (shape or dtype differ from the spec's).
    """
    assert data.file is not None
    name = data.file.name
    want = numpy_dtype(operand.dtype)
    count = math.prod(operand.shape)
    try:
        with data.file.open("rb") as file:
            shape, fortran, dtype = _header(file)
            start = file.tell()
            if dtype.hasobject:
                raise SpecError("R201", f"{name} holds Python objects, which are never loaded", data.span,
                                hint="save plain numbers")  # fmt: skip
            raw = dtype.kind == "V" and dtype.itemsize == want.itemsize and want.kind == "V"
            if tuple(shape) != operand.shape or not (raw or dtype == want or dtype.newbyteorder("=") == want):
                raise SpecError(
                    "R202",
                    f"{name} holds {dtype} of shape {tuple(shape)}, but operand '{operand.name}' is {operand.dtype} of "
                    f"shape {operand.shape}", data.span, hint="save the array in the operand's shape and dtype",
                )  # fmt: skip
            size = count * dtype.itemsize
            file.seek(0, 2)
            if file.tell() - start != size:
                raise SpecError(
                    "R201", f"{name} has {file.tell() - start} bytes of data where its header promises {size}",
                    data.span, hint="the file is cut short, or is no .npy; save it again",
                )  # fmt: skip
            file.seek(start)
            flat = np.frombuffer(file.read(size), dtype)
    except OSError as error:
        raise SpecError("R201", f"{name} cannot be read: {error.strerror}", data.span) from None
    array = flat.view(want) if raw else flat.astype(want)
    return array.reshape(operand.shape, order="F" if fortran else "C")


def _header(file: Any) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    fmt = np.lib.format
    try:
        version = fmt.read_magic(file)
        read = {(1, 0): fmt.read_array_header_1_0, (2, 0): fmt.read_array_header_2_0}.get(version)
        if read is None:
            raise ValueError
        return read(file, max_header_size=_HEADER_LIMIT)
    except OSError:
        raise
    except Exception:  # a broken header ends in many kinds of exception
        raise _NotNpy from None


class _NotNpy(OSError):
    """Turned into R201 by the caller."""

    def __init__(self) -> None:
        super().__init__(0, "it is no .npy of format 1.0 or 2.0")
