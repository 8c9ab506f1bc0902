"""Strengths under the rule of routes: an independent source counts once, by its best route.

    y_j(u)   what j passes on of the source u, in nats
             evidence: gain · strength / (number of its sources), for each of its own sources
             claim: pro_j(u) · max(0, 1 − C_j / P_j)
    pro_i(u) the best of w · gate · y_j(u) over what supports i; con_i(u) of what is against it
    P_i, C_i their sums over u, with the log-odds of i's own base on its side
    s_i      σ(P_i − C_i) for claims; evidence starts from the log-odds of its quality

A claim hands on what its supporters bring, less the part that its objectors take. So it makes no
difference whether a reason is filed at a question or at a claim that stands for it, into how
many claims it is split, or how often it is repeated.

Of premises that count only together, the one with the least to pass on (the sum of y over u) is
heard, the others are not: the joint reason is as weak as its weakest premise, and bare with a
bare one. It is that premise whose sources speak. So where the other's sources are heard at i by
better ways, a premise that outgrows the other may cost i something.
"""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from kg.reasoning.arrays import Floats, Ints
from kg.reasoning.columns import Columns
from kg.reasoning.graph import LEAST_STANDING, Graph
from kg.reasoning.quality import BOUNDS, UNKNOWN
from kg.reasoning.routes_plan import Level, Plan, plan_of, spans

CLOSED = 1.0 - 1e-12
TIE = 1e-12


@dataclass(frozen=True, slots=True)
class Routes:
    """Strengths of a graph under scenarios (one per column), and what brought them about.

    `state` holds statements, then gates, then a 1; `pro` and `con` (statements × scenarios) are
    the sums of reasons for and against, in nats. `shares` (arcs × scenarios), where asked for, is
    what each arc adds to its target.
    """

    state: Floats
    pro: Floats
    con: Floats
    shares: Floats | None

    def among(self, numbers: Ints) -> Routes:
        """The same for the statements among `numbers` (statements, gates, then the last)."""
        own = numbers[numbers < len(self.pro)]
        return Routes(self.state[numbers], self.pro[own], self.con[own], None)


_SHARES: WeakKeyDictionary[Graph, Floats] = WeakKeyDictionary()


def shares_of(graph: Graph) -> Floats:
    """What each arc adds to its target as things stand, once."""
    found = _SHARES.get(graph)
    if found is None:
        shares = solve_routes(graph, None, shares=True).shares
        found = _SHARES[graph] = np.zeros(0) if shares is None else shares[:, 0]
    return found


def solve_routes(graph: Graph, columns: Columns | None, shares: bool = False) -> Routes:
    """The strengths of `graph` in every scenario, in one pass."""
    run = Run(graph, columns, shares)
    for level in run.plan.levels:
        run.answer(level)
    size = graph.silent
    one = np.ones((1, run.width))
    pro, con = run.pro[: graph.size], run.con[: graph.size]
    return Routes(np.concatenate([run.state[:size], one]), pro, con, run.shares)


