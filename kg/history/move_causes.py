"""Find why a reason came to weigh more or less in an answer: the nearest change at or beneath
it.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping

from kg.corpus import Corpus
from kg.corpus.quality.evidence_quality import grade_statement
from kg.corpus.reasons_for_and_against import reasons_by_side
from kg.history.changes import Changes
from kg.history.moved_answers import MovedReason
from kg.model import Edge, Kind, StatementId, Value

MAX_CAUSES_NAMED = 2  # for each reason that weighs more or less
MAX_DEPTH = 4  # steps beneath a reason; what changed further below is not named
_LINK_RANK = {"weak": 0, "moderate": 1, "strong": 2, "full": 3}
LEAST_QUALITY_MOVE = 0.005  # of a quality, which is shown in two digits


class MoveCauseKind(enum.StrEnum):
    """The change at a reason or beneath it, in words."""

    SOURCE = "a source was marked"
    REASON_ADDED = "a reason was added"
    REASON_REMOVED = "a reason was removed"
    OBJECTION_ADDED = "an objection was added"
    OBJECTION_REMOVED = "an objection was removed"
    LINK = "a link was given another word"
    QUALITY = "a quality went up or down"


class MoveCause(Value, frozen=True):
    """A change that helps to tell why a reason weighs more or less than before.

    `statement` is what changed; of a link, what it comes from. `was` and `now` are the word of
    the link, or the quality in two digits; of a source, `now` is what it is marked as.
    """

    kind: MoveCauseKind
    statement: StatementId
    was: str = ""
    now: str = ""


class MoveCauseFinder:
    """Finds what happened at or beneath a statement between two states of a corpus."""

    def __init__(
        self,
        old_corpus: Corpus,
        new_corpus: Corpus,
        changes: Changes,
        new_id_of: Mapping[StatementId, StatementId],
    ) -> None:
        self._before = old_corpus
        self._after = new_corpus
        self._old_id_of = {new: old for old, new in new_id_of.items()}
        self._new_id_of = new_id_of
        self._links_before = {
            (
                new_id_of.get(edge.origin, edge.origin),
                str(edge.relation),
                new_id_of.get(edge.target, edge.target),
            ): edge
            for edge in old_corpus.edges
        }
        self._changed_edges = {edge.id for edge in changes.edges_changed}
        self._flagged = {
            id: str(flag.integrity_after or "no longer flagged")
            for flag in changes.sources_flagged
            for id in flag.resting
        }

    def causes_of_move(
        self, reason: MovedReason, proposition: StatementId
    ) -> tuple[MoveCause, ...]:
        """Find what made a reason weigh more or less: the nearest changes that point the same way.

        Empty for a reason that is new or gone, and where nothing near it explains the move.
        """
        if reason.share_before is None or reason.share_after is None:
            return ()
        fell = abs(reason.share_after) < abs(reason.share_before)
        causes = self._link_changes(reason.statement, proposition, fell)
        level = [reason.statement]
        for _ in range(MAX_DEPTH):
            if causes:
                break
            causes = [each for id in level for each in self._changes_at_statement(id, fell)]
            reasons = [id for each in level for id in self._own_reasons_of(each)]
            level = [id for id in dict.fromkeys(reasons) if id != proposition]
        return tuple(dict.fromkeys(causes))[:MAX_CAUSES_NAMED]

    def _link_changes(
        self, premise: StatementId, target: StatementId, fell: bool
    ) -> list[MoveCause]:
        """The links from `premise` to `target` that were given another word."""
        causes = []
        for edge in self._after.edges_from.get(premise, ()):
            old_edge = self._links_before.get((premise, str(edge.relation), target))
            if edge.target != target or old_edge is None or edge.id not in self._changed_edges:
                continue
            old_word = _strength_word_of(old_edge)
            new_word = _strength_word_of(edge)
            if old_word != new_word and (_LINK_RANK[new_word] < _LINK_RANK[old_word]) is fell:
                causes.append(
                    MoveCause(
                        kind=MoveCauseKind.LINK, statement=premise, was=old_word, now=new_word
                    )
                )
        return causes

    def _changes_at_statement(self, id: StatementId, fell: bool) -> list[MoveCause]:
        """Find what happened to a statement and to the reasons directly for and against it."""
        old = self._old_id_of.get(id)
        if old is None or id not in self._after.statements:
            return []
        causes = []
        if id in self._flagged and fell:
            flag = self._flagged[id]
            causes.append(MoveCause(kind=MoveCauseKind.SOURCE, statement=id, now=flag))
        reasons_before, objections_before = _ids_for_and_against(self._before, old, self._new_id_of)
        reasons_now, objections_now = _ids_for_and_against(self._after, id, {})
        ids_by_kind = (
            {
                MoveCauseKind.REASON_REMOVED: reasons_before - reasons_now,
                MoveCauseKind.OBJECTION_ADDED: objections_now - objections_before,
            }
            if fell
            else {
                MoveCauseKind.REASON_ADDED: reasons_now - reasons_before,
                MoveCauseKind.OBJECTION_REMOVED: objections_before - objections_now,
            }
        )
        for kind, ids in ids_by_kind.items():
            causes += [MoveCause(kind=kind, statement=reason) for reason in sorted(ids)]
        for reason in sorted(reasons_now):
            causes += self._link_changes(reason, id, fell)
        causes += self._quality_changes(old, id, fell)
        return causes

    def _quality_changes(self, old: StatementId, id: StatementId, fell: bool) -> list[MoveCause]:
        quality_before = _quality_of_evidence(self._before, old)
        quality_now = _quality_of_evidence(self._after, id)
        if (
            abs(quality_now - quality_before) < LEAST_QUALITY_MOVE
            or (quality_now < quality_before) is not fell
        ):
            return []
        return [
            MoveCause(
                kind=MoveCauseKind.QUALITY,
                statement=id,
                was=f"{quality_before:.2f}",
                now=f"{quality_now:.2f}",
            )
        ]

    def _own_reasons_of(self, id: StatementId) -> Iterable[StatementId]:
        """Return the reasons for a statement, which move with it."""
        sides = reasons_by_side(self._after, id)
        return (reason.origin for reason in sides.pro)


def _strength_word_of(edge: Edge) -> str:
    return "full" if edge.strength is None else edge.strength.value


def _ids_for_and_against(
    corpus: Corpus, id: StatementId, new_id_of: Mapping[StatementId, StatementId]
) -> tuple[set[StatementId], set[StatementId]]:
    """The present ids of what speaks directly for a statement and against it."""
    sides = reasons_by_side(corpus, id)
    return (
        {new_id_of.get(each.origin, each.origin) for each in sides.pro},
        {new_id_of.get(each.origin, each.origin) for each in sides.con},
    )


def _quality_of_evidence(corpus: Corpus, id: StatementId) -> float:
    statement = corpus.statements[id]
    if statement.kind is not Kind.EVIDENCE:
        return 0.0
    return grade_statement(corpus.sources, statement, corpus.config.quality).base
