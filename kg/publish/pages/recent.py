"""What changed lately: by commit where git knows, else by the dates that notes carry."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial

from kg.git.log import Commit
from kg.model import InquiryLine, Statement
from kg.publish.markup.html import Child, Html, element, folded
from kg.publish.markup.phrases import KINDS, date
from kg.publish.page import NOTHING, Draft, Page
from kg.publish.page_builder import PageBuilder
from kg.publish.site_context import SiteContext

RECENT = 100  # notes, where git does not know
COMMITS = 40
NOTES_SHOWN = 6  # notes of a commit, before the rest is folded


def recent_pages(context: SiteContext) -> Iterator[Draft]:
    """One page of the latest changes."""
    yield Draft("recent.html", partial(_recent, context), NOTHING)


def _recent(context: SiteContext) -> Page:
    builder = PageBuilder(context, "recent.html")
    feed = element("a", "feed", href=builder.root + "feed.xml")
    lead = "The latest first. The same comes as a ", feed, "."
    if context.history.changes:
        _by_commit(builder)
    else:
        _by_date(builder)
    description = "The latest changes of the notes."
    return builder.overview("What changed lately", description, lead=lead)


# -- as git tells it -----------------------------------------------------------------------


def _by_commit(builder: PageBuilder) -> None:
    """Each commit's own words, and the notes it touched."""
    touched = _touched(builder.context)
    days: dict[dt.date, list[Commit]] = {}
    for change in list(touched)[:COMMITS]:
        days.setdefault(change.day, []).append(change)
    for day, changes in days.items():
        rows = [_commit(builder, change, touched[change]) for change in changes]
        id = f"day-{day.isoformat()}"
        builder.section(id, date(day), element("ul", *rows, class_="kg-plain"))


def _touched(context: SiteContext) -> dict[Commit, list[str]]:
    """Lines, claims and sources by the commits that touched their notes, the latest first."""
    corpus = context.corpus
    places: defaultdict[str, list[str]] = defaultdict(list)
    for line in corpus.lines.values():
        places[line.span.path].append(line.id)
    for statement in corpus.statements.values():
        if statement.parent is None:
            places[statement.span.path].append(statement.id)
    found: dict[Commit, list[str]] = {}
    for path, ids in places.items():
        for change in context.history.of(path):
            found.setdefault(change, []).extend(ids)
    order = {change: n for n, change in enumerate(context.history.log)}
    return {change: found[change] for change in sorted(found, key=lambda c: order[c])}


def _commit(builder: PageBuilder, change: Commit, ids: Sequence[str]) -> Html:
    links = [element("li", builder.any(id)) for id in ids]
    rest = links[NOTES_SHOWN:]
    more = folded(f"{len(rest)} more notes", element("ul", *rest, class_="kg-plain"))
    return element(
        "li",
        element("strong", change.subject),
        " ",
        element("code", change.commit),
        element("ul", *links[:NOTES_SHOWN], class_="kg-plain kg-touched"),
        more if rest else None,
    )


# -- without git ---------------------------------------------------------------------------


def _by_date(builder: PageBuilder) -> None:
    corpus = builder.context.corpus
    notes: list[InquiryLine | Statement] = [*corpus.lines.values(), *corpus.statements.values()]
    dated = [(day, n.id) for n in notes if (day := n.updated or n.created) and "#" not in n.id]
    dated.sort(key=lambda item: item[1])
    dated.sort(key=lambda item: item[0], reverse=True)
    days: dict[dt.date, list[Child]] = {}
    for day, id in dated[:RECENT]:
        kind = KINDS[corpus.statements[id].kind] if id in corpus.statements else "Inquiry line"
        days.setdefault(day, []).append(
            element("li", builder.any(id), element("span", kind, class_="kg-small"))
        )
    for day, items in days.items():
        builder.section(
            f"day-{day.isoformat()}", date(day), element("ul", *items, class_="kg-plain")
        )
    if not days:
        builder.add(element("p", "No note carries a date.", class_="kg-none"))
