"""SPARQL patterns over the vocabulary of kg, from which conditions are compiled."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from itertools import count

from pyoxigraph import Literal, NamedNode

from kg.model import Kind, Relation
from kg.model.errors import Misuse
from kg.ontology import CLASSES, PREFIXES, relation_name
from kg.queries.conditions.fields import FIELDS_OF_SORT, TEXTS, FieldType, Sort
from kg.queries.conditions.ranges import BOUND_SIGNS, Number, ranges_by_sign
from kg.rdf.bindings import render_literal, render_term
from kg.rdf.vocabulary import CAMPS, EDGES, LINES, SOURCES, STATEMENTS, Iris

CLASS = {
    Sort.STATEMENT: "kg:Statement",
    Sort.SOURCE: "kg:Source",
    Sort.LINE: "kg:InquiryLine",
    Sort.EDGE: "kg:Edge",
}
FOLDER = {
    Sort.STATEMENT: STATEMENTS,
    Sort.SOURCE: SOURCES,
    Sort.LINE: LINES,
    Sort.EDGE: EDGES,
}
_FOLDER_OF_FIELD = {"camp": CAMPS, "line": LINES, "source": SOURCES, "parent": STATEMENTS}
_CAMEL = re.compile("_([a-z])")
# backslashes are escaped twice: once for a string of SPARQL, once for the regular expression in it
_SPACES = '"[ \\\\t\\\\r\\\\n]+"'


MAX_SIDES = 500  # of one UNION: with 1,500 the library that reads it overflows its stack


class TooManySides(Misuse):
    """A question to a store has more alternatives than the library that reads it survives."""


class Patterns:
    """Builds the patterns of one query, with a fresh variable for each use."""

    def __init__(self, iris: Iris) -> None:
        self.iris = iris
        self._numbers = count(1)

    def variable(self) -> str:
        """A fresh variable."""
        return f"?v{next(self._numbers)}"

    def iri(self, folder: str, id: str) -> str:
        """The IRI of an id, in SPARQL syntax."""
        return render_term(NamedNode(self.iris.of(folder, id)))

    def type_pattern(self, sort: Sort, x: str) -> str:
        """x is of the sort."""
        return f"{x} a {CLASS[sort]} ."

    def id_pattern(self, sort: Sort, ids: Iterable[str], x: str) -> str:
        """x has one of the ids."""
        return _one_of(x, (self.iri(FOLDER[sort], id) for id in ids))

    def either(self, x: str, sides: Iterable[str]) -> str:
        """Either side, as a subquery, since Oxigraph joins a bare UNION by trying every pair.

        On 2,000 notes that took 18 s; this takes 20 ms (decision 0050). Raises `TooManySides`.
        """
        groups = [f"{{ {side} }}" for side in sides]
        if len(groups) > MAX_SIDES:
            raise TooManySides(
                f"more than {MAX_SIDES} alternatives in one question to a store: ask in several"
            )
        joined = " UNION ".join(groups)
        return f"{{ SELECT DISTINCT {x} WHERE {{ {joined} }} }}"

    # -- fields --------------------------------------------------------------------------

    def has(self, sort: Sort, name: str, values: tuple[str | bool, ...], x: str) -> str:
        """A field of x has one of the values, explicitly or by default."""
        if name == "id":
            return self.id_pattern(sort, map(str, values), x)
        field = FIELDS_OF_SORT[sort][name]
        if field.type is FieldType.KIND:
            return self._of_kinds({Kind(str(value)) for value in values}, x)
        value_variable = self.variable()
        terms = [term for value in values for term in self._terms(sort, name, value)]
        written = f"{x} {field.path} {value_variable} . {_one_of(value_variable, terms)}"
        if len(terms) == 1:
            written = f"{x} {field.path} {terms[0]} ."
        if field.default is None or field.default not in values:
            return written
        # defaults are not written as triples: a record without a value has the default
        kind = self.type_pattern(sort, x)
        by_default = f"{kind} MINUS {{ {x} {field.path} {self.variable()} }}"
        return f"{{ {{ {kind} {written} }} UNION {{ {by_default} }} }}"

    def _of_kinds(self, kinds: set[Kind], x: str) -> str:
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
        return f"{x} a {type_variable} . {_one_of(type_variable, classes)}{left_out}"

    def _terms(self, sort: Sort, name: str, value: str | bool) -> list[str]:
        """The RDF terms that may stand for a field's value."""
        match FIELDS_OF_SORT[sort][name].type:
            case FieldType.RELATION:
                return [f"kg:{relation_name(Relation(str(value)))}"]
            case FieldType.WORD:
                return [f"kg:{_CAMEL.sub(lambda found: found[1].upper(), name)}-{value}"]
            case FieldType.FLAG:
                return ["true" if value else "false"]
            # an undercut ends in an edge, and ids do not show whether they are edges or statements
            case FieldType.THING if sort is Sort.EDGE:
                return [self.iri(folder, str(value)) for folder in (STATEMENTS, EDGES)]
            case FieldType.THING:
                return [self.iri(_FOLDER_OF_FIELD[name], str(value))]
        return [render_literal(str(value))]

    def recorded_pattern(self, sort: Sort, name: str, x: str) -> str:
        """A field of x has any value."""
        field = FIELDS_OF_SORT[sort][name]
        if field.default is not None:
            return ""  # then all records have one
        value = self.variable()
        empty = [render_literal(text) for text in dict.fromkeys(("", field.left_out))]
        not_empty = " && ".join(f"{value} != {text}" for text in empty)
        condition = f" FILTER({not_empty})" if field.type is FieldType.TEXT else ""
        return f"{x} {field.path} {value} .{condition}"

    def within(self, sort: Sort, name: str, low: Number | None, high: Number | None, x: str) -> str:
        """A field of x lies between two bounds; None is no bound."""
        field = FIELDS_OF_SORT[sort][name]
        number = self.variable()
        # years are xsd:gYear, which SPARQL need not compare
        value = f"xsd:integer(STR({number}))" if field.type is FieldType.YEAR else number
        if not field.sign:
            return f"{x} {field.path} {number} . FILTER({_render_range(value, low, high)})"
        sign_path = FIELDS_OF_SORT[sort][field.sign].path
        ways = []
        for sign, ends in ranges_by_sign(low, high).items():
            has_sign = f"EXISTS {{ {x} {sign_path} {render_literal(sign)} }}"
            if not sign:
                other = self.variable()
                signs = ", ".join(map(render_literal, BOUND_SIGNS))
                has_sign = f"NOT EXISTS {{ {x} {sign_path} {other} FILTER({other} IN ({signs})) }}"
            ways.append(f"({has_sign} && {_render_range(number, *ends)})")
        return f"{x} {field.path} {number} . FILTER({' || '.join(ways)})"

    def words(self, sort: Sort, words: Iterable[str], x: str) -> str:
        """Each of the words occurs in one of the texts of x, ignoring case.

        `OPTIONAL { ?x dcterms:title ?v1 } OPTIONAL { ?x kg:essay ?v2 } FILTER(CONTAINS(LCASE(`
        `CONCAT(COALESCE(?v1, ""), "\\n", COALESCE(?v2, ""))), "sleep"))`
        """
        variables = [(predicate, self.variable()) for _, predicate in TEXTS[sort]]
        texts = " ".join(f"OPTIONAL {{ {x} {predicate} {v} }}" for predicate, v in variables)
        parts = [f'COALESCE({v}, "")' for _, v in variables]
        # phrases may span lines; single words do not need the replacement, which takes time
        spaced = [f'REPLACE({part}, {_SPACES}, " ")' for part in parts]
        filters = " && ".join(
            f"CONTAINS({_lower_joined(spaced if ' ' in word else parts)}, {render_literal(word)})"
            for word in words
        )
        return f"{texts} FILTER({filters})"

    # -- links ---------------------------------------------------------------------------

    def placement_pattern(self, statement: str, line: str, camp: str | None) -> str:
        """The line places the statement, in this camp or in any."""
        node = self.variable()
        side = f" ; kg:camp {self.iri(CAMPS, camp)}" if camp else ""
        return f"{node} kg:placed {statement} ; kg:inLine {line}{side} ."

    def edges(
        self, relations: Iterable[Relation], start: str, end: str, steps: int | None
    ) -> list[str]:
        """The ways in which edges of some relations may lead from start to end."""
        listed = tuple(relations)
        names = [relation_name(r) for r in listed if r is not Relation.UNDERCUTS]
        ways = [f"{start} {_path(names, steps)} {end} ."] if names else []
        if Relation.UNDERCUTS in listed:
            # an undercut of an edge opposes the edge's premises and, if the edge is a support, its
            # target; an undercut of an objection opposes only the objector
            edge = self.variable()
            undercut = f"{start} kg:undercuts {edge} . {edge}"
            is_support = f"FILTER EXISTS {{ {edge} kg:relation kg:supports }}"
            ways.append(f"{undercut} kg:from|kg:together {end} .")
            ways.append(f"{undercut} kg:to {end} . {is_support}")
        return ways


