"""The corpus taken apart again by note, each part the content of one named graph."""

from __future__ import annotations

from typing import NamedTuple

from kg.corpus import Corpus
from kg.model import Edge, InquiryLine, Mention, Source, Span, Statement


class Part(NamedTuple):
    """What one note contributes: the content of its graph."""

    path: str
    statements: list[Statement]
    lines: list[InquiryLine]
    sources: list[Source]
    edges: list[Edge]
    mentions: list[Mention]
    names: list[tuple[str, str]]
    """Names by which links find what the note holds, beyond its aliases: (name, id)."""


def parts(corpus: Corpus) -> list[Part]:
    """The corpus taken apart again by note, in the order of their paths."""
    found: dict[str, Part] = {}

    def part(span: Span) -> Part:
        if span.path not in found:
            found[span.path] = Part(span.path, [], [], [], [], [], [])
        return found[span.path]

    for statement in corpus.statements.values():
        part(statement.span).statements.append(statement)
    for line in corpus.lines.values():
        part(line.span).lines.append(line)
    for source in corpus.sources.values():
        part(source.span).sources.append(source)
    for edge in corpus.edges:
        part(edge.span).edges.append(edge)
    for mention in corpus.mentions:
        part(mention.span).mentions.append(mention)
    for name, id in corpus.aliases.items():
        if (thing := _thing(corpus, id)) is not None and name not in thing.aliases:
            part(thing.span).names.append((name, id))
    for one in found.values():
        one.statements.sort(key=lambda statement: (statement.span, statement.id))
        one.edges.sort(key=lambda edge: (edge.span, edge.id))
        one.mentions.sort(key=lambda mention: (mention.span, mention.origin))
        one.names.sort()
    return [found[path] for path in sorted(found)]


def _thing(corpus: Corpus, id: str) -> Statement | InquiryLine | Source | None:
    return corpus.statements.get(id) or corpus.lines.get(id) or corpus.sources.get(id)
