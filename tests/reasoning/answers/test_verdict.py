"""Verdicts: words, balance, other rules, camps."""

from __future__ import annotations

from math import exp, log
from typing import Any

import msgspec
import pytest

from kg.corpus import UnknownId
from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning import reading_of, robustness, verdict
from kg.reasoning.answers.robustness import Robustness
from kg.reasoning.answers.verdict import Verdict, leading_sentences
from kg.reasoning.strength_words import side_of
from tests.support.corpus_parts import claim, corpus_of_parts, debate_corpus, edge, evidence, line
from tests.support.every_row import every_row
from tests.support.shorthand import corpus_of_shorthand


def result(*args: Any, **kwargs: Any) -> Verdict:
    answer = verdict(*args, **kwargs)
    assert isinstance(answer, Verdict)
    return answer


@every_row(
    ("text", "word"),
    [
        ("e supports q\nu undercuts e>q\n", "quality 0.60, 0.12 after objections"),
        (
            "e supports q\ne supports p\nu undercuts e>q\n",
            "quality 0.60, 0.12 on 1 of 2 links after objections",
        ),
        (
            "e supports q\ne supports p\nu undercuts e>q\nu undercuts e>p weak\n",
            "quality 0.60, 0.12 to 0.46 after objections",
        ),
    ],
)
def test_the_quality_of_evidence_that_is_undercut_is_said_with_what_counts(
    text: str, word: str
) -> None:
    notes = corpus_of_shorthand("claim q\nclaim p\nevidence e .6 @s\nevidence u .8 @t\n" + text)
    answer = result(notes, "e")
    assert answer.word == word
    assert answer.sentence.startswith(f"Q{word[1:]}: how much the evidence “Evidence e")
    assert result(notes, "u").sentence.startswith("Quality 0.80: how much")


def test_what_only_qualifiers_refute_is_said_at_once_and_in_robustness() -> None:
    text = "claim q\nevidence e .9 @s\nevidence f .9 @t\ne qualifies q\nf qualifies q\n"
    message = (
        "Nothing contradicts it: all that speaks against it qualifies it, so it may still hold"
    )
    answer = result(corpus_of_shorthand(text), "q")
    assert answer.word == "leans refuted"
    assert message in leading_sentences(answer)[0]
    assert message in robustness(corpus_of_shorthand(text), "q").sentence
    against = corpus_of_shorthand(text + "evidence g .1 @u\ng contradicts q\n")
    assert message not in result(against, "q").sentence
    assert message not in robustness(against, "q").sentence


def test_evidence_takes_no_side_however_weak_it_is() -> None:
    notes = corpus_of_parts(
        claim("p"),
        evidence("weak", quality=0.25),
        evidence("objection", quality=0.9),
        edge("weak supports p"),
    )
    answer = result(notes, "weak")
    assert (answer.word, answer.side, answer.sureness_basis.fail_safe) == ("quality 0.25", 0, None)
    assert not answer.other_rules.words
    assert not answer.other_rules.grounded_says
    assert answer.sentence.startswith("Quality 0.25: ")
    assert result(notes, "objection").side == 0


def test_a_sentence_says_what_objections_take_from_evidence() -> None:
    notes = corpus_of_parts(
        evidence("attacked", quality=0.55),
        evidence("objection", quality=0.9),
        edge("objection contradicts attacked"),
    )
    answer = result(notes, "attacked")
    assert answer.strength is not None
    assert answer.balance.base == pytest.approx(0.55)
    assert answer.strength < 0.5
    assert answer.word == f"quality 0.55, {answer.strength:.2f} after objections"
    assert answer.side == 0


def test_a_line_is_judged_by_its_proposition() -> None:
    answer = result(debate_corpus(), "talk")
    assert (answer.asked.line, answer.asked.statement) == ("talk", "p")
    assert result(debate_corpus(), "p").strength == answer.strength


def test_shares_add_up_to_the_change_in_log_odds() -> None:
    answer = result(debate_corpus(), "talk")
    assert answer.strength is not None
    moved_log = log(answer.strength / (1 - answer.strength))
    assert sum(reason.share for reason in answer.reasons) == pytest.approx(moved_log, abs=1e-7)
    assert answer.balance.pro - answer.balance.con == pytest.approx(moved_log, abs=1e-7)
    assert {r.statement for r in answer.reasons} == {"strips", "helps", "mimics", "grows", "bare"}
    sizes = [abs(reason.share) for reason in answer.reasons]
    assert sizes == sorted(sizes, reverse=True)


def test_camps_see_what_is_left_when_the_others_are_silent() -> None:
    camps = {view.camp: view for view in result(debate_corpus(), "talk").camps}
    assert (camps["optimist"].side, camps["skeptic"].side) == (1, -1)
    assert camps["optimist"].strength == pytest.approx(1 / (1 + exp(-0.8 - 0.6)))
    assert (camps["skeptic"].strength or 1) < (camps["optimist"].strength or 0)


def test_what_is_declared_for_one_camp_and_works_for_the_other_is_listed() -> None:
    notes = corpus_of_parts(
        line("l", "p", {"optimist": ["a", "traitor"], "skeptic": ["b"]}),
        *(claim(name) for name in ("p", "a", "b", "traitor")),
        *(evidence(f"e{name}", quality=0.9) for name in ("a", "b")),
        evidence("et", quality=0.5),
        "ea supports a",
        "eb supports b",
        "et supports traitor",
        "a supports p",
        "b contradicts p",
        "traitor contradicts p",
    )
    crossing = {each.camp: each.crossing for each in result(notes, "l").camps}
    assert crossing == {"optimist": ("traitor",), "skeptic": ()}


