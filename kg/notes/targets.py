"""What to write where an edge has words in place of a target."""

from __future__ import annotations

import re

_NAME = re.compile(r"[\\`<]*(?:\\?\[)*([\w-]+)(?:\.md)?(?:\\?\])*[\\`>]*(?:\s*$|\s+(?:—|–|-))")
_SLIP_OF_LINK = re.compile(
    r"(?P<embedded>!\[\[)|(?P<outside>\]\((?:https?:|www\.|mailto:))|(?P<open>\]\([^()]*$)"
    r"|(?P<empty>\[\[\s*\]\])|(?P<apart>\][ ]\()"
    r"|(?P<file>\]\([^()]*?(?P<stem>[^()/\\]+?)(?:\.(?:md|html?))?(?:#[^()]*)?\))",
    re.IGNORECASE,
)
_HELP_WITH_LINK = {
    "embedded": "write the link without `!`",
    "outside": "an edge leads to a note; cite what stands elsewhere as `[@key]`",
    "open": "close the link with `)`",
    "empty": "write a note's id between the brackets",
    "apart": "write the link without a space: `[words](note.md)`",
}


def help_with_target(relation: str, words: str) -> str:
    """How to turn the words behind `relation::` into a target."""
    named = _NAME.match(words)
    if named is None and (slip := _SLIP_OF_LINK.search(words)):
        if slip["file"]:
            return f"write `[[{slip['stem'].strip()}]]`, or the path from this note: `[…](….md)`"
        return _HELP_WITH_LINK[slip.lastgroup or ""]
    return f"write `- {relation}:: [[{named[1] if named else 'id'}]] — reason`"
