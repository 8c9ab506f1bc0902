"""The corpus as RDF quads, with a named graph for each note, and a digest of each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from hashlib import blake2b

import msgspec
from pyoxigraph import NamedNode, Quad, RdfFormat, parse

from kg.corpus import Corpus
from kg.corpus.note_records import NoteContext, NoteRecords, records_by_note
from kg.model.settings.config import Config
from kg.model.settings.quality_settings import METHOD_POINTS
from kg.rdf.iris import CAMPS, Iris
from kg.rdf.note_triples import (
    DCTERMS_IDENTIFIER,
    RDF_TYPE,
    NoteTriplesBuilder,
    SubjectTriples,
)
from kg.rdf.vocabulary import (
    integer_term,
    method_iri,
    named_term,
    ontology_term,
    prefixed_term,
    quoted_term,
)

# Increase this when the same notes give other quads, so that stores are updated.
MAPPING_VERSION = "3"

DIGEST_PROPERTY = prefixed_term("kg:digest")
DIGEST_BYTES = 16


def as_quads(corpus: Corpus) -> Iterator[Quad]:
    """Yield every quad of the corpus, graph by graph; the same corpus gives the same quads."""
    for text in as_nquads(corpus):
        yield from _parse_quads(text)


def as_nquads(corpus: Corpus) -> Iterator[str]:
    """The corpus as N-Quads, one string per graph."""
    return nquads_of_notes(corpus.config, ((corpus, note) for note in records_by_note(corpus)))


def nquads_of_notes(
    config: Config, joined_notes: Iterable[tuple[NoteContext, NoteRecords]]
) -> Iterator[str]:
    """N-Quads of notes, one string per graph, that of the corpus last."""
    iris = Iris(config.base_iri)
    all_notes = blake2b(digest_size=DIGEST_BYTES)
    for names, note in joined_notes:
        digest = note_digest(names, note)
        all_notes.update(digest.encode())  # not kept: there may be more than memory holds
        yield _graph_text(names, note, iris, digest)
    yield _corpus_text(config, all_notes.hexdigest())


def _graph_text(corpus: NoteContext, note: NoteRecords, iris: Iris, digest: str) -> str:
    """A note's graph, with its digest last, so that a partly loaded graph has none."""
    builder = NoteTriplesBuilder(corpus, note, iris)
    end = f" <{builder.note_iri}> .\n"
    lines = [
        f"<{subject}> {predicate} {value}{end}"
        for subject, pairs in builder.triples()
        for predicate, value in pairs
    ]
    lines.append(f"<{builder.note_iri}> {DIGEST_PROPERTY} {quoted_term(digest)}{end}")
    return "".join(lines)


def _parse_quads(text: str) -> Iterator[Quad]:
    return parse(text, format=RdfFormat.N_QUADS)


def note_digest(corpus: NoteContext, note: NoteRecords) -> str:
    """A digest of a note's graph: equal if and only if its quads are equal."""
    iris = Iris(corpus.config.base_iri)
    # what its quads take from other notes: the sorts of records, which show in IRIs, and camps
    ends = [iris.thing(corpus, edge.target) for edge in note.edges if edge.relation.joins_notes]
    ends += [
        iris.thing(corpus, end)
        for mention in note.mentions
        for end in (mention.origin, mention.target)
    ]
    camps = [corpus.default_camps.get(statement.id) for statement in note.statements]
    # as tuples: msgspec leaves out a default that is the same object, not one that is equal, and
    # a source's type may equal the default without being the same string object
    sources = [msgspec.structs.astuple(source) for source in note.sources]
    return _digest_of_content(
        (MAPPING_VERSION, iris.base, note._replace(sources=[]), sources, ends, camps)
    )


