"""Parse the terms of a glossary from its list items: `- **term**, **another name**: meaning`."""

from __future__ import annotations

import re

from kg.model import Span
from kg.model.glossary_term import GlossaryTerm

_ITEM = re.compile(r"[-*+] +(?=\S)")
_ENTRY = re.compile(r"((?:\*\*[^*]+\*\*(?:, )?)+) ?[:—–] (.*)")
TERM_NAME = re.compile(r"\*\*([^*]+)\*\*")
_FENCE = ("```", "~~~")


def parse_glossary(
    text: str, path: str, first_line: int
) -> tuple[tuple[GlossaryTerm, ...], tuple[Span, ...]]:
    """The terms that list items define, each with the heading above it, and the places of other
    items. The colon may be inside the bold.
    """
    terms: list[GlossaryTerm] = []
    unread_items: list[Span] = []
    group, fence = "", ""  # a fence ends only at its own kind of mark
    item: list[str] = []
    item_line = first_line

    def close() -> None:
        if not item:
            return
        # one space between words: with more, the pattern would backtrack over every split
        item_text = " ".join(" ".join(item).split())
        match = _ENTRY.fullmatch(_ITEM.sub("", item_text, count=1).replace(":** ", "**: ", 1))
        span = Span(path, item_line)
        if match:
            names = tuple(name.strip() for name in TERM_NAME.findall(match[1]))
            terms.append(GlossaryTerm(names=names, text=match[2].strip(), span=span, group=group))
        else:
            unread_items.append(span)
        item.clear()

    for number, text_line in enumerate(text.split("\n"), first_line):
        mark = text_line.lstrip()[:3]
        if fence or mark in _FENCE:
            close()
            if not fence:
                fence = mark  # a code block begins
            elif mark == fence:
                fence = ""  # and ends with the mark that it began with
            continue
        if _ITEM.match(text_line):
            close()
            item = [text_line.strip()]
            item_line = number
        elif item and text_line.startswith((" ", "\t")) and text_line.strip():
            item.append(text_line.strip())
        else:
            close()
            if text_line.startswith("#"):
                group = text_line.strip("# ").strip()
    close()
    return tuple(terms), tuple(unread_items)
