"""A verdict as text: three sentences, and what weighs too little for a reason.

Of `kg/reasoning/answers/verdict.py`, too.
"""

from __future__ import annotations

import re

import pytest
from msgspec import structs

import kg
from kg.model.settings.config import Config
from kg.model.settings.quality_settings import QualityLadder
from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning import reading_of, robustness, verdict
from kg.reasoning.answers.independence import ContributingSources
from kg.reasoning.answers.robustness import Robustness
from kg.reasoning.answers.verdict import Verdict, leading_sentences, list_remarks
from kg.reasoning.answers.verdict_text import (
    describe_other_settings_and_rules,
    describe_taking_from_side,
    describe_trials,
    qualified_answer,
    remark_on_filing,
    remark_on_label,
    remark_on_limit,
    remark_on_other_rules,
    remark_on_products,
    remark_on_settings,
    remark_on_slight_sources,
    split_answer,
    verdict_sentence,
)
from kg.reasoning.sensitivity.filed_directly import FiledDirectly
from kg.reasoning.sensitivity.other_settings_and_rules import UnderDefaults
from kg.reasoning.sureness_words import SurenessLimit
from kg.reporting.report import render_text
from tests.support.corpora import corpus_of_notes
from tests.support.corpus_parts import (
    claim,
    corpus_of_direct_evidence,
    corpus_of_parts,
    require_verdict,
    verdict_on,
)
from tests.support.corpus_parts import evidence as found_by
from tests.support.every_row import every_row
from tests.support.own import new_reading
from tests.support.shorthand import corpus_of_shorthand, independent_studies


def evidence(quality: float, edge: str) -> str:
    return f"---\ntype: evidence\nquality: {quality}\n---\n\n# Seen\n\n- {edge}\n"


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
    assert "the loss of one independent source would undo it" in sure
    assert f"between {answer.sureness_basis.low:.2f} and {answer.sureness_basis.high:.2f}" in sure
    assert str(answer).startswith(answer.sentence)
    assert "\n+0.90  Seen    b\n" in str(answer)
    assert "\n" not in repr(answer)


def test_a_verdict_says_if_no_loss_that_was_tried_undoes_it() -> None:
    text = "".join(f"evidence e{n} .9 @s{n}\ne{n} supports q\n" for n in range(60))
    notes = corpus_of_shorthand("claim q\n" + text)
    sure = leading_sentences(verdict_on(notes, "q"), robustness(notes, "q"))[2]
    assert "at 1.00; no loss of evidence that was tried would undo it. It keeps" in sure


def test_nothing_on_the_other_side_is_said() -> None:
    answer = verdict_on(corpus_of_notes(a=CLAIM, b=evidence(0.9, "supports:: [[a]]")))
    assert leading_sentences(answer)[1].endswith("Against: nothing.")


def test_what_weighs_less_than_a_quarter_is_said_to_carry_no_weight() -> None:
    text = "claim q\nevidence e .9 @s\ne supports q\nevidence f .2 @t\nf contradicts q\n"
    (_, best, _) = leading_sentences(kg.verdict(corpus_of_shorthand(text), "q"))
    assert best == "For: “Evidence e”. Against: nothing that carries weight, “Evidence f” at 0.20."


def test_the_best_reason_is_named_and_the_others_are_counted() -> None:
    answer = kg.verdict(corpus_of_shorthand(independent_studies(3)), "q")
    best = leading_sentences(answer)[1]
    assert re.fullmatch("For: “Evidence e[0-9]” [(]and 2 more[)]. Against: nothing[.]", best)


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
        "Undecided, leaning towards “yes”. By the weights alone this corpus backs "
    )


def test_what_depends_on_an_undecided_claim_is_undecided_in_the_words_of_the_line() -> None:
    answers = "answers: {holds: 'Yes.', fails: 'No.', undecided: 'Who knows.'}\n"
    answer = verdict_on(
        corpus_of_notes(
            a=CLAIM + "\n- depends-on:: [[p]]\n",
            p=CLAIM,
            line=f"---\ntype: line\nproposition: a\n{answers}---\n\n# So?\n\nAsked.\n",
            **{f"e{k}": evidence(0.9, "supports:: [[a]]") for k in range(6)},
        ),
        name="line",
    )
    assert (answer.side, answer.sureness, answer.answer) == (0, "undecided", "Who knows.")
    assert answer.sentence.startswith("Who knows. Undecided: by the weights alone this corpus ")
    assert "It is called no more than “undecided”, as it is no surer than what it" in str(answer)


