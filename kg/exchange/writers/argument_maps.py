"""Maps of arguments for other programs: Argdown, AIF and xAIF."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from kg.corpus import Corpus
from kg.exchange.escaped_text import (
    JsonObject,
    assign_safe_names,
    without_controls,
    write_json_file,
)
from kg.model import Edge, Relation, Statement

_HIDDEN = (
    r"\x00-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff"
)
_NOT_IN_TITLES = re.compile(rf"[\[\]<>@\\]|[^\S ]|[{_HIDDEN}]|^[- ]+|  +| $|^$")
_MARKS = re.compile(r"[\\\[\]<>{}#@*_/]|(?<=-)-|(?<==)=|[.:](?=\S)|^[-+]")
_NOT_IN_TAGS = re.compile(r"[()\\]")
# Type and scheme of the node for each relation; other relations have none in AIF.
SCHEMES = {
    Relation.SUPPORTS: ("RA", "Default Inference"),
    Relation.CONTRADICTS: ("CA", "Default Conflict"),
    Relation.QUALIFIES: ("CA", "Default Conflict"),
    Relation.UNDERCUTS: ("CA", "Default Conflict"),
    Relation.SAME_AS: ("MA", "Default Rephrase"),
}


def write_argdown(corpus: Corpus, file: Path) -> None:
    """Write each statement by its id, and each edge for or against something as an argument."""
    names = assign_safe_names(corpus.statements, _NOT_IN_TITLES)
    argued_edges = [edge for edge in corpus.edges if edge.relation.entry.side]
    arguments = assign_safe_names([edge.id for edge in argued_edges], _NOT_IN_TITLES)
    title = json.dumps(without_controls(corpus.config.name).replace("==", "="))
    labels = {camp.id: camp.label for camp in corpus.config.camps}
    rows = ["===", f"title: {title}", "===", ""]
    for id, statement in corpus.statements.items():
        camp = corpus.default_camps.get(id) or ""
        tags = (statement.kind.value, labels.get(camp, camp))
        rows += [_render_element(f"[{names[id]}]", statement.title, tags), ""]
    for edge in argued_edges:
        rows += [*_argument_of_edge(corpus, edge, names, arguments), ""]
    file.write_text("\n".join(rows), "utf-8")


def _render_element(name: str, text: str, tags: tuple[str, ...] = ()) -> str:
    text = _MARKS.sub(r"\\\g<0>", without_controls(text))
    words = [f"#({_NOT_IN_TAGS.sub('_', without_controls(tag))})" for tag in tags if tag]
    return " ".join([f"{name}: {text}" if text else name, *words])


def _argument_of_edge(
    corpus: Corpus, edge: Edge, names: dict[str, str], arguments: dict[str, str]
) -> Iterator[str]:
    """An edge as an argument: support concludes the target, opposition its negation."""
    name = arguments[edge.id]
    premises = [f"[{names[id]}]" for id in edge.premises if id in names]
    yield _render_element(f"<{name}>", edge.reason)
    if edge.relation is Relation.UNDERCUTS and edge.target in arguments:
        yield from (f"    + {premise}" for premise in premises)
        yield f"    _> <{arguments[edge.target]}>"
        return
    if edge.target not in names or not premises:
        return
    yield ""
    yield from (f"({number}) {premise}" for number, premise in enumerate(premises, 1))
    yield "----"
    target = f"[{names[edge.target]}]"
    if edge.relation.entry.side > 0:
        yield f"({len(premises) + 1}) {target}"
        return
    opposite = _render_element(
        f"[{name} !]", _denial_of_target(edge, corpus.statements[edge.target])
    )
    yield f"({len(premises) + 1}) {opposite}"
    yield f"    {'><' if edge.goes_both_ways else '->'} {target}"


def _denial_of_target(edge: Edge, target: Statement) -> str:
    is_qualified = edge.relation is Relation.QUALIFIES
    return f"{'Not without limits' if is_qualified else 'Not so'}: {target.title}"


def write_aif(corpus: Corpus, file: Path) -> None:
    """Write AIF nodes and edges for AIFdb and OVA."""
    write_json_file(as_aif(corpus), file)


def write_xaif(corpus: Corpus, file: Path) -> None:
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
    links = [link for edge in scheme_edges for link in _links_of_edge(edge, ids)]
    for edge in mutual_edges:  # a mutual contradiction is two conflicts in AIF
        links += [
            (ids[edge.target], ids["back", edge.id]),
            (ids["back", edge.id], ids[edge.origin]),
        ]
    edges = [
        {"edgeID": str(number), "fromID": start, "toID": end, "formEdgeID": None}
        for number, (start, end) in enumerate(links, 1)
    ]
    return {"nodes": nodes, "edges": edges, "locutions": [], "participants": []}


def _has_both_ends(corpus: Corpus, edge: Edge) -> bool:
    """Return whether both ends of an edge, and an edge that it undercuts, have nodes."""
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


def _information_node(node_id: str, corpus: Corpus, id: str) -> dict[str, str]:
    statement = corpus.statements[id]
    data = {"id": id, "kind": statement.kind.value, "camp": corpus.default_camps.get(id) or ""}
    return {"nodeID": node_id, "text": statement.title, "type": "I", **_extra_data(data)}


def _scheme_node(node_id: str, edge: Edge) -> dict[str, str]:
    type, text = SCHEMES[edge.relation]
    data = {"id": edge.id, "relation": edge.relation.value, "reason": edge.reason}
    return {"nodeID": node_id, "text": text, "type": type, **_extra_data(data)}


def _extra_data(data: dict[str, str]) -> dict[str, str]:
    """Data that AIF has no field for, with a prefix that readers ignore."""
    return {f"kg:{name}": value for name, value in data.items() if value}


def _links_of_edge(
    edge: Edge, ids: Mapping[str | tuple[str, str], str]
) -> Iterator[tuple[str, str]]:
    """Links from the premises to the application node, and from there to the target."""
    yield from ((ids[premise], ids[edge.id]) for premise in edge.premises)
    yield ids[edge.id], ids[edge.target]
