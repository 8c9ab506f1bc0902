"""The word that the strength alone gives a claim, the same in every command and on every page.

| for and against                                  | word                                    |
|--------------------------------------------------|-----------------------------------------|
| neither side carries weight                      | open                                    |
| within .03 of the middle                         | evenly balanced                         |
| odds below 3:2, both sides carry weight          | contested                               |
| odds below 3:2, only one side does               | thinly supported, thinly refuted        |
| odds from 3:2                                    | leans supported, leans refuted          |
| odds from 3:1                                    | supported, refuted                      |
| odds from 20:1                                   | strongly supported, strongly refuted    |

A side carries weight from ¼ nat of reasons on. The bounds are settings (`Reasoning`); 3:1 and
20:1 are those of Kass and Raftery (JASA 1995).

Records call it `word`. What trials leave of it is the sureness of the answer: `sureness_words`.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning.graph.arrays import ROUNDING, Floats, Ints

NO_SIDE = 0


class StrengthWord(enum.StrEnum):
    """The word for the strength alone of a claim. Evidence has a `quality_phrase`."""

    UNSETTLED = "not settled"
    OPEN = "open"
    EVEN = "evenly balanced"
    CONTESTED = "contested"
    THINLY_REFUTED = "thinly refuted"
    THINLY_SUPPORTED = "thinly supported"
    LEANS_REFUTED = "leans refuted"
    LEANS_SUPPORTED = "leans supported"
    REFUTED = "refuted"
    SUPPORTED = "supported"
    STRONGLY_REFUTED = "strongly refuted"
    STRONGLY_SUPPORTED = "strongly supported"

    __repr__ = str.__repr__  # answers printed in Python show the plain word

    @property
    def is_thin(self) -> bool:
        """Whether it takes a side for which little speaks."""
        return self in _THIN

    @property
    def is_strong(self) -> bool:
        """Whether no word is stronger."""
        return self in _STRONG


# pairs of words against and for, from the weakest on
_THIN = (StrengthWord.THINLY_REFUTED, StrengthWord.THINLY_SUPPORTED)
_LEANS = (StrengthWord.LEANS_REFUTED, StrengthWord.LEANS_SUPPORTED)
_PLAIN = (StrengthWord.REFUTED, StrengthWord.SUPPORTED)
_STRONG = (StrengthWord.STRONGLY_REFUTED, StrengthWord.STRONGLY_SUPPORTED)
_BY_VALUE = {word.value: word for word in StrengthWord}
_SIDES = {
    word: side
    for pair in (_THIN, _LEANS, _PLAIN, _STRONG)
    for side, word in zip((-1, 1), pair, strict=True)
}


class WeighingOutcome(NamedTuple):
    """The numbers that determine the word for a statement: its strength (0 to 1), and the reasons
    for and against it in nats, the log-odds of its own base included.
    """

    strength: float
    pro: float
    con: float


def strength_word(outcome: WeighingOutcome | Floats, settings: Reasoning) -> StrengthWord:
    """Return the word that the strength alone gives for a claim's outcome, or for a column of a
    table of them.
    """
    strength, pro, con = map(float, outcome)
    if math.isnan(strength):
        return StrengthWord.UNSETTLED
    if max(pro, con) < settings.open_below - ROUNDING:
        return StrengthWord.OPEN
    if is_even(strength, settings):
        return StrengthWord.EVEN
    strength_of_side = max(strength, 1.0 - strength)
    is_for = bool(strength > 0.5)
    if strength_of_side < settings.contested_below - ROUNDING:
        has_both = min(pro, con) >= settings.open_below - ROUNDING
        return StrengthWord.CONTESTED if has_both else _THIN[is_for]
    if strength_of_side < settings.leaning_below - ROUNDING:
        return _LEANS[is_for]
    return _PLAIN[is_for] if strength_of_side < settings.strong_from - ROUNDING else _STRONG[is_for]


def find_strength_word(word: str) -> StrengthWord | None:
    """The `StrengthWord` with this text; `None` for the quality of a piece of evidence."""
    return _BY_VALUE.get(word)


def render_strength(strength: float, settings: Reasoning) -> str:
    """A strength to two places; `just under 0.60` where these would put it on the wrong side of a
    word's bound by these settings. The scales of the site follow this rule, too (“strengthInWords”
    in site/assets/weigh.js).
    """
    places = _least_places(strength, settings, 2)
    if places == 2:
        return f"{strength:.2f}"
    return f"just {'under' if round(strength, 2) > strength else 'over'} {strength:.2f}"


def strength_in_table(strength: float | None) -> str:
    """A strength for a table that also shows its word. It has three places, or as many more as show
    on which side of a word's bound it is; the bounds are the default ones.
    """
    if strength is None:
        return "–"
    return f"{strength:.{_least_places(strength, Reasoning(), 3)}f}"


def _least_places(strength: float, settings: Reasoning, minimum: int) -> int:
    """Return how many places, at least `minimum`, leave a strength on its side of each word's
    bound.
    """
    bounds = [settings.contested_below, settings.leaning_below, settings.strong_from]
    bounds.append(0.5 + settings.even_within)

    def sides_of_bounds(number: float) -> list[bool]:
        return [max(number, 1.0 - number) >= bound - ROUNDING for bound in bounds]

    places = (
        n
        for n in range(minimum, 9)
        if sides_of_bounds(round(strength, n)) == sides_of_bounds(strength)
    )
    return next(places, 9)


def side_of(word: str) -> int:
    """1 for a word that says supported, -1 for one that says refuted, 0 for any other."""
    claim_word = find_strength_word(word)
    return _SIDES.get(claim_word, NO_SIDE) if claim_word else NO_SIDE


def sides_of_outcomes(outcomes: Floats, settings: Reasoning) -> Ints:
    """`side_of(strength_word(…))` for each column of a table (3 × outcomes) at once."""
    strength, pro, con = outcomes
    sign = np.sign(strength - 0.5)
    distance = np.abs(strength - 0.5)
    threshold = settings.open_below - ROUNDING
    is_contested = (distance < settings.contested_below - ROUNDING - 0.5) & (
        np.minimum(pro, con) >= threshold
    )
    is_even_balance = distance < settings.even_within - ROUNDING
    is_decided = ~(
        is_even_balance | is_contested | (np.maximum(pro, con) < threshold) | np.isnan(strength)
    )
    return np.where(is_decided, np.nan_to_num(sign), 0.0).astype(np.int64)


def is_even(strength: float, settings: Reasoning) -> bool:
    """Return whether a strength is so near the middle that almost anything would move it across."""
    return abs(strength - 0.5) < settings.even_within - ROUNDING


def quality_phrase(base: float, strength: float, openings: Sequence[float] = ()) -> str:
    """The quality of a piece of evidence, and what objections to it and to its links leave of
    that: `quality 0.55, 0.10 after objections`.

    `openings` say how far each edge that starts from it is open.
    """
    if math.isnan(strength):
        return StrengthWord.UNSETTLED
    base_text, strength_text = f"{base:.2f}", f"{strength:.2f}"
    is_raised = base_text != strength_text and strength > base
    is_lowered = base_text != strength_text and strength < base
    by_links = sorted(strength * each for each in openings if each < 1.0 - ROUNDING)
    by_links_text = " to ".join(dict.fromkeys(f"{s:.2f}" for s in by_links[:1] + by_links[-1:]))
    if by_links_text == strength_text:  # what two decimals do not show
        by_links_text = ""
    are_all_reduced = len(by_links) == len(openings)
    parts = [f"quality {base_text}"]
    if is_raised:
        parts.append(f"{strength_text} with support")
    if is_lowered and not (by_links_text and are_all_reduced):
        parts.append(strength_text)
    if by_links_text:
        where = "" if are_all_reduced else f" on {len(by_links)} of {len(openings)} links"
        parts.append(by_links_text + where)
    return ", ".join(parts) + (" after objections" if is_lowered or by_links_text else "")
