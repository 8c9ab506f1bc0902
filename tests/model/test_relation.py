"""One entry is all that a relation takes: every place that speaks of relations knows each.

Of `kg/model/edge.py`, too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import rdflib
from click.testing import CliRunner
from msgspec import structs
from rdflib import RDF, RDFS, SKOS

from kg.checks import check
from kg.cli.finding import find_command
from kg.corpus import Corpus
from kg.exchange.formats import render_export
from kg.exchange.writers.csv_tables import csv_tables
from kg.files.read_files import NotesFolder
from kg.model import LINKABLE, OPPOSING, SIDES, Bearing, Edge, Relation, RelationEnds, Span
from kg.model.relation import WEIGHTLESS
from kg.notes.body.near_misses import RELATION_WORDS as NEARLY_WRITTEN
from kg.notes.corrections import INVERSE_RELATIONS, RELATION_SYNONYMS
from kg.notes.mapping.map_proposal import propose_map
from kg.publish.context.site_context import SiteContext
from kg.publish.graphics.argument import argument_of
from kg.publish.graphics.explorer import network_of
from kg.publish.markup.address import Addresses
from kg.publish.markup.camp_and_relation_styles import render_relation_styles
from kg.publish.pages.statement import statement_page
from kg.queries.engines.engine import MemoryEngine
from kg.queries.find import find
from kg.queries.language.builders import edges, statements
from kg.queries.language.parse_query import parse_request
from kg.queries.language.query_words import LINK_WORDS
from kg.queries.results.counts_and_summaries import count_corpus
from kg.rdf import ontology
from kg.rdf.quads import as_quads
from kg.rdf.read_records import parse_corpus
from kg.reasoning.graph.graph_of_corpus import WEIGHED_RELATIONS
from kg.reasoning.reading import reading_of
from tests.rdf.ontology_graph import load_graph
from tests.support.corpora import corpus_of_notes

ROOT = Path(__file__).parents[2]
KG = rdflib.Namespace(ontology.KG)
CLAIM = "---\ntype: claim\nopen: not yet\n---\n# The claim called {}\n\n"
Place = Callable[[Relation], None]
PLACES: list[Place] = []


def place(check: Place) -> Place:
    """One that every relation has to be found in."""
    PLACES.append(check)
    return check


@pytest.mark.parametrize("found_in", PLACES, ids=lambda each: each.__name__)
def test_every_place_has_an_entry_for_every_relation(found_in: Place) -> None:
    for relation in Relation:
        found_in(relation)


LINE = "---\ntype: line\nproposition: b\n---\n\n# Q?\n\n## Camps\n{}\n"


def notes_with(relation: Relation) -> dict[str, str]:
    """`a` has such an edge to `b`, or to the only edge of `b`."""
    target = "b#^step" if relation.entry.joins is RelationEnds.EDGE else "b"
    return {
        "a": CLAIM.format("a") + f"- {relation}:: [[{target}]] — so it is ^why\n",
        "b": CLAIM.format("b") + "- supports:: [[c]] — it does ^step\n",
        "c": CLAIM.format("c"),
    }


@cache
def corpus_with(relation: Relation) -> Corpus:
    return corpus_of_notes(**notes_with(relation))


def edge_of(relation: Relation) -> Edge:
    [edge] = [each for each in corpus_with(relation).edges if each.origin == "a"]
    return edge


def page(*names: str) -> str:
    return ROOT.joinpath(*names).read_text("utf-8")


def result(relation: Relation, expected: Any) -> list[str]:
    expected = parse_request(expected) if isinstance(expected, str) else expected
    return [each.id for each in find(MemoryEngine(corpus_with(relation)), expected)]


@cache
def terms() -> rdflib.Graph:
    return load_graph()


def term(relation: Relation) -> rdflib.URIRef:
    return KG[ontology.relation_name(relation)]


# -- notes -----------------------------------------------------------------------------------


@place
def the_parser(relation: Relation) -> None:
    edge = edge_of(relation)
    assert (edge.relation, edge.reason) == (relation, "so it is")
    assert not [f for f in check(corpus_with(relation)) if "relation" in f.rule]


@place
def near_misses(relation: Relation) -> None:
    assert re.fullmatch(NEARLY_WRITTEN, relation.value.replace("-", "_"))


@place
def words_of_others(relation: Relation) -> None:
    for word in relation.entry.synonyms:
        assert RELATION_SYNONYMS[word] == relation
    for word in relation.entry.synonyms_back:
        assert INVERSE_RELATIONS[word] == relation
    assert relation.is_symmetric or INVERSE_RELATIONS[relation.entry.inverse] == relation


@place
def joint_reasons(relation: Relation) -> None:
    target = "c#^step" if relation.entry.joins is RelationEnds.EDGE else "c"
    corpus = corpus_of_notes(
        a=CLAIM.format("a") + f"- {relation}:: [[{target}]] with [[b]] — both\n",
        b=CLAIM.format("b"),
        c=CLAIM.format("c") + "- supports:: [[d]] — it does ^step\n",
        d=CLAIM.format("d"),
    )
    joint = [edge for edge in corpus.edges if edge.together]
    assert bool(joint) is (relation in LINKABLE) is bool(relation.entry.side)


@place
def missing_reasons(relation: Relation) -> None:
    target = "b#^step" if relation.entry.joins is RelationEnds.EDGE else "b"
    corpus = corpus_of_notes(
        a=CLAIM.format("a") + f"- {relation}:: [[{target}]]\n",
        b=CLAIM.format("b") + "- supports:: [[c]] — it does ^step\n",
        c=CLAIM.format("c"),
    )
    missed = [finding for finding in check(corpus) if finding.rule == "missing-reason"]
    assert bool(missed) is relation.entry.reasoned


# -- weighing --------------------------------------------------------------------------------


@place
def weighing(relation: Relation) -> None:
    reading = reading_of(corpus_with(relation))
    own_part = edge_of(relation).id
    weights = zip(reading.graph.arc_weight, reading.graph.edge_of_arc, strict=True)
    weighed_weights = [weight for weight, id in weights if id == own_part]
    if relation in SIDES:
        assert [w > 0 for w in weighed_weights] == [relation.entry.side > 0]
    elif relation not in WEIGHED_RELATIONS:
        assert weighed_weights == []
        assert own_part not in [each.edge for each in reading.unweighed_edges]


@place
def relations_without_weight(relation: Relation) -> None:
    """To a statement that is backed or opposed, an edge moves something, or it bears no weight."""
    target = "of-b#^step" if relation.entry.joins is RelationEnds.EDGE else "b"
    edge = f"- {relation}:: [[{target}]] — so\n"
    moves = any(strengths_with(edge, kind) != strengths_with("", kind) for kind in SIDES)
    assert moves is (relation not in WEIGHTLESS)


@cache
def strengths_with(edge: str, of_b: Relation) -> dict[str, float | None]:
    """Two claims that bear on others, the second backed or opposed, and an edge of the first."""
    evidence = "---\ntype: evidence\n---\n# {}\n\n"
    corpus = corpus_of_notes(
        a=CLAIM.format("a") + edge + "- supports:: [[d]] — it does\n",
        b=CLAIM.format("b") + "- supports:: [[c]] — it does\n",
        c=CLAIM.format("c"),
        d=CLAIM.format("d"),
        **{"of-a": evidence.format("For a") + "- supports:: [[a]] — so\n"},
        **{"of-b": evidence.format("On b") + f"- {of_b}:: [[b]] — so ^step\n"},
    )
    reading = reading_of(corpus)
    return {id: reading.strength(id) for id in corpus.statements}


@place
def words_before_links_in_a_vault(relation: Relation) -> None:
    """A word that bears no weight is read as the relation; any other is for the author to say."""
    body = f"---\ntype: claim\n---\n# N\n\n- [[x]] — {relation}: so\n"
    with TemporaryDirectory() as folder:
        for number in range(3):
            Path(folder, f"n{number}.md").write_text(body, "utf-8")
        proposed = propose_map(NotesFolder.from_path(folder))
    read_as = f"reasons begin with `{relation}:`, read as that relation"
    assert any(read_as in remark for remark in proposed.remarks) is (relation in WEIGHTLESS)


# -- questions -------------------------------------------------------------------------------


@place
def ask_words(relation: Relation) -> None:
    assert result(relation, f"{relation}:b") == ["a"]
    assert result(relation, f"{relation.entry.inverse}:a")[:1] == ["b"]
    if relation.entry.participle:
        assert result(relation, f"{relation.entry.participle}:b") == ["a"]


@place
def selections(relation: Relation) -> None:
    for expected in (statements().linked(relation, "b"), statements(**{relation.value: "b"})):
        assert result(relation, expected) == ["a"]
    assert edge_of(relation).id in result(relation, edges(relation=relation))


@place
def questions_in_words(relation: Relation) -> None:
    back = statements().linked(relation.entry.inverse, "a")
    assert relation.entry.inverse.replace("-", " ") in repr(back)
    forth = relation.entry.inverse.replace("-", " ") if relation.is_symmetric else relation.value
    assert repr(statements().linked(relation, "b")).count(forth) == 1


@place
def words_of_find(relation: Relation) -> None:
    printed_text = CliRunner().invoke(find_command, ["--words"]).output
    for word in {relation.value.replace("-", "_"), relation.entry.inverse.replace("-", "_")}:
        assert f"{word}:" in printed_text
        assert LINK_WORDS[word].help in " ".join(printed_text.split())
    assert relation.value in " ".join(printed_text.partition("relation:")[2].split())


@place
def counts(relation: Relation) -> None:
    assert count_corpus(corpus_with(relation)).edges_by_relation[relation.value] > 0


# -- pages -----------------------------------------------------------------------------------


@place
def statement_pages(relation: Relation) -> None:
    context = SiteContext(Addresses(corpus_with(relation)))
    html_there = statement_page(context, context.corpus.statements["a"]).html
    assert f'<span class="kg-rel kg-rel-{relation}">{relation.label}</span>' in html_there
    assert "So it is." in html_there
    assert ("for neither side" in html_there) is (relation in WEIGHTLESS)
    if relation.entry.joins is not RelationEnds.EDGE:
        html_here = statement_page(context, context.corpus.statements["b"]).html
        back = f'<span class="kg-rel kg-rel-{relation}">{relation.label_back}</span>'
        assert (f'<li class="kg-{relation.side}">' if relation.entry.side else back) in html_here


@place
def graphs(relation: Relation) -> None:
    note_text = "---\ntype: evidence\nquality: 0.9\n---\n# Found\n\n- supports:: [[a]]\n"
    notes, text = notes_with(relation), LINE.format("- optimist:: [[a]]")
    if relation.entry.joins is RelationEnds.EDGE:
        note_text += "- supports:: [[b]]\n"
        text = text.replace("proposition: b", "proposition: c")
    corpus = corpus_of_notes(**notes, d=note_text, line=text)
    context, line = SiteContext(Addresses(corpus)), corpus.lines["line"]
    assert line.proposition
    titles = [
        each["title"]
        for each in network_of(context, line, argument_of(context, line, line.proposition)).edges
    ]
    words = re.compile(rf"{relation.label}\b.*: So it is\.")
    assert any(map(words.fullmatch, titles)) is (relation in LINKABLE)


@place
def styles(relation: Relation) -> None:
    sheet = render_relation_styles()
    assert f".kg-rel-{relation}{{" in sheet


# -- linked data, files ----------------------------------------------------------------------


@place
def ontology_terms(relation: Relation) -> None:
    graph, node = terms(), term(relation)
    assert (node, RDF.type, KG.Relation) in graph
    assert str(graph.value(node, RDFS.label)) == relation.value.replace("-", " ")
    assert graph.value(node, SKOS.definition)
    ends = {
        RelationEnds.STATEMENTS: KG.Statement,
        RelationEnds.EDGE: KG.Edge,
        RelationEnds.ALIKE: None,
        RelationEnds.ANY: None,
    }
    assert graph.value(node, RDFS.range) == ends[relation.entry.joins]
    near = {*graph.objects(node, SKOS.closeMatch), *graph.objects(node, RDFS.subPropertyOf)}
    note_text = {graph.namespace_manager.normalizeUri(each) for each in near}
    assert note_text == set(relation.entry.matches)


@place
def json_ld_context(relation: Relation) -> None:
    name = ontology.relation_name(relation)
    assert json.loads(page("ontology", "context.jsonld"))["@context"][name] in (
        f"kg:{name}",
        {"@id": f"kg:{name}", "@type": "@id"},
    )


@place
def shapes(relation: Relation) -> None:
    [replies] = re.findall(r"sh:in \( ([^)]*kg:contradicts[^)]*) \)", page("ontology/shapes.ttl"))
    assert (f"kg:{ontology.relation_name(relation)}" in replies.split()) is (relation in OPPOSING)


@place
def ready_queries(relation: Relation) -> None:
    unanswered = page("ontology", "queries", "unanswered.rq")
    text = rf"\?\w+ kg:{ontology.relation_name(relation)} \?"
    assert bool(re.search(text, unanswered)) is (relation in OPPOSING)


@place
def cito_profile(relation: Relation) -> None:
    pair = f"(kg:{ontology.relation_name(relation)} cito:{relation.entry.cito})"
    assert pair in page("ontology", "profiles", "cito.rq")
    assert f"spar/cito/{relation.entry.cito}" in rendered(relation, "ttl", "cito")


def rendered(relation: Relation, name: str, profile: str | None = None) -> str:
    return render_export(corpus_with(relation), name, profile).decode()


@place
def rdf_there_and_back(relation: Relation) -> None:
    corpus = corpus_with(relation)
    assert edge_of(relation) in parse_corpus(as_quads(corpus)).edges


@place
def tables_and_pictures(relation: Relation) -> None:
    _, rows = csv_tables(corpus_with(relation))["edges"]
    assert any(row[0] == edge_of(relation).id and relation in row for row in rows)
    assert f'label="{relation}", style=' in rendered(relation, "dot")


@place
def page_on_the_format(relation: Relation) -> None:
    row = f"| `{relation}` | {relation.entry.joins.value} | {relation.entry.meaning} |"
    assert row in page("docs", "note-format.md").splitlines()


@place
def guide_for_authors(relation: Relation) -> None:
    assert f"`{relation}`" in page("docs", "add-a-note.md").partition("Relations are")[2][:200]


@place
def guide_for_readers(relation: Relation) -> None:
    entry = relation.entry
    assert not entry.mark or f"**{entry.mark} {relation.label}**" in page(
        "site/pages/how-to-read.md"
    )


def test_only_relations_of_notes_join_lines_and_sources() -> None:
    assert {relation.value for relation in Relation if relation.joins_notes} == {
        "relates",
        "supersedes",
    }
    assert {relation.value for relation in Relation if relation.is_symmetric} == {
        "relates",
        "same-as",
    }


def test_what_bears_on_a_statement_against_its_edge_says_so() -> None:
    edge = corpus_of_notes(
        a=CLAIM.format("a") + "- contradicts:: [[b]] (mutual:: yes)\n", b=CLAIM.format("b")
    ).edges[0]
    ways = [Bearing(edge, premise, target) for premise, target in edge.directions]
    assert [(way.origin, way.is_reversed, way.side) for way in ways] == [
        ("a", False, -1),
        ("b", True, -1),
    ]


def test_only_a_contradiction_of_two_goes_both_ways() -> None:
    mutual = Edge("e", "a", Relation.CONTRADICTS, "b", Span("a.md"), mutual=True)
    assert mutual.directions == (("a", "b"), ("b", "a"))
    for fields in ({"together": ("c",)}, {"relation": Relation.SUPPORTS}, {"mutual": False}):
        assert structs.replace(mutual, **fields).directions == (("a", "b"),)
