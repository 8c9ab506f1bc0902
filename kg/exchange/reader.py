"""RDF back into a corpus: what `as_quads` wrote, whoever stored it in between."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

import msgspec
import pyoxigraph as ox

from kg.corpus import Corpus
from kg.model import InquiryLine, Mention, Source, Statement
from kg.model.config import Camp, Config
from kg.model.errors import NotACorpus
from kg.model.ladder import Quality, is_own_name
from kg.ontology import KG, PREFIXES
from kg.rdf.reader import Records, group_triples
from kg.rdf.vocabulary import METHOD, Iris

RDF_FORMATS = {
    ".ttl": ox.RdfFormat.TURTLE,
    ".nq": ox.RdfFormat.N_QUADS,
    ".nt": ox.RdfFormat.N_TRIPLES,
    ".trig": ox.RdfFormat.TRIG,
    ".jsonld": ox.RdfFormat.JSON_LD,
    ".rdf": ox.RdfFormat.RDF_XML,
}
Record = TypeVar("Record", Statement, InquiryLine, Source)


def load_rdf(file: Path) -> Corpus:
    """The corpus in an RDF file that `kg export` wrote. Raises `NotACorpus`."""
    format = RDF_FORMATS.get(file.suffix)
    if format is None:
        raise NotACorpus(f"{file}: no RDF format ends in {file.suffix or 'nothing'!r}")
    try:
        return parse_corpus(ox.parse(path=str(file), format=format))
    except SyntaxError as error:
        raise NotACorpus(f"{file}: {error}") from None


def parse_corpus(quads: Iterable[ox.Quad]) -> Corpus:
    """The corpus that these quads describe; which graph each stands in does not matter."""
    said = group_triples((quad.subject, quad.predicate, quad.object) for quad in quads)
    bases = [base for of in said.values() for base in of.get(KG + "baseIri", ())]
    if not bases:
        raise NotACorpus(
            "this is not a graph of inquiry lines: it has no kg:Corpus with a kg:baseIri"
        )
    try:
        return _corpus(Records(said, Iris(bases[0])))
    except (LookupError, TypeError, ValueError, msgspec.MsgspecError) as error:
        raise NotACorpus(f"this graph lacks a part that it should have: {error}") from None


def _corpus(records: Records) -> Corpus:
    return Corpus(
        statements=_in_order(records, "Statement", records.statement),
        edges=tuple(
            sorted(map(records.edge, records.every("Edge")), key=lambda edge: (edge.span, edge.id))
        ),
        sources=_in_order(records, "Source", records.source),
        lines=_in_order(records, "InquiryLine", records.line),
        mentions=_mentions(records),
        aliases=_aliases(records),
        config=_config(records),
    )


def _in_order(records: Records, kind: str, read: Callable[[str], Record]) -> dict[str, Record]:
    """All records of a kind by id, in reading order."""
    found = {records.iris.id_of(iri): read(iri) for iri in records.every(kind)}
    return dict(sorted(found.items(), key=lambda item: (item[1].span, item[0])))


def _mentions(records: Records) -> tuple[Mention, ...]:
    notes = sorted(records.every("Note"), key=records.iris.path_of)
    return tuple(mention for note in notes for mention in records.mentions(note))


def _aliases(records: Records) -> dict[str, str]:
    """Names that lead to one thing alone, and are nothing's own id."""
    leads: defaultdict[str, set[str]] = defaultdict(set)
    for iri in records.said:
        for name in [*records.all(iri, "alias"), *records.all(iri, "otherName")]:
            leads[name].add(records.iris.id_of(iri))
    return {name: ids.pop() for name, ids in leads.items() if len(ids) == 1}


def _config(records: Records) -> Config:
    (corpus,) = records.every("Corpus")
    camps = sorted(
        records.all(corpus, "hasCamp"), key=lambda camp: int(records.one(camp, "position"))
    )
    return Config(
        name=records.needed(corpus, PREFIXES["dcterms"] + "title"),
        base_iri=records.iris.base,
        camps=tuple(
            Camp(
                id=records.iris.id_of(camp),
                label=records.needed(camp, PREFIXES["rdfs"] + "label"),
                colour=records.one(camp, "colour"),
            )
            for camp in camps
        ),
        quality=Quality(kinds={word: Quality().unrecorded for word in _own_methods(records)}),
    )


def _own_methods(records: Records) -> list[str]:
    """Methods that the corpus declared; how high they stand is no part of the graph."""
    words = (METHOD.read(iri) for iri in records.every("Method"))
    return [word for word in words if is_own_name(word)]
