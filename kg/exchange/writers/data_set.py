"""Write metadata of the corpus as a citable data set: `CITATION.cff`, DataCite, RO-Crate."""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from kg.corpus import Corpus
from kg.exchange.escaped_text import JsonObject, without_controls, write_json_file
from kg.exchange.writers.bibliographic_works import Person, split_name
from kg.model import InquiryLine, Statement
from kg.model.settings.config import Config

MAX_KEYWORDS = 12  # the most common topics; catalogues show about a dozen
CRATE = "https://w3id.org/ro/crate/1.1"
LICENSES = "https://spdx.org/licenses/"


def write_cff(corpus: Corpus, file: Path) -> None:
    """Write Citation File Format 1.2.0, with JSON values, which are valid YAML."""
    site = corpus.config.site
    dataset = corpus.config.dataset
    fields: JsonObject = {
        "cff-version": "1.2.0",
        "message": "If you use these notes, please cite them as below.",
        "type": "dataset",
        "title": _data_set_title(corpus),
        "abstract": without_controls(site.description),
        "authors": [_cff_person(maker) for maker, _ in _authors_as_people(corpus)],
        "keywords": _commonest_topics(corpus),
        "version": without_controls(dataset.version),
        "date-released": _last_change(corpus),
        "license": dataset.license,
        "doi": dataset.doi,
        "url": site.url,
        "repository": site.repository,
    }
    yaml_lines = [f"{name}: {json.dumps(value)}" for name, value in fields.items() if value]
    file.write_text("\n".join([*yaml_lines, ""]), "utf-8")


def _cff_person(maker: Person) -> dict[str, str]:
    if maker.literal:
        return {"name": maker.literal}
    parts = zip(("family-names", "given-names", "name-suffix"), maker, strict=False)
    return {name: part for name, part in parts if part}


def write_datacite(corpus: Corpus, file: Path) -> None:
    """Write DataCite 4.5 metadata, in the JSON of its service."""
    site = corpus.config.site
    dataset = corpus.config.dataset
    last_change = _last_change(corpus)
    description = without_controls(site.description)
    fields: JsonObject = {
        "schemaVersion": "http://datacite.org/schema/kernel-4",
        "doi": dataset.doi,
        "url": site.url,
        "types": {"resourceTypeGeneral": "Dataset", "resourceType": "Notes"},
        "creators": [_datacite_creator(*maker) for maker in _authors_as_people(corpus)],
        "titles": [{"title": _data_set_title(corpus)}],
        "publisher": {"name": without_controls(dataset.publisher) or _data_set_title(corpus)},
        "publicationYear": (last_change or dt.date.today().isoformat())[:4],
        "dates": [{"date": last_change, "dateType": "Updated"}] if last_change else [],
        "subjects": [{"subject": word} for word in _commonest_topics(corpus)],
        "version": without_controls(dataset.version),
        "formats": ["text/markdown"],
        "descriptions": [{"description": description, "descriptionType": "Abstract"}]
        if description
        else [],
        "relatedIdentifiers": [*_cited_identifiers(corpus)],
    }
    if dataset.license:
        fields["rightsList"] = [
            {
                "rightsUri": f"{LICENSES}{dataset.license}.html",
                "rightsIdentifier": dataset.license,
                "rightsIdentifierScheme": "SPDX",
                "schemeUri": LICENSES,
            }
        ]
    write_json_file({name: value for name, value in fields.items() if value}, file)


def _datacite_creator(maker: Person, is_organisation: bool) -> dict[str, str]:
    if maker.literal:
        kind = {"nameType": "Organizational"} if is_organisation else {}
        return {"name": maker.literal, **kind}
    name = ", ".join(filter(None, (maker.family, maker.suffix, maker.given)))
    fields = {"name": name, "nameType": "Personal", "familyName": maker.family}
    return fields | ({"givenName": maker.given} if maker.given else {})


def _cited_identifiers(corpus: Corpus) -> Iterator[dict[str, str]]:
    """The sources with a DOI or arXiv id."""
    for source in corpus.sources.values():
        name, kind = (source.doi, "DOI") if source.doi else (source.arxiv, "arXiv")
        if name:
            fields = {"relatedIdentifier": name if kind == "DOI" else f"arXiv:{name}"}
            yield fields | {"relatedIdentifierType": kind, "relationType": "Cites"}


