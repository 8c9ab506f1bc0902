"""Quality, strength and word of every statement, from docs/how-strength-is-computed.md alone.

Written from the pages, not from `kg.reasoning`, so that each can find mistakes in the other.
"""

from collections import defaultdict
from contextlib import suppress
from math import atanh, exp, log, log10, pi, sqrt
from operator import itemgetter
from statistics import NormalDist

from kg.model.figures import NO_EFFECT, RATIOS, class_of

NEAR = 1e-9


def logit(b):
    return log(b / (1 - b)) if 0 < b < 1 else float("inf") * (1 if b else -1)


def z_of(s):
    """The normal deviate of what was found; 0 where nothing tells it, or it says no difference."""
    if s.p is not None:
        return -NormalDist().inv_cdf(s.p / 2) if s.p <= 0.05 and s.p_sign != ">" else 0
    kind, none = s.effect_kind, NO_EFFECT.get(s.effect_kind)
    on = log if kind in RATIOS else atanh if kind in ("r", "ρ") else float
    with suppress(ValueError, ZeroDivisionError, TypeError):  # no interval, or none with a z
        return (on(s.effect) - on(none)) / ((on(s.effect_high) - on(s.effect_low)) / 3.919928)
    with suppress(ValueError, TypeError):
        d = log(s.effect) * sqrt(3) / pi if kind == "OR" else s.effect
        r = d if kind == "r" else d / sqrt(d * d + 4)
        return atanh(r) * sqrt(max(s.sample - 3, 0)) if kind in ("r", "d", "g", "OR") else 0
    return 0


def figures(s, q):
    z = abs(z_of(s))
    if z >= NormalDist().inv_cdf(0.975):
        n = max(100 if s.sample is None else s.sample, 1)
        return q.p * (min(max((z * z - log(n)) / (2 * log(10)), 0), 3) - 0.5)
    w = q.sample[s.sample_class or class_of(s.sample_unit)]
    return 0 if s.sample is None else w * min(max(log10(max(s.sample, 1) / 100), -1), 1)


def quality(corpus, s):
    """The base of a piece of evidence, before retractions."""
    q = corpus.config.quality
    if s.quality is not None:
        return min(max(s.quality, 0.01), 0.99)
    works = [corpus.sources[key] for key in s.sources if key in corpus.sources]
    peers = s.peer_reviewed
    level = (
        (q.kinds[s.method] if s.method else q.unrecorded)
        + figures(s, q)
        + q.replication * min(s.replications or 0, 2)
        + q.failed_replication * min(s.failed_replications or 0, 2)
        + q.peer_reviewed * bool(any(w.peer_reviewed for w in works) if peers is None else peers)
        + q.preregistered * bool(s.preregistered)
        + sum(q.very_serious_concern if "!" in c else q.serious_concern for c in s.concerns)
        + (q.seen[s.seen_in] if s.seen_in else 0)
    )
    base = min(max(level, q.lowest), q.highest) / q.top
    return min(max(min(base, q.seen_at_most.get(s.seen_in, 1)), 0.01), 0.99)


class Groups(dict):
    """Things joined into classes, each known by one of its members."""

    def of(self, x):
        while x in self:
            x = self[x]
        return x

    def join(self, x, y):
        if self.of(x) != self.of(y):
            self[self.of(y)] = self.of(x)


