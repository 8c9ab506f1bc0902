"""A question's figure on the first page: percentages of its essay as bars, each with a box to tick,
and what the answer is with those that are ticked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from kg.model import InquiryLine, StatementId
from kg.publish.components.line.essay_tables import CountedTables
from kg.publish.graphics.dial import ends_of_scale, place_of_subset, scale_of
from kg.publish.markup.html import Html, element, item_list
from kg.publish.markup.percent_bars import BarChart, PercentBar, draw_percent_bar
from kg.publish.markup.prose import TextPlace
from kg.publish.markup.short_answers import answer_at_end
from kg.publish.page_builder import PageBuilder
from kg.reasoning.answers.verdict_text import split_answer
from kg.text.plurals import number_in_words

LEAST_BARS, MAX_BARS = 2, 8
MAX_BOXES = 7  # with one more, twice as many answers would have to be found
_INVITATION = "Untick a test that you would not count."


def countable_bars(builder: PageBuilder, line: InquiryLine) -> Html | None:
    """What a question's essay shows as bars, under the detail of the answer; None without such a
    table. It says at once what readers may remember, and what hangs on each row.
    """
    place = TextPlace(path=line.span.path, root=builder.root, line_id=line.id)
    charts = builder.context.prose(line.essay, place).charts
    chart = next((each for each in charts if len(each.bars) >= LEAST_BARS), None)
    if chart is None:
        return None
    bars = chart.bars[:MAX_BARS]
    tables = CountedTables(builder, line)
    findings = tables.findings_that_count([each.linked_ids for each in bars])
    counted_rows = [each for each in findings if each]
    answers = _AnswersByRows(builder, line, counted_rows) if _can_count(counted_rows) else None
    rows = [
        _row_of_bar(builder, line, bar, chart.mark, has_box=bool(answers and ids))
        for bar, ids in zip(bars, findings, strict=True)
    ]
    verdict = builder.context.line_answers.verdict(line.id)
    return element(
        "figure",
        element("figcaption", (split_answer(verdict.answer)[1] if verdict else "") or line.title),
        element("p", _INVITATION, class_="kg-small kg-scripted") if answers else None,
        _head_of_bars(chart),
        item_list(rows),
        answers.beneath() if answers else None,
        element("p", "From ", builder.link_of(line.id), class_="kg-small"),
        class_="kg-teaser kg-bars",
        data_kg_bars=answers.as_json() if answers else None,
    )


def _can_count(counted_rows: Sequence[object]) -> bool:
    return LEAST_BARS <= len(counted_rows) <= MAX_BOXES


def _head_of_bars(chart: BarChart) -> Html:
    measure, mark = chart.measure_and_mark
    at_mark = element("span", element("b", mark), class_=f"kg-wide-{chart.mark}")
    return element("p", element("span", measure), at_mark, class_="kg-bars-row kg-bars-head")


def _row_of_bar(
    builder: PageBuilder, line: InquiryLine, bar: PercentBar, mark: int, *, has_box: bool
) -> Html:
    """A box, the name of a row, which leads to its finding, the bar, and its figure."""
    statements = builder.context.corpus.statements
    target = next((id for id in bar.linked_ids if id in statements), line.id)
    name = builder.link_maker.link_of(target, builder.root, line.id, bar.name)
    label = f"Counts: {bar.name}, {bar.figure}"
    box = element("input", type="checkbox", checked=True, autocomplete="off", aria_label=label)
    return element(
        "li",
        element("label", box, class_="kg-scripted") if has_box else None,
        element("span", name, title=bar.name),
        draw_percent_bar(bar.percentage, mark),
        element("span", bar.figure),
        class_="kg-bars-row",
    )


class _AnswersByRows:
    """A line's answer with each set of the rows that count in it."""

    def __init__(
        self, builder: PageBuilder, line: InquiryLine, rows: Sequence[frozenset[StatementId]]
    ) -> None:
        self.builder = builder
        self.line = line
        self.rows = rows
        self.scale = scale_of(
            builder.context.corpus.config, builder.context.line_answers.verdict(line.id)
        )

    def as_json(self) -> str:
        """The words and the place on the scale, from 0 to 100, of the answer with each set of rows,
        by the sum of a power of two for each that counts, 1 for the first; and how many count, in
        words.
        """
        answers = [*self._answers()]
        words = [*dict.fromkeys(word for word, _ in answers)]
        every = number_in_words(len(self.rows))
        some = [f"{number_in_words(each)} of {every}" for each in range(1, len(self.rows))]
        content = {
            "words": words,
            "answers": [words.index(word) for word, _ in answers],
            "places": [place for _, place in answers],
            "counts": ["none", *some, self._all_rows],
        }
        return msgspec.json.encode(content).decode()

    @property
    def _all_rows(self) -> str:
        return "both" if len(self.rows) == 2 else f"all {number_in_words(len(self.rows))}"

    def _answers(self) -> Iterator[tuple[str, float]]:
        config, line_answers = self.builder.context.corpus.config, self.builder.context.line_answers
        for rows_counted in range(2 ** len(self.rows)):
            lost = [ids for row, ids in enumerate(self.rows) if not rows_counted >> row & 1]
            answer = line_answers.answer_without(self.line.id, frozenset().union(*lost))
            if answer is None:
                yield "no answer", 50.0
                continue
            place = place_of_subset(self.scale, config.reasoning, answer)
            yield answer_at_end(self.line, answer.sureness, answer.side), round(100 * place, 1)

    def beneath(self) -> Html:
        """The answer with all rows, and its scale, which the script draws."""
        verdict = self.builder.context.line_answers.verdict(self.line.id)
        answer = answer_at_end(self.line, verdict.sureness, verdict.side) if verdict else ""
        scale = element(
            "div",
            element("span", class_="kg-weigh-half"),
            element("span", class_="kg-weigh-now"),
            class_="kg-weigh-scale",
        )
        return element(
            "div",
            element("p", f"With {self._all_rows}: ", element("strong", answer), role="status"),
            scale,
            ends_of_scale(self.line, self.scale),
            class_="kg-bars-answer kg-scripted",
        )
