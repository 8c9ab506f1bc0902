"""What every answer carries: one plain sentence, what was asked, and what its numbers mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning.asked_question import AskedQuestion, parameters_of
from kg.reporting.report import PrintableAnswer, Report, Table, TextLine, aside_lines, fact_line

_STRENGTH = (
    "strength: how far this corpus backs it, from 0 to 1; 0.5 says nothing; of evidence, how much "
    "it can carry"
)
STRENGTH_HEADINGS = ("strength", "strength then", "if true")
# What numbers in nats mean, by a heading; “study” is what one top-quality study brings.
TERMS_IN_NATS = {
    "share": "share, for, against, in all: {study:g} is what one top-quality study would bring",
    "against": "for, against: as in the bill of `kg verdict`; {study:g} is what one top-quality "
    "study would bring",
}


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
