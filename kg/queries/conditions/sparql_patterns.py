"""SPARQL patterns over the vocabulary of kg, from which conditions are compiled."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from itertools import count

from pyoxigraph import Literal, NamedNode

from kg.model import Kind, Relation
from kg.model.errors import Misuse
from kg.queries.conditions.field_types import FieldType, RecordKind
from kg.queries.conditions.fields import FIELDS_BY_KIND, TEXTS
from kg.queries.conditions.value_ranges import BOUND_SIGNS, Number, ranges_by_sign
from kg.rdf.iris import CAMPS, EDGES, LINES, SOURCES, STATEMENTS, Iris
from kg.rdf.ontology import CLASSES, PREFIXES, relation_name
from kg.rdf.query_bindings import render_literal, render_term

CLASS = {
    RecordKind.STATEMENT: "kg:Statement",
    RecordKind.SOURCE: "kg:Source",
    RecordKind.LINE: "kg:InquiryLine",
    RecordKind.EDGE: "kg:Edge",
}
FOLDER_BY_KIND = {
    RecordKind.STATEMENT: STATEMENTS,
    RecordKind.SOURCE: SOURCES,
    RecordKind.LINE: LINES,
    RecordKind.EDGE: EDGES,
}
_FOLDER_OF_FIELD = {"camp": CAMPS, "line": LINES, "source": SOURCES, "parent": STATEMENTS}
_CAMEL = re.compile("_([a-z])")
# backslashes are escaped twice: once for a string of SPARQL, once for the regular expression in it
_SPACES = '"[ \\\\t\\\\r\\\\n]+"'


MAX_ALTERNATIVES = 500  # of one UNION: with 1,500 the library that reads it overflows its stack


class TooManyAlternatives(Misuse):
    """A question to a store has more alternatives than the library that reads it survives."""


class Patterns:
    """Builds the patterns of one query, with a fresh variable for each use."""

    def __init__(self, iris: Iris) -> None:
        self.iris = iris
        self._numbers = count(1)

    def variable(self) -> str:
        """A variable that this query does not use yet: `?v3`."""
        return f"?v{next(self._numbers)}"

    def iri(self, folder: str, id: str) -> str:
        """The IRI of an id, in SPARQL syntax."""
        return render_term(NamedNode(self.iris.iri_of(folder, id)))

    def type_pattern(self, record_kind: RecordKind, x: str) -> str:
        """x is of the kind."""
        return f"{x} a {CLASS[record_kind]} ."

    def id_pattern(self, record_kind: RecordKind, ids: Iterable[str], x: str) -> str:
        """x has one of the ids."""
        return _values_clause(x, (self.iri(FOLDER_BY_KIND[record_kind], id) for id in ids))

    def union_pattern(self, x: str, alternatives: Iterable[str]) -> str:
        """Any of them, as a subquery, since Oxigraph joins a bare UNION by trying every pair.

        On 2,000 notes that took 18 s; this takes 20 ms (decision 0050).
        Raises `TooManyAlternatives`.
        """
        group_patterns = [f"{{ {alternative} }}" for alternative in alternatives]
        if len(group_patterns) > MAX_ALTERNATIVES:
            raise TooManyAlternatives(
                f"more than {MAX_ALTERNATIVES} alternatives in one question to a store:"
                " ask in several"
            )
        union = " UNION ".join(group_patterns)
        return f"{{ SELECT DISTINCT {x} WHERE {{ {union} }} }}"

    # -- fields --------------------------------------------------------------------------

    def values_pattern(
        self, record_kind: RecordKind, name: str, values: tuple[str | bool, ...], x: str
    ) -> str:
        """A field of x has one of the values, explicitly or by default."""
        if name == "id":
            return self.id_pattern(record_kind, map(str, values), x)
        field = FIELDS_BY_KIND[record_kind][name]
        if field.type is FieldType.KIND:
            return self._kinds_pattern({Kind(str(value)) for value in values}, x)
        value_variable = self.variable()
        terms = [
            term for value in values for term in self._terms_for_value(record_kind, name, value)
        ]
        explicit_pattern = (
            f"{x} {field.path} {value_variable} . {_values_clause(value_variable, terms)}"
        )
        if len(terms) == 1:
            explicit_pattern = f"{x} {field.path} {terms[0]} ."
        if field.default is None or field.default not in values:
            return explicit_pattern
        # defaults are not written as triples: a record without a value has the default
        type_pattern = self.type_pattern(record_kind, x)
        default_pattern = f"{type_pattern} MINUS {{ {x} {field.path} {self.variable()} }}"
        return f"{{ {{ {type_pattern} {explicit_pattern} }} UNION {{ {default_pattern} }} }}"

    def _kinds_pattern(self, kinds: set[Kind], x: str) -> str:
        """x is of one of the kinds; the class of claims also includes counter-claims."""
        left_out = ""
        if Kind.CLAIM in kinds and Kind.COUNTER_CLAIM not in kinds:
            left_out = f" MINUS {{ {x} a kg:{CLASSES[Kind.COUNTER_CLAIM]} }}"
        if Kind.CLAIM in kinds:
            kinds = kinds - {Kind.COUNTER_CLAIM}
        classes = [f"kg:{CLASSES[kind]}" for kind in Kind if kind in kinds]
        if len(classes) == 1:
            return f"{x} a {classes[0]} .{left_out}"
        type_variable = self.variable()
        return f"{x} a {type_variable} . {_values_clause(type_variable, classes)}{left_out}"

    def _terms_for_value(self, record_kind: RecordKind, name: str, value: str | bool) -> list[str]:
        """The RDF terms that may stand for a field's value."""
        match FIELDS_BY_KIND[record_kind][name].type:
            case FieldType.RELATION:
                return [f"kg:{relation_name(Relation(str(value)))}"]
            case FieldType.WORD:
                return [f"kg:{_CAMEL.sub(lambda match: match[1].upper(), name)}-{value}"]
            case FieldType.FLAG:
                return ["true" if value else "false"]
            # an undercut ends in an edge, and ids do not show whether they are edges or statements
            case FieldType.THING if record_kind is RecordKind.EDGE:
                return [self.iri(folder, str(value)) for folder in (STATEMENTS, EDGES)]
            case FieldType.THING:
                return [self.iri(_FOLDER_OF_FIELD[name], str(value))]
        return [render_literal(str(value))]

    def recorded_pattern(self, record_kind: RecordKind, name: str, x: str) -> str:
        """A field of x has any value."""
        field = FIELDS_BY_KIND[record_kind][name]
        if field.default is not None:
            return ""  # then all records have one
        value = self.variable()
        empty = [render_literal(text) for text in dict.fromkeys(("", field.placeholder))]
        not_empty = " && ".join(f"{value} != {text}" for text in empty)
        condition = f" FILTER({not_empty})" if field.type is FieldType.TEXT else ""
        return f"{x} {field.path} {value} .{condition}"

    def range_pattern(
        self, record_kind: RecordKind, name: str, low: Number | None, high: Number | None, x: str
    ) -> str:
        """A field of x lies between two bounds; None is no bound."""
        field = FIELDS_BY_KIND[record_kind][name]
        number = self.variable()
        # years are xsd:gYear, which SPARQL need not compare
        value = f"xsd:integer(STR({number}))" if field.type is FieldType.YEAR else number
        if not field.sign_field:
            return f"{x} {field.path} {number} . FILTER({_render_range(value, low, high)})"
        sign_path = FIELDS_BY_KIND[record_kind][field.sign_field].path
        ways = []
        for sign, ends in ranges_by_sign(low, high).items():
            has_sign = f"EXISTS {{ {x} {sign_path} {render_literal(sign)} }}"
            if not sign:
                other = self.variable()
                signs = ", ".join(map(render_literal, BOUND_SIGNS))
                has_sign = f"NOT EXISTS {{ {x} {sign_path} {other} FILTER({other} IN ({signs})) }}"
            ways.append(f"({has_sign} && {_render_range(number, *ends)})")
        return f"{x} {field.path} {number} . FILTER({' || '.join(ways)})"

    def words_pattern(self, record_kind: RecordKind, words: Iterable[str], x: str) -> str:
        """Return the pattern of records x in whose texts each of the words occurs, ignoring case.

        `OPTIONAL { ?x dcterms:title ?v1 } OPTIONAL { ?x kg:essay ?v2 } FILTER(CONTAINS(LCASE(`
        `CONCAT(COALESCE(?v1, ""), "\\n", COALESCE(?v2, ""))), "sleep"))`
        """
        variables = [(predicate, self.variable()) for _, predicate in TEXTS[record_kind]]
        texts = " ".join(f"OPTIONAL {{ {x} {predicate} {v} }}" for predicate, v in variables)
        parts = [f'COALESCE({v}, "")' for _, v in variables]
        # phrases may span lines; single words do not need the replacement, which takes time
        spaced_parts = [f'REPLACE({part}, {_SPACES}, " ")' for part in parts]
        texts_by_word = {word: spaced_parts if " " in word else parts for word in words}
        filters = " && ".join(
            f"CONTAINS({_lowercase_text(searched_texts)}, {render_literal(word)})"
            for word, searched_texts in texts_by_word.items()
        )
        return f"{texts} FILTER({filters})"

    # -- links ---------------------------------------------------------------------------

    def placement_pattern(self, statement_term: str, line_term: str, camp: str | None) -> str:
        """The line places the statement, in this camp or in any."""
        node = self.variable()
        side = f" ; kg:camp {self.iri(CAMPS, camp)}" if camp else ""
        return f"{node} kg:placed {statement_term} ; kg:inLine {line_term}{side} ."

    def edge_patterns(
        self, relations: Iterable[Relation], start: str, end: str, steps: int | None
    ) -> list[str]:
        """The ways in which edges of some relations may lead from start to end."""
        distinct_relations = tuple(relations)
        names = [relation_name(r) for r in distinct_relations if r is not Relation.UNDERCUTS]
        ways = [f"{start} {_property_path(names, steps)} {end} ."] if names else []
        if Relation.UNDERCUTS in distinct_relations:
            # an undercut of an edge opposes the edge's premises and, if the edge is a support, its
            # target; an undercut of an objection opposes only the objector
            edge = self.variable()
            undercut = f"{start} kg:undercuts {edge} . {edge}"
            is_support = f"FILTER EXISTS {{ {edge} kg:relation kg:supports }}"
            ways.append(f"{undercut} kg:origin|kg:together {end} .")
            ways.append(f"{undercut} kg:target {end} . {is_support}")
        return ways


