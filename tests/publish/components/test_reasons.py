"""Reasons as lists and trees, and what changes how a statement counts.

Of `kg/publish/page_builder.py`, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from kg.corpus import Corpus
from kg.corpus.reasons_for_and_against import reasons_by_side
from kg.publish.components.reasons import (
    WITH_WORDS,
    effects_on_others,
    nats_of,
    other_edges,
    reason_tree,
    sort_by_weight,
    undercut_loss,
    weightless_links,
)
from kg.publish.components.statement_lists import (
    contradiction_remarks,
)
from kg.publish.markup.html import join
from tests.support.corpora import corpus_of_notes
from tests.support.note_texts import builder_of, claim_text, evidence_text, visible_text

CorpusOf = Callable[..., Corpus]


def test_the_heaviest_reason_comes_first_whatever_its_side() -> None:
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        slight=evidence_text("Slight", 0.1, "supports:: [[asked]]"),
        heavy=evidence_text("Heavy", 0.9, "contradicts:: [[asked]]"),
        middling=evidence_text("Middling", 0.5, "supports:: [[asked]]"),
    )
    builder = builder_of(corpus)
    ranked = sort_by_weight(builder, reasons_by_side(corpus, "asked").both)
    assert [reason.origin for reason in ranked] == ["heavy", "middling", "slight"]


def test_the_lightest_of_many_reasons_are_links_alone() -> None:
    reasons = {
        f"n{number:02}": evidence_text(f"N{number:02}", 0.5, "supports:: [[asked]] — because of it")
        for number in range(WITH_WORDS + 2)
    }
    corpus = corpus_of_notes(asked=claim_text("Asked", "optimist"), **reasons)
    html = reason_tree(builder_of(corpus), reasons_by_side(corpus, "asked").pro, "asked")
    assert html is not None
    text = visible_text(html)
    assert text.count("Because of it.") == WITH_WORDS
    assert all(f"N{number:02}" in text for number in range(WITH_WORDS + 2))
    assert reason_tree(builder_of(corpus), [], "asked") is None


def test_a_reason_that_qualifies_is_said_to_limit_what_the_page_is_about() -> None:
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist", "qualifies:: [[other]]"),
        other=claim_text("Other", "optimist"),
        con=evidence_text("Con", 0.6, "qualifies:: [[asked]]"),
    )
    builder = builder_of(corpus)
    reasons = reason_tree(builder, reasons_by_side(corpus, "asked").con, "asked")
    assert visible_text(reasons or "").startswith("limits it Con")
    assert visible_text(effects_on_others(builder, "asked") or "").startswith("limits Other")


def test_a_reason_that_is_recorded_at_a_twin_says_so() -> None:
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        again=claim_text("Again", "optimist", "same-as:: [[asked]]"),
        pro=evidence_text("Pro", 0.6, "supports:: [[again]]"),
    )
    trees = {
        id: visible_text(reason_tree(builder_of(corpus), reasons_by_side(corpus, id).pro, id) or "")
        for id in ("asked", "again")
    }
    assert "recorded at Again" in trees["asked"]
    assert "recorded at" not in trees["again"]


def test_each_direction_of_a_mutual_edge_has_a_share_of_its_own() -> None:
    corpus = corpus_of_notes(
        strong=claim_text("Strong", "optimist", "contradicts:: [[weak]] (mutual:: yes)"),
        weak=claim_text("Weak", "skeptic"),
        pro=evidence_text("Pro", 0.9, "supports:: [[strong]]"),
        con=evidence_text("Con", 0.2, "supports:: [[weak]]"),
    )
    builder = builder_of(corpus)
    (on_weak,), (on_strong,) = (
        reasons_by_side(corpus, "weak").con,
        reasons_by_side(corpus, "strong").con,
    )
    assert nats_of(builder, on_weak) < nats_of(builder, on_strong) <= 0
    weak = reason_tree(builder, [on_weak], "weak")
    assert weak is not None
    assert "adds nothing" not in weak


def test_replies_are_counted_beneath_their_reason_as_on_its_own_page() -> None:
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist", "contradicts:: [[reason]]"),
        reason=claim_text("Reason", "optimist", "supports:: [[asked]]"),
        reply=claim_text("Reply", "skeptic", "contradicts:: [[reason]]"),
    )
    html = reason_tree(builder_of(corpus), reasons_by_side(corpus, "asked").pro, "asked")
    assert html is not None
    link = '<a class="kg-replies" href="statements/reason.html#for-and-against">'
    assert html.partition(link)[2].startswith("Replies to this: 2 have no effect</a>")


def test_a_joint_reason_names_the_other_premises() -> None:
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        one=claim_text(
            "One", "optimist", "supports:: [[asked]] (with:: [[two]]) (scope:: at noon)"
        ),
        two=claim_text("Two", "optimist"),
    )
    for id, other in (("one", "Two"), ("two", "One")):
        both = visible_text(effects_on_others(builder_of(corpus), id) or "")
        assert f"together with {other}" in both
        assert "within: at noon" in both


def test_what_takes_no_side_is_listed_apart() -> None:
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        more=claim_text("More", "optimist", "extends:: [[asked]]"),
        needs=claim_text("Needs", "optimist", "depends-on:: [[asked]]"),
        pro=claim_text("Pro", "optimist", "supports:: [[asked]]"),
    )
    texts = [visible_text(each) for each in other_edges(builder_of(corpus), "asked")]
    assert len(texts) == 1
    assert "Needs" in texts[0]
    idle = visible_text(weightless_links(builder_of(corpus), "asked") or "")
    assert idle.startswith("1 link for neither side")
    assert "More" in idle
    assert "Asked" in visible_text(weightless_links(builder_of(corpus), "more") or "")
    assert weightless_links(builder_of(corpus), "pro") is None


def test_an_objection_to_many_links_is_named_once() -> None:
    corpus = corpus_of_notes(
        one=claim_text("One", "optimist"),
        two=claim_text("Two", "optimist"),
        study=evidence_text("Study", 0.8, "supports:: [[one]] ^a\n- supports:: [[two]] ^b"),
        judge=claim_text(
            "Judge", "skeptic", "undercuts:: [[study#^a]] (weak)", "undercuts:: [[study#^b]] (weak)"
        ),
        ground=evidence_text("Ground", 0.8, "supports:: [[judge]]"),
    )
    text = visible_text(effects_on_others(builder_of(corpus), "study") or "")
    assert text.count("Judge") == 1
    assert "The same objection holds here: so it counts" in text


def test_what_objections_take_is_said_in_words_and_why_where_it_is_nothing() -> None:
    bib = "@book{a, title={A}, author={Ann Doe}, year=2024}\n@book{b, title={B}, author={Bo Li}}"
    corpus = corpus_of_notes(
        references=bib,
        asked=claim_text("Asked", "optimist"),
        heavy=evidence_text("Heavy", 0.8, "supports:: [[asked]] ^one") + "\n[@a]\n",
        light=evidence_text("Light", 0.3, "supports:: [[asked]] ^two") + "\n[@a]\n",
        alone=evidence_text("Alone", 0.4, "supports:: [[asked]] ^three") + "\n[@b]\n",
        bare=claim_text("Bare", "optimist", "supports:: [[asked]] ^four"),
        backed=claim_text(
            "Backed", "skeptic", "undercuts:: [[heavy#^one]]", "undercuts:: [[light#^two]]"
        ),
        ground=evidence_text("Ground", 0.2, "supports:: [[backed]]"),
        idle=claim_text(
            "Idle", "skeptic", "undercuts:: [[alone#^three]]", "undercuts:: [[bare#^four]]"
        ),
    )
    builder = builder_of(corpus)
    remarks = {
        step.origin: visible_text(join("", undercut_loss(builder, step)))
        for step in reasons_by_side(corpus, "asked").pro
    }
    assert re.fullmatch(r"so it counts \d\d% less", remarks["heavy"])
    more = "Heavy (Finding), from the same source, counts instead"
    assert remarks["light"] == f"it does not count here anyway, as {more}"
    assert remarks["alone"] == "yet it counts no less, because the objection itself is not backed"
    assert remarks["bare"].endswith(
        "it does not count here anyway, as Bare (Optimist claim) is not backed itself"
    )


@pytest.mark.parametrize(
    ("count", "idle_count", "label"),
    [
        (1, 1, "1 has no effect"),
        (1, 2, "2 have no effect"),
        (3, 2, "2 have no effect"),
        (4, 12, "12 have no effect"),
    ],
)
def test_reasons_that_add_nothing_are_one_fold_below_the_others(
    count: int,
    idle_count: int,
    label: str,
) -> None:
    idle = {
        f"idle{n}": claim_text(f"Idle {n}", "optimist", "supports:: [[asked]]")
        for n in range(idle_count)
    }
    pro = {f"pro{n}": evidence_text(f"Pro {n}", 0.8, "supports:: [[asked]]") for n in range(count)}
    corpus = corpus_of_notes(asked=claim_text("Asked", "optimist"), **pro, **idle)
    builder = builder_of(corpus)
    reasons = sort_by_weight(builder, reasons_by_side(corpus, "asked").pro)
    output, _, folded = (reason_tree(builder, reasons, "asked") or "").partition("<details")
    assert visible_text(output).count("Pro ") == count
    assert "Idle" not in output
    assert f"<summary>{label}</summary>" in folded
    assert visible_text(folded).count("Idle ") == idle_count
    assert visible_text(folded).count("adds nothing, as it is not backed itself") == idle_count


def test_a_reason_that_adds_nothing_names_the_one_that_counts_for_its_source() -> None:
    corpus = corpus_of_notes(
        references="@book{a, title={A}, author={Ann Doe}, year=2024}",
        asked=claim_text("Asked", "optimist"),
        heavy=evidence_text("Heavy", 0.8, "supports:: [[asked]]") + "\n[@a]\n",
        light=evidence_text("Light", 0.3, "supports:: [[asked]]") + "\n[@a]\n",
    )
    pro = reasons_by_side(corpus, "asked").pro
    text = visible_text(reason_tree(builder_of(corpus), pro, "asked") or "")
    assert text.count("It adds nothing") == 1
    assert "adds nothing, as Heavy (Finding), from the same source, counts instead" in text


def test_an_objection_takes_no_more_than_its_own_where_another_finding_of_the_source_counts() -> (
    None
):
    corpus = corpus_of_notes(
        references="@book{a, title={A}, author={Ann Doe}, year=2024}",
        asked=claim_text("Asked", "optimist"),
        first=evidence_text("First", 0.6, "supports:: [[asked]] ^one") + "\n[@a]\n",
        next=evidence_text("Next", 0.59, "supports:: [[asked]] ^two") + "\n[@a]\n",
        backed=claim_text("Backed", "skeptic", "undercuts:: [[first#^one]] (strength:: weak)"),
        ground=evidence_text("Ground", 0.5, "supports:: [[backed]]"),
    )
    builder = builder_of(corpus)
    steps = {step.origin: step for step in reasons_by_side(corpus, "asked").pro}
    assert visible_text(join("", undercut_loss(builder, steps["first"]))) == (
        "it does not count here, as Next (Finding), from the same source, counts instead"
    )


def test_an_objection_to_several_steps_gives_its_reason_once() -> None:
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        one=evidence_text("One", 0.8, "supports:: [[asked]] ^one"),
        two=evidence_text("Two", 0.7, "supports:: [[asked]] ^two"),
        judge=evidence_text(
            "Judge", 0.5, *(f"undercuts:: [[{n}#^{n}]] — judges err" for n in ("one", "two"))
        ),
    )
    builder = builder_of(corpus)
    tree = reason_tree(builder, reasons_by_side(corpus, "asked").pro, "asked") or ""
    assert tree.count("objects to its use here") == 2
    assert visible_text(tree).count("Judges err.") == 1
    assert tree.index("Judges err.") < tree.rindex("objects to its use")


def test_a_claim_explains_itself_beside_one_that_cannot_hold_with_it() -> None:
    corpus = corpus_of_notes(
        one=claim_text("One", "optimist", "contradicts:: [[two]] — not both"),
        two=claim_text("Two", "skeptic"),
        three=claim_text("Three", "skeptic", "contradicts:: [[two]] (strength:: weak)"),
        pro=evidence_text("Pro", 0.8, "supports:: [[two]]"),
    )
    builder = builder_of(corpus)
    (at_one,), (at_two,) = (contradiction_remarks(builder, id) for id in ("one", "two"))
    assert visible_text(at_one).startswith("Cannot be true together with Two")
    assert "which is “perhaps” and does not count here" in visible_text(at_one)
    assert visible_text(at_two).endswith(
        "which is “undecided” and is among the reasons against this claim."
    )
    assert contradiction_remarks(builder, "three") == []


def test_an_undercut_of_a_step_is_among_what_speaks_against_something() -> None:
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        pro=evidence_text("Pro", 0.6, "supports:: [[asked]] ^why"),
        cut=claim_text("Cut", "skeptic", "undercuts:: [[pro#^why]]"),
    )
    effects = effects_on_others(builder_of(corpus), "cut") or ""
    assert '<li class="kg-against">' in effects
    assert "Pro" in visible_text(effects)
