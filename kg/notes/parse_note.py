"""Parse one file: bytes → text → one `ParsedNote`, whatever the bytes are."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

import msgspec

from kg.model import Diagnostic, InquiryLine, Kind, Source, Span, Statement
from kg.model.settings.note_map import NoteType
from kg.notes import note_problems
from kg.notes.body.body_parts import CALLOUTS, Body, BodyPart, first_words_offset, split_essay
from kg.notes.body.body_reader import read_body
from kg.notes.body.relation_items import (
    WITH,
    find_relation,
    parse_with_field,
    premise_without_link_problem,
)
from kg.notes.corrections import find_fix
from kg.notes.frontmatter.front_matter import FrontMatter, fold_key, split_front_matter
from kg.notes.frontmatter.note_fields import (
    GLOSSARY_TYPE,
    LINE_TYPE,
    SOURCE_TYPE,
    CalloutFields,
    LineFields,
    NoteFields,
    RecordedFields,
    SourceFields,
    StatementFields,
    fields_of_every_type,
    parse_fields,
)
from kg.notes.frontmatter.value_parsers import (
    drop_keys,
    is_own_method,
    is_unknown_unit,
    set_record_fields,
    unknown_unit_problem,
)
from kg.notes.glossary import parse_glossary
from kg.notes.markdown.comments import hide_comments, hide_in_values
from kg.notes.note_files import NoteFile, decode_file
from kg.notes.note_type import KindAndTitle, find_kind_and_title, likely_type, misspelt_type
from kg.notes.parsed_note import ParsedNote, PendingEdge, PendingMethod
from kg.text.folding import compose_accents
from kg.text.merge_conflicts import WithoutConflicts, keep_first_versions
from kg.text.printable import without_line_breaks

_LINKABLE = re.compile(r"[^#^|\[\]]+")
_FIELDS_OF_TYPE: dict[str, type[NoteFields]] = {
    LINE_TYPE: LineFields,
    SOURCE_TYPE: SourceFields,
    GLOSSARY_TYPE: NoteFields,
}
_KEYS_NOT_OF_SOURCES = ("status", "created", "updated", "reviewed")
# Makes the reader of a note from its path, its file's name without `.md`, and its text.
MakeReader: TypeAlias = "Callable[[str, str, WithoutConflicts], NoteReader]"


def parse_note(file: NoteFile, make_reader: MakeReader | None = None) -> ParsedNote:
    """Parse `file`. Problems become diagnostics; nothing is raised."""
    stem = compose_accents(file.path.rpartition("/")[2].removesuffix(".md"))
    text = decode_file(file)
    if isinstance(text, Diagnostic):
        return ParsedNote(path=file.path, id=stem, diagnostics=(text,))
    make_reader = make_reader or NoteReader
    return make_reader(file.path, stem, keep_first_versions(text, markdown=True)).parse()


class NoteReader:
    """Parses one readable note; a note whose words are mapped overrides how its parts are read."""

    def __init__(self, path: str, stem: str, text: WithoutConflicts) -> None:
        self.path = path
        self.stem = stem
        self.text = text.text
        self.conflicts = text.conflicts
        self.problems: list[Diagnostic] = []
        self.methods: list[PendingMethod] = []
        self.front = self.read_front()
        id = self.front.value("id")
        self._written_id = compose_accents(id) if isinstance(id, str) and id else stem
        self.id = without_line_breaks(self._written_id)
        self.body = self.read_body()
        self.edges = [*self.body.edges]

    def read_front(self) -> FrontMatter:
        return hide_in_values(split_front_matter(self.text))

    def read_body(self) -> Body:
        return read_body(self.front.body, self.path, self.front.first_line, self.id)

    def parse(self) -> ParsedNote:
        """The note, from what its front matter and its body say together."""
        self.problems += note_problems.front_matter_problems(self.front, self.path)
        if self.conflicts:
            title_span = self.body.title_span
            self.problems.append(
                note_problems.note_conflict_problem(
                    self.path, self.conflicts, self.front, title_span
                )
            )
        return self._note_or_guess()

    def _note_or_guess(self) -> ParsedNote:
        """The note if its type is certain; else only its problems, and what it most likely is."""
        kind, title, is_certain = self._kind_and_title()
        likely_kind = kind or likely_type(self.front, self.edges)
        note = self._read_note(likely_kind, title, open_type=kind is None)
        if is_certain and kind is not None:
            return note
        return ParsedNote(
            path=self.path,
            id=self.stem,
            diagnostics=self._sorted_problems(),
            methods=tuple(self.methods),
            best_guess=msgspec.structs.replace(note, diagnostics=()),
        )

    def _read_note(self, kind: NoteType, title: str, *, open_type: bool = False) -> ParsedNote:
        model = _FIELDS_OF_TYPE.get(kind, StatementFields)
        fields = self._read_fields(fields_of_every_type() if open_type else model)
        if open_type:
            others = fields_of_every_type().model_fields.keys() - model.model_fields
            drop_keys(fields.values, others)
        if self.front.problem:  # the unclosed bracket is reported, not values left empty by it
            empty = [key for key, value in self.front.mapping.items() if value in (None, "", [])]
            drop_keys(fields.values, empty)
        if kind == GLOSSARY_TYPE:
            return self._parse_glossary()
        span = self.body.title_span or self.body.span_at(first_words_offset(self.body.text))
        statements = tuple(self._callout_statement(part, kind) for part in self.body.parts[1:])
        line = self._parse_line(fields, title, span) if kind == LINE_TYPE else None
        source = self._parse_source(fields, title, span) if kind == SOURCE_TYPE else None
        if line is None and source is None:
            statements = (self._note_statement(Kind(kind), fields, title, span), *statements)
        if self.body.targetless:
            self._report_missing_target(kind)
        if len(statements) > 1:
            self.edges.sort(key=lambda edge: edge.span)
        return ParsedNote(
            path=self.path,
            id=self.id,
            statements=statements,
            line=line,
            source=source,
            edges=tuple(self.edges),
            mentions=tuple(self.body.mentions),
            files=self.body.files,
            diagnostics=self._sorted_problems(),
            methods=tuple(self.methods),
            has_guessed_type=open_type,
        )

    def _parse_glossary(self) -> ParsedNote:
        """The terms of a glossary; it states nothing."""
        body = hide_comments(self.front.body)
        terms, others = parse_glossary(body, self.path, self.front.first_line)
        self.problems += map(note_problems.undefined_term_problem, others)
        problems = self._sorted_problems()
        return ParsedNote(path=self.path, id=self.id, terms=terms, diagnostics=problems)

    def _sorted_problems(self) -> tuple[Diagnostic, ...]:
        """Return every problem, in reading order."""
        problems = (*self.problems, *self.body.diagnostics)
        return tuple(sorted(problems, key=lambda problem: problem.span))

    def _value_span(self, key: str) -> Span:
        return self.front.value_span(self.path, key)

    def _kind_and_title(self) -> KindAndTitle:
        kind_and_title, problems = find_kind_and_title(self.front, self.body, self.path, self.stem)
        self.problems += problems
        return kind_and_title

    # -- front matter ------------------------------------------------------------------

    def _read_fields(self, model: type[NoteFields]) -> RecordedFields:
        recorded = parse_fields(model, self.front.mapping)
        id = self._written_id
        if id != self.stem and not (id.isprintable() and _LINKABLE.fullmatch(id)):
            span = self._value_span(self.front.key_as_written.get("id", "id"))
            self.problems.append(note_problems.unlinkable_id_problem(span))
        for bad in recorded.bad_values:
            span = self._value_span(bad.key)
            fix = self.front.value_fix(self.path, bad.key, bad.old, bad.new)
            self.problems.append(note_problems.bad_value_problem(bad, span, fix))
        for key in recorded.extra:
            if model is fields_of_every_type() and key == misspelt_type(self.front):
                continue  # already reported as a missing type
            self._report_unknown_key(key, model)
        respelled = self.front.key_as_written
        self._report_doubtful_values(
            recorded, self.id, lambda key: self._value_span(respelled.get(key, key))
        )
        if not self.front.text.isascii() and self.front.problem is None:
            self.problems += note_problems.curly_quote_problems(self.front, self.path)
        set_record_fields(recorded.values, recorded.extra)
        return recorded

    def _report_unknown_key(self, key: str, model: type[NoteFields]) -> None:
        """Report a key, and already what will be wrong with its value once it is corrected."""
        mapping = self.front.mapping
        key_span = self.front.key_span(self.path, key)
        self.problems.append(note_problems.unknown_key_problem(key, model, key_span, mapping))
        value_span = self._value_span(key)
        self.problems += note_problems.problems_once_corrected(key, model, value_span, mapping)

    def _report_doubtful_values(
        self, recorded: RecordedFields, id: str, span_of_value: Callable[[str], Span]
    ) -> None:
        """Collect methods that `kg.toml` may declare; report unknown units."""
        if is_own_method(recorded.values):
            word = recorded.values["method"]
            place = span_of_value("method")
            text_line = self.text.split("\n")[place.line - 1]
            word_there = text_line[place.column - 1 : place.column - 1 + len(word)]
            written_word = word_there if fold_key(word_there) == fold_key(word) else ""
            self.methods.append(PendingMethod(id, word, place, written_word))
        misread_keys = (bad.key for bad in recorded.bad_values)
        if is_unknown_unit(recorded.values) and "sample_class" not in misread_keys:
            unit = recorded.values["sample"][1]
            place = span_of_value("sample")
            offset = self.text.split("\n")[place.line - 1].find(unit, place.column - 1)
            place = place if offset < 0 else msgspec.structs.replace(place, column=offset + 1)
            self.problems.append(unknown_unit_problem(unit, place))

    # -- statements --------------------------------------------------------------------

    def _note_statement(
        self, kind: Kind, fields: RecordedFields, title: str, span: Span
    ) -> Statement:
        """The statement of the note itself."""
        part = self.body.parts[0]
        return Statement(
            id=self.id,
            kind=kind,
            title=title,
            span=span,
            body=self.body.text_of(part),
            note=self.id,
            citations=tuple(part.citations),
            quotations=tuple(part.quotations),
            **fields.values,
        )

    def _callout_statement(self, part: BodyPart, note_kind: NoteType) -> Statement:
        """The statement of a callout; adds its edge to the statement around it, if any."""
        together = self._parse_with_fields(part)
        recorded = self._fields_of_callout(part)
        # lines, sources and glossaries state nothing that a callout could bear on
        is_in_statement = part.around != 0 or note_kind not in _FIELDS_OF_TYPE
        parent = self.body.parts[part.around].id if is_in_statement else None
        kind, relation = CALLOUTS[part.callout]
        if not part.title:
            self.problems.append(note_problems.untitled_callout_problem(part.callout, part.span))
        if together and not (relation and parent):
            self.problems.append(note_problems.premises_without_edge_problem(part.span))
        edge_keys = recorded.values.keys() & note_problems.EDGE_CALLOUT_FIELDS
        edge_fields = {key: recorded.values.pop(key) for key in edge_keys}
        if relation and parent and together is not None:
            self.edges.append(
                PendingEdge(
                    origin=part.id,
                    relation=relation,
                    target=parent,
                    span=part.span,
                    nested=True,
                    together=together,
                    **edge_fields,
                )
            )
        return Statement(
            id=part.id,
            kind=kind,
            title=part.title or part.id,
            span=part.span,
            body=self.body.text_of(part),
            note=self.id,
            parent=parent,
            citations=tuple(part.citations),
            quotations=tuple(part.quotations),
            **recorded.values,
        )

    def _parse_with_fields(self, part: BodyPart) -> tuple[str, ...] | None:
        """The other premises that a callout names; None, and reported, if they cannot be read."""
        keys = [key for key in part.fields if key.casefold() == WITH]
        if not keys:
            return ()
        names = parse_with_field(" ".join(part.fields[key] for key in keys), self.path, self.id)
        if not names:
            self.problems.append(premise_without_link_problem(self._field_span(part, keys[0])))
            return None
        return names

    def _fields_of_callout(self, part: BodyPart) -> RecordedFields:
        """The values of a callout's inline fields, including those of its edge."""
        fields = {key: value for key, value in part.fields.items() if key.casefold() != WITH}
        recorded = parse_fields(CalloutFields, fields)
        for bad in recorded.bad_values:
            offset = part.places[bad.key][1]
            fix = find_fix(self.body.text, offset, bad.old, bad.new, self.body.span_at)
            span = self.body.span_at(offset)
            self.problems.append(note_problems.bad_value_problem(bad, span, fix))
        for key in recorded.extra:
            span = self.body.span_at(part.places[key][0])
            problem = note_problems.unknown_key_problem(key, CalloutFields, span, fields)
            self.problems.append(problem)
        self._report_doubtful_values(recorded, part.id, lambda key: self._field_span(part, key))
        set_record_fields(recorded.values, recorded.extra)
        return recorded

    def _field_span(self, part: BodyPart, key: str) -> Span:
        places = {fold_key(written_key): offset for written_key, (_, offset) in part.places.items()}
        return self.body.span_at(places[key])

    # -- lines and sources -------------------------------------------------------------

    def _parse_line(self, fields: RecordedFields, title: str, span: Span) -> InquiryLine:
        part = self.body.parts[0]
        standfirst, essay = split_essay(self.body, part)
        return InquiryLine(
            id=self.id,
            title=title,
            span=span,
            standfirst=standfirst,
            essay=essay,
            citations=tuple(part.citations),
            quotations=tuple(part.quotations),
            **fields.values,
        )

    def _parse_source(self, fields: RecordedFields, title: str, span: Span) -> Source:
        has_title = self.body.title or title != self.stem
        drop_keys(fields.values, _KEYS_NOT_OF_SOURCES)
        return Source(
            key=self.id,
            title=title if has_title else "",
            span=span,
            note=self.id,
            body=self.body.text_of(self.body.parts[0]),
            **fields.values,
        )

    def _report_missing_target(self, kind: NoteType) -> None:
        """Keep a line's `next` questions, which need no target; report other edges without one."""
        lines = self.body.text.split("\n")
        for edge in self.body.targetless:
            if kind == LINE_TYPE and edge.relation == "next" and edge.reason:
                self.edges.append(edge)
            else:
                place = find_relation(lines[edge.span.line - self.front.first_line], edge.span)
                self.problems.append(note_problems.missing_target_problem(edge, place))
        self.edges.sort(key=lambda edge: edge.span)