def test_other_rules_stand_beside_and_disagreement_is_flagged() -> None:
    answer = result(debate_corpus(), "talk")
    assert answer.other_rules.words == {"qe": "contested", "dfquad": "leans refuted"}
    assert set(answer.other_rules.strengths) == {*answer.other_rules.words}
    assert "other rule" not in answer.sentence
    split = corpus_of_parts(
        claim("p"),
        *(evidence(f"s{k}", quality=0.5) for k in range(3)),
        evidence("a", quality=0.99),
        *(f"s{k} supports p" for k in range(3)),
        "a contradicts p",
    )
    answer = result(split, "p")
    assert (answer.strength, answer.other_rules.strengths["dfquad"]) == (
        pytest.approx(1 / (1 + exp(-0.51))),
        pytest.approx(0.4425),
    )


def test_a_grounded_objection_is_distinguished_from_other_semantics() -> None:
    notes = corpus_of_parts(
        claim("p"),
        *(evidence(f"s{k}", quality=0.8) for k in range(6)),
        evidence("a", quality=0.5),
        *(f"s{k} supports p" for k in range(6)),
        "a contradicts p",
    )
    answer = result(notes, "p")
    assert {side_of(word) for word in answer.other_rules.words.values()} == {1}
    assert (answer.other_rules.grounded, answer.side) == ("out", 1)
    assert answer.other_rules.grounded_says == "the objection “Evidence a” has not been refuted"


def test_another_rule_of_weighing_is_the_same_in_verdict_and_robustness() -> None:
    """Dung's label alone is on the other side."""
    notes = corpus_of_parts(
        *(claim("q"), claim("p"), evidence("e", quality=0.9)), "e supports q", "q depends-on p"
    )
    robust = robustness(reading_of(notes), "q")
    assert isinstance(robust, Robustness)
    assert result(reading_of(notes), "q").other_rules == robust.other_rules
    assert robust.other_rules.grounded == "out"
    assert robust.headline != "sturdy"


def test_a_circle_of_support_adds_nothing() -> None:
    names = ["c0", "c1", "c2", "c3"]
    notes = corpus_of_parts(
        *(claim(name) for name in names),
        evidence("e", quality=0.05),
        "e supports c0",
        *(f"{a} supports {b}" for a in names for b in names if a != b),
    )
    value_alone = 1 / (1 + exp(-0.05))
    strengths = reading_of(notes).strength
    assert [strengths(name) for name in names] == pytest.approx([value_alone] * 4)
    certificate = result(notes, "c0").asked.certificate
    assert certificate is not None
    assert certificate.name == "unfolded"


@every_row(("qualities", "studies"), [([0.6], 1), ([0.9, 0.9], 2), ([0.1], None)])
def test_fail_safe_counts_the_null_studies_that_undo_an_answer(
    qualities: list[float], studies: int | None
) -> None:
    notes = corpus_of_parts(
        claim("p"),
        *(evidence(f"e{k}", quality=x) for k, x in enumerate(qualities)),
        *(f"e{k} supports p" for k in range(len(qualities))),
    )
    assert result(notes, "p").sureness_basis.fail_safe == studies


def test_a_claim_without_reasons_is_open() -> None:
    answer = result(corpus_of_parts(claim("p")), "p")
    assert (answer.word, answer.strength, answer.side) == ("open", 0.5, 0)


def test_bare_claims_carry_weight_only_under_plain_transfer() -> None:
    notes = corpus_of_parts(claim("p"), claim("q"), "q supports p")
    assert result(notes, "p").strength == 0.5
    plain = result(reading_of(notes, Reasoning(transfer="plain")), "p")
    assert (plain.strength or 0.0) > 0.6
    assert plain.asked.parameters.transfer == "plain"


def test_an_unknown_name_suggests_the_nearest() -> None:
    with pytest.raises(UnknownId, match="did you mean talk"):
        verdict(debate_corpus(), "talks")


def test_answers_are_plain_json_with_every_field() -> None:
    plain = result(debate_corpus(), "talk").to_dict()
    assert msgspec.json.decode(msgspec.json.encode(plain)) == plain
    assert {"sentence", "complete", "asked", "strength", "other_rules", "camps"} <= set(plain)
    assert plain["asked"]["parameters"]["gain"] == 1.0
    assert plain["asked"]["certificate"] == {
        "name": "acyclic",
        "residual": 0.0,
        "converged": True,
    }


@pytest.mark.usefixtures("few_rounds")
def test_what_does_not_settle_has_no_verdict() -> None:
    settings = Reasoning(loops="sum", transfer="earned").model_copy(update={"gain": 12.0})
    notes = corpus_of_parts(
        *(claim(name) for name in "abcp"),
        *(evidence(f"e{name}", [name], quality=0.99 - 0.005 * k) for k, name in enumerate("abc")),
        *(f"e{name} supports {name}" for name in "abc"),
        "a contradicts b",
        "b contradicts c",
        "c contradicts a",
        "a supports p",
    )
    answer = result(reading_of(notes, settings), "p")
    assert (answer.strength, answer.word, answer.side) == (None, "not settled", 0)
    assert answer.asked.certificate is not None
    assert not answer.asked.certificate.converged
