"""The corpus as JSON for other programs: an index, lists of what there is, and a schema of all.

A version keeps its addresses and its fields; what is new is added, and what has to go goes with a
new version beside the old one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from kg.corpus import Corpus
from kg.model import InquiryLine, Source, Statement, Value
from kg.publish.build.record_files import RECORD_TYPES
from kg.publish.build.renderers import site_address
from kg.publish.components.alternates import iri_of
from kg.publish.context.site_context import SiteContext

API = "api/"
VERSION = 1
ROOT = f"{API}v{VERSION}/"
ROWS_IN_FILE = 1000  # some hundred kB: one request, read at once


class StatementRow(Value, frozen=True, omit_defaults=False):
    """A claim, a counter-claim or evidence; `page` and `data` are addresses from the site's root,
    `data` with a JSON Pointer to the record in its file.

    `strength` says how far the corpus backs it, from 0 to 1, and `verdict` says so in a word.
    """

    id: str
    iri: str
    kind: str
    title: str
    camp: str | None
    verdict: str
    strength: float | None
    topics: tuple[str, ...]
    sources: tuple[str, ...]
    page: str
    data: str


class LineRow(Value, frozen=True, omit_defaults=False):
    """An inquiry line: a question, and the answer so far."""

    id: str
    iri: str
    title: str
    proposition: str | None
    verdict: str
    strength: float | None
    answer: str
    sureness: str
    page: str
    data: str


class SourceRow(Value, frozen=True, omit_defaults=False):
    """A source, and on how many statements it bears directly."""

    id: str
    iri: str
    title: str
    authors: tuple[str, ...]
    year: int | None
    doi: str
    url: str
    integrity: str | None
    cited_by: int
    page: str
    data: str


ApiRow = StatementRow | LineRow | SourceRow
ROWS: dict[str, type[ApiRow]] = {"lines": LineRow, "statements": StatementRow, "sources": SourceRow}


def api_files(context: SiteContext) -> Iterator[tuple[str, str]]:
    """Addresses and contents of all files of the interface but those of records."""
    lists: dict[str, Sequence[ApiRow]] = {
        "lines": [_line_row(context, each) for each in context.corpus.lines.values()],
        "statements": [_statement(context, each) for each in context.corpus.statements.values()],
        "sources": [_source_row(context, each) for each in context.corpus.sources.values()],
    }
    yield f"{API}index.json", _json({"versions": {str(VERSION): f"{ROOT}index.json"}})
    yield f"{ROOT}index.json", _json(_index(context, lists))
    yield f"{ROOT}schema.json", _json(api_schema())
    for name, rows in lists.items():
        yield from _list_files(name, rows)


def _index(context: SiteContext, lists: Mapping[str, Sequence[ApiRow]]) -> dict[str, Any]:
    config = context.corpus.config
    return {
        "version": VERSION,
        "name": config.site.name,
        "description": config.site.description,
        "site": site_address(config, ""),
        "schema": f"{ROOT}schema.json",
        "lists": {
            name: {"first": list_address(name), "count": len(rows)} for name, rows in lists.items()
        },
        "camps": [{"id": camp.id, "label": camp.label} for camp in config.camps],
    }


def list_address(name: str, number: int = 1) -> str:
    """Where the files of a list stand."""
    return f"{ROOT}{name}{'' if number == 1 else f'-{number}'}.json"


def _list_files(name: str, rows: Sequence[ApiRow]) -> Iterator[tuple[str, str]]:
    parts = [rows[at : at + ROWS_IN_FILE] for at in range(0, len(rows), ROWS_IN_FILE)] or [rows]
    for number, part in enumerate(parts, 1):
        more = list_address(name, number + 1) if number < len(parts) else None
        yield list_address(name, number), _json({"total": len(rows), "items": part, "next": more})


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode() + "\n"


def _places(context: SiteContext, id: str) -> dict[str, str]:
    return {
        "iri": iri_of(context.corpus, id),
        "page": context.addresses.of(id),
        "data": context.record_addresses[id],
    }


def _statement(context: SiteContext, statement: Statement) -> StatementRow:
    standing = context.strengths.of(statement.id)
    return StatementRow(
        id=statement.id,
        kind=statement.kind.value,
        title=statement.title,
        camp=context.corpus.camp_of(statement.id),
        verdict=standing.word,
        strength=standing.strength,
        topics=statement.topics,
        sources=tuple(statement.sources),
        **_places(context, statement.id),
    )


def _line_row(context: SiteContext, line: InquiryLine) -> LineRow:
    verdict = context.strengths.verdict(line.id)
    return LineRow(
        id=line.id,
        title=line.title,
        proposition=line.proposition,
        verdict=verdict.word if verdict else "",
        strength=verdict.strength if verdict else None,
        answer=verdict.answer if verdict else "",
        sureness=verdict.sureness if verdict else "",
        **_places(context, line.id),
    )


def _source_row(context: SiteContext, source: Source) -> SourceRow:
    corpus: Corpus = context.corpus
    return SourceRow(
        id=source.key,
        title=source.title,
        authors=source.authors,
        year=source.year,
        doi=source.doi,
        url=source.url,
        integrity=source.integrity.value if source.integrity else None,
        cited_by=len(corpus.citing.get(source.key, ())),
        **_places(context, source.key),
    )


# -- the schema ------------------------------------------------------------------------------------


def api_schema() -> dict[str, Any]:
    """A JSON schema: under `$defs` that of each list and record (`StatementRecord`)."""
    kinds: list[Any] = [*ROWS.values(), *RECORD_TYPES.values()]
    _, parts = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    lists = {
        name: {
            "type": "object",
            "required": ["total", "items", "next"],
            "properties": {
                "total": {"type": "integer"},
                "items": {"type": "array", "items": {"$ref": f"#/$defs/{row.__name__}"}},
                "next": {"type": ["string", "null"]},
            },
        }
        for name, row in ROWS.items()
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Files of the interface, version {VERSION}",
        "$defs": {**parts, **lists},
    }
