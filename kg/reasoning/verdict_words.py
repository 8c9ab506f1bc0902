"""From numbers to words: one table, the same in every command and on every page.

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

Records hold these words. Pages and commands show people one scale, `SURENESS`, which also says
how far the answer may be relied on; `sureness_in_words` adds its side. For hypothetical cases
tables show the most that the strength allows: `sureness_cap_in_words`.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning.graph.arrays import ROUNDING, Floats, Ints


class Word(enum.StrEnum):
    """What the strength of a claim is called. A piece of evidence has a `quality_phrase`."""

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
        """Whether no word is firmer."""
        return self in _STRONG


class WordLimit(enum.StrEnum):
    """Why an answer is called no surer than it is, in a few words that files and pages show."""

    NONE = ""
    UNSETTLED = "no stable strength"
    OPEN = "little bears on it"
    EVEN = "both sides are even"
    CONTESTED = "weight on both sides"
    THIN = "the reasons are thin"
    TOO_LOW = "strength too low"  # as with most claims that have a side
    NOT_STURDY = "a little could undo it"
    ONE_SOURCE = "hangs on one source"  # without it the answer leaves its side
    ONE_TEAM = "hangs on one team"
    ONE_GROUP = "hangs on works that count as one source"
    TRIALS = "turns in trials"
    NO_RULE_AGREES = "no other way of weighing agrees"
    RULE_OPPOSED = "another way of weighing says the opposite"
    RULE_UNDECIDED = "another way of weighing leaves it undecided"
    PREMISE = "no surer than what it depends on"
    TOO_MANY_PREMISES = "depends on more claims than are tried"

    __repr__ = str.__repr__

    @property
    def besides_strength(self) -> str:
        """Its words, if claims of the same strength may be called surer; else empty."""
        return "" if self is WordLimit.TOO_LOW else self.value

    @property
    def clause(self) -> str:
        """Its words as a clause: `it hangs on one source`."""
        has_verb = self in (*HANGS, WordLimit.TRIALS, WordLimit.TOO_MANY_PREMISES)
        subject = "it is " if self is WordLimit.PREMISE else "it " if has_verb else ""
        return subject + self


HANGS = (WordLimit.ONE_SOURCE, WordLimit.ONE_TEAM, WordLimit.ONE_GROUP)
RULES_APART = (WordLimit.NO_RULE_AGREES, WordLimit.RULE_OPPOSED, WordLimit.RULE_UNDECIDED)
"""Limits of an answer that does not come out on its side by all other rules, the gravest first."""

# pairs of words against and for, from the least firm on
_THIN = (Word.THINLY_REFUTED, Word.THINLY_SUPPORTED)
_LEANS = (Word.LEANS_REFUTED, Word.LEANS_SUPPORTED)
_PLAIN = (Word.REFUTED, Word.SUPPORTED)
_STRONG = (Word.STRONGLY_REFUTED, Word.STRONGLY_SUPPORTED)
NO_SIDE = 0
_SIDES = {
    word: side
    for pair in (_THIN, _LEANS, _PLAIN, _STRONG)
    for side, word in zip((-1, 1), pair, strict=True)
}
_LIMITS = {
    **dict.fromkeys(_THIN, WordLimit.THIN),
    **dict.fromkeys(_STRONG, WordLimit.NONE),
    **{Word[name]: WordLimit[name] for name in ("UNSETTLED", "OPEN", "EVEN", "CONTESTED")},
}
_WORDS = {word.value: word for word in Word}
LEANING = "undecided, leaning towards"
BARELY = 0.05
"""Strength beyond a bound that is remarked on: a small change of grades takes an answer back."""
LEAST_KEPT, FRAGILE_BELOW, STURDY_FROM = 0.5, 0.8, 0.95
"""Fractions of trials on the answer's side: below the first it only leans, below the second it is
fragile, below the third not sturdy."""
SURENESS = {
    "undecided": "neither side has it, or it depends on a claim that is undecided",
    LEANING: "one side has it, but in fewer than half of the trials",
    "perhaps": "the reasons are thin, or it falls without some single independent "
    f"source, in more than {1 - FRAGILE_BELOW:.0%} of the trials, or by one of the other rules",
    "very probably": "almost all that has weight is on one side, and it stands without any two "
    "independent sources, against one new study of the highest quality, whichever single claim is "
    f"settled, and in {STURDY_FROM:.0%} of the trials",
    "probably": "it stands without any one independent source, in "
    f"{FRAGILE_BELOW:.0%} of the trials or more, and by the other rules",
}
"""How far an answer may be relied on, and when: the first that applies; a claim that holds is no
surer than what it depends on. The trials shift grades and weights a little. The other rules are
other semantics, which must come out on the same side, and Dung's label, which must not come out
on the other; other settings do not affect the word. We chose these words; they have not been
tested against outcomes.
"""
BOUNDS_OF_WORDS = ("even_within", "contested_below", "strong_from")
"""The settings that bound how far the words of `SURENESS` reach on a scale."""
BY_WEIGHTS = "by the weights alone"
"""What a scale calls the strength of an answer that its word of `SURENESS` holds back."""
LEAST_HELD_BACK = 0.02
"""Strength by which a word must hold an answer back to be remarked on: less can hardly be seen."""
_FROM_LEAST_SURE = ("undecided", LEANING, "perhaps", "probably", "very probably")


class Outcome(NamedTuple):
    """What determines the word for a statement: its strength (0 to 1), and the reasons for and
    against it in nats, the log-odds of its own base included.
    """

    strength: float
    pro: float
    con: float


def word_for(outcome: Outcome | Floats, settings: Reasoning) -> Word:
    """The word for a claim's outcome, which may be a column of a table of outcomes."""
    strength, pro, con = map(float, outcome)
    if math.isnan(strength):
        return Word.UNSETTLED
    if max(pro, con) < settings.open_below - ROUNDING:
        return Word.OPEN
    if is_even(strength, settings):
        return Word.EVEN
    firm = max(strength, 1.0 - strength)
    is_for = bool(strength > 0.5)
    if firm < settings.contested_below - ROUNDING:
        has_both = min(pro, con) >= settings.open_below - ROUNDING
        return Word.CONTESTED if has_both else _THIN[is_for]
    if firm < settings.leaning_below - ROUNDING:
        return _LEANS[is_for]
    return _PLAIN[is_for] if firm < settings.strong_from - ROUNDING else _STRONG[is_for]


