"""The best reply to a reason."""

from __future__ import annotations

from kg.publish.components.line.replies import ReasonReply, best_reply
from tests.support.corpora import corpus_of_notes
from tests.support.note_texts import builder_of, claim_text, evidence_text, line_text


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
    verdict = builder.context.answers.verdict("here")
    assert verdict is not None
    replies = {
        each.statement: best_reply(builder, corpus.lines["here"], verdict, each)
        for each in verdict.reasons
    }
    statements = {
        id: reply.statement for id, reply in replies.items() if isinstance(reply, ReasonReply)
    }
    assert statements == {"study": "special", "other": "a_general"}
