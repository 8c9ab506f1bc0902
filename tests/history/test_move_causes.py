"""Why a reason weighs more or less: the nearest change, named only if it points the same way."""

from __future__ import annotations

from itertools import pairwise

from kg.corpus import Corpus
from kg.history.find_changes import diff
from kg.history.match_records import match_statements
from kg.history.move_causes import MAX_DEPTH, MoveCauseFinder, MoveCauseKind
from kg.history.moved_answers import MovedReason
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row
from tests.support.note_texts import claim_text

Causes = list[tuple[MoveCauseKind, str, str, str]]
BOOKS = "@misc{s, title={S}, year={2020}}"
RETRACTED = "---\ntype: source\nintegrity: retracted\n---\n\nWithdrawn.\n"
FALL, RISE = MovedReason("reason", 0.9, 0.4), MovedReason("reason", 0.4, 0.9)
NOTES = {
    "references": BOOKS,
    "asked": claim_text("Asked", "optimist"),
    "reason": claim_text("Reason", "optimist", "supports:: [[asked]]"),
    "deeper": claim_text("Deeper", "optimist", "supports:: [[reason]]"),
}


def study(edge: str, quality: float = 0.8) -> str:
    return f"---\ntype: evidence\nquality: {quality}\n---\n\n# Study\n\n[@s]\n\n- {edge}\n"


def causes_of(before: Corpus, after: Corpus, cause: MovedReason) -> Causes:
    """What is said of a reason for `asked` that weighs more or less than before."""
    reasons = MoveCauseFinder(before, after, diff(before, after), match_statements(before, after))
    causes = reasons.causes_of_move(cause, "asked")
    return [(each.kind, each.statement, each.was, each.now) for each in causes]


def test_a_flag_two_steps_down_explains_a_fall_and_no_rise() -> None:
    notes = {**NOTES, "study": study("supports:: [[deeper]]")}
    before, after = corpus_of_notes(**notes), corpus_of_notes(**notes, s=RETRACTED)
    kinds = [(kind, id, after) for kind, id, _, after in causes_of(before, after, FALL)]
    assert kinds[0] == (MoveCauseKind.SOURCE, "study", "retracted")
    assert causes_of(before, after, RISE) == []


def test_a_loss_two_steps_down_explains_a_fall_without_any_flag() -> None:
    before = corpus_of_notes(**NOTES, study=study("supports:: [[deeper]]"))
    after = corpus_of_notes(**NOTES)
    assert causes_of(before, after, FALL) == [(MoveCauseKind.REASON_REMOVED, "study", "", "")]
    assert causes_of(before, after, RISE) == []
    assert causes_of(after, before, RISE) == [(MoveCauseKind.REASON_ADDED, "study", "", "")]
    assert causes_of(after, before, FALL) == []


def test_an_objection_explains_a_fall_where_it_is_added_and_a_rise_where_it_goes() -> None:
    objection = claim_text("Objection", "skeptic", "contradicts:: [[deeper]]")
    without, including = corpus_of_notes(**NOTES), corpus_of_notes(**NOTES, objection=objection)
    added = (MoveCauseKind.OBJECTION_ADDED, "objection", "", "")
    assert causes_of(without, including, FALL) == [added]
    removed = (MoveCauseKind.OBJECTION_REMOVED, "objection", "", "")
    assert causes_of(including, without, RISE) == [removed]


@every_row("id", ["reason", "deeper"])
def test_a_link_with_another_word_explains_what_moves_with_it(id: str) -> None:
    weaker = {**NOTES, id: NOTES[id].replace("]]\n", "]] (strength:: weak)\n")}
    before, after = corpus_of_notes(**NOTES), corpus_of_notes(**weaker)
    assert causes_of(before, after, FALL) == [(MoveCauseKind.LINK, id, "full", "weak")]
    assert causes_of(after, before, RISE) == [(MoveCauseKind.LINK, id, "weak", "full")]
    assert causes_of(before, after, RISE) == []


