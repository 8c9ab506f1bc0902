"""Statements and edges as pictures and networks: Canvas, Mermaid, DOT, GraphML, GEXF."""

from __future__ import annotations

import re
import textwrap
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import networkx as nx

from kg.corpus import Corpus
from kg.exchange.escaped_text import JsonObject, without_controls, write_json_file
from kg.exchange.rdf_formats import remove_unfit_for_xml
from kg.exchange.writers.reports import escape_pandoc
from kg.graphs_with_strengths.networkx_graph import as_network
from kg.model import Edge, EdgeStroke

COLOUR_WITHOUT_CAMP = "#555555"
LETTERS_A_ROW = 34  # characters that fit on a card of `CARD_WIDTH` at 16 pixels
# pixels; chosen by eye in Obsidian
CARD_WIDTH, LINE_HEIGHT, PADDING = 320, 26, 44
GAP_ACROSS, GAP_DOWN = 160, 40
_NOT_IN_MERMAID = re.compile(r"[^\w ,.?!()'’‘“”–—-]")
_MERMAID_LINES = {EdgeStroke.SOLID: "-->", EdgeStroke.DASHED: "-.->", EdgeStroke.DOTTED: "-.->"}
_STYLES = {
    EdgeStroke.SOLID: "solid",
    EdgeStroke.DASHED: "dashed",
    EdgeStroke.DOTTED: "dotted",
    EdgeStroke.CHAINED: "bold",  # Graphviz has no chain
}
_PAGE = (
    '  graph [rankdir=RL, size="11,7.5", ratio=compress, nodesep=0.15, ranksep=0.6];\n'
    "  node [shape=box, fontname=sans, fontsize=10, margin=0.08];\n"
    "  edge [fontname=sans, fontsize=8, arrowsize=0.6];"
)


class Arrow(NamedTuple):
    """An edge as drawn: an undercut leads to the premise of the edge that it attacks."""

    edge: Edge
    origin: str
    target: str
    undercut_edge: Edge | None

    @property
    def label(self) -> str:
        """The label of an arrow: `supports (jointly)`, `doubts that it contradicts`."""
        words = self.edge.relation.label
        if self.undercut_edge:
            words += f" that it {self.undercut_edge.relation.label}"
        return words + (" (jointly)" if self.edge.together else "")


def arrows_of(corpus: Corpus) -> Iterator[Arrow]:
    """The arrows between statements; each premise of a joint reason has one."""
    for edge in corpus.edges:
        undercut_edge = corpus.edges_by_id.get(edge.target)
        target = undercut_edge.origin if undercut_edge else edge.target
        for premise in edge.premises:
            if premise in corpus.statements and target in corpus.statements:
                yield Arrow(edge, premise, target, undercut_edge)


def colours_of(corpus: Corpus) -> dict[str, str]:
    """Return each statement's colour, which is that of its camp."""
    colours = {camp.id: camp.colour for camp in corpus.config.camps}
    return {
        id: colours.get(corpus.default_camps.get(id) or "", COLOUR_WITHOUT_CAMP)
        for id in corpus.statements
    }


# -- JSON Canvas -------------------------------------------------------------------------------


def write_canvas(corpus: Corpus, file: Path) -> None:
    """Write a card for each statement, in columns: theses on the left, reasons to the right."""
    colours = colours_of(corpus)
    arrows = list(arrows_of(corpus))
    nodes: list[JsonObject] = []
    for column_number, column in enumerate(_columns_of_statements(corpus, arrows)):
        y = 0
        for id in column:
            title = without_controls(corpus.statements[id].title)
            height = PADDING + LINE_HEIGHT * len(textwrap.wrap(title, LETTERS_A_ROW) or [""])
            geometry = {
                "x": column_number * (CARD_WIDTH + GAP_ACROSS),
                "y": y,
                "width": CARD_WIDTH,
                "height": height,
            }
            card = {"id": id, "type": "text", "text": escape_pandoc(title), "color": colours[id]}
            nodes.append(card | geometry)
            y += height + GAP_DOWN
    edges = [
        {
            "id": f"{arrow.edge.id} from {arrow.origin}",
            "fromNode": arrow.origin,
            "toNode": arrow.target,
            "label": arrow.label,
            **({"fromEnd": "arrow"} if arrow.edge.goes_both_ways else {}),
        }
        for arrow in arrows
    ]
    value = {"nodes": nodes, "edges": edges}
    write_json_file(value, file)


