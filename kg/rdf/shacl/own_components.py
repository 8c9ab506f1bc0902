"""Constraint components that a graph of shapes brings itself, in SPARQL."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from kg.rdf.shacl.evaluation import BrokenShapes, Constraint, Shape
from kg.rdf.shacl.shape_queries import AskConstraint, SparqlConstraint, filled, need_bindable
from kg.rdf.shacl.shapes_graph import ShapesGraph, local_name, sh

_VARIABLE = re.compile(r"[A-Za-z]\w*", re.A)


@dataclass(frozen=True, slots=True)
class OwnComponent:
    """A component: its node, and the properties that are its parameters."""

    node: str
    needed: tuple[str, ...]
    optional: tuple[str, ...]

    def constraints(self, graph: ShapesGraph, shape: Shape) -> Iterator[Constraint]:
        """What it asks of a shape that has its parameters; of others, nothing."""
        values = [graph.column(name).of(shape.node) for name in self.needed]
        given = [name for name in self.optional if graph.column(name).of(shape.node)]
        values += [graph.column(name).of(shape.node) for name in given]
        names = [local_name(name) for name in (*self.needed, *given)]
        for row in product(*values):
            yield self._constraint(graph, shape, dict(zip(names, row, strict=True)))

    def _constraint(
        self, graph: ShapesGraph, shape: Shape, bound: dict[str, str]
    ) -> SparqlConstraint | AskConstraint:
        what = f"the component {self.node}"
        special = "nodeValidator" if shape.path is None else "propertyValidator"
        places = graph.all(self.node, special) or graph.all(self.node, "validator")
        if not places:
            raise BrokenShapes(f"{what} has no validator for {graph.called(shape.node)}")
        place = places[0]
        select, ask = graph.text(place, "select"), graph.text(place, "ask")
        if select is None and ask is None:
            raise BrokenShapes(f"a validator of {what} has neither sh:select nor sh:ask")
        all = {local_name(name) for name in (*self.needed, *self.optional)}
        names = {"this", *all} if select else {"this", "value", *all}
        need_bindable(select or ask or "", names, what)
        messages = shape.messages or graph.texts(place, "message")
        return (SparqlConstraint if select else AskConstraint)(
            self.node,
            f"{what} is broken",
            graph.prefixes(place) + (select or ask or ""),
            what,
            tuple(filled(message, bound) for message in messages),
            bound,
        )


def read_components(graph: ShapesGraph) -> list[OwnComponent]:
    """The components that are declared in a graph of shapes."""
    found = []
    for node in sorted(graph.instances(sh("ConstraintComponent"))):
        optional: set[str] = set()
        needed: set[str] = set()
        for parameter in graph.all(node, "parameter"):
            path = graph.one(parameter, "path")
            if path is None or path[0] != "<":
                raise BrokenShapes(f"a parameter of the component {node} has no IRI as its path")
            if not _VARIABLE.fullmatch(local_name(path)):
                raise BrokenShapes(f"no variable can be called as {path}, of the component {node}")
            (optional if graph.flag(parameter, "optional") else needed).add(path)
        if not needed:
            raise BrokenShapes(f"the component {node} has no parameter that a shape must have")
        found.append(OwnComponent(node, tuple(sorted(needed)), tuple(sorted(optional))))
    return found
