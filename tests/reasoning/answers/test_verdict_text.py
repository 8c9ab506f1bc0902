"""A verdict as text: three sentences, and what weighs too little for a reason."""

from __future__ import annotations

import pytest
from msgspec import structs

import kg
from kg.corpus import Corpus
from kg.model.settings.config import Config
from kg.model.settings.quality_settings import Quality
from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning import reading_of, robustness, verdict
from kg.reasoning.answers.robustness import Robustness
from kg.reasoning.answers.verdict import Verdict, leading_sentences, list_remarks
from kg.reasoning.answers.verdict_text import describe_elsewhere
from kg.reasoning.sensitivity.other_settings_and_rules import UnderDefaults
from tests.support.corpora import corpus_of_notes
from tests.support.corpus_parts import (
    claim,
    corpus_of_direct_evidence,
    corpus_of_parts,
    require_verdict,
)
from tests.support.corpus_parts import evidence as found_by
from tests.support.own import new_reading
from tests.support.shorthand import corpus_of_shorthand


def evidence(quality: float, edge: str) -> str:
    return f"---\ntype: evidence\nquality: {quality}\n---\n\n# Seen\n\n- {edge}\n"


def asked(corpus: Corpus, name: str = "a") -> Verdict:
    found = verdict(corpus, name)
    assert isinstance(found, Verdict)
    return found


def whole(found: Verdict) -> str:
    """What it prints, lines not broken."""
    return " ".join(str(found).split())


CLAIM = "---\ntype: claim\n---\n\n# A\n"


def test_three_sentences_lead_and_printing_shows_the_titles() -> None:
    corpus = corpus_of_notes(
        a=CLAIM, b=evidence(0.9, "supports:: [[a]]"), c=evidence(0.3, "contradicts:: [[a]]")
    )
    found, robust = asked(corpus), robustness(corpus, "a")
    assert isinstance(robust, Robustness)
    first, best, sure = leading_sentences(found, robust)
    assert first == found.sentence
    assert best == "For: “Seen”. Against: “Seen”."
    assert "the loss of 1 independent source would undo it" in sure
    assert f"between {found.sureness_basis.low:.2f} and {found.sureness_basis.high:.2f}" in sure
    assert str(found).startswith(found.sentence)
    assert "\n+0.90  Seen    b\n" in str(found)
    assert "\n" not in repr(found)


def test_what_no_loss_that_was_tried_undoes_says_so() -> None:
    said = "".join(f"evidence e{n} .9 @s{n}\ne{n} supports q\n" for n in range(60))
    notes = corpus_of_shorthand("claim q\n" + said)
    sure = leading_sentences(asked(notes, "q"), robustness(notes, "q"))[2]
    assert "at 1.00; no loss of evidence that was tried would undo it. It falls" in sure


def test_nothing_on_the_other_side_is_said() -> None:
    found = asked(corpus_of_notes(a=CLAIM, b=evidence(0.9, "supports:: [[a]]")))
    assert leading_sentences(found)[1].endswith("Against: nothing.")


def test_what_weighs_less_than_a_quarter_is_said_to_carry_no_weight() -> None:
    said = "claim q\nevidence e .9 @s\ne supports q\nevidence f .2 @t\nf contradicts q\n"
    (_, best, _) = leading_sentences(kg.verdict(corpus_of_shorthand(said), "q"))
    assert best == "For: “Evidence e”. Against: nothing that carries weight, “Evidence f” at 0.20."


def test_what_objections_to_reasons_take_is_said_where_nothing_speaks_against() -> None:
    each = "evidence e{0} .6 @s{0}\nclaim c{0}\ne{0} supports c{0}\nc{0} supports q\n"
    each += "{1} contradicts c{0}\n"
    said = "claim q\nclaim o\nevidence f .4 @t\nf supports o\n"
    said += "claim p\nevidence g .3 @u\ng supports p\n"
    many = said + "".join(each.format(k, "o" if k else "p") for k in range(10))
    found = kg.verdict(corpus_of_shorthand(many), "q")
    (less,) = found.balance.lessened
    assert (less.side, less.nats, less.heaviest) == (1, pytest.approx(3.9), "o")
    told = (
        "Against it directly: nothing; objections to its reasons take 3.90, the heaviest “Claim o”."
    )
    assert told in whole(found)
    turned = kg.verdict(corpus_of_shorthand(many.replace("supports q", "contradicts q")), "q")
    assert "For it directly: nothing; objections to the reasons against it take 3.90" in whole(
        turned
    )
    cut = said + each.format(0, "p") + "o undercuts c0>q\np undercuts e0>c0\n"
    assert kg.verdict(corpus_of_shorthand(cut), "q").balance.lessened[0].nats == pytest.approx(
        0.6 - kg.verdict(corpus_of_shorthand(cut), "q").balance.pro
    )


