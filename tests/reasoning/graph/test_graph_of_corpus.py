"""What edges, sources and judgements become in numbers."""

from __future__ import annotations

from math import exp

import pytest

from kg.corpus import Corpus
from kg.model import Integrity, Relation
from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning import EdgeLabel, Judgement, reading_of, strengths
from kg.reasoning.graph.graph_of_corpus import edge_weights_of
from tests.support.corpus_parts import SPAN, claim, corpus_of_parts, edge, evidence, source


def sigma(x: float) -> float:
    return 1.0 / (1.0 + exp(-x))


def test_relations_become_signed_weights() -> None:
    notes = corpus_of_parts(
        *(evidence(name, quality=0.8) for name in "abcd"),
        *(claim(name) for name in "pqrs"),
        "a supports p",
        edge("b contradicts q", strength="moderate"),
        "c qualifies r",
        edge("d supports s", strength="weak"),
    )
    new_strengths = strengths(notes)
    assert new_strengths["p"] == pytest.approx(sigma(0.8))
    assert new_strengths["q"] == pytest.approx(sigma(-0.6 * 0.8))
    assert new_strengths["r"] == pytest.approx(sigma(-0.3 * 0.8))
    assert new_strengths["s"] == pytest.approx(sigma(0.3 * 0.8))


def test_mutual_contradiction_goes_both_ways() -> None:
    notes = corpus_of_parts(
        claim("p"),
        claim("q"),
        evidence("a", quality=0.8),
        "a supports p",
        edge("p contradicts q", mutual=True),
    )
    assert {(a, b) for a, b in zip(*arcs_of(notes), strict=True)} == {
        ("a", "p"),
        ("p", "q"),
        ("q", "p"),
    }


def arcs_of(notes: object) -> tuple[list[str], list[str]]:
    graph = reading_of(notes).graph  # type: ignore[arg-type]
    return [graph.ids[i] for i in graph.arc_premise], [graph.ids[i] for i in graph.arc_target]


def test_an_undercut_takes_its_part_of_the_edge_not_of_the_claim() -> None:
    notes = corpus_of_parts(
        claim("p"),
        evidence("a", quality=0.8),
        evidence("u", quality=0.5),
        "a supports p",
        "u undercuts a supports p",
    )
    new_strengths = strengths(notes)
    assert new_strengths["a"] == 0.8
    assert new_strengths["p"] == pytest.approx(sigma(0.8 * (1.0 - 0.5)))


def test_an_undercut_can_itself_be_undercut() -> None:
    notes = corpus_of_parts(
        claim("p"),
        *(evidence(name, quality=0.5) for name in "auv"),
        "a supports p",
        "u undercuts a supports p",
        "v undercuts u undercuts a supports p",
    )
    assert strengths(notes)["p"] == pytest.approx(sigma(0.5 * (1.0 - 0.5 * 0.5)))


def test_what_depends_on_a_premise_falls_with_it_and_gains_nothing_from_it() -> None:
    def notes(against: bool) -> Corpus:
        return corpus_of_parts(
            claim("p"),
            claim("premise"),
            evidence("a", quality=0.8),
            evidence("b", quality=0.9),
            "a supports p",
            "p depends-on premise",
            "b contradicts premise" if against else "b supports premise",
        )

    assert strengths(notes(False))["p"] == pytest.approx(sigma(0.8))
    fallen = (0.5 - sigma(-0.9)) / 0.5
    assert strengths(notes(True))["p"] == pytest.approx(sigma(0.8 - fallen))


def test_a_retracted_premise_is_fallen_altogether() -> None:
    notes = corpus_of_parts(
        claim("p"),
        evidence("a", quality=0.8),
        evidence("b", ["gone"], quality=0.9),
        source("gone", integrity=Integrity.RETRACTED),
        "a supports p",
        "p depends-on b",
    )
    assert strengths(notes)["p"] == pytest.approx(sigma(0.8 - 1.0))


def test_the_same_proposition_in_other_words_is_one_statement() -> None:
    notes = corpus_of_parts(
        claim("p"),
        claim("p2"),
        evidence("a", quality=0.8),
        evidence("b", quality=0.6),
        "a supports p",
        "b supports p2",
        "p same-as p2",
        "p supports p2",
    )
    new_strengths = strengths(notes)
    assert new_strengths["p"] == new_strengths["p2"] == pytest.approx(sigma(1.4))
    assert [unread.reason for unread in reading_of(notes).unweighed_edges] == [
        "both ends say the same"
    ]


def test_what_is_superseded_no_longer_speaks() -> None:
    notes = corpus_of_parts(
        claim("p"),
        evidence("old", quality=0.9),
        evidence("new", quality=0.4),
        "old supports p",
        "new supports p",
        "new supersedes old",
    )
    assert strengths(notes)["p"] == pytest.approx(sigma(0.4))
    assert reading_of(notes).unweighed_edges[0].reason == "it starts from what is superseded by new"


