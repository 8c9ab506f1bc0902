"""What an answer owes to where reasons were filed, under five rules: `python -m bench.filing`.

Prints candidates × tests (each test is one body of evidence, noted in some way, and what it should
come to), then our own lines, the fact-checked claims with each article noted as a claim on the way,
and the worked examples. Decision 0028 holds the tables.
"""

from __future__ import annotations

import itertools
import json
import math
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

import kg
from bench.claims import agreement_rate, load_claims, load_notes, notes_by_article, tally
from kg import reasoning
from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning.graph.graph import Graph
from kg.reasoning.graph.node_circles import circle_of_nodes
from kg.reasoning.solution import solve
from kg.reasoning.strength_words import WeighingOutcome, strength_word
from tests.support.graphs import graph_of

ROOT = Path(__file__).parents[1]
ROUNDS, SETTLED_BELOW = 4000, 1e-11
CLOSE = 5e-4


class Strengths(NamedTuple):
    """Per statement its strength and what speaks for and against it, in nats."""

    strength: Sequence[float]
    pro: Sequence[float]
    con: Sequence[float]


Rule = Callable[[Graph], Strengths]


class Filing(NamedTuple):
    """One way of noting some evidence, and what it should come to."""

    name: str
    graph: Graph
    wanted: float


# -- candidates ---------------------------------------------------------------------------


def clipped_log_odds(cap: float) -> Callable[[float], float]:
    """A claim passes on its log-odds, up to `cap`."""
    return lambda odds: min(max(odds, 0.0), cap)


def parity_check(weight: float) -> Callable[[float], float]:
    """What a parity check of strength `weight` passes on in belief propagation."""
    hold = math.tanh(weight / 2)
    return lambda odds: 2 * math.atanh(hold * math.tanh(max(odds, 0.0) / 2))


def rule_of_one_number(transfer: Callable[[float], float]) -> Rule:
    """Sums in which a claim passes on one number, some function of its log-odds; of what stands
    in a circle, only the strongest reason of each kind counts.
    """
    return lambda graph: FixedPointSums(graph, transfer).settle()


class FixedPointSums:
    """Strengths settled by small steps, straight from the definition."""

    def __init__(self, graph: Graph, transfer: Callable[[float], float]) -> None:
        self.graph, self.transfer = graph, transfer
        self.part = circle_of_nodes(graph)
        self.base: list[float] = graph.base.tolist()
        self.state: list[float] = [*self.base, *[1.0] * graph.gate_count, 1.0]
        self.into = [graph.arcs_bearing_on(node).tolist() for node in range(graph.open_gate)]
        self.sums = [(0.0, 0.0)] * graph.open_gate

    def settle(self) -> Strengths:
        """Steps half of the way to where each statement is drawn, until none moves."""
        looped = bool((self.part >= 0).any())
        for _ in range(ROUNDS):
            drawn = [self.next_strength(node) for node in range(self.graph.open_gate)]
            moves = [new - old for new, old in zip(drawn, self.state, strict=False)]
            step = 0.5 if looped else 1.0
            self.state[:-1] = [
                old + step * move for old, move in zip(self.state, moves, strict=False)
            ]
            if max(map(abs, moves), default=0.0) < SETTLED_BELOW:
                break
        size = self.graph.size
        pro, con = zip(*self.sums[:size], strict=True)
        return Strengths(self.state[:size], pro, con)

    def next_strength(self, node: int) -> float:
        """Where a statement, or a gate, is drawn by its reasons."""
        if node >= self.graph.size:
            cuts = self.into[node]
            return math.prod(1.0 - self.force(arc) for arc in cuts)
        pro, con = self.side(node, 1.0), self.side(node, -1.0)
        self.sums[node] = (pro, con)
        start = self.base[node]
        if not 0.0 < start < 1.0:
            return start
        return 1.0 / (1.0 + math.exp(-(math.log(start / (1.0 - start)) + pro - con)))

    def force(self, arc: int) -> float:
        """How far an undercut closes its gate."""
        source = int(self.graph.arc_premise[arc])
        s = self.state[source]
        passed_on = max(2 * s - 1, 0.0) if self.graph.is_claim[source] else s
        return float(self.graph.arc_weight[arc]) * passed_on

    def side(self, node: int, sign: float) -> float:
        """The reasons of one kind, each source once."""
        best: dict[object, float] = {}
        within: list[float] = []
        for arc in self.into[node]:
            if sign * self.graph.arc_weight[arc] <= 0.0:
                continue
            parts = self.brought(arc)
            source = int(self.graph.arc_premise[arc])
            if self.part[node] >= 0 and self.part[node] == self.part[source]:
                within.append(sum(parts.values()))
                continue
            for unit, nats in parts.items():
                best[unit] = max(best.get(unit, 0.0), nats)
        return sum(best.values()) + max(within, default=0.0)

    def brought(self, arc: int) -> Mapping[object, float]:
        """What an arc brings, by source; what claims bring has no source any more."""
        graph, source = self.graph, int(self.graph.arc_premise[arc])
        s, size = (
            self.state[source],
            abs(float(graph.arc_weight[arc])) * self.state[int(graph.gate[arc])],
        )
        if graph.fallen[arc]:
            stood = max(float(graph.base_unretracted[source]), 1e-9)
            return {("fallen", arc): size * max(1.0 - s / stood, 0.0)}
        if graph.is_claim[source]:
            kept = min(max(s, 1e-12), 1.0 - 1e-12)
            return {("claim", arc): size * self.transfer(math.log(kept / (1.0 - kept)))}
        first, last = (
            int(graph.source_group_start[source]),
            int(graph.source_group_start[source + 1]),
        )
        return {
            int(graph.source_group_of[k]): size * s * float(graph.source_group_fraction[k])
            for k in range(first, last)
        }


