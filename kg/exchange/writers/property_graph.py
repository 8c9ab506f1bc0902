"""Write the corpus as a property graph: CSV for Neo4j's bulk import, and Cypher to load it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from kg.corpus import Corpus
from kg.model import Relation
from kg.reasoning import reading_of, strengths
from kg.reporting.csv_cells import escape_formula, render_csv_rows
from kg.text.printable import printable

NODES = {
    "statements": ("Statement", ("kind", "title", "camp", "topics:string[]", "method", "path")),
    "sources": ("Source", ("title", "authors:string[]", "year:int", "doi", "url")),
    "lines": ("Line", ("title", "proposition", "topics:string[]", "path")),
}
"""The nodes in each file: their label, and their properties besides the id."""
LINKS = {
    "edges": ("Statement", "Statement", ("id", "reason", "strength", "together", "undercuts")),
    "citations": ("Statement", "Source", ("locator",)),
    "placements": ("Line", "Statement", ("camp", "reason")),
}
"""The relationships in each file: start and end labels, and properties."""
TYPES = {"citations": ("CITES",), "placements": ("PLACES",)} | {
    "edges": tuple(relation.upper().replace("-", "_") for relation in Relation)
}
_ESCAPING = re.compile(r'\\(?="|$)')  # LOAD CSV reads it as an escape


def write_neo4j(corpus: Corpus, folder: Path, whole_corpus: Corpus) -> None:
    """Write a file for each kind of node and relationship, and a script that loads them."""
    folder.mkdir()
    for name, (label, columns) in NODES.items():
        backing = ("backing:float",) if name == "statements" else ()
        header = (f"id:ID({label})", *columns, *backing)
        _write_csv_file(
            folder / f"{name}.csv", (*header, ":LABEL"), _node_rows(corpus, whole_corpus, name)
        )
    for name, (start, end, columns) in LINKS.items():
        header = (f":START_ID({start})", f":END_ID({end})", *columns, ":TYPE")
        _write_csv_file(folder / f"{name}.csv", header, _link_rows(corpus, name))
    folder.joinpath("load.cypher").write_text("\n".join(_cypher_statements()), "utf-8")


def _node_rows(corpus: Corpus, whole_corpus: Corpus, name: str) -> Iterator[Sequence[object]]:
    """The rows of a file of `NODES`: id, properties, a statement's strength, and labels."""
    label, columns = NODES[name]
    strength_by_id = strengths(reading_of(whole_corpus)) if name == "statements" else {}
    for record in getattr(corpus, name).values():
        values = [_property_value(corpus, record, column.partition(":")[0]) for column in columns]
        if name == "statements":
            kind = "".join(map(str.capitalize, record.kind.value.split("-")))
            yield record.id, *values, strength_by_id.get(record.id), f"{label};{kind}"
        else:
            yield record.id, *values, label


def _property_value(corpus: Corpus, record: Any, column: str) -> object:
    if column == "camp":
        return corpus.default_camps.get(record.id)
    value = record.span.path if column == "path" else getattr(record, column)
    if isinstance(value, tuple):
        return ";".join(each.replace(";", ",") for each in value)
    return value


def _link_rows(corpus: Corpus, name: str) -> Iterator[Sequence[object]]:
    if name == "placements":
        for line in corpus.lines.values():
            for placement in line.placements:
                if placement.statement in corpus.statements:
                    yield line.id, placement.statement, placement.camp, placement.reason, "PLACES"
    elif name == "citations":
        for statement in corpus.statements.values():
            for citation in statement.citations:
                if citation.key in corpus.sources:
                    yield statement.id, citation.key, citation.locator, "CITES"
    else:
        yield from _relationship_rows(corpus)


def _relationship_rows(corpus: Corpus) -> Iterator[Sequence[object]]:
    """A relationship from each premise to the target, and both ways if mutual."""
    for edge in corpus.edges:
        undercut_edge = corpus.edges_by_id.get(edge.target)
        target, undercut_id = (
            (undercut_edge.source, undercut_edge.id) if undercut_edge else (edge.target, "")
        )
        kind = edge.relation.upper().replace("-", "_")
        ends = [(premise, target) for premise in edge.premises]
        for source, end in [*ends, *edge.directions[1:]]:
            if source in corpus.statements and end in corpus.statements:
                other_premises = ";".join(edge.others(source)) if source in edge.premises else ""
                yield (
                    source,
                    end,
                    edge.id,
                    edge.reason,
                    edge.strength,
                    other_premises,
                    undercut_id,
                    kind,
                )


def _write_csv_file(file: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    cells = ([_csv_cell(value) for value in row] for row in rows)
    file.write_text(render_csv_rows(header, cells, "\n"), "utf-8", newline="")


def _csv_cell(value: object) -> str:
    if value is None or isinstance(value, int | float):
        return "" if value is None else str(value)
    return _ESCAPING.sub(r"\\ ", escape_formula(printable(str(value))))


# -- Cypher ------------------------------------------------------------------------------------


def _cypher_statements() -> Iterator[str]:
    """Cypher statements for `cypher-shell`, with the files in the server's import folder."""
    yield "// cypher-shell --file load.cypher, with the CSV files in the server's import folder"
    for label, _ in NODES.values():
        name = f"{label.lower()}_id"
        yield f"CREATE CONSTRAINT {name} IF NOT EXISTS FOR (n:{label}) REQUIRE n.id IS UNIQUE;"
    for file, (label, columns) in NODES.items():
        computed_columns = ("backing:float",) if file == "statements" else ()
        yield f"LOAD CSV WITH HEADERS FROM 'file:///{file}.csv' AS row"
        yield f"MERGE (n:{label} {{id: row.`id:ID({label})`}})"
        all_columns = (*columns, *computed_columns)
        yield f"SET {', '.join(_assignment_of('n', column) for column in all_columns)};"
    for file, (start, end, columns) in LINKS.items():
        for kind in TYPES[file]:
            yield f"LOAD CSV WITH HEADERS FROM 'file:///{file}.csv' AS row"
            yield f"WITH row WHERE row.`:TYPE` = '{kind}'"
            yield f"MATCH (a:{start} {{id: row.`:START_ID({start})`}})"
            yield f"MATCH (b:{end} {{id: row.`:END_ID({end})`}})"
            yield f"CREATE (a)-[r:{kind}]->(b)"
            yield f"SET {', '.join(_assignment_of('r', column) for column in columns)};"
    yield ""


def _assignment_of(name: str, column: str) -> str:
    """`n.year = toInteger(row.`year:int`)`"""
    property_name, _, type = column.partition(":")
    value = f"row.`{column}`"
    conversions = {
        "int": f"toInteger({value})",
        "float": f"toFloat({value})",
        "string[]": f"split({value}, ';')",
    }
    return f"{name}.{property_name} = {conversions.get(type, value)}"
