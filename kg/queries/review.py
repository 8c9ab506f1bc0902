"""Notes due for review: stale, without evidence, undecided, or not reviewed for long."""

from __future__ import annotations

import datetime as dt
from calendar import monthrange
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from kg.corpus import Corpus
from kg.git.note_history import History, find_history
from kg.model import InquiryLine, LineId, Relation, Statement, StatementId, Status, Value
from kg.queries import REVIEW_PERIOD_MONTHS
from kg.reporting.report import PrintableAnswer, Report, TextLine, columns, table
from kg.text.plurals import join_first, pluralize

if TYPE_CHECKING:
    from kg.reasoning.sensitivity.stakes import Stake

MAX_NAMED = 3  # notes named in a reason; the record has all of them
Reviewed = Statement | InquiryLine


class DueNote(Value, frozen=True, omit_defaults=False):
    """A statement or line to review, why, and the command that shows it.

    `moves` is how far the answer of `line` would move if the statement were certain, None for the
    line itself and for its proposition, which is the answer. `changed` are the statements it
    relies on that changed after its review.
    """

    id: str
    title: str
    reasons: tuple[str, ...]
    changed: tuple[str, ...]
    reviewed: dt.date | None
    moves: float | None
    line: LineId | None
    see: str


DUE = columns(DueNote, "id, why: reasons, moves, of: line, see")


class Review(PrintableAnswer, frozen=True):
    """All that is due, first what moves an answer most; `months` is how long a review lasts."""

    months: int
    due: tuple[DueNote, ...]

    def report(self) -> Report:
        """A table with a row for each, or a line if nothing is due."""
        if not self.due:
            return Report((TextLine("nothing is due"),))
        return Report((table(f"{pluralize(len(self.due), 'note')} to look at", self.due, DUE),))


# -- what changed since --------------------------------------------------------------------


def statements_changed_since_review(
    corpus: Corpus, line: InquiryLine, history: History
) -> tuple[StatementId, ...]:
    """Statements that a line's essay mentions and that changed after it was last reviewed."""
    mentioned_ids = dict.fromkeys(m.target for m in corpus.mentions_from.get(line.id, ()))
    return _changes_after_review(corpus, line, mentioned_ids, history)


def statements_changed_beneath(
    corpus: Corpus, record: Reviewed, history: History
) -> tuple[StatementId, ...]:
    """Statements that a statement or line relies on and that changed after its last review."""
    if isinstance(record, InquiryLine):
        return statements_changed_since_review(corpus, record, history)
    return _changes_after_review(
        corpus, record, _find_neighbours_in_other_notes(corpus, record), history
    )


def has_changed_since_review(statement: Statement, dependent: Reviewed, history: History) -> bool:
    """Return whether a statement changed after `dependent`, which relies on it, was last
    reviewed.
    """
    commits = history.of(statement.span.path)
    changed_on = statement.updated or (commits[0].day if commits else None)
    return bool(dependent.reviewed and changed_on and changed_on > dependent.reviewed)


def _changes_after_review(
    corpus: Corpus, record: Reviewed, relied_on_ids: Iterable[str], history: History
) -> tuple[StatementId, ...]:
    statements = (corpus.statements[id] for id in relied_on_ids if id in corpus.statements)
    return tuple(each.id for each in statements if has_changed_since_review(each, record, history))


def _find_neighbours_in_other_notes(corpus: Corpus, statement: Statement) -> Iterator[StatementId]:
    """The statements that a statement relies on, outside its own note."""
    neighbour_ids = [edge.origin for edge in corpus.edges_to.get(statement.id, ())]
    neighbour_ids += [
        edge.target
        for edge in corpus.edges_from.get(statement.id, ())
        if edge.relation is Relation.DEPENDS_ON
    ]
    for id in dict.fromkeys(neighbour_ids):
        other = corpus.statements.get(id)
        if other is not None and other.span.path != statement.span.path:
            yield id


