"""A note's own administrative data: who asserts it, when it was written, where it is."""

from __future__ import annotations

import datetime as dt

from kg.model import InquiryLine, Kind, Statement
from kg.publish.components.evidence import describe_groups
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.html import Child, Html, definition_list, element, join, web_address
from kg.publish.markup.phrases import render_date
from kg.publish.page_builder import PageBuilder
from kg.text.plurals import count_of


def note_dates(
    builder: PageBuilder, path: str, created: dt.date | None, updated: dt.date | None
) -> str:
    """`20 November 2026, last changed 22 November 2026; 7 changes`: from the note itself, or else
    from git.
    """
    history = builder.context.history
    changes = history.of(path)
    has_all_changes = bool(changes) and not history.shallow
    first = created or (changes[-1].day if has_all_changes else None)
    last = updated or (changes[0].day if changes else None)
    date_text = render_date(first) if first else ""
    if last and last != first:
        date_text += f"{', last' if date_text else 'last'} changed {render_date(last)}"
    if has_all_changes and len(changes) > 1:
        date_text += f"; {count_of(len(changes) - 1, 'change')}"
    return date_text


def day_of_page(context: SiteContext, record: InquiryLine | Statement) -> dt.date | None:
    """The day that a page is of: its note's last change as the note says, as git does, the day on
    which it was reviewed, or written; None if nobody says.
    """
    changes = context.history.of(record.span.path)
    day_of_last_commit = changes[0].day if changes else None
    return record.updated or day_of_last_commit or record.reviewed or record.created


def record_of_note(builder: PageBuilder, statement: Statement) -> Html:
    """The note's own administrative data."""
    links, root = builder.link_maker, builder.root
    about = [] if statement.kind is Kind.EVIDENCE else statement.about
    dates = note_dates(builder, statement.span.path, statement.created, statement.updated)
    rows: list[tuple[str, Child]] = [
        ("Asserted by", join("; ", [_who_holds(builder, name) for name in statement.asserted_by])),
        ("Stance", "reported, not held by the note" if statement.reported else ""),
        ("About", join(" ", [links.about(name, root) for name in about])),
        ("Counts as one source with", describe_groups(builder, statement.independence)),
        ("Written", dates),
        ("Reviewed", render_date(statement.reviewed) if statement.reviewed else ""),
        ("Note", _links_to_note(builder, statement)),
        ("Id", element("code", statement.id)),
    ]
    return definition_list(rows)


def _who_holds(builder: PageBuilder, name: str) -> Child:
    """Name the holder of a view: a source with a link, anybody else by name."""
    key = name.removeprefix("@")
    if key in builder.context.corpus.sources:
        return builder.link_maker.source_or_missing(key, builder.root)
    return name


def _links_to_note(builder: PageBuilder, statement: Statement) -> list[Child]:
    """Links to the note, and to the place where it can be edited, if known."""
    repository = web_address(builder.context.corpus.config.site.repository)
    link = element("a", "the repository", href=repository) if repository else None
    place = element("code", f"{statement.span.path}:{statement.span.line}")
    return [place, " in " if link else None, link]
