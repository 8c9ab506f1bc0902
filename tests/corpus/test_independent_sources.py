"""What evidence rests on, beside the parts of a graph of works and keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.corpus import Corpus
from kg.corpus.independent_sources import (
    IndependentSources,
    independent_sources,
    is_retracted,
    mean_fractions,
    newest_year,
    render_source_group,
    retracted_evidence,
    source_groups_without,
    unretracted_fractions,
)
from kg.model import Integrity, Statement
from tests.support.corpus_parts import claim, corpus_of_parts, evidence, source
from tests.support.effort import examples
from tests.support.every_row import every_row

WORKS = ("w0", "w1", "w2", "w3")
DOIS = {"10.1/x": "10.1/x", "https://doi.org/10.1/X": "10.1/x", "doi: 10.1/x": "10.1/x", "": ""}
KEYS = st.lists(st.sampled_from(("data:a", "lab:b")), max_size=2, unique=True).map(tuple)


@st.composite
def corpora_with_citations(draw: st.DrawFn) -> Corpus:
    """Evidence on some of four works, the last of which is in no bibliography."""
    state = st.sampled_from((None, Integrity.OK, Integrity.RETRACTED))
    doi = st.sampled_from(tuple(DOIS))
    works = [
        source(key, independence=draw(KEYS), integrity=draw(state), doi=draw(doi))
        for key in WORKS[:3]
    ]
    keys = st.lists(st.sampled_from(WORKS), max_size=3, unique=True)
    items = [evidence(f"e{position}", draw(keys), independence=draw(KEYS)) for position in range(4)]
    return corpus_of_parts(claim("q"), *works, *items)


def graph_of_works(corpus: Corpus, without: str = "") -> nx.Graph:
    """Works and keys, by the names of source groups, joined where they are one source."""
    graph = nx.Graph()
    for key, work in corpus.sources.items():
        doi = [f"~doi:{DOIS[work.doi]}"] if work.doi else []
        nx.add_star(graph, [f"@{key}", *(f"~{each}" for each in work.independence), *doi])
    for item in corpus.evidence:
        names = [*(f"~{key}" for key in item.independence), *(f"@{key}" for key in item.sources)]
        graph.add_nodes_from(names)
        if len(item.sources) < 2 and item.id != without:
            nx.add_path(graph, names)
    return graph


def parts(corpus: Corpus, item: Statement, works: Sequence[str]) -> dict[str, float]:
    """The source groups that are left of evidence, each called by the first name in it."""
    every = [*corpus.sources.values(), *corpus.evidence]
    bearers = Counter(key for each in every for key in {*each.independence})
    shared = [f"~{key}" for key in item.independence if bearers[key] > 1]
    names = shared if shared and len(item.sources) > 1 else [f"@{key}" for key in works]
    names = names or [f"~{key}" for key in item.independence[:1]]
    if not names:
        return {item.id: 1.0}
    graph = graph_of_works(corpus)
    source_groups = Counter(min(nx.node_connected_component(graph, name)) for name in names)
    return {source_group: count / len(names) for source_group, count in source_groups.items()}


@given(corpora_with_citations())
@examples(30, derandomize=True)
def test_evidence_rests_on_what_is_joined_and_stands_on_what_is_left(corpus: Corpus) -> None:
    source_groups = independent_sources(corpus)
    for item in corpus.evidence:
        left = [
            key
            for key in item.sources
            if not (key in corpus.sources and corpus.sources[key].retracted)
        ]
        assert source_groups.fractions[item.id] == pytest.approx(parts(corpus, item, item.sources))
        stands = parts(corpus, item, left) if left or not item.sources else {}
        assert source_groups.fractions_left[item.id] == pytest.approx(stands)
        known_sources = [key for key in item.sources if key in corpus.sources]
        assert is_retracted(corpus, item) == (
            bool(known_sources) and not {*known_sources} & {*left}
        )
    retracted = {item.id for item in corpus.evidence if is_retracted(corpus, item)}
    assert retracted_evidence(corpus) == retracted


@given(corpora_with_citations())
@examples(15, derandomize=True)
def test_a_unit_is_made_up_of_the_works_that_are_cited(corpus: Corpus) -> None:
    source_groups, graph = independent_sources(corpus), graph_of_works(corpus)
    used = {key for item in corpus.evidence for key in item.sources}
    for key in used:
        whole = nx.node_connected_component(graph, f"@{key}")
        assert {*source_groups.sources[min(whole)]} == {one for one in used if f"@{one}" in whole}
    assert sum(map(len, source_groups.sources.values())) == len(used)


@every_row(
    ("other_key", "parts_of_review"), [("lab:b", {"@w0": 0.5, "@w1": 0.5}), ("lab:a", {"@w2": 1.0})]
)
def test_a_review_rests_on_its_key_only_if_another_has_it(
    other_key: str, parts_of_review: dict[str, float]
) -> None:
    review = evidence("review", ("w0", "w1"), independence=("lab:a",))
    works = (source("w0"), source("w1"), source("w2", independence=(other_key,)))
    source_groups = independent_sources(corpus_of_parts(*works, review))
    assert source_groups.fractions["review"] == parts_of_review
    assert ("review" in source_groups.evidence_keys) == (other_key == "lab:a")


@given(corpora_with_citations(), st.sampled_from(("e0", "e1", "e2", "none")))
@examples(15, derandomize=True)
def test_without_what_joined_them_works_are_apart(corpus: Corpus, without: str) -> None:
    graph = graph_of_works(corpus, without)
    classes = source_groups_without(corpus, graph.nodes, {without})
    for name in graph.nodes:
        assert classes.representative_of(name) == min(nx.node_connected_component(graph, name))


def test_parts_of_what_says_the_same_are_halved_and_what_is_lost_is_none() -> None:
    of = {"e": {"@a": 1.0}, "f": {"@a": 0.5, "@b": 0.5}, "g": {}}
    assert mean_fractions(("e", "f", "g", "none"), of) == {"@a": 0.75, "@b": 0.25}
    source_groups = IndependentSources(of, {"e": {"@a": 1.0}, "f": {}}, {}, {})
    assert unretracted_fractions(("e", "f"), source_groups) == {"@a": 1.0, "@b": 0.0}


@every_row(
    ("more", "text"),
    [
        (0, "@a"),
        (1, "@a (and 1 more that shares its team or data)"),
        (2, "@a (and 2 more that share its team or data)"),
    ],
)
def test_a_source_group_is_named_with_the_number_of_its_other_works(more: int, text: str) -> None:
    assert render_source_group("@a", more) == text


@every_row(("keys", "year"), [(["a", "b", "c"], 2001), (["b", "gone"], None), ([], None)])
def test_the_newest_year_is_the_last_that_is_known(keys: list[str], year: int | None) -> None:
    years = {"a": 2001, "b": None, "c": 1999}
    works = [source(key, year=each) for key, each in years.items()]
    assert newest_year(corpus_of_parts(evidence("e", keys), *works), "e") == year
