"""The text shown for the thing under the cursor."""

from __future__ import annotations

import re
from typing import NamedTuple

from kg.corpus import Corpus
from kg.editing.references.reference import ReferenceKind
from kg.editing.references.resolve_reference import is_camp_word
from kg.lsp.record_places import id_of_reference, reference_at, statement_at
from kg.lsp.statement_facts import describe_reasons, describe_strength
from kg.lsp.text_ranges import DocumentText, TextRange
from kg.model import Edge, Kind, RecordId, Relation, Source, Statement
from kg.notes.frontmatter import (
    CalloutFields,
    LineFields,
    SourceFields,
    fold_key,
    split_front_matter,
)
from kg.notes.markdown import WIKI_LINK, one_line
from kg.record_report import facts_of_record, facts_of_source
from kg.text.plurals import pluralize
from kg.text.sentences import first_sentence

_KEY_LINE = re.compile(r"([A-Za-z_-]+)[ \t]*:")
_FIELD = re.compile(r"\(([A-Za-z_-]+)::")
_MAX_SENTENCE_CHARACTERS = 300  # characters of a body that are shown
_MARKS = re.compile(rf"{WIKI_LINK.pattern}|[*_`]")


class Hover(NamedTuple):
    """What an editor shows where the pointer rests: Markdown, and the range that it is about."""

    range: TextRange
    text: str


def hover_at(
    corpus: Corpus,
    text: DocumentText,
    line_number: int,
    column: int,
    weighed_corpus: Corpus | None = None,
) -> Hover | None:
    """The hover text for a place, with strengths from `weighed_corpus`."""
    reference_and_range = reference_at(text, line_number, column)
    if reference_and_range is not None:
        reference, text_range = reference_and_range
        if reference.kind is ReferenceKind.RELATION and not is_camp_word(corpus, reference):
            meaning = _describe_relation(reference.name)
            return Hover(text_range, meaning) if meaning else None
        if id := id_of_reference(corpus, reference):
            text_of_record = hover_text(corpus, id, weighed_corpus)
            return Hover(text_range, text_of_record) if text_of_record else None
    if record := statement_at(corpus, text.path, line_number):
        row = TextRange(text.path, line_number, 1, line_number, len(text.line(line_number)) + 1)
        return Hover(row, hover_text(corpus, record.id, weighed_corpus))
    return _key_at(text, line_number, column)


def hover_text(corpus: Corpus, id: RecordId, weighed_corpus: Corpus | None = None) -> str:
    """Markdown about a statement, source, line, edge, camp, topic or term."""
    if record := corpus.statements.get(id) or corpus.sources.get(id) or corpus.lines.get(id):
        facts = facts_of_record(corpus, record)
        if isinstance(record, Statement):
            return _statement_text(corpus, record, facts, weighed_corpus)
        if isinstance(record, Source):
            text = facts_of_source(record)
        else:
            text = _beginning_of(record.standfirst)
        return "\n\n".join(filter(None, (f"**{record.title}**", facts, text)))
    if id in corpus.edges_by_id:
        return _edge_text(corpus.edges_by_id[id])
    for camp in corpus.config.camps:
        if camp.id == id:
            return f"**{camp.label}**\n\ncamp · {id}"
    term = corpus.term(id)
    notes = corpus.topics.get(id) or corpus.about.get(id) or ()
    facts = f"topic of {pluralize(len(notes), 'statement')}" if notes else ""
    return "\n\n".join(filter(None, (f"**{id}**", facts, term.text if term else "")))


def _statement_text(
    corpus: Corpus, statement: Statement, facts: str, weighed_corpus: Corpus | None
) -> str:
    strength = describe_strength(weighed_corpus, statement)
    all_facts = filter(None, (facts, strength, describe_reasons(corpus, statement)))
    cited_keys = statement.sources if statement.kind is Kind.EVIDENCE else ()
    sources = (f"Source: {corpus.sources[k].title}" for k in cited_keys if k in corpus.sources)
    sentence, source = _beginning_of(statement.body), next(sources, "")
    parts = (f"**{statement.title}**", " · ".join(all_facts), sentence, source)
    return "\n\n".join(filter(None, parts))


def _edge_text(edge: Edge) -> str:
    sentence = f"`{edge.origin}` {edge.relation} `{edge.target}`"
    return f"{sentence}\n\n{edge.reason}" if edge.reason else sentence


def _describe_relation(word: str) -> str:
    try:
        relation = Relation(word.casefold())
    except ValueError:
        return ""
    return f"**{relation.value}**: {relation.entry.meaning}"


def _key_at(text: DocumentText, line_number: int, column: int) -> Hover | None:
    """The help for a key of the front matter, or for a field."""
    row = text.line(line_number)
    front = split_front_matter(text.text)
    pattern = _KEY_LINE if line_number < front.first_line else _FIELD
    for match in pattern.finditer(row):
        if pattern is _KEY_LINE and match.start():
            break
        if match.start(1) <= column - 1 <= match.end(1):
            for model in (CalloutFields, SourceFields, LineFields):
                if field := model.model_fields.get(fold_key(match[1])):
                    text_range = TextRange(
                        text.path, line_number, match.start(1) + 1, line_number, match.end(1) + 1
                    )
                    return Hover(text_range, f"**{fold_key(match[1])}**: {field.description}")
    return None


def _beginning_of(body: str) -> str:
    words = one_line(first_sentence(body.strip().partition("\n\n")[0]))
    words = _MARKS.sub(lambda mark: mark["words"] or mark["name"] or "", words)
    return (
        words if len(words) <= _MAX_SENTENCE_CHARACTERS else f"{words[:_MAX_SENTENCE_CHARACTERS]}…"
    )
