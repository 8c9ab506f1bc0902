"""An answer weighed with other settings, or by other rules.

Other settings are the same rule with other numbers; other rules of weighing are other semantics and
Dung's label.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from kg.model import EdgeStrength, Relation, Value
from kg.model.settings.quality_settings import METHOD_POINTS, QualityLadder
from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning.asked_question import SEMANTICS_IN_WORDS
from kg.reasoning.graph.arrays import Floats, round_off_or_none
from kg.reasoning.graph.graph import Scenarios
from kg.reasoning.other_rules.dung_labelling import label_differs
from kg.reasoning.reading import Question, reading_of
from kg.reasoning.scenarios import keep_outcome
from kg.reasoning.solution import solve
from kg.reasoning.strength_words import (
    WeighingOutcome,
    quality_phrase,
    side_of,
    strength_in_table,
    strength_word,
)
from kg.reasoning.sureness_words import answer_phrase
from kg.reasoning.word_and_side import outcome_of, verdict_word_of
from kg.reporting.report import columns
from kg.runtime.memoize import memoize

# The rules whose strengths are shown beside a verdict: sums, squares and products of reasons.
COMPARED_RULES = ("logistic", "qe", "dfquad")
SHORT_RULE_NAMES = {**SEMANTICS_IN_WORDS, "logistic": "log-odds"}
RULES_DISAGREE = "another rule disagrees"


STRONG_ALONE = "only strong reasons count"
LIMITS_AS_DENIALS = "limits count in full, like denials"


class OtherSetting(Value, frozen=True, omit_defaults=False):
    """The answer under another setting, in words."""

    setting: str
    strength: float | None
    word: str


OTHER_SETTING = columns(
    OtherSetting,
    "setting",
    ("strength", lambda each: strength_in_table(each.strength)),
    ("at most", lambda each: answer_phrase(each.word)),
)


def other_settings(question: Question) -> tuple[OtherSetting, ...]:
    """The answer under settings other than those in force, each with its strength word."""
    numbers = _other_numbers(question)
    earned = question.solution_under(transfer="earned", semantics="logistic")
    settings = [*(each.setting for each in numbers), "a claim passes on at most one study's worth"]
    outcomes = [*_outcomes(question, numbers), keep_outcome(question.node)(earned, None)[:, 0]]
    return tuple(
        OtherSetting(
            setting=setting,
            strength=round_off_or_none(outcome[0]),
            word=_word_of_outcome(question, outcome),
        )
        for setting, outcome in zip(settings, outcomes, strict=True)
    )


class _OtherNumbers(NamedTuple):
    """What another setting replaces, if it only changes numbers; another `transfer` does more."""

    setting: str
    arc_weight: Floats
    gain: float
    repeat: float


def _other_numbers(question: Question) -> list[_OtherNumbers]:
    moderate, weak, qualifies = _noted_weights(question)
    weights = question.graph.arc_weight
    gain, repeat = question.settings.gain, question.settings.repeat
    return [
        _OtherNumbers("reasons count half (gain ×½)", weights, gain / 2, repeat),
        _OtherNumbers("reasons count double (gain ×2)", weights, gain * 2, repeat),
        _OtherNumbers("a source's second finding counts half", weights, gain, 0.5),
        _OtherNumbers("every reason is read as strong", weights / moderate / weak, gain, repeat),
        _OtherNumbers(STRONG_ALONE, weights * (moderate * weak == 1.0), gain, repeat),
        _OtherNumbers(LIMITS_AS_DENIALS, weights / qualifies, gain, repeat),
    ]


def _outcomes(question: Question, numbers: Sequence[_OtherNumbers]) -> list[Floats]:
    """What `keep_outcome` keeps with each of these numbers."""
    if not question.settings.follows_routes:
        return [
            _outcome_reweighed(question, each.arc_weight, gain=each.gain, repeat=each.repeat)
            for each in numbers
        ]
    # solved side by side, which takes hardly longer than one
    scenarios = Scenarios(
        len(numbers),
        arc_weight=np.clip(np.stack([each.arc_weight for each in numbers], axis=1), -1.0, 1.0),
        gain=np.array([each.gain for each in numbers]),
        repeat=np.array([each.repeat for each in numbers]),
    )
    solution = solve(question.graph, scenarios)
    return list(keep_outcome(question.node)(solution, scenarios).T)


def _word_of_outcome(question: Question, table: Floats) -> str:
    """The word for an outcome; for evidence, its quality and what objections leave of that."""
    if question.graph.is_claim[question.node]:
        return strength_word(table, question.settings)
    return quality_phrase(float(question.graph.base[question.node]), float(table[0]))


def _outcome_reweighed(question: Question, weights: Floats, **changed_settings: object) -> Floats:
    """`keep_outcome` with other weights and settings."""
    settings = question.settings.model_copy(update=changed_settings)
    graph = question.graph.with_values(settings=settings)
    if weights is not question.graph.arc_weight:
        graph = graph.with_values(arc_weight=np.clip(weights, -1.0, 1.0))
    return keep_outcome(question.node)(solve(graph), None)[:, 0]


def _noted_weights(question: Question) -> tuple[Floats, Floats, Floats]:
    """Return the weight of `moderate`, `weak` or `qualifies` for each arc to which it applies,
    otherwise 1.
    """
    graph = question.graph
    settings = question.settings
    edges = [question.reading.corpus.edges_by_id[name] for name in graph.edge_of_arc]

    def mark(applies: list[bool], weight: float) -> Floats:
        # an edge of weight 0 cannot be divided by it, and stays at 0
        return np.where(applies, weight or 1.0, 1.0)

    return (
        mark([e.strength is EdgeStrength.MODERATE for e in edges], settings.moderate),
        mark([e.strength is EdgeStrength.WEAK for e in edges], settings.weak),
        mark([e.relation is Relation.QUALIFIES for e in edges], settings.qualifies),
    )


@memoize
def _other_outcomes(question: Question) -> dict[str, WeighingOutcome]:
    """The outcome by each of the other rules that are shown, but for Dung's label."""
    semantics = (name for name in COMPARED_RULES if name != question.settings.semantics)
    return {
        name: outcome_of(question, question.solution_under(semantics=name)) for name in semantics
    }


