"""Write the Argument Interchange Format: AIF JSON, and xAIF, which wraps it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from kg.corpus import Corpus
from kg.exchange.escaped_text import JsonObject, write_json_file
from kg.model import Edge, Relation

SCHEMES = {
    Relation.SUPPORTS: ("RA", "Default Inference"),
    Relation.CONTRADICTS: ("CA", "Default Conflict"),
    Relation.QUALIFIES: ("CA", "Default Conflict"),
    Relation.UNDERCUTS: ("CA", "Default Conflict"),
    Relation.SAME_AS: ("MA", "Default Rephrase"),
}
"""Type and scheme of the node for each relation; other relations have none in AIF."""


def write_aif(corpus: Corpus, file: Path, whole_corpus: Corpus) -> None:
    """Write AIF nodes and edges for AIFdb and OVA."""
    write_json_file(as_aif(corpus), file)


def write_xaif(corpus: Corpus, file: Path, whole_corpus: Corpus) -> None:
    """Write xAIF: AIF with the fields around it that xAIF requires."""
    aif = {**as_aif(corpus), "schemefulfillments": None, "descriptorfulfillments": None}
    write_json_file({"AIF": aif, "dialog": False, "ova": [], "text": {"txt": ""}}, file)


def as_aif(corpus: Corpus) -> JsonObject:
    """Nodes, numbered in the order of the notes, and edges between them."""
    scheme_edges = [
        edge for edge in corpus.edges if edge.relation in SCHEMES and _has_both_ends(corpus, edge)
    ]
    mutual_edges = [edge for edge in scheme_edges if edge.goes_both_ways]
    names: list[str | tuple[str, str]] = [*corpus.statements, *(edge.id for edge in scheme_edges)]
    names += [("back", edge.id) for edge in mutual_edges]
    ids = {name: str(number) for number, name in enumerate(names, 1)}
    nodes = [_information_node(ids[id], corpus, id) for id in corpus.statements]
    nodes += [_scheme_node(ids[edge.id], edge) for edge in scheme_edges]
    nodes += [_scheme_node(ids["back", edge.id], edge) for edge in mutual_edges]
    links = [link for edge in scheme_edges for link in _links_of(edge, ids)]
    for edge in mutual_edges:  # a mutual contradiction is two conflicts in AIF
        links += [
            (ids[edge.target], ids["back", edge.id]),
            (ids["back", edge.id], ids[edge.source]),
        ]
    edges = [
        {"edgeID": str(number), "fromID": source, "toID": target, "formEdgeID": None}
        for number, (source, target) in enumerate(links, 1)
    ]
    return {"nodes": nodes, "edges": edges, "locutions": [], "participants": []}


def _has_both_ends(corpus: Corpus, edge: Edge) -> bool:
    """Whether both ends of an edge, and an edge that it undercuts, have nodes."""
    denied_edge: Edge | None = edge
    visited = set()  # undercuts in a circle never reach a statement
    while denied_edge is not None and denied_edge.id not in visited:
        if denied_edge.relation not in SCHEMES:
            return False
        if not corpus.statements.keys() >= {*denied_edge.premises}:
            return False
        if denied_edge.target in corpus.statements:
            return True
        visited.add(denied_edge.id)
        denied_edge = corpus.edges_by_id.get(denied_edge.target)
    return False


def _information_node(number: str, corpus: Corpus, id: str) -> dict[str, str]:
    statement = corpus.statements[id]
    data = {"id": id, "kind": statement.kind.value, "camp": corpus.default_camps.get(id) or ""}
    return {"nodeID": number, "text": statement.title, "type": "I", **_extra_data(data)}


def _scheme_node(number: str, edge: Edge) -> dict[str, str]:
    type, text = SCHEMES[edge.relation]
    data = {"id": edge.id, "relation": edge.relation.value, "reason": edge.reason}
    return {"nodeID": number, "text": text, "type": type, **_extra_data(data)}


def _extra_data(data: dict[str, str]) -> dict[str, str]:
    """Data that AIF has no field for, with a prefix that readers ignore."""
    return {f"kg:{name}": value for name, value in data.items() if value}


def _links_of(edge: Edge, ids: Mapping[str | tuple[str, str], str]) -> Iterator[tuple[str, str]]:
    """Links from the premises to the application node, and from there to the target."""
    yield from ((ids[premise], ids[edge.id]) for premise in edge.premises)
    yield ids[edge.id], ids[edge.target]
