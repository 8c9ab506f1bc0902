"""However the same evidence is carved into notes, the question comes to the same."""

from __future__ import annotations

from itertools import pairwise
from math import exp

import pytest

import kg
from kg.reasoning.answers.verdict import Verdict
from tests.support.every_row import every_row
from tests.support.shorthand import corpus_of_shorthand


def nats(total: float) -> float:
    return 1.0 / (1.0 + exp(-total))


def verdict_on(text: str) -> Verdict:
    verdict = kg.verdict(corpus_of_shorthand(text), "q")
    assert isinstance(verdict, Verdict)
    return verdict


def strength(text: str) -> float:
    return float(verdict_on(text).strength or 0.0)


def through(count: int, source: str = "e") -> str:
    """Claims between a piece of evidence and the question."""
    each = "claim c{0}\n{1} supports c{0}\nc{0} supports q\n"
    return "".join(each.format(k, source) for k in range(count))


def studies(count: int, to: str, quality: float = 0.5, relation: str = "supports") -> str:
    each = "evidence {1}{0} {2} @s{1}{0}\n{1}{0} {3} {4}\n"
    name = "e" if relation == "supports" else "a"
    return "".join(each.format(k, name, quality, relation, to) for k in range(count))


STUDY = "claim q\nevidence e .9 @s\n"


@every_row("claims", [1, 2, 10])
def test_a_study_counts_once_through_many_claims(claims: int) -> None:
    assert strength(STUDY + through(claims)) == pytest.approx(nats(0.9))
    assert round(nats(0.9), 3) == 0.711


def test_many_quotes_of_a_study_through_many_claims_count_once() -> None:
    quotes = "".join(
        f"evidence e{k} .9 @s\nclaim c{k}\ne{k} supports c{k}\nc{k} supports q\n" for k in range(10)
    )
    assert strength("claim q\n" + quotes) == pytest.approx(nats(0.9))


def test_a_study_splits_into_findings_of_one_source() -> None:
    parts = "".join(f"evidence e{k} .{k + 1} @s\ne{k} supports q\n" for k in range(9))
    assert strength("claim q\n" + parts) == pytest.approx(nats(0.9))


@every_row("length", [0, 1, 3, 5])
def test_a_claim_that_restates_another_changes_nothing(length: int) -> None:
    steps = ["e", *(f"c{k}" for k in range(length)), "q"]
    claims = "".join(f"claim c{k}\n" for k in range(length))
    edges = "".join(f"{a} supports {b}\n" for a, b in pairwise(steps))
    restated = strength("claim q\nevidence e .95 @s\n" + claims + edges)
    assert restated == pytest.approx(nats(0.95))
    assert round(nats(0.95), 3) == 0.721


def test_a_claim_that_restates_another_changes_nothing_amid_a_dispute() -> None:
    dispute = "claim q\n" + studies(3, "q") + studies(2, "q", 0.4, "contradicts")
    longer = dispute.replace("e0 supports q", "claim r\ne0 supports r\nr supports q")
    assert strength(longer) == pytest.approx(strength(dispute))


def test_reasons_under_one_claim_weigh_as_if_pointed_at_the_question() -> None:
    hub = "claim q\nclaim h\nh supports q\n"
    under, direct = hub + studies(9, "h"), "claim q\n" + studies(9, "q")
    assert strength(under) == pytest.approx(strength(direct)) == pytest.approx(nats(4.5))
    against = studies(6, "q", 0.5, "contradicts")
    five = strength(hub + studies(5, "h") + against)
    assert five == pytest.approx(nats(-0.5))


def test_the_name_of_a_claim_on_the_way_changes_nothing() -> None:
    hub = "claim q\nclaim {0}\n{0} supports q\n" + studies(4, "{0}")
    assert strength(hub.format("hub")) == strength(hub.format("zz-other"))


def test_a_claim_repeated_adds_nothing() -> None:
    once = "claim q\nclaim c0\nc0 supports q\n" + studies(2, "c0")
    again = once + "".join(f"claim r{k}\nr{k} supports q\n" for k in range(10))
    restated = once + "".join(f"claim r{k}\nc0 supports r{k}\nr{k} supports q\n" for k in range(10))
    assert strength(again) == pytest.approx(strength(once))
    assert strength(restated) == pytest.approx(strength(once))


def test_what_is_filed_so_that_nothing_depends_on_it_says_so() -> None:
    answer = verdict_on(STUDY + through(10))
    assert answer.filed_directly.strength == pytest.approx(answer.strength)


def test_an_objection_on_the_way_depends_on_its_place_and_the_verdict_says_it() -> None:
    """It takes what the claim brings, and no more; put to the question it would take more."""
    text = "claim q\nclaim h\nh supports q\nevidence e .3 @s\ne supports h\n"
    text += "evidence o .9 @t\no contradicts h\nevidence f .5 @u\nf supports q\n"
    answer = verdict_on(text)
    assert answer.strength == pytest.approx(nats(0.5))
    assert answer.filed_directly.strength == pytest.approx(nats(0.5 + 0.3 - 0.9))
    assert "the same evidence would come to 0.48" in " ".join(str(answer).split())
    assert "Filed as reasons" not in str(
        verdict_on(text.replace("o contradicts h", "o contradicts q"))
    )


def test_many_slight_reasons_add_up_and_the_verdict_shows_how_slight_each_is() -> None:
    answer = verdict_on("claim q\n" + studies(30, "q", 0.1))
    assert answer.strength == pytest.approx(nats(3.0))
    assert round(nats(3.0), 3) == 0.953
    assert answer.word == "strongly supported"
    assert (answer.sources.count, answer.sources.effective) == (30, pytest.approx(30.0))
    assert answer.balance.pro == pytest.approx(3.0)
    assert max(reason.share for reason in answer.reasons) == pytest.approx(0.1)
    assert "No source weighs much: the heaviest of 30 independent ones weighs 0.10 of 3.00" in str(
        answer
    )