class Oracle:
    def __init__(self, corpus, judged=None):
        self.settings, self.corpus, self.memo = corpus.config.reasoning, corpus, {}
        self.edges, statements = defaultdict(list), corpus.statements
        self.same, self.works = Groups(), Groups()
        for e in corpus.edges:
            a, b = statements.get(e.source), statements.get(e.target)
            if e.relation == "same-as" and a and b and evident(a) == evident(b):
                self.same.join(a.id, b.id)
        for work in corpus.sources.values():
            for key in work.independence:
                self.works.join(("work", work.key), ("key", key))
        for s in statements.values():
            for key in s.independence if evident(s) and len(s.sources) < 2 else ():
                self.works.join(
                    ("work", s.sources[0]) if s.sources else ("own", s.id), ("key", key)
                )
        members = defaultdict(list)
        for s in statements.values():
            members[self.same.of(s.id)].append(s)
        self.evident = {i: evident(every[0]) for i, every in members.items()}
        self.bases = {
            i: max(map(self.base, every), key=itemgetter(0)) for i, every in members.items()
        }
        self.parts = {i: defaultdict(float) for i in members}
        for i, every in members.items():
            for s in every if self.evident[i] else ():
                for u, part in self.cited(s):
                    self.parts[i][u] += part / len(every)
        self.find_edges(judged or {})
        self.reach = {i: self.reached(i) for i in members}

    def base(self, s):
        """Base without retractions (what depends-on compares with), and what is left of it."""
        if not evident(s):
            return (0.5 if s.quality is None else min(max(s.quality, 0.01), 0.99),) * 2
        works = [self.corpus.sources[key] for key in s.sources if key in self.corpus.sources]
        whole, fallen = quality(self.corpus, s), sum(work.retracted for work in works)
        return whole, whole * (1 - fallen / len(works)) if works else whole

    def cited(self, s):
        if not s.sources:
            return [(self.works.of(("own", s.id)), 1)]
        return [(self.works.of(("work", key)), 1 / len(s.sources)) for key in s.sources]

    def find_edges(self, judged):
        """Weighed edges by target, as (id, source, relation, size, below 0 where against)."""
        edges, r = self.corpus.edges, self.settings
        sizes = {"supports": 1, "contradicts": -1, "qualifies": -r.qualifies}
        sizes |= {"undercuts": 1, "depends-on": -1}
        noted = {"moderate": r.moderate, "weak": r.weak}
        old = {e.target for e in edges if e.relation == "supersedes" and e.source != e.target}
        ends = {"undercuts": {e.id for e in edges}}
        for e in edges:
            size, labels = sizes.get(e.relation, 0), judged.get(e.id, ())
            if labels and e.relation in ("supports", "contradicts", "qualifies"):
                shares = (labels.count("supports") - labels.count("contradicts")) / len(labels)
                size = abs(size) * shares
            size *= noted.get(e.strength, 1) if len(labels) < 2 else 1
            for a, b in ((e.source, e.target), (e.target, e.source))[: 1 + e.mutual]:
                if a in self.corpus.statements and b in ends.get(
                    e.relation, self.corpus.statements
                ):
                    j, i = self.same.of(a), self.same.of(b)
                    i, j = (j, i) if e.relation == "depends-on" else (i, j)
                    if a not in old and i != j:
                        self.edges[i].append((e.id, j, e.relation, size))

    def reached(self, i):
        """All that bears on `i`, near or far."""
        found, ahead = set(), [i]
        while ahead:
            for id, j, *_ in self.edges.get(ahead.pop(), ()):
                ahead += [id] if (id, j) in found else [id, j]
                found |= {(id, j)}
        return {j for _, j in found}

    def sum_of(self, heard):
        r = self.settings.repeat
        return {u: (1 - r) * max(ys) + r * sum(ys) for u, ys in heard.items()}

    def sides(self, i, muted):
        """What `i` starts from and hears where those `muted` may not speak: l, pro, con."""
        muted = frozenset({j for j in muted if j in self.reach[i] and i in self.reach[j]} | {i})
        if (i, muted) not in self.memo:
            pro, con = defaultdict(list), defaultdict(list)
            for id, j, relation, w in self.edges.get(i, ()):
                if j in muted:
                    continue
                voices = self.voices(j, muted | {j})
                if relation == "depends-on":
                    s = self.strength(j, muted | {j})
                    fallen = max(0, 1 - s / self.bases[j][0])
                    voices = {("premise", j): self.settings.gain * fallen}
                for u, y in voices.items():
                    if not (self.evident[i] and w > 0 and u in self.parts[i]):
                        (pro if w > 0 else con)[u].append(abs(w) * self.open(id, muted) * y)
            self.memo[i, muted] = logit(self.bases[i][1]), self.sum_of(pro), self.sum_of(con)
        return self.memo[i, muted]

    def open(self, id, muted):
        """What undercuts leave of an edge."""
        closing = defaultdict(list)
        for under, j, _, w in self.edges.get(id, ()):
            if j not in muted:
                s, voices = self.strength(j, muted | {j}), self.voices(j, muted | {j})
                s = s if self.evident[j] else max(0, 2 * s - 1)
                force = min(w * self.open(under, muted) * s, 1 - 1e-12)
                for u, y in voices.items() if force else ():
                    closing[u].append(-log(1 - force) * y / sum(voices.values()))
        return exp(-sum(self.sum_of(closing).values()))

    def strength(self, i, muted=()):
        l, pro, con = self.sides(i, muted)
        return 1 / (1 + exp(min(-(l + sum(pro.values()) - sum(con.values())), 700)))

    def voices(self, j, muted):
        l, pro, con = self.sides(j, muted)
        if self.evident[j]:
            s = self.strength(j, muted) * self.settings.gain
            return {u: s * part for u, part in self.parts[j].items()}
        brought = sum(pro.values()) + max(l, 0)
        h = max(0, 1 - (sum(con.values()) + max(-l, 0)) / brought) if brought else 0
        return {u: y * h for u, y in (pro | ({("own", j): l} if l > 0 else {})).items()}

    def strengths(self):
        return {id: self.strength(self.same.of(id)) for id in self.corpus.statements}

    def word(self, id):
        """The word of a claim."""
        l, pro, con = self.sides(self.same.of(id), ())
        s, r = self.strength(self.same.of(id)), self.settings
        heavy = [sum(pro.values()) + max(l, 0) >= r.open_below - NEAR]
        heavy += [sum(con.values()) + max(-l, 0) >= r.open_below - NEAR]
        if not any(heavy):
            return "open"
        if abs(s - 0.5) <= r.even_within + NEAR:
            return "evenly balanced"
        side, far = ("supported", s + NEAR) if s > 0.5 else ("refuted", 1 - s + NEAR)
        if far < r.contested_below:
            return "contested" if all(heavy) else f"thinly {side}"
        if far < r.leaning_below:
            return f"leans {side}"
        return side if far < r.strong_from else f"strongly {side}"


def evident(statement):
    return statement.kind == "evidence"
