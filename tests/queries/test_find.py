"""Selections asked of a server that speaks SPARQL over HTTP.

Of `kg/queries/engines/engine.py`, too.
"""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from kg.api import connect
from kg.corpus import UnknownId
from kg.model.errors import NotACorpus
from kg.queries.engines.engine import MemoryEngine
from kg.queries.find import find
from kg.queries.language.builders import claims, evidence, statements
from kg.rdf.quad_store import as_store
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row
from tests.support.store_endpoints import serve_store

NOTES = {
    "a": "---\ntype: claim\ncamp: optimist\naliases: [old]\n---\n\n# A [@s]\n\n"
    "> [!evidence] Tried ^t\n> (method:: experiment)\n",
    "b": "---\ntype: claim\ncamp: skeptic\n---\n\n# B\n\n- contradicts:: [[a]]\n",
}


@every_row("union", [True, False])
def test_a_server_answers_as_memory_does(union: bool) -> None:
    corpus = corpus_of_notes(references="@misc{s, title={S}, year={2020}}", **NOTES)
    with serve_store(as_store(corpus), union) as url:
        there = connect(url)
        for selection in (
            claims().camp("skeptic").contradicting("old"),
            evidence().method("experiment"),
            statements().year(2020).order_by("-title").limit(1),
        ):
            assert there.find(selection) == find(MemoryEngine(corpus), selection)
        assert there.find("A", camp="optimist").ids == ("a",)
        assert there.ask("claims count:yes") == 2
        assert there.iri_of("old").value.endswith("statements/a")
        titles = there.sparql("SELECT ?t { ?s dcterms:title ?t }", s=corpus.statement("b"))
        assert [row["t"] for row in titles] == ["B"]
        with pytest.raises(UnknownId, match="did you mean skeptic"):
            there.find(camp="skeptik")


def test_a_server_without_a_corpus_says_so() -> None:
    with serve_store(ox.Store()) as url, pytest.raises(NotACorpus, match="holds no corpus"):
        connect(url)
