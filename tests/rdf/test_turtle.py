"""Turtle holds the same triples as the graphs of the store, whatever the notes say.

Of `kg/rdf/quads.py`, too.
"""

from __future__ import annotations

import pyoxigraph as ox
import rdflib
from hypothesis import given

from kg.corpus import Corpus
from kg.corpus.note_records import NoteRecords, records_by_note
from kg.rdf.ontology import KG, PREFIXES
from kg.rdf.quads import (
    DIGEST_PROPERTY,
    note_nquads,
    note_quads,
    note_triples,
)
from kg.rdf.turtle import render_turtle
from tests.support.corpora import corpus_of_notes, random_corpora
from tests.support.effort import examples


@given(random_corpora())
@examples(4)
def test_every_triple_is_read_back_in_its_order(corpus: Corpus) -> None:
    for part in records_by_note(corpus):
        for base in ("", corpus.config.base_iri):
            text = render_turtle(note_triples(corpus, part), base)
            triples = [quad.triple for quad in ox.parse(text, format=ox.RdfFormat.TURTLE)]
            assert triples == _triples(corpus, part)


@given(random_corpora())
@examples(3)
def test_rdflib_reads_the_same_graph(corpus: Corpus) -> None:
    for part in records_by_note(corpus):
        text = render_turtle(note_triples(corpus, part), corpus.config.base_iri)
        turtle = rdflib.Graph().parse(data=text, format="turtle")
        expected = rdflib.Dataset(default_union=True)
        expected.parse(data=note_nquads(corpus, part), format="nquads")
        triples = {quad[:3] for quad in expected.quads()}
        assert set(turtle) == {
            triple for triple in triples if str(triple[1]) != DIGEST_PROPERTY.value
        }


def test_prefixes_lists_and_plain_values_read_as_people_write_them() -> None:
    corpus = corpus_of_notes(
        a="---\ntype: evidence\ncreated: 2026-01-02\ntopics: [x, y]\n---\n# A <b> .\n"
    )
    (part,) = records_by_note(corpus)
    text = render_turtle(note_triples(corpus, part))
    assert f"@prefix kg: <{KG}> .\n" in text
    assert " a kg:Statement , kg:Evidence ;\n\tdcterms:identifier " in text
    assert "\tkg:atLine 6 ;\n" in text
    assert '"2026-01-02"^^xsd:date' in text
    assert '\tkg:topic "x" , "y"' in text
    assert 'dcterms:title "A <b> ."' in text


def test_the_layout_is_that_of_the_library_for_turtle() -> None:
    corpus = corpus_of_notes(
        a="---\ntype: claim\n---\n# A\n",
        b="---\ntype: evidence\nquality: 0.5\n---\n# B\n\n- supports:: [[a]] — so\n",
    )
    for part in records_by_note(corpus):
        triples = _triples(corpus, part)
        library = ox.serialize(triples, format=ox.RdfFormat.TURTLE, prefixes=PREFIXES) or b""
        assert _body(render_turtle(note_triples(corpus, part))) == _body(library.decode())


def _triples(corpus: Corpus, part: NoteRecords) -> list[ox.Triple]:
    """A part's triples but for the digest, which is that of the whole note."""
    return [quad.triple for quad in note_quads(corpus, part) if quad.predicate != DIGEST_PROPERTY]


def _body(turtle: str) -> list[str]:
    """Everything but the prefixes, which each writes in an order of its own."""
    return [line for line in turtle.split("\n") if not line.startswith("@prefix")]
