"""Two statements, or two lines, side by side."""

from __future__ import annotations

import pytest

from kg.corpus import Corpus
from kg.queries.comparison import LineComparison, compare
from kg.queries.reason_trees import Branch
from kg.queries.timeline import timeline
from tests.queries.dated_notes import BOOKS, CLAIM, evidence_text, small_debate
from tests.support.corpora import corpus_of_notes
from tests.support.corpus_parts import claim, corpus_of_parts, edge


def words(tree: Branch) -> list[str]:
    return [
        f"{'  ' * depth}{branch.edge.relation if branch.edge else '·'} {branch.statement}"
        + (" (seen)" if branch.seen else "")
        + "".join(f" /{edge.origin}" for edge in branch.undercuts)
        for depth, branch in tree.walk()
    ]


def test_lines_are_compared_by_what_they_hold() -> None:
    line = "---\ntype: line\ntopics: [{}]\n---\n\n# {}?\n\n"
    corpus = corpus_of_notes(
        references=BOOKS,
        a=CLAIM.format("A", ""),
        b=CLAIM.format("B", "- contradicts:: [[a]]\n- contradicts:: [[c]]"),
        c=CLAIM.format("C", "- qualifies:: [[a]]"),
        d=CLAIM.format("D", "- contradicts:: [[c]]"),
        e=evidence_text("old", "supports:: [[c]]"),
        f=evidence_text("new", "supports:: [[a]]"),
        one=line.format("x, y", "One") + "- optimist:: [[a]]\n- skeptic:: [[c]]\n",
        two=line.format("y", "Two") + "- skeptic:: [[b]]\n- optimist:: [[c]]\n- skeptic:: [[d]]\n",
        three="---\ntype: line\n---\n\n# Three?\n\nSee [[a]].\n",
    )
    comparison = compare(corpus, "one", "two")
    assert isinstance(comparison, LineComparison)
    # d and c are both in line two, where c is in line one as well: that is line two's own clash
    assert [edge.id for edge in comparison.clashes] == ["b--contradicts--a"]
    assert [(p.statement, p.first, p.second) for p in comparison.shared] == [
        ("c", "skeptic", "optimist")
    ]
    assert comparison.differ_on == ("c",)
    assert comparison.shared_evidence == ("e",)
    assert (comparison.shared_sources, comparison.shared_topics) == (("old",), ("y",))
    other = compare(corpus, "two", "one")
    assert isinstance(other, LineComparison)
    assert other.clashes == comparison.clashes
    assert "placed in different camps: c\nsources of both: old\ntopics of both: y\n" in str(
        comparison
    )
    alone = str(compare(corpus, "one", "three"))
    assert "placed in different camps: none\nsources of both: new\ntopics of both: none" in alone
    assert "\na   optimist  –" in alone


@pytest.fixture(scope="module")
def two_claims() -> Corpus:
    """Claims `a` and `b`, with what they share and what divides them."""
    return corpus_of_notes(
        references=BOOKS,
        a="---\ntype: claim\ntopics: [x, y]\n---\n\n# A\n\n- supports:: [[t]], [[u]]\n",
        b="---\ntype: claim\ntopics: [y]\n---\n\n# B\n\n- supports:: [[t]]\n"
        "- contradicts:: [[u]]\n- contradicts:: [[a]]\n",
        t=CLAIM.format("T", ""),
        u=CLAIM.format("U", ""),
        r=CLAIM.format("R", "- supports:: [[a]]\n- qualifies:: [[b]]"),
        e1=evidence_text("old", "supports:: [[a]]"),
        e2=evidence_text("old", "supports:: [[b]]"),
        e3=evidence_text("new", "supports:: [[b]]"),
        line="---\ntype: line\n---\n\n# Q?\n\n- optimist:: [[a]]\n- skeptic:: [[b]]\n",
    )


def test_a_comparison_shows_what_two_claims_say_of_each_other_and_of_others(
    two_claims: Corpus,
) -> None:
    comparison = compare(two_claims, "a", "b")
    assert [edge.id for edge in comparison.between] == ["b--contradicts--a"]
    assert comparison.both_favour == ("t",)
    assert comparison.differ_on == ("u",)
    assert {edge.id for edge in comparison.edges} == {
        *("a--supports--t", "a--supports--u", "b--supports--t", "b--contradicts--u"),
        *("b--contradicts--a", "r--supports--a", "r--qualifies--b"),
    }


def test_a_comparison_shows_which_reasons_two_claims_share_and_which_divide_them(
    two_claims: Corpus,
) -> None:
    comparison = compare(two_claims, "a", "b")
    assert comparison.dividing_reasons == ("r",)
    assert comparison.shared_reasons == ()


def test_a_comparison_shows_which_sources_and_evidence_two_claims_share(
    two_claims: Corpus,
) -> None:
    comparison = compare(two_claims, "a", "b")
    assert comparison.shared_sources == ("old",)
    assert comparison.shared_groups == 1
    assert str(comparison.second_support) == "2 items from 2 separate groups"
    assert comparison.shared_evidence == ()
    assert compare(two_claims, "t", "a").shared_evidence == ("e1",)


def test_a_comparison_shows_on_which_topics_and_lines_two_claims_meet(two_claims: Corpus) -> None:
    comparison = compare(two_claims, "a", "b")
    assert comparison.shared_topics == ("y",)
    assert "sources of both: old\ntopics of both: y\nabout of both: none\n" in str(comparison)
    assert [(it.line, it.first, it.second) for it in comparison.lines] == [
        ("line", "optimist", "skeptic")
    ]


def test_comparisons_and_timelines_print_what_they_count() -> None:
    corpus = small_debate()
    text = str(compare(corpus, "a", "b"))
    assert "Talk grounds  [a] — optimist, 1 item from 1 separate group\n" in text
    assert "Between them\norigin  relation     target  reason\nb       contradicts  a " in text
    assert "2019  +1   +0       1 item from 1 separate group" in str(timeline(corpus, "a"))
    assert str(timeline(corpus, "d")) == "D  [d]\nno evidence bears on it"


def test_a_mutual_contradiction_is_a_reason_in_a_comparison() -> None:
    notes = corpus_of_parts(
        *map(claim, "abcd"),
        edge("a contradicts c", mutual=True),
        "c contradicts b",
        "d contradicts c",
    )
    comparison = compare(notes, "a", "b")
    assert comparison.shared_reasons == ("c",)
    assert compare(notes, "a", "d").both_oppose == ("c",)
    assert compare(notes, "a", "d").both_favour == ()
