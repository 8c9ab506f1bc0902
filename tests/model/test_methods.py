"""Methods that settings declare, and what is said of those that nobody does."""

from __future__ import annotations

import pytest
import rdflib

from kg.checks.check_shapes import check_shapes, validate
from kg.model.settings.config import Config
from kg.model.settings.quality_settings import METHOD_POINTS, QualityLadder
from kg.queries.conditions.fields import UnknownWord
from kg.queries.engines.engine import MemoryEngine
from kg.queries.engines.sparql_engine import engine_of_store
from kg.queries.find import find
from kg.queries.language.builders import evidence
from kg.rdf.ontology import KG
from kg.rdf.quad_store import as_store
from kg.rdf.quads import as_quads
from kg.rdf.read_records import parse_corpus
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row
from tests.support.plain_rdflib_graph import as_rdflib_graph

OWN = Config(quality=QualityLadder(kinds={"natural-experiment": 2.5, "proof": 4.5}))
NOTE = "---\ntype: evidence\nasserted_by: Lee\nmethod: {}\n---\n# It was seen\n"


def test_a_declared_method_is_accepted() -> None:
    corpus = corpus_of_notes(config=OWN, a=NOTE.format("Natural Experiment"))
    assert corpus.statements["a"].method == "natural-experiment"
    assert corpus.diagnostics == ()


def test_an_undeclared_method_is_left_out_and_reported_at_its_word() -> None:
    corpus = corpus_of_notes(a=NOTE.format("proof"))
    (problem,) = corpus.diagnostics
    assert corpus.statements["a"].method is None
    assert (problem.rule, problem.span.line, problem.span.column) == ("bad-value", 4, 9)
    assert problem.message == "`method` cannot be 'proof'"


def test_an_undeclared_method_is_reported_in_callouts_and_notes_of_unclear_type() -> None:
    callout = "---\ntype: claim\n---\n# C\n\n> [!evidence] E ^e\n> (Method:: proof) [@x]\n"
    corpus = corpus_of_notes(a=callout, b=NOTE.format("proof").replace("evidence", "evidnce"))
    rows = [(p.rule, p.span.path, p.span.line, p.span.column) for p in corpus.diagnostics]
    assert ("bad-value", "a.md", 7, 13) in rows
    assert rows.count(("bad-value", "b.md", 4, 9)) == 1
    assert corpus.best_guess.statements["b"].method is None


@every_row(
    ("word", "help"),
    [
        ("expermient", "did you mean `experiment`?"),
        ("surveys", "did you mean `survey`?"),
        ("interviews", "did you mean `qualitative`?"),
        ("opinion", "did you mean `argument`?"),
        ("natural-experimnt", "did you mean `natural-experiment`?"),
        ("analysis", "write meta-analysis, "),
        ("replication", "write meta-analysis, "),
        ("rct", "write meta-analysis, "),
        ("proofreading", "write meta-analysis, "),
    ],
)
def test_a_hint_goes_by_spelling_and_lifts_nothing(word: str, help: str) -> None:
    (problem,) = corpus_of_notes(config=OWN, a=NOTE.format(word)).diagnostics
    assert problem.help.startswith(help)


def test_guesses_by_meaning_are_never_above_what_is_unrecorded() -> None:
    from kg.notes.corrections import METHOD_SYNONYMS

    lifted = {word for word in METHOD_POINTS if METHOD_POINTS[word] > QualityLadder().unrecorded}
    assert "experiment" in lifted
    assert lifted.isdisjoint(METHOD_SYNONYMS.values())
    assert METHOD_SYNONYMS["opinion"] == "argument"


def test_methods_of_ones_own_can_be_asked_for() -> None:
    corpus = corpus_of_notes(config=OWN, a=NOTE.format("proof"), b=NOTE.format("survey"))
    memory = MemoryEngine(corpus)
    assert find(memory, evidence().method("proof")).ids == ("a",)
    assert find(memory, evidence().method("natural-experiment")).ids == ()
    assert find(memory, evidence().method("proof", "survey")).ids == ("a", "b")
    with pytest.raises(UnknownWord):
        evidence().method("experimnt")
    with pytest.raises(LookupError):
        find(memory, evidence().method("astrology"))


def test_a_graph_holds_methods_of_ones_own_and_comes_back() -> None:
    corpus = corpus_of_notes(config=OWN, a=NOTE.format("proof"), b=NOTE.format("survey"))
    triples = as_rdflib_graph(corpus)
    proof = rdflib.URIRef(KG + "method-proof")
    assert (proof, rdflib.RDF.type, rdflib.URIRef(KG + "Method")) in triples
    assert check_shapes(corpus) == []
    back = parse_corpus(as_quads(corpus))
    assert back.statements == corpus.statements
    assert list(back.config.quality.methods) == [*METHOD_POINTS, "natural-experiment", "proof"]
    answer = find(engine_of_store(as_store(corpus)), evidence().method("proof"))
    assert answer.ids == ("a",)


def test_shapes_know_figures_that_cannot_be() -> None:
    corpus = corpus_of_notes(a=NOTE.format("survey"))
    graph = as_rdflib_graph(corpus)
    statement = rdflib.URIRef(corpus.config.base_iri + "statements/a")
    for name, value in (("effect", 0.4), ("effectLow", 0.5), ("pValue", 0.0)):
        graph.add((statement, rdflib.URIRef(KG + name), rdflib.Literal(value)))
    graph.add((statement, rdflib.URIRef(KG + "effectKind"), rdflib.Literal("z")))
    text = " ".join(problem.message for problem in validate(graph))
    for words in ("an interval begins", "no kind of effect", "a p is a number"):
        assert words in text
