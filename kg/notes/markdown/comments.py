"""Remove private comments, `%% … %%` and `<!-- … -->`, from a note.

They are removed before anything is parsed, so that no output can contain them. Line numbers stay
the same, and so do columns, except after a comment that begins its line.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Set
from operator import itemgetter
from typing import Any

from kg.notes.frontmatter.front_matter import FrontMatter, split_front_matter
from kg.notes.markdown.inline_syntax import quote_mark_pattern
from kg.notes.markdown.parser_events import find_code

_MARK = re.compile(r"(?:\\[\\%])+|(?P<open>%%|<!--)")
_CLOSE = {"%%": "%%", "<!--": "-->"}
_MARKS_ALONE = re.compile(r"(?:[\s>*+#-]|\d+[.)]|\|)*")
_MARK_FIRST_ON_LINE = re.compile(r"^(?:[^\S\n]|[>*+#-]|\d+[.)]|\|)*(?=<!--)", re.MULTILINE)
_GAP = re.compile(r"(?<=\S) ?\t{4,}[ \t]*(?:(?=(\S))|$)", re.MULTILINE)
_VISIBLE = re.compile(r"[^\n]")
MOST_SEARCHES_FOR_CODE = 5  # of one text: each takes as long as it is


def hide_comments(text: str, *, is_markdown: bool = True) -> str:
    """`text` with white space in place of each comment, except in code, which Markdown has.

    Of an unclosed comment the mark is kept, and all that follows is removed.
    """
    # without its comments, what was code may be none
    for searches_left in reversed(range(MOST_SEARCHES_FOR_CODE if is_markdown else 1)):
        # a single character is found many times faster than two, and most texts have neither
        if not ("%" in text and "%%" in text) and not ("<" in text and "<!--" in text):
            break
        visible = _VisibleText(text)
        for _ in _find_comments(text, visible, searches_left):
            pass
        before = text
        text = "\n".join(map(_blank_line_of_same_length, visible.text().split("\n")))
        if text == before:
            break
    return text


class _VisibleText:
    """A text with a placeholder for each character of comments, found one after another."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._parts: list[str] = []
        self._offset = 0

    def hide(self, start: int, end: int, is_closed: bool) -> None:
        """Hide one more comment; of one that is not closed, all but its mark."""
        text = self._text
        self._parts.append(text[self._offset : start])
        if not is_closed:
            self._parts.append(text[start : start + 2 + 2 * text.startswith("<", start)])
            start += len(self._parts[-1])
        marks = _marks_of_quotes(text, start, end) if is_closed else []
        for mark_start, mark_end in [*marks, (end, end)]:
            self._parts += _VISIBLE.sub("\0", text[start:mark_start]), text[mark_start:mark_end]
            start = mark_end
        self._offset = end

    def text(self) -> str:
        """The text as far as its comments were found; no offset moves."""
        return "".join([*self._parts, self._text[self._offset :]])


def hide_in_file(text: str) -> str:
    """The text of a note's file without its comments."""
    body = split_front_matter(text).body
    front = text.removesuffix(body)
    return hide_comments(front, is_markdown=False) + hide_comments(body)


def hide_in_values(front: FrontMatter) -> FrontMatter:
    """Front matter without the comments in its keys and values.

    An unclosed mark hides the rest of a value, except in a title, where it is ordinary text.
    """
    text = front.text
    if not ("%" in text or "<" in text or "\\" in text):  # an escape may encode either character
        return front
    mapping = _value_without_comments(front.mapping)
    title = front.mapping.get("title")
    if isinstance(title, str):
        comments = _find_comments(title, _VisibleText(title), MOST_SEARCHES_FOR_CODE)
        marks = (start for start, _, is_closed in comments if not is_closed)
        open_from = next(marks, len(title))
        mapping["title"] = _value_without_comments(title[:open_from]) + title[open_from:]
    return front._replace(mapping=mapping)


def _value_without_comments(value: Any) -> Any:
    """A `FrontValue` without comments, also in the keys of a mapping."""
    if isinstance(value, tuple):
        return tuple(map(_value_without_comments, value))
    if isinstance(value, dict):
        return {
            _value_without_comments(key): _value_without_comments(inner)
            for key, inner in value.items()
        }
    visible = hide_comments(value) if isinstance(value, str) else value
    return value if visible is value else close_gaps(visible).strip()


