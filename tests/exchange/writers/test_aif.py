"""AIF and xAIF: held to the rules of the AIF specification, and read by the package `xaif`."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given

from kg.corpus import Corpus
from kg.exchange.formats import render_export
from kg.exchange.writers.aif import SCHEMES
from kg.model import Relation
from tests.support.corpora import corpora, corpus_of_notes
from tests.support.effort import examples
from tests.support.own import own_corpus


def exported(corpus: Corpus, name: str = "aif") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(render_export(corpus, name))
    return found


def judge(aif: dict[str, Any]) -> None:
    """What the specification asks: no I-node leads to an I-node; each S-node has at least one
    node before it and exactly one after it; ids are there once.
    """
    types = {node["nodeID"]: node["type"] for node in aif["nodes"]}
    assert len(types) == len(aif["nodes"])
    assert len({edge["edgeID"] for edge in aif["edges"]}) == len(aif["edges"])
    assert set(types.values()) <= {"I", "RA", "CA", "MA"}
    into = Counter(edge["toID"] for edge in aif["edges"])
    out = Counter(edge["fromID"] for edge in aif["edges"])
    for edge in aif["edges"]:
        assert {types[edge["fromID"]], types[edge["toID"]]} != {"I"}
    assert all(into[id] and out[id] == 1 for id, type in types.items() if type != "I")


@given(corpora())
@examples(6)
def test_any_corpus_keeps_the_rules(corpus: Corpus) -> None:
    aif = exported(corpus)
    judge(aif)
    told = [node["kg:id"] for node in aif["nodes"] if node["type"] == "I"]
    assert told == [*corpus.statements]


def test_our_corpus_is_whole() -> None:
    corpus, aif = own_corpus(), exported(own_corpus())
    judge(aif)
    drawn = [edge for edge in corpus.edges if edge.relation in SCHEMES]
    told = Counter(node["kg:id"] for node in aif["nodes"] if node["type"] != "I")
    assert told == Counter({edge.id: 1 + edge.goes_both_ways for edge in drawn})
    ids = {node["nodeID"]: node for node in aif["nodes"]}
    for edge in aif["edges"]:
        source, target = ids[edge["fromID"]], ids[edge["toID"]]
        if source["type"] == "CA" and target["type"] != "I":
            known = corpus.edges_by_id[source["kg:id"]]
            assert (known.relation, known.target) == (Relation.UNDERCUTS, target["kg:id"])


def test_linked_premises_meet_in_one_inference() -> None:
    corpus = corpus_of_notes(
        a="---\ntype: claim\n---\n# A\n",
        b="---\ntype: claim\n---\n# B\n\n- supports:: [[a]] (with:: [[c]]) — both\n",
        c="---\ntype: claim\n---\n# C\n\n- contradicts:: [[a]] (mutual:: yes)\n",
    )
    aif = exported(corpus)
    (rule,) = (node for node in aif["nodes"] if node["type"] == "RA")
    before = [edge["fromID"] for edge in aif["edges"] if edge["toID"] == rule["nodeID"]]
    assert before == ["2", "3"]
    assert rule["kg:reason"] == "both"
    assert sum(node["type"] == "CA" for node in aif["nodes"]) == 2


@pytest.mark.integration
def test_the_package_xaif_finds_the_same_relations() -> None:
    theirs = pytest.importorskip("xaif", reason="xaif, of the extra `test`")
    value = exported(own_corpus(), "xaif")
    parsed = theirs.AIF(value)
    assert parsed.is_valid_json_aif()
    assert not parsed.is_json_aif_dialog()
    rows = parsed.get_csv("argument-relation")
    told = Counter(
        zip(rows["proposition1_text"], rows["proposition2_text"], rows["relation"], strict=True)
    )
    corpus, expected = own_corpus(), Counter[tuple[str, str, str]]()
    for edge in corpus.edges:
        if edge.relation in SCHEMES and edge.target in corpus.statements:
            ends = [(premise, edge.target) for premise in edge.premises]
            for one, other in [*ends, *edge.directions[1:]]:
                titles = (corpus.statements[id].title for id in (one, other))
                expected[(*titles, SCHEMES[edge.relation][1])] += 1  # type: ignore[index]
    assert Counter({row: n for row, n in told.items() if row[2] != "None"}) == expected
