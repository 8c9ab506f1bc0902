"""The answer where a line weighs no yes/no proposition: its claims, by strength."""

from __future__ import annotations

from kg.model import StatementId, Value
from kg.reasoning.asked_question import asked_about
from kg.reasoning.graph.arrays import round_off_or_none
from kg.reasoning.reading import Question
from kg.reasoning.weighed_answer import WeighedAnswer
from kg.reporting.plots import Axes, Mark, draw_scale
from kg.reporting.report import MAX_ROWS, Report, columns, table
from kg.text.plurals import pluralize


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


def answer_without_proposition(question: Question) -> LineWithoutProposition:
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