def find_word(word: str) -> Word | None:
    """The `Word` with this text; `None` for the quality of a piece of evidence."""
    return _WORDS.get(word)


def sureness_word(word: str, fraction_kept: float, fragile: bool, sturdy: bool) -> str:
    """The word of `SURENESS` for an answer that is called `word` and stays on its side in
    `fraction_kept` of the trials.
    """
    if not side_of(word):
        return "undecided"
    if fraction_kept < LEAST_KEPT:
        return LEANING
    claim_word = find_word(word)
    if fragile or (claim_word and claim_word.is_thin):
        return "perhaps"
    return "very probably" if sturdy and claim_word and claim_word.is_strong else "probably"


def is_surer(word: str, than: str) -> bool:
    """Whether one word of `SURENESS` is surer than another."""
    return _FROM_LEAST_SURE.index(word) > _FROM_LEAST_SURE.index(than)


def sureness_cap(word: str) -> str:
    """The word of `SURENESS` that a strength called `word` allows, if nothing else speaks against
    relying on it.
    """
    return sureness_word(word, fraction_kept=1.0, fragile=False, sturdy=True)


def reach_of_words(settings: Reasoning) -> dict[str, float]:
    """How far from the middle of a scale an answer with a side may stand, by its word of
    `SURENESS`: up to where the strength alone would allow a surer word.
    """
    undecided = settings.even_within
    return {
        "undecided": undecided,
        LEANING: undecided,
        "perhaps": settings.contested_below - 0.5,
        "probably": settings.strong_from - 0.5,
        "very probably": 0.5,
    }


def held_strength(sureness: str, word: str, strength: float, settings: Reasoning) -> float:
    """Where an answer stands on a scale: at its strength, but no farther than its word of
    `SURENESS` reaches. The scales of the site follow this rule, too (“heldStrength” in
    site/assets/weigh.js).
    """
    side = side_of(word)
    if not side or not sureness:
        return strength
    return 0.5 + side * min(abs(strength - 0.5), reach_of_words(settings)[sureness])


def is_held_back(strength: float | None, place: float | None) -> bool:
    """Whether an answer visibly stands nearer to the middle than its strength would put it."""
    return strength is not None and place is not None and abs(strength - place) >= LEAST_HELD_BACK


def remark_on_hold(strength: float | None, place: float | None) -> str:
    """After the strength of an answer that its word holds back, ` by the weights alone`."""
    return f" {BY_WEIGHTS}" if is_held_back(strength, place) else ""


