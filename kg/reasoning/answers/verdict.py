"""The verdict on a question: which side, how surely, and how other rules would judge."""

from __future__ import annotations

from collections.abc import Sequence

from kg.corpus.reasons_for_and_against import superseded_reasons
from kg.corpus.same_and_superseded import same_statements, superseded_statements
from kg.model import SourceKey, StatementId, Value
from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning.answers.independence import ContributingSources, contributing_sources
from kg.reasoning.answers.robustness import Robustness, other_rules_of
from kg.reasoning.answers.verdict_text import (
    answer_of_line,
    describe_best_reasons,
    describe_robustness,
    remark_on_declared_same,
    remark_on_filing,
    remark_on_label,
    remark_on_limit,
    remark_on_other_rules,
    remark_on_products,
    remark_on_settings,
    remark_on_slight_sources,
    remark_on_superseded,
    verdict_sentence,
)
from kg.reasoning.asked_question import asked_about
from kg.reasoning.graph.arrays import round_off_or_none
from kg.reasoning.line_without_proposition import LineWithoutProposition, answer_without_proposition
from kg.reasoning.losses.source_losses import losses_by_source
from kg.reasoning.reading import Question, Reading, accepts_corpus
from kg.reasoning.reasons.camp_views import CAMP_VIEW, CampView, camp_views
from kg.reasoning.reasons.direct_reasons import (
    LEAST_SHARE_LISTED,
    Balance,
    Reason,
    balance_of,
    direct_reasons,
    reason_table,
    remark_on_no_contradiction,
)
from kg.reasoning.robustness_words import fail_safe_number
from kg.reasoning.sensitivity.filed_directly import FiledDirectly, weigh_filed_directly
from kg.reasoning.sensitivity.other_settings_and_rules import (
    RULES_DISAGREE,
    OtherRules,
    UnderDefaults,
    dissent_in_report,
    strengths_by_rule_name,
    under_defaults,
)
from kg.reasoning.sensitivity.setting_draws import trials_of
from kg.reasoning.strength_words import side_of
from kg.reasoning.sureness import side_of_answer, sureness_of
from kg.reasoning.sureness_words import (
    BOUNDS_OF_WORDS,
    BY_WEIGHTS,
    LimitedSureness,
    Sureness,
    SurenessLimit,
    answer_phrase,
    held_strength,
)
from kg.reasoning.weighed_answer import WeighedAnswer, fact_lines
from kg.reasoning.word_and_side import verdict_word_of
from kg.reporting.plots import INK, QUIET, Axes, Bar, Mark, colour_of_side, draw_scale
from kg.reporting.report import Report, Table, TextLine, line_of_values, list_names, table

REASONS_PLOTTED_A_SIDE = 5  # reasons per side that a picture has room for
ROWS_OF_DETAIL = 10  # rows of each table below the reasons, as there are several
_ROWS_ARE_ROUNDED = " (rows are rounded)"


class SurenessBasis(Value, frozen=True, omit_defaults=False):
    """The grounds for the sureness of an answer: why it is no surer, and what it withstands.

    `limit` says in a few words why it is no surer, and `other_limits` what else would hold it back;
    where these are why, `hangs_on` names the works of the one source that it hangs on, and
    `depends_on` the claim that it depends on. `low` to `high` is where nine in ten of the
    trials lie. `fail_safe` is how many top-quality contrary studies would
    take the answer from its side.
    """

    limit: SurenessLimit
    other_limits: tuple[SurenessLimit, ...]
    hangs_on: tuple[SourceKey, ...]
    depends_on: StatementId
    low: float | None
    high: float | None
    fail_safe: int | None


class DeclaredInNotes(Value, frozen=True, omit_defaults=False):
    """What the notes declare of a statement. `same` are the others declared the same,
    `superseded_by` is the one that replaces it, and `left_out` are those that would be reasons but
    are superseded.
    """

    same: tuple[StatementId, ...]
    superseded_by: StatementId
    left_out: tuple[StatementId, ...]