def _columns_of_statements(corpus: Corpus, arrows: list[Arrow]) -> list[list[str]]:
    """Statements by their distance from a proposition, or from a statement that bears on nothing,
    each placed near what it bears on.
    """
    targets_of: defaultdict[str, list[str]] = defaultdict(list)
    premises_of: defaultdict[str, list[str]] = defaultdict(list)
    for arrow in arrows:
        targets_of[arrow.origin].append(arrow.target)
        premises_of[arrow.target].append(arrow.origin)
    columns: list[list[str]] = []
    row_of: dict[str, float] = {}
    for column in _depth_levels(corpus, targets_of, premises_of):
        target_rows = {
            id: [row_of[other] for other in targets_of[id] if other in row_of] for id in column
        }
        column.sort(
            key=lambda id: sum(target_rows[id]) / len(target_rows[id]) if target_rows[id] else 0.0
        )
        row_of |= {id: float(row_number) for row_number, id in enumerate(column)}
        columns.append(column)
    return columns


def _depth_levels(
    corpus: Corpus, targets_of: Mapping[str, list[str]], premises_of: Mapping[str, list[str]]
) -> list[list[str]]:
    propositions = {line.proposition for line in corpus.lines.values()}
    roots = [id for id in corpus.statements if id in propositions or not targets_of[id]]
    depth_of = dict.fromkeys(roots, 0)
    waiting_ids = deque(roots)
    for start in ("", *corpus.statements):  # an isolated circle may begin anywhere
        if start and start not in depth_of:
            depth_of[start] = 0
            waiting_ids.append(start)
        while waiting_ids:
            id = waiting_ids.popleft()
            new_ids = [other for other in dict.fromkeys(premises_of[id]) if other not in depth_of]
            depth_of |= dict.fromkeys(new_ids, depth_of[id] + 1)
            waiting_ids.extend(new_ids)
    columns: list[list[str]] = [[] for _ in range(max(depth_of.values(), default=-1) + 1)]
    for id in corpus.statements:
        columns[depth_of[id]].append(id)
    return columns


# -- Mermaid -----------------------------------------------------------------------------------


def write_mermaid(corpus: Corpus, file: Path) -> None:
    """Write a flowchart with reasons below what they bear on."""
    ids = {id: f"n{number}" for number, id in enumerate(corpus.statements, 1)}
    colours = colours_of(corpus)
    rows = ["flowchart BT"]
    rows += [f'  {ids[id]}["{_escape_mermaid(s.title)}"]' for id, s in corpus.statements.items()]
    for arrow in arrows_of(corpus):
        arrow_sign = _MERMAID_LINES.get(arrow.edge.relation.entry.stroke, "==>")
        arrow_sign = f"<{arrow_sign}" if arrow.edge.goes_both_ways else arrow_sign
        ends = ids[arrow.origin], ids[arrow.target]
        rows.append(f'  {ends[0]} {arrow_sign}|"{_escape_mermaid(arrow.label)}"| {ends[1]}')
    for colour in dict.fromkeys(colours.values()):
        members = ",".join(ids[id] for id, each in colours.items() if each == colour)
        rows += [f"  classDef c{colour[1:]} stroke:{colour},stroke-width:2px"]
        rows += [f"  class {members} c{colour[1:]}"]
    file.write_text("\n".join([*rows, ""]), "utf-8")


def _escape_mermaid(text: str) -> str:
    """Text for quotes, with each character that could be markup as its code."""
    return (
        _NOT_IN_MERMAID.sub(lambda match: f"#{ord(match[0])};", without_controls(text)) or "#160;"
    )


