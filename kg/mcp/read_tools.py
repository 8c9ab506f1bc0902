"""Queries on a corpus, each answered with entries of text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from kg import reasoning
from kg.corpus import Corpus
from kg.mcp.text_pages import report_entries
from kg.model import Edge
from kg.model.errors import Misuse
from kg.notes.mapping.note_links import restore_links
from kg.queries import reason_trees
from kg.queries.conditions.field_types import Record
from kg.queries.engines.engine import MemoryEngine
from kg.queries.find import find
from kg.queries.language.parse_query import parse_request
from kg.queries.results.counts_and_summaries import count_corpus
from kg.queries.results.found_records import FoundRecords, Groups
from kg.queries.search_text import cached_text_index
from kg.record_report import report_on_record

MAX_HITS = 200  # ranked for one search, and shown page by page
MAX_SNIPPET_CHARACTERS = 240  # of the text of a match


class ToolAnswer(NamedTuple):
    """A summary in our own words, and the entries of the answer."""

    summary: str
    entries: list[str]
    refused: bool = False


def require_text(name: str, text: str) -> str:
    """The text of the argument `name`; raises `Misuse` if it is blank."""
    if not text.strip():
        raise Misuse(f"`{name}` is empty")
    return text


def _answer_with_links_as_written(
    corpus: Corpus, summary: str, entries: Iterable[str]
) -> ToolAnswer:
    """An answer with links as written in the notes, if the corpus is mapped."""
    return ToolAnswer(summary, list(map(restore_links, entries) if corpus.config.map else entries))


def ask_search(corpus: Corpus, text: str) -> ToolAnswer:
    """The best matches for a text search. Raises `NothingToSearch`."""
    hits = cached_text_index(corpus).search(text, MAX_HITS)
    rows = [f"{_record_in_one_line(corpus, hit.id)}{_snippet_line(hit.text)}" for hit in hits]
    summary = (
        f"{len(hits)} found, best match first; the first {hits.with_all_words} have all the words"
    )
    return _answer_with_links_as_written(corpus, summary if hits else "nothing found", rows)


def _snippet_line(text: str) -> str:
    words = " ".join(text.split())
    if len(words) > MAX_SNIPPET_CHARACTERS:
        words = f"{words[: MAX_SNIPPET_CHARACTERS - 1]}…"
    return f"\n  {words}" if words else ""


def ask_find(corpus: Corpus, query: str) -> ToolAnswer:
    """The results of a query. Raises `Misuse` for unknown words."""
    result = find(MemoryEngine(corpus), parse_request(query))
    if isinstance(result, int):
        return ToolAnswer(str(result), [])
    if isinstance(result, FoundRecords):
        if not result:
            return ToolAnswer("nothing found", [result.why_empty])
        return _answer_with_links_as_written(
            corpus, f"{len(result)} found", (_render_result(corpus, each) for each in result)
        )
    _, names, rows, *_ = (result.sizes() if isinstance(result, Groups) else result).table()
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
    together = f" with {', '.join(edge.together)}" if edge.together else ""
    reason = f" - {edge.reason}" if edge.reason else ""
    return f"{edge.origin} {edge.relation.value} {edge.target}{together}{reason}"


def ask_show(corpus: Corpus, id: str) -> ToolAnswer:
    """Show one record in detail, or counts without an id. Raises `UnknownId`."""
    if not id:
        counts = str(count_corpus(corpus)).strip("<>").removeprefix("stats: ")
        return ToolAnswer(
            f"{counts}; the lines:", [_record_in_one_line(corpus, id) for id in corpus.lines]
        )
    return ToolAnswer("", report_entries(report_on_record(corpus, id, for_program=True)))


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
    """Find what the camps disagree on that decides the answer. Raises `UnknownId`."""
    return ToolAnswer("", report_entries(reasoning.crux(corpus, id).report()))
