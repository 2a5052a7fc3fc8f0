"""The form of a chip profile's file, as pydantic models; which facts exist is `fields.py`, merging is `load.py`."""

from __future__ import annotations

from typing import Literal, Union

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictInt, StrictStr

_FORBID = ConfigDict(extra="forbid", frozen=True)


class FactModel(BaseModel):
    """One fact: a value with its unit and source, or `unknown = true` to drop an inherited one."""

    model_config = _FORBID

    value: Union[StrictInt, StrictFloat, StrictStr, list[StrictStr], None] = None
    unit: StrictStr | None = None
    source: StrictStr | None = None
    note: StrictStr | None = None
    unknown: StrictBool = False


class MatmulModel(BaseModel):
    """Operand types that the matrix unit path takes: every pair of `lhs` and `rhs`."""

    model_config = _FORBID

    lhs: list[StrictStr] = Field(min_length=1, max_length=32)
    rhs: list[StrictStr] = Field(min_length=1, max_length=32)
    accumulator: StrictStr
    native: StrictBool
    source: StrictStr


Facts = dict[str, FactModel]


class ProfileModel(BaseModel):
    """A profile's file. With `extends`, what is not stated is the base profile's."""

    model_config = _FORBID

    name: StrictStr = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$")
    kind: Literal["tpu", "interpret", "triton"] | None = None
    summary: StrictStr | None = Field(default=None, max_length=500)
    extends: StrictStr | None = None
    costs: StrictStr | None = None
    ops: StrictStr | None = None
    sources: dict[str, StrictStr] = Field(default_factory=dict)
    core: Facts = Field(default_factory=dict)
    vector: Facts = Field(default_factory=dict)
    matrix: Facts = Field(default_factory=dict)
    rows_per_cycle: Facts = Field(default_factory=dict)
    memory: Facts = Field(default_factory=dict)
    peak: Facts = Field(default_factory=dict)
    slots: Facts = Field(default_factory=dict)
    cycles: Facts = Field(default_factory=dict)
    overhead: Facts = Field(default_factory=dict)
    dtypes: Facts = Field(default_factory=dict)
    features: FactModel | None = None
    matmul: list[MatmulModel] = Field(default_factory=list, max_length=200)
