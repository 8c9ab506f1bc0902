"""Citations and quotations of a corpus, what is almost one, and whether words are quoted right."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from kg.checks.note_places import place_of_key
from kg.corpus import Corpus
from kg.model import Citation, Quotation, Span
from kg.notes.markdown.body_parts import QUOTING_CALLOUTS
from kg.notes.markdown.inline_syntax import CITATION, find_citations, one_line

_BARE_CITATION = re.compile(r"(?<![\w@/.-])(?:@|\[(?=[^\[\]@]+\](?![(\[:])))(\w[\w:-]*)")
_NAMED_IN_LINK = re.compile(r"\[\[[^\[\]@\n]+@[^\[\]\n]*\]\]")  # the name of a note
_SQUARE_CITATION = re.compile(r"\[\w[\w:-]*\](?![(\[:\]])")


def find_bare_citations(corpus: Corpus, body: str, cited: Sequence[Citation]) -> Iterator[str]:
    """Keys of sources written as `@key` or `[key]`, which cite nothing."""
    suspicious = _SQUARE_CITATION.search(body) or "; " in body
    if body.count("@") <= len(cited) and not suspicious:
        return  # the common case: every `@` is in a citation
    known = {citation.key for citation in cited}
    for match in _BARE_CITATION.finditer(
        CITATION.sub(_keys_without_sign, _NAMED_IN_LINK.sub("", body))
    ):
        if match[1] in corpus.sources and match[1] not in known:
            known.add(match[1])
            yield match[1]


def _keys_without_sign(citation: re.Match[str]) -> str:
    """The parts of a citation without `@`, as bare citations: `[b]` for `[@a; b]`."""
    parts = (part.strip() for part in citation[1].split(";"))
    return " ".join(f"[{part}]" for part in parts if re.fullmatch(r"\w[\w:-]*", part))


def list_citations(corpus: Corpus) -> Iterator[Citation]:
    """All citations, in the order of the notes."""
    for statement in corpus.statements.values():
        yield from statement.citations
    for line in corpus.lines.values():
        yield from line.citations


_FEWEST_WORDS = 4  # fewer may be a term, or scare quotes
_BRACKETED_CITATION = r"(?P<cited>\[[^\[\]@]*+@[^\[\]]*+\])"
_INLINE = re.compile(
    r"[“„\"«](?P<words>[^“”„\"«»\[\]]*(?:\[[^\[\]@]*\][^“”„\"«»\[\]]*)*)[”“\"»]"
    rf"[,;.]?\s*{_BRACKETED_CITATION}"
)
# If the first mark or line begins no quotation, none before the end of its words or lines does:
# the pattern consumes them, or each would be scanned to that end again.
_SINGLE_WORDS = r"[^‘\[\]]*(?:\[[^\[\]@]*\][^‘\[\]]*)*"
_SINGLE = re.compile(
    rf"(?<![\w’'])[‘'](?:(?P<words>{_SINGLE_WORDS})[’'][,;.]?\s*{_BRACKETED_CITATION}|{_SINGLE_WORDS})"
)
_LINES_ABOVE = r">[^\n]*(?:\n>[^\n]*)*"
_ABOVE = re.compile(
    rf"(?:(?<=\n)|\A)(?:(?P<words>{_LINES_ABOVE})\n\s*+[—–-]*+\s*+"
    rf"{_BRACKETED_CITATION}\.?[ \t]*(?=\n\s*\n|\s*\Z)|{_LINES_ABOVE})"
)
_PATTERNS = (('“„"«', _INLINE), ("‘'", _SINGLE), (">", _ABOVE))
"""Each pattern for quotations, with the characters that may begin one."""
_MARKS = re.compile(r"^>[ \t]?", re.MULTILINE)
_LEFT_OUT = re.compile(r"\[[^\[\]]*\]|…|\.\.\.")
_HEAD = re.compile(rf"\[!(?:{'|'.join(QUOTING_CALLOUTS)})\][^\n]*\n", re.IGNORECASE)
_UNCOMPARED = re.compile(r"[-\u2010\u2011\u00ad\s\"'“”‘’«»`*_]")


def find_quotations(corpus: Corpus) -> Iterator[Quotation]:
    """Every quotation: block quotes that end in a citation, and those that `find_quoted` finds."""
    for statement in corpus.statements.values():
        yield from statement.quotations
        yield from _quotations_in_text(corpus, statement.body, statement.span, statement.citations)
    for line in corpus.lines.values():
        yield from line.quotations
        text = f"{line.standfirst}\n\n{line.essay}"
        yield from _quotations_in_text(corpus, text, line.span, line.citations)


def _quotations_in_text(
    corpus: Corpus, text: str, begin: Span, citations: tuple[Citation, ...]
) -> Iterator[Quotation]:
    if not any(cited.key in corpus.sources for cited in citations):
        return
    for key, words in find_quoted(text):
        source = corpus.sources.get(corpus.aliases.get(key, key))
        if source is not None and source.snapshot:
            yield Quotation(
                text=words, key=source.key, span=_place_of_first_words(corpus, begin, words.split())
            )


def _place_of_first_words(corpus: Corpus, begin: Span, words: list[str]) -> Span:
    """The place of the first words, as many of them as are on one line."""
    for number in (8, 4, 2, 1):
        place = place_of_key(corpus, begin, " ".join(words[:number]))
        if place != begin:
            return place
    return begin


def find_quoted(text: str) -> Iterator[tuple[str, str]]:
    """Key and words of each quotation before a citation, or in a block quote above one."""
    if "[" not in text or "@" not in text:
        return
    for signs, pattern in _PATTERNS:
        if not any(sign in text for sign in signs):
            continue
        for match in pattern.finditer(text):
            if match["cited"] is None:
                continue
            words = one_line(_HEAD.sub("", _MARKS.sub("", match["words"])))
            cited = find_citations(match["cited"])
            if cited and len(words.split()) >= _FEWEST_WORDS and not words.startswith("[!"):
                yield cited[0].key, words


def fold_quoted(text: str) -> str:
    """`text` in the form used for comparison: lower case, without quotes, hyphens or spaces."""
    return _UNCOMPARED.sub("", unicodedata.normalize("NFKC", text).casefold())


def is_quoted_from(quoted: str, text: str) -> bool:
    """Whether the pieces of a quotation occur in this order in a folded text."""
    at = 0
    for piece in _LEFT_OUT.split(quoted):
        words = fold_quoted(piece).strip(" .,;:")
        at = text.find(words, at)
        if at < 0:
            return False
        at += len(words)
    return True
