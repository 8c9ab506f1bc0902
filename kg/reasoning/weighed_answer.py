"""The parts of every answer: numbers, ids, parameters, certificate, and one plain sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Literal

from kg.model import LineId, StatementId, Value
from kg.model.settings.reasoning_settings import Reasoning, follows_routes
from kg.reasoning.graph.arrays import round_off_or_none
from kg.reasoning.reading import Question, Reading
from kg.reasoning.scenarios import keep_outcome
from kg.reasoning.solution import CERTIFICATES, Certificate, Solution, certify
from kg.reasoning.strength_words import WeighingOutcome, quality_phrase, side_of, strength_word
from kg.reporting.plots import Axes, Mark, draw_scale
from kg.reporting.report import (
    MAX_ROWS,
    PrintableAnswer,
    Report,
    Table,
    TextLine,
    aside_lines,
    columns,
    fact_line,
    table,
)
from kg.text.plurals import pluralize

_STRENGTH = (
    "strength: how far this corpus backs it, from 0 to 1; 0.5 says nothing; of evidence, how much "
    "it can carry"
)
STRENGTH_HEADINGS = ("strength", "strength then", "if true")
TERMS_IN_NATS = {
    "share": "share, for, against, in all: {study:g} is what one top-quality study would bring",
    "against": "for, against: as in the bill of `kg verdict`; {study:g} is what one top-quality "
    "study would bring",
}
"""What numbers in nats mean, by a heading; “study” is what one top-quality study brings."""
SEMANTICS_IN_WORDS = {
    "logistic": "reasons add up as odds multiply (in log-odds)",
    "qe": "quadratic energy",
    "dfquad": "DF-QuAD",
    "euler": "Euler-based",
    "eulertop": "Euler-based, from the top",
    "hcat": "h-categorizer",
}
LOOPS_IN_WORDS = {
    "cautious": "of reasons and objections that go in a circle only the strongest of each count",
    "sum": "reasons and objections that go in a circle are added up",
}
TRANSFERS_IN_WORDS = {
    "routes": "each independent source counts once per statement, by its best route",
    "earned": "a statement passes on only what it has earned above its starting point",
    "plain": "a statement passes on its whole strength",
}
SideChange = Literal["turns", "undoes", "decides", "keeps"]
"""Whether an answer changes sides, loses its side, gains one, or keeps it."""


class Parameters(Value, frozen=True, omit_defaults=False):
    """The settings that the numbers depend on, and the nats from which a side carries weight."""

    semantics: str
    loops: str
    transfer: str
    gain: float
    repeat: float
    moderate: float
    weak: float
    qualifies: float
    open_below: float

    @property
    def follows_routes(self) -> bool:
        """Whether sources were followed along their routes."""
        return follows_routes(self.transfer, self.semantics)


def describe_settings(parameters: Parameters) -> str:
    """Describe in plain words the rules of weighing that were in force."""
    semantics = SEMANTICS_IN_WORDS[parameters.semantics]
    defaults = parameters_of(Reasoning())
    names = ("gain", "moderate", "weak", "qualifies", "open_below")
    others = "".join(
        f"; {name} {getattr(parameters, name):g}"
        for name in names
        if getattr(parameters, name) != getattr(defaults, name)
    )
    if parameters.follows_routes:
        repeats = f"; its other routes count {parameters.repeat:.0%}" if parameters.repeat else ""
        return f"{TRANSFERS_IN_WORDS['routes']}{repeats}; {semantics}{others}"
    transfer = TRANSFERS_IN_WORDS[
        "earned" if parameters.transfer == "routes" else parameters.transfer
    ]
    repeats = f"a source that is heard again counts {parameters.repeat:.0%}"
    return f"{semantics}; {LOOPS_IN_WORDS[parameters.loops]}; {transfer}; {repeats}{others}"


class AskedQuestion(Value, frozen=True, omit_defaults=False):
    """The question that an answer is about, its parameters, and what is proved about its numbers.

    `statement` is empty where a line weighs no proposition, or the answer is about a corpus.
    """

    line: LineId | None
    statement: StatementId
    title: str
    parameters: Parameters
    certificate: Certificate | None

    @property
    def how(self) -> str:
        """The rules by which the numbers were obtained, and what is proved about them, in plain
        words.
        """
        proved = f". {CERTIFICATES[self.certificate.name]}" if self.certificate else ""
        return describe_settings(self.parameters) + proved


class SentenceAnswer(PrintableAnswer, frozen=True, kw_only=True, omit_defaults=False):
    """An answer whose first line is `sentence`, in plain words.

    `complete` is false where a search was cut short; then what is listed is true, but there
    may be more.

    `corpus.gaps("social-grounding").sentence`
    """

    sentence: str
    complete: bool = True

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.sentence}>"

    @property
    def lead_line(self) -> TextLine:
        """The sentence as the first line of a report."""
        return TextLine(self.sentence, "strong", "")


class WeighedAnswer(SentenceAnswer, frozen=True, kw_only=True, omit_defaults=False):
    """The base of all answers to a question about the corpus.

    `corpus.crux("social-grounding").asked.how`
    """

    asked: AskedQuestion

    def report(self) -> Report:
        """The answer as a report: the sentence alone, unless a subclass adds more."""
        return self.as_report({})

    def as_report(
        self, facts: Mapping[str, object], *parts: TextLine | Table, how: bool | None = None
    ) -> Report:
        """The sentence, the facts that are not empty, other parts, and what the numbers mean."""
        tables = [part for part in parts if isinstance(part, Table) and part.rows]
        headings = {*facts, *(name for table in tables for name in table.columns)}
        terms = self.terms(headings, how, [table.meaning for table in tables])
        return Report((self.lead_line, *fact_lines(facts), *parts, *terms))

    def terms(
        self, headings: Set[str], how: bool | None = None, meanings: Sequence[str] = ()
    ) -> tuple[TextLine, ...]:
        """Explain the numbers under `headings` that several tables have, and as their tables say.
        If `how`, also what they depend on and what is proved about them (by default only if that is
        unusual).
        """
        proof = self.asked.certificate
        usual = self.asked.parameters == parameters_of(Reasoning())
        usual = usual and (proof is None or proof.name in ("acyclic", "unfolded"))
        study = self.asked.parameters.gain
        lines = [] if headings.isdisjoint(STRENGTH_HEADINGS) else [_STRENGTH]
        lines += filter(None, dict.fromkeys(meanings))
        lines += [
            text.format(study=study) for name, text in TERMS_IN_NATS.items() if name in headings
        ]
        if not usual if how is None else how:
            lines.append(f"how: {self.asked.how}")
        if not self.complete:
            lines.append("the search was cut short: what is listed holds, and there may be more")
        return aside_lines(lines)

    def detail_tables(self) -> tuple[Table, ...]:
        """The tables that a verdict shows of this answer in its detail."""
        return ()


def fact_lines(facts: Mapping[str, object]) -> Iterator[TextLine]:
    """A line for each fact that is not an empty string."""
    return (fact_line(name, value) for name, value in facts.items() if value != "")


class Candidate(Value, frozen=True, omit_defaults=False):
    """A claim that a line places in a camp, and how far the corpus backs it."""

    statement: StatementId
    title: str
    camp: str
    strength: float | None


CANDIDATE = columns(Candidate, "statement, camp, strength")


class LineWithoutProposition(WeighedAnswer, frozen=True, kw_only=True):
    """The answer where a line weighs no yes/no proposition: its claims, the best backed first.

    `isinstance(corpus.verdict("social-grounding"), reasoning.LineWithoutProposition)`
    """

    candidates: tuple[Candidate, ...] = ()

    def report(self) -> Report:
        return self.as_report({}, table("candidates", self.candidates, CANDIDATE))

    def plot(self, ax: Axes | None = None) -> Axes:
        """The strengths of the candidates, from 0 to 1.

        Draws with matplotlib, on `ax` if it is given. Raises `MissingLibrary`.

        `corpus.verdict("face-or-perspective").plot()`
        """
        candidates = self.candidates[:MAX_ROWS]
        marks = [Mark(f"{each.camp}: {each.title}", each.strength) for each in candidates]
        return draw_scale(self.asked.title, marks, ax=ax)


def parameters_of(settings: Reasoning) -> Parameters:
    """The settings that an answer's numbers, and whether a side carries weight, depend on."""
    return Parameters(**{name: getattr(settings, name) for name in Parameters.__struct_fields__})


