"""N-Quads of a corpus are written as they are made, with the same line ends everywhere."""

from __future__ import annotations

from pathlib import Path

from kg.exchange.writers.nquads import write_corpus_nquads
from kg.rdf.quads import as_nquads
from tests.support.corpora import corpus_of_notes


def test_the_quads_of_the_part_alone_are_written(tmp_path: Path) -> None:
    notes = {name: f"---\ntype: claim\n---\n\n# Ü{name}\n" for name in "ab"}
    part, whole_corpus = corpus_of_notes(a=notes["a"]), corpus_of_notes(**notes)
    write_corpus_nquads(part, tmp_path / "a.nq", whole_corpus)
    data = (tmp_path / "a.nq").read_bytes()
    assert data == "".join(as_nquads(part)).encode()
    assert b"\r" not in data
