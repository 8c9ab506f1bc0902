"""What an answer rests on: the reasons that add something, the heaviest first, and the others
counted.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kg.corpus import Corpus
from kg.publish.context.site_context import SiteContext
from kg.publish.graphics import argument
from kg.publish.graphics.argument import ReasonsBeneath, argument_of, graph_address, has_argument
from kg.publish.markup.address import Addresses
from tests.support.note_texts import claim, corpus_with_question, evidence

CorpusOf = Callable[..., Corpus]
NOTES = {
    "light": evidence("Light", 0.6, "supports:: [[asked]]"),
    "heavy": evidence("Heavy", 0.9, "supports:: [[asked]]"),
    "con": claim("Con", "skeptic", "contradicts:: [[asked]]"),
    "found": evidence("Found", 0.9, "supports:: [[con]]"),
    "idle": claim("Idle", "skeptic", "supports:: [[asked]]"),
    "apart": evidence("Apart", 0.9, "supports:: [[idle#^no]]"),
}


def argument_in(corpus: Corpus) -> ReasonsBeneath:
    [line] = corpus.lines.values()
    return argument_of(SiteContext(Addresses(corpus)), line, "asked")


def test_the_reasons_of_each_stand_by_what_they_add(corpus_of: CorpusOf) -> None:
    found = argument_in(corpus_with_question(corpus_of, **NOTES))
    assert found.statements[0] == "asked"
    assert {*found.statements} == {"asked", "light", "heavy", "con", "found"}
    ends = [(step.source, step.target) for step in found.steps]
    assert ends[-1] == ("found", "con")
    shares = {source: step.share for (source, _), step in zip(ends, found.steps, strict=True)}
    assert shares["heavy"] > shares["light"] > 0 > shares["con"]
    to_asked = [abs(step.share) for step in found.steps if step.target == "asked"]
    assert to_asked == sorted(to_asked, reverse=True)


def test_reasons_that_add_nothing_are_counted_and_not_drawn(corpus_of: CorpusOf) -> None:
    found = argument_in(corpus_with_question(corpus_of, **NOTES))
    assert found.counts["asked"].idle == 1
    assert found.beyond == {}


def test_reasons_too_far_away_are_counted(
    corpus_of: CorpusOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(argument, "MAX_STATEMENTS_DRAWN", 3)
    found = argument_in(corpus_with_question(corpus_of, **NOTES))
    assert len(found.statements) == 3
    assert sum(found.beyond.values()) + len(found.steps) == 4


def test_an_answer_on_which_nothing_bears_has_no_graph(corpus_of: CorpusOf) -> None:
    for notes, drawn in (({"idle": NOTES["idle"]}, False), ({"light": NOTES["light"]}, True)):
        corpus = corpus_with_question(corpus_of, **notes)
        assert has_argument(SiteContext(Addresses(corpus)), corpus.lines["here"]) is drawn


def test_the_address_of_a_graph_holds_any_name(corpus_of: CorpusOf) -> None:
    [line] = corpus_with_question(corpus_of).lines.values()
    assert graph_address(line) == "graph.html#line=here"


def test_an_objection_to_a_link_is_drawn_to_the_reason_whose_link_it_undercuts(
    corpus_of: CorpusOf,
) -> None:
    notes = {
        **{
            "heavy": evidence("Heavy", 0.9, "supports:: [[asked]] ^to-asked"),
            "idle": NOTES["idle"],
        },
        "doubt": evidence("Doubt", 0.9, "undercuts:: [[heavy#^to-asked]]"),
        "reply": evidence("Reply", 0.5, "contradicts:: [[doubt]]"),
        "idle-doubt": claim("Idle doubt", "skeptic", "undercuts:: [[heavy#^to-asked]]"),
        "apart": evidence("Apart", 0.9, "undercuts:: [[idle#^no]]"),
    }
    found = argument_in(corpus_with_question(corpus_of, **notes))
    assert found.statements == ("asked", "heavy", "doubt", "reply")
    steps = [(step.source, step.target, step.conclusion, step.share > 0) for step in found.steps]
    assert steps == [
        ("heavy", "asked", None, True),
        ("doubt", "heavy", "asked", False),
        ("reply", "doubt", None, False),
    ]
