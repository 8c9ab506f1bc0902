"""Completion at the cursor: words of the format, and names in the corpus."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from kg.corpus import Corpus
from kg.lsp.text_ranges import DocumentText, TextRange
from kg.lsp.workspace import SearchableName, find_names
from kg.model import Kind, Relation
from kg.model.ids import is_part, link_target, part_name_of, split_id
from kg.notes.body import CALLOUTS, EDGE_FIELDS, WITH
from kg.notes.frontmatter import (
    LINE_TYPE,
    CalloutFields,
    LineFields,
    NoteFields,
    SourceFields,
    StatementFields,
    find_type,
    front_matter_schema,
    split_front_matter,
)

_OPEN_WIKI_LINK = re.compile(r"\[\[([^\[\]|\n]*)$")
_PATH = re.compile(r"\]\(<?([^()<>\n]*)$")
_CITATION = re.compile(r"\[[^\[\]\n]*@([\w:.#$%&+?~/-]*)$")
_CALLOUT = re.compile(r"^[ \t>]*>[ \t]*\[!([\w-]*)$")
_ITEM = re.compile(r"^[ \t>]*[-*+][ \t]+([A-Za-z-]*)$")
_FIELD_VALUE = re.compile(r"\(([A-Za-z_-]+)::[ \t]*(?:[^()\n]*,[ \t]*)?([^(),\n]*)$")
_FIELD_NAME = re.compile(r"\(([a-z_]*)$")
_KEY = re.compile(r"^([A-Za-z_-]*)$")
_VALUE = re.compile(r"^([A-Za-z_-]+)[ \t]*:[ \t]+(?:.*[\[,][ \t]*)?[\"']?([^\[\],\"'\n]*)$")
_LIST_ITEM = re.compile(r"^[ \t]*-[ \t]+[\"']?([^\"'\n]*)$")
_ANY_KEY = re.compile(r"^([A-Za-z_-]+)[ \t]*:")
_EDGE_ITEM = re.compile(r"^[ \t>]*[-*+][ \t]+[\w-]+::")
_FIELDS: dict[str | None, type[NoteFields]] = {LINE_TYPE: LineFields, "source": SourceFields}
_YES_OR_NO = ("true", "false")


class Suggestion(NamedTuple):
    """A suggestion: its label and description, the text to insert, and its kind."""

    label: str
    detail: str
    help: str
    text: str
    kind: str


class Suggestions(NamedTuple):
    """Suggestions for a range, and whether they are all there are (`complete`)."""

    range: TextRange
    items: Sequence[Suggestion]
    complete: bool = True


def find_completions(
    corpus: Corpus, text: DocumentText, line_number: int, column: int
) -> Suggestions | None:
    """Suggestions for a place in a text; None if there are none for such a place."""
    row = text.line(line_number)
    text_before = row[: column - 1]
    text_after = row[column - 1 :]

    def choices(prefix: str, items: Iterable[Suggestion], *, complete: bool = True) -> Suggestions:
        text_range = TextRange(text.path, line_number, column - len(prefix), line_number, column)
        return Suggestions(text_range, tuple(items), complete)

    front = split_front_matter(text.text)
    if front.text and line_number < front.first_line:
        return (
            _in_front_matter(corpus, text, line_number, text_before, choices)
            if line_number > 1
            else None
        )
    if match := _OPEN_WIKI_LINK.search(text_before):
        end = "" if text_after.startswith("]]") else "]]"
        if is_part(match[1]):
            note, _, name = split_id(match[1])
            choices_within = _names_within(corpus, text.path, note, end)
            return choices(name, choices_within)
        names, complete = find_names(corpus, match[1])
        return choices(
            match[1], (_suggestion_of_name(each, end) for each in names), complete=complete
        )
    if match := _PATH.search(text_before):
        names, complete = find_names(corpus, os.path.basename(match[1]))
        end = "" if text_after.startswith((")", ">")) else ")"
        return choices(match[1], _suggested_paths(names, text.path, end), complete=complete)
    if match := _CITATION.search(text_before):
        names, complete = find_names(corpus, match[1], "sources")
        citations = (
            Suggestion(each.id, each.kind, each.title, each.id, "source") for each in names
        )
        return choices(match[1], citations, complete=complete)
    if match := _CALLOUT.match(text_before):
        end = "" if text_after.startswith("]") else "] "
        words = (
            Suggestion(word, "callout", _help_for_callout(word), f"{word}{end}", "word")
            for word in CALLOUTS
        )
        return choices(match[1], words)
    if match := _ITEM.match(text_before):
        return choices(match[1], _suggested_relations(corpus, front.value("type"), text_after))
    if match := _FIELD_VALUE.search(text_before):
        return choices(match[2], _suggested_values(corpus, match[1].casefold(), "statement"))
    if match := _FIELD_NAME.search(text_before):
        return choices(match[1], _suggested_fields(text_before))
    return None


def _in_front_matter(
    corpus: Corpus,
    text: DocumentText,
    line_number: int,
    text_before: str,
    choices: Callable[..., Suggestions],
) -> Suggestions | None:
    front = split_front_matter(text.text)
    kind = find_type(front.value("type") or "")
    if match := _KEY.match(text_before):
        model = _FIELDS.get(kind, StatementFields)
        used_keys = {each[1].casefold() for row in text.lines[1:] if (each := _ANY_KEY.match(row))}
        return choices(match[1], _key_choices(model, used_keys - {match[1]}))
    if match := _VALUE.match(text_before):
        key, typed_value = match.groups()
    elif match := _LIST_ITEM.match(text_before):
        keys_above = map(_ANY_KEY.match, reversed(text.lines[: line_number - 1]))
        key = next((each[1] for each in keys_above if each), "")
        typed_value = match[1]
    else:
        return None
    of_type = "statement" if kind not in _FIELDS else str(kind)
    return choices(typed_value, _suggested_values(corpus, key.casefold(), of_type))


def _key_choices(model: type[NoteFields], used_keys: set[str]) -> Iterator[Suggestion]:
    for key, field in model.model_fields.items():
        if key not in used_keys:
            yield Suggestion(key, "key", field.description or "", f"{key}: ", "key")


def _suggested_values(corpus: Corpus, key: str, of_type: str) -> Iterator[Suggestion]:
    """Suggested values of a key or field."""
    if key == "topics":
        for topic, notes in corpus.topics.items():
            yield Suggestion(
                topic, f"topic of {len(notes)}", _term_text(corpus, topic), topic, "word"
            )
    elif key == "about":
        for name, notes in corpus.about.items():
            yield Suggestion(name, f"named by {len(notes)}", _term_text(corpus, name), name, "word")
    elif key == "proposition":
        for each in corpus.claims:
            yield Suggestion(each.id, each.kind.value, each.title, each.id, "note")
    elif key == "camp":
        for camp in corpus.config.camps:
            yield Suggestion(camp.id, "camp", camp.label, camp.id, "word")
    elif key == "type":
        for word in _front_matter_schema(corpus)["properties"]["type"]["enum"]:
            yield Suggestion(word, "type of note", "", word, "word")
    else:
        for word in _words_of_list(corpus, key, of_type):
            yield Suggestion(word, key, "", word, "word")


def _words_of_list(corpus: Corpus, key: str, of_type: str) -> tuple[str, ...]:
    """The words of a key's closed list."""
    if key in ("strength", "mutual"):
        return ("weak", "moderate", "strong") if key == "strength" else ("yes", "no")
    keys = _front_matter_schema(corpus)["definitions"].get(of_type, {}).get("properties", {})
    schema = keys.get(key, {})
    for subschema in schema.get("anyOf", [schema]):
        words = subschema.get("enum") or subschema.get("items", {}).get("enum")
        if words:
            texts = tuple(word for word in words if isinstance(word, str))
            return _YES_OR_NO if True in words else texts
    return ()


