"""Where a line comes out, without how firmly: a tenth of the work of a verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.corpus import Corpus
from kg.model import LineId, StatementId, Value

if TYPE_CHECKING:
    from kg.reasoning import Reading

LEAST_MOVE_REMARKED = 0.02  # of strength, below which an answer has not moved


class LineAnswer(Value, frozen=True):
    """The strength, the word and the side (+1, -1, 0) of a line's answer, as its verdict has them.

    `said` is the answer in the words of the question; empty where the line has none for it.
    `asked` are the words of the question and of the claim that is weighed.
    """

    proposition: StatementId
    strength: float | None
    word: str
    side: int = 0
    said: str = ""
    asked: tuple[str, str] = ("", "")

    def is_apart(self, other: LineAnswer) -> bool:
        """Whether the word differs, or the strength by as much as one remarks."""
        if self.word != other.word or (self.strength is None) is not (other.strength is None):
            return True
        return abs((self.strength or 0.0) - (other.strength or 0.0)) >= LEAST_MOVE_REMARKED


class Cause(Value, frozen=True, omit_defaults=False):
    """A direct reason whose weight in the verdict differs: what it added before, and now (nats)."""

    statement: StatementId
    before: float | None
    after: float | None


class VerdictChange(Value, frozen=True, omit_defaults=False):
    """A line's verdict before and after; the causes are the direct reasons that changed most.
    `asked` are the words of the question and of its claim after; `reworded` says that they were
    others before, so that the two verdicts are not of one question.
    """

    line: LineId
    proposition: StatementId
    before: float | None
    after: float | None
    word_before: str
    word_after: str
    causes: tuple[Cause, ...]
    asked: tuple[str, str] = ("", "")
    reworded: bool = False


def word_with_strength(word: str, strength: float | None) -> str:
    """The most that a verdict's strength allows to be said, with the strength."""
    from kg.reasoning.verdict_words import sureness_cap_in_words

    told = sureness_cap_in_words(word)
    return told if strength is None else f"{told} ({strength:.2f})"


def find_line_answer(reading: Reading, line: LineId) -> LineAnswer | None:
    """The answer of a line; None where it weighs no statement that there is."""
    from kg.reasoning.arrays import rounded_or_none
    from kg.reasoning.verdict_words import side_of
    from kg.reasoning.weighed_answer import word_of

    question = reading.question(line)
    if not question.statement:
        return None
    word = word_of(question)
    side = side_of(word)
    said = reading.corpus.lines[line].answer_for(side)
    return LineAnswer(
        proposition=question.statement,
        strength=rounded_or_none(question.strength),
        word=word,
        side=side,
        said=said,
        asked=words_asked(reading.corpus, line),
    )


def words_asked(corpus: Corpus, line: LineId) -> tuple[str, str]:
    """The words of a line's question and of the claim that it weighs; the claim's are empty where
    it weighs none.
    """
    asked = corpus.lines[line]
    claim = corpus.statements.get(asked.proposition or "")
    return asked.title, claim.title if claim else ""


def line_answers(corpus: Corpus) -> dict[LineId, LineAnswer]:
    """The answers of all lines that weigh a statement."""
    if not any(line.proposition for line in corpus.lines.values()):
        return {}
    from kg.reasoning import reading_of

    reading = reading_of(corpus)
    _ = reading.solution  # as pages do: what a question finds alone may differ in the last digits
    found = {id: find_line_answer(reading, id) for id in corpus.lines}
    return {id: answer for id, answer in found.items() if answer is not None}


def nats_by_reason(reading: Reading, line: LineId) -> dict[StatementId, float]:
    """What each direct reason adds to a line's answer, in nats."""
    from kg.reasoning.attribution.bill import direct_reasons

    reasons = direct_reasons(reading.question(line))
    return {reason.statement: reason.share for reason in reasons}
