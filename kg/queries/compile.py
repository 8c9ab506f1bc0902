"""Selections compiled to SPARQL."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from itertools import count

from pyoxigraph import Literal, NamedNode

from kg.model import Kind, Relation
from kg.ontology import CLASSES, PREFIXES, relation_name
from kg.queries.condition import (
    All,
    Anything,
    CitedBy,
    Citing,
    Condition,
    Either,
    Ending,
    Has,
    Linked,
    Named,
    Not,
    Number,
    PartOf,
    Pick,
    Placed,
    Placing,
    Recorded,
    Sort,
    Starting,
    Weighing,
    Within,
    Words,
)
from kg.queries.fields import FIELDS, TEXTS, Field, Type
from kg.views.iris import CAMPS, EDGES, LINES, SOURCES, STATEMENTS, Iris
from kg.views.sparql_text import render_term, render_text

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
_THINGS = {"camp": CAMPS, "line": LINES, "source": SOURCES, "parent": STATEMENTS}
_SPACES = '"[ \\\\t\\\\r\\\\n]+"'


def prefixed(query: str) -> str:
    """A query with the prefixes that it uses declared."""
    used = (name for name in PREFIXES if f"{name}:" in query)
    return "".join(f"PREFIX {name}: <{PREFIXES[name]}>\n" for name in used) + query


def compile_pick(pick: Pick, iris: Iris) -> str:
    """A query for the ids (as IRIs) of a resolved pick, and for their places in the notes.

    Orders and limits are left out: they are applied to what comes back.
    """
    compiler = Compiler(iris)
    pattern = compiler.pattern(pick.sort, pick.condition, "?x")
    note = "kg:from/kg:writtenIn" if pick.sort is Sort.EDGE else "kg:writtenIn"
    return prefixed(
        "SELECT DISTINCT ?x ?path ?line ?column WHERE {\n"
        f"  {pattern}\n"
        f"  ?x {note} ?note ; kg:atLine ?line . ?note kg:path ?path .\n"
        "  OPTIONAL { ?x kg:atColumn ?column }\n}"
    )


class Compiler:
    """Conditions as SPARQL patterns, every variable used once."""

    def __init__(self, iris: Iris) -> None:
        self.iris = iris
        self._numbers = count(1)

    def variable(self) -> str:
        """A variable that the query does not use yet."""
        return f"?v{next(self._numbers)}"

    def iri(self, folder: str, id: str) -> str:
        """The IRI of an id, as SPARQL writes it."""
        return render_term(NamedNode(self.iris.of(folder, id)))

    def pattern(self, sort: Sort, condition: Condition, x: str) -> str:
        """A pattern that binds `x` to everything of a sort that meets the condition."""
        kind = "" if _implies(sort, condition) else f"{x} a {CLASS[sort]} . "
        return kind + self.narrowing(sort, condition, x)

    def narrowing(self, sort: Sort, condition: Condition, x: str) -> str:
        """A pattern that narrows what `x` is bound to already."""
        match condition:
            case Anything():
                return ""
            case All(parts):
                later = sorted(parts, key=lambda part: isinstance(part, Not | Words))
                return " ".join(self.narrowing(sort, part, x) for part in later)
            case Either(parts):
                return _union(x, [self.pattern(sort, part, x) for part in parts])
            case Not(inner):
                return f"MINUS {{ {self.pattern(sort, inner, x)} }}"
            case Named(ids):
                return self._values(x, (self.iri(FOLDER[sort], id) for id in ids))
            case Has(field, values):
                return self._has(sort, field, values, x)
            case Recorded(field):
                return self._recorded(FIELDS[sort][field], x)
            case Within():
                return self._within(FIELDS[sort][condition.field], condition, x)
            case Words(words):
                return self._words(sort, words, x)
        return self._related(condition, x)

    def _related(self, condition: Condition, x: str) -> str:
        y = self.variable()
        match condition:
            case Linked():
                return self._linked(condition, x, y)
            case Citing(sources):
                return f"{x} kg:cites {y} . {self._inner(sources, y)}"
            case CitedBy(by):
                return f"{y} kg:cites {x} . {self._inner(by, y)}"
            case Placed(lines, camp):
                return f"{self._place(x, y, camp)} {self._inner(lines, y, sure=True)}"
            case Placing(statements, camp):
                return f"{self._place(y, x, camp)} {self._inner(statements, y, sure=True)}"
            case Weighing(statements):
                return f"{x} kg:proposition {y} . {self._inner(statements, y, sure=True)}"
            case PartOf(whole):
                return f"{x} kg:partOf {y} . {self._inner(whole, y, sure=True)}"
            case Starting(at):
                return f"{x} kg:from {y} . {self._inner(at, y)}"
            case Ending(at):
                return f"{x} kg:to {y} . {self._inner(at, y)}"
        raise AssertionError(f"no way to compile {condition!r}")

    def _inner(self, pick: Pick, x: str, sure: bool = False) -> str:
        """The pattern of a pick inside; `sure` where only its sort can stand there."""
        if sure:
            return self.narrowing(pick.sort, pick.condition, x)
        return self.pattern(pick.sort, pick.condition, x)

    def _place(self, statement: str, line: str, camp: str | None) -> str:
        node = self.variable()
        side = f" ; kg:camp {self.iri(CAMPS, camp)}" if camp else ""
        return f"{node} kg:placed {statement} ; kg:inLine {line}{side} ."

    def _values(self, x: str, terms: Iterable[str]) -> str:
        listed = " ".join(terms)
        return f"VALUES {x} {{ {listed} }}" if listed else "FILTER(false)"

    # -- fields --------------------------------------------------------------------------

    def _has(self, sort: Sort, name: str, values: tuple[str | bool, ...], x: str) -> str:
        field = FIELDS[sort][name]
        if name == "id":
            return self._values(x, (self.iri(FOLDER[sort], str(value)) for value in values))
        v = self.variable()
        terms = [term for value in values for term in self._terms(sort, name, field, value)]
        found = f"{x} {field.path} {v} . {self._values(v, terms)}"
        if len(terms) == 1:
            found = f"{x} {field.path} {terms[0]} ."
        if field.default is None or field.default not in values:
            return found
        unsaid = f"{x} a {CLASS[sort]} . MINUS {{ {x} {field.path} {self.variable()} }}"
        return f"{{ {{ {x} a {CLASS[sort]} . {found} }} UNION {{ {unsaid} }} }}"

    def _terms(self, sort: Sort, name: str, field: Field, value: str | bool) -> list[str]:
        match field.type:
            case Type.KIND:
                return [f"kg:{CLASSES[Kind(str(value))]}"]
            case Type.RELATION:
                return [f"kg:{relation_name(Relation(str(value)))}"]
            case Type.WORD:
                return [f"kg:{name.replace('seen_in', 'seenIn')}-{value}"]
            case Type.FLAG:
                return ["true" if value else "false"]
            case Type.THING if sort is Sort.EDGE:
                return [self.iri(folder, str(value)) for folder in (STATEMENTS, EDGES)]
            case Type.THING:
                return [self.iri(_THINGS[name], str(value))]
        return [render_text(str(value))]

    def _recorded(self, field: Field, x: str) -> str:
        if field.default is not None:
            return ""
        v = self.variable()
        said = f' FILTER({v} != "")' if field.type is Type.TEXT else ""
        return f"{x} {field.path} {v} .{said}"

    def _within(self, field: Field, wanted: Within, x: str) -> str:
        v = self.variable()
        value = f"xsd:integer(STR({v}))" if field.type is Type.YEAR else v
        ends = [
            f"{value} {sign} {_number(end)}"
            for sign, end in ((">=", wanted.low), ("<=", wanted.high))
            if end is not None
        ]
        return f"{x} {field.path} {v} . FILTER({' && '.join(ends)})"

    def _words(self, sort: Sort, words: tuple[str, ...], x: str) -> str:
        named = [(predicate, self.variable()) for _, predicate in TEXTS[sort]]
        held = " ".join(f"OPTIONAL {{ {x} {predicate} {v} }}" for predicate, v in named)
        parts = [f'COALESCE({v}, "")' for _, v in named]
        spaced = [f'REPLACE({part}, {_SPACES}, " ")' for part in parts]
        filters = " && ".join(
            f"CONTAINS({_lower(spaced if ' ' in word else parts)}, {render_text(word)})"
            for word in words
        )
        return f"{held} FILTER({filters})"

    # -- links ---------------------------------------------------------------------------

    def _linked(self, wanted: Linked, x: str, y: str) -> str:
        start, end = (x, y) if wanted.onward else (y, x)
        names = [relation_name(r) for r in wanted.relations if r is not Relation.UNDERCUTS]
        inner = self._inner(wanted.to, y, Relation.SUPERSEDES not in wanted.relations)
        ways = [f"{start} {_path(names, wanted.steps)} {end} ."] if names else []
        if Relation.UNDERCUTS in wanted.relations:
            ways += self._undercuts(start, end)
        if len(ways) == 1:
            return f"{ways[0]} {inner}"
        return _union(x, [f"{way} {inner}" for way in ways])

    def _undercuts(self, start: str, end: str) -> list[str]:
        edge = self.variable()
        return [
            f"{start} kg:undercuts {edge} . {edge} kg:from {end} .",
            f"{start} kg:undercuts {edge} . {edge} kg:to {end} . "
            f"FILTER EXISTS {{ {edge} kg:relation kg:supports }}",
        ]


def _union(x: str, sides: list[str]) -> str:
    """Either side, as a query of its own: Oxigraph joins a bare UNION by trying every pair."""
    joined = " UNION ".join(f"{{ {side} }}" for side in sides)
    return f"{{ SELECT DISTINCT {x} WHERE {{ {joined} }} }}"


_OWN = {"camp", "method", "sample", "parent", "kind", "relation", "strength", "author"}


def _implies(sort: Sort, condition: Condition) -> bool:
    """Whether only things of the sort can meet the condition, so that it need not be said."""
    match condition:
        case Linked(relations=relations):
            return Relation.SUPERSEDES not in relations
        case Placed() | Placing() | Weighing() | PartOf() | Starting() | Ending() | Named():
            return True
        case Has(field=field) | Within(field=field):
            return field in _OWN
        case All(parts):
            return any(_implies(sort, part) for part in parts)
    return False


def _path(names: list[str], steps: int | None) -> str:
    """A property path over relations: one step, any number, or up to so many."""
    one = "|".join(f"kg:{name}" for name in names)
    one = f"({one})" if len(names) > 1 else one
    if steps is None:
        return f"{one}+"
    path = one
    for _ in range(steps - 1):
        path = f"{one}/({path})?"
    return path


def _lower(parts: list[str]) -> str:
    if len(parts) == 1:
        return f"LCASE({parts[0]})"
    joined = ', "\\n", '.join(parts)
    return f"LCASE(CONCAT({joined}))"


def _number(end: Number) -> str:
    if isinstance(end, dt.date):
        return f'"{end.isoformat()}"^^xsd:date'
    if isinstance(end, int):
        return str(end)
    plain = repr(end).replace("inf", "INF")
    return render_term(Literal(plain, datatype=NamedNode(PREFIXES["xsd"] + "double")))
