"""A verdict as text: three sentences, and what weighs too little for a reason."""

from __future__ import annotations

import pytest
from msgspec import structs

import kg
from kg.corpus import Corpus
from kg.model.settings.config import Config
from kg.model.settings.quality_settings import QualityLadder
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


def verdict_on(corpus: Corpus, name: str = "a") -> Verdict:
    answer = verdict(corpus, name)
    assert isinstance(answer, Verdict)
    return answer


def printed_text(answer: Verdict) -> str:
    """What it prints, lines not broken."""
    return " ".join(str(answer).split())


CLAIM = "---\ntype: claim\n---\n\n# A\n"


def test_three_sentences_lead_and_printing_shows_the_titles() -> None:
    corpus = corpus_of_notes(
        a=CLAIM, b=evidence(0.9, "supports:: [[a]]"), c=evidence(0.3, "contradicts:: [[a]]")
    )
    answer, robust = verdict_on(corpus), robustness(corpus, "a")
    assert isinstance(robust, Robustness)
    first, best, sure = leading_sentences(answer, robust)
    assert first == answer.sentence
    assert best == "For: “Seen”. Against: “Seen”."
    assert "the loss of 1 independent source would undo it" in sure
    assert f"between {answer.sureness_basis.low:.2f} and {answer.sureness_basis.high:.2f}" in sure
    assert str(answer).startswith(answer.sentence)
    assert "\n+0.90  Seen    b\n" in str(answer)
    assert "\n" not in repr(answer)


def test_a_verdict_says_if_no_loss_that_was_tried_undoes_it() -> None:
    text = "".join(f"evidence e{n} .9 @s{n}\ne{n} supports q\n" for n in range(60))
    notes = corpus_of_shorthand("claim q\n" + text)
    sure = leading_sentences(verdict_on(notes, "q"), robustness(notes, "q"))[2]
    assert "at 1.00; no loss of evidence that was tried would undo it. It falls" in sure


def test_nothing_on_the_other_side_is_said() -> None:
    answer = verdict_on(corpus_of_notes(a=CLAIM, b=evidence(0.9, "supports:: [[a]]")))
    assert leading_sentences(answer)[1].endswith("Against: nothing.")


def test_what_weighs_less_than_a_quarter_is_said_to_carry_no_weight() -> None:
    text = "claim q\nevidence e .9 @s\ne supports q\nevidence f .2 @t\nf contradicts q\n"
    (_, best, _) = leading_sentences(kg.verdict(corpus_of_shorthand(text), "q"))
    assert best == "For: “Evidence e”. Against: nothing that carries weight, “Evidence f” at 0.20."


def test_what_objections_to_reasons_take_is_said_where_nothing_speaks_against() -> None:
    each = "evidence e{0} .6 @s{0}\nclaim c{0}\ne{0} supports c{0}\nc{0} supports q\n"
    each += "{1} contradicts c{0}\n"
    text = "claim q\nclaim o\nevidence f .4 @t\nf supports o\n"
    text += "claim p\nevidence g .3 @u\ng supports p\n"
    many = text + "".join(each.format(k, "o" if k else "p") for k in range(10))
    answer = kg.verdict(corpus_of_shorthand(many), "q")
    (less,) = answer.balance.lessened
    assert (less.side, less.nats, less.heaviest) == (1, pytest.approx(3.9), "o")
    message = (
        "Against it directly: nothing; objections to its reasons take 3.90, the heaviest “Claim o”."
    )
    assert message in printed_text(answer)
    turned = kg.verdict(corpus_of_shorthand(many.replace("supports q", "contradicts q")), "q")
    assert (
        "For it directly: nothing; objections to the reasons against it take 3.90"
        in printed_text(turned)
    )
    cut = text + each.format(0, "p") + "o undercuts c0>q\np undercuts e0>c0\n"
    assert kg.verdict(corpus_of_shorthand(cut), "q").balance.lessened[0].nats == pytest.approx(
        0.6 - kg.verdict(corpus_of_shorthand(cut), "q").balance.pro
    )