def asked_about(question: Question) -> AskedQuestion:
    """Return what `question` asks, with the certificate of its part of the graph."""
    return AskedQuestion(
        line=question.line_id,
        statement=question.statement,
        title=question.title,
        parameters=parameters_of(question.settings),
        certificate=question.certificate if question.statement else None,
    )


def asked_about_corpus(reading: Reading) -> AskedQuestion:
    """Return what an answer about the whole corpus asks."""
    return AskedQuestion(
        line=None,
        statement="",
        title=reading.corpus.config.name,
        parameters=parameters_of(reading.settings),
        certificate=certify(reading.graph, reading.solution),
    )


def line_without_proposition(question: Question) -> LineWithoutProposition:
    """The candidates of a line without a proposition, ranked by strength."""
    corpus = question.reading.corpus
    reading = question.reading
    placements = corpus.lines[question.line_id or ""].placements
    claims = [
        Candidate(
            statement=placement.statement,
            title=corpus.statements[placement.statement].title,
            camp=placement.camp,
            strength=round_off_or_none(
                reading.solution.strength[reading.graph.number_of[placement.statement]]
            ),
        )
        for placement in placements
        if placement.statement in corpus.statements
    ]
    claims.sort(key=lambda c: (-(c.strength or 0.0), c.statement))
    best = ""
    if claims:
        best = f"; of its {pluralize(len(claims), 'claim')} the best backed is “{claims[0].title}”"
    return LineWithoutProposition(
        sentence=f"The line weighs no yes/no proposition, so it has no verdict{best}.",
        asked=asked_about(question),
        candidates=tuple(claims),
    )


