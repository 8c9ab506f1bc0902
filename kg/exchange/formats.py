"""What the corpus can be exported to: one table, and what is not RDF: CSV, GraphML, GEXF, DOT."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pyoxigraph as ox

from kg.corpus import Corpus
from kg.exchange.rdf_formats import (
    profile_quads,
    weighed_quads,
    write_corpus,
    write_jsonld,
    write_nquads,
    write_rdfxml,
    write_trig,
    write_turtle,
    xml_safe,
)
from kg.files.tree import Tree, folders_around, open_tree
from kg.model import LineStyle, Relation, Statement
from kg.model.errors import KgError
from kg.network import as_network
from kg.rdf.quads import as_quads
from kg.report import csv_cell, csv_rows

if TYPE_CHECKING:
    import networkx as nx

ANSWER_COLUMNS = {
    "answer_if_holds": "holds",
    "answer_if_fails": "fails",
    "answer_if_undecided": "undecided",
}
CSV_COLUMNS = {
    "statements": (
        *("id", "kind", "title", "camp", "topics", "about", "method", "sample", "unit"),
        *("sources", "status", "path", "at_line", "body"),
    ),
    "edges": (
        *("id", "source", "together", "relation", "target", "strength", "reason", "scope"),
        *("path", "at_line"),
    ),
    "sources": ("id", "title", "authors", "year", "venue", "doi", "url", "integrity"),
    "lines": ("id", "title", "proposition", *ANSWER_COLUMNS, "doubt", "topics", "path"),
    "placements": ("line", "statement", "camp", "reason"),
}

TableRows = Iterator[tuple[Any, ...]]


def write_csv(corpus: Corpus, folder: Path, whole: Corpus | None = None) -> None:
    """Five tables that refer to each other by id; lists are joined by `; `."""
    folder.mkdir()
    for name, (columns, rows) in csv_tables(corpus).items():
        text = csv_rows(columns, ([csv_cell(value) for value in row] for row in rows))
        folder.joinpath(f"{name}.csv").write_text(text, "utf-8", newline="")


def csv_tables(corpus: Corpus) -> dict[str, tuple[tuple[str, ...], TableRows]]:
    """Each table's columns and rows."""
    records: dict[str, Iterable[Any]] = {
        "statements": corpus.statements.values(),
        "edges": corpus.edges,
        "sources": corpus.sources.values(),
        "lines": corpus.lines.values(),
        "placements": corpus.placements,
    }
    return {
        name: (columns, _rows(corpus, records[name], columns))
        for name, columns in CSV_COLUMNS.items()
    }


def _rows(corpus: Corpus, records: Iterable[Any], columns: tuple[str, ...]) -> TableRows:
    for record in records:
        yield tuple(_value(corpus, record, column) for column in columns)


def _value(corpus: Corpus, record: Any, column: str) -> Any:
    if column == "camp" and isinstance(record, Statement):
        return corpus.default_camps.get(record.id)
    if column == "unit":
        return record.sample_unit
    if column == "path":
        return record.span.path
    if column in ANSWER_COLUMNS:
        return getattr(record.answers, ANSWER_COLUMNS[column])
    return record.span.line if column == "at_line" else getattr(record, column)


# -- the network -------------------------------------------------------------------------------

_STYLES = {
    LineStyle.SOLID: "solid",
    LineStyle.DASHED: "dashed",
    LineStyle.DOTTED: "dotted",
    LineStyle.CHAINED: "bold",  # Graphviz has no chain
}
COLOUR_WITHOUT_CAMP = "#555555"


def write_graphml(corpus: Corpus, file: Path, whole: Corpus | None = None) -> None:
    """Statements and edges with their attributes, for Gephi, yEd, Cytoscape, igraph."""
    import networkx as nx

    graph = _labelled(corpus, whole)
    for _, node in graph.nodes(data=True):
        node |= _channels(node["colour"])  # the names that Gephi reads a colour from
    nx.write_graphml(graph, file)


def write_gexf(corpus: Corpus, file: Path, whole: Corpus | None = None) -> None:
    """Statements and edges with their attributes, for Gephi."""
    import networkx as nx

    graph = _labelled(corpus, whole)
    for _, node in graph.nodes(data=True):
        node["viz"] = {"color": {**_channels(node["colour"]), "a": 1.0}}
    nx.write_gexf(graph, file)


def _labelled(corpus: Corpus, whole: Corpus | None) -> nx.MultiDiGraph[str]:
    """The network with what drawings show: labels, and statements in the colours of camps."""
    import networkx as nx

    colours = {camp.id: camp.colour for camp in corpus.config.camps}
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(as_network(corpus, whole=whole))
    for id, node in graph.nodes(data=True):
        node |= {
            "label": node.get("title", id),
            "colour": colours.get(node.get("camp", ""), COLOUR_WITHOUT_CAMP),
        }
    for *_, edge in graph.edges(data=True):
        edge["label"] = edge["relation"]
    return graph


def _channels(colour: str) -> dict[str, int]:
    return {name: int(colour[at : at + 2], 16) for name, at in (("r", 1), ("g", 3), ("b", 5))}