def by_kg(**settings: object) -> Rule:
    """What `kg` itself finds under some settings."""

    def found(graph: Graph) -> Strengths:
        changed = graph.with_values(settings=graph.settings.model_copy(update=settings))
        solution = solve(changed)
        pro, con = np.zeros(graph.size), np.zeros(graph.size)
        if solution.by_voices is not None:
            pro, con = solution.by_voices.pro[:, 0], solution.by_voices.con[:, 0]
        else:
            pro, con = np.array(
                FixedPointSums(graph, lambda odds: math.tanh(odds / 2)).settle()[1:]
            )
        return Strengths(solution.strength.tolist(), pro.tolist(), con.tolist())

    return found


RULES: Mapping[str, Rule] = {
    "earned": by_kg(transfer="earned"),
    "bounded 1": rule_of_one_number(clipped_log_odds(1.0)),
    "bounded 3": rule_of_one_number(clipped_log_odds(3.0)),
    "check 2": rule_of_one_number(parity_check(2.0)),
    "check 3": rule_of_one_number(parity_check(3.0)),
    "routes": by_kg(transfer="routes"),
}

# -- tests --------------------------------------------------------------------------------


def strength_of_nats(nats: float) -> float:
    """The strength that so many nats leave a claim with."""
    return 1.0 / (1.0 + math.exp(-nats))


def graph(
    arcs: Iterable[tuple[str, str, float]],
    evidence: Mapping[str, float],
    units: Mapping[str, tuple[str, ...]] | None = None,
) -> Graph:
    """A graph of evidence, and of claims for every other name."""
    listed = list(arcs)
    claims = dict.fromkeys(["q", *(end for a, b, _ in listed for end in (a, b))])
    base = {**{name: 0.5 for name in claims if name not in evidence}, **evidence}
    return graph_of(
        base, listed, claims=[name for name in base if name not in evidence], source_groups=units
    )


def studies(
    count: int, to: str, quality: float = 0.5, sign: float = 1.0, name: str = "e"
) -> tuple[list[tuple[str, str, float]], dict[str, float]]:
    """Arcs of independent studies, and their qualities."""
    names = [f"{name}{k}" for k in range(count)]
    return [(each, to, sign) for each in names], dict.fromkeys(names, quality)


def arcs_through_claims(count: int, source: str) -> list[tuple[str, str, float]]:
    """Arcs from a source to the question by so many claims."""
    ways = [f"c{k}" for k in range(count)]
    return [(source, way, 1.0) for way in ways] + [(way, "q", 1.0) for way in ways]


def chain(length: int) -> Filing:
    """A study below so many claims that restate each other."""
    steps = ["e", *(f"c{k}" for k in range(length)), "q"]
    arcs = [(a, b, 1.0) for a, b in itertools.pairwise(steps)]
    return Filing(
        f"a study of .95 below {length} claims", graph(arcs, {"e": 0.95}), strength_of_nats(0.95)
    )