def _front_matter_schema(corpus: Corpus) -> dict[str, Any]:
    return corpus.derive(_schema_of)


def _schema_of(corpus: Corpus) -> dict[str, Any]:
    return front_matter_schema(corpus.config.camp_ids, tuple(corpus.config.quality.kinds))


def _term_text(corpus: Corpus, name: str) -> str:
    term = corpus.term(name)
    return term.text if term else ""


def _suggestion_of_name(each: SearchableName, end: str) -> Suggestion:
    name = link_target(each.id)
    return Suggestion(name, each.kind, each.title, f"{name}{end}", "note")


def _suggested_paths(names: Iterable[SearchableName], path: str, end: str) -> Iterator[Suggestion]:
    folder = os.path.dirname(path)
    for each in names:
        if not is_part(each.id) and each.path.endswith(".md"):
            relative_path = os.path.relpath(each.path, folder or ".").replace(os.sep, "/")
            yield Suggestion(relative_path, each.kind, each.title, f"{relative_path}{end}", "note")


def _names_within(corpus: Corpus, path: str, note: str, end: str) -> Iterator[Suggestion]:
    """The `^names` in a note; with an empty `note`, those in the file at `path`."""
    id = corpus.find_id(note.rpartition("/")[2].removesuffix(".md")) if note else None
    for each in corpus.statements.values():
        is_inside = each.note == id if note else each.span.path == path
        if is_inside and is_part(each.id):
            name = f"^{part_name_of(each.id)}"
            yield Suggestion(name, each.kind.value, each.title, f"{name}{end}", "note")
    for edge in corpus.edges:
        holder, _, name = split_id(edge.id)
        is_inside = holder == id if note else edge.span.path == path
        if is_inside and name and edge.is_named:
            description = f"{edge.relation} {edge.target}"
            yield Suggestion(
                f"^{name}", "edge", edge.reason or description, f"^{name}{end}", "note"
            )


def _suggested_relations(corpus: Corpus, type: object, text_after: str) -> Iterator[Suggestion]:
    """Words that begin an item: relations; in a line, camps and `next`."""
    end = "" if text_after.lstrip().startswith("::") else ":: [["
    if find_type(type or "") != LINE_TYPE:
        for word in Relation:
            yield Suggestion(word, "relation", word.entry.meaning, f"{word}{end}", "word")
        return
    for camp in corpus.config.camps:
        yield Suggestion(camp.id, "camp", camp.label, f"{camp.id}{end}", "word")
    yield Suggestion("next", "next step", "Where the inquiry continues.", f"next{end}", "word")
    yield Suggestion(Relation.SUPERSEDES, "relation", "", f"{Relation.SUPERSEDES}{end}", "word")


def _suggested_fields(text_before: str) -> Iterator[Suggestion]:
    """Fields of a callout or an edge; none in running text."""
    fields = CalloutFields.model_fields
    keys: Iterable[str] = ()
    if _EDGE_ITEM.match(text_before):
        keys = (*EDGE_FIELDS, WITH)
    elif text_before.lstrip().startswith(">"):
        keys = fields
    for key in keys:
        help = fields[key].description if key in fields else "Another premise."
        yield Suggestion(key, "field", help or "", f"{key}:: ", "key")


def _help_for_callout(word: str) -> str:
    kind, relation = CALLOUTS[word]
    noun = "piece of evidence" if kind is Kind.EVIDENCE else kind
    return f"A {noun}" + (f" that {relation} the statement around it." if relation else ".")
