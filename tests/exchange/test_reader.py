"""Notes → RDF → corpus: nothing is lost on the way."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pyoxigraph as ox
import pytest
from hypothesis import given, settings

from kg.corpus import Corpus
from kg.exchange.reader import load_rdf, parse_corpus
from kg.model.errors import NotACorpus
from kg.rdf.dataset import as_store
from kg.rdf.quads import as_quads
from tests.support.corpora import corpora, read


def same(one: Corpus, two: Corpus) -> None:
    """Two corpora say the same, in whatever order."""
    assert dict(one.statements) == dict(two.statements)
    assert sorted(one.edges, key=lambda e: e.id) == sorted(two.edges, key=lambda e: e.id)
    assert dict(one.sources) == dict(two.sources)
    assert dict(one.lines) == dict(two.lines)
    whole = msgspec.json.encode  # two mentions may show themselves alike and differ in place
    assert sorted(one.mentions, key=whole) == sorted(two.mentions, key=whole)
    assert one.config.camps == two.config.camps
    assert one.config.base_iri == two.config.base_iri


@given(corpora())
@settings(max_examples=20, deadline=None)
def test_quads_lead_back_to_the_corpus(corpus: Corpus) -> None:
    """From a store, too, and without the graphs that they are in."""
    merged = {ox.Quad(quad.subject, quad.predicate, quad.object) for quad in as_quads(corpus)}
    for quads in (as_quads(corpus), as_store(corpus), merged):
        same(parse_corpus(quads), corpus)


def test_order_repetition_and_names_survive() -> None:
    corpus = read(
        a="---\ntype: claim\nid: own-id\ntopics: [z, a, z]\naliases: [was]\n---\n# A\n",
        b="---\ntype: claim\n---\n# B\n\nSee [[was]] and [[a]]. [@y; @x, p. 2] [@x] [@old]\n",
        x="---\ntype: source\naliases: [old]\n---\n",
        references="@book{x, author={B, C and A, D}, title={T}}\n@book{y, title={U}}",
    )
    back = parse_corpus(as_quads(corpus))
    same(back, corpus)
    assert back.statements["own-id"].topics == corpus.statements["own-id"].topics
    assert back.aliases == corpus.aliases
    assert [citation.key for citation in back.statements["b"].citations] == ["y", "x", "x", "x"]
    assert back.source("x").authors == ("C B", "D A")


def test_a_graph_of_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotACorpus, match="no kg:Corpus"):
        parse_corpus([])
    other = tmp_path / "x.ttl"
    other.write_text("<a:b> <a:b> .")
    with pytest.raises(NotACorpus, match=r"x\.ttl"):
        load_rdf(other)
    with pytest.raises(NotACorpus, match="no RDF format"):
        load_rdf(tmp_path / "x.docx")
