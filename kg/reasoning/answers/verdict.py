"""The verdict on a question: which side, how firmly, and how other rules would judge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from msgspec import structs

from kg.corpus.reasons_for_and_against import superseded_reasons
from kg.corpus.same_and_superseded import group_of_same, superseded_statements
from kg.model import SourceKey, StatementId
from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning.answers.positions import explain_grounded_label
from kg.reasoning.answers.robustness import Robustness
from kg.reasoning.answers.verdict_text import (
    answer_of_line,
    describe_best_reasons,
    describe_robustness,
    remark_on_filing,
    remark_on_label,
    remark_on_limit,
    remark_on_others,
    remark_on_products,
    remark_on_same,
    remark_on_settings,
    remark_on_slight_sources,
    remark_on_superseded,
    verdict_sentence,
)
from kg.reasoning.contributions.camp_views import CAMP_VIEW, CampView, camp_views, camps_of
from kg.reasoning.contributions.direct_reasons import (
    LEAST_SHARE_LISTED,
    Balance,
    Lessened,
    Reason,
    balance_of,
    direct_reasons,
    objections_beneath,
    reason_table,
    remark_on_no_contradiction,
)
from kg.reasoning.graph.arrays import round_off, round_off_or_none
from kg.reasoning.losses.independence import contributing_sources
from kg.reasoning.losses.source_losses import losses_by_source
from kg.reasoning.reading import Question, Reading, accepts_corpus
from kg.reasoning.sensitivity.other_settings_and_rules import (
    SEMANTICS_DISAGREE,
    dissent_in_report,
    label_differs,
    other_strengths,
    other_words,
    strengths_by_semantics_name,
    under_default_settings,
    weigh_filed_directly,
)
from kg.reasoning.sensitivity.setting_draws import trials_of
from kg.reasoning.strength_words import StrengthWord, side_of, strength_word
from kg.reasoning.sureness import depends_on_rule, fail_safe_number, sureness_of
from kg.reasoning.sureness_words import (
    BOUNDS_OF_WORDS,
    BY_WEIGHTS,
    Sureness,
    SurenessLimit,
    answer_phrase,
    held_strength,
)
from kg.reasoning.weighed_answer import (
    OpenQuestion,
    WeighedAnswer,
    asked_question,
    fact_lines,
    open_question,
    side_now,
    verdict_word_of,
)
from kg.reporting.plots import INK, QUIET, Axes, Bar, Mark, draw_scale
from kg.reporting.report import Report, Table, TextLine, line_of_values, list_names, table

REASONS_PLOTTED_A_SIDE = 5
"""Reasons per side that a picture has room for."""
ROWS_OF_DETAIL = 10
"""Rows of each table below the reasons, as there are several."""
_ROWS_ARE_ROUNDED = " (rows are rounded)"


class Verdict(WeighedAnswer, frozen=True, kw_only=True):
    """Where the corpus stands on a proposition.

    `strength` (0 to 1) says how far this corpus backs it, not how probable it is; `None` if
    no equilibrium was found. `low` to `high` is where nine in ten of the trials lie. `word` is the
    strength word, one of those of `kg.reasoning.strength_words`; a piece of evidence takes no side,
    and its word is its quality. `answer` says it in the words of the line's question, and `doubt`
    what the line's author doubts most of it, which no number here counts.
    `sureness`, one of the words of `kg.reasoning.sureness_words.SURENESS`, says how far the answer
    may be relied on; it is empty for evidence. `limit` says in a few
    words why no further, `hangs_on` names the works of the one source that it hangs on, and
    `premise` the claim that it depends on, where these are why.
    `others` and `other_words` hold the strength and the word under other semantics (no word for
    evidence), and `depends_on_semantics` is true if not all of them come out on its side, or if
    Dung's label is on the other; `grounded` is that label, and `grounded_says` explains it where
    it is on the other side.
    `filed_directly` is the strength if each source spoke to the question itself instead of to
    claims on the way, and `filed_word` the word for it (empty of a piece of evidence).
    `fail_safe` is how many flawless contrary studies would take the answer from its side,
    `sources` is the number of independent sources it rests on (those that add something),
    and `effective_sources` how many equally heavy ones that comes to; `sourced` is what they add
    in all, `heaviest_source` what the heaviest adds. `lessened` is what
    objections to the reasons of a side take, where the other has no direct reason of weight;
    `same` are the other statements declared the same, `superseded_by` the one that replaces it,
    `left_out` those that would be reasons but are superseded;
    `crossing` lists statements whose effect is against the camp that the notes put them in.
    `set_here` are the corpus's settings, of weighing and of quality, that differ from the
    defaults, and `default_strength` and `default_word` the result without them (`None` and empty
    where none differ).
    """

    strength: float | None
    low: float | None
    high: float | None
    word: str
    sureness: str
    limit: SurenessLimit
    hangs_on: tuple[SourceKey, ...]
    premise: StatementId
    side: int
    answer: str
    doubt: str
    base: float
    balance: Balance
    reasons: tuple[Reason, ...]
    camps: tuple[CampView, ...]
    others: dict[str, float | None]
    other_words: dict[str, str]
    filed_directly: float | None
    filed_word: str
    grounded: str
    grounded_says: str
    depends_on_semantics: bool
    fail_safe: int | None
    effective_sources: float
    heaviest_source: float
    sourced: float
    lessened: tuple[Lessened, ...]
    same: tuple[StatementId, ...]
    superseded_by: StatementId
    left_out: tuple[StatementId, ...]
    sources: int
    crossing: tuple[StatementId, ...]
    set_here: dict[str, float | str]
    default_strength: float | None
    default_word: str

    @property
    def held_strength(self) -> float | None:
        """Where the answer stands on a scale: no farther than its sureness reaches."""
        if self.strength is None:
            return None
        bounds = {name: value for name, value in self.set_here.items() if name in BOUNDS_OF_WORDS}
        settings = Reasoning.model_validate(bounds)
        return held_strength(self.sureness, self.word, self.strength, settings)

    def report(self, robustness: Robustness | None = None) -> Report:
        """The leading sentences, the table of reasons, and remarks."""
        first, *others = leading_sentences(self, robustness)
        rows = reason_table(self.reasons, self.balance)
        gain = self.asked.parameters.gain
        share_rows = [
            Table(
                f"{name}, in all {rows.total(side)}{_ROWS_ARE_ROUNDED * rows.is_rounded(side)}",
                ("share", "reason", "id"),
                [(item.share, item.title, item.statement) for item in items],
            )
            for name, side, items in (("for", 1, rows.pro), ("against", -1, rows.con))
        ]
        unit = f"share: {gain:.2f} is what one flawless study would bring"
        lines_and_tables: list[TextLine | Table] = [
            TextLine(first, "strong", ""),
            *(TextLine(sentence, hang="") for sentence in others),
            *share_rows,
            *([TextLine(""), TextLine(unit, "aside", "")] if rows.pro or rows.con else []),
            *line_of_values(
                f"linked to it, adding less than {LEAST_SHARE_LISTED} directly", rows.idle
            ),
            *line_of_values("left out, as superseded", self.left_out),
            *(
                text_line
                for remark in list_remarks(self)
                for text_line in (TextLine(""), TextLine(remark, hang=""))
            ),
        ]
        return Report(lines_and_tables)

    def plot(self, ax: Axes | None = None) -> Axes:
        """The strength with its band, from 0 to 1, and the heaviest reasons for and against.

        Draws with matplotlib, on `ax` if it is given: strengths are its x; the reasons are
        beneath, with an x axis of their own in nats. Raises `MissingLibrary`.

        `corpus.verdict("social-grounding").plot()`
        """
        rows = reason_table(self.reasons, self.balance, REASONS_PLOTTED_A_SIDE)
        return self._scale_with(
            [], [Bar(row.title, row.nats) for row in (*rows.pro, *rows.con)], ax
        )

    def plot_balance(self, ax: Axes | None = None) -> Axes:
        """The strength, the strength for each camp alone, and the total of each side in nats.

        Draws as `plot` does.

        `corpus.verdict("social-grounding").plot_balance()`
        """
        camp_marks = [Mark(f"{c.camp} alone", c.strength, c.drawing_colour) for c in self.camps]
        sums = (("for, in all", self.balance.pro), ("against, in all", -self.balance.con))
        return self._scale_with(camp_marks, [Bar(name, nats) for name, nats in sums if nats], ax)

    def _scale_with(self, marks: Sequence[Mark], bars: Sequence[Bar], ax: Axes | None) -> Axes:
        place, word = self.held_strength, answer_phrase(self.word, self.sureness)
        by_weights = Mark(self.word, self.strength, INK, self.low, self.high)
        answer = [by_weights]
        if place != self.strength:
            label = f"{BY_WEIGHTS}: {self.word}"
            answer = [Mark(word, place, INK), by_weights._replace(label=label, colour=QUIET)]
        return draw_scale(self.asked.title, [*answer, *marks], bars, ax)

    def detail(self, answers: Sequence[WeighedAnswer]) -> Report:
        """How it was weighed, and other answers about it in short."""
        facts = {
            "where it starts": self.base,
            "strength if all were filed as reasons of the question itself": self.filed_directly,
            "the word for that": self.filed_word,
            "by objections alone (Dung: in, out or undecided)": self.grounded,
            "by objections alone, otherwise": self.grounded_says,
            SEMANTICS_DISAGREE: dissent_in_report(
                self.word, self.others, self.other_words, self.grounded
            ),
            "sources of equal weight, for and against": self.effective_sources,
            "independent sources that it hangs on": self.sources,
        }
        lines_and_tables: list[TextLine | Table] = [
            TextLine(""),
            TextLine("how it was weighed", "strong"),
            *fact_lines(facts),
            *line_of_values("strength by other rules", strengths_by_semantics_name(self.others)),
            table("camps", self.camps, CAMP_VIEW, ROWS_OF_DETAIL),
            *list_names("against their camp", self.crossing, ROWS_OF_DETAIL),
        ]
        for each in answers:
            tables = (
                part_table._replace(max_rows=ROWS_OF_DETAIL) for part_table in each.detail_tables()
            )
            lines_and_tables += [TextLine(""), each.lead_line, *tables]
        return Report((*lines_and_tables, *self.terms({"strength", "against"}, how=True)))


def leading_sentences(verdict: Verdict, robustness: Robustness | None = None) -> tuple[str, ...]:
    """The leading sentences: the answer, the chief doubt, the best reasons, how sure it is, and
    without which source it would be surer or less sure.

    `robustness` is that of the same answer; without it, that part is left out.
    """
    if verdict.strength is None:
        return (verdict.sentence,)
    floor = verdict.asked.parameters.open_below
    band = (verdict.low, verdict.high)
    trials = describe_robustness(verdict.word, band, verdict.fail_safe, verdict.asked, robustness)
    sentences = (
        verdict.sentence,
        f"Chief doubt: {verdict.doubt}" if verdict.doubt else "",
        describe_best_reasons(verdict.reasons, verdict.lessened, verdict.balance, floor),
        f"How sure: {trials}" if trials else "",
        robustness.people_say if robustness else "",
        robustness.word_changes_say if robustness else "",
    )
    return tuple(sentence for sentence in sentences if sentence)


def list_remarks(verdict: Verdict, *, limit: bool = True) -> tuple[str, ...]:
    """Remarks in plain sentences: what other rules say, what the answer owes to settings and to
    filing, and whether it rests on many slight sources; with `limit`, also why it is no surer.
    """
    products = remark_on_products(verdict.asked.parameters.semantics) if verdict.reasons else ""
    filing = ""
    if verdict.reasons and verdict.filed_word:
        current = (verdict.strength, verdict.word)
        direct = (verdict.filed_directly, verdict.filed_word)
        filing = remark_on_filing(current, direct, verdict.set_here)
    no_surer = ""
    if limit:
        no_surer = remark_on_limit(
            verdict.sureness, verdict.limit, verdict.hangs_on, verdict.premise
        )
    remarks = (
        remark_on_others(verdict.side, verdict.other_words),
        remark_on_label(verdict.side, verdict.grounded_says),
        no_surer,
        remark_on_superseded(verdict.superseded_by),
        remark_on_same(verdict.same),
        remark_on_settings(verdict.set_here, verdict.default_strength, verdict.default_word),
        products,
        filing,
        remark_on_slight_sources(
            verdict.balance.volume, verdict.sourced, verdict.heaviest_source, verdict.sources
        ),
    )
    return tuple(filter(None, remarks))


@accepts_corpus
def verdict(reading: Reading, name: str) -> Verdict | OpenQuestion:
    """The verdict on `name`: a line's proposition, or a statement. Raises `UnknownId`.

    `kg.verdict(corpus, "social-grounding").sentence`
    """
    question = reading.question(name)
    if not question.statement:
        return open_question(question)
    is_claim = bool(question.graph.claim[question.node])
    word = verdict_word_of(question)
    sureness = sureness_of(question) if word != StrengthWord.UNSETTLED else Sureness("")
    # what depends on a claim that is undecided has no answer, however strong its own reasons
    side = side_of(word) if is_claim and sureness.word != "undecided" else 0
    band = trials_of(question)
    line = reading.corpus.lines.get(question.line_id or "")
    answer = Verdict(
        sentence="",
        asked=asked_question(question),
        complete=losses_by_source(question).complete,
        strength=round_off_or_none(question.strength),
        low=round_off_or_none(band.low),
        high=round_off_or_none(band.high),
        word=word,
        sureness=sureness.word,
        limit=sureness.limit,
        hangs_on=sureness.hangs_on,
        premise=sureness.premise,
        side=side,
        answer=answer_of_line(line, word, side) if line and is_claim else "",
        doubt=line.doubt if line else "",
        base=round_off(question.graph.base[question.node]),
        balance=balance_of(question),
        reasons=direct_reasons(question),
        camps=camp_views(question),
        fail_safe=fail_safe_number(question) if is_claim else None,
        lessened=objections_beneath(question),
        same=group_of_same(reading.corpus, question.statement)[1:],
        superseded_by=reading.corpus.derive(superseded_statements).get(question.statement, ""),
        left_out=superseded_reasons(reading.corpus, question.statement),
        crossing=tuple(question.graph.ids[i] for i in camps_of(question).crossing_nodes),
        **contributing_sources(question),
        **_under_other_rules(question),
        **under_default_settings(question),
    )
    return structs.replace(answer, sentence=_sentence_of_verdict(question, answer))


class UnderOtherRules(TypedDict):
    """Fields of a verdict: what comes of the question by other rules, or if filed directly."""

    others: dict[str, float | None]
    other_words: dict[str, str]
    depends_on_semantics: bool
    grounded: str
    grounded_says: str
    filed_directly: float | None
    filed_word: str


def _under_other_rules(question: Question) -> UnderOtherRules:
    is_claim = bool(question.graph.claim[question.node])
    label, label_meaning = explain_grounded_label(question)
    is_label_opposed = is_claim and label_differs(side_now(question), label)
    filed_directly = weigh_filed_directly(question)
    return {
        "others": other_strengths(question),
        "other_words": other_words(question),
        "depends_on_semantics": depends_on_rule(question, side_now(question)),
        "grounded": label,
        "grounded_says": label_meaning if is_label_opposed else "",
        "filed_directly": round_off_or_none(filed_directly.strength),
        "filed_word": strength_word(filed_directly, question.settings) if is_claim else "",
    }


def _sentence_of_verdict(question: Question, verdict: Verdict) -> str:
    limits = remark_on_no_contradiction(verdict.reasons, verdict.side)
    words = verdict.word, verdict.sureness
    return verdict_sentence(
        question.title, words, verdict.answer, verdict.strength, limits, question.settings
    )
