"""A corpus read as numbers, and questions put to it."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import Concatenate, ParamSpec, TypeVar

import numpy as np

from kg.corpus import Corpus
from kg.corpus.independent_sources import IndependentSources, independent_sources
from kg.corpus.quality.evidence_quality import Quality, qualities_of
from kg.judgements.edge_labels import Judgement, judgements_of
from kg.model import CampId, LineId, Statement, StatementId
from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning.graph.arrays import Floats, Ints, round_off_or_none
from kg.reasoning.graph.graph import Graph
from kg.reasoning.graph.graph_of_corpus import UnweighedEdge, graph_of_corpus
from kg.reasoning.graph.stored_graph import read_graph, store_graph
from kg.reasoning.solution import (
    Certificate,
    Solution,
    certify,
    solution_of,
    solution_of_subgraph,
    subgraph_bearing_on,
)
from kg.runtime.memoize import ResultsKeeper, memoize

P = ParamSpec("P")
T = TypeVar("T")
NO_STATEMENT = sys.maxsize  # asked about in a question about none: no index, as -1 would be


@dataclass(frozen=True, eq=False)
class Reading(ResultsKeeper):
    """A corpus under one set of settings: its graph, qualities, and edges that have no weight.

    Statements that are declared the same share one number in the graph.

    `reasoning.reading_of(corpus)`
    """

    corpus: Corpus
    settings: Reasoning
    graph: Graph = field(repr=False)
    unweighed_edges: tuple[UnweighedEdge, ...] = field(default=(), repr=False)
    judgements: tuple[Judgement, ...] = field(default=(), repr=False)
    changed_source_groups: IndependentSources | None = field(default=None, repr=False)

    # the graph holds what strengths need of these: they are made when an answer names sources
    @property
    def qualities(self) -> Mapping[StatementId, Quality]:
        """The quality of each statement."""
        return qualities_of(self.corpus)

    @property
    def source_groups(self) -> IndependentSources:
        """What counts as one source: `changed_source_groups`, or else that of the corpus."""
        return self.changed_source_groups or independent_sources(self.corpus)

    @property
    def solution(self) -> Solution:
        """Strengths of all statements."""
        return solution_of(self.graph)

    @cached_property
    def corpus_question(self) -> Question:
        """The question that covers the whole corpus, about no statement; its results hold for
        every other question.
        """
        return Question(self, "")

    def solve_whole(self, other_semantics: Iterable[str] = ()) -> None:
        """Solve the whole corpus, also under other semantics, and keep the results.

        Questions then take their strengths from it. Where circles are iterated, a question solved
        by itself would differ within the tolerance, so that the last digits would depend on what
        was asked before.
        """
        solution_of(self.graph)
        for semantics in other_semantics:
            self.corpus_question.solution_under(semantics=semantics)

    def strength(self, name: StatementId) -> float | None:
        """Return how far the corpus backs a statement, 0 to 1; `None` if no equilibrium was found.

        Raises `UnknownId`.
        """
        return self.solution.strength_of(self.corpus.statement(name).id)

    def question(self, name: str) -> Question:
        """The question about `name`, a line or a statement.

        Raises `UnknownId`, which suggests the nearest ids of both.
        """
        id = self.corpus.look_up(name) or ""
        if id in self.corpus.lines:
            line = self.corpus.lines[id]
            # a proposition that does not exist is a problem of the notes, not of the caller
            proposition = line.proposition if line.proposition in self.corpus.statements else None
            return self.question_of_statement(proposition or "", line.id)
        if id not in self.corpus.statements:
            candidates = [*self.corpus.lines, *self.corpus.statements]
            raise self.corpus.unknown_id_error(name, candidates, "inquiry line or statement")
        return self.question_of_statement(id, None)

    @memoize
    def question_of_statement(self, statement: StatementId, line_id: LineId | None) -> Question:
        """The question about a statement, seen from a line or by itself."""
        return Question(self, statement, line_id)

    def fresh_question(self, statement: StatementId) -> Question:
        """A question about a statement by itself, which the reading does not keep: where many are
        asked, the graph of each would stay in memory.
        """
        return Question(self, statement)


@dataclass(frozen=True, eq=False)
class Question(ResultsKeeper):
    """A statement, asked about in a line or by itself, and the part of the graph that bears on it.

    `statement` is empty where a line weighs no proposition, or nothing is asked: then the graph is
    that of the whole corpus. `changed_subgraph` is the part of the graph if it is not that of the
    reading, with the numbers of its statements and gates there.
    """

    reading: Reading = field(repr=False)
    statement: StatementId
    line_id: LineId | None = None
    changed_subgraph: tuple[Graph, Ints] | None = field(default=None, repr=False)

    @property
    def settings(self) -> Reasoning:
        """The settings of the reading."""
        return self.reading.settings

    @cached_property
    def title(self) -> str:
        """The title of the statement asked about; of the line if there is none."""
        if self.statement:
            return self.reading.corpus.statements[self.statement].title
        return self.reading.corpus.lines[self.line_id or ""].title

    @cached_property
    def bearing_subgraph(self) -> tuple[Graph, Ints]:
        """`graph`, and the numbers of its statements and gates in that of the whole corpus."""
        if self.changed_subgraph is not None:
            return self.changed_subgraph
        corpus_graph = self.reading.graph
        if not self.statement:
            return corpus_graph, np.arange(corpus_graph.node_count)
        return subgraph_bearing_on(corpus_graph, corpus_graph.number_of[self.statement])

    @cached_property
    def graph(self) -> Graph:
        """The statements with a path to the one asked about, and the arcs among them."""
        return self.bearing_subgraph[0]

    @cached_property
    def node(self) -> int:
        """The number, in `graph`, of the statement asked about."""
        return self.graph.number_of[self.statement] if self.statement else NO_STATEMENT

    @property
    def numbers(self) -> Ints:
        """The numbers of `graph`'s statements in the graph of the whole corpus."""
        return self.bearing_subgraph[1][: self.graph.size]

    def with_graph(self, reading: Reading, graph: Graph) -> Question:
        """The same question of another reading, with other values in its part of the graph."""
        return Question(reading, self.statement, self.line_id, (graph, self.bearing_subgraph[1]))

    @cached_property
    def solution(self) -> Solution:
        """Strengths in `graph`; taken from those of the whole corpus if they are known."""
        return solution_of(self.graph)

    def solution_under(self, **changed_settings: object) -> Solution:
        """Strengths in `graph` under other settings."""
        settings = self.settings.model_copy(update=changed_settings)
        # only the logistic semantics can follow routes
        if settings.transfer == "routes" and not settings.follows_routes:
            settings = settings.model_copy(update={"transfer": "earned"})
        return _solution_under(self, settings)

    @property
    def strengths(self) -> Floats:
        """Strengths in `graph`, by number."""
        return self.solution.strength

    @property
    def strength_or_nan(self) -> float:
        """The strength of the statement asked about; NaN where no equilibrium was found, or no
        statement is asked about.
        """
        return float(self.strengths[self.node]) if self.statement else math.nan

    @cached_property
    def certificate(self) -> Certificate:
        """The certificate of what is known about the equilibrium in `graph`."""
        return certify(self.graph, self.solution)

    @cached_property
    def evidence(self) -> Ints:
        """Numbers of the evidence in `graph`, other than what is asked about."""
        evidence = np.flatnonzero(~self.graph.is_claim)
        return np.asarray(evidence[evidence != self.node])

    @cached_property
    def claim_nodes(self) -> Ints:
        """Numbers of the claims in `graph`, other than what is asked about."""
        claims = np.flatnonzero(self.graph.is_claim)
        return np.asarray(claims[claims != self.node])

    def affordable(self, scenarios: int = 1) -> int:
        """Return how many items the budget allows to be tried, each in `scenarios` scenarios.

        The budget counts arcs, not seconds, so that answers are the same on every machine.
        """
        return self.settings.budget // (scenarios * max(len(self.graph.arc_premise), 1))

    def statement_at(self, node: int) -> Statement:
        """The statement with a number in `graph`."""
        return self.reading.corpus.statements[self.graph.ids[node]]

    def declared_camp(self, node: int) -> CampId | None:
        """The camp that the notes give to a statement of `graph`, in this line."""
        # the notes may have placed any of the statements declared the same
        for name in self.graph.ids_of[node]:
            camp = self.reading.corpus.camp_of(name, self.line_id)
            if camp:
                return camp
        return None


