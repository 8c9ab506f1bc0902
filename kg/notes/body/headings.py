"""The headings of a note as places that links lead to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import unquote

from kg.notes.corrections import NearMiss, find_intended
from kg.notes.markdown.blocks import Block, Link
from kg.notes.markdown.inline_syntax import WIKI_OR_MARKDOWN_LINK, heading_text, one_line
from kg.text.spelling import BoundedNameSearch

_COUNTED = re.compile(r"\d+\Z")
_ANCHOR = re.compile(r"\{#([\w-]+)[^{}\n]*\}|<[^<>]*\b(?:id|name)=[\"']([^\"'<>]+)")


def read_headings(text: str, blocks: Iterable[Block]) -> list[str]:
    """The words of every heading of a text, also in callouts, and all explicit anchors."""
    headings = []
    for block in blocks:
        if block.kind == "heading":
            words = heading_text(text[block.start : block.end])
            headings.append(one_line(_ANCHOR.sub("", words)))
    return headings + [anchor[1] or anchor[2] for anchor in _ANCHOR.finditer(text)]


class Headings:
    """The headings of a note as link targets, by their words or by an anchor made of them.

    Only letters and digits are compared, as programs make anchors in different ways.
    """

    def __init__(self, headings: Iterable[str]) -> None:
        self._by_letters = {_letters_of_heading(heading): heading for heading in headings}
        self._near = BoundedNameSearch(self._similar_heading, len(self._by_letters))

    def __contains__(self, anchor: str) -> bool:
        letters = _anchor_letters(anchor)
        return letters in self._by_letters or _COUNTED.sub("", letters) in self._by_letters

    def nearest(self, anchor: str) -> str | None:
        """The heading that an anchor most likely means; None if none is similar, or if too many
        have been looked up.
        """
        return next(iter(self._near.nearest(_anchor_letters(anchor)) or ()), None)

    def _similar_heading(self, letters: str) -> tuple[str, ...]:
        close = find_intended(letters, self._by_letters)
        return () if close is None else (self._by_letters[close],)


def find_missing_headings(
    text: str, blocks: Iterable[Block], links: Iterable[Link]
) -> Iterator[NearMiss]:
    """Links within a text, `#Heading`, whose heading does not exist."""
    headings = Headings(read_headings(text, blocks))
    for link in links:
        anchor = link.destination[1:]
        if anchor and anchor not in headings:
            message = f"this note has no heading `{anchor}`"
            close = headings.nearest(anchor)
            help = f"did you mean `[[#{close}]]`?" if close else ""
            old, new = (f"#{anchor}", f"#{close}") if close and link.wiki else ("", "")
            yield NearMiss("dead-link", message, help, link.start, old, new)


def _anchor_letters(anchor: str) -> str:
    return _letters_of_heading(unquote(anchor).rpartition("#")[2])


def _letters_of_heading(words: str) -> str:
    visible_words = WIKI_OR_MARKDOWN_LINK.sub(
        lambda link: link["words"] or link["name"] or link["text"] or "", words
    )
    return "".join(re.findall(r"[^\W_]+", visible_words.casefold()))
