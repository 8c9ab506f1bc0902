"""What once went wrong in what answers tell, each case written down as notes."""

from __future__ import annotations

from pathlib import Path

import pytest

import kg
from kg.corpus import Corpus
from kg.model.settings.config import Camp, Config
from kg.reasoning import reading_of
from kg.reasoning.reading import Question
from kg.reasoning.reasons.camp_views import camps_of
from kg.reasoning.strength_words import side_of
from tests.support import corpora
from tests.support.corpus_parts import claim, corpus_of_parts, edge, line, strength_of_nats
from tests.support.corpus_parts import evidence as found_by
from tests.support.every_row import every_row
from tests.support.shorthand import (
    BOTH_WAYS,
    corpus_of_shorthand,
    independent_studies,
    load_shorthand,
    notes_of_shorthand,
    strength_of,
)


def question_on(corpus: Corpus, name: str = "q") -> Question:
    return reading_of(corpus).question(name)


# -- turns --------------------------------------------------------------------------------

EVEN = independent_studies(2) + "evidence a .6 @t\na contradicts q\nline l q\n"


def test_an_answer_that_becomes_evenly_balanced_is_undone_and_not_turned(tmp_path: Path) -> None:
    """Without e1 as much stands for q as against it."""
    shorthand = load_shorthand(tmp_path, EVEN.replace(".6 @t", ".1 @t").replace("e1 .6", "e1 .9"))
    assert side_of(kg.verdict(shorthand, "q").word) == 1
    middle = corpus_of_shorthand("claim q\nevidence e .9 @s\nevidence f .3 @u\nevidence a .3 @t\n"
                  "e supports q\nf supports q\na contradicts q\nline l q\n")  # fmt: skip
    assert side_of(kg.verdict(middle, "q").word) == 1
    flips = kg.flips(middle, "q")
    assert [flip.removed for flip in flips.undoing] == [("e",)]
    assert flips.undoing[0].word == "evenly balanced"
    assert flips.singles == ()
    for turn in (*kg.whatif(middle, mute=["e"]).verdicts, *kg.impact(middle, "s").verdicts):
        assert (turn.word_after, turn.turns, turn.undoes) == ("evenly balanced", False, True)
    assert kg.crux(middle, "q").cruxes == ()


def test_rounding_in_circles_makes_no_loss_turn_the_answer() -> None:
    """Two claims that deny each other, on equal evidence: the middle, to the last digit."""
    text = "claim a\nclaim b\nevidence e .7 @s\nevidence f .7 @t\ne supports a\nf supports b\n"
    corpus = corpus_of_shorthand(text + "a contradicts b\nb contradicts a\nline l a\n")
    assert strength_of(corpus, "a") == strength_of(corpus, "b")
    assert strength_of(corpus, "a") == 0.5
    assert kg.verdict(corpus, "l").word == "evenly balanced"
    assert not any(turn.turns for turn in kg.whatif(corpus, mute=["e"]).verdicts)


# -- one rule where evidence cites several sources -----------------------------------------

SEVERAL = "claim q\nevidence e .8 @s @t\nevidence f .5 @s\nevidence g .4 @u\n"
SEVERAL += "e supports q\nf supports q\ng contradicts q\nline l q\n"


@every_row("retracted", ["", "t", "s", "u"])
def test_independence_and_impact_give_one_number(retracted: str) -> None:
    corpus = corpus_of_shorthand(SEVERAL, retracted)
    assert kg.independence(corpus, "q").effects
    for effect in kg.independence(corpus, "q").effects:
        (key,) = effect.sources
        truly = strength_of(corpus_of_shorthand(SEVERAL, f"{retracted} {key}"))
        assert effect.strength == pytest.approx(truly, abs=1e-9)
        if key != retracted:
            fell = kg.impact(corpus, key)
            moved = {each.statement: each.strength_after for each in (*fell.falls, *fell.rises)}
            assert moved.get("q", strength_of(corpus)) == pytest.approx(truly, abs=1e-9)


