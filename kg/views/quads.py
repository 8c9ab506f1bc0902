"""The corpus as RDF quads: one named graph for each note."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

import msgspec
from pyoxigraph import NamedNode, Quad, RdfFormat, parse

from kg.corpus import Corpus
from kg.model import Relation
from kg.model.ladder import KINDS
from kg.views.graph import IDENTIFIER, TYPE, Graph, Told
from kg.views.iris import CAMPS, Iris
from kg.views.parts import Part, parts
from kg.views.terms import integer, kg, method, node, quoted, term

MAPPING = "3"
"""Raise this when the same notes begin to give other quads, so that stores notice."""

DIGEST = node("kg:digest")


def as_quads(corpus: Corpus) -> Iterator[Quad]:
    """Every quad of the corpus, graph by graph; the same corpus gives the same quads."""
    for text in as_nquads(corpus):
        yield from _parsed(text)


def as_nquads(corpus: Corpus) -> Iterator[str]:
    """The corpus as N-Quads, one text for each graph."""
    yield _corpus_text(corpus)
    iris = Iris(corpus.config.base_iri)
    for part in parts(corpus):
        yield _text(corpus, part, iris)


def _text(corpus: Corpus, part: Part, iris: Iris) -> str:
    """A note's graph, its digest last."""
    graph = Graph(corpus, part, iris)
    end = f" <{graph.note}> .\n"
    found = [
        f"<{subject}> {predicate} {value}{end}"
        for subject, said in graph.told()
        for predicate, value in said
    ]
    found.append(f"<{graph.note}> {DIGEST} {quoted(digest(corpus, part))}{end}")
    return "".join(found)


def _parsed(text: str) -> Iterator[Quad]:
    return parse(text, format=RdfFormat.N_QUADS)


def digest(corpus: Corpus, part: Part) -> str:
    """A fingerprint of a note's graph: equal where, and only where, its quads are equal."""
    iris = Iris(corpus.config.base_iri)
    ends = [
        iris.thing(corpus, edge.target)
        for edge in part.edges
        if edge.relation is Relation.SUPERSEDES
    ]
    ends += [
        iris.thing(corpus, end)
        for mention in part.mentions
        for end in (mention.origin, mention.target)
    ]
    camps = [corpus.default_camps.get(statement.id) for statement in part.statements]
    # as tuples: msgspec leaves a default out where it is the same object, not where it is equal,
    # and the default type of a source is a word that may have been read somewhere
    sources = [msgspec.structs.astuple(source) for source in part.sources]
    return _fingerprint((MAPPING, iris.base, part._replace(sources=[]), sources, ends, camps))


def _fingerprint(content: Any) -> str:
    try:
        encoded = msgspec.msgpack.encode(content, order="deterministic")
    except (
        OverflowError,
        UnicodeEncodeError,
    ):  # an integer or a surrogate that msgpack cannot hold
        encoded = json.dumps(msgspec.to_builtins(content), sort_keys=True).encode()
    return blake2b(encoded, digest_size=16).hexdigest()


def graph_name(corpus: Corpus, path: str) -> NamedNode:
    """The name of a note's graph."""
    return NamedNode(Iris(corpus.config.base_iri).note(path))


def part_quads(corpus: Corpus, part: Part) -> list[Quad]:
    """The quads of one note's graph."""
    return list(_parsed(part_nquads(corpus, part)))


def part_nquads(corpus: Corpus, part: Part) -> str:
    """One note's graph as N-Quads."""
    return _text(corpus, part, Iris(corpus.config.base_iri))


def part_told(corpus: Corpus, part: Part) -> list[Told]:
    """What a part of a note says, without the digest, which is that of the whole note."""
    return Graph(corpus, part, Iris(corpus.config.base_iri)).told()


def corpus_name(corpus: Corpus) -> NamedNode:
    """The name of the corpus, and of the graph of what belongs to no note."""
    return NamedNode(Iris(corpus.config.base_iri).corpus)


def corpus_quads(corpus: Corpus) -> list[Quad]:
    """The quads of what belongs to no note: the corpus's name and its camps."""
    return list(_parsed(_corpus_text(corpus)))


def _corpus_text(corpus: Corpus) -> str:
    iris = Iris(corpus.config.base_iri)
    own = iris.corpus
    found = [
        (own, TYPE, kg("Corpus")),
        (own, term("dcterms:title"), quoted(corpus.config.name)),
        (own, kg("baseIri"), quoted(iris.base)),
    ]
    for number, camp in enumerate(corpus.config.camps):
        iri = iris.of(CAMPS, camp.id)
        found += [
            (own, kg("hasCamp"), f"<{iri}>"),
            (iri, TYPE, kg("Camp")),
            (iri, IDENTIFIER, quoted(camp.id)),
            (iri, term("rdfs:label"), quoted(camp.label)),
            (iri, kg("colour"), quoted(camp.colour)),
            (iri, kg("position"), integer(number)),
        ]
    for word in corpus.config.quality.kinds:
        if word not in KINDS:
            iri = method(word)[1:-1]
            found += [(iri, TYPE, kg("Method")), (iri, term("rdfs:label"), quoted(word))]
    found.append((own, str(DIGEST), quoted(_fingerprint((MAPPING, found)))))
    return "".join(f"<{s}> {p} {o} <{own}> .\n" for s, p, o in found)
