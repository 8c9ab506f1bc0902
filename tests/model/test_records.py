"""What a line, a source and a placement say of themselves."""

from __future__ import annotations

from kg.model import InquiryLine, Source, Span
from kg.model.records import UNDECIDED_ANSWER, LineAnswers, wordings_of_title
from tests.support.every_row import every_row


def test_a_line_answers_in_its_own_words_and_else_only_that_it_is_undecided() -> None:
    bare = InquiryLine(id="l", title="Is it so?", span=Span("l.md"))
    assert [bare.answer_for(side) for side in (1, -1, 0)] == ["", "", UNDECIDED_ANSWER]
    answers = LineAnswers(holds="Yes", fails="No", undecided="Who knows")
    line = InquiryLine(id="l", title="Is it so?", span=Span("l.md"), answers=answers)
    assert [line.answer_for(side) for side in (1, -1, 0)] == ["Yes", "No", "Who knows"]


@every_row(
    ("authors", "short"),
    [
        ((), ""),
        (("Doe, Ann",), "Doe"),
        (("Ludwig van Beethoven",), "van Beethoven"),
        (("Doe, Ann", "Bo Roe"), "Doe and Roe"),
        (("Doe, Ann", "Bo Roe", "Poe"), "Doe et al."),
    ],
)
def test_authors_are_cited_by_their_family_names(authors: tuple[str, ...], short: str) -> None:
    assert Source(key="k", title="T", span=Span("k.bib"), authors=authors).short_authors == short


def test_only_an_alias_of_several_words_is_another_wording_of_a_title() -> None:
    assert wordings_of_title(("old-id", "as  it was called")) == ["as it was called"]
