"""What a note says, bare of its markup: for search, where nobody should read brackets."""

from __future__ import annotations

import re

# Patterns begin with one literal, which lets `re` skip to the next of them.
_BRACKETS = re.compile(
    r"""
    \[(?: \[(?P<note>[^\]|\n#]*)[^\]|\n]*(?:\|(?P<said>[^\]\n]+))?\]\]  # a link to a note
        | (?:[^\]\[\n]*[\s;])?-?@[^\]\n]+\]                            # a citation
        | \^[^\]\n]+\]:?                                               # a footnote
        | (?P<words>[^\]\n]*)\]\([^)\n]*\)                             # a link
    )""",
    re.VERBOSE,
)
_FIELD = re.compile(r"\(\w[\w-]*::[ ]?([^)\n]*)\)")
_LINE = re.compile(
    r"\n[ \t]*(?:(?:>|\#{1,6}[ ]|[-*+][ ]|\d+[.)][ ]|```\S*|\[!\w+\][+-]?)[ \t]*)+(?:[\w-]+::[ ])?"
)
_BLOCK = re.compile(r"\^[\w-]+[ \t]*(?=\n|\Z)")
_STRESS = re.compile(r"(?<!\w)_+(?=\w)|(?<=\w)_+(?!\w)")


def as_bare(text: str) -> str:
    """`text` in one line: links as their words, citations and marks left out."""
    text = _LINE.sub("\n", f"\n{text}")
    if "::" in text:
        text = _FIELD.sub(r"\1", text)
    if "[" in text:
        text = _BRACKETS.sub(_words, text.replace("![", "["))
    if "^" in text:
        text = _BLOCK.sub("", text)
    if "_" in text:
        text = _STRESS.sub("", text)
    text = " ".join(text.replace("*", "").replace("`", "").split())
    return text.replace(" .", ".").replace(" ,", ",").replace(" ;", ";").replace(" :", ":")


def _words(found: re.Match[str]) -> str:
    if found["said"] is not None:
        return found["said"]
    if found["note"]:
        return found["note"].replace("-", " ")
    return found["words"] or ""