def test_a_premise_that_fell_is_named_as_one() -> None:
    said = "claim q\nclaim p\nq depends-on p\nevidence e .6 @s\ne contradicts p\n"
    found = kg.verdict(corpus_of_shorthand(said + "evidence f .6 @t\nf supports q\n"), "q")
    assert "Against: its premise “Claim p” has fallen to 0.35." in str(found)
    assert "\n−0.29  its premise “Claim p” has fallen to 0.35  p\n" in str(found)
    assert [(r.statement, r.fallen) for r in found.reasons] == [("f", False), ("p", True)]
    stands = kg.verdict(corpus_of_shorthand(said.replace("contradicts", "supports")), "q")
    assert [(r.statement, r.share, r.fallen) for r in stands.reasons] == [("p", 0.0, False)]


@pytest.mark.integration
def test_what_an_answer_owes_to_filing_is_said_where_it_is_much() -> None:
    reading = new_reading()
    for line in reading.corpus.lines:
        found = verdict(reading, line)
        assert isinstance(found, Verdict)
        assert found.strength is not None
        assert found.filed_directly.strength is not None
        said = any(remark.startswith("Filed as reasons") for remark in list_remarks(found))
        much = abs(found.strength - found.filed_directly.strength) >= 0.1
        assert said == (much or found.filed_directly.word != found.word)


def test_an_answer_that_is_open_only_by_filing_says_so() -> None:
    """The claim hands on nothing, since it is answered; put to the question both would speak."""
    found = asked(
        corpus_of_notes(
            a=CLAIM,
            b=CLAIM + "\n- supports:: [[a]] — so\n",
            c=evidence(0.6, "supports:: [[b]]"),
            d=evidence(0.6, "contradicts:: [[b]]"),
        )
    )
    assert (found.word, found.filed_directly.word) == ("open", "evenly balanced")
    assert "come to 0.50." in list_remarks(found)[0]
    assert list_remarks(found)[0] in whole(found)


def test_settings_that_are_not_the_defaults_are_said_with_what_comes_out_at_those() -> None:
    here = Config(reasoning=Reasoning(gain=2, repeat=0.5, budget=10_000))
    parts = claim("a"), found_by("b", quality=0.9), found_by("c", quality=0.5)
    found = asked(corpus_of_parts(*parts, "b supports a", "c supports a", config=here))
    (said,) = list_remarks(found)
    assert said == "kg.toml sets gain = 2, repeat = 0.5; at the defaults: 0.80."
    usual = asked(corpus_of_parts(*parts, "b supports a", "c supports a"))
    set_here = {"gain": 2.0, "repeat": 0.5}
    assert found.under_defaults == UnderDefaults(
        set_here=set_here, strength=usual.strength, word=usual.word
    )
    plain = asked(corpus_of_parts(*parts, "b supports a"))
    assert (plain.under_defaults, list_remarks(plain)) == (UnderDefaults(set_here={}), ())


def test_a_ladder_of_ones_own_is_said_with_what_comes_out_at_the_defaults() -> None:
    ladder = Quality(kinds={"experiment": 4.0, "divination": 2.0})
    parts = claim("a"), found_by("b", method="experiment"), found_by("c", method="divination")
    edges = "b supports a", "c supports a"
    here = corpus_of_parts(*parts, *edges, config=Config(quality=ladder))
    found = asked(here)
    assert found.under_defaults.set_here == {"quality.kinds.experiment": 4.0}
    assert list_remarks(found) == (
        "kg.toml sets quality.kinds.experiment = 4; at the defaults: 0.73.",
    )
    robust = robustness(reading_of(here), "a")
    assert isinstance(robust, Robustness)
    assert robust.set_here == found.under_defaults.set_here


