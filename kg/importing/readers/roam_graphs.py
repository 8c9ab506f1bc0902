"""Import Discourse Graphs from Roam's own JSON, or the extension's export with relations."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from kg.importing.import_records import (
    ImportedNote,
    ImportInput,
    ImportResult,
    InputFile,
    escape_line,
    id_placeholder,
    key_from_text,
    printable_line,
)
from kg.notes.markdown import CITATION_KEY
from kg.notes.new_note import NewEdge, NewNote
from kg.text.plurals import pluralize

_PREFIX = re.compile(
    r"(?:\[\[(?P<linked>[A-Z]{3})\]\]|(?P<bare>[A-Z]{3})) - (?P<rest>.+)", re.DOTALL
)
_ROAM_CITATION = re.compile(rf"\s+-\s+(?:\[\[)?@({CITATION_KEY.pattern})(?:\]\])?\s*$")
_SOURCE = re.compile(rf"@{CITATION_KEY.pattern}$")
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
# Labels of the default grammar: the relation, and whether it is reversed.
_RELATIONS = {
    "supports": ("supports", False),
    "supportedby": ("supports", True),
    "opposes": ("contradicts", False),
    "opposedby": ("contradicts", True),
    "informs": ("relates", False),
    "informedby": ("relates", True),
}
MAX_BODY_BLOCKS = 2_000  # of a page
MAX_INDENT_STEPS = 20  # deeper blocks are indented as these are


class _Relation(NamedTuple):
    """A relation between two pages, by their names, in the words of the graph."""

    source: str
    word: str
    target: str


class _RoamGraph(NamedTuple):
    """The pages of a graph that are nodes, its relations, and how many other pages it has."""

    pages: dict[str, _RoamNode]
    relations: list[_Relation]
    other_count: int


@dataclass
class _RoamNode:
    """A page that is a node: its name, type, title, citation and blocks."""

    name: str
    type: str
    title: str
    citation_key: str
    blocks: list[tuple[int, str]]
    edges: dict[tuple[str, str], NewEdge] = field(default_factory=dict)


def read_roam(input: ImportInput) -> ImportResult:
    """Read claims, evidence, lines and sources from one graph."""
    file = input.only_file()
    pages, relations, other_count = _read_graph(file)
    remarks: list[str] = []
    for relation in relations:
        if {
            relation.source,
            relation.target,
        } <= pages.keys() and relation.source != relation.target:
            _add_edge(pages, relation)
        else:
            word = printable_line(relation.word)
            remarks.append(f"{file.name}: not carried: {word!r} of a page that is no node")
    for page in pages.values():
        if len(page.blocks) > MAX_BODY_BLOCKS:
            del page.blocks[MAX_BODY_BLOCKS:]
            lost_text = (
                f"what {printable_line(page.name)!r} holds behind {MAX_BODY_BLOCKS:,} blocks"
            )
            remarks.append(f"{file.name}: not carried: {lost_text}")
        for relation in _relations_in_blocks(page, pages):
            _add_edge(pages, relation)
    if other_count:
        other_pages = pluralize(other_count, "page")
        remarks.append(f"{file.name}: not carried: {other_pages} of no known type")
    titles = {
        page.name.removeprefix("@"): page.title for page in pages.values() if page.type == "source"
    }
    citation_counts = Counter(page.citation_key for page in pages.values() if page.citation_key)
    sources = [
        ImportedNote(file.name, f"@{key}", NewNote("source", titles.get(key, "") or f"@{key}", key))
        for key in dict.fromkeys([*titles, *citation_counts])
    ]
    notes = [_note_of_page(file, page, pages) for page in pages.values() if page.type != "source"]
    return ImportResult((*sources, *notes), remarks=tuple(remarks))


# -- reading the file ----------------------------------------------------------------------------


def _read_graph(file: InputFile) -> _RoamGraph:
    """The graph in a file: a list of pages, or in the extension's export also of relations."""
    content = file.json()
    is_export = isinstance(content, dict)
    nodes = content.get("nodes") if is_export else content
    relations = content.get("relations") if is_export else []
    if not isinstance(nodes, list) or not all(isinstance(each, dict) for each in nodes):
        raise file.error_at(1, "this is not a graph from Roam", "export it as JSON")
    pages: dict[str, _RoamNode] = {}
    name_by_uid: dict[str, str] = {}
    other_count = 0
    for each in nodes:
        title, uid = each.get("title"), each.get("uid")
        name = key_from_text(title if isinstance(title, str) else "")
        page = _node_of_page(name, list(_blocks_with_depths(each)))
        if page is None:
            other_count += 1
        else:
            pages.setdefault(name, page)
        if isinstance(uid, str):
            name_by_uid[uid] = name
    edges = [
        _Relation(
            name_by_uid.get(str(each.get("source")), ""),
            str(each.get("label")),
            name_by_uid.get(str(each.get("target")), ""),
        )
        for each in (relations if isinstance(relations, list) else [])
        if isinstance(each, dict)
    ]
    return _RoamGraph(pages, edges, other_count)


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
        return _RoamNode(name, "source", printable_line(title), "", blocks)
    match = _PREFIX.fullmatch(name)
    type = _TYPES.get((match["linked"] or match["bare"]) if match else "")
    if not match or type is None:
        return None
    citation = _ROAM_CITATION.search(match["rest"]) if type != "line" else None
    title = match["rest"][: citation.start()] if citation else match["rest"]
    return _RoamNode(name, type, printable_line(title), citation[1] if citation else "", blocks)


