"""Where a work itself can be read: as it was published, or else as an open copy."""

from __future__ import annotations

import re

from kg.model import Source
from kg.publish.markup.html import EMPTY, Html, element, join_children, web_address

_ARXIV = re.compile(r"https?://(www\.)?arxiv\.org/|10\.48550/arxiv\.", re.IGNORECASE)
AWAY = {"rel": "noopener noreferrer external", "class_": "kg-out"}


def published_address(source: Source) -> str | None:
    """The address of the published version: by its DOI, else its own; None where it has none."""
    if source.doi and not _ARXIV.match(source.doi):
        return web_address(f"https://doi.org/{source.doi}")
    return None if _ARXIV.match(source.url) else web_address(source.url)


def open_copy_address(source: Source) -> str | None:
    """The address of a copy on arXiv, which anybody may read."""
    if source.arxiv:
        return web_address(f"https://arxiv.org/abs/{source.arxiv}")
    if _ARXIV.match(source.url):
        return web_address(source.url)
    return web_address(f"https://doi.org/{source.doi}") if _ARXIV.match(source.doi) else None


def linked_title(source: Source) -> Html:
    """The title, which leads to the work where that has an address, and to an open copy of it."""
    first, copy = published_address(source), open_copy_address(source)
    href = first or copy
    title = element("a", source.title, href=href, **AWAY) if href else source.title
    return join_children((element("cite", title), _open_copy(copy)))


def _open_copy(address: str | None) -> Html:
    """A link to a copy that anybody may read."""
    if address is None:
        return EMPTY
    link = element("a", "open copy", href=address, **AWAY)
    return element("span", " (", link, ")", class_="kg-small")


def paper_link(source: Source) -> Html:
    """A small link to the work itself, to stand after its name; nothing where it has no address."""
    href = published_address(source) or open_copy_address(source)
    if href is None:
        return EMPTY
    label = f"Read {source.title}"
    return element("a", "↗", href=href, aria_label=label, title=label, **AWAY)
