"""YAML 1.2 with every scalar as its author wrote it; only this module reads it with a library.

`yaml_rs` is quick and gives no positions, so a note that it refuses, that holds what it would
rewrite (`007`, `1.10`), or that may nest too deeply for it, is read by PyYAML's composer. Files of
other programs, such as `mkdocs.yml`, are read and written with the types that YAML gives them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import yaml_rs

from kg.notes.frontmatter.yaml_errors import YamlError, error_at, readable_error

if TYPE_CHECKING:
    import yaml

# What a typed parser changes or expands: leading zeros, decimals, exponents, other bases, long
# numbers, signs, underscores, infinities; anchors, aliases and tags, which notes may not use.
_MISREAD_SCALAR = re.compile(
    r"(?<![\w.-])(?:[+-]?(?:0[\dxobXOB]|\.\d|\d[\d_]*(?:\.|[eE_])|\d{15})|[+]\d|-0|[-+.]{0,2}_[\d_.]"
    r"|[-+]?\.(?:inf|nan|Inf|NaN|INF|NAN)|[&*!]\S|T(?:rue|RUE)\b|F(?:alse|ALSE)\b)",
)
# Both libraries recurse into nested values until the process dies, so depth is cut off before: it
# is counted in PyYAML's events, which nest in nothing. What looks deep to us may be text in quotes.
_MAX_YAML_CHARACTERS = 64 * 1024  # characters of front matter
_MAX_NESTING = 32  # values nested in each other
_BRACKET = re.compile(r"[][{}]")
_DEEP_BLOCKS = re.compile(rf"(?:[-?:][ \t]+){{{_MAX_NESTING}}}")

_QUOTED_KEY = re.compile(r"([\"'])(.*)\1")
_NO_SPACE_SIGN = re.compile(r"\S")
_NO_SPACE = re.compile(r"\s*\w+:\S")
_MAX_TRIES = 100  # occurrences within longer words before the search gives up
YamlValue: TypeAlias = "str | int | float | list[YamlValue] | dict[Any, YamlValue] | None"
# One of PyYAML's nodes, whose `id` says which; its types do not know that attribute.
AnyNode: TypeAlias = Any


def parse_mapping(text: str) -> dict[str, YamlValue]:
    """Parse `text` as a mapping.

    Raises `YamlError`, with the place, for anything else.
    """
    _refuse_long(text)
    if _looks_deep(text) or _MISREAD_SCALAR.search(text):
        return _compose_mapping(text)
    try:
        value = yaml_rs.loads(text, parse_datetime=False)
    except ValueError:
        return _compose_mapping(text)
    if value is None:
        return {}
    if type(value) is not dict or not all(type(key) is str for key in value):
        return _compose_mapping(text)
    return value


def parse_typed_yaml(text: str) -> dict[str, Any]:
    """The mapping in a file of another program: numbers as numbers, truth values as such."""
    import yaml

    value: dict[str, Any] = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return value


def render_yaml(values: Mapping[str, Any]) -> str:
    """A mapping as YAML, in its order."""
    import yaml

    return yaml.safe_dump(dict(values), allow_unicode=True, sort_keys=False)


def offset_of_key(text: str, key: str) -> int:
    """The offset of a top-level key in `text`; 0 if it is not found."""
    places = _key_places(text).by_name.get(key)
    return places[0] if places else 0


def offset_of_value(text: str, key: str, word: str = "") -> int:
    """The offset of `word` in the value of a top-level key, else of the value, else of the key."""
    places = _key_places(text)
    if key not in places.by_name:
        return 0
    start, value_start = places.by_name[key]
    next_key = bisect_left(places.starts, value_start)
    end = places.starts[next_key] if next_key < len(places.starts) else len(text)
    if word and (word_offset := _find_word(text, word, value_start, end)) is not None:
        return word_offset
    value = _NO_SPACE_SIGN.search(text, value_start, end)
    return value.start() if value else start


def _find_word(text: str, word: str, start: int, end: int) -> int | None:
    """The offset of a whole word in part of a text; None if not found in a few tries."""
    offset = text.find(word, start, end)
    for _ in range(_MAX_TRIES):
        if offset < 0:
            break
        neighbours = text[offset - 1 : offset], text[offset + len(word) : offset + len(word) + 1]
        if not any(sign.isalnum() or sign in ("_", "-") for sign in neighbours if sign):
            return offset
        offset = text.find(word, offset + 1, end)
    return None


class _KeyPlaces(NamedTuple):
    """The offsets of each top-level key's line, and of the end of its colon."""

    by_name: dict[str, tuple[int, int]]
    starts: list[int]


