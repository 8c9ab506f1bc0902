"""Which study, if somebody made it, would settle a question most."""

from __future__ import annotations

import numpy as np

from kg.model import Relation, StatementId, Value
from kg.reasoning.answer import number, tidy
from kg.reasoning.arrays import Floats, Ints
from kg.reasoning.camps import slopes
from kg.reasoning.columns import Columns
from kg.reasoning.quality import Design, ladder
from kg.reasoning.reading import Question
from kg.reasoning.scenarios import batched, standing_of
from kg.reasoning.study import Added, with_studies
from kg.reasoning.verdict import side_now
from kg.reasoning.words import sides, word_at

GOOD = Design(method="experiment", sample=400, sample_class="people", peer_reviewed=True)
WAYS = (Relation.SUPPORTS, Relation.CONTRADICTS)
FEWEST = 4


class Study(Value, frozen=True, omit_defaults=False):
    """A study for or against a claim (`relation`), and the answer with it.

    `quality` is its base strength (an experiment with 400 people, peer reviewed); `strength` and
    `word` are what is asked about then. `gain` is how far it takes the answer toward a side or,
    where it has one, from it; `decides` says whether it gives or takes one, `turns` whether it
    takes the answer to the other side.
    """

    statement: StatementId
    title: str
    relation: Relation
    quality: float
    strength: float | None
    word: str
    gain: float
    decides: bool
    turns: bool


def studies_for(question: Question, k: int) -> tuple[tuple[Study, ...], bool]:
    """The `k` studies that would settle a question most, and whether all claims were tried."""
    nodes, whole = _tried(question)
    if not len(nodes):
        return (), whole
    quality = ladder(GOOD, question.reading.corpus.config.quality).base
    table = _with_each(question, nodes, quality)
    now, then = side_now(question), sides(table[0], table[1], table[2], question.settings)
    gain = -now * (table[0] - question.strength)
    if not now:
        gain = np.abs(table[0] - 0.5) - abs(question.strength - 0.5)
    ids, count = question.graph.ids, len(nodes)
    found = [
        Study(
            statement=ids[node],
            title=question.statement_at(node).title,
            relation=WAYS[place // count],
            quality=tidy(quality),
            strength=number(table[0, place]),
            word=word_at(table[:, place], question.settings),
            gain=tidy(float(gain[place])),
            decides=bool(then[place] != now),
            turns=bool(now) and bool(then[place] == -now),
        )
        for place, node in enumerate(np.tile(nodes, len(WAYS)).tolist())
        if gain[place] > 0.0
    ]
    found.sort(key=lambda s: (not s.decides, -s.gain, s.statement, s.relation))
    return tuple(study for study in found if study.gain > 0.0)[:k], whole


def _tried(question: Question) -> tuple[Ints, bool]:
    """The claims to try: all that bear on a question, or those that move it most, and its own
    reasons among them.
    """
    nodes, graph = question.claims, question.graph
    room = max(question.settings.budget // (4 * max(len(graph.src), 1)), FEWEST)
    if len(nodes) <= room:
        return nodes, True
    near = np.isin(nodes, graph.src[graph.into(question.node)])
    reach = np.abs(slopes(question)[nodes])
    return nodes[np.lexsort((-reach, ~near))[:room]], False


def _with_each(question: Question, nodes: Ints, quality: float) -> Floats:
    """What the word follows from, with a study for each of `nodes` in turn, then against each."""
    size, total = question.graph.size, len(WAYS) * len(nodes)
    signs = np.repeat([1.0, -1.0], len(nodes)).tolist()
    places = np.tile(nodes, len(WAYS)).tolist()
    added = [Added(node, sign, quality) for node, sign in zip(places, signs, strict=True)]
    graph = with_studies(question.graph, added, one_source=True)

    def one_heard(first: int, last: int) -> Columns:
        voice = np.ones((graph.size, last - first))
        voice[size:] = np.arange(total)[:, None] == np.arange(first, last)[None, :]
        return Columns(last - first, voice=voice)

    return batched(graph, total, one_heard, standing_of(question.node))


def study_sentence(question: Question, studies: tuple[Study, ...]) -> str:
    """What the first of `studies` would do, in one sentence; empty where there is none."""
    if not studies:
        return ""
    first = studies[0]
    way = "for" if first.relation is Relation.SUPPORTS else "against"
    end = f"would move it most, to {first.strength or 0.0:.2f}"
    if first.decides:
        end = "would leave it undecided" if side_now(question) else "would decide it"
    if first.turns:
        end = "would turn it"
    what = f"{way} “{first.title.rstrip('.?!')}”"
    return f"An experiment with 400 people, peer reviewed, {what} {end}."
