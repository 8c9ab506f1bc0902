"""The answers of lines in one state of a corpus, as they are compared with those of another."""

from __future__ import annotations

from kg.corpus import Corpus
from kg.model import LineId, StatementId, Value
from kg.reasoning.graph.arrays import round_off_or_none
from kg.reasoning.reading import Reading, reading_of
from kg.reasoning.sureness import side_of_answer
from kg.reasoning.word_and_side import verdict_word_of

LEAST_MOVE_REMARKED = 0.02  # of the strength as shown: a smaller change does not count as a move


class LineAnswer(Value, frozen=True):
    """The strength, the word and the side (+1, -1, 0) of a line's answer, as its verdict has them.

    `answer_text` is the answer in the words of the line; empty if it has none for this side.
    `asked` are the titles of the question and of its proposition.
    """

    proposition: StatementId
    strength: float | None
    word: str
    side: int = 0
    answer_text: str = ""
    asked: tuple[str, str] = ("", "")

    def has_moved_from(self, other: LineAnswer) -> bool:
        """Return whether the word or the side differs, or the strength as `has_strength_moved`
        says. The side alone does where a claim that the answer depends on becomes undecided.
        """
        if has_strength_moved(self.strength, other.strength):
            return True
        return (self.word, self.side) != (other.word, other.side)


def has_strength_moved(strength_before: float | None, strength_after: float | None) -> bool:
    """Return whether two strengths, with the two decimals that readers see, are
    `LEAST_MOVE_REMARKED` apart or more, or only one of them has a value.
    """
    if strength_before is None or strength_after is None:
        return strength_before is not strength_after
    return (
        round(abs(round(strength_after, 2) - round(strength_before, 2)), 2) >= LEAST_MOVE_REMARKED
    )


def line_answers(corpus: Corpus) -> dict[LineId, LineAnswer]:
    """The answers of all lines that weigh a statement."""
    if not any(line.proposition for line in corpus.lines.values()):
        return {}
    reading = reading_of(corpus)
    reading.solve_whole()  # as pages do, so that both say the same
    answers = {id: find_line_answer(reading, id) for id in corpus.lines}
    return {id: answer for id, answer in answers.items() if answer is not None}


def find_line_answer(reading: Reading, line_id: LineId) -> LineAnswer | None:
    """The answer of a line; None if its proposition is missing or does not exist."""
    question = reading.question(line_id)
    if not question.statement:
        return None
    word = verdict_word_of(question)
    side = side_of_answer(question)
    return LineAnswer(
        proposition=question.statement,
        strength=round_off_or_none(question.strength_or_nan),
        word=word,
        side=side,
        answer_text=reading.corpus.lines[line_id].answer_for(side),
        asked=question_and_proposition_titles(reading.corpus, line_id),
    )


def question_and_proposition_titles(corpus: Corpus, line_id: LineId) -> tuple[str, str]:
    """The titles of a line's question and of its proposition; the latter is empty if there is
    none.
    """
    line = corpus.lines[line_id]
    claim = corpus.statements.get(line.proposition or "")
    return line.title, claim.title if claim else ""