def filings() -> list[Filing]:
    """Ways of noting some evidence."""
    quotes = {f"e{k}": 0.9 for k in range(10)}
    tens = [arc for k in range(10) for arc in ((f"e{k}", f"c{k}", 1.0), (f"c{k}", "q", 1.0))]
    nine, of_nine = studies(9, "h")
    five, of_five = studies(5, "h")
    six, of_six = studies(6, "q", sign=-1.0, name="a")
    thirty, of_thirty = studies(30, "q", 0.1)
    slight = [*arcs_through_claims(10, "e"), *((("f", f"c{k}", 1.0)) for k in range(10))]
    circle = [("e", "A", 1.0), ("A", "q", 1.0), ("q", "A", 1.0)]
    bare = [(f"c{k}", "q", 1.0) for k in range(10)]
    one = dict.fromkeys(quotes, ("s",))
    hub = ("h", "q", 1.0)
    return [
        Filing(
            "a study of .9 through ten claims",
            graph(arcs_through_claims(10, "e"), {"e": 0.9}),
            strength_of_nats(0.9),
        ),
        Filing("ten quotes of it, a claim each", graph(tens, quotes, one), strength_of_nats(0.9)),
        Filing(
            "with a slight one beside it",
            graph(slight, {"e": 0.9, "f": 0.05}),
            strength_of_nats(0.95),
        ),
        *(chain(length) for length in (1, 3, 5)),
        Filing("nine of .5 under one claim", graph([*nine, hub], of_nine), strength_of_nats(4.5)),
        Filing(
            "five under one claim, six directly against",
            graph([*five, *six, hub], {**of_five, **of_six}),
            strength_of_nats(-0.5),
        ),
        Filing("a claim repeated ten times", graph(bare, {}), 0.5),
        Filing(
            "a study of .6 in a circle of two", graph(circle, {"e": 0.6}), strength_of_nats(0.6)
        ),
        Filing("thirty of .1", graph(thirty, of_thirty), strength_of_nats(3.0)),
    ]


# -- tables -------------------------------------------------------------------------------


def print_row(title: str, cells: Iterable[str]) -> None:
    """One row."""
    print(f"{title:44}" + "".join(f"{cell:>25}" for cell in cells), flush=True)


def main() -> None:
    """Print every table."""
    print_row("what it should come to, and does", ["wanted", *RULES])
    for filed in filings():
        node = filed.graph.number_of["q"]
        found = [rule(filed.graph).strength[node] for rule in RULES.values()]
        marks = [f"{s:.3f}{' ' if abs(s - filed.wanted) < CLOSE else '*'}" for s in found]
        print_row(filed.name, [f"{filed.wanted:.3f} ", *marks])
    _lines()
    _claims()
    _examples()


def _words(
    reading: reasoning.Reading, names: Iterable[str]
) -> dict[str, dict[str, tuple[float, str]]]:
    """Per rule, per statement: its strength and word."""
    found: dict[str, dict[str, tuple[float, str]]] = {}
    nodes = {name: reading.graph.number_of[name] for name in names}
    for title, rule in RULES.items():
        all_of = rule(reading.graph)
        found[title] = {
            name: (
                all_of.strength[k],
                strength_word(
                    WeighingOutcome(all_of.strength[k], all_of.pro[k], all_of.con[k]), Reasoning()
                ),
            )
            for name, k in nodes.items()
        }
    return found


def _lines() -> None:
    reading = reasoning.reading_of(kg.load(ROOT / "notes"))
    asked = [line.proposition for line in reading.corpus.lines.values() if line.proposition]
    found = _words(reading, asked)
    print_row("\nour own lines", RULES)
    for name in asked:
        print_row(name[:42], [f"{found[r][name][0]:.3f} {found[r][name][1]}" for r in RULES])
    off = [max(abs(found[r][name][0] - found["routes"][name][0]) for name in asked) for r in RULES]
    print_row("farthest from routes", [f"{each:.3f}" for each in off])


def _claims() -> None:
    claims = load_claims()
    with tempfile.TemporaryDirectory() as folder:
        reading = reasoning.reading_of(load_notes(Path(folder), notes_by_article(claims)))
    found = _words(reading, [f"c{claim.number}" for claim in claims])
    shares = []
    for rule in RULES:
        words = {claim.number: found[rule][f"c{claim.number}"][1] for claim in claims}
        shares.append(f"{agreement_rate(tally(claims, words)):.3f}")
    print_row("\nfact-checked claims, a claim per article", RULES)
    print_row("words that agree with the label", shares)


def _examples() -> None:
    examples = json.loads((ROOT / "tests/data/reasoning-examples.json").read_text("utf-8"))
    circles = next(each for each in examples if each["id"] == 4)["expect"]["strength"]
    arcs = [("A", "B", 1.0), ("B", "A", 1.0), ("e", "A", 1.0)]
    two = graph_of({"A": 0.5, "B": 0.5, "e": 0.6}, arcs, claims="AB")
    print_row("\nworked example 4, e=.6 for A", ["expected", *RULES])
    for name in "AB":
        expected = circles["evidence e=.6 for A, zero=0.5"][name]
        found = [rule(two).strength[two.number_of[name]] for rule in RULES.values()]
        print_row(f"  {name}", [f"{expected:.3f}", *(f"{s:.3f}" for s in found)])


if __name__ == "__main__":
    main()
