"""The page of disagreements begins with what is argued about most, and how much nothing answers."""

from __future__ import annotations

from collections.abc import Callable

from kg.corpus import Corpus
from kg.publish.page import make_page
from kg.publish.pages.disagreements import disagreement_pages
from tests.support.note_texts import builder_of, claim, evidence, visible_text


def head(corpus: Corpus) -> str:
    (draft,) = disagreement_pages(builder_of(corpus).context)
    return visible_text(make_page(draft).html)


def test_the_page_begins_with_how_many_objections_nothing_answers(
    corpus_of: Callable[..., Corpus],
) -> None:
    asked = claim("Asked", "optimist")
    objecting = claim("Not so", "skeptic", "contradicts:: [[asked]]")
    answer = claim("But so", "optimist", "contradicts:: [[no]]")
    pair = "of claims that contradict each other,"
    assert "No claim of this corpus contradicts another yet." in head(corpus_of(asked=asked))
    said = f"Of 1 pair {pair} 1 has an objection that nothing else answers."
    assert said in head(corpus_of(asked=asked, no=objecting))
    said = f"Of 2 pairs {pair} 1 has an objection that nothing else answers."
    assert said in head(corpus_of(asked=asked, no=objecting, yes=answer))


def test_the_page_begins_with_the_claim_most_argued_about(corpus_of: Callable[..., Corpus]) -> None:
    corpus = corpus_of(
        asked=claim("Asked", "optimist"),
        pro=evidence("Pro", 0.9, "supports:: [[asked]]"),
        con=evidence("Con", 0.9, "contradicts:: [[asked]]"),
    )
    said = head(corpus)
    assert "Argued about most: Asked (Optimist claim, disputed), so far “undecided" in said
