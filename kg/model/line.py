"""Inquiry lines: a question, an essay, and the camps that answer it."""

from __future__ import annotations

import datetime as dt

from kg.model.diagnostic import Span
from kg.model.edge import CampPlacement, NextStep
from kg.model.statement import Citation, Quotation, Status
from kg.model.value import LineId, StatementId, Value, render_card, render_short

UNDECIDED = "Undecided: the notes do not settle it."


class Answers(Value, frozen=True):
    """What it means for a line's question if its proposition holds, if it does not, or neither.

    Where nothing is written, the words are empty.
    """

    holds: str = ""
    fails: str = ""
    undecided: str = ""

    @property
    def written(self) -> bool:
        """Whether the line says what its answer means."""
        return bool(self.holds or self.fails or self.undecided)


class InquiryLine(Value, frozen=True):
    """A question, the essay that weighs it, and who argues what.

    `proposition` is the yes/no claim that the line weighs, and `answers` what follows from it
    for the question; `essay` is Markdown as written, without the standfirst and the lists of
    camps and next steps.
    """

    id: LineId
    title: str
    span: Span
    standfirst: str = ""
    essay: str = ""
    proposition: StatementId | None = None
    answers: Answers = Answers()
    placements: tuple[CampPlacement, ...] = ()
    next: tuple[NextStep, ...] = ()
    citations: tuple[Citation, ...] = ()
    quotations: tuple[Quotation, ...] = ()
    aliases: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    status: Status = Status.STABLE
    created: dt.date | None = None
    updated: dt.date | None = None
    reviewed: dt.date | None = None
    extra: dict[str, str] = {}

    @property
    def note(self) -> str:
        """The id of the note that holds the line."""
        return self.id

    def answer_for(self, side: int) -> str:
        """The answer in the question's words: the proposition holds (1), fails (-1), neither (0).

        Empty where the line does not say what holding or failing means; what is undecided is
        always put in words.
        """
        if side:
            return self.answers.holds if side > 0 else self.answers.fails
        return self.answers.undecided or UNDECIDED

    def __repr__(self) -> str:
        return render_short("line", self.id, self.title)

    def __str__(self) -> str:
        return "\n".join((f"{self.title}  [{self.id}]", *(f"  {said}" for said in self._told())))

    def _told(self) -> tuple[str, ...]:
        """What the line says its answer means."""
        cases = (("holds", self.answers.holds), ("fails", self.answers.fails))
        return tuple(f"if the proposition {case}: {said}" for case, said in cases if said)

    def _repr_html_(self) -> str:
        facts = ("inquiry line", f"{len(self.placements)} placed")
        return render_card(self.title, self.id, facts, " ".join((self.standfirst, *self._told())))
