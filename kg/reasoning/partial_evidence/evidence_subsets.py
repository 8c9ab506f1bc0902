"""Answers by a part of the evidence: by findings on people, seen in the paper, or peer-reviewed."""

from __future__ import annotations

import math
from collections.abc import Collection

from kg.model import SampleClass, StatementId, Value
from kg.reasoning.graph.arrays import round_off
from kg.reasoning.reading import Question
from kg.reasoning.reasons.direct_reasons import LEAST_SHARE_LISTED, direct_reasons
from kg.reasoning.reasons.shares import slopes_of
from kg.reasoning.sensitivity.changed_readings import with_muted_statements
from kg.reasoning.sureness import describe_why_no_surer, sureness_of
from kg.reasoning.sureness_words import BETWEEN_CLAUSES
from kg.reasoning.weighed_answer import side_now
from kg.text.plurals import number_in_words

EVIDENCE_SUBSETS = {
    "people": "findings measured on people",
    "read": "findings seen in the paper or its abstract",
    "reviewed": "peer-reviewed findings",
}
_LEAST_MOVE = 1e-6  # of strength, as “LEAST_MOVE” in site/assets/weigh-words.js


class AnswerOnSubset(Value, frozen=True):
    """What an answer would be if only `part` of its evidence counted, `counted` findings out of
    `total`, how sure, and why no surer; `reasons_left` of the answer's `reasons` would still count.
    """

    name: str
    part: str
    counted: int
    total: int
    strength: float
    side: int
    sureness: str
    why: str
    reasons: int
    reasons_left: int

    def sentence(self, side: int, sureness: str) -> str:
        """How it compares with the answer on all evidence: `Only one of the 16 reasons for the
        answer rests on findings measured on people: counting only these, …`.
        """
        word = self.sureness.partition(",")[0]
        if self.side:
            word = f"“{word}{' not' if not side and self.side < 0 else ''}”"
        still = "still " if (self.side, self.sureness) == (side, sureness) else ""
        other = "the other one, " if self.side * side < 0 else ""
        outcome = f"the answer would {still}be {other}{word}."
        if self.reasons < 2:
            return f"Counting only {self.part}, {outcome}"
        only = "only " if self.reasons_left == 1 else ""
        left = f"{only}{number_in_words(self.reasons_left)}".capitalize()
        left = "All" if self.reasons_left == self.reasons else left
        rest = "rest" if self.reasons_left > 1 else "rests"
        answer = " for the answer" if side else ""
        of_all = f"{left} of the {number_in_words(self.reasons)} reasons{answer}"
        if not (self.side or self.reasons_left):
            return f"{of_all} {rest} on {self.part}; if only these counted, {outcome}"
        return f"{of_all} {rest} on {self.part}: counting only these, {outcome}"


def answer_on_subset(
    question: Question, name: str, part: str, findings: int, left_out: Collection[StatementId]
) -> AnswerOnSubset | None:
    """The answer without `left_out` of its `findings`; `None` without a stable strength."""
    line_id = question.line_id or question.statement
    without = with_muted_statements(question.reading, [*left_out]).question(line_id)
    if math.isnan(without.strength):
        return None
    side, sureness = side_now(question), sureness_of(without)
    answer_reasons = [
        each.statement
        for each in direct_reasons(question)
        if (each.share * side if side else abs(each.share)) >= LEAST_SHARE_LISTED
    ]
    return AnswerOnSubset(
        name=name,
        part=part,
        counted=findings - len(left_out),
        total=findings,
        strength=round_off(without.strength),
        side=side_now(without),
        sureness=sureness.word,
        why=BETWEEN_CLAUSES.join(describe_why_no_surer(without)),
        reasons=len(answer_reasons),
        reasons_left=sum(_moves_answer(without, each) for each in answer_reasons),
    )


def _moves_answer(question: Question, id: StatementId) -> bool:
    """Whether the scales of the site would not call a reason lost."""
    graph, node = question.graph, question.graph.number_of[id]
    backing = question.strengths[node] - graph.passing_threshold[node]
    return bool(abs(slopes_of(question)[node] * max(backing, 0.0)) > _LEAST_MOVE)


def describe_without_people(question: Question) -> str:
    """A sentence, if what was measured on people would alone give an answer with another side or
    word; empty if nothing was.
    """
    numbers = question.graph.number_of
    findings = [each for each in question.reading.corpus.evidence if each.id in numbers]
    left_out = [each.id for each in findings if each.sample_class != SampleClass.PEOPLE]
    if len(left_out) in (0, len(findings)) or not question.graph.claim[question.node]:
        return ""
    name, current_answer = "people", (side_now(question), sureness_of(question).word)
    part = answer_on_subset(question, name, EVIDENCE_SUBSETS[name], len(findings), left_out)
    return (
        part.sentence(*current_answer)
        if part and (part.side, part.sureness) != current_answer
        else ""
    )
