"""Errors in the YAML of a note, in its author's terms and at their place."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from kg.model.errors import KgError

if TYPE_CHECKING:
    import yaml

_ODD_SPACE = re.compile(r"[\u00a0\u2007\u200b-\u200f\u202f\u2060\u3000\ufeff]")
_CLOSE_COLON = re.compile(r"^([A-Za-z][\w-]*):([^\s:/][^\n]*)", re.MULTILINE)
_HELP_WITH_COLON = "write a colon and a space between key and value"
_HELP_WITH_QUOTES = "put the whole value in quotes"
_HELP_WITH_CLOSING = "close it with `]`, a mapping with `}`"
_ERROR_MESSAGES = (
    ("mapping values are not allowed", "a colon inside a value", _HELP_WITH_QUOTES),
    ("could not find expected ':'", "this line is not `key: value`", _HELP_WITH_COLON),
    ("did not find expected key", "a value that goes on after its quotes", _HELP_WITH_QUOTES),
    ("block sequence entries", "a list that begins on the line of its key", "write `key: [a, b]`"),
    ("expected <document start>", "front matter goes on after its end", "keep it in one piece"),
    ("did not find expected ',' or", "this `{}` is never closed", _HELP_WITH_CLOSING),
    ("unexpected end of stream", "a quoted value that is never closed", "close it, or escape it"),
    ("begins a comment", "a `#` begins a comment here", "write the word without `#`"),
    ("expected node content", "a value is missing here", "write it, or leave out the comma"),
    ("did not find expected alphabetic", "a value that begins with `{}`", _HELP_WITH_QUOTES),
    ("cannot start any token", "a value that begins with `{}`", _HELP_WITH_QUOTES),
)
# A `#` that hides a word and the closing bracket.
_SWALLOWING_COMMENT = re.compile(r"(?<=[\s\[,])#(?=\S)")
_NEVER_CLOSED = ("did not find expected ',' or", "unexpected end of stream", "could not find")


class YamlError(KgError, ValueError):
    """Front matter that is not a YAML mapping; `line` and `column` count from 1 within it."""

    def __init__(
        self, message: str, line_number: int = 1, column: int = 1, help: str = "", old: str = ""
    ) -> None:
        super().__init__(message)
        self.old = old  # a slip that a space after it, or in its place, corrects
        self.line = line_number
        self.column = column
        self.help = help or "front matter is YAML: `key: value`, one a line"

    def shift_lines(self, line_count: int) -> YamlError:
        """The same error, moved down by `line_count`."""
        return YamlError(str(self), self.line + line_count, self.column, self.help, self.old)


def error_at(text: str, position: int, message: str, help: str = "", old: str = "") -> YamlError:
    """The error at an offset of a text."""
    line_number = text.count("\n", 0, position) + 1
    return YamlError(message, line_number, position - text.rfind("\n", 0, position), help, old)


def readable_error(text: str, error: yaml.MarkedYAMLError) -> YamlError:
    """A parser's error in an author's terms, at the place where the problem begins."""
    for find_error in (_space_error, _colon_error, _block_sign_error):
        if (clearer_error := find_error(text, error)) is not None:
            return clearer_error
    problem, line_number, column, character = _place_of_problem(text, error)
    if character == "\t":
        return YamlError("a tab", line_number + 1, column + 1, "YAML indents with spaces")
    advice = (each[1:] for each in _ERROR_MESSAGES if each[0] in problem)
    message, help = next(advice, (problem, ""))
    if help == _HELP_WITH_QUOTES and re.search("[“”„]", text.splitlines()[line_number]):
        help = 'put the whole value in straight quotes: `"…"`'
    return YamlError(message.replace("{}", character), line_number + 1, column + 1, help)


class _ParserProblem(NamedTuple):
    """A parser's problem, the line and column where it begins, and the character there."""

    problem: str
    line_number: int
    column: int
    character: str


