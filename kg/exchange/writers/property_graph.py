"""Write the corpus as a property graph: CSV for Neo4j's bulk import, and Cypher to load it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from kg.corpus import Corpus
from kg.model import Relation
from kg.reasoning import reading_of, strengths
from kg.reporting.csv_cells import escape_formula, render_csv_rows
from kg.text.printable import printable

_Rows: TypeAlias = Iterator[Sequence[object]]
_ESCAPING = re.compile(r'\\(?="|$)')  # LOAD CSV reads it as an escape


def _statement_rows(corpus: Corpus, whole_corpus: Corpus) -> _Rows:
    """Statements with the strengths that they have in the whole corpus."""
    strength_by_id = strengths(reading_of(whole_corpus))
    for statement in corpus.statements.values():
        kind = "".join(map(str.capitalize, statement.kind.value.split("-")))
        yield (
            statement.id,
            statement.kind,
            statement.title,
            corpus.default_camps.get(statement.id),
            _as_list(statement.topics),
            statement.method,
            statement.span.path,
            strength_by_id.get(statement.id),
            f"Statement;{kind}",
        )


def _source_rows(corpus: Corpus, _whole_corpus: Corpus) -> _Rows:
    for source in corpus.sources.values():
        authors = _as_list(source.authors)
        yield source.id, source.title, authors, source.year, source.doi, source.url, "Source"


def _line_rows(corpus: Corpus, _whole_corpus: Corpus) -> _Rows:
    for line in corpus.lines.values():
        topics = _as_list(line.topics)
        yield line.id, line.title, line.proposition, topics, line.span.path, "Line"


def _edge_rows(corpus: Corpus) -> _Rows:
    """A relationship from each premise to the target, and both ways if mutual."""
    for edge in corpus.edges:
        undercut_edge = corpus.edges_by_id.get(edge.target)
        target, undercut_id = (
            (undercut_edge.origin, undercut_edge.id) if undercut_edge else (edge.target, "")
        )
        kind = edge.relation.upper().replace("-", "_")
        ends = [(premise, target) for premise in edge.premises]
        for premise, end in [*ends, *edge.directions[1:]]:
            if premise in corpus.statements and end in corpus.statements:
                together = ";".join(edge.together_with(premise)) if premise in edge.premises else ""
                yield (
                    premise,
                    end,
                    edge.id,
                    edge.reason,
                    edge.strength,
                    together,
                    undercut_id,
                    kind,
                )


def _citation_rows(corpus: Corpus) -> _Rows:
    for statement in corpus.statements.values():
        for citation in statement.citations:
            if citation.key in corpus.sources:
                yield statement.id, citation.key, citation.locator, "CITES"


def _placement_rows(corpus: Corpus) -> _Rows:
    for line in corpus.lines.values():
        for placement in line.placements:
            if placement.statement in corpus.statements:
                yield line.id, placement.statement, placement.camp, placement.reason, "PLACES"


def _as_list(texts: Sequence[str]) -> str:
    return ";".join(each.replace(";", ",") for each in texts)


class NodeFile(NamedTuple):
    """The nodes in a file: their label, their properties besides the id, and what makes the rows
    of a corpus that is part of a whole one.
    """

    label: str
    columns: tuple[str, ...]
    rows: Callable[[Corpus, Corpus], _Rows]


class LinkFile(NamedTuple):
    """The relationships in a file: the labels of both ends, their properties, their types, and
    what makes the rows.
    """

    start: str
    end: str
    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: Callable[[Corpus], _Rows]


NODES = {
    "statements": NodeFile(
        "Statement",
        ("kind", "title", "camp", "topics:string[]", "method", "path", "strength:float"),
        _statement_rows,
    ),
    "sources": NodeFile(
        "Source", ("title", "authors:string[]", "year:int", "doi", "url"), _source_rows
    ),
    "lines": NodeFile("Line", ("title", "proposition", "topics:string[]", "path"), _line_rows),
}
LINK_FILES = {
    "edges": LinkFile(
        "Statement",
        "Statement",
        ("id", "reason", "strength", "together", "undercuts"),
        tuple(relation.upper().replace("-", "_") for relation in Relation),
        _edge_rows,
    ),
    "citations": LinkFile("Statement", "Source", ("locator",), ("CITES",), _citation_rows),
    "placements": LinkFile("Line", "Statement", ("camp", "reason"), ("PLACES",), _placement_rows),
}


def write_neo4j(corpus: Corpus, folder: Path, whole_corpus: Corpus) -> None:
    """Write a file for each kind of node and relationship, and a script that loads them."""
    folder.mkdir()
    for name, nodes in NODES.items():
        header = (f"id:ID({nodes.label})", *nodes.columns, ":LABEL")
        _write_csv_file(folder / f"{name}.csv", header, nodes.rows(corpus, whole_corpus))
    for name, links in LINK_FILES.items():
        header = (f":START_ID({links.start})", f":END_ID({links.end})", *links.columns, ":TYPE")
        _write_csv_file(folder / f"{name}.csv", header, links.rows(corpus))
    folder.joinpath("load.cypher").write_text("\n".join(_cypher_statements()), "utf-8")


def _write_csv_file(file: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    cells = ([_cell_for_neo4j(value) for value in row] for row in rows)
    file.write_text(render_csv_rows(header, cells, "\n"), "utf-8", newline="")


def _cell_for_neo4j(value: object) -> str:
    if value is None or isinstance(value, int | float):
        return "" if value is None else str(value)
    return _ESCAPING.sub(r"\\ ", escape_formula(printable(str(value))))


# -- Cypher ------------------------------------------------------------------------------------


def _cypher_statements() -> Iterator[str]:
    """Cypher statements for `cypher-shell`, with the files in the server's import folder."""
    yield "// cypher-shell --file load.cypher, with the CSV files in the server's import folder"
    for nodes in NODES.values():
        name = f"{nodes.label.lower()}_id"
        yield (
            f"CREATE CONSTRAINT {name} IF NOT EXISTS FOR (n:{nodes.label}) REQUIRE n.id IS UNIQUE;"
        )
    for file, nodes in NODES.items():
        yield f"LOAD CSV WITH HEADERS FROM 'file:///{file}.csv' AS row"
        yield f"MERGE (n:{nodes.label} {{id: row.`id:ID({nodes.label})`}})"
        yield f"SET {', '.join(_assignment_of('n', column) for column in nodes.columns)};"
    for file, links in LINK_FILES.items():
        for kind in links.types:
            yield f"LOAD CSV WITH HEADERS FROM 'file:///{file}.csv' AS row"
            yield f"WITH row WHERE row.`:TYPE` = '{kind}'"
            yield f"MATCH (a:{links.start} {{id: row.`:START_ID({links.start})`}})"
            yield f"MATCH (b:{links.end} {{id: row.`:END_ID({links.end})`}})"
            yield f"CREATE (a)-[r:{kind}]->(b)"
            yield f"SET {', '.join(_assignment_of('r', column) for column in links.columns)};"
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
