"""The gaps of a corpus: claims on no evidence or on few sources, and what each would move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np

from kg.model import LineId, StatementId, Value
from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning.asked_question import asked_about, asked_about_corpus
from kg.reasoning.graph.arrays import Bools, Floats, Ints, round_off, round_off_or_none
from kg.reasoning.graph.graph import mark_reached_by_support
from kg.reasoning.line_without_proposition import LineWithoutProposition, answer_without_proposition
from kg.reasoning.losses.evidence_effects import effective_backers
from kg.reasoning.reading import Question, Reading, accepts_corpus
from kg.reasoning.reasons.shares import slopes_of
from kg.reasoning.scenarios import keep_strengths, run_settled
from kg.reasoning.sensitivity.stakes import FEWEST_CLAIMS_SETTLED
from kg.reasoning.weighed_answer import WeighedAnswer
from kg.reporting.report import Report, columns, table
from kg.runtime.memoize import memoize
from kg.text.plurals import pluralize
from kg.text.sentences import quote_title

DEFAULT_THIN_BELOW = Reasoning().thin_below
GapKind = tuple[
    Literal["without evidence", "thin"], float
]  # and on how many sources the claim rests


class Gap(Value, frozen=True, omit_defaults=False):
    """A claim without evidence beneath it, or that rests on too few sources (`thin`).

    `effective_sources` says how many sources of equal weight speak for it. `gain` is how far the
    answer (that of `line`, in a report on the whole corpus) would rise or fall if the claim were
    `settled` as true or false, whichever moves the answer more.
    Both are None for a line's own proposition, which is itself the answer.
    """

    statement: StatementId
    title: str
    kind: Literal["without evidence", "thin"]
    strength: float | None
    effective_sources: float
    gain: float | None
    settled: Literal["true", "false"] | None
    line: LineId | None


GAP = columns(
    Gap,
    "statement, kind, strength, sources for it: effective_sources, change if certain: gain, "
    "if certainly: settled",
    meaning="change if certain: how far the answer would move if the claim were certainly "
    "true or certainly false, whichever moves it more; sources for it: how many of "
    "equal weight would count as much",
)


class Gaps(WeighedAnswer, frozen=True, kw_only=True):
    """Gaps, those that matter most first.

    `complete` is false if the budget did not allow looking for thin claims, or ranking all gaps.
    """

    gaps: tuple[Gap, ...]

    def report(self) -> Report:
        return self.as_report({}, table("gaps", self.gaps, GAP))


@accepts_corpus
def gaps(reading: Reading, name: str | None = None) -> Gaps | LineWithoutProposition:
    """Gaps in what bears on `name`, or in the whole corpus. In the latter, claims that bear on no
    line's proposition are listed only if without evidence, with gain 0.

    Raises `UnknownId`.

    `corpus.gaps("social-grounding")`
    """
    if name is None:
        return _gaps_of_corpus(reading)
    question = reading.question(name)
    if not question.statement:
        return answer_without_proposition(question)
    gap_list, is_complete = _gaps_of_questions([question])
    return Gaps(
        sentence=_sentence_on_question(question, gap_list),
        asked=asked_about(question),
        complete=is_complete,
        gaps=tuple(_sort_by_gain(gap_list)),
    )


def claims_without_evidence(reading: Reading) -> list[StatementId]:
    """Claims of the whole corpus that no chain of support from a piece of evidence reaches.

    An *unsupported* claim (`kg check`, `kg find`) is one for which nothing at all is written: what
    rests on it alone is not unsupported, but without evidence, too.
    """
    graph = reading.graph
    bare = graph.is_claim & ~mark_reached_by_support(graph, graph.base)
    return [graph.ids[node] for node in np.flatnonzero(bare).tolist()]


def _gaps_of_corpus(reading: Reading) -> Gaps:
    gaps_by_claim: dict[StatementId, Gap] = {}
    questions = [q for id in reading.corpus.lines if (q := reading.question(id)).statement]
    gaps_of_lines, is_complete = _gaps_of_questions(questions)
    for gap in gaps_of_lines:
        # a claim may bear on several lines: list it with the one that it would move most
        listed_gap = gaps_by_claim.get(gap.statement)
        if listed_gap is None or abs(listed_gap.gain or 0.0) < abs(gap.gain or 0.0):
            gaps_by_claim[gap.statement] = gap
    line_id_of_proposition = {question.statement: question.line_id for question in questions}
    for name in claims_without_evidence(reading):
        if name not in gaps_by_claim or name in line_id_of_proposition:
            gaps_by_claim[name] = _gap_without_evidence(
                reading, name, line_id_of_proposition.get(name)
            )
    return Gaps(
        sentence=_sentence_on_corpus(reading, list(gaps_by_claim.values())),
        asked=asked_about_corpus(reading),
        complete=is_complete,
        gaps=tuple(_sort_by_gain(gaps_by_claim.values())),
    )


def _gaps_of_questions(questions: Sequence[Question]) -> tuple[list[Gap], bool]:
    """The gaps in what bears on each of several questions of one reading, and whether these are
    all. Each claim is held true, then false, for all questions together.
    """
    if not questions:
        return [], True
    host = questions[0] if len(questions) == 1 else questions[0].reading.corpus_question
    backer_counts = effective_backers(host)
    host_numbers = [np.arange(q.graph.size) if q is host else q.numbers for q in questions]
    kinds = [
        _gap_kinds(q, None if backer_counts is None else backer_counts[numbers])
        for q, numbers in zip(questions, host_numbers, strict=True)
    ]
    room = max(host.affordable(2), FEWEST_CLAIMS_SETTLED)
    to_settle = _most_influential(questions, host_numbers, kinds, room)
    asked_at = np.array(
        [numbers[q.node] for q, numbers in zip(questions, host_numbers, strict=True)]
    )
    strengths = run_settled(host.graph, to_settle, keep_strengths(asked_at))
    column = {node: k for k, node in enumerate(to_settle)}
    gap_list = [
        _gap_at(question, node, kind, strengths_then[:, column[int(numbers[node])]])
        for question, numbers, kind_by_node, strengths_then in zip(
            questions, host_numbers, kinds, strengths, strict=True
        )
        for node, kind in kind_by_node.items()
        if int(numbers[node]) in column
    ]
    return gap_list, backer_counts is not None and len(gap_list) == sum(map(len, kinds))


def _gap_kinds(question: Question, backer_counts: Floats | None) -> dict[int, GapKind]:
    """The claims with a gap; thin ones only if `backer_counts` are known."""
    kind_by_node = {
        node: _gap_kind(question, node, backer_counts) for node in question.claim_nodes.tolist()
    }
    return {node: kind for node, kind in kind_by_node.items() if kind}


@memoize
def _has_evidence(question: Question) -> Bools:
    """Mark the statements of the question's graph that rest on evidence, directly or by a chain."""
    return mark_reached_by_support(question.graph, question.graph.base)