def test_a_link_to_something_else_explains_nothing() -> None:
    def notes(*edges: str) -> Corpus:
        deeper = claim_text("Deeper", "optimist", *edges)
        return corpus_of_notes(**{**NOTES, "deeper": deeper}, aside=NOTES["asked"])

    before = notes("supports:: [[aside]]", "supports:: [[reason]]")
    aside = notes("supports:: [[aside]] (strength:: weak)", "supports:: [[reason]]")
    assert causes_of(before, aside, FALL) == []
    beside = notes("supports:: [[aside]]", "supports:: [[reason]] (strength:: weak)")
    assert causes_of(before, beside, FALL) == [(MoveCauseKind.LINK, "deeper", "full", "weak")]


def test_a_quality_explains_a_move_in_its_own_direction() -> None:
    before = corpus_of_notes(**NOTES, study=study("supports:: [[deeper]]", 0.8))
    after = corpus_of_notes(**NOTES, study=study("supports:: [[deeper]]", 0.3))
    assert causes_of(before, after, FALL) == [(MoveCauseKind.QUALITY, "study", "0.80", "0.30")]
    assert causes_of(after, before, RISE) == [(MoveCauseKind.QUALITY, "study", "0.30", "0.80")]
    assert causes_of(before, after, RISE) == []
    claim = corpus_of_notes(**NOTES, study=claim_text("Study", "", "supports:: [[deeper]]"))
    assert causes_of(claim, after, RISE) == [(MoveCauseKind.QUALITY, "study", "0.00", "0.30")]


def test_the_nearest_change_is_named_alone() -> None:
    near = study("supports:: [[reason]]").replace("# Study", "# Near")
    before = corpus_of_notes(**NOTES, near=near, study=study("supports:: [[deeper]]"))
    assert causes_of(before, corpus_of_notes(**NOTES), FALL) == [
        (MoveCauseKind.REASON_REMOVED, "near", "", "")
    ]


@every_row(("steps", "is_named"), [(MAX_DEPTH, True), (MAX_DEPTH + 1, False)])
def test_what_happens_far_below_is_not_named(steps: int, is_named: bool) -> None:
    chain = ["reason", *(f"step{number}" for number in range(2, steps + 1))]
    notes = {key: NOTES[key] for key in ("references", "asked", "reason")}
    for target, id in pairwise(chain):
        notes[id] = claim_text(id, "optimist", f"supports:: [[{target}]]")
    before = corpus_of_notes(**notes, study=study(f"supports:: [[{chain[-1]}]]"))
    causes = causes_of(before, corpus_of_notes(**notes), FALL)
    assert causes == [(MoveCauseKind.REASON_REMOVED, "study", "", "")] * is_named


@every_row("cause", [MovedReason("reason", None, 0.4), MovedReason("reason", 0.4, None)])
def test_a_reason_that_is_new_or_gone_needs_no_explanation(cause: MovedReason) -> None:
    before = corpus_of_notes(**NOTES, study=study("supports:: [[reason]]"))
    after = corpus_of_notes(**NOTES)
    assert causes_of(before, after, FALL) != []
    assert causes_of(before, after, cause) == []


def test_a_reason_against_weighs_less_nearer_to_zero() -> None:
    before = corpus_of_notes(**NOTES, study=study("supports:: [[deeper]]"))
    after = corpus_of_notes(**NOTES)
    removed = [(MoveCauseKind.REASON_REMOVED, "study", "", "")]
    assert causes_of(before, after, MovedReason("reason", -0.9, -0.4)) == removed
    assert causes_of(before, after, MovedReason("reason", -0.4, -0.9)) == []


def test_what_happens_at_the_proposition_itself_explains_no_reason_in_a_circle() -> None:
    circle = {**NOTES, "asked": claim_text("Asked", "optimist", "supports:: [[reason]]")}
    before = corpus_of_notes(**circle, study=study("supports:: [[asked]]"))
    assert causes_of(before, corpus_of_notes(**circle), FALL) == []
