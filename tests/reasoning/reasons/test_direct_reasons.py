"""The reasons of an answer: they add up, and equal ones have one row."""

from __future__ import annotations

import pytest
from msgspec import structs

from kg.model import Relation
from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning import reading_of, verdict
from kg.reasoning.answers.verdict import Verdict, list_remarks
from kg.reasoning.reasons.direct_reasons import (
    Balance,
    LossToObjections,
    Reason,
    ReasonRow,
    describe_losses_to_objections,
    reason_table,
    remark_on_no_contradiction,
)
from tests.support.corpora import corpus_of_notes
from tests.support.corpus_parts import claim, corpus_of_parts, verdict_on
from tests.support.corpus_parts import evidence as found_by
from tests.support.every_row import every_row
from tests.support.own import own_corpus


def evidence(quality: float, edge: str) -> str:
    return f"---\ntype: evidence\nquality: {quality}\n---\n\n# Seen\n\n- {edge}\n"


def printed_text(answer: Verdict) -> str:
    """What it prints, lines not broken."""
    return " ".join(str(answer).split())


CLAIM = "---\ntype: claim\n---\n\n# A\n"


@pytest.mark.integration
def test_the_reasons_of_every_line_add_up_to_its_balance() -> None:
    reading = reading_of(own_corpus())
    assert reading.corpus.lines
    for line in reading.corpus.lines:
        answer = verdict(reading, line)
        assert isinstance(answer, Verdict)
        for max_rows in (2, 15):
            check_reason_table(answer, max_rows)


def check_reason_table(answer: Verdict, expected_output: int) -> None:
    rows = reason_table(answer.reasons, answer.balance, expected_output)
    for side, items in ((1, rows.pro), (-1, rows.con)):
        printed = sum(float(item.share.replace("−", "-")) for item in items)
        total = rows.total(side).replace("−", "-")
        assert rows.is_rounded(side) or f"{printed:+.2f}" == total or not items
        assert abs(printed - float(total)) <= 0.005 * (len(items) + 1)
    for item in (*rows.pro, *rows.con):
        if item.reason:
            assert item.share == f"{item.reason.share:+.2f}".replace("-", "−")
    statements = [item.statement for item in (*rows.pro, *rows.con) if item.statement]
    lighter = sum(item.lighter for item in (*rows.pro, *rows.con))
    assert len(statements) + lighter + len(rows.idle) == len(answer.reasons)


def test_evidence_that_is_the_same_has_one_row() -> None:
    parts = claim("a"), found_by("b", ["w"], quality=0.6), found_by("c", ["w"], quality=0.6)
    answer = verdict_on(corpus_of_parts(*parts, "b supports a", "c supports a", "b same-as c"))
    assert [
        (item.statement, item.share) for item in reason_table(answer.reasons, answer.balance).pro
    ] == [("b", "+0.60")]


def test_many_slight_reasons_are_said() -> None:
    slight = {f"e{n}": evidence(0.1, "supports:: [[a]]") for n in range(30)}
    answer = verdict_on(corpus_of_notes(a=CLAIM, **slight))
    *_, text = list_remarks(answer)
    slight = "No source weighs much: the heaviest of 30 independent ones weighs 0.10 of 3.00"
    assert text == f"{slight} in all."
    beneath = {f"e{n}": evidence(0.1, "supports:: [[b]]") for n in range(30)}
    gathered = verdict_on(
        corpus_of_notes(a=CLAIM, b=CLAIM + "\n- supports:: [[a]] — so\n", **beneath)
    )
    assert text in list_remarks(gathered)


def test_reasons_that_do_not_add_up_say_so() -> None:
    parts = claim("a"), found_by("b", quality=0.9), "b supports a"
    for semantics, text in (("dfquad", True), ("qe", False), ("logistic", False)):
        answer = verdict(reading_of(corpus_of_parts(*parts), Reasoning(semantics=semantics)), "a")  # type: ignore[arg-type]
        assert isinstance(answer, Verdict)
        assert any("do not add up" in remark for remark in list_remarks(answer)) == text


