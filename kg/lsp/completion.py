"""Completion at the cursor: words of the format, and names in the corpus."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

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
from kg.runtime.memoize import memoize

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
    kind: Literal["note", "source", "key", "word"]


class Suggestions(NamedTuple):
    """Suggestions for a range, and whether they are all there are (`complete`)."""

    range: TextRange
    items: Sequence[Suggestion]
    complete: bool = True


class Cursor(NamedTuple):
    """A place in a text that somebody types."""

    corpus: Corpus
    text: DocumentText
    line_number: int
    column: int

    @property
    def text_before(self) -> str:
        """The beginning of the line, up to the cursor."""
        return self.text.line(self.line_number)[: self.column - 1]

    @property
    def text_after(self) -> str:
        """The rest of the line."""
        return self.text.line(self.line_number)[self.column - 1 :]

    @property
    def note_type(self) -> str | None:
        """The type of the note, as its front matter says it."""
        return find_type(split_front_matter(self.text.text).value("type") or "")

    def suggest(
        self, typed: str, items: Iterable[Suggestion], *, complete: bool = True
    ) -> Suggestions:
        """Suggestions in place of what is typed before the cursor."""
        path, line_number, end = self.text.path, self.line_number, self.column
        typed_range = TextRange(path, line_number, end - len(typed), line_number, end)
        return Suggestions(typed_range, tuple(items), complete)


Completer = Callable[[Cursor, re.Match[str]], Suggestions]


def find_completions(
    corpus: Corpus, text: DocumentText, line_number: int, column: int
) -> Suggestions | None:
    """Suggestions for a place in a text; None if there are none for such a place."""
    front = split_front_matter(text.text)
    is_in_front_matter = bool(front.text) and line_number < front.first_line
    if is_in_front_matter and line_number == 1:  # the `---` that opens it
        return None
    cursor = Cursor(corpus, text, line_number, column)
    text_before = cursor.text_before
    for pattern, complete in _IN_FRONT_MATTER if is_in_front_matter else _IN_BODY:
        if match := pattern.search(text_before):
            return complete(cursor, match)
    return None


def _complete_link(cursor: Cursor, match: re.Match[str]) -> Suggestions:
    typed = match[1]
    end = "" if cursor.text_after.startswith("]]") else "]]"
    if is_part(typed):
        note, _, name = split_id(typed)
        return cursor.suggest(name, _names_within(cursor.corpus, cursor.text.path, note, end))
    names, complete = find_names(cursor.corpus, typed)
    suggestions = (
        Suggestion(
            target := link_target(each.id), each.description, each.title, f"{target}{end}", "note"
        )
        for each in names
    )
    return cursor.suggest(typed, suggestions, complete=complete)


def _complete_path(cursor: Cursor, match: re.Match[str]) -> Suggestions:
    names, complete = find_names(cursor.corpus, os.path.basename(match[1]))
    end = "" if cursor.text_after.startswith((")", ">")) else ")"
    paths = _suggested_paths(names, cursor.text.path, end)
    return cursor.suggest(match[1], paths, complete=complete)


def _complete_citation(cursor: Cursor, match: re.Match[str]) -> Suggestions:
    names, complete = find_names(cursor.corpus, match[1], only_sources=True)
    citations = (
        Suggestion(each.id, each.description, each.title, each.id, "source") for each in names
    )
    return cursor.suggest(match[1], citations, complete=complete)


def _all_of(suggest: Callable[[Cursor, re.Match[str]], Iterable[Suggestion]]) -> Completer:
    """Make a completer of the last group of a match that offers all that `suggest` yields."""
    return lambda cursor, match: cursor.suggest(match[match.lastindex or 0], suggest(cursor, match))


def _suggested_callouts(cursor: Cursor, match: re.Match[str]) -> Iterator[Suggestion]:
    end = "" if cursor.text_after.startswith("]") else "] "
    for word, (kind, relation) in CALLOUTS.items():
        noun = "piece of evidence" if kind is Kind.EVIDENCE else kind
        effect = f" that {relation} the statement around it." if relation else "."
        yield Suggestion(word, "callout", f"A {noun}{effect}", f"{word}{end}", "word")


def _suggested_keys(cursor: Cursor, match: re.Match[str]) -> Iterator[Suggestion]:
    """Keys that the front matter does not have yet."""
    keys = map(_ANY_KEY.match, cursor.text.lines[1:])
    used_keys = {each[1].casefold() for each in keys if each} - {match[1]}
    for key, field in _FIELDS.get(cursor.note_type, StatementFields).model_fields.items():
        if key not in used_keys:
            yield Suggestion(key, "key", field.description or "", f"{key}: ", "key")


def _suggested_key_values(cursor: Cursor, match: re.Match[str]) -> Iterator[Suggestion]:
    note_type = cursor.note_type
    of_type = str(note_type) if note_type in _FIELDS else "statement"
    return _suggested_values(cursor.corpus, match[1].casefold(), of_type)


def _suggested_list_items(cursor: Cursor, match: re.Match[str]) -> Iterator[Suggestion]:
    """Items of a list, whose key is above."""
    for text_line in reversed(cursor.text.lines[: cursor.line_number - 1]):
        if key := _ANY_KEY.match(text_line):
            return _suggested_key_values(cursor, key)
    return iter(())


def _suggested_field_values(cursor: Cursor, match: re.Match[str]) -> Iterator[Suggestion]:
    return _suggested_values(cursor.corpus, match[1].casefold(), "statement")


def _suggested_values(corpus: Corpus, key: str, of_type: str) -> Iterator[Suggestion]:
    """Suggested values of a key or field."""
    if key in _VALUES:
        yield from _VALUES[key](corpus)
        return
    for word in _words_of_list(corpus, key, of_type):
        yield Suggestion(word, key, "", word, "word")


def _suggested_topics(corpus: Corpus) -> Iterator[Suggestion]:
    for topic, notes in corpus.topics.items():
        yield Suggestion(topic, f"topic of {len(notes)}", _term_text(corpus, topic), topic, "word")


def _suggested_things(corpus: Corpus) -> Iterator[Suggestion]:
    for name, notes in corpus.about.items():
        yield Suggestion(name, f"named by {len(notes)}", _term_text(corpus, name), name, "word")


def _suggested_propositions(corpus: Corpus) -> Iterator[Suggestion]:
    for each in corpus.claims:
        yield Suggestion(each.id, each.kind.value, each.title, each.id, "note")


def _suggested_camps(corpus: Corpus, end: str = "") -> Iterator[Suggestion]:
    for camp in corpus.config.camps:
        yield Suggestion(camp.id, "camp", camp.label, f"{camp.id}{end}", "word")


def _suggested_types(corpus: Corpus) -> Iterator[Suggestion]:
    for word in _schema_of(corpus)["properties"]["type"]["enum"]:
        yield Suggestion(word, "type of note", "", word, "word")


# By key, what suggests values that no closed list holds.
_VALUES: Mapping[str, Callable[[Corpus], Iterator[Suggestion]]] = {
    "topics": _suggested_topics,
    "about": _suggested_things,
    "proposition": _suggested_propositions,
    "camp": _suggested_camps,
    "type": _suggested_types,
}


def _words_of_list(corpus: Corpus, key: str, of_type: str) -> tuple[str, ...]:
    """The words of a key's closed list."""
    if key in ("strength", "mutual"):
        return ("weak", "moderate", "strong") if key == "strength" else ("yes", "no")
    keys = _schema_of(corpus)["definitions"].get(of_type, {}).get("properties", {})
    schema = keys.get(key, {})
    for subschema in schema.get("anyOf", [schema]):
        words = subschema.get("enum") or subschema.get("items", {}).get("enum")
        if words:
            texts = tuple(word for word in words if isinstance(word, str))
            return _YES_OR_NO if True in words else texts
    return ()


