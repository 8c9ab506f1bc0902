"""A mutual contradiction opposes both its ends, wherever opposition is asked for."""

from __future__ import annotations

from collections.abc import Callable

import kg
from kg.corpus import Corpus
from kg.corpus.sides import sides_of
from kg.publish.markup.link_maker import disputed_in
from kg.queries.engines.engine import MemoryEngine
from kg.queries.explain import against
from kg.queries.find import find
from kg.queries.timeline import timeline

CLAIM = "---\ntype: claim\n---\n\n# {}\n\n{}"
EVIDENCE = "---\ntype: evidence\n---\n\n# {1} [@{0}]\n\n- supports:: [[{2}]] — yes\n"


def test_a_mutual_contradiction_opposes_both_its_ends(corpus_of: Callable[..., Corpus]) -> None:
    corpus = corpus_of(
        a=CLAIM.format("It is so", "- contradicts:: [[b]] — no (mutual:: yes)\n"),
        b=CLAIM.format("It is not so", ""),
        e=EVIDENCE.format("one", "Seen", "a"),
        f=EVIDENCE.format("two", "Not seen", "b"),
        references="@book{one, title={One}, year={2001}}\n@book{two, title={Two}, year={2002}}",
    )
    for id, other, item in (("a", "b", "f"), ("b", "a", "e")):
        (reason,) = sides_of(corpus, id).con
        assert (reason.source, reason.target) == (other, id)
        assert [branch.statement for branch in against(corpus, id).branches] == [other]
        years = timeline(corpus, id).years
        assert [each for year in years for each in year.added_against] == [item]
    assert disputed_in(corpus) == {"a": True, "b": True}
    assert find(MemoryEngine(corpus), kg.statements().where(opponents=1)).ids == ("a", "b")


def test_an_edge_that_is_not_mutual_opposes_its_target_alone(
    corpus_of: Callable[..., Corpus],
) -> None:
    corpus = corpus_of(
        a=CLAIM.format("It is so", "- contradicts:: [[b]] — no\n"),
        b=CLAIM.format("It is not so", ""),
    )
    assert sides_of(corpus, "a").con == ()
    assert [reason.source for reason in sides_of(corpus, "b").con] == ["a"]
