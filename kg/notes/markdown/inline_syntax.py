"""Inline syntax: citations, inline fields, block ids, reasons, link targets."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import unquote

MAX_CONTEXT_CHARACTERS = 4000  # longest paragraph stored whole with each link in it
CONTEXT_PER_SIDE = 300  # stored on each side of a link in a longer one
BLOCK_ID = re.compile(r"(?:^|\s)\^([A-Za-z0-9][A-Za-z0-9-]*)[ \t]*$")
REASON = re.compile(r"(?:^|\s)(?:—|–|--)(?:\s|$)")
_DASHES = re.compile(r"\A\s*(?:(?:—|–|-{1,3})\s+)+")
_OPENING_MARKS = re.compile(r"#{1,6}(?:[ \t]+|\Z)")
CLOSING_MARKS = re.compile(r"(?:\A|[ \t])#+\s*\Z")  # of a heading: a space is before them
_UNDERLINE = re.compile(r"\n[ \t>]*(?:=+|-+)[ \t]*\Z")
CALLOUT = re.compile(r"\[!([A-Za-z][\w-]*)\][+-]?[ \t]*")
WIKI_LINK = re.compile(r"\[\[(?P<name>[^\[\]|\n]+)(?:\|(?P<words>[^\[\]\n]*))?\]\]")
WIKI_OR_MARKDOWN_LINK = re.compile(
    rf"{WIKI_LINK.pattern}|\[(?P<text>[^\[\]\n]*)\]"
    r"\(<?(?P<address>(?<=<)[^()<>\n]+(?=>)|[^\s()<>]*)>?(?:\s[^()\n]*)?\)"
)
CITATION_GROUP = re.compile(r"\[(?<!\[\[)([^\[\]@]*+@[^\[\]]*+)\](?![(\[])")
# What may stand within a citation key, as a pattern for use in brackets.
KEY_CHARACTERS = r"\w:.#$%&+?<>~/-"
CITATION_KEY = re.compile(rf"\w(?:[{KEY_CHARACTERS}]*[\w/])?")
_LOCATOR = re.compile(r",?\s*")
_SCHEME = re.compile(r"^(?:[a-zA-Z][a-zA-Z0-9+.-]*:|/|#)")
PICTURES = ("png", "jpg", "jpeg", "gif", "webp", "avif", "svg")
# Suffixes of files published with the site: those a browser shows or saves, but never runs.
ATTACHMENTS = ("pdf", "csv", "tsv", "txt", "json", "xlsx", "ods")
_LEFT_BEHIND = (
    "mp[34]",
    "mov",
    "webm",
    "wav",
    "zip",
    "docx?",
    "pptx?",
    "xls",
    "bmp",
    "tiff?",
    "heic",
)
# A pattern for the suffix of a file that is not a note; ignore case.
FILE_ENDING = rf"\.(?:{'|'.join((*PICTURES, *ATTACHMENTS, *_LEFT_BEHIND))})"
_FILE = re.compile(rf"{FILE_ENDING}\Z", re.IGNORECASE)


def _balanced_pattern(depth: int) -> str:
    """A pattern for text with up to `depth` levels of nested parentheses."""
    inner = r"[^()\n]++|\n(?!\n)"
    return rf"(?:{inner}|\({_balanced_pattern(depth - 1)}\))*+" if depth else rf"(?:{inner})*+"


FIELD = re.compile(
    rf"\((?<!\w\()(?P<key>[A-Za-z][\w-]*)::[ \t]*(?P<value>{_balanced_pattern(4)})\)"
)


class BracketedCitation(NamedTuple):
    """One source in a bracketed citation, at an offset in characters."""

    key: str
    prefix: str
    locator: str
    start: int


def find_citations(text: str) -> list[BracketedCitation]:
    """Find all sources cited in `text`, in Pandoc's syntax: `[@a]`, `[see @a, p. 4; @b]`."""
    if "@" not in text:
        return []
    citations = []
    for group in CITATION_GROUP.finditer(text):
        start = group.start(1)
        for part in group[1].split(";"):
            at_sign = part.find("@")
            key = CITATION_KEY.match(part, at_sign + 1) if at_sign >= 0 else None
            prefix = part[:at_sign].removesuffix("-") if at_sign > 0 else ""
            if key and not (prefix and (prefix[-1] == "_" or prefix[-1].isalnum())):
                locator = part[_LOCATOR.match(part, key.end()).end() :]  # type: ignore[union-attr]
                citations.append(
                    BracketedCitation(key[0], one_line(prefix), one_line(locator), start + at_sign)
                )
            start += len(part) + 1
    return citations


