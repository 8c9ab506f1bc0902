"""The parameters of SHACL's core language, and the constraint that each declares."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from kg.rdf.shacl import focus_components, value_components
from kg.rdf.shacl.evaluation import BrokenShapes, Constraint, Shape
from kg.rdf.shacl.node_text import SH, iri, is_blank, read_string
from kg.rdf.shacl.shapes_graph import ShapesGraph, local_name, sh

# The parameters in `ON_ALL_VALUES` that a node shape may have.
ALLOWED_ON_NODE_SHAPES = {"closed", "disjoint", "equals", "hasValue"}


@dataclass(frozen=True, slots=True)
class ShapeParameter:
    """A parameter of a shape, and a function that reads the shapes to which it refers."""

    graph: ShapesGraph
    node: str
    name: str
    shape: Callable[[str], Shape]

    @property
    def place(self) -> str:
        """The words by which messages refer to it."""
        return f"sh:{self.name} of {self.graph.describe_shape(self.node)}"

    def items(self, head: str) -> list[str]:
        """In order. Raises `BrokenShapes` if the list is broken."""
        return self.graph.items(head, self.place)

    def texts_in_list(self, head: str) -> list[str]:
        return list(map(read_string, self.items(head)))

    def shapes(self, head: str) -> list[Shape]:
        return list(map(self.shape, self.items(head)))

    def number(self, value: str) -> int:
        """A value as a whole number."""
        return self.graph.as_number(self.node, self.name, value)


def component_iri(name: str) -> str:
    """The IRI of a parameter's component."""
    return iri(f"{SH}{name[0].upper()}{name[1:]}ConstraintComponent")


def constraints_of(parameter: ShapeParameter) -> Iterator[Constraint]:
    """The constraints of one parameter. Raises `BrokenShapes` for an unknown one."""
    name = parameter.name
    graph = parameter.graph
    if name in ON_ALL_VALUES:
        if name not in ALLOWED_ON_NODE_SHAPES and graph.one(parameter.node, "path") is None:
            raise BrokenShapes(f"{parameter.place}: only a shape with a path can have it")
        yield from ON_ALL_VALUES[name](parameter)
    elif name in SINGLE_VALUED or name in REPEATABLE:
        if name in SINGLE_VALUED:
            graph.one(parameter.node, name)
        make = SINGLE_VALUED.get(name) or REPEATABLE[name]
        for value in graph.all(parameter.node, name):
            suffix = "" if is_blank(value) else f" {_short_name(value)}"
            find_failing = make(parameter, value)
            message = f"sh:{name}{suffix} is violated"
            yield value_components.ValueConstraint(component_iri(name), message, find_failing)
    else:
        raise BrokenShapes(f"{parameter.place} is not supported")


def _short_name(value: str) -> str:
    return local_name(value) if value[0] == "<" else read_string(value)


def _failing_datatype(parameter: ShapeParameter, value: str) -> value_components.FailingValues:
    if value[0] != "<":
        raise BrokenShapes(f"{parameter.place} is not an IRI")
    return value_components.failing_datatype(value.strip("<>"))


def _node_kind(parameter: ShapeParameter, value: str) -> value_components.FailingValues:
    kind = local_name(value)
    if value != sh(kind) or kind not in value_components.NODE_KINDS:
        raise BrokenShapes(f"{parameter.place} is {value}, which is not a node kind")
    return value_components.failing_node_kind(kind)


def _failing_node(parameter: ShapeParameter, value: str) -> value_components.FailingValues:
    shape = parameter.shape(value)
    if shape.path is not None:
        raise BrokenShapes(f"{parameter.place} names a shape with a path, which is for sh:property")
    return value_components.failing_shape(shape)


def _failing_pattern(parameter: ShapeParameter, value: str) -> value_components.FailingValues:
    flags = parameter.graph.text(parameter.node, "flags") or ""
    return value_components.failing_pattern(read_string(value), flags, parameter.place)


def _bound_constraint(sign: str) -> Callable[[ShapeParameter, str], value_components.FailingValues]:
    def make(parameter: ShapeParameter, value: str) -> value_components.FailingValues:
        if value[0] != '"':
            raise BrokenShapes(f"{parameter.place} is not a literal")
        return value_components.failing_bound(sign, value)

    return make


# Parameters that a shape may have once, and what finds the values that violate them.
SINGLE_VALUED: dict[str, Callable[[ShapeParameter, str], value_components.FailingValues]] = {
    "datatype": _failing_datatype,
    "in": lambda parameter, value: value_components.failing_in(parameter.items(value)),
    "languageIn": lambda parameter, value: value_components.failing_language(
        parameter.texts_in_list(value)
    ),
    "maxExclusive": _bound_constraint("<"),
    "maxInclusive": _bound_constraint("<="),
    "maxLength": lambda parameter, value: value_components.failing_length(
        0, parameter.number(value)
    ),
    "minExclusive": _bound_constraint(">"),
    "minInclusive": _bound_constraint(">="),
    "minLength": lambda parameter, value: value_components.failing_length(
        parameter.number(value), None
    ),
    "nodeKind": _node_kind,
    "pattern": _failing_pattern,
}

