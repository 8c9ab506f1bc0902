"""Argdown, read back by Argdown's own parser.

Of `kg/exchange/escaped_text.py`, too.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from kg.corpus import Corpus
from kg.exchange.escaped_text import on_one_line
from kg.exchange.formats import render_export
from kg.model import Relation
from tests.support.corpora import HOSTILE, corpus_of_notes
from tests.support.npm import output_of_script
from tests.support.own import own_corpus


def parsed(corpus: Corpus) -> dict[str, Any]:
    found: dict[str, Any] = output_of_script(
        "argdown.cjs", "@argdown/core", render_export(corpus, "argdown")
    )
    assert found["errors"] == []
    return found


def text_of(thing: dict[str, list[str]]) -> str:
    """The text, after which the tags stand once more."""
    text = thing["text"][0].rstrip() if thing["text"] else ""
    for tag in reversed(thing.get("tags", [])):
        text = text.removesuffix(f"#({tag})").rstrip()
    return text


@pytest.mark.integration
def test_our_corpus_is_what_argdown_reads() -> None:
    corpus, found = own_corpus(), parsed(own_corpus())
    for id, statement in corpus.statements.items():
        assert text_of(found["statements"][id]) == on_one_line(statement.title)
    labels = {camp.id: camp.label for camp in corpus.config.camps}
    for id, camp in corpus.default_camps.items():
        assert labels[camp] in found["statements"][id]["tags"]
    drawn = {edge.id: edge for edge in corpus.edges if edge.relation.entry.side}
    assert set(found["arguments"]) == set(drawn)
    for id, edge in drawn.items():
        argument = found["arguments"][id]
        assert text_of(argument) == on_one_line(edge.reason)
        if edge.relation is not Relation.UNDERCUTS:
            assert argument["premises"] == [*edge.premises]
            against = f"{id} !" if edge.relation.entry.side < 0 else edge.target
            assert argument["conclusion"] == [against]
    told = Counter(kind for kind, *_ in found["relations"])
    cuts = [edge for edge in drawn.values() if edge.relation is Relation.UNDERCUTS]
    assert told["undercut"] == len(cuts) > 0
    for edge in cuts:
        assert ["undercut", edge.id, edge.target] in found["relations"]


@pytest.mark.integration
def test_hostile_words_stay_words() -> None:
    words = [word for word in HOSTILE if on_one_line(word)] + [
        "e.g. :smile: == -- // /* x */ {a: b}"
    ]
    head = "---\ntype: claim\ntitle: "
    notes = {
        f"n{at}": f"{head}{json.dumps(word)}\n---\n\n- supports:: [[n0]] — {word}\n"
        for at, word in enumerate(words)
    }
    corpus = corpus_of_notes(**notes)
    found = parsed(corpus)
    assert len(found["statements"]) == len(corpus.statements)
    for id, statement in corpus.statements.items():
        assert text_of(found["statements"][id]) == on_one_line(statement.title)
    for edge in corpus.edges:
        assert found["arguments"][edge.id]["conclusion"] == [edge.target]


@pytest.mark.integration
def test_linked_premises_and_mutual_contradictions() -> None:
    corpus = corpus_of_notes(
        a="---\ntype: claim\n---\n# A\n",
        b="---\ntype: claim\n---\n# B\n\n- supports:: [[a]] (with:: [[c]]) — both\n",
        c="---\ntype: claim\n---\n# C\n\n- contradicts:: [[d]] (mutual:: yes)\n",
        d="---\ntype: claim\n---\n# D\n",
    )
    found = parsed(corpus)
    (joint, mutual) = corpus.edges
    assert joint.premises == ("b", "c")
    assert found["arguments"][joint.id]["premises"] == ["b", "c"]
    assert ["contradictory", f"{mutual.id} !", "d"] in found["relations"]
