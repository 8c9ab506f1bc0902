"""Strengths of statements for pages, computed once; searches only for small graphs."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from kg.corpus import Corpus
from kg.corpus.quality.evidence_quality import Quality
from kg.publish.context.read_marks import compared_whole, follows_inputs
from kg.publish.context.standings import (
    Standing,
    Standings,
    shares_unless_undercut,
    weigh_statements,
)
from kg.publish.context.weighing_inputs import digest_of_inputs
from kg.publish.markup.phrases import describe_quality
from kg.reasoning import (
    Reading,
    gaps,
    reading_of,
    tensions,
)
from kg.reasoning.answers.gaps import Gaps, claims_without_evidence
from kg.reasoning.answers.tensions import Tensions
from kg.reasoning.sensitivity.other_settings_and_rules import COMPARED_RULES
from kg.runtime.memoize import ResultsKeeper, memoize

# Statements that may bear on a question, or that there may be, before a build leaves searches to
# the command line: what would turn an answer is weighed again for each set of losses.
SEARCH_LIMIT = 500


class SiteStandings(ResultsKeeper):
    """Weighs a corpus under its own settings.

    If there are more than `SEARCH_LIMIT` statements, searches are left to the command line, and
    pages say so.
    """

    def __init__(self, corpus: Corpus, known_standings: Standings | None = None) -> None:
        """`known_standings` are earlier results, of a corpus with the same inputs."""
        self.corpus = corpus
        if known_standings is not None:
            SiteStandings._weigh_statements.give(self, known_standings)

    @cached_property
    def inputs_digest(self) -> bytes:
        """A digest of everything that these depend on."""
        return digest_of_inputs(self.corpus)

    @property
    def _is_small(self) -> bool:
        """Whether the whole corpus can be searched while the site is built."""
        return len(self.corpus) <= SEARCH_LIMIT

    @cached_property
    def unweighed_reading(self) -> Reading:
        """The corpus as numbers, of which nothing is solved before it is asked for."""
        return reading_of(self.corpus)

    @cached_property
    def reading(self) -> Reading:
        """The corpus as numbers, solved as a whole: pages ask in any order, and all must agree."""
        other_semantics = COMPARED_RULES if self._is_small else ()
        self.unweighed_reading.solve_whole(other_semantics)
        return self.unweighed_reading

    @memoize
    def _weigh_statements(self) -> Standings:
        return weigh_statements(self.reading, tries_losses=self._is_small)

    @property
    @follows_inputs
    def all_standings(self) -> Standings:
        """The standings of all statements, to be given to a later build."""
        return self._weigh_statements()

    @property
    def known_standings(self) -> Standings | None:
        """The standings, if they are known or were computed."""
        return SiteStandings._weigh_statements.recall(self)

    @cached_property
    def _shares_unless_undercut(self) -> dict[str, float]:
        return shares_unless_undercut(self.reading) if self._is_small else {}

    def of(self, id: str) -> Standing:
        """The standing of a statement."""
        return self.all_standings.statements[id]

    def quality_words(self, id: str) -> str:
        """Say what a piece of evidence is, and its quality; empty for a claim."""
        standing = self.of(id)
        if standing.quality is None or standing.strength is None:
            return ""
        evidence = self.corpus.statements[id]
        return describe_quality(evidence, self.quality_of(id), standing.quality, standing.strength)

    def share(self, edge: str) -> float:
        """Return what an edge adds to its target, in nats; 0 if it adds nothing.

        For a mutual edge, `BACKWARD_MARK` after its id asks for what it adds to its premise.
        """
        return self.all_standings.shares.get(edge, 0.0)

    def share_unless_undercut(self, edge: str) -> float | None:
        """An edge's share if nothing undercut it; None if nothing does, or the corpus is large."""
        return self._shares_unless_undercut.get(edge)

    @follows_inputs
    def count_independent(self, evidence: Iterable[str]) -> int:
        """Count the independent sources that some pieces of evidence come from."""
        graph = self.unweighed_reading.graph
        start, source_groups = graph.source_group_start, graph.source_group_of
        nodes = [graph.number_of[id] for id in evidence]
        return len(
            {
                group
                for node in nodes
                for group in source_groups[start[node] : start[node + 1]].tolist()
            }
        )

    def quality_of(self, id: str) -> Quality:
        """The base strength of a piece of evidence, with its terms."""
        return self.all_standings.qualities[id]

    # -- the whole corpus --------------------------------------------------------------

    @cached_property
    @compared_whole
    def tensions(self) -> Tensions | None:
        """The tensions of the corpus; None if the search would take too long."""
        return tensions(self.reading) if self._is_small else None  # type: ignore[return-value]

    @cached_property
    @compared_whole
    def gaps(self) -> Gaps | None:
        """Claims that rest on too little; None if the search would take too long."""
        return gaps(self.reading) if self._is_small else None  # type: ignore[return-value]

    @cached_property
    @compared_whole
    def claims_without_evidence(self) -> list[str]:
        """Claims without a chain of support from any piece of evidence."""
        return claims_without_evidence(self.reading)
