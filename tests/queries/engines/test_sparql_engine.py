"""A corpus in a SPARQL engine, read back record by record."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

import pytest
from hypothesis import given
from pyoxigraph import NamedNode

from kg.corpus import Corpus, UnknownId
from kg.model.errors import NotACorpus
from kg.queries.conditions.field_types import RecordKind
from kg.queries.engines import sparql_engine
from kg.queries.engines.sparql_engine import SparqlEngine, engine_of_store
from kg.rdf.quad_store import as_store
from tests.support.corpora import corpus_of_notes, random_corpora
from tests.support.effort import examples
from tests.support.every_row import every_row


@given(random_corpora())
@examples(3)
def test_records_come_back_whole(corpus: Corpus) -> None:
    read_back = engine_of_store(as_store(corpus)).whole_corpus()
    assert dict(read_back.statements) == dict(corpus.statements)
    assert set(read_back.edges) == set(corpus.edges)
    assert dict(read_back.sources) == dict(corpus.sources)
    assert dict(read_back.lines) == dict(corpus.lines)
    assert read_back.config.camps == corpus.config.camps


def test_a_source_called_by_an_alias_is_found_in_the_engine_too() -> None:
    corpus = corpus_of_notes(
        a="---\ntype: evidence\n---\n# A\n\nSeen. [@old, p. 3]\n",
        wu2025="---\ntype: source\naliases: [old]\n---\n",
    )
    (citation,) = engine_of_store(as_store(corpus)).whole_corpus().statement("a").citations
    assert (citation.key, citation.locator, citation.span.line) == ("wu2025", "p. 3", 6)


NOTES = {
    "a": "---\ntype: claim\naliases: [other]\ncamp: optimist\n---\n\n# A\n\n"
    "> [!evidence] Seen ^e\n> (sample:: 9 people) (p:: 0.05) [@s]\n",
    "b": "---\ntype: counter-claim\ncreated: 2026-01-02\nopen: nobody looked\n---\n\n# B\n\n"
    "- contradicts:: [[a]] — no\n",
    "c": "---\ntype: claim\n---\n\n# Same\n\n- supports:: [[b]] — so\n",
    "d": "---\ntype: claim\n---\n\n# same\n",
    "l": "---\ntype: line\naliases: [asked]\n---\n\n# L?\n\n- optimist:: [[a]]\n",
    "references": "@misc{s, title={S}, author={Ann Roe}, year={2020}}\n",
}


@pytest.fixture(scope="module")
def engine() -> SparqlEngine:
    return engine_of_store(as_store(corpus_of_notes(**NOTES)))


@every_row(
    ("record_kind", "name", "id"),
    [
        (RecordKind.STATEMENT, "a", "a"),
        (RecordKind.STATEMENT, "a#^e", "a#e"),
        (RecordKind.STATEMENT, "other", "a"),
        (RecordKind.STATEMENT, "other#^e", "a#e"),
        (RecordKind.STATEMENT, " a", "a"),
        (RecordKind.STATEMENT, "SEEN", "a#e"),
        (RecordKind.SOURCE, "@s", "s"),
        (RecordKind.LINE, "asked", "l"),
        (RecordKind.LINE, "l?", "l"),
    ],
)
def test_a_name_is_an_id_an_alias_or_a_title(
    record_kind: RecordKind, name: str, id: str, engine: SparqlEngine
) -> None:
    assert engine.resolve_name(record_kind, name) == id


@every_row(
    ("record_kind", "name", "message"),
    [
        (RecordKind.STATEMENT, "Same", "2 are called 'Same': ask by id, c, d"),
        (
            RecordKind.STATEMENT,
            "optimist",
            "no statement {} in the corpus; did you mean camp:optimist?",
        ),
        (RecordKind.STATEMENT, "asked", "no statement {} in the corpus"),
        (RecordKind.LINE, "a", "no inquiry line {} in the corpus"),
        (RecordKind.LINE, "lk", "no inquiry line {} in the corpus; did you mean l?"),
        (RecordKind.STATEMENT, "a#f", "no statement {} in the corpus; did you mean a#e?"),
    ],
)
def test_a_name_that_stands_for_nothing_of_the_sort_is_refused(
    record_kind: RecordKind, name: str, message: str, engine: SparqlEngine
) -> None:
    with pytest.raises(UnknownId) as error:
        engine.resolve_name(record_kind, name)
    assert str(error.value) == message.format(repr(name))


@every_row(
    ("field", "values"),
    [
        ("id", {id: (id,) for id in ("a", "a#e", "b", "c")}),
        ("kind", {"a": ("claim",), "a#e": ("evidence",), "b": ("counter-claim",), "c": ("claim",)}),
        ("sample", {"a#e": (9,)}),
        ("p", {"a#e": (0.05,)}),
        ("created", {"b": (dt.date(2026, 1, 2),)}),
        ("source", {"a#e": ("s",)}),
        ("camp", {"a": ("optimist",), "a#e": ("optimist",)}),
    ],
)
@pytest.mark.parametrize("full_scan_from", [1, 5])
def test_values_are_those_of_the_ids_asked_for(
    field: str,
    values: Mapping[str, tuple[object, ...]],
    full_scan_from: int,
    engine: SparqlEngine,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sparql_engine, "IDS_FOR_FULL_SCAN", full_scan_from)
    values_by_id = engine.values(RecordKind.STATEMENT, field, ["a", "a#e", "b", "c"])
    assert {id: values_by_id[id] for id in ("a", "a#e", "b", "c") if id in values_by_id} == values


def test_a_field_without_a_value_has_its_default(engine: SparqlEngine) -> None:
    assert engine.values(RecordKind.STATEMENT, "status", ["a", "b"]) == {"a": ("stable",)} | {
        "b": ("stable",)
    }


def test_values_and_records_that_are_not_there_are_an_error(engine: SparqlEngine) -> None:
    for lack in (
        lambda: engine.values(RecordKind.STATEMENT, "kind", ["a", "gone", "lost"]),
        lambda: engine.corpus_with(RecordKind.STATEMENT, ["a", "gone", "lost"]),
    ):
        with pytest.raises(NotACorpus) as error:
            lack()
        assert str(error.value) == "what was answered lacks 2 records, such as 'gone'"


def test_a_corpus_of_some_records_holds_what_they_cite(engine: SparqlEngine) -> None:
    part = engine.corpus_with(RecordKind.STATEMENT, ["a#e"])
    assert ([*part.statements], [*part.sources], part.edges) == (["a#e"], ["s"], ())
    assert [*engine.corpus_with(RecordKind.STATEMENT, ["b"]).sources] == []
    assert [*engine.corpus_with(RecordKind.LINE, ["l"]).lines] == ["l"]
    assert part.default_camps == {"a#e": "optimist"}


@every_row(
    ("edges", "ids", "statements", "among"),
    [
        ((), ("a", "b"), "a b", "b--contradicts--a"),
        ((), ("a", "c"), "a c", ""),
        (("c--supports--b",), (), "b c", "c--supports--b"),
        (("c--supports--b",), ("a",), "a b c", "c--supports--b"),
    ],
)
def test_a_corpus_around_edges_holds_their_ends_and_the_edges_among_what_was_found(
    edges: tuple[str, ...], ids: tuple[str, ...], statements: str, among: str, engine: SparqlEngine
) -> None:
    whole = engine.whole_corpus()
    part = engine.corpus_around([whole.edges_by_id[id] for id in edges], ids)
    assert sorted(part.statements) == statements.split()
    assert [edge.id for edge in part.edges] == among.split()


@every_row(
    ("bases", "message"),
    [
        ([], "holds no corpus"),
        (["https://x.test/", "https://y.test/"], r"2 corpora \(https://x.test/, https://y.test/\)"),
    ],
)
def test_an_endpoint_must_hold_one_corpus(bases: list[str], message: str) -> None:
    rows = [(NamedNode(base),) for base in bases]
    with pytest.raises(NotACorpus, match=f"{message}; it must hold one, written by kg$"):
        SparqlEngine(lambda query: rows).iris  # noqa: B018


def test_what_no_corpus_would_answer_is_an_error_of_the_endpoint() -> None:
    with pytest.raises(NotACorpus, match=r"^what was answered is not of a corpus of kg: "):
        SparqlEngine(lambda query: [(None,)]).iris  # noqa: B018


def test_an_iri_is_that_of_a_record_or_a_camp(engine: SparqlEngine) -> None:
    ends = [engine.iri_of(name).value.rpartition("/")[2] for name in ("a", "s", "l", "Sceptic")]
    assert ends == ["a", "s", "l", "skeptic"]
    with pytest.raises(UnknownId, match=r"^no statement 'gone' in the corpus$"):
        engine.iri_of("gone")
    with pytest.raises(UnknownId, match=r"^no camp 'optimists' in the corpus"):
        engine.camp_of("optimists")
