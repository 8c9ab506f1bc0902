"""Import Discourse Graphs from Roam's own JSON, or the extension's export with relations."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

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
from kg.notes.new_note import NewEdge, NewNote
from kg.text.plurals import pluralize

_PREFIX = re.compile(r"(?:\[\[([A-Z]{3})\]\]|([A-Z]{3})) - (.+)", re.DOTALL)
_ROAM_CITATION = re.compile(r"\s+-\s+(?:\[\[)?@([\w:.#$%&+?<>~/-]*\w)(?:\]\])?\s*$")
_SOURCE = re.compile(r"@([\w:.#$%&+?<>~/-]*\w)$")
_TITLE = re.compile(r"\W*Title\W*::\s*(.+)", re.IGNORECASE)
_MARKS = re.compile(r"[\[\]*#:^_\s-]+")
_TYPES = {
    "CLM": "claim",
    "HYP": "claim",
    "CON": "claim",
    "EVD": "evidence",
    "RES": "evidence",
    "QUE": "line",
    "ISS": "line",
}
_RELATIONS = {
    "supports": ("supports", False),
    "supportedby": ("supports", True),
    "opposes": ("contradicts", False),
    "opposedby": ("contradicts", True),
    "informs": ("relates", False),
    "informedby": ("relates", True),
}
"""Labels of the default grammar: the relation, and whether it is reversed."""
MAX_BODY_BLOCKS = 2_000  # of a page


@dataclass
class _RoamNode:
    """A page that is a node: its name, type, title, citation and blocks."""

    name: str
    type: str
    title: str
    citation_key: str
    blocks: list[tuple[int, str]]
    edges: dict[tuple[str, str], NewEdge] = field(default_factory=dict)


def read_roam(input: ImportInput) -> Imported:
    """Read claims, evidence, lines and sources from one graph."""
    file = input.only_file()
    pages, relations, others = _pages_and_contents(file)
    remarks: list[str] = []
    for source, word, target in relations:
        if source in pages and target in pages and source != target:
            _add_edge(pages, source, word, target)
        else:
            remarks.append(
                f"{file.name}: not carried: {single_line(word)!r} of a page that is no node"
            )
    for page in pages.values():
        if len(page.blocks) > MAX_BODY_BLOCKS:
            del page.blocks[MAX_BODY_BLOCKS:]
            lost_text = f"what {single_line(page.name)!r} holds behind {MAX_BODY_BLOCKS:,} blocks"
            remarks.append(f"{file.name}: not carried: {lost_text}")
        for source, word, target in _relations_in_blocks(page, pages):
            _add_edge(pages, source, word, target)
    if others:
        remarks.append(f"{file.name}: not carried: {pluralize(others, 'page')} of no known type")
    titles = {
        page.name.removeprefix("@"): page.title for page in pages.values() if page.type == "source"
    }
    citation_counts = Counter(page.citation_key for page in pages.values() if page.citation_key)
    sources = [
        Item(file.name, f"@{key}", NewNote("source", titles.get(key, "") or f"@{key}", key))
        for key in dict.fromkeys([*titles, *citation_counts])
    ]
    notes = [_item_of_page(file, page, pages) for page in pages.values() if page.type != "source"]
    return Imported((*sources, *notes), remarks=tuple(remarks))


# -- reading the file ----------------------------------------------------------------------------


def _pages_and_contents(
    file: InputFile,
) -> tuple[dict[str, _RoamNode], list[tuple[str, str, str]], int]:
    graph = file.json()
    nodes = graph.get("nodes") if isinstance(graph, dict) else graph
    if not isinstance(nodes, list) or not all(isinstance(each, dict) for each in nodes):
        raise file.error_at(1, "this is not a graph from Roam", "export it as JSON")
    pages: dict[str, _RoamNode] = {}
    names: dict[str, str] = {}
    other_count = 0
    for each in nodes:
        name = key_from_text(each.get("title", "") if isinstance(each.get("title"), str) else "")
        page = _node_of_page(name, list(_blocks_with_depths(each)))
        other_count += page is None
        if page and name not in pages:
            pages[name] = page
        if isinstance(each.get("uid"), str):
            names[each["uid"]] = name
    relations = graph.get("relations") if isinstance(graph, dict) else []
    triples = [
        (
            names.get(str(r.get("source")), ""),
            str(r.get("label")),
            names.get(str(r.get("target")), ""),
        )
        for r in (relations if isinstance(relations, list) else [])
        if isinstance(r, dict)
    ]
    return pages, triples, other_count


def _blocks_with_depths(page: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """The blocks of a page in order, with their depths: one more than are carried, if there are."""
    waiting = [(0, page)]
    block_count = 0
    while waiting and block_count <= MAX_BODY_BLOCKS:
        depth, block = waiting.pop()
        text = block.get("string", block.get("text"))
        if depth and isinstance(text, str) and text.strip():
            yield depth - 1, text
            block_count += 1
        inner = block.get("children")
        if isinstance(inner, list):
            waiting += [(depth + 1, each) for each in reversed(inner) if isinstance(each, dict)]


def _node_of_page(name: str, blocks: list[tuple[int, str]]) -> _RoamNode | None:
    if _SOURCE.match(name):
        title = next((match[1] for _, text in blocks if (match := _TITLE.match(text))), name)
        return _RoamNode(name, "source", single_line(title), "", blocks)
    match = _PREFIX.fullmatch(name)
    type = _TYPES.get((match[1] or match[2]) if match else "")
    if not match or type is None:
        return None
    citation = _ROAM_CITATION.search(match[3]) if type != "line" else None
    title = match[3][: citation.start()] if citation else match[3]
    return _RoamNode(name, type, single_line(title), citation[1] if citation else "", blocks)


# -- relations -----------------------------------------------------------------------------------


def _add_edge(pages: dict[str, _RoamNode], source: str, word: str, target: str) -> None:
    relation, is_reversed = _RELATIONS.get(_MARKS.sub("", word).casefold(), ("relates", False))
    start, end = (target, source) if is_reversed else (source, target)
    is_argument = {pages[start].type, pages[end].type} <= {"claim", "evidence"}
    if "source" in (pages[start].type, pages[end].type):
        return  # it becomes a citation
    if relation == "relates" or not is_argument:
        relation = "relates"
        reason = escape_line(_MARKS.sub(" ", word).strip().casefold())
    else:
        reason = ""
    edge = NewEdge(relation, id_slot(end), reason)
    pages[start].edges.setdefault((relation, end), edge)


class _ParentBlock(NamedTuple):
    """A block above others: the node that it names, and the name of a relation, if any."""

    depth: int
    node: str
    relation: str


def _relations_in_blocks(
    page: _RoamNode, pages: dict[str, _RoamNode]
) -> Iterator[tuple[str, str, str]]:
    """Relations written as blocks: a node, below it a relation, below that other nodes."""
    above: list[_ParentBlock] = []
    for depth, text in page.blocks:
        above = [block for block in above if block.depth < depth]
        parent = above[-1] if above else _ParentBlock(-1, page.name, "")
        word, marks, rest = text.partition("::")
        relation = _MARKS.sub("", word if marks else text).casefold()
        relation = relation if relation in _RELATIONS else ""
        nodes = [name for name in _find_links(rest if relation else text) if name in pages]
        if relation_word := relation or parent.relation:
            yield from ((parent.node, relation_word, node) for node in nodes if node != parent.node)
        if relation:
            above.append(_ParentBlock(depth, parent.node, relation))
        elif nodes:
            above.append(_ParentBlock(depth, nodes[0], ""))


def _find_links(text: str) -> list[str]:
    """The pages to which a block links; of nested links, only the outermost."""
    return [key_from_text(text[start + 2 : end - 2]) for start, end in _link_ranges(text)]


def _link_ranges(text: str) -> Iterator[tuple[int, int]]:
    depth = start = 0
    for match in re.finditer(r"\[\[|\]\]", text):
        if match[0] == "[[":
            start = start if depth else match.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                yield start, match.end()


# -- notes ---------------------------------------------------------------------------------------


def _item_of_page(file: InputFile, page: _RoamNode, pages: dict[str, _RoamNode]) -> Item:
    rows = ["  " * min(depth, 20) + "- " + _with_links(text, pages) for depth, text in page.blocks]
    body = "\n".join(rows)
    if page.citation_key:
        body += ("\n\n" if body else "") + f"[@{id_slot('@' + page.citation_key)}]"
    new_note = NewNote(page.type, page.title, "", {}, body, [*page.edges.values()])
    return Item(file.name, page.name, new_note)


def _with_links(text: str, pages: dict[str, _RoamNode]) -> str:
    """A block with its links to nodes as wikilinks, and all else escaped."""
    parts = []
    offset = 0
    text = single_line(text)
    for start, end in _link_ranges(text):
        page = pages.get(key_from_text(text[start + 2 : end - 2]))
        if page and page.type != "source":
            link_text = escape_line(re.sub(r"[\[\]|]", " ", page.title))
            parts += [
                escape_line(text[offset:start]),
                f"[[{id_slot(page.name)}|{link_text}]]",
            ]
            offset = end
    parts.append(escape_line(text[offset:]))
    return " ".join(filter(None, parts)).lstrip("- ") or "…"
