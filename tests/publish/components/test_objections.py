"""What is said against a statement, the most telling first."""

from __future__ import annotations

from kg.publish.components.objections import objections_to
from tests.support.corpora import corpus_of_notes
from tests.support.note_texts import builder_of, claim_text, evidence_text


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
    order = [[each.origin for each in objections_to(builder, study)] for study in ("s0", "s1")]
    assert order[0] == ["special", "denial", "general"], "the heaviest first, whatever its kind"
    assert order[1] == ["general", "idle"], "but what is counted before what is not"