def strengths_by_other_rules(question: Question) -> dict[str, float | None]:
    """The strength of the statement asked about by the other rules that give one."""
    outcomes = _other_outcomes(question).items()
    return {name: round_off_or_none(outcome.strength) for name, outcome in outcomes}


def words_by_other_rules(question: Question) -> dict[str, str]:
    """The word for a claim by these rules; empty for evidence, which has no side."""
    if not question.graph.is_claim[question.node]:
        return {}
    outcomes = _other_outcomes(question).items()
    return {name: strength_word(outcome, question.settings) for name, outcome in outcomes}


def strengths_by_rule_name(strengths: Mapping[str, float | None]) -> dict[str, float | None]:
    """Strengths by the names of their rules in words."""
    return {SHORT_RULE_NAMES.get(name, name): strength for name, strength in strengths.items()}


class OtherRules(Value, frozen=True, omit_defaults=False):
    """The answer by other rules: strengths and words by semantics (no words for evidence), and
    Dung's label, which `grounded_says` explains where it is on the other side.
    """

    strengths: dict[str, float | None]
    words: dict[str, str]
    grounded: str
    grounded_says: str


def dissent_in_report(word: str, rules: OtherRules) -> str | bool:
    """Name the other rules that do not come out on the side of `word`, with their results.

    False (`no` in a report) if all do, empty if it has no side.
    """
    if not (current_side := side_of(word)):
        return ""
    dissenters = [
        f"{SHORT_RULE_NAMES.get(name, name)} {strength_in_table(rules.strengths[name])} "
        f"({answer_phrase(other)})"
        for name, other in rules.words.items()
        if side_of(other) != current_side
    ]
    if label_differs(current_side, rules.grounded):
        dissenters.append(f"objections alone: {rules.grounded}")
    return ", ".join(dissenters) or False


# -- under the default settings --------------------------------------------------------------------


class UnderDefaults(Value, frozen=True, omit_defaults=False):
    """The answer without the settings of the corpus, of weighing and of quality, that differ from
    the defaults (`set_here`): no strength and no word where none differ.
    """

    set_here: dict[str, float | str]
    strength: float | None = None
    word: str = ""


def under_defaults(question: Question) -> UnderDefaults:
    """Weigh an answer again under the default settings, to find what those of the corpus do to
    it.
    """
    changed_settings = settings_not_default(question)
    if not changed_settings:
        return UnderDefaults(set_here={})
    reading = question.reading
    config = reading.corpus.config.model_copy(update={"quality": _usual_ladder(question)})
    corpus = replace(reading.corpus, config=config)
    default_reading = reading_of(corpus, Reasoning(), reading.judgements)
    default_question = default_reading.question(question.line_id or question.statement)
    return UnderDefaults(
        set_here=changed_settings,
        strength=round_off_or_none(default_question.strength_or_nan),
        word=verdict_word_of(default_question),
    )


def settings_not_default(question: Question) -> dict[str, float | str]:
    """The settings in `kg.toml` that affect numbers and differ from the defaults."""
    config = question.reading.corpus.config
    defaults = Reasoning()
    # under other settings given by the caller, those of the corpus are not in force
    if question.settings != config.reasoning:
        return {}
    changed_settings = {
        key: value
        for key, value in question.settings
        if value != getattr(defaults, key) and key != "budget"  # which bounds searches alone
    }
    default_points = _points_by_key(_usual_ladder(question))
    return changed_settings | {
        key: points
        for key, points in _points_by_key(config.quality).items()
        if points != default_points[key]
    }


def _usual_ladder(question: Question) -> QualityLadder:
    """The default ladder, with the methods that only this corpus defines."""
    ladder = question.reading.corpus.config.quality
    return QualityLadder().model_copy(update={"methods": {**ladder.methods, **METHOD_POINTS}})


def _points_by_key(ladder: QualityLadder) -> dict[str, float]:
    """The numbers of a ladder by their keys in `kg.toml`."""
    points_by_key: dict[str, float] = {}
    for key, value in ladder.model_dump(by_alias=True).items():
        by_word = value if isinstance(value, dict) else {"": value}
        points_by_key |= {f"quality.{key}.{word}".rstrip("."): n for word, n in by_word.items()}
    return points_by_key