def test_every_source_of_a_joint_reason_undoes_it() -> None:
    """Only the weakest premise is heard, and without the other there is no reason."""
    proof = found_by("e", ["s"], quality=0.9), found_by("f", ["t"], quality=0.95)
    linked_ends = "e supports p", "f supports r", edge("p supports q", together=("r",))
    independence = kg.independence(corpus_of_parts(*map(claim, "pqr"), *proof, *linked_ends), "q")
    assert [(e.source_group, e.undoes, e.routes) for e in independence.effects] == [
        ("@s", True, ("p",)),
        ("@t", True, ("r",)),
    ]
    assert "without any one of @s and @t it would fall" in independence.sentence


def test_what_would_decide_an_answer_that_has_no_side_is_said() -> None:
    even = "claim q\nevidence e .8 @s\ne supports q\nevidence f .8 @t\nf contradicts q\n"
    even += "evidence g .1 @u\ng supports q\n"
    for answer in (
        kg.independence(corpus_of_shorthand(even), "q"),
        kg.robustness(corpus_of_shorthand(even), "q"),
    ):
        assert "; without any one of @s and @t it would be on one." in answer.sentence


def test_statements_that_are_the_same_fall_as_one() -> None:
    twins = corpus_of_shorthand(BOTH_WAYS + "claim r\nr same-as q\n")
    (moved,) = kg.whatif(twins, mute=["e1", "e2"]).changes
    assert ({moved.statement, *moved.same}, moved.strength_after) == ({"q", "r"}, 0.5)
    assert kg.impact(twins, "r").falls == ()
    assert "It is one statement with q: what bears on any counts." in str(kg.verdict(twins, "r"))


def test_what_a_line_weighs_keeps_its_name_among_tensions() -> None:
    twins = corpus_of_shorthand(EVEN.replace("line l q", "claim r\nr same-as q\nline l r\n"))
    assert [each.statement for each in kg.tensions(twins).conflicts] == ["r"]
    assert [each.statement for each in kg.tensions(twins, "l").conflicts] == ["r"]


# -- camps --------------------------------------------------------------------------------

CANCELLED = """
claim q
claim x
claim y
claim r
evidence e .6 @s
evidence f .6 @t
evidence g .4 @u
e supports x
f supports y
g supports r
x supports q
y contradicts q
r contradicts q
line l q
l optimist x
l optimist y
l skeptic r
"""


def test_a_camp_whose_reasons_cancel_has_only_its_own_statements() -> None:
    """x and y are of one camp, and cancel out."""
    question = question_on(corpus_of_shorthand(CANCELLED), "l")
    camps = camps_of(question)
    assert camps.side_of_camp == {"optimist": 0, "skeptic": -1}
    own_ids = {camp: {question.graph.ids[k] for k in camps.members(camp)} for camp in camps.names}
    assert own_ids == {"optimist": {"x", "y"}, "skeptic": {"f", "g", "r"}}


def test_a_camp_whose_reasons_cancel_has_an_empty_case_and_no_crux() -> None:
    corpus = corpus_of_shorthand(CANCELLED)
    skeptic = kg.case(corpus, "l", "skeptic")
    assert [each.reason.statement for each in skeptic.arguments] == ["r"]
    assert kg.case(corpus, "l", "optimist").arguments == ()
    views = {view.camp: view.strength for view in kg.verdict(corpus, "l").camps}
    assert views["skeptic"] == pytest.approx(1.0 - strength_of_nats(0.4))
    cruxes = {crux.statement for crux in kg.crux(corpus, "l").cruxes}
    assert cruxes
    assert "q" not in cruxes


# -- what a reader of the pages found ----------------------------------------------------


def test_a_claim_below_the_middle_may_count_against_what_it_is_below_the_middle_for() -> None:
    text = "claim q\nclaim a\na contradicts q\nq contradicts a\n"
    text += "".join(f"evidence e{k} .9 @s{k}\ne{k} supports q\n" for k in range(2))
    corpus = corpus_of_shorthand(text + "evidence f .6 @t\nf supports a\n")
    assert strength_of(corpus, "a") < 0.5
    assert [r.share for r in kg.verdict(corpus, "q").reasons if r.statement == "a"] == [-0.6]
    objected = corpus_of_shorthand(
        text + "evidence f .6 @t\nf supports a\nevidence g .7 @u\ng contradicts a\n"
    )
    assert [r.share for r in kg.verdict(objected, "q").reasons if r.statement == "a"] == [0.0]


