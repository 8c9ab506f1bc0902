"""Statements that oppose each other are shown as pairs, and answered by others alone."""

from __future__ import annotations

from kg.corpus import Corpus
from kg.publish.components.clashes import (
    Clash,
    clash_list,
    group_by_pair,
    is_answered,
)
from kg.queries.line_scope import LineScope
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row
from tests.support.note_texts import builder_of, claim_text, line_text, visible_text


def clashing(**more: str) -> tuple[Corpus, list[Clash]]:
    corpus = corpus_of_notes(
        pro=claim_text("Pro", "optimist", "contradicts:: [[con]] — a reason"),
        con=claim_text("Con", "skeptic", "contradicts:: [[pro]] — another"),
        other=claim_text("Other", "skeptic", "contradicts:: [[pro]]"),
        asked=line_text("Q?", "skeptic:: [[con]]", "skeptic:: [[other]]", "optimist:: [[pro]]"),
        **more,
    )
    return corpus, group_by_pair(corpus, LineScope(corpus, corpus.lines["asked"]).clashes)


def test_two_that_contradict_each_other_are_one_pair_with_the_first_camp_on_the_left():
    _, clashes = clashing()
    assert {(c.left, c.right, c.is_mutual) for c in clashes} == {
        ("pro", "con", True),
        ("pro", "other", False),
    }


def test_of_two_of_one_camp_the_objecting_one_stands_on_the_left() -> None:
    objecting = claim_text("A", "skeptic", "contradicts:: [[b]]")
    corpus = corpus_of_notes(b=claim_text("B", "skeptic"), a=objecting)
    assert [(c.left, c.right) for c in group_by_pair(corpus, corpus.edges)] == [("a", "b")]


def test_two_reasons_of_one_side_make_no_mutual_clash() -> None:
    twice = claim_text("A", "optimist", "contradicts:: [[b]]", "qualifies:: [[b]]")
    corpus = corpus_of_notes(a=twice, b=claim_text("B", "skeptic"))
    [clash] = group_by_pair(corpus, corpus.edges)
    assert (len(clash.edges), clash.is_mutual) == (2, False)


def test_an_attack_counts_as_answered_only_by_another_statement():
    corpus, clashes = clashing()
    assert {clash.right: is_answered(corpus, clash) for clash in clashes} == {
        "con": False,
        "other": False,
    }
    helper = claim_text("Helper", "optimist", "contradicts:: [[other]]")
    corpus, clashes = clashing(helper=helper)
    assert {clash.right: is_answered(corpus, clash) for clash in clashes} == {
        "con": False,
        "other": True,
    }


def test_clashes_of_one_statement_are_listed_under_it_with_both_reasons() -> None:
    corpus, clashes = clashing()
    html = clash_list(builder_of(corpus), clashes)
    assert html.count('class="kg-clash"') == 1, "both pairs share a statement"
    text = visible_text(html)
    head, mutual = text.split("each contradicts the other:")
    mutual, attacked = mutual.split("contradicted by")
    assert "Pro" in head
    assert "reason" not in head
    assert "A reason." in mutual.partition("Con")[0]
    assert "Another." in mutual.partition("Con")[2]
    assert "Other" in attacked
    assert "Pro" not in mutual + attacked
    html = clash_list(builder_of(corpus), clashes, first="other")
    assert html.count('class="kg-clash"') == 2, "the rest is listed under what it shares"


@every_row(("rows", "live"), [([], True), (["supersedes:: [[con]]"], False)])
def test_a_clash_is_live_while_neither_side_is_superseded(rows: list[str], live: bool) -> None:
    corpus, clashes = clashing(new=claim_text("New", "skeptic", *rows))
    assert {clash.right: clash.is_live(corpus) for clash in clashes} == {"con": live, "other": True}


def test_of_two_that_object_it_is_said_which_nothing_else_answers() -> None:
    corpus, clashes = clashing()
    one_way = [clash for clash in clashes if clash.right == "other"]
    mutual = [clash for clash in clashes if clash.right == "con"]
    assert "speaks against" not in visible_text(clash_list(builder_of(corpus), mutual))
    named = [
        visible_text(clash_list(builder_of(corpus), each, name_unanswered=True))
        for each in (one_way, mutual)
    ]
    assert "speaks against" not in named[0]
    assert "Nothing else speaks against the second." in named[1]
