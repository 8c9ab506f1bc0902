"""The corpus as quads: the same every time, each once, and no more than it has to say."""

from __future__ import annotations

from corpora import corpora, read
from hypothesis import given, settings

from kg.corpus import Corpus
from kg.views.quads import as_nquads, as_quads


@given(corpora())
@settings(max_examples=20, deadline=None)
def test_each_quad_is_written_once_and_the_same_corpus_gives_the_same_text(corpus: Corpus) -> None:
    lines = "".join(as_nquads(corpus)).split("\n")[:-1]
    assert len(lines) == len(set(lines)) == len(set(as_quads(corpus)))
    assert lines == "".join(as_nquads(corpus)).split("\n")[:-1]


def test_an_edge_costs_seven_quads_and_a_second_link_in_prose_none() -> None:
    bare = read(a="---\ntype: claim\n---\n# A\n", b="---\ntype: evidence\n---\n# B\n")
    edge = read(
        a="---\ntype: claim\n---\n# A\n",
        b="---\ntype: evidence\n---\n# B\n\n- supports:: [[a]] — so ^e\n",
    )
    assert len(list(as_quads(edge))) - len(list(as_quads(bare))) == 7
    one, two = (
        read(a="---\ntype: claim\n---\n# A\n", b=f"---\ntype: evidence\n---\n# B\n\n{text}\n")
        for text in ("See [[a]].", "See [[a]], and again [[a]].")
    )
    assert len(list(as_quads(one))) == len(list(as_quads(two)))
