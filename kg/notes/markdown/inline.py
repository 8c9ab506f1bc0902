"""What stands inside a run of text: citations, inline fields, block ids, reasons, link targets."""

from __future__ import annotations

import functools
import posixpath
import re
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import unquote

LONGEST = 4000  # characters of a paragraph that is kept whole with each of its links
AROUND = 300  # characters kept on each side of a link in a longer one
BLOCK_ID = re.compile(r"(?:^|\s)\^([A-Za-z0-9][A-Za-z0-9-]*)[ \t]*$")
REASON = re.compile(r"(?:^|\s)(?:—|–|--)(?:\s|$)")
CALLOUT = re.compile(r"\[!([A-Za-z][\w-]*)\][+-]?[ \t]*")
CITATION = re.compile(r"\[(?<!\[\[)([^\[\]]*@[^\[\]]*)\](?![(\[])")


def _balanced(depth: int) -> str:
    """A pattern of text in which up to `depth` parentheses stand inside each other."""
    inner = r"[^()\n]++|\n(?!\n)"
    return rf"(?:{inner}|\({_balanced(depth - 1)}\))*+" if depth else rf"(?:{inner})*+"


FIELD = re.compile(rf"\((?<!\w\()([A-Za-z][\w-]*)::[ \t]*({_balanced(4)})\)")

_KEY = re.compile(r"\w(?:[\w:.#$%&+?<>~/-]*[\w/])?")
_LOCATOR = re.compile(r",?\s*")
_SCHEME = re.compile(r"^(?:[a-zA-Z][a-zA-Z0-9+.-]*:|/|#)")


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
            at = part.find("@")
            key = _KEY.match(part, at + 1) if at >= 0 else None
            prefix = part[:at].removesuffix("-") if at > 0 else ""
            if key and not (prefix and (prefix[-1] == "_" or prefix[-1].isalnum())):
                locator = part[_LOCATOR.match(part, key.end()).end() :]  # type: ignore[union-attr]
                found.append(Cited(key[0], one_line(prefix), one_line(locator), start + at))
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


def one_line(text: str) -> str:
    """`text` on one line, its words one space apart."""
    if text.isprintable() and "  " not in text:  # then it holds no white space but lone spaces
        return text.strip(" ")
    return " ".join(text.split())


def slug(title: str) -> str:
    """A short id made of a title's first words."""
    words = re.findall(r"\w+", title.casefold())
    return "-".join(words[:6]) or "unnamed"


@functools.cache
def quote_marks(depth: int) -> re.Pattern[str]:
    """The marks of `depth` quotes around each other, at the beginning of a line within them."""
    return re.compile(rf"(?<=\n)(?:[ \t]*>[ \t]?){{1,{depth}}}")


def link_text(link: str) -> str:
    """What a Markdown link shows."""
    end = link.rfind("](")
    if end < 0:
        end = link.rfind("][")
    return link[1:end]


def find_target(destination: str, wiki: bool, path: str) -> str | None:
    """What a link leads to within the notes; None for one that leads elsewhere.

    A wikilink keeps its name (folders dropped); a relative link becomes `/` and the path
    from the notes folder.
    """
    name, mark, block = destination.partition("#")
    if wiki:
        if "/" in name or "\\" in name:
            name = name.replace("\\", "/").rpartition("/")[2]
        return name.strip().removesuffix(".md") + mark + block.strip()
    if not name.endswith(".md") or _SCHEME.match(name):
        return None
    if "%" in destination:
        name, block = unquote(name), unquote(block)
    return f"/{_joined(path.rpartition('/')[0], name)}{mark}{block}"


def _joined(folder: str, name: str) -> str:
    while folder and name.startswith("../") and not folder.endswith(".."):
        folder, name = folder.rpartition("/")[0], name[3:]
    whole = f"{folder}/{name}" if folder else name
    winding = name.startswith(".") or "/." in name or "//" in name
    return posixpath.normpath(whole) if winding else whole


def blank_out(text: str, ranges: Iterable[tuple[int, int]]) -> str:
    """`text` with spaces in the place of `ranges`, which follow one another."""
    parts, at = [], 0
    for start, end in ranges:
        parts += [text[at:start], " " * (end - start)]
        at = end
    return "".join([*parts, text[at:]])


def around(text: str, first: int, start: int, end: int, last: int) -> str:
    """The words of `text` on both sides of a link from `start` to `end`, from `first` to `last`."""
    return one_line(text[max(first, start - AROUND) : min(last, end + AROUND)])
