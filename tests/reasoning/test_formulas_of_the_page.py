"""The program's strengths beside those of a second computation, written from the pages alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import exp
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kg
from kg.corpus import Corpus
from kg.model import (
    LINKABLE,
    Edge,
    EdgeStrength,
    Integrity,
    Kind,
    Relation,
    SeenIn,
    Source,
    Statement,
)
from kg.model.settings.config import Config, QualityLadder
from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning import independence
from kg.reasoning import reading_of as reading_of
from kg.reasoning.answers.independence import Independence
from kg.reasoning.word_and_side import verdict_word_of
from tests.reasoning.strength_oracle import Oracle, quality
from tests.support.corpus_parts import SPAN, claim, corpus_of_parts, edge, evidence, source
from tests.support.effort import TIMES, examples
from tests.support.every_row import every_row
from tests.support.own import new_reading, own_corpus

CLAIMS, FOUND, WORKS = ("c0", "c1", "c2", "c3", "c4"), ("e0", "e1", "e2", "e3"), ("w0", "w1", "w2")
KEYS = st.lists(st.sampled_from(("data:x", "lab:y", "lab:z")), max_size=2, unique=True).map(tuple)


def require_same_strengths(corpus: Corpus, judged: dict[str, list[str]] | None = None) -> Oracle:
    """Every strength to 1e-9, and every base."""
    oracle, strengths = Oracle(corpus, judged), kg.strengths(corpus)
    assert strengths == pytest.approx(
        {id: oracle.strength(oracle.same(id)) for id in corpus.statements}, rel=0, abs=1e-9
    )
    bases = {each.id: kg.quality(corpus, each.id).base_unretracted for each in corpus.evidence}
    assert {each.id: quality(corpus, each) for each in corpus.evidence} == pytest.approx(bases)
    return oracle


def require_same_words(corpus: Corpus, oracle: Oracle, word: Callable[[str], str]) -> None:
    words = {each.id: word(each.id) for each in corpus.claims}
    assert words == {each.id: oracle.word(each.id) for each in corpus.claims}


def require_same_parts(corpus: Corpus, oracle: Oracle, query: Iterable[str] = ()) -> None:
    """Each source adds to a claim what its best voices are."""
    reading = reading_of(corpus)
    for id in query or [each.id for each in corpus.claims]:
        answer = independence(reading, id)
        assert isinstance(answer, Independence)
        pro, con = oracle.sides(oracle.same(id))
        effects = answer.effects
        for side, parts in ((pro, [e.pro for e in effects]), (con, [e.con for e in effects])):
            # what is no source's is no set of works
            heard = [
                nats for source_group, nats in side.items() if isinstance(source_group, frozenset)
            ]
            maximum = max(len(heard), len(parts))
            assert _pad_with_zeros(parts, maximum) == pytest.approx(
                _pad_with_zeros(heard, maximum), abs=1e-6
            )


def _pad_with_zeros(parts: list[float], count: int) -> list[float]:
    return sorted([*parts, *[0.0] * (count - len(parts))])


@pytest.mark.integration
def test_our_own_corpus_comes_out_the_same() -> None:
    corpus, reading = own_corpus(), new_reading()
    oracle = require_same_strengths(corpus)
    require_same_words(corpus, oracle, lambda id: verdict_word_of(reading.question(id)))
    # the dearest question, so put for what lines ask alone
    propositions = [line.proposition for line in corpus.lines.values() if line.proposition]
    require_same_parts(corpus, oracle, propositions if TIMES > 1 else propositions[::3])


@st.composite
def statements(draw: st.DrawFn) -> list[Statement | Source]:
    rare = st.sampled_from((None, None, None, 0.0, 0.2, 0.7, 0.9, 1.0))
    claims = [claim(id, quality=draw(rare)) for id in CLAIMS[: draw(st.integers(1, 5))]]
    cited_sources = st.lists(st.sampled_from(WORKS), max_size=3, unique=True)
    base = st.sampled_from((None, 0.2, 0.5, 0.8, 0.99))
    evidences = [
        evidence(id, draw(cited_sources), quality=draw(base), independence=draw(KEYS))
        for id in FOUND[: draw(st.integers(0, 4))]
    ]
    state = st.sampled_from((None, None, Integrity.OK, Integrity.RETRACTED))
    known_sources = [
        source(key, integrity=draw(state), independence=draw(KEYS)) for key in WORKS[:2]
    ]
    return [*claims, *evidences, *known_sources]


@st.composite
def edges(draw: st.DrawFn, ids: list[str], others: tuple[str, ...]) -> list[Edge]:
    relations = ("supports",) * 3 + ("contradicts",) * 2 + ("undercuts",) * 2 + others
    all_edges: list[Edge] = []
    for number in range(draw(st.integers(0, 12))):
        relation = draw(st.sampled_from(relations))
        targets = [one.id for one in all_edges] if relation == "undercuts" else [*ids, "nowhere"]
        new_edge = Edge(
            id=f"edge-{number}",
            origin=draw(st.sampled_from(ids)),
            relation=Relation(relation),
            target=draw(st.sampled_from(targets or ["no-edge"])),
            span=SPAN,
            strength=draw(st.sampled_from((None, None, *EdgeStrength))),
            mutual=relation in ("contradicts", "supports", "qualifies") and draw(st.booleans()),
        )
        if not new_edge.mutual and relation in (*LINKABLE,):
            more = draw(st.lists(st.sampled_from(ids), max_size=2, unique=True))
            others_ = tuple(id for id in more if id != new_edge.origin)
            new_edge = msgspec.structs.replace(new_edge, together=others_)
        all_edges.append(new_edge)
    return [unlike_the_page(one, all_edges) for one in all_edges]


def unlike_the_page(one: Edge, result_edges: list[Edge]) -> Edge:
    """Without what the program does otherwise than the page (see the tests at the end)."""
    if one.relation is Relation.SUPERSEDES and one.origin == one.target:
        return msgspec.structs.replace(one, relation=Relation.SUPPORTS)
    old = {each.target for each in result_edges if each.relation is Relation.SUPERSEDES}
    return msgspec.structs.replace(one, mutual=one.mutual and not {one.origin, one.target} & old)


SETTINGS = st.builds(
    Reasoning,
    gain=st.sampled_from((1.0, 0.5, 2.0)),
    repeat=st.sampled_from((0.0, 0.3, 1.0)),
    moderate=st.sampled_from((0.6, 0.3, 0.9)),
    weak=st.sampled_from((0.3, 0.0, 0.1)),
    qualifies=st.sampled_from((0.3, 0.0, 0.7)),
)


@st.composite
def corpora(draw: st.DrawFn, *others: str) -> Corpus:
    parts = draw(statements())
    ids = [part.id for part in parts if isinstance(part, Statement)]
    reasoning = draw(st.one_of(st.just(Reasoning()), SETTINGS))
    return corpus_of_parts(*parts, *draw(edges(ids, others)), config=Config(reasoning=reasoning))


HELD = st.sampled_from((0.0, 0.3, 0.5, 0.8, 0.99, 1.0))
EVERY = ("qualifies", "depends-on", "depends-on", "same-as", "supersedes")


@examples(8, derandomize=True)
@given(corpora(*EVERY))
def test_random_corpora_come_out_the_same(corpus: Corpus) -> None:
    oracle = require_same_strengths(corpus)
    require_same_words(corpus, oracle, lambda id: kg.verdict(corpus, id).word)
    require_same_parts(corpus, oracle)


@examples(10, derandomize=True)
@given(corpora())
def test_circles_and_undercuts_come_out_the_same(corpus: Corpus) -> None:
    require_same_strengths(corpus)


@examples(20, derandomize=True)
@given(corpora(*EVERY), st.data())
def test_a_statement_with_a_fixed_strength_passes_on_what_the_formulas_give(
    corpus: Corpus, data: st.DataObject
) -> None:
    require_same_if_held(
        corpus, data.draw(st.sampled_from(list(corpus.statements))), data.draw(HELD)
    )


@every_row("strength", [0.3, 0.8, 1.0])
def test_a_claim_whose_objectors_take_everything_is_held_by_what_speaks_for_it(
    strength: float,
) -> None:
    """It hands on nothing by itself; of what it then hands on, the source is heard already."""
    corpus = corpus_of_parts(
        *(claim("q"), claim("a"), evidence("e0", ["w0"], quality=0.4)),
        *(evidence("e1", ["w1"], quality=0.8), evidence("e2", ["w0"], quality=0.9)),
        *("e0 supports a", "e1 contradicts a", "a supports q", "e2 supports q"),
    )
    assert kg.strengths(corpus)["q"] == pytest.approx(1 / (1 + exp(-0.9)))
    require_same_if_held(corpus, "a", strength)


def require_same_if_held(corpus: Corpus, id: str, strength: float) -> None:
    oracle, strengths = Oracle(corpus, held_values={id: strength}), kg.strengths(corpus)
    for change in kg.whatif(corpus, hold={id: strength}).changes:
        strengths |= dict.fromkeys((change.statement, *change.same), change.strength_after)
    assert strengths == pytest.approx(
        {each: oracle.strength(oracle.same(each)) for each in corpus.statements}, abs=3e-6
    )


JOINED = (
    *(claim(id) for id in ("q", "a", "b")),
    *(evidence("e0", ["w0"], quality=0.6), evidence("e1", ["w1"], quality=0.6)),
    *("e0 supports a", "e1 supports b", edge("a supports q", together=("b",))),
)


def test_names_do_not_decide_between_equal_premises() -> None:
    """The source of one of them is heard by itself besides."""
    more = (evidence("e2", ["w0"], quality=0.6), "e2 supports q")
    joined_strength = kg.strengths(corpus_of_parts(*JOINED, *more))["q"]
    swapped = [
        msgspec.structs.replace(x, together=("a",), origin="b") if i == 7 else x
        for i, x in enumerate(JOINED)
    ]
    assert joined_strength == pytest.approx(1 / (1 + exp(-0.9)))
    other = (evidence("e2", ["w1"], quality=0.6), "e2 supports q")
    for parts in ((*swapped, *more), (*JOINED, *other), (*swapped, *other)):
        assert kg.strengths(corpus_of_parts(*parts))["q"] == pytest.approx(
            joined_strength, abs=1e-12
        )


@every_row("repeat", [0.0, 0.5, 1.0])
def test_equal_premises_on_one_source_weigh_as_one(repeat: float) -> None:
    config = Config(reasoning=Reasoning(repeat=repeat))
    parts = [evidence("e1", ["w0"], quality=0.6) if i == 4 else x for i, x in enumerate(JOINED)]
    corpus = corpus_of_parts(*parts, config=config)
    assert kg.strengths(corpus)["q"] == pytest.approx(1 / (1 + exp(-0.6)))
    require_same_strengths(corpus)
    verdict = kg.verdict(corpus, "q")
    assert [reason.share for reason in verdict.reasons] == pytest.approx([0.6])
    assert verdict.filed_directly.strength is not None


def test_equal_premises_of_an_undercut_close_as_one() -> None:
    cut = edge("e0 undercuts e2 supports q", together=("e1",))
    shared = (claim("q"), evidence("e2", quality=0.8), "e2 supports q", cut)
    one = corpus_of_parts(*shared, *JOINED[3:5])
    require_same_strengths(one)
    assert kg.strengths(one)["q"] == pytest.approx(1 / (1 + exp(-0.8 * 0.4)))


RESTATED = (
    *(claim(id) for id in ("q", "a", "d")),
    *(evidence("e", ["w0"], quality=0.6), evidence("f", ["w1"], quality=0.55)),
    *("a supports q", "e supports a", "f supports d"),
)
AGAIN = claim("a2"), "a2 supports q", "e supports a2"


@every_row("mutual", [False, True])
def test_what_restates_changes_nothing_outside_circles_and_as_the_same_nowhere(
    mutual: bool,
) -> None:
    first, second = (edge(f"d contradicts {a}", mutual=mutual) for a in ("a", "a2"))
    once = corpus_of_parts(*RESTATED, first)
    twice = corpus_of_parts(*RESTATED, first, *AGAIN, second)
    same = corpus_of_parts(*RESTATED, first, *AGAIN, second, "a2 same-as a")
    expected, doubled, one = (kg.strengths(each)["q"] for each in (once, twice, same))
    assert one == pytest.approx(expected, abs=1e-12)
    if mutual:
        assert (expected, doubled) == pytest.approx((0.5124974, 0.6456563))
    else:
        assert doubled == pytest.approx(expected, abs=1e-12)
    require_same_strengths(twice)


GONE = source("w0", integrity=Integrity.RETRACTED)
CORNERS = {
    "who undercuts an undercut of its own": (
        *(claim(id, quality=0.9) for id in ("c0", "c1", "c2")),
        *("c0 supports c2", "c1 undercuts c0 supports c2", "c2 contradicts c1"),
        "c1 undercuts c1 undercuts c0 supports c2",
    ),
    "one source undercuts twice": (
        *(claim("c0"), source("w1"), evidence("e0", ["w1"], quality=0.8)),
        *(evidence("e1", ["w1"], quality=0.6), evidence("e2", quality=0.9)),
        *("e2 supports c0", "e0 undercuts e2 supports c0", "e1 undercuts e2 supports c0"),
    ),
    "one finding noted twice": (
        *(claim("c0"), evidence("e0", ["w1"], quality=0.8), evidence("e1", ["w2"], quality=0.6)),
        *(evidence("e2", ["w2"], quality=0.7), "e0 same-as e1", "e0 supports c0", "e2 supports c0"),
    ),
    "a premise named twice": (
        *(claim("c0", quality=0.9), claim("c1", quality=0.6), evidence("e0", quality=0.9)),
        *(
            "e0 contradicts c1",
            "c0 depends-on c1",
            msgspec.structs.replace(edge("c0 depends-on c1"), id="again"),
        ),
    ),
    "of equally good findings the one that stands counts": (
        *(claim("c0"), evidence("e0", ["w0"], quality=0.8), evidence("e1", quality=0.8), GONE),
        *("e0 same-as e1", "e0 supports c0"),
    ),
    "a source that is not in the bibliography": (
        *(claim("c0"), evidence("e0", ["w0", "w1"], quality=0.8), GONE, "e0 supports c0"),
    ),
}


@every_row("parts", CORNERS.values())
def test_edge_cases_come_out_as_on_the_page(parts: tuple[Any, ...]) -> None:
    require_same_strengths(corpus_of_parts(*parts))


@st.composite
def figures(draw: st.DrawFn) -> dict[str, Any]:
    """An effect whose interval, where it has one, does not end where there is none."""
    kind = draw(st.sampled_from(("d", "g", "r", "ρ", "β", "OR", "RR", "AUC", "pp", "%")))
    low, effect, high = (0.55, 0.7, 0.8) if kind == "AUC" else (0.1, 0.3, 0.8)
    ends = draw(st.sampled_from(((None, None), (low, high), (0.29, 0.31), (-0.4, high))))
    if ends[0] is not None and ends[0] <= 0 and kind in ("OR", "RR"):
        ends = (0.0, 2.5)
    return {"effect_kind": kind, "effect": effect, "effect_low": ends[0], "effect_high": ends[1]}


@examples(20, derandomize=True)
@given(st.data())
def test_random_evidence_gets_the_same_quality(data: st.DataObject) -> None:
    fields = {
        "method": (None, "experiment", "survey", "own"),
        "sample": (None, 0, 1, 3, 4, 24, 555, 10**6),
        "sample_unit": ("", "people", "essays", "turns of talk", "models", "gizmos"),
        "p": (None, None, 1e-300, 1e-9, 0.003, 0.04, 0.05, 0.051, 1.0),
        "p_sign": ("", "", "<", ">"),
        "replications": (None, 0, 1, 5),
        "failed_replications": (None, 0, 1, 3),
        "preregistered": (None, True, False),
        "peer_reviewed": (None, True, False),
        "concerns": ((), (), ("risk-of-bias", "imprecision!")),
        "seen_in": (None, None, *SeenIn),
        "quality": (None,) * 5 + (0.0, 0.3, 1.0),
        "citations": ((), evidence("x", ["w0"]).citations, evidence("x", ["w0", "w1"]).citations),
    }
    values: dict[str, Any] = {key: data.draw(st.sampled_from(of)) for key, of in fields.items()}
    values |= data.draw(st.one_of(st.just({}), figures()))
    table = QualityLadder(
        kinds={"own": 2.2},
        p=data.draw(st.sampled_from((0.5, 1.0))),
        lowest=data.draw(st.sampled_from((0.25, 0.0))),
        seen_at_most={"secondary": data.draw(st.sampled_from((0.5, 0.1)))},
    )
    works = source("w0", peer_reviewed=True), source("w1", integrity=Integrity.RETRACTED)
    statement = Statement(id="e", kind=Kind.EVIDENCE, title="E", span=SPAN, **values)
    require_same_strengths(corpus_of_parts(statement, *works, config=Config(quality=table)))


LABELS = st.lists(st.sampled_from(("supports", "contradicts", "neutral")), max_size=4)
NOTED = ("supports:: [[p]]", "qualifies:: [[p]] (strength:: weak)", "contradicts:: [[p]]")


@examples(3, derandomize=True)
@given(labels=st.tuples(LABELS, LABELS, LABELS))
def test_judgements_come_out_the_same(
    tmp_path_factory: pytest.TempPathFactory, labels: tuple[list[str], ...]
) -> None:
    folder = tmp_path_factory.mktemp("notes")
    (folder / "judgements").mkdir()
    (folder / "p.md").write_text("---\ntype: claim\n---\n\n# P holds\n", "utf-8")
    for number, noted in enumerate(NOTED):
        text = f"---\ntype: evidence\nquality: 0.8\n---\n\n# E {number}\n\n- {noted} — so\n"
        (folder / f"e{number}.md").write_text(text, "utf-8")
    ids = [each.id for each in kg.load(folder).edges]
    rows = [
        f"{id},j{n},{x}" for id, text in zip(ids, labels, strict=True) for n, x in enumerate(text)
    ]
    (folder / "judgements" / "all.csv").write_text(
        "\n".join(["edge,annotator,label", *rows]), "utf-8"
    )
    require_same_strengths(kg.load(folder), dict(zip(ids, labels, strict=True)))


@every_row("lost_text", ["new supersedes a", "new supersedes p"])
def test_an_edge_both_ways_loses_the_way_from_what_is_superseded(lost_text: str) -> None:
    both = edge("a contradicts p", mutual=True)
    require_same_strengths(
        corpus_of_parts(
            claim("p", quality=0.8), claim("a", quality=0.8), claim("new"), both, lost_text
        )
    )


def test_an_edge_by_which_a_statement_supersedes_itself_counts_for_nothing() -> None:
    require_same_strengths(
        corpus_of_parts(claim("p"), claim("a", quality=0.8), "a supersedes a", "a supports p")
    )