def write_dot(corpus: Corpus, file: Path, whole: Corpus | None = None) -> None:
    """Statements and edges for Graphviz, in the colours of their camps."""
    graph = _labelled(corpus, whole)
    with file.open("w", encoding="utf-8") as out:
        out.write(f"digraph {_dot_string(corpus.config.name)} {{\n  node [shape=box];\n")
        for id, node in graph.nodes(data=True):
            words = f"label={_dot_string(node['label'])}, color={_dot_string(node['colour'])}"
            out.write(f"  {_dot_string(id)} [{words}];\n")
        for source, target, edge in graph.edges(data=True):
            style = _STYLES[Relation(edge["relation"]).entry.stroke]
            words = f"label={_dot_string(edge['label'])}, style={style}{_joined(edge)}"
            out.write(f"  {_dot_string(source)} -> {_dot_string(target)} [{words}];\n")
        out.write("}\n")


def _joined(edge: dict[str, str]) -> str:
    """What an edge counts together with, or denies, as an attribute that Graphviz keeps and a
    hint shows.
    """
    told = {"together": "together with", "undercuts": "undercuts"}
    return "".join(
        f", {name}={_dot_string(edge[name])}, tooltip={_dot_string(f'{words} {edge[name]}')}"
        for name, words in told.items()
        if name in edge
    )


def _dot_string(text: str) -> str:
    """A quoted string in which DOT reads neither escapes nor its end."""
    inert = xml_safe(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{" ".join(inert.splitlines())}"'


# -- the table ---------------------------------------------------------------------------------


class Format(NamedTuple):
    """A format: RDF formats write quads, and so any profile; the others write the corpus, or a
    part of it with what the whole gives it.
    """

    name: str
    suffix: str
    title: str
    write_quads: Callable[[Iterable[ox.Quad], Path], None] | None = None
    write: Callable[[Corpus, Path, Corpus], None] | None = None
    graphs: bool = False

    @property
    def folder(self) -> bool:
        """Whether it is a folder of files."""
        return not self.suffix


FORMATS: tuple[Format, ...] = (
    Format("ttl", ".ttl", "Turtle, all notes in one graph", write_turtle),
    Format("nq", ".nq", "N-Quads, one graph a note", write_nquads, write_corpus, graphs=True),
    Format("trig", ".trig", "TriG, one graph a note", write_trig, graphs=True),
    Format("jsonld", ".jsonld", "JSON-LD, with its context", write_jsonld, graphs=True),
    Format("rdfxml", ".rdf", "RDF/XML, all notes in one graph", write_rdfxml),
    Format("graphml", ".graphml", "GraphML: statements and edges", write=write_graphml),
    Format("gexf", ".gexf", "GEXF: statements and edges, for Gephi", write=write_gexf),
    Format("dot", ".dot", "DOT: statements and edges, for Graphviz", write=write_dot),
    Format("csv", "", "a folder of CSV tables", write=write_csv),
)


class NoSuchExport(KgError, ValueError):
    """What was asked for cannot be written; the message says what can."""


def find_format(name: str) -> Format:
    """The format called `name`; raises `NoSuchExport`."""
    for format in FORMATS:
        if format.name == name:
            return format
    known = ", ".join(format.name for format in FORMATS)
    raise NoSuchExport(f"there is no format {name!r}: use one of {known}")


def write_export(
    corpus: Corpus,
    name: str,
    target: Path,
    profile: str | None = None,
    *,
    whole: Corpus | None = None,
    weighed: bool = False,
) -> None:
    """Write the corpus, or a profile of it, to `target`: all of it or nothing.

    Strengths are those in the `whole` corpus, of which this may be a part; RDF has them, and
    verdicts, where it is to be `weighed`. Raises `NoSuchExport`, `UnknownProfile`, and
    `PathBlocked` where a link beside the notes would be written through.
    """
    format = find_format(name)
    _check_profile(format, profile)
    if weighed and (profile or not format.write_quads):
        raise NoSuchExport(f"strengths go with the RDF formats, without a profile, not with {name}")
    with ExitStack() as stack:
        tree = stack.enter_context(open_tree(target.parent, folders_around(corpus.folder)))
        place = stack.enter_context(tempfile.TemporaryDirectory(prefix=".export-", dir=tree.place))
        made = Path(place) / "made"
        if format.write and not (profile or weighed):
            format.write(corpus, made, whole or corpus)
        elif format.write_quads:
            quads = profile_quads(corpus, profile) if profile else as_quads(corpus)
            more = weighed_quads(corpus, whole or corpus) if weighed else ()
            format.write_quads(chain(quads, more), made)
        _move_export(made, tree, target.name)


def _check_profile(format: Format, profile: str | None) -> None:
    if profile and not format.write_quads:
        known = ", ".join(format.name for format in FORMATS if format.write_quads)
        raise NoSuchExport(f"{format.name} has no profiles: use one of {known}")
    if profile == "nanopub" and not format.graphs:
        known = ", ".join(format.name for format in FORMATS if format.graphs)
        raise NoSuchExport(f"nanopublications are made of named graphs: use one of {known}")


def _move_export(made: Path, tree: Tree, target: str) -> None:
    """Put a file or a folder's files where they belong; other files in the folder stay."""
    if made.is_file():
        tree.take(made, target)
    else:
        for file in made.iterdir():
            tree.take(file, f"{target}/{file.name}")


def render_export(corpus: Corpus, name: str, profile: str | None = None, **parts: Any) -> bytes:
    """The export of a format that is one file, as bytes; as `write_export`."""
    if find_format(name).folder:
        raise NoSuchExport(f"{name} is a folder of files: say where to with `--output DIR`")
    place = Path(tempfile.mkdtemp())
    try:
        write_export(corpus, name, place / "export", profile, **parts)
        return (place / "export").read_bytes()
    finally:
        shutil.rmtree(place)
