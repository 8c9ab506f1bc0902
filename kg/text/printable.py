"""Text without control and hidden characters, which a terminal would interpret."""

from __future__ import annotations

import re
from collections.abc import Callable

# Joiners and non-joiners, which Persian and many emoji need, but only between two letters.
_LETTER = "[^\x00-\xbf\u2000-\u206f\ufeff]"
_JOINER = re.compile(f"(?<={_LETTER})[\u200c\u200d](?={_LETTER})")
_SPACE_FOR_LINE_BREAK = str.maketrans(dict.fromkeys("\n\v\f\r\x1c\x1d\x1e\x85\u2028\u2029", " "))


def printable(text: str) -> str:
    """`text` without control characters, which a terminal would interpret."""
    return replace_unprintable(text, lambda sign: " " if sign.isspace() else "�")


def printable_lines(text: str) -> str:
    """`printable` applied line by line: line breaks are kept."""
    return "\n".join(map(printable, text.split("\n")))


def replace_unprintable(text: str, replacement: Callable[[str], str]) -> str:
    """`text` with `replacement(sign)` for every control or hidden character."""
    if text.isprintable():  # the usual case
        return text
    joiners = {match.start() for match in _JOINER.finditer(text)}
    signs = enumerate(text)
    return "".join(
        sign if sign.isprintable() or index in joiners else replacement(sign)
        for index, sign in signs
    )


def without_line_breaks(name: str) -> str:
    """A name on one line, each line break a space, as every answer shows it."""
    return name.translate(_SPACE_FOR_LINE_BREAK)
