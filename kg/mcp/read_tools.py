"""Queries on a corpus, each answered with entries of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from kg import reasoning
from kg.corpus import Corpus
from kg.corpus.independent_sources import is_retracted
from kg.mcp.text_pages import report_entries, text_entries
from kg.model import Edge, InquiryLine, Source, Statement
from kg.model.statement import recorded_facts
from kg.notes.mapping.note_links import restore_links
from kg.queries import reason_trees
from kg.queries.conditions.field_types import Record
from kg.queries.engines.engine import MemoryEngine
from kg.queries.find import find
from kg.queries.language.parse_query import parse_question
from kg.queries.line_scope import view_line
from kg.queries.results.counts_and_summaries import count_corpus
from kg.queries.results.found_records import FoundRecords, Groups
from kg.queries.search_text import cached_text_index
from kg.reasoning.answers.verdict import Verdict
from kg.reasoning.reading import reading_of
from kg.reasoning.sureness_words import answer_phrase, remark_on_hold

MAX_HITS = 200  # ranked for one search, and shown page by page
MAX_SNIPPET_CHARACTERS = 240  # of the text of a match


class ToolAnswer(NamedTuple):
    """A summary in our own words, and the entries of the answer."""

    summary: str
    entries: list[str]
    refused: bool = False


def _answer_with_links_as_written(
    corpus: Corpus, summary: str, entries: Iterable[str]
) -> ToolAnswer:
    """An answer with links as written in the notes, if the corpus is mapped."""
    return ToolAnswer(summary, list(map(restore_links, entries) if corpus.config.map else entries))


def ask_search(corpus: Corpus, text: str) -> ToolAnswer:
    """The best matches for a text search. Raises `NothingToSearch`."""
    hits = corpus.derive(cached_text_index).search(text, MAX_HITS)
    rows = [f"{_record_in_one_line(corpus, hit.id)}{_snippet_of(hit.text)}" for hit in hits]
    summary = (
        f"{len(hits)} found, best match first; the first {hits.with_all_words} have all the words"
    )
    return _answer_with_links_as_written(corpus, summary if hits else "nothing found", rows)


def _snippet_of(text: str) -> str:
    words = " ".join(text.split())
    if len(words) > MAX_SNIPPET_CHARACTERS:
        words = f"{words[: MAX_SNIPPET_CHARACTERS - 1]}…"
    return f"\n  {words}" if words else ""


def ask_find(corpus: Corpus, query: str) -> ToolAnswer:
    """The results of a query. Raises `Misuse` for unknown words."""
    answer = find(MemoryEngine(corpus), parse_question(query))
    if isinstance(answer, int):
        return ToolAnswer(str(answer), [])
    if isinstance(answer, FoundRecords):
        if not answer:
            return ToolAnswer("nothing found", [answer.why_empty])
        return _answer_with_links_as_written(
            corpus, f"{len(answer)} found", (_render_result(corpus, each) for each in answer)
        )
    _, names, rows, *_ = (answer.sizes() if isinstance(answer, Groups) else answer).table()
    return ToolAnswer(" | ".join(names), [" | ".join(map(str, row)) for row in rows])


def _render_result(corpus: Corpus, result: Record) -> str:
    if isinstance(result, Edge):
        return _edge_in_one_line(result)
    return _record_in_one_line(corpus, result.id)


def _record_in_one_line(corpus: Corpus, id: str) -> str:
    """A record on one line: its id, kind, title and place."""
    if statement := corpus.statements.get(id):
        kind = " ".join(filter(None, (statement.kind.value, corpus.camp_of(id))))
        return f"{id} ({kind}) {statement.title} [{statement.span.path}:{statement.span.line}]"
    if line := corpus.lines.get(id):
        return f"{id} (line) {line.title} [{line.span.path}]"
    source = corpus.sources[id]
    year = f", {source.year}" if source.year else ""
    return f"{id} (source{year}) {source.title} [{source.span.path}]"


def _edge_in_one_line(edge: Edge) -> str:
    other_premises = f" with {', '.join(edge.together)}" if edge.together else ""
    reason = f" - {edge.reason}" if edge.reason else ""
    return f"{edge.premise} {edge.relation.value} {edge.target}{other_premises}{reason}"


def ask_show(corpus: Corpus, id: str) -> ToolAnswer:
    """One record in detail, or counts without an id. Raises `UnknownId`."""
    if not id:
        counts = str(count_corpus(corpus)).strip("<>").removeprefix("stats: ")
        return ToolAnswer(
            f"{counts}; the lines:", [_record_in_one_line(corpus, id) for id in corpus.lines]
        )
    record_id = corpus.look_up(id)
    if record_id is None:
        if term := corpus.term(id):
            return ToolAnswer("a term", [", ".join(term.names), *text_entries(term.text)])
        all_ids = [*corpus.statements, *corpus.lines, *corpus.sources, *corpus.glossary]
        raise corpus.unknown_id_error(id, all_ids, "id")
    if record_id in corpus.lines:
        return _answer_with_links_as_written(
            corpus, "an inquiry line", _line_entries(corpus, corpus.lines[record_id])
        )
    if record_id in corpus.statements:
        return _answer_with_links_as_written(
            corpus, "a statement", _statement_entries(corpus, corpus.statements[record_id])
        )
    return _answer_with_links_as_written(
        corpus, "a source", _source_entries(corpus, corpus.sources[record_id])
    )


def _statement_entries(corpus: Corpus, statement: Statement) -> Iterator[str]:
    yield _record_in_one_line(corpus, statement.id)
    facts = [_standing_in_words(corpus, statement)]
    facts += ["retracted, so it does not count"] if is_retracted(corpus, statement) else []
    facts += [f"{name}: {value}" for name, value in recorded_facts(statement).items()]
    yield "; ".join(facts)
    for key in statement.sources:
        yield (
            f"cites {_record_in_one_line(corpus, key)}" if key in corpus.sources else f"cites {key}"
        )
    yield from text_entries(statement.body)
    for edge in corpus.edges_to.get(statement.id, ()):
        yield f"on it: {_edge_in_one_line(edge)}"
    for edge in (
        *corpus.edges_from.get(statement.id, ()),
        *corpus.edges_with.get(statement.id, ()),
    ):
        yield f"from it: {_edge_in_one_line(edge)}"
    for placement in corpus.placements_of.get(statement.id, ()):
        yield f"in line {placement.line}, camp {placement.camp} - {placement.reason}"


def _standing_in_words(corpus: Corpus, statement: Statement) -> str:
    """How sure a claim is, as its verdict words it, with its strength; of evidence, its quality."""
    answer = reasoning.verdict(reading_of(corpus), statement.id)
    assert isinstance(answer, Verdict)  # a statement is always weighed
    word = answer_phrase(answer.word, answer.sureness)
    if answer.strength is None or not answer.sureness:
        return word
    hold = remark_on_hold(answer.strength, answer.held_strength)
    return f"{word}, strength {answer.strength:.2f}{hold}"


def _line_entries(corpus: Corpus, line: InquiryLine) -> Iterator[str]:
    yield _record_in_one_line(corpus, line.id)
    yield from text_entries(line.standfirst)
    if line.proposition:
        yield f"proposition: {line.proposition}"
        yield reasoning.verdict(corpus, line.id).sentence
    view = view_line(corpus, line.id)
    for camp, placements in view.camps.items():
        for placement in placements:
            record_line = _record_in_one_line(corpus, placement.statement)
            yield f"camp {camp}: {record_line} - {placement.reason}"
    yield from (f"clash: {_edge_in_one_line(edge)}" for edge in view.clashes)
    yield f"sources: {', '.join(view.sources)}"
    yield from text_entries(line.essay)


def _source_entries(corpus: Corpus, source: Source) -> Iterator[str]:
    yield _record_in_one_line(corpus, source.key)
    facts = (", ".join(source.authors), source.venue, source.doi, source.url, source.integrity)
    yield " · ".join(str(each) for each in facts if each)
    yield from text_entries(source.body)
    for statement in corpus.statements_citing.get(source.key, ()):
        yield f"rests on it: {_record_in_one_line(corpus, statement.id)}"


def ask_why(corpus: Corpus, id: str, against: bool) -> ToolAnswer:
    """The tree of reasons for or against a statement. Raises `UnknownId`."""
    tree = (reason_trees.against if against else reason_trees.why)(corpus, id)
    subject = "what opposes it" if against else "what supports it"
    summary = f"{subject}; each step inwards is a reason for what is above"
    tree_lines = [text_line for text_line in str(tree).split("\n") if text_line.strip()]
    return _answer_with_links_as_written(corpus, summary, tree_lines)


def ask_verdict(corpus: Corpus, id: str) -> ToolAnswer:
    """The verdict on a line or statement. Raises `UnknownId`."""
    return ToolAnswer("", report_entries(reasoning.verdict(corpus, id).report()))


def ask_crux(corpus: Corpus, id: str) -> ToolAnswer:
    """What the camps disagree on that decides the answer. Raises `UnknownId`."""
    return ToolAnswer("", report_entries(reasoning.crux(corpus, id).report()))
