"""YAML 1.2 with every scalar as its author wrote it; the only module that names a YAML library.

`yaml_rs` is quick and gives no positions, so a note that it refuses, or that holds what it
would rewrite (`007`, `1.10`), is read again by PyYAML's composer, which keeps both.
"""

from __future__ import annotations

import re
from typing import Any

import yaml_rs

# What a typed reader changes or replays: leading zeros, decimals, exponents, other bases,
# long digits, signs, infinities; anchors, aliases and tags, which front matter has no use for.
_DELICATE = re.compile(
    r"(?<![\w.-])(?:[+-]?(?:0[\dxobXOB]|\.\d|\d[\d_]*(?:\.|[eE_])|\d{15})|[+]\d|[-+]?\.(?:inf|nan|Inf|NaN|INF|NAN)|[&*!]\S"
    r"|T(?:rue|RUE)\b|F(?:alse|ALSE)\b)",
)


class YamlError(ValueError):
    """Front matter that is not a YAML mapping; `line` and `column` count from 1 within it."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


def parse_mapping(text: str) -> dict[str, Any]:
    """The mapping that `text` holds: strings, None, booleans, whole numbers, lists, mappings.

    Raises `YamlError`, with the place, for anything else.
    """
    if _DELICATE.search(text):
        return _compose(text)
    try:
        value = yaml_rs.loads(text, parse_datetime=False)
    except ValueError:
        return _compose(text)
    if value is None:
        return {}
    if type(value) is not dict or not all(type(key) is str for key in value):
        return _compose(text)
    return value


def find_key(text: str, key: str) -> tuple[int, int]:
    """Line and column of a top-level key in `text`, from 1."""
    found = re.search(rf"^[\"']?{re.escape(key)}[\"']?\s*:", text, re.MULTILINE)
    return (text.count("\n", 0, found.start()) + 1 if found else 1), 1


def _compose(text: str) -> dict[str, Any]:
    import yaml

    try:
        for event in yaml.parse(text, Loader=yaml.CBaseLoader):
            _refuse(event)
        node = yaml.compose(text, Loader=yaml.CBaseLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        raise YamlError(
            _plain(error.problem or error.context or "not YAML"), line, column
        ) from None
    except yaml.YAMLError as error:
        raise YamlError(str(error).splitlines()[0]) from None
    if node is None:
        return {}
    if not isinstance(node, yaml.MappingNode):
        raise YamlError("front matter is a list of `key: value` lines")
    value: dict[str, Any] = _value(node)
    return value


def _plain(problem: str) -> str:
    if "mapping values are not allowed" in problem:
        return "a colon inside a value: put the value in quotes"
    return problem


def _refuse(event: Any) -> None:
    place = (event.start_mark.line + 1, event.start_mark.column + 1) if event.start_mark else (1, 1)
    if type(event).__name__ == "AliasEvent" or getattr(event, "anchor", None):
        raise YamlError("anchors and aliases (`&x`, `*x`) are not read in notes", *place)
    tag = getattr(event, "tag", None)
    if tag and tag != "!":
        raise YamlError(f"tags such as `{tag}` are not read in notes", *place)


def _value(node: Any) -> Any:
    if node.id == "scalar":
        plain = node.style is None
        return None if plain and node.value in {"", "~", "null", "Null", "NULL"} else node.value
    if node.id == "sequence":
        return [_value(item) for item in node.value]
    mapping: dict[str, Any] = {}
    for key, value in node.value:
        name = key.value if key.id == "scalar" else str(_value(key))
        if name in mapping:
            place = key.start_mark
            raise YamlError(f"the key `{name}` stands twice", place.line + 1, place.column + 1)
        mapping[name] = _value(value)
    return mapping