def find_block_id(text: str) -> re.Match[str] | None:
    """The `^name` at the end of `text`, as a group."""
    caret = text.find("^")
    return BLOCK_ID.search(text, max(caret - 1, 0)) if caret >= 0 else None


def find_fields(text: str) -> list[re.Match[str]]:
    """Find all inline fields of `text`, `(key:: value)`, with groups named key and value."""
    return list(FIELD.finditer(text)) if "::" in text else []


def replace_with_spaces(text: str, ranges: Iterable[tuple[int, int]]) -> str:
    """`text` with the ranges replaced by spaces, so that other offsets do not move."""
    parts = []
    offset = 0
    for start, end in sorted(ranges):
        if end > offset:
            start = max(start, offset)
            parts += [text[offset:start], " " * (end - start)]
            offset = end
    return "".join([*parts, text[offset:]])


def one_line(text: str) -> str:
    """`text` on one line, with single spaces between words."""
    if text.isprintable() and "  " not in text:  # then its only white space is single spaces
        return text.strip(" ")
    return " ".join(text.split())


def heading_text(raw: str) -> str:
    """The text of a heading, written `# Text`, `# Text #` or with a line beneath it."""
    if opening := _OPENING_MARKS.match(raw):
        return one_line(CLOSING_MARKS.sub("", raw[opening.end() :]))
    return one_line(_UNDERLINE.sub("", raw))


def strip_reason(text: str) -> str:
    """A reason on one line, without the dashes before it."""
    return one_line(_DASHES.sub("", text))


def quote_mark_pattern(depth: int) -> re.Pattern[str]:
    """A pattern for the `>` marks at the start of a line within `depth` nested quotes."""
    return re.compile(rf"(?<=\n)(?:[ \t]*>[ \t]?){{1,{depth}}}")


def link_text(link: str, wiki: bool) -> str:
    """The text that a link shows."""
    if wiki:
        return link[link.index("|") + 1 : -2] if "|" in link else link[2:-2]
    end = link.rfind("](")
    if end < 0:
        end = link.rfind("][")
    return link[1:end]


def has_file_suffix(destination: str) -> bool:
    """Return whether a link leads to a file that is not a note, by its name: `figures/fit.png`."""
    return _FILE.search(destination.partition("#")[0].rstrip()) is not None


def find_target(destination: str, wiki: bool, path: str) -> str | None:
    """The target of a link within the notes; None if it leads elsewhere.

    A wikilink keeps its name (folders dropped); a relative link becomes `/` and the path
    from the notes folder.
    """
    name, mark, block = destination.partition("#")
    if wiki:
        if "." in name and has_file_suffix(name):
            return None
        name = name.removesuffix("\\")  # from `\|`, which a table requires
        if "/" in name or "\\" in name:
            name = name.replace("\\", "/").rpartition("/")[2]
        return name.strip().removesuffix(".md") + mark + block.strip()
    if not name.endswith(".md") or _SCHEME.match(name):
        return None
    if "%" in destination:
        name = unquote(name)
        block = unquote(block)
    return f"/{_join_path(path.rpartition('/')[0], name)}{mark}{block}"


def _join_path(folder: str, name: str) -> str:
    while folder and name.startswith("../") and not folder.endswith(".."):
        folder = folder.rpartition("/")[0]
        name = name[3:]
    path = f"{folder}/{name}" if folder else name
    needs_normalizing = name.startswith(".") or "/." in name or "//" in name
    return posixpath.normpath(path) if needs_normalizing else path


def link_context(text: str, first: int, start: int, end: int, last: int) -> str:
    """The words around a link from `start` to `end`, within `first` to `last`, on one line."""
    return one_line(text[max(first, start - CONTEXT_PER_SIDE) : min(last, end + CONTEXT_PER_SIDE)])
