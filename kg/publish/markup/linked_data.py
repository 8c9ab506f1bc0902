"""JSON-LD of a page: a statement, line or source in the vocabulary of schema.org."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from kg.corpus import Corpus
from kg.model import InquiryLine, Kind, Source, Statement
from kg.model.settings.config import Config
from kg.model.source import ET_AL
from kg.rdf.iris import Iris
from kg.rdf.ontology import CLASSES, KG, relation_name

_EXAMPLES = re.compile(r"https?://([^/]*\.)?(example\.(org|com|net)|localhost)([:/]|$)")
_TYPES = {
    "article": "ScholarlyArticle",
    "inproceedings": "ScholarlyArticle",
    "misc": "CreativeWork",
    "book": "Book",
}


def statement_data(corpus: Corpus, statement: Statement) -> str:
    """A statement in the vocabulary of schema.org, with this project's relations."""
    data: dict[str, object] = {
        "@context": ["https://schema.org", {"kg": KG}],
        "@id": iri_of(corpus, statement.id),
        "@type": [
            "Claim" if statement.kind is not Kind.EVIDENCE else "CreativeWork",
            "kg:" + CLASSES[statement.kind],
        ],
        "name": statement.title,
        "citation": [_source_json(corpus, key) for key in statement.sources],
        "keywords": list(statement.topics),
        "about": list(statement.about),
    }
    targets: dict[str, list[dict[str, str]]] = {}
    for edge in corpus.edges_from.get(statement.id, ()):
        property = "kg:" + relation_name(edge.relation)
        targets.setdefault(property, []).append({"@id": iri_of(corpus, edge.target)})
    return _json_ld(corpus, {**data, **targets, **_dates_of_record(statement)})


def line_data(corpus: Corpus, line: InquiryLine, members: Sequence[str]) -> str:
    """An inquiry line as an article about a question."""
    keys = dict.fromkeys(citation.key for citation in line.citations)
    return _json_ld(
        corpus,
        {
            "@context": ["https://schema.org", {"kg": KG}],
            "@id": iri_of(corpus, line.id),
            "@type": ["Article", "kg:InquiryLine"],
            "headline": line.title,
            "abstract": line.standfirst,
            "keywords": list(line.topics),
            "citation": [_source_json(corpus, key) for key in keys],
            "mentions": [{"@id": iri_of(corpus, id)} for id in members],
            **_dates_of_record(line),
        },
    )


def source_data(corpus: Corpus, source: Source) -> str:
    """A source as a published work."""
    addresses = []
    if source.doi:
        addresses.append(f"https://doi.org/{source.doi}")
    if source.arxiv:
        addresses.append(f"https://arxiv.org/abs/{source.arxiv}")
    return _json_ld(
        corpus,
        {
            "@context": "https://schema.org",
            "@id": iri_of(corpus, source.key),
            "@type": _TYPES.get(source.type, "CreativeWork"),
            "name": source.title,
            "author": [
                {"@type": "Person", "name": name} for name in source.authors if name != ET_AL
            ],
            "datePublished": str(source.year or ""),
            "isPartOf": source.venue,
            "sameAs": addresses,
        },
    )


def _json_ld(corpus: Corpus, value: dict[str, object]) -> str:
    """JSON-LD; empty if the corpus has no address of its own."""
    if is_example(corpus.config):
        return ""
    filled_fields = {name: part for name, part in value.items() if part not in ("", [], None)}
    return msgspec.json.encode(filled_fields).decode()


def _dates_of_record(record: Statement | InquiryLine) -> dict[str, str]:
    days = {"dateCreated": record.created, "dateModified": record.updated}
    return {name: day.isoformat() for name, day in days.items() if day}


def _source_json(corpus: Corpus, key: str) -> dict[str, str]:
    source = corpus.sources.get(key)
    return {"@id": iri_of(corpus, key), "name": source.title} if source else {"name": key}


def iri_of(corpus: Corpus, id: str) -> str:
    """The IRI of anything in the corpus."""
    return Iris(corpus.config.base_iri).thing(corpus, id)


def is_example(config: Config) -> bool:
    """Return whether a corpus has no address of its own, only an example's base IRI (RFC 2606)."""
    return not config.site.url and bool(_EXAMPLES.match(config.base_iri))
