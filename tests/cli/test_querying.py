"""`kg sparql`"""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from pyoxigraph import RdfFormat, parse

from kg.cli.querying import sparql_command
from kg.corpus import UnknownId
from kg.endpoints.endpoint import open_endpoint
from kg.endpoints.push_and_pull import push
from kg.files.cache_files import state_folder
from kg.loader import load_corpus
from kg.rdf.ontology import named_queries
from kg.rdf.quad_store import as_store
from kg.rdf.query_limits import QueryLimits, QueryStopped
from kg.rdf.run_query import BadQuery, sparql, unknown_ontology_terms
from tests.support.sparql_servers import oxigraph
from tests.support.store_endpoints import serve_store

BASE = "https://example.org/inquiry-lines/"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    folder.joinpath("a.md").write_text(
        "---\ntype: claim\naliases: [was-a]\ntopics: [rest]\n---\n# Naps \x1b[31mhelp\n"
    )
    folder.joinpath("b.md").write_text("---\ntype: evidence\n---\n# Seen\n\n- supports:: [[a]]\n")
    return folder


def _run(notes: Path, *arguments: str, **more: str) -> Result:
    return CliRunner().invoke(
        sparql_command, [*arguments, "--notes", str(notes)], catch_exceptions=False, **more
    )


def test_what_an_answer_lacks_is_looked_for_in_the_time_that_is_left(
    notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[float] = []

    def run(*arguments: Any, limits: QueryLimits, **more: Any) -> Any:
        left.append(limits.seconds)
        return sparql(*arguments, limits=limits, **more)

    def explain(query: str, expected: object, ask: Callable[[str], object]) -> list[str]:
        ask(query)
        raise QueryStopped("it took too long")

    monkeypatch.setattr("kg.rdf.run_query.sparql", run)
    monkeypatch.setattr("kg.rdf.run_query.explain_empty_result", explain)
    monkeypatch.setattr("kg.rdf.query_limits.time.monotonic", count(0, 0.01).__next__)
    result = _run(notes, "--timeout", "100", "SELECT ?s { ?s kg:topic 'none' }")
    assert (result.exit_code, result.output) == (0, "s\n0 rows\n")
    first, second = left
    assert second < first == 100


def test_help_lists_every_kept_query() -> None:
    text = CliRunner().invoke(sparql_command, ["--help"]).output
    assert all(query.name in text for query in named_queries())


def test_a_kept_query_runs_by_name_and_keeps_its_store(notes: Path) -> None:
    result = _run(notes, "reasons", "--id", "statement=a")
    assert result.output.split() == ["reason", "title", "b", "Seen", "1", "row"]
    room = state_folder(notes)
    assert room is not None
    assert (room / "store").is_dir()
    assert [place.name for place in notes.parent.iterdir()] == ["notes"]


def test_a_query_about_one_thing_asks_which(notes: Path) -> None:
    for name in ("reasons", "around"):
        result = _run(notes, name)
        assert result.exit_code == 2
        assert "--id statement=ID" in result.output
    assert _run(notes, "reasons", "--show").output.startswith("# Everything")


def test_a_camp_is_named_as_things_are(notes: Path) -> None:
    assert "0 rows" in _run(notes, "unanswered", "--id", "camp=skeptic").output


def test_an_id_too_long_for_a_table_is_printed_whole(notes: Path) -> None:
    long = "a-claim-with-a-name-" * 8
    notes.joinpath(f"{long}.md").write_text("---\ntype: claim\n---\n# Long\n")
    output = _run(notes, "SELECT ?s ?p { ?s ?p 'Long' }").output
    assert output == f"s  {long}\np  dcterms:title\n\n1 row\n"


@pytest.mark.integration
@pytest.mark.parametrize(
    "query",
    [
        ("clashes",),
        ("reasons", "--id", "statement=was-a"),
        ("around", "--id", "statement=a", "--format", "graph"),
        ("SELECT ?s { ?s kg:topic ?t }", "--text", "t=rest", "--format", "csv"),
        ("unanswered", "--id", "camp=skeptic"),
        ("ASK { ?s kg:supports ?o }", "--format", "json"),
    ],
)
def test_a_server_answers_as_the_notes_do(notes: Path, query: tuple[str, ...]) -> None:
    with oxigraph() as server:
        push(load_corpus(notes), open_endpoint(server.url))
        result_there = CliRunner().invoke(sparql_command, [*query, "--endpoint", server.url])
    assert result_there.exit_code == 0, result_there.output
    assert result_there.output == _run(notes, *query).output


def test_an_id_that_a_server_does_not_know_is_an_error_with_the_nearest(notes: Path) -> None:
    notes.joinpath("naps-help.md").write_text("---\ntype: claim\n---\n# Naps\n")
    with serve_store(as_store(load_corpus(notes))) as url:
        arguments = ["reasons", "--id", "statement=naps-helps", "--endpoint", url]
        result = CliRunner().invoke(sparql_command, arguments)
    assert isinstance(result.exception, UnknownId)
    assert "did you mean naps-help?" in str(result.exception)


def test_a_query_may_be_text_a_file_or_piped_in(notes: Path, tmp_path: Path) -> None:
    query = "SELECT ?t { ?s kg:topic ?topic ; dcterms:title ?t }"
    tmp_path.joinpath("own.rq").write_text(query)
    answers = [
        _run(notes, query, "--text", "topic=rest", "--format", "json"),
        _run(notes, str(tmp_path / "own.rq"), "--text", "?topic=rest", "--format", "json"),
        _run(notes, "-", "--text", "topic=rest", "--format", "json", input=query),
    ]
    assert len({answer.output for answer in answers}) == 1
    (row,) = json.loads(answers[0].output)["results"]["bindings"]
    assert row["t"]["value"] == "Naps \x1b[31mhelp"


def test_escape_codes_do_not_reach_the_terminal(notes: Path) -> None:
    assert "\x1b" not in _run(notes, "SELECT ?t { ?s a kg:Claim ; dcterms:title ?t }").output


def test_graphs_come_as_turtle(notes: Path) -> None:
    output = _run(notes, "around", "--id", "statement=a", "--format", "graph").output
    triples = list(parse(output, format=RdfFormat.TURTLE))
    supporting = [each for each in triples if each.predicate.value.endswith("#supports")]
    assert [(each.subject.value, each.object.value) for each in supporting] == [
        (f"{BASE}statements/b", f"{BASE}statements/a")
    ]


def test_a_misspelt_term_of_ours_gets_a_hint(notes: Path) -> None:
    query = 'SELECT ?s { ?s kg:topi ?t ; kg:xyzzy.dc ?x FILTER(?t != "kg:text") } # kg:word'
    result = _run(notes, query)
    assert result.stdout.endswith("0 rows\n")
    assert result.stderr.splitlines()[0] == (
        "no term kg:topi in the ontology; did you mean kg:topic?"
    )
    assert result.stderr.splitlines()[1:] == ["no term kg:xyzzy.dc in the ontology"]
    for good in (
        "SELECT ?s { ?s kg:topic ?t ; kg:method kg:method-survey }",
        "PREFIX kg: <https://example.org/other#> SELECT ?s { ?s kg:topi ?t }",
        "PREFIX my: <https://example.org/other#> SELECT ?s { ?s my:topi ?t }",
    ):
        assert "no term" not in _run(notes, good).stderr
    for kept_rest in named_queries():
        assert unknown_ontology_terms(kept_rest.text) == {}


def test_misuse_is_an_error_in_words(notes: Path) -> None:
    assert "VAR=VALUE" in _run(notes, "reasons", "--id", "a").output
    with pytest.raises(BadQuery):
        _run(notes, "SELECT { nonsense }")
    with pytest.raises(UnknownId, match="no query or file 'no-such-query'"):
        _run(notes, "no-such-query")
