"""Text without control and hidden characters, which a terminal would interpret."""

from __future__ import annotations

import re
from collections.abc import Callable

# Joiners and non-joiners, which Persian and many emoji need, but only between two letters.
_LETTER = "[^\x00-\xbf\u2000-\u206f\ufeff]"


_JOINER = re.compile(f"(?<={_LETTER})[\u200c\u200d](?={_LETTER})")


def printable(text: str) -> str:
    """`text` without control characters, which a terminal would interpret."""
    return replace_unprintable(text, lambda sign: " " if sign.isspace() else "�")


def printable_lines(text: str) -> str:
    """`printable` applied line by line: line breaks are kept."""
    return "\n".join(map(printable, text.split("\n")))


def replace_unprintable(text: str, instead: Callable[[str], str]) -> str:
    """`text` with `instead(sign)` for every control or hidden character."""
    if text.isprintable():  # the usual case
        return text
    joiners = {match.start() for match in _JOINER.finditer(text)}
    signs = enumerate(text)
    return "".join(s if s.isprintable() or at in joiners else instead(s) for at, s in signs)
