"""Where a question comes out, how firmly, and how else it could be judged."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypedDict

import numpy as np
from msgspec import structs

from kg.corpus.independent_sources import one_with, superseded
from kg.corpus.sides import sides_of
from kg.model import StatementId
from kg.model.config import Reasoning
from kg.model.ladder import KINDS, Quality
from kg.reasoning.answers.positions import grounds_of
from kg.reasoning.answers.verdict_text import CampView, Verdict
from kg.reasoning.arrays import Bools, Floats, logit, rounded, rounded_or_none
from kg.reasoning.attribution.bill import Balance, limited, objections_beneath
from kg.reasoning.attribution.camp_views import camps_of, views
from kg.reasoning.attribution.filed_directly import filed_directly
from kg.reasoning.attribution.independence import all_shares, effective, masses, rests_on
from kg.reasoning.attribution.losses import dependence
from kg.reasoning.attribution.sensitivity import sensitivity
from kg.reasoning.attribution.shares import partners
from kg.reasoning.graph import Graph, reached_by_support
from kg.reasoning.reading import Question, Reading, of_corpus, once_per_question, reading_of
from kg.reasoning.verdict_words import UNSETTLED, quality_word, show_strength, side_of, word_for
from kg.reasoning.weighed_answer import (
    OpenQuestion,
    Reason,
    asked_question,
    differs,
    open_question,
    outcome,
    quoted,
    side_now,
)

MOST_STUDIES = 1000
"""Where more would be needed, to say how many tells nobody anything."""
SECOND_OPINIONS = ("logistic", "qe", "dfquad")
"""Semantics whose strengths stand beside a verdict: sums, squares and products of reasons."""


@of_corpus
def verdict(reading: Reading, name: str) -> Verdict | OpenQuestion:
    """The verdict on `name`: a line's proposition, or a statement. Raises `UnknownId`.

    `kg.verdict(corpus, "social-grounding").sentence`
    """
    question = reading.question(name)
    if not question.statement:
        return open_question(question)
    strength, balance = question.strength, balance_of(question)
    others, words = other_strengths(question), other_words(question)
    grounded, says = grounds_of(question)
    rests = dependence(question)
    parts = masses(question, question.node, rests)
    now = side_now(question)
    claim, base = bool(question.graph.claim[question.node]), question.graph.base[question.node]
    word = word_of(question)
    against = claim and differs(side_of(word), grounded)
    band, direct = sensitivity(question), filed_directly(question)
    found = Verdict(
        sentence="",
        asked=asked_question(question),
        complete=rests.whole,
        strength=rounded_or_none(strength),
        low=rounded_or_none(band.low),
        high=rounded_or_none(band.high),
        word=word,
        side=side_of(word) if claim else 0,
        answer=_answer(question, word) if claim else "",
        base=rounded(base),
        balance=balance,
        reasons=direct_reasons(question),
        camps=_camp_views(question),
        others=others,
        other_words=words,
        filed_directly=rounded_or_none(direct.strength),
        filed_word=word_for(*direct, question.settings) if claim else "",
        grounded=grounded,
        grounded_says=says if against else "",
        depends_on_semantics=claim and depends_on_semantics(now, words, grounded),
        fail_safe=fail_safe(question) if claim else None,
        effective_sources=rounded(effective(np.add(*parts))),
        heaviest_source=rounded(float(np.add(*parts).max(initial=0.0))),
        sourced=rounded(float(np.sum(parts))),
        lessened=objections_beneath(question),
        same=one_with(question.reading.corpus, question.statement)[1:],
        superseded_by=question.reading.corpus.derive(superseded).get(question.statement, ""),
        left_out=_left_out(question),
        sources=rests_on(question, np.add(*parts)),
        crossing=tuple(question.graph.ids[i] for i in camps_of(question).crossing),
        **_at_defaults(question),
    )
    return structs.replace(found, sentence=verdict_sentence(question, found))


def _left_out(question: Question) -> tuple[StatementId, ...]:
    """What would speak for or against it directly, were it not superseded."""
    corpus = question.reading.corpus
    replaced = corpus.derive(superseded)
    left_out = sides_of(corpus, question.statement).left_out
    speakers = (each for reason in left_out for each in reason.speakers)
    return tuple(dict.fromkeys(each for each in speakers if each in replaced))


def word_of(question: Question) -> str:
    """The word for what is asked; of evidence, its quality."""
    if question.graph.claim[question.node]:
        return word_for(*outcome(question), question.settings)
    reading = question.reading
    whole, node = reading.graph, reading.graph.names[question.statement]
    gates = whole.gate[whole.out_of(node)]
    base = float(question.graph.base[question.node])
    return quality_word(base, question.strength, reading.solution.state[gates].tolist())


def _answer(question: Question, word: str) -> str:
    """The answer in the words of the line's question; empty where the line gives none."""
    line = question.reading.corpus.lines.get(question.line or "")
    if line is None or word == UNSETTLED:
        return ""
    answer = line.answer_for(side_of(word))
    return (
        f"What little there is says: {answer}" if answer and word.startswith("thinly") else answer
    )


