"""How firmly an answer stands: against losses, new studies, and other conventions."""

from __future__ import annotations

import numpy as np

from kg.model import EdgeStrength, Relation, StatementId
from kg.reasoning.answers.firmness import (
    SHIFTED,
    Convention,
    EdgeChange,
    Robustness,
    WorstSource,
    flawless,
    lost,
    share_of,
)
from kg.reasoning.answers.flips import smallest
from kg.reasoning.answers.positions import label_of
from kg.reasoning.answers.verdict import (
    depends_on_semantics,
    direct_reasons,
    fail_safe,
    other_strengths,
    other_words,
    set_here,
    word_of,
)
from kg.reasoning.arrays import Columns, Floats, rounded, rounded_or_none
from kg.reasoning.attribution.bill import limited
from kg.reasoning.attribution.independence import all_shares, deciding, unit_title
from kg.reasoning.attribution.losses import dependence, passed_by
from kg.reasoning.attribution.sensitivity import DRAWS, draw_conventions, sensitivity
from kg.reasoning.default_rule.voice_planner import first_levels
from kg.reasoning.graph import Graph
from kg.reasoning.reading import Question, Reading, of_corpus, once_per_question
from kg.reasoning.scenarios import batched, holding, outcome_of
from kg.reasoning.solution import solve
from kg.reasoning.verdict_words import quality_word, side_of, sides, word_at
from kg.reasoning.weighed_answer import (
    OpenQuestion,
    asked_question,
    open_question,
    quoted,
    side_now,
)

SHAKY, STEADY = 0.8, 0.95
"""Shares of draws on the answer's side: below the one it is fragile, below the other not sturdy."""
STURDY_LOSS, STURDY_STUDIES = 3, 2
"""Losses, and contrary studies, that it takes to undo what is sturdy: more than one mistake."""
NARROW = 100
"""How many changed edges are weighed at once: so few that most come late in the order."""
STRENGTHS = (EdgeStrength.STRONG, EdgeStrength.MODERATE, EdgeStrength.WEAK)
"""The strengths that a note may give an edge, one step apart (unsaid is strong)."""


@of_corpus
def robustness(
    reading: Reading, name: str, draws: int = DRAWS, seed: int = 0
) -> Robustness | OpenQuestion:
    """How firmly the answer to `name` stands; the same seed gives the same draws.

    Fewer draws are made where the budget does not allow all (then `complete` is false).
    `kg.reasoning.attribution.sensitivity` says what a draw moves. Raises `UnknownId`.

    `kg.robustness(corpus, "social-grounding", draws=50)`
    """
    question = reading.question(name)
    if not question.statement:
        return open_question(question)
    now = side_now(question)
    found = (
        sensitivity(question)
        if (draws, seed) == (DRAWS, 0)
        else draw_conventions(question, draws, seed)
    )
    size, exact = smallest(question)
    others, label = other_strengths(question), label_of(question.graph, question.node)
    claim = bool(question.graph.claim[question.node])
    words = other_words(question)
    hangs = claim and depends_on_semantics(now, words, label)
    worst, undoing_claims = _worst(question, now), _undoing_claims(question, now)
    studies = fail_safe(question)
    headline = _headline(now, size, found.kept, not hangs, studies, undoing_claims)
    return Robustness(
        sentence=_sentence(question, headline, size, exact, found.kept, studies, worst),
        asked=asked_question(question),
        complete=dependence(question).whole and found.whole,
        strength=rounded_or_none(question.strength),
        word=word_of(question),
        headline=headline,
        fail_safe=studies,
        smallest_loss=size,
        loss_exact=exact,
        draws=found.draws,
        kept=rounded(found.kept),
        low=rounded_or_none(found.low),
        high=rounded_or_none(found.high),
        others=others,
        other_words=words,
        grounded=label,
        depends_on_semantics=hangs,
        worst_source=worst,
        undoing_claims=undoing_claims,
        edges=_edges(question, now),
        conventions=conventions(question),
        set_here=set_here(question),
    )


def _worst(question: Question, now: int) -> WorstSource | None:
    found = dependence(question)
    if not found.units or not now:
        return None
    left = found.at(np.array([question.node]))[0]
    worst = int(np.argmin(now * left))
    word = word_at(found.outcome[:, worst], question.settings)
    return WorstSource(
        unit=found.units[worst],
        title=unit_title(question, found.units[worst]),
        strength=rounded_or_none(left[worst]),
        word=word,
        undoes=side_of(word) != now,
    )


