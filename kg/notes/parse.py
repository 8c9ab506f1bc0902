"""One file's bytes → one `ParsedNote`, whatever is in them."""

from __future__ import annotations

import re
from typing import Any

from kg.model import (
    Diagnostic,
    InquiryLine,
    Kind,
    Relation,
    Severity,
    Source,
    Span,
    Statement,
    Strength,
)
from kg.notes import inline
from kg.notes.body import CALLOUTS, Item, Part, read_body
from kg.notes.discover import LARGEST_NOTE, NoteFile
from kg.notes.head import (
    LINE,
    SOURCE,
    TYPES,
    CalloutHead,
    Head,
    LineHead,
    SourceHead,
    StatementHead,
    find_type,
    parse_head,
    parse_sample,
    split_prefix,
)
from kg.notes.parsed import ParsedNote, PendingEdge, PendingMention
from kg.notes.yaml import YamlError, find_key, parse_mapping

_FENCE = re.compile(r"---[ \t]*\r?\n")
_FENCE_END = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.MULTILINE)
_EDGE_FIELDS = ("strength", "scope", "by", "locator", "mutual")
_HEADS: dict[str, type[Head]] = {LINE: LineHead, SOURCE: SourceHead}
_YES = frozenset({"yes", "true", "1", "both"})


def parse_note(file: NoteFile) -> ParsedNote:
    """Everything `file` says. Problems become diagnostics; nothing is raised."""
    stem = file.path.rpartition("/")[2].removesuffix(".md")
    try:
        text = _decode(file)
    except _Unreadable as error:
        return ParsedNote(path=file.path, id=stem, diagnostics=(error.problem,))
    return _Note(file.path, stem, text).parse()


class _Unreadable(Exception):
    def __init__(self, problem: Diagnostic) -> None:
        super().__init__(problem.message)
        self.problem = problem


def _decode(file: NoteFile) -> str:
    def refuse(message: str, help: str, line: int = 1) -> _Unreadable:
        return _Unreadable(
            Diagnostic(
                rule="unreadable-file",
                severity=Severity.ERROR,
                message=message,
                span=Span(file.path, line),
                help=help,
            )
        )

    if len(file.data) > LARGEST_NOTE:
        raise refuse(
            "this file is larger than 4 MiB", "a note is a text; split it, or link to the data"
        )
    if b"\0" in file.data:
        raise refuse("this is not a text file: it holds NUL bytes", "notes are UTF-8 Markdown")
    try:
        text = file.data.decode("utf-8-sig" if file.data.startswith(b"\xef\xbb\xbf") else "utf-8")
    except UnicodeDecodeError as error:
        line = file.data.count(b"\n", 0, error.start) + 1
        raise refuse("this file is not UTF-8", "save it again as UTF-8", line) from None
    return text.replace("\r\n", "\n") if "\r" in text else text


