"""The robustness of an answer: to losses, new studies, other settings and other rules."""

from __future__ import annotations

import numpy as np

from kg.model import StatementId, Value
from kg.reasoning.answers.flips import describe_fewer_losses
from kg.reasoning.asked_question import AskedQuestion, asked_about
from kg.reasoning.graph.arrays import round_off, round_off_or_none
from kg.reasoning.label_reasons import describe_grounded_label
from kg.reasoning.line_without_proposition import LineWithoutProposition, answer_without_proposition
from kg.reasoning.losses.smallest_losses import smallest_loss_taking_from_side
from kg.reasoning.losses.source_groups import describe_deciding_sources, source_group_title
from kg.reasoning.losses.source_losses import losses_by_source
from kg.reasoning.other_rules.dung_labelling import label_differs
from kg.reasoning.partial_evidence.evidence_subsets import describe_without_people
from kg.reasoning.partial_evidence.word_changes import (
    FLIP,
    WORDS_IN_VERDICT,
    Flip,
    describe_word_changes,
    word_changes,
)
from kg.reasoning.reading import Question, Reading, accepts_corpus
from kg.reasoning.reasons.direct_reasons import direct_reasons, remark_on_no_contradiction
from kg.reasoning.robustness_words import (
    RobustnessWord,
    fail_safe_number,
    find_claims_taking_from_side,
    robustness_word,
)
from kg.reasoning.sensitivity.edge_changes import EDGE_CHANGE, EdgeChange, edges_taking_from_side
from kg.reasoning.sensitivity.other_settings_and_rules import (
    OTHER_SETTING,
    RULES_DISAGREE,
    OtherRules,
    OtherSetting,
    dissent_in_report,
    other_settings,
    settings_not_default,
    strengths_by_other_rules,
    strengths_by_rule_name,
    words_by_other_rules,
)
from kg.reasoning.sensitivity.setting_draws import DRAWS, draw_settings, trials_of
from kg.reasoning.strength_words import (
    find_strength_word,
    side_of,
    sides_of_outcomes,
    strength_in_table,
    strength_word,
)
from kg.reasoning.sureness import limit_by_rules
from kg.reasoning.sureness_words import answer_phrase
from kg.reasoning.weighed_answer import WeighedAnswer
from kg.reasoning.word_and_side import side_by_strength, verdict_word_of
from kg.reporting.plots import Axes, MovedStrength, draw_moves
from kg.reporting.report import (
    Report,
    Table,
    TextLine,
    line_of_values,
    list_names,
    render_cell,
    table,
)
from kg.text.plurals import number_in_words
from kg.text.sentences import quote_title

# What the trials do; a band spans nine tenths of them.
WHAT_TRIALS_DO = "that shift qualities and weights a little"


class WorstSource(Value, frozen=True, omit_defaults=False):
    """The independent source whose loss moves the answer farthest from its side: its
    `source_group`, and a `title` with the number of its works.
    """

    source_group: str
    title: str
    strength: float | None
    word: str
    undoes: bool

    def __str__(self) -> str:
        strength = strength_in_table(self.strength)
        cap = answer_phrase(self.word)
        left = f"strength {strength}; at most {cap}"
        return f"{self.title}; {left}; answer undone {render_cell(self.undoes)}"


