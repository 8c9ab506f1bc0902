"""What RDF formats do with values that their readers might not read as they are."""

from __future__ import annotations

import json
from pathlib import Path

import pyoxigraph as ox

from kg.exchange.rdf_formats import write_corpus_nquads, write_jsonld
from kg.rdf.quads import as_nquads
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row


@every_row(
    ("integer", "is_number"),
    [
        (2**53 - 1, True),
        (2**53, False),
        (-(2**53) + 1, True),
        (-(2**53), False),
    ],
)
def test_integers_that_a_double_may_round_are_text_in_json_ld(
    integer: int, is_number: bool, tmp_path: Path
) -> None:
    count = ox.NamedNode("https://example.org/count")
    write_jsonld([ox.Quad(count, count, ox.Literal(integer))], tmp_path / "a.jsonld")
    (node,) = json.loads((tmp_path / "a.jsonld").read_text("utf-8"))["@graph"]
    kind = "http://www.w3.org/2001/XMLSchema#integer"
    written_as_text = {"@value": str(integer), "@type": kind}
    assert node[count.value] == (integer if is_number else written_as_text)


def test_the_quads_of_each_note_are_written(tmp_path: Path) -> None:
    notes = {name: f"---\ntype: claim\n---\n\n# Ü{name}\n" for name in "ab"}
    corpus = corpus_of_notes(**notes)
    write_corpus_nquads(corpus, tmp_path / "a.nq")
    data = (tmp_path / "a.nq").read_bytes()
    assert data == "".join(as_nquads(corpus)).encode()
    assert b"\r" not in data