def test_a_sentence_names_three_losses_and_counts_the_others() -> None:
    text = "claim q\n" + "".join(f"evidence e{k} .9 @s{k}\ne{k} supports q\n" for k in range(5))
    text += "".join(f"evidence f{k} .86 @t{k}\nf{k} contradicts q\n" for k in range(5))
    flips = kg.flips(corpus_of_shorthand(text), "q")
    assert "decided without any one of “Evidence e0”, “Evidence e1”, “Evidence e2” and 7 more." in (
        flips.sentence
    )
    assert "and 7 more it would be on one." in (
        kg.independence(corpus_of_shorthand(text), "q").sentence
    )


def test_a_claim_without_reasons_moves_nothing_whatever_its_quality() -> None:
    corpus = corpus_of_shorthand("claim q\nclaim a quality=.95\na supports q\nline l q\n")
    assert (strength_of(corpus), strength_of(corpus, "a")) == (0.5, 0.5)
    assert kg.verdict(corpus, "l").word == "open"


def test_a_retracted_statement_supersedes_nothing() -> None:
    text = "claim q\nevidence old .6 @s\nevidence new .7 @t\nold supports q\nnew supersedes old\n"
    assert strength_of(corpus_of_shorthand(text)) == 0.5
    assert strength_of(corpus_of_shorthand(text, retracted="t")) == pytest.approx(
        strength_of_nats(0.6)
    )


def test_statements_that_supersede_each_other_both_count() -> None:
    text = "claim q\nevidence a .6 @s\nevidence b .7 @t\na supports q\nb supports q\n"
    circle = "a supersedes b\nb supersedes a\n"
    assert strength_of(corpus_of_shorthand(text + circle)) == pytest.approx(strength_of_nats(1.3))
    chain = "evidence c .8 @u\nc supports q\na supersedes b\nb supersedes c\n"
    assert strength_of(corpus_of_shorthand(text + chain)) == pytest.approx(strength_of_nats(0.6))


def test_certainty_takes_nothing_from_what_a_claim_passes_on() -> None:
    text = "claim q\nclaim a\na supports q\n"
    text += "".join(f"evidence e{k} .9 @s{k}\ne{k} supports a\n" for k in range(9))
    corpus = corpus_of_shorthand(text)
    assert [change.statement for change in kg.whatif(corpus, hold={"a": 1.0}).changes] == ["a"]
    half = kg.whatif(corpus, hold={"a": 0.5}).changes
    assert {change.statement: change.strength_after for change in half} == {"a": 0.5, "q": 0.5}


def test_a_qualification_is_no_contradiction() -> None:
    text = "claim q\nclaim l\nl {} q\n" + "".join(
        f"evidence {name}{k} .9 @s{name}{k}\n{name}{k} supports {name[0]}\n"
        for name in ("q1", "q2", "l")
        for k in range(3)
    )
    assert kg.tensions(corpus_of_shorthand(text.format("qualifies"))).contradictions == ()
    (contradiction,) = kg.tensions(corpus_of_shorthand(text.format("contradicts"))).contradictions
    assert (contradiction.origin, contradiction.target, contradiction.together) == ("l", "q", ())


def test_the_strength_lies_between_its_low_and_high_bound() -> None:
    # repeated reasons against can only come to count for more
    text = "claim q\nevidence p .5 @p\np supports q\n" + "".join(
        f"evidence e{k} .3 @s\ne{k} contradicts q\n" for k in range(8)
    )
    verdict = kg.verdict(corpus_of_shorthand(text + "line l q\n"), "l")
    low, high = verdict.sureness_basis.low, verdict.sureness_basis.high
    assert low is not None
    assert high is not None
    assert low <= (verdict.strength or 0.0) <= high


def test_the_second_note_of_a_study_goes_with_its_camp() -> None:
    text = "claim q\nclaim s\nclaim o\nevidence e1 .7 @k\nevidence e2 .6 @k\nevidence e3 .5 @n\n"
    text += "evidence e4 .5 @m\ne1 supports q\ne2 supports q\ns contradicts q\no supports q\n"
    text += "e3 supports s\ne4 supports o\nline l q\nl optimist o\nl skeptic s\n"
    views = {view.camp: view.strength for view in kg.verdict(corpus_of_shorthand(text), "l").camps}
    assert views["skeptic"] == pytest.approx(strength_of_nats(-0.5), abs=1e-9)
    assert views["optimist"] == pytest.approx(strength_of_nats(1.2), abs=1e-9)


