"""The best reason of each camp of a line."""

from __future__ import annotations

from kg.publish.components.line.best_reasons import heaviest_reason
from tests.support.corpora import corpus_of_notes
from tests.support.note_texts import builder_of, claim_text, evidence_text, line_text


def test_the_reason_that_weighs_most_for_a_camp_is_its_own() -> None:
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        strong=claim_text("Strong", "optimist", "supports:: [[asked]]"),
        weak=claim_text("Weak", "optimist", "supports:: [[asked]]"),
        con=claim_text("Con", "skeptic", "contradicts:: [[asked]]"),
        mild=claim_text("Mild", "skeptic", "contradicts:: [[asked]]"),
        **{
            f"study-{id}": evidence_text(f"Study of {id}", quality, f"supports:: [[{id}]]")
            for id, quality in (("strong", 0.9), ("weak", 0.3), ("con", 0.8), ("mild", 0.2))
        },
        here=line_text("Here?", "optimist:: [[asked]]", head="proposition: asked\n"),
    )
    builder, here = builder_of(corpus), corpus.lines["here"]
    verdict = builder.context.answers.verdict("here")
    assert verdict is not None
    heaviest = {view.camp: heaviest_reason(builder, here, verdict, view) for view in verdict.camps}
    names = {camp: reason and reason.statement for camp, reason in heaviest.items()}
    assert names == {"optimist": "strong", "skeptic": "con"}
