"""Selections compiled to SPARQL."""

from __future__ import annotations

from kg.queries.condition import Pick
from kg.queries.patterns import Patterns, prefixed
from kg.queries.sort import Sort
from kg.views.iris import Iris


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