def _place_of_problem(text: str, error: yaml.MarkedYAMLError) -> _ParserProblem:
    """Find where a problem begins, which is often before the place that the parser reports."""
    problem = error.problem or error.context or "not YAML"
    mark = error.problem_mark or error.context_mark
    if any(sign in problem for sign in _NEVER_CLOSED):
        mark = error.context_mark or mark  # where the bracket or quote opens, not where text ends
    line_number, column = (mark.line, mark.column) if mark else (0, 0)
    if "expected alphabetic" in problem:
        return _ParserProblem(problem, *_alias_or_anchor(text, line_number, max(column - 1, 0)))
    # this is said of an unclosed bracket, too: it may be that a `#` hides the closing one
    if "expected node content" in problem and (opening := _find_open(text)) is not None:
        comment = _SWALLOWING_COMMENT.search(text, opening)
        problem = "begins a comment" if comment else "did not find expected ',' or"
        offset = comment.start() if comment else opening
        line_number = text.count("\n", 0, offset)
        column = offset - text.rfind("\n", 0, offset) - 1
        return _ParserProblem(problem, line_number, column, text[offset])
    text_lines = text.splitlines()
    row = text_lines[line_number] if line_number < len(text_lines) else ""
    return _ParserProblem(problem, line_number, column, row[column : column + 1])


def _space_error(text: str, error: yaml.MarkedYAMLError) -> YamlError | None:
    """The error of a sign that only looks like a space, or of a colon without one behind it."""
    if odd_space := _ODD_SPACE.search(text):
        message = f"a character that only looks like a space (U+{ord(odd_space[0]):04X})"
        return error_at(
            text, odd_space.start(), message, "write a plain space in its place", odd_space[0]
        )
    lacks_space = any(sign in str(error.problem) for sign in ("mapping values", "expected ':'"))
    if lacks_space and (tight_colon := _CLOSE_COLON.search(text)):
        help = f"write a space after the colon: `{tight_colon[1]}: {tight_colon[2]}`"
        return error_at(text, tight_colon.end(1), "no space after the colon", help, ":")
    return None


def _colon_error(text: str, error: yaml.MarkedYAMLError) -> YamlError | None:
    """The error of a second colon after a key, as where a closing bracket is missing."""
    key_mark = error.context_mark
    colon_mark = error.problem_mark
    if (
        not key_mark
        or not colon_mark
        or key_mark.line != colon_mark.line
        or "did not find expected" not in (error.problem or "")
    ):
        return None
    line_number = colon_mark.line
    column = colon_mark.column
    row = text.splitlines()[line_number : line_number + 1]
    if not row or row[0][column : column + 1] != ":":
        return None
    return YamlError("a colon inside a value", line_number + 1, column + 1, _HELP_WITH_QUOTES)


def _block_sign_error(text: str, error: yaml.MarkedYAMLError) -> YamlError | None:
    """The error of a value such as `>.05`, whose first character begins a YAML block scalar."""
    mark = error.problem_mark
    if "comment or line break" not in (error.problem or "") or mark is None:
        return None
    row = text.splitlines()[mark.line]
    match = re.match(r"([^\n:]+):[ \t]+([>|][^\n]*)", row)
    if match is None:
        return None
    help = f'put it in quotes: `{match[1]}: "{match[2].strip()}"`'
    message = f"a value that begins with `{match[2][0]}`"
    return YamlError(message, mark.line + 1, match.start(2) + 1, help)


def _find_open(text: str) -> int | None:
    """The offset of the innermost unclosed bracket."""
    import yaml

    ends = (yaml.FlowSequenceEndToken, yaml.FlowMappingEndToken)
    open_offsets: list[int] = []
    with suppress(yaml.YAMLError):  # later text may be broken in other ways
        for token in yaml.scan(text, Loader=yaml.CBaseLoader):
            if isinstance(token, yaml.FlowSequenceStartToken | yaml.FlowMappingStartToken):
                open_offsets.append(token.start_mark.index)
            elif isinstance(token, ends) and open_offsets:
                open_offsets.pop()
    return open_offsets[-1] if open_offsets else None


def _alias_or_anchor(text: str, line_number: int, column: int) -> tuple[int, int, str]:
    """The place of the `*` or `&` before the position that PyYAML reports."""
    row = text.splitlines()[line_number]
    sign_column = max(row.rfind("*", 0, column), row.rfind("&", 0, column))
    sign_column = max(sign_column, 0)
    return line_number, sign_column, row[sign_column : sign_column + 1]
