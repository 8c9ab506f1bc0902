"""Which statement of an older corpus is which of a newer one, renamed or not."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from kg.corpus import Corpus
from kg.model import Statement, StatementId

ALIKE = 0.6
_WORD = re.compile(r"\w+")


def match_statements(before: Corpus, after: Corpus) -> Mapping[StatementId, StatementId]:
    """For each older statement that is still there, its present id.

    The same id comes first, then an alias (of the statement, or of the note that holds it), then
    the same title, then the most similar text; the last two among statements of one kind that
    are otherwise without a match.
    """
    found: dict[StatementId, StatementId] = {}
    for id in before.statements:
        now = id if id in after.statements else _by_alias(id, after)
        if now is not None:
            found.setdefault(id, now)
    taken = set(found.values())
    lost = [s for id, s in before.statements.items() if id not in found]
    new = [s for id, s in after.statements.items() if id not in taken]
    if lost and new:
        found.update(_by_text(lost, new))
    return found


def _by_alias(id: StatementId, after: Corpus) -> StatementId | None:
    """The present id of a statement whose own name, or whose note's name, is an alias now."""
    known = after.aliases.get(id)
    if known in after.statements:
        return known
    note, mark, part = id.partition("#")
    moved = after.aliases.get(note) if mark else None
    inside = f"{moved}#{part}"
    return inside if moved and inside in after.statements else None


def _by_text(lost: list[Statement], new: list[Statement]) -> dict[StatementId, StatementId]:
    """Pairs with the same title, then pairs with similar text, the most similar first."""
    found: dict[StatementId, StatementId] = {}
    pairs = sorted(_pairs(lost, new), key=lambda pair: (-pair[0], pair[1], pair[2]))
    taken: set[StatementId] = set()
    for _, old, now in pairs:
        if old not in found and now not in taken:
            found[old] = now
            taken.add(now)
    return found


def _pairs(
    lost: list[Statement], new: list[Statement]
) -> Iterable[tuple[float, StatementId, StatementId]]:
    """Pairs that share words, with how similar they are: 2 for the same title."""
    words = {s.id: frozenset(_WORD.findall(f"{s.title} {s.body}".casefold())) for s in new}
    holding: defaultdict[str, list[Statement]] = defaultdict(list)
    for statement in new:
        for word in words[statement.id]:
            holding[word].append(statement)
    for old in lost:
        mine = frozenset(_WORD.findall(f"{old.title} {old.body}".casefold()))
        near = {s.id: s for word in mine for s in holding.get(word, ()) if s.kind is old.kind}
        for now in near.values():
            likeness = 2.0 if now.title == old.title else _likeness(mine, words[now.id])
            if likeness >= ALIKE:
                yield likeness, old.id, now.id


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 0.0
