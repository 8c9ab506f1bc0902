"""Citations and quotations of a corpus, what is almost one, and whether words are quoted right."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from kg.checks.note_places import place_of_key
from kg.corpus import Corpus
from kg.model import Citation, Quotation, Span
from kg.notes.body import QUOTING_CALLOUTS
from kg.notes.markdown import CITATION_GROUP, find_citations, one_line

_BARE_CITATION = re.compile(r"(?<![\w@/.-])(?:@|\[(?=[^\[\]@]+\](?![(\[:])))(\w[\w:-]*)")
_NAMED_IN_LINK = re.compile(r"\[\[[^\[\]@\n]+@[^\[\]\n]*\]\]")  # the name of a note
_SQUARE_CITATION = re.compile(r"\[\w[\w:-]*\](?![(\[:\]])")
_MIN_WORDS = 4  # fewer may be a term, or scare quotes
_MOST_FIRST_WORDS = 8  # by which the place of a quotation is looked for
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
# Each pattern for quotations, with the characters that may begin one.
_PATTERNS = (('“„"«', _INLINE), ("‘'", _SINGLE), (">", _ABOVE))
_MARKS = re.compile(r"^>[ \t]?", re.MULTILINE)
_LEFT_OUT = re.compile(r"\[[^\[\]]*\]|…|\.\.\.")
_HEAD = re.compile(rf"\[!(?:{'|'.join(QUOTING_CALLOUTS)})\][^\n]*\n", re.IGNORECASE)
_UNCOMPARED = re.compile(r"[-\u2010\u2011\u00ad\s\"'“”‘’«»`*_]")


def find_bare_citations(corpus: Corpus, body: str, citations: Sequence[Citation]) -> Iterator[str]:
    """Keys of sources written as `@key` or `[key]`, which cite nothing."""
    may_hold_bare_key = _SQUARE_CITATION.search(body) or "; " in body
    if body.count("@") <= len(citations) and not may_hold_bare_key:
        return  # the common case: every `@` is in a citation
    seen_keys = {citation.key for citation in citations}
    for match in _BARE_CITATION.finditer(
        CITATION_GROUP.sub(_keys_without_sign, _NAMED_IN_LINK.sub("", body))
    ):
        if match[1] in corpus.sources and match[1] not in seen_keys:
            seen_keys.add(match[1])
            yield match[1]


def _keys_without_sign(citation: re.Match[str]) -> str:
    """The parts of a citation without `@`, as bare citations: `[b]` for `[@a; b]`."""
    parts = (part.strip() for part in citation[1].split(";"))
    return " ".join(f"[{part}]" for part in parts if re.fullmatch(r"\w[\w:-]*", part))


def list_citations(corpus: Corpus) -> Iterator[Citation]:
    """Yield all citations, in the order of the notes."""
    for statement in corpus.statements.values():
        yield from statement.citations
    for line in corpus.lines.values():
        yield from line.citations


def find_quotations(corpus: Corpus) -> Iterator[Quotation]:
    """Yield every quotation: block quotes that end in a citation, and what `find_quoted_words`
    finds.
    """
    for statement in corpus.statements.values():
        yield from statement.quotations
        yield from _quotations_in_text(corpus, statement.body, statement.span, statement.citations)
    for line in corpus.lines.values():
        yield from line.quotations
        text = f"{line.standfirst}\n\n{line.essay}"
        yield from _quotations_in_text(corpus, text, line.span, line.citations)


def _quotations_in_text(
    corpus: Corpus, text: str, start: Span, citations: tuple[Citation, ...]
) -> Iterator[Quotation]:
    if not any(citation.key in corpus.sources for citation in citations):
        return
    for key, words in find_quoted_words(text):
        source = corpus.sources.get(corpus.aliases.get(key, key))
        if source is not None and source.snapshot:
            yield Quotation(
                text=words, key=source.key, span=_place_of_first_words(corpus, start, words.split())
            )


def _place_of_first_words(corpus: Corpus, start: Span, words: list[str]) -> Span:
    """The place of the first words, as many of them as are on one line."""
    for number in range(min(_MOST_FIRST_WORDS, len(words)), 0, -1):
        span = place_of_key(corpus, start, " ".join(words[:number]))
        if span != start:
            return span
    return start


def find_quoted_words(text: str) -> Iterator[tuple[str, str]]:
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
            citations = find_citations(match["cited"])
            if citations and len(words.split()) >= _MIN_WORDS and not words.startswith("[!"):
                yield citations[0].key, words


def fold_quotation(text: str) -> str:
    """`text` in the form used for comparison: lower case, without quotes, hyphens or spaces."""
    return _UNCOMPARED.sub("", unicodedata.normalize("NFKC", text).casefold())


def is_quoted_from(quotation: str, text: str) -> bool:
    """Return whether the pieces of a quotation occur in this order in a folded text."""
    offset = 0
    for piece in _LEFT_OUT.split(quotation):
        words = fold_quotation(piece).strip(" .,;:")
        offset = text.find(words, offset)
        if offset < 0:
            return False
        offset += len(words)
    return True
