"""Settings of reasoning: what a relation weighs, and from which strength each word applies."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from kg.model.settings.frozen_settings import FrozenSettings, UnitFraction, WrongKeys

Nats = Annotated[float, Field(strict=True, ge=0, le=10)]
AboveHalf = Annotated[float, Field(strict=True, gt=0.5, lt=1)]
ORDERS = (
    ("weak", "moderate"),
    ("contested_below", "leaning_below"),
    ("leaning_below", "strong_from"),
)


class Reasoning(FrozenSettings):
    """The settings for strengths, and for the words that they get, such as "supported".

    All are conventions of this program, not findings; `docs/how-strength-is-computed.md`
    says what each does, and `docs/conventions.md` gives its range and its unit: `thin_below`
    counts sources of equal weight, `prima_facie` is a base. `repeat` is
    what a source's second, third … finding on the same side of a claim each still count, `budget`
    how many edges one answer may weigh.
    """

    semantics: Literal["logistic", "qe", "dfquad", "euler", "eulertop", "hcat"] = "logistic"
    loops: Literal["cautious", "sum"] = "cautious"
    transfer: Literal["routes", "earned", "plain"] = "routes"
    gain: float = Field(default=1.0, strict=True, ge=0.1, le=10)
    repeat: UnitFraction = 0.0
    moderate: UnitFraction = 0.6
    weak: UnitFraction = 0.3
    qualifies: UnitFraction = 0.3
    open_below: Nats = 0.25
    even_within: float = Field(default=0.03, strict=True, ge=0, lt=0.5)
    contested_below: AboveHalf = 0.6
    leaning_below: AboveHalf = 0.75
    strong_from: AboveHalf = 20 / 21
    believed: float = Field(default=0.6, strict=True, ge=0.5, lt=1)
    thin_below: float = Field(default=1.5, strict=True, ge=0, le=100)
    both_sides: UnitFraction = 0.02
    attack_from: float = Field(default=0.5, strict=True, gt=0, le=1)
    prima_facie: UnitFraction = 0.3
    budget: int = Field(default=16_000_000, strict=True, ge=0, le=1_000_000_000)

    @model_validator(mode="after")
    def _check_order(self) -> Reasoning:
        wrong: dict[tuple[str, ...], str] = {}
        if 0.5 + self.even_within >= self.contested_below:
            sum_of_both = (
                f"½ plus even_within ({self.even_within:g}) must be less than contested_below"
            )
            wrong[self._conflicting_key("even_within", "contested_below"),] = (
                f"{sum_of_both} ({self.contested_below:g})"
            )
        for low, high in ORDERS:
            low_value = getattr(self, low)
            high_value = getattr(self, high)
            if low_value > high_value or (low_value == high_value and low != "weak"):
                bound = "no more than" if low == "weak" else "less than"
                wrong[self._conflicting_key(low, high),] = (
                    f"{low} ({low_value:g}) must be {bound} {high} ({high_value:g})"
                )
        if wrong:
            raise WrongKeys(wrong)
        return self

    def _conflicting_key(self, low: str, high: str) -> str:
        """Return the one of two conflicting keys that the file sets."""
        return low if low in self.model_fields_set else high

    @property
    def follows_routes(self) -> bool:
        """Whether sources are followed along their routes."""
        return follows_routes(self.transfer, self.semantics)


def follows_routes(transfer: str, semantics: str) -> bool:
    """Return whether these settings follow sources along their routes; only logistic semantics
    can.
    """
    return transfer == "routes" and semantics == "logistic"
