"""Notes → RDF → corpus: nothing is lost on the way, and what is missing is named."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given

from kg.corpus import Corpus
from kg.model.errors import NotACorpus
from kg.notes.note_listing import MAX_NOTE_BYTES
from kg.rdf.iris import Iris
from kg.rdf.note_triples import LINKS_IN_ONE_TEXT
from kg.rdf.ontology import KG
from kg.rdf.quad_store import as_store
from kg.rdf.quads import as_nquads, as_quads
from kg.rdf.read_records import BrokenGraph, RdfRecords, load_rdf, parse_corpus, values_by_subject
from kg.rdf.vocabulary import quoted_term
from tests.support.corpora import corpus_of_notes, random_corpora, require_same
from tests.support.effort import examples
from tests.support.every_row import every_row

BASE = "https://example.org/inquiry-lines/"


def _records(without: str = "", **notes: str) -> RdfRecords:
    triples = ((q.subject, q.predicate, q.object) for q in as_quads(corpus_of_notes(**notes)))
    return RdfRecords(values_by_subject(t for t in triples if t[1].value != without), Iris(BASE))


ARGUMENT = {
    "a": "---\ntype: claim\n---\n# A\n\nSee [[b]].\n",
    "b": "---\ntype: evidence\n---\n# B\n\n- supports:: [[a]] — so ^e\n",
}


def test_an_edge_is_written_where_its_statement_is() -> None:
    edge = _records(**ARGUMENT).edge(BASE + "edges/b#e")
    assert (edge.span.path, edge.span.line, edge.reason) == ("b.md", 6, "so")


def test_links_of_a_note_come_back_with_their_words() -> None:
    (link,) = _records(**ARGUMENT).mentions(BASE + "notes/a.md")
    assert (link.origin, link.target, link.context) == ("a", "b", "See [[b]].")


def test_very_many_links_come_back_in_their_order() -> None:
    links = 2 * LINKS_IN_ONE_TEXT + 1
    notes = {**ARGUMENT, "a": ARGUMENT["a"] + "- [[b]]\n" * (links - 1)}
    quads = [
        quad
        for quad in as_quads(corpus_of_notes(**notes))
        if quad.predicate.value == KG + "linksInText"
    ]
    assert len(quads) == 3
    assert _records(**notes).mentions(BASE + "notes/a.md") == list(
        corpus_of_notes(**notes).mentions
    )


@every_row("sign", ["\x01", '"', "\\", "\n.", "\r.", "é"])
def test_the_longest_text_comes_back(sign: str) -> None:
    """Parsers refuse a text of more than 16 MiB, which six letters for each sign would make."""
    part = sign * (MAX_NOTE_BYTES // 64 // len(sign.encode()))
    # the sign that takes most is tried in full; others grow as their part does
    text = part * 64 if sign == "\x01" else part
    literal = quoted_term(text)
    assert len(literal.encode()) * (len(part) * 64 // len(text)) < 16 * 2**20
    (quad,) = ox.parse(f"<a:b> <a:c> {literal} .", format=ox.RdfFormat.N_QUADS)
    assert quad.object.value == text


@every_row("lost", ["origin", "target", "relation"])
def test_an_edge_that_lacks_an_end_is_reported(lost: str) -> None:
    with pytest.raises(BrokenGraph, match="edges/b#e"):
        _records(KG + lost, **ARGUMENT).edge(BASE + "edges/b#e")


def test_a_statement_of_no_kind_is_reported() -> None:
    with pytest.raises(BrokenGraph, match="0 kinds of statement"):
        _records("http://www.w3.org/1999/02/22-rdf-syntax-ns#type", **ARGUMENT).statement(
            BASE + "statements/a"
        )


@given(random_corpora())
@examples(4)
def test_quads_lead_back_to_the_corpus(corpus: Corpus) -> None:
    """From a store, too, and without the graphs that they are in."""
    merged = {ox.Quad(quad.subject, quad.predicate, quad.object) for quad in as_quads(corpus)}
    for quads in (as_quads(corpus), as_store(corpus), merged):
        require_same(parse_corpus(quads), corpus)


def test_order_repetition_and_names_survive() -> None:
    corpus = corpus_of_notes(
        a="---\ntype: claim\nid: own-id\ntopics: [z, a, z]\naliases: [was]\n---\n# A\n",
        b="---\ntype: claim\n---\n# B\n\nSee [[was]] and [[a]]. [@y; @x, p. 2] [@x] [@old]\n",
        x="---\ntype: source\naliases: [old]\n---\n",
        references="@book{x, author={B, C and A, D}, title={T}}\n@book{y, title={U}}",
    )
    back = parse_corpus(as_quads(corpus))
    require_same(back, corpus)
    assert back.statements["own-id"].topics == corpus.statements["own-id"].topics
    assert back.aliases == corpus.aliases
    assert [citation.key for citation in back.statements["b"].citations] == ["y", "x", "x", "x"]
    assert back.source("x").authors == ("C B", "D A")


def test_a_graph_with_a_value_that_no_corpus_has_is_refused_in_one_line() -> None:
    text = "".join(as_nquads(corpus_of_notes(a="---\ntype: claim\n---\n# A\n")))
    wrong = text.replace("camps/optimist", "camps/../x").encode()
    with pytest.raises(NotACorpus, match=r"a Camp with id '\.\./x'") as error:
        parse_corpus(ox.parse(wrong, format=ox.RdfFormat.N_QUADS))
    assert "\n" not in str(error.value)


def test_a_graph_of_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotACorpus, match="no kg:Corpus"):
        parse_corpus([])
    other = tmp_path / "x.ttl"
    other.write_text("<a:b> <a:b> .")
    with pytest.raises(NotACorpus, match=r"x\.ttl"):
        load_rdf(other)
    with pytest.raises(NotACorpus, match="no RDF format"):
        load_rdf(tmp_path / "x.docx")
