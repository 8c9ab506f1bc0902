"""Citations of a corpus, and what is almost one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kg.corpus import Corpus
from kg.model import Citation
from kg.notes.markdown.inline import CITATION

_BARE_CITATION = re.compile(r"(?<![\w@/.-])(?:@|\[(?=[^\[\]@]+\](?![(\[:])))(\w[\w:-]*)")
_NAMED_IN_LINK = re.compile(r"\[\[[^\[\]@\n]+@[^\[\]\n]*\]\]")  # a note is called so
_SQUARE_CITATION = re.compile(r"\[\w[\w:-]*\](?![(\[:\]])")


def find_bare_citations(corpus: Corpus, body: str, cited: Sequence[Citation]) -> Iterator[str]:
    """Keys of sources that a text names, as `@key` or `[key]`, without citing them."""
    suspicious = _SQUARE_CITATION.search(body) or "; " in body
    if body.count("@") <= len(cited) and not suspicious:
        return  # nearly all: each sign stands in a citation
    known = {citation.key for citation in cited}
    for found in _BARE_CITATION.finditer(
        CITATION.sub(_keys_without_sign, _NAMED_IN_LINK.sub("", body))
    ):
        if found[1] in corpus.sources and found[1] not in known:
            known.add(found[1])
            yield found[1]


def _keys_without_sign(citation: re.Match[str]) -> str:
    """The parts of a citation that hold a word alone, as bare citations: `[@a; b]`."""
    parts = (part.strip() for part in citation[1].split(";"))
    return " ".join(f"[{part}]" for part in parts if re.fullmatch(r"\w[\w:-]*", part))


def list_citations(corpus: Corpus) -> Iterator[Citation]:
    """All citations, in the order of the notes."""
    for statement in corpus.statements.values():
        yield from statement.citations
    for line in corpus.lines.values():
        yield from line.citations
