"""Each line's answer for pages, with what would change it, computed once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from functools import cached_property, partial
from itertools import combinations
from operator import attrgetter
from typing import TypeVar

from kg.model import StatementId
from kg.publish.context.read_marks import follows_inputs
from kg.publish.context.site_standings import SEARCH_LIMIT, SiteStandings
from kg.publish.context.standings import SourceLoss
from kg.publish.context.weighing import WeighedStatement, Weighing, has_work_since, weighing
from kg.reasoning import (
    LineWithoutProposition,
    Reading,
    crux,
    flips,
    independence,
    robustness,
    verdict,
)
from kg.reasoning.answers.crux import Cruxes
from kg.reasoning.answers.flips import Flips
from kg.reasoning.answers.independence import Independence
from kg.reasoning.answers.robustness import Robustness
from kg.reasoning.answers.verdict import Verdict
from kg.reasoning.partial_evidence.evidence_subsets import (
    EVIDENCE_SUBSETS,
    AnswerOnSubset,
    answer_on_subset,
    count_findings_left,
)
from kg.reasoning.reasons.shares import removal_effect_of
from kg.reasoning.sensitivity.changed_readings import with_muted_statements
from kg.reasoning.sensitivity.edge_changes import moves_without_objections
from kg.reasoning.sureness import sureness_of
from kg.reasoning.sureness_words import Sureness
from kg.reasoning.word_and_side import side_by_strength
from kg.runtime.memoize import ResultsKeeper, memoize

AnswerType = TypeVar("AnswerType")
# Statements that may bear on a question before a build leaves it to the command line: to weigh an
# answer takes longer with each, and a build weighs every line's.
VERDICT_LIMIT = 2_000
SUBSETS_JOINT = "+"  # as in site/assets/weigh-choices.js
LEAST_EFFECT_SHOWN = 0.01  # of strength, of a reason that is said to change an answer


class SiteAnswers(ResultsKeeper):
    """Answers the question of each line, as weighed by `standings`.

    There are verdicts if at most `VERDICT_LIMIT` statements bear on a question, and
    searches (cruxes, changes that would turn it) if at most `SEARCH_LIMIT` do; above that they
    are left to the command line, and pages say so.
    """

    def __init__(self, standings: SiteStandings) -> None:
        self._standings = standings

    @memoize
    def count_bearing(self, line_id: str) -> int:
        """Count the statements that bear on a line's question; 0 if it weighs no proposition.

        They are counted without making the question's own graph, which would stay in memory.
        """
        graph, statement = (
            self._standings.unweighed_reading.graph,
            self._standings.unweighed_reading.question(line_id).statement,
        )
        ancestor_mask = graph.ancestors(graph.number_of[statement]).tolist() if statement else []
        return sum(ancestor_mask[: graph.size])

    def _answer_of_line(
        self,
        line_id: str,
        limit: int,
        find: Callable[[Reading, str], AnswerType | LineWithoutProposition],
    ) -> AnswerType | None:
        """Return what `find` returns for a line; None if more than `limit` statements bear on its
        question, or it has none.
        """
        if not 0 < self.count_bearing(line_id) <= limit:
            return None
        answer = find(self._standings.reading, line_id)
        return None if isinstance(answer, LineWithoutProposition) else answer

    @memoize
    def verdict(self, line_id: str) -> Verdict | None:
        """The verdict on a line's proposition; None if it has none, or that takes too long."""
        return self._answer_of_line(line_id, VERDICT_LIMIT, verdict)

    @memoize
    def weighing(self, line_id: str) -> Weighing | None:
        """The data by which a browser weighs a line; None if it cannot, or that takes too long."""
        return self._answer_of_line(line_id, SEARCH_LIMIT, weighing)

    @memoize
    def answers_on_subsets(self, line_id: str) -> tuple[AnswerOnSubset, ...]:
        """A line's answer if only some of its evidence counted; empty if no browser could tell."""
        subsets = self._subsets_of_evidence(line_id)
        answers = (self._answer_on(line_id, *each) for each in subsets.items())
        return tuple(filter(None, answers))

    @memoize
    def answers_offered(self, line_id: str) -> tuple[AnswerOnSubset, ...]:
        """Return the answers on subsets that a reader may choose: those that leave something out,
        and of the years the last since which at least half was published.
        """
        answers = self.answers_on_subsets(line_id)
        newer = [each for each in answers if each.total <= 2 * each.counted]
        return tuple(
            each
            for each in answers
            if each.counted < each.total and (each.name in EVIDENCE_SUBSETS or each in newer[-1:])
        )

    @memoize
    def answers_on_pairs(self, line_id: str) -> tuple[AnswerOnSubset, ...]:
        """A line's answer if only what is in both of two subsets counted, for each two that are
        offered: `people+read`.
        """
        subsets = self._subsets_of_evidence(line_id)
        names = sorted(each.name for each in self.answers_offered(line_id))
        answers = (
            self._answer_on(line_id, SUBSETS_JOINT.join(pair), subsets[pair[0]] & subsets[pair[1]])
            for pair in combinations(names, 2)
        )
        return tuple(filter(None, answers))

    @memoize
    @follows_inputs
    def answer_without(
        self, line_id: str, left_out: frozenset[StatementId]
    ) -> AnswerOnSubset | None:
        """A line's answer without some of its findings; None without a stable strength."""
        name = f"without {SUBSETS_JOINT.join(sorted(left_out))}"
        return self._answer_on(line_id, name, {*self._findings_weighed(line_id)} - left_out)

    @follows_inputs
    def count_findings_left(self, line_id: str, left_out: frozenset[StatementId]) -> int:
        """How many findings still move a line's answer without some of them."""
        question = self._standings.reading.question(line_id)
        return count_findings_left(question, self._findings_weighed(line_id), left_out)

    def _answer_on(
        self, line_id: str, name: str, counted_ids: Set[StatementId]
    ) -> AnswerOnSubset | None:
        question, findings = (
            self._standings.reading.question(line_id),
            self._findings_weighed(line_id),
        )
        subset = EVIDENCE_SUBSETS.get(name) or f"findings published {name}"
        left_out = [each for each in findings if each not in counted_ids]
        return answer_on_subset(question, name, subset, len(findings), left_out)

    def _findings_weighed(self, line_id: str) -> list[StatementId]:
        data = self.weighing(line_id)
        return [each.id for each in data.statements if each.quality is not None] if data else []

    @memoize
    def _subsets_of_evidence(self, line_id: str) -> Mapping[str, Set[StatementId]]:
        """Return the findings that bear on a line in each subset, by its name."""
        data = self.weighing(line_id)
        if data is None:
            return {}
        is_counted: dict[str, Callable[[WeighedStatement], object]] = {
            **{name: attrgetter(name) for name in EVIDENCE_SUBSETS},
            **{f"since {year}": partial(has_work_since, year) for year in data.years},
        }
        findings = [each for each in data.statements if each.quality is not None]
        return {
            name: {each.id for each in findings if counts(each)}
            for name, counts in is_counted.items()
        }

    @memoize
    def cruxes(self, line_id: str) -> Cruxes | None:
        """Find what a line's answer depends on; None if the search would take too long."""
        return self._answer_of_line(line_id, SEARCH_LIMIT, crux)

    @memoize
    def objection_effects(self, line_id: str) -> dict[str, float]:
        """Measure how far a line's answer moves if an opposing edge is removed, by the edge's
        id.
        """

        def find(reading: Reading, line_id: str) -> dict[str, float]:
            return moves_without_objections(reading.question(line_id))

        return self._answer_of_line(line_id, SEARCH_LIMIT, find) or {}

    @memoize
    def answers_without_reasons(self, line_id: str) -> dict[str, tuple[float, int, Sureness]]:
        """The strength, side and sureness of a line's answer without each of its own reasons that
        moves it by `LEAST_EFFECT_SHOWN`, as `kg whatif` says.
        """

        def find(reading: Reading, line_id: str) -> dict[str, tuple[float, int, Sureness]]:
            question = reading.question(line_id)
            number_of = question.graph.number_of
            edges = self._standings.corpus.edges_to.get(question.statement or "", ())
            ids = [*dict.fromkeys(each.origin for each in edges if each.origin in number_of)]
            nodes = [number_of[id] for id in ids]
            # all at once in a fraction of the time; `kg whatif` is asked of those that count
            moves = removal_effect_of(question.graph, question.solution, question.node, nodes)
            questions = {
                id: with_muted_statements(reading, [id]).question(line_id)
                for id, move in zip(ids, moves.tolist(), strict=True)
                if not abs(move) < LEAST_EFFECT_SHOWN
            }
            return {
                id: (
                    without.strength_or_nan,
                    side_by_strength(without),
                    sureness_of(without).sureness,
                )
                for id, without in questions.items()
            }

        return self._answer_of_line(line_id, SEARCH_LIMIT, find) or {}

    @memoize
    def effects_on_answer(self, line_id: str) -> dict[str, float]:
        """Measure how far a line's answer moves, either way, without each statement that bears on
        it.
        """

        def find(reading: Reading, line_id: str) -> dict[str, float]:
            question = reading.question(line_id)
            graph, others = question.graph, {*range(question.graph.size)} - {question.node}
            nodes = sorted(others)
            moves = removal_effect_of(graph, question.solution, question.node, nodes)
            effects = dict(zip(nodes, abs(moves).round(4).tolist(), strict=True))
            return {id: effects.get(node, 0.0) for id, node in graph.number_of.items()}

        return self._answer_of_line(line_id, SEARCH_LIMIT, find) or {}

    @memoize
    def flips(self, line_id: str) -> Flips | None:
        """Without which independent sources a line's answer would leave its side."""
        return self._answer_of_line(line_id, SEARCH_LIMIT, partial(flips, by="source"))

    @memoize
    def robustness(self, line_id: str) -> Robustness | None:
        """Measure how robust a line's answer is; None if the trials would take too long."""
        return self._answer_of_line(line_id, SEARCH_LIMIT, robustness)

    @memoize
    def sources(self, line_id: str) -> Independence | None:
        """The independent sources that a line's answer rests on."""
        return self._answer_of_line(line_id, VERDICT_LIMIT, independence)

    @cached_property
    def _losses_by_source(self) -> dict[str, list[SourceLoss]]:
        """The lines whose answer moves without each source."""
        losses: dict[str, list[SourceLoss]] = {}
        for line_id in self._standings.corpus.lines:
            independence, flips = self.sources(line_id), self.flips(line_id)
            standing = self._standings.of(independence.asked.statement) if independence else None
            word, sureness = (standing.word, standing.sureness) if standing else ("", Sureness.NONE)
            changes = flips.words if flips else ()
            surenesses = {flip.removed[0]: flip.sureness for flip in changes}
            for effect in independence.effects if independence else ():
                for key in effect.sources:
                    if effect.effect and independence:
                        loss = SourceLoss(
                            line_id=line_id,
                            sources=effect.sources,
                            strength_before=independence.strength,
                            strength_after=effect.strength,
                            word=word,
                            takes_from_side=effect.undoes,
                            sureness=sureness,
                            sureness_without=surenesses.get(effect.source_group, Sureness.NONE),
                        )
                        losses.setdefault(key, []).append(loss)
        return losses

    def losses_of(self, source: str) -> list[SourceLoss]:
        """The lines' answers without a source and everything that counts as one with it."""
        return self._losses_by_source.get(source, [])
