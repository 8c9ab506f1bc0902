"""What every table of `kg.toml` and `[map]` is: settings, checked as they come in."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict

from kg.model.errors import KgError


class WrongKeys(KgError, ValueError):
    """What is wrong with some keys of a table, by their places in it."""

    def __init__(
        self, wrong: Mapping[tuple[str, ...], str] | Mapping[tuple[str | int, ...], str]
    ) -> None:
        super().__init__("; ".join(wrong.values()))
        self.wrong = wrong


class FrozenSettings(BaseModel):
    """Settings are read once and never changed."""

    model_config = ConfigDict(frozen=True, extra="forbid")