@every_row(
    ("words", "answer", "strength", "sentence"),
    [
        (("not settled", ""), "", 0.5, "No stable strength could be found for {}, so there is no "),
        (("supported", "perhaps"), "", None, "No stable strength could be found for {}, so there"),
        (("quality 0.60", ""), "Yes", 0.6, "Quality 0.60: how much the evidence {} can carry, "),
        (
            ("open", "undecided"),
            "",
            0.5,
            "Undecided: too little in this corpus bears on {} to say.",
        ),
        (
            ("open", "undecided"),
            "Who knows",
            0.5,
            "Who knows. Undecided: too little in this corpus",
        ),
        (("supported", "probably"), "", 0.8, "Probably: this corpus backs {} at 0.80 on a scale"),
        (("refuted", "probably"), "", 0.2, "Probably not: this corpus backs {} at 0.20 on a scale"),
        (("supported", "probably"), "Yes!", 0.8, "Probably yes! This corpus backs {} at 0.80 on a"),
        (
            ("supported", "perhaps"),
            "Yes",
            0.9,
            "Perhaps yes. By the weights alone this corpus backs",
        ),
        (("refuted", "perhaps"), "I do not", 0.1, "Perhaps I do not. By the weights alone this"),
        (("evenly balanced", "undecided"), "", 0.5, "Undecided: this corpus backs {} at 0.50 on a"),
        (
            ("contested", "undecided"),
            "",
            0.6,
            "Undecided, reasons on both sides: this corpus backs",
        ),
    ],
)
def test_a_verdict_in_a_sentence(
    words: tuple[str, str], answer: str, strength: float | None, sentence: str
) -> None:
    text = verdict_sentence("Is it?", words, answer, strength, " So.", Reasoning())
    assert text.startswith(sentence.format("“Is it”"))
    assert text.endswith(" So.") == (" on a scale from 0 to 1. So." in text) == ("backs" in text)


@every_row(
    ("sureness", "side", "answer", "words"),
    [
        ("perhaps", 1, "Yes, it is", "Perhaps yes, it is"),
        ("perhaps", 0, "Nobody knows", "Nobody knows"),
        ("", 1, "Yes", "Yes"),
        ("perhaps", -1, "", ""),
        ("perhaps", -1, "I do not", "Perhaps I do not"),
        ("perhaps", 1, "A nap helps", "Perhaps a nap helps"),
        ("perhaps", 1, "GPT helps", "Perhaps GPT helps"),
        ("perhaps", 1, "R2 helps", "Perhaps R2 helps"),
        (
            "undecided, leaning towards",
            -1,
            "Hardly any: few do",
            "Undecided, leaning towards “hardly any”: few do",
        ),
        ("undecided, leaning towards", 1, "Yes.", "Undecided, leaning towards “yes”"),
    ],
)
def test_an_answer_follows_its_word_in_lower_case_but_for_names(
    sureness: str, side: int, answer: str, words: str
) -> None:
    assert qualified_answer(sureness, side, answer) == words


@every_row(
    ("answer", "short", "finding"),
    [
        ("Not reliably: in six tests: few did.", "Not reliably", "In six tests: few did."),
        ("It helps.", "It helps.", ""),
        ("At 10:30 it does", "At 10:30 it does", ""),
        ("", "", ""),
    ],
)
def test_what_was_found_is_a_sentence_of_its_own(answer: str, short: str, finding: str) -> None:
    assert split_answer(answer) == (short, finding)