@memoize
def _schema_of(corpus: Corpus) -> dict[str, Any]:
    return front_matter_schema(corpus.config.camp_ids, tuple(corpus.config.quality.methods))


def _term_text(corpus: Corpus, name: str) -> str:
    term = corpus.term(name)
    return term.text if term else ""


def _suggested_paths(names: Iterable[SearchableName], path: str, end: str) -> Iterator[Suggestion]:
    folder = os.path.dirname(path)
    for each in names:
        if not is_part(each.id) and each.path.endswith(".md"):
            relative_path = os.path.relpath(each.path, folder or ".").replace(os.sep, "/")
            yield Suggestion(
                relative_path, each.description, each.title, f"{relative_path}{end}", "note"
            )


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


def _suggested_relations(cursor: Cursor, match: re.Match[str]) -> Iterator[Suggestion]:
    """Words that begin an item: relations; in a line, camps and `next`."""
    end = "" if cursor.text_after.lstrip().startswith("::") else ":: [["
    if cursor.note_type != LINE_TYPE:
        for word in Relation:
            yield Suggestion(word, "relation", word.entry.meaning, f"{word}{end}", "word")
        return
    yield from _suggested_camps(cursor.corpus, end)
    yield Suggestion("next", "next step", "Where the inquiry continues.", f"next{end}", "word")
    yield Suggestion(Relation.SUPERSEDES, "relation", "", f"{Relation.SUPERSEDES}{end}", "word")


