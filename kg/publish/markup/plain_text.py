"""The text of a note without its markup, for search, where brackets would disturb.

Whatever a note contains, each of its characters is read a fixed number of times.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

_LINE = re.compile(
    r"\n[ \t]*(?:(?:>|\#{1,6}[ ]|[-*+][ ]|\d+[.)][ ]|```\S*|\[!\w+\][+-]?)[ \t]*)+(?:[\w-]+::[ ])?"
)
_BLOCK = re.compile(r"\^[\w-]+[ \t]*(?=\n|\Z)")
_FIELD = re.compile(r"\(\w[\w-]*::[ ]?")
_BREAK = re.compile(r"\n(?:[ \t]*\n)+|\n(?=\|)")  # between paragraphs, items and rows
_UNDERSCORES = re.compile(r"_+")

# Where the parts of brackets end, or cannot continue.
_CLOSE = re.compile(r"[\]\n]")
_OPEN = re.compile(r"\[")
_BAR = re.compile(r"\|")
_END = re.compile(r"[)\n]")
_GAP = re.compile(r" (?=[.,;:])")
_CITATION_START = re.compile(r"[\s;]-?@")
_KEY = re.compile(r"-?@[^\]\n]")

_BracketContent = tuple[int, str] | None


def as_bare(text: str) -> str:
    """`text` in one line: links are reduced to their words, citations and marks left out."""
    return " ".join(as_lines(text))


def as_lines(text: str) -> list[str]:
    """`text` like `as_bare`, in a line for each paragraph, item, heading and row of a table."""
    text = _LINE.sub(_line_end, f"\n{text}")
    if "::" in text:
        text = "".join(_replace_fields(text))
    if "[" in text:
        text = "".join(_replace_brackets(text.replace("![", "[")))
    if "^" in text:
        text = _BLOCK.sub("", text)
    if "_" in text:
        text = _UNDERSCORES.sub(partial(_strip_underscores, text), text)
    lines = (" ".join(each.split()) for each in _BREAK.split(re.sub("[*`]", "", text)))
    return [_GAP.sub("", each) for each in lines if each]


def _line_end(mark: re.Match[str]) -> str:
    """Return what is left of the mark that begins a line: a quotation goes on, all else is set
    apart.
    """
    return "\n\n" if mark[0].strip("> \t\n") else "\n"


def without_comments(html: str) -> str:
    """`html` without its comments; an unclosed comment is text."""
    parts, position = [], 0
    while (start := html.find("<!--", position)) >= 0 and (end := html.find("-->", start + 4)) >= 0:
        parts.append(html[position:start])
        position = end + 3
    return "".join([*parts, html[position:]])


class _NextMatch:
    """The next match of a pattern; with increasing positions, it reads the text only once."""

    def __init__(self, pattern: re.Pattern[str], text: str) -> None:
        self._pattern, self._text = pattern, text
        self._offset = -1

    def __call__(self, offset: int) -> int:
        """Return where the first match at or after `offset` begins; the text's length if there is
        none.
        """
        if self._offset < offset:
            match = self._pattern.search(self._text, offset)
            self._offset = match.start() if match else len(self._text)
        return self._offset


def _replace_fields(text: str) -> Iterator[str]:
    """`text` in parts, with `(key:: value)` replaced by its value."""
    end_of, copied_end = _NextMatch(_END, text), 0
    for field in _FIELD.finditer(text):
        start, end = field.end(), end_of(field.end())
        if field.start() >= copied_end and text[end : end + 1] == ")":
            yield text[copied_end : field.start()]
            yield text[start:end]
            copied_end = end + 1
    yield text[copied_end:]


def _replace_brackets(text: str) -> Iterator[str]:
    """`text` in parts, with links replaced by their words, without citations and footnotes."""
    find = _Brackets(text).find
    copied_end, offset = 0, text.find("[")
    while offset >= 0:
        content = find(offset + 1)
        if content:
            yield text[copied_end:offset]
            copied_end, words = content
            yield words
        offset = text.find("[", copied_end if content else offset + 1)
    yield text[copied_end:]


class _Brackets:
    """Reads what is in brackets; they must be asked for in the order in which they open."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.close, self.opening, self.bar, self.end, self.citation_start = (
            _NextMatch(pattern, text) for pattern in (_CLOSE, _OPEN, _BAR, _END, _CITATION_START)
        )

    def find(self, offset: int) -> _BracketContent:
        """Find the end of the brackets that open before `offset`, and their words; None for mere
        text.
        """
        kinds: tuple[Callable[[int], _BracketContent], ...] = (
            self._read_note_link,
            self._read_citation,
            self._read_footnote,
            self._read_web_link,
        )
        return next((content for kind in kinds if (content := kind(offset))), None)

    def _read_note_link(self, offset: int) -> _BracketContent:
        """`[[note#part|words]]`."""
        close = self.close(offset)
        if not (self.text.startswith("[", offset) and self.text.startswith("]]", close)):
            return None
        bar = self.bar(offset)
        if bar < close:
            return (close + 2, self.text[bar + 1 : close]) if bar + 1 < close else None
        return close + 2, self.text[offset + 1 : close].partition("#")[0].replace("-", " ")

    def _read_citation(self, offset: int) -> _BracketContent:
        """`[see @key, p. 3]`; the key may be at the beginning of the next line."""
        close = self.close(offset)
        stop = min(close, self.opening(offset))
        if self.text.startswith("\n", stop) and _KEY.match(self.text, stop + 1):
            end = _CLOSE.search(self.text, stop + 2)
            if end and end[0] == "]":
                return end.end(), ""
        citation_offset = self.citation_start(offset) + 1
        first = offset if _KEY.match(self.text, offset) else citation_offset
        if first < stop and _KEY.match(self.text, first) and self.text.startswith("]", close):
            return close + 1, ""
        return None

    def _read_footnote(self, offset: int) -> _BracketContent:
        """`[^name]` and `[^name]:`."""
        close = self.close(offset)
        if not (self.text.startswith("^", offset) and close > offset + 1):
            return None
        if not self.text.startswith("]", close):
            return None
        return close + 1 + self.text.startswith(":", close + 1), ""

    def _read_web_link(self, offset: int) -> _BracketContent:
        """`[words](address)`."""
        close = self.close(offset)
        if not self.text.startswith("](", close):
            return None
        end = self.end(close + 2)
        return (end + 1, self.text[offset:close]) if self.text.startswith(")", end) else None


def _strip_underscores(text: str, match: re.Match[str]) -> str:
    """Empty for underscores around words; those within a word and single ones stay."""
    is_word_before = text[max(match.start() - 1, 0) : match.start()].isalnum()
    is_word_after = text[match.end() : match.end() + 1].isalnum()
    is_text = (is_word_before and is_word_after) or not (
        is_word_before or is_word_after or len(match[0]) > 1
    )
    return match[0] if is_text else ""