@memoize
def _solution_under(question: Question, settings: Reasoning) -> Solution:
    graph = question.graph.with_values(settings=settings)
    corpus_solution = _solution_under.recall(question.reading.corpus_question, settings)
    numbers = question.bearing_subgraph[1]
    solution = corpus_solution and solution_of_subgraph(corpus_solution, graph, numbers)
    if solution:
        # kept by the graph, too: scenarios begin near it
        solution_of.give(graph, solution)
    return solution_of(graph)


def reading_of(
    corpus_or_reading: Corpus | Reading,
    settings: Reasoning | None = None,
    judgements: Sequence[Judgement] | None = None,
) -> Reading:
    """A corpus read as numbers under `settings` (default: those of its configuration).

    `judgements` default to those beside its notes. A reading is returned as it is, unless other
    settings or judgements are given: then its corpus is read again.

    A panel's judgements of a supports, contradicts or qualifies edge replace its weight by
    p(supports) - p(contradicts). The result is cached with the corpus.

    `reasoning.reading_of(corpus, Reasoning(semantics="dfquad"))`
    """
    if isinstance(corpus_or_reading, Reading):
        reading = corpus_or_reading
        if settings is None and judgements is None:
            return reading
        judgements = reading.judgements if judgements is None else judgements
        settings, corpus = settings or reading.settings, reading.corpus
    else:
        corpus = corpus_or_reading
    used_settings = settings or corpus.config.reasoning
    used_judgements = judgements_of(corpus).rows if judgements is None else tuple(judgements)
    return _read_corpus(corpus, used_settings, used_judgements)


