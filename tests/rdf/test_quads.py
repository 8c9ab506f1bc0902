"""The corpus as quads: the same every time, and each once."""

from __future__ import annotations

from hypothesis import given

from kg.corpus import Corpus
from kg.corpus.note_records import records_by_note
from kg.rdf.quads import as_nquads, as_quads, note_digest
from kg.rdf.read_records import parse_corpus
from tests.support.corpora import corpora
from tests.support.effort import examples


@given(corpora())
@examples(3)
def test_each_quad_is_written_once_and_the_same_corpus_gives_the_same_text(corpus: Corpus) -> None:
    lines = "".join(as_nquads(corpus)).split("\n")[:-1]
    assert len(lines) == len(set(lines)) == len(set(as_quads(corpus)))
    assert lines == "".join(as_nquads(corpus)).split("\n")[:-1]


@given(corpora())
@examples(3)
def test_equal_graphs_have_equal_digests(corpus: Corpus) -> None:
    assert _digests(parse_corpus(as_quads(corpus))) == _digests(corpus)


def _digests(corpus: Corpus) -> dict[str, str]:
    return {part.path: note_digest(corpus, part) for part in records_by_note(corpus)}