# -- all that is due -----------------------------------------------------------------------


class _ReviewCandidate(NamedTuple):
    """A statement or line that is due, and why; `changed_ids` are what changed after its review."""

    record: Reviewed
    reasons: list[str]
    changed_ids: tuple[str, ...]


def review(
    corpus: Corpus, months: int = REVIEW_PERIOD_MONTHS, today: dt.date | None = None
) -> Review:
    """Statements and lines due for review, in order of how much depends on them.

    `kg.review(corpus)`
    """
    from kg.reasoning import reading_of
    from kg.reasoning.answers.gaps import claims_without_evidence
    from kg.reasoning.line_answers import find_line_answer
    from kg.reasoning.sensitivity.stakes import stakes

    reading = reading_of(corpus)
    history = find_history(corpus.folder)
    ids_without_evidence = set(claims_without_evidence(reading))
    due_before = _months_before(today or dt.date.today(), months)
    candidates = []
    for line in corpus.lines.values():
        answer = find_line_answer(reading, line.id)
        reasons = ["undecided"] if answer is None or not answer.side else []
        changed_ids = statements_changed_beneath(corpus, line, history)
        candidates.append(
            _ReviewCandidate(
                line,
                reasons + _reasons_to_review(line, changed_ids, due_before, history),
                changed_ids,
            )
        )
    for statement in corpus.statements.values():
        reasons = (
            ["without evidence"]
            if statement.id in ids_without_evidence and statement.owes_support
            else []
        )
        changed_ids = statements_changed_beneath(corpus, statement, history)
        if statement.parent is None:  # a callout is reviewed with its note
            reasons += _reasons_to_review(statement, changed_ids, due_before, history)
        candidates.append(_ReviewCandidate(statement, reasons, changed_ids))
    due_candidates = [
        candidate
        for candidate in candidates
        if candidate.reasons and candidate.record.status is not Status.RETIRED
    ]
    stakes_by_id = stakes(reading, [candidate.record.id for candidate in due_candidates])
    line_id_by_proposition = {
        line.proposition or line.id: line.id for line in corpus.lines.values()
    }
    due = [
        _make_due(candidate, stakes_by_id, line_id_by_proposition) for candidate in due_candidates
    ]
    due.sort(key=lambda each: (each.id not in corpus.lines, -_rank_of_due(each), each.id))
    return Review(months=months, due=tuple(due))


def _reasons_to_review(
    record: Reviewed, changed_ids: tuple[str, ...], due_before: dt.date, history: History
) -> list[str]:
    reasons = []
    if changed_ids:
        reasons.append(f"stale: {join_first(changed_ids, MAX_NAMED)} changed since")
    log = history.of(record.span.path)
    last_look = record.reviewed or record.created or (log[-1].day if log else None)
    if last_look is not None and last_look < due_before:
        reasons.append(f"not reviewed since {record.reviewed or f'it was written, {last_look}'}")
    return reasons


def _make_due(
    candidate: _ReviewCandidate,
    stakes_by_id: dict[str, Stake],
    line_id_by_proposition: dict[str, LineId],
) -> DueNote:
    record = candidate.record
    is_line = isinstance(candidate.record, InquiryLine)
    line_id = record.id if is_line else line_id_by_proposition.get(record.id)
    stake = None if line_id else stakes_by_id.get(record.id)
    first_reason = candidate.reasons[0]
    command = "crux" if first_reason == "undecided" else "show" if is_line else "why"
    return DueNote(
        id=record.id,
        title=record.title,
        reasons=tuple(candidate.reasons),
        changed=candidate.changed_ids,
        reviewed=record.reviewed,
        moves=stake.moves if stake else None,
        line=stake.line if stake else line_id,
        see=f"kg {command} {record.id}",
    )


def _rank_of_due(due: DueNote) -> float:
    return 1.0 if due.moves is None and due.line else due.moves or 0.0


def _months_before(day: dt.date, months: int) -> dt.date:
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    return dt.date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))
