"""Selections run: description and engine in, answer out."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Any, overload

from kg.model import Edge, InquiryLine, Source, Statement
from kg.queries.answers.answer import Answer, Groups, Sizes
from kg.queries.conditions.condition import Named, Pick
from kg.queries.conditions.fields import FIELDS, field_of
from kg.queries.engines.memory import Engine
from kg.queries.language.builders import Edges, Lines, Sources, Statements
from kg.queries.language.selection import Counted, Grouped, GroupSizes, Selection


@overload
def find(engine: Engine, wanted: Statements) -> Answer[Statement]: ...
@overload
def find(engine: Engine, wanted: Sources) -> Answer[Source]: ...
@overload
def find(engine: Engine, wanted: Lines) -> Answer[InquiryLine]: ...
@overload
def find(engine: Engine, wanted: Edges) -> Answer[Edge]: ...
@overload
def find(engine: Engine, wanted: Counted) -> int: ...
@overload
def find(engine: Engine, wanted: Grouped) -> Groups: ...
@overload
def find(engine: Engine, wanted: GroupSizes) -> Sizes: ...
@overload
def find(engine: Engine, wanted: Selection) -> Answer[Any]: ...
@overload
def find(engine: Engine, wanted: Selection | Counted | Grouped | GroupSizes) -> Any: ...


def find(engine: Engine, wanted: Selection | Counted | Grouped | GroupSizes) -> Any:
    """What a selection holds; raises `UnknownId` for a name that the corpus does not have."""
    pick = engine.resolve(wanted.pick)
    if isinstance(wanted, Counted):
        return len(engine.find_ids(replace(pick, order=pick.order if pick.first else ())))
    if isinstance(wanted, Grouped):
        return Groups(_groups(engine, pick, wanted.field), wanted.field)
    if isinstance(wanted, GroupSizes):
        groups = _groups(engine, pick, wanted.field)
        return Sizes({value: len(answer) for value, answer in groups.items()}, wanted.field)
    return Answer(engine, pick, engine.find_ids(pick))


def _groups(engine: Engine, pick: Pick, field: str) -> dict[Any, Answer[Any]]:
    """Answers by the value of a field, the largest first; what has no value last, under None."""
    place = field_of(pick.sort, field)
    name = next(key for key, known in FIELDS[pick.sort].items() if known is place)
    ids = engine.find_ids(pick)
    values = engine.values(pick.sort, name, ids)
    members: defaultdict[Any, list[str]] = defaultdict(list)
    for id in ids:
        for value in values.get(id, (None,)):
            members[value].append(id)
    order = sorted(members, key=lambda value: (value is None, -len(members[value]), str(value)))
    return {
        value: Answer(
            engine, replace(pick, condition=Named(tuple(members[value]))), tuple(members[value])
        )
        for value in order
    }
