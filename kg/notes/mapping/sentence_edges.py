"""Make edges of links behind a connective, such as “because”, with the sentence as the reason."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from kg.model.settings.note_map import NoteMap
from kg.notes.body.relation_items import LIST_MARK, TO_DO
from kg.notes.markdown.blocks import NO_QUOTE, Block, Link
from kg.notes.markdown.inline_syntax import find_target
from kg.text.sentences import sentence_starts

_OPENING = re.compile(r"[\s\"”*_]*[,;:]?\s*")
_MAX_CONNECTIVE_CHARACTERS = 60  # between a connective's start and the link
_MAX_SENTENCE_CHARACTERS = 2_000  # a longer sentence is no reason


def add_edges_in_sentences(
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
        if block.kind == "heading" or block.quote != NO_QUOTE or TO_DO.match(text, block.start):
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
                    starts = sentence_starts(text, block.start, block.end)
                    ends = [block.start, *starts, block.end]
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
    if mark := LIST_MARK.match(text, start, connective_start):
        start = mark.end()
    opening = _OPENING.match(text, link.end, end)
    rest = text[opening.end() if opening else link.end : end]
    begins_with_link = not text[start:connective_start].strip('"“*_( ')
    sentence = rest if begins_with_link and rest.strip(". ") else text[start:end]
    return " ".join(sentence.split())