class Robustness(WeighedAnswer, frozen=True, kw_only=True):
    """The robustness of an answer, which is *undone* if it leaves its side."""

    strength: float | None
    word: str
    """The strength word."""
    headline: RobustnessWord
    """The result in one word: fragile, moderate, sturdy, or no side."""
    fail_safe: int | None
    """How many top-quality contrary studies would undo it; None if none would."""
    smallest_loss: int | None
    """How many independent sources would undo it if lost; None if none was found."""
    loss_exact: bool
    """Whether fewer could not undo it; if false, `smallest_loss` is an upper bound."""
    draws: int
    """How many draws of other weights and qualities were tried."""
    fraction_kept: float
    """In what fraction of them it stays on its side."""
    low: float | None
    """The strength that 5% of the draws are below."""
    high: float | None
    """The strength that 5% of the draws are above."""
    other_rules: OtherRules
    """How other rules would judge."""
    worst_source: WorstSource | None
    """The source whose loss weakens it most."""
    word_changes: tuple[Flip, ...]
    """Those of the heaviest sources without each of which it stays on its side, but is surer or
    less sure.
    """
    word_changes_say: str
    """The same in sentences."""
    people_say: str
    """A sentence on the answer that findings measured on people alone would give."""
    undoing_claims: tuple[StatementId, ...]
    """Each of these would undo it alone, if settled."""
    other_settings: tuple[OtherSetting, ...]
    """The answer under settings other than those in force."""
    edges: tuple[EdgeChange, ...]
    """Edges that undo it if removed, or if read one step weaker or stronger."""
    set_here: dict[str, float | str]
    """The settings that differ from the defaults."""

    def report(self) -> Report:
        """Report how robust it is, and what would undo it; an answer without a side cannot be
        undone.
        """
        sided = self.headline is not RobustnessWord.NO_SIDE
        claim = find_strength_word(self.word) is not None
        trials_label = "it stands" if sided else "it has no side"
        worst = self.worst_source
        heading = "the source whose loss weakens it most"
        facts = {
            "strength": strength_in_table(self.strength),
            "at most" if claim else "word": answer_phrase(self.word),
            "how firm": self.headline if claim else "",
            "top-quality studies on the other side that would undo it": self.fail_safe
            if sided
            else "",
            "independent sources whose loss would undo it": self.smallest_loss if sided else "",
            "fewer sources would": describe_fewer_losses(
                self.loss_exact, (self.smallest_loss or 1) > 1
            ),
            f"trials {WHAT_TRIALS_DO}": self.draws,
            f"share of trials in which {trials_label}": self.fraction_kept if claim else "",
            "strength that 5% of them are below": self.low,
            "strength that 5% of them are above": self.high,
            "by objections alone (Dung: in, out or undecided)": self.other_rules.grounded,
            RULES_DISAGREE: dissent_in_report(self.word, self.other_rules) if sided else "",
            **({heading: None} if sided and worst is None else {}),
        }
        return self.as_report(
            facts,
            *line_of_values(
                "strength by other rules", strengths_by_rule_name(self.other_rules.strengths)
            ),
            *([TextLine(f"{heading}: {worst}", hang="  ")] if sided and worst else []),
            table(
                f"of the {WORDS_IN_VERDICT} heaviest sources, whose loss alone changes the word",
                self.word_changes,
                FLIP,
            ),
            *list_names("claims that would undo it alone, if settled", self.undoing_claims),
            *self.detail_tables(),
            *line_of_values("set by kg.toml, unlike the defaults", self.set_here),
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """A tornado chart of the strength, from 0 to 1, under other settings, without the source
        that matters most, and with edges read otherwise, the largest move first. The band spans
        nine in ten draws.

        Draws with matplotlib, on `ax` if it is given. Raises `MissingLibrary`.

        `corpus.robustness("social-grounding").plot()`
        """
        worst = (self.worst_source,) if self.worst_source else ()
        moves = [
            *(MovedStrength(each.setting, each.strength) for each in self.other_settings),
            *(MovedStrength(f"without {each.title}", each.strength) for each in worst),
            *(MovedStrength(each.text, each.strength) for each in self.edges),
        ]
        return draw_moves(self.asked.title, self.strength, moves, self.low, self.high, ax)

    def detail_tables(self) -> tuple[Table, ...]:
        """The edges it hangs on, and the answer under other settings."""
        edges = "edges that would undo it, gone or read one step otherwise"
        settings = table("under other settings", self.other_settings, OTHER_SETTING)
        return table(edges, self.edges, EDGE_CHANGE), settings


@accepts_corpus
def robustness(
    reading: Reading, name: str, draws: int = DRAWS, seed: int = 0
) -> Robustness | LineWithoutProposition:
    """Measure how robust the answer to `name` is; the same seed gives the same draws.

    Fewer draws are made if the budget does not allow all (then `complete` is false).
    `kg.reasoning.sensitivity.setting_draws` describes what a draw changes. Raises `UnknownId`.

    `corpus.robustness("social-grounding")`
    """
    return _robustness_of_question(reading.question(name), draws, seed, finds_edges=True)


@accepts_corpus
def robustness_in_sentences(reading: Reading, name: str) -> Robustness | LineWithoutProposition:
    """The robustness of an answer for the sentences of a verdict: without `edges`, which they do
    not name and which take long to find. Raises `UnknownId`.
    """
    return _robustness_of_question(reading.question(name), DRAWS, 0, finds_edges=False)


def _robustness_of_question(
    question: Question, draws: int, seed: int, *, finds_edges: bool
) -> Robustness | LineWithoutProposition:
    if not question.statement:
        return answer_without_proposition(question)
    current_side = side_by_strength(question)
    # the usual draws are kept with the question, as its sureness needs them too
    trials = (
        trials_of(question) if (draws, seed) == (DRAWS, 0) else draw_settings(question, draws, seed)
    )
    smallest_loss = smallest_loss_taking_from_side(question)
    worst = _worst_source(question, current_side)
    claims = find_claims_taking_from_side(question)
    changes = word_changes(question)
    studies = fail_safe_number(question)
    headline = robustness_word(
        question, trials.fraction_kept, rules_agree=not limit_by_rules(question)
    )
    return Robustness(
        sentence=_robustness_sentence(question, headline, trials.fraction_kept, studies, worst),
        asked=asked_about(question),
        complete=losses_by_source(question).complete and trials.complete and claims is not None,
        strength=round_off_or_none(question.strength_or_nan),
        word=verdict_word_of(question),
        headline=headline,
        fail_safe=studies,
        smallest_loss=smallest_loss.size,
        loss_exact=smallest_loss.exact,
        draws=trials.draws,
        fraction_kept=round_off(trials.fraction_kept),
        low=round_off_or_none(trials.low),
        high=round_off_or_none(trials.high),
        other_rules=other_rules_of(question),
        worst_source=worst,
        word_changes=changes,
        word_changes_say=describe_word_changes(question, "source", changes),
        people_say=describe_without_people(question),
        undoing_claims=claims or (),
        edges=edges_taking_from_side(question, current_side) if finds_edges else (),
        other_settings=other_settings(question),
        set_here=settings_not_default(question),
    )


def other_rules_of(question: Question) -> OtherRules:
    """The answer by other rules."""
    label, meaning = describe_grounded_label(question)
    return OtherRules(
        strengths=strengths_by_other_rules(question),
        words=words_by_other_rules(question),
        grounded=label,
        grounded_says=meaning if label_differs(side_by_strength(question), label) else "",
    )


def _worst_source(question: Question, current_side: int) -> WorstSource | None:
    losses = losses_by_source(question)
    if not losses.source_groups or not current_side:
        return None
    strengths_without = losses.strengths_of(np.array([question.node]))[0]
    worst = int(np.argmin(current_side * strengths_without))
    word = strength_word(losses.outcome[:, worst], question.settings)
    return WorstSource(
        source_group=losses.source_groups[worst],
        title=source_group_title(question, losses.source_groups[worst]),
        strength=round_off_or_none(strengths_without[worst]),
        word=word,
        undoes=side_of(word) != current_side,
    )


def _deciding_sources(question: Question) -> list[str]:
    """The sources whose loss would give an answer without a side one."""
    losses = losses_by_source(question)
    sides_without = sides_of_outcomes(losses.outcome, question.settings)
    return sorted(
        source_group_title(question, losses.source_groups[i])
        for i in np.flatnonzero(sides_without).tolist()
    )


def _robustness_sentence(
    question: Question,
    headline: RobustnessWord,
    fraction_kept: float,
    studies: int | None,
    worst: WorstSource | None,
) -> str:
    title = quote_title(question.title)
    if not question.graph.is_claim[question.node]:
        return f"{title} is evidence, which takes no side, so there is nothing to undo."
    if headline is RobustnessWord.NO_SIDE:
        deciding_sources = describe_deciding_sources(_deciding_sources(question))
        return f"{title} is on no side, so there is nothing to undo{deciding_sources}."
    size, exact = smallest_loss_taking_from_side(question)
    loss = "no loss that was tried" if size is None else describe_loss(size, exact)
    worst_title = f", {worst.title}," if worst and worst.undoes else ""
    contrary_studies = ""
    if studies is not None:
        sentence_part = describe_contrary(studies, asked_about(question))
        contrary_studies = (
            f", but {sentence_part} would" if size is None else f"; so would {sentence_part}"
        )
    robust = "moderately firm" if headline is RobustnessWord.MODERATE else headline
    fraction_text = describe_fraction_kept(fraction_kept)
    return (
        f"The answer to {title} is {robust}: it keeps its side in {fraction_text} of trials "
        f"{WHAT_TRIALS_DO}, and {loss}{worst_title} would undo it{contrary_studies}."
        f"{remark_on_no_contradiction(direct_reasons(question), side_by_strength(question))}"
    )


def describe_fraction_kept(fraction_kept: float) -> str:
    """A fraction of trials as a percentage; 0% and 100% only for exactly none and all."""
    if fraction_kept in (0.0, 1.0):
        return f"{fraction_kept:.0%}"
    return f"{min(max(round(fraction_kept * 100), 1), 99)}%"


def describe_loss(sources: int, exact: bool) -> str:
    """`the loss of three independent sources (perhaps fewer: not every set was tried)`; the
    brackets are left out if it is certain that fewer would not do (`exact`).
    """
    fewer = "" if exact else " (perhaps fewer: not every set was tried)"
    noun = "independent source" if sources == 1 else "independent sources"
    return f"the loss of {number_in_words(sources)} {noun}{fewer}"


def describe_contrary(count: int, question: AskedQuestion, other: str = "") -> str:
    """`two new top-quality studies for “other”`, with `about` if reasons do not add up."""
    about = "" if question.parameters.semantics == "logistic" else "about "
    studies = f"{number_in_words(count)} new top-quality {'study' if count == 1 else 'studies'}"
    side = f"for “{other}”" if other else "against it"
    return f"{about}{studies} {side}"
