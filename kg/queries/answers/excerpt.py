"""A part of a corpus as a corpus of its own."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from kg.corpus import Corpus
from kg.model import Edge


def excerpt(corpus: Corpus, ids: Iterable[str], edges: Collection[Edge]) -> Corpus:
    """The statements with these ids, these edges, what the edges link, and the cited sources.

    Lines and sources among the ids are kept too.
    """
    held = _with_undercut(corpus, edges)
    named = dict.fromkeys((*ids, *(end for edge in held for end in (edge.source, edge.target))))
    statements = {id: s for id, s in corpus.statements.items() if id in named}
    keys = {key for s in statements.values() for key in s.sources}
    lines = {id: line for id, line in corpus.lines.items() if id in named}
    camps = corpus.default_camps
    return replace(
        corpus,
        statements=statements,
        edges=tuple(sorted(held, key=lambda edge: (edge.span, edge.id))),
        sources={k: s for k, s in corpus.sources.items() if k in keys or k in named},
        lines=lines,
        mentions=(),
        aliases={},
        diagnostics=(),
        unresolved=(),
        duplicates=(),
        dead_links=(),
        meant=None,
        known_camps={id: camp for id, camp in camps.items() if id in statements},
    )


def _with_undercut(corpus: Corpus, edges: Collection[Edge]) -> list[Edge]:
    """The edges, and those that they undercut."""
    found = {edge.id: edge for edge in edges}
    waiting = list(edges)
    while waiting:
        denied = corpus.edge.get(waiting.pop().target)
        if denied is not None and denied.id not in found:
            found[denied.id] = denied
            waiting.append(denied)
    return list(found.values())
