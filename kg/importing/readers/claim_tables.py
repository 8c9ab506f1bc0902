"""Import tables of claims and evidence: those of `kg export csv`, or a table of your own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.exchange.writers.csv_tables import ANSWER_COLUMNS
from kg.importing.csv_table import CsvTable, Row, read_table, table_name
from kg.importing.import_records import (
    ImportedNote,
    ImportInput,
    ImportResult,
    escape_text,
    join_paragraphs,
    key_from_text,
    printable_line,
)
from kg.importing.linked_tables import CALLOUT_WORDS, LinkedTables, split_list
from kg.judgements.edge_labels import JUDGEMENT_COLUMNS
from kg.model import Integrity, Source, Span
from kg.model.ids import part_name_of
from kg.notes.markdown import CITATION_KEY, KEY_CHARACTERS
from kg.notes.new_note import NewEdge, NewNote, render_edge

MAX_CALLOUT_DEPTH = 50  # callouts within each other
_NOT_IN_KEYS = re.compile(f"[^{KEY_CHARACTERS}]")
_CITED_KEY = re.compile(f"@({CITATION_KEY.pattern})")

Fields = dict[str, str | int | float | bool | list[str | int] | dict[str, str]]


def read_csv(input: ImportInput) -> ImportResult:
    """Read notes from a table of statements, and from the tables beside it."""
    remarks: list[str] = []
    csv_tables: dict[str, CsvTable] = {}
    for file in input.files:
        name = table_name(file)
        if name in csv_tables:
            raise file.error_at(0, f"a second table of {name}", "import one at a time")
        csv_tables[name] = read_table(file, name, remarks)
    tables = LinkedTables(csv_tables, remarks)
    notes = [_note_of_statement(tables, id) for id in tables.ids_of_notes]
    notes += [_line_note(tables, id) for id in tables.lines]
    sources = tuple(_sources_of_table(tables))
    judgements = tuple(_judgement_rows(tables))
    return ImportResult(tuple(notes), sources, tuple(remarks), judgements)


def _note_of_statement(tables: LinkedTables, id: str) -> ImportedNote:
    line_number, row = tables.statements[id]
    parts = [_body_of_row(row), *_callouts_in(tables, id)]
    new_note = NewNote(
        tables.kind_of(id),
        row["title"],
        "" if id.startswith("row ") else id,
        _fields_of_row(row),
        join_paragraphs(parts),
        tables.other_edges.get(id, []),
    )
    return ImportedNote(tables.file.name, id, new_note, line_number)


def _fields_of_row(row: Row) -> Fields:
    values = {key: printable_line(row.get(key, "")) for key in ("camp", "method", "status")}
    fields: Fields = {key: value for key, value in values.items() if value}
    if fields.get("status") == "stable":
        del fields["status"]
    for key in ("topics", "about"):
        if words := split_list(printable_line(row.get(key, ""))):
            fields[key] = [*words]
    if sample := printable_line(f"{row.get('sample', '')} {row.get('unit', '')}"):
        fields["sample"] = sample
    return fields


def _body_of_row(row: Row) -> str:
    """The text of a row, with citations of its sources that the text does not cite."""
    body = row.get("body", "").strip()
    cited_keys = {*_CITED_KEY.findall(body)}
    uncited_keys = [key for key in split_list(row.get("sources", "")) if key not in cited_keys]
    keys = "; ".join("@" + _NOT_IN_KEYS.sub("_", key) for key in uncited_keys)
    return join_paragraphs((body, escape_text(row.get("text", "")), f"[{keys}]" if keys else ""))


def _callouts_in(tables: LinkedTables, parent_id: str, depth: int = 1) -> Iterator[str]:
    """The callouts directly in a note or callout, as Markdown with quote marks."""
    for id in tables.callouts.get(parent_id, ()):
        line_number, row = tables.statements[id]
        if depth > MAX_CALLOUT_DEPTH:
            raise tables.file.error_at(
                line_number, f"{MAX_CALLOUT_DEPTH + 1} callouts within each other"
            )
        kind = tables.kind_of(id)
        fields = {
            name: ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            for name, value in _fields_of_row(row).items()
            if name != "status"
        }
        if edge := tables.own_edges.get(id):
            if parent_id in tables.statements and fields.get("camp") == printable_line(
                tables.statements[parent_id][1].get("camp", "")
            ):
                del fields["camp"]  # inherited
            fields |= edge.fields
            if edge.together:
                fields["with"] = " and ".join(f"[[{each}]]" for each in edge.together)
            if edge.reason:
                fields["reason"] = edge.reason
        word = CALLOUT_WORDS[kind, edge.relation] if edge else kind
        text_lines = [
            f"[!{word}] {printable_line(row['title'])} ^{key_from_text(part_name_of(id))}"
        ]
        text_lines += _body_of_row(row).splitlines()
        text_lines += [f"({name}:: {value})" for name, value in fields.items()]
        edges = [render_edge(each) for each in tables.other_edges.get(id, [])]
        text_lines += ["", *edges] if edges else []
        for inner in _callouts_in(tables, id, depth + 1):
            text_lines += ["", *inner.splitlines()]
        yield "\n".join(f"> {each}".rstrip() for each in text_lines)


# -- lines, judgements, sources ------------------------------------------------------------------


def _line_note(tables: LinkedTables, id: str) -> ImportedNote:
    line_number, row = tables.lines[id]
    file = tables.tables["lines"].file
    fields: Fields = {}
    if proposition := key_from_text(row.get("proposition", "")):
        if link := tables.link_to(proposition):
            fields["proposition"] = link.replace("#^", "#")
        else:
            tables.remarks.append(
                f"{file.place(line_number)}: not carried: proposition {proposition!r}"
            )
    answers = {word: printable_line(row.get(column, "")) for column, word in ANSWER_COLUMNS.items()}
    if stated_answers := {word: text for word, text in answers.items() if text}:
        fields["answers"] = stated_answers
    if doubt := printable_line(row.get("doubt", "")):
        fields["doubt"] = doubt
    if topics := split_list(row.get("topics", "")):
        fields["topics"] = [*topics]
    edges = [*_placements_in_line(tables, id), *tables.other_edges.get(id, [])]
    body = join_paragraphs((*_callouts_in(tables, id), "## Camps" if edges else ""))
    new_note = NewNote("line", row["title"], id, fields, body, edges)
    return ImportedNote(file.name, id, new_note, line_number)


def _placements_in_line(tables: LinkedTables, id: str) -> Iterator[NewEdge]:
    for line_number, row in tables.rows("placements"):
        if key_from_text(row["line"]) == id:
            link = tables.link_to(key_from_text(row["statement"]))
            camp = row["camp"].strip()
            if link and re.fullmatch(r"[a-z][a-z0-9-]*", camp):
                yield NewEdge(camp, link, printable_line(row.get("reason", "")))
            else:
                place = tables.tables["placements"].file.place(line_number)
                tables.remarks.append(f"{place}: not carried: a place of {row['statement']!r}")


def _judgement_rows(tables: LinkedTables) -> Iterator[tuple[str, ...]]:
    """The judgements of edges, each with the edge's new id."""
    for line_number, row in tables.rows("judgements"):
        if edge := tables.judged_edge(row["edge"].strip()):
            yield (edge, *(printable_line(row.get(name, "")) for name in JUDGEMENT_COLUMNS[1:]))
        else:
            place = tables.tables["judgements"].file.place(line_number)
            tables.remarks.append(f"{place}: not carried: a judgement of {row['edge']!r}")


def _sources_of_table(tables: LinkedTables) -> Iterator[Source]:
    for line_number, row in tables.rows("sources"):
        file = tables.tables["sources"].file
        year = row.get("year", "").strip()
        if year and not re.fullmatch(r"\d{1,4}", year):
            raise file.error_at(line_number, f"{year!r} is not a year")
        integrity = row.get("integrity", "").strip()
        if integrity and integrity not in {*Integrity}:
            raise file.error_at(line_number, f"{integrity!r} is not a source's integrity")
        yield Source(
            key=key_from_text(row["id"]),
            title=printable_line(row.get("title", "")),
            span=Span(file.name, line_number),
            authors=tuple(split_list(row.get("authors", ""))),
            year=int(year) if year else None,
            venue=printable_line(row.get("venue", "")),
            doi=printable_line(row.get("doi", "")),
            url=printable_line(row.get("url", "")),
            integrity=Integrity(integrity) if integrity else None,
        )