def _suggested_fields(cursor: Cursor, match: re.Match[str]) -> Iterator[Suggestion]:
    """Fields of a callout or an edge; none in running text."""
    fields = CalloutFields.model_fields
    keys: Iterable[str] = ()
    if _EDGE_ITEM.match(cursor.text_before):
        keys = (*EDGE_FIELDS, WITH)
    elif cursor.text_before.lstrip().startswith(">"):
        keys = fields
    for key in keys:
        help = fields[key].description if key in fields else "Another premise."
        yield Suggestion(key, "field", help or "", f"{key}:: ", "key")


# What stands before the cursor, and what completes it: for another kind of place, add an entry. Of
# several that match, the first counts: `- supports:: [[sle` is an item, too, but ends in a link.
_IN_BODY: tuple[tuple[re.Pattern[str], Completer], ...] = (
    (re.compile(r"\[\[([^\[\]|\n]*)$"), _complete_link),
    (re.compile(r"\]\(<?([^()<>\n]*)$"), _complete_path),
    (re.compile(r"\[[^\[\]\n]*@([\w:.#$%&+?~/-]*)$"), _complete_citation),
    (re.compile(r"^[ \t>]*>[ \t]*\[!([\w-]*)$"), _all_of(_suggested_callouts)),
    (re.compile(r"^[ \t>]*[-*+][ \t]+([A-Za-z-]*)$"), _all_of(_suggested_relations)),
    (
        re.compile(r"\(([A-Za-z_-]+)::[ \t]*(?:[^()\n]*,[ \t]*)?([^(),\n]*)$"),
        _all_of(_suggested_field_values),
    ),
    (re.compile(r"\(([a-z_]*)$"), _all_of(_suggested_fields)),
)
_IN_FRONT_MATTER: tuple[tuple[re.Pattern[str], Completer], ...] = (
    (re.compile(r"^([A-Za-z_-]*)$"), _all_of(_suggested_keys)),
    (
        re.compile(r"^([A-Za-z_-]+)[ \t]*:[ \t]+(?:.*[\[,][ \t]*)?[\"']?([^\[\],\"'\n]*)$"),
        _all_of(_suggested_key_values),
    ),
    (re.compile(r"^[ \t]*-[ \t]+[\"']?([^\"'\n]*)$"), _all_of(_suggested_list_items)),
)
