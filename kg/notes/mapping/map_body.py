"""Make edges of links with a reason, and of fields with a relation, in a body's blocks."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from operator import attrgetter

import msgspec

from kg.model.relation import Relation
from kg.model.settings.note_map import NoteMap, fold_map_word
from kg.notes.mapping.note_links import restore_links, simplify_links, without_brackets
from kg.notes.markdown.blocks import NO_QUOTE, Block, BlockScan, Link, scan_blocks
from kg.notes.markdown.inline_syntax import BLOCK_ID, CITATION, find_target, replace_with_spaces
from kg.notes.markdown.relation_items import RELATION

_START = attrgetter("start")
_MARK = re.compile(r"\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?")
_TO_DO = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s+\[[ xX]\]\s")
_RELATION_WORD = r"(?:\*\*|__)?([^\W\d_][\w -]{0,40}?)(?:\*\*|__)?"
_FIELD = re.compile(rf"[\[(]?{_RELATION_WORD}::(?:\*\*|__)?(?=\s|\[|\(|$)")
_FIELD_WITHIN = re.compile(r"[\[(]([^\W\d_][\w -]{0,40}?)::\s*(?=\[)")
_LABEL = re.compile(rf"{_RELATION_WORD}\s*(?:(?<=\*\*)|(?<=__)|::?(?:\*\*|__)?)\s*")
_FIRST_WORD = re.compile(rf"\s*[*_]?{_RELATION_WORD}[*_]?:\s+(?=\S)")
_BEFORE_LINK = re.compile(r"[\s*_\"“]*\Z")
_BETWEEN = re.compile(r"(?:[\s,;*_\"”&]|\band\b)*\Z")
_SENTENCE_END = re.compile(r"[.!?][\"”’)*_]*\s+(?=[^\W\d_a-z]|[\"“‘(*_\[])")
_OPENING = re.compile(r"[\s\"”*_]*[,;:]?\s*")
_BEHIND_LINK = re.compile(r"[*_\"”]*[.,;:]*(?:\s+|\Z)")
_FIELD_LINE = re.compile(rf"\n[ \t]*(?={_FIELD.pattern})")
_BRACKETS = {"[": re.compile(r"[\[\]]"), "(": re.compile(r"[()]")}
_MAX_CONNECTIVE_CHARACTERS = 60  # between a connective's start and the link
_MAX_SENTENCE_CHARACTERS = 2_000  # a longer sentence is no reason
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
            title = without_brackets(restore_links(text[block.start : block.end].strip("# ")))
            block.level = 1 if title in known_titles else 2
            known_titles = ("",)  # only the first heading
        next_blocks = scan.blocks[number + 1 : number + 2]
        reader.read(block, next_blocks[0] if next_blocks else None)
    reader.end_list()
    label_ids = {id(label) for label in reader.labels}
    blocks = [block for block in reader.blocks if id(block) not in label_ids]
    if note_map.connectives:
        blocks = list(_add_edges_in_sentences(text, path, blocks, note_map))
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
        """Read one block."""
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
            self._read_item(block, next_block)
            return
        self._read_item(_part_of_block(block, block.start, end.start()), next_block)
        rest = _part_of_block(block, end.end(), block.end)
        rest.kind = "cell"
        field_block = self._with_fields(rest, self.text[rest.start : rest.end])
        self.kept_items += field_block is rest
        self.blocks.append(field_block)

    def _read_item(self, block: Block, next_block: Block | None) -> None:
        """Read edges from a list item, after a mapped word or in it; else leave it as text."""
        raw = self.text[block.start : block.end]
        column = _column_at(self.text, block.start)
        label = self._label_at(column)
        if self._is_own_format(block, raw):
            self.cut_items += 1
            self.blocks.append(block)
            return
        if _TO_DO.match(raw):
            self._keep_to_do(block)
            return
        mark = _MARK.match(raw)
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
        citations = CITATION.finditer(self.text, block.start, block.end)
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
        """Add a block for the words behind the last link of an item, which become its reason, and
        let the first of the item's `edges` cut the whole item from the text.
        """
        last = max(edge.start for edge in edges)
        start = next(link.end for link in block.links if link.start == last)
        rest = [link for link in block.links if link.start >= start]
        self.blocks.append(_words_and_links(block, start, rest))
        for edge in edges:
            edge.start = edge.end = block.start
        edges[0].end = block.end

    def _is_own_format(self, block: Block, raw: str) -> bool:
        """Whether an item states an edge in kg's own format."""
        match = RELATION.match(raw)
        return bool(match and block.links and self._is_relation_word(match[1]))

    def _is_relation_word(self, word: str) -> bool:
        """Whether a field with this name is an edge."""
        return word.casefold() in self.own_words or self._is_mapped_word(word)

    def _is_mapped_word(self, word: str) -> bool:
        """Whether the settings map a word to a relation; labels are never guessed."""
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
        targets: dict[int, str] = {}
        offset = first_offset
        for link in block.links:
            start = link.start - block.start
            if start < offset:
                continue
            target = find_target(link.destination, link.wiki, self.path)
            pattern = _BETWEEN if targets else _BEFORE_LINK
            if not pattern.match(raw, offset, start) or target is None or target.startswith("#"):
                break
            targets[link.start] = target
            offset = link.end - block.start
        rest = raw[offset:end]
        if closing >= offset:
            rest = raw[offset:closing] + raw[closing + 1 : end]
        sign = _SIGN.match(rest) or (_BEHIND_LINK.match(rest) if word else None)
        reason = ""
        if targets and (sign or word):
            reason = rest[sign.end() if sign else 0 :].strip()
        if (first := _FIRST_WORD.match(reason)) and self._is_mapped_word(first[1]):
            word = first[1]
            reason = reason[first.end() :]
        if not word and not (reason and self.note_map.links):
            return []
        word = fold_map_word(word) if word else Relation.RELATES.value
        edges = []
        for place, target in targets.items():
            edges.append(Block("item", place, place, edge=(word, target, reason, name)))
            name = None  # only one edge can have the name
        return edges

    def _with_fields(self, block: Block, raw: str) -> Block:
        """A paragraph without the links in its fields, `word:: [[other]]`, which become edges."""
        used: set[int] = set()
        line_start = 0
        for text_line in raw.split("\n") if "::" in raw else ():
            line_field = _FIELD.match(text_line, len(text_line) - len(text_line.lstrip()))
            if (
                line_field
                and 0
                <= _closing_bracket(text_line, line_field.start())
                < len(text_line.rstrip()) - 1
            ):
                line_field = None  # it is part of running text, which stays
            for field in [line_field] if line_field else _FIELD_WITHIN.finditer(text_line):
                if self._is_relation_word(field[1]):
                    close = _closing_bracket(text_line, field.start())
                    field_start = (
                        0 if line_field else field.start()
                    )  # within a line, only the field
                    stop = len(text_line) if line_field or close < 0 else close
                    start = block.start + line_start + field_start
                    end = block.start + line_start + stop
                    first = bisect_left(block.links, start, key=_START)
                    last = bisect_left(block.links, end, key=_START)
                    part = Block("item", start, end, links=block.links[first:last])
                    closing = close if line_field else -1
                    field_text = text_line[field_start:stop]
                    edges = self._edges_from_links(
                        part, field_text, field.end() - field_start, field[1], closing
                    )
                    used.update(edge.start for edge in edges)
                    if line_field and edges and self.cut_edges:
                        edges[0].start = part.start
                        edges[0].end = part.end
                    self.blocks += edges
            line_start += len(text_line) + 1
        if not used:
            return block
        rest = [link for link in block.links if link.start not in used]
        return msgspec.structs.replace(block, kind="cell", links=tuple(rest))


