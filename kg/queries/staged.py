"""Parts of a selection that no SPARQL can say, answered first and put in as ids."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kg.queries.condition import Has, Named, Pick, Recorded, Within
from kg.queries.fields import FIELDS

Answering = Callable[[Pick], tuple[str, ...]]


def staged(pick: Pick, chosen: Answering, reckoned: Answering) -> Pick:
    """The pick with its limited parts (`chosen`) and reckoned fields (`reckoned`) made ids."""

    def within(part: Pick) -> Pick:
        if part.first is not None:
            return Pick(part.sort, Named(chosen(part)))
        return replace(staged(part, chosen, reckoned), order=())

    match pick.condition:
        case Has(field=field) | Recorded(field=field) | Within(field=field):
            if not FIELDS[pick.sort][field].path:
                return replace(pick, condition=Named(reckoned(Pick(pick.sort, pick.condition))))
    return replace(pick, condition=pick.condition.changed(pick.sort, within))