def write_crate(corpus: Corpus, file: Path) -> None:
    """Write an RO-Crate, to save as `ro-crate-metadata.json` in the folder of notes."""
    site = corpus.config.site
    dataset = corpus.config.dataset
    makers = _authors_as_people(corpus)
    root: JsonObject = {
        "@id": "./",
        "@type": "Dataset",
        "name": _data_set_title(corpus),
        "description": without_controls(site.description) or _data_set_title(corpus),
        "datePublished": _last_change(corpus),
        "keywords": _commonest_topics(corpus),
        "url": site.url,
        "license": {"@id": LICENSES + dataset.license} if dataset.license else None,
        "identifier": f"https://doi.org/{dataset.doi}" if dataset.doi else "",
        "version": without_controls(dataset.version),
        "author": [{"@id": f"#author-{number}"} for number, _ in enumerate(makers, 1)],
        "hasPart": [{"@id": quote(path)} for path in _paths_of_notes(corpus)],
    }
    graph: list[JsonObject] = [
        {
            "@id": "ro-crate-metadata.json",
            "@type": "CreativeWork",
            "conformsTo": {"@id": CRATE},
            "about": {"@id": "./"},
        },
        {name: value for name, value in root.items() if value},
        *(
            {"@id": f"#author-{number}", **_crate_author(*maker)}
            for number, maker in enumerate(makers, 1)
        ),
        *({"@id": quote(path), "@type": "File", "name": path} for path in _paths_of_notes(corpus)),
    ]
    if dataset.license:
        graph.append(
            {"@id": LICENSES + dataset.license, "@type": "CreativeWork", "name": dataset.license}
        )
    write_json_file({"@context": f"{CRATE}/context", "@graph": graph}, file)


def _crate_author(maker: Person, is_organisation: bool) -> JsonObject:
    if maker.literal:
        kind = "Organization" if is_organisation else ["Person", "Organization"]
        return {"@type": kind, "name": maker.literal}
    parts = {"givenName": maker.given, "familyName": maker.family}
    name = " ".join(filter(None, (maker.given, maker.family, maker.suffix)))
    return {"@type": "Person", "name": name} | {key: part for key, part in parts.items() if part}


def _data_set_title(corpus: Corpus) -> str:
    return without_controls(corpus.config.site.name) or "Notes"


def authors_of(config: Config) -> dict[str, Literal["person", "organisation", ""]]:
    """The authors in `kg.toml`, and whether each is a person or an organisation, if known."""
    dataset = config.dataset
    kinds: dict[str, Literal["person", "organisation", ""]]
    kinds = dict.fromkeys(map(without_controls, config.site.authors), "")
    kinds |= dict.fromkeys(map(without_controls, dataset.people), "person")
    kinds |= dict.fromkeys(map(without_controls, dataset.organisations), "organisation")
    return {name: kind for name, kind in kinds.items() if name}


def bibtex_authors(config: Config) -> Iterator[Person]:
    """The authors for BibTeX, which takes all but organisations for people."""
    for name, kind in authors_of(config).items():
        yield Person(literal=name) if kind == "organisation" else split_name(name, name)


def _authors_as_people(corpus: Corpus) -> list[tuple[Person, bool]]:
    """The authors, and whether each is an organisation; if there are none, the corpus's name, as
    an author is required.
    """
    kind_by_name = authors_of(corpus.config) or {
        without_controls(corpus.config.name) or "Unknown": ""
    }
    return [
        (
            split_name(name, name) if kind == "person" else Person(literal=name),
            kind == "organisation",
        )
        for name, kind in kind_by_name.items()
    ]


def _commonest_topics(corpus: Corpus) -> list[str]:
    """The most common topics."""
    topic_counts = Counter(topic for each in corpus.statements.values() for topic in each.topics)
    return [topic for topic, _ in topic_counts.most_common(MAX_KEYWORDS)]


def _last_change(corpus: Corpus) -> str:
    """The date of the last change that a note records; empty if none does."""
    records: list[Statement | InquiryLine] = [*corpus.statements.values(), *corpus.lines.values()]
    days = [day for each in records for day in (each.created, each.updated) if day]
    return max(days).isoformat() if days else ""


def _paths_of_notes(corpus: Corpus) -> list[str]:
    """The paths of all notes and bibliographies."""
    tables = (corpus.statements, corpus.lines, corpus.sources)
    paths = {record.span.path for table in tables for record in table.values()}
    return sorted(filter(None, paths))
