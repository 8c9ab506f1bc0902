"""The answers of lines in two states of a corpus: which have moved, and by which reasons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from kg.corpus import Corpus
from kg.model import LineId, StatementId, Value

if TYPE_CHECKING:
    from kg.reasoning import Reading

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

    def is_apart(self, other: LineAnswer) -> bool:
        """Whether the word differs, or the strength as `has_moved` says."""
        return self.word != other.word or has_moved(self.strength, other.strength)


class Cause(Value, frozen=True, omit_defaults=False):
    """A direct reason whose share in the verdict differs: its share before and after, in nats."""

    statement: StatementId
    before: float | None
    after: float | None


class VerdictChange(Value, frozen=True, omit_defaults=False):
    """A line's verdict before and after; the causes are the direct reasons that changed most.
    `asked` are the titles of the question and of its proposition after; `reworded` says whether
    they differed before, so that the two verdicts are not about the same question.
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


def has_moved(before: float | None, after: float | None) -> bool:
    """Whether two strengths, with the two decimals that readers see, are `LEAST_MOVE_REMARKED`
    apart or more, or only one of them has a value.
    """
    if before is None or after is None:
        return before is not after
    return round(abs(round(after, 2) - round(before, 2)), 2) >= LEAST_MOVE_REMARKED


def word_with_strength(word: str, strength: float | None) -> str:
    """The surest wording that a verdict's strength allows, with the strength."""
    from kg.reasoning.sureness_words import answer_phrase

    wording = answer_phrase(word)
    return wording if strength is None else f"{wording} ({strength:.2f})"


def find_line_answer(reading: Reading, line_id: LineId) -> LineAnswer | None:
    """The answer of a line; None if its proposition is missing or does not exist."""
    from kg.reasoning.graph.arrays import round_off_or_none
    from kg.reasoning.strength_words import side_of
    from kg.reasoning.weighed_answer import verdict_word_of

    question = reading.question(line_id)
    if not question.statement:
        return None
    word = verdict_word_of(question)
    side = side_of(word)
    answer_text = reading.corpus.lines[line_id].answer_for(side)
    return LineAnswer(
        proposition=question.statement,
        strength=round_off_or_none(question.strength),
        word=word,
        side=side,
        answer_text=answer_text,
        asked=question_and_proposition_titles(reading.corpus, line_id),
    )


def question_and_proposition_titles(corpus: Corpus, line_id: LineId) -> tuple[str, str]:
    """The titles of a line's question and of its proposition; the latter is empty if there is
    none.
    """
    line = corpus.lines[line_id]
    claim = corpus.statements.get(line.proposition or "")
    return line.title, claim.title if claim else ""


def line_answers(corpus: Corpus) -> dict[LineId, LineAnswer]:
    """The answers of all lines that weigh a statement."""
    if not any(line.proposition for line in corpus.lines.values()):
        return {}
    from kg.reasoning import reading_of

    reading = reading_of(corpus)
    reading.solve_whole()  # as pages do, so that both say the same
    answers = {id: find_line_answer(reading, id) for id in corpus.lines}
    return {id: answer for id, answer in answers.items() if answer is not None}


def nats_by_reason(reading: Reading, line_id: LineId) -> dict[StatementId, float]:
    """What each direct reason adds to a line's answer, in nats."""
    from kg.reasoning.reasons.direct_reasons import direct_reasons

    reasons = direct_reasons(reading.question(line_id))
    return {reason.statement: reason.share for reason in reasons}


MAX_CAUSES_NAMED = 3  # named for each verdict that moved


def moved_verdicts(
    before: Corpus,
    after: Corpus,
    new_id_of: Mapping[StatementId, StatementId],
    lines: Mapping[LineId, LineId] | None = None,
) -> tuple[VerdictChange, ...]:
    """Lines with a proposition in both states whose strength or word changed.

    `lines` maps the ids of lines that were renamed to those before.
    """
    old_id_of = {id: id for id in after.lines} | dict(lines or {})
    shared_ids = [
        id
        for id, line in after.lines.items()
        if line.proposition
        and old_id_of[id] in before.lines
        and before.lines[old_id_of[id]].proposition
    ]
    if not shared_ids:
        return ()
    from kg.reasoning import reading_of

    readings = reading_of(before), reading_of(after)
    changes = []
    for id in shared_ids:
        old = find_line_answer(readings[0], old_id_of[id])
        new = find_line_answer(readings[1], id)
        if old and new and new.is_apart(old):
            nats_before_and_after = (
                nats_by_reason(readings[0], old_id_of[id]),
                nats_by_reason(readings[1], id),
            )
            changes.append(
                VerdictChange(
                    line=id,
                    proposition=after.lines[id].proposition or "",
                    before=old.strength,
                    after=new.strength,
                    word_before=old.word,
                    word_after=new.word,
                    causes=_causes_of_move(*nats_before_and_after, new_id_of),
                    asked=new.asked,
                    reworded=old.asked != new.asked,
                )
            )
    return tuple(changes)


def _causes_of_move(
    shares_by_old_id: Mapping[StatementId, float],
    shares_after: Mapping[StatementId, float],
    new_id_of: Mapping[StatementId, StatementId],
) -> tuple[Cause, ...]:
    shares_before = {new_id_of.get(id, id): share for id, share in shares_by_old_id.items()}
    moves = {
        id: shares_after.get(id, 0.0) - shares_before.get(id, 0.0)
        for id in {*shares_before, *shares_after}
    }
    total_move = sum(moves.values())
    # changes in the opposite direction are not causes
    same_direction = [id for id, move in moves.items() if move * total_move > 0]
    heaviest = sorted(same_direction, key=lambda id: (-abs(moves[id]), id))[:MAX_CAUSES_NAMED]
    return tuple(
        Cause(statement=id, before=shares_before.get(id), after=shares_after.get(id))
        for id in heaviest
    )
