"""The years of a case: what each adds and takes, and their picture."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from matplotlib import pyplot

import kg
from kg.queries.reason_trees import against, why
from kg.queries.support_groups import support_of
from kg.queries.timeline import timeline
from tests.queries.dated_notes import BOOKS, CLAIM, evidence_text
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row
from tests.support.shorthand import corpus_of_shorthand

NOTES = """
claim q
evidence a .6 @s
evidence b .6 @t
evidence c .6 @u
a supports q
b supports q
c contradicts q
"""


@pytest.fixture(autouse=True)
def figures() -> Iterator[None]:
    yield
    pyplot.close("all")


def test_a_timeline_is_drawn_year_by_year() -> None:
    by_year = timeline(corpus_of_shorthand(NOTES, years={"s": 2001, "t": 2004, "u": 2004}), "q")
    ax = by_year.plot()
    steps, counts = ax.lines[0], ax.figure.axes[1].patches
    assert list(steps.get_xdata()) == [year.year for year in by_year.years] == [2001, 2004]
    assert list(steps.get_ydata()) == [year.strength for year in by_year.years]
    assert [bar.get_height() for bar in counts] == [1, 1, 0, -1]
    assert ax.get_title(loc="left") == "Claim q"
    first = by_year.years[0]
    assert f"{first.strength:.3f}" == first.cells()[-1] != ""
    assert first.cells()[:3] == ("2001", "+1", "+0")


def test_a_timeline_without_years_says_so() -> None:
    (text,) = timeline(corpus_of_shorthand("claim q\n"), "q").plot().texts
    assert text.get_text() == "no evidence that bears on it has a year"


def test_a_timeline_can_be_drawn_on_given_axes() -> None:
    ax = pyplot.subplots()[1]
    assert timeline(corpus_of_shorthand(NOTES), "q").plot(ax) is ax


def test_a_timeline_has_what_was_added_by_year_and_side() -> None:
    corpus = corpus_of_notes(
        references=BOOKS,
        a=CLAIM.format("A", ""),
        b=CLAIM.format("B", "- contradicts:: [[a]] (strength:: weak)"),
        e1=evidence_text("old", "supports:: [[a]]"),
        e2=evidence_text("new", "supports:: [[a]]"),
        e3=evidence_text("new", "supports:: [[b]]"),
        e4=evidence_text("none", "qualifies:: [[a]]"),
    )
    by_year = timeline(corpus, "a")
    assert [(year.year, year.added_for, year.added_against) for year in by_year.years] == [
        (2019, ("e1",), ()),
        (2024, ("e2",), ("e3",)),
    ]
    assert by_year.undated == ("e4",)
    assert str(by_year.years[1].support) == "2 items from 2 separate groups"
    early, late = (year.strength for year in by_year.years)
    assert early is not None
    assert late is not None
    assert early != late


def test_objections_to_what_supports_a_statement_are_against_it() -> None:
    corpus = corpus_of_notes(
        references=BOOKS,
        a=CLAIM.format("A", ""),
        b=CLAIM.format("B", "- supports:: [[a]] ^b"),
        c=CLAIM.format("C", "- undercuts:: [[b#^b]]"),
        e1=evidence_text("old", "supports:: [[b]]"),
        e2=evidence_text("new", "contradicts:: [[b]]"),
        e3=evidence_text("new", "supports:: [[c]]"),
    )
    first, last = timeline(corpus, "a").years
    assert (first.added_for, first.added_against) == (("e1",), ())
    assert (last.added_for, {*last.added_against}) == ((), {"e2", "e3"})
    assert first.strength is not None
    assert last.strength is not None
    assert last.strength < first.strength


def test_strength_without_later_evidence_is_that_of_a_corpus_without_it() -> None:
    from kg.reasoning import strengths

    notes = {
        "a": CLAIM.format("A", ""),
        "e1": evidence_text("old", "supports:: [[a]] ^e"),
        "c": CLAIM.format("C", "- undercuts:: [[e2#^e]]"),
    }
    late = {"e2": evidence_text("new", "supports:: [[a]] ^e")}
    earlier = corpus_of_notes(references=BOOKS, **notes)
    corpus = corpus_of_notes(references=BOOKS, **notes, **late)
    first, last = timeline(corpus, "a").years
    assert first.strength == strengths(earlier)["a"]
    assert last.strength == strengths(corpus)["a"]


@every_row(("writer", "partner"), [("p", "r"), ("r", "p")])
def test_a_joint_objection_comes_whole_whoever_writes_it(writer: str, partner: str) -> None:
    claims = dict.fromkeys(("t", "p", "r"), "---\ntype: claim\n---\n# A\n")
    claims[writer] += f"\n- contradicts:: [[t]] with [[{partner}]]\n"
    corpus = corpus_of_notes(
        **claims,
        e="---\ntype: evidence\nquality: 0.9\n---\n# E [@k1]\n\n- supports:: [[p]]\n",
        f="---\ntype: evidence\nquality: 0.5\n---\n# F [@k2]\n\n- supports:: [[r]]\n",
        references="@misc{k1, title={K}, year={2001}}\n@misc{k2, title={L}, year={2002}}",
    )
    first, last = timeline(corpus, "t").years
    assert (first.year, first.strength) == (2001, 0.5)
    assert (last.year, last.strength) == (2002, kg.strengths(corpus)["t"])
    assert (first.added_against, last.added_against) == (("e",), ("f",))


def test_what_is_superseded_is_not_counted_as_evidence() -> None:
    text = "claim q\nclaim r\nevidence e .6 @s\nevidence f .6 @t\nevidence g .6 @u\ne supports q\n"
    text += "f supports q\nr contradicts q\ng supports r\n"
    later = "claim n\nn supersedes f\nclaim m\nm supersedes r\n"
    before, after = corpus_of_shorthand(text), corpus_of_shorthand(text + later)
    assert [len(support_of(each, "q").evidence) for each in (before, after)] == [2, 1]
    assert [against(each, "q").amount_of_evidence for each in (before, after)] == [
        "against it: 1 item from 1 separate group",
        "against it: no evidence",
    ]
    counted_items = [timeline(each, "q").years[-1] for each in (before, after)]
    assert [(len(y.support.evidence), len(y.opposition.evidence)) for y in counted_items] == [
        (2, 1),
        (1, 0),
    ]


def test_against_and_timeline_count_the_same() -> None:
    text = "claim q\nclaim a\nclaim o\na supports q\no contradicts q\n"
    text += "evidence e .6 @s\ne supports a\nevidence f .6 @t\nf supports o\n"
    deep = "evidence g .6 @u\ng contradicts a\nevidence h .6 @v\nh undercuts e>a\n"
    assert (
        against(corpus_of_shorthand(text), "q").amount_of_evidence
        == "against it: 1 item from 1 separate group"
    )
    corpus = corpus_of_shorthand(text + deep)
    whole_text = "3 items from 3 separate groups"
    assert against(corpus, "q").amount_of_evidence == (
        f"against it: 1 item from 1 separate group; against it or a reason for it: {whole_text}"
    )
    last = timeline(corpus, "q").years[-1]
    assert (str(last.opposition), {*last.added_against}) == (whole_text, {"f", "g", "h"})
    assert (
        against(corpus, "q", depth=1).amount_of_evidence == against(corpus, "q").amount_of_evidence
    )


def test_what_is_said_to_be_the_same_has_one_history() -> None:
    text = "claim q\nclaim r\nr same-as q\nclaim o\no contradicts r\nline l q\n"
    text += "evidence e .6 @s\ne supports q\nevidence f .8 @t @u\nf supports r\n"
    corpus = corpus_of_shorthand(
        text + "evidence g .3 @v\ng supports o\n", years={"t": 2021, "u": 2023}
    )
    first, last = (timeline(corpus, "l").years[position] for position in (0, -1))
    assert (first.added_for, first.added_against) == (("e",), ("g",))
    assert (last.year, last.added_for) == (2023, ("f",))
    assert last.strength == kg.verdict(corpus, "q").strength
    for name, other in (("q", "r"), ("r", "q")):
        assert why(corpus, name).amount_of_evidence == (
            f"one statement with {other}; rests on 2 items from 2 separate groups"
        )
        assert {branch.statement for branch in why(corpus, name).branches} == {"e", "f"}


OLD = "claim q\nevidence old .6 @s\nold supports q\n"
NEW = "evidence new .8 @t\nnew supersedes old\n"
YEARS = {
    "what supersedes later": (
        *(f"{OLD}{NEW}new supports q\n", 2019, 2023, "q"),
        [(2019, ("old",), (), ("old",)), (2023, ("new",), (), ("new",))],
    ),
    "what superseded before": (
        *(f"{OLD}{NEW}new supports q\n", 2023, 2019, "q"),
        [(2019, ("new",), (), ("new",))],
    ),
    "what supersedes and says nothing": (
        *(OLD + NEW, 2019, 2023, "q"),
        [(2019, ("old",), (), ("old",)), (2023, (), (), ())],
    ),
    "a superseding claim is as old as what it cites": (
        *(f"{OLD}claim new @t\nnew supersedes old\n", 2019, 2023, "q"),
        [(2019, ("old",), (), ("old",)), (2023, (), (), ())],
    ),
    "evidence has a history of its own": (
        *("evidence e .6 @s\nevidence f .5 @t\nf supports e\n", 2023, 2019, "e"),
        [(2019, ("f",), (), ("f",))],
    ),
    "what speaks on both sides": (
        "claim q\nclaim o\no contradicts q\nevidence e .6 @s\ne supports q\ne supports o\n",
        *(2019, 2023, "q"),
        [(2019, ("e",), ("e",), ("e",))],
    ),
}


@every_row(("text", "s", "t", "name", "years"), YEARS.values())
def test_a_year_holds_the_evidence_added_in_it_on_each_side(
    text: str, s: int, t: int, name: str, years: list[object]
) -> None:
    by_year = timeline(corpus_of_shorthand(text, years={"s": s, "t": t}), name).years
    rows = [(y.year, y.added_for, y.added_against, y.support.evidence) for y in by_year]
    assert rows == years
    strengths = [year.strength for year in by_year]
    assert len({*strengths}) == len(strengths), "what is added or superseded moves it"


def test_joint_evidence_counts_from_the_year_of_its_last_part() -> None:
    corpus = corpus_of_notes(
        references="@misc{s, title={S}, year={2001}}\n@misc{t, title={T}, year={2002}}",
        q=CLAIM.format("Q", ""),
        e=evidence_text("s", "supports:: [[q]] with [[f]]"),
        f=evidence_text("t", "relates:: [[q]]"),
    )
    (only,) = timeline(corpus, "q").years
    assert (only.year, {*only.support.evidence}) == (2002, {"e", "f"})


def test_what_counts_on_both_sides_is_said() -> None:
    text, *_ = YEARS["what speaks on both sides"]
    assert "for it and against it, so in both columns: 1 item" in str(
        timeline(corpus_of_shorthand(text), "q")
    )
