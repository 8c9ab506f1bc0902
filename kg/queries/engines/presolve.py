"""Selections as SPARQL, and the parts that no SPARQL can say, answered first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kg.queries.conditions.condition import Has, Named, Pick, Recorded, Within
from kg.queries.conditions.fields import FIELDS
from kg.queries.conditions.patterns import Patterns, prefixed
from kg.queries.conditions.sorts import Sort
from kg.rdf.vocabulary import Iris


def compile_pick(pick: Pick, iris: Iris) -> str:
    """A query for the ids (as IRIs) of a resolved pick, and for their places in the notes.

    Orders and limits are left out: they are applied to what comes back.
    """
    note = "kg:from/kg:writtenIn" if pick.sort is Sort.EDGE else "kg:writtenIn"
    return prefixed(
        "SELECT DISTINCT ?x ?path ?line ?column WHERE {\n"
        f"  {pick.pattern(Patterns(iris), '?x')}\n"
        f"  ?x {note} ?note ; kg:atLine ?line . ?note kg:path ?path .\n"
        "  OPTIONAL { ?x kg:atColumn ?column }\n}"
    )


Answering = Callable[[Pick], tuple[str, ...]]


def presolve(pick: Pick, chosen: Answering, reckoned: Answering) -> Pick:
    """The pick with its limited parts (`chosen`) and reckoned fields (`reckoned`) made ids."""

    def within(part: Pick) -> Pick:
        if part.first is not None:
            return Pick(part.sort, Named(chosen(part)))
        return replace(presolve(part, chosen, reckoned), order=())

    match pick.condition:
        case Has(field=field) | Recorded(field=field) | Within(field=field):
            if not FIELDS[pick.sort][field].path:
                return replace(pick, condition=Named(reckoned(Pick(pick.sort, pick.condition))))
    return replace(pick, condition=pick.condition.changed(pick.sort, within))
