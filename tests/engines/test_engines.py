"""The same corpus, the same queries and the same accidents on every engine."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pyoxigraph as ox
import pytest
from click.testing import CliRunner
from hypothesis import assume, given

from kg.cli.querying import sparql_command
from kg.corpus import Corpus
from kg.endpoints import push_and_pull as pushing
from kg.endpoints.client import PASSWORD_VARIABLE, USER_VARIABLE
from kg.endpoints.connections import EndpointError, NoReply
from kg.endpoints.endpoint import Endpoint
from kg.endpoints.push_and_pull import PushResult, pull, push
from kg.rdf.ontology import NamedQuery, named_queries
from kg.rdf.quad_store import as_store, open_store
from kg.rdf.quads import as_quads
from kg.rdf.query_bindings import named_node_of
from kg.rdf.run_query import ask_store
from kg.rdf.sparql_result import columns_and_rows, short_term
from tests.engines.engines import Start, endpoint_of
from tests.support.corpora import (
    HOSTILE,
    corpus_of_notes,
    random_corpora,
    require_same,
    small_numbers,
)
from tests.support.effort import examples
from tests.support.sparql_servers import Server

pytestmark = pytest.mark.integration

DOCS = Path(__file__).parents[2] / "docs"
PAGES = "".join(
    DOCS.joinpath(f"{name}.md").read_text("utf-8") for name in ("linked-data", "engines")
)
QUERIES = [
    query
    for query in re.findall(r"^```sparql\n(.+?)^```", PAGES, re.M | re.S)
    if not query.startswith(
        "# weighed"
    )  # of what `--strengths` adds: tests/docs/test_linked_data.py
]
CLAIM = "---\ntype: claim\n---\n# {}\n"
BASE = "https://example.org/inquiry-lines/"


@pytest.fixture
def endpoint(server: Server) -> Endpoint:
    endpoint = endpoint_of(server)
    _empty(endpoint)
    return endpoint


def _empty(endpoint: Endpoint) -> None:
    for base in (BASE, "https://x.test/kg/", "https://x.test/kg#", "urn:x:"):
        for name in pushing.graphs_under(endpoint, base):
            endpoint.update(f"DROP SILENT GRAPH <{name}>")


def _numbered_claims(count: int, **others: str) -> Corpus:
    return corpus_of_notes(
        **{f"n{number}": CLAIM.format(f"Title {number}") for number in range(count)}, **others
    )


@pytest.fixture(scope="module")
def argument() -> Corpus:
    """A little of everything that the kept queries look for; supports runs in no circle."""
    return corpus_of_notes(
        a="---\ntype: claim\ncamp: optimist\ntopics: [x]\n---\n# A\n\nSee [[b]].\n\n"
        "> [!evidence] E ^e\n> So. [@s] (method:: survey)\n\n- contradicts:: [[b]] — so ^no\n",
        b="---\ntype: claim\ncamp: skeptic\ntopics: [y]\n---\n# B\n\nSo. [@s]\n\n"
        "- supports:: [[c]]\n",
        c="---\ntype: counter-claim\ncamp: skeptic\n---\n# C\n\n- undercuts:: [[a#^no]]\n",
        l="---\ntype: line\n---\n# L?\n\n## Camps\n\n- optimist:: [[a]]\n- skeptic:: [[b]]\n"
        "- skeptic:: [[d]]\n",
        d=CLAIM.format("D"),
        s="---\ntype: source\nintegrity: retracted\n---\n",
        references="@book{s, title={T}, year={2024}}",
    )


def test_hostile_words_come_back_as_they_went(endpoint: Endpoint) -> None:
    corpus = corpus_of_notes(
        **{
            f"n{number}": "---\ntype: evidence\nsample: 5\npreregistered: true\n"
            f"created: 2026-01-02\n---\n# T\n\n{word}\n\n- supports:: [[a]] — {word}\n"
            for number, word in enumerate(HOSTILE)
        },
        a=CLAIM.format("A"),
    )
    push(corpus, endpoint)
    require_same(pull(endpoint), corpus)


@given(random_corpora())
@examples(3)
def test_any_corpus_comes_back(server: Server, corpus: Corpus) -> None:
    """Save for what docs/engines.md says that Virtuoso loses: NUL, great and exact numbers."""
    assume(not any("\\u0000" in str(quad.object) for quad in as_quads(corpus)))
    tamed = {id: small_numbers(one) for id, one in corpus.statements.items()}
    corpus = replace(corpus, statements=tamed)
    endpoint = endpoint_of(server)
    _empty(endpoint)
    push(corpus, endpoint)
    require_same(pull(endpoint), corpus)


def test_only_what_changed_is_written(endpoint: Endpoint) -> None:
    push(_numbered_claims(4), endpoint)
    changed = _numbered_claims(2, n2=CLAIM.format("New"))
    # the note, and the graph of the corpus, which has a digest of all
    assert push(changed, endpoint) == PushResult(
        written_graphs=2, removed_graphs=1, unchanged_graphs=2
    )
    require_same(pull(endpoint), changed)


def test_a_graph_larger_than_a_page_or_a_batch_goes_through(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pushing, "QUADS_PER_UPDATE", 40)
    references = "\n".join(f"@book{{s{n}, title={{T {n}}}, year={{1999}}}}" for n in range(60))
    corpus = corpus_of_notes(a=CLAIM.format("A"), references=references)
    push(corpus, endpoint)
    require_same(pull(endpoint), corpus)
    rows = list(endpoint.pages("?s dcterms:identifier ?k . ?s a kg:Source", "?s ?k", size=7))
    assert len(rows) == len(set(rows)) == 60


@pytest.mark.parametrize("query", named_queries(), ids=lambda query: query.name)
def test_kept_queries_answer_as_the_embedded_store_does(
    endpoint: Endpoint, argument: Corpus, query: NamedQuery
) -> None:
    push(argument, endpoint)
    bindings = {"statement": named_node_of(argument, "c" if query.name == "reasons" else "a")}
    values = {name: term for name, term in bindings.items() if name in query.parameters}
    ours, theirs = (
        columns_and_rows(answer)
        for answer in (
            ask_store(as_store(argument), query.text, values),
            endpoint.ask(query.text, values),
        )
    )
    assert theirs[0] == ours[0]
    assert _plain(theirs[1]) == _plain(ours[1])
    assert ours[1]


def test_the_command_asks_a_server_with_ids(
    endpoint: Endpoint, argument: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    push(argument, endpoint)
    monkeypatch.setenv(USER_VARIABLE, "dba")
    monkeypatch.setenv(PASSWORD_VARIABLE, "dba")
    arguments = ["reasons", "--id", "statement=c", "--endpoint", endpoint.url]
    result = CliRunner().invoke(sparql_command, arguments, catch_exceptions=False)
    assert result.output.split() == ["reason", "title", "b", "B", "1", "row"]


@pytest.mark.parametrize("query", QUERIES)
def test_queries_in_the_docs_run_unchanged(
    endpoint: Endpoint, argument: Corpus, query: str, tmp_path: Path
) -> None:
    push(argument, endpoint)
    answers = [
        ask_store(as_store(argument), query),
        ask_store(open_store(argument, tmp_path / "store"), query),
        endpoint.ask(query),
    ]
    memory, disk, server = (columns_and_rows(answer) for answer in answers)
    assert memory[0] == disk[0] == server[0]
    assert _plain(memory[1]) == _plain(disk[1]) == _plain(server[1])
    assert memory[1]


def _plain(rows: object) -> list[list[str]]:
    return sorted([short_term(term, BASE) for term in row] for row in rows)  # type: ignore[attr-defined]


def test_values_are_held_and_never_become_query(endpoint: Endpoint) -> None:
    push(_numbered_claims(2), endpoint)
    for word in ("Title 1", *HOSTILE):
        rows = endpoint.select("SELECT ?s { ?s dcterms:title ?t }", {"t": ox.Literal(word)})
        assert len(rows) == (word == "Title 1"), word


def test_from_narrows_and_the_union_is_the_default(endpoint: Endpoint) -> None:
    push(_numbered_claims(2), endpoint)
    assert len(endpoint.select("SELECT ?s { ?s a kg:Claim }")) == 2
    text = f"SELECT ?s FROM <{BASE}notes/n1.md> {{ ?s a kg:Claim }}"
    assert len(endpoint.select(text)) == 1


def test_a_query_that_is_none_is_reported(endpoint: Endpoint) -> None:
    with pytest.raises(EndpointError, match=r"answered [45]"):
        endpoint.select("SELECT nonsense")


def test_a_server_killed_during_a_push_is_mended_by_the_next(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pushing, "QUADS_PER_UPDATE", 60)
    corpus = _numbered_claims(60)
    with start(tmp_path) as server:

        def kill(count: int, total: int) -> None:
            if count * 2 > total:
                server.kill()

        with pytest.raises(NoReply, match=r"does not answer.*\n.*of 61 graphs .* push again"):
            push(corpus, endpoint_of(server, attempts=2), kill)
    with start(tmp_path) as server:
        endpoint = endpoint_of(server)
        push(corpus, endpoint)
        require_same(pull(endpoint), corpus)