class _Note:
    """The parse of one readable note."""

    def __init__(self, path: str, stem: str, text: str) -> None:
        self.path = path
        self.stem = stem
        self.problems: list[Diagnostic] = []
        self.front, body, first_line = self._split(text)
        self.mapping = self._mapping()
        self.body = read_body(body, path, first_line)
        self.edges: list[PendingEdge] = []
        self.mentions: list[PendingMention] = []

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

    # -- front matter ------------------------------------------------------------------

    def _split(self, text: str) -> tuple[str, str, int]:
        """Front matter, body, and the line on which the body starts."""
        fence = _FENCE.match(text)
        if not fence:
            return "", text, 1
        end = _FENCE_END.search(text, fence.end())
        if not end:
            self.problem(
                "broken-front-matter",
                "the front matter is never closed",
                Span(self.path),
                "end it with a line `---`",
            )
            return "", text[fence.end() :], 2
        front = text[fence.end() : end.start()]
        return front, text[end.end() :], text.count("\n", 0, end.end()) + 1

    def _mapping(self) -> dict[str, Any]:
        try:
            return parse_mapping(self.front) if self.front else {}
        except YamlError as error:
            self.problem(
                "broken-front-matter",
                str(error),
                Span(self.path, error.line + 1, error.column),
                "front matter is YAML: `key: value`, one a line",
            )
            return {}

    def _key_span(self, key: str) -> Span:
        line, column = find_key(self.front, key)
        return Span(self.path, line + 1, column)

    def _head(self, model: type[Any]) -> Any:
        head, troubles = parse_head(model, self.mapping)
        for trouble in troubles:
            self.problem(
                "bad-value", f"`{trouble.key}` {trouble.message}", self._key_span(trouble.key)
            )
        for key in head.model_extra or ():
            self._unknown_key(key, model, self._key_span(key))
        return head

    def _unknown_key(self, key: str, model: type[Head], span: Span) -> None:
        from difflib import get_close_matches

        elsewhere = any(
            key in other.model_fields for other in (StatementHead, SourceHead, LineHead)
        )
        close = get_close_matches(key, model.model_fields, 1, cutoff=0.7)
        help = f"did you mean `{close[0]}`?" if close else "it is kept, and means nothing to kg"
        if elsewhere and not close:
            help = "it is a key of another type of note"
        self.problem("unknown-key", f"no key `{key}` is known here", span, help, Severity.WARNING)

    # -- the note ----------------------------------------------------------------------

    def parse(self) -> ParsedNote:
        self.problems += self.body.diagnostics
        kind, title = self._kind_and_title()
        note = self._made(kind, title) if kind else ParsedNote(path=self.path, id=self.stem)
        return _with(note, tuple(self.edges), tuple(self.mentions), tuple(self.problems))

    def _kind_and_title(self) -> tuple[str | None, str]:
        written = self.mapping.get("title")
        title = str(written) if isinstance(written, str | int | float) else self.body.title
        prefixed, title = split_prefix(title or self.body.title or self.stem)
        if "type" not in self.mapping:
            if prefixed is None and not self.problems:
                self.problem(
                    "missing-type",
                    "this note does not say what it is",
                    Span(self.path),
                    f"begin it with front matter that holds `type:` and one of {', '.join(TYPES)}",
                )
            return prefixed, title
        kind = find_type(self.mapping["type"])
        if kind is None:
            from difflib import get_close_matches

            close = get_close_matches(str(self.mapping["type"]).casefold(), TYPES, 1)
            help = f"did you mean `{close[0]}`?" if close else f"types are {', '.join(TYPES)}"
            self.problem(
                "missing-type",
                f"no type of note is called `{self.mapping['type']}`",
                self._key_span("type"),
                help,
            )
        return kind or prefixed, title

    def _made(self, kind: str, title: str) -> ParsedNote:
        head = self._head(_HEADS.get(kind, StatementHead))
        name = head.id or self.stem
        whole = self.body.parts[0]
        span = self.body.title_span or whole.span
        if kind == SOURCE:
            source = self._source(head, name, title, span, whole)
            return ParsedNote(path=self.path, id=name, source=source)
        ids = self._ids(name)
        nested = tuple(self._nested(part, ids) for part in self.body.parts[1:])
        if kind == LINE:
            line = self._line(head, name, title, span, whole)
            return ParsedNote(path=self.path, id=name, line=line, statements=nested)
        statement = self._statement(head, Kind(kind), name, title, span, whole)
        return ParsedNote(path=self.path, id=name, statements=(statement, *nested))

    def _ids(self, name: str) -> dict[int, str]:
        """Statement id by quote; the note's own id stands for text outside callouts."""
        ids = {-1: name}
        taken: set[str] = set()
        for part in self.body.parts[1:]:
            block = part.block or inline.slug(part.title)
            while block in taken and not part.block:
                block += "-"
            if block in taken:
                self.problem(
                    "duplicate-id",
                    f"two callouts of this note are called `^{block}`",
                    part.span,
                    "give each its own name",
                )
                block = f"{block}-{part.span.line}"
            taken.add(block)
            ids[part.quote] = f"{name}#{block}"
        return ids

    def _statement(
        self, head: StatementHead, kind: Kind, name: str, title: str, span: Span, part: Part
    ) -> Statement:
        said = {key: head.__dict__[key] for key in head.model_fields_set if key in _STATEMENT_KEYS}
        if "sample" in said:
            said |= self._sample(said.pop("sample"), self._key_span("sample"))
        if head.model_extra:
            said["extra"] = {key: str(value) for key, value in head.model_extra.items()}
        self._collect(part, name, line=False)
        return Statement(
            id=name,
            kind=kind,
            title=title,
            span=span,
            body=self.body.text_of(part),
            note=name,
            citations=tuple(part.citations),
            quotations=tuple(part.quotations),
            **said,
        )

    def _sample(self, written: str | None, span: Span) -> dict[str, Any]:
        if not written:
            return {}
        sample = parse_sample(written)
        if sample is None:
            self.problem("bad-value", f"`sample` should begin with a number, not {written!r}", span)
            return {}
        return {"sample": sample[0], "sample_unit": sample[1]}

    # -- callouts ----------------------------------------------------------------------

    def _nested(self, part: Part, ids: dict[int, str]) -> Statement:
        kind, relation = CALLOUTS[part.callout]
        around = self.body.parts[part.around]
        name, parent = ids[part.quote], ids[around.quote]
        head, troubles = parse_head(CalloutHead, part.fields)
        for trouble in troubles:
            self.problem("bad-value", f"`{trouble.key}` {trouble.message}", part.span)
        for key in head.model_extra or ():
            self._unknown_key(key, CalloutHead, part.span)
        said = {key: head.__dict__[key] for key in head.model_fields_set if key in _STATEMENT_KEYS}
        if "sample" in said:
            said |= self._sample(said.pop("sample"), part.span)
        if not part.title:
            self.problem(
                "missing-title",
                "this callout says nothing on its first line",
                part.span,
                f"write `> [!{part.callout}] what it says ^short-id`",
                Severity.WARNING,
            )
        holder = parent if around.callout or self._is_statement else None
        if relation and holder:
            self._nested_edge(head, name, relation, parent, part.span)
        self._collect(part, name, line=False)
        return Statement(
            id=name,
            kind=kind,
            title=part.title or name,
            span=part.span,
            body=self.body.text_of(part),
            note=ids[-1],
            parent=holder,
            citations=tuple(part.citations),
            quotations=tuple(part.quotations),
            **said,
        )

    @property
    def _is_statement(self) -> bool:
        written = self.mapping.get("type")
        return find_type(written) not in {LINE, SOURCE} if written else True

    def _nested_edge(
        self, head: CalloutHead, name: str, relation: Relation, parent: str, span: Span
    ) -> None:
        self.edges.append(
            PendingEdge(
                source=name,
                relation=relation,
                target=parent,
                span=span,
                nested=True,
                reason=head.reason,
                strength=self._strength(head.strength, span),
                mutual=head.mutual,
                scope=head.scope,
                by=head.by,
                locator=head.locator,
            )
        )

    # -- lines and sources -------------------------------------------------------------

    def _line(self, head: LineHead, name: str, title: str, span: Span, part: Part) -> InquiryLine:
        said = {key: head.__dict__[key] for key in head.model_fields_set if key in _LINE_KEYS}
        if head.model_extra:
            said["extra"] = {key: str(value) for key, value in head.model_extra.items()}
        self._collect(part, name, line=True)
        standfirst, essay = _split_essay(self.body.text_of(part))
        return InquiryLine(
            id=name,
            title=title,
            span=span,
            standfirst=standfirst,
            essay=essay,
            citations=tuple(part.citations),
            quotations=tuple(part.quotations),
            **said,
        )

    def _source(self, head: SourceHead, name: str, title: str, span: Span, part: Part) -> Source:
        said = {key: head.__dict__[key] for key in head.model_fields_set if key in _SOURCE_KEYS}
        if head.model_extra:
            said["extra"] = {key: str(value) for key, value in head.model_extra.items()}
        self._collect(part, name, line=False)
        named = self.body.title or "title" in self.mapping
        return Source(
            key=name,
            title=title if named else "",
            span=span,
            note=name,
            body=self.body.text_of(part),
            **said,
        )

    # -- what is still to be resolved --------------------------------------------------

    def _collect(self, part: Part, owner: str, *, line: bool) -> None:
        self.mentions += [_owned(mention, owner) for mention in part.mentions]
        for item in part.items:
            self._item(item, owner, line)

    def _item(self, item: Item, owner: str, line: bool) -> None:
        if not item.targets and not (line and item.word == "next" and item.words):
            self.problem(
                "missing-target",
                f"`{item.word}::` leads nowhere",
                item.span,
                f"write `- {item.word}:: [[id]] — reason`",
            )
            return
        for key in item.fields:
            if key not in _EDGE_FIELDS:
                self.problem(
                    "unknown-key",
                    f"no field `{key}` is known on an edge",
                    item.span,
                    f"fields are {', '.join(_EDGE_FIELDS)}",
                    Severity.WARNING,
                )
        fields = item.fields
        for target in item.targets or ("",):
            self.edges.append(
                PendingEdge(
                    source=owner,
                    relation=item.word,
                    target=target,
                    span=item.span,
                    block=item.block,
                    reason=item.reason if target else item.words,
                    strength=self._strength(fields.get("strength", ""), item.span),
                    mutual=fields.get("mutual", "").casefold() in _YES,
                    scope=fields.get("scope", ""),
                    by=fields.get("by", ""),
                    locator=fields.get("locator", ""),
                )
            )

    def _strength(self, written: str, span: Span) -> Strength | None:
        if not written:
            return None
        try:
            return Strength(written.casefold())
        except ValueError:
            self.problem(
                "bad-value", f"`strength` should be weak, moderate or strong, not {written!r}", span
            )
            return None


