"""Notes due for review: stale, unsupported, undecided, or not reviewed for long."""

from __future__ import annotations

import datetime as dt
from calendar import monthrange
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from kg.corpus import Corpus
from kg.git.note_history import History, find_history
from kg.model import InquiryLine, LineId, Relation, Statement, StatementId, Status, Value
from kg.queries import REVIEW_PERIOD_MONTHS
from kg.queries.history.changes import find_line_answer
from kg.report import Line, PrintableAnswer, Report, columns, table
from kg.text.plurals import pluralize

if TYPE_CHECKING:
    from kg.reasoning.answers.gaps import Stake

MAX_NAMED = 3  # notes named in a reason; the record has all of them
Reviewed = Statement | InquiryLine


class Due(Value, frozen=True, omit_defaults=False):
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


DUE = columns(Due, "id, why: reasons, moves, of: line, see")


class Review(PrintableAnswer, frozen=True):
    """All that is due, first what moves an answer most; `months` is how long a review lasts."""

    months: int
    due: tuple[Due, ...]

    def report(self) -> Report:
        """A table with a row for each, or a line if nothing is due."""
        if not self.due:
            return Report((Line("nothing is due"),))
        return Report((table(f"{pluralize(len(self.due), 'note')} to look at", self.due, DUE),))


# -- what changed since --------------------------------------------------------------------


def day_of_last_change(statement: Reviewed, history: History) -> dt.date | None:
    """The day on which a statement or line last changed, by its own date or else by git."""
    changes = history.of(statement.span.path)
    return statement.updated or (changes[0].day if changes else None)


def statements_changed_since_review(
    corpus: Corpus, line: InquiryLine, history: History
) -> tuple[StatementId, ...]:
    """Statements that a line's essay mentions and that changed after it was last reviewed."""
    linked = dict.fromkeys(m.target for m in corpus.mentions_from.get(line.id, ()))
    return _changes_after_review(corpus, line, linked, history)


def statements_changed_beneath(
    corpus: Corpus, thing: Reviewed, history: History
) -> tuple[StatementId, ...]:
    """Statements that a statement or line relies on and that changed after its last review."""
    if isinstance(thing, InquiryLine):
        return statements_changed_since_review(corpus, thing, history)
    return _changes_after_review(
        corpus, thing, _find_neighbours_in_other_notes(corpus, thing), history
    )


def has_changed_since_review(statement: Statement, than: Reviewed, history: History) -> bool:
    """Whether a statement changed after `than`, which relies on it, was last reviewed."""
    if than.reviewed is None:
        return False
    changed = day_of_last_change(statement, history)
    return changed is not None and changed > than.reviewed


def _changes_after_review(
    corpus: Corpus, thing: Reviewed, leant_on: Iterable[str], history: History
) -> tuple[StatementId, ...]:
    statements = (corpus.statements[id] for id in leant_on if id in corpus.statements)
    return tuple(each.id for each in statements if has_changed_since_review(each, thing, history))


def _find_neighbours_in_other_notes(corpus: Corpus, statement: Statement) -> Iterator[StatementId]:
    """The statements that a statement relies on, outside its own note."""
    near = [edge.source for edge in corpus.edges_to.get(statement.id, ())]
    near += [
        edge.target
        for edge in corpus.edges_from.get(statement.id, ())
        if edge.relation is Relation.DEPENDS_ON
    ]
    for id in dict.fromkeys(near):
        other = corpus.statements.get(id)
        if other is not None and other.span.path != statement.span.path:
            yield id


# -- all that is due -----------------------------------------------------------------------


class _ReviewCandidate(NamedTuple):
    thing: Reviewed
    reasons: list[str]
    changed: tuple[str, ...]


def review(
    corpus: Corpus, months: int = REVIEW_PERIOD_MONTHS, today: dt.date | None = None
) -> Review:
    """Statements and lines due for review, in order of how much depends on them.

    `kg.review(corpus)`
    """
    from kg.reasoning import reading_of
    from kg.reasoning.answers.gaps import stakes, unsupported_claims

    reading, history = reading_of(corpus), find_history(corpus.folder)
    bare = set(unsupported_claims(reading))
    limit = _months_before(today or dt.date.today(), months)
    candidates = []
    for line in corpus.lines.values():
        answer = find_line_answer(reading, line.id)
        reasons = ["undecided"] if answer is None or not answer.side else []
        changed = statements_changed_beneath(corpus, line, history)
        candidates.append(
            _ReviewCandidate(line, reasons + _reasons(line, changed, limit, history), changed)
        )
    for each in corpus.statements.values():
        reasons = ["unsupported"] if each.id in bare and not each.open else []
        changed = statements_changed_beneath(corpus, each, history)
        if each.parent is None:  # a callout is reviewed with its note
            reasons += _reasons(each, changed, limit, history)
        candidates.append(_ReviewCandidate(each, reasons, changed))
    due_candidates = [
        each for each in candidates if each.reasons and each.thing.status is not Status.RETIRED
    ]
    stakes_by_id = stakes(reading, [each.thing.id for each in due_candidates])
    own = {line.proposition or line.id: line.id for line in corpus.lines.values()}
    due = [_due(each, stakes_by_id, own) for each in due_candidates]
    due.sort(key=lambda each: (each.id not in corpus.lines, -_rank(each), each.id))
    return Review(months=months, due=tuple(due))


def _reasons(
    thing: Reviewed, changed: tuple[str, ...], limit: dt.date, history: History
) -> list[str]:
    reasons = []
    if changed:
        changed_names = ", ".join(changed[:MAX_NAMED])
        more = f" and {len(changed) - MAX_NAMED} more" if len(changed) > MAX_NAMED else ""
        reasons.append(f"stale: {changed_names}{more} changed since")
    log = history.of(thing.span.path)
    first = thing.reviewed or thing.created or (log[-1].day if log else None)
    if first is not None and first < limit:
        reasons.append(f"not reviewed since {thing.reviewed or f'it was written, {first}'}")
    return reasons


def _due(
    candidate: _ReviewCandidate, stakes_by_id: dict[str, Stake], own: dict[str, LineId]
) -> Due:
    thing, is_line = candidate.thing, isinstance(candidate.thing, InquiryLine)
    line = thing.id if is_line else own.get(thing.id)
    stake = None if line else stakes_by_id.get(thing.id)
    first = candidate.reasons[0]
    command = "crux" if first == "undecided" else "show" if is_line else "why"
    return Due(
        id=thing.id,
        title=thing.title,
        reasons=tuple(candidate.reasons),
        changed=candidate.changed,
        reviewed=thing.reviewed,
        moves=stake.moves if stake else None,
        line=stake.line if stake else line,
        see=f"kg {command} {thing.id}",
    )


def _rank(due: Due) -> float:
    return 1.0 if due.moves is None and due.line else due.moves or 0.0


def _months_before(day: dt.date, months: int) -> dt.date:
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    return dt.date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))