def test_a_premise_that_fell_is_named_as_one() -> None:
    text = "claim q\nclaim p\nq depends-on p\nevidence e .6 @s\ne contradicts p\n"
    answer = kg.verdict(corpus_of_shorthand(text + "evidence f .6 @t\nf supports q\n"), "q")
    assert "Against: its premise “Claim p” has fallen to 0.35." in str(answer)
    assert "\n−0.29  its premise “Claim p” has fallen to 0.35  p\n" in str(answer)
    assert [(r.statement, r.fallen) for r in answer.reasons] == [("f", False), ("p", True)]
    stands = kg.verdict(corpus_of_shorthand(text.replace("contradicts", "supports")), "q")
    assert [(r.statement, r.share, r.fallen) for r in stands.reasons] == [("p", 0.0, False)]


@pytest.mark.integration
def test_what_an_answer_owes_to_filing_is_said_where_it_is_much() -> None:
    reading = new_reading()
    for line in reading.corpus.lines:
        answer = verdict(reading, line)
        assert isinstance(answer, Verdict)
        assert answer.strength is not None
        assert answer.filed_directly.strength is not None
        text = any(remark.startswith("Filed as reasons") for remark in list_remarks(answer))
        much = abs(answer.strength - answer.filed_directly.strength) >= 0.1
        assert text == (much or answer.filed_directly.word != answer.word)


def test_an_answer_that_is_open_only_by_filing_says_so() -> None:
    """The claim hands on nothing, since it is answered; put to the question both would speak."""
    answer = verdict_on(
        corpus_of_notes(
            a=CLAIM,
            b=CLAIM + "\n- supports:: [[a]] — so\n",
            c=evidence(0.6, "supports:: [[b]]"),
            d=evidence(0.6, "contradicts:: [[b]]"),
        )
    )
    assert (answer.word, answer.filed_directly.word) == ("open", "evenly balanced")
    assert "come to 0.50." in list_remarks(answer)[0]
    assert list_remarks(answer)[0] in printed_text(answer)


def test_settings_that_are_not_the_defaults_are_said_with_what_comes_out_at_those() -> None:
    here = Config(reasoning=Reasoning(gain=2, repeat=0.5, budget=10_000))
    parts = claim("a"), found_by("b", quality=0.9), found_by("c", quality=0.5)
    answer = verdict_on(corpus_of_parts(*parts, "b supports a", "c supports a", config=here))
    (text,) = list_remarks(answer)
    assert text == "kg.toml sets gain = 2, repeat = 0.5; at the defaults: 0.80."
    usual = verdict_on(corpus_of_parts(*parts, "b supports a", "c supports a"))
    set_here = {"gain": 2.0, "repeat": 0.5}
    assert answer.under_defaults == UnderDefaults(
        set_here=set_here, strength=usual.strength, word=usual.word
    )
    plain = verdict_on(corpus_of_parts(*parts, "b supports a"))
    assert (plain.under_defaults, list_remarks(plain)) == (UnderDefaults(set_here={}), ())


def test_a_ladder_of_ones_own_is_said_with_what_comes_out_at_the_defaults() -> None:
    ladder = QualityLadder(kinds={"experiment": 4.0, "divination": 2.0})
    parts = claim("a"), found_by("b", method="experiment"), found_by("c", method="divination")
    edges = "b supports a", "c supports a"
    corpus_here = corpus_of_parts(*parts, *edges, config=Config(quality=ladder))
    answer = verdict_on(corpus_here)
    assert answer.under_defaults.set_here == {"quality.kinds.experiment": 4.0}
    assert list_remarks(answer) == (
        "kg.toml sets quality.kinds.experiment = 4; at the defaults: 0.73.",
    )
    robust = robustness(reading_of(corpus_here), "a")
    assert isinstance(robust, Robustness)
    assert robust.set_here == answer.under_defaults.set_here


