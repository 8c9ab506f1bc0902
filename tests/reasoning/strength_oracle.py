"""Quality, strength and word of every statement, from the pages of docs/ and not `kg.reasoning`."""

from collections import Counter, defaultdict
from contextlib import suppress
from math import atanh, exp, log, log10, pi, sqrt
from re import sub
from statistics import NormalDist

from kg.model.figures import NO_EFFECT, RATIO_KINDS, sample_class_of


def z_score(s):
    """z of what was found; 0 where nothing tells it, or what is recorded is above .05."""
    if s.p is not None:
        return -NormalDist().inv_cdf(s.p / 2) if s.p <= 0.05 + 1e-9 and s.p_sign != ">" else 0
    kind, none = s.effect_kind, NO_EFFECT.get(s.effect_kind)
    on = log if kind in RATIO_KINDS else atanh if kind in ("r", "ρ") else float
    with suppress(ValueError, ZeroDivisionError, TypeError):  # no interval, or none with a z
        return (on(s.effect) - on(none)) / (
            (on(s.effect_high) - on(s.effect_low)) / (2 * 1.959963985)
        )
    with suppress(ValueError, TypeError):
        d = log(s.effect) * sqrt(3) / pi if kind == "OR" else s.effect
        r = d if kind == "r" else d / sqrt(d * d + 4)
        return atanh(r) * sqrt(max(s.sample - 3, 0)) if kind in ("r", "d", "g", "OR") else 0
    return 0


def figures(s, q):
    z = abs(z_score(s))
    if z >= 1.95996:
        n = max(100 if s.sample is None else s.sample, 1)
        return q.p * (min(max((z * z - log(n)) / (2 * log(10)), 0), 3) - 0.5)
    w = q.sample[s.sample_class or sample_class_of(s.sample_unit)]
    return 0 if s.sample is None else w * min(max(log10(max(s.sample, 1) / 100), -1), 1)


def quality(corpus, s):
    """The base of a statement, before retractions."""
    if s.quality is not None or s.kind != "evidence":
        return min(max(s.quality, 0.01), 0.99) if s.kind == "evidence" else 0.5
    q, works = corpus.config.quality, [corpus.sources.get(key) for key in s.sources]
    level = (q.kinds[s.method] if s.method else q.unrecorded) + figures(s, q)
    level += q.replication * min(s.replications or 0, 2)
    level += q.failed_replication * min(s.failed_replications or 0, 2)
    reviewable = works if s.peer_reviewed is None else [s]
    level += q.peer_reviewed * any(each and each.peer_reviewed for each in reviewable)
    level += q.preregistered * bool(s.preregistered) + (q.seen[s.seen_in] if s.seen_in else 0)
    level += sum(q.very_serious_concern if "!" in c else q.serious_concern for c in s.concerns)
    base = min(max(level, q.lowest), q.highest) / q.top
    return min(max(min(base, q.seen_at_most.get(s.seen_in, 1)), 0.01), 0.99)


def groups_by_member(pairs):
    """By thing, all things that the pairs join it with; only itself where none does."""
    fromkeys = {}
    for pair in pairs:
        both = frozenset().union(*(fromkeys.get(x, {x}) for x in pair))
        fromkeys |= dict.fromkeys(both, both)
    return lambda x: fromkeys.get(x, frozenset({x}))


