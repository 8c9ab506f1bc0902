"""The tensions in a corpus: even fights, believed contradictions, sources on both sides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import numpy as np

from kg.model import EdgeId, LineId, Relation, StatementId, Value
from kg.reasoning.asked_question import asked_about, asked_about_corpus
from kg.reasoning.graph.arrays import ROUNDING, Bools, Floats, round_off
from kg.reasoning.graph.graph import NOT_JOINT, Graph
from kg.reasoning.line_without_proposition import LineWithoutProposition, answer_without_proposition
from kg.reasoning.losses.evidence_effects import RemovalEffects, removal_effects_within
from kg.reasoning.reading import Question, Reading, accepts_corpus
from kg.reasoning.reasons.shares import arc_shares, premises_together_with
from kg.reasoning.weighed_answer import WeighedAnswer
from kg.reporting.report import Report, columns, lines_in_cell, table
from kg.text.plurals import pluralize
from kg.text.sentences import quote_title


class Conflict(Value, frozen=True, omit_defaults=False):
    """A statement both of whose sides carry weight, in nats."""

    statement: StatementId
    title: str
    strength: float
    pro: float
    con: float
    conflict: float


class Contradiction(Value, frozen=True, omit_defaults=False):
    """A contradiction between two statements, both of which the corpus believes.

    `together` are the other premises, where it counts only with them.
    """

    edge: EdgeId
    origin: StatementId
    together: tuple[StatementId, ...]
    target: StatementId
    origin_strength: float
    target_strength: float
    score: float

    def cell(self) -> str:
        """The contradicting statement, its joint premises, and the statement contradicted."""
        partners = (f"  together with {name}" for name in self.together)
        return lines_in_cell(self.origin, *partners, f"  against {self.target}")


class SourceOnBothSides(Value, frozen=True, omit_defaults=False):
    """A source (or a note) whose evidence both helps and harms the same proposition.

    `helps` and `harms` are the strengths that its evidence adds and takes away.
    """

    source: str
    line: LineId | None
    statement: StatementId
    helping: tuple[StatementId, ...]
    harming: tuple[StatementId, ...]
    helps: float
    harms: float

    def cell(self) -> str:
        """The statement, and what helps and harms it."""
        helping = (f"  helped by {name}" for name in self.helping)
        return lines_in_cell(
            self.statement, *helping, *(f"  harmed by {name}" for name in self.harming)
        )


CONFLICT = columns(
    Conflict,
    "statement, strength, for: pro, against: con, conflict",
    meaning="conflict: 1 where both sides weigh the same, 0 where one of them is silent; first "
    "the rows whose lighter side weighs most",
)
CONTRADICTION = columns(
    Contradiction,
    ("contradiction", Contradiction.cell),
    "strength: origin_strength, other's: target_strength, score",
    meaning="score: the lower of the two strengths, times the weight of the edge",
)
SOURCE_ON_BOTH_SIDES = columns(
    SourceOnBothSides,
    "source",
    ("on", SourceOnBothSides.cell),
    "helps, harms",
    meaning="helps, harms: how far the evidence of that source raises and lowers the strength",
)


class Tensions(WeighedAnswer, frozen=True, kw_only=True):
    """Tensions, the sharpest of each sort first."""

    conflicts: tuple[Conflict, ...]
    contradictions: tuple[Contradiction, ...]
    sources_on_both_sides: tuple[SourceOnBothSides, ...]

    def report(self) -> Report:
        """The tensions; two statements that contradict each other are one row."""
        pairs = {frozenset((c.origin, c.target)): c for c in reversed(self.contradictions)}
        once = sorted(pairs.values(), key=self.contradictions.index)
        return self.as_report(
            {},
            table("conflicts", self.conflicts, CONFLICT),
            table("contradictions", once, CONTRADICTION),
            table("sources on both sides", self.sources_on_both_sides, SOURCE_ON_BOTH_SIDES),
        )


@accepts_corpus
def tensions(reading: Reading, name: str | None = None) -> Tensions | LineWithoutProposition:
    """Tensions in what bears on `name`, or in the whole corpus (sources on both sides, by line).

    Raises `UnknownId`.

    `corpus.tensions("social-grounding")`
    """
    if name is None:
        graph = reading.graph
        state = reading.solution.state
        questions = [reading.question(id) for id in reading.corpus.lines]
        context = asked_about_corpus(reading)
    else:
        question = reading.question(name)
        if not question.statement:
            return answer_without_proposition(question)
        graph = question.graph
        state = question.solution.state
        questions = [question]
        context = asked_about(question)
    weighed_questions = [question for question in questions if question.statement]
    conflicts = _conflicts_in(reading, graph, state)
    contradictions = _contradictions_in(reading, graph, state)
    effects = removal_effects_within(weighed_questions)
    on_both_sides = tuple(
        each
        for question, effect in zip(weighed_questions, effects, strict=True)
        for each in _find_sources_on_both_sides(question, effect)
    )
    first = f"Of what bears on {quote_title(context.title)}, much" if name else "Much"
    return Tensions(
        sentence=(
            f"{first} is said on both sides of {pluralize(len(conflicts), 'statement')}, both ends "
            f"of {pluralize(len(contradictions), 'contradiction')} are believed, and "
            f"{_describe_sources(len(on_both_sides))} the same proposition "
            f"(by {reading.settings.both_sides:g} or more each way)."
        ),
        asked=context,
        complete=all(effect.complete for effect in effects),
        conflicts=conflicts,
        contradictions=contradictions,
        sources_on_both_sides=on_both_sides,
    )


def _describe_sources(count: int) -> str:
    if count == 1:
        return "1 source or note both helps and harms"
    return f"{count} sources or notes both help and harm"


def _conflicts_in(reading: Reading, graph: Graph, state: Floats) -> tuple[Conflict, ...]:
    settings = reading.settings
    shares = arc_shares(graph, state)
    pro = np.bincount(graph.arc_target, np.maximum(shares, 0.0), graph.node_count)[: graph.size]
    con = np.bincount(graph.arc_target, np.maximum(-shares, 0.0), graph.node_count)[: graph.size]
    volume = pro + con
    even = 2.0 * np.minimum(pro, con) / np.where(volume > 0.0, volume, 1.0)
    # of statements declared the same, the one that a line weighs is named
    name_of_node = dict(enumerate(graph.ids))
    for line in reading.corpus.lines.values():
        if line.proposition and line.proposition in graph.number_of:
            name_of_node[graph.number_of[line.proposition]] = line.proposition
    is_contested = np.flatnonzero(np.minimum(pro, con) >= settings.open_below - ROUNDING)
    conflicts = [
        Conflict(
            statement=name_of_node[i],
            title=reading.corpus.statements[name_of_node[i]].title,
            strength=round_off(state[i]),
            pro=round_off(pro[i]),
            con=round_off(con[i]),
            conflict=round_off(even[i]),
        )
        for i in is_contested.tolist()
    ]
    return tuple(sorted(conflicts, key=lambda c: (-min(c.pro, c.con), c.statement)))


def _contradictions_in(reading: Reading, graph: Graph, state: Floats) -> tuple[Contradiction, ...]:
    threshold = reading.settings.believed - ROUNDING
    premise, counts = _weakest_premises(graph, state)
    # arcs to gates end past all statements; they are left out below, so any number will do
    ends = np.minimum(premise, state[np.minimum(graph.arc_target, graph.size - 1)])
    edges = reading.corpus.edges_by_id
    against = [edges[name].relation is Relation.CONTRADICTS for name in graph.edge_of_arc]
    is_clash = (
        np.array(against, dtype=bool) & (graph.arc_weight < 0.0) & (graph.arc_target < graph.size)
    )
    is_clash &= (ends >= threshold) & counts
    contradictions = [
        Contradiction(
            edge=graph.edge_of_arc[arc],
            origin=graph.ids[graph.arc_premise[arc]],
            together=premises_together_with(reading, graph, arc),
            target=graph.ids[graph.arc_target[arc]],
            origin_strength=round_off(state[graph.arc_premise[arc]]),
            target_strength=round_off(state[graph.arc_target[arc]]),
            score=round_off(-graph.arc_weight[arc] * ends[arc]),
        )
        for arc in np.flatnonzero(is_clash).tolist()
    ]
    return tuple(sorted(contradictions, key=lambda c: (-c.score, c.edge, c.origin)))


def _weakest_premises(graph: Graph, state: Floats) -> tuple[Floats, Bools]:
    """Return the strength of each arc's premise, and whether it counts: of a joint reason only the
    weakest premise (the first of equals) does.
    """
    strength = state[graph.arc_premise]
    counts = np.ones(len(graph.arc_premise), dtype=bool)
    joint_arcs = np.flatnonzero(graph.joint >= 0)
    # reason by reason, the weakest first: the first of each is where the reason's number changes
    order = joint_arcs[np.lexsort((joint_arcs, strength[joint_arcs], graph.joint[joint_arcs]))]
    counts[order] = np.diff(graph.joint[order], prepend=NOT_JOINT) != 0
    return strength, counts


def _find_sources_on_both_sides(
    question: Question, effects: RemovalEffects
) -> Iterable[SourceOnBothSides]:
    """Sources and notes whose evidence has both a positive and a negative effect worth naming."""
    threshold = question.settings.both_sides
    groups: defaultdict[str, dict[StatementId, float]] = defaultdict(dict)
    for node, effect in zip(effects.nodes.tolist(), effects.strengths_added.tolist(), strict=True):
        statement = question.statement_at(node)
        for source in (*(f"@{key}" for key in statement.sources), statement.note):
            if source:
                groups[source][statement.id] = effect
    for source, each in sorted(groups.items()):
        helps = sum(x for x in each.values() if x > 0.0)
        harms = -sum(x for x in each.values() if x < 0.0)
        if min(helps, harms) >= threshold:
            yield SourceOnBothSides(
                source=source,
                line=question.line_id,
                statement=question.statement,
                helping=tuple(name for name, x in each.items() if x > 0.0),
                harming=tuple(name for name, x in each.items() if x < 0.0),
                helps=round_off(helps),
                harms=round_off(harms),
            )
