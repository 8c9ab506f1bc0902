"""A note's front matter: where it ends, and the values it holds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from kg.model import Fix, Span
from kg.model.diagnostic import fix_at
from kg.notes.frontmatter.yaml import YamlValue, offset_of_key, offset_of_value, parse_mapping
from kg.notes.frontmatter.yaml_errors import YamlError
from kg.text.line_starts import TextLineStarts

_OPENING_FENCE = re.compile(r"---[ \t]*\n")
_CLOSING_FENCE = re.compile(r"\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)")

_LIKELY_END = re.compile(r"^(?=[ \t]*$|#|([^\w\s\"'\[\]{}#]{1,8})[ \t]*$)", re.MULTILINE)
_NEXT_KEY = re.compile(r"^(?=\t*[^\s#:-][^\n:]*:)", re.MULTILINE)
_KEYS_OF_ONE_WORD = frozenset(("type", "id", "title", "open", "camp"))
_KEYS_WITH_A_NAME = frozenset(("type", "id", "camp"))
_MAX_RECOVERED_CHARACTERS = 16 * 1024  # of broken front matter that are read, key by key


# A value of front matter as its author wrote it: numbers and dates are strings, too. Only the keys
# of a mapping within may be of other types.
FrontValue: TypeAlias = "str | tuple[str, ...] | dict[Any, FrontValue] | None"


class FrontMatter(NamedTuple):
    """Front matter as text and values, and the body with the line on which it starts.

    `key_as_written` maps canonical keys to keys as written (`type`: “Type”). With a `problem`, the
    mapping holds what can be read nevertheless, and `others` are further errors.
    """

    text: str
    mapping: dict[str, FrontValue]
    body: str
    first_line: int
    problem: YamlError | None = None
    key_as_written: Mapping[str, str] = {}
    others: tuple[YamlError, ...] = ()

    def span_at(self, path: str, offset: int) -> Span:
        """The place in the file of an offset in the front matter."""
        line_number, column = _line_starts(self.text).place(offset)
        return Span(path, line_number + 1, column)

    def key_span(self, path: str, key: str) -> Span:
        """The place of a key."""
        written_key = self.key_as_written.get(key, key)
        return self.span_at(
            path, offset_of_key(self.text, key) or offset_of_key(self.text, written_key)
        )

    def value_span(self, path: str, key: str) -> Span:
        """The place of the value of a key."""
        written_key = self.key_as_written.get(key, key)
        return self.span_at(
            path, offset_of_value(self.text, key) or offset_of_value(self.text, written_key)
        )

    def value_fix(self, path: str, key: str, old: str, new: str) -> Fix | None:
        """The fix that replaces `old` with `new` in the value of a key, where it is found."""
        offset = offset_of_value(self.text, key, old)
        is_found = old and self.text.startswith(old, offset)
        return fix_at(self.span_at(path, offset), old, new) if is_found else None

    def value(self, key: str) -> FrontValue:
        """The value of `key`, however the key is spelled."""
        if self.mapping.get(key) is not None:
            return self.mapping[key]
        return self.mapping.get(self.key_as_written.get(key, key))


# asked for each key of a note: counting each time would be quadratic
_line_starts = lru_cache(maxsize=1)(TextLineStarts)


def split_front_matter(text: str) -> FrontMatter:
    """Split a note into its front matter, if any, and its body."""
    fence = _OPENING_FENCE.match(text)
    if not fence:
        return FrontMatter("", {}, text, 1)
    end = _CLOSING_FENCE.search(text, fence.end() - 1)
    if not end:
        return _unclosed_front_matter(text, fence.end())
    front = text[fence.end() : end.start() + 1]
    body = text[end.end() :]
    first_line = text.count("\n", 0, end.end()) + 1
    try:
        mapping = _parse_strings(front)
    except YamlError as error:
        mapping, others = _recover_keys(front)
        others = [other for other in others if other.line != error.line]
        return FrontMatter(
            front, mapping, body, first_line, error, _respelled_keys(mapping), tuple(others)
        )
    return FrontMatter(front, mapping, body, first_line, None, _respelled_keys(mapping))


def _unclosed_front_matter(text: str, start: int) -> FrontMatter:
    """Unclosed front matter, assumed to end at the first blank line or heading."""
    end = _LIKELY_END.search(text, start)
    stop = end.start() if end else len(text)
    help = "end it with a line `---`" + (f", not `{end[1]}`" if end and end[1] else "")
    problem = YamlError("the front matter is never closed", 0, help=help)
    mapping, others = _recover_keys(text[start:stop])
    first_line = text.count("\n", 0, stop) + 1
    return FrontMatter(
        text[start:stop],
        mapping,
        text[stop:],
        first_line,
        problem,
        _respelled_keys(mapping),
        tuple(others),
    )


def _recover_keys(front: str) -> tuple[dict[str, FrontValue], list[YamlError]]:
    """Read broken front matter key by key: return the values that can be read, and the errors in
    the rest.

    If a key is repeated, the first value counts.
    """
    values_by_key: dict[str, FrontValue] = {}
    problems: list[YamlError] = []
    lines_above = 0
    for piece in _NEXT_KEY.split(front[:_MAX_RECOVERED_CHARACTERS]):
        try:
            values = _parse_strings(piece)
        except YamlError as error:
            values = _value_of_broken_key(piece)
            problems.append(error.shift_lines(lines_above))
        for key, value in values.items():
            if key in values_by_key:
                message = f"the key `{key}` is used twice"
                problems.append(YamlError(message, lines_above + 1, 1, "keep one of them"))
            else:
                values_by_key[key] = value
        lines_above += piece.count("\n")
    return values_by_key, problems


def _value_of_broken_key(piece: str) -> dict[str, FrontValue]:
    """A key with a broken value, and the words of that value if the key takes a single word."""
    key, colon, rest = piece.partition(":")
    if not colon or fold_key(key) not in _KEYS_OF_ONE_WORD:
        return {}
    # further lines may be keys indented by mistake
    words = rest.strip().partition("\n")[0].strip("\"'[]{} \t")
    if fold_key(key) in _KEYS_WITH_A_NAME:
        words = words.partition(": ")[0].rstrip(": ")
    return {key.strip(): words}


def _respelled_keys(mapping: Mapping[str, object]) -> dict[str, str]:
    return {fold_key(key): key for key in mapping if fold_key(key) != key}


def fold_key(key: str) -> str:
    """A key of front matter as the code compares it: `Asserted-By` as `asserted_by`."""
    return key.strip().casefold().replace("-", "_").replace(" ", "_")


def _parse_strings(front: str) -> dict[str, FrontValue]:
    return {key: _value_as_strings(value) for key, value in parse_mapping(front).items()}


def _value_as_strings(value: YamlValue) -> FrontValue:
    """A YAML value as strings as written, nested lists flattened."""
    if isinstance(value, list):
        return tuple(_flattened_strings(value))
    if isinstance(value, dict):
        return {key: _value_as_strings(inner) for key, inner in value.items()}
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if value is None or isinstance(value, str) else str(value)


def _flattened_strings(values: list[YamlValue]) -> list[str]:
    """The strings of a YAML list, those of lists in it too; `[a: b]` has the string `a: b`."""
    flat: list[str] = []
    for value in values:
        strings = _value_as_strings(value)
        if isinstance(strings, dict):  # a phrase with a colon, as in `[sleep: a defence]`
            strings = ", ".join(f"{key}: {inner}" for key, inner in strings.items())
        if isinstance(strings, tuple):
            flat += strings
        elif strings is not None:
            flat.append(strings)
    return flat
