"""The parameters of SHACL's core language, and the constraint that each declares."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from kg.rdf.shacl import focus_components as whole
from kg.rdf.shacl import value_components as each
from kg.rdf.shacl.evaluation import BrokenShapes, Constraint, Shape
from kg.rdf.shacl.node_text import SH, iri, read_string
from kg.rdf.shacl.shapes_graph import ShapesGraph, local_name, sh

WITHOUT_PATH = {
    *("closed", "disjoint", "equals", "hasValue", "qualifiedMaxCount", "qualifiedMinCount"),
}
"""The parameters in `WHOLE` that a node shape may have."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A parameter of a shape, and a function that reads the shapes to which it refers."""

    graph: ShapesGraph
    node: str
    name: str
    shape: Callable[[str], Shape]

    @property
    def place(self) -> str:
        """How messages refer to it."""
        return f"sh:{self.name} of {self.graph.called(self.node)}"

    def items(self, head: str) -> list[str]:
        """The items of a list."""
        return self.graph.items(head, self.place)

    def texts_in_list(self, head: str) -> list[str]:
        """The texts in a list."""
        return list(map(read_string, self.items(head)))

    def shapes(self, head: str) -> list[Shape]:
        """The shapes in a list."""
        return list(map(self.shape, self.items(head)))

    def number(self, value: str) -> int:
        """A value as a whole number."""
        return self.graph.as_number(self.node, self.name, value)


def component(name: str) -> str:
    """The IRI of a parameter's component."""
    return iri(f"{SH}{name[0].upper()}{name[1:]}ConstraintComponent")


def constraints_of(asked: Asked) -> Iterator[Constraint]:
    """The constraints of one parameter. Raises `BrokenShapes` for an unknown one."""
    name, graph = asked.name, asked.graph
    if name in WHOLE:
        if name not in WITHOUT_PATH and graph.one(asked.node, "path") is None:
            raise BrokenShapes(f"{asked.place}: only a shape with a path can have it")
        yield from WHOLE[name](asked)
    elif name in ONCE or name in OFTEN:
        if name in ONCE:
            graph.one(asked.node, name)
        for value in graph.all(asked.node, name):
            shown = f" {_short_name(value)}" if value[0] != "_" else ""
            bad = (ONCE.get(name) or OFTEN[name])(asked, value)
            yield each.ValueConstraint(component(name), f"sh:{name}{shown} is violated", bad)
    else:
        raise BrokenShapes(f"{asked.place} is not supported")


def _short_name(value: str) -> str:
    return local_name(value) if value[0] == "<" else read_string(value)


def _datatype(asked: Asked, value: str) -> each.FailingValues:
    if value[0] != "<":
        raise BrokenShapes(f"{asked.place} is not an IRI")
    return each.is_typed(value.strip("<>"))


def _node_kind(asked: Asked, value: str) -> each.FailingValues:
    kind = local_name(value)
    if value != sh(kind) or kind not in each.NODE_KINDS:
        raise BrokenShapes(f"{asked.place} is {value}, which is not a node kind")
    return each.is_kind(kind)


def _node(asked: Asked, value: str) -> each.FailingValues:
    shape = asked.shape(value)
    if shape.path is not None:
        raise BrokenShapes(f"{asked.place} names a shape with a path, which is for sh:property")
    return each.conforms_to(shape)


def _pattern(asked: Asked, value: str) -> each.FailingValues:
    flags = asked.graph.text(asked.node, "flags") or ""
    return each.matches(read_string(value), flags, asked.place)


def _compares(sign: str) -> Callable[[Asked, str], each.FailingValues]:
    def made(asked: Asked, value: str) -> each.FailingValues:
        if value[0] != '"':
            raise BrokenShapes(f"{asked.place} is not a literal")
        return each.compares(sign, value)

    return made


ONCE: dict[str, Callable[[Asked, str], each.FailingValues]] = {
    "datatype": _datatype,
    "in": lambda asked, value: each.is_one_of(asked.items(value)),
    "languageIn": lambda asked, value: each.has_language(asked.texts_in_list(value)),
    "maxExclusive": _compares("<"),
    "maxInclusive": _compares("<="),
    "maxLength": lambda asked, value: each.has_length(0, asked.number(value)),
    "minExclusive": _compares(">"),
    "minInclusive": _compares(">="),
    "minLength": lambda asked, value: each.has_length(asked.number(value), None),
    "nodeKind": _node_kind,
    "pattern": _pattern,
}
"""Parameters that a shape may have once, and what finds the values that violate them."""