def test_the_word_for_how_sure_it_is_leads_the_answer() -> None:
    answers = "answers:\n  holds: 'Yes.'\n  fails: 'No.'\n"
    line = f"---\ntype: line\nproposition: a\n{answers}---\n\n# So?\n\nAsked.\n"
    found = asked(
        corpus_of_notes(a=CLAIM, line=line, e=evidence(0.26, "supports:: [[a]]")), name="line"
    )
    assert found.sentence.startswith(
        "Undecided, leaning towards yes. By the weights alone this corpus backs "
    )


def test_what_only_qualifies_is_said_to_contradict_nothing() -> None:
    notes = {f"e{k}": evidence(0.9, "qualifies:: [[a]]") for k in range(6)}
    found = asked(corpus_of_notes(a=CLAIM, **notes))
    assert (found.word, {reason.relation for reason in found.reasons}) == ("refuted", {"qualifies"})
    assert "Nothing contradicts it: " in whole(found)
    notes["f"] = evidence(0.9, "contradicts:: [[a]]")
    assert "Nothing contradicts it" not in whole(asked(corpus_of_notes(a=CLAIM, **notes)))


def test_the_verdict_says_what_holds_without_weights() -> None:
    notes = {f"e{k}": evidence(0.8, "supports:: [[a]]") for k in range(3)}
    found = asked(corpus_of_notes(a=CLAIM, **notes, f=evidence(0.5, "contradicts:: [[a]]")))
    said = "By objections alone, whatever their strength, the answer is no: the objection"
    assert said in whole(found)


def test_what_is_superseded_says_by_what() -> None:
    later = "---\ntype: claim\n---\n\n# B\n\n- supersedes:: [[a]]\n"
    notes = corpus_of_notes(a=CLAIM, b=later, e=evidence(0.9, "supports:: [[a]]"))
    assert "It is superseded by b, " in whole(asked(notes))


def test_what_is_left_out_as_superseded_is_named() -> None:
    old = evidence(0.9, "contradicts:: [[a]]")
    new = "---\ntype: evidence\n---\n\n# New\n\n- supersedes:: [[old]]\n"
    found = asked(corpus_of_notes(a=CLAIM, old=old, new=new, e=evidence(0.9, "supports:: [[a]]")))
    assert found.declared.left_out == ("old",)
    assert "left out, as superseded: old" in whole(found)


def test_under_other_bounds_a_light_reason_is_said_to_carry_no_weight() -> None:
    corpus = corpus_of_notes(a=CLAIM, b=evidence(0.6, "supports:: [[a]]"))
    for bound, best in ((0.25, "“Seen”"), (2.0, "nothing that carries weight, “Seen” at 0.60")):
        found = verdict(reading_of(corpus, Reasoning(open_below=bound)), "a")
        assert isinstance(found, Verdict)
        assert f"For: {best}." in leading_sentences(found)[1]


def test_where_it_comes_out_elsewhere_is_counted_and_the_rules_named_where_no_trial_comes() -> None:
    settled = require_verdict(robustness(corpus_of_direct_evidence(pa=0.9), "q"))
    rules = structs.replace(settled.other_rules, strengths={"qe": 0.8, "dfquad": 0.95})
    near = structs.replace(settled, low=0.6, high=0.9, other_rules=rules)
    said = describe_elsewhere(near)
    assert said.startswith("It falls with none of 7 other settings and with none of 3")
    assert "outside" not in said
    far = structs.replace(near, high=0.7)
    assert describe_elsewhere(far).endswith(
        " Those that add up the same reasons put it at 0.80 and 0.95, outside what nine in ten "
        "trials give (0.60 to 0.70)."
    )
    words = {"qe": "contested", "dfquad": "supported"}

    def apart(grounded: str) -> str:
        others = structs.replace(rules, words=words, grounded=grounded)
        return describe_elsewhere(structs.replace(near, other_rules=others))

    assert "with 1 of 3 other rules (quadratic energy)." in apart("in")
    assert "with 2 of 3 other rules (quadratic energy and objections alone)." in apart("out")
