"""One file's bytes → one `ParsedNote`, whatever is in them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec

from kg.model import Diagnostic, InquiryLine, Kind, Relation, Severity, Source, Span, Statement
from kg.notes.body import read_body
from kg.notes.decode import decode
from kg.notes.discover import NoteFile
from kg.notes.frontmatter.block import fold_key, split_front
from kg.notes.frontmatter.fields import (
    LINE,
    SOURCE,
    TYPES,
    CalloutHead,
    Head,
    LineHead,
    RecordedFields,
    SourceHead,
    StatementHead,
    any_head,
    find_meant_type,
    find_type,
    parse_head,
    split_prefix,
)
from kg.notes.frontmatter.values import (
    drop,
    is_own_method,
    is_unknown_unit,
    take_apart,
    unknown_unit,
)
from kg.notes.frontmatter.yaml import find_key, find_value
from kg.notes.hints import KEYS, find_meant, help_with_target
from kg.notes.markdown.headings import split_essay
from kg.notes.markdown.items import HELP, WITH, WITHOUT_EDGE, WITHOUT_PREMISE, find_premises
from kg.notes.markdown.parts import CALLOUTS, BodyPart, leading
from kg.notes.parsed import ParsedNote, PendingEdge, PendingMethod

_LINKABLE = re.compile(r"[^#^|\[\]]+")
_OTHER_FENCE = re.compile(
    r"\s*([^\w\s#]{1,8}\w{0,8})[ \t]*\n(?:.*\n){0,9}?[ \t]*[\"']?type[\"']?[ \t]*[:=]",
    re.IGNORECASE,
)
_CURLY = re.compile(r"[“”„«‟‘‚][^“”„«»‟‘‚]*[“”»‟’‘]")
_HEAD_WITHOUT_FENCE = re.compile(r"\s*type\s*:", re.IGNORECASE)
_IN_THE_BIBLIOGRAPHY = {"author", "authors", "doi", "isbn", "journal", "publisher", "url", "year"}
_HEADS: dict[str, type[Head]] = {LINE: LineHead, SOURCE: SourceHead}
_OF_THE_NOTE = ("type", "id", "title")
_OF_THE_EDGE = ("reason", "strength", "mutual", "scope", "by", "locator")
_NOT_OF_SOURCES = ("status", "created", "updated", "reviewed")


def parse_note(file: NoteFile) -> ParsedNote:
    """Everything `file` says. Problems become diagnostics; nothing is raised."""
    stem = file.path.rpartition("/")[2].removesuffix(".md")
    text = decode(file)
    if isinstance(text, Diagnostic):
        return ParsedNote(path=file.path, id=stem, diagnostics=(text,))
    return _Note(file.path, stem, text).parse()


class _Note:
    """The parse of one readable note."""

    def __init__(self, path: str, stem: str, text: str) -> None:
        self.path = path
        self.stem = stem
        self.problems: list[Diagnostic] = []
        self.methods: list[PendingMethod] = []
        self.front = split_front(text)
        for trouble in (self.front.trouble, *self.front.others) if self.front.trouble else ():
            self.problem(
                "broken-front-matter",
                str(trouble),
                Span(path, trouble.line + 1, trouble.column),
                trouble.help,
            )
        given = self.front.value("id")
        self.id = given if isinstance(given, str) and given else stem
        self.body = read_body(self.front.body, path, self.front.first_line, self.id)
        self.edges = self.body.edges

    def problem(
        self,
        rule: str,
        message: str,
        span: Span,
        help: str = "",
        severity: Severity = Severity.ERROR,
    ) -> None:
        self.problems.append(
            Diagnostic(rule=rule, severity=severity, message=message, span=span, help=help)
        )

    # -- the whole note ----------------------------------------------------------------

    def parse(self) -> ParsedNote:
        kind, title, sure = self._kind_and_title()
        if kind is None:
            self._whatever_its_type()
            return self._nothing_but_problems()
        note = self._read(kind, title)
        if sure:
            return note
        return self._nothing_but_problems(msgspec.structs.replace(note, diagnostics=()))

    def _nothing_but_problems(self, meant: ParsedNote | None = None) -> ParsedNote:
        return ParsedNote(
            path=self.path,
            id=self.stem,
            diagnostics=self._found(),
            methods=tuple(self.methods),
            meant=meant,
        )

    def _read(self, kind: str, title: str) -> ParsedNote:
        whole = self.body.parts[0]
        said = self._said(_HEADS.get(kind, StatementHead))
        span = self.body.title_span or self.body.span_at(leading(self.body.text))
        nested = tuple(self._nested(part, kind) for part in self.body.parts[1:])
        line = self._line(said, title, span, whole) if kind == LINE else None
        source = self._source(said, title, span, whole) if kind == SOURCE else None
        if line is None and source is None:
            nested = (self._statement(said, Kind(kind), title, span, whole), *nested)
        if self.body.adrift:
            self._without_target(kind)
        if len(nested) > 1:
            self.edges.sort(key=lambda edge: edge.span)
        return ParsedNote(
            path=self.path,
            id=self.id,
            statements=nested,
            line=line,
            source=source,
            edges=tuple(self.edges),
            mentions=tuple(self.body.mentions),
            diagnostics=self._found(),
            methods=tuple(self.methods),
        )

    def _found(self) -> tuple[Diagnostic, ...]:
        """Every problem, in reading order."""
        found = [*self.problems, *self.body.diagnostics]
        return tuple(sorted(found, key=lambda problem: problem.span)) if found else ()

    def _key_span(self, key: str) -> Span:
        return self.front.span_at(self.path, find_key(self.front.text, key))

    def _value_span(self, key: str) -> Span:
        return self.front.span_at(self.path, find_value(self.front.text, key))

    def _kind_and_title(self) -> tuple[str | None, str, bool]:
        """What the note is, its title, and whether that is certain."""
        written = self.front.value("title")
        prefixed, title = split_prefix(
            written if isinstance(written, str) and written else self.body.title or self.stem
        )
        prefixed = prefixed or split_prefix(self.stem)[0]
        type = self.front.value("type")
        if type is None:
            if prefixed is None and self.front.trouble is None:
                self._missing_type()
            return prefixed, title, self.front.trouble is None
        kind = find_type(type) or prefixed
        if find_type(type) is None:
            meant = self._unknown_type(type)
            return kind or meant, title, kind is not None
        return kind, title, self.front.trouble is None

    def _missing_type(self) -> None:
        help = f"begin it with front matter that holds `type:` and one of {', '.join(TYPES)}"
        span = Span(self.path)
        if "type" in self.front.mapping:
            span, help = self._key_span("type"), f"write one of {', '.join(TYPES)} behind `type:`"
        if self.front.body.lstrip().startswith("---\n") and not self.front.text:
            help = "front matter begins with `---` on the first line of the file"
        elif _HEAD_WITHOUT_FENCE.match(self.front.body) and not self.front.text:
            help = "put a line `---` before and after the front matter"
        elif not self.front.text and (fence := _OTHER_FENCE.match(self.front.body)):
            help = f"front matter begins and ends with a line `---`, not `{fence[1]}`"
            if fence[1].startswith("`"):
                help = "front matter stands between two lines `---`, not in a code block"
        self.problem("missing-type", "this note does not say what it is", span, help)

    def _unknown_type(self, type: Any) -> str | None:
        """Report the word, and return the type that was meant, where that is clear."""
        close = find_meant_type(type)
        help = f"did you mean `{close}`?" if close else f"types are {', '.join(TYPES)}"
        message = f"no type of note is called `{type}`"
        span = self._value_span(self.front.respelled.get("type", "type"))
        self.problem("missing-type", message, span, help)
        return find_type(close) if close else None

    def _whatever_its_type(self) -> None:
        """Report what is wrong in the note of whatever type it may turn out to be."""
        if self.front.mapping:
            self._said(any_head())
        for part in self.body.parts[1:]:
            self._fields(part)

    # -- front matter ------------------------------------------------------------------

    def _said(self, model: type[Head]) -> RecordedFields:
        said = parse_head(model, self.front.mapping)
        if self.id != self.stem and not (self.id.isprintable() and _LINKABLE.fullmatch(self.id)):
            self.problem(
                "bad-value",
                "`id` holds one of `# ^ | [ ]`, so no link can lead to it",
                self._value_span(self.front.respelled.get("id", "id")),
                "use letters, digits and dashes",
            )
        for trouble in said.troubles:
            span = self._value_span(trouble.key)
            self.problem("bad-value", f"`{trouble.key}` {trouble.message}", span, trouble.help)
        for key in said.extra:
            self._unknown_key(key, model, self._key_span(key))
        respelled = self.front.respelled
        self._doubts(said, self.id, lambda key: self._value_span(respelled.get(key, key)))
        if not self.front.text.isascii() and self.front.trouble is None:
            self._curly_quotes()
        return _own(said)

    def _doubts(self, said: RecordedFields, id: str, span: Callable[[str], Span]) -> None:
        """What settings may know, and what nobody does."""
        if is_own_method(said.values):
            self.methods.append(PendingMethod(id, said.values["method"], span("method")))
        if is_unknown_unit(said.values):
            self.problems.append(unknown_unit(said.values, span("sample")))

    def _curly_quotes(self) -> None:
        """Quotes that a word processor has bent are part of the value."""
        for key, value in self.front.mapping.items():
            words = tuple(value.values()) if isinstance(value, dict) else value
            words = words if isinstance(words, tuple) else (words,)
            for word in words:
                if key != "type" and isinstance(word, str) and _CURLY.fullmatch(word):
                    at = find_value(self.front.text, key, word)
                    help = f'write it without them, or with straight ones: `"{word[1:-1]}"`'
                    message = f"the curly quotes are read as part of `{key}`"
                    span = self.front.span_at(self.path, at)
                    self.problem("bad-value", message, span, help, Severity.WARNING)

    def _unknown_key(self, key: str, model: type[Head], span: Span) -> None:
        elsewhere = any(
            key in other.model_fields for other in (StatementHead, SourceHead, LineHead)
        )
        close = find_meant(fold_key(key), model.model_fields, KEYS, cutoff=0.7)
        help = f"did you mean `{close}`?" if close else "it is kept, and means nothing to kg"
        if elsewhere and not close:
            help = "it is a key of another type of note"
        elif fold_key(key).replace("_", "-") in set(Relation):
            help = f"an edge is an item in the text: `- {key}:: [[target]] — reason`"
        elif model is SourceHead and key.casefold() in _IN_THE_BIBLIOGRAPHY:
            help = "put it into the entry of references.bib; a source note says what was found"
        elif key == WITH or key in _OF_THE_EDGE:
            help = "it belongs to an edge, or to the callout that draws one"
        self.problem("unknown-key", f"no key `{key}` is known here", span, help, Severity.WARNING)

    # -- statements --------------------------------------------------------------------

    def _statement(
        self, said: RecordedFields, kind: Kind, title: str, span: Span, part: BodyPart
    ) -> Statement:
        return Statement(
            id=self.id,
            kind=kind,
            title=title,
            span=span,
            body=self.body.text_of(part),
            note=self.id,
            citations=tuple(part.citations),
            quotations=tuple(part.quotations),
            **said.values,
        )

    def _nested(self, part: BodyPart, kind: str) -> Statement:
        """The statement of a callout; an edge ties it to the statement around it, if any."""
        joined = self._joined(part)
        said = self._fields(part)
        parent = self.body.parts[part.around].id
        holder = parent if part.around or kind not in _HEADS else None
        kind, relation = CALLOUTS[part.callout]
        if not part.title:
            self.problem(
                "missing-title",
                "this callout says nothing on its first line",
                part.span,
                f"write `> [!{part.callout}] what it says ^short-id`",
                Severity.WARNING,
            )
        if joined and not (relation and holder):
            self.problem("missing-target", WITHOUT_EDGE, part.span, HELP, Severity.WARNING)
        if relation and holder and joined is not None:
            self.edges.append(
                PendingEdge(
                    source=part.id,
                    relation=relation,
                    target=parent,
                    span=part.span,
                    nested=True,
                    together=joined,
                    **{key: said.values[key] for key in _OF_THE_EDGE if key in said.values},
                )
            )
        drop(said.values, _OF_THE_EDGE)
        return Statement(
            id=part.id,
            kind=kind,
            title=part.title or part.id,
            span=part.span,
            body=self.body.text_of(part),
            note=self.id,
            parent=holder,
            citations=tuple(part.citations),
            quotations=tuple(part.quotations),
            **said.values,
        )

    def _joined(self, part: BodyPart) -> tuple[str, ...] | None:
        """The other premises that a callout names; `None` where it names them wrongly."""
        keys = [key for key in part.fields if key.casefold() == WITH]
        found = find_premises(" ".join(part.fields[key] for key in keys), self.path, self.id)
        if keys and not found:
            self.problem("missing-target", WITHOUT_PREMISE, self._field_span(part, keys[0]), HELP)
            return None
        return found

    def _fields(self, part: BodyPart) -> RecordedFields:
        """What a callout's inline fields say, those of its edge included."""
        fields = {key: value for key, value in part.fields.items() if key.casefold() != WITH}
        said = parse_head(CalloutHead, fields)
        for trouble in said.troubles:
            span = self.body.span_at(part.places[trouble.key][1])
            self.problem("bad-value", f"`{trouble.key}` {trouble.message}", span, trouble.help)
        for key in said.extra:
            self._unknown_key(key, CalloutHead, self.body.span_at(part.places[key][0]))
        self._doubts(said, part.id, lambda key: self._field_span(part, key))
        return _own(said)

    def _field_span(self, part: BodyPart, key: str) -> Span:
        places = {fold_key(written): at for written, (_, at) in part.places.items()}
        return self.body.span_at(places[key])

    # -- lines and sources -------------------------------------------------------------

    def _line(self, said: RecordedFields, title: str, span: Span, part: BodyPart) -> InquiryLine:
        standfirst, essay = split_essay(self.body, part)
        return InquiryLine(
            id=self.id,
            title=title,
            span=span,
            standfirst=standfirst,
            essay=essay,
            citations=tuple(part.citations),
            quotations=tuple(part.quotations),
            **said.values,
        )

    def _source(self, said: RecordedFields, title: str, span: Span, part: BodyPart) -> Source:
        named = self.body.title or title != self.stem
        drop(said.values, _NOT_OF_SOURCES)
        return Source(
            key=self.id,
            title=title if named else "",
            span=span,
            note=self.id,
            body=self.body.text_of(part),
            **said.values,
        )

    def _without_target(self, kind: str) -> None:
        """A line may ask on in words alone; any other edge leads somewhere."""
        for edge in self.body.adrift:
            if kind == LINE and edge.relation == "next" and edge.reason:
                self.edges.append(edge)
            else:
                help = help_with_target(edge.relation, edge.reason)
                message = f"`{edge.relation}::` leads nowhere"
                self.problem("missing-target", message, edge.span, help)
        self.edges.sort(key=lambda edge: edge.span)


def _own(said: RecordedFields) -> RecordedFields:
    """What is said of a statement, line or source itself; a sample as its number and unit."""
    drop(said.values, _OF_THE_NOTE)
    take_apart(said.values)
    if said.extra:
        said.values["extra"] = said.extra
    return said


__all__ = ["decode", "parse_note"]
