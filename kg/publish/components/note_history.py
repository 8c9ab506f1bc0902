"""When a note was changed, as git remembers it."""

from __future__ import annotations

import datetime as dt

from kg.git.log import Commit
from kg.publish.markup.html import EMPTY, Child, Html, element, folded
from kg.publish.markup.phrases import date
from kg.publish.page_builder import PageBuilder
from kg.publish.site_context import SiteContext

CHANGES_SHOWN = 5  # changes, before the rest is folded
_SHALLOW = (
    "This site was built from a shallow clone, which holds only the latest commits: earlier "
    "changes are not shown."
)


def note_history(builder: PageBuilder, path: str) -> Html:
    """The commits that touched a note, the latest first; nothing where notes are in no git."""
    history = builder.context.history
    if not history.known:
        return EMPTY
    changes = history.of(path)
    parts: list[Child] = []
    if changes:
        parts.append(_listed(changes))
    elif not history.shallow:
        parts.append(element("p", "This note has not been committed yet.", class_="kg-none"))
    if history.shallow:
        parts.append(element("p", _SHALLOW, class_="kg-small"))
    return element("div", *parts)


def last_change(context: SiteContext, path: str) -> dt.date | None:
    """The day of the latest commit that touched a note; None where git does not know."""
    changes = context.history.of(path)
    return changes[0].day if changes else None


def _listed(changes: tuple[Commit, ...]) -> Html:
    items = [_change(change) for change in changes]
    rest = items[CHANGES_SHOWN:]
    more = folded(f"{len(rest)} earlier", element("ol", *rest, class_="kg-past"))
    return element(
        "div", element("ol", *items[:CHANGES_SHOWN], class_="kg-past"), more if rest else None
    )


def _change(change: Commit) -> Html:
    return element(
        "li",
        element("time", date(change.day), datetime=change.day.isoformat()),
        element("span", change.subject),
        element("code", change.commit),
    )
