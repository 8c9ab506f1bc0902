"""Parse a note that was not written for `kg`, by `[map]` in the settings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import msgspec

from kg.model import Citation, Kind, Relation, Severity, Source, Span
from kg.model.settings.config import Config
from kg.model.settings.note_map import NoteType, fold_map_word
from kg.model.source import ET_AL
from kg.notes.bibliography.identifiers import parse_doi, web_address_of
from kg.notes.bibliography.people import join_name
from kg.notes.body.body_parts import Body
from kg.notes.body.body_reader import BodyReader
from kg.notes.frontmatter.front_matter import FrontMatter
from kg.notes.frontmatter.note_fields import NoteFields, RecordedFields, parse_fields
from kg.notes.mapping.map_body import map_body
from kg.notes.mapping.map_front import (
    DATES,
    map_front,
    split_bare,
    split_source_off_title,
    split_title,
)
from kg.notes.mapping.note_links import without_brackets
from kg.notes.markdown.comments import hide_comments, hide_in_values
from kg.notes.markdown.inline_syntax import WIKI_LINK
from kg.notes.note_files import NoteFile
from kg.notes.note_problems import bad_value_problem
from kg.notes.note_type import KindAndTitle
from kg.notes.parse_note import NoteReader, parse_note
from kg.notes.parsed_note import ParsedNote, PendingEdge
from kg.text.merge_conflicts import WithoutConflicts

_BETWEEN = re.compile(r"\s*;\s*|\s*,?\s+(?:and|&)\s+", re.I)
_ET_AL = re.compile(r",?\s+et al\.?\Z", re.I)
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
_SPELLING_CHANGES: Mapping[str, Callable[[str], str]] = {"doi": parse_doi, "url": web_address_of}
_INITIALS = re.compile(r"(?:[^\W\d_]\.?[ -]?){1,4}")
_OWN_WORDS = frozenset(("next", *(relation.value for relation in Relation)))


def source_fields(values: Mapping[str, object]) -> dict[str, Any]:
    """Fields of a source, from the values of the keys that are mapped to them."""
    source_values: dict[str, Any] = {}
    for field, value in values.items():
        words = [_plain_words(each) for each in (value if isinstance(value, tuple) else (value,))]
        text = next(filter(None, words), "")
        if field == "authors":
            source_values[field] = tuple(name for each in words for name in _author_names(each))
        elif field == "year":
            year = _YEAR.search(text)
            source_values[field] = int(year[0]) if year else None
        else:
            spell = _SPELLING_CHANGES.get(field)
            source_values[field] = spell(text) if spell else text
    return {field: value for field, value in source_values.items() if value}


def _plain_words(value: object) -> str:
    if value is None:
        return ""
    return WIKI_LINK.sub(lambda link: link["words"] or link["name"], str(value)).strip()


def _author_names(text: str) -> Iterator[str]:
    """The names in one value: `Anna Roe, Bo Day`, `Roe, Anna; Day, Bo`, `Roe, A., Day, B.`"""
    without_et_al = _ET_AL.sub("", text)
    for part in filter(None, _BETWEEN.split(without_et_al)):
        names = [each for name in part.split(",") if (each := name.strip())]
        pairs = list(zip(names[::2], names[1::2], strict=False))
        is_family_first = len(names) == 2 and (" " not in names[0] or names[0][:1].islower())
        has_initials = len(names) % 2 == 0 and all(_INITIALS.fullmatch(first) for _, first in pairs)
        yield from (
            (join_name(first, last) for last, first in pairs)
            if is_family_first or has_initials
            else names
        )
    if without_et_al != text:
        yield ET_AL


def note_parser(config: Config) -> Callable[[NoteFile], ParsedNote]:
    """The parser for notes of a corpus with these settings."""
    return partial(_parse_mapped, config=config) if config.map else parse_note


def is_parsed_alike(config: Config, text: str, path: str, other: str) -> bool:
    """Return whether a note would have the same type at another path, as its name may determine
    it.
    """
    if not config.map:
        return True
    files = (NoteFile(each, text.encode(), b"") for each in (path, other))
    first, second = (_parse_mapped(file, config) for file in files)
    kinds = [
        [each.kind for each in note.statements if each.parent is None] for note in (first, second)
    ]
    return kinds[0] == kinds[1] and (first.line is None) == (second.line is None)


def _parse_mapped(file: NoteFile, config: Config) -> ParsedNote:
    return parse_note(file, partial(_MappedNote, config=config))


class _MappedNote(NoteReader):
    """Parses one note whose words are mapped."""

    def __init__(self, path: str, stem: str, text: WithoutConflicts, config: Config) -> None:
        stem = without_brackets(stem)
        front = hide_in_values(split_bare(text.text))
        # before the rest, which is read by these two
        self.config, self.mapped = config, map_front(front, path, stem, config.map)
        super().__init__(path, stem, text)

    def read_front(self) -> FrontMatter:
        return self.mapped.front

    def read_body(self) -> Body:
        front = self.front
        own_words = _OWN_WORDS.union(self.config.camp_ids)
        visible_body = hide_comments(front.body)
        title = split_title(self.stem, self.config.map.titles)[1]
        is_titled_by_file = front.value("title") == self.stem
        known_titles = (
            (self.stem, title, split_source_off_title(title)[0]) if is_titled_by_file else ()
        )
        text, blocks = map_body(
            visible_body,
            self.path,
            self.config.map,
            own_words,
            cut_edges=front.value("type") in {*Kind},
            known_titles=known_titles,
        )
        reader = BodyReader(text, self.path, front.first_line, self.id, blocks)
        body = reader.read(has_comments=visible_body is not front.body)
        for key, offset in self.mapped.citations:
            span = self.front.span_at(self.path, offset)
            body.parts[0].citations.append(Citation(key=key, span=span))
        links = [
            PendingEdge(
                origin=self.id,
                relation=link.word,
                target=link.target,
                span=self.front.span_at(self.path, link.offset),
                reason=link.reason,
            )
            for link in self.mapped.links
        ]
        body.edges[:] = map(self._mapped_edge, [*links, *body.edges])
        return body

    def _mapped_edge(self, edge: PendingEdge) -> PendingEdge:
        """The edge with its word mapped to a relation; without a valid target it is a mere link."""
        relation_and_direction = self.config.map.relation_of(edge.relation)
        relation, backward = relation_and_direction or (edge.relation, False)
        return msgspec.structs.replace(edge, relation=str(relation), backward=backward, loose=True)

    def _note_or_guess(self) -> ParsedNote:
        if self.mapped.left_out:
            return ParsedNote(path=self.path, id=self.stem, left_out=True)
        return super()._note_or_guess()

    def _kind_and_title(self) -> KindAndTitle:
        kind_and_title = super()._kind_and_title()
        title = split_title(kind_and_title.title, self.config.map.titles)[1]
        return kind_and_title._replace(title=title)

    def _read_note(self, kind: NoteType, title: str, *, open_type: bool = False) -> ParsedNote:
        """The note; a source named at the end of its title is cited by it instead."""
        title, source_key = split_source_off_title(title)
        if source_key:
            span = self.body.title_span or Span(self.path)
            self.body.parts[0].citations.append(Citation(key=source_key, span=span))
        return super()._read_note(kind, title, open_type=open_type)

    def _parse_source(self, fields: RecordedFields, title: str, span: Span) -> Source:
        source = super()._parse_source(fields, title, span)
        work = self.mapped.work
        work_fields = source_fields({field: value for field, (_, value) in work.items()})
        used_keys = {work[field][0] for field in work_fields}
        extra = {key: value for key, value in source.extra.items() if key not in used_keys}
        return msgspec.structs.replace(source, **work_fields, extra=extra)

    def _read_fields(self, model: type[NoteFields]) -> RecordedFields:
        recorded = super()._read_fields(model)
        keep = [fold_map_word(key) for key in self.config.map.keep]
        for key in DATES if self.mapped.kept_fields else ():
            if key in self.mapped.kept_fields and key not in keep:
                span = self._value_span(self.front.key_as_written.get(key, key))
                for bad in parse_fields(model, {key: self.mapped.kept_fields[key]}).bad_values:
                    self.problems.append(bad_value_problem(bad, span, severity=Severity.WARNING))
        if self.mapped.kept_fields:
            recorded.values["extra"] = {
                **recorded.values.get("extra", {}),
                **self.mapped.kept_fields,
            }
        return recorded
