"""The JSON schema of front matter says what the models say, and objects to no right note."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from kg.cli import run
from kg.model import Integrity, Method, SeenIn, Status
from kg.notes.frontmatter.format_description import front_matter_schema
from kg.notes.frontmatter.front_matter import split_front_matter
from kg.notes.frontmatter.note_fields import (
    NOTE_TYPES,
    CalloutFields,
    LineFields,
    NoteFields,
    SourceFields,
    StatementFields,
    find_type,
    parse_fields,
)
from tests.support.every_row import every_row

ROOT = Path(__file__).parents[3]
CAMPS = ("optimist", "skeptic")
SCHEMA = front_matter_schema(CAMPS)
MODELS: dict[str, type[NoteFields]] = {
    "statement": StatementFields,
    "source": SourceFields,
    "line": LineFields,
    "glossary": NoteFields,
}
OF_TYPE = {type: type if type in MODELS else "statement" for type in NOTE_TYPES}
KEYS = [(name, key) for name, model in MODELS.items() for key in model.model_fields]
TRIED: tuple[object, ...] = (
    *(
        "a word",
        "yes",
        "no",
        "maybe",
        "2026-01-02",
        "2026-1-2",
        "2026/01/02",
        "12 judges",
        "judges",
        "d=0.42 [0.1, 0.7]",
        "45 % [40, 50]",
        "d=.4",
        "<.001",
        "0.000",
    ),
    *(0, 1, 12, -1, 0.5, 1.5, True, False, None, ["a"], [], ["a", "b"]),
    *(*Method, *Status, *SeenIn, *Integrity, "imprecision", "imprecision!", ["risk-of-bias"]),
    *CAMPS,
    *(
        {"holds": "Yes", "fails": "No"},
        {"holds": "Yes", "fails": "No", "undecided": 1},
        {"holds": "Yes"},
        {"holds": "Yes", "fails": ["No"]},
        {"holds": "Yes", "fails": "No", "else": "Well"},
        {"holds": "Yes", "fails": "o" * 201},
        {},
    ),
)


def is_valid(schema: dict[str, Any], value: object) -> bool:
    """Whether `value` fits a schema of the few words that ours is made of."""
    if "$ref" in schema:
        schema = SCHEMA["definitions"][schema["$ref"].rpartition("/")[2]]
    kinds = {"string": str, "boolean": bool, "null": type(None), "array": list, "object": dict}
    expected = schema.get("type", [])
    for name in [expected] if isinstance(expected, str) else expected:
        number = type(value) is int or (name == "number" and type(value) is float)
        if number if name in ("integer", "number") else isinstance(value, kinds[name]):
            break
    else:
        if expected:
            return False
    if "enum" in schema and not any(value is each or value == each for each in schema["enum"]):
        return False
    if "anyOf" in schema and not any(is_valid(each, value) for each in schema["anyOf"]):
        return False
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        return False
    if isinstance(value, str) and len(value) > schema.get("maxLength", len(value)):
        return False
    if isinstance(value, list) and not all(is_valid(schema.get("items", {}), v) for v in value):
        return False
    if isinstance(value, int | float) and not isinstance(value, bool):
        low, high = schema.get("minimum", value), schema.get("maximum", value)
        if not low <= value <= high or value <= schema.get("exclusiveMinimum", value - 1):
            return False
    return not isinstance(value, dict) or _is_valid_mapping(schema, value)


def _is_valid_mapping(schema: dict[str, Any], value: dict[str, object]) -> bool:
    keys = schema.get("properties", {})
    if not set(schema.get("required", ())) <= set(value):
        return False
    if schema.get("additionalProperties") is False and not set(value) <= set(keys):
        return False
    if not all(is_valid(keys[key], each) for key, each in value.items() if key in keys):
        return False
    return all(
        is_valid(each["then"], value)
        for each in schema.get("allOf", ())
        if is_valid(each["if"], value)
    )


def as_written(value: object) -> Any:
    """A value of YAML as the parser hands it on."""
    if isinstance(value, list):
        return tuple(value)
    if isinstance(value, dict):
        return {key: as_written(inner) for key, inner in value.items()}
    if isinstance(value, bool):
        return str(value).lower()
    return value if value is None else str(value)


def as_typed(value: Any) -> Any:
    """A value as the parser hands it on, as an editor's YAML reads it."""
    if isinstance(value, dict):
        return {key: as_typed(inner) for key, inner in value.items()}
    if isinstance(value, tuple):
        return list(value)
    return int(value) if value.isdigit() else {"true": True, "false": False}.get(value, value)