@every_row(
    ("strength", "word", "filed", "ending"),
    [
        (0.9, "supported", FiledDirectly(0.82, "supported"), None),
        (0.9, "supported", FiledDirectly(0.79, "supported"), "0.79."),
        (0.9, "supported", FiledDirectly(0.85, "leans supported"), "0.85."),
        (0.9, "supported", FiledDirectly(0.5, "open"), "0.50 (undecided)."),
        (0.9, "supported", FiledDirectly(0.3, "leans refuted"), "0.30 (the other side)."),
        (0.5, "open", FiledDirectly(0.66, "leans supported"), "0.66 (no longer undecided)."),
        (0.5, "open", FiledDirectly(0.5, "evenly balanced"), "0.50."),
        (None, "not settled", FiledDirectly(0.3, "leans refuted"), None),
        (0.9, "supported", FiledDirectly(None, "not settled"), None),
    ],
)
def test_what_an_answer_owes_to_filing_is_said_with_the_side_it_would_have(
    strength: float | None, word: str, filed: FiledDirectly, ending: str | None
) -> None:
    remark = remark_on_filing(strength, word, filed, {"quality.kinds.experiment": 4.0})
    opening = "Filed as reasons of the question itself instead of through claims, the same evidence"
    assert remark == ("" if ending is None else f"{opening} would come to {ending}")


def test_each_remark_is_made_only_where_there_is_something_to_remark_on() -> None:
    other = "Another rule of adding up the same reasons does not come out on this side."
    assert remark_on_other_rules(1, {"qe": "supported", "dfquad": "open"}) == other
    assert remark_on_other_rules(1, {"qe": "supported", "dfquad": "supported"}) == ""
    assert remark_on_other_rules(0, {"qe": "supported"}) == ""
    labels = [
        remark_on_label(label, "so").rpartition(" the answer is ")[2] for label in ("out", "in")
    ]
    assert (labels, remark_on_label("out", "")) == (["no: so.", "yes: so."], "")
    assert "Under DF-QuAD reasons do not add up" in remark_on_products("dfquad")
    assert remark_on_products("qe") == remark_on_products("logistic") == ""
    words = {"set_here": {"semantics": "qe"}, "strength": 0.7}
    assert remark_on_settings(UnderDefaults(**words, word="quality 0.70")) == (
        'kg.toml sets semantics = "qe"; at the defaults: quality 0.70.'
    )
    one, team = SurenessLimit.ONE_SOURCE, SurenessLimit.ONE_TEAM
    assert remark_on_limit("perhaps", one, ["s"], "") == (
        "It is called no more than “perhaps”, as it depends on one source: @s."
    )
    assert remark_on_limit("perhaps", team, ["s", "t"], "").endswith("one team: @s and @t.")
    assert remark_on_limit("perhaps", one, [], "") == ""


@every_row(
    ("total", "nats", "heaviest", "is_said"),
    [
        (1.2, 1.2, 0.24, True),
        (1.2, 1.2, 0.25, False),
        (1.0, 1.0, 0.1, False),
        (1.2, 0.9, 0.1, False),  # 0.3 of it comes from no source
    ],
)
def test_an_answer_that_rests_on_many_slight_sources_says_so(
    total: float, nats: float, heaviest: float, is_said: bool
) -> None:
    sources = ContributingSources(count=9, effective=8.0, nats=nats, heaviest=heaviest)
    assert remark_on_slight_sources(total, sources) == is_said * (
        f"No source weighs much: the heaviest of 9 independent ones weighs {heaviest:.2f} of "
        f"{total:.2f} in all."
    )


