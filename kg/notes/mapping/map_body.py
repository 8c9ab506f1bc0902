"""Make edges of links with a reason, and of fields with a relation, in a body's blocks."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

import msgspec

from kg.model.relation import Relation
from kg.model.settings.note_map import NoteMap, fold_map_word
from kg.notes.body.relation_items import LIST_MARK, RELATION, TO_DO
from kg.notes.mapping.note_links import restore_links, simplify_links, without_brackets
from kg.notes.mapping.sentence_edges import add_edges_in_sentences
from kg.notes.markdown.blocks import NO_QUOTE, Block, BlockScan, Link, scan_blocks
from kg.notes.markdown.inline_syntax import (
    BLOCK_ID,
    CITATION_GROUP,
    find_target,
    heading_text,
    replace_with_spaces,
)

_START = attrgetter("start")
_RELATION_WORD = r"(?:\*\*|__)?([^\W\d_][\w -]{0,40}?)(?:\*\*|__)?"
_FIELD = re.compile(rf"[\[(]?{_RELATION_WORD}::(?:\*\*|__)?(?=\s|\[|\(|$)")
_FIELD_WITHIN = re.compile(r"[\[(]([^\W\d_][\w -]{0,40}?)::\s*(?=\[)")
_LABEL = re.compile(rf"{_RELATION_WORD}\s*(?:(?<=\*\*)|(?<=__)|::?(?:\*\*|__)?)\s*")
_FIRST_WORD = re.compile(rf"\s*[*_]?{_RELATION_WORD}[*_]?:\s+(?=\S)")
_BEFORE_LINK = re.compile(r"[\s*_\"“]*\Z")
_BETWEEN = re.compile(r"(?:[\s,;*_\"”&]|\band\b)*\Z")
_BEHIND_LINK = re.compile(r"[*_\"”]*[.,;:]*(?:\s+|\Z)")
_FIELD_LINE = re.compile(rf"\n[ \t]*(?={_FIELD.pattern})")
_BRACKETS = {"[": re.compile(r"[\[\]]"), "(": re.compile(r"[()]")}
_SIGN = re.compile(r"[*_\"”]*(?:\s+(?:—|–|-{1,3}|→)|:)\s+")


def map_body(
    text: str,
    path: str,
    note_map: NoteMap,
    own_words: Collection[str],
    *,
    cut_edges: bool,
    known_titles: Collection[str],
) -> tuple[str, BlockScan]:
    """`text` and its blocks, with an edge for each link with a relation or a reason.

    `own_words` make a list item an edge in any note. With `cut_edges`, what became edges is removed
    from the text. With `known_titles`, which a note named by its file has, only the first heading
    can be the title, and only if it is one of these.
    """
    text = simplify_links(text)
    scan = scan_blocks(text)
    reader = _BlockMapper(text, path, note_map, own_words, cut_edges)
    for number, block in enumerate(scan.blocks):
        if known_titles and block.level == 1:
            title = without_brackets(restore_links(heading_text(text[block.start : block.end])))
            block.level = 1 if title in known_titles else 2
            known_titles = ("",)  # only the first heading
        next_blocks = scan.blocks[number + 1 : number + 2]
        reader.read(block, next_blocks[0] if next_blocks else None)
    reader.end_list()
    label_ids = {id(label) for label in reader.labels}
    blocks = [block for block in reader.blocks if id(block) not in label_ids]
    if note_map.connectives:
        blocks = list(add_edges_in_sentences(text, path, blocks, note_map))
    text = replace_with_spaces(text, [(label.start, label.end) for label in reader.labels])
    return text, BlockScan(blocks, scan.quotes)


class _BlockMapper:
    """Reads the blocks in order, and keeps the label above the current list.

    `cut_items` counts the items of that list that became edges and are cut from the text,
    `kept_items` those whose text stays: the label goes only with all of its list.
    """

    def __init__(
        self, text: str, path: str, note_map: NoteMap, own_words: Collection[str], cut_edges: bool
    ) -> None:
        self.text = text
        self.path = path
        self.note_map = note_map
        self.own_words = own_words
        self.cut_edges = cut_edges
        self.blocks: list[Block] = []
        self.label = ""  # the label above the current list
        self.label_block: Block | None = None
        self.kept_items = self.cut_items = 0
        self.labels_of_items: list[tuple[int, str]] = []
        self.labels: list[Block] = []  # of lists that became edges as a whole

    def read(self, block: Block, next_block: Block | None) -> None:
        if block.kind == "item" and block.quote == NO_QUOTE:
            self._read_lines(_with_its_link(block, self.text), next_block)
        elif block.listed and block.quote == NO_QUOTE:
            self.blocks.append(block)
        else:
            self.end_list()
            self.blocks.append(block if block.quote != NO_QUOTE else self._read_text(block))

    # -- labels ------------------------------------------------------------------------

    def end_list(self) -> None:
        """Leave a list; if all of it became edges, its label is removed, too."""
        block = self.label_block
        if block is not None and self.cut_items and not self.kept_items:
            self.labels.append(block)
        self.label = ""
        self.label_block = None
        self.kept_items = 0
        self.cut_items = 0
        self.labels_of_items.clear()

    def _read_text(self, block: Block) -> Block:
        """Read a heading or paragraph, which may be the label of the next list, or hold fields."""
        raw = self.text[block.start : block.end]
        if block.kind == "paragraph":
            label = _LABEL.fullmatch(raw)
            block = self._with_fields(block, raw)
            self.label, self.label_block = (label[1], block) if label else ("", None)
        elif block.kind == "heading" and block.level > 1:
            self.label = raw.strip("#*_: \t")
            self.label_block = block
        return block

    def _label_at(self, column: int) -> str:
        """The label above an item: that of an item around it, or of the whole list."""
        while self.labels_of_items and self.labels_of_items[-1][0] >= column:
            self.labels_of_items.pop()
        return self.labels_of_items[-1][1] if self.labels_of_items else self.label

    # -- items -------------------------------------------------------------------------

    def _read_lines(self, block: Block, next_block: Block | None) -> None:
        """Read an item, and the fields that follow on lines of their own without a blank line."""
        end = _FIELD_LINE.search(self.text, block.start, block.end)
        if end is None:
            self._map_item(block, next_block)
            return
        self._map_item(_part_of_block(block, block.start, end.start()), next_block)
        rest = _part_of_block(block, end.end(), block.end)
        rest.kind = "cell"
        field_block = self._with_fields(rest, self.text[rest.start : rest.end])
        self.kept_items += field_block is rest
        self.blocks.append(field_block)

    def _map_item(self, block: Block, next_block: Block | None) -> None:
        """Read edges from a list item, after a mapped word or in it; else leave it as text."""
        raw = self.text[block.start : block.end]
        column = _column_at(self.text, block.start)
        label = self._label_at(column)
        if self._is_own_format(block, raw):
            self.cut_items += 1
            self.blocks.append(block)
            return
        if TO_DO.match(raw):
            self._keep_to_do(block)
            return
        mark = LIST_MARK.match(raw)
        start = mark.end() if mark else 0
        edges = self._edges_of_item(block, raw, start, label)
        label_match = _LABEL.fullmatch(raw, start)
        if label_match and not block.links:
            self.labels_of_items.append((column, label_match[1]))
        # an item that contains others cannot be removed without them
        is_separable = (
            next_block is None
            or not (next_block.kind == "item" or next_block.listed)
            or _column_at(self.text, next_block.start) <= column
        )
        if edges and is_separable and self.cut_edges:
            self.cut_items += 1
            self._add_block(block, edges)
        else:
            self.kept_items += 1
            used_starts = {edge.start for edge in edges}
            other_links = [link for link in block.links if link.start not in used_starts]
            self.blocks.append(_words_and_links(block, block.start, other_links))
        self.blocks += edges

    def _keep_to_do(self, block: Block) -> None:
        """Leave a to-do as text; its links are mentions, and its citations cite nothing."""
        citations = CITATION_GROUP.finditer(self.text, block.start, block.end)
        to_do = _words_and_links(block, block.start, block.links)
        to_do.opaque = tuple(sorted([*to_do.opaque, *(each.span() for each in citations)]))
        self.kept_items += 1
        self.blocks.append(to_do)

    def _edges_of_item(self, block: Block, raw: str, start: int, label: str) -> list[Block]:
        """The edges of an item whose text begins at `start`: of its field, or below a label."""
        field = _FIELD.match(raw, start)
        if field is None:
            word = label if self._is_mapped_word(label) else ""
            return self._edges_from_links(block, raw, start, word)
        if not self._is_relation_word(field[1]):
            return []
        closing = _closing_bracket(raw, field.start())
        return self._edges_from_links(block, raw, field.end(), field[1], closing)

    def _add_block(self, block: Block, edges: Sequence[Block]) -> None:
        """Add a block for the words behind the last link of an item, which become its reason.

        The first of the item's `edges` then cuts the whole item from the text.
        """
        last = max(edge.start for edge in edges)
        start = next(link.end for link in block.links if link.start == last)
        rest = [link for link in block.links if link.start >= start]
        self.blocks.append(_words_and_links(block, start, rest))
        for edge in edges:
            edge.start = edge.end = block.start
        edges[0].end = block.end

    def _is_own_format(self, block: Block, raw: str) -> bool:
        """Return whether an item states an edge in kg's own format."""
        match = RELATION.match(raw)
        return bool(match and block.links and self._is_relation_word(match[1]))

    def _is_relation_word(self, word: str) -> bool:
        """Return whether a field with this name is an edge."""
        return word.casefold() in self.own_words or self._is_mapped_word(word)

    def _is_mapped_word(self, word: str) -> bool:
        """Return whether the settings map a word to a relation; labels are never guessed."""
        return fold_map_word(word) in self.note_map.relations

    # -- edges -------------------------------------------------------------------------

    def _edges_from_links(
        self, block: Block, raw: str, first_offset: int, word: str, closing: int = -1
    ) -> list[Block]:
        """An edge, at its place, for each link at the start of `raw`, with the relation `word` if
        given. `closing` is the closing bracket of a field. Words after the links are the reason.
        """
        stop = BLOCK_ID.search(raw)
        name, end = (stop[1], stop.start()) if stop else (None, len(raw))
        targets = self._targets_of_links(block, raw, first_offset)
        offset = max((link.end for link in targets), default=block.start + first_offset)
        offset -= block.start
        rest = raw[offset:end]
        if closing >= offset:
            rest = raw[offset:closing] + raw[closing + 1 : end]
        word, reason = self._word_and_reason(rest, word) if targets else (word, "")
        if not word and not (reason and self.note_map.links):
            return []
        word = fold_map_word(word) if word else Relation.RELATES.value
        edges = []
        for link, target in targets.items():
            edges.append(Block("item", link.start, link.start, edge=(word, target, reason, name)))
            name = None  # only one edge can have the name
        return edges

    def _targets_of_links(self, block: Block, raw: str, offset: int) -> dict[Link, str]:
        """Find what the first links behind an offset lead to, up to the first that does not
        follow.
        """
        targets: dict[Link, str] = {}
        for link in block.links:
            start = link.start - block.start
            if start < offset:
                continue
            target = find_target(link.destination, link.wiki, self.path)
            pattern = _BETWEEN if targets else _BEFORE_LINK
            if not pattern.match(raw, offset, start) or target is None or target.startswith("#"):
                break
            targets[link] = target
            offset = link.end - block.start
        return targets

    def _word_and_reason(self, rest: str, word: str) -> tuple[str, str]:
        """The relation and the reason, by what follows links; `word` if that names none."""
        sign = _SIGN.match(rest) or (_BEHIND_LINK.match(rest) if word else None)
        if not sign and not word:
            return "", ""
        reason = rest[sign.end() if sign else 0 :].strip()
        if (first := _FIRST_WORD.match(reason)) and self._is_mapped_word(first[1]):
            return first[1], reason[first.end() :]
        return word, reason

    def _with_fields(self, block: Block, raw: str) -> Block:
        """A paragraph without the links in its fields, `word:: [[other]]`, which become edges."""
        used: set[int] = set()
        line_start = block.start
        for text_line in raw.split("\n") if "::" in raw else ():
            for field in _fields_of_line(text_line):
                if not self._is_relation_word(field.word):
                    continue
                start, end = line_start + field.start, line_start + field.stop
                first = bisect_left(block.links, start, key=_START)
                last = bisect_left(block.links, end, key=_START)
                part = Block("item", start, end, links=block.links[first:last])
                edges = self._edges_from_links(
                    part,
                    text_line[field.start : field.stop],
                    field.value_start,
                    field.word,
                    field.closing_bracket,
                )
                used.update(edge.start for edge in edges)
                if field.is_whole_line and edges and self.cut_edges:
                    edges[0].start = part.start
                    edges[0].end = part.end
                self.blocks += edges
            line_start += len(text_line) + 1
        if not used:
            return block
        rest = [link for link in block.links if link.start not in used]
        return msgspec.structs.replace(block, kind="cell", links=tuple(rest))