@every_row("name", MODELS)
def test_the_schema_has_the_keys_of_the_model(name: str) -> None:
    keys = SCHEMA["definitions"][name]["properties"]
    assert list(keys) == list(MODELS[name].model_fields)
    assert all(keys[key]["description"] for key in keys)


def test_every_key_is_described() -> None:
    for model in (*MODELS.values(), CalloutFields):
        assert [key for key, field in model.model_fields.items() if not field.description] == []


@every_row("name", MODELS)
def test_what_the_schema_lets_pass_is_read_without_trouble(name: str) -> None:
    keys = {**SCHEMA["definitions"][name]["properties"]}
    del keys["type"]
    passed_rows = [(key, v) for key in keys for v in TRIED if is_valid(keys[key], v)]
    assert {key for key, _ in passed_rows} == {*keys}
    heads = [{key: as_written(value)} for key, value in passed_rows]
    assert [head for head in heads if parse_fields(MODELS[name], head).bad_values] == []


@every_row(("key", "choices"), [("method", Method), ("status", Status), ("seen_in", SeenIn)])
def test_choices_are_those_of_the_model(key: str, choices: type[Method]) -> None:
    assert SCHEMA["definitions"]["statement"]["properties"][key]["enum"] == [*choices, None]


def test_methods_of_ones_own_are_offered() -> None:
    schema = front_matter_schema((), ("experiment", "simulation"))
    offered = schema["definitions"]["statement"]["properties"]["method"]["enum"]
    assert offered == ["experiment", "simulation", None]


def test_types_are_those_that_are_read() -> None:
    assert all(find_type(type) for type in SCHEMA["properties"]["type"]["enum"])
    for type, name in OF_TYPE.items():
        assert is_valid(SCHEMA, {"type": type})
        assert type in SCHEMA["definitions"][name]["properties"]["type"]["enum"]


@every_row("folder", ["notes", "kg/starter/notes"])
def test_our_own_notes_fit_the_schema(folder: str) -> None:
    heads = [
        split_front_matter(file.read_text("utf-8")).mapping
        for file in (ROOT / folder).rglob("*.md")
    ]
    assert any(heads)
    for head in filter(None, heads):
        text = {key: as_typed(value) for key, value in head.items()}
        assert is_valid(SCHEMA, text), text


@every_row(
    "wrong",
    [
        {},
        {"type": "claimm"},
        {"type": "claim", "camp": "sceptic"},
        {"type": "claim", "method": "anecdot"},
        {"type": "claim", "tags": ["a"]},
        {"type": "claim", "created": "2026/1/2"},
        {"type": "evidence", "quality": 2},
        {"type": "evidence", "concerns": ["bias"]},
        {"type": "line", "method": "survey"},
        {"type": "source", "proposition": "a"},
        {"type": "line", "answers": "yes"},
        {"type": "line", "answers": {"holds": "yes"}},
        {"type": "claim", "answers": {"holds": "yes", "fails": "no"}},
    ],
)
def test_slips_do_not_fit_the_schema(wrong: dict[str, Any]) -> None:
    assert not is_valid(SCHEMA, wrong)


def test_the_page_on_the_format_names_every_key() -> None:
    page = (ROOT / "docs" / "note-format.md").read_text("utf-8")
    table = page.partition("## Front matter")[2].partition("\n## ")[0]
    keys = {
        key for row in re.findall(r"^\| (`.+?) \|", table, re.M) for key in row.split("`")[1::2]
    }
    assert keys == {key for _, key in KEYS}


@every_row("key", ["effect", "p"])
def test_the_figures_that_the_page_on_the_format_shows_fit_the_schema(key: str) -> None:
    page = (ROOT / "docs" / "note-format.md").read_text("utf-8")
    (row,) = (line for line in page.splitlines() if line.startswith(f"| `{key}` |"))
    words = row.partition("Kinds:")[0].split("`")[3::2]
    assert [one for one in words if not is_valid(SCHEMA, {"type": "evidence", key: one})] == []
    assert len(words) > 2


def test_help_schema_prints_the_schema_with_the_camps_of_the_corpus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes").mkdir()
    text = '[[camps]]\nid = "owls"\nlabel = "Owls"\n'
    (tmp_path / "kg.toml").write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stop:
        run(["help", "schema"])
    assert not stop.value.code
    assert json.loads(capsys.readouterr().out) == front_matter_schema(["owls"])
