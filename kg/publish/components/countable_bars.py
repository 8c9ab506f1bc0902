"""A question's figure on the first page: percentages of its essay as dots of ten, each with a box
to tick, and beside them what the answer is with those that are ticked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from kg.model import InquiryLine, StatementId
from kg.publish.components.line.answer_robustness import answers_on_kinds
from kg.publish.components.line.essay_tables import MAX_ROWS_IN_FULL, CountedTables, describe_all_of
from kg.publish.components.line.line_answer import doubt_words
from kg.publish.graphics.dial import dial, place_of_subset, scale_of, word_of_subset
from kg.publish.markup.html import Child, Html, element, item_list
from kg.publish.markup.percent_bars import BarChart, PercentBar, draw_percent_bar
from kg.publish.markup.phrases import as_sentence
from kg.publish.markup.prose import TextPlace
from kg.publish.markup.short_answers import answer_at_end
from kg.publish.page_builder import PageBuilder
from kg.reasoning.answers.verdict_text import split_answer
from kg.reasoning.partial_evidence.evidence_subsets import AnswerOnSubset
from kg.reasoning.sureness_words import SCALE_WORDS
from kg.text.plurals import count_of, number_in_words

LEAST_BARS, MAX_BARS = 2, 8
_INVITATION = "Untick a test that you would not count."
_READ, _WALK = "Read more", "Walk through it"
_LITTLE, _MUCH = 0.05, 0.15  # changes of strength, as in site/assets/weigh-words.js


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
    percentages = [bar.percentage for bar in bars]
    names = [
        f"the {bar.percentage}%" if percentages.count(bar.percentage) == 1 else bar.name
        for bar, ids in zip(bars, findings, strict=True)
        if ids
    ]
    answers = _AnswersByRows(tables, counted_rows, names) if _can_count(counted_rows) else None
    rows = [
        _row_of_bar(builder, line, bar, chart.mark, has_box=bool(answers and ids))
        for bar, ids in zip(bars, findings, strict=True)
    ]
    verdict = builder.context.answers.verdict(line.id)
    chart_html = element(
        "div",
        element("figcaption", (split_answer(verdict.answer)[1] if verdict else "") or line.title),
        _head_of_bars(chart),
        item_list(rows),
        element("p", answers.invitation, class_="kg-bars-try kg-scripted") if answers else None,
        _key_beneath(bars, answers.others_that_count() if answers else ""),
    )
    return element(
        "figure",
        chart_html,
        _answer_beside(builder, line, answers),
        class_="kg-teaser kg-bars",
        data_kg_bars=answers.as_json() if answers else None,
    )


def _answer_beside(builder: PageBuilder, line: InquiryLine, answers: _AnswersByRows | None) -> Html:
    """The question, its answer, which follows the boxes if there are `answers`, its scale and the
    main doubt, and what may be done.
    """
    verdict = builder.context.answers.verdict(line.id)
    number = len(builder.context.corpus.lines) > 1 and builder.number_of_line(line.id)
    words = answer_at_end(line, verdict.sureness, verdict.side) if verdict else ""
    count = f"With {describe_all_of(len(answers.rows))}:" if answers else ""
    limits = answers_on_kinds(builder, line, verdict)[0] if verdict else ""
    return element(
        "div",
        element("h2", number and f"{number} ", builder.link_of(line.id), class_="kg-card-title"),
        element(
            "p",
            element("span", count, class_="kg-small kg-scripted") if answers else None,
            element("span", class_="kg-small kg-scripted") if answers else None,
            element("strong", words),
            role="status" if answers else None,
            class_="kg-bars-answer",
        ),
        element("div", dial(builder, line, verdict), class_="kg-gauged") if verdict else None,
        doubt_words(builder, line, limits),
        _ways_on(builder, line, can_be_walked=answers is not None),
    )


def _ways_on(builder: PageBuilder, line: InquiryLine, *, can_be_walked: bool) -> Html:
    address = builder.root + builder.context.addresses.of(line.id)
    walk = element("a", _WALK, href=f"{address}#walk", class_="kg-button kg-scripted")
    read = element("a", _READ, href=address, class_="kg-button kg-first")
    return element("p", read, walk if can_be_walked else None, class_="kg-onward")


def _key_beneath(bars: Sequence[PercentBar], others_that_count: str) -> Html | None:
    """What stripes mean, if a bar has some, and that the rows are not all that counts."""
    key: list[Child] = []
    if any(each.is_at_most for each in bars):
        dot = element("span", class_="kg-percent kg-wide-100 kg-at-most", aria_hidden="true")
        key += [dot, " striped: at most this. "]
    key.append(others_that_count)
    return element("p", *key, class_="kg-small kg-bars-key") if any(key) else None


def _can_count(counted_rows: Sequence[object]) -> bool:
    return LEAST_BARS <= len(counted_rows) <= MAX_ROWS_IN_FULL


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
        draw_percent_bar(bar, mark),
        element("span", bar.figure),
        class_="kg-bars-row",
    )


class _AnswersByRows:
    """A line's answer with each set of the rows that count in it."""

    def __init__(
        self,
        tables: CountedTables,
        rows: Sequence[frozenset[StatementId]],
        names: Sequence[str],
    ) -> None:
        self.tables = tables
        self.line = tables.line
        self.rows = rows
        self.names = names
        self.config = tables.builder.context.corpus.config
        self.answers = tables.builder.context.answers
        self.verdict = self.answers.verdict(self.line.id)
        self.scale = scale_of(self.config, self.verdict)

    @property
    def invitation(self) -> str:
        """What may be done, and the row that changes the word, if no other one does alone."""
        row = self.tables.row_that_changes_word(self.rows)
        answer = None if row is None else self._answer_without(self.rows[row])
        if row is None or answer is None:
            return _INVITATION
        name = self.names[row]
        words = answer_at_end(self.line, answer.sureness, answer.side)
        return f"{_INVITATION} Without {name} it would be “{words}”."

    def as_json(self) -> str:
        """The answer with each set of rows, for the page's script.

        `answers`, `places` and `reached` have an item for each set: the number of the answer in
        `words` (each with a remark), its place on the scale, from 0 to 100, and the number of its
        word beneath the scale. The number of a set is the sum of a power of two for each row that
        counts, 1 for the first. `counts` says by how many rows count, `findings` what is in each.
        """
        answers = [*self._answers()]
        words = [*dict.fromkeys(words for words, _, _ in answers)]
        every = number_in_words(len(self.rows))
        some = [f"{number_in_words(each)} of {every}" for each in range(1, len(self.rows))]
        content = {
            "words": words,
            "answers": [words.index(each) for each, _, _ in answers],
            "places": [place for _, place, _ in answers],
            "reached": [reached for _, _, reached in answers],
            "counts": ["none", *some, describe_all_of(len(self.rows))],
            "findings": [sorted(each) for each in self.rows],
        }
        return msgspec.json.encode(content).decode()

    def _answer_without(self, lost: frozenset[StatementId]) -> AnswerOnSubset | None:
        return self.answers.answer_without(self.line.id, lost)

    def _answers(self) -> Iterator[tuple[tuple[str, str], float, int]]:
        for rows_counted in range(2 ** len(self.rows)):
            lost = [ids for row, ids in enumerate(self.rows) if not rows_counted >> row & 1]
            answer = self._answer_without(frozenset().union(*lost))
            if answer is None:
                yield ("no answer", ""), 50.0, len(SCALE_WORDS) // 2
                continue
            place = place_of_subset(self.scale, self.config.reasoning, answer)
            reached = word_of_subset(self.scale, answer)
            yield self._words_of(answer, lost), round(100 * place, 1), reached

    def _words_of(
        self, answer: AnswerOnSubset, lost: Sequence[frozenset[StatementId]]
    ) -> tuple[str, str]:
        """The answer without the rows that are `lost`; and how its strength differs from that with
        all, if its word does not.
        """
        words = answer_at_end(self.line, answer.sureness, answer.side)
        verdict = self.verdict
        if not lost or verdict is None or verdict.strength is None:
            return words, ""
        if (answer.side, answer.sureness) != (verdict.side, verdict.sureness):
            return words, ""
        drift = _describe_drift(verdict.strength, answer.strength) if answer.side else ""
        return f"still {words}", drift and as_sentence(drift)

    def others_that_count(self) -> str:
        """`26 findings not listed here count, too.`: why the answer stands on with few rows."""
        every = frozenset().union(*self.rows)
        count = self.answers.count_findings_left(self.line.id, every)
        if not count:
            return ""
        return f"{count_of(count, 'finding')} not listed here count{'s' * (count == 1)}, too."


def _describe_drift(strength_before: float, strength_after: float) -> str:
    """`a little weaker`: how the strength of an answer changes, if it does in two digits."""
    if f"{strength_before:.2f}" == f"{strength_after:.2f}":
        return ""
    change = abs(strength_after - 0.5) - abs(strength_before - 0.5)
    size = "a little " if abs(change) < _LITTLE else "" if abs(change) < _MUCH else "much "
    return f"{size}{'stronger' if change > 0 else 'weaker'}"
