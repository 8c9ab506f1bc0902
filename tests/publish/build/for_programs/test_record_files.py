"""Records of all things as data: what they hold, and which file each is in."""

from __future__ import annotations

import gzip
import json
from typing import Any

from rdflib import RDF, Graph, URIRef

from kg.corpus import Corpus
from kg.publish.build.for_programs.record_files import all_record_files
from kg.publish.context.site_context import MAX_IN_FILE, record_addresses, record_files
from kg.publish.markup.linked_data import iri_of
from tests.support.corpora import corpus_of_notes
from tests.support.note_texts import builder_of, claim_text, evidence_text, line_text


def files_of(corpus: Corpus) -> dict[str, Any]:
    """Every file of records, by its address."""
    return {each.url: each.make() for each in all_record_files(builder_of(corpus).context)}


def records_of(corpus: Corpus) -> dict[str, Any]:
    """Every record, by its id."""
    data: dict[str, Any] = {}
    for url, text in files_of(corpus).items():
        if url.endswith(".json"):
            data |= json.loads(text)
    return data


def test_a_statement_has_its_edges_on_either_side() -> None:
    corpus = corpus_of_notes(
        top=claim_text("Top", "optimist"),
        asked=claim_text("Asked", "optimist", "supports:: [[top]] — so"),
        study=evidence_text("Study", 0.8, "supports:: [[asked]]"),
    )
    value = records_of(corpus)["asked"]
    assert [edge["target"] for edge in value["edges"]] == ["top"]
    assert [edge["origin"] for edge in value["edges_to_it"]] == ["study"]
    assert value["verdict"] == builder_of(corpus).context.standings.of("asked").answer_phrase


def test_a_source_tells_what_cites_it() -> None:
    corpus = corpus_of_notes(
        study=evidence_text("Study", 0.8) + "\n[@s]\n",
        other=evidence_text("Other", 0.8),
        references="@book{s, title={S}, author={Ann Doe}}",
    )
    assert records_of(corpus)["s"]["cited_by"] == ["study"]


def test_a_line_has_its_verdict_where_it_weighs_a_claim() -> None:
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        weighs=line_text("Weighs?", "optimist:: [[asked]]", head="proposition: asked\n"),
        asks=line_text("Asks?", "optimist:: [[asked]]"),
    )
    records = records_of(corpus)
    assert {id: "verdict" in records[id] for id in corpus.lines} == {"weighs": True, "asks": False}


def test_each_thing_is_described_in_turtle_beside_its_json() -> None:
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        study=evidence_text("Study", 0.8, "supports:: [[asked]]") + "\n[@s]\n",
        here=line_text("Here?", "optimist:: [[asked]]"),
        references="@book{s, title={S}, author={Ann Doe}}",
    )
    files = files_of(corpus)
    assert record_addresses(corpus).keys() >= {"asked", "study", "here", "s"}
    for id, address in record_addresses(corpus).items():
        packed = files[address.partition("#")[0].replace(".json", ".ttl.gz")]
        graph = Graph().parse(data=gzip.decompress(packed), format="turtle")
        assert (URIRef(iri_of(corpus, id)), RDF.type, None) in graph


def test_a_record_stays_in_its_file_whatever_else_there_is() -> None:
    notes = {
        f"note-{number}": claim_text(f"Claim {number}", "optimist")
        for number in range(MAX_IN_FILE + 1)
    }
    before = record_addresses(corpus_of_notes(**notes))
    after = record_addresses(corpus_of_notes(**notes, another=claim_text("Another", "optimist")))
    assert before.items() <= after.items()
    files = record_files(corpus_of_notes(**notes))
    assert len(files) == 2
    assert all(len(ids) < MAX_IN_FILE for ids in files.values())


def test_an_address_is_a_json_pointer() -> None:
    ids = ("a", "a#b", "ü")
    corpus = corpus_of_notes(
        a=claim_text("A", "optimist") + "\n> [!evidence] B ^b\n> It is so.\n",
        ü=claim_text("Ü", "optimist"),
    )
    addresses = record_addresses(corpus)
    assert [addresses[id].partition("#/")[2] for id in ids] == ["a", "a%23b", "%C3%BC"]
