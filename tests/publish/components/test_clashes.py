"""Statements that oppose each other are shown as pairs, and answered by others alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kg.corpus import Corpus
from kg.publish.components.clashes import Clash, clash_list, is_answered, pair_up
from kg.queries.line_view import LineScope
from tests.support.note_texts import builder_of, claim, line, words_of


def clashing(corpus_of: Callable[..., Corpus], **more: str) -> tuple[Corpus, list[Clash]]:
    corpus = corpus_of(
        pro=claim("Pro", "optimist", "contradicts:: [[con]] — a reason"),
        con=claim("Con", "skeptic", "contradicts:: [[pro]] — another"),
        other=claim("Other", "skeptic", "contradicts:: [[pro]]"),
        asked=line("Q?", "skeptic:: [[con]]", "skeptic:: [[other]]", "optimist:: [[pro]]"),
        **more,
    )
    return corpus, pair_up(corpus, LineScope(corpus, corpus.lines["asked"]).clashes)


def test_two_that_contradict_each_other_are_one_pair_with_the_first_camp_on_the_left(corpus_of):
    _, found = clashing(corpus_of)
    assert {(c.left, c.right, c.is_mutual) for c in found} == {
        ("pro", "con", True),
        ("pro", "other", False),
    }


def test_only_somebody_else_answers_an_attack(corpus_of):
    corpus, found = clashing(corpus_of)
    assert {clash.right: is_answered(corpus, clash) for clash in found} == {
        "con": False,
        "other": False,
    }
    helper = claim("Helper", "optimist", "contradicts:: [[other]]")
    corpus, found = clashing(corpus_of, helper=helper)
    assert {clash.right: is_answered(corpus, clash) for clash in found} == {
        "con": False,
        "other": True,
    }


def test_a_mutual_clash_has_an_arrow_both_ways_and_another_one_towards_what_is_attacked(
    corpus_of: Callable[..., Corpus],
) -> None:
    corpus, found = clashing(corpus_of)
    said = [words_of(clash_list(builder_of(corpus), [clash])) for clash in found]
    for each, arrow in zip(said, ("⇄contradict each other", "←contradicts"), strict=True):
        assert arrow in each
    assert "a reason" in said[0].partition("⇄")[0]
    assert "another" in said[0].partition("⇄")[2]


@pytest.mark.parametrize(("rows", "live"), [([], True), (["supersedes:: [[con]]"], False)])
def test_a_clash_is_live_while_neither_side_is_superseded(
    corpus_of: Callable[..., Corpus], rows: list[str], live: bool
) -> None:
    corpus, found = clashing(corpus_of, new=claim("New", "skeptic", *rows))
    assert {clash.right: clash.is_live(corpus) for clash in found} == {"con": live, "other": True}