def test_what_adds_too_little_for_a_row_is_not_said_to_add_nothing() -> None:
    slight = evidence(0.01, "supports:: [[a]] (strength:: weak)")
    answer = verdict_on(
        corpus_of_notes(a=CLAIM, e=evidence(0.9, "supports:: [[a]]"), slight=slight)
    )
    assert {reason.share for reason in answer.reasons} == {0.9, 0.003}
    assert "linked to it, adding less than 0.005 directly: slight" in printed_text(answer)


def test_a_partner_is_named_where_the_reason_leads() -> None:
    joint = "supports:: [[a]] with [[f]]"
    notes = corpus_of_notes(a=CLAIM, e=evidence(0.5, joint), f=evidence(0.6, "supports:: [[e]]"))
    answer = verdict_on(notes)
    assert "For: “Seen”, together with e." in printed_text(answer)


def reason(name: str, share: float, relation: Relation = Relation.SUPPORTS) -> Reason:
    return Reason(
        statement=name, title=name.upper(), edge=name, strength=0.4, weight=1.0, share=share,
        relation=relation,
    )  # fmt: skip


def test_the_lighter_reasons_of_a_side_share_a_row_and_those_that_add_nothing_have_none() -> None:
    shares = {"a": 0.9, "x": -0.6, "b": 0.5, "c": 0.3, "d": 0.004, "y": -0.003, "idle": 0.0}
    reasons = [reason(*each) for each in shares.items()]
    balance = Balance(base=0.5, pro=1.704, con=0.603, lessened=())
    rows = reason_table(reasons, balance, 2)
    assert [(row.title, row.statement, row.share) for row in rows.pro] == [
        ("A", "a", "+0.90"),
        ("B", "b", "+0.50"),
        ("2 lighter reasons", "", "+0.30"),
    ]
    assert [(row.title, row.share) for row in rows.con] == [("X", "−0.60")]
    assert rows.idle == ("y", "idle")
    assert (rows.total(1), rows.total(-1)) == ("+1.70", "−0.60")
    assert not rows.is_rounded(1)
    assert not rows.is_rounded(-1)
    off = reason_table(reasons, structs.replace(balance, pro=1.714), 9)
    assert (off.is_rounded(1), off.is_rounded(-1)) == (True, False)
    assert [row.title for row in off.pro] == ["A", "B", "C"]
    assert off.idle == ("d", "y", "idle")


def test_a_reason_is_described_by_its_title_its_partners_and_how_far_it_fell() -> None:
    fallen = structs.replace(reason("a", -0.5), fallen=True)
    joint = structs.replace(reason("a", 0.5), together=("b", "c"))
    assert ReasonRow(-0.5, fallen).title == "its premise “A” has fallen to 0.40"
    assert ReasonRow(0.5, joint).title == "A (together with b, c)"
    assert ReasonRow(0.1, None, 1).title == "1 lighter reason"


@every_row(
    ("reasons", "side", "is_said"),
    [
        ([reason("a", -0.9, Relation.QUALIFIES)], -1, True),
        ([reason("a", -0.9, Relation.QUALIFIES)], 0, False),
        ([reason("a", -0.9, Relation.CONTRADICTS)], -1, False),
        (
            [
                reason("a", -0.9, Relation.QUALIFIES),
                reason("b", -0.004, Relation.CONTRADICTS),
                reason("c", 0.4),
            ],
            -1,
            True,
        ),
        (
            [reason("a", -0.9, Relation.QUALIFIES), reason("b", -0.005, Relation.CONTRADICTS)],
            -1,
            False,
        ),
    ],
)
def test_that_nothing_contradicts_it_is_said_of_what_is_only_qualified(
    reasons: list[Reason], side: int, is_said: bool
) -> None:
    assert bool(remark_on_no_contradiction(reasons, side)) is is_said


def test_what_objections_take_is_described_by_the_side_they_weaken() -> None:
    lessened = LossToObjections(side=1, nats=0.8, heaviest="o", title="O.")
    assert describe_losses_to_objections(lessened) == (
        "objections to its reasons take 0.80, the heaviest “O”"
    )
    other = structs.replace(lessened, side=-1, heaviest="", title="")
    assert describe_losses_to_objections(other) == "objections to the reasons against it take 0.80"