def _deciding(question: Question) -> list[str]:
    """The sources without which an answer that has no side would be on one."""
    found = dependence(question)
    then = sides(found.outcome[0], found.outcome[1], found.outcome[2], question.settings)
    return sorted(unit_title(question, found.units[i]) for i in np.flatnonzero(then).tolist())


@once_per_question
def held_ends(question: Question) -> Floats:
    """What words follow from (3 × twice the claims) with each claim true, then each false."""
    nodes = question.claims.tolist()
    ends = [1.0] * len(nodes) + [0.0] * len(nodes)
    return holding(question.graph, [*nodes, *nodes], ends, outcome_of(question.node))


def _undoing_claims(question: Question, now: int) -> tuple[StatementId, ...]:
    nodes = question.claims
    if not now or len(nodes) > question.affordable(2):
        return ()
    table = held_ends(question)
    undone = sides(table[0], table[1], table[2], question.settings) != now
    either = undone[: len(nodes)] | undone[len(nodes) :]
    return tuple(question.graph.ids[i] for i in nodes[either].tolist())


def _edges(question: Question, now: int) -> tuple[EdgeChange, ...]:
    """Edges that undo the answer, nearest to the question first."""
    graph, corpus = question.graph, question.reading.corpus
    heard = all_shares(question) != 0.0
    heard |= (graph.joint >= 0) & np.isin(graph.joint, graph.joint[heard])  # one reason, many arcs
    speaks = passed_by(graph, graph.src, question.strengths[graph.src][:, None])[:, 0] > 0.0
    tried = [
        (arc, to, weight)
        for arc in _one_each(graph)
        for to, weight in _steps(question, arc)
        # what is not heard can only begin to count, and only where there is something to hear
        if heard[arc] or (speaks[arc] and abs(weight) > abs(graph.w[arc]))
    ]
    if not now or not tried or len(tried) > question.affordable():
        return ()

    if question.settings.routed:
        # scenarios are solved from the first change among them on
        first = first_levels(graph, np.array([question.node]))
        tried.sort(key=lambda row: int(first[row[0]]))
    arcs, weights = np.array([row[0] for row in tried]), np.array([row[2] for row in tried])

    def change(first: int, last: int) -> Columns:
        w = np.repeat(graph.w[:, None], last - first, axis=1)
        own = arcs[first:last]
        w[own, np.arange(last - first)] = weights[first:last]
        if graph.has_joint:
            together = (graph.joint[:, None] == graph.joint[own]) & (graph.joint[own] >= 0)
            np.copyto(w, weights[first:last], where=together)
        return Columns(last - first, w=w)

    table = batched(graph, len(tried), change, outcome_of(question.node), NARROW)
    undone = sides(table[0], table[1], table[2], question.settings) != now
    found = []
    for place in np.flatnonzero(undone).tolist():
        arc, to, _ = tried[place]
        edge = corpus.edge[graph.edges[arc]]
        found.append(
            EdgeChange(
                edge=edge.id,
                source=edge.source,
                target=edge.target,
                now=(edge.strength or EdgeStrength.STRONG).value,
                to=to,
                strength=rounded_or_none(table[0, place]),
                word=word_at(table[:, place], question.settings),
            )
        )
    by_effect = sorted(found, key=lambda e: (now * (e.strength or 0.0), e.edge, e.to))
    return tuple(by_effect)


def _one_each(graph: Graph) -> list[int]:
    """The arcs, but of those that count only together the first."""
    _, first = np.unique(graph.joint, return_index=True)
    return np.flatnonzero((graph.joint < 0) | np.isin(np.arange(len(graph.src)), first)).tolist()


def _steps(question: Question, arc: int) -> list[tuple[str, float]]:
    """What an edge would weigh if it went, or were read one step weaker or stronger."""
    graph, settings = question.graph, question.settings
    edge = question.reading.corpus.edge[graph.edges[arc]]
    weights = (1.0, settings.moderate, settings.weak)
    found = [("", 0.0)]
    place = STRENGTHS.index(edge.strength or EdgeStrength.STRONG)
    for other in (place - 1, place + 1):
        if 0 <= other < len(STRENGTHS) and weights[place]:
            size = float(graph.w[arc]) / weights[place] * weights[other]
            found.append((STRENGTHS[other].value, size))
    return found


