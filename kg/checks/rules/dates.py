"""Rules about the dates of notes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from kg.checks.note_places import place_of
from kg.checks.rule import RuleViolation, rule
from kg.corpus import Corpus
from kg.model import InquiryLine, Severity, Statement

_AHEAD = dt.timedelta(days=1)  # it may already be tomorrow elsewhere
_ONLINE_FIRST = dt.timedelta(days=183)  # an article may appear before its volume's year


@rule(Severity.WARNING)
def dates_out_of_order(corpus: Corpus) -> Iterator[RuleViolation]:
    """A note changed or reviewed before it was written, or on a day in the future.

    Or evidence that cites a source from a later year than its own date: one of the two is wrong.
    """
    latest = dt.date.today() + _AHEAD
    records: tuple[Statement | InquiryLine, ...]
    records = (*corpus.statements.values(), *corpus.lines.values())
    for record in records:
        dates = {key: getattr(record, key) for key in ("created", "updated", "reviewed")}
        for key, date in dates.items():
            if date is not None and date > latest:
                yield _wrong_date(corpus, record, key, f"`{key}` is in the future: {date}")
            elif date is not None and record.created is not None and date < record.created:
                message = f"`{key}` comes before `created`: {date} and {record.created}"
                yield _wrong_date(corpus, record, key, message)
    yield from _later_sources(corpus)


def _wrong_date(
    corpus: Corpus, record: Statement | InquiryLine, key: str, message: str
) -> RuleViolation:
    span = place_of(corpus, record, key, str(getattr(record, key)))
    return RuleViolation(span, message, "correct the one that is wrong")


def _later_sources(corpus: Corpus) -> Iterator[RuleViolation]:
    for item in corpus.evidence:
        statement_around = corpus.statements.get(item.parent or "", item)
        dates = [
            d
            for each in (item, statement_around)
            for d in (each.created, each.updated, each.reviewed)
        ]
        last_date = max((date for date in dates if date is not None), default=None)
        if last_date is None:
            continue
        for citation in item.citations:
            source = corpus.sources.get(citation.key)
            if source and source.year and _is_after(source.year, last_date):
                message = (
                    f"`{source.key}` is from {source.year}, but this evidence from {last_date}"
                )
                help = "correct the year of the entry, or `updated`"
                yield RuleViolation(citation.span, message, help, (source.span,))


def _is_after(year: int, date: dt.date) -> bool:
    return year <= dt.MAXYEAR and dt.date(year, 1, 1) > date + _ONLINE_FIRST
