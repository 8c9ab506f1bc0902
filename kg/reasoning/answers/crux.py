"""The claims that the sides should discuss, and the new studies that would settle most."""

from __future__ import annotations

import numpy as np

from kg.model import Relation, StatementId, Value
from kg.model.grade import StudyDesign, grade_design
from kg.reasoning.arrays import Floats, Ints, round_off, round_off_or_none
from kg.reasoning.attribution.camp_views import camps_of, strengths_by_camp
from kg.reasoning.attribution.shares import slopes
from kg.reasoning.graph import Scenarios
from kg.reasoning.hypothetical_study import PlacedStudy, with_studies
from kg.reasoning.reading import Question, Reading, accepts_corpus
from kg.reasoning.scenarios import keep_outcome, run_held, run_scenarios
from kg.reasoning.verdict_words import (
    render_strength,
    sides,
    strength_in_table,
    sureness_cap_in_words,
    word_at,
)
from kg.reasoning.weighed_answer import (
    OpenQuestion,
    SideChange,
    WeighedAnswer,
    asked_question,
    open_question,
    quote_title,
    side_change,
    side_now,
)
from kg.report import Report, columns, lines_in_cell, render_cell, table

GOOD_STUDY = StudyDesign(method="experiment", sample=400, sample_class="people", peer_reviewed=True)
"""The study that is proposed: good, but within reach of a small team."""
GOOD_SAMPLE = f"{GOOD_STUDY.sample} {GOOD_STUDY.sample_class}"
STUDY_RELATIONS = (Relation.SUPPORTS, Relation.CONTRADICTS)
FEWEST_CLAIMS_TRIED = 4
"""Claims tried whatever the budget, so that there are some to rank and one to name."""
SCENARIOS_PER_CLAIM = 4
"""Two for the claim; the other half of the budget is for the crux below."""


