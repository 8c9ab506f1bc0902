"""Citations that are not written as such: a known key without its brackets or its sign."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.corpus import Corpus
from kg.model import Statement
from kg.notes.inline import CITATION

_BARE = re.compile(r"(?<![\w@/.-])(?:@|\[(?=[^\[\]@]+\](?![(\[:])))(\w[\w:-]*)")

_SQUARE = re.compile(r"\[\w[\w:-]*\](?![(\[:\]])")


def find_bare_citations(corpus: Corpus, statement: Statement) -> Iterator[str]:
    """Keys of sources that a statement's text names, as `@key` or `[key]`, without citing them."""
    body = statement.body
    if body.count("@") <= len(statement.citations) and not _SQUARE.search(body):
        return  # nearly all: each sign stands in a citation
    cited = set(statement.sources)
    for found in _BARE.finditer(CITATION.sub("", body)):
        if found[1] in corpus.sources and found[1] not in cited:
            cited.add(found[1])
            yield found[1]
