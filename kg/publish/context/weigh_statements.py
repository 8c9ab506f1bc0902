"""The standing of every statement of a corpus, and what each edge adds to its target."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from kg.publish.context.standings import BACKWARD_MARK, Standings, StatementStrength
from kg.reasoning import Reading
from kg.reasoning.answers.sureness import Sureness, sureness_of
from kg.reasoning.attribution.shares import arc_shares, shares_if_heard
from kg.reasoning.attribution.source_nats import sources_heard
from kg.reasoning.graph.arrays import bounded_logit, round_off
from kg.reasoning.reading import Question
from kg.reasoning.verdict_words import (
    Outcome,
    held_strength,
    limit_of_word,
    quality_phrase,
    sureness_cap,
    word_for,
)


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
        grades=dict(reading.grades),
    )


def shares_if_nothing_undercut(reading: Reading) -> dict[str, float]:
    """What each edge that is undercut would add if it were not, by the keys of `Standings`."""
    return _sum_by_edge(reading, shares_if_heard(reading.graph).tolist())


def _sum_by_edge(reading: Reading, shares: Sequence[float]) -> dict[str, float]:
    """Turn shares of arcs into shares of edges: several premises, or twins, are one reason."""
    graph, edges = reading.graph, reading.corpus.edges_by_id
    share_by_edge: dict[str, float] = {}
    for edge, node, share in zip(graph.edges, graph.arc_target.tolist(), shares, strict=True):
        if not math.isnan(share):
            target = edges[edge].target
            key = edge if graph.number_of.get(target, node) == node else edge + BACKWARD_MARK
            share_by_edge[key] = share_by_edge.get(key, 0.0) + share
    return share_by_edge


def _standings_by_node(
    reading: Reading, shares: Sequence[float], tries_losses: bool
) -> Iterator[StatementStrength]:
    graph, solution = reading.graph, reading.solution
    pro, con = _weights_of_sides(reading, shares)
    strengths = solution.strength.tolist()[: graph.size]
    bases, claims = graph.base.tolist(), graph.claim.tolist()
    starts, source_counts = bounded_logit(graph.base).tolist(), sources_heard(graph)
    for node, strength in enumerate(strengths):
        word: str
        sureness = Sureness("")
        if claims[node]:
            # the start counts on its side as a reason would
            pro_with_start = pro[node] + max(starts[node], 0.0)
            con_with_start = con[node] + max(-starts[node], 0.0)
            word = word_for(Outcome(strength, pro_with_start, con_with_start), reading.settings)
            if not math.isnan(strength):
                sureness = _sureness_of_claim(reading, node, word, tries_losses)
        else:
            gates = solution.state[graph.gate[graph.out_of(node)]].tolist()
            word = quality_phrase(bases[node], strength, gates)
        yield StatementStrength(
            strength=None if math.isnan(strength) else round(strength, 6),
            word=word,
            sureness=sureness.word,
            held=_place_of(sureness.word, word, strength, reading),
            limit=sureness.why,
            hangs_on=sureness.works,
            premise=sureness.premise,
            pro=round_off(pro[node]),
            con=round_off(con[node]),
            quality=None if claims[node] else bases[node],
            sources=source_counts[node],
        )


def _place_of(sureness: str, word: str, strength: float, reading: Reading) -> float | None:
    """Where a claim stands on a scale; None for evidence, and without a stable strength."""
    if not sureness or math.isnan(strength):
        return None
    return round(held_strength(sureness, word, strength, reading.settings), 6)


def _weights_of_sides(reading: Reading, shares: Sequence[float]) -> tuple[list[float], list[float]]:
    """For each statement, what its reasons for it add up to, and those against it."""
    size = reading.graph.size
    pro, con = [0.0] * size, [0.0] * size
    for node, share in zip(reading.graph.arc_target.tolist(), shares, strict=True):
        # nodes from `size` on are the gates of arcs, not statements
        if node < size and not math.isnan(share):
            side = pro if share > 0 else con
            side[node] += abs(share)
    return pro, con


def _sureness_of_claim(reading: Reading, node: int, word: str, tries_losses: bool) -> Sureness:
    """How sure a claim is, and why no surer."""
    if not tries_losses:
        return Sureness(sureness_cap(word), limit_of_word(word))
    # a question of its own, as the reading would keep the claim's graph
    return sureness_of(Question(reading, reading.graph.ids[node], None))