OFTEN: dict[str, Callable[[Asked, str], each.FailingValues]] = {
    "and": lambda asked, value: each.conforms_to_all(asked.shapes(value)),
    "class": lambda asked, value: each.is_instance(value),
    "node": _node,
    "not": lambda asked, value: each.conforms_not(asked.shape(value)),
    "or": lambda asked, value: each.conforms_to_any(asked.shapes(value)),
    "xone": lambda asked, value: each.conforms_to_one(asked.shapes(value)),
}
"""Parameters that a shape may have several times."""


def _min_count(asked: Asked) -> Iterator[Constraint]:
    least = asked.graph.number(asked.node, asked.name) or 0
    yield whole.MinCount(f"at least {least} values are required", least)


def _max_count(asked: Asked) -> Iterator[Constraint]:
    most = asked.graph.number(asked.node, asked.name) or 0
    yield whole.MaxCount(f"at most {most} values are allowed", most)


def _each(kind: Callable[[str, str], Constraint], words: str, asked: Asked) -> Iterator[Constraint]:
    """A constraint of a kind for each value; `words` are what is told of its name."""
    for value in asked.graph.all(asked.node, asked.name):
        yield kind(words.format(_short_name(value)), value)


def _unique(asked: Asked) -> Iterator[Constraint]:
    if asked.graph.flag(asked.node, asked.name):
        yield whole.UniqueLanguage("two values are in the same language")


def _less(sign: str, asked: Asked) -> Iterator[Constraint]:
    words = "less than" if sign == "<" else "at most"
    for name in asked.graph.all(asked.node, asked.name):
        yield whole.LessThan(
            component(asked.name),
            f"a value must be {words} that of {_short_name(name)}",
            name,
            sign,
        )


def _closed_constraints(asked: Asked) -> Iterator[Constraint]:
    graph = asked.graph
    if graph.flag(asked.node, asked.name):
        ignored = graph.one(asked.node, "ignoredProperties")
        allowed = set(asked.items(ignored)) if ignored else set()
        nested = graph.column(sh("property")).of(asked.node)
        allowed |= graph.column(sh("path")).image(set(nested))
        yield whole.Closed("no other properties are allowed", frozenset(allowed))


def _qualified_constraints(asked: Asked) -> Iterator[Constraint]:
    graph, node = asked.graph, asked.node
    count = graph.number(node, asked.name) or 0
    wanted = graph.all(node, "qualifiedValueShape")  # without one, there is no constraint
    siblings: set[str] = set()
    if graph.flag(node, "qualifiedValueShapesDisjoint"):
        parents = graph.column(sh("property"), turned=True).of(node)
        beside = graph.column(sh("property")).image(set(parents))
        siblings = graph.column(sh("qualifiedValueShape")).image(beside) - set(wanted)
    least = asked.name == "qualifiedMinCount"
    for value in wanted:
        yield whole.Qualified(
            component(asked.name),
            f"at {'least' if least else 'most'} {count} values must have this shape",
            asked.shape(value),
            count if least else 0,
            None if least else count,
            [asked.shape(sibling) for sibling in sorted(siblings)],
        )


WHOLE: dict[str, Callable[[Asked], Iterator[Constraint]]] = {
    "closed": _closed_constraints,
    "disjoint": partial(_each, whole.Disjoint, "a value of {} may not be one here"),
    "equals": partial(_each, whole.Equals, "the values of {} are to be the same"),
    "hasValue": partial(_each, whole.HasValue, "the value {} is asked"),
    "lessThan": partial(_less, "<"),
    "lessThanOrEquals": partial(_less, "<="),
    "maxCount": _max_count,
    "minCount": _min_count,
    "qualifiedMaxCount": _qualified_constraints,
    "qualifiedMinCount": _qualified_constraints,
    "uniqueLang": _unique,
}
"""Parameters that apply to all values of a focus node together."""