def test_the_word_for_how_sure_it_is_leads_the_answer() -> None:
    answers = "answers:\n  holds: 'Yes.'\n  fails: 'No.'\n"
    line = f"---\ntype: line\nproposition: a\n{answers}---\n\n# So?\n\nAsked.\n"
    answer = verdict_on(
        corpus_of_notes(a=CLAIM, line=line, e=evidence(0.26, "supports:: [[a]]")), name="line"
    )
    assert answer.sentence.startswith(
        "Undecided, leaning towards yes. By the weights alone this corpus backs "
    )


def test_what_only_qualifies_is_said_to_contradict_nothing() -> None:
    notes = {f"e{k}": evidence(0.9, "qualifies:: [[a]]") for k in range(6)}
    answer = verdict_on(corpus_of_notes(a=CLAIM, **notes))
    assert (answer.word, {reason.relation for reason in answer.reasons}) == (
        "refuted",
        {"qualifies"},
    )
    assert "Nothing contradicts it: " in printed_text(answer)
    notes["f"] = evidence(0.9, "contradicts:: [[a]]")
    assert "Nothing contradicts it" not in printed_text(
        verdict_on(corpus_of_notes(a=CLAIM, **notes))
    )


def test_the_verdict_says_what_holds_without_weights() -> None:
    notes = {f"e{k}": evidence(0.8, "supports:: [[a]]") for k in range(3)}
    answer = verdict_on(corpus_of_notes(a=CLAIM, **notes, f=evidence(0.5, "contradicts:: [[a]]")))
    text = "By objections alone, whatever their strength, the answer is no: nothing that stands "
    assert text in printed_text(answer)


def test_what_is_superseded_says_by_what() -> None:
    later = "---\ntype: claim\n---\n\n# B\n\n- supersedes:: [[a]]\n"
    notes = corpus_of_notes(a=CLAIM, b=later, e=evidence(0.9, "supports:: [[a]]"))
    assert "It is superseded by b, " in printed_text(verdict_on(notes))


def test_what_is_left_out_as_superseded_is_named() -> None:
    old = evidence(0.9, "contradicts:: [[a]]")
    new = "---\ntype: evidence\n---\n\n# New\n\n- supersedes:: [[old]]\n"
    answer = verdict_on(
        corpus_of_notes(a=CLAIM, old=old, new=new, e=evidence(0.9, "supports:: [[a]]"))
    )
    assert answer.declared.left_out == ("old",)
    assert "left out, as superseded: old" in printed_text(answer)


def test_under_other_bounds_a_light_reason_is_said_to_carry_no_weight() -> None:
    corpus = corpus_of_notes(a=CLAIM, b=evidence(0.6, "supports:: [[a]]"))
    for bound, best in ((0.25, "“Seen”"), (2.0, "nothing that carries weight, “Seen” at 0.60")):
        answer = verdict(reading_of(corpus, Reasoning(open_below=bound)), "a")
        assert isinstance(answer, Verdict)
        assert f"For: {best}." in leading_sentences(answer)[1]


def test_where_it_comes_out_elsewhere_is_counted_and_the_rules_named_where_no_trial_comes() -> None:
    settled = require_verdict(robustness(corpus_of_direct_evidence(pa=0.9), "q"))
    rules = structs.replace(settled.other_rules, strengths={"qe": 0.8, "dfquad": 0.95})
    near = structs.replace(settled, low=0.6, high=0.9, other_rules=rules)
    elsewhere = describe_elsewhere(near)
    assert elsewhere.startswith("It falls with none of 7 other settings and with none of 3")
    assert "outside" not in elsewhere
    far = structs.replace(near, high=0.7)
    assert describe_elsewhere(far).endswith(
        " Those that add up the same reasons put it at 0.80 and 0.95, outside what nine in ten "
        "trials give (0.60 to 0.70)."
    )
    words = {"qe": "contested", "dfquad": "supported"}

    def text_where_rule_differs(grounded: str) -> str:
        others = structs.replace(rules, words=words, grounded=grounded)
        return describe_elsewhere(structs.replace(near, other_rules=others))

    assert "with 1 of 3 other rules (quadratic energy)." in text_where_rule_differs("in")
    assert (
        "with 2 of 3 other rules (quadratic energy and objections alone)."
        in text_where_rule_differs("out")
    )
