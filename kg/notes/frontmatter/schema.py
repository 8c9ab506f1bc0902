"""The front matter as a JSON schema, by which editors complete and check it while one types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kg.model import LineAnswers
from kg.model.quality_settings import METHOD_RUNGS
from kg.notes.frontmatter.figure_syntax import EXAMPLE_EFFECT, USUAL_EFFECT, USUAL_P
from kg.notes.frontmatter.note_fields import (
    CONCERNS,
    GLOSSARY_TYPE,
    LINE_TYPE,
    NOTE_TYPES,
    SAMPLE_PATTERN,
    SOURCE_TYPE,
    LineFields,
    NoteFields,
    SourceFields,
    StatementFields,
)
from kg.notes.frontmatter.value_parsers import MAX_ANSWER_CHARACTERS

_SCHEMA_DIALECT = "http://json-schema.org/draft-07/schema#"
_MODELS: dict[str, type[NoteFields]] = {
    "statement": StatementFields,
    SOURCE_TYPE: SourceFields,
    LINE_TYPE: LineFields,
    GLOSSARY_TYPE: NoteFields,
}
_SCALAR_SCHEMA = {"type": ["string", "number", "boolean", "null"]}
_SCHEMA_OF_TYPE: dict[str, dict[str, Any]] = {
    "boolean": {"enum": [True, False, "yes", "no", None]},
    "integer": {"type": ["integer", "null"]},
    "number": {"type": ["number", "null"]},
    "date": {"type": ["string", "null"], "pattern": r"^\d{4}-\d\d-\d\d$"},
    "string": _SCALAR_SCHEMA,
}
_SAMPLE_SCHEMA = {
    "type": ["integer", "string", "null"],
    "pattern": f"^(?:{SAMPLE_PATTERN.pattern})$",
    "minimum": 0,
}
_SCHEMA_OF_KEY: dict[str, dict[str, Any]] = {
    "sample": _SAMPLE_SCHEMA,
    "effect": {"type": ["string", "null"], "pattern": USUAL_EFFECT, "examples": [EXAMPLE_EFFECT]},
    "p": {
        "type": ["number", "string", "null"],
        "pattern": USUAL_P,
        "exclusiveMinimum": 0,
        "maximum": 1,
    },
    "doubt": {"type": ["string", "null"], "maxLength": MAX_ANSWER_CHARACTERS},
}
_ANSWER_SCHEMA = {"type": ["string", "number", "boolean"], "maxLength": MAX_ANSWER_CHARACTERS}
_ANSWERS_SCHEMA = {
    "type": ["object", "null"],
    "properties": dict.fromkeys(LineAnswers.__struct_fields__, _ANSWER_SCHEMA),
    "required": ["holds", "fails"],
    "additionalProperties": False,
}


def front_matter_schema(
    camps: Sequence[str] = (), methods: Sequence[str] = tuple(METHOD_RUNGS)
) -> dict[str, Any]:
    """What front matter may say, as a JSON schema (draft 7); `camps` and `methods` are those of
    the corpus.

    It asks for the usual spelling. What `kg check` reads beyond that (other cases, other dashes)
    stays valid there.
    """
    return {
        "$schema": _SCHEMA_DIALECT,
        "title": "Front matter of a note",
        "type": "object",
        "required": ["type"],
        "properties": {"type": _type(NOTE_TYPES)},
        "allOf": [_when(name) for name in _MODELS],
        "definitions": {
            name: _keys(model, name, {"camp": camps, "method": methods})
            for name, model in _MODELS.items()
        },
    }


def _types(name: str) -> list[str]:
    """The types of note that have the keys called `name`."""
    return [name] if name in NOTE_TYPES else [type for type in NOTE_TYPES if type not in _MODELS]


def _type(types: Sequence[str]) -> dict[str, Any]:
    return {"enum": list(types), "description": NoteFields.model_fields["type"].description}


def _when(name: str) -> dict[str, Any]:
    is_such = {"properties": {"type": {"enum": _types(name)}}, "required": ["type"]}
    return {"if": is_such, "then": {"$ref": f"#/definitions/{name}"}}


def _keys(model: type[NoteFields], name: str, words: Mapping[str, Sequence[str]]) -> dict[str, Any]:
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
    if key in _SCHEMA_OF_KEY:
        return _SCHEMA_OF_KEY[key]
    if key == "answers":
        return _ANSWERS_SCHEMA
    if "$ref" in shape:
        return {"enum": [*choices[shape["$ref"].rpartition("/")[2]]["enum"], None]}
    if shape["type"] == "array":
        grave = {"enum": [f"{word}{sign}" for word in CONCERNS for sign in ("", "!")]}
        item = grave if key == "concerns" else _SCALAR_SCHEMA
        return {"anyOf": [{"type": "array", "items": item}, item]}
    bounds = {name: shape[name] for name in ("minimum", "maximum") if name in shape}
    return _SCHEMA_OF_TYPE[shape.get("format", shape["type"])] | bounds
