"""The camps of a line beside each other: what counts, what is superseded, what weighs most."""

from __future__ import annotations

import pytest

from kg.corpus import Corpus
from kg.publish.components.line_camps import (
    ReasonReply,
    best_reply,
    camps_of_line,
    heaviest_reason,
    objections_to,
    placements_in_camp,
)
from tests.support.corpora import corpus_of_notes
from tests.support.note_texts import builder_of, claim_text, evidence_text, line_text, visible_text


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        strong=claim_text("Strong", "optimist", "supports:: [[asked]] — this shows it"),
        weak=claim_text("Weak", "optimist", "supports:: [[asked]] — this hints at it"),
        con=claim_text("Con", "skeptic", "contradicts:: [[asked]] — not so"),
        old=claim_text("Old", "skeptic"),
        new=claim_text("New", "skeptic", "supersedes:: [[old]]"),
        mild=claim_text("Mild", "skeptic", "contradicts:: [[asked]]"),
        **{
            f"study-{id}": evidence_text(f"Study of {id}", quality, f"supports:: [[{id}]]")
            for id, quality in (("strong", 0.9), ("weak", 0.3), ("con", 0.8), ("mild", 0.2))
        },
        here=line_text(
            "Here?",
            "optimist:: [[asked]] — the question",
            "optimist:: [[strong]]",
            "skeptic:: [[old]]",
            "skeptic:: [[new]]",
            head="proposition: asked\n",
        ),
        bare=line_text("Bare?"),
    )


def test_what_is_superseded_does_not_count_in_its_camp(corpus: Corpus) -> None:
    here = corpus.lines["here"]
    statements = {
        camp: [
            [place.statement for place in places]
            for places in placements_in_camp(corpus, here, camp)
        ]
        for camp in corpus.config.camp_ids
    }
    assert statements == {"optimist": [["asked", "strong"], []], "skeptic": [["new"], ["old"]]}


def test_a_camp_lists_what_the_line_places_there_with_the_reason(corpus: Corpus) -> None:
    columns = camps_of_line(builder_of(corpus), corpus.lines["here"])
    assert "Asked (Optimist claim, disputed)The question." in visible_text(columns)
    assert "1 superseded statement" in visible_text(columns)
    assert camps_of_line(builder_of(corpus), corpus.lines["bare"]) == ""


def test_a_statement_that_changes_camps_is_said_to_do_so_on_each_question() -> None:
    corpus = corpus_of_notes(
        both="---\ntype: claim\n---\n\n# Both\n",
        here=line_text("Here?", "optimist:: [[both]]"),
        there=line_text("There?", "skeptic:: [[both]]"),
    )
    text_here, text_there = (
        visible_text(camps_of_line(builder_of(corpus), corpus.lines[id]))
        for id in ("here", "there")
    )
    assert "Sceptic on other questions." in text_here
    assert "Optimist on other questions." in text_there


def test_the_reason_that_weighs_most_for_a_camp_is_its_own(corpus: Corpus) -> None:
    builder, here = builder_of(corpus), corpus.lines["here"]
    verdict = builder.context.strengths.verdict("here")
    assert verdict is not None
    heaviest = {view.camp: heaviest_reason(builder, here, verdict, view) for view in verdict.camps}
    names = {camp: reason and reason.statement for camp, reason in heaviest.items()}
    assert names == {"optimist": "strong", "skeptic": "con"}


def test_of_replies_that_weigh_alike_the_one_that_answers_fewest_statements_is_best() -> None:
    both = ("undercuts:: [[study#^one]]", "undercuts:: [[other#^two]]")
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        study=evidence_text("Study", 0.9, "supports:: [[asked]] ^one"),
        other=evidence_text("Other study", 0.8, "supports:: [[asked]] ^two"),
        a_general=evidence_text("It may be wrong", 0.5, *both),
        special=evidence_text("It was too small", 0.5, "undercuts:: [[study#^one]]"),
        here=line_text("Here?", "optimist:: [[asked]]", head="proposition: asked\n"),
    )
    builder = builder_of(corpus)
    verdict = builder.context.strengths.verdict("here")
    assert verdict is not None
    replies = {
        each.statement: best_reply(builder, corpus.lines["here"], verdict, each)
        for each in verdict.reasons
    }
    statements = {
        id: reply.statement for id, reply in replies.items() if isinstance(reply, ReasonReply)
    }
    assert statements == {"study": "special", "other": "a_general"}


def test_a_reply_to_this_reason_comes_before_one_to_everything() -> None:
    studies = {
        f"s{n}": evidence_text(f"Study {n}", 0.9, f"supports:: [[asked]] ^s{n}") for n in range(12)
    }
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        general=evidence_text(
            "All may err", 0.9, *(f"undercuts:: [[s{n}#^s{n}]]" for n in range(12))
        ),
        special=evidence_text("It was small", 0.2, "undercuts:: [[s0#^s0]]"),
        denial=evidence_text("Not seen again", 0.1, "contradicts:: [[s0]]"),
        idle=claim_text("Idle", "skeptic", "undercuts:: [[s1#^s1]]"),
        **studies,
    )
    builder = builder_of(corpus)
    order = [[id for _, _, id in objections_to(builder, study)] for study in ("s0", "s1")]
    assert order[0] == ["special", "denial", "general"], "the heaviest first, whatever its kind"
    assert order[1] == ["general", "idle"], "but what is heard before what is not"
