"""The corpus as a data set that others cite: `CITATION.cff`, and the metadata of an RO-Crate."""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import quote

from kg.corpus import Corpus
from kg.exchange.writers.tex_text import on_one_line

MOST_KEYWORDS = 12
CRATE = "https://w3id.org/ro/crate/1.1"


def write_cff(corpus: Corpus, file: Path, whole: Corpus | None = None) -> None:
    """Citation File Format 1.2.0; JSON values, which YAML reads as they are."""
    site = corpus.config.site
    told: dict[str, Any] = {
        "cff-version": "1.2.0",
        "message": "If you use these notes, please cite them as below.",
        "type": "dataset",
        "title": on_one_line(site.name) or "Notes",
        "abstract": on_one_line(site.description),
        "authors": [{"name": name} for name in _authors(corpus)],
        "keywords": _keywords(corpus),
        "url": site.url,
        "repository": site.repository,
    }
    rows = [f"{name}: {json.dumps(value)}" for name, value in told.items() if value]
    file.write_text("\n".join([*rows, ""]), "utf-8")


def write_crate(corpus: Corpus, file: Path, whole: Corpus | None = None) -> None:
    """What stands as `ro-crate-metadata.json` in the folder of notes."""
    site, people = corpus.config.site, _authors(corpus)
    root: dict[str, Any] = {
        "@id": "./",
        "@type": "Dataset",
        "name": on_one_line(site.name) or "Notes",
        "description": on_one_line(site.description) or on_one_line(site.name) or "Notes",
        "datePublished": _latest(corpus),
        "keywords": _keywords(corpus),
        "url": site.url,
        "author": [{"@id": f"#author-{at}"} for at, _ in enumerate(people, 1)],
        "hasPart": [{"@id": quote(path)} for path in _paths(corpus)],
    }
    graph: list[dict[str, Any]] = [
        {
            "@id": "ro-crate-metadata.json",
            "@type": "CreativeWork",
            "conformsTo": {"@id": CRATE},
            "about": {"@id": "./"},
        },
        {name: value for name, value in root.items() if value},
        *(
            {"@id": f"#author-{at}", "@type": ["Person", "Organization"], "name": name}
            for at, name in enumerate(people, 1)
        ),
        *({"@id": quote(path), "@type": "File", "name": path} for path in _paths(corpus)),
    ]
    value = {"@context": f"{CRATE}/context", "@graph": graph}
    file.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", "utf-8")


def _authors(corpus: Corpus) -> list[str]:
    """Whom `kg.toml` names; else the corpus by its name, since somebody must be named."""
    named = [on_one_line(name) for name in corpus.config.site.authors]
    return [*filter(None, named)] or [on_one_line(corpus.config.name) or "Unknown"]


def _keywords(corpus: Corpus) -> list[str]:
    """The topics that most statements have."""
    counted = Counter(topic for each in corpus.statements.values() for topic in each.topics)
    return [topic for topic, _ in counted.most_common(MOST_KEYWORDS)]


def _latest(corpus: Corpus) -> str:
    """The day of the last change that a note records."""
    held: list[Any] = [*corpus.statements.values(), *corpus.lines.values()]
    days: list[dt.date] = [day for each in held for day in (each.created, each.updated) if day]
    return max(days).isoformat() if days else ""


def _paths(corpus: Corpus) -> list[str]:
    """The files of notes and bibliographies, each once."""
    held: list[Any] = [*corpus.statements.values(), *corpus.lines.values()]
    held += corpus.sources.values()
    return sorted({each.span.path for each in held if each.span.path})
