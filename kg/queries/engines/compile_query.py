"""A resolved selection as SPARQL, without what SPARQL cannot express."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kg.queries.conditions.condition import FieldBetween, FieldIn, FieldIsRecorded, IdIn, Query
from kg.queries.conditions.field_types import RecordKind
from kg.queries.conditions.fields import FIELDS_BY_KIND
from kg.queries.conditions.sparql_patterns import Patterns, declare_prefixes
from kg.rdf.iris import Iris


def compile_query(query: Query, iris: Iris) -> str:
    """SPARQL for the ids (as IRIs) of a resolved query, and for their places in the notes; orders
    and limits are left to whoever reads the results.
    """
    note = "kg:origin/kg:writtenIn" if query.record_kind is RecordKind.EDGE else "kg:writtenIn"
    return declare_prefixes(
        "SELECT DISTINCT ?x ?path ?line ?column WHERE {\n"
        f"  {query.sparql_pattern(Patterns(iris), '?x')}\n"
        # as a plain join, Oxigraph would list the places of all records for an answer of ten
        f"  OPTIONAL {{ ?x {note} ?note . ?note kg:path ?path }}\n"
        "  OPTIONAL { ?x kg:atLine ?line } OPTIONAL { ?x kg:atColumn ?column }\n}"
    )


FindIds = Callable[[Query], tuple[str, ...]]


def answer_subqueries(query: Query, find_limited: FindIds, find_computed: FindIds) -> Query:
    """The query with the parts that SPARQL cannot express replaced by ids.

    `find_limited` runs nested queries with a limit, `find_computed` conditions on fields that RDF
    does not have.
    """

    def answer_nested(nested_query: Query) -> Query:
        if nested_query.limit is not None:
            return Query(nested_query.record_kind, IdIn(find_limited(nested_query)))
        unlimited = answer_subqueries(nested_query, find_limited, find_computed)
        return replace(unlimited, order=())  # without a limit it makes no difference

    condition = query.condition
    match condition:
        case FieldIn(field=field) | FieldIsRecorded(field=field) | FieldBetween(field=field):
            if not FIELDS_BY_KIND[query.record_kind][field].path:
                return replace(
                    query, condition=IdIn(find_computed(Query(query.record_kind, condition)))
                )
    return replace(query, condition=condition.change_queries(query.record_kind, answer_nested))
