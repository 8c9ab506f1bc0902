"""Remove private comments, `%% … %%` and `<!-- … -->`, from a note.

They are removed before anything is parsed, so that no output can contain them. Line numbers stay
the same, and so do columns, except after a comment that begins its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kg.notes.frontmatter.split_front_matter import FrontMatter
from kg.notes.markdown.inline_syntax import quote_mark_pattern

_BEGIN = re.compile(
    r"^[ \t>]*(?P<fence>`{3,}(?=[^`\n]*$)|~{3,})|(?P<code>`+)|(?P<open>(?<!\\)%%|<!--)",
    re.MULTILINE,
)
_BACKTICKS = re.compile(r"`+")
_CLOSE = {"%%": "%%", "<!--": "-->"}
_MARKS_ALONE = re.compile(r"(?:[\s>*+#-]|\d+[.)]|\|)*")
_GAP = re.compile(r"(?<=\S) ?\t{4,}[ \t]*(?:(?=(\S))|$)", re.MULTILINE)
_VISIBLE = re.compile(r"[^\n]")


def hide_comments(text: str) -> str:
    """`text` with white space in place of each comment, except in code.

    Of an unclosed comment the mark is kept, and all that follows is removed.
    """
    # a single character is found many times faster than two, and most texts have neither
    if not ("%" in text and "%%" in text) and not ("<" in text and "<!--" in text):
        return text
    parts: list[str] = []
    offset = 0
    for start, end, is_closed in _find_comments(text):
        parts.append(text[offset:start])
        if not is_closed:
            parts.append(text[start : start + 2 + 2 * text.startswith("<", start)])
            start += len(parts[-1])
        marks = _marks_of_quotes(text, start, end) if is_closed else []
        for mark_start, mark_end in [*marks, (end, end)]:
            parts += _VISIBLE.sub("\0", text[start:mark_start]), text[mark_start:mark_end]
            start = mark_end
        offset = end
    parts.append(text[offset:])
    return "\n".join(map(_blank_line_of_same_length, "".join(parts).split("\n")))


def hide_in_values(front: FrontMatter) -> FrontMatter:
    """Front matter without the comments in its values.

    An unclosed mark hides the rest of a value, except in a title, where it is ordinary text.
    """
    text = front.text
    if not ("%" in text or "<" in text or "\\" in text):  # an escape may encode either character
        return front
    mapping = _value_without_comments(front.mapping)
    title = front.mapping.get("title")
    if isinstance(title, str):
        marks = (start for start, _, is_closed in _find_comments(title) if not is_closed)
        open_from = next(marks, len(title))
        mapping["title"] = _value_without_comments(title[:open_from]) + title[open_from:]
    return front._replace(mapping=mapping)


def _value_without_comments(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_value_without_comments, value))
    if isinstance(value, dict):
        return {key: _value_without_comments(inner) for key, inner in value.items()}
    visible = hide_comments(value) if isinstance(value, str) else value
    return value if visible is value else close_gaps(visible).strip()


def close_gaps(text: str) -> str:
    """`text` with the gaps that comments left reduced to one space, or none at a line's end."""
    return _GAP.sub(lambda match: " " if match[1] else "", text)


def _find_comments(text: str) -> Iterator[tuple[int, int, bool]]:
    """The start and end of each comment, and whether it is closed."""
    code, lines = _CodeSpans(text), _LinePrefixes(text)
    last_closings = {mark: text.rfind(close) for mark, close in _CLOSE.items()}
    offset = 0
    while match := _BEGIN.search(text, offset):
        offset = match.end()
        if match["fence"]:
            mark = match["fence"]
            fence = re.compile(rf"^[ \t>]*{mark}{mark[0]}*[ \t]*$", re.MULTILINE)
            closing = fence.search(text, offset)
            offset = closing.end() if closing else len(text)
        elif match["code"]:
            offset = code.end_of_code(match.start("code"), offset)
        else:
            mark = match["open"]
            end = text.find(_CLOSE[mark], offset) if last_closings[mark] >= offset else -1
            if end < 0 and not _hides_the_rest(text, match.start("open"), mark, lines):
                continue
            offset = len(text) if end < 0 else end + len(_CLOSE[mark])
            yield match.start("open"), offset, end >= 0


def _marks_of_quotes(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The ranges of `>` marks, on the further lines of a comment that begins in quotes."""
    if text.find("\n", start, end) < 0:
        return []
    line = text.rfind("\n", 0, start) + 1
    depth = _MARKS_ALONE.match(text, line, start)[0].count(">")  # type: ignore[index]
    marks: list[tuple[int, int]] = []
    while depth and (line := text.find("\n", line, end) + 1) > 0:
        match = quote_mark_pattern(depth).match(text, line, end)
        if match is None:
            break
        marks.append(match.span())
    return marks


def _hides_the_rest(text: str, offset: int, mark: str, lines: _LinePrefixes) -> bool:
    """Whether an unclosed mark begins a comment nevertheless."""
    if mark == "%%":
        return not text[offset - 1 : offset].isdigit()  # after a digit it is a percentage
    return lines.has_only_marks_before(offset)


class _LinePrefixes:
    """Tells whether marks begin a line; must be asked about increasing offsets."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._last_offset = -1

    def has_only_marks_before(self, offset: int) -> bool:
        """Whether only block marks such as `>` and `-` precede an offset on its line."""
        previous, self._last_offset = self._last_offset, offset
        start = self._text.rfind("\n", max(previous, 0), offset) + 1
        if not start and previous >= 0:  # on the same line as the last offset
            return False
        return _MARKS_ALONE.fullmatch(self._text, start, offset) is not None


class _CodeSpans:
    """Finds the end of code spans; a failed search is not repeated."""

    def __init__(self, text: str) -> None:
        self._text = text
        # A code span ends within its paragraph. Marks are asked about in order, so each
        # paragraph is searched once, and the whole takes one pass.
        self._blank = 0  # the end of the paragraph asked about last
        self._last: dict[int, int] = {}  # the start of the last run of backticks of each length
        for marks in _BACKTICKS.finditer(text):
            self._last[len(marks[0])] = marks.start()

    def end_of_code(self, marks_start: int, marks_end: int) -> int:
        """The end of the code span that these marks open; `marks_end` if it is never closed."""
        if self._blank < marks_end:
            self._blank = self._text.find("\n\n", marks_end)
            self._blank = len(self._text) if self._blank < 0 else self._blank
        if self._last[marks_end - marks_start] < marks_end:
            return marks_end
        for marks in _BACKTICKS.finditer(self._text, marks_end, self._blank):
            if len(marks[0]) == marks_end - marks_start:
                return marks.end()
        return marks_end


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