def outcome_of(question: Question, other_solution: Solution | None = None) -> WeighingOutcome:
    """The outcome of the statement asked about. `other_solution` replaces the question's."""
    solution = other_solution or question.solution
    return WeighingOutcome(*keep_outcome(question.node)(solution, None)[:, 0].tolist())


def side_by_strength(question: Question) -> int:
    """The side of the answer: 1 (supported), -1 (refuted), or 0 for neither.

    Evidence takes no side.
    """
    if not question.graph.is_claim[question.node]:
        return 0
    return side_of(strength_word(outcome_of(question), question.settings))


def verdict_word_of(question: Question) -> str:
    """The word for the statement asked about; for evidence, its quality."""
    if question.graph.is_claim[question.node]:
        return strength_word(outcome_of(question), question.settings)
    reading = question.reading
    # what evidence speaks for lies outside the part of the graph that bears on it
    corpus_graph = reading.graph
    node = reading.graph.number_of[question.statement]
    gates = corpus_graph.gate[corpus_graph.out_of(node)]
    base = float(question.graph.base[question.node])
    return quality_phrase(base, question.strength_or_nan, reading.solution.state[gates].tolist())


def quote_title(title: str) -> str:
    """A title in quotation marks, without its closing punctuation."""
    return f"“{title.rstrip('.?!')}”"


def side_change(old_side: int, new_side: int) -> SideChange:
    """Return how an answer's side changes from `old_side` to `new_side`: 1, -1, or 0 for none."""
    if new_side == old_side:
        return "keeps"
    if not old_side:
        return "decides"
    return "turns" if new_side else "undoes"


def describe_side_change(undone: bool, decided: bool, turned: bool = False) -> str:
    """Say in words what happens to an answer's side."""
    if turned:
        return "turns"
    if undone:
        return "is undone"
    return "is decided" if decided else "–"