class Run:
    """One pass through a plan."""

    def __init__(
        self,
        graph: Graph,
        columns: Columns | None,
        shares: bool = False,
        plan: Plan | None = None,
    ) -> None:
        self.graph, self.columns = graph, columns
        self.width = 1 if columns is None else columns.count
        settings = graph.settings
        self.gain: float | Floats = settings.gain
        self.repeat: float | Floats = settings.repeat
        if columns is not None and columns.gain is not None:
            self.gain = columns.gain
        if columns is not None and columns.repeat is not None:
            self.repeat = columns.repeat
        self.plan = plan = plan or plan_of(graph, _raises_claims(graph, columns))
        self.origin = np.where(plan.gates, 0, plan.unfolded.origin)
        count = len(plan.unfolded.origin)
        self.base, self.start = self._base(), log_odds(graph.base)[self.origin][:, None]
        self.state = np.where(plan.gates[:, None], 1.0, self.base)
        self.voice = np.zeros((plan.voices, self.width))
        self.total = np.zeros((count, self.width))
        self.pro, self.con = np.zeros((count, self.width)), np.zeros((count, self.width))
        self.w = graph.w[plan.unfolded.arc][:, None]
        self.signs = np.sign(self.w)
        if columns is not None and columns.w is not None:
            self.w = columns.w[plan.unfolded.arc]
        self.shares = np.zeros((len(graph.src), self.width)) if shares else None
        reached = np.zeros(count, dtype=bool)
        for level in plan.levels:
            reached[level.nodes] = True
        bare = np.flatnonzero(~reached & ~plan.gates)
        self._hold(bare)
        self._speak(bare, self.pro[bare], self.con[bare])

    def _base(self) -> Floats:
        base = self.graph.base[:, None]
        if self.columns is not None and self.columns.base is not None:
            base = self.columns.base
        return np.broadcast_to(base, (self.graph.size, self.width))[self.origin]

    def answer(self, level: Level) -> Floats:
        """Work out the targets of a level, and what they pass on; returns what each row brought."""
        plan, nodes = self.plan, level.nodes
        brought = self._brought(level)
        pro, con = np.zeros((len(nodes), self.width)), np.zeros((len(nodes), self.width))
        best = brought[:0]
        if len(level.starts):
            best = _counted(brought, level, self.repeat)
            sums = np.add.reduceat(best, level.sides, axis=0)
            owner, of_pro = level.owner[level.sides], level.pro[level.sides]
            pro[owner[of_pro]], con[owner[~of_pro]] = sums[of_pro], sums[~of_pro]
        if self.shares is not None and len(level.rows):
            self._share(level, brought)
        gates = plan.gates[nodes]
        if gates.any():
            self.state[nodes[gates]] = np.exp(-pro[gates] - con[gates])
        self.pro[nodes], self.con[nodes] = pro, con
        own = nodes[~gates]
        self._settle(own, pro[~gates], con[~gates])
        self.voice[level.heirs] = best[level.heard]
        self._speak(own, pro[~gates], con[~gates])
        return brought

    def _brought(self, level: Level) -> Floats:
        """What each row brings: a voice, less what weakens the arc that carries it."""
        tree = self.plan.unfolded
        weight = level.size[:, None]
        if self.columns is not None and self.columns.w is not None:
            # a weight that changed its sign in a scenario is left out there
            weight = np.maximum(self.w[level.arcs] * self.signs[level.arcs], 0.0)
        if level.joint is not None:
            weight = weight * self.hearing(level)
        voice = self.voice[level.rows]
        if not self.graph.gates:
            return np.asarray(voice * weight)
        gate = tree.gate[level.arcs]
        if (gate >= 0).any():
            weight = weight * np.where(gate[:, None] >= 0, self.state[gate], 1.0)
        cuts = self.plan.gates[level.nodes][level.owner[level.slot_of]]
        if not cuts.any():
            return np.asarray(voice * weight)
        # an undercut closes its gate by a share of what is left open: its sources share the rest
        source = tree.src[level.arcs]
        spoken = self.total[source]
        part = np.divide(voice, spoken, out=np.zeros_like(voice), where=spoken > 0.0)
        closing = -np.log1p(-np.minimum(weight * self._force(source), CLOSED))
        return np.where(cuts[:, None], part * closing, voice * weight)

    def hearing(self, level: Level) -> Floats | float:
        """Per row 1, or 0 where it comes by a premise of a joint reason that is not its weakest.

        Premises are compared by all that they pass on, in nats; those of an undercut by force.
        """
        if level.joint is None:
            return 1.0
        tree, arcs = self.plan.unfolded, level.linked
        said = self.total[tree.src[arcs]]
        cuts = self.plan.gates[tree.dst[arcs]][:, None]
        if cuts.any():
            said = np.where(cuts, self._force(tree.src[arcs]), said)
        if self.columns is not None and self.columns.w is not None:
            said = np.where(self.w[arcs] * self.signs[arcs] > 0.0, said, 0.0)
        heard = level.joint.heard(said)
        return np.where((level.premise >= 0)[:, None], heard[level.premise], True).astype(float)

    def _force(self, nodes: Ints) -> Floats:
        """From 0 to 1, how far a statement's word is good against a reason."""
        s = self.state[nodes]
        force = np.where(self.plan.claims[nodes][:, None], np.maximum(2.0 * s - 1.0, 0.0), s)
        return force if self._voiced is None else force * self._voiced[self.origin[nodes]]

    @property
    def _voiced(self) -> Floats | None:
        return None if self.columns is None else self.columns.voice

    def _settle(self, nodes: Ints, pro: Floats, con: Floats) -> None:
        """The strengths of statements with their reasons."""
        base = self.base[nodes]
        decay = np.exp(-np.clip(pro - con, -700.0, 700.0))
        self.state[nodes] = base / (base + (1.0 - base) * decay)
        self._hold(nodes)

    def _hold(self, nodes: Ints) -> None:
        columns = self.columns
        if columns is not None and columns.fixed is not None and columns.value is not None:
            held = columns.fixed[self.origin[nodes]]
            self.state[nodes] = np.where(held, columns.value[self.origin[nodes]], self.state[nodes])

    def _speak(self, nodes: Ints, pro: Floats, con: Floats) -> None:
        """Set what statements pass on, of their own and of what they inherited."""
        plan, graph = self.plan, self.graph
        claims = plan.claims[nodes]
        evidence = nodes[~claims]
        self._say_own(evidence, self.gain * self.state[evidence])
        self._argue(nodes[claims], pro[claims], con[claims])
        if self._voiced is not None:
            places = _voices(plan, nodes)
            self.voice[places] *= self._voiced[self.origin[plan.speaker[places]]]
        if graph.gates or graph.linked:
            self._sum_up(nodes[plan.voice_count[nodes] > 0])
        premises = nodes[plan.fall[nodes] >= 0]
        if len(premises):
            standing = np.maximum(graph.standing[self.origin[premises]], LEAST_STANDING)[:, None]
            fallen = self.gain * np.maximum(1.0 - self.state[premises] / standing, 0.0)
            if self._voiced is not None:
                fallen = fallen * self._voiced[self.origin[premises]]
            self.voice[plan.fall[premises]] = fallen

    def _sum_up(self, nodes: Ints) -> None:
        """What statements pass on in all."""
        if len(nodes):
            count = self.plan.voice_count[nodes]
            voices = self.voice[_voices(self.plan, nodes)]
            self.total[nodes] = np.add.reduceat(voices, np.cumsum(count) - count, axis=0)

    def _say_own(self, nodes: Ints, nats: Floats) -> None:
        plan = self.plan
        count = plan.own_count[nodes]
        if not count.any():
            return
        many = np.repeat(np.arange(len(nodes)), count)
        own = _own(plan, nodes)
        part = plan.part[own][:, None]
        if self.columns is not None and self.columns.part is not None:
            part = self.columns.part[plan.entry[own]]
        self.voice[own] = nats[many] * part

    def _argue(self, nodes: Ints, pro: Floats, con: Floats) -> None:
        """What claims pass on: all that speaks for them, less what their objectors take."""
        if not len(nodes):
            return
        plan, start = self.plan, self.start[nodes]
        if self.columns is not None and self.columns.base is not None:
            start = log_odds(self.base[nodes])
        mine, doubt = np.maximum(start, 0.0), np.maximum(-start, 0.0)
        backed = pro + mine
        some = backed > 0.0
        left = np.divide(con + doubt, backed, out=np.ones_like(backed), where=some)
        np.maximum(np.subtract(1.0, left, out=left), 0.0, out=left)
        columns = self.columns
        if columns is not None and columns.fixed is not None:
            held = columns.fixed[self.origin[nodes]]
            wanted = np.maximum(log_odds(np.clip(self.state[nodes], *BOUNDS)), 0.0)
            kept = np.divide(wanted, backed, out=np.zeros_like(backed), where=some)
            left = np.where(held, kept, left)
            mine = np.where(held & ~some, wanted, mine * left)
        else:
            mine = mine * left
        self._say_own(nodes, mine)
        heirs = plan.voice_count[nodes] - plan.own_count[nodes]
        places = _heirs(plan, nodes)
        self.voice[places] *= np.repeat(left, heirs, axis=0)

    def _share(self, level: Level, brought: Floats) -> None:
        """Credit the rows that count; those that are equally good share the credit."""
        if self.shares is None:
            return
        roots = level.nodes[level.owner[level.slot_of]] < self.graph.silent
        repeat = self.repeat
        best = np.maximum.reduceat(brought, level.starts, axis=0)[level.slot_of]
        first = (brought >= best - TIE) & (brought > 0.0)
        ties = np.add.reduceat(first, level.starts, axis=0, dtype=np.int64)[level.slot_of]
        credit = np.where(first, (1.0 - repeat) * best / np.maximum(ties, 1), 0.0)
        credit = credit + repeat * brought
        sign = np.where(level.pro[level.slot_of], 1.0, -1.0)[:, None]
        rows = np.flatnonzero(roots)
        arcs = self.plan.unfolded.arc[level.arcs[rows]]
        np.add.at(self.shares, arcs, (credit * sign)[rows])


