"""The standing of a statement or a line's answer, as pages show it, and how it is computed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from kg.corpus.quality.evidence_quality import Quality
from kg.model import Bearing, Value
from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning import Reading
from kg.reasoning.graph.arrays import bounded_logit, round_off
from kg.reasoning.losses.source_losses import count_contributing_sources
from kg.reasoning.reasons.shares import arc_shares, arc_shares_unless_undercut
from kg.reasoning.strength_words import (
    WeighingOutcome,
    quality_phrase,
    render_strength,
    side_of,
    strength_word,
)
from kg.reasoning.sureness import describe_why_no_surer, sureness_of
from kg.reasoning.sureness_words import (
    BETWEEN_CLAUSES,
    SCALE_WORDS,
    LimitedSureness,
    Sureness,
    answer_phrase,
    frame_held_back,
    greatest_sureness,
    held_strength,
    is_held_back,
    remark_if_held_back,
)
from kg.text.plurals import join_with_and

BACKWARD_MARK = "<"  # follows the id of a mutual edge to mean its other direction
# The results by which claims are counted, the surest that a claim holds first.
RESULT_WORDS = SCALE_WORDS[::-1]


def direction_key(bearing: Bearing) -> str:
    """The key by which `SiteStandings` knows one direction of an edge."""
    return f"{bearing.edge.id}{BACKWARD_MARK}" if bearing.is_reversed else bearing.edge.id


class Standing(Value, frozen=True):
    """The standing of a statement: its strength, strength word and sureness, as pages show them."""

    strength: float | None
    """From 0 to 1; of evidence how much it can carry. None if no stable one was found."""
    word: str
    """The strength word of a claim: `leans supported`; of evidence its quality."""
    pro: float = 0.0
    """The nats of the reasons for it."""
    con: float = 0.0
    """The nats of the reasons against it."""
    quality: float | None = None
    """The base of evidence; None of a claim."""
    sureness_basis: LimitedSureness = LimitedSureness(Sureness.NONE)
    """How sure a claim is, in the same words as a line's answer, and why no surer."""
    held_strength: float | None = None
    """Its place on a scale: the strength, but of a claim no farther than its sureness reaches."""
    clauses_why_held: tuple[str, ...] = ()
    """Why `held_strength` is short of the strength, the gravest reason first; else empty."""
    source_count: int = 0
    """The number of independent sources that count for it or against it."""

    @property
    def sureness(self) -> Sureness:
        return self.sureness_basis.sureness

    @property
    def answer_phrase(self) -> str:
        """The word that readers see: “probably”, “perhaps not”; for evidence its quality."""
        return answer_phrase(self.word, self.sureness)

    @property
    def sureness_steps(self) -> int:
        """The sureness as a number: 1 perhaps, 2 probably, 3 very probably; negative if it is
        against the claim, 0 if it takes no side.
        """
        return self.sureness.steps * side_of(self.word)

    def describe_strength(self, settings: Reasoning) -> str:
        """`strength 0.72`; where that is held back, `strength 0.89 by the weights alone`."""
        if self.strength is None:
            return ""
        hold = remark_if_held_back(self.strength, self.held_strength)
        return f"strength {render_strength(self.strength, settings)}{hold}"

    @property
    def limit_in_words(self) -> str:
        """The reason why a claim is no surer, if others of the same strength may be; empty if its
        sureness follows from the strength alone.
        """
        return self.sureness_basis.limit.besides_strength

    @property
    def word_with_reason(self) -> str:
        """`perhaps (depends on one source)`: the word that readers see, with
        `limit_in_words`.
        """
        limit = self.limit_in_words
        return f"{self.answer_phrase} ({limit})" if limit else self.answer_phrase

    @property
    def word_explained(self) -> str:
        """`word_with_reason`; where that holds a claim back, a sentence that says both."""
        if not self.clauses_why_held:
            return self.word_with_reason
        clauses = BETWEEN_CLAUSES.join(self.clauses_why_held)
        frame = frame_held_back(self.answer_phrase, answer_phrase(self.word))
        return clauses.join(frame).removesuffix(".")


class Standings(Value, frozen=True):
    """The standings of all statements, what each edge adds (by the keys of `SiteStandings.share`),
    and the qualities of evidence.
    """

    statements: dict[str, Standing] = {}
    shares: dict[str, float] = {}
    qualities: dict[str, Quality] = {}


class SourceLoss(Value, frozen=True):
    """A line's answer before and after the loss of a source and all that count as one with it.

    `word` is the strength word of the answer now; `takes_from_side` says that
    without them it would leave its side, `sureness` is how sure the answer is now, and
    `sureness_without` how sure it is without them, where it stays on its side and that is another
    one.
    """

    line_id: str
    sources: tuple[str, ...]
    strength_before: float | None
    strength_after: float | None
    word: str
    takes_from_side: bool
    sureness: Sureness = Sureness.NONE
    sureness_without: Sureness = Sureness.NONE


# -- computed --------------------------------------------------------------------------------