def _gap_kind(question: Question, node: int, backer_counts: Floats | None) -> GapKind | None:
    if not _has_evidence(question)[node]:
        return "without evidence", 0.0
    if backer_counts is not None and backer_counts[node] < question.settings.thin_below:
        return "thin", float(backer_counts[node])
    return None


def _most_influential(
    questions: Sequence[Question],
    host_numbers: Sequence[Ints],
    gap_kinds: Sequence[dict[int, GapKind]],
    room: int,
) -> list[int]:
    """The claims with a gap, by number in the host; at most `room`, those whose bases move the
    answers most. `host_numbers` and `gap_kinds` are the host's numbers and the gaps per question.
    """
    listed = [
        (question, node, int(numbers[node]))
        for question, numbers, lacks in zip(questions, host_numbers, gap_kinds, strict=True)
        for node in lacks
    ]
    claims = list(dict.fromkeys(number for _, _, number in listed))
    if len(claims) <= room:
        return claims
    weight: dict[int, float] = {}
    for question, node, number in listed:
        weight[number] = max(weight.get(number, 0.0), abs(float(slopes_of(question)[node])))
    return sorted(claims, key=lambda number: -weight[number])[:room]


def _gap_without_evidence(reading: Reading, name: StatementId, line_id: LineId | None) -> Gap:
    """A claim that bears on no other line's answer: the proposition of `line_id`, or of none."""
    return Gap(
        statement=name,
        title=reading.corpus.statements[name].title,
        kind="without evidence",
        strength=reading.strength(name),
        effective_sources=0.0,
        gain=None if line_id else 0.0,
        settled=None if line_id else "true",
        line=line_id,
    )


