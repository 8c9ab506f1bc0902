"""Import argument graphs in AIF and xAIF JSON: information, inferences and conflicts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from kg.importing.import_records import (
    ImportedNote,
    ImportInput,
    ImportResult,
    InputFile,
    escape_line,
    given_block_name,
    id_placeholder,
    key_from_text,
    printable_line,
)
from kg.model import Kind, Relation
from kg.notes.new_note import NewEdge, NewNote
from kg.text.plurals import pluralize

_PLAIN_SCHEMES = ("", "Default Inference", "Default Conflict", "Default Rephrase", "RA", "CA", "MA")
_RELATIONS = {"RA": Relation.SUPPORTS, "CA": Relation.CONTRADICTS, "MA": Relation.RELATES}
_SPEAKER = re.compile(r"\s*([^:]{1,60}?)\s*:\s")


@dataclass
class _Node:
    """A node with its incoming and outgoing nodes."""

    id: str
    type: str
    text: str
    data: dict[str, str]
    incoming_nodes: list[str] = field(default_factory=list)
    outgoing_nodes: list[str] = field(default_factory=list)


@dataclass
class _GraphEdge:
    """A future edge: premises, relation, and target."""

    node: _Node
    premises: list[str]
    relation: Relation
    target: str
    mutual: bool = False


def read_aif(input: ImportInput) -> ImportResult:
    """Read the graph in one file as claims and the edges between them."""
    file = input.only_file()
    remarks: list[str] = []
    nodes = _nodes_by_id(file, remarks)
    steps = list(_future_edges(nodes, file, remarks))
    merged = _merge_mutual(steps)
    undercut_ids = {step.target for step in merged if nodes[step.target].type != "I"}
    notes = [
        _claim_note(
            node,
            nodes,
            [step for step in merged if step.premises[0] == node.id],
            undercut_ids,
            file,
        )
        for node in nodes.values()
        if node.type == "I"
    ]
    others = Counter(n.type for n in nodes.values() if n.type not in ("I", *_RELATIONS))
    if others:
        listed = ", ".join(
            f"{printable_line(type) or 'no type'} {n}" for type, n in others.most_common(9)
        )
        remarks.append(f"{file.name}: not carried: {pluralize(others.total(), 'node')}: {listed}")
    return ImportResult(tuple(notes), remarks=tuple(remarks))


def _nodes_by_id(file: InputFile, remarks: list[str]) -> dict[str, _Node]:
    graph = file.json()
    if isinstance(graph, dict) and isinstance(graph.get("AIF"), dict):
        graph = graph["AIF"]
    if not isinstance(graph, dict) or not isinstance(graph.get("nodes"), list):
        raise file.error_at(1, "this is not AIF: it has no list of `nodes`")
    edges = graph.get("edges")
    if not isinstance(edges, list):
        raise file.error_at(1, "this is not AIF: it has no list of `edges`")
    nodes: dict[str, _Node] = {}
    for number, node in enumerate(graph["nodes"], 1):
        if not isinstance(node, dict) or not isinstance(node.get("nodeID"), str | int):
            raise file.error_at(0, f"node {number} has no `nodeID`")
        id = key_from_text(node["nodeID"])
        kg_fields = {n[3:]: str(v) for n, v in node.items() if n.startswith("kg:")}
        parsed_node = _Node(
            id,
            printable_line(node.get("type", "")),
            printable_line(node.get("text") or ""),
            kg_fields,
        )
        if nodes.setdefault(id, parsed_node) != parsed_node:
            raise file.error_at(0, f"two nodes have the `nodeID` {id}")
    lost_count = 0
    for edge in (edge if isinstance(edge, dict) else {} for edge in edges):
        start, end = (key_from_text(edge.get(name, "")) for name in ("fromID", "toID"))
        if start in nodes and end in nodes:
            nodes[start].outgoing_nodes.append(end)
            nodes[end].incoming_nodes.append(start)
        else:
            lost_count += 1
    if lost_count:  # AIFdb's export of part of a dialogue has edges that lead out of it
        lost_edges = pluralize(lost_count, "edge")
        remarks.append(
            f"{file.name}: not carried: {lost_edges} from or to nodes that are not in the file"
        )
    return nodes


def _future_edges(
    nodes: dict[str, _Node], file: InputFile, remarks: list[str]
) -> Iterator[_GraphEdge]:
    linking_ids = {
        id for id, node in nodes.items() if node.type in _RELATIONS and _premises_of(node, nodes)
    }
    for node in nodes.values():
        if node.type not in _RELATIONS:
            continue
        premises = _premises_of(node, nodes)
        targets = [
            end
            for end in dict.fromkeys(node.outgoing_nodes)
            # only a conflict may be with a step, as its undercut
            if nodes[end].type == "I" or (node.type == "CA" and end in linking_ids)
            if end not in premises and end != node.id
        ]
        if not premises or not targets:
            why = "leads from no statement" if not premises else "leads to none"
            remarks.append(f"{file.name}: not carried: node {node.id} ({node.type}), which {why}")
        for end in targets if premises else ():
            yield _GraphEdge(node, premises, _relation_of_step(node, nodes[end]), end)


def _premises_of(node: _Node, nodes: dict[str, _Node]) -> list[str]:
    return [id for id in dict.fromkeys(node.incoming_nodes) if nodes[id].type == "I"]


def _relation_of_step(node: _Node, target: _Node) -> Relation:
    if target.type != "I":
        return Relation.UNDERCUTS
    plain = _RELATIONS[node.type]
    try:
        stated_relation = Relation(node.data.get("relation", plain))
    except ValueError:
        return plain
    return plain if stated_relation is Relation.UNDERCUTS else stated_relation


def _merge_mutual(steps: list[_GraphEdge]) -> list[_GraphEdge]:
    """The steps, with each pair that opposes each other joined into one mutual step."""
    merged: list[_GraphEdge] = []
    open_ends: dict[tuple[str, str], _GraphEdge] = {}
    for step in steps:
        opposes = step.relation is Relation.CONTRADICTS and len(step.premises) == 1
        opposite = open_ends.pop((step.target, step.premises[0]), None) if opposes else None
        if opposite and opposite.node.data.get("id") == step.node.data.get("id"):
            opposite.mutual = True
            continue
        if opposes:
            open_ends[step.premises[0], step.target] = step
        merged.append(step)
    return merged


def _claim_note(
    node: _Node,
    nodes: dict[str, _Node],
    steps: list[_GraphEdge],
    undercut_ids: set[str],
    file: InputFile,
) -> ImportedNote:
    fields: dict[str, Any] = {}
    if re.fullmatch(r"[a-z][a-z0-9-]*", node.data.get("camp", "")):
        fields["camp"] = node.data["camp"]
    if speakers := sorted(_speakers_of(node, nodes)):
        fields["asserted_by"] = speakers
    kind = node.data.get("kind", "")
    block_counts: Counter[str] = Counter()
    edges = []
    for step in steps:
        block = ""
        if step.node.id in undercut_ids or step.node.data:
            block = _block_name(step.node, nodes)
        if block:
            block_counts[block] += 1
            if block_counts[block] > 1:
                block = f"{block}-{block_counts[block]}"
        edges.append(_edge_of_step(step, block, nodes))
    new_note = NewNote(
        kind if kind in {*Kind} else "claim",
        node.text or f"Node {node.id}",
        key_from_text(node.data.get("id", "")),
        fields,
        edges=edges,
    )
    return ImportedNote(file.name, node.id, new_note)


def _block_name(node: _Node, nodes: dict[str, _Node]) -> str:
    """The name of an edge: its own, or a new one if it is undercut, else empty."""
    if own_name := given_block_name(node.data.get("id", "")):
        return own_name
    is_undercut = any(nodes[id].type == "CA" for id in node.incoming_nodes)
    return f"node-{re.sub(r'[^A-Za-z0-9]+', '-', node.id)}".strip("-") if is_undercut else ""


def _edge_of_step(step: _GraphEdge, block: str, nodes: dict[str, _Node]) -> NewEdge:
    target = nodes[step.target]
    link = id_placeholder(step.target)
    if target.type != "I":
        link = f"{id_placeholder(_premises_of(target, nodes)[0])}#^{_block_name(target, nodes)}"
    scheme = step.node.text if step.node.text not in _PLAIN_SCHEMES else ""
    if step.node.type == "MA" and step.relation is Relation.RELATES:
        scheme = f"a rephrase: {scheme}" if scheme else "a rephrase"
    reason = escape_line(step.node.data.get("reason") or scheme)
    fields = {"mutual": "yes"} if step.mutual else {}
    return NewEdge(
        step.relation.value, link, reason, [*map(id_placeholder, step.premises[1:])], fields, block
    )


def _speakers_of(node: _Node, nodes: dict[str, _Node]) -> Iterator[str]:
    """The speakers of a node: those of the locutions of its illocutionary acts."""
    for act in (nodes[id] for id in node.incoming_nodes if nodes[id].type == "YA"):
        for locution in (nodes[id] for id in act.incoming_nodes if nodes[id].type == "L"):
            if speaker := _SPEAKER.match(locution.text):
                yield printable_line(speaker[1])