def weigh_statements(reading: Reading, *, tries_losses: bool) -> Standings:
    """The standings of all statements. What a claim hangs on is found by trying losses, which takes
    long in a large corpus: without `tries_losses`, only its strength says how sure it is.
    """
    shares: list[float] = arc_shares(reading.graph, reading.solution.state).tolist()
    standings = list(_standings_by_node(reading, shares, tries_losses))
    number_of = reading.graph.number_of
    return Standings(
        statements={id: standings[number_of[id]] for id in reading.corpus.statements},
        shares=_sum_by_edge(reading, shares),
        qualities=dict(reading.qualities),
    )


def shares_unless_undercut(reading: Reading) -> dict[str, float]:
    """Return what each undercut edge would add if nothing undercut it, by the keys of
    `Standings`.
    """
    return _sum_by_edge(reading, arc_shares_unless_undercut(reading.graph).tolist())


def _sum_by_edge(reading: Reading, shares: Sequence[float]) -> dict[str, float]:
    """Turn shares of arcs into shares of edges: several premises, or twins, are one reason."""
    graph, edges = reading.graph, reading.corpus.edges_by_id
    share_by_edge: dict[str, float] = {}
    for edge, node, share in zip(graph.edge_of_arc, graph.arc_target.tolist(), shares, strict=True):
        if not math.isnan(share):
            target = edges[edge].target
            key = edge if graph.number_of.get(target, node) == node else edge + BACKWARD_MARK
            share_by_edge[key] = share_by_edge.get(key, 0.0) + share
    return share_by_edge


def _standings_by_node(
    reading: Reading, shares: Sequence[float], tries_losses: bool
) -> Iterator[Standing]:
    graph, solution = reading.graph, reading.solution
    pro, con = _weights_of_sides(reading, shares)
    strengths = solution.strength.tolist()[: graph.size]
    bases, is_claim = graph.base.tolist(), graph.is_claim.tolist()
    starts, source_counts = bounded_logit(graph.base).tolist(), count_contributing_sources(graph)
    for node, strength in enumerate(strengths):
        word: str
        limited, question = LimitedSureness(Sureness.NONE), None
        if is_claim[node]:
            # the start counts on its side as a reason would
            pro_with_start = pro[node] + max(starts[node], 0.0)
            con_with_start = con[node] + max(-starts[node], 0.0)
            word = strength_word(
                WeighingOutcome(strength, pro_with_start, con_with_start), reading.settings
            )
            if not math.isnan(strength):
                question = reading.fresh_question(graph.ids[node]) if tries_losses else None
                limited = sureness_of(question) if question else greatest_sureness(word)
        else:
            gates = solution.state[graph.gate[graph.out_of(node)]].tolist()
            word = quality_phrase(bases[node], strength, gates)
        held = _held_strength(limited.sureness, word, strength, reading)
        is_held = is_held_back(strength, held)
        yield Standing(
            strength=None if math.isnan(strength) else round(strength, 6),
            word=word,
            sureness_basis=limited,
            held_strength=held,
            clauses_why_held=describe_why_no_surer(question) if question and is_held else (),
            pro=round_off(pro[node]),
            con=round_off(con[node]),
            quality=None if is_claim[node] else bases[node],
            source_count=source_counts[node],
        )


def _held_strength(
    sureness: Sureness, word: str, strength: float, reading: Reading
) -> float | None:
    """The `held_strength` of a statement; None without a stable strength."""
    if math.isnan(strength):
        return None
    return round(held_strength(sureness, side_of(word), strength, reading.settings), 6)


def _weights_of_sides(reading: Reading, shares: Sequence[float]) -> tuple[list[float], list[float]]:
    """Sum, for each statement, the reasons for it, and the reasons against it."""
    size = reading.graph.size
    pro, con = [0.0] * size, [0.0] * size
    for node, share in zip(reading.graph.arc_target.tolist(), shares, strict=True):
        # nodes from `size` on are the gates of arcs, not statements
        if node < size and not math.isnan(share):
            side = pro if share > 0 else con
            side[node] += abs(share)
    return pro, con


class ClaimsByResult(NamedTuple):
    """The numbers of claims with each result; each claim is counted once."""

    very_probably: int
    probably: int
    perhaps: int
    undecided: int
    perhaps_not: int
    probably_not: int
    very_probably_not: int

    @classmethod
    def from_claims(cls, claims: Iterable[Standing]) -> ClaimsByResult:
        """The claims with these standings, counted."""
        counts = Counter(each.sureness_steps for each in claims)
        return cls(*(counts[steps] for steps in range(3, -4, -1)))

    @property
    def claims(self) -> int:
        return sum(self)

    @property
    def in_words(self) -> str:
        """`41 are “probably”, 1 is “perhaps not” and 34 are undecided`; results without a claim are
        not named.
        """
        counts = [
            f"{count} {'is' if count == 1 else 'are'} "
            f"{word if word == Sureness.UNDECIDED else f'“{word}”'}"
            for count, word in zip(self, RESULT_WORDS, strict=True)
            if count
        ]
        return join_with_and(counts)
