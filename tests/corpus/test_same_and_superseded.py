"""Which statements are one and which are replaced, beside all paths walked by hand."""

from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from kg.corpus import Corpus
from kg.corpus.same_and_superseded import first_of_same, same_statements, superseded_statements
from kg.model import Integrity
from tests.support.corpus_parts import claim, corpus_of_parts, edge, evidence, source
from tests.support.effort import examples

IDS = ("b", "a", "c", "e", "d", "f")  # in no order of the alphabet
EVIDENCE = {"e": ("gone",), "f": ("gone", "kept")}


@st.composite
def corpora_with_relations(draw: st.DrawFn) -> Corpus:
    pair = st.permutations(IDS).map(lambda ids: (ids[0], ids[1]))
    relation = st.sampled_from(("same-as", "supersedes", "supersedes", "supports"))
    edges = draw(st.lists(st.tuples(relation, pair), max_size=8, unique=True))
    statements = [evidence(i, EVIDENCE[i]) if i in EVIDENCE else claim(i) for i in IDS]
    random_edges = [edge(f"{a} {relation} {b}") for relation, (a, b) in edges]
    state = draw(st.sampled_from((Integrity.OK, Integrity.RETRACTED)))
    return corpus_of_parts(
        *statements, source("gone", integrity=state), source("kept"), *random_edges
    )


@given(corpora_with_relations())
@examples(30, derandomize=True)
def test_what_is_the_same_is_joined_through_others_within_its_sort(corpus: Corpus) -> None:
    joined_graph = nx.Graph()
    joined_graph.add_nodes_from(IDS)
    pairs = [(e.origin, e.target) for e in corpus.edges if e.relation == "same-as"]
    joined_graph.add_edges_from((a, b) for a, b in pairs if (a in EVIDENCE) == (b in EVIDENCE))
    for group in nx.connected_components(joined_graph):
        first, *rest = sorted(group, key=IDS.index)
        for id in group:
            assert same_statements(corpus, id) == (
                id,
                *(each for each in (first, *rest) if each != id),
            )
        assert [first_of_same(corpus).get(id) for id in (first, *rest)] == [None] + [first] * len(
            rest
        )


@given(corpora_with_relations())
@examples(30, derandomize=True)
def test_what_is_replaced_does_not_replace_in_turn(corpus: Corpus) -> None:
    silent = {"e"} if corpus.sources["gone"].retracted else set()
    pairs = [(e.origin, e.target) for e in corpus.edges if e.relation == "supersedes"]
    replacing = nx.DiGraph((new, old) for new, old in pairs if new not in silent)
    expected = {
        old: new for new, old in pairs if new not in silent and not nx.has_path(replacing, old, new)
    }
    assert superseded_statements(corpus) == expected
