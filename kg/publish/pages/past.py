"""When a note was added and changed, as git remembers it."""

from __future__ import annotations

import datetime as dt

from kg.publish.html import EMPTY, Child, Html, element
from kg.publish.pages.sheet import Sheet
from kg.publish.press import Press
from kg.publish.words import date
from kg.queries.history import Change

SHOWN = 5
_SHALLOW = (
    "This site was built from a shallow clone, which holds only the latest commits: earlier "
    "changes are not shown."
)


def past(sheet: Sheet, path: str) -> Html:
    """The commits that touched a note, the latest first; nothing where notes are in no git."""
    history = sheet.press.history
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


def last_change(press: Press, path: str) -> dt.date | None:
    """The day of the latest commit that touched a note; None where git does not know."""
    changes = press.history.of(path)
    return changes[0].day if changes else None


def _listed(changes: tuple[Change, ...]) -> Html:
    items = [_change(change) for change in changes]
    rest = items[SHOWN:]
    more = element(
        "details",
        element("summary", f"{len(rest)} earlier"),
        element("ol", *rest, class_="kg-past"),
    )
    return element("div", element("ol", *items[:SHOWN], class_="kg-past"), more if rest else None)


def _change(change: Change) -> Html:
    return element(
        "li",
        element("time", date(change.day), datetime=change.day.isoformat()),
        element("span", change.subject),
        element("code", change.commit),
    )