_STATEMENT_KEYS = frozenset(StatementHead.model_fields) - {"type", "id", "title"}
_LINE_KEYS = frozenset(LineHead.model_fields) - {"type", "id", "title"}
_SOURCE_KEYS = frozenset(SourceHead.model_fields) - {
    "type",
    "id",
    "title",
    "status",
    "created",
    "updated",
    "reviewed",
}


def _owned(mention: PendingMention, owner: str) -> PendingMention:
    return PendingMention(
        origin=owner,
        target=mention.target,
        span=mention.span,
        text=mention.text,
        context=mention.context,
    )


def _with(
    note: ParsedNote,
    edges: tuple[PendingEdge, ...],
    mentions: tuple[PendingMention, ...],
    problems: tuple[Diagnostic, ...],
) -> ParsedNote:
    return ParsedNote(
        path=note.path,
        id=note.id,
        statements=note.statements,
        line=note.line,
        source=note.source,
        edges=edges,
        mentions=mentions,
        diagnostics=problems,
    )


def _split_essay(text: str) -> tuple[str, str]:
    """The first paragraph, and the rest without headings that nothing follows."""
    first, _, rest = text.partition("\n\n")
    if first.startswith("#"):
        first, rest = "", text
    kept: list[str] = []
    for part in re.split(r"(?m)^(?=#{2,6} )", rest):
        if part.strip() and not (part.startswith("#") and not part.partition("\n")[2].strip()):
            kept.append(part.strip())
    return inline.tidy(first), "\n\n".join(kept)


__all__ = ["parse_note"]
