"""A corpus in a SPARQL engine, read back record by record."""

from __future__ import annotations

from hypothesis import given

from kg.corpus import Corpus
from kg.queries.engines.sparql_engine import engine_of_store
from kg.rdf.quad_store import as_store
from tests.support.corpora import corpora, corpus_of_notes
from tests.support.effort import examples


@given(corpora())
@examples(3)
def test_records_come_back_whole(corpus: Corpus) -> None:
    back = engine_of_store(as_store(corpus)).whole_corpus()
    assert dict(back.statements) == dict(corpus.statements)
    assert set(back.edges) == set(corpus.edges)
    assert dict(back.sources) == dict(corpus.sources)
    assert dict(back.lines) == dict(corpus.lines)
    assert back.config.camps == corpus.config.camps


def test_a_source_called_by_an_alias_is_found_in_the_engine_too() -> None:
    corpus = corpus_of_notes(
        a="---\ntype: evidence\n---\n# A\n\nSeen. [@old, p. 3]\n",
        wu2025="---\ntype: source\naliases: [old]\n---\n",
    )
    (citation,) = engine_of_store(as_store(corpus)).whole_corpus().statement("a").citations
    assert (citation.key, citation.locator, citation.span.line) == ("wu2025", "p. 3", 6)
