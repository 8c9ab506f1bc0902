"""Trees of reasons.

Of `kg/queries/line_scope.py`, too.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import replace

import pytest

from kg.corpus import UnknownId
from kg.files.read_files import NotesFolder
from kg.model.settings.config import Camp, Config
from kg.queries.comparison import compare
from kg.queries.line_scope import LineScope, view_line
from kg.queries.reason_trees import Branch, against, why
from kg.queries.search_text import text_index
from kg.queries.shortest_path import path
from tests.queries.dated_notes import BOOKS, CLAIM, evidence_text, small_debate
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row
from tests.support.shorthand import corpus_of_shorthand


def words(tree: Branch) -> list[str]:
    return [
        f"{'  ' * depth}{branch.edge.relation if branch.edge else '·'} {branch.statement}"
        + (" (seen)" if branch.seen else "")
        + "".join(f" /{edge.origin}" for edge in branch.undercuts)
        for depth, branch in tree.walk()
    ]


DENIED = "claim a\nclaim b\nclaim d\nb supports a\nd undercuts b>a\n"
TWO_WAYS = f"{DENIED}claim c\nc supports b\nc supports a\n"
TREES = {
    "what is denied is marked": (
        *(TWO_WAYS, why, "a", 9),
        ["· a", "  supports b /d", "    supports c", "  supports c (seen)"],
    ),
    "only so deep": (TWO_WAYS, why, "a", 1, ["· a", "  supports b /d", "  supports c"]),
    "not by what is superseded": (
        *(f"{DENIED}claim e\ne supersedes d\n", why, "a", 9),
        ["· a", "  supports b"],
    ),
    "circles end": (
        *("claim a\nclaim b\na supports b\nb supports a\n", why, "a", 9),
        ["· a", "  supports b", "    supports a (seen)"],
    ),
    "a twin of what was shown is not opened again": (
        "claim a\nclaim b\nclaim b2\nclaim c\nevidence e .6 @x\nb same-as b2\n"
        "e supports b\nb supports a\nb2 supports c\nc supports a\n",
        *(why, "a", 9),
        ["· a", "  supports b", "    supports e", "  supports c", "    supports b2 (seen)"],
    ),
    "a premise that evidence speaks against": (
        "claim a\nclaim p\nclaim s\na depends-on p\na depends-on s\nclaim o\n"
        "evidence e .6 @x\ne supports o\no contradicts p\n",
        *(against, "a", 9),
        ["· a", "  depends-on p", "    contradicts o", "      supports e"],
    ),
}


@every_row(("text", "ask", "name", "depth", "tree"), TREES.values())
def test_a_tree_of_reasons_is_as_deep_as_asked(
    text: str, ask: Callable[..., Branch], name: str, depth: int, tree: list[str]
) -> None:
    assert words(ask(corpus_of_shorthand(text), name, depth=depth)) == tree


def test_a_line_is_near_what_speaks_for_a_twin_and_not_what_is_superseded() -> None:
    corpus = corpus_of_notes(
        references=BOOKS,
        a=CLAIM.format("A", ""),
        b=CLAIM.format("B", "- same-as:: [[a]]"),
        e=evidence_text("old", "supports:: [[b]]"),
        f=evidence_text("none", "supports:: [[a]]"),
        g=evidence_text("new", "supersedes:: [[f]]"),
        asked="---\ntype: line\nproposition: a\n---\n\n# A?\n\nAsked.\n",
    )
    assert LineScope(corpus, corpus.lines["asked"]).members_and_reasons == ("a", "b", "e")
    assert view_line(corpus, "asked").sources == ("old",)


def test_against_counts_undercuts_and_mutual_contradictions() -> None:
    corpus = corpus_of_notes(
        a=CLAIM.format("A", "- contradicts:: [[e]] (mutual:: yes)"),
        b=CLAIM.format("B", "- supports:: [[a]] ^b"),
        c=CLAIM.format("C", "- qualifies:: [[a]]"),
        d=CLAIM.format("D", "- undercuts:: [[b#^b]]"),
        e=CLAIM.format("E", ""),
        f=CLAIM.format("F", "- supports:: [[e]]"),
    )
    assert words(against(corpus, "a")) == [
        "· a",
        "  qualifies c",
        "  contradicts e",
        "    supports f",
        "  undercuts d",
    ]


def test_evidence_is_not_said_to_rest_on_none() -> None:
    corpus = corpus_of_notes(
        references=BOOKS, a=CLAIM.format("A", ""), e=evidence_text("old", "supports:: [[a]]")
    )
    assert why(corpus, "e").amount_of_evidence == "is evidence itself; no other supports it"
    assert why(corpus, "a").amount_of_evidence == "rests on 1 item from 1 separate group"
    backed = corpus_of_notes(
        references=BOOKS, e=evidence_text("old", ""), f=evidence_text("old", "supports:: [[e]]")
    )
    assert why(backed, "e").amount_of_evidence == "rests on 1 item from 1 separate group"


def test_an_id_of_another_kind_of_record_is_refused_with_its_kind() -> None:
    corpus = corpus_of_notes(
        references=BOOKS,
        a=CLAIM.format("A", ""),
        e=evidence_text("old", "supports:: [[a]]"),
        line="---\ntype: line\nproposition: a\n---\n\n# Q?\n\n- optimist:: [[a]]\n",
    )
    with pytest.raises(UnknownId, match=r"that is an inquiry line, which weighs a$"):
        corpus.statement("line")
    with pytest.raises(UnknownId, match=r"that is a source$"):
        corpus.statement("old")
    with pytest.raises(UnknownId, match=r"that is a piece of evidence$"):
        corpus.source("e")
    with pytest.raises(UnknownId, match=r"no inquiry line 'other' in the corpus, which has line$"):
        corpus.line("other")


def test_a_line_is_taken_as_what_it_weighs() -> None:
    line = "---\ntype: line\n{}---\n\n# Q?\n\n- optimist:: [[a]]\n"
    corpus = corpus_of_notes(
        references=BOOKS,
        a=CLAIM.format("A", ""),
        b=CLAIM.format("B", "- contradicts:: [[a]]"),
        e=evidence_text("old", "supports:: [[a]]"),
        line=line.format("proposition: a\n"),
        open=line.format(""),
    )
    assert why(corpus, "line") == why(corpus, "a")
    assert against(corpus, "line") == against(corpus, "a")
    assert path(corpus, "e", "line") == path(corpus, "e", "a")
    assert compare(corpus, "line", "b") == compare(corpus, "a", "b")
    with pytest.raises(UnknownId, match=r"that is an inquiry line$"):
        why(corpus, "open")


def test_trees_print_titles_reasons_and_how_much_they_rest_on() -> None:
    corpus = small_debate()
    assert str(why(corpus, "a")) == (
        "Talk grounds  [a]\n  rests on 1 item from 1 separate group\n"
        "  supports: E [@old]  [e] @old (undercut by d)\n    it was tried"
    )
    assert str(against(corpus, "a")).startswith("Talk grounds  [a]\n  against it: no evidence\n")
    assert repr(why(corpus, "d")) == "D  [d]\n  rests on no evidence"


def test_trees_are_rows_with_depths_and_parents() -> None:
    corpus = corpus_of_shorthand(
        "claim a\nclaim b\nevidence e .6 @s\nevidence f .6 @t\nb supports a\ne supports b\n"
        "f contradicts a\nf supports b"
    )
    for tree in (why(corpus, "a"), against(corpus, "a")):
        rows = list(csv.DictReader(io.StringIO(tree.to_csv())))
        assert [int(row["depth"]) for row in rows] == [depth for depth, _ in tree.walk()]
        pairs = [
            (tree.statement, below.statement) for _, tree in tree.walk() for below in tree.branches
        ]
        assert sorted((row["parent"], row["statement"]) for row in rows[1:]) == sorted(pairs)
        assert rows[0]["parent"] == ""
        assert [each.strip().startswith("- ") for each in tree.to_markdown().splitlines()] == [
            True
        ] * len(rows)
        assert len(tree.to_frame("pandas")) == len(rows)


def test_notebooks_get_links_and_drawings_and_nothing_that_runs() -> None:
    corpus = replace(small_debate(), folder=NotesFolder.from_path("my notes"))
    output = (
        against(corpus, "a"),
        path(corpus, "e", "b"),
        compare(corpus, "a", "b"),
        text_index(corpus).search("grounds OR alert OR tried"),
    )
    for answer in output:
        html = answer._repr_html_()
        assert '<a href="my%20notes/a.md">' in html
        assert "<script" not in html
        assert "<i>" not in html
    for answer in output[:3]:
        assert "<svg" in answer._repr_html_()


def test_drawings_have_the_colours_of_the_corpus() -> None:
    camps = Config(camps=(Camp(id="optimist", label="Of ours", colour="#123456"),))
    head = "---\ntype: claim\ncamp: optimist\n---\n\n"
    corpus = corpus_of_notes(
        config=camps, a=f"{head}# A\n\n- supports:: [[b]]\n", b=CLAIM.format("B", "")
    )
    assert 'fill="#123456"' in why(corpus, "b")._repr_html_()


def test_what_is_superseded_says_that_it_counts_for_nothing() -> None:
    tree = why(
        corpus_of_notes(
            a="---\ntype: claim\n---\n# A\n",
            old="---\ntype: evidence\n---\n# Old\n\n- supports:: [[a]]\n",
            new="---\ntype: evidence\n---\n# New\n\n- supersedes:: [[old]]\n",
        ),
        "a",
    )
    assert "Old  [old] (superseded by new, so it does not count)" in str(tree)


def test_what_counts_for_a_premise_is_said() -> None:
    text, *_ = TREES["a premise that evidence speaks against"]
    counted_text = "against what it depends on: 1 item from 1 separate group"
    assert (
        against(corpus_of_shorthand(text), "a").amount_of_evidence
        == f"against it: no evidence; {counted_text}"
    )
