"""Tables of statements, lines and edges: what each row names, and which edges a callout states.

A statement `note#name` is a callout of its note. In Markdown, a callout states its edge to the
statement around it by its kind alone, and that edge is called by the callout's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from kg.importing.csv_table import CsvTable, Row
from kg.importing.import_records import (
    InputFile,
    escape_line,
    given_block_name,
    id_placeholder,
    key_from_text,
    printable_line,
)
from kg.model import Kind, Relation
from kg.model.ids import is_given_name, note_id_of, part_id, split_id
from kg.notes.new_note import NewEdge

# The callout that states an edge: by the kind of its statement, and by the relation.
CALLOUT_WORDS = {
    ("evidence", "supports"): "evidence",
    ("evidence", "contradicts"): "counter-evidence",
    ("counter-claim", "contradicts"): "counter-claim",
}
_RELATION_COLUMNS = ("supports", "contradicts", "qualifies")  # of a table of statements
_EDGE_FIELDS = ("strength", "scope", "mutual", "by", "locator")
_KG_SYNTAX = re.compile(r"::|\^[\w-]+\s*$|%%|<!--")
_NUMBER = re.compile(r"--\d+\Z")  # of a repeated edge between the same two


def split_list(text: str) -> list[str]:
    """The values of a cell, which are separated by semicolons."""
    return [each for part in text.split(";") if (each := part.strip())]


class _EdgeRow(NamedTuple):
    """An edge as a row gives it; `cells` are those of a table of edges."""

    file: InputFile
    line: int
    origin: str
    target: str
    cells: Row

    @property
    def id(self) -> str:
        return self.cells.get("id", "")

    @property
    def place(self) -> str:
        return self.file.place(self.line)

    @property
    def relation(self) -> str:
        return self.cells["relation"].strip().casefold()

    @property
    def together(self) -> list[str]:
        return [key_from_text(each) for each in split_list(self.cells.get("together", ""))]

    @property
    def name(self) -> str:
        """Its name within the note of its premise; empty if it has none."""
        is_of_note = note_id_of(self.id) == note_id_of(self.origin)
        return given_block_name(self.id) if is_of_note else ""


class LinkedTables:
    """All tables, with references by id resolved. Raises `BadInput`.

    `callouts` are the ids of callouts by that of the statement around them, `own_edges` the edges
    that callouts state, and `other_edges` those to be written out, by their premises.
    """

    def __init__(self, tables: dict[str, CsvTable], remarks: list[str]) -> None:
        self.tables = tables
        self.remarks = remarks
        self.file = tables["statements"].file if "statements" in tables else InputFile("", "")
        self.statements = self._by_id("statements")
        self.lines = self._by_id("lines")
        self._callout_ids = {id for id in self.statements if self._note_around(id)}
        edge_rows = list(self._rows_of_edges())
        self._edge_ids = {row.id for row in edge_rows}
        self._rows_by_id = {
            row.id or f"{row.origin}--{row.cells['relation']}--{row.cells['target']}": row
            for row in edge_rows
        }
        self._callouts_by_edge: dict[str, str] = {}
        linked_rows = [row for row in edge_rows if self._is_linked(row)]
        own_rows = self._own_rows(linked_rows)
        self._callouts_by_edge = {row.id: row.origin for row in own_rows.values() if row.name}
        self.remarks += [
            f"{row.place}: not carried: the name of edge {row.id!r}, which is that of its callout"
            for row in own_rows.values()
            if row.name
        ]
        self.own_edges = {id: self._edge_in_row(row) for id, row in own_rows.items()}
        self.other_edges: dict[str, list[NewEdge]] = {}
        for row in linked_rows:
            if own_rows.get(row.origin) is not row:
                self.other_edges.setdefault(row.origin, []).append(self._edge_in_row(row))
        parents = {
            id: own_rows[id].target if id in own_rows else self._note_around(id)
            for id in self.statements
            if id in self._callout_ids
        }
        self._require_no_circle(parents)
        self.callouts: dict[str, list[str]] = {}
        for id, parent in parents.items():
            self.callouts.setdefault(parent, []).append(id)

    @property
    def ids_of_notes(self) -> list[str]:
        """The ids of the statements that have a note of their own."""
        return [id for id in self.statements if id not in self._callout_ids]

    def rows(self, name: str) -> list[tuple[int, Row]]:
        """The rows of a table, with their lines; none if there is no such table."""
        return self.tables[name].rows if name in self.tables else []

    def kind_of(self, id: str) -> str:
        """The kind of a statement."""
        line_number, row = self.statements[id]
        kind = row.get("kind", "").strip().casefold() or "claim"
        if kind not in {*Kind}:
            why = f"no kind is called {kind!r}"
            raise self.file.error_at(line_number, why, f"it is one of {', '.join(Kind)}")
        return kind

    def link_to(self, id: str) -> str:
        """The id placeholder of a statement, line or edge; empty if it is unknown."""
        if id in self._callouts_by_edge:
            id = self._callouts_by_edge[id]
        elif id in self._edge_ids and id not in self.statements and not is_given_name(id):
            premise = id.partition("--")[0]
            id = premise if premise in self._callout_ids else id
        stem, mark, name = split_id(id)
        if not self._is_known(stem):
            return ""
        if not mark:
            return id_placeholder(id)
        is_known = id in self._callout_ids or id in self._edge_ids
        return f"{id_placeholder(stem)}#^{key_from_text(name)}" if is_known else ""

    def judged_edge(self, id: str) -> str:
        """The new id of an edge, with placeholders for notes; empty if it is unknown."""
        row = self._rows_by_id.get(id)
        if row is None:
            return ""
        if row.name and row.id not in self._callouts_by_edge:
            return part_id(id_placeholder(note_id_of(row.origin)), row.name)
        start = self._new_statement_id(row.origin)
        end = self.judged_edge(row.target) or self._new_statement_id(row.target)
        number = _NUMBER.search(
            id.removeprefix(f"{row.origin}--{row.cells['relation']}--{row.target}")
        )
        new_id = f"{start}--{row.relation}--{end}"
        return f"{new_id}{number[0] if number else ''}" if start and end else ""

    def _new_statement_id(self, id: str) -> str:
        stem, mark, name = split_id(id)
        return f"{id_placeholder(stem)}{mark}{name}" if self._is_known(stem) else ""

    def _is_known(self, id: str) -> bool:
        return id in self.statements or id in self.lines

    def _by_id(self, name: str) -> dict[str, tuple[int, Row]]:
        rows_by_id: dict[str, tuple[int, Row]] = {}
        for line_number, row in self.rows(name):
            id = key_from_text(row.get("id") or f"row {line_number}")
            if id in rows_by_id:
                raise self.tables[name].file.error_at(line_number, f"id {id!r} is used twice")
            if not row.get("title", "").strip():
                raise self.tables[name].file.error_at(line_number, "no title", "write one sentence")
            rows_by_id[id] = line_number, row
        return rows_by_id

    def _note_around(self, id: str) -> str:
        """The note of a callout; empty for a statement with a note of its own."""
        stem, mark, _ = split_id(id)
        return stem if mark and self._is_known(stem) else ""

    # -- edges -------------------------------------------------------------------------

    def _rows_of_edges(self) -> Iterator[_EdgeRow]:
        for line_number, row in self.rows("edges"):
            ends = key_from_text(row["origin"]), key_from_text(row["target"])
            yield _EdgeRow(self.tables["edges"].file, line_number, *ends, row)
        for id, (line_number, row) in self.statements.items():
            for relation in _RELATION_COLUMNS:
                for target in split_list(row.get(relation, "")):
                    cells = {
                        "relation": relation,
                        "target": target,
                        "reason": row.get("reason", ""),
                    }
                    yield _EdgeRow(self.file, line_number, id, key_from_text(target), cells)

    def _is_linked(self, row: _EdgeRow) -> bool:
        """Return whether all that an edge links is in the tables; else with a remark."""
        if row.relation not in {*Relation}:
            raise row.file.error_at(row.line, f"there is no relation {row.relation!r}")
        missing = [each for each in (row.origin, *row.together) if not self._is_known(each)]
        if not missing and not self.link_to(row.target):
            missing = [row.target]
        if missing:
            self.remarks.append(
                f"{row.place}: not carried: an edge, since {missing[0]!r} is in no table"
            )
        return not missing

    def _own_rows(self, linked_rows: list[_EdgeRow]) -> dict[str, _EdgeRow]:
        """Map each callout to the edge that it states: one without a name, if there is one."""
        own_rows: dict[str, _EdgeRow] = {}
        for row in sorted(linked_rows, key=lambda row: row.name != ""):
            is_to_its_note = row.origin in self._callout_ids and note_id_of(
                row.target
            ) == self._note_around(row.origin)
            if is_to_its_note and (self.kind_of(row.origin), row.relation) in CALLOUT_WORDS:
                own_rows.setdefault(row.origin, row)
        return own_rows

    def _edge_in_row(self, row: _EdgeRow) -> NewEdge:
        fields = {
            name: printable_line(row.cells[name])
            for name in _EDGE_FIELDS
            if row.cells.get(name, "").strip()
        }
        reason = printable_line(row.cells.get("reason", ""))
        return NewEdge(
            row.relation,
            self.link_to(row.target),
            escape_line(reason) if _KG_SYNTAX.search(reason) else reason,
            [self.link_to(each) for each in row.together],
            fields,
            "" if row.id in self._callouts_by_edge else row.name,
        )

    def _require_no_circle(self, parents: dict[str, str]) -> None:
        """Refuse callouts nested in each other: they would be in no note."""
        visited: set[str] = set()
        for id in self.own_edges:
            path: dict[str, None] = {}
            while id in self.own_edges and id not in visited:
                visited.add(id)
                path[id] = None
                id = parents[id]
            if id in path:
                why = f"callout {id!r} would lie in itself: its references go in a circle"
                note = self._note_around(id)
                help = f"list an edge to {note!r} first, or give it an id without #"
                raise self.file.error_at(self.statements[id][0], why, help)
