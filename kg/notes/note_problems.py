"""Problems for the author of a note that cannot be read as written, and what to write instead."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from kg.model import Diagnostic, Fix, Relation, Severity, Span
from kg.model.diagnostic import conflict_problem, fix_at
from kg.notes.body.relation_items import EDGE_FIELDS, HELP_WITH_PREMISES, NO_EDGE_MESSAGE, WITH
from kg.notes.corrections import KEY_SIMILARITY, KEY_SYNONYMS, find_intended, note_problem
from kg.notes.frontmatter.front_matter import FrontMatter, fold_key
from kg.notes.frontmatter.note_fields import (
    BadValue,
    LineFields,
    NoteFields,
    SourceFields,
    StatementFields,
    fields_of_every_type,
    parse_fields,
)
from kg.notes.frontmatter.yaml import offset_of_value
from kg.notes.parsed_note import PendingEdge
from kg.text.merge_conflicts import MergeConflict

EDGE_CALLOUT_FIELDS = ("reason", *EDGE_FIELDS)
_LISTS = ("topics", "about")  # written as one line of words between commas
_CURLY_QUOTED = re.compile(r"[“”„«‟‘‚][^“”„«»‟‘‚]*[“”»‟’‘]")
_IN_THE_BIBLIOGRAPHY = {"author", "authors", "doi", "isbn", "journal", "publisher", "url", "year"}

_NAMES_A_SOURCE = {
    *("citation", "citations", "cite", "cites", "doi", "paper", "papers", "ref", "reference"),
    *("references", "refs", "source", "sources", "url"),
}
_TARGET_NAME = re.compile(
    r"[\\`<]*(?:\\?\[)*([\w-]+)(?:\.md)?(?:\\?\])*[\\`>]*(?:\s*$|\s+(?:—|–|-))"
)
_SLIP_OF_LINK = re.compile(
    r"(?P<embedded>!\[\[)|(?P<outside>\]\((?:https?:|www\.|mailto:))|(?P<open>\]\([^()]*$)"
    r"|(?P<empty>\[\[\s*\]\])|(?P<apart>\][ ]\()"
    r"|(?P<file>\]\([^()]*?(?P<stem>[^()/\\]+?)(?:\.(?:md|html?))?(?:#[^()]*)?\))",
    re.IGNORECASE,
)
_HELP_WITH_LINK = {
    "embedded": "write the link without `!`",
    "outside": "an edge leads to a note; cite anything else as `[@key]`",
    "open": "close the link with `)`",
    "empty": "write a note's id between the brackets",
    "apart": "write the link without a space: `[words](note.md)`",
}


def front_matter_problems(front: FrontMatter, path: str) -> Iterator[Diagnostic]:
    """The problems of front matter that is no YAML."""
    for problem in (front.problem, *front.others) if front.problem else ():
        span = Span(path, problem.line + 1, problem.column)
        old = problem.old
        fix = fix_at(span, old, ": " if old == ":" else " ") if old else None
        yield note_problem("broken-front-matter", str(problem), span, problem.help, fix=fix)


def note_conflict_problem(
    path: str, conflicts: Sequence[MergeConflict], front: FrontMatter, title: Span | None
) -> Diagnostic:
    """The problem of merge conflicts in a note, in words on where the first is."""
    first, last, _ = conflicts[0]
    where = " around the title" if title and first <= title.line <= last else ""
    if first < front.first_line and front.text:
        where = " in the front matter"
    return conflict_problem(path, conflicts, where)


def undefined_term_problem(span: Span) -> Diagnostic:
    """The problem of a list item in a glossary that defines no term."""
    help = "write `- **term**, **another name**: what it means`"
    message = "this list item defines no term"
    return note_problem("unread-words", message, span, help, Severity.WARNING)


def unlinkable_id_problem(span: Span) -> Diagnostic:
    """The problem of an id that cannot be written in a link."""
    message = "`id` holds one of `# ^ | [ ]` or an unseen sign, so no link can lead to it"
    return note_problem("bad-value", message, span, "use letters, digits and dashes")


def curly_quote_problems(front: FrontMatter, path: str) -> Iterator[Diagnostic]:
    """A warning for each value in curly quotes, which are read as part of the value."""
    for key, value in front.mapping.items():
        words: Iterable[object] = ()
        if isinstance(value, str):
            words = map(str.strip, value.split(",")) if key in _LISTS else (value,)
        elif isinstance(value, dict):
            words = value.values()
        elif value is not None:
            words = value
        for word in words:
            if key != "type" and isinstance(word, str) and _CURLY_QUOTED.fullmatch(word):
                span = front.span_at(path, offset_of_value(front.text, key, word))
                help = f'write it without them, or with straight ones: `"{word[1:-1]}"`'
                message = f"the curly quotes are read as part of `{key}`"
                fix = fix_at(span, word, f'"{word[1:-1]}"') if '"' not in word else None
                yield note_problem("bad-value", message, span, help, Severity.WARNING, fix)


def unknown_key_problem(
    key: str, model: type[NoteFields], span: Span, written_keys: Iterable[str]
) -> Diagnostic:
    """The problem of a key, one of `written_keys`, that this type of note, or a callout, does not
    have.
    """
    help, meant_key = _help_with_key(key, model)
    message = f"no key `{key}` is known here"
    fix = None
    if meant_key and meant_key not in {fold_key(each) for each in written_keys}:
        fix = fix_at(span, key, meant_key)
    return note_problem("unknown-key", message, span, help, Severity.WARNING, fix)


def _help_with_key(key: str, model: type[NoteFields]) -> tuple[str, str | None]:
    """What to write instead of an unknown key, and the key that is meant if it is misspelt."""
    close = find_intended(fold_key(key), model.model_fields, KEY_SYNONYMS, cutoff=KEY_SIMILARITY)
    models = (StatementFields, SourceFields, LineFields)
    if not close and any(key in other.model_fields for other in models):
        return "it is a key of another type of note", None
    if fold_key(key).replace("_", "-") in set(Relation):
        return f"an edge is an item in the text: `- {key}:: [[target]] — reason`", None
    if model is SourceFields and key.casefold() in _IN_THE_BIBLIOGRAPHY:
        return "put it into its entry in the bibliography; a source note says what was found", None
    if model is not SourceFields and key.casefold() in _NAMES_A_SOURCE:
        return "cite it in the text, `[@key]`, by the key of its entry in the bibliography", None
    if key == WITH or key in EDGE_CALLOUT_FIELDS:
        return "it belongs to an edge, or to the callout that draws one", None
    if close:
        return f"did you mean `{close}`?", close
    return "it is kept, but has no meaning for kg", None


def problems_once_corrected(
    key: str, model: type[NoteFields], span: Span, mapping: Mapping[str, object]
) -> list[Diagnostic]:
    """The problem of a misspelt key's value, at `span`, if it will be bad for the corrected key."""
    value = mapping[key]
    meant_key = find_intended(fold_key(key), model.model_fields, cutoff=KEY_SIMILARITY)
    if meant_key is None or meant_key in mapping or not isinstance(value, str | tuple):
        return []
    bad_values = parse_fields(model, {meant_key: value}).bad_values
    return [bad_value_problem(bad, span, severity=Severity.WARNING) for bad in bad_values]


