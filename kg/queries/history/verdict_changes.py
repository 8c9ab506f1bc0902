"""Verdicts that moved between two states of a corpus, and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from kg.corpus import Corpus
from kg.model import LineId, StatementId, Value

if TYPE_CHECKING:
    from kg.reasoning.answers.verdict_text import Verdict

LEAST = 0.02
MOST_REASONS = 3


class Cause(Value, frozen=True, omit_defaults=False):
    """A direct reason whose weight in the verdict differs: what it added before, and now (nats)."""

    statement: StatementId
    before: float | None
    after: float | None


class Moved(Value, frozen=True, omit_defaults=False):
    """A line's verdict before and after; the causes are the direct reasons that changed most."""

    line: LineId
    proposition: StatementId
    before: float | None
    after: float | None
    word_before: str
    word_after: str
    causes: tuple[Cause, ...]


def moved_verdicts(
    before: Corpus, after: Corpus, now: Mapping[StatementId, StatementId]
) -> tuple[Moved, ...]:
    """Lines of both states that weigh one proposition, where its strength or its word moved."""
    shared = [
        id
        for id, line in after.lines.items()
        if line.proposition and id in before.lines and before.lines[id].proposition
    ]
    if not shared:
        return ()
    from kg.reasoning import assemble, verdict
    from kg.reasoning.answers.verdict_text import Verdict

    old_reading, new_reading = assemble(before), assemble(after)
    found = []
    for id in shared:
        old, new = verdict(old_reading, id), verdict(new_reading, id)
        if isinstance(old, Verdict) and isinstance(new, Verdict) and _moved(old, new):
            found.append(_told(id, old, new, now))
    return tuple(found)


def _moved(old: Verdict, new: Verdict) -> bool:
    if old.word != new.word or (old.strength is None) is not (new.strength is None):
        return True
    return abs((new.strength or 0.0) - (old.strength or 0.0)) >= LEAST


def _told(
    line: LineId, old: Verdict, new: Verdict, now: Mapping[StatementId, StatementId]
) -> Moved:
    was = {now.get(reason.statement, reason.statement): reason.share for reason in old.reasons}
    present = {reason.statement: reason.share for reason in new.reasons}
    differing = sorted(
        {*was, *present}, key=lambda id: (-abs(present.get(id, 0.0) - was.get(id, 0.0)), id)
    )
    causes = tuple(
        Cause(statement=id, before=was.get(id), after=present.get(id))
        for id in differing[:MOST_REASONS]
        if was.get(id) != present.get(id)
    )
    return Moved(
        line=line,
        proposition=new.asked.statement,
        before=old.strength,
        after=new.strength,
        word_before=old.word,
        word_after=new.word,
        causes=causes,
    )
