"""The corpus as quads: the same every time, and each once."""

from __future__ import annotations

from hypothesis import given
from pyoxigraph import Literal

from kg.corpus import Corpus
from kg.corpus.note_records import records_by_note
from kg.model.settings.config import Config
from kg.model.settings.quality_settings import QualityLadder
from kg.rdf.quads import as_nquads, as_quads, note_digest
from kg.rdf.read_records import parse_corpus
from kg.rdf.vocabulary import prefixed_term
from tests.support.corpora import corpus_of_notes, random_corpora
from tests.support.effort import examples


@given(random_corpora())
@examples(3)
def test_each_quad_is_written_once_and_the_same_corpus_gives_the_same_text(corpus: Corpus) -> None:
    lines = "".join(as_nquads(corpus)).split("\n")[:-1]
    assert len(lines) == len(set(lines)) == len(set(as_quads(corpus)))
    assert lines == "".join(as_nquads(corpus)).split("\n")[:-1]


@given(random_corpora())
@examples(3)
def test_equal_graphs_have_equal_digests(corpus: Corpus) -> None:
    assert _digests(parse_corpus(as_quads(corpus))) == _digests(corpus)


def test_a_method_of_ones_own_has_its_label_at_the_iri_that_evidence_names() -> None:
    config = Config(quality=QualityLadder(kinds={"natural-experiment": 2.5}))
    note = "---\ntype: evidence\nmethod: natural-experiment\n---\n# It was seen\n"
    quads = list(as_quads(corpus_of_notes(config=config, a=note)))
    (method,) = (quad.object for quad in quads if quad.predicate == prefixed_term("kg:method"))
    label = Literal("natural-experiment")
    assert label in {quad.object for quad in quads if quad.subject == method}


def _digests(corpus: Corpus) -> dict[str, str]:
    return {part.path: note_digest(corpus, part) for part in records_by_note(corpus)}