def _add_edges_in_sentences(
    text: str, path: str, blocks: Sequence[Block], note_map: NoteMap
) -> Iterator[Block]:
    """The blocks, with an edge for each link after a connective, unless already stated."""
    escaped_connectives = map(re.escape, note_map.connectives)
    any_word = "|".join(word.replace(r"\-", "[ -]") for word in escaped_connectives)
    connective_pattern = re.compile(rf"\b({any_word})\s+[\"“*_]*\Z", re.IGNORECASE)
    edges = [block.edge for block in blocks if block.edge]
    stated_edges = {
        (_relation_and_direction(note_map, word), target) for word, target, _, _ in edges
    }
    for block in blocks:
        yield block
        ends: list[int] | None = None
        if block.kind == "heading" or block.quote != NO_QUOTE or _TO_DO.match(text, block.start):
            continue
        for link in block.links:
            start = max(block.start, link.start - _MAX_CONNECTIVE_CHARACTERS)
            connective = connective_pattern.search(text, start, link.start)
            target = find_target(link.destination, link.wiki, path) if connective else None
            if connective is None or target is None or target.startswith("#"):
                continue
            edge_key = (_relation_and_direction(note_map, connective[1]), target)
            if edge_key not in stated_edges:
                stated_edges.add(edge_key)
                if ends is None:
                    sentence_ends = _SENTENCE_END.finditer(text, block.start, block.end)
                    ends = [block.start, *(end.end() for end in sentence_ends), block.end]
                reason = _sentence_around(text, ends, connective.start(), link)
                edge = (connective[1], target, reason, None)
                yield Block("item", link.start, link.start, edge=edge)


def _relation_and_direction(note_map: NoteMap, word: str) -> tuple[str, bool]:
    return note_map.relation_of(word) or (word.casefold(), False)


def _sentence_around(text: str, ends: Sequence[int], connective_start: int, link: Link) -> str:
    """The sentence around a link, in a block whose sentences end at `ends`; if it begins with the
    link, only what follows. Empty if it is too long for a reason.
    """
    start = ends[bisect_right(ends, connective_start) - 1]
    end = ends[bisect_left(ends, link.end)]
    if end - start > _MAX_SENTENCE_CHARACTERS:
        return ""
    if mark := _MARK.match(text, start, connective_start):
        start = mark.end()
    opening = _OPENING.match(text, link.end, end)
    rest = text[opening.end() if opening else link.end : end]
    begins_with_link = not text[start:connective_start].strip('"“*_( ')
    sentence = rest if begins_with_link and rest.strip(". ") else text[start:end]
    return " ".join(sentence.split())


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