# -- relations -----------------------------------------------------------------------------------


def _add_edge(pages: dict[str, _RoamNode], relation: _Relation) -> None:
    label = _MARKS.sub("", relation.word).casefold()
    word, is_reversed = _RELATIONS.get(label, ("relates", False))
    start, end = relation.source, relation.target
    if is_reversed:
        start, end = end, start
    types = {pages[start].type, pages[end].type}
    if "source" in types:
        return  # it becomes a citation
    reason = ""
    if word == "relates" or not types <= {"claim", "evidence"}:
        word = "relates"
        reason = escape_line(_MARKS.sub(" ", relation.word).strip().casefold())
    pages[start].edges.setdefault((word, end), NewEdge(word, id_placeholder(end), reason))


class _ParentBlock(NamedTuple):
    """A block above others: the node that it names, and the name of a relation, if any."""

    depth: int
    node: str
    relation: str


def _relations_in_blocks(page: _RoamNode, pages: dict[str, _RoamNode]) -> Iterator[_Relation]:
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
            for node in nodes:
                if node != parent.node:
                    yield _Relation(parent.node, relation_word, node)
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


def _note_of_page(file: InputFile, page: _RoamNode, pages: dict[str, _RoamNode]) -> ImportedNote:
    rows = [
        "  " * min(depth, MAX_INDENT_STEPS) + "- " + _with_links(text, pages)
        for depth, text in page.blocks
    ]
    body = "\n".join(rows)
    if page.citation_key:
        body += ("\n\n" if body else "") + f"[@{id_placeholder('@' + page.citation_key)}]"
    new_note = NewNote(page.type, page.title, "", {}, body, [*page.edges.values()])
    return ImportedNote(file.name, page.name, new_note)


def _with_links(text: str, pages: dict[str, _RoamNode]) -> str:
    """A block with its links to nodes as wikilinks, and all else escaped."""
    parts = []
    offset = 0
    text = printable_line(text)
    for start, end in _link_ranges(text):
        page = pages.get(key_from_text(text[start + 2 : end - 2]))
        if page and page.type != "source":
            link_text = escape_line(re.sub(r"[\[\]|]", " ", page.title))
            parts += [
                escape_line(text[offset:start]),
                f"[[{id_placeholder(page.name)}|{link_text}]]",
            ]
            offset = end
    parts.append(escape_line(text[offset:]))
    return " ".join(filter(None, parts)).lstrip("- ") or "…"