# -- DOT ---------------------------------------------------------------------------------------


def write_dot(corpus: Corpus, file: Path) -> None:
    """Write a landscape page for Graphviz, with statements in the colours of their camps."""
    colours = colours_of(corpus)
    rows = [f"digraph {_dot_string(corpus.config.name)} {{", _PAGE]
    for id, statement in corpus.statements.items():
        attributes = f"label={_dot_label(statement.title)}, color={_dot_string(colours[id])}"
        rows.append(f"  {_dot_string(id)} [{attributes}];")
    for edge in corpus.edges:
        undercut_edge = corpus.edges_by_id.get(edge.target)
        target = undercut_edge.origin if undercut_edge else edge.target
        style = _STYLES[edge.relation.entry.stroke]
        attributes = f"label={_dot_string(edge.relation.value)}, style={style}"
        attributes += _note_on_edge(edge, undercut_edge)
        rows.append(f"  {_dot_string(edge.origin)} -> {_dot_string(target)} [{attributes}];")
    file.write_text("\n".join([*rows, "}\n"]), "utf-8")


def _note_on_edge(edge: Edge, undercut_edge: Edge | None) -> str:
    """Write what an edge counts together with, or undercuts, as an attribute that Graphviz keeps
    and as a tooltip.
    """
    details = (
        ("together", "together with", ", ".join(edge.together)),
        ("undercuts", "undercuts", undercut_edge.id if undercut_edge else ""),
    )
    return "".join(
        f", {name}={_dot_string(value)}, tooltip={_dot_string(_escape_dot(f'{words} {value}'))}"
        for name, words, value in details
        if value
    ) + (", dir=both" if edge.goes_both_ways else "")


def _dot_label(text: str) -> str:
    """A text wrapped to keep its box narrow."""
    rows = textwrap.wrap(without_controls(remove_unfit_for_xml(text)), LETTERS_A_ROW) or [""]
    return '"' + "\\n".join(_dot_string(_escape_dot(row))[1:-1] for row in rows) + '"'


def _escape_dot(text: str) -> str:
    """A text with ampersands escaped, as Graphviz decodes entities."""
    return text.replace("&", "&amp;")


def _dot_string(text: str) -> str:
    """A quoted DOT string in which escapes and quotes are inert."""
    inert = remove_unfit_for_xml(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{" ".join(inert.splitlines())}"'


def write_graphml(corpus: Corpus, file: Path, whole_corpus: Corpus) -> None:
    """Write GraphML, with attributes, for Gephi, yEd, Cytoscape, igraph."""
    graph = _network_with_labels(corpus, whole_corpus)
    for _, node in graph.nodes(data=True):
        node |= _rgb_channels(node["colour"])  # the attributes from which Gephi reads a colour
    nx.write_graphml(graph, file)


def write_gexf(corpus: Corpus, file: Path, whole_corpus: Corpus) -> None:
    """Write GEXF, with attributes, for Gephi."""
    graph = _network_with_labels(corpus, whole_corpus)
    for _, node in graph.nodes(data=True):
        node["viz"] = {"color": {**_rgb_channels(node["colour"]), "a": 1.0}}
    nx.write_gexf(graph, file)


def _network_with_labels(corpus: Corpus, whole_corpus: Corpus) -> nx.MultiDiGraph[str]:
    """The network with labels, and with statements in the colours of their camps."""
    colours = colours_of(corpus)
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(as_network(corpus, whole_corpus=whole_corpus))
    for id, node in graph.nodes(data=True):
        node |= {
            "label": node.get("title", id),
            "colour": colours.get(id, COLOUR_WITHOUT_CAMP),
        }
    for *_, edge in graph.edges(data=True):
        edge["label"] = edge["relation"]
    return graph


def _rgb_channels(colour: str) -> dict[str, int]:
    return {
        name: int(colour[offset : offset + 2], 16)
        for name, offset in (("r", 1), ("g", 3), ("b", 5))
    }