def untitled_callout_problem(word: str, span: Span) -> Diagnostic:
    """The problem of a callout without a title."""
    message = "this callout says nothing on its first line"
    help = f"write `> [!{word}] what it says ^short-id`"
    return note_problem("missing-title", message, span, help, Severity.WARNING)


def premises_without_edge_problem(span: Span) -> Diagnostic:
    """The problem of a callout that names other premises and draws no edge."""
    help = HELP_WITH_PREMISES
    return note_problem("missing-target", NO_EDGE_MESSAGE, span, help, Severity.WARNING)


def missing_target_problem(edge: PendingEdge, span: Span) -> Diagnostic:
    """The problem of an edge with words in place of a target."""
    message = f"`{edge.relation}::` leads nowhere"
    help = _help_with_target(edge.relation, edge.reason)
    if fold_key(edge.relation) in fields_of_every_type().model_fields:
        help = f"write `{edge.relation}: {edge.reason}` in the front matter"
    return note_problem("missing-target", message, span, help)


def bad_value_problem(
    bad: BadValue, span: Span, fix: Fix | None = None, severity: Severity = Severity.ERROR
) -> Diagnostic:
    """The problem of a field's value, which is at `span`."""
    message = f"`{bad.key}` {bad.message}"
    return note_problem("bad-value", message, span, bad.help, severity, fix, fold_key(bad.key))


def _help_with_target(relation: str, words: str) -> str:
    """Help on turning the words after `relation::` into a target."""
    target_name = _TARGET_NAME.match(words)
    if target_name is None and (slip := _SLIP_OF_LINK.search(words)):
        if slip["file"]:
            return f"write `[[{slip['stem'].strip()}]]`, or the path from this note: `[…](….md)`"
        return _HELP_WITH_LINK[slip.lastgroup or ""]
    return f"write `- {relation}:: [[{target_name[1] if target_name else 'id'}]] — reason`"
