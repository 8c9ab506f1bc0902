"""What stands inside a run of text: citations, inline fields, block ids, reasons, link targets."""

from __future__ import annotations

import posixpath
import re
from typing import NamedTuple
from urllib.parse import unquote

BLOCK_ID = re.compile(r"(?:^|\s)\^([A-Za-z0-9][A-Za-z0-9-]*)[ \t]*$")
FIELD = re.compile(r"\(([A-Za-z][\w-]*)::[ \t]*((?:[^()\n]|\([^()\n]*\)|\n(?!\n))*)\)")
RELATION = re.compile(
    r"\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?([A-Za-z][\w-]*)::(?=\s|\[|$)\s*"
)
REASON = re.compile(r"(?:^|\s)(?:—|–|--)\s")
CALLOUT = re.compile(r"\[!([A-Za-z][\w-]*)\][+-]?[ \t]*")
QUOTE_MARKS = re.compile(r"(?<=\n)[ \t]*(?:>[ \t]?)+")

CITATION = re.compile(r"\[([^\[\]]*@[^\[\]]*)\](?![(\[])")
_CITED = re.compile(
    r"^(?P<prefix>[^@]*?)-?@(?P<key>\w(?:[\w:.#$%&+?<>~/-]*[\w/])?)(?:,?\s*(?P<locator>.*))?$",
    re.DOTALL,
)
_SCHEME = re.compile(r"^(?:[a-zA-Z][a-zA-Z0-9+.-]*:|//|#)")


class Cited(NamedTuple):
    """One source in a bracketed citation, at an offset in characters."""

    key: str
    prefix: str
    locator: str
    start: int


def find_citations(text: str) -> list[Cited]:
    """Every source that the Pandoc citations of `text` name: `[@a]`, `[see @a, p. 4; @b]`."""
    if "@" not in text:
        return []
    found = []
    for group in CITATION.finditer(text):
        start = group.start(1)
        for part in group[1].split(";"):
            cited = _CITED.match(part)
            if cited:
                prefix = " ".join(cited["prefix"].split())
                locator = " ".join((cited["locator"] or "").split())
                found.append(Cited(cited["key"], prefix, locator, start + part.index("@")))
            start += len(part) + 1
    return found


def find_fields(text: str) -> list[re.Match[str]]:
    """Every inline field of `text`, `(key:: value)`, as key and value groups."""
    return list(FIELD.finditer(text)) if "::" in text else []


def hide(text: str, ranges: list[tuple[int, int]]) -> str:
    """`text` with the ranges blanked out, so that every other place stays where it was."""
    for start, end in ranges:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def split_reason(text: str, after: int) -> tuple[str, str]:
    """What stands before the first dash past `after`, and the reason behind it."""
    dash = REASON.search(text, after)
    return (text[: dash.start()], text[dash.end() :]) if dash else (text, "")


def tidy(text: str) -> str:
    """`text` on one line."""
    return " ".join(text.split())


def slug(title: str) -> str:
    """A short id made of a title's first words."""
    words = re.findall(r"\w+", title.casefold())
    return "-".join(words[:6]) or "unnamed"


def find_target(destination: str, wiki: bool, path: str) -> str | None:
    """What a link leads to within the notes; None for one that leads elsewhere.

    A wikilink keeps its name (folders dropped); a relative link becomes `/` and the path
    from the notes folder.
    """
    if wiki:
        name, mark, block = destination.partition("#")
        name = name.replace("\\", "/").rpartition("/")[2].strip()
        return name.removesuffix(".md") + mark + block.strip()
    if _SCHEME.match(destination) or destination.startswith("/"):
        return None
    place, mark, block = destination.partition("#")
    if not place.endswith(".md"):
        return None
    joined = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(place)))
    return "/" + joined + mark + unquote(block)
