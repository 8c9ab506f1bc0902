"""A question under Dung's semantics: the grounded labelling, and all consistent positions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import Literal

import numpy as np

from kg.model import StatementId
from kg.reasoning.asked_question import asked_about
from kg.reasoning.line_without_proposition import LineWithoutProposition, answer_without_proposition
from kg.reasoning.other_rules.dung_labelling import (
    IN,
    LABEL_WORDS,
    OUT,
    UNDECIDED,
    Framework,
    Support,
    framework_of,
    grounded_labelling,
    is_founded,
    starts_by_end,
)
from kg.reasoning.reading import Reading, accepts_corpus
from kg.reasoning.weighed_answer import WeighedAnswer
from kg.reporting.report import MAX_ROWS, Report, TextLine, render_cell
from kg.text.plurals import describe_rest, pluralize

Extensions = Literal["complete", "preferred", "stable"]
# Each has three labels to try: beyond this, most searches would be stopped early.
MAX_UNDECIDED = 25
MAX_LABELLINGS = 1000  # more positions than anyone would read
MAX_LABELS_TRIED = 200_000  # labels tried before the search is stopped: one or two seconds


class DungLabelling(WeighedAnswer, frozen=True, kw_only=True):
    """The grounded label of a question and of all that bears on it."""

    support: Support
    label: str
    held: tuple[StatementId, ...]
    rejected: tuple[StatementId, ...]
    undecided: tuple[StatementId, ...]


class Positions(WeighedAnswer, frozen=True, kw_only=True):
    """The consistent positions (extensions), as sets of statements that are in.

    `complete` is false if more than 25 arguments are undecided (then nothing was
    computed), or if the search was stopped; `in_all` and `in_some` say whether the
    statement asked about is in all or some of the positions found.
    """

    support: Support
    semantics: Extensions
    positions: tuple[tuple[StatementId, ...], ...]
    in_all: bool
    in_some: bool

    def report(self) -> Report:
        """Report one line for each position; the settings for weighing do not affect them."""
        facts = {
            "support is read as": self.support,
            "sort of position": self.semantics,
            "in all of them": self.in_all,
            "in some of them": self.in_some,
        }
        lines = [
            TextLine(
                f"{number}. {pluralize(len(position), 'statement')}: {render_cell(position)}",
                hang="   ",
            )
            for number, position in enumerate(self.positions[:MAX_ROWS], 1)
        ]
        title = [TextLine(""), TextLine("positions", "strong")] if lines else []
        rest = describe_rest(self.positions, MAX_ROWS)
        return self.as_report(facts, *title, *lines, *([TextLine(rest)] if rest else []), how=False)


@accepts_corpus
def labelling(
    reading: Reading, name: str, support: Support = "evidential"
) -> DungLabelling | LineWithoutProposition:
    """The grounded labelling of what bears on `name`, under one reading of support.

    Raises `UnknownId`.

    `kg.labelling(corpus, "social-grounding")`
    """
    question = reading.question(name)
    if not question.statement:
        return answer_without_proposition(question)
    graph = question.graph
    framework = framework_of(graph, support)
    label_of = grounded_labelling(framework)[framework.member[: graph.size]]
    by_label = {
        label: tuple(graph.ids[i] for i in np.flatnonzero(label_of == label).tolist())
        for label in LABEL_WORDS
    }
    word = LABEL_WORDS[int(label_of[question.node])]
    return DungLabelling(
        sentence=f"Under grounded semantics with {support} support “{question.title}” is {word}.",
        asked=asked_about(question),
        support=support,
        label=word,
        held=by_label[IN],
        rejected=by_label[OUT],
        undecided=by_label[UNDECIDED],
    )


@accepts_corpus
def positions(
    reading: Reading,
    name: str,
    semantics: Extensions = "preferred",
    support: Support = "evidential",
) -> Positions | LineWithoutProposition:
    """The complete, preferred or stable positions on `name` (Dung, AIJ 1995).

    Raises `UnknownId`.

    `kg.positions(corpus, "social-grounding", "stable")`
    """
    question = reading.question(name)
    if not question.statement:
        return answer_without_proposition(question)
    graph = question.graph
    framework = framework_of(graph, support)
    labelling_list, is_complete = labellings(framework, semantics)
    member = framework.member[: graph.size].tolist()
    node = member[question.node]
    sets = tuple(
        tuple(graph.ids[i] for i in range(graph.size) if label[member[i]] == IN)
        for label in labelling_list
    )
    is_inside = [label[node] == IN for label in labelling_list]
    return Positions(
        sentence=_positions_sentence(
            question.title, semantics, len(sets), sum(is_inside), is_complete
        ),
        asked=asked_about(question),
        complete=is_complete,
        support=support,
        semantics=semantics,
        positions=sets,
        in_all=is_complete and bool(is_inside) and all(is_inside),
        in_some=any(is_inside),
    )


def _positions_sentence(
    title: str, semantics: str, count: int, inside_count: int, is_complete: bool
) -> str:
    if not count:
        reason = "there are none" if is_complete else "too much is undecided to list them"
        return f"No consistent positions ({semantics}) on “{title}”: {reason}."
    rest = "" if is_complete else " (the search was stopped: there may be more)"
    return f"“{title}” is in {inside_count} of {count} consistent positions ({semantics}){rest}."


def labellings(framework: Framework, semantics: Extensions) -> tuple[list[list[int]], bool]:
    """Labellings of all arguments, and whether they are complete.

    Complete labellings (Caminada, JELIA 2006) differ only where the grounded one is undecided; that
    part is enumerated by trying labels and dropping those that cannot be justified.
    """
    start = grounded_labelling(framework).tolist()
    undecided = [i for i, label in enumerate(start) if label == UNDECIDED]
    if not undecided:
        return [start], True
    if len(undecided) > MAX_UNDECIDED:
        return [], False
    search = _LabellingSearch(framework, start, undecided)
    labelling_list: list[list[int]] = []
    for label in search.run():
        labelling_list.append(label)
        if len(labelling_list) > MAX_LABELLINGS:
            return _select_labellings(labelling_list[:MAX_LABELLINGS], semantics, False), False
    return _select_labellings(labelling_list, semantics, search.complete), search.complete


def _select_labellings(
    labelling_list: list[list[int]], semantics: Extensions, is_complete: bool
) -> list[list[int]]:
    if semantics == "stable":
        return [label for label in labelling_list if UNDECIDED not in label]
    if semantics == "complete":
        return labelling_list
    # a set that is maximal among some of the labellings need not be maximal among all
    sets = [frozenset(i for i, x in enumerate(label) if x == IN) for label in labelling_list]
    largest = [
        label for label, s in zip(labelling_list, sets, strict=True) if not any(s < t for t in sets)
    ]
    return largest if is_complete else []


class _LabellingSearch:
    """Backtracking over the undecided arguments, dropping labels that no choice of the others
    justifies.
    """

    def __init__(
        self, framework: Framework, start: Sequence[int], undecided_arguments: Sequence[int]
    ) -> None:
        self.framework = framework
        self.label: list[int | None] = [None if label == UNDECIDED else label for label in start]
        self.undecided_arguments = undecided_arguments
        self.attackers = starts_by_end(framework.attacks, framework.size)
        self.needs = starts_by_end(framework.needs, framework.size)
        self.backers = starts_by_end(framework.backing, framework.size)
        self.touched = self._dependants_of_arguments()
        self.tries = 0
        self.complete = True

    def _dependants_of_arguments(self) -> list[list[int]]:
        """List for each argument the undecided ones whose label depends on its own, itself
        included.
        """
        dependants: list[set[int]] = [{i} for i in range(self.framework.size)]
        for target in self.undecided_arguments:
            for starts in (self.attackers, self.needs, self.backers):
                for argument in starts[target]:
                    dependants[argument].add(target)
        return [sorted(each) for each in dependants]

    def run(self) -> Iterator[list[int]]:
        yield from self._labellings_from(0)

    def _labellings_from(self, position: int) -> Iterator[list[int]]:
        if position == len(self.undecided_arguments):
            label = [x or 0 for x in self.label]
            if is_founded(self.framework, label):
                yield label
            return
        node = self.undecided_arguments[position]
        for choice in (IN, OUT, UNDECIDED):
            self.tries += 1
            if self.tries > MAX_LABELS_TRIED:
                self.complete = False
                return
            self.label[node] = choice
            if all(self._can_stand(i) for i in self.touched[node]):
                yield from self._labellings_from(position + 1)
        self.label[node] = None

    def _can_stand(self, node: int) -> bool:
        """Return whether the node's label can still be justified, as `Framework` defines in and
        out.

        A label of None is one not tried yet: it counts as whatever the node's own label needs.
        """
        label = self.label[node]
        if label == IN:
            return self._is_in(node, {IN, None}, {OUT, None})
        if label == OUT:
            return self._is_out(node, {IN, None}, {OUT, None})
        # a node may stay undecided unless the labels tried so far decide it
        return label is None or not (
            self._is_in(node, {IN}, {OUT}) or self._is_out(node, {IN}, {OUT})
        )

    def _is_in(self, node: int, in_labels: Set[int | None], out_labels: Set[int | None]) -> bool:
        """Return whether a node is in: backed, with all attackers out, and all that it needs in."""
        is_backed = bool(self.framework.stands_alone[node]) or not in_labels.isdisjoint(
            self._labels(self.backers[node])
        )
        return (
            is_backed
            and out_labels >= self._labels(self.attackers[node])
            and in_labels >= self._labels(self.needs[node])
        )

    def _is_out(self, node: int, in_labels: Set[int | None], out_labels: Set[int | None]) -> bool:
        """Return whether a node is out: not backed, with an attacker in, or what it needs out."""
        is_backed = bool(self.framework.stands_alone[node]) or not (
            out_labels >= self._labels(self.backers[node])
        )
        return (
            not is_backed
            or not in_labels.isdisjoint(self._labels(self.attackers[node]))
            or not out_labels.isdisjoint(self._labels(self.needs[node]))
        )

    def _labels(self, nodes: Sequence[int]) -> set[int | None]:
        return {self.label[node] for node in nodes}
