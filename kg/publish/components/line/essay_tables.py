"""Tables of an essay whose rows count in the answer: a box to tick in each, and beneath it the
answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice

from kg.model import InquiryLine, StatementId
from kg.publish.graphics.dial import ends_of_scale, scale_of
from kg.publish.markup.html import Html, element
from kg.publish.markup.prose import AddedToTable
from kg.publish.markup.short_answers import answer_at_end
from kg.publish.page_builder import PageBuilder
from kg.text.plurals import number_in_words

_LEAST_EFFECT = 0.001  # of strength; a row with less has no box
LEAST_ROWS = 2  # with boxes
MAX_ROWS_IN_FULL = 7  # with boxes, of which the answer is found with each set of them
MAX_LOSSES = 40  # of a table with more rows
_CELL = "kg-counts kg-scripted"


class CountedTables:
    """Adds to tables what lets a reader leave out what their rows link to; notes in `losses` of
    which sets of findings the sureness is to be found.
    """

    def __init__(self, builder: PageBuilder, line: InquiryLine) -> None:
        self.builder = builder
        self.line = line
        self.losses: list[frozenset[StatementId]] = []
        weighing = builder.context.answers.weighing(line.id)
        statements = weighing.statements if weighing else ()
        self._findings = {each.id for each in statements if each.quality is not None}
        self._findings.discard(line.proposition or "")

    def add_to(self, rows: Sequence[Sequence[StatementId]]) -> AddedToTable | None:
        """The boxes of a table, given what each row links to, and the answer beneath; None if
        fewer than two rows have an effect on the answer.
        """
        findings = self.findings_that_count(rows)
        counted_rows = [*filter(None, findings)]
        if len(counted_rows) < LEAST_ROWS:
            return None
        self.losses += _losses_to_try(counted_rows)
        blank = element("td", class_=f"{_CELL} kg-blank")
        cells = [self._box(each) if each else blank for each in findings]
        head = element("th", "Counts", scope="col", class_=_CELL)
        return AddedToTable(head, cells, self._answer_beneath(counted_rows))

    def findings_that_count(
        self, rows: Sequence[Sequence[StatementId]]
    ) -> list[frozenset[StatementId]]:
        """The findings among the links of each row.

        None of a row whose findings do not move the answer, neither alone nor once those of all
        other rows are left out.
        """
        findings_of_rows = [frozenset(self._findings.intersection(each)) for each in rows]
        every = frozenset().union(*findings_of_rows)
        strength, strength_left = self._strength_without(frozenset()), self._strength_without(every)
        return [
            findings
            if _differ(strength, self._strength_without(findings))
            or _differ(strength_left, self._strength_without(every - findings))
            else frozenset()
            for findings in findings_of_rows
        ]

    def row_that_changes_word(self, rows: Sequence[frozenset[StatementId]]) -> int | None:
        """The number of the row without whose findings alone the answer has another word or side;
        None if there is no such row, or if there are several.
        """
        answers = self.builder.context.answers
        verdict = answers.verdict(self.line.id)
        if verdict is None:
            return None
        current_answer = verdict.side, verdict.sureness
        answers_without = (answers.answer_without(self.line.id, each) for each in rows)
        changing = [
            row
            for row, each in enumerate(answers_without)
            if each is None or (each.side, each.sureness) != current_answer
        ]
        return changing[0] if len(changing) == 1 else None

    def _strength_without(self, findings: frozenset[StatementId]) -> float | None:
        answer = self.builder.context.answers.answer_without(self.line.id, findings)
        return answer.strength if answer else None

    def _box(self, findings: frozenset[StatementId]) -> Html:
        """A box, ticked, for what a row links to."""
        ids = sorted(findings)
        box = element(
            "input",
            type="checkbox",
            checked=True,
            autocomplete="off",
            aria_label=f"Counts: {self._names_of_studies(ids)}",
            data_kg_findings="\n".join(ids),
        )
        return element("td", element("label", box), class_=_CELL)

    def _names_of_studies(self, ids: Sequence[StatementId]) -> str:
        statements, names = self.builder.context.corpus.statements, self.builder.link_maker.names
        keys = dict.fromkeys(key for id in ids for key in statements[id].sources)
        titles = [statements[id].title for id in ids if not statements[id].sources]
        return "; ".join([*(names.get(key, key) for key in keys), *titles])

    def _answer_beneath(self, rows: Sequence[frozenset[StatementId]]) -> Html:
        """The answer with all rows, which one changes its word, and room for the scale that the
        script draws.
        """
        row = self.row_that_changes_word(rows)
        invitation = ". Untick one."
        if row is not None:
            studies = self._names_of_studies(sorted(rows[row]))
            invitation += f" The word changes only without {studies}."
        verdict = self.builder.context.answers.verdict(self.line.id)
        scale = scale_of(self.builder.context.corpus.config, verdict)
        answer = (
            answer_at_end(self.line, verdict.sureness, verdict.side) if verdict else "undecided"
        )
        return element(
            "div",
            element(
                "p",
                f"With {describe_all_of(len(rows))}: ",
                element("strong", answer),
                invitation,
                role="status",
            ),
            element(
                "div", element("div", class_="kg-weigh-scale"), ends_of_scale(self.line, scale)
            ),
            element("button", "Count all again", type="button", class_="kg-button"),
            data_kg_counted="",
            class_="kg-counted kg-scripted",
        )


def describe_all_of(count: int) -> str:
    """`both` of two rows, `all seven` of seven."""
    return "both" if count == 2 else f"all {number_in_words(count)}"


def _differ(strength: float | None, other: float | None) -> bool:
    if strength is None or other is None:
        return False
    return abs(strength - other) >= _LEAST_EFFECT


def _losses_to_try(rows: Sequence[frozenset[StatementId]]) -> Iterator[frozenset[StatementId]]:
    """The findings of each set of rows; with many rows, of each alone, of all, of all but one, and
    of pairs, as many as `MAX_LOSSES`.
    """
    count = len(rows)
    in_full = count <= MAX_ROWS_IN_FULL
    sizes = range(1, count + 1) if in_full else (1, count, count - 1, 2)
    sets = (lost for size in sizes for lost in combinations(rows, size))
    for lost in islice(sets, None if in_full else MAX_LOSSES):
        yield frozenset().union(*lost)
