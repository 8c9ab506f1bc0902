"""Translate what a user searches for into a query of SQLite's FTS5."""

from __future__ import annotations

import re
from collections.abc import Callable

from kg.model.errors import Misuse
from kg.text.questions import is_question

COLUMN_OF_FIELD = {"title": "title", "text": "body", "body": "body", "more": "more"}
COLUMN_OF_FIELD |= dict.fromkeys(("topic", "about", "author", "venue", "id", "year"), "more")
_PIECE = re.compile(
    r"""(?P<not>-)?(?:(?P<field>[A-Za-z]+):)?(?:"(?P<phrase>[^"]*)"|(?P<word>[^\s"]+))""",
    re.X,
)
LETTERS = re.compile(r"\w+", re.UNICODE)
Correct = Callable[[str], str]


# Words of one search: the time of a search grows with them, times the notes that hold them.
MAX_SEARCH_WORDS = 64


class NothingToSearch(Misuse):
    """A search has no word to look for."""


class TooManyWords(Misuse):
    """A search has more words than are looked for."""


def as_fts_query(text: str, correct: Correct = lambda word: word, *, any_word: bool = False) -> str:
    """An FTS5 query: words and phrases that must all occur, `OR`, `-not`, `word*`, `title:x`.

    With `any_word`, one of them is enough. Every word is quoted, so that nothing a user types is
    an FTS5 operator. Raises `NothingToSearch` if no word is left to look for.
    """
    alternatives: list[list[str]] = [[]]
    excluded_terms: list[str] = []
    for piece in _PIECE.finditer(text):
        if piece["word"] == "OR" and not piece["not"]:
            alternatives.append([])
            continue
        if term := _search_term(piece, correct):
            terms = excluded_terms if piece["not"] else alternatives[-1]
            terms.append(term)
    sides = [(" OR " if any_word else " AND ").join(terms) for terms in alternatives if terms]
    if not sides:
        raise NothingToSearch("there is no word to search for; try `kg search grounding`")
    query = " OR ".join(f"({side})" for side in sides)
    return f"({query}) NOT ({' OR '.join(excluded_terms)})" if excluded_terms else query


def is_only_words(text: str) -> bool:
    """Return whether a search is only words, so that partial matches may be useful too."""
    # what a question quotes may be worded otherwise in a note
    pieces = [*_PIECE.finditer(text.replace('"', " ") if is_question(text) else text)]
    return len(pieces) > 1 and all(map(_is_bare_word, pieces))


def _is_bare_word(piece: re.Match[str]) -> bool:
    word = piece["word"]
    if not word or piece["not"] or piece["field"]:
        return False
    return word != "OR" and not word.endswith("*")


def _search_term(piece: re.Match[str], correct: Correct) -> str:
    """Write one word or phrase; a word with punctuation inside, such as `self-play`, is a
    phrase.
    """
    column = COLUMN_OF_FIELD.get((piece["field"] or "").lower())
    text = piece["word"] or ""
    if piece["field"] and column is None:
        text = f"{piece['field']} {text}"
    if piece["phrase"] is not None:
        term = _quote_phrase(LETTERS.findall(piece["phrase"]))
    elif text.endswith("*"):
        term = _quote_phrase(LETTERS.findall(text))
        term = f"{term} *" if term else ""
    else:
        term = _quote_phrase([correct(word) for word in LETTERS.findall(text)])
    return f"{{{column}}} : {term}" if column and term else term


def _quote_phrase(words: list[str]) -> str:
    """Adjacent words as an FTS5 phrase."""
    return f'"{" ".join(words)}"' if words else ""