def conventions(question: Question) -> tuple[Convention, ...]:
    """The answer under other conventions than those in force, each with its word."""
    graph, settings = question.graph, question.settings
    moderate, weak, qualifies = _weights_of_words(question)
    w, gain, repeat = graph.w, settings.gain, settings.repeat
    # the first change numbers of one rule, and can be solved side by side; the others are other
    # rules
    of_this_rule = [
        ("reasons count half (gain ×½)", w, gain / 2, repeat),
        ("reasons count double (gain ×2)", w, gain * 2, repeat),
        ("a source's second finding counts half", w, gain, 0.5),
        ("every edge is read as strong", w / moderate / weak, gain, repeat),
        ("moderate and weak edges count nothing", w * (moderate * weak == 1.0), gain, repeat),
        ("qualifies counts like contradicts", w / qualifies, gain, repeat),
    ]
    other_rules = [
        ("a claim passes on at most one study's worth", "logistic"),
        ("reasons combine by quadratic energy", "qe"),
        ("reasons combine by DF-QuAD", "dfquad"),
    ]
    watch = outcome_of(question.node)
    if settings.routed:
        together = Columns(
            len(of_this_rule),
            w=np.clip(np.stack([row[1] for row in of_this_rule], axis=1), -1.0, 1.0),
            gain=np.array([row[2] for row in of_this_rule]),
            repeat=np.array([row[3] for row in of_this_rule]),
        )
        tables = list(watch(solve(graph, together), together).T)
    else:
        tables = [_reweighed(question, w, gain=g, repeat=r) for _, w, g, r in of_this_rule]
    for _, name in other_rules:
        other = question.under(transfer="earned", semantics=name)
        tables.append(watch(other, None)[:, 0])
    names = [row[0] for row in of_this_rule] + [row[0] for row in other_rules]
    return tuple(
        Convention(
            convention=name, strength=rounded_or_none(table[0]), word=_worded(question, table)
        )
        for name, table in zip(names, tables, strict=True)
    )


def _worded(question: Question, table: Floats) -> str:
    """The word for an outcome; of evidence, its quality and what objections leave of that."""
    if question.graph.claim[question.node]:
        return word_at(table, question.settings)
    return quality_word(float(question.graph.base[question.node]), float(table[0]))


def _reweighed(question: Question, w: Floats, **changed: object) -> Floats:
    """What the word follows from with other weights and settings."""
    settings = question.settings.model_copy(update=changed)
    graph = question.graph.having(settings=settings)
    if w is not question.graph.w:
        graph = graph.having(w=np.clip(w, -1.0, 1.0))
    return outcome_of(question.node)(solve(graph), None)[:, 0]


def _weights_of_words(question: Question) -> tuple[Floats, Floats, Floats]:
    """Per arc what its note's `moderate`, `weak` and `qualifies` weigh, 1 where it says neither."""
    graph, settings = question.graph, question.settings
    edges = [question.reading.corpus.edge[name] for name in graph.edges]

    def mark(said: list[bool], weight: float) -> Floats:
        # an edge that weighs 0 cannot be divided by that, and stays at 0
        return np.where(said, weight if weight else 1.0, 1.0)

    return (
        mark([e.strength is EdgeStrength.MODERATE for e in edges], settings.moderate),
        mark([e.strength is EdgeStrength.WEAK for e in edges], settings.weak),
        mark([e.relation is Relation.QUALIFIES for e in edges], settings.qualifies),
    )


def _headline(
    now: int,
    size: int | None,
    kept: float,
    agree: bool,
    studies: int | None,
    undoing_claims: tuple[StatementId, ...],
) -> str:
    if not now:
        return "no side"
    if size == 1 or kept < SHAKY:
        return "fragile"
    lasting = size is None or size >= STURDY_LOSS
    unmoved = studies is None or studies >= STURDY_STUDIES
    if lasting and kept >= STEADY and agree and unmoved and not undoing_claims:
        return "sturdy"
    return "moderate"


def _sentence(
    question: Question,
    headline: str,
    size: int | None,
    exact: bool,
    kept: float,
    studies: int | None,
    worst: WorstSource | None,
) -> str:
    title = quoted(question.title)
    if not question.graph.claim[question.node]:
        return f"{title} is evidence, which takes no side, so there is nothing to undo."
    if headline == "no side":
        decided = deciding(_deciding(question))
        return f"{title} is on no side, so there is nothing to undo{decided}."
    loss = "no loss that was tried" if size is None else lost(size, exact)
    alone = f", or of {worst.title}," if worst and worst.undoes else ""
    against = ""
    if studies is not None:
        found = f"{flawless(studies, asked_question(question))} on the other side"
        against = f", but {found} would" if size is None else f"; so would {found}"
    firm = "moderately firm" if headline == "moderate" else headline
    return (
        f"The answer to {title} is {firm}: it keeps its side in {share_of(kept)} of trials "
        f"{SHIFTED}, and {loss}{alone} would undo it{against}."
        f"{limited(direct_reasons(question), side_now(question))}"
    )