class _AtDefaults(TypedDict):
    set_here: dict[str, float | str]
    default_strength: float | None
    default_word: str


def _at_defaults(question: Question) -> _AtDefaults:
    """What `kg.toml` sets that a verdict hangs on, and the verdict without that."""
    reading, changed = question.reading, set_here(question)
    if not changed:
        return {"set_here": {}, "default_strength": None, "default_word": ""}
    config = reading.corpus.config.model_copy(update={"quality": _usual_ladder(question)})
    corpus = replace(reading.corpus, config=config)
    plain = reading_of(corpus, Reasoning(), reading.judgements).question(
        question.line or question.statement
    )
    word = word_of(plain)
    return {
        "set_here": changed,
        "default_strength": rounded_or_none(plain.strength),
        "default_word": word,
    }


def set_here(question: Question) -> dict[str, float | str]:
    """The settings of `kg.toml` that numbers hang on and that are not the defaults."""
    config, usual = question.reading.corpus.config, Reasoning()
    # under settings that somebody tries, what the corpus set for itself is not what counts
    if question.settings != config.reasoning:
        return {}
    changed = {
        key: value
        for key, value in question.settings
        if value != getattr(usual, key) and key != "budget"  # which bounds searches alone
    }
    rungs = _rungs(config.quality)
    before = _rungs(_usual_ladder(question))
    return changed | {key: rung for key, rung in rungs.items() if rung != before[key]}


def _usual_ladder(question: Question) -> Quality:
    """The default ladder, with the methods that only this corpus knows."""
    here = question.reading.corpus.config.quality
    return Quality().model_copy(update={"kinds": {**here.kinds, **KINDS}})


def _rungs(table: Quality) -> dict[str, float]:
    """A ladder as keys of `kg.toml` and their numbers."""
    rungs: dict[str, float] = {}
    for key, value in table:
        by_word = value if isinstance(value, dict) else {"": value}
        rungs |= {f"quality.{key}.{word}".rstrip("."): rung for word, rung in by_word.items()}
    return rungs


@once_per_question
def balance_of(question: Question) -> Balance:
    """Reasons for and against what is asked, in nats."""
    shares = all_shares(question)[question.graph.into(question.node)]
    return weigh(shares)


def weigh(shares: Floats) -> Balance:
    """The balance of signed shares."""
    pro, con = float(shares[shares > 0.0].sum()), float(-shares[shares < 0.0].sum())
    volume = pro + con
    conflict = 2.0 * min(pro, con) / volume if volume > 0.0 else 0.0
    return Balance(
        pro=rounded(pro), con=rounded(con), volume=rounded(volume), conflict=rounded(conflict)
    )


@once_per_question
def direct_reasons(question: Question) -> tuple[Reason, ...]:
    """The direct reasons, the heaviest first; shares that add up to the change in log-odds."""
    whole = jointly(question.graph, all_shares(question))
    found = [reason_at(question, arcs, whole) for arcs in arcs_of_reasons(question)]
    return tuple(sorted(found, key=lambda reason: -abs(reason.share)))


def arcs_of_reasons(question: Question) -> list[list[int]]:
    """The arcs to what is asked, by the reason that they are, the heaviest arc first.

    Several edges from what is said to be the same are one reason, under one id.
    """
    graph = question.graph
    by_reason: dict[tuple[int, int], list[int]] = {}
    for arc in heaviest_arcs(question, all_shares(question)):
        # one statement may speak in several ways: for, against, as a premise that fell (-1, -2,
        # -3), or in a joint reason, by its number from 0 on
        alone = -1 - int(graph.w[arc] < 0.0) - int(graph.fallen[arc])
        joint = int(graph.joint[arc])
        by_reason.setdefault((int(graph.src[arc]), joint if joint >= 0 else alone), []).append(arc)
    return list(by_reason.values())


def jointly(graph: Graph, shares: Floats) -> Floats:
    """The shares of arcs, those of a joint reason's premises added up."""
    summed, linked = shares.copy(), graph.joint >= 0
    if linked.any():
        summed[linked] = np.bincount(graph.joint[linked], shares[linked])[graph.joint[linked]]
    return summed


def heaviest_arcs(question: Question, shares: Floats) -> list[int]:
    """The arcs to what is asked, the heaviest first; one for each joint reason."""
    graph = question.graph
    arcs = graph.into(question.node).tolist()

    summed = jointly(graph, shares)

    def order(arc: int) -> tuple[float, float, float, str, str]:
        # rounded, so that rounding errors do not decide between equals: ids do
        together, own = (abs(round(float(table[arc]), 9)) for table in (summed, shares))
        # of premises that say nothing together, the weakest is the one that silences them
        silent = graph.joint[arc] >= 0 and not together
        strength = round(float(question.strengths[graph.src[arc]]), 9) if silent else 0.0
        return -together, -own, strength, graph.ids[graph.src[arc]], graph.edges[arc]

    known: set[int] = set()
    heaviest = []
    for arc in sorted(arcs, key=order):  # premises that count only together are one reason
        reason = int(graph.joint[arc])
        if reason < 0 or reason not in known:
            heaviest.append(arc)
            known.add(reason)
    return heaviest


