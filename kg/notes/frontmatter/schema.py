"""The front matter as a JSON schema, by which editors complete and check it while one types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kg.model import Answers
from kg.model.ladder import KINDS
from kg.notes.frontmatter.note_fields import (
    CONCERNS,
    GLOSSARY,
    LINE,
    SAMPLE,
    SOURCE,
    TYPES,
    Head,
    LineHead,
    SourceHead,
    StatementHead,
)
from kg.notes.frontmatter.value_parsers import EFFECT_USUAL, EXAMPLE, LONGEST_ANSWER, P_USUAL

_DRAFT = "http://json-schema.org/draft-07/schema#"
_MODELS: dict[str, type[Head]] = {
    "statement": StatementHead,
    SOURCE: SourceHead,
    LINE: LineHead,
    GLOSSARY: Head,
}
_WORD = {"type": ["string", "number", "boolean", "null"]}
_SHAPES: dict[str, dict[str, Any]] = {
    "boolean": {"enum": [True, False, "yes", "no", None]},
    "integer": {"type": ["integer", "null"]},
    "number": {"type": ["number", "null"]},
    "date": {"type": ["string", "null"], "pattern": r"^\d{4}-\d\d-\d\d$"},
    "string": _WORD,
}
_SAMPLE = {
    "type": ["integer", "string", "null"],
    "pattern": f"^(?:{SAMPLE.pattern})$",
    "minimum": 0,
}
_WRITTEN: dict[str, dict[str, Any]] = {
    "sample": _SAMPLE,
    "effect": {"type": ["string", "null"], "pattern": EFFECT_USUAL, "examples": [EXAMPLE]},
    "p": {
        "type": ["number", "string", "null"],
        "pattern": P_USUAL,
        "exclusiveMinimum": 0,
        "maximum": 1,
    },
}
_ANSWER = {"type": ["string", "number", "boolean"], "maxLength": LONGEST_ANSWER}
_ANSWERS = {
    "type": ["object", "null"],
    "properties": dict.fromkeys(Answers.__struct_fields__, _ANSWER),
    "required": ["holds", "fails"],
    "additionalProperties": False,
}


def front_matter_schema(
    camps: Sequence[str] = (), methods: Sequence[str] = tuple(KINDS)
) -> dict[str, Any]:
    """What front matter may say, as a JSON schema (draft 7); `camps` and `methods` are those of
    the corpus.

    It asks for the usual spelling. What `kg check` reads beyond that (other cases, other dashes)
    stays valid there.
    """
    return {
        "$schema": _DRAFT,
        "title": "Front matter of a note",
        "type": "object",
        "required": ["type"],
        "properties": {"type": _type(TYPES)},
        "allOf": [_when(name) for name in _MODELS],
        "definitions": {
            name: _keys(model, name, {"camp": camps, "method": methods})
            for name, model in _MODELS.items()
        },
    }


def _types(name: str) -> list[str]:
    """The types of note that have the keys called `name`."""
    return [name] if name in TYPES else [type for type in TYPES if type not in _MODELS]


def _type(types: Sequence[str]) -> dict[str, Any]:
    return {"enum": list(types), "description": Head.model_fields["type"].description}


def _when(name: str) -> dict[str, Any]:
    is_such = {"properties": {"type": {"enum": _types(name)}}, "required": ["type"]}
    return {"if": is_such, "then": {"$ref": f"#/definitions/{name}"}}


def _keys(model: type[Head], name: str, words: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    whole = model.model_json_schema()
    keys = {
        key: {"description": model.model_fields[key].description}
        | _values(key, schema, whole.get("$defs", {}), words)
        for key, schema in whole["properties"].items()
    }
    return {
        "description": model.__doc__,
        "properties": keys | {"type": _type(_types(name))},
        "additionalProperties": False,
    }


def _values(
    key: str, schema: dict[str, Any], choices: dict[str, Any], words: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    """What may stand behind a key as an author writes it, not as it is kept."""
    shape = next(iter(schema.get("anyOf", [schema])))
    if own := words.get(key):
        return {"enum": [*own, None]}
    if key in _WRITTEN:
        return _WRITTEN[key]
    if key == "answers":
        return _ANSWERS
    if "$ref" in shape:
        return {"enum": [*choices[shape["$ref"].rpartition("/")[2]]["enum"], None]}
    if shape["type"] == "array":
        grave = {"enum": [f"{word}{sign}" for word in CONCERNS for sign in ("", "!")]}
        item = grave if key == "concerns" else _WORD
        return {"anyOf": [{"type": "array", "items": item}, item]}
    bounds = {name: shape[name] for name in ("minimum", "maximum") if name in shape}
    return _SHAPES[shape.get("format", shape["type"])] | bounds
