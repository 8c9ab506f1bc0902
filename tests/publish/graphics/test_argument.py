"""What an answer rests on: the reasons that add something, the heaviest first, and the others
counted.
"""

from __future__ import annotations

import pytest

from kg.corpus import Corpus
from kg.publish.context.site_context import SiteContext
from kg.publish.graphics import argument
from kg.publish.graphics.argument import ReasonsBeneath, argument_of, graph_address, has_argument
from kg.publish.markup.address import Addresses
from tests.support.note_texts import claim_text, corpus_with_question, evidence_text

NOTES = {
    "light": evidence_text("Light", 0.6, "supports:: [[asked]]"),
    "heavy": evidence_text("Heavy", 0.9, "supports:: [[asked]]"),
    "con": claim_text("Con", "skeptic", "contradicts:: [[asked]]"),
    "found": evidence_text("Found", 0.9, "supports:: [[con]]"),
    "idle": claim_text("Idle", "skeptic", "supports:: [[asked]]"),
    "apart": evidence_text("Apart", 0.9, "supports:: [[idle#^no]]"),
}


def argument_in(corpus: Corpus) -> ReasonsBeneath:
    [line] = corpus.lines.values()
    return argument_of(SiteContext(Addresses(corpus)), line, "asked")


def test_the_reasons_of_each_stand_by_what_they_add() -> None:
    argument = argument_in(corpus_with_question(**NOTES))
    assert argument.statements[0] == "asked"
    assert {*argument.statements} == {"asked", "light", "heavy", "con", "found"}
    ends = [(reason.premise, reason.target) for reason in argument.reasons]
    assert ends[-1] == ("found", "con")
    shares = {
        source: reason.share for (source, _), reason in zip(ends, argument.reasons, strict=True)
    }
    assert shares["heavy"] > shares["light"] > 0 > shares["con"]
    to_asked = [abs(reason.share) for reason in argument.reasons if reason.target == "asked"]
    assert to_asked == sorted(to_asked, reverse=True)


def test_reasons_that_add_nothing_are_counted_and_not_drawn() -> None:
    argument = argument_in(corpus_with_question(**NOTES))
    assert argument.counts["asked"].idle == 1
    assert argument.beyond == {}


def test_reasons_too_far_away_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(argument, "MAX_STATEMENTS_DRAWN", 3)
    near_argument = argument_in(corpus_with_question(**NOTES))
    assert len(near_argument.statements) == 3
    assert sum(near_argument.beyond.values()) + len(near_argument.reasons) == 4


def test_an_answer_on_which_nothing_bears_has_no_graph() -> None:
    for notes, drawing in (({"idle": NOTES["idle"]}, False), ({"light": NOTES["light"]}, True)):
        corpus = corpus_with_question(**notes)
        assert has_argument(SiteContext(Addresses(corpus)), corpus.lines["here"]) is drawing


def test_the_address_of_a_graph_holds_any_name() -> None:
    [line] = corpus_with_question().lines.values()
    assert graph_address(line) == "graph.html#line=here"


def test_an_objection_to_a_link_is_drawn_to_the_reason_whose_link_it_undercuts() -> None:
    notes = {
        **{
            "heavy": evidence_text("Heavy", 0.9, "supports:: [[asked]] ^to-asked"),
            "idle": NOTES["idle"],
        },
        "doubt": evidence_text("Doubt", 0.9, "undercuts:: [[heavy#^to-asked]]"),
        "reply": evidence_text("Reply", 0.5, "contradicts:: [[doubt]]"),
        "idle-doubt": claim_text("Idle doubt", "skeptic", "undercuts:: [[heavy#^to-asked]]"),
        "apart": evidence_text("Apart", 0.9, "undercuts:: [[idle#^no]]"),
    }
    argument = argument_in(corpus_with_question(**notes))
    assert argument.statements == ("asked", "heavy", "doubt", "reply")
    reasons = [
        (reason.premise, reason.target, reason.conclusion, reason.share > 0)
        for reason in argument.reasons
    ]
    assert reasons == [
        ("heavy", "asked", None, True),
        ("doubt", "heavy", "asked", False),
        ("reply", "doubt", None, False),
    ]


def test_an_objection_of_a_statement_to_its_own_link_is_not_drawn_to_itself() -> None:
    edges = "supports:: [[asked]] ^to-asked", "undercuts:: [[heavy#^to-asked]]"
    corpus = corpus_with_question(heavy=evidence_text("Heavy", 0.9, *edges))
    context = SiteContext(Addresses(corpus))
    [undercut] = [each for each in corpus.edges if each.relation == "undercuts"]
    assert context.standings.share(undercut.id) > argument.LEAST_NATS_COUNTED
    reasons = [(reason.premise, reason.target) for reason in argument_in(corpus).reasons]
    assert reasons == [("heavy", "asked")]
