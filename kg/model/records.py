"""Records other than statements: edges, sources, inquiry lines, and the parts of lines."""

from __future__ import annotations

import datetime as dt
import enum
import re
from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

from kg.model.ids import is_given_name
from kg.model.relation import EdgeStrength, Relation
from kg.model.statement import Citation, Quotation, Status
from kg.model.value import (
    CampId,
    EdgeId,
    LineId,
    SourceKey,
    Span,
    StatementId,
    Value,
    render_card,
    render_short,
)


class Edge(Value, frozen=True):
    """`source` bears on `target`, as written at `span`.

    `target` is a statement id, or an edge id if the relation is `undercuts`.
    `nested` marks the edge from a callout to the statement around it. `together` lists
    the other joint (linked) premises, without which the source is not a reason. `mutual` is as
    written in the note; `goes_both_ways` is its effect.
    """

    id: EdgeId
    source: StatementId
    relation: Relation
    target: StatementId | EdgeId
    span: Span
    reason: str = ""
    strength: EdgeStrength | None = None
    mutual: bool = False
    nested: bool = False
    scope: str = ""
    by: str = ""
    locator: str = ""
    together: tuple[StatementId, ...] = ()

    @property
    def premises(self) -> tuple[StatementId, ...]:
        """All premises that bear on the target jointly: the source, then the others."""
        return (self.source, *self.together)

    @property
    def is_named(self) -> bool:
        """Whether its id is a name given by its author."""
        return is_given_name(self.id)

    @property
    def goes_both_ways(self) -> bool:
        """Whether the target also opposes the source: only a contradiction of two can be mutual."""
        return self.mutual and self.relation is Relation.CONTRADICTS and not self.together

    @property
    def directions(self) -> tuple[tuple[str, str], ...]:
        """The pairs of start and end: as written and, if it goes both ways, the reverse."""
        forth = (self.source, self.target)
        if not self.mutual:  # the usual case
            return (forth,)
        return (forth, forth[::-1]) if self.goes_both_ways else (forth,)

    def others(self, premise: StatementId) -> tuple[StatementId, ...]:
        """The premises that `premise` counts together with; empty if it counts by itself."""
        return tuple(each for each in self.premises if each != premise)

    def __repr__(self) -> str:
        return render_short("edge", self._edge_in_words, self.reason)

    def _repr_html_(self) -> str:
        strength = self.strength.value if self.strength else ""
        return render_card(self._edge_in_words, self.id, (strength, self.by), self.reason)

    @property
    def _edge_in_words(self) -> str:
        with_others = f" with {' and '.join(self.together)}" if self.together else ""
        return f"{self.source} {self.relation.value} {self.target}{with_others}"


class Bearing(NamedTuple):
    """An edge in one direction, to `target`: one that goes both ways bears on each of its ends."""

    edge: Edge
    source: StatementId
    target: StatementId | EdgeId

    @property
    def premises(self) -> tuple[StatementId, ...]:
        """All statements that bear on the target jointly."""
        return (self.source, *self.edge.together)  # with other premises it goes one way only

    @property
    def side(self) -> int:
        """1 for a reason for the target, -1 for one against it, 0 if it takes no side."""
        return self.edge.relation.entry.side

    @property
    def is_reversed(self) -> bool:
        """Whether it runs against the direction in which the edge is written."""
        return self.source != self.edge.source


class CampPlacement(Value, frozen=True):
    """In `line`, `statement` argues for `camp`."""

    line: LineId
    statement: StatementId
    camp: CampId
    span: Span
    reason: str = ""


class NextStep(Value, frozen=True):
    """Where a line's inquiry continues: another line (`target`), or a question in words."""

    span: Span
    target: LineId | None = None
    question: str = ""
    reason: str = ""


def fold_independence_keys(keys: Iterable[str]) -> tuple[str, ...]:
    """Keys in the form in which they are compared: `Data: X` is `data:x`."""
    folded_keys = (re.sub(r"\s*:\s*", ":", " ".join(key.split())).casefold() for key in keys)
    return tuple(dict.fromkeys(filter(None, folded_keys)))


class Integrity(enum.StrEnum):
    """Whether a source still stands, according to its publisher."""

    OK = "ok"
    CORRECTED = "corrected"
    CONCERN = "concern"
    RETRACTED = "retracted"


_AUTHOR_SEPARATOR = re.compile(r"\{[^{}]*\}| and ")  # one in braces is part of a name

ET_AL = "et al."
"""Entry among the authors that stands for those not named."""


