"""Statements that support each other in a circle."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from kg.model import EdgeId, StatementId, Value
from kg.reasoning.asked_question import asked_about_corpus
from kg.reasoning.graph.arrays import strong_components
from kg.reasoning.graph.graph import mark_reached_by_support
from kg.reasoning.reading import Reading, accepts_corpus
from kg.reasoning.weighed_answer import WeighedAnswer
from kg.reporting.report import Report, columns, lines_in_cell, table
from kg.text.plurals import pluralize


class Circle(Value, frozen=True, omit_defaults=False):
    """Statements that support each other in a circle, and the edges that close it.

    `reached_from_outside` says whether evidence does.
    """

    statements: tuple[StatementId, ...]
    edges: tuple[EdgeId, ...]
    reached_from_outside: bool


CIRCLE = columns(
    Circle,
    ("statements", lambda c: lines_in_cell(*c.statements)),
    "evidence reaches it from outside: reached_from_outside",
)


class Circles(WeighedAnswer, frozen=True, kw_only=True):
    """Circular support, the largest circle first."""

    circles: tuple[Circle, ...]

    def report(self) -> Report:
        """The circles, how the numbers were obtained, and what is proved about them."""
        return self.as_report({}, table("circles", self.circles, CIRCLE), how=True)


@accepts_corpus
def circles(reading: Reading) -> Circles:
    """Strongly connected parts of the support edges, and self-support, in the whole corpus.

    `kg.circles(corpus)`
    """
    graph = reading.graph
    pro = np.flatnonzero((graph.arc_weight > 0.0) & (graph.arc_target < graph.size))
    _, component = strong_components(graph.arc_premise[pro], graph.arc_target[pro], graph.size)
    arcs_of_circle: defaultdict[int, list[int]] = defaultdict(list)
    is_in_circle = component[graph.arc_premise[pro]] == component[graph.arc_target[pro]]
    for arc in pro[is_in_circle].tolist():
        arcs_of_circle[int(component[graph.arc_premise[arc]])].append(arc)
    backed = mark_reached_by_support(graph, graph.base)
    circle_list = []
    for arcs in arcs_of_circle.values():
        nodes = sorted(
            {int(graph.arc_premise[a]) for a in arcs} | {int(graph.arc_target[a]) for a in arcs}
        )
        circle_list.append(
            Circle(
                statements=tuple(graph.ids[i] for i in nodes),
                edges=tuple(graph.edge_of_arc[a] for a in arcs),
                reached_from_outside=bool(backed[nodes].any()),
            )
        )
    circle_list.sort(key=lambda c: (-len(c.statements), c.statements))
    bare = sum(not circle.reached_from_outside for circle in circle_list)
    sentence = (
        f"{pluralize(len(circle_list), 'circle')} of support, {bare} without evidence from outside."
    )
    return Circles(
        sentence=sentence if circle_list else "No statements support each other in a circle.",
        asked=asked_about_corpus(reading),
        circles=tuple(circle_list),
    )