def close_gaps(text: str) -> str:
    """`text` with the gaps that comments left reduced to one space, or none at a line's end."""
    return _GAP.sub(lambda match: " " if match[1] else "", text)


def _find_comments(
    text: str, visible: _VisibleText, searches_left: int
) -> Iterator[tuple[int, int, bool]]:
    """The start and end of each comment, and whether it is closed; hides each in `visible`."""
    code = _Code(text, searches_left)
    first_on_line = {match.end() for match in _MARK_FIRST_ON_LINE.finditer(text)}
    last_closings = {mark: text.rfind(close) for mark, close in _CLOSE.items()}
    offset = 0
    while match := _MARK.search(text, offset):
        offset = match.end()
        mark = match["open"]
        if mark is None:  # escaped
            continue
        if code_end := code.end_of_code(match.start()):
            offset = code_end
            continue
        end = text.find(_CLOSE[mark], offset) if last_closings[mark] >= offset else -1
        if end < 0 and not _hides_the_rest(text, match.start(), mark, first_on_line):
            continue
        offset = len(text) if end < 0 else end + len(_CLOSE[mark])
        visible.hide(match.start(), offset, end >= 0)
        if code.begins_within(match.start(), offset):
            code.look_again(visible)
        yield match.start(), offset, end >= 0


class _Code:
    """The code in a text: as the parser says, since backticks pair within one block alone.

    Code that begins in a comment is none: then it is looked for anew, in what is left. After so
    many times nothing is code, and each mark begins a comment.
    """

    def __init__(self, text: str, searches_left: int) -> None:
        has_code = searches_left and ("`" in text or "~~~" in text)
        self._ranges = find_code(text) if has_code else []
        self._left = searches_left

    def end_of_code(self, offset: int) -> int:
        """The end of the code around an offset; 0 where there is none."""
        start, end = self._last_before(offset + 1)
        return end if start <= offset < end else 0

    def begins_within(self, start: int, end: int) -> bool:
        """Return whether code begins in a comment, and ends behind it."""
        code_start, code_end = self._last_before(end)
        return start <= code_start and end < code_end

    def look_again(self, visible: _VisibleText) -> None:
        """Look for code in what is left without the comments found so far."""
        self._left -= 1
        self._ranges = find_code(visible.text().replace("\0", " ")) if self._left else []

    def _last_before(self, offset: int) -> tuple[int, int]:
        """The last range that begins before an offset."""
        number = bisect_left(self._ranges, offset, key=itemgetter(0))
        return self._ranges[number - 1] if number else (0, 0)


def _marks_of_quotes(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The ranges of `>` marks, on the further lines of a comment that begins in quotes."""
    if text.find("\n", start, end) < 0:
        return []
    line_start = text.rfind("\n", 0, start) + 1
    depth = _MARKS_ALONE.match(text, line_start, start)[0].count(">")  # type: ignore[index]
    marks: list[tuple[int, int]] = []
    while depth and (line_start := text.find("\n", line_start, end) + 1) > 0:
        match = quote_mark_pattern(depth).match(text, line_start, end)
        if match is None:
            break
        marks.append(match.span())
    return marks


def _hides_the_rest(text: str, offset: int, mark: str, first_on_line: Set[int]) -> bool:
    """Return whether an unclosed mark begins a comment nevertheless.

    `first_on_line` are the offsets of `<!--` with only block marks such as `>` and `-` before it.
    """
    if mark == "%%":
        return not text[offset - 1 : offset].isdigit()  # after a digit it is a percentage
    return offset in first_on_line


def _blank_line_of_same_length(text_line: str) -> str:
    """Replace each placeholder of a comment by white space that does not change the Markdown."""
    if "\0" not in text_line:
        return text_line
    if not text_line.strip("\0 \t"):
        return ""
    before, _, after = text_line.partition("\0")
    if _MARKS_ALONE.fullmatch(before) and after.strip("\0"):
        # at its old column, the text would be indented code
        return before + after.replace("\0", "").lstrip() + "\t" * (1 + after.count("\0"))
    return text_line.replace("\0", "\t")
