"""What docs/linked-data.md shows, runs on our own notes as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kg.graphs_with_strengths.rdf_with_strengths import store_with_strengths
from kg.rdf.ontology import named_queries
from kg.rdf.quad_store import as_store
from kg.rdf.run_query import ask_store
from kg.reasoning import reading_of, strengths
from kg.reasoning.word_and_side import verdict_word_of
from tests.support.command import kg
from tests.support.own import own_corpus

ROOT = Path(__file__).parents[2]
PAGE = ROOT.joinpath("docs", "linked-data.md").read_text("utf-8")


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.+?)^```", PAGE, re.M | re.S)


@pytest.mark.integration
def test_the_python_on_the_page_finds_something(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    (block,) = _blocks("python")
    names: dict[str, object] = {}
    exec(block, names)
    assert "statements/" in capsys.readouterr().out
    assert names["graph"]


@pytest.mark.integration
def test_every_query_on_the_page_finds_something_in_our_notes() -> None:
    plain, with_strengths = as_store(own_corpus()), store_with_strengths(own_corpus())
    queries = list(_blocks("sparql"))
    assert len(queries) > 2
    for query in queries:
        store = with_strengths if query.startswith("# weighed") else plain
        assert len(ask_store(store, query)), query  # type: ignore[arg-type]


@pytest.mark.integration
def test_sparql_ranks_by_what_the_corpus_gives() -> None:
    corpus = own_corpus()
    (rank, verdicts) = (query for query in _blocks("sparql") if query.startswith("# weighed"))
    graph = corpus.to_rdf(strengths=True)
    ranked = {str(row.title): float(row.strength) for row in graph.query(rank)}
    known_numbers = {
        corpus.statements[id].title: number for id, number in strengths(corpus).items()
    }
    assert ranked
    assert ranked == {title: known_numbers[title] for title in ranked}
    rows = corpus.sparql(rank, strengths=True)
    assert {row["title"]: float(row["strength"]) for row in rows} == ranked  # type: ignore[union-attr]
    assert not len(corpus.sparql(rank))  # type: ignore[arg-type]
    outcome = kg(ROOT, "sparql", rank, "--strengths", "--format", "csv")
    assert len(outcome.stdout.splitlines()) == len(ranked) + 1
    words = {str(row.title): str(row.verdict) for row in graph.query(verdicts)}
    posed = {line.title: reading_of(corpus).question(id) for id, line in corpus.lines.items()}
    assert words == {
        title: verdict_word_of(each) for title, each in posed.items() if each.statement
    }


def test_the_page_names_kept_queries_that_there_are() -> None:
    names = re.findall(r"^\$ kg sparql ([a-z-]+) ", PAGE, re.M)
    assert set(names) <= {query.name for query in named_queries()}
    assert len(names) >= 3
