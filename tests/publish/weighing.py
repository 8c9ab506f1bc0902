"""Scenarios for a reader who weighs an answer again, and what the program says of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec import structs

import kg
from kg.corpus import Corpus
from kg.corpus.quality.evidence_quality import study_design_of
from kg.judgements.edge_labels import Judgement
from kg.judgements.label_table import EdgeLabel
from kg.model import (
    LINKABLE,
    SIDES,
    Edge,
    EdgeStrength,
    Integrity,
    Kind,
    Relation,
    SampleClass,
    SeenIn,
    Statement,
)
from kg.model.settings.config import Config
from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning import answers, reading_of
from kg.reasoning.reading import Question, Reading
from kg.reasoning.reasons.camp_views import LEAST_EFFECT, camps_of, strengths_by_camp
from kg.reasoning.reasons.direct_reasons import shares_of_reasons
from kg.reasoning.reasons.shares import arc_shares_of, slopes_of
from kg.reasoning.scenarios import keep_outcome, mute_nodes
from kg.reasoning.sensitivity import supposition_effects
from kg.reasoning.sensitivity.changed_readings import without_supersession_and_keys
from kg.reasoning.strength_words import strength_word
from tests.support.corpus_parts import SPAN, claim, corpus_of_parts, edge, evidence, line, source

Scenario = dict[str, Any]
FILTERS = ("read", "reviewed", "people")
YEARS = (2023, 2024)
CAMPS, WORKS = ("optimist", "skeptic"), ("w0", "w1", "w2", "w3")
KEYS = ("data:x", "lab:y", "lab:z")
RARE_CHOICES = ("qualifies", "depends-on", "same-as", "same-as", "supersedes", "explains")
FREQUENT_CHOICES = ("supports",) * 6 + ("contradicts",) * 4 + ("undercuts",) * 3
RELATIONS = [Relation(name) for name in (*FREQUENT_CHOICES, *RARE_CHOICES)]
EACH_STATEMENT = -1.0
"""For `LEAST_CHANGE_LISTED`: then those that move not at all are listed too."""


def program_answer(
    before: Reading, name: str, scenario: Scenario, ids: Sequence[str]
) -> dict[str, Any]:
    """What the program says of a line in a scenario; `ids` are all that may bear on it.

    Strengths are those of `kg.whatif`, views of camps those of the answer under the scenario.
    """
    fallen = {
        key: structs.replace(each, integrity=Integrity.RETRACTED)
        for key, each in before.corpus.sources.items()
        if key in scenario.get("falls", ())
    }
    settings = before.settings.model_copy(update=scenario.get("settings", {}))
    other = replace(before.corpus, sources={**before.corpus.sources, **fallen})
    reading = reading_of(other, settings, before.judgements)
    question = reading.question(name)
    mute = muted_by(reading, question.statement, scenario, ids)
    base = scenario.get("base", {})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(supposition_effects, "LEAST_CHANGE_LISTED", EACH_STATEMENT)
        patch.setattr(answers.whatif, "verdict_changes", lambda *_: ())  # two thirds of the time
        changes = kg.whatif(reading, mute=mute, base=base).changes
    strengths = {id: each.strength_after for each in changes for id in (each.statement, *each.same)}
    question_id = reading_under(reading, mute, base).question_of_statement(question.statement, name)
    moves = slopes_of(question_id) * np.maximum(
        question_id.strengths - question_id.graph.passing_threshold, 0.0
    )
    strength_and_camps = keep_outcome(question_id.node)(question_id.solution, None)[:, 0].tolist()
    by_camp = strengths_by_camp(question_id)[question_id.node].tolist()
    return {
        **dict(zip(("strength", "pro", "con"), strength_and_camps, strict=True)),
        "word": strength_word(strength_and_camps, settings),
        "strengths": {id: strengths[id] for id in question_id.graph.number_of},
        "moves": {id: float(moves[node]) for id, node in question_id.graph.number_of.items()},
        "shares": _shares_by_id(question_id),
        "camps": dict(zip(camps_of(question_id).names, by_camp, strict=True)),
    }


def _shares_by_id(question: Question) -> dict[str, float]:
    """What each direct reason adds to the answer."""
    graph = question.graph
    arcs = graph.arcs_bearing_on(question.node)
    shares = shares_of_reasons(graph, arc_shares_of(question))[arcs]
    by_node = np.bincount(graph.arc_premise[arcs], shares, len(graph.ids))
    by_id = {id: float(by_node[node]) for id, node in graph.number_of.items()}
    return {id: share for id, share in by_id.items() if abs(share) > LEAST_EFFECT}


def reading_under(reading: Reading, mute: Sequence[str], base: dict[str, float]) -> Reading:
    """A reading with statements muted and others on another base, as `kg.whatif` makes it."""
    quiet = without_supersession_and_keys(reading, mute)
    number_of, bases = quiet.graph.number_of, quiet.graph.base.copy()
    for id, value in base.items():
        bases[number_of[id]] = value
    places = np.array([number_of[id] for id in mute], dtype=np.int64)
    return replace(quiet, graph=mute_nodes(quiet.graph.with_values(base=bases), places))


def muted_by(
    reading: Reading, question_id: str, scenario: Scenario, ids: Sequence[str]
) -> tuple[str, ...]:
    """What a scenario mutes: statements by name, and evidence that not every filter lets pass."""
    corpus, number_of = reading.corpus, reading.graph.number_of
    since = scenario.get("since", 0)
    heard = {
        number_of[each.id]
        for each in corpus.evidence
        if all(_passes(corpus, each, name) for name in scenario.get("only", ()))
        and (not since or _year_of(corpus, each) >= since)
    }
    heard.add(number_of[question_id])
    left_out = [each.id for each in corpus.evidence if each.id in ids]
    left_out = [id for id in left_out if number_of[id] not in heard]
    return tuple(dict.fromkeys((*scenario.get("mute", ()), *left_out)))


def _passes(corpus: Corpus, each: Statement, name: str) -> bool:
    if name == "read":
        return each.seen_in is SeenIn.PRIMARY
    cited_sources = [corpus.sources[key] for key in each.sources if key in corpus.sources]
    design = study_design_of(each, cited_sources)
    if name == "reviewed":
        return bool(design.peer_reviewed)
    return design.sample_class == SampleClass.PEOPLE


def _year_of(corpus: Corpus, each: Statement) -> int:
    years = (corpus.sources[key].year for key in each.sources if key in corpus.sources)
    return max((year for year in years if year), default=0)


def random_scenario(corpus: Corpus, ids: Sequence[str], random: Random) -> Scenario:
    """Some of all that a reader may choose; `ids` are the statements that may bear on it."""

    def some(names: Sequence[str]) -> list[str]:
        return random.sample(names, min(random.choice((0, 0, 1, 1, 2, 5)), len(names)))

    items = [id for id in ids if corpus.statements[id].kind is Kind.EVIDENCE]
    works = sorted({key for id in items for key in corpus.statements[id].sources})
    scenario: Scenario = {
        "mute": some(ids),
        "falls": some([key for key in works if key in corpus.sources]),
        "base": {id: random.choice((0.01, 0.5, random.random(), 0.99)) for id in some(items)},
        "only": [name for name in FILTERS if random.random() < 0.1],
        "since": random.choice((0,) * 8 + YEARS),
        "settings": random_settings(random) if random.random() < 0.5 else {},
    }
    return {name: value for name, value in scenario.items() if value}


def random_settings(random: Random) -> dict[str, float]:
    """Other settings, some of them at the ends of what they may be."""
    moderate = random.choice((0.6, 1.0, random.random()))
    return {
        "gain": random.choice((0.1, 1.0, 2.0, random.uniform(0.5, 1.5))),
        "repeat": random.choice((0.0, 0.3, 1.0)),
        "moderate": moderate,
        "weak": random.choice((0.0, moderate, moderate * random.random())),
        "qualifies": random.choice((0.0, 0.3, random.random(), 1.0)),
    }


def random_corpus(random: Random, size: int) -> Corpus:
    """A line on `c0`, and all that there is to weigh: circles, undercuts, linked premises, …"""
    claims = [f"c{number}" for number in range(random.randint(1, size))]
    items = [f"e{number}" for number in range(random.randint(1, size))]
    parts = [line("l", "c0"), *(claim(id, camp=_choose_or_none(random, CAMPS)) for id in claims)]
    parts += [_evidence(random, id) for id in items]
    for key in WORKS[:3]:
        keys = tuple(random.sample(KEYS, random.choice((0, 0, 1))))
        state, doi = (
            random.choice((None,) * 4 + (Integrity.RETRACTED,)),
            _choose_or_none(random, ["10.1/x"]),
        )
        year = random.choice((None, 2022, *YEARS))
        parts.append(source(key, integrity=state, independence=keys, doi=doi or "", year=year))
    return corpus_of_parts(
        *parts, *_edges(random, claims, [*claims, *items], random.randint(size, 4 * size))
    )


def entangled_corpus(count: int, **settings: float) -> Corpus:
    """A line on one of so many claims, each of which weakly supports each other."""
    names = [f"c{number}" for number in range(count)]
    pairs = [(one, other) for one in names for other in names if one != other]
    return corpus_of_parts(
        line("l", "c0"),
        *map(claim, names),
        *(edge(f"{a} supports {b}", strength=EdgeStrength.WEAK) for a, b in pairs),
        config=Config(reasoning=Reasoning(**settings)),
    )


def random_judgements(corpus: Corpus, random: Random) -> list[Judgement]:
    """What one to three annotators say of some edges."""
    edges = [each.id for each in corpus.edges if each.relation in SIDES and random.random() < 0.2]
    return [
        Judgement(edge=id, annotator=f"j{number}", label=random.choice([*EdgeLabel]), span=SPAN)
        for id in edges
        for number in range(random.randint(1, 3))
    ]


def _choose_or_none(random: Random, choices: Sequence[Any]) -> Any:
    return random.choice((None, random.choice(choices)))


def _evidence(random: Random, id: str) -> Statement:
    return evidence(
        id,
        random.sample(WORKS, random.choice((0, 1, 1, 2, 3))),
        quality=random.choice((0.2, 0.5, 0.8, 0.99, random.random())),
        independence=tuple(random.sample(KEYS, random.choice((0, 0, 1, 2)))),
        camp=_choose_or_none(random, CAMPS),
        seen_in=_choose_or_none(random, [*SeenIn]),
        peer_reviewed=_choose_or_none(random, (True, False)),
        sample_class=_choose_or_none(random, [*SampleClass]),
    )


def _edges(random: Random, claims: list[str], ids: list[str], count: int) -> list[Edge]:
    edges: list[Edge] = []
    for number in range(count):
        relation = random.choice(RELATIONS)
        cut = [each.id for each in edges if each.relation in (*SIDES, Relation.UNDERCUTS)]
        ends = cut or ids if relation is Relation.UNDERCUTS else random.choice((claims[:3], ids))
        more = (1, 1, 2) if relation is Relation.UNDERCUTS else (1, 2)
        others = random.sample(ids, min(len(ids), random.choice((0, 0, 0, *more))))
        edge = Edge(
            id=f"edge{number}",
            origin=random.choice(ids),
            relation=relation,
            target=random.choice(ends),
            span=SPAN,
            strength=_choose_or_none(random, [*EdgeStrength]),
            mutual=random.random() < 0.3,
        )
        if relation in LINKABLE and not edge.mutual:
            others = [id for id in others if id != edge.origin]
            edge = structs.replace(edge, together=tuple(others))
        edges.append(edge)
    return edges