def _digest_of_content(content: object) -> str:
    try:
        encoded = msgspec.msgpack.encode(content, order="deterministic")
    except (
        OverflowError,
        UnicodeEncodeError,
    ):  # an integer or a surrogate that msgpack cannot hold
        encoded = json.dumps(msgspec.to_builtins(content), sort_keys=True).encode()
    return blake2b(encoded, digest_size=DIGEST_BYTES).hexdigest()


def graph_name(corpus: Corpus, path: str) -> NamedNode:
    """The name of a note's graph."""
    return NamedNode(Iris(corpus.config.base_iri).note(path))


def note_quads(corpus: Corpus, note: NoteRecords) -> list[Quad]:
    """The quads of one note's graph."""
    return list(_parse_quads(note_nquads(corpus, note)))


def note_nquads(corpus: Corpus, note: NoteRecords) -> str:
    """Write one note's graph as N-Quads."""
    return _graph_text(corpus, note, Iris(corpus.config.base_iri), note_digest(corpus, note))


def note_triples(corpus: Corpus, note: NoteRecords) -> list[SubjectTriples]:
    """The triples of a note's part, without the digest."""
    return NoteTriplesBuilder(corpus, note, Iris(corpus.config.base_iri)).triples()


def corpus_graph_name(corpus: Corpus) -> NamedNode:
    """The IRI of the corpus, which is also the name of the graph of what belongs to no note."""
    return NamedNode(Iris(corpus.config.base_iri).corpus)


def corpus_quads(corpus: Corpus, digests: Iterable[str]) -> list[Quad]:
    """The quads of what belongs to no note: the corpus's name, its camps, and a digest of all.

    `digests` are those of its notes, in the order of paths.
    """
    all_notes = blake2b("".join(digests).encode(), digest_size=DIGEST_BYTES)
    return list(_parse_quads(_corpus_text(corpus.config, all_notes.hexdigest())))


def corpus_subjects(corpus: Corpus) -> Iterator[SubjectTriples]:
    """The triples of the whole corpus, subject by subject, without the digests."""
    iris = Iris(corpus.config.base_iri)
    for subject, property, value in _corpus_triples(corpus.config):
        yield subject, [(property, value)]
    for part in records_by_note(corpus):
        yield from NoteTriplesBuilder(corpus, part, iris).triples()


def _corpus_triples(config: Config) -> list[tuple[str, str, str]]:
    iris = Iris(config.base_iri)
    corpus_iri = iris.corpus
    triples = [
        (corpus_iri, RDF_TYPE, ontology_term("Corpus")),
        (corpus_iri, named_term("dcterms:title"), quoted_term(config.name)),
        (corpus_iri, ontology_term("baseIri"), quoted_term(iris.base)),
    ]
    for number, camp in enumerate(config.camps):
        iri = iris.iri_of(CAMPS, camp.id)
        triples += [
            (corpus_iri, ontology_term("hasCamp"), f"<{iri}>"),
            (iri, RDF_TYPE, ontology_term("Camp")),
            (iri, DCTERMS_IDENTIFIER, quoted_term(camp.id)),
            (iri, named_term("rdfs:label"), quoted_term(camp.label)),
            (iri, ontology_term("colour"), quoted_term(camp.colour)),
            (iri, ontology_term("position"), integer_term(number)),
        ]
    for word in config.quality.methods:
        if word not in METHOD_POINTS:
            iri = method_iri(word)
            triples += [
                (iri, RDF_TYPE, ontology_term("Method")),
                (iri, named_term("rdfs:label"), quoted_term(word)),
            ]
    return triples


def _corpus_text(config: Config, digest_of_notes: str) -> str:
    corpus_iri = Iris(config.base_iri).corpus
    triples = _corpus_triples(config)
    # of the notes as well, so that whole graphs of two corpora are not taken for one
    digest = _digest_of_content((MAPPING_VERSION, triples, digest_of_notes))
    triples.append((corpus_iri, str(DIGEST_PROPERTY), quoted_term(digest)))
    return "".join(f"<{s}> {p} {o} <{corpus_iri}> .\n" for s, p, o in triples)
