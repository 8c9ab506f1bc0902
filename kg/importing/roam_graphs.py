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
MAX_BODY_BLOCKS = 2_000  # blocks


@dataclass
class _RoamNode:
    """A page that is a node: its name, type, title, citation and blocks."""

    name: str
    type: str
    title: str
    cited: str
    blocks: list[tuple[int, str]]
    edges: dict[tuple[str, str], NewEdge] = field(default_factory=dict)


def read_roam(input: ImportInput) -> Imported:
    """Read claims, evidence, lines and sources from one graph."""
    file = input.only_file()
    pages, relations, others = _pages(file)
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
            left = f"what {single_line(page.name)!r} holds behind {MAX_BODY_BLOCKS:,} blocks"
            remarks.append(f"{file.name}: not carried: {left}")
        for source, word, target in _relations_in_blocks(page, pages):
            _add_edge(pages, source, word, target)
    if others:
        remarks.append(f"{file.name}: not carried: {pluralize(others, 'page')} of no known type")
    titles = {
        page.name.removeprefix("@"): page.title for page in pages.values() if page.type == "source"
    }
    cited = Counter(page.cited for page in pages.values() if page.cited)
    sources = [
        Item(file.name, f"@{key}", NewNote("source", titles.get(key, "") or f"@{key}", key))
        for key in dict.fromkeys([*titles, *cited])
    ]
    notes = [_note(file, page, pages) for page in pages.values() if page.type != "source"]
    return Imported((*sources, *notes), remarks=tuple(remarks))


# -- reading the file ----------------------------------------------------------------------------


def _pages(file: InputFile) -> tuple[dict[str, _RoamNode], list[tuple[str, str, str]], int]:
    whole = file.json()
    listed = whole.get("nodes") if isinstance(whole, dict) else whole
    if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
        raise file.error_at(1, "this is not a graph from Roam", "export it as JSON")
    pages: dict[str, _RoamNode] = {}
    names: dict[str, str] = {}
    others = 0
    for each in listed:
        name = key_from_text(each.get("title", "") if isinstance(each.get("title"), str) else "")
        page = _page(name, list(_blocks(each)))
        others += page is None
        if page and name not in pages:
            pages[name] = page
        if isinstance(each.get("uid"), str):
            names[each["uid"]] = name
    relations = whole.get("relations") if isinstance(whole, dict) else []
    found = [
        (
            names.get(str(r.get("source")), ""),
            str(r.get("label")),
            names.get(str(r.get("target")), ""),
        )
        for r in (relations if isinstance(relations, list) else [])
        if isinstance(r, dict)
    ]
    return pages, found, others


def _blocks(page: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """The blocks of a page in order, with their depths: one more than are carried, if there are."""
    waiting = [(0, page)]
    told = 0
    while waiting and told <= MAX_BODY_BLOCKS:
        depth, block = waiting.pop()
        said = block.get("string", block.get("text"))
        if depth and isinstance(said, str) and said.strip():
            yield depth - 1, said
            told += 1
        inner = block.get("children")
        if isinstance(inner, list):
            waiting += [(depth + 1, each) for each in reversed(inner) if isinstance(each, dict)]


def _page(name: str, blocks: list[tuple[int, str]]) -> _RoamNode | None:
    if _SOURCE.match(name):
        title = next((match[1] for _, said in blocks if (match := _TITLE.match(said))), name)
        return _RoamNode(name, "source", single_line(title), "", blocks)
    match = _PREFIX.fullmatch(name)
    type = _TYPES.get((match[1] or match[2]) if match else "")
    if not match or type is None:
        return None
    cited = _ROAM_CITATION.search(match[3]) if type != "line" else None
    title = match[3][: cited.start()] if cited else match[3]
    return _RoamNode(name, type, single_line(title), cited[1] if cited else "", blocks)


# -- relations -----------------------------------------------------------------------------------


def _add_edge(pages: dict[str, _RoamNode], source: str, word: str, target: str) -> None:
    relation, back = _RELATIONS.get(_MARKS.sub("", word).casefold(), ("relates", False))
    start, end = (target, source) if back else (source, target)
    weighty = {pages[start].type, pages[end].type} <= {"claim", "evidence"}
    if "source" in (pages[start].type, pages[end].type):
        return  # it becomes a citation
    if relation == "relates" or not weighty:
        relation, reason = "relates", escape_line(_MARKS.sub(" ", word).strip().casefold())
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
        word, marks, behind = text.partition("::")
        relation = _MARKS.sub("", word if marks else text).casefold()
        relation = relation if relation in _RELATIONS else ""
        nodes = [name for name in _find_links(behind if relation else text) if name in pages]
        if named := relation or parent.relation:
            yield from ((parent.node, named, node) for node in nodes if node != parent.node)
        if relation:
            above.append(_ParentBlock(depth, parent.node, relation))
        elif nodes:
            above.append(_ParentBlock(depth, nodes[0], ""))


def _find_links(text: str) -> list[str]:
    """The pages to which a block links; of nested links, only the outermost."""
    return [key_from_text(text[begin + 2 : end - 2]) for begin, end in _links(text)]


def _links(text: str) -> Iterator[tuple[int, int]]:
    depth = begin = 0
    for match in re.finditer(r"\[\[|\]\]", text):
        if match[0] == "[[":
            begin = begin if depth else match.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                yield begin, match.end()


# -- notes ---------------------------------------------------------------------------------------


def _note(file: InputFile, page: _RoamNode, pages: dict[str, _RoamNode]) -> Item:
    rows = ["  " * min(depth, 20) + "- " + _with_links(said, pages) for depth, said in page.blocks]
    body = "\n".join(rows)
    if page.cited:
        body += ("\n\n" if body else "") + f"[@{id_slot('@' + page.cited)}]"
    new_note = NewNote(page.type, page.title, "", {}, body, [*page.edges.values()])
    return Item(file.name, page.name, new_note)


def _with_links(text: str, pages: dict[str, _RoamNode]) -> str:
    """A block with its links to nodes as wikilinks, and all else escaped."""
    parts, at = [], 0
    text = single_line(text)
    for begin, end in _links(text):
        page = pages.get(key_from_text(text[begin + 2 : end - 2]))
        if page and page.type != "source":
            shown = escape_line(re.sub(r"[\[\]|]", " ", page.title))
            parts += [
                escape_line(text[at:begin]),
                f"[[{id_slot(page.name)}|{shown}]]",
            ]
            at = end
    parts.append(escape_line(text[at:]))
    return " ".join(filter(None, parts)).lstrip("- ") or "…"