def _gap_at(question: Question, node: int, gap_kind: GapKind, strengths_if_settled: Floats) -> Gap:
    name = question.graph.ids[node]
    kind, effective_sources = gap_kind
    true, false = map(round_off, (strengths_if_settled - question.strength_or_nan).tolist())
    falsely = abs(false) > abs(true)
    return Gap(
        statement=name,
        title=question.reading.corpus.statements[name].title,
        kind=kind,
        strength=round_off_or_none(question.strengths[node]),
        effective_sources=round_off(effective_sources),
        gain=false if falsely else true,
        settled="false" if falsely else "true",
        line=question.line_id,
    )


def _sort_by_gain(gap_list: Iterable[Gap]) -> list[Gap]:
    return sorted(gap_list, key=lambda gap: (-abs(gap.gain or 0.0), gap.kind, gap.statement))


def _sentence_on_question(question: Question, gap_list: list[Gap]) -> str:
    """A sentence on the gaps of other claims, and of the claim asked about."""
    title = quote_title(question.title)
    node = question.node
    others = f"Of what bears on {title}, "
    if gap_list:
        return _gaps_sentence(gap_list, question.settings, others)
    backer_counts = effective_backers(question)
    enough = f"and on {_describe_enough(question.settings)}"
    if backer_counts is None:
        enough = "but it was not seen how broadly"
    if not question.graph.is_claim[node]:
        if not len(question.claim_nodes):
            return f"No claim bears on {title}."
        return f"{others}every claim rests on evidence, {enough}."
    lack = _gap_kind(question, node, backer_counts)
    support = f"rests on evidence, {enough}"
    if lack:
        thin = f"rests on {_thin_support(question.settings)}"
        support = thin if lack[0] == "thin" else "is without evidence"
    if not len(question.claim_nodes):
        return f"No other claim bears on {title}, which {support}."
    if not lack:
        return f"{title} {support}, and so does every claim that bears on it."
    return f"Every claim that bears on {title} rests on evidence, {enough}; it itself {support}."


def _sentence_on_corpus(reading: Reading, gap_list: list[Gap]) -> str:
    if gap_list:
        return _gaps_sentence(gap_list, reading.settings)
    if not reading.graph.is_claim.any():
        return "There are no claims."
    enough = _describe_enough(reading.settings)
    return f"Every claim rests on evidence, and those that bear on a line on {enough}."


def _thin_support(settings: Reasoning) -> str:
    """Say in words what thin support means."""
    if settings.thin_below == DEFAULT_THIN_BELOW:
        return "hardly more than one source"
    return f"the equal of less than {settings.thin_below:g} sources"


def _describe_enough(settings: Reasoning) -> str:
    if settings.thin_below == DEFAULT_THIN_BELOW:
        return "more than one source"
    return f"the equal of {settings.thin_below:g} sources or more"


def _gaps_sentence(gap_list: list[Gap], settings: Reasoning, opening: str = "") -> str:
    bare = sum(gap.kind == "without evidence" for gap in gap_list)
    thin = len(gap_list) - bare
    first = _sort_by_gain(gap_list)[0]
    heaviest = quote_title(first.title)
    destination = f" (to the line {first.line})" if first.line and not opening else ""
    return (
        f"{opening}{pluralize(bare, 'claim')} {'is' if bare == 1 else 'are'} without evidence, and "
        f"{thin} {'rests' if thin == 1 else 'rest'} on {_thin_support(settings)}; "
        f"the one that matters most is {heaviest}{destination}."
    )