class Verdict(WeighedAnswer, frozen=True, kw_only=True):
    """The verdict of the corpus on a proposition: the answer, how sure it is, what bears on it, and
    what it would be otherwise.
    """

    answer: str
    """In the words of the line's question; empty where it gives none."""
    doubt: str
    """What the line's author doubts most of it, which no number here counts."""
    word: str
    """The strength word, of `kg.reasoning.strength_words`; of a piece of evidence, its quality."""
    strength: float | None
    """How far this corpus backs it (0 to 1), not how probable it is; `None`: no equilibrium."""
    side: int
    """1 for it, -1 against it, 0 undecided; a piece of evidence takes no side."""
    sureness: Sureness
    """How far it may be relied on, as `kg.reasoning.sureness_words.SURENESS_MEANINGS` says; empty
    for a piece of evidence.
    """
    sureness_basis: SurenessBasis
    """Why it is no surer, and what it withstands."""
    reasons: tuple[Reason, ...]
    """What bears on it directly, the heaviest first."""
    balance: Balance
    """What these add up to."""
    camps: tuple[CampView, ...]
    """What each camp alone would see."""
    sources: ContributingSources
    """On how many independent sources it rests."""
    other_rules: OtherRules
    """How other rules would judge."""
    filed_directly: FiledDirectly
    """What it would be if each source spoke to the question itself."""
    under_defaults: UnderDefaults
    """What it would be without the settings of this corpus."""
    declared: DeclaredInNotes
    """What the notes declare the same as it, or superseded."""

    @property
    def side_shown(self) -> int:
        """The side (1 or -1) whose reasons are shown first: its own, or 1 if it is undecided."""
        return self.side or 1

    @property
    def held_strength(self) -> float | None:
        """The place of the answer on a scale: no farther than its sureness reaches."""
        if self.strength is None:
            return None
        set_here = self.under_defaults.set_here.items()
        bounds = {name: value for name, value in set_here if name in BOUNDS_OF_WORDS}
        settings = Reasoning.model_validate(bounds)
        return held_strength(self.sureness, side_of(self.word), self.strength, settings)

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
        unit = f"share: {gain:.2f} is what one top-quality study would bring"
        lines_and_tables: list[TextLine | Table] = [
            TextLine(first, "strong", ""),
            *(TextLine(sentence, hang="") for sentence in others),
            *share_rows,
            *([TextLine(""), TextLine(unit, "aside", "")] if rows.pro or rows.con else []),
            *line_of_values(
                f"linked to it, adding less than {LEAST_SHARE_LISTED} directly", rows.idle
            ),
            *line_of_values("left out, as superseded", self.declared.left_out),
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
        camp_marks = [
            Mark(f"{c.camp} alone", c.strength, c.colour or colour_of_side(c.side))
            for c in self.camps
        ]
        sums = (("for, in all", self.balance.pro), ("against, in all", -self.balance.con))
        return self._scale_with(camp_marks, [Bar(name, nats) for name, nats in sums if nats], ax)

    def _scale_with(self, marks: Sequence[Mark], bars: Sequence[Bar], ax: Axes | None) -> Axes:
        place, word = self.held_strength, answer_phrase(self.word, self.sureness)
        by_weights = Mark(
            self.word, self.strength, INK, self.sureness_basis.low, self.sureness_basis.high
        )
        answer = [by_weights]
        if place != self.strength:
            label = f"{BY_WEIGHTS}: {self.word}"
            answer = [Mark(word, place, INK), by_weights._replace(label=label, colour=QUIET)]
        return draw_scale(self.asked.title, [*answer, *marks], bars, ax)

    def detail(self, answers: Sequence[WeighedAnswer]) -> Report:
        """Report how it was weighed, and other answers about it in short."""
        rules, filed = self.other_rules, self.filed_directly
        facts = {
            "where it starts": self.balance.base,
            "strength if all were filed as reasons of the question itself": filed.strength,
            "the word for that": filed.word,
            "by objections alone (Dung: in, out or undecided)": rules.grounded,
            "by objections alone, otherwise": rules.grounded_says,
            RULES_DISAGREE: dissent_in_report(self.word, rules),
            "sources of equal weight, for and against": self.sources.effective,
            "independent sources that it hangs on": self.sources.count,
        }
        strengths = strengths_by_rule_name(rules.strengths)
        crossing = [id for camp in self.camps for id in camp.crossing]
        lines_and_tables: list[TextLine | Table] = [
            TextLine(""),
            TextLine("how it was weighed", "strong"),
            *fact_lines(facts),
            *line_of_values("strength by other rules", strengths),
            table("camps", self.camps, CAMP_VIEW, ROWS_OF_DETAIL),
            *list_names("against their camp", crossing, ROWS_OF_DETAIL),
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
    basis = verdict.sureness_basis
    band = (basis.low, basis.high)
    trials = describe_robustness(verdict.word, band, basis.fail_safe, verdict.asked, robustness)
    sentences = (
        verdict.sentence,
        f"Chief doubt: {verdict.doubt}" if verdict.doubt else "",
        describe_best_reasons(verdict.reasons, verdict.balance, floor),
        f"How sure: {trials}" if trials else "",
        robustness.people_say if robustness else "",
        robustness.word_changes_say if robustness else "",
    )
    return tuple(sentence for sentence in sentences if sentence)


def list_remarks(verdict: Verdict, *, limit: bool = True) -> tuple[str, ...]:
    """Remarks in plain sentences, with `limit` also on why the answer is no surer. They say what
    other rules say, what it owes to settings and to filing, and whether it rests on many slight
    sources.
    """
    products = remark_on_products(verdict.asked.parameters.semantics) if verdict.reasons else ""
    basis, balance, declared = verdict.sureness_basis, verdict.balance, verdict.declared
    filed, set_here = verdict.filed_directly, verdict.under_defaults.set_here
    filing = no_surer = ""
    if verdict.reasons and filed.word:
        filing = remark_on_filing(verdict.strength, verdict.word, filed, set_here)
    if limit:
        no_surer = remark_on_limit(verdict.sureness, basis.limit, basis.hangs_on, basis.depends_on)
    remarks = (
        remark_on_other_rules(verdict.side, verdict.other_rules.words),
        remark_on_label(verdict.other_rules.grounded, verdict.other_rules.grounded_says),
        no_surer,
        remark_on_superseded(declared.superseded_by),
        remark_on_declared_same(declared.same),
        remark_on_settings(verdict.under_defaults),
        products,
        filing,
        remark_on_slight_sources(balance.pro + balance.con, verdict.sources),
    )
    return tuple(filter(None, remarks))


@accepts_corpus
def verdict(reading: Reading, name: str) -> Verdict | LineWithoutProposition:
    """The verdict on `name`: a line's proposition, or a statement. Raises `UnknownId`.

    `corpus.verdict("social-grounding").sentence`
    """
    question = reading.question(name)
    if not question.statement:
        return answer_without_proposition(question)
    is_claim = bool(question.graph.is_claim[question.node])
    word = verdict_word_of(question)
    limited, side = sureness_of(question), side_of_answer(question)
    corpus = reading.corpus
    line = corpus.lines.get(question.line_id or "")
    answer = answer_of_line(line, word, side) if line and is_claim else ""
    reasons, strength = direct_reasons(question), round_off_or_none(question.strength_or_nan)
    remark = remark_on_no_contradiction(reasons, side)
    words = word, limited.sureness
    return Verdict(
        sentence=verdict_sentence(
            question.title, words, answer, strength, remark, question.settings
        ),
        asked=asked_about(question),
        complete=losses_by_source(question).complete,
        answer=answer,
        doubt=line.doubt if line else "",
        word=word,
        strength=strength,
        side=side,
        sureness=limited.sureness,
        sureness_basis=_sureness_basis_of(question, limited),
        reasons=reasons,
        balance=balance_of(question),
        camps=camp_views(question),
        sources=contributing_sources(question),
        other_rules=other_rules_of(question),
        filed_directly=weigh_filed_directly(question),
        under_defaults=under_defaults(question),
        declared=DeclaredInNotes(
            same=same_statements(corpus, question.statement)[1:],
            superseded_by=superseded_statements(corpus).get(question.statement, ""),
            left_out=superseded_reasons(corpus, question.statement),
        ),
    )


def _sureness_basis_of(question: Question, limited: LimitedSureness) -> SurenessBasis:
    trials = trials_of(question)
    return SurenessBasis(
        limit=limited.limit,
        other_limits=limited.other_limits,
        hangs_on=limited.hangs_on,
        depends_on=limited.depends_on,
        low=round_off_or_none(trials.low),
        high=round_off_or_none(trials.high),
        # evidence has no side to be taken from
        fail_safe=fail_safe_number(question) if question.graph.is_claim[question.node] else None,
    )
