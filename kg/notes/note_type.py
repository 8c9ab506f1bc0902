"""The type of a note: as its `type:` says, or a prefix of its title; else the most likely one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from kg.model import Diagnostic, Fix, Relation, Span
from kg.model.diagnostic import fix_at
from kg.model.settings.note_map import NoteType
from kg.notes.body.body_parts import Body
from kg.notes.corrections import find_intended, note_problem
from kg.notes.frontmatter.front_matter import FrontMatter, fold_key
from kg.notes.frontmatter.note_fields import (
    LINE_TYPE,
    NOTE_TYPES,
    SOURCE_TYPE,
    find_intended_type,
    find_type,
    split_prefix,
)
from kg.notes.parsed_note import PendingEdge

_OTHER_FENCE = re.compile(
    r"\s*([^\w\s#]{1,8}\w{0,8})[ \t]*\n(?:.*\n){0,9}?[ \t]*[\"']?type[\"']?[ \t]*[:=]",
    re.IGNORECASE,
)
_HEAD_WITHOUT_FENCE = re.compile(r"\s*type\s*:", re.IGNORECASE)
_KEYS_OF_TYPE: Mapping[NoteType, set[str]] = {
    LINE_TYPE: {"proposition", "answers", "doubt"},
    SOURCE_TYPE: {"integrity", "snapshot", "verification"},
    "evidence": {"method", "sample", "effect", "p", "replications", "seen_in"},
}


class KindAndTitle(NamedTuple):
    """The type of a note (None if that is unknown), its title, and whether neither is a guess."""

    kind: NoteType | None
    title: str
    is_certain: bool


def find_kind_and_title(
    front: FrontMatter, body: Body, path: str, stem: str
) -> tuple[KindAndTitle, list[Diagnostic]]:
    """Determine the kind and title of the note at `path`, and the problems with how it states them;
    `stem` is the name of its file.
    """
    written_title = front.value("title")
    has_title = isinstance(written_title, str) and written_title
    prefix_kind, title = split_prefix(str(written_title) if has_title else body.title or stem)
    prefix_kind = prefix_kind or split_prefix(stem)[0]
    type = front.value("type")
    kind = find_type(type) if type is not None else None
    if kind is not None:
        return KindAndTitle(kind, title, is_certain=front.problem is None), []
    if type is None:
        in_text = any(edge.relation == "type" for edge in body.targetless)
        is_missing = prefix_kind is None and front.problem is None and not in_text
        problems = [missing_type_problem(front, path)] if is_missing else []
        return KindAndTitle(prefix_kind, title, is_certain=front.problem is None), problems
    key = front.key_as_written.get("type", "type")
    close = find_intended_type(type)
    fix = front.value_fix(path, key, type, close) if close and isinstance(type, str) else None
    problem = unknown_type_problem(type, front.value_span(path, key), fix)
    likely_kind = prefix_kind or find_type(close)
    return KindAndTitle(likely_kind, title, is_certain=prefix_kind is not None), [problem]


def likely_type(front: FrontMatter, edges: Iterable[PendingEdge]) -> NoteType:
    """The most likely type of a note without one, by its keys and its relations."""
    for kind, keys in _KEYS_OF_TYPE.items():
        if not keys.isdisjoint(front.mapping):
            return kind
    relations = {edge.relation for edge in edges}
    return "claim" if relations <= {*Relation} else LINE_TYPE


def missing_type_problem(front: FrontMatter, path: str) -> Diagnostic:
    """The problem of a note without a valid `type`."""
    help = f"begin it with front matter that holds `type:` and one of {', '.join(NOTE_TYPES)}"
    span = Span(path)
    fix = None
    if misspelt_key := misspelt_type(front):
        span = front.key_span(path, misspelt_key)
        help = "did you mean `type`?"
        fix = fix_at(span, misspelt_key, "type")
    elif "type" in front.mapping:
        span = front.key_span(path, "type")
        help = f"write one of {', '.join(NOTE_TYPES)} after `type:`"
    if front.body.lstrip().startswith("---\n") and not front.text:
        help = "front matter begins with `---` on the first line of the file"
    elif _HEAD_WITHOUT_FENCE.match(front.body) and not front.text:
        help = "put a line `---` before and after the front matter"
    elif not front.text and (fence := _OTHER_FENCE.match(front.body)):
        help = f"front matter begins and ends with a line `---`, not `{fence[1]}`"
        if fence[1].startswith("`"):
            help = "front matter is written between two lines `---`, not in a code block"
    return note_problem("missing-type", "this note does not say what it is", span, help, fix=fix)


def misspelt_type(front: FrontMatter) -> str | None:
    """The key that was most likely meant to be `type`: `type::`, `tpye:`."""
    keys_of_types = (
        k for k, value in front.mapping.items() if find_type(value) and "type" not in front.mapping
    )
    return next((key for key in keys_of_types if find_intended(fold_key(key), ["type"])), None)


def unknown_type_problem(type: object, span: Span, fix: Fix | None) -> Diagnostic:
    """The problem of a `type:` that is not a type of note."""
    close = find_intended_type(type)
    help = f"did you mean `{close}`?" if close else f"types are {', '.join(NOTE_TYPES)}"
    message = f"there is no type of note `{type}`"
    return note_problem("missing-type", message, span, help, fix=fix)