class Source(Value, frozen=True, rename={"key": "id"}):
    """A published work, from the bibliography, a source note, or both; its key is its id."""

    key: SourceKey
    title: str
    span: Span
    type: str = "misc"
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str = ""
    doi: str = ""
    arxiv: str = ""
    url: str = ""
    body: str = ""
    note: str = ""
    aliases: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    integrity: Integrity | None = None
    independence: tuple[str, ...] = ()
    verification: str = ""
    snapshot: str = ""
    peer_reviewed: bool | None = None
    entry: dict[str, str] = {}
    extra: dict[str, str] = {}

    @property
    def id(self) -> SourceKey:
        """The citation key, under the name that ids have in other records."""
        return self.key

    @property
    def retracted(self) -> bool:
        """Whether the source has been retracted, so that nothing may rest on it."""
        return self.integrity is Integrity.RETRACTED

    @property
    def organisations(self) -> frozenset[str]:
        """The authors that are organisations, which the entry marks by braces."""
        author_field = self.entry.get("author") or self.entry.get("editor") or ""
        return (
            frozenset(re.findall(r"\{([^{}]+)\}", author_field))
            if "{" in author_field
            else frozenset()
        )

    @property
    def short_authors(self) -> str:
        """The authors as cited in running text: “Roe”, “Roe and Doe”, “Roe et al.”, or empty."""
        names = [name for name in self.authors if name.strip()]
        short_names = [self._short_name(name) for name in names[:2] if name != ET_AL]
        return (
            f"{short_names[0]} {ET_AL}"
            if short_names and len(short_names) < len(names)
            else " and ".join(short_names)
        )

    @property
    def first_author(self) -> str:
        """The family name of the first author, for sorting lists of works."""
        return next(
            (self._short_name(name) for name in self.authors if name not in ("", ET_AL)), ""
        )

    @property
    def written_authors(self) -> dict[str, str]:
        """The authors' names as the entry writes them (`Last, First`), by their names."""
        author_field = self.entry.get("author") or self.entry.get("editor") or ""
        ands = (
            match.span()
            for match in _AUTHOR_SEPARATOR.finditer(author_field)
            if match[0] == " and "
        )
        places = [0, *chain.from_iterable(ands), len(author_field)]
        parts = [author_field[i:j] for i, j in zip(places[::2], places[1::2], strict=True)]
        return (
            dict(zip(self.authors, parts, strict=True)) if len(parts) == len(self.authors) else {}
        )

    def _short_name(self, name: str) -> str:
        family = self.written_authors.get(name, "").partition(",")
        if family[1] and family[0] in name:
            return family[0]
        return name if name in self.organisations else _family_name(name)

    def __repr__(self) -> str:
        return render_short("source", self.key, self.title)

    def __str__(self) -> str:
        return f"{self.title}  [{self.key}]"

    def _repr_html_(self) -> str:
        year = str(self.year) if self.year else ""
        return render_card(self.title, self.key, (", ".join(self.authors), year, self.venue))


def newest_year(sources: Iterable[Source]) -> int | None:
    """The last year in which one of the sources was published; None if no year is known."""
    return max((source.year for source in sources if source.year is not None), default=None)


class GlossaryTerm(Value, frozen=True):
    """The meaning of a topic, a name or a technical term, from a glossary.

    `names` are the name shown and then its synonyms; `text` is Markdown.
    """

    names: tuple[str, ...]
    text: str
    span: Span
    group: str = ""

    @property
    def name(self) -> str:
        """The name that is shown."""
        return self.names[0]

    def __str__(self) -> str:
        others = f" ({', '.join(self.names[1:])})" if self.names[1:] else ""
        return f"{self.name}{others}: {self.text}"


def fold_term(name: str) -> str:
    """A term in the form in which terms are compared: lower case, spaces for hyphens and `_`."""
    return " ".join(name.casefold().replace("-", " ").replace("_", " ").split())


def wordings_of_title(aliases: Iterable[str]) -> list[str]:
    """Those aliases that are other wordings of a title: of several words, as ids seldom are."""
    return [" ".join(alias.split()) for alias in aliases if " " in alias]


def _family_name(name: str) -> str:
    """The family name of a person, as shown in citations: with particles, without any `Jr.`"""
    parts = name.partition(", ")[0].split()
    start = next((i for i, part in enumerate(parts[1:-1], 1) if part[:1].islower()), len(parts) - 1)
    return " ".join(parts[start:])


UNDECIDED_ANSWER = "Undecided: the notes do not settle it."


class LineAnswers(Value, frozen=True):
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
    answers: LineAnswers = LineAnswers()
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
            (f"{self.title}  [{self.id}]", *(f"  {case}" for case in self._cases_in_words()))
        )

    def _cases_in_words(self) -> tuple[str, ...]:
        """The written answers for holding and failing, each with its condition."""
        cases = (("holds", self.answers.holds), ("fails", self.answers.fails))
        return tuple(f"if the proposition {case}: {answer}" for case, answer in cases if answer)

    def _repr_html_(self) -> str:
        facts = ("inquiry line", f"{len(self.placements)} placed")
        return render_card(
            self.title, self.id, facts, " ".join((self.standfirst, *self._cases_in_words()))
        )
