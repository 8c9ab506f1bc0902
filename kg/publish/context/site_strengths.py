"""Strengths and verdicts for pages, computed once; expensive ones only for small graphs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from operator import attrgetter
from typing import TYPE_CHECKING, TypeVar, cast

from kg.corpus import Corpus
from kg.memoize import memoized_method
from kg.publish.context.basis import digest_of_basis
from kg.publish.context.standings import AnswerOnSubset, SourceLoss, Standings, StatementStrength
from kg.publish.context.weighing import WeighedStatement, Weighing, is_since, weighing
from kg.publish.markup.evidence_words import quality_in_words

if TYPE_CHECKING:
    from kg.model.grade import Grade
    from kg.reasoning import Reading
    from kg.reasoning.answers.crux import Cruxes
    from kg.reasoning.answers.flips import Flips
    from kg.reasoning.answers.gaps import Gaps
    from kg.reasoning.answers.robustness import Robustness
    from kg.reasoning.answers.sureness import Sureness
    from kg.reasoning.answers.tensions import Tensions
    from kg.reasoning.answers.verdict import Verdict
    from kg.reasoning.attribution.independence import Independence

AnswerType = TypeVar("AnswerType")
# Statements that may bear on a question before a build leaves it to the command line: to weigh an
# answer takes longer with each, and a build weighs every line's.
VERDICT_LIMIT = 2_000
# The same for what would turn an answer: that is weighed again for each set of losses.
SEARCH_LIMIT = 500
BACKWARD_MARK = "<"  # follows the id of a mutual edge to mean its other direction


EVIDENCE_SUBSETS = {
    "read": "what was seen in the paper or its abstract",
    "reviewed": "what is peer reviewed",
    "people": "what was measured on people, not on models alone",
}


class SiteStrengths:
    """Weighs a corpus under its own settings.

    There are verdicts if at most `VERDICT_LIMIT` statements bear on a question, and
    searches (cruxes, changes that would turn it) if at most `SEARCH_LIMIT` do; above that they
    are left to the command line, and pages say so.
    """

    def __init__(self, corpus: Corpus, known_standings: Standings | None = None) -> None:
        """`known_standings` are earlier results, of a corpus with the same basis."""
        self.corpus = corpus
        self._known_standings = known_standings
        self._answers: dict[tuple[str, type], object] = {}
        self._answers_by_line: dict[str, tuple[AnswerOnSubset, ...]] = {}

    @cached_property
    def basis(self) -> bytes:
        """A digest of everything that these depend on."""
        return self.corpus.derive(digest_of_basis)

    @cached_property
    def _unweighed_reading(self) -> Reading:
        from kg.reasoning import reading_of

        return reading_of(self.corpus)

    @cached_property
    def reading(self) -> Reading:
        from kg.reasoning.attribution.weighed_otherwise import SECOND_OPINIONS

        reading = self._unweighed_reading
        # Questions take their strengths from those of the whole corpus, if these are known. With
        # rules other than the default, results differ within the tolerance of loops.
        _ = reading.solution
        if len(self.corpus) <= SEARCH_LIMIT:
            for semantics in SECOND_OPINIONS:
                reading.corpus_question.solution_under(semantics=semantics)
        return reading

    @cached_property
    def _shares_of_arcs(self) -> list[float]:
        from kg.reasoning.attribution.shares import arc_shares

        shares: list[float] = arc_shares(self.reading.graph, self.reading.solution.state).tolist()
        return shares

    @cached_property
    def standings(self) -> Standings:
        """The standings of all statements, to be given to a later build."""
        if self._known_standings:
            return self._known_standings
        number_of, standing_by_node = self.reading.graph.number_of, self._compute_standings
        return Standings(
            statements={id: standing_by_node[number_of[id]] for id in self.corpus.statements},
            shares=self._by_edge(self._shares_of_arcs),
            grades=dict(self.reading.grades),
        )

    @cached_property
    def _shares_if_heard(self) -> dict[str, float]:
        from kg.reasoning.attribution.shares import shares_if_heard

        if len(self.corpus) > SEARCH_LIMIT:
            return {}
        return self._by_edge(shares_if_heard(self.reading.graph).tolist())

    def _by_edge(self, shares: list[float]) -> dict[str, float]:
        """Turn shares of arcs into shares of edges: several premises, or twins, are one reason."""
        graph, edges = self.reading.graph, self.corpus.edges_by_id
        share_by_edge: dict[str, float] = {}
        for edge, node, share in zip(graph.edges, graph.dst.tolist(), shares, strict=True):
            if not math.isnan(share):
                target = edges[edge].target
                key = edge if graph.number_of.get(target, node) == node else edge + BACKWARD_MARK
                share_by_edge[key] = share_by_edge.get(key, 0.0) + share
        return share_by_edge

    @property
    def known_standings(self) -> Standings | None:
        """The standings, if they are known or were computed."""
        standings: Standings | None = vars(self).get("standings", self._known_standings)
        return standings

    @cached_property
    def _compute_standings(self) -> list[StatementStrength]:
        """Each node's strength, its word, what reasons add on either side, and how sure it is."""
        from kg.reasoning.answers.sureness import Sureness
        from kg.reasoning.arrays import bounded_logit, round_off
        from kg.reasoning.verdict_words import Outcome, quality_phrase, word_for

        no_sureness = Sureness("")
        graph = self.reading.graph
        pro, con = [0.0] * graph.size, [0.0] * graph.size
        for node, share in zip(graph.dst.tolist(), self._shares_of_arcs, strict=True):
            if node < graph.size and not math.isnan(share):
                side = pro if share > 0 else con
                side[node] += abs(share)
        state = self.reading.solution.state
        strengths = self.reading.solution.strength.tolist()
        bases, claims = graph.base.tolist(), graph.claim.tolist()
        starts = bounded_logit(graph.base).tolist()

        def word_of(node: int, strength: float) -> str:
            if not claims[node]:
                openings = state[graph.gate[graph.out_of(node)]].tolist()
                return quality_phrase(bases[node], strength, openings)
            start = starts[node]  # counts on its side, as in `keep_outcome`
            outcome = Outcome(strength, pro[node] + max(start, 0.0), con[node] + max(-start, 0.0))
            return word_for(outcome, self.reading.settings)

        words = [word_of(node, strength) for node, strength in enumerate(strengths[: graph.size])]
        sureness_by_node = [
            self._sureness_of_claim(node, words[node])
            if claims[node] and not math.isnan(strength)
            else no_sureness
            for node, strength in enumerate(strengths[: graph.size])
        ]
        return [
            StatementStrength(
                strength=None if math.isnan(strength) else round(strength, 6),
                word=words[node],
                sureness=sureness_by_node[node].word,
                limit=sureness_by_node[node].why,
                hangs_on=sureness_by_node[node].works,
                premise=sureness_by_node[node].premise,
                pro=round_off(pro[node]),
                con=round_off(con[node]),
                quality=None if claims[node] else bases[node],
            )
            for node, strength in enumerate(strengths[: graph.size])
        ]

    def _sureness_of_claim(self, node: int, word: str) -> Sureness:
        """How sure a claim is, and why no surer; in a large corpus judged only by its strength."""
        from kg.reasoning.answers.sureness import Sureness, sureness_of
        from kg.reasoning.reading import Question
        from kg.reasoning.verdict_words import limit_of_word, sureness_cap

        if len(self.corpus) > SEARCH_LIMIT:
            return Sureness(sureness_cap(word), limit_of_word(word))
        # not from the reading, which would keep the claim's own graph
        return sureness_of(Question(self.reading, self.reading.graph.ids[node], None))

    def of(self, id: str) -> StatementStrength:
        """The standing of a statement."""
        return self.standings.statements[id]

    def quality_words(self, id: str) -> str:
        """What a piece of evidence is, and its quality; empty for a claim."""
        standing = self.of(id)
        if standing.quality is None:
            return ""
        return quality_in_words(self.corpus.statements[id], self.grade(id), standing.reader_word)

    def share(self, edge: str) -> float:
        """What an edge adds to its target, in nats; 0 if it adds nothing.

        For a mutual edge, `BACKWARD_MARK` after its id asks for what it adds to its source.
        """
        return self.standings.shares.get(edge, 0.0)

    def share_if_heard(self, edge: str) -> float | None:
        """An edge's share if nothing undercut it; None if nothing does, or the corpus is large."""
        return self._shares_if_heard.get(edge)

    def count_independent(self, evidence: Iterable[str]) -> int:
        """How many independent sources some pieces of evidence come from."""
        graph = self._unweighed_reading.graph
        start, source_groups = graph.source_group_start, graph.source_group_of
        nodes = [graph.number_of[id] for id in evidence]
        return len(
            {
                group
                for node in nodes
                for group in source_groups[start[node] : start[node + 1]].tolist()
            }
        )

    def grade(self, id: str) -> Grade:
        """The base strength of a piece of evidence, with its terms."""
        return self.standings.grades[id]

    # -- lines -------------------------------------------------------------------------

    @memoized_method
    def count_bearing(self, line: str) -> int:
        """How many statements bear on a line's question; 0 if it weighs no proposition.

        They are counted without making the question's own graph, which would stay in memory.
        """
        graph, statement = (
            self._unweighed_reading.graph,
            self._unweighed_reading.question(line).statement,
        )
        ancestor_mask = graph.ancestors(graph.number_of[statement]).tolist() if statement else []
        return sum(ancestor_mask[: graph.size])

    def _answer_of_line(
        self, line: str, limit: int, find: Callable[[Reading, str], object], kind: type[AnswerType]
    ) -> AnswerType | None:
        """What `find` returns for a line, computed once; None if more than `limit` statements bear
        on its question, or it has none.
        """
        key = line, kind
        if key not in self._answers:
            answer = find(self.reading, line) if 0 < self.count_bearing(line) <= limit else None
            self._answers[key] = answer if isinstance(answer, kind) else None
        return cast("AnswerType | None", self._answers[key])

    def verdict(self, line: str) -> Verdict | None:
        """The verdict on a line's proposition; None if it has none, or that takes too long."""
        from kg.reasoning import verdict
        from kg.reasoning.answers.verdict import Verdict

        return self._answer_of_line(line, VERDICT_LIMIT, verdict, Verdict)

    def weighing(self, line: str) -> Weighing | None:
        """The data by which a browser weighs a line; None if it cannot, or that takes too long."""
        return self._answer_of_line(line, SEARCH_LIMIT, weighing, Weighing)

    def answers_on_subsets(self, line: str) -> tuple[AnswerOnSubset, ...]:
        """A line's answer if only some of its evidence counted; empty if no browser could tell."""
        if line not in self._answers_by_line:
            self._answers_by_line[line] = tuple(self._answers_on_part(line))
        return self._answers_by_line[line]

    def _answers_on_part(self, line: str) -> Iterator[AnswerOnSubset]:
        from kg.reasoning.answers.sureness import sureness_of
        from kg.reasoning.answers.whatif import reading_without
        from kg.reasoning.arrays import round_off
        from kg.reasoning.weighed_answer import side_now

        data = self.weighing(line)
        if data is None:
            return
        findings = [each for each in data.statements if each.quality is not None]
        subsets: list[tuple[str, str, Callable[[WeighedStatement], object]]] = [
            (name, part, attrgetter(name)) for name, part in EVIDENCE_SUBSETS.items()
        ]
        subsets += [
            (f"since {year}", f"what was published since {year}", partial(is_since, year))
            for year in data.years
        ]
        for name, part, is_counted in subsets:
            left_out_ids = [each.id for each in findings if not is_counted(each)]
            question = reading_without(self.reading, left_out_ids).question(line)
            if not math.isnan(question.strength):
                yield AnswerOnSubset(
                    name=name,
                    part=part,
                    counted=len(findings) - len(left_out_ids),
                    total=len(findings),
                    strength=round_off(question.strength),
                    side=side_now(question),
                    sureness=sureness_of(question).word,
                )

    def cruxes(self, line: str) -> Cruxes | None:
        """What a line's answer depends on; None if the search would take too long."""
        from kg.reasoning import crux
        from kg.reasoning.answers.crux import Cruxes

        return self._answer_of_line(line, SEARCH_LIMIT, crux, Cruxes)

    def objection_effects(self, line: str) -> dict[str, float]:
        """How far a line's answer moves if an opposing edge is removed, by the edge's id."""
        from kg.reasoning.attribution.edge_changes import moves_without_objections

        def find(reading: Reading, line: str) -> dict[str, float]:
            return moves_without_objections(reading.question(line))

        return self._answer_of_line(line, SEARCH_LIMIT, find, dict) or {}

    def flips(self, line: str) -> Flips | None:
        """Without which independent sources a line's answer would leave its side."""
        from kg.reasoning import flips
        from kg.reasoning.answers.flips import Flips

        return self._answer_of_line(line, SEARCH_LIMIT, partial(flips, by="source"), Flips)

    def robustness(self, line: str) -> Robustness | None:
        """How robust a line's answer is; None if the trials would take too long."""
        from kg.reasoning import robustness
        from kg.reasoning.answers.robustness import Robustness

        return self._answer_of_line(line, SEARCH_LIMIT, robustness, Robustness)

    def sources(self, line: str) -> Independence | None:
        """The independent sources that a line's answer rests on."""
        from kg.reasoning import independence
        from kg.reasoning.attribution.independence import Independence

        return self._answer_of_line(line, VERDICT_LIMIT, independence, Independence)

    def less_sure_without(self, line: str) -> dict[str, str]:
        """The sources without which a line's answer would be less sure, and its word then."""
        from kg.reasoning.answers.sureness_without import SurenessByLostSource, sureness_without

        return (
            self._answer_of_line(line, SEARCH_LIMIT, sureness_without, SurenessByLostSource)
            or SurenessByLostSource()
        )

    @cached_property
    def _losses_by_source(self) -> dict[str, list[SourceLoss]]:
        """For each source, the lines whose answer moves without it."""
        falls: dict[str, list[SourceLoss]] = {}
        for line in self.corpus.lines:
            independence = self.sources(line)
            word = self.of(independence.asked.statement).word if independence else ""
            for effect in independence.effects if independence else ():
                for key in effect.sources:
                    if effect.effect and independence:
                        fall = SourceLoss(
                            line=line,
                            sources=effect.sources,
                            before=independence.strength,
                            after=effect.strength,
                            word=word,
                            undoes=effect.undoes,
                            left=self.less_sure_without(line).get(effect.unit, ""),
                        )
                        falls.setdefault(key, []).append(fall)
        return falls

    def falls(self, source: str) -> list[SourceLoss]:
        """The lines' answers without a source and everything that counts as one with it."""
        return self._losses_by_source.get(source, [])

    # -- the whole corpus --------------------------------------------------------------

    @cached_property
    def tensions(self) -> Tensions | None:
        """The tensions of the corpus; None if the search would take too long."""
        from kg.reasoning import tensions

        return tensions(self.reading) if len(self.corpus) <= SEARCH_LIMIT else None  # type: ignore[return-value]

    @cached_property
    def gaps(self) -> Gaps | None:
        """Claims that rest on too little; None if the search would take too long."""
        from kg.reasoning import gaps

        return gaps(self.reading) if len(self.corpus) <= SEARCH_LIMIT else None  # type: ignore[return-value]

    @cached_property
    def unsupported_claims(self) -> list[str]:
        """Claims without a chain of support from any piece of evidence."""
        from kg.reasoning.answers.gaps import unsupported_claims

        return unsupported_claims(self.reading)
