"""The answers of lines that moved between two states of a corpus, and the reasons that moved them.

What weighs is imported only where both states have an answer, as most changes of notes have none
to compare.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from kg.corpus import Corpus
from kg.model import InquiryLine, LineId, StatementId, Value

if TYPE_CHECKING:
    from kg.reasoning.line_answers import LineAnswer
    from kg.reasoning.reading import Question

MAX_REASONS_NAMED = 3  # for each answer that moved
# Answers of which it is found how sure they were and are: each takes half a second in a corpus of
# 10,000 notes. Of the others, the surest is said that their strength allows.
MAX_SURENESS_TRIED = 20


class MovedReason(Value, frozen=True, omit_defaults=False):
    """A direct reason whose share in the answer differs: its share before and after, in nats."""

    statement: StatementId
    share_before: float | None
    share_after: float | None


class MovedAnswer(Value, frozen=True, omit_defaults=False):
    """A line's verdict before and after: strength, strength word, sureness, and why it is no surer
    (`limit_before`, `limit_after`); `reasons` are those that moved it most.
    `asked` are the titles of the question and of its proposition after; `reworded` says whether
    they differed before, so that the two verdicts are not about the same question.
    """

    line: LineId
    proposition: StatementId
    strength_before: float | None
    strength_after: float | None
    word_before: str
    word_after: str
    reasons: tuple[MovedReason, ...]
    asked: tuple[str, str] = ("", "")
    reworded: bool = False
    sureness_before: str = ""
    sureness_after: str = ""
    limit_before: str = ""
    limit_after: str = ""

    @property
    def in_words(self) -> tuple[str, str]:
        """The answer before and after as its verdict words it, with the strength: `perhaps not
        (0.310)`; `at most probably (0.800)` where that was not tried.
        """
        from kg.reasoning.strength_words import strength_in_table
        from kg.reasoning.sureness_words import Sureness, bounded_phrase

        def describe_answer(word: str, sureness: str, strength: float | None) -> str:
            phrase = bounded_phrase(word, Sureness(sureness))
            return phrase if strength is None else f"{phrase} ({strength_in_table(strength)})"

        states = (
            (self.word_before, self.sureness_before, self.strength_before),
            (self.word_after, self.sureness_after, self.strength_after),
        )
        before, after = (describe_answer(*state) for state in states)
        return before, after


def find_moved_answers(
    old_corpus: Corpus,
    new_corpus: Corpus,
    new_id_of: Mapping[StatementId, StatementId],
    old_line_ids: Mapping[LineId, LineId] | None = None,
) -> tuple[MovedAnswer, ...]:
    """Lines with a proposition in both states whose strength, word or sureness changed.

    `old_line_ids` maps the ids of lines that were renamed to those before.
    """
    old_id_of = {id: id for id in new_corpus.lines} | dict(old_line_ids or {})
    shared_ids = _lines_with_two_answers(old_corpus, new_corpus, old_id_of)
    if not shared_ids:
        return ()
    from kg.reasoning.line_answers import find_line_answer
    from kg.reasoning.reading import reading_of

    old_reading, new_reading = reading_of(old_corpus), reading_of(new_corpus)
    # how sure an answer is takes long to find
    may_have_moved = [
        (id, old, new)
        for id in shared_ids
        if (old := find_line_answer(old_reading, old_id_of[id]))
        and (new := find_line_answer(new_reading, id))
        and (old != new or not _are_reasons_same(old_corpus, new_corpus, old))
    ]
    answers = (
        _compare_answers(
            new_corpus.lines[id],
            (old, old_reading.question(old_id_of[id])),
            (new, new_reading.question(id)),
            new_id_of,
            tries_sureness=number < MAX_SURENESS_TRIED,
        )
        for number, (id, old, new) in enumerate(may_have_moved)
    )
    return tuple(each for each in answers if each is not None)


def _compare_answers(
    line: InquiryLine,
    then: tuple[LineAnswer, Question],
    now: tuple[LineAnswer, Question],
    new_id_of: Mapping[StatementId, StatementId],
    *,
    tries_sureness: bool,
) -> MovedAnswer | None:
    """The answers then and now; None where neither their strength nor their sureness moved."""
    from kg.reasoning.reasons.direct_reasons import direct_reasons
    from kg.reasoning.sureness import sureness_of
    from kg.reasoning.sureness_words import LimitedSureness, Sureness

    (old, old_question), (new, new_question) = then, now
    old_limited = new_limited = LimitedSureness(Sureness.NONE)
    if tries_sureness:
        old_limited, new_limited = sureness_of(old_question), sureness_of(new_question)
    if not new.has_moved_from(old) and new_limited.sureness == old_limited.sureness:
        return None
    old_shares, new_shares = (
        {reason.statement: reason.share for reason in direct_reasons(each)}
        for each in (old_question, new_question)
    )
    return MovedAnswer(
        line=line.id,
        proposition=line.proposition or "",
        strength_before=old.strength,
        strength_after=new.strength,
        word_before=old.word,
        word_after=new.word,
        reasons=_heaviest_moves(old_shares, new_shares, new_id_of),
        asked=new.asked,
        reworded=old.asked != new.asked,
        sureness_before=old_limited.sureness,
        sureness_after=new_limited.sureness,
        limit_before=old_limited.limit.besides_strength,
        limit_after=new_limited.limit.besides_strength,
    )


def _lines_with_two_answers(
    old_corpus: Corpus, new_corpus: Corpus, old_id_of: Mapping[LineId, LineId]
) -> list[LineId]:
    """The lines that weigh a proposition in both states."""
    return [
        id
        for id, line in new_corpus.lines.items()
        if line.proposition
        and old_id_of[id] in old_corpus.lines
        and old_corpus.lines[old_id_of[id]].proposition
    ]


def _are_reasons_same(old_corpus: Corpus, new_corpus: Corpus, answer: LineAnswer) -> bool:
    """Return whether the same edges lead to what is weighed: a new reason for it and one against it
    may leave its strength as it was.
    """
    edges_before, edges_after = (
        {
            (each.origin, each.relation, each.strength)
            for each in corpus.edges_to.get(answer.proposition, ())
        }
        for corpus in (old_corpus, new_corpus)
    )
    return edges_before == edges_after


def _heaviest_moves(
    shares_by_old_id: Mapping[StatementId, float],
    shares_after: Mapping[StatementId, float],
    new_id_of: Mapping[StatementId, StatementId],
) -> tuple[MovedReason, ...]:
    """The reasons whose shares moved most in the direction of the answer."""
    shares_before = {new_id_of.get(id, id): share for id, share in shares_by_old_id.items()}
    moves = {
        id: shares_after.get(id, 0.0) - shares_before.get(id, 0.0)
        for id in {*shares_before, *shares_after}
    }
    total_move = sum(moves.values())
    # what moved against the answer did not move it
    same_direction = [id for id, move in moves.items() if move * total_move > 0]
    heaviest = sorted(same_direction, key=lambda id: (-abs(moves[id]), id))[:MAX_REASONS_NAMED]
    return tuple(
        MovedReason(
            statement=id, share_before=shares_before.get(id), share_after=shares_after.get(id)
        )
        for id in heaviest
    )
