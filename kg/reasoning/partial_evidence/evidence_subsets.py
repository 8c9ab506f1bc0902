"""Answers by a part of the evidence: by findings on people, seen in the paper, or peer-reviewed."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable

from kg.model import SampleClass, StatementId, Value
from kg.reasoning.graph.arrays import round_off
from kg.reasoning.reading import Question
from kg.reasoning.reasons.direct_reasons import LEAST_SHARE_LISTED, direct_reasons
from kg.reasoning.reasons.shares import slopes_of
from kg.reasoning.sensitivity.changed_readings import with_muted_statements
from kg.reasoning.sureness import describe_why_no_surer, sureness_of
from kg.reasoning.sureness_words import BETWEEN_CLAUSES, Sureness
from kg.reasoning.word_and_side import side_by_strength
from kg.text.plurals import number_in_words

PEOPLE_SUBSET = "people"
EVIDENCE_SUBSETS = {
    PEOPLE_SUBSET: "tests with people",
    "read": "findings seen in the paper or its abstract",
    "reviewed": "peer-reviewed findings",
}
_LEAST_MOVE = 1e-6  # of strength, as “LEAST_MOVE” in site/assets/weigh-words.js


# How many of an answer's reasons rest on a subset of its evidence, by how many that are.
_NO_REASON = "None of the {reasons} rests on {subset}"
_ONE_REASON = "Only one of the {reasons} rests on {subset}"
_SOME_REASONS = "{left} of the {reasons} rest on {subset}"
_ALL_REASONS = "All of the {reasons} rest on {subset}"
# How the answer on a subset compares with that on all evidence.
_SAME_ANSWER = "we would still say {word}."
_OPPOSITE_ANSWER = "we would give the other answer, {word}."
_OTHER_ANSWER = "we would say {word}."


class AnswerOnSubset(Value, frozen=True):
    """The answer if only a `subset` of its evidence counted, `counted` findings out of `total`.
    `sureness` is how sure it is, and `why` says why no surer. Of the `reason_count` reasons for the
    answer, `reason_count_left` would still count.
    """

    name: str
    subset: str
    counted: int
    total: int
    strength: float
    side: int
    sureness: Sureness
    why: str
    reason_count: int
    reason_count_left: int

    def sentence(self, side: int, sureness: Sureness) -> str:
        """Compare it with the answer on all evidence: `Only one of the 16 reasons for the answer
        rests on tests with people. If we counted only these, …`.
        """
        outcome = self._outcome(side, sureness)
        if self.reason_count < 2:
            return self.outcome_in_short(side, sureness)
        reasons = f"{number_in_words(self.reason_count)} reasons"
        reasons_left = self._form_of_reasons_left().format(
            left=number_in_words(self.reason_count_left).capitalize(),
            reasons=f"{reasons} for the answer" if side else reasons,
            subset=self.subset,
        )
        return f"{reasons_left}. If we counted only these, {outcome}"

    def outcome_in_short(self, side: int, sureness: Sureness) -> str:
        """`If we counted only tests with people, we would say “undecided”.`; if no reason is left,
        `None of the reasons for the answer rests on tests with people.`
        """
        if not (self.side or self.reason_count_left):
            return f"None of the reasons{' for the answer' if side else ''} rests on {self.subset}."
        return f"If we counted only {self.subset}, {self._outcome(side, sureness)}"

    def _form_of_reasons_left(self) -> str:
        forms = {0: _NO_REASON, 1: _ONE_REASON, self.reason_count: _ALL_REASONS}
        return forms.get(self.reason_count_left, _SOME_REASONS)

    def _outcome(self, side: int, sureness: Sureness) -> str:
        word = self.sureness.partition(",")[0]
        word = f"“{word} not”" if not side and self.side < 0 else f"“{word}”"
        form = _OPPOSITE_ANSWER if self.side * side < 0 else _OTHER_ANSWER
        if (self.side, self.sureness) == (side, sureness):
            form = _SAME_ANSWER
        return form.format(word=word)


def answer_on_subset(
    question: Question,
    name: str,
    subset: str,
    finding_count: int,
    left_out: Collection[StatementId],
) -> AnswerOnSubset | None:
    """The answer without `left_out` of its findings; `None` without a stable strength."""
    line_id = question.line_id or question.statement
    without = with_muted_statements(question.reading, [*left_out]).question(line_id)
    if math.isnan(without.strength_or_nan):
        return None
    side = side_by_strength(question)
    reasons = [
        each.statement
        for each in direct_reasons(question)
        if (each.share * side if side else abs(each.share)) >= LEAST_SHARE_LISTED
    ]
    return AnswerOnSubset(
        name=name,
        subset=subset,
        counted=finding_count - len(left_out),
        total=finding_count,
        strength=round_off(without.strength_or_nan),
        side=side_by_strength(without),
        sureness=sureness_of(without).sureness,
        why=BETWEEN_CLAUSES.join(describe_why_no_surer(without)),
        reason_count=len(reasons),
        reason_count_left=sum(_moves_answer(without, each) for each in reasons),
    )


def count_findings_left(
    question: Question, findings: Iterable[StatementId], left_out: Collection[StatementId]
) -> int:
    """How many of the findings still move the answer without `left_out`; what says the same counts
    once.
    """
    without = with_muted_statements(question.reading, [*left_out]).question(
        question.line_id or question.statement
    )
    numbers = without.graph.number_of
    first_by_node = {numbers[each]: each for each in findings if each not in left_out}
    return sum(_moves_answer(without, each) for each in first_by_node.values())


def _moves_answer(question: Question, id: StatementId) -> bool:
    """Return whether the scales of the site would not call a reason lost."""
    graph, node = question.graph, question.graph.number_of[id]
    backing = question.strengths[node] - graph.passing_threshold[node]
    return bool(abs(slopes_of(question)[node] * max(backing, 0.0)) > _LEAST_MOVE)


def describe_without_people(question: Question) -> str:
    """A sentence on the answer that what was measured on people would alone give; empty if nothing
    or all was.
    """
    numbers = question.graph.number_of
    findings = [each for each in question.reading.corpus.evidence if each.id in numbers]
    left_out = [each.id for each in findings if each.sample_class != SampleClass.PEOPLE]
    if len(left_out) in (0, len(findings)) or not question.graph.is_claim[question.node]:
        return ""
    current_answer = (side_by_strength(question), sureness_of(question).sureness)
    subset = EVIDENCE_SUBSETS[PEOPLE_SUBSET]
    answer = answer_on_subset(question, PEOPLE_SUBSET, subset, len(findings), left_out)
    return answer.sentence(*current_answer) if answer else ""