# Parameters that a shape may have several times.
REPEATABLE: dict[str, Callable[[ShapeParameter, str], value_components.FailingValues]] = {
    "and": lambda parameter, value: value_components.failing_and(parameter.shapes(value)),
    "class": lambda parameter, value: value_components.failing_class(value),
    "node": _failing_node,
    "not": lambda parameter, value: value_components.failing_not(parameter.shape(value)),
    "or": lambda parameter, value: value_components.failing_or(parameter.shapes(value)),
    "xone": lambda parameter, value: value_components.failing_xone(parameter.shapes(value)),
}


def _count_constraint(
    kind: Callable[[str, int], Constraint], message: str, parameter: ShapeParameter
) -> Iterator[Constraint]:
    count = parameter.graph.number(parameter.node, parameter.name) or 0
    yield kind(message.format(count), count)


def _constraint_per_value(
    kind: Callable[[str, str], Constraint], message: str, parameter: ShapeParameter
) -> Iterator[Constraint]:
    """A constraint of a kind for each value; `message` is formatted with the name of the value."""
    for value in parameter.graph.all(parameter.node, parameter.name):
        yield kind(message.format(_short_name(value)), value)


def _unique_language_constraints(parameter: ShapeParameter) -> Iterator[Constraint]:
    if parameter.graph.read_flag(parameter.node, parameter.name):
        yield focus_components.UniqueLanguage("two values are in the same language")


def _less_than_constraints(sign: str, parameter: ShapeParameter) -> Iterator[Constraint]:
    words = "less than" if sign == "<" else "at most"
    for name in parameter.graph.all(parameter.node, parameter.name):
        yield focus_components.LessThan(
            component_iri(parameter.name),
            f"a value must be {words} that of {_short_name(name)}",
            name,
            sign,
        )


def _closed_constraints(parameter: ShapeParameter) -> Iterator[Constraint]:
    graph = parameter.graph
    if graph.read_flag(parameter.node, parameter.name):
        ignored = graph.one(parameter.node, "ignoredProperties")
        allowed = set(parameter.items(ignored)) if ignored else set()
        nested = graph.column(sh("property")).of(parameter.node)
        allowed |= graph.column(sh("path")).image(set(nested))
        yield focus_components.Closed("no other properties are allowed", frozenset(allowed))


def _qualified_constraints(parameter: ShapeParameter) -> Iterator[Constraint]:
    graph = parameter.graph
    node = parameter.node
    count = graph.number(node, parameter.name) or 0
    value_shapes = graph.all(node, "qualifiedValueShape")  # without one, there is no constraint
    siblings: set[str] = set()
    if graph.read_flag(node, "qualifiedValueShapesDisjoint"):
        parents = graph.column(sh("property"), by_value=True).of(node)
        sibling_shapes = graph.column(sh("property")).image(set(parents))
        siblings = graph.column(sh("qualifiedValueShape")).image(sibling_shapes) - set(value_shapes)
    is_minimum = parameter.name == "qualifiedMinCount"
    for value in value_shapes:
        yield focus_components.Qualified(
            component_iri(parameter.name),
            f"at {'least' if is_minimum else 'most'} {count} values must have this shape",
            parameter.shape(value),
            count if is_minimum else 0,
            None if is_minimum else count,
            [parameter.shape(sibling) for sibling in sorted(siblings)],
        )


# Parameters that apply to all values of a focus node together.
ON_ALL_VALUES: dict[str, Callable[[ShapeParameter], Iterator[Constraint]]] = {
    "closed": _closed_constraints,
    "disjoint": partial(
        _constraint_per_value, focus_components.Disjoint, "a value of {} may not be one here"
    ),
    "equals": partial(
        _constraint_per_value, focus_components.Equals, "the values of {} are to be the same"
    ),
    "hasValue": partial(_constraint_per_value, focus_components.HasValue, "the value {} is asked"),
    "lessThan": partial(_less_than_constraints, "<"),
    "lessThanOrEquals": partial(_less_than_constraints, "<="),
    "maxCount": partial(
        _count_constraint, focus_components.MaxCount, "at most {} values are allowed"
    ),
    "minCount": partial(
        _count_constraint, focus_components.MinCount, "at least {} values are required"
    ),
    "qualifiedMaxCount": _qualified_constraints,
    "qualifiedMinCount": _qualified_constraints,
    "uniqueLang": _unique_language_constraints,
}