def words_if_weighed_otherwise(sureness: str) -> dict[Word, tuple[int, str, str]]:
    """For each word that the strength of an answer may come to in another case, which nobody tried
    further: its side, the word of `SURENESS` that it allows at most, and the less sure of that and
    of `sureness`, by which the scales of the site place an answer that stays on its side.
    """
    words: dict[Word, tuple[int, str, str]] = {}
    for word in Word:
        cap = sureness_cap(word)
        held_cap = min(cap, sureness, key=_FROM_LEAST_SURE.index) if sureness else cap
        words[word] = (side_of(word), cap, held_cap)
    return words


def bound_barely_passed(
    sureness: str, strength: float, pro: float, con: float, settings: Reasoning
) -> float | None:
    """The strength from which, by `settings`, an answer may be called `sureness`, if its `strength`
    lies no more than `BARELY` beyond it; `None` if it lies farther off, or has no side.
    """
    if sureness == "undecided":
        return None
    has_both = min(pro, con) >= settings.open_below - ROUNDING
    bound = settings.contested_below
    if sureness == "very probably":
        bound = settings.strong_from
    elif sureness != "probably" and not has_both:
        bound = 0.5 + settings.even_within
    distance = max(strength, 1.0 - strength) - bound
    if not -ROUNDING <= distance <= BARELY:
        return None
    return bound if strength > 0.5 else 1.0 - bound


def limit_of_word(word: str) -> WordLimit:
    """Why a strength called `word` allows no surer answer; `NONE` if it does."""
    claim_word = find_word(word)
    return _LIMITS.get(claim_word, WordLimit.TOO_LOW) if claim_word else WordLimit.TOO_LOW


def sureness_in_words(sureness: str, word: str) -> str:
    """A word of `SURENESS` with its side, as people read it: `probably`, `perhaps not`; for a piece
    of evidence, which has no side, its quality.
    """
    side = side_of(word)
    if not sureness or not side:
        return sureness or word
    if sureness == LEANING:
        return f"{sureness} {'yes' if side > 0 else 'no'}"
    return sureness if side > 0 else f"{sureness} not"


def describe_undecided(word: str) -> str:
    """`undecided`, and why if the strength alone does not show it: with weight on both sides an
    answer stays undecided at strengths where one with weight on one side has a side already.
    """
    return f"undecided, {limit_of_word(word)}" if word == Word.CONTESTED else "undecided"


def sureness_cap_in_words(word: str) -> str:
    """The surest wording that a strength called `word` allows, for a case that was not tried
    further. A quality is returned as it is.
    """
    is_of_claim = side_of(word) or word in (Word.OPEN, Word.EVEN, Word.CONTESTED)
    return sureness_in_words(sureness_cap(word), word) if is_of_claim else word


def render_strength(strength: float, settings: Reasoning | None = None) -> str:
    """A strength to two places; `just under 0.60` where these would put it on the wrong side of a
    word's bound, by the default settings if none are given. The scales of the site follow this
    rule, too (“strengthInWords” in site/assets/weigh.js).
    """
    places = _least_places(strength, settings or Reasoning(), 2)
    if places == 2:
        return f"{strength:.2f}"
    return f"just {'under' if round(strength, 2) > strength else 'over'} {strength:.2f}"


def strength_in_table(strength: float | None) -> str:
    """A strength for a table that also shows its word: three places, or as many more as show on
    which side of a word's bound it is; the bounds are the default ones.
    """
    if strength is None:
        return "–"
    return f"{strength:.{_least_places(strength, Reasoning(), 3)}f}"


def _least_places(strength: float, settings: Reasoning, minimum: int) -> int:
    """How many places, at least `minimum`, leave a strength on its side of each word's bound."""
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
    claim_word = find_word(word)
    return _SIDES.get(claim_word, NO_SIDE) if claim_word else NO_SIDE


def sides_of_outcomes(outcomes: Floats, settings: Reasoning) -> Ints:
    """`side_of(word_for(…))` for each column of a table (3 × outcomes) at once."""
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
    """Whether a strength is so near the middle that almost anything would move it across."""
    return abs(strength - 0.5) < settings.even_within - ROUNDING


def quality_phrase(base: float, strength: float, openings: Sequence[float] = ()) -> str:
    """The quality of a piece of evidence, and what objections to it and to its links leave of
    that: `quality 0.55, 0.10 after objections`.

    `openings` say how far each edge that starts from it is open.
    """
    if math.isnan(strength):
        return Word.UNSETTLED
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
