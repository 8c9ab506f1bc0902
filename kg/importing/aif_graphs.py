"""Import argument graphs in AIF and xAIF JSON: information, inferences and conflicts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from kg.importing.import_records import (
    Imported,
    ImportInput,
    InputFile,
    Item,
    escape_line,
    id_slot,
    key_from_text,
    single_line,
)
from kg.model import Kind, Relation
from kg.model.ids import is_given_name, part_name_of
from kg.notes.new_note import NewEdge, NewNote
from kg.text.plurals import pluralize

_PLAIN_SCHEMES = ("", "Default Inference", "Default Conflict", "Default Rephrase", "RA", "CA", "MA")
_RELATIONS = {"RA": Relation.SUPPORTS, "CA": Relation.CONTRADICTS, "MA": Relation.RELATES}
_BLOCK = re.compile(r"[A-Za-z0-9][\w-]*")
_SPEAKER = re.compile(r"\s*([^:]{1,60}?)\s*:\s")


@dataclass
class _Node:
    """A node with its incoming and outgoing nodes."""

    id: str
    type: str
    text: str
    data: dict[str, str]
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)


@dataclass
class _GraphEdge:
    """A future edge: premises, relation, and target."""

    node: _Node
    premises: list[str]
    relation: Relation
    target: str
    mutual: bool = False


def read_graphs(input: ImportInput) -> Imported:
    """Read the graph in one file as claims and the edges between them."""
    file = input.only_file()
    remarks: list[str] = []
    nodes = _nodes(file, remarks)
    steps = list(_future_edges(nodes, file, remarks))
    merged = _merge_mutual(steps)
    undercut = {step.target for step in merged if nodes[step.target].type != "I"}
    items = [
        _claim_item(
            node, nodes, [step for step in merged if step.premises[0] == node.id], undercut, file
        )
        for node in nodes.values()
        if node.type == "I"
    ]
    others = Counter(n.type for n in nodes.values() if n.type not in ("I", *_RELATIONS))
    if others:
        listed = ", ".join(
            f"{single_line(type) or 'no type'} {n}" for type, n in others.most_common(9)
        )
        remarks.append(f"{file.name}: not carried: {pluralize(others.total(), 'node')}: {listed}")
    return Imported(tuple(items), remarks=tuple(remarks))


def _nodes(file: InputFile, remarks: list[str]) -> dict[str, _Node]:
    whole = file.json()
    if isinstance(whole, dict) and isinstance(whole.get("AIF"), dict):
        whole = whole["AIF"]
    if not isinstance(whole, dict) or not isinstance(whole.get("nodes"), list):
        raise file.error_at(1, "this is not AIF: it has no list of `nodes`")
    edges = whole.get("edges")
    if not isinstance(edges, list):
        raise file.error_at(1, "this is not AIF: it has no list of `edges`")
    found: dict[str, _Node] = {}
    for number, node in enumerate(whole["nodes"], 1):
        if not isinstance(node, dict) or not isinstance(node.get("nodeID"), str | int):
            raise file.error_at(0, f"node {number} has no `nodeID`")
        id = key_from_text(node["nodeID"])
        told = {n[3:]: str(v) for n, v in node.items() if n.startswith("kg:")}
        read = _Node(
            id,
            single_line(node.get("type", "")),
            single_line(node.get("text") or ""),
            told,
        )
        if found.setdefault(id, read) != read:
            raise file.error_at(0, f"two nodes have the `nodeID` {id}")
    lost = 0
    for edge in edges:
        start, end = (key_from_text(_end_of_edge(edge, name)) for name in ("fromID", "toID"))
        if start in found and end in found:
            found[start].after.append(end)
            found[end].before.append(start)
        else:
            lost += 1
    if lost:  # AIFdb's export of part of a dialogue has edges that lead out of it
        there = pluralize(lost, "edge")
        remarks.append(
            f"{file.name}: not carried: {there} from or to nodes that are not in the file"
        )
    return found


def _end_of_edge(edge: Any, name: str) -> Any:
    return edge.get(name, "") if isinstance(edge, dict) else ""


def _future_edges(
    nodes: dict[str, _Node], file: InputFile, remarks: list[str]
) -> Iterator[_GraphEdge]:
    drawn = {
        id for id, node in nodes.items() if node.type in _RELATIONS and _premises_of(node, nodes)
    }
    for node in nodes.values():
        if node.type not in _RELATIONS:
            continue
        premises = _premises_of(node, nodes)
        targets = [e for e in dict.fromkeys(node.after) if nodes[e].type == "I" or e in drawn]
        if node.type != "CA":
            targets = [end for end in targets if nodes[end].type == "I"]
        targets = [end for end in targets if end not in premises and end != node.id]
        if not premises or not targets:
            why = "leads from no statement" if not premises else "leads to none"
            remarks.append(f"{file.name}: not carried: node {node.id} ({node.type}), which {why}")
        for end in targets if premises else ():
            yield _GraphEdge(node, premises, _relation(node, nodes[end]), end)


def _premises_of(node: _Node, nodes: dict[str, _Node]) -> list[str]:
    return [id for id in dict.fromkeys(node.before) if nodes[id].type == "I"]


def _relation(node: _Node, target: _Node) -> Relation:
    if target.type != "I":
        return Relation.UNDERCUTS
    plain = _RELATIONS[node.type]
    try:
        told = Relation(node.data.get("relation", plain))
    except ValueError:
        return plain
    return plain if told is Relation.UNDERCUTS else told


def _merge_mutual(steps: list[_GraphEdge]) -> list[_GraphEdge]:
    """The steps, with each pair that opposes each other joined into one mutual step."""
    found: list[_GraphEdge] = []
    open_ends: dict[tuple[str, str], _GraphEdge] = {}
    for step in steps:
        opposes = step.relation is Relation.CONTRADICTS and len(step.premises) == 1
        back = open_ends.pop((step.target, step.premises[0]), None) if opposes else None
        if back and back.node.data.get("id") == step.node.data.get("id"):
            back.mutual = True
            continue
        if opposes:
            open_ends[step.premises[0], step.target] = step
        found.append(step)
    return found


def _claim_item(
    node: _Node,
    nodes: dict[str, _Node],
    steps: list[_GraphEdge],
    undercut: set[str],
    file: InputFile,
) -> Item:
    fields: dict[str, Any] = {}
    if re.fullmatch(r"[a-z][a-z0-9-]*", node.data.get("camp", "")):
        fields["camp"] = node.data["camp"]
    if speakers := sorted(_speakers(node, nodes)):
        fields["asserted_by"] = speakers
    kind = node.data.get("kind", "")
    named: Counter[str] = Counter()
    edges = []
    for step in steps:
        block = _block(step.node, nodes) if step.node.id in undercut or step.node.data else ""
        named[block] += bool(block)
        block = f"{block}-{named[block]}" if named[block] > 1 else block
        edges.append(_edge(step, block, nodes))
    new_note = NewNote(
        kind if kind in {*Kind} else "claim",
        node.text or f"Node {node.id}",
        key_from_text(node.data.get("id", "")),
        fields,
        edges=edges,
    )
    return Item(file.name, node.id, new_note)


def _block(node: _Node, nodes: dict[str, _Node]) -> str:
    """The name of an edge: its own, or a new one if it is undercut, else empty."""
    own = part_name_of(node.data.get("id", ""))
    if own and is_given_name(own) and _BLOCK.fullmatch(own):
        return own
    denied = any(nodes[id].type == "CA" for id in node.before)
    return f"node-{re.sub(r'[^A-Za-z0-9]+', '-', node.id)}".strip("-") if denied else ""


def _edge(step: _GraphEdge, block: str, nodes: dict[str, _Node]) -> NewEdge:
    target, link = nodes[step.target], id_slot(step.target)
    if target.type != "I":
        link = f"{id_slot(_premises_of(target, nodes)[0])}#^{_block(target, nodes)}"
    scheme = step.node.text if step.node.text not in _PLAIN_SCHEMES else ""
    if step.node.type == "MA" and step.relation is Relation.RELATES:
        scheme = f"a rephrase: {scheme}" if scheme else "a rephrase"
    reason = escape_line(step.node.data.get("reason") or scheme)
    fields = {"mutual": "yes"} if step.mutual else {}
    return NewEdge(
        step.relation.value, link, reason, [*map(id_slot, step.premises[1:])], fields, block
    )


def _speakers(node: _Node, nodes: dict[str, _Node]) -> Iterator[str]:
    """The speakers of a node: those of the locutions of its illocutionary acts."""
    for act in (nodes[id] for id in node.before if nodes[id].type == "YA"):
        for said in (nodes[id] for id in act.before if nodes[id].type == "L"):
            if speaker := _SPEAKER.match(said.text):
                yield single_line(speaker[1])
