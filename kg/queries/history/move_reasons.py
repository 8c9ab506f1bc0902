"""Why a reason came to weigh more or less in an answer: the nearest change at it or beneath it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from kg.corpus import Corpus
from kg.corpus.reasons_for_and_against import reasons_by_side
from kg.model import Edge, Kind, StatementId, Value
from kg.model.grade import grade_statement
from kg.queries.history.changes import Cause

if TYPE_CHECKING:
    from kg.queries.history.changes import Changes

MAX_HAPPENINGS_NAMED = 2  # for each reason that weighs more or less
MAX_DEPTH = 4  # steps beneath a reason; what changed further below is not named
_RANK = {"weak": 0, "moderate": 1, "strong": 2, "full": 3}
LEAST_GRADE_MOVE = 0.005


class Happening(Value, frozen=True):
    """A change that helps to tell why a reason weighs more or less than before.

    `what` is `source`, `reason added`, `reason removed`, `objection added`, `objection removed`,
    `link` or `grade`. `statement` is what changed; of a link, what it comes from. `was` and
    `now` are the word of the link, or the quality in two digits; of a source, what it is now.
    """

    what: str
    statement: StatementId
    was: str = ""
    now: str = ""


class MoveReasons:
    """Finds what happened at or beneath a statement between two states of a corpus."""

    def __init__(
        self,
        before: Corpus,
        after: Corpus,
        changes: Changes,
        new_id_of: Mapping[StatementId, StatementId],
    ) -> None:
        self._before = before
        self._after = after
        self._old_id_of = {new: old for old, new in new_id_of.items()}
        self._new_id_of = new_id_of
        self._links_before = _edges_by_ends(before, new_id_of)
        self._changed_edges = {edge.id for edge in changes.edges_changed}
        self._flagged = {
            id: str(flag.after or "no longer flagged")
            for flag in changes.sources_flagged
            for id in flag.resting
        }

    def of(self, cause: Cause, proposition: StatementId) -> tuple[Happening, ...]:
        """What made a reason weigh more or less: the nearest changes that point the same way.

        Empty for a reason that is new or gone, and where nothing near it explains the move.
        """
        if cause.before is None or cause.after is None:
            return ()
        fell = abs(cause.after) < abs(cause.before)
        found = self._at_link(cause.statement, proposition, fell)
        level, seen = [cause.statement], {cause.statement, proposition}
        for _ in range(MAX_DEPTH):
            if found:
                break
            found = [each for id in level for each in self._at_statement(id, fell)]
            beneath = [id for each in level for id in self._reasons_of(each)]
            level = [id for id in dict.fromkeys(beneath) if id not in seen]
            seen.update(level)
        return tuple(dict.fromkeys(found))[:MAX_HAPPENINGS_NAMED]

    def _at_link(self, source: StatementId, target: StatementId, fell: bool) -> list[Happening]:
        """Whether the link to what is weighed was given another word."""
        found = []
        for edge in self._after.edges_from.get(source, ()):
            old = self._links_before.get((source, str(edge.relation), target))
            if edge.target != target or old is None or edge.id not in self._changed_edges:
                continue
            was, now = _word_of(old), _word_of(edge)
            if was != now and (_RANK[now] < _RANK[was]) is fell:
                found.append(Happening(what="link", statement=source, was=was, now=now))
        return found

    def _at_statement(self, id: StatementId, fell: bool) -> list[Happening]:
        """What happened to a statement and to the reasons directly for and against it."""
        old = self._old_id_of.get(id)
        if old is None or id not in self._after.statements:
            return []
        found = []
        if id in self._flagged and fell:
            found.append(Happening(what="source", statement=id, now=self._flagged[id]))
        was = _sides(self._before, old, self._new_id_of)
        now = _sides(self._after, id, {})
        for place, word, lowers in ((0, "reason", False), (1, "objection", True)):
            added = lowers is fell
            ids = now[place] - was[place] if added else was[place] - now[place]
            did = "added" if added else "removed"
            found += [Happening(what=f"{word} {did}", statement=one) for one in sorted(ids)]
        for one in sorted(now[0] & was[0]):
            found += self._at_link(one, id, fell)
        found += self._at_grade(old, id, fell)
        return found

    def _at_grade(self, old: StatementId, id: StatementId, fell: bool) -> list[Happening]:
        was, now = _quality(self._before, old), _quality(self._after, id)
        if abs(now - was) < LEAST_GRADE_MOVE or (now < was) is not fell:
            return []
        return [Happening(what="grade", statement=id, was=f"{was:.2f}", now=f"{now:.2f}")]

    def _reasons_of(self, id: StatementId) -> Iterable[StatementId]:
        """What speaks for a statement, and moves with it."""
        sides = reasons_by_side(self._after, id)
        return (reason.source for reason in sides.pro)


def _edges_by_ends(
    corpus: Corpus, new_id_of: Mapping[StatementId, StatementId]
) -> dict[tuple[str, str, str], Edge]:
    return {
        (
            new_id_of.get(edge.source, edge.source),
            str(edge.relation),
            new_id_of.get(edge.target, edge.target),
        ): edge
        for edge in corpus.edges
    }


def _word_of(edge: Edge) -> str:
    return "full" if edge.strength is None else edge.strength.value


def _sides(
    corpus: Corpus, id: StatementId, new_id_of: Mapping[StatementId, StatementId]
) -> tuple[set[StatementId], set[StatementId]]:
    """The present ids of what speaks directly for a statement and against it."""
    sides = reasons_by_side(corpus, id)
    return (
        {new_id_of.get(each.source, each.source) for each in sides.pro},
        {new_id_of.get(each.source, each.source) for each in sides.con},
    )


def _quality(corpus: Corpus, id: StatementId) -> float:
    statement = corpus.statements[id]
    if statement.kind is not Kind.EVIDENCE:
        return 0.0
    return grade_statement(corpus.sources, statement, corpus.config.quality).base
