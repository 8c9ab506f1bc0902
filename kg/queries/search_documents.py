"""The texts of a corpus that are searched, without markup, and the results of a search."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from html import escape
from typing import Any, NamedTuple, overload

from kg.corpus import Corpus
from kg.model import InquiryLine, Kind, Source, Statement, Value
from kg.model.glossary_term import fold_term
from kg.model.ids import wordings_of_title
from kg.notes.markdown import BLOCK_ID, CALLOUT, CITATION_GROUP, FIELD, Event, read_events
from kg.queries.conditions.field_types import RecordKind
from kg.reporting.data_frames import as_frame
from kg.reporting.report import link_cell
from kg.text.printable import printable

# weights of matches
PRIMARY_WEIGHT = 1.5  # in claims and lines
SECONDARY_WEIGHT = 1.0  # in evidence and sources
TEXT_DIGEST_BYTES = 12  # of a text; so long that no two texts of a corpus share one
_INLINE_ELEMENTS = frozenset({"Emphasis", "Strong", "Strikethrough", "Link", "Image"})
_GAP = re.compile(r"\s+(?=[.,;:!?)\]\s])")


def as_prose(markdown: str) -> str:
    """Plain text, one line per block: no emphasis, addresses, citations, fields or HTML."""
    text = "".join(map(_event_text, read_events(markdown)))
    lines = (_strip_note_syntax(text_line) for text_line in text.split("\n"))
    return "\n".join(text_line for text_line in lines if text_line)


def _event_text(event: Event) -> str:
    """The words of a parser event, a space for a break, a new line where a block begins or ends.

    Examples: `"SoftBreak"`, `{"Text": "words"}`, `{"Start": "Emphasis"}`, `{"End": {"Link": …}}`.
    """
    if isinstance(event, str):
        return " "
    event_name, content = next(iter(event.items()))
    if event_name in ("Text", "Code", "InlineMath", "DisplayMath"):
        return str(content)
    if event_name in ("Start", "End"):
        element = content if isinstance(content, str) else next(iter(content))
        return "" if element in _INLINE_ELEMENTS else "\n"
    return ""


def _strip_note_syntax(text_line: str) -> str:
    """A line without citations, fields, block ids and callout marks."""
    text_line = CALLOUT.sub("", BLOCK_ID.sub("", text_line))
    if "[" in text_line:
        text_line = CITATION_GROUP.sub("", text_line)
    if "::" in text_line:
        text_line = FIELD.sub("", text_line)
    return _GAP.sub("", text_line.strip())


class SearchDocument(NamedTuple):
    """The searchable text of a record. `body` is Markdown. `keywords` are its id, its topics with
    what else the glossary calls them, authors and the like. `worth` is the weight of a match.
    """

    id: str
    record_kind: RecordKind
    worth: float
    title: str
    body: str
    keywords: str

    @property
    def digest(self) -> bytes:
        """A digest of all fields."""
        text = "\0".join(map(str, self))
        return blake2b(text.encode("utf-8", "replace"), digest_size=TEXT_DIGEST_BYTES).digest()

    @property
    def prose(self) -> str:
        """The body as plain text, without what UTF-8 cannot encode."""
        return as_prose(as_storable(self.body))


def as_storable(text: str) -> str:
    """Text that UTF-8 can encode, with control characters except line ends replaced by blanks."""
    encodable_text = text.encode("utf-8", "replace").decode("utf-8")
    return "".join(c if c >= " " or c == "\n" else " " for c in encodable_text)


class Hit(Value, frozen=True, omit_defaults=False):
    """A search result; a higher `score` is a better match.

    `snippet` is text around the words, in parts with a flag for matched words; `address` is where
    to read the whole.
    """

    id: str
    record_kind: RecordKind
    title: str
    snippet: tuple[tuple[str, bool], ...]
    score: float
    address: str = ""

    @property
    def text(self) -> str:
        """The snippet without marks."""
        return "".join(part for part, _ in self.snippet)


class Hits(Sequence[Hit]):
    """Search results, the best first, and the corrections of words taken as misspelt.

    The first `with_all_words` contain all of the words, the rest some of them.
    """

    def __init__(
        self,
        hits: Sequence[Hit],
        corrected: Mapping[str, str],
        with_all_words: int,
    ) -> None:
        self._hits = tuple(hits)
        self.corrected = dict(corrected)
        self.with_all_words = min(with_all_words, len(self._hits))

    @overload
    def __getitem__(self, position: int) -> Hit: ...
    @overload
    def __getitem__(self, position: slice) -> Hits: ...
    def __getitem__(self, position: int | slice) -> Hit | Hits:
        if isinstance(position, slice):
            return Hits(self._hits[position], self.corrected, self.with_all_words)
        return self._hits[position]

    def __len__(self) -> int:
        return len(self._hits)

    def __repr__(self) -> str:
        if not self._hits:
            return "nothing found"
        lines = [f"nothing holds {old!r}; showing {new!r}" for old, new in self.corrected.items()]
        for hit in self._hits:
            lines += [f"{hit.title}  [{hit.record_kind} {hit.id}]", f"  {hit.text}"]
        return "\n".join(printable(text_line) for text_line in lines if text_line.strip())

    def _repr_html_(self) -> str:
        items = []
        for hit in self._hits:
            snippet = "".join(
                f"<mark>{escape(printable(text))}</mark>" if is_match else escape(printable(text))
                for text, is_match in hit.snippet
            )
            title = link_cell(hit.title, hit.address)
            name = f"{hit.record_kind} <code>{escape(printable(hit.id))}</code>"
            items.append(f"<li>{title} {name}<br>{snippet}</li>")
        return f"<ol>{''.join(items)}</ol>"

    def to_frame(self, library: str | None = None) -> Any:
        """The hits as a data frame of the library named, or else of whichever is installed.

        `corpus.search("common ground").to_frame()`
        """
        names = ("id", "record_kind", "title", "score", "text")
        rows = {name: [getattr(hit, name) for hit in self._hits] for name in names}
        return as_frame(
            rows | {"record_kind": [str(hit.record_kind) for hit in self._hits]}, library
        )


def search_documents(corpus: Corpus) -> Iterator[SearchDocument]:
    """The search document of each statement, line and source."""
    for statement in corpus.statements.values():
        yield _statement_document(corpus, statement)
    for line in corpus.lines.values():
        yield _line_document(corpus, line)
    for source in corpus.sources.values():
        yield _source_document(source)


def _titles(record: Statement | InquiryLine | Source) -> str:
    """The title and, each in a line below it, other wordings of it."""
    title = record.title.replace("\n", " ")
    return "\n".join([title, *wordings_of_title(record.aliases)])


def _join_texts(*parts: object) -> str:
    return " ".join(str(part) for part in parts if part)


def _statement_document(corpus: Corpus, statement: Statement) -> SearchDocument:
    worth = SECONDARY_WEIGHT if statement.kind is Kind.EVIDENCE else PRIMARY_WEIGHT
    names = (*statement.topics, *statement.about, *statement.asserted_by, *statement.sources)
    more_names = other_names(corpus, (*statement.topics, *statement.about))
    keywords = _join_texts(statement.id, *names, *more_names)
    return SearchDocument(
        statement.id, RecordKind.STATEMENT, worth, _titles(statement), statement.body, keywords
    )


def _line_document(corpus: Corpus, line: InquiryLine) -> SearchDocument:
    body = "\n\n".join(filter(None, (line.standfirst, line.doubt, line.essay)))
    keywords = _join_texts(line.id, *line.topics, *other_names(corpus, line.topics))
    return SearchDocument(line.id, RecordKind.LINE, PRIMARY_WEIGHT, _titles(line), body, keywords)


def _source_document(source: Source) -> SearchDocument:
    keywords = _join_texts(source.key, *source.authors, source.year, source.venue, *source.topics)
    return SearchDocument(
        source.key, RecordKind.SOURCE, SECONDARY_WEIGHT, _titles(source), source.body, keywords
    )


def other_names(corpus: Corpus, names: Iterable[str]) -> list[str]:
    """The further names that the glossary gives to what is called by each of `names`."""
    return [
        other_name
        for name in names
        if (term := corpus.term(name))
        for other_name in term.names
        if fold_term(other_name) != fold_term(name)
    ]
