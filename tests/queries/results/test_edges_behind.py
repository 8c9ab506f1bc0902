"""The edges by which records meet a question."""

from __future__ import annotations

import pytest

from kg.corpus import Corpus
from kg.queries.language.builders import claims, edges, evidence, sources
from kg.queries.language.selection import Selection
from kg.queries.results.edges_behind import corpus_excerpt, edges_among
from tests.queries.results.conftest import BOOKS, NOTES, Ask
from tests.support.corpora import corpus_of_notes
from tests.support.corpus_parts import claim, corpus_of_parts, edge


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        (claims().contradicting("a"), "b#e"),
        (claims().supported_by(evidence()), "a#t--supports--a"),
        (claims().undercut_by("c"), "c--undercuts--b#e"),
        (
            claims().contradicted_by(claims().supported_by("d")),
            "b#e d--supports--b",
        ),
        (claims().reaching("a", ("supports", "contradicts")), "b#e d--supports--b"),
        (claims().contradicting("a") | claims().supported_by(evidence()), "a#t--supports--a b#e"),
        (
            (claims().contradicting("a") | claims().supported_by(evidence())).camp("skeptic"),
            "b#e",
        ),
        (
            claims().contradicting("a").camp("optimist") | claims().supported_by("d"),
            "d--supports--b d--supports--c",
        ),
        (claims() - claims().contradicted_by(), ""),
        (sources().cited_by(claims()), ""),
        (edges().target("a"), "a#t--supports--a b#e"),
    ],
    ids=repr,
)
def test_an_answer_holds_the_edges_that_justify_it(
    ask: Ask, selection: Selection, expected: str
) -> None:
    assert [edge.id for edge in ask(selection).edges] == expected.split()


@pytest.fixture
def corpus() -> Corpus:
    line = "---\ntype: line\n---\n\n# L?\n\nAsked. [@t]\n\n- optimist:: [[a]]\n"
    cut = "---\ntype: claim\n---\n\n# F\n\n- undercuts:: [[c#^cut]]\n"
    text = NOTES["c"].replace("[[b#^e]]", "[[b#^e]] ^cut")
    return corpus_of_notes(references=BOOKS, l=line, f=cut, **{**NOTES, "c": text})


@pytest.mark.parametrize(
    ("ids", "edge_ids"),
    [
        ("a", ""),
        ("a b", "b#e"),
        ("a b c", "b#e c#cut"),
        ("a c", ""),
        ("a b f", "b#e"),
        ("a b c f", "b#e c#cut f--undercuts--c#cut"),
        ("b c d", "d--supports--b d--supports--c"),
    ],
)
def test_edges_among_statements_include_undercuts_of_them(
    corpus: Corpus, ids: str, edge_ids: str
) -> None:
    assert sorted(edge.id for edge in edges_among(corpus, ids.split())) == edge_ids.split()


@pytest.mark.parametrize(
    ("ids", "edge_ids", "kept_text"),
    [
        ("a", "", "a"),
        ("a#t", "", "a#t s"),
        ("l", "", "l t"),
        ("s", "", "s"),
        ("", "b#e", "a b b#e"),
        ("", "f--undercuts--c#cut", "a b c f b#e c#cut"),
    ],
)
def test_an_excerpt_holds_what_it_names_what_edges_link_and_what_is_cited(
    corpus: Corpus, ids: str, edge_ids: str, kept_text: str
) -> None:
    chosen_edges = [corpus.edges_by_id[id] for id in edge_ids.split()]
    excerpt = corpus_excerpt(corpus, ids.split(), chosen_edges)
    names = {*excerpt.statements, *excerpt.lines, *excerpt.sources, *excerpt.edges_by_id}
    assert names == {*kept_text.split(), *edge_ids.split()}
    camps = {id: camp for id, camp in corpus.default_camps.items() if id in excerpt.statements}
    assert excerpt.default_camps == camps


def test_an_excerpt_has_all_premises_of_a_joint_reason() -> None:
    corpus = corpus_of_parts(*map(claim, "abc"), edge("b supports a", together=("c",)))
    excerpt = corpus_excerpt(corpus, ["a", "b"], edges_among(corpus, ["a", "b"]))
    assert sorted(excerpt.statements) == ["a", "b", "c"]
