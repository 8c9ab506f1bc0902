"""Inquiry lines: a question, an essay, and the camps that answer it."""

from __future__ import annotations

import datetime as dt

from kg.model.edge import CampPlacement, NextStep
from kg.model.shown import render_card, render_short
from kg.model.span import Span
from kg.model.statement import Citation, Quotation, Status
from kg.model.value import LineId, StatementId, Value


class InquiryLine(Value, frozen=True):
    """A question, the essay that weighs it, and who argues what.

    `proposition` is the yes/no claim that the line weighs; `essay` is Markdown as written,
    without the standfirst and the lists of camps and next steps.
    """

    id: LineId
    title: str
    span: Span
    standfirst: str = ""
    essay: str = ""
    proposition: StatementId | None = None
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

    def __repr__(self) -> str:
        return render_short("line", self.id, self.title)

    def __str__(self) -> str:
        return f"{self.title}  [{self.id}]"

    def _repr_html_(self) -> str:
        facts = ("inquiry line", f"{len(self.placements)} placed")
        return render_card(self.title, self.id, facts, self.standfirst)