@lru_cache(maxsize=1)
def _key_places(text: str) -> _KeyPlaces:
    """Find all keys at once, as thousands may be looked up in one front matter."""
    places = _KeyPlaces({}, [])
    offset = 0
    for text_line in text.split("\n"):
        if text_line[:1] not in ("", " ", "\t", "#", "-", ":") and ":" in text_line:
            places.starts.append(offset)
            # a colon that ends a key is followed by a space, unless its author forgot it
            for head in (f"{text_line} ".partition(": ")[0], text_line.partition(":")[0]):
                name = _QUOTED_KEY.sub(r"\2", head.rstrip())
                places.by_name.setdefault(name, (offset, offset + len(head) + 1))
        offset += len(text_line) + 1
    return places


class Scalar(NamedTuple):
    """A scalar without its quotes, its range in the text, and its top-level key."""

    key: str
    value: str
    start: int
    end: int


def find_scalars(text: str) -> Iterator[Scalar]:
    """Yield every scalar of a mapping in reading order, nested ones under their top-level key.

    Raises `YamlError` if `text` is not a mapping.
    """
    _refuse_long(text)
    node = _compose_node(text)
    if node is None:
        return
    for key, value in node.value:
        yield from _scalars_in(str(key.value), value)


def _scalars_in(key: str, node: AnyNode) -> Iterator[Scalar]:
    """The words of a value, of those within it in turn; how deep they may lie is bounded above."""
    if node.id == "scalar":
        quote = int(node.style in ("'", '"'))
        start = node.start_mark.index + quote
        end = node.end_mark.index - quote
        yield Scalar(key, node.value, start, end)
        return
    for inner in node.value if node.id == "sequence" else [value for _, value in node.value]:
        yield from _scalars_in(key, inner)


def _refuse_long(text: str) -> None:
    if len(text) > _MAX_YAML_CHARACTERS:
        raise YamlError("the front matter is larger than 64 KiB")


def _looks_deep(text: str) -> bool:
    """Return whether values may be nested too deeply for `yaml_rs`, which refuses 256 brackets
    itself.
    """
    if _DEEP_BLOCKS.search(text):
        return True
    depth = 0
    if text.count("[") + text.count("{") > _MAX_NESTING:
        for match in _BRACKET.finditer(text):
            depth = depth + 1 if match[0] in "[{" else max(depth - 1, 0)
            if depth > _MAX_NESTING:
                return True
    return False


def _compose_mapping(text: str) -> dict[str, YamlValue]:
    node = _compose_node(text)
    return {} if node is None else _values_by_key(node)


def _compose_node(text: str) -> yaml.MappingNode | None:
    import yaml

    depth = 0
    try:
        for event in yaml.parse(text, Loader=yaml.CBaseLoader):
            _refuse_aliases_and_tags(event)
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > _MAX_NESTING:
                offset = event.start_mark.index if event.start_mark else 0
                raise error_at(text, offset, "values nested too deeply")
        node = yaml.compose(text, Loader=yaml.CBaseLoader)
    except yaml.MarkedYAMLError as error:
        raise readable_error(text, error) from None
    except yaml.YAMLError as error:
        raise YamlError(str(error).splitlines()[0]) from None
    if node is not None and not isinstance(node, yaml.MappingNode):
        help = "put a space after the colon" if _NO_SPACE.match(text) else ""
        raise YamlError("this line is not `key: value`", help=help)
    return node


def _refuse_aliases_and_tags(event: yaml.Event) -> None:
    mark = event.start_mark
    line_number, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    if type(event).__name__ == "AliasEvent" or getattr(event, "anchor", None):
        message = "anchors and aliases (`&x`, `*x`) are not read in notes"
        raise YamlError(message, line_number, column, "put the value in quotes")
    tag = getattr(event, "tag", None)
    if tag and tag != "!":
        raise YamlError(f"tags such as `{tag}` are not read in notes", line_number, column)


def _value_of_node(node: AnyNode) -> YamlValue:
    if node.id == "scalar":
        plain = not node.style  # None, or empty if there is no value at all
        return None if plain and node.value in {"", "~", "null", "Null", "NULL"} else node.value
    if node.id == "sequence":
        return [_value_of_node(item) for item in node.value]
    return _values_by_key(node)


def _values_by_key(node: AnyNode) -> dict[str, YamlValue]:
    mapping: dict[str, YamlValue] = {}
    for key, value in node.value:
        name = key.value if key.id == "scalar" else str(_value_of_node(key))
        if name in mapping:
            mark = key.start_mark
            message = f"the key `{name}` is used twice"
            raise YamlError(message, mark.line + 1, mark.column + 1, "keep one of them")
        mapping[name] = _value_of_node(value)
    return mapping
