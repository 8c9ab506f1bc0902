"""The base of every table of `kg.toml`: settings, validated when read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from kg.model.errors import KgError

# `strict`, so that neither `true` nor a string counts as a number.
UnitFraction = Annotated[float, Field(strict=True, ge=0, le=1, allow_inf_nan=False)]


class WrongKeys(KgError, ValueError):
    """The problems with some keys of a table, by their paths in it."""

    def __init__(
        self, wrong: Mapping[tuple[str, ...], str] | Mapping[tuple[str | int, ...], str]
    ) -> None:
        super().__init__("; ".join(wrong.values()))
        self.wrong = wrong


class FrozenSettings(BaseModel):
    """Settings that are read once and never changed."""

    model_config = ConfigDict(frozen=True, extra="forbid")
