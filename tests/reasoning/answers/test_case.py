"""The strongest case of a camp."""

from __future__ import annotations

import re

import pytest

from kg.corpus import UnknownId
from kg.reasoning import LineWithoutProposition, case, reading_of
from tests.support.corpus_parts import (
    claim,
    corpus_of_direct_evidence,
    corpus_of_parts,
    debate_corpus,
    evidence,
    line,
    require_verdict,
    strength_of_nats,
)
from tests.support.shorthand import corpus_of_shorthand


def test_a_case_has_its_reasons_chains_and_rebuttals() -> None:
    talk_case = require_verdict(case(debate_corpus(), "talk", "optimist"))
    assert [(a.reason.statement, a.chain) for a in talk_case.arguments] == [
        ("helps", ("e2", "helps"))
    ]
    assert talk_case.arguments[0].alone == talk_case.arguments[0].reason.share
    assert talk_case.sentence == (
        "The optimist side's strongest reason on “Claim p” is “Claim helps”; "
        "heard alone, that side would see 0.80."
    )
    assert "  side: for\n" in str(talk_case)
    notes = corpus_of_parts(
        line("l", "q", {"optimist": ["a"], "skeptic": ["b"]}),
        *(claim(name) for name in ("q", "a", "b")),
        *(evidence("ea", quality=0.8), evidence("eb", quality=0.6)),
        *("ea supports a", "a supports q", "eb supports b", "b contradicts a"),
    )
    answered = require_verdict(case(notes, "l", "optimist")).arguments[0]
    assert (answered.chain, answered.alone) == (("ea", "a"), pytest.approx(0.8))
    assert answered.reason.share == pytest.approx(0.2)
    assert answered.rebuttal is not None
    assert answered.rebuttal.statement == "b"
    assert answered.rebuttal.effect == pytest.approx(strength_of_nats(0.8) - strength_of_nats(0.2))
    printed = str(case(notes, "l", "optimist"))
    assert "best answered by “Claim b”; heard alone" in printed.replace("\n", " ")
    assert re.search(r"\na +0.200 +0.800 +0.140\n  ← ea\n  answered by b\n", printed)


def test_the_chain_goes_by_the_firmest_steps() -> None:
    notes = corpus_of_parts(
        *(claim(name) for name in ("q", "a", "b")),
        evidence("weak", quality=0.3),
        evidence("firm", quality=0.9),
        "weak supports a",
        "firm supports b",
        "b supports a",
        "a supports q",
    )
    assert require_verdict(case(notes, "q", "for")).arguments[0].chain == ("firm", "b", "a")


def test_the_chain_is_that_of_the_source_that_the_reason_is_heard_for() -> None:
    notes = "claim q\nclaim a\nclaim b\nevidence firm .9 @s\nevidence weak .3 @t\nb supports a\n"
    notes += "firm supports a\nfirm supports q\nweak supports b\na supports q weak\n"
    first, second = require_verdict(case(corpus_of_shorthand(notes), "q", "for")).arguments
    assert (first.chain, second.chain) == (("firm",), ("weak", "b", "a"))


def test_a_reason_by_two_edges_of_what_is_the_same_is_listed_once() -> None:
    notes = "claim q\nevidence e .6 @s\nevidence f .6 @s\nf same-as e\ne supports q\nf supports q\n"
    (only,) = require_verdict(case(corpus_of_shorthand(notes), "q", "for")).arguments
    assert (only.reason.statement, only.reason.share, only.alone) == ("e", 0.6, 0.6)


def test_a_reason_may_add_less_with_the_others_silent() -> None:
    notes = "claim q\nclaim a\nclaim b\nclaim o\nevidence e .8 @s\nevidence f .7 @t\n"
    notes += "e supports a\ne supports b\na supports q\nb supports q moderate\n"
    notes += "f supports o\no contradicts a\n"
    heard = require_verdict(case(corpus_of_shorthand(notes), "q", "for"))
    shares = {a.reason.statement: (a.reason.share, a.alone) for a in heard.arguments}
    assert shares["b"] == (pytest.approx(0.48), 0.0)
    assert "share, others silent" in str(heard)


def test_an_undercutter_of_the_other_side_is_named_as_a_rebuttal() -> None:
    notes = corpus_of_parts(
        line("l", "q", {"optimist": ["u"], "skeptic": ["b"]}),
        *(claim(name) for name in ("q", "u", "b")),
        *(evidence("eu", quality=0.5), evidence("eb", quality=0.6)),
        *("eb supports b", "b contradicts q", "eu supports u"),
        "u undercuts b contradicts q",
    )
    rebuttal = require_verdict(case(notes, "l", "skeptic")).arguments[0].rebuttal
    assert rebuttal is not None
    assert rebuttal.edge == "u undercuts b contradicts q"


def test_statements_that_only_undercut_the_other_side_are_listed_as_undercutters() -> None:
    notes = corpus_of_parts(
        claim("q"),
        claim("a"),
        evidence("e", quality=0.9),
        evidence("x", quality=0.5),
        "e supports a",
        "a contradicts q",
        "x contradicts a",
    )
    case_for = require_verdict(case(notes, "q", "for"))
    assert (case_for.arguments, case_for.undercutters) == ((), ("x",))


def test_a_fallen_premise_is_named_as_one() -> None:
    notes = "claim q\nclaim p\nq depends-on p\nevidence e .6 @s\nevidence h .3 @t\n"
    notes += "evidence f .6 @u\nf supports q\n"
    reading = corpus_of_shorthand(f"{notes}e contradicts p\nh supports p\n")
    case_against = require_verdict(case(reading, "q", "against"))
    assert "is that its premise “Claim p” has fallen, best answered by “Evidence h”" in (
        case_against.sentence
    )
    assert case_against.arguments[0].chain == ("e", "p")
    assert re.search(r"\bp \(a premise that has fallen\)(?:  |\n|$)", str(case_against))
    other = require_verdict(case(reading, "q", "for"))
    assert (other.undercutters, other.needed) == ((), ("p", "h"))


def test_an_unknown_camp_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(UnknownId) as error:
        case(debate_corpus(), "talk", "optimists")
    assert str(error.value) == "no camp 'optimists' in the corpus; did you mean optimist?"


def test_a_declared_camp_without_statements_has_no_case() -> None:
    bare = reading_of(corpus_of_parts(claim("q"), evidence("e", quality=0.9), "e supports q"))
    empty = require_verdict(case(bare, "q", "optimist"))
    assert empty.sentence == (
        "No statement that bears on “Claim q” is in the camp optimist, so it has no case."
    )
    assert (empty.arguments, empty.own_view, empty.side) == ((), None, 0)
    assert "  side: none\n" in str(empty)
    assert isinstance(case(debate_corpus(), "open", "optimist"), LineWithoutProposition)


def test_a_case_has_as_many_reasons_as_are_asked_for_the_heaviest_first() -> None:
    corpus = corpus_of_direct_evidence(pa=0.3, pb=0.9, pc=0.6, ca=0.5)
    cases = [require_verdict(case(corpus, "q", "for", k)) for k in (1, 2, 9)]
    assert [[each.reason.statement for each in of.arguments] for of in cases] == [
        ["pb"],
        ["pb", "pc"],
        ["pb", "pc", "pa"],
    ]
    against = require_verdict(case(corpus, "q", "against"))
    assert (against.side, [each.reason.share for each in against.arguments]) == (-1, [-0.5])
    assert require_verdict(case(corpus_of_direct_evidence(pa=0.9), "q", "against")).sentence == (
        "The against side has no reason that moves “Claim q”."
    )
