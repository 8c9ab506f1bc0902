"""A corpus without its drafts: what `status: draft` keeps from verdicts, exports and the site."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable
from dataclasses import replace

from msgspec.structs import replace as changed

from kg.corpus.corpus import Corpus
from kg.model import Edge, InquiryLine, Statement, Status


def find_drafts(corpus: Corpus) -> dict[str, Statement | InquiryLine]:
    """Every draft by its id: what says so of itself, and all statements within it."""
    found: dict[str, Statement | InquiryLine] = {
        id: line for id, line in corpus.lines.items() if line.status is Status.DRAFT
    }
    for id, statement in corpus.statements.items():  # a parent stands before what is in it
        around = (statement.parent, statement.note)
        if statement.status is Status.DRAFT or any(name in found for name in around):
            found[id] = statement
    return found


def without_drafts(corpus: Corpus) -> Corpus:
    """The corpus as if its drafts, and all that leads to or from them, had not been written.

    Its `drafts` are what the ones left out are called, so that a link to one is known.
    """
    gone = find_drafts(corpus)
    if not gone:
        return replace(corpus, drafts={})
    paths = {draft.span.path for id, draft in gone.items() if "#" not in id}
    edges = _left_edges(corpus.edges, gone)
    unmade = gone.keys() | ({edge.id for edge in corpus.edges} - {edge.id for edge in edges})
    return replace(
        corpus,
        statements={id: s for id, s in corpus.statements.items() if id not in gone},
        edges=edges,
        lines={id: _left_line(line, gone) for id, line in corpus.lines.items() if id not in gone},
        mentions=tuple(
            m for m in corpus.mentions if m.origin not in gone and m.target not in unmade
        ),
        aliases={name: id for name, id in corpus.aliases.items() if id not in gone},
        diagnostics=tuple(d for d in corpus.diagnostics if d.span.path not in paths),
        unresolved=tuple(u for u in corpus.unresolved if u.edge.source not in gone),
        duplicates=tuple(d for d in corpus.duplicates if d.span.path not in paths),
        dead_links=tuple(m for m in corpus.dead_links if m.origin not in gone),
        loose_links=tuple(m for m in corpus.loose_links if m.origin not in gone),
        files=tuple(link for link in corpus.files if link.origin not in gone),
        best_guess=None,
        drafts={id: id for id in gone}
        | {name: id for name, id in corpus.aliases.items() if id in gone}
        | {f"/{draft.span.path}": id for id, draft in gone.items() if "#" not in id},
    )


def _left_edges(edges: Iterable[Edge], gone: Container[str]) -> tuple[Edge, ...]:
    """Edges between what is left; one that leads to an edge goes with it."""
    leading: defaultdict[str, list[Edge]] = defaultdict(list)
    for edge in edges:
        leading[edge.target].append(edge)
    waiting = [e for e in edges if any(id in gone for id in (e.source, e.target, *e.together))]
    lost: set[str] = set()
    while waiting:
        edge = waiting.pop()
        if edge.id not in lost:
            lost.add(edge.id)
            waiting += leading[edge.id]
    return tuple(edge for edge in edges if edge.id not in lost)


def _left_line(line: InquiryLine, gone: Container[str]) -> InquiryLine:
    return changed(
        line,
        proposition=None if line.proposition in gone else line.proposition,
        placements=tuple(p for p in line.placements if p.statement not in gone),
        next=tuple(step for step in line.next if step.target not in gone),
    )
