"""The note format described: in a page for programs, and as a JSON schema for editors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from kg.model import AnswerWords, Relation, SeenIn, Status
from kg.model.settings.quality_settings import METHOD_POINTS
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

# Notes and a bibliography that satisfy every rule, by path.
EXAMPLE = {
    "claims/naps-help-memory.md": """---
type: claim
topics: [sleep, memory]
---

# A short nap helps people to remember what they have just learned

What is meant, in a few sentences, with the limits of what was seen. [@doe2024, p. 3]

> [!evidence] People who napped recalled more word pairs than people who rested ^recall
> Forty students learned word pairs; half of them slept for an hour. [@doe2024, p. 3]
> (method:: experiment) (sample:: 40 students) (seen_in:: primary)
> (reason:: the two groups differed in sleep alone)
""",
    "claims/rest-is-enough.md": """---
type: counter-claim
topics: [sleep, memory]
open: nobody has compared naps with rest in the dark
---

# Lying down quietly may do as much for memory as sleep does

- qualifies:: [[naps-help-memory]] (strength:: moderate) — quiet rest was not tried
- undercuts:: [[naps-help-memory#^recall]] — those who rested did so in a bright room
""",
    "naps.bib": """@article{doe2024,
  author = {Doe, Ann},
  title = {Naps and word pairs},
  journal = {Journal of Sleep},
  year = {2024}
}
""",
}

_GUIDE = """# Notes that argue: the format in a page

One note is one UTF-8 Markdown file below the notes folder, with YAML front matter. Its file's
name without `.md` is its id: lower case, with dashes, unlike any other. `type:` is one of claim,
counter-claim, evidence, source, line, glossary.
- Title (`# …`): what is asserted, in one sentence that can be true or false; never a question,
  except for a line.
- Cite with `[@key]` or `[@key, p. 4]`: the key of a BibTeX entry in a `.bib` file of the folder.
  A note `type: source` of that name adds what the source says. Never invent a source, a figure or
  a page.
- Link with `[[id]]`. A relation that leads nowhere is an error, and so is a citation without a
  source; a link in prose that does is a warning (`dead-link`).

## Statements
- **claim**: needs support. Nest evidence in it as a callout (below), or write evidence notes that
  support it; if it has no support, say why with `open:` in its front matter.
- **counter-claim**: a claim that replies; it needs a relation that contradicts, qualifies or
  undercuts something.
- **evidence**: what was found, where, with how many; cites a source, and `supports::` or
  `contradicts::` a claim.
- Callout in a note: `> [!evidence] Title ^block-id`, then its text. `[!counter-evidence]` and
  `[!counter-claim]` contradict the statement around them. Its id is `note#block-id`; links to it
  are `[[note#^block-id]]`. The edge it draws takes `(reason:: …)`.
- Keys of evidence, in front matter or as `(key:: value)`: method ({methods}); sample (`201
  judges`); effect (`d=0.42 [0.1, 0.7]`); p (`<.001`); preregistered, peer_reviewed (yes, no);
  seen_in ({seen_in}). Leave out what is not known.
- Other keys: topics, about (named models, data sets), status ({statuses}), created,
  updated (2026-01-31){camps}

## Relations
List items, one each, with a reason after the dash: `- relation:: [[target]] — why`. Write them in
the note they lead from:
{relations}
Write one direction only. Fields: `(strength:: weak|moderate|strong)`, `(scope:: …)`. Reasons that
hold only together: `- supports:: [[c]] with [[b]] — why both`. A relation ending in `^id` can be
undercut: `- undercuts:: [[note#^id]] — …`.

## Lines
`type: line`; the title is the question; `proposition:` the id of the yes/no claim that it weighs;
`answers:` with `holds: "…"` and `fails: "…"`. Then a standfirst, an essay that links to
statements, and placements: `- CAMP:: [[claim]] — why`.

## Example: {count} files that pass `kg check --strict`
{example}
Check what you write: `kg check --strict`, or `kg check - --as claims/x.md` for a text that is not
in a file yet.
"""
_SCHEMA_DIALECT = "http://json-schema.org/draft-07/schema#"
_MODELS: dict[str, type[NoteFields]] = {
    "statement": StatementFields,
    SOURCE_TYPE: SourceFields,
    LINE_TYPE: LineFields,
    GLOSSARY_TYPE: NoteFields,
}
_SCALAR_SCHEMA = {"type": ["string", "number", "boolean", "null"]}
_SCHEMA_OF_TYPE: dict[str, JsonSchema] = {
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
_SCHEMA_OF_KEY: dict[str, JsonSchema] = {
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
    "properties": dict.fromkeys(AnswerWords.__struct_fields__, _ANSWER_SCHEMA),
    "required": ["holds", "fails"],
    "additionalProperties": False,
}


def format_guide(camps: Sequence[str], methods: Sequence[str]) -> str:
    """The format in less than 1,500 tokens, with the camps and methods of a corpus."""
    relations = "\n".join(f"- `{each.value}`: {each.entry.meaning}" for each in Relation)
    example = "\n".join(f"{path}:\n```\n{text}```" for path, text in EXAMPLE.items())
    camp_key = f", camp ({', '.join(camps)})" if camps else ""
    return _GUIDE.format(
        methods=", ".join(methods),
        seen_in=", ".join(SeenIn),
        statuses=", ".join(Status),
        camps=camp_key + ".",
        relations=relations,
        count=len(EXAMPLE),
        example=example,
    )


JsonSchema: TypeAlias = dict[str, Any]


def front_matter_schema(
    camps: Sequence[str] = (), methods: Sequence[str] = tuple(METHOD_POINTS)
) -> JsonSchema:
    """A JSON schema (draft 7) for front matter, with the `camps` and `methods` of the corpus.

    It accepts only the usual spelling; `kg check` is more lenient (other cases, other dashes).
    """
    return {
        "$schema": _SCHEMA_DIALECT,
        "title": "Front matter of a note",
        "type": "object",
        "required": ["type"],
        "properties": {"type": _type_schema(NOTE_TYPES)},
        "allOf": [_conditional_schema(name) for name in _MODELS],
        "definitions": {
            name: _schema_of_model(model, name, {"camp": camps, "method": methods})
            for name, model in _MODELS.items()
        },
    }


def _types_of_model(name: str) -> list[str]:
    """The types of note that have the keys of the model `name`."""
    return [name] if name in NOTE_TYPES else [type for type in NOTE_TYPES if type not in _MODELS]


def _type_schema(types: Sequence[str]) -> JsonSchema:
    return {"enum": list(types), "description": NoteFields.model_fields["type"].description}


def _conditional_schema(name: str) -> JsonSchema:
    condition = {"properties": {"type": {"enum": _types_of_model(name)}}, "required": ["type"]}
    return {"if": condition, "then": {"$ref": f"#/definitions/{name}"}}


def _schema_of_model(
    model: type[NoteFields], name: str, words: Mapping[str, Sequence[str]]
) -> JsonSchema:
    model_schema = model.model_json_schema()
    keys = {
        key: {"description": model.model_fields[key].description}
        | _value_schema(key, schema, model_schema.get("$defs", {}), words)
        for key, schema in model_schema["properties"].items()
    }
    return {
        "description": model.__doc__,
        "properties": keys | {"type": _type_schema(_types_of_model(name))},
        "additionalProperties": False,
    }


def _value_schema(
    key: str, schema: JsonSchema, choices: JsonSchema, words: Mapping[str, Sequence[str]]
) -> JsonSchema:
    """The schema of a key's value as an author writes it, not as it is stored."""
    shape = next(iter(schema.get("anyOf", [schema])))
    if allowed_words := words.get(key):
        return {"enum": [*allowed_words, None]}
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
