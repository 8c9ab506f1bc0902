"""The sureness of an answer: how far it may be relied on, in a word, and why no farther.

The `strength_words` say what the strength alone gives; the sureness is what trials leave of that.
People see `answer_phrase`, the sureness with its side; of a case that was not tried, the greatest
sureness that the strength word allows.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kg.model import SourceKey, StatementId
from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning.graph.arrays import ROUNDING
from kg.reasoning.other_rules.dung_labelling import label_differs
from kg.reasoning.strength_words import StrengthWord, find_strength_word, side_of
from kg.text.plurals import number_in_words, pluralize

_UNDECIDED = (StrengthWord.OPEN, StrengthWord.EVEN, StrengthWord.CONTESTED)
# An answer whose strength is beyond the bound of its sureness by no more than this is remarked on:
# a small change of quality would take it back.
BARELY = 0.05
# Fractions of trials on the answer's side: below the first it is undecided, below the second
# fragile, below the third not sturdy.
UNDECIDED_BELOW, FRAGILE_BELOW, STURDY_FROM = 0.5, 0.8, 0.95
# The settings that bound how far the words of sureness reach on a scale.
BOUNDS_OF_WORDS = ("even_within", "contested_below", "strong_from")
# What a scale calls the strength of an answer that its sureness holds back.
BY_WEIGHTS = "by the weights alone"
STRICTER_CHECK = "a stricter check"  # what readers know Dung's label as
NOT_REFUTED = "has not been refuted"  # what is said of an objection that decides by Dung's label
# Strength by which an answer must be held back to be remarked on: less can hardly be seen.
LEAST_HELD_BACK = 0.02
# What joins the clauses on why an answer is no surer; some contain an “and” of their own.
BETWEEN_CLAUSES = ", and "


class Sureness(enum.StrEnum):
    """The degree to which an answer may be relied on, in words that files and pages show, the least
    sure first. `SURENESS_MEANINGS` says when each applies; `NONE` is of what is no claim.
    """

    NONE = ""
    UNDECIDED = "undecided"
    UNDECIDED_WITH_LEAD = "undecided, leaning towards"
    PERHAPS = "perhaps"
    PROBABLY = "probably"
    VERY_PROBABLY = "very probably"

    __repr__ = str.__repr__

    @property
    def steps(self) -> int:
        """The number of words between an answer so sure and the middle of a scale."""
        surenesses = [*Sureness]
        return max(0, surenesses.index(self) - surenesses.index(Sureness.UNDECIDED_WITH_LEAD))


_OF_A_SIDE = tuple(each for each in Sureness if each.steps)
# The words of a scale, from what surely does not hold to what surely does.
SCALE_WORDS = (
    *(f"{each} not" for each in reversed(_OF_A_SIDE)),
    *(Sureness.UNDECIDED, *_OF_A_SIDE),
)
# How far an answer may be relied on, and when: the first that applies; a claim that holds is no
# surer than what it depends on. The trials shift qualities and weights a little. The other rules
# are other semantics, which must come out on the same side, and Dung's label, which must not come
# out on the other; other settings do not affect it. We chose these words; they have not been tested
# against outcomes.
SURENESS_MEANINGS: Mapping[str, str] = {
    Sureness.UNDECIDED: "neither side has it, or it depends on a claim that is undecided",
    Sureness.UNDECIDED_WITH_LEAD: "one side has it, but in fewer than half of the trials, or by "
    "none of the other rules",
    Sureness.PERHAPS: "the reasons are thin, or it falls without some single independent "
    f"source, in more than {1 - FRAGILE_BELOW:.0%} of the trials, or by one of the other rules",
    Sureness.VERY_PROBABLY: "almost all that has weight is on one side, and it stands without any "
    "two independent sources, against one new top-quality study, whichever single claim "
    f"is settled, and in {STURDY_FROM:.0%} of the trials",
    Sureness.PROBABLY: "it survives leaving out any one independent source, small changes of the "
    f"weights in {FRAGILE_BELOW:.0%} of the trials or more, and the three other rules",
}


class SurenessLimit(enum.StrEnum):
    """The reason why an answer is no surer than it is, in a few words that files and pages show."""

    NONE = ""
    UNSETTLED = "no stable strength"
    OPEN = "too little evidence"
    EVEN = "both sides are even"
    CONTESTED = "reasons on both sides"
    THIN = "the reasons are thin"
    TOO_LOW = "strength too low"  # as with most claims that have a side
    NOT_STURDY = "a little could undo it"
    ONE_SOURCE = "depends on one source"  # without it the answer leaves its side
    ONE_TEAM = "depends on one team"
    ONE_GROUP = "depends on sources that count as one"
    TRIALS = "depends on the exact weights"
    NO_RULE_AGREES = "no other rule agrees"
    RULE_OPPOSED = "another rule says the opposite"
    CHECK_OPPOSED = f"{STRICTER_CHECK} disagrees"  # it alone of the other rules
    RULE_UNDECIDED = "another rule leaves it undecided"
    DEPENDENCY = "no surer than what it depends on"
    TOO_MANY_DEPENDENCIES = "depends on more claims than are tried"

    __repr__ = str.__repr__

    @property
    def besides_strength(self) -> str:
        """Its words, if claims of the same strength may be called surer; else empty."""
        return "" if self is SurenessLimit.TOO_LOW else self.value

    @property
    def clause(self) -> str:
        """Its words as a clause: `it depends on one source`."""
        has_verb = self in (*HANGS, SurenessLimit.TRIALS, SurenessLimit.TOO_MANY_DEPENDENCIES)
        subject = "it is " if self is SurenessLimit.DEPENDENCY else "it " if has_verb else ""
        return subject + self


HANGS = (SurenessLimit.ONE_SOURCE, SurenessLimit.ONE_TEAM, SurenessLimit.ONE_GROUP)
# Limits of an answer that does not come out on its side by all other rules, the gravest first.
RULES_APART = (
    SurenessLimit.NO_RULE_AGREES,
    SurenessLimit.RULE_OPPOSED,
    SurenessLimit.CHECK_OPPOSED,
    SurenessLimit.RULE_UNDECIDED,
)
# Limits that make an answer less sure than its strength alone would.
HOLDS_BACK = (*HANGS, SurenessLimit.TRIALS, *RULES_APART)
_LIMITS = {
    **{word: SurenessLimit.THIN for word in StrengthWord if word.is_thin},
    **{word: SurenessLimit.NONE for word in StrengthWord if word.is_strong},
    **{word: SurenessLimit[word.name] for word in (StrengthWord.UNSETTLED, *_UNDECIDED)},
}


class LimitedSureness(NamedTuple):
    """The sureness of an answer, and the reason why it is no greater."""

    sureness: Sureness
    limit: SurenessLimit = SurenessLimit.NONE
    """The gravest reason."""
    hangs_on: tuple[SourceKey, ...] = ()
    """The works of the one source that it hangs on; empty if there is none."""
    depends_on: StatementId = ""
    """The claim that it is no surer than; empty if there is none."""
    other_limits: tuple[SurenessLimit, ...] = ()
    """Reasons that would still hold it back without the gravest."""


def sureness_after_trials(
    word: str, fraction_kept: float, *, does_rule_agree: bool = True, fragile: bool, sturdy: bool
) -> Sureness:
    """The sureness of an answer whose strength word is `word`, and which stays on its side in
    `fraction_kept` of the trials; `does_rule_agree` says whether it does by any other rule.
    """
    if not side_of(word):
        return Sureness.UNDECIDED
    if fraction_kept < UNDECIDED_BELOW or not does_rule_agree:
        return Sureness.UNDECIDED_WITH_LEAD
    claim_word = find_strength_word(word)
    if fragile or (claim_word and claim_word.is_thin):
        return Sureness.PERHAPS
    is_strong = bool(claim_word and claim_word.is_strong)
    return Sureness.VERY_PROBABLY if sturdy and is_strong else Sureness.PROBABLY


def is_surer(sureness: Sureness, than: Sureness) -> bool:
    """Return whether one sureness is greater than another."""
    surenesses = [*Sureness]
    return surenesses.index(sureness) > surenesses.index(than)


def greatest_sureness(word: str) -> LimitedSureness:
    """The sureness that a strength word allows if nothing else speaks against relying on the
    answer, and why no greater one.
    """
    claim_word = find_strength_word(word)
    limit = _LIMITS.get(claim_word, SurenessLimit.TOO_LOW) if claim_word else SurenessLimit.TOO_LOW
    sureness = sureness_after_trials(word, 1.0, fragile=False, sturdy=True)
    return LimitedSureness(sureness, limit)


def reach_of_words(settings: Reasoning) -> dict[Sureness, float]:
    """Return how far from the middle of a scale an answer with a side may stand, by its sureness:
    up to where the strength alone would allow a greater one.
    """
    undecided, perhaps, probably = (getattr(settings, name) for name in BOUNDS_OF_WORDS)
    ends = (undecided, undecided, perhaps - 0.5, probably - 0.5, 0.5)
    return dict(zip([*Sureness][1:], ends, strict=True))


def held_strength(sureness: Sureness, side: int, strength: float, settings: Reasoning) -> float:
    """Return the place of an answer on a scale: at its strength, but no farther than its sureness
    reaches. The scales of the site follow this rule, too (“heldStrength” in site/assets/weigh.js).
    """
    if not side or not sureness:
        return strength
    return 0.5 + side * min(abs(strength - 0.5), reach_of_words(settings)[sureness])


def is_held_back(strength: float | None, place: float | None) -> bool:
    """Return whether an answer visibly stands nearer to the middle than its strength would put
    it.
    """
    return strength is not None and place is not None and abs(strength - place) >= LEAST_HELD_BACK


def remark_if_held_back(strength: float | None, place: float | None) -> str:
    """After the strength of an answer that is held back, ` by the weights alone`."""
    return f" {BY_WEIGHTS}" if is_held_back(strength, place) else ""


def words_if_weighed_otherwise() -> dict[StrengthWord, tuple[int, Sureness]]:
    """Return the side, and the greatest sureness, that each strength word allows in another case,
    which nobody tried further.
    """
    return {word: (side_of(word), greatest_sureness(word).sureness) for word in StrengthWord}


def bound_barely_passed(
    sureness: Sureness, strength: float, pro: float, con: float, settings: Reasoning
) -> float | None:
    """The strength from which, by `settings`, an answer may be called `sureness`.

    `None` if its `strength` lies farther than `BARELY` beyond that, or has no side.
    """
    if sureness == Sureness.UNDECIDED:
        return None
    has_both = min(pro, con) >= settings.open_below - ROUNDING
    bound = settings.contested_below
    if sureness == Sureness.VERY_PROBABLY:
        bound = settings.strong_from
    elif sureness != Sureness.PROBABLY and not has_both:
        bound = 0.5 + settings.even_within
    distance = max(strength, 1.0 - strength) - bound
    if not -ROUNDING <= distance <= BARELY:
        return None
    return bound if strength > 0.5 else 1.0 - bound


def answer_phrase(word: str, sureness: Sureness | None = None) -> str:
    """A sureness with the side of the strength word `word`, as people read it: `probably`,
    `perhaps not`; for a piece of evidence, which has no side, its quality. Without `sureness`, of a
    case that was not tried: the greatest that the strength word allows.
    """
    side = side_of(word)
    if sureness is None:
        is_of_claim = side or word in _UNDECIDED
        sureness = greatest_sureness(word).sureness if is_of_claim else Sureness.NONE
    if not sureness or not side:
        return sureness or word
    if sureness == Sureness.UNDECIDED_WITH_LEAD:
        return f"{sureness} {'yes' if side > 0 else 'no'}"
    return sureness if side > 0 else f"{sureness} not"


def bounded_phrase(word: str, sureness: Sureness = Sureness.NONE) -> str:
    """The `answer_phrase` of an answer; of one without `sureness`, as it was not tried, that it is
    `at most probably` so, or nothing more than its phrase if it has no side.
    """
    phrase = answer_phrase(word, sureness or None)
    return f"at most {phrase}" if side_of(word) and not sureness else phrase


def is_undecided(sureness: Sureness) -> bool:
    """Return whether an answer is called undecided, be it that one side has a lead."""
    return sureness in (Sureness.UNDECIDED, Sureness.UNDECIDED_WITH_LEAD)


def describe_undecided(word: str) -> str:
    """`undecided`, and why if the strength alone does not show it. With weight on both sides an
    answer stays undecided at strengths where one with weight on one side has a side already.
    """
    is_contested = word == StrengthWord.CONTESTED
    return f"undecided, {SurenessLimit.CONTESTED}" if is_contested else "undecided"


# -- why no surer ---------------------------------------------------------------------------------


def describe_limits(
    limits: Sequence[SurenessLimit],
    side: int,
    fraction_kept: float,
    words_by_other_rules: Mapping[str, str],
    grounded: str,
    grounded_says: str,
) -> tuple[str, ...]:
    """Say why an answer with a side is no surer, as clauses to be joined by `BETWEEN_CLAUSES`; none
    if its strength alone decides. They are as `it depends on one source`, `two of the three other
    rules …`. `fraction_kept` is that of the trials on its side, `words_by_other_rules` are by the
    other semantics, `grounded` is Dung's label, and `grounded_says` why it is on the other side, if
    so.
    """

    def describe_limit(limit: SurenessLimit) -> str:
        if not side or limit is SurenessLimit.TOO_LOW:
            return ""
        if limit is SurenessLimit.TRIALS:
            times = pluralize(max(round(100 * fraction_kept), 1) if fraction_kept else 0, "time")
            return f"if studies are graded a little differently, it stands only {times} in 100"
        if limit is SurenessLimit.CHECK_OPPOSED:
            return _describe_stricter_check(side, grounded_says)
        if limit in RULES_APART:
            return count_rules_apart(side, words_by_other_rules, grounded)
        return limit.clause

    return tuple(filter(None, map(describe_limit, limits)))


def _describe_stricter_check(side: int, grounded_says: str) -> str:
    """The check that decides against the answer, and what in it does."""
    objection = grounded_says.removeprefix("the objection ").removesuffix(f" {NOT_REFUTED}")
    if grounded_says == f"the objection {objection} {NOT_REFUTED}":
        rule = "in which one objection that nobody has refuted is enough"
        return f"we also run {STRICTER_CHECK}, {rule}; here that is {objection}"
    outcome = "decides against it" if side > 0 else "lets it stand"
    return f"{STRICTER_CHECK}, in which no weights count, {outcome}: {grounded_says}"


def count_rules_apart(side: int, words_by_other_rules: Mapping[str, str], grounded: str) -> str:
    """`one of the three other rules of weighing leaves it undecided`; empty if all come out on the
    side of the answer.
    """
    sides = [side_of(word) for word in words_by_other_rules.values()]
    is_label_opposite = label_differs(side, grounded)
    undecided, opposite = sides.count(0), sides.count(-side) + is_label_opposite
    parts = [
        (undecided, "leaves it undecided" if undecided == 1 else "leave it undecided"),
        (opposite, "says the opposite" if opposite == 1 else "say the opposite"),
    ]
    differing = [(number_in_words(count), words) for count, words in parts if count]
    if not differing:
        return ""
    (first, does), *others = differing
    rest = "".join(f" and {count} {words}" for count, words in others)
    return f"{first} of the {number_in_words(len(sides) + 1)} other rules of weighing {does}{rest}"


def why_surer(limit: SurenessLimit) -> str:
    """Say, as a clause, why an answer that `limit` holds back becomes surer when the loss of
    evidence makes it so; empty if there is no short one.
    """
    if limit is SurenessLimit.NO_RULE_AGREES:
        return "as then another rule of weighing agrees"
    if limit is SurenessLimit.CHECK_OPPOSED:
        return "as then the stricter check agrees, too"
    if limit in RULES_APART:
        return "as then all rules of weighing agree"
    if limit in (SurenessLimit.TOO_LOW, SurenessLimit.CONTESTED):
        return "as then less speaks against it"
    return f"as then it no longer {limit}" if limit in (*HANGS, SurenessLimit.TRIALS) else ""


def frame_held_back(sureness: str, surest: str) -> tuple[str, str]:
    """The words before and after the reason why an answer is called only `sureness`, though by its
    strength alone it would be `surest`: `Added up, the reasons give “probably”. But …. So we say
    “perhaps”.`
    """
    outcome = "reach further" if surest == sureness else f"give “{surest}”"
    return f"Added up, the reasons {outcome}. But ", f". So we say “{sureness}”."
