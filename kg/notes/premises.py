"""Other premises of an edge: what stands behind `with`, in an item or in a callout's field."""

from __future__ import annotations

import re

from kg.notes import inline
from kg.notes.items import WITH

WITHOUT_PREMISE = "`with` names no other premise"
WITHOUT_EDGE = "this callout draws no edge, so it has no other premises"
HELP = "write `with [[id]]`, several with `and` between them; or put it behind a dash, as a reason"
_LINK = re.compile(
    r"\[\[([^\[\]|\n]+)(?:\|[^\[\]\n]*)?\]\]|\[[^\[\]\n]*\]\(([^\s()<>]+)\)", re.MULTILINE
)
_BETWEEN = re.compile(r"[\s,;]+|\b(?:and|und|et)\b")


def find_joined(text: str) -> list[tuple[int, int]]:
    """Where fields called `with` stand, whose links are no mentions."""
    return [found.span() for found in inline.find_fields(text) if found[1].casefold() == WITH]


def find_premises(written: str, path: str, id: str) -> tuple[str, ...]:
    """The targets of the links in a field of the note `id` at `path`, as edges have them.

    None of them where any word is no link, or a link leads out of the notes.
    """
    found = [_target(match, path, id) for match in _LINK.finditer(written)]
    if _BETWEEN.sub("", _LINK.sub("", written)):
        return ()
    targets = [target for target in found if target]
    return tuple(targets) if len(targets) == len(found) else ()


def _target(link: re.Match[str], path: str, id: str) -> str | None:
    wiki = link[1] is not None
    destination = link[1] if wiki else link[2]
    if destination.startswith("#"):
        return id + destination if destination.startswith("#^") else None
    return inline.find_target(destination, wiki, path)