def test_the_trials_and_what_undoes_an_answer_are_described_by_its_side() -> None:
    settled = require_verdict(robustness(corpus_of_direct_evidence(pa=0.9), "q"))
    trials = "trials with slightly changed weights"
    assert describe_trials("open", (0.5, 0.5), None) == f"at 0.50 in nine of ten {trials}"
    assert describe_trials("open", (0.4, 0.6), None).startswith("between 0.40 and 0.60 in nine of")
    assert describe_trials("open", (None, 0.6), None) == ""
    assert describe_trials("quality 0.60", (0.5, 0.6), None) == ""
    span = "in nine of ten its strength was between 0.40 and 0.60"
    for word, fraction_kept, stays in (
        ("supported", 1.0, "the side never changed (we ask for 160)"),
        ("supported", 0.9, "the side stayed the same in 180 (we ask for 160)"),
        ("open", 1.0, "it always stayed undecided"),
        ("open", 0.9, "it stayed undecided in 180"),
    ):
        some = structs.replace(settled, draws=200, fraction_kept=fraction_kept)
        described = describe_trials(word, (0.4, 0.6), some)
        assert described == f"in 200 {trials} {stays}, and {span}"
    contrary = "one new top-quality study against it"
    assert (
        describe_taking_from_side("supported", 1, settled.asked, None)
        == f"{contrary} would undo it"
    )
    assert describe_taking_from_side("supported", None, settled.asked, None) == ""
    assert describe_taking_from_side("open", 1, settled.asked, settled) == ""
    loss = "the loss of one independent source would undo it"
    assert describe_taking_from_side("supported", None, settled.asked, settled) == loss
    both = f"{loss}, and so would {contrary}"
    assert describe_taking_from_side("supported", 1, settled.asked, settled) == both
    unlost = structs.replace(settled, smallest_loss=None)
    assert describe_taking_from_side("supported", 1, settled.asked, unlost) == (
        f"no loss of evidence that was tried would undo it, but {contrary} would"
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
    text = "By objections alone, a stricter check, the answer is no: the objection "
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
    elsewhere = describe_other_settings_and_rules(near)
    assert elsewhere.startswith(
        "It keeps its side in all seven variants of our method. None of the three other rules of "
        "weighing disagrees."
    )
    assert "outside" not in elsewhere
    other_side = [structs.replace(each, word="refuted") for each in near.other_settings[:4]]
    for count in (3, 4):
        fallen = structs.replace(near, other_settings=tuple(other_side[:count]))
        is_named = f"variants of our method ({other_side[0].setting}" in (
            describe_other_settings_and_rules(fallen)
        )
        assert is_named is (count == 3)
    far = structs.replace(near, high=0.7)
    assert describe_other_settings_and_rules(far).endswith(
        " Those that add up the same reasons put it at 0.80 and 0.95, outside what nine in ten "
        "trials give (0.60 to 0.70)."
    )
    printed_alike = structs.replace(near, high=0.804)  # the other rule's 0.80 is not outside
    assert "outside" not in describe_other_settings_and_rules(
        structs.replace(printed_alike, low=0.802)
    )
    turned = structs.replace(near.other_settings[0], word="refuted", setting="gain 0.5")
    one, two = (
        structs.replace(near, other_settings=(*[turned] * k, *near.other_settings[k:]))
        for k in (1, 2)
    )
    assert (
        "In one of seven variants of our method (gain 0.5) the answer would turn round."
        in describe_other_settings_and_rules(one)
    )
    assert (
        "In two of seven variants of our method (gain 0.5; gain 0.5) the answer would turn round."
        in describe_other_settings_and_rules(two)
    )
    undecided = structs.replace(near, word="open")
    assert describe_other_settings_and_rules(undecided).startswith(
        "In seven of seven variants of our method the answer would take a side. Two of the three "
        "other rules of weighing would give it a side"
    )
    words = {"qe": "contested", "dfquad": "supported"}

    def text_where_rule_differs(grounded: str) -> str:
        others = structs.replace(rules, words=words, grounded=grounded)
        return describe_other_settings_and_rules(structs.replace(near, other_rules=others))

    one_rule = "One of the three other rules of weighing leaves it undecided"
    assert f"{one_rule} (quadratic energy)." in text_where_rule_differs("in")
    both = f"{one_rule} and one says the opposite (quadratic energy and objections alone)."
    assert both in text_where_rule_differs("out")


def test_a_verdict_shows_what_a_share_is_where_there_are_shares_and_how_it_was_weighed() -> None:
    answer = kg.verdict(corpus_of_shorthand("claim q\nclaim r\nq same-as r\n"), "q")
    assert answer.declared.same == ("r",)
    unit = "share: 1.00 is what one top-quality study would bring"
    one_sided = kg.verdict(corpus_of_shorthand(independent_studies(1)), "q")
    assert (unit in str(answer), unit in str(one_sided)) == (False, True)
    detail = render_text(one_sided.detail([]))
    assert "how it was weighed" in detail
    assert "\nhow: each independent source counts once per statement" in detail
    unsettled = structs.replace(answer, strength=None)
    assert leading_sentences(unsettled) == (unsettled.sentence,)
    assert unsettled.held_strength is None


def test_bounds_that_settings_move_hold_an_answer_back_elsewhere() -> None:
    parts = claim("a"), found_by("b", quality=0.9), "b supports a"
    held_strengths = [
        verdict_on(corpus_of_parts(*parts, config=Config(reasoning=settings))).held_strength
        for settings in (Reasoning(), Reasoning(contested_below=0.65), Reasoning(gain=1.1))
    ]
    assert held_strengths == pytest.approx([0.6, 0.65, 0.6])
