"""Trees of reasons, chains of edges, two statements side by side, and the years of a case."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import replace

import pytest

import kg
from kg.corpus import Corpus, UnknownId
from kg.files.read import NotesFolder
from kg.model.config import Camp, Config
from kg.queries.comparison import LineComparison, compare
from kg.queries.conditions.support_groups import support_of
from kg.queries.explain import Branch, against, path, why
from kg.queries.line_view import LineScope, view_line
from kg.queries.search_text import text_index
from kg.queries.timeline import timeline
from tests.support.written import read

Make = Callable[..., Corpus]
CLAIM = "---\ntype: claim\n---\n\n# {0}\n\n{1}\n"
BOOKS = (
    "@misc{old, title={O}, year={2019}}\n@misc{new, title={N}, year={2024}}\n@misc{none, title={X}}"
)


def item(cited: str, edge: str) -> str:
    return f"---\ntype: evidence\nmethod: experiment\n---\n\n# E [@{cited}]\n\n- {edge}\n"


def told(tree: Branch) -> list[str]:
    return [
        f"{'  ' * depth}{branch.edge.relation if branch.edge else '·'} {branch.statement}"
        + (" (seen)" if branch.seen else "")
        + "".join(f" /{edge.source}" for edge in branch.denied)
        for depth, branch in tree.walk()
    ]


def test_why_follows_support_and_marks_what_is_denied(corpus_of: Make) -> None:
    corpus = corpus_of(
        a=CLAIM.format("A", ""),
        b=CLAIM.format("B", "- supports:: [[a]] ^b"),
        c=CLAIM.format("C", "- supports:: [[b]]\n- supports:: [[a]]"),
        d=CLAIM.format("D", "- undercuts:: [[b#^b]]"),
    )
    assert told(why(corpus, "a")) == [
        "· a",
        "  supports b /d",
        "    supports c",
        "  supports c (seen)",
    ]
    assert told(why(corpus, "a", depth=1)) == ["· a", "  supports b /d", "  supports c"]


def test_why_does_not_mark_what_is_denied_by_something_superseded(corpus_of: Make) -> None:
    corpus = corpus_of(
        a=CLAIM.format("A", ""),
        b=CLAIM.format("B", "- supports:: [[a]] ^b"),
        d=CLAIM.format("D", "- undercuts:: [[b#^b]]"),
        e=CLAIM.format("E", "- supersedes:: [[d]]"),
    )
    assert told(why(corpus, "a")) == ["· a", "  supports b"]


def test_a_line_is_near_what_speaks_for_a_twin_and_not_what_is_superseded(corpus_of: Make) -> None:
    corpus = corpus_of(
        references=BOOKS,
        a=CLAIM.format("A", ""),
        b=CLAIM.format("B", "- same-as:: [[a]]"),
        e=item("old", "supports:: [[b]]"),
        f=item("none", "supports:: [[a]]"),
        g=item("new", "supersedes:: [[f]]"),
        asked="---\ntype: line\nproposition: a\n---\n\n# A?\n\nAsked.\n",
    )
    assert LineScope(corpus, corpus.lines["asked"]).near == ("a", "b", "e")
    assert view_line(corpus, "asked").sources == ("old",)


def test_against_counts_undercuts_and_mutual_contradictions(corpus_of: Make) -> None:
    corpus = corpus_of(
        a=CLAIM.format("A", "- contradicts:: [[e]] (mutual:: yes)"),
        b=CLAIM.format("B", "- supports:: [[a]] ^b"),
        c=CLAIM.format("C", "- qualifies:: [[a]]"),
        d=CLAIM.format("D", "- undercuts:: [[b#^b]]"),
        e=CLAIM.format("E", ""),
        f=CLAIM.format("F", "- supports:: [[e]]"),
    )
    assert told(against(corpus, "a")) == [
        "· a",
        "  qualifies c",
        "  contradicts e",
        "    supports f",
        "  undercuts d",
    ]


def test_against_lists_a_premise_that_evidence_speaks_against() -> None:
    said = "claim q\nclaim p\nclaim s\nq depends-on p\nq depends-on s\nclaim o\n"
    said += "evidence e .6 @x\ne supports o\no contradicts p\n"
    tree = against(read(said), "q")
    assert told(tree) == ["· q", "  depends-on p", "    contradicts o", "      supports e"]
    counted = "against what it depends on: 1 item from 1 separate group"
    assert tree.weight == f"against it: no evidence; {counted}"


def test_evidence_is_not_said_to_rest_on_none(corpus_of: Make) -> None:
    corpus = corpus_of(references=BOOKS, a=CLAIM.format("A", ""), e=item("old", "supports:: [[a]]"))
    assert why(corpus, "e").weight == "is evidence itself; no other supports it"
    assert why(corpus, "a").weight == "rests on 1 item from 1 separate group"


def test_circles_end(corpus_of: Make) -> None:
    corpus = corpus_of(
        a=CLAIM.format("A", "- supports:: [[b]]"), b=CLAIM.format("B", "- supports:: [[a]]")
    )
    assert told(why(corpus, "a")) == ["· a", "  supports b", "    supports a (seen)"]


def test_a_path_may_go_against_edges_and_through_undercuts(corpus_of: Make) -> None:
    corpus = corpus_of(
        a=CLAIM.format("A", ""),
        b=CLAIM.format("B", "- supports:: [[a]] ^b"),
        c=CLAIM.format("C", "- undercuts:: [[b#^b]]"),
        d=CLAIM.format("D", "- contradicts:: [[c]]"),
        lone=CLAIM.format("Lone", ""),
    )
    route = path(corpus, "a", "d")
    assert route is not None
    assert [edge.source for edge in route.edges] == ["c", "d"]
    assert path(corpus, "a", "lone") is None
    same = path(corpus, "a", "a")
    assert same is not None
    assert same.edges == ()
    with pytest.raises(UnknownId, match="did you mean lone"):
        path(corpus, "a", "lonee")


def test_an_id_of_another_sort_is_told_as_what_it_is(corpus_of: Make) -> None:
    corpus = corpus_of(
        references=BOOKS,
        a=CLAIM.format("A", ""),
        e=item("old", "supports:: [[a]]"),
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


def test_a_line_is_taken_as_what_it_weighs(corpus_of: Make) -> None:
    line = "---\ntype: line\n{}---\n\n# Q?\n\n- optimist:: [[a]]\n"
    corpus = corpus_of(
        references=BOOKS,
        a=CLAIM.format("A", ""),
        b=CLAIM.format("B", "- contradicts:: [[a]]"),
        e=item("old", "supports:: [[a]]"),
        line=line.format("proposition: a\n"),
        open=line.format(""),
    )
    assert why(corpus, "line") == why(corpus, "a")
    assert against(corpus, "line") == against(corpus, "a")
    assert path(corpus, "e", "line") == path(corpus, "e", "a")
    assert compare(corpus, "line", "b") == compare(corpus, "a", "b")
    with pytest.raises(UnknownId, match=r"that is an inquiry line$"):
        why(corpus, "open")


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


def test_compare(corpus_of: Make) -> None:
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


def test_timeline(corpus_of: Make) -> None:
    corpus = corpus_of(
        references=BOOKS,
        a=CLAIM.format("A", ""),
        b=CLAIM.format("B", "- contradicts:: [[a]] (strength:: weak)"),
        e1=item("old", "supports:: [[a]]"),
        e2=item("new", "supports:: [[a]]"),
        e3=item("new", "supports:: [[b]]"),
        e4=item("none", "qualifies:: [[a]]"),
    )
    found = timeline(corpus, "a")
    assert [(year.year, year.added_for, year.added_against) for year in found.years] == [
        (2019, ("e1",), ()),
        (2024, ("e2",), ("e3",)),
    ]
    assert found.undated == ("e4",)
    assert str(found.years[1].support) == "2 items from 2 separate groups"
    early, late = (year.strength for year in found.years)
    assert early is not None
    assert late is not None
    assert early != late


def test_what_is_said_to_be_the_same_has_one_history() -> None:
    said = "claim q\nclaim r\nr same-as q\nclaim o\no contradicts r\nline l q\n"
    said += "evidence e .6 @s\ne supports q\nevidence f .8 @t @u\nf supports r\n"
    corpus = read(said + "evidence g .3 @v\ng supports o\n", years={"t": 2021, "u": 2023})
    first, last = (timeline(corpus, "l").years[at] for at in (0, -1))
    assert (first.added_for, first.added_against) == (("e",), ("g",))
    assert (last.year, last.added_for) == (2023, ("f",))
    assert last.strength == kg.verdict(corpus, "q").strength
    for name, other in (("q", "r"), ("r", "q")):
        assert why(corpus, name).weight == (
            f"one statement with {other}; rests on 2 items from 2 separate groups"
        )
        assert {branch.statement for branch in why(corpus, name).branches} == {"e", "f"}


def test_objections_to_what_supports_a_statement_are_against_it(corpus_of: Make) -> None:
    corpus = corpus_of(
        references=BOOKS,
        a=CLAIM.format("A", ""),
        b=CLAIM.format("B", "- supports:: [[a]] ^b"),
        c=CLAIM.format("C", "- undercuts:: [[b#^b]]"),
        e1=item("old", "supports:: [[b]]"),
        e2=item("new", "contradicts:: [[b]]"),
        e3=item("new", "supports:: [[c]]"),
    )
    first, last = timeline(corpus, "a").years
    assert (first.added_for, first.added_against) == (("e1",), ())
    assert (last.added_for, {*last.added_against}) == ((), {"e2", "e3"})
    assert first.strength is not None
    assert last.strength is not None
    assert last.strength < first.strength


def test_strength_without_later_evidence_is_that_of_a_corpus_without_it(corpus_of: Make) -> None:
    from kg.reasoning import strengths

    notes = {
        "a": CLAIM.format("A", ""),
        "e1": item("old", "supports:: [[a]] ^e"),
        "c": CLAIM.format("C", "- undercuts:: [[e2#^e]]"),
    }
    late = {"e2": item("new", "supports:: [[a]] ^e")}
    earlier = corpus_of(references=BOOKS, **notes)
    now = corpus_of(references=BOOKS, **notes, **late)
    first, last = timeline(now, "a").years
    assert first.strength == strengths(earlier)["a"]
    assert last.strength == strengths(now)["a"]


HOSTILE = "<script>alert(1)</script> [a](javascript:x)"


def small(corpus_of: Make) -> Corpus:
    return corpus_of(
        references=BOOKS,
        a="---\ntype: claim\ncamp: optimist\n---\n\n# Talk grounds\n",
        b=CLAIM.format(HOSTILE, "- contradicts:: [[a]] — it <i>does</i> not"),
        e=item("old", "supports:: [[a]] — it was tried ^e"),
        d=CLAIM.format("D", "- undercuts:: [[e#^e]]"),
    )


def test_trees_print_titles_reasons_and_how_much_they_rest_on(corpus_of: Make) -> None:
    corpus = small(corpus_of)
    assert str(why(corpus, "a")) == (
        "Talk grounds  [a]\n  rests on 1 item from 1 separate group\n"
        "  supports: E [@old]  [e] @old (undercut by d)\n    it was tried"
    )
    assert str(against(corpus, "a")).startswith("Talk grounds  [a]\n  against it: no evidence\n")
    assert repr(why(corpus, "d")) == "D  [d]\n  rests on no evidence"


def test_trees_are_rows_with_depths_and_parents() -> None:
    corpus = read(
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


def test_a_route_prints_as_a_chain(corpus_of: Make) -> None:
    assert str(path(small(corpus_of), "e", "b")) == (
        "E [@old]  [e]\n  supports — it was tried\nTalk grounds  [a]\n"
        f"  contradicted by — it <i>does</i> not\n{HOSTILE}  [b]"
    )


def test_comparisons_and_timelines_print_what_they_count(corpus_of: Make) -> None:
    corpus = small(corpus_of)
    told = str(compare(corpus, "a", "b"))
    assert "Talk grounds  [a] — optimist, 1 item from 1 separate group\n" in told
    assert "Between them\nfrom  relation     to  reason\nb     contradicts  a " in told
    assert "2019  +1   +0       1 item from 1 separate group" in str(timeline(corpus, "a"))
    assert str(timeline(corpus, "d")) == "D  [d]\nno evidence bears on it"


def test_notebooks_get_links_and_drawings_and_nothing_that_runs(corpus_of: Make) -> None:
    corpus = replace(small(corpus_of), folder=NotesFolder.of("my notes"))
    shown = (
        against(corpus, "a"),
        path(corpus, "e", "b"),
        compare(corpus, "a", "b"),
        text_index(corpus).search("grounds OR alert OR tried"),
    )
    for answer in shown:
        html = answer._repr_html_()
        assert '<a href="my%20notes/a.md">' in html
        assert "<script" not in html
        assert "<i>" not in html
    for answer in shown[:3]:
        assert "<svg" in answer._repr_html_()


def test_drawings_have_the_colours_of_the_corpus(corpus_of: Make) -> None:
    camps = Config(camps=(Camp(id="optimist", label="Of ours", colour="#123456"),))
    head = "---\ntype: claim\ncamp: optimist\n---\n\n"
    corpus = corpus_of(
        config=camps, a=f"{head}# A\n\n- supports:: [[b]]\n", b=CLAIM.format("B", "")
    )
    assert 'fill="#123456"' in why(corpus, "b")._repr_html_()


def test_what_is_superseded_says_that_it_counts_for_nothing(
    corpus_of: Callable[..., Corpus],
) -> None:
    found = why(
        corpus_of(
            a="---\ntype: claim\n---\n# A\n",
            old="---\ntype: evidence\n---\n# Old\n\n- supports:: [[a]]\n",
            new="---\ntype: evidence\n---\n# New\n\n- supersedes:: [[old]]\n",
        ),
        "a",
    )
    assert "Old  [old] (superseded by new, so it counts for nothing)" in str(found)


@pytest.mark.parametrize(("writer", "partner"), [("p", "r"), ("r", "p")])
def test_a_joint_objection_comes_whole_whoever_writes_it(
    writer: str, partner: str, corpus_of: Callable[..., Corpus]
) -> None:
    claims = dict.fromkeys(("t", "p", "r"), "---\ntype: claim\n---\n# A\n")
    claims[writer] += f"\n- contradicts:: [[t]] with [[{partner}]]\n"
    found = corpus_of(
        **claims,
        e="---\ntype: evidence\nquality: 0.9\n---\n# E [@k1]\n\n- supports:: [[p]]\n",
        f="---\ntype: evidence\nquality: 0.5\n---\n# F [@k2]\n\n- supports:: [[r]]\n",
        references="@misc{k1, title={K}, year={2001}}\n@misc{k2, title={L}, year={2002}}",
    )
    first, last = timeline(found, "t").years
    assert (first.year, first.strength) == (2001, 0.5)
    assert (last.year, last.strength) == (2002, kg.strengths(found)["t"])
    assert (first.added_against, last.added_against) == (("e",), ("f",))


def test_what_is_superseded_is_not_counted_as_evidence() -> None:
    said = "claim q\nclaim r\nevidence e .6 @s\nevidence f .6 @t\nevidence g .6 @u\ne supports q\n"
    said += "f supports q\nr contradicts q\ng supports r\n"
    later = "claim n\nn supersedes f\nclaim m\nm supersedes r\n"
    before, after = read(said), read(said + later)
    assert [len(support_of(each, "q").evidence) for each in (before, after)] == [2, 1]
    assert [against(each, "q").weight for each in (before, after)] == [
        "against it: 1 item from 1 separate group",
        "against it: no evidence",
    ]
    counted = [timeline(each, "q").years[-1] for each in (before, after)]
    assert [(len(y.support.evidence), len(y.opposition.evidence)) for y in counted] == [
        (2, 1),
        (1, 0),
    ]


def test_against_and_timeline_count_the_same() -> None:
    said = "claim q\nclaim a\nclaim o\na supports q\no contradicts q\n"
    said += "evidence e .6 @s\ne supports a\nevidence f .6 @t\nf supports o\n"
    deep = "evidence g .6 @u\ng contradicts a\nevidence h .6 @v\nh undercuts e>a\n"
    assert against(read(said), "q").weight == "against it: 1 item from 1 separate group"
    found = read(said + deep)
    whole = "3 items from 3 separate groups"
    assert against(found, "q").weight == (
        f"against it: 1 item from 1 separate group; against it or a reason for it: {whole}"
    )
    last = timeline(found, "q").years[-1]
    assert (str(last.opposition), {*last.added_against}) == (whole, {"f", "g", "h"})
    assert against(found, "q", depth=1).weight == against(found, "q").weight


def test_what_speaks_on_both_sides_is_in_both_columns() -> None:
    said = "claim q\nclaim o\no contradicts q\nevidence e .6 @s\ne supports q\ne supports o\n"
    found = timeline(read(said), "q")
    assert (found.years[0].added_for, found.years[0].added_against) == (("e",), ("e",))
    assert "for it and against it, so in both columns: 1 item" in str(found)


def test_in_a_year_only_what_was_there_supersedes() -> None:
    said = "claim q\nevidence old .6 @s\nold supports q\nevidence new .8 @t\nnew supports q\n"
    said += "new supersedes old\n"
    first, last = timeline(read(said, years={"s": 2019, "t": 2023}), "q").years
    assert (first.year, first.added_for, first.support.evidence) == (2019, ("old",), ("old",))
    assert (last.year, last.added_for, last.support.evidence) == (2023, ("new",), ("new",))
    (only,) = timeline(read(said, years={"s": 2023, "t": 2019}), "q").years
    assert (only.year, only.support.evidence) == (2019, ("new",))
    silent = said.replace("new supports q\n", "")
    first, last = timeline(read(silent, years={"s": 2019, "t": 2023}), "q").years
    assert (first.support.evidence, last.year, last.support.evidence) == (("old",), 2023, ())
    assert first.strength != last.strength == 0.5


def test_a_superseding_claim_is_as_old_as_what_it_cites() -> None:
    said = "claim q\nevidence old .6 @s\nold supports q\nclaim new @t\nnew supersedes old\n"
    first, last = timeline(read(said, years={"s": 2019, "t": 2023}), "q").years
    assert (first.support.evidence, last.year, last.support.evidence) == (("old",), 2023, ())


def test_evidence_has_a_history_of_its_own() -> None:
    said = "evidence e .6 @s\nevidence f .5 @t\nf supports e\n"
    (only,) = timeline(read(said, years={"s": 2023, "t": 2019}), "e").years
    assert (only.year, only.added_for) == (2019, ("f",))
