"""Undercuts lead to edges, other undercuts included, so they are resolved last and together."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kg.corpus.names import Names
from kg.notes.parsed import PendingEdge


def resolve_undercuts(
    waiting: Sequence[PendingEdge], names: Names, id_of: Callable[[PendingEdge, str], str]
) -> dict[int, str]:
    """The edge that each undercut leads to, by its index in `waiting`; the others lead nowhere.

    An undercut that has a name of its own may be undercut by one that it undercuts itself.
    """
    ids: dict[int, str] = {}
    for number, pending in enumerate(waiting):
        if pending.block and names.find_edge(f"{_note(pending)}#^{pending.block}") is None:
            ids[number] = id_of(pending, "")
            names.add_edge(ids[number])
    targets: dict[int, str] = {}
    while found := _resolved(waiting, names, targets):
        for number, target in found.items():
            targets[number] = target
            ids.setdefault(number, id_of(waiting[number], target))
            names.add_edge(ids[number])
    return _standing(targets, ids)


def _note(pending: PendingEdge) -> str:
    return pending.source.partition("#")[0]


def _resolved(
    waiting: Sequence[PendingEdge], names: Names, known: dict[int, str]
) -> dict[int, str]:
    return {
        number: target
        for number, pending in enumerate(waiting)
        if number not in known and (target := names.find_edge(pending.target)) is not None
    }


def _standing(targets: dict[int, str], ids: dict[int, str]) -> dict[int, str]:
    """`targets` without those that lead to an undercut which itself leads nowhere."""
    while True:
        fallen = {id for number, id in ids.items() if number not in targets}
        kept = {number: target for number, target in targets.items() if target not in fallen}
        if len(kept) == len(targets):
            return targets
        targets = kept
