"""Argdown, AIF and xAIF, read back by parsers of others.

Of `kg/exchange/escaped_text.py`, too.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given

from kg.corpus import Corpus
from kg.exchange.escaped_text import without_controls
from kg.exchange.formats import render_export
from kg.exchange.writers.argument_maps import SCHEMES
from kg.model import Relation
from tests.support.corpora import HOSTILE, corpus_of_notes, random_corpora
from tests.support.corpus_parts import claim, corpus_of_parts
from tests.support.corpus_parts import edge as edge_of
from tests.support.effort import examples
from tests.support.npm import output_of_script
from tests.support.own import own_corpus


def parsed_argdown(corpus: Corpus) -> dict[str, Any]:
    argdown: dict[str, Any] = output_of_script(
        "argdown.cjs", "@argdown/core", render_export(corpus, "argdown")
    )
    assert argdown["errors"] == []
    return argdown


def text_of(thing: dict[str, list[str]]) -> str:
    """The text, after which the tags stand once more."""
    text = thing["text"][0].rstrip() if thing["text"] else ""
    for tag in reversed(thing.get("tags", [])):
        text = text.removesuffix(f"#({tag})").rstrip()
    return text


ARGUED = """
<b#joint>: both hold

(1) [b]
(2) [c]
----
(3) [a]

<c--undercuts--d#no>: not so
    + [c]
    _> <d#no>

<d#no>: it fails