def declare_prefixes(query: str) -> str:
    """A query with declarations of the prefixes that it uses."""
    used = (name for name in PREFIXES if f"{name}:" in query)
    return "".join(f"PREFIX {name}: <{PREFIXES[name]}>\n" for name in used) + query


def _one_of(x: str, terms: Iterable[str]) -> str:
    listed = " ".join(terms)
    return f"VALUES {x} {{ {listed} }}" if listed else "FILTER(false)"


def _path(names: list[str], steps: int | None) -> str:
    """A property path over relations: any number of steps, or up to `steps`."""
    one = "|".join(f"kg:{name}" for name in names)
    one = f"({one})" if len(names) > 1 else one
    if steps is None:
        return f"{one}+"
    # SPARQL 1.1 has no `{1,n}`: use nested optional steps instead
    path = one
    for _ in range(steps - 1):
        path = f"{one}/({path})?"
    return path


def _lower_joined(parts: list[str]) -> str:
    """All texts in lower case, joined by line ends so that no word spans two of them."""
    if len(parts) == 1:
        return f"LCASE({parts[0]})"
    joined = ', "\\n", '.join(parts)
    return f"LCASE(CONCAT({joined}))"


def _render_range(value: str, low: Number | None, high: Number | None) -> str:
    ends = ((">=", low), ("<=", high))
    comparisons = [f"{value} {sign} {_number(end)}" for sign, end in ends if end is not None]
    return " && ".join(comparisons) or "true"


def _number(end: Number) -> str:
    if isinstance(end, dt.date):
        return f'"{end.isoformat()}"^^xsd:date'
    if isinstance(end, int):
        return str(end)
    plain = repr(end).replace("inf", "INF")  # as xsd:double writes it
    return render_term(Literal(plain, datatype=NamedNode(PREFIXES["xsd"] + "double")))
