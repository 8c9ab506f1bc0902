"""Two statements, or two lines, side by side."""

from __future__ import annotations

from kg.corpus import Corpus
from kg.queries.comparison import LineComparison, compare
from kg.queries.reason_trees import Branch
from kg.queries.timeline import timeline
from tests.queries.dated_notes import BOOKS, CLAIM, Make, item


def told(tree: Branch) -> list[str]:
    return [
        f"{'  ' * depth}{branch.edge.relation if branch.edge else '·'} {branch.statement}"
        + (" (seen)" if branch.seen else "")
        + "".join(f" /{edge.source}" for edge in branch.undercuts)
        for depth, branch in tree.walk()
    ]


def test_lines_are_compared_by_what_they_hold(corpus_of: Make) -> None:
    line = "---\ntype: line\ntopics: [{}]\n---\n\n# {}?\n\n"
    corpus = corpus_of(
        references=BOOKS,
        a=CLAIM.format("A", ""),
        b=CLAIM.format("B", "- contradicts:: [[a]]\n- contradicts:: [[c]]"),
        c=CLAIM.format("C", "- qualifies:: [[a]]"),
        d=CLAIM.format("D", "- contradicts:: [[c]]"),
        e=item("old", "supports:: [[c]]"),
        f=item("new", "supports:: [[a]]"),
        one=line.format("x, y", "One") + "- optimist:: [[a]]\n- skeptic:: [[c]]\n",
        two=line.format("y", "Two") + "- skeptic:: [[b]]\n- optimist:: [[c]]\n- skeptic:: [[d]]\n",
    )
    found = compare(corpus, "one", "two")
    assert isinstance(found, LineComparison)
    # d and c are both in line two, where c is in line one as well: that is line two's own clash
    assert [edge.id for edge in found.clashes] == ["b--contradicts--a"]
    assert [(p.statement, p.first, p.second) for p in found.shared] == [
        ("c", "skeptic", "optimist")
    ]
    assert found.parted_over == ("c",)
    assert found.shared_evidence == ("e",)
    assert (found.shared_sources, found.shared_topics) == (("old",), ("y",))
    other = compare(corpus, "two", "one")
    assert isinstance(other, LineComparison)
    assert other.clashes == found.clashes
    assert "placed in different camps: c" in str(found)


def test_a_comparison_shows_what_two_claims_share(corpus_of: Make) -> None:
    corpus = corpus_of(
        references=BOOKS,
        a="---\ntype: claim\ntopics: [x, y]\n---\n\n# A\n\n- supports:: [[t]], [[u]]\n",
        b="---\ntype: claim\ntopics: [y]\n---\n\n# B\n\n- supports:: [[t]]\n"
        "- contradicts:: [[u]]\n- contradicts:: [[a]]\n",
        t=CLAIM.format("T", ""),
        u=CLAIM.format("U", ""),
        r=CLAIM.format("R", "- supports:: [[a]]\n- qualifies:: [[b]]"),
        e1=item("old", "supports:: [[a]]"),
        e2=item("old", "supports:: [[b]]"),
        e3=item("new", "supports:: [[b]]"),
        line="---\ntype: line\n---\n\n# Q?\n\n- optimist:: [[a]]\n- skeptic:: [[b]]\n",
    )
    found = compare(corpus, "a", "b")
    assert [edge.id for edge in found.between] == ["b--contradicts--a"]
    assert found.both_favour == ("t",)
    assert found.parted_over == ("u",)
    assert found.dividing_reasons == ("r",)
    assert found.shared_reasons == ()
    assert found.shared_sources == ("old",)
    assert found.shared_topics == ("y",)
    assert found.shared_groups == 1
    assert str(found.second_support) == "2 items from 2 separate groups"
    assert [(it.line, it.first, it.second) for it in found.lines] == [
        ("line", "optimist", "skeptic")
    ]


HOSTILE = "<script>alert(1)</script> [a](javascript:x)"


def small(corpus_of: Make) -> Corpus:
    return corpus_of(
        references=BOOKS,
        a="---\ntype: claim\ncamp: optimist\n---\n\n# Talk grounds\n",
        b=CLAIM.format(HOSTILE, "- contradicts:: [[a]] — it <i>does</i> not"),
        e=item("old", "supports:: [[a]] — it was tried ^e"),
        d=CLAIM.format("D", "- undercuts:: [[e#^e]]"),
    )


def test_comparisons_and_timelines_print_what_they_count(corpus_of: Make) -> None:
    corpus = small(corpus_of)
    told = str(compare(corpus, "a", "b"))
    assert "Talk grounds  [a] — optimist, 1 item from 1 separate group\n" in told
    assert "Between them\nfrom  relation     to  reason\nb     contradicts  a " in told
    assert "2019  +1   +0       1 item from 1 separate group" in str(timeline(corpus, "a"))
    assert str(timeline(corpus, "d")) == "D  [d]\nno evidence bears on it"
