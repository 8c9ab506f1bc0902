"""The base strength of a piece of evidence, from what its note records, every term shown."""

from __future__ import annotations

import math
from collections.abc import Iterable

from kg.model import Source, Statement, Value
from kg.model.config import Quality

UNKNOWN = 0.5
BOUNDS = (0.01, 0.99)
REFERENCE_SAMPLE = 100
MOST_COUNTED = 2.0


class Term(Value, frozen=True):
    """What one recorded field adds to the level, in rungs of the ladder."""

    field: str
    text: str
    points: float


class Design(Value, frozen=True):
    """The recorded fields that the ladder reads; `None` means not recorded.

    `sources` counts independent sources and is only for items that cite none by key.
    """

    method: str | None = None
    sample: int | None = None
    replications: int | None = None
    failed_replications: int | None = None
    sources: int | None = None
    peer_reviewed: bool | None = None
    preregistered: bool | None = None
    serious: int = 0
    very_serious: int = 0


class Grade(Value, frozen=True):
    """A base strength from 0 to 1, the terms it is the sum of, and the fields nobody recorded.

    `standing` is what the base would be if none of the cited sources were retracted.
    """

    base: float
    standing: float
    terms: tuple[Term, ...] = ()
    unknown: tuple[str, ...] = ()
    given: bool = False
    retracted: tuple[str, ...] = ()

    def __str__(self) -> str:
        shown = "; ".join(f"{term.text} {term.points:+.2f}" for term in self.terms)
        note = " (given by the author)" if self.given else ""
        lost = f"; retracted: {', '.join(self.retracted)}" if self.retracted else ""
        return f"{shown or 'no terms'}{note}{lost} ⇒ {self.base:.2f}"


def ladder(design: Design, table: Quality) -> Grade:
    """The grade that `table` gives to `design`: rungs added, clipped, divided by the top.

    An additive reading of GRADE's starting level and its reasons to rate up or down
    (Guyatt et al., BMJ 2008); the numbers are the table's, not GRADE's.
    """
    terms = tuple(_terms(design, table))
    level = sum(term.points for term in terms)
    base = min(max(level, table.lowest), table.highest) / table.top
    fields = ("method", "sample", "replications", "failed_replications")
    unknown = (*fields, "peer_reviewed", "preregistered")
    missing = tuple(name for name in unknown if getattr(design, name) is None)
    return Grade(base=base, standing=base, terms=terms, unknown=missing)


def _terms(design: Design, table: Quality) -> Iterable[Term]:
    rung = table.kinds.get(design.method or "", table.unrecorded)
    yield Term(field="method", text=design.method or "method not recorded", points=rung)
    if design.sample is not None:
        points = table.sample * _clip(math.log10(max(design.sample, 1) / REFERENCE_SAMPLE), 1.0)
        yield Term(field="sample", text=f"n={design.sample}", points=points)
    yield from _counted(design, table)
    if design.peer_reviewed:
        yield Term(field="peer_reviewed", text="peer reviewed", points=table.peer_reviewed)
    if design.preregistered:
        yield Term(field="preregistered", text="preregistered", points=table.preregistered)


def _counted(design: Design, table: Quality) -> Iterable[Term]:
    doublings = math.log2(design.sources) if design.sources else 0.0
    for field, text, amount, each in (
        ("replications", "replications", design.replications, table.replication),
        ("failed_replications", "failed", design.failed_replications, table.failed_replication),
        ("sources", "doublings of sources", doublings, table.sources),
    ):
        if amount:
            yield Term(field=field, text=text, points=each * min(amount, MOST_COUNTED))
    for text, number, each in (
        ("serious concerns", design.serious, table.serious_concern),
        ("very serious concerns", design.very_serious, table.very_serious_concern),
    ):
        if number:
            yield Term(field="concerns", text=f"{number} {text}", points=each * number)


def _clip(value: float, bound: float) -> float:
    return min(max(value, -bound), bound)


def design_of(statement: Statement, sources: Iterable[Source] = ()) -> Design:
    """What the note of `statement` records, and its sources' peer review where it is silent.

    A concern that begins with "very serious" counts as such, any other as serious.
    """
    reviewed = statement.peer_reviewed
    if reviewed is None:
        said = [s.peer_reviewed for s in sources if s.peer_reviewed is not None]
        reviewed = any(said) if said else None
    grave = sum(_is_very_serious(concern) for concern in statement.concerns)
    return Design(
        method=None if statement.method is None else statement.method.value,
        sample=statement.sample,
        replications=statement.replications,
        failed_replications=statement.failed_replications,
        peer_reviewed=reviewed,
        preregistered=statement.preregistered,
        serious=len(statement.concerns) - grave,
        very_serious=grave,
    )


def _is_very_serious(concern: str) -> bool:
    return concern.strip().casefold().replace("-", " ").startswith("very serious")


def grade(statement: Statement, sources: Iterable[Source], table: Quality) -> Grade:
    """The base strength of a piece of evidence that cites `sources`.

    A `quality` written in the note overrides the ladder and is marked as given. Each source
    carries an equal part of the base, so a retracted one takes its part away: all of it
    where it is the only one.
    """
    cited = tuple(sources)
    found = ladder(design_of(statement, cited), table)
    standing = found.standing if statement.quality is None else statement.quality
    standing = min(max(standing, BOUNDS[0]), BOUNDS[1])
    lost = tuple(source.key for source in cited if source.retracted)
    left = 1.0 - len(lost) / len(cited) if cited else 1.0
    return Grade(
        base=standing * left,
        standing=standing,
        terms=found.terms if statement.quality is None else (_given(statement.quality),),
        unknown=found.unknown,
        given=statement.quality is not None,
        retracted=lost,
    )


def _given(quality: float) -> Term:
    return Term(field="quality", text="given", points=quality)