def declare_prefixes(query: str) -> str:
    """A query with declarations of the prefixes that it uses."""
    prefixes = (name for name in PREFIXES if f"{name}:" in query)
    return "".join(f"PREFIX {name}: <{PREFIXES[name]}>\n" for name in prefixes) + query


def _values_clause(x: str, terms: Iterable[str]) -> str:
    term_list = " ".join(terms)
    return f"VALUES {x} {{ {term_list} }}" if term_list else "FILTER(false)"


def _property_path(names: list[str], steps: int | None) -> str:
    """A property path over relations: any number of steps, or up to `steps`."""
    step = "|".join(f"kg:{name}" for name in names)
    step = f"({step})" if len(names) > 1 else step
    if steps is None:
        return f"{step}+"
    # SPARQL 1.1 has no `{1,n}`: use nested optional steps instead
    path = step
    for _ in range(steps - 1):
        path = f"{step}/({path})?"
    return path


def _lowercase_text(parts: list[str]) -> str:
    """Return all texts in lower case, joined by line ends so that no word spans two of them."""
    if len(parts) == 1:
        return f"LCASE({parts[0]})"
    arguments = ', "\\n", '.join(parts)
    return f"LCASE(CONCAT({arguments}))"


def _render_range(value: str, low: Number | None, high: Number | None) -> str:
    ends = ((">=", low), ("<=", high))
    comparisons = [
        f"{value} {sign} {_number_as_term(end)}" for sign, end in ends if end is not None
    ]
    return " && ".join(comparisons) or "true"


def _number_as_term(end: Number) -> str:
    if isinstance(end, dt.date):
        return f'"{end.isoformat()}"^^xsd:date'
    if isinstance(end, int):
        return str(end)
    digits = repr(end).replace("inf", "INF")  # as xsd:double writes it
    return render_term(Literal(digits, datatype=NamedNode(PREFIXES["xsd"] + "double")))
