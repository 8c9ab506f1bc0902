"""Strengths by the default rule, from docs/how-strength-is-computed.md and not from the program.

A method for each paragraph of “All rules and numbers”, on dictionaries; slow. A *context* is a set
of statements that may not speak (“Circles”); nats and voices are dictionaries by source.
"""

from collections import defaultdict
from math import exp, log
from typing import Any, NamedTuple

TIE, MAX_FORCE = 1e-12, 1 - 1e-12


class WeighedEdge(NamedTuple):
    """An edge from its `premises`, of which most have one, to a statement or an edge; the size is
    below 0 if it speaks against its target. `is_dependence`: i depends-on j is an edge from j to i.
    """

    id: Any
    premises: frozenset[Any]
    target: Any
    size: float
    is_dependence: bool = False


class ReferenceSolver:
    def __init__(self, bases, bases_unretracted, parts, evidence, edges, settings):
        """`parts` are those that sources have of each piece of `evidence`; the rest by id."""
        self.bases, self.bases_unretracted, self.parts = bases, bases_unretracted, parts
        self.evidence, self.settings = evidence, settings
        self.edges_to = defaultdict(list)  # by statement or, of undercuts, by edge
        for edge in edges:
            self.edges_to[edge.target].append(edge)
        self.known_sides = {}

    def shorten(self, context, i):
        """The context without those that `i` would not hear anyway, and with `i`."""
        heard, waiting = {i}, [i]
        while waiting:
            for edge in self.edges_to.get(waiting.pop(), ()):
                new = {edge.id, *edge.premises} - heard
                heard |= new
                waiting += new - context
        return frozenset({i, *(context & heard)})

    def strength(self, i, context=frozenset()):
        """Strength: σ(l + Σ pro − Σ con); `sides` counts l on its side."""
        pro, con = self.sides(i, context)
        return 1 / (1 + exp(min(sum(con.values()) - sum(pro.values()), 700)))

    def sides(self, i, context=frozenset()):
        """What a statement hears, for it and against it, and the log-odds of its base."""
        context = self.shorten(context, i)
        if (i, context) not in self.known_sides:
            base, sides = self.bases[i], (defaultdict(list), defaultdict(list))
            log_odds = log(base / (1 - base)) if base else -800
            sides[log_odds < 0]["own", i].append(abs(log_odds))
            for edge in self.edges_to.get(i, ()):
                for u, nats in self.nats_of_edge(edge, context).items():
                    is_own = i in self.evidence and u in self.parts[i]
                    if edge.size < 0 or not is_own:
                        size = abs(edge.size) * self.opening(edge.id, context)
                        sides[edge.size < 0][u].append(size * nats)
            self.known_sides[i, context] = tuple(map(self.count_once, sides))
        return self.known_sides[i, context]

    def count_once(self, nats):
        """Of each source the best counts, and `repeat` of the others."""
        return {u: max(y) + self.settings.repeat * (sum(y) - max(y)) for u, y in nats.items()}

    def nats_of_edge(self, edge, context):
        """What those of its premises say that are heard; of an edge depends-on, how far j fell."""
        if edge.premises & context:
            return {}
        if edge.is_dependence:
            (j,) = edge.premises
            fallen_part = 1 - self.strength(j, context) / self.bases_unretracted[j]
            return {("fall", j): self.settings.gain * max(0, fallen_part)}
        voices, nats = {j: self.voices(j, context) for j in edge.premises}, defaultdict(float)
        heard = self.heard_premises({j: sum(voices[j].values()) for j in voices})
        for j in heard:
            for u, y in voices[j].items():
                nats[u] += y / len(heard)
        return nats

    def heard_premises(self, amounts):
        """Premises that count only together: those that pass on the least."""
        return [j for j, amount in amounts.items() if amount <= min(amounts.values()) + TIE]

    def voices(self, j, context):
        """What a statement passes on."""
        if j in self.evidence:
            y = self.settings.gain * self.strength(j, context)
            return {u: y * part for u, part in self.parts[j].items()}
        pro, con = self.sides(j, context)
        backed, opposed = sum(pro.values()), sum(con.values())
        return {u: y * max(0, 1 - opposed / backed) if backed else 0 for u, y in pro.items()}

    def opening(self, edge, context):
        """Undercuts: g of an edge whose target is weighed in the context."""
        closing = defaultdict(list)
        for cut in self.edges_to.get(edge, ()):
            if not cut.premises & context:
                forces = {j: self.force(j, context) for j in cut.premises}
                closed, heard = defaultdict(float), self.heard_premises(forces)
                for j in heard:
                    force = cut.size * self.opening(cut.id, context) * forces[j]
                    voices = self.voices(j, context)
                    for u, y in voices.items() if any(voices.values()) else ():
                        part = y / sum(voices.values()) / len(heard)
                        closed[u] -= log(1 - min(force, MAX_FORCE)) * part
                for u, y in closed.items():
                    closing[u].append(y)
        return exp(-sum(self.count_once(closing).values()))

    def force(self, j, context):
        """How far an undercutter closes an edge by an open undercut of full size."""
        s = self.strength(j, context)
        return s if j in self.evidence else max(0, 2 * s - 1)