class ProposedStudy(Value, frozen=True, omit_defaults=False):
    """A study for or against a statement (`relation`), and the answer with it.

    `quality` is its base strength, that of `GOOD_STUDY`; `strength` and `word` are those of the
    answer with it. `gain` is how far it moves the answer towards a side or, if it has one, away
    from it; `decides` says whether the answer gains or loses its side, `turns` whether it
    changes to the other side.
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


def studies_for(question: Question, k: int) -> tuple[tuple[ProposedStudy, ...], bool]:
    """The `k` studies that would settle a question most, and whether all were tried.

    There are none for a piece of evidence, as it takes no side.
    """
    if not question.graph.claim[question.node]:
        return (), True
    claims = _claims_to_try(question, direct_first=True)
    nodes = np.append(claims, question.node)
    quality = grade_design(GOOD_STUDY, question.reading.corpus.config.quality).base
    table = _outcome_with_each(question, nodes, quality)
    now, side_then = side_now(question), sides(table[0], table[1], table[2], question.settings)
    gains = -now * (table[0] - question.strength)
    if not now:  # without a side, further from ½ is nearer to one
        gains = np.abs(table[0] - 0.5) - abs(question.strength - 0.5)
    ids, count = question.graph.ids, len(nodes)
    studies = [
        ProposedStudy(
            statement=ids[node],
            title=question.statement_at(node).title,
            relation=STUDY_RELATIONS[place // count],
            quality=round_off(quality),
            strength=round_off_or_none(table[0, place]),
            word=word_at(table[:, place], question.settings),
            gain=gain,
            decides=bool(side_then[place] != now),
            turns=bool(now) and bool(side_then[place] == -now),
        )
        for place, node in enumerate(np.tile(nodes, len(STUDY_RELATIONS)).tolist())
        if (gain := round_off(gains[place])) > 0.0
    ]
    studies.sort(key=lambda s: (not s.decides, -s.gain, s.statement, s.relation))
    return tuple(studies[:k]), len(claims) == len(question.claims)


def _claims_to_try(question: Question, direct_first: bool = False) -> Ints:
    """The claims that bear on a question or, if the budget does not allow all of them, those that
    move it most; with `direct_first`, its direct reasons before any others.
    """
    claims, graph = question.claims, question.graph
    room = max(question.affordable(SCENARIOS_PER_CLAIM), FEWEST_CLAIMS_TRIED)
    if len(claims) <= room:
        return claims
    is_direct = np.isin(claims, graph.src[graph.arcs_bearing_on(question.node)])
    slope = np.abs(slopes(question)[claims])
    return claims[np.lexsort((-slope, direct_first & ~is_direct))[:room]]


def _outcome_with_each(question: Question, nodes: Ints, quality: float) -> Floats:
    """`keep_outcome` with a study for each of `nodes` in turn, then against each."""
    size, total = question.graph.size, len(STUDY_RELATIONS) * len(nodes)
    signs = np.repeat([1.0, -1.0], len(nodes)).tolist()
    places = np.tile(nodes, len(STUDY_RELATIONS)).tolist()
    added = [PlacedStudy(node, sign, quality) for node, sign in zip(places, signs, strict=True)]
    # all are in one graph, so that they share a plan, and each scenario hears one of them
    graph = with_studies(question.graph, added, one_source=True)

    def one_heard(first: int, last: int) -> Scenarios:
        voice = np.ones((graph.size, last - first))
        voice[size:] = np.arange(total)[:, None] == np.arange(first, last)[None, :]
        return Scenarios(last - first, voice=voice)

    return run_scenarios(graph, total, one_heard, keep_outcome(question.node))


def study_sentence(question: Question, studies: tuple[ProposedStudy, ...]) -> str:
    """The effect of the first of `studies`, in one sentence; empty if there is none."""
    if not studies:
        return ""
    first = studies[0]
    way = "for" if first.relation is Relation.SUPPORTS else "against"
    if first.strength is None:
        end = "would leave the answer without a stable strength"
    else:
        strength = render_strength(first.strength, question.settings)
        end = f"would move the answer most, to {strength}"
    if first.decides:
        end = f"would {'leave the answer undecided' if side_now(question) else 'decide the answer'}"
    if first.turns:
        end = "would turn the answer"
    what = f"{way} {quote_title(first.title)}"
    return f"An {GOOD_STUDY.method} with {GOOD_SAMPLE}, peer reviewed, {what} {end}."


CRUXES_SHOWN = 5
"""As many as can be discussed in one sitting."""
KIND_WITH_CAMPS, KIND_WITHOUT_CAMPS = "crux", "claim it hangs on"


class Crux(Value, frozen=True, omit_defaults=False):
    """A claim on which much hangs.

    `if_true` and `if_false` are the strengths of the answer with the claim held at 1 and 0,
    `swing` their difference; `disagreement` how far apart the camps see the claim (`views`);
    `score` what it is ranked by (see `Cruxes`); `turns` whether either takes the answer to the
    other side, `undoes` whether either takes it from its side (or gives it one, if it has none);
    `when_true` and `when_false` say what happens to the answer's side.
    """

    statement: StatementId
    title: str
    strength: float | None
    if_true: float
    if_false: float
    swing: float
    disagreement: float
    views: dict[str, float | None]
    score: float
    turns: bool
    undoes: bool
    when_true: SideChange
    when_false: SideChange

    @property
    def side_changes(self) -> tuple[tuple[SideChange, str], ...]:
        """What happens to the answer's side, with `if true`, `if false` or `either way`; empty if
        it keeps its side both ways.
        """
        if self.when_true == self.when_false:
            ways = ((self.when_true, "either way"),)
            return ways if self.undoes else ()
        both = (self.when_true, "if true"), (self.when_false, "if false")
        return tuple(each for each in both if each[0] != "keeps")

    def describe_settling(self, answer: str = "it") -> str:
        """`side_changes` in words, such as `turns it if true`; `answer` is named the first time."""
        names = (answer, "it")
        parts = [
            f"{does} {name} {way}"
            for (does, way), name in zip(self.side_changes, names, strict=False)
        ]
        return " and ".join(parts)


CRUX = columns(
    Crux,
    "statement",
    (
        "strength each camp alone sees",
        lambda c: lines_in_cell(*(f"{name} {render_cell(seen)}" for name, seen in c.views.items())),
    ),
    "if true, if false",
    ("if settled", lambda c: c.describe_settling() or "–"),
    "score",
)
UNDISPUTED = columns(
    Crux,
    "statement, if true, if false",
    ("once settled", lambda c: c.describe_settling() or "–"),
    "score",
)
STUDY = columns(
    ProposedStudy,
    "statement, if it: relation, quality",
    ("strength then", lambda s: strength_in_table(s.strength)),
    ("at most then", lambda s: sureness_cap_in_words(s.word)),
    "decides",
)


class Cruxes(WeighedAnswer, frozen=True, kw_only=True):
    """The claims that the answer hangs on, the weightiest first.

    `kind` is crux if the notes name two camps here; the score is then swing · disagreement.
    Otherwise no one is known to disagree: it is `claim it hangs on`, and the score is
    swing · 4 s (1 - s). `below` is the crux of the first. `studies` are new studies that would
    settle the question most, first those that would give the answer a side or take it away.
    """

    kind: str
    tried: int
    cruxes: tuple[Crux, ...]
    below: Crux | None
    studies: tuple[ProposedStudy, ...] = ()

    def report(self) -> Report:
        proposed = f"an {GOOD_STUDY.method}, {GOOD_SAMPLE}, peer reviewed"
        name = "what the first of these hangs on most in turn"
        columns = CRUX if self.kind == KIND_WITH_CAMPS else UNDISPUTED
        return self.as_report(
            {"kind": self.kind, "claims tried": self.tried},
            table("cruxes, weighed for what was asked", self.cruxes, columns),
            table(name, (self.below,) if self.below else (), columns),
            table(f"studies that would settle most: {proposed}", self.studies, STUDY),
        )


@accepts_corpus
def crux(reading: Reading, name: str, k: int = CRUXES_SHOWN) -> Cruxes | OpenQuestion:
    """The `k` claims that the answer to `name` hangs on most.

    After Double Crux (CFAR): a statement on which both sides disagree and that would change both
    minds. Raises `UnknownId`.

    `kg.crux(corpus, "social-grounding", k=3)`
    """
    question = reading.question(name)
    if not question.statement:
        return open_question(question)
    cruxes, tried = _heaviest_cruxes(question, max(k, 1))
    first = cruxes[0] if cruxes and cruxes[0].score > 0.0 else None
    below = None
    if first is not None:
        # two, as in a circle what was asked bears on its own crux, and is then left out
        under, _ = _heaviest_cruxes(reading.ask(first.statement, question.line), 2)
        asked_about = question.graph.ids[question.node]
        others = [each for each in under if each.statement != asked_about]
        below = others[0] if others and others[0].score > 0.0 else None
    studies, all_tried = studies_for(question, k)
    kind = KIND_WITH_CAMPS if camps_of(question).declared else KIND_WITHOUT_CAMPS
    return Cruxes(
        sentence=" ".join(
            filter(None, (_crux_sentence(question, kind, first), study_sentence(question, studies)))
        ),
        asked=asked_question(question),
        complete=tried == len(question.claims) and all_tried,
        kind=kind,
        tried=tried,
        cruxes=tuple(cruxes[:k]),
        below=below,
        studies=studies,
    )


def _heaviest_cruxes(question: Question, k: int) -> tuple[list[Crux], int]:
    """The `k` claims that bear most on a question, by score, and how many were tried."""
    nodes = _claims_to_try(question)
    if not len(nodes):
        return [], 0
    # each claim twice, held true and then held false
    listed = [*nodes.tolist(), *nodes.tolist()]
    ends = [*np.ones(len(nodes)), *np.zeros(len(nodes))]
    table = run_held(question.graph, listed, ends, keep_outcome(question.node))
    high, low = table[0, : len(nodes)], table[0, len(nodes) :]
    then = sides(table[0], table[1], table[2], question.settings)
    then *= question.graph.claim[question.node]  # evidence has no side
    ways = np.stack([then[: len(nodes)], then[len(nodes) :]])
    views, s = strengths_by_camp(question)[nodes], question.strengths[nodes]
    apart: Floats = views.max(axis=1) - views.min(axis=1)
    # 4 s (1 − s) is 1 at ½ and 0 where a claim is as good as settled
    weight = apart if camps_of(question).declared else 4.0 * s * (1.0 - s)
    score: Floats = np.abs(high - low) * weight
    ids = question.graph.ids
    order = sorted(
        range(len(nodes)),
        key=lambda i: (
            -round_off(float(score[i])),
            -abs(round_off(float(high[i] - low[i]))),
            ids[nodes[i]],
        ),
    )
    cruxes = [
        _crux(question, int(nodes[i]), (high[i], low[i]), apart[i], score[i], ways[:, i])
        for i in order[:k]
    ]
    return cruxes, len(nodes)


def _crux(
    question: Question,
    node: int,
    ends: tuple[float, float],
    apart: float,
    score: float,
    ways: Ints,
) -> Crux:
    camps, (high, low) = camps_of(question), ends
    now = side_now(question)
    views = strengths_by_camp(question)[node].tolist()
    return Crux(
        statement=question.graph.ids[node],
        title=question.statement_at(node).title,
        strength=round_off_or_none(question.strengths[node]),
        if_true=round_off(high),
        if_false=round_off(low),
        swing=round_off(high - low),
        disagreement=round_off(apart),
        views={camp: round_off_or_none(x) for camp, x in zip(camps.names, views, strict=True)},
        score=round_off(score),
        turns=bool(now) and bool((ways == -now).any()),
        undoes=bool((ways != now).any()),
        when_true=side_change(now, int(ways[0])),
        when_false=side_change(now, int(ways[1])),
    )


def _crux_sentence(question: Question, kind: str, first: Crux | None) -> str:
    title = quote_title(question.title)
    if first is None:
        return f"No claim that bears on {title} is both disputed and able to move it."
    settled = first.describe_settling("the answer")
    ends = [render_strength(each, question.settings) for each in (first.if_false, first.if_true)]
    end = f"({ends[0]} if false, {ends[1]} if true)"
    if settled:
        end = f"settling it {settled} {end}"
    elif side_now(question):
        end = f"it moves the answer within its side {end}"
    else:
        end = f"it moves the answer, which has no side, from {ends[0]} (if false) to {ends[1]}"
    name = f"crux of {title}" if kind == KIND_WITH_CAMPS else f"claim that {title} hangs on most"
    return f"The {name} is {quote_title(first.title)}: {end}."
