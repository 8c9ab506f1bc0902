"""Inquiry lines: a question, its answers, what it places in camps, and what may be asked next."""

from __future__ import annotations

import datetime as dt

from kg.model.statement import Citation, Quotation, Status
from kg.model.value import CampId, LineId, Span, StatementId, Value, render_card, render_short

UNDECIDED_ANSWER = "Undecided: the notes do not settle it."


class CampPlacement(Value, frozen=True):
    """A line's placement of a statement in a camp: in `line`, `statement` argues for `camp`."""

    line: LineId
    statement: StatementId
    camp: CampId
    span: Span
    reason: str = ""


class NextStep(Value, frozen=True):
    """The continuation of a line's inquiry: another line (`target`), or a question in words."""

    span: Span
    target: LineId | None = None
    question: str = ""
    reason: str = ""


class AnswerWords(Value, frozen=True):
    """The answers to a line's question if its proposition holds, fails, or is undecided.

    Answers that are not written are empty.
    """

    holds: str = ""
    fails: str = ""
    undecided: str = ""

    @property
    def has_any(self) -> bool:
        """Whether any answer is written."""
        return bool(self.holds or self.fails or self.undecided)


class InquiryLine(Value, frozen=True):
    """A question, the essay that weighs it, and the placements of statements in camps.

    `proposition` is the yes/no claim that the line weighs, and `answers` what follows from it
    for the question; `open` says why it weighs none. `doubt` is what its author doubts most,
    which no number takes into account. `essay` is Markdown as written, without the standfirst and
    the lists of camps and next steps.
    """

    id: LineId
    title: str
    span: Span
    standfirst: str = ""
    essay: str = ""
    proposition: StatementId | None = None
    answers: AnswerWords = AnswerWords()
    doubt: str = ""
    open: str = ""
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
        """The id of the line's note."""
        return self.id

    def answer_for(self, side: int) -> str:
        """The answer in the line's words if the proposition holds (1), fails (-1), or neither (0).

        Empty if the line does not write that answer; for undecided there is a default.
        """
        if side:
            return self.answers.holds if side > 0 else self.answers.fails
        return self.answers.undecided or UNDECIDED_ANSWER

    def __repr__(self) -> str:
        return render_short("line", self.id, self.title)

    def __str__(self) -> str:
        return "\n".join(
            (f"{self.title}  [{self.id}]", *(f"  {case}" for case in self._describe_cases()))
        )

    def _describe_cases(self) -> tuple[str, ...]:
        """The written answers for holding and failing, each with its condition."""
        cases = (("holds", self.answers.holds), ("fails", self.answers.fails))
        return tuple(f"if the proposition {case}: {answer}" for case, answer in cases if answer)

    def _repr_html_(self) -> str:
        facts = ("inquiry line", f"{len(self.placements)} placed")
        return render_card(
            self.title, self.id, facts, " ".join((self.standfirst, *self._describe_cases()))
        )
