"""What people type into a search box, as an FTS5 query that cannot be anything else."""

from __future__ import annotations

import re
from collections.abc import Callable

from kg.queries.misuse import Misuse

FIELDS = {"title": "title", "text": "body", "body": "body", "more": "more"}
FIELDS |= dict.fromkeys(("topic", "about", "author", "venue", "id", "year"), "more")
_PIECE = re.compile(
    r"""\s*(?P<not>-)?(?:(?P<field>[A-Za-z]+):)?(?:"(?P<phrase>[^"]*)"|(?P<word>[^\s"]+))""",
    re.X,
)
_LETTERS = re.compile(r"\w+", re.UNICODE)
Correct = Callable[[str], str]


class NothingToSearch(Misuse):
    """A search without a word to look for."""


def match_query(text: str, correct: Correct = lambda word: word) -> str:
    """An FTS5 query: words and phrases that must all be there, `OR`, `-not`, `word*`, `title:x`.

    Every word goes in quoted, so that nothing a user types is an operator. Raises
    `NothingToSearch` where no word is left to look for.
    """
    wanted: list[list[str]] = [[]]
    unwanted: list[str] = []
    for found in _PIECE.finditer(text):
        if found["word"] == "OR" and not found["not"]:
            wanted.append([])
            continue
        term = _term(found, correct)
        if term:
            (unwanted if found["not"] else wanted[-1]).append(term)
    sides = [" AND ".join(terms) for terms in wanted if terms]
    if not sides:
        raise NothingToSearch("there is no word to search for; try `kg search grounding`")
    query = " OR ".join(f"({side})" for side in sides)
    return f"({query}) NOT ({' OR '.join(unwanted)})" if unwanted else query


def _term(found: re.Match[str], correct: Correct) -> str:
    """One word or phrase; a word with a mark inside, such as `self-play`, is a phrase."""
    column, text = FIELDS.get((found["field"] or "").lower()), found["word"] or ""
    if found["field"] and column is None:
        text = f"{found['field']} {text}"
    if found["phrase"] is not None:
        term = _quoted(_LETTERS.findall(found["phrase"]))
    elif text.endswith("*"):
        term = _quoted(_LETTERS.findall(text))
        term = f"{term} *" if term else ""
    else:
        term = _quoted([correct(word) for word in _LETTERS.findall(text)])
    return f"{{{column}}} : {term}" if column and term else term


def _quoted(words: list[str]) -> str:
    """Words next to each other, as FTS5 writes a phrase."""
    return f'"{" ".join(words)}"' if words else ""
