"""Quality, strength and word of every statement, from the pages of docs/ and not `kg.reasoning`."""

from collections import Counter, defaultdict
from contextlib import suppress
from math import atanh, log, log10, pi, sqrt
from re import sub
from statistics import NormalDist

from kg.model.figures import NO_EFFECT, RATIO_KINDS, sample_class_of
from tests.reasoning.default_rule.reference_solver import ReferenceSolver, WeighedEdge


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
    level = (q.methods[s.method] if s.method else q.unrecorded) + figures(s, q)
    level += q.replication * min(s.replications or 0, 2)
    level += q.failed_replication * min(s.failed_replications or 0, 2)
    result = works if s.peer_reviewed is None else [s]
    level += q.peer_reviewed * any(each and each.peer_reviewed for each in result)
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


class Oracle(ReferenceSolver):
    """A corpus laid out for the `ReferenceSolver`: what is weighed, its bases and its sources."""

    def __init__(self, corpus, judged=None, held_values=None):
        settings, statements = corpus.config.reasoning, corpus.statements
        proof = {id for id, s in statements.items() if s.kind == "evidence"}
        like = [(e.origin, e.target) for e in corpus.edges if e.relation == "same-as"]
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
        bases = {}
        lost_rows = {("work", key) for key, work in corpus.sources.items() if work.retracted}
        bearers = [s.independence for id, s in statements.items() if id in proof]
        bearers += [work.independence for work in corpus.sources.values()]
        borne = Counter(key for keys in bearers for key in {*keys})
        left = {id: {*us} - lost_rows for id, us in cited_sources.items()}
        for id in (id for id, us in cited_sources.items() if len(us) > 1):
            shared = [("key", key) for key in {*statements[id].independence} if borne[key] > 1]
            cited_sources[id] = shared or cited_sources[id]
            left[id] = {*shared} if shared and left[id] else left[id]
        parts_of = defaultdict(lambda: defaultdict(float))
        for id, s in statements.items():
            i, works = self.same(id), [corpus.sources.get(key) for key in s.sources if id in proof]
            fallen, whole = [w.retracted for w in works if w] or [0], quality(corpus, s)
            base = whole, whole * (1 - sum(fallen) / len(fallen))
            bases[i] = max(base, bases.get(i, base))
            heard = sum(bool(left.get(x)) for x in i)
            for u in cited_sources.get(id, ()):
                parts_of[i][one(u)] += u in left[id] and 1 / len(left[id]) / heard
        edges, ids, r = [], {e.id for e in corpus.edges}, settings
        newer = {(e.origin, e.target) for e in corpus.edges if e.relation == "supersedes"}
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
            for a, b in ((e.origin, e.target), (e.target, e.origin))[: 1 + e.goes_both_ways]:
                if {a, *e.together} <= {*statements} - old and b in (
                    ids if e.relation == "undercuts" else statements
                ):
                    ends = self.same(a), b if e.relation == "undercuts" else self.same(b)
                    j, i = ends[::-1] if e.relation == "depends-on" else ends
                    js = {j, *map(self.same, e.together)}
                    if i not in js:
                        depends = e.relation == "depends-on"
                        edges.append(WeighedEdge(e.id, frozenset(js), i, size, depends))
        super().__init__(
            bases={i: base for i, (_, base) in bases.items()},
            bases_unretracted={i: whole for i, (whole, _) in bases.items()},
            parts=parts_of,
            evidence={self.same(id) for id in proof},
            edges=edges,
            settings=settings,
        )
        self.held = {self.same(id): v for id, v in (held_values or {}).items()}

    def strength(self, i, context=frozenset()):
        return self.held[i] if i in self.held else super().strength(i, context)

    def voices(self, j, context):
        """Of a claim that is held at a strength as under “A source or statement that falls”."""
        if j not in self.held or j in self.evidence:
            return super().voices(j, context)
        pro, con = self.sides(j, context)
        backed, v = sum(pro.values()), min(max(self.held[j], 0.01), 0.99)
        nats = max(0, log(v / (1 - v)), backed - sum(con.values()) if self.held[j] > 0.99 else 0)
        return {u: y * nats / backed for u, y in pro.items()} if backed else {("own", j): nats}

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