def test_statements_in_no_camp_count_for_every_camp_of_their_side() -> None:
    camps = Config(camps=[Camp(id=name, label=name) for name in ("optimist", "skeptic", "third")])
    corpus = corpus_of_parts(
        line("l", "q", {"optimist": ["o"], "skeptic": ["s"], "third": ["t"]}),
        *(claim(name) for name in "qost"),
        *(found_by(f"e{name}", [name], quality=0.5 + 0.1 * k) for k, name in enumerate("ost")),
        *("eo supports o", "es supports s", "et supports t"),
        *("o supports q", "s contradicts q", "t contradicts q"),
        config=camps,
    )
    views = {view.camp: view.strength for view in kg.verdict(corpus, "l").camps}
    assert views["third"] == pytest.approx(strength_of_nats(-0.7), abs=1e-9)
    assert views["skeptic"] == pytest.approx(strength_of_nats(-0.6), abs=1e-9)
    assert [each.reason.statement for each in kg.case(corpus, "l", "skeptic").arguments] == ["s"]


TWO = "@article{{s, title={{S}}, year={{2020}}{}}}\n@article{{t, title={{T}}, year={{2020}}{}}}\n"


@every_row(
    ("of_s", "of_t", "one"),
    [
        (", independence = {data:q}", ", independence = {lab:y; Data: Q}", True),
        (", doi = {10.1/X}", ", doi = {https://doi.org/10.1/x}", True),
        (", doi = {10.1/X}", ", url = {https://www.doi.org/10.1/x}", True),
        (", doi = {doi.org/10.1/X}", ", note = {DOI: 10.1/x}", True),
        (", integrity = {retracted}", "", True),
        (", doi = {10.1/x}", ", doi = {10.1/y}", False),
    ],
)
def test_what_a_bibliography_says_of_its_works_counts(of_s: str, of_t: str, one: bool) -> None:
    notes = notes_of_shorthand(
        "claim q\nevidence e .6 @s\nevidence f .6 @t\ne supports q\nf supports q\n"
    )
    notes["references"] = TWO.format(of_s, of_t)
    del notes["references.bib"]
    corpus = corpora.corpus_of_notes(
        **{name.removesuffix(".md"): text for name, text in notes.items()}
    )
    assert strength_of(corpus) == pytest.approx(strength_of_nats(0.6 if one else 1.2))


def test_keys_in_a_callout_are_a_list_as_in_front_matter() -> None:
    callout = "> [!evidence] {0} ^{0}\n> [@{0}] (independence:: {1}) (method:: experiment)\n\n"
    text = "---\ntype: claim\n---\n\n# Q\n\n" + "".join(
        callout.format(name, keys)
        for name, keys in (("s", "[data:x, lab:y]"), ("t", "lab: Y"), ("u", "data:z"))
    )
    corpus = corpora.corpus_of_notes(q=text)
    assert corpus.statements["q#s"].independence == ("data:x", "lab:y")
    assert kg.verdict(corpus, "q").sources.count == 2


def test_a_lone_camp_has_an_error_that_says_what_to_ask_for() -> None:
    text = "claim q\nclaim a\nevidence e .6 @s\ne supports a\na supports q\nline l q\nl skeptic a\n"
    assert "ask for one of these" in kg.case(corpus_of_shorthand(text), "l", "skeptic").sentence
    assert "has no case" in kg.case(corpus_of_shorthand(text), "l", "optimist").sentence


def test_two_losses_are_found_as_the_fewest_where_no_single_one_undoes_the_answer() -> None:
    text = "claim q\n" + "".join(f"evidence e{k} .5 @s{k}\ne{k} supports q\n" for k in range(60))
    text += "".join(f"evidence f{k} .5 @t{k}\nf{k} contradicts q\n" for k in range(58))
    flips = kg.flips(corpus_of_shorthand(text), "q")
    assert [len(flip.removed) for flip in flips.minimal_undoing[:1]] == [2]
    assert flips.minimal_undoing_exact