def store_reading(corpus: Corpus) -> None:
    """Keep the graph of a corpus under its own settings beside the file that it is read from."""
    judgements = judgements_of(corpus).rows
    store_graph(corpus, *graph_of_corpus(corpus, corpus.config.reasoning, judgements))


def _stored_graph(
    corpus: Corpus, settings: Reasoning, judgements: tuple[Judgement, ...]
) -> tuple[Graph, tuple[UnweighedEdge, ...]] | None:
    """The graph beside the file that the corpus is read from; None if none is."""
    if corpus.provenance.record_file is None or settings != corpus.config.reasoning:
        return None
    return read_graph(corpus, settings) if judgements == judgements_of(corpus).rows else None


def accepts_corpus(
    function: Callable[Concatenate[Reading, P], T],
) -> Callable[Concatenate[Corpus | Reading, P], T]:
    """Let `function` take a corpus too, which is then read under its own settings."""

    @wraps(function)
    def accept(corpus_or_reading: Corpus | Reading, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return function(reading_of(corpus_or_reading), *args, **kwargs)

    return accept


@memoize
def _read_corpus(corpus: Corpus, settings: Reasoning, judgements: tuple[Judgement, ...]) -> Reading:
    graph, unweighed_edges = _stored_graph(corpus, settings, judgements) or graph_of_corpus(
        corpus, settings, judgements
    )
    return Reading(corpus, settings, graph, unweighed_edges, judgements)


@accepts_corpus
def strengths(reading: Reading) -> Mapping[StatementId, float | None]:
    """Return how far the corpus backs each statement, 0 to 1; `None` if nothing stable was found.

    `kg.strengths(corpus)["gap-is-a-matter-of-incentives"]`
    """
    values = reading.solution.strength
    return {name: round_off_or_none(values[node]) for name, node in reading.graph.number_of.items()}


@accepts_corpus
def quality(reading: Reading, name: str) -> Quality:
    """The base strength of a statement, every term shown. Raises `UnknownId`.

    `kg.quality(corpus, "collabllm-user-study")`
    """
    return reading.qualities[reading.corpus.statement(name).id]
