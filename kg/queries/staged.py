"""Parts of a selection that no SPARQL can say, answered first and put in as ids."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kg.queries.condition import (
    All,
    Chosen,
    CitedBy,
    Citing,
    Condition,
    Either,
    Ending,
    Has,
    Linked,
    Named,
    Not,
    PartOf,
    Pick,
    Placed,
    Placing,
    Recorded,
    Sort,
    Starting,
    Weighing,
    Within,
)
from kg.queries.fields import FIELDS

Answering = Callable[[Pick], tuple[str, ...]]


def staged(pick: Pick, chosen: Answering, reckoned: Answering) -> Pick:
    """The pick with its limited parts (`chosen`) and reckoned fields (`reckoned`) made ids."""
    return replace(pick, condition=_Stages(chosen, reckoned).condition(pick.sort, pick.condition))


class _Stages:
    def __init__(self, chosen: Answering, reckoned: Answering) -> None:
        self.chosen = chosen
        self.reckoned = reckoned

    def pick(self, pick: Pick) -> Pick:
        if pick.first is not None:
            return Pick(pick.sort, Named(self.chosen(pick)))
        return replace(pick, condition=self.condition(pick.sort, pick.condition), order=())

    def condition(self, sort: Sort, condition: Condition) -> Condition:
        match condition:
            case Not(inner):
                return Not(self.condition(sort, inner))
            case All(parts):
                return All(tuple(self.condition(sort, part) for part in parts))
            case Either(parts):
                return Either(tuple(self.condition(sort, part) for part in parts))
            case Chosen(pick):
                return Named(self.chosen(pick))
            case Has(field=field) | Recorded(field=field) | Within(field=field):
                if FIELDS[sort][field].path:
                    return condition
                return Named(self.reckoned(Pick(sort, condition)))
        return self.related(condition)

    def related(self, condition: Condition) -> Condition:
        match condition:
            case Linked(to=to):
                return replace(condition, to=self.pick(to))
            case Citing(sources):
                return Citing(self.pick(sources))
            case CitedBy(by):
                return CitedBy(self.pick(by))
            case Placed(lines, camp):
                return Placed(self.pick(lines), camp)
            case Placing(statements, camp):
                return Placing(self.pick(statements), camp)
            case Weighing(statements):
                return Weighing(self.pick(statements))
            case PartOf(whole):
                return PartOf(self.pick(whole))
            case Starting(at):
                return Starting(self.pick(at))
            case Ending(at):
                return Ending(self.pick(at))
        return condition