def test_of_a_mutual_contradiction_a_superseded_end_neither_speaks_nor_is_spoken_to() -> None:
    notes = corpus_of_parts(
        *(evidence(id, quality=0.8) for id in ("old", "new", "a")),
        claim("q"),
        "a supports q",
        "new supersedes old",
    )
    alone = strengths(notes)["q"]
    for mutual in ("old contradicts q", "q contradicts old"):
        both = corpus_of_parts(
            *(evidence(id, quality=0.8) for id in ("old", "new", "a")),
            claim("q"),
            "a supports q",
            "new supersedes old",
            edge(mutual, mutual=True),
        )
        assert strengths(both)["q"] == alone, mutual
        assert ("old", "q") not in zip(*arcs_of(both), strict=True)


def test_a_source_counts_once_per_claim_at_its_best() -> None:
    notes = corpus_of_parts(
        claim("p"),
        evidence("a", ["x"], quality=0.8),
        evidence("b", ["x"], quality=0.6),
        evidence("c", ["y"], quality=0.3),
        *(source(key) for key in "xy"),
        "a supports p",
        "b supports p",
        "c supports p",
    )
    assert strengths(notes)["p"] == pytest.approx(sigma(0.8 + 0.3))
    half = reading_of(notes, Reasoning(repeat=0.5))
    assert half.strength("p") == pytest.approx(sigma(0.8 + 0.5 * 0.6 + 0.3))


def test_one_source_may_speak_for_and_against() -> None:
    notes = corpus_of_parts(
        claim("p"),
        evidence("a", ["x"], quality=0.8),
        evidence("b", ["x"], quality=0.6),
        source("x"),
        "a supports p",
        "b contradicts p",
    )
    assert strengths(notes)["p"] == pytest.approx(sigma(0.2))


def test_independence_keys_join_sources_and_evidence() -> None:
    notes = corpus_of_parts(
        claim("p"),
        evidence("a", ["x"], quality=0.8),
        evidence("b", ["y"], quality=0.6),
        evidence("c", independence=("lab:z",), quality=0.5),
        source("x", independence=("lab:z",)),
        source("y", independence=("lab:z", "data:w")),
        *(f"{name} supports p" for name in "abc"),
    )
    assert strengths(notes)["p"] == pytest.approx(sigma(0.8))


def test_evidence_from_several_sources_is_split_among_them() -> None:
    notes = corpus_of_parts(
        claim("p"),
        evidence("a", ["x", "y"], quality=0.8),
        evidence("b", ["x"], quality=0.6),
        source("x"),
        source("y"),
        "a supports p",
        "b supports p",
    )
    assert strengths(notes)["p"] == pytest.approx(sigma(0.6 + 0.4))


def test_a_panel_replaces_the_weight_and_one_judge_keeps_the_strength() -> None:
    def rows(*labels: EdgeLabel) -> list[Judgement]:
        return [
            Judgement(edge="a supports p", annotator=f"{k}", label=label, span=SPAN)
            for k, label in enumerate(labels)
        ]

    notes = corpus_of_parts(
        claim("p"), evidence("a", quality=0.8), edge("a supports p", strength="weak")
    )
    panel = rows(*[EdgeLabel.SUPPORTS] * 6, *[EdgeLabel.CONTRADICTS] * 3, EdgeLabel.NEUTRAL)
    assert reading_of(notes, judgements=panel).strength("p") == pytest.approx(sigma(0.3 * 0.8))
    assert reading_of(notes, judgements=rows(*[EdgeLabel.SUPPORTS] * 2)).graph.arc_weight[0] == 1.0
    against = rows(EdgeLabel.CONTRADICTS)
    assert reading_of(notes, judgements=against).graph.arc_weight[0] == pytest.approx(-0.3)


def test_edges_that_lead_nowhere_are_listed() -> None:
    notes = corpus_of_parts(
        claim("p"), evidence("a"), "a supports gone", "a undercuts gone", "a same-as p"
    )
    assert {unread.edge for unread in reading_of(notes).unweighed_edges} == {
        "a supports gone",
        "a undercuts gone",
        "a same-as p",
    }


def test_premises_that_say_the_same_or_are_superseded_are_no_joint_reason() -> None:
    joint = edge("a supports c", together=("b",))
    for relation, why in (
        ("a same-as b", ""),
        ("a same-as c", "both ends say the same"),
        ("a supersedes b", "its premise b is superseded by a"),
    ):
        reading = reading_of(corpus_of_parts(*map(claim, "abc"), joint, relation))
        assert [each.reason for each in reading.unweighed_edges] == [why] * bool(why)
        assert not reading.graph.has_joint_premises


def test_a_word_of_strength_weighs_as_it_is_set_and_what_qualifies_by_so_much_less() -> None:
    weights = edge_weights_of(Reasoning(moderate=0.5, weak=0.25, qualifies=0.1))
    for relation, factor in ((Relation.SUPPORTS, 1.0), (Relation.QUALIFIES, 0.1)):
        arc_weights = [weights[relation, word] for word in (None, "strong", "moderate", "weak")]  # type: ignore[index]
        assert arc_weights == pytest.approx([factor, factor, 0.5 * factor, 0.25 * factor])