def reason_at(question: Question, arcs: Sequence[int], whole: Floats) -> Reason:
    """The direct reason that some arcs are; `whole` is what each adds, with its partners."""
    graph, arc = question.graph, arcs[0]
    node, share = int(graph.src[arc]), rounded(whole[list(arcs)].sum())
    return Reason(
        statement=graph.ids[node],
        title=question.statement_at(node).title,
        edge=graph.edges[arc],
        strength=rounded_or_none(question.strengths[node]),
        weight=rounded(graph.w[arc]),
        share=share,
        relation=question.reading.corpus.edge[graph.edges[arc]].relation,
        together=partners(question.reading, graph, arc),
        fallen=bool(graph.fallen[arc]) and share < 0.0,
    )


@once_per_question
def _other_outcomes(question: Question) -> dict[str, tuple[float, float, float]]:
    """What the word follows from under the other semantics that are shown beside it."""
    semantics = (name for name in SECOND_OPINIONS if name != question.settings.semantics)
    return {name: outcome(question, question.under(semantics=name)) for name in semantics}


def other_strengths(question: Question) -> dict[str, float | None]:
    """The strength of what is asked under the other semantics."""
    return {name: rounded_or_none(found[0]) for name, found in _other_outcomes(question).items()}


def other_words(question: Question) -> dict[str, str]:
    """The word for a claim under the other semantics; none of evidence, which has no side."""
    if not question.graph.claim[question.node]:
        return {}
    found = _other_outcomes(question).items()
    return {name: word_for(*each, question.settings) for name, each in found}


def depends_on_semantics(now: int, words: Mapping[str, str], grounded: str) -> bool:
    """Whether an answer with a side (`now`) has another semantics not on it, or Dung's label on the
    other.
    """
    apart = any(side_of(word) != now for word in words.values())
    return bool(now) and (apart or differs(now, grounded))


def fail_safe(question: Question) -> int | None:
    """How many flawless contrary studies would take the answer from its side; `None` where it has
    none, or where no number of them would.

    After Rosenthal's fail-safe number (1979); exact under the logistic semantics.
    """
    now = side_now(question)
    strength, pro, con = outcome(question)
    if not now or strength in (0.0, 1.0):
        return None
    for studies in range(1, MOST_STUDIES + 1):
        # a flawless study adds its whole gain to the log-odds
        more = studies * question.settings.gain
        moved = 1.0 / (1.0 + math.exp(-(logit(strength) - now * more)))
        fresh = (pro, con + more) if now > 0 else (pro + more, con)
        if side_of(word_for(moved, *fresh, question.settings)) != now:
            return studies
    return None


def _camp_views(question: Question) -> tuple[CampView, ...]:
    camps, seen = camps_of(question), views(question)
    colours = {each.id: each.colour for each in question.reading.corpus.config.camps}
    return tuple(
        CampView(
            camp=camp,
            side=camps.sign[camp],
            statements=len(camps.members(camp)),
            strength=rounded_or_none(seen[question.node, column]),
            colour=colours.get(camp, ""),
        )
        for column, camp in enumerate(camps.names)
    )


@once_per_question
def supported(question: Question) -> Bools:
    """Which statements of the question's graph some evidence supports, directly or by a chain."""
    return reached_by_support(question.graph, question.graph.base)


def verdict_sentence(question: Question, found: Verdict) -> str:
    """The verdict in one sentence."""
    title = quoted(question.title)
    if found.word == UNSETTLED:
        return f"No stable strength could be found for {title}, so there is no verdict."
    if found.word.startswith("quality"):
        word = found.word.capitalize()
        meant = f"how much the evidence {title} can carry, from 0 to 1."
        return f"{word}. Quality is {meant}" if ":" in word else f"{word}: {meant}"
    if found.word == "open":
        first = f"{_closed(found.answer)} " if found.answer else ""
        return f"{first}Open: too little in this corpus bears on {title} to say."
    strength = show_strength(found.strength or 0.0, question.settings)
    backs = f"this corpus backs {title} at {strength} on a scale from 0 to 1"
    first = f"{_closed(found.answer)} " if found.answer else ""
    return f"{first}{found.word.capitalize()}: {backs}.{limited(found.reasons, found.side)}"


def _closed(text: str) -> str:
    """`text` with a full stop, unless it ends like a sentence."""
    return text if text.endswith((".", "?", "!")) else text + "."
