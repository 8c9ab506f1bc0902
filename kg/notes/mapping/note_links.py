"""Rewrite links of other programs into forms that kg reads, without moving any offset."""

from __future__ import annotations

import re

from kg.notes.markdown.inline_syntax import CITATION_KEY

_NAME = r"[^\[\]\n]"
_ODD_LINK = re.compile(
    rf"""
      ```.*?```|`[^`\n]*`
    | \[\[@(?P<key>{CITATION_KEY.pattern})(?:\|{_NAME}*)?\]\]
    | \[\[(?P<nested>(?={_NAME}*\[\[)(?:{_NAME}|\[\[{_NAME}*\]\])+)\]\]
    """,
    re.VERBOSE | re.DOTALL,
)
_PLAIN_KEY = re.compile(rf"\[@({CITATION_KEY.pattern})\s+\]")
_PLAIN_NAME = re.compile(rf"\[\[({_NAME}*?)[ ]+\]\]")
_BRACKETS = re.compile(r"\[\[|\]\]")


def simplify_links(text: str) -> str:
    """`[[@key]]` as a citation, and a link with links in its name, `[[[[CLM]] - x]]`, without them.

    Each keeps its length, so that other offsets do not move.
    """
    if "[[@" not in text and "[[[[" not in text:
        return text
    return _ODD_LINK.sub(_drop_nesting, text)


def _drop_nesting(match: re.Match[str]) -> str:
    length = len(match[0])
    if match["key"]:
        return f"[@{match['key']}".ljust(length - 1) + "]"
    if match["nested"]:
        return f"[[{without_brackets(match['nested'])}".ljust(length - 2) + "]]"
    return match[0]


def without_brackets(words: str) -> str:
    """`[[EVD]] - it holds` as `EVD - it holds`."""
    return _BRACKETS.sub("", words)


def restore_links(text: str) -> str:
    """Undo `simplify_links`: turn citations back into `[[@key]]`."""
    if "@" not in text and " ]]" not in text:
        return text
    return _PLAIN_NAME.sub(r"[[\1]]", _PLAIN_KEY.sub(r"[[@\1]]", text))
