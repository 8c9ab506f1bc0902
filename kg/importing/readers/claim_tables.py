"""Import tables of claims and evidence: those of `kg export csv`, or a table of your own."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from kg.exchange.writers.csv_tables import ANSWER_COLUMNS
from kg.importing.csv_table import CsvTable, Row, read_table, table_name
from kg.importing.import_records import (
    ImportedNote,
    ImportInput,
    ImportResult,
    InputFile,
    escape_line,
    escape_text,
    id_slot,
    join_paragraphs,
    key_from_text,
    printable_line,
)
from kg.judgements.edge_labels import JUDGEMENT_COLUMNS
from kg.model import Integrity, Kind, Relation, Source, Span
from kg.model.ids import is_given_name, note_id_of, part_id, part_name_of, split_id
from kg.notes.new_note import NewEdge, NewNote, render_edge

MAX_CALLOUT_DEPTH = 50  # callouts within each other
_CALLOUT_RELATIONS = ("supports", "contradicts", "qualifies")
_KG_SYNTAX = re.compile(r"::|\^[\w-]+\s*$|%%|<!--")
_CALLOUTS = {
    ("evidence", "supports"): "evidence",
    ("evidence", "contradicts"): "counter-evidence",
    ("counter-claim", "contradicts"): "counter-claim",
}
_EDGE_FIELDS = ("strength", "scope", "mutual", "by", "locator")
_NUMBER = re.compile(r"--\d+\Z")  # of a repeated edge between the same two
_NOT_IN_KEYS = re.compile(r"[^\w:.#$%&+?<>~/-]")
_CITATION_KEY = re.compile(r"@([\w:.#$%&+?<>~/-]*\w)")

Fields = dict[str, str | int | float | bool | list[str | int] | dict[str, str]]


def read_csv(input: ImportInput) -> ImportResult:
    """Read notes from a table of statements, and from the tables beside it."""
    remarks: list[str] = []
    tables: dict[str, CsvTable] = {}
    for file in input.files:
        name = table_name(file)
        if name in tables:
            raise file.error_at(0, f"a second table of {name}", "import one at a time")
        tables[name] = read_table(file, name, remarks)
    return _LinkedTables(tables, remarks).as_imported()


def _split_list(text: str) -> list[str]:
    return [each for part in text.split(";") if (each := part.strip())]


class _LinkedTables:
    """All tables, with references by id resolved."""

    def __init__(self, tables: dict[str, CsvTable], remarks: list[str]) -> None:
        self.tables = tables
        self.remarks = remarks
        self.file = tables["statements"].file if "statements" in tables else InputFile("", "")
        self.statements = self._by_id("statements")
        self.lines = self._by_id("lines")
        self.edges = list(self._edges_with_rows())
        self.own_edges: dict[str, tuple[str, NewEdge]] = {}  # by callout: its target, and the edge
        self.other_edges: dict[str, list[NewEdge]] = {}
        self.callouts_by_parent: dict[str, list[str]] | None = None
        self.callout_ids = {id for id in self.statements if self._stem_of_note(id)}
        self.edge_ids = {row.get("id", "") for _, row, _, _ in self.edges}
        for line_number, row, source, file in self.edges:
            if edge := self._edge_of_row(line_number, row, source, file):
                self._store_edge(edge, source, key_from_text(row["target"]))

    def as_imported(self) -> ImportResult:
        """The notes; raises `BadInput`."""
        self._require_no_circle()
        notes = [
            self._note_of_statement(id) for id in self.statements if id not in self.callout_ids
        ]
        notes += [self._line_note(id) for id in self.lines]
        sources = tuple(self._sources_of_table())
        judgements = tuple(self._judgement_rows())
        return ImportResult(tuple(notes), sources, tuple(self.remarks), judgements)

    def _require_no_circle(self) -> None:
        """Refuse callouts nested in each other: they would be in no note."""
        visited: set[str] = set()
        for id in self.own_edges:
            path: dict[str, None] = {}
            while id in self.own_edges and id not in visited:
                visited.add(id)
                path[id] = None
                id = self.own_edges[id][0]
            if id in path:
                why = f"callout {id!r} would lie in itself: its references go in a circle"
                help = (
                    f"list an edge to {self._stem_of_note(id)!r} first, or give it an id without #"
                )
                raise self.file.error_at(self.statements[id][0], why, help)

    def _rows_of_table(self, name: str) -> list[tuple[int, Row]]:
        return self.tables[name].rows if name in self.tables else []

    def _by_id(self, name: str) -> dict[str, tuple[int, Row]]:
        rows_by_id: dict[str, tuple[int, Row]] = {}
        for line_number, row in self._rows_of_table(name):
            id = key_from_text(row.get("id") or f"row {line_number}")
            if id in rows_by_id:
                raise self.tables[name].file.error_at(line_number, f"id {id!r} is used twice")
            if not row.get("title", "").strip():
                raise self.tables[name].file.error_at(line_number, "no title", "write one sentence")
            rows_by_id[id] = line_number, row
        return rows_by_id

    def _stem_of_note(self, id: str) -> str:
        """The note of a callout; empty for a statement with a note of its own."""
        stem, mark, _ = split_id(id)
        return stem if mark and (stem in self.statements or stem in self.lines) else ""

    # -- edges -------------------------------------------------------------------------

    def _edges_with_rows(self) -> Iterator[tuple[int, Row, str, InputFile]]:
        for line_number, row in self._rows_of_table("edges"):
            yield line_number, row, key_from_text(row["source"]), self.tables["edges"].file
        for id, (line_number, row) in self.statements.items():
            for relation in _CALLOUT_RELATIONS:
                for target in _split_list(row.get(relation, "")):
                    edge_row = {
                        "relation": relation,
                        "target": target,
                        "reason": row.get("reason", ""),
                    }
                    yield line_number, edge_row, id, self.file

    def _edge_of_row(
        self, line_number: int, row: Row, source: str, file: InputFile
    ) -> NewEdge | None:
        """The edge that a row describes; None, with a remark, if one of its ends is in no table."""
        relation = row["relation"].strip().casefold()
        target = key_from_text(row["target"])
        if relation not in {*Relation}:
            raise file.error_at(line_number, f"there is no relation {relation!r}")
        premises = [key_from_text(each) for each in _split_list(row.get("together", ""))]
        missing = [e for e in (source, *premises) if not (e in self.statements or e in self.lines)]
        link = self._link_to(target)
        if missing or not link:
            self.remarks.append(
                f"{file.place(line_number)}: not carried: an edge, since"
                f" {(missing or [target])[0]!r} is in no table"
            )
            return None
        fields = {k: printable_line(row[k]) for k in _EDGE_FIELDS if row.get(k, "").strip()}
        reason = printable_line(row.get("reason", ""))
        return NewEdge(
            relation,
            link,
            escape_line(reason) if _KG_SYNTAX.search(reason) else reason,
            [self._link_to(each) for each in premises],
            fields,
            self._block_name(row.get("id", ""), source),
        )

    def _store_edge(self, edge: NewEdge, source: str, target: str) -> None:
        """Store an edge as the own edge of a callout, or among the other edges of its source."""
        kind = self._kind_of_statement(source) if source in self.statements else ""
        is_in_own_note = source in self.callout_ids and note_id_of(target) == self._stem_of_note(
            source
        )
        is_callout = is_in_own_note and (kind, edge.relation) in _CALLOUTS and not edge.id
        if is_callout and source not in self.own_edges:
            self.own_edges[source] = target, edge
        else:
            self.other_edges.setdefault(source, []).append(edge)

    def _block_name(self, id: str, source: str) -> str:
        """The name of an edge within its note; empty if it has none."""
        stem, mark, block = split_id(id)
        is_named = mark and is_given_name(block) and stem == note_id_of(source)
        return block if is_named and re.fullmatch(r"[A-Za-z0-9][\w-]*", block) else ""

    def _link_to(self, id: str) -> str:
        """The id slot of a statement, line or edge; empty if it is unknown."""
        if id in self.edge_ids and id not in self.statements:
            nested = id.partition("--")[0]
            id = nested if nested in self.callout_ids and not is_given_name(id) else id
        stem, mark, block = split_id(id)
        if stem not in self.statements and stem not in self.lines:
            return ""
        if not mark:
            return id_slot(id)
        return (
            f"{id_slot(stem)}#^{key_from_text(block)}"
            if id in self.callout_ids or id in self.edge_ids
            else ""
        )

    # -- notes -------------------------------------------------------------------------

    def _kind_of_statement(self, id: str) -> str:
        line_number, row = self.statements[id]
        kind = row.get("kind", "").strip().casefold() or "claim"
        if kind not in {*Kind}:
            kinds = ", ".join(Kind)
            raise self.file.error_at(
                line_number, f"no kind is called {kind!r}", f"it is one of {kinds}"
            )
        return kind

    def _note_of_statement(self, id: str) -> ImportedNote:
        line_number, row = self.statements[id]
        parts = [self._body_of_row(row), *self._callouts_in(id)]
        new_note = NewNote(
            self._kind_of_statement(id),
            row["title"],
            "" if id.startswith("row ") else id,
            self._fields_of_row(row),
            join_paragraphs(parts),
            self.other_edges.get(id, []),
        )
        return ImportedNote(self.file.name, id, new_note, line_number)

    def _fields_of_row(self, row: Row) -> Fields:
        values = {key: printable_line(row.get(key, "")) for key in ("camp", "method", "status")}
        fields: Fields = {key: value for key, value in values.items() if value}
        if fields.get("status") == "stable":
            del fields["status"]
        for key in ("topics", "about"):
            if words := _split_list(printable_line(row.get(key, ""))):
                fields[key] = [*words]
        if sample := printable_line(f"{row.get('sample', '')} {row.get('unit', '')}"):
            fields["sample"] = sample
        return fields

    def _body_of_row(self, row: Row) -> str:
        """The text of a row, with citations of its sources that the text does not cite."""
        body = row.get("body", "").strip()
        cited_keys = {*_CITATION_KEY.findall(body)}
        uncited_keys = [key for key in _split_list(row.get("sources", "")) if key not in cited_keys]
        keys = "; ".join("@" + _NOT_IN_KEYS.sub("_", key) for key in uncited_keys)
        return join_paragraphs(
            (body, escape_text(row.get("text", "")), f"[{keys}]" if keys else "")
        )

    def _callouts_in(self, parent_id: str, depth: int = 1) -> Iterator[str]:
        """The callouts directly in a note or callout, as Markdown with quote marks."""
        for id in self.callouts_in(parent_id):
            line_number, row = self.statements[id]
            if depth > MAX_CALLOUT_DEPTH:
                raise self.file.error_at(
                    line_number, f"{MAX_CALLOUT_DEPTH + 1} callouts within each other"
                )
            target, edge = self.own_edges.get(id, ("", NewEdge("", "")))
            word = _CALLOUTS.get(
                (self._kind_of_statement(id), edge.relation), self._kind_of_statement(id)
            )
            fields = {
                name: ", ".join(map(str, value)) if isinstance(value, list) else str(value)
                for name, value in self._fields_of_row(row).items()
                if name != "status"
                and not (name == "camp" and self._camp_of_statement(target) == value)
            }
            fields |= edge.fields
            if edge.premises:
                fields["with"] = " and ".join(f"[[{each}]]" for each in edge.premises)
            if edge.reason:
                fields["reason"] = edge.reason
            text_lines = [
                f"[!{word}] {printable_line(row['title'])} ^{key_from_text(part_name_of(id))}"
            ]
            text_lines += self._body_of_row(row).splitlines()
            text_lines += [f"({name}:: {value})" for name, value in fields.items()]
            edges = [render_edge(each) for each in self.other_edges.get(id, [])]
            text_lines += ["", *edges] if edges else []
            for inner in self._callouts_in(id, depth + 1):
                text_lines += ["", *inner.splitlines()]
            yield "\n".join(f"> {each}".rstrip() for each in text_lines)

    def callouts_in(self, parent_id: str) -> Sequence[str]:
        """The callouts directly in a note or callout."""
        if self.callouts_by_parent is None:
            self.callouts_by_parent = defaultdict(list)
            for id in filter(self.callout_ids.__contains__, self.statements):
                parent = self.own_edges[id][0] if id in self.own_edges else self._stem_of_note(id)
                if id != parent:
                    self.callouts_by_parent[parent].append(id)
        return self.callouts_by_parent.get(parent_id, ())

    def _camp_of_statement(self, id: str) -> str:
        return (
            printable_line(self.statements[id][1].get("camp", "")) if id in self.statements else ""
        )

    # -- lines and sources -------------------------------------------------------------

    def _line_note(self, id: str) -> ImportedNote:
        line_number, row = self.lines[id]
        file = self.tables["lines"].file
        fields: Fields = {}
        if proposition := key_from_text(row.get("proposition", "")):
            if link := self._link_to(proposition):
                fields["proposition"] = link.replace("#^", "#")
            else:
                self.remarks.append(
                    f"{file.place(line_number)}: not carried: proposition {proposition!r}"
                )
        answers = {
            word: printable_line(row.get(column, "")) for column, word in ANSWER_COLUMNS.items()
        }
        if stated_answers := {word: text for word, text in answers.items() if text}:
            fields["answers"] = stated_answers
        if doubt := printable_line(row.get("doubt", "")):
            fields["doubt"] = doubt
        if topics := _split_list(row.get("topics", "")):
            fields["topics"] = [*topics]
        edges = [*self._placements_in_line(id), *self.other_edges.get(id, [])]
        body = join_paragraphs((*self._callouts_in(id), "## Camps" if edges else ""))
        new_note = NewNote("line", row["title"], id, fields, body, edges)
        return ImportedNote(file.name, id, new_note, line_number)

    def _placements_in_line(self, id: str) -> Iterator[NewEdge]:
        for line_number, row in self._rows_of_table("placements"):
            if key_from_text(row["line"]) == id:
                link = self._link_to(key_from_text(row["statement"]))
                camp = row["camp"].strip()
                if link and re.fullmatch(r"[a-z][a-z0-9-]*", camp):
                    yield NewEdge(camp, link, printable_line(row.get("reason", "")))
                else:
                    place = self.tables["placements"].file.place(line_number)
                    self.remarks.append(f"{place}: not carried: a place of {row['statement']!r}")

    def _judgement_rows(self) -> Iterator[tuple[str, ...]]:
        """The judgements of edges, each with the edge's new id."""
        ends = {
            row.get("id") or f"{source}--{row['relation']}--{row['target']}": (source, row)
            for _, row, source, _ in self.edges
        }
        for line_number, row in self._rows_of_table("judgements"):
            if edge := self._edge_name(row["edge"].strip(), ends):
                yield (edge, *(printable_line(row.get(name, "")) for name in JUDGEMENT_COLUMNS[1:]))
            else:
                place = self.tables["judgements"].file.place(line_number)
                self.remarks.append(f"{place}: not carried: a judgement of {row['edge']!r}")

    def _edge_name(self, id: str, ends: dict[str, tuple[str, Row]]) -> str:
        """The new id of an edge, with `id_slot` for notes; empty if it is unknown."""
        if id not in ends:
            return ""
        source, row = ends[id]
        if block := self._block_name(row.get("id", ""), source):
            return part_id(id_slot(note_id_of(source)), block)
        target = key_from_text(row["target"])
        start = self._new_id(source)
        end = self._edge_name(target, ends) or self._new_id(target)
        number = _NUMBER.search(id.removeprefix(f"{source}--{row['relation']}--{target}"))
        new_id = f"{start}--{row['relation'].strip().casefold()}--{end}"
        return f"{new_id}{number[0] if number else ''}" if start and end else ""

    def _new_id(self, id: str) -> str:
        """The new id of a statement or line; empty if it is unknown."""
        stem, mark, block = split_id(id)
        is_known = stem in self.statements or stem in self.lines
        return f"{id_slot(stem)}{mark}{block}" if is_known else ""

    def _sources_of_table(self) -> Iterator[Source]:
        for line_number, row in self._rows_of_table("sources"):
            file = self.tables["sources"].file
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
                authors=tuple(_split_list(row.get("authors", ""))),
                year=int(year) if year else None,
                venue=printable_line(row.get("venue", "")),
                doi=printable_line(row.get("doi", "")),
                url=printable_line(row.get("url", "")),
                integrity=Integrity(integrity) if integrity else None,
            )