class Oracle:
    def __init__(self, corpus, judged=None, held_values=None):
        self.settings, statements = corpus.config.reasoning, corpus.statements
        self.memo, self.before = {}, {}
        proof = {id for id, s in statements.items() if s.kind == "evidence"}
        like = [(e.source, e.target) for e in corpus.edges if e.relation == "same-as"]
        self.same = groups_by_member(
            (a, b) for a, b in like if {a, b} <= proof or {a, b} <= {*statements} - proof
        )
        cited_sources = {
            id: [("work", k) for k in statements[id].sources] or [("own", id)] for id in proof
        }
        keyed = [
            (us[0], statements[i].independence) for i, us in cited_sources.items() if len(us) == 1
        ]
        keyed += [(("work", key), work.independence) for key, work in corpus.sources.items()]
        dois = [(("work", key), work.doi.casefold()) for key, work in corpus.sources.items()]
        keyed += [
            (work, (sub(r"^(https?://(dx\.)?doi\.org/|doi:\s*)", "", d),)) for work, d in dois if d
        ]
        one = groups_by_member((u, ("key", key)) for u, keys in keyed for key in keys)
        self.evidence, self.bases = {self.same(id) for id in proof}, {}
        self.held_values = {self.same(id): v for id, v in (held_values or {}).items()}
        lost_rows = {("work", key) for key, work in corpus.sources.items() if work.retracted}
        bearers = [s.independence for id, s in statements.items() if id in proof]
        bearers += [work.independence for work in corpus.sources.values()]
        borne = Counter(key for keys in bearers for key in {*keys})
        left = {id: {*us} - lost_rows for id, us in cited_sources.items()}
        for id in (id for id, us in cited_sources.items() if len(us) > 1):
            shared = [("key", key) for key in {*statements[id].independence} if borne[key] > 1]
            cited_sources[id] = shared or cited_sources[id]
            left[id] = {*shared} if shared and left[id] else left[id]
        self.parts = defaultdict(lambda: defaultdict(float))
        for id, s in statements.items():
            i, works = self.same(id), [corpus.sources.get(key) for key in s.sources if id in proof]
            fallen, whole = [w.retracted for w in works if w] or [0], quality(corpus, s)
            base = whole, whole * (1 - sum(fallen) / len(fallen))
            self.bases[i] = max(base, self.bases.get(i, base))
            heard = sum(bool(left.get(x)) for x in i)
            for u in cited_sources.get(id, ()):
                self.parts[i][one(u)] += u in left[id] and 1 / len(left[id]) / heard
        self.edges, ids, r = defaultdict(list), {e.id for e in corpus.edges}, self.settings
        newer = {(e.source, e.target) for e in corpus.edges if e.relation == "supersedes"}
        lost_rows = {key for key, work in corpus.sources.items() if work.retracted}
        said_of = {i: s.sources for i, s in corpus.statements.items() if s.kind == "evidence"}
        left = {a: {*keys} & {*corpus.sources} for a, keys in said_of.items()}
        newer = {(a, b) for a, b in newer if not left.get(a) or not left[a] <= lost_rows}
        later = set(newer)
        for _ in corpus.statements:
            later |= {(a, d) for a, b in later for c, d in newer if b == c}
        old = {b for a, b in newer if (b, a) not in later}
        sizes = {"supports": 1, "contradicts": -1, "qualifies": -r.qualifies}
        noted = {"moderate": r.moderate, "weak": r.weak}
        for e in corpus.edges:
            labels = (judged or {}).get(e.id, []) if e.relation in sizes else []
            size = (sizes | {"undercuts": 1, "depends-on": -1}).get(e.relation, 0)
            if labels:
                size = abs(size) * (labels.count("supports") - labels.count("contradicts"))
            size *= 1 / len(labels) if len(labels) > 1 else noted.get(e.strength, 1)
            for a, b in ((e.source, e.target), (e.target, e.source))[: 1 + e.goes_both_ways]:
                if {a, *e.together} <= {*statements} - old and b in (
                    ids if e.relation == "undercuts" else statements
                ):
                    ends = self.same(a), b if e.relation == "undercuts" else self.same(b)
                    j, i = ends[::-1] if e.relation == "depends-on" else ends
                    js = {j, *map(self.same, e.together)}
                    self.edges[i] += [(e.id, js, e.relation, size)] if i not in js else []

    def premise_strengths(self, js, muted, force=None):
        """Per premise that is heard what it says: the weakest, in equal parts if several are."""
        if js & muted:
            return
        voices = {j: self.voices(j, muted | {j}) for j in js}
        size = {j: sum(y.values()) if force is None else force(j) for j, y in voices.items()}
        smallest = [j for j in js if size[j] <= min(size.values()) + 1e-12]
        for j in smallest:
            yield size[j], {u: y / len(smallest) for u, y in voices[j].items()}

    def edges_into(self, i):
        """For each edge into `i` who makes it, and where one may go on."""
        if i not in self.before:
            edges = self.edges.get(i, ())
            self.before[i] = [(js, js | ({id} & self.edges.keys())) for id, js, *_ in edges]
        return self.before[i]

    def met(self, i, muted):
        """Those of `muted` that are met on the way back from `i`: the others make no difference."""
        met, seen_nodes, waiting = set(), {i}, [i]
        while waiting:
            for js, on in self.edges_into(waiting.pop()):
                if not js.isdisjoint(muted):
                    met |= js & muted
                elif not on <= seen_nodes:
                    waiting += on - seen_nodes
                    seen_nodes |= on
        return frozenset(met)

    def count(self, heard):
        return {u: max(y) + self.settings.repeat * (sum(y) - max(y)) for u, y in heard.items()}

    def sides(self, i, muted=frozenset()):
        """What speaks for and against `i` where those `muted` may not, its own start included."""
        muted = self.met(i, muted | {i}) | {i}
        if (i, muted) not in self.memo:
            pro, con, b = defaultdict(list), defaultdict(list), self.bases[i][1]
            (pro if b > 0.5 else con)["own", i] = [abs(log(b / (1 - b))) if b else 800]
            for id, js, relation, w in self.edges.get(i, ()):
                voices = defaultdict(float)
                for _, parts in self.premise_strengths(js, muted):
                    for u, y in parts.items():
                        voices[u] += y
                if relation == "depends-on" and not js & muted:
                    (j,) = js
                    lost = 1 - self.strength(j, muted | {j}) / self.bases[j][0]
                    voices = {("premise", j): self.settings.gain * max(0, lost)}
                for u, y in voices.items():
                    if w < 0 or i not in self.evidence or u not in self.parts[i]:
                        (pro if w > 0 else con)[u].append(abs(w) * self.left(id, muted) * y)
            self.memo[i, muted] = self.count(pro), self.count(con)
        return self.memo[i, muted]

    def left(self, edge, muted):
        closing = defaultdict(list)
        for id, js, _, w in self.edges.get(edge, ()):
            heard, closed = (
                [*self.premise_strengths(js, muted, lambda j: self.force(j, muted))],
                defaultdict(float),
            )
            for f, voices in heard:
                f, whole = min(w * self.left(id, muted) * f, 1 - 1e-12), sum(voices.values())
                for u, y in voices.items() if whole else ():
                    closed[u] -= log(1 - f) * y / whole / len(heard)
            for u, y in closed.items():
                closing[u].append(y)
        return exp(-sum(self.count(closing).values()))

    def force(self, j, muted):
        s = self.strength(j, muted | {j})
        return s if j in self.evidence else max(0, 2 * s - 1)

    def strength(self, i, muted=frozenset()):
        if i in self.held_values:
            return self.held_values[i]
        pro, con = self.sides(i, muted)
        return 1 / (1 + exp(min(sum(con.values()) - sum(pro.values()), 700)))

    def voices(self, j, muted):
        if j in self.evidence:
            y = self.settings.gain * self.strength(j, muted)
            return {u: y * part for u, part in self.parts[j].items()}
        pro, con = self.sides(j, muted)
        left = max(0, sum(pro.values()) - sum(con.values()))
        if j in self.held_values:
            v = min(max(self.held_values[j], 0.01), 0.99)
            left = max(0, log(v / (1 - v)), left if self.held_values[j] > 0.99 else 0)
            pro = pro if any(pro.values()) else {("own", j): left}
        return {u: y * left / sum(pro.values()) if y else 0 for u, y in pro.items()}

    def word(self, id):
        s, r = self.strength(self.same(id)), self.settings
        heavy = [sum(x.values()) >= r.open_below - 1e-9 for x in self.sides(self.same(id))]
        side, far = "supported" if s > 0.5 else "refuted", max(s, 1 - s) + 1e-9
        if not any(heavy) or abs(s - 0.5) <= r.even_within + 1e-9:
            return "evenly balanced" if any(heavy) else "open"
        if far < r.contested_below:
            return "contested" if all(heavy) else f"thinly {side}"
        leans = f"leans {side}" if far < r.leaning_below else side
        return leans if far < r.strong_from else f"strongly {side}"
