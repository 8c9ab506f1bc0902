"""`[quality]` of `kg.toml`: the ladder by which evidence is graded, validated when read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, model_validator

from kg.model.settings.frozen_settings import FrozenSettings, UnitFraction, WrongKeys
from kg.text.spelling import most_similar_name

METHOD_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_TOO_SIMILAR = 0.85  # share of letters in common from which a name is a misspelling, no new method


METHOD_POINTS: Mapping[str, float] = {
    "meta-analysis": 4.0,
    "registered-replication": 4.0,
    "experiment": 3.0,
    "benchmark": 2.5,
    "observational": 2.0,
    "survey": 2.0,
    "qualitative": 1.5,
    "review": 1.5,
    "argument": 1.0,
    "demonstration": 0.5,
    "anecdote": 0.5,
}
SAMPLE_POINTS: Mapping[str, float] = {
    "people": 0.25,
    "conversations": 0.15,
    "items": 0.15,
    "models": 0.0,
    "unknown": 0.0,
}
SEEN_IN_POINTS: Mapping[str, float] = {
    "primary": 0.0,
    "secondary": -0.5,
    "note-page": -1.0,
    "not-seen": -1.5,
}
SEEN_IN_CEILINGS: Mapping[str, float] = {
    "primary": 1.0,
    "secondary": 0.5,
    "note-page": 0.2,
    "not-seen": 0.1,
}
FiniteNumber = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Gain = Annotated[float, Field(strict=True, ge=0, le=100, allow_inf_nan=False)]
Loss = Annotated[float, Field(strict=True, ge=-100, le=0, allow_inf_nan=False)]


def _unknown_word_message(word: str, defaults: Mapping[str, float]) -> str:
    close = most_similar_name(word, defaults)
    hint = f"did you mean {close!r}?" if close else f"there are {', '.join(defaults)}"
    return f"there is no {word!r}: {hint}"


def _method_name_problem(word: str, defaults: Mapping[str, float]) -> str:
    """Explain why a method cannot have this name; empty if it can."""
    if is_new_method_name(word):
        return ""
    close = most_similar_name(word, defaults)
    hint = f"did you mean {close!r}? A" if close else "a"
    shape = f"{hint} new name has lower-case letters, digits and hyphens"
    return f"no method can be called {word!r}: {shape}"


def _merge_into(
    defaults: Mapping[str, float],
    noun: str = "words",
    why_not: Callable[[str, Mapping[str, float]], str] = _unknown_word_message,
) -> BeforeValidator:
    """A validator that merges a table into the defaults, so that other words keep theirs."""

    def merge(table: object) -> Any:
        if not isinstance(table, Mapping):
            raise ValueError(f"should be a table of {noun} and numbers")
        new = [str(word) for word in table if word not in defaults]
        wrong: dict[tuple[str, ...], str] = {
            (word,): problem for word in new if (problem := why_not(word, defaults))
        }
        if wrong:
            raise WrongKeys(wrong)
        return {**defaults, **table}

    return BeforeValidator(merge)


def is_new_method_name(word: str) -> bool:
    """Return whether `word` can name a new method: neither the name of another method nor close to
    one.
    """
    return METHOD_NAME.fullmatch(word) is not None and not most_similar_name(
        word, METHOD_POINTS, _TOO_SIMILAR
    )


class QualityLadder(FrozenSettings):
    """The ladder that turns what a piece of evidence records into its quality.

    `methods` are the points where methods start, in `kg.toml` called `kinds`; a table there is
    merged into the defaults, and may add methods. `sample` is what a tenfold sample of a class
    adds, `p` what tenfold odds of evidence add, `seen` the cost of not having read the source, and
    `seen_at_most` the highest base of such a finding, whatever it records.
    """

    methods: Annotated[
        dict[str, FiniteNumber], _merge_into(METHOD_POINTS, "methods", _method_name_problem)
    ] = Field(default=dict(METHOD_POINTS), alias="kinds")
    unrecorded: FiniteNumber = 1.5
    sample: Annotated[dict[str, Gain], _merge_into(SAMPLE_POINTS)] = dict(SAMPLE_POINTS)
    p: Gain = 0.5
    replication: Gain = 0.5
    failed_replication: Loss = -1.0
    peer_reviewed: Gain = 0.25
    preregistered: Gain = 0.25
    serious_concern: Loss = -0.5
    very_serious_concern: Loss = -1.0
    seen: Annotated[dict[str, Loss], _merge_into(SEEN_IN_POINTS)] = dict(SEEN_IN_POINTS)
    seen_at_most: Annotated[dict[str, UnitFraction], _merge_into(SEEN_IN_CEILINGS)] = dict(
        SEEN_IN_CEILINGS
    )
    lowest: Gain = 0.25
    highest: Gain = 4.75
    top: Annotated[float, Field(strict=True, gt=0, le=100, allow_inf_nan=False)] = 5.0

    @model_validator(mode="after")
    def _check_ladder(self) -> QualityLadder:
        if not self.lowest < self.highest <= self.top:
            raise ValueError(
                "lowest must be below highest, and highest no more than top; here they are "
                f"{self.lowest:g}, {self.highest:g} and {self.top:g}"
            )
        starts: dict[tuple[str, ...], float] = {("unrecorded",): self.unrecorded}
        starts |= {("kinds", name): points for name, points in self.methods.items()}
        wrong = {
            place: f"{place[-1]} = {points:g} is not on the ladder, which goes from lowest "
            f"({self.lowest:g}) to highest ({self.highest:g})"
            for place, points in starts.items()
            if not self.lowest <= points <= self.highest
        }
        if wrong:
            raise WrongKeys(wrong)
        return self


def render_ladder(ladder: QualityLadder) -> str:
    """`ladder` as TOML with every key, to copy into `kg.toml`."""
    plain = ladder.model_dump(by_alias=True)
    tables = {key: value for key, value in plain.items() if isinstance(value, dict)}
    lines = ["[quality]"]
    lines += [f"{key} = {value!r}" for key, value in plain.items() if key not in tables]
    for key, words in tables.items():
        lines += [
            "",
            f"[quality.{key}]",
            *(f"{word} = {points!r}" for word, points in words.items()),
        ]
    return "\n".join(lines) + "\n"
