"""What a line answers."""

from __future__ import annotations

from kg.model import InquiryLine, Span
from kg.model.inquiry_line import UNDECIDED_ANSWER, AnswerWords


def test_a_line_answers_in_its_own_words_and_else_only_that_it_is_undecided() -> None:
    bare = InquiryLine(id="l", title="Is it so?", span=Span("l.md"))
    assert [bare.answer_for(side) for side in (1, -1, 0)] == ["", "", UNDECIDED_ANSWER]
    assert not bare.answers.has_any
    for each in ("holds", "fails", "undecided"):
        assert AnswerWords(**{each: "Maybe"}).has_any
    answers = AnswerWords(holds="Yes", fails="No", undecided="Who knows")
    line = InquiryLine(id="l", title="Is it so?", span=Span("l.md"), answers=answers)
    assert [line.answer_for(side) for side in (1, -1, 0)] == ["Yes", "No", "Who knows"]