class _TextLineField(NamedTuple):
    """A field in a line, from `start` to `stop`; its value begins `value_start` after that start.

    `closing_bracket` closes a field which is the whole line; -1 without one.
    """

    word: str
    start: int
    stop: int
    value_start: int
    closing_bracket: int
    is_whole_line: bool


def _fields_of_line(text_line: str) -> Iterator[_TextLineField]:
    """The field that a line is, or else those within it, which stand in brackets."""
    field = _FIELD.match(text_line, len(text_line) - len(text_line.lstrip()))
    closing = _closing_bracket(text_line, field.start()) if field else -1
    if field and not 0 <= closing < len(text_line.rstrip()) - 1:
        yield _TextLineField(field[1], 0, len(text_line), field.end(), closing, True)
        return
    for field in _FIELD_WITHIN.finditer(text_line):
        close = _closing_bracket(text_line, field.start())
        stop = len(text_line) if close < 0 else close
        start = field.start()
        yield _TextLineField(field[1], start, stop, field.end() - start, -1, False)


def _closing_bracket(raw: str, opening: int) -> int:
    """The offset of the bracket that closes the one at `opening`; -1 if there is none."""
    depth = 0
    for bracket in _BRACKETS[raw[opening]].finditer(raw, opening) if raw[opening] in "[(" else ():
        depth += 1 if bracket[0] in "[(" else -1
        if depth == 0:
            return bracket.start()
    return -1


def _part_of_block(block: Block, start: int, end: int) -> Block:
    """The part of a block from `start` to `end`, with the links and code in it."""
    links = tuple(link for link in block.links if start <= link.start < end)
    opaque = tuple(each for each in block.opaque if start <= each[0] < end)
    return msgspec.structs.replace(block, start=start, end=end, links=links, opaque=opaque)


def _column_at(text: str, offset: int) -> int:
    return offset - text.rfind("\n", 0, offset)


def _with_its_link(block: Block, text: str) -> Block:
    """An item with its link, also if it was scanned as an edge in its common form."""
    if block.edge is None:
        return block
    start = text.index("[[", text.index("::", block.start))
    link = Link(start, text.index("]]", start) + 2, block.edge[1], True)
    return msgspec.structs.replace(block, edge=None, links=(link,))


def _words_and_links(block: Block, start: int, links: Sequence[Link]) -> Block:
    """A block from `start` on, as text in which only links are read."""
    kind = "cell" if block.kind == "item" else block.kind
    opaque = tuple(each for each in block.opaque if each[0] >= start)
    return Block(kind, start, block.end, block.quote, block.level, tuple(links), opaque)