(1) [d]
----
(2) [d#no !]: Not so: A
    -> [a]
"""


def test_support_concludes_its_target_and_opposition_that_it_is_not_so() -> None:
    claim = "---\ntype: claim\n---\n\n# {}\n\n{}\n"
    corpus = corpus_of_notes(
        a=claim.format("A", ""),
        b=claim.format("B", "- supports:: [[a]] with [[c]] — both hold ^joint"),
        c=claim.format("C", "- undercuts:: [[d#^no]] — not so"),
        d=claim.format("D", "- contradicts:: [[a]] — it fails ^no"),
    )
    assert render_export(corpus, "argdown").decode().endswith(ARGUED)


@pytest.mark.integration
def test_our_corpus_is_what_argdown_reads() -> None:
    corpus, argdown = own_corpus(), parsed_argdown(own_corpus())
    for id, statement in corpus.statements.items():
        assert text_of(argdown["statements"][id]) == without_controls(statement.title)
    labels = {camp.id: camp.label for camp in corpus.config.camps}
    for id, camp in corpus.default_camps.items():
        assert labels[camp] in argdown["statements"][id]["tags"]
    edges = {edge.id: edge for edge in corpus.edges if edge.relation.entry.side}
    assert set(argdown["arguments"]) == set(edges)
    for id, edge in edges.items():
        argument = argdown["arguments"][id]
        assert text_of(argument) == without_controls(edge.reason)
        if edge.relation is not Relation.UNDERCUTS:
            assert argument["premises"] == [*edge.premises]
            against = f"{id} !" if edge.relation.entry.side < 0 else edge.target
            assert argument["conclusion"] == [against]
    counts = Counter(kind for kind, *_ in argdown["relations"])
    cuts = [edge for edge in edges.values() if edge.relation is Relation.UNDERCUTS]
    assert counts["undercut"] == len(cuts) > 0
    for edge in cuts:
        assert ["undercut", edge.id, edge.target] in argdown["relations"]


@pytest.mark.integration
def test_hostile_words_stay_words() -> None:
    words = [word for word in HOSTILE if without_controls(word)] + [
        "e.g. :smile: == -- // /* x */ {a: b}"
    ]
    head = "---\ntype: claim\ntitle: "
    notes = {
        f"n{position}": f"{head}{json.dumps(word)}\n---\n\n- supports:: [[n0]] — {word}\n"
        for position, word in enumerate(words)
    }
    corpus = corpus_of_notes(**notes)
    argdown = parsed_argdown(corpus)
    assert len(argdown["statements"]) == len(corpus.statements)
    for id, statement in corpus.statements.items():
        assert text_of(argdown["statements"][id]) == without_controls(statement.title)
    for edge in corpus.edges:
        assert argdown["arguments"][edge.id]["conclusion"] == [edge.target]


@pytest.mark.integration
def test_argdown_has_linked_premises_and_mutual_contradictions() -> None:
    corpus = corpus_of_notes(
        a="---\ntype: claim\n---\n# A\n",
        b="---\ntype: claim\n---\n# B\n\n- supports:: [[a]] (with:: [[c]]) — both\n",
        c="---\ntype: claim\n---\n# C\n\n- contradicts:: [[d]] (mutual:: yes)\n",
        d="---\ntype: claim\n---\n# D\n",
    )
    argdown = parsed_argdown(corpus)
    (joint, mutual) = corpus.edges
    assert joint.premises == ("b", "c")
    assert argdown["arguments"][joint.id]["premises"] == ["b", "c"]
    assert ["contradictory", f"{mutual.id} !", "d"] in argdown["relations"]


def exported_json(corpus: Corpus, name: str = "aif") -> dict[str, Any]:
    data: dict[str, Any] = json.loads(render_export(corpus, name))
    return data


def judge(aif: dict[str, Any]) -> None:
    """What the specification asks: no I-node leads to an I-node; each S-node has at least one
    node before it and exactly one after it; ids are there once.
    """
    types = {node["nodeID"]: node["type"] for node in aif["nodes"]}
    assert len(types) == len(aif["nodes"])
    assert len({edge["edgeID"] for edge in aif["edges"]}) == len(aif["edges"])
    assert set(types.values()) <= {"I", "RA", "CA", "MA"}
    counts = Counter(edge["toID"] for edge in aif["edges"])
    outgoing = Counter(edge["fromID"] for edge in aif["edges"])
    for edge in aif["edges"]:
        assert {types[edge["fromID"]], types[edge["toID"]]} != {"I"}
    assert all(counts[id] and outgoing[id] == 1 for id, type in types.items() if type != "I")


@given(random_corpora())
@examples(6)
def test_any_corpus_keeps_the_rules(corpus: Corpus) -> None:
    aif = exported_json(corpus)
    judge(aif)
    ids = [node["kg:id"] for node in aif["nodes"] if node["type"] == "I"]
    assert ids == [*corpus.statements]


def test_our_corpus_is_whole() -> None:
    corpus, aif = own_corpus(), exported_json(own_corpus())
    judge(aif)
    edges = [edge for edge in corpus.edges if edge.relation in SCHEMES]
    counts = Counter(node["kg:id"] for node in aif["nodes"] if node["type"] != "I")
    assert counts == Counter({edge.id: 1 + edge.goes_both_ways for edge in edges})
    ids = {node["nodeID"]: node for node in aif["nodes"]}
    for edge in aif["edges"]:
        source, target = ids[edge["fromID"]], ids[edge["toID"]]
        if source["type"] == "CA" and target["type"] != "I":
            known_edge = corpus.edges_by_id[source["kg:id"]]
            assert (known_edge.relation, known_edge.target) == (Relation.UNDERCUTS, target["kg:id"])


def test_linked_premises_meet_in_one_inference() -> None:
    corpus = corpus_of_notes(
        a="---\ntype: claim\n---\n# A\n",
        b="---\ntype: claim\n---\n# B\n\n- supports:: [[a]] (with:: [[c]]) — both\n",
        c="---\ntype: claim\n---\n# C\n\n- contradicts:: [[a]] (mutual:: yes)\n",
    )
    aif = exported_json(corpus)
    (rule,) = (node for node in aif["nodes"] if node["type"] == "RA")
    before = [edge["fromID"] for edge in aif["edges"] if edge["toID"] == rule["nodeID"]]
    assert before == ["2", "3"]
    assert rule["kg:reason"] == "both"
    there, back = (node["nodeID"] for node in aif["nodes"] if node["type"] == "CA")
    links = {(edge["fromID"], edge["toID"]) for edge in aif["edges"]}
    assert links >= {("3", there), (there, "1"), ("1", back), (back, "3")}


@pytest.mark.integration
def test_the_package_xaif_finds_the_same_relations() -> None:
    theirs = pytest.importorskip("xaif", reason="xaif, of the extra `test`")
    value = exported_json(own_corpus(), "xaif")
    parsed = theirs.AIF(value)
    assert parsed.is_valid_json_aif()
    assert not parsed.is_json_aif_dialog()
    rows = parsed.get_csv("argument-relation")
    counts = Counter(
        zip(rows["proposition1_text"], rows["proposition2_text"], rows["relation"], strict=True)
    )
    corpus, expected = own_corpus(), Counter[tuple[str, str, str]]()
    for edge in corpus.edges:
        if edge.relation in SCHEMES and edge.target in corpus.statements:
            ends = [(premise, edge.target) for premise in edge.premises]
            for one, other in [*ends, *edge.directions[1:]]:
                titles = (corpus.statements[id].title for id in (one, other))
                expected[(*titles, SCHEMES[edge.relation][1])] += 1  # type: ignore[index]
    assert Counter({row: n for row, n in counts.items() if row[2] != "None"}) == expected


def test_what_is_outside_of_what_is_exported_is_left_out_of_argdown() -> None:
    joint = edge_of("a supports c", together=("elsewhere",))
    outwards = edge_of("c supports elsewhere")
    text = render_export(corpus_of_parts(claim("a"), claim("c"), joint, outwards), "argdown")
    text = text if isinstance(text, str) else text.decode()
    assert "(1) [a]\n----\n(2) [c]" in text
    assert "[elsewhere]" not in text
    assert text.count("----") == 1
