"""The corpus as JSON for other programs: an index, lists of records, and a schema.

Within a version, addresses and fields stay; new ones may be added, and removals need a new
version beside the old one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import islice
from math import ceil
from typing import Any, TypeAlias

import msgspec

from kg.corpus import Corpus
from kg.model import InquiryLine, Source, Statement, Value
from kg.publish.build.for_programs.record_files import RECORD_TYPES_OF_FILES, DataFile
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.linked_data import iri_of
from kg.publish.page import WHOLE_CORPUS
from kg.publish.page_head import site_address

API = "api/"
API_VERSION = 1
ROOT = f"{API}v{API_VERSION}/"
ROWS_IN_FILE = 1000  # a few hundred kB: one request


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
    """A source, and how many statements cite it directly."""

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
MakeRow: TypeAlias = Callable[[SiteContext, Any], ApiRow]
ROWS: dict[str, type[ApiRow]] = {"lines": LineRow, "statements": StatementRow, "sources": SourceRow}


def api_files(context: SiteContext) -> Iterator[DataFile]:
    """Yield all files of the interface except the records."""
    versions = {"versions": {str(API_VERSION): f"{ROOT}index.json"}}
    yield DataFile(f"{API}index.json", partial(_json_of, versions), WHOLE_CORPUS)
    yield DataFile(f"{ROOT}index.json", partial(_index_of_api, context), WHOLE_CORPUS)
    yield DataFile(f"{ROOT}schema.json", lambda: _json_of(api_schema()), WHOLE_CORPUS)
    for name, (members, _) in _lists_of_records(context).items():
        file_count = max(1, ceil(len(members) / ROWS_IN_FILE))  # an empty list has a file, too
        for number in range(1, file_count + 1):
            make = partial(_json_of_list_part, context, name, number)
            yield DataFile(list_address(name, number), make, WHOLE_CORPUS)


def _lists_of_records(context: SiteContext) -> dict[str, tuple[Mapping[str, Any], MakeRow]]:
    """The members of each list, and the function that makes a row."""
    corpus = context.corpus
    return {
        "lines": (corpus.lines, _line_row),
        "statements": (corpus.statements, _statement_row),
        "sources": (corpus.sources, _source_row),
    }


def _index_of_api(context: SiteContext) -> str:
    config = context.corpus.config
    index = {
        "version": API_VERSION,
        "name": config.site.name,
        "description": config.site.description,
        "site": site_address(config, ""),
        "schema": f"{ROOT}schema.json",
        "lists": {
            name: {"first": list_address(name), "count": len(members)}
            for name, (members, _) in _lists_of_records(context).items()
        },
        "camps": [{"id": camp.id, "label": camp.label} for camp in config.camps],
    }
    return _json_of(index)


def list_address(name: str, number: int = 1) -> str:
    """The address of one file of a list."""
    return f"{ROOT}{name}{'' if number == 1 else f'-{number}'}.json"


def _json_of_list_part(context: SiteContext, name: str, number: int) -> str:
    members, make_row = _lists_of_records(context)[name]
    total, end = len(members), number * ROWS_IN_FILE
    part = islice(members.values(), end - ROWS_IN_FILE, end)
    next_address = list_address(name, number + 1) if end < total else None
    return _json_of(
        {"total": total, "items": [make_row(context, each) for each in part], "next": next_address}
    )


def _json_of(value: object) -> str:
    return msgspec.json.encode(value).decode() + "\n"


def _addresses_of_record(context: SiteContext, id: str) -> dict[str, str]:
    return {
        "iri": iri_of(context.corpus, id),
        "page": context.addresses.of(id),
        "data": context.record_addresses[id],
    }


def _statement_row(context: SiteContext, statement: Statement) -> StatementRow:
    standing = context.standings.of(statement.id)
    return StatementRow(
        id=statement.id,
        kind=statement.kind.value,
        title=statement.title,
        camp=context.corpus.camp_of(statement.id),
        verdict=standing.word,
        strength=standing.strength,
        topics=statement.topics,
        sources=tuple(statement.sources),
        **_addresses_of_record(context, statement.id),
    )


def _line_row(context: SiteContext, line: InquiryLine) -> LineRow:
    verdict = context.answers.verdict(line.id)
    return LineRow(
        id=line.id,
        title=line.title,
        proposition=line.proposition,
        verdict=verdict.word if verdict else "",
        strength=verdict.strength if verdict else None,
        answer=verdict.answer if verdict else "",
        sureness=verdict.sureness if verdict else "",
        **_addresses_of_record(context, line.id),
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
        cited_by=len(corpus.statements_citing.get(source.key, ())),
        **_addresses_of_record(context, source.key),
    )


# -- the schema ------------------------------------------------------------------------------------


def api_schema() -> dict[str, object]:
    """A JSON schema, with each list and record (`StatementRecord`) under `$defs`."""
    kinds: list[Any] = [*ROWS.values(), *RECORD_TYPES_OF_FILES.values()]
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
        "title": f"Files of the interface, version {API_VERSION}",
        "$defs": {**parts, **lists},
    }