def _counted(brought: Floats, level: Level, repeat: float | Floats) -> Floats:
    """What counts of each slot: its best row, and `repeat` of the others."""
    best = np.asarray(np.maximum.reduceat(brought, level.starts, axis=0))
    if not np.any(repeat):
        return best
    return np.asarray(
        (1.0 - repeat) * best + repeat * np.add.reduceat(brought, level.starts, axis=0)
    )


def log_odds(p: Floats) -> Floats:
    """The logarithm of p / (1 - p), within what can be counted with."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.clip(np.log(p) - np.log1p(-p), -700.0, 700.0))


def _raises_claims(graph: Graph, columns: Columns | None) -> bool:
    """Whether some scenario gives a claim a voice of its own that it has not by its base."""
    if columns is None:
        return False
    if columns.fixed is not None and columns.fixed[graph.claim].any():
        return True
    base = columns.base
    return base is not None and bool((base > UNKNOWN)[graph.claim & (graph.base <= UNKNOWN)].any())


def _voices(plan: Plan, nodes: Ints) -> Ints:
    return spans(plan.voice_start[nodes], plan.voice_count[nodes])


def _own(plan: Plan, nodes: Ints) -> Ints:
    return spans(plan.voice_start[nodes], plan.own_count[nodes])


def _heirs(plan: Plan, nodes: Ints) -> Ints:
    own = plan.own_count[nodes]
    return spans(plan.voice_start[nodes] + own, plan.voice_count[nodes] - own)
