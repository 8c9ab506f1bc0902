"""One inquiry line as an answer: who argues what, and where they meet."""

from __future__ import annotations

from kg.corpus import Corpus
from kg.model import SIDES, CampPlacement, Edge, InquiryLine, Relation, SourceKey, Value
from kg.model.value import render_short

CLASHING = frozenset(relation for relation, sign in SIDES.items() if sign < 0)


class LineView(Value, frozen=True):
    """A line's camps, the edges by which they oppose each other, and the sources beneath."""

    line: InquiryLine
    camps: dict[str, tuple[CampPlacement, ...]]
    clashes: tuple[Edge, ...]
    sources: tuple[SourceKey, ...]

    def __repr__(self) -> str:
        camps = ", ".join(f"{len(placed)} {camp}" for camp, placed in self.camps.items())
        held = f"{camps}; clashes: {len(self.clashes)}; sources: {len(self.sources)}"
        return render_short("line view", self.line.id, held)


def view_line(corpus: Corpus, name: str) -> LineView:
    """The line called `name`, camp by camp. Raises `UnknownId`."""
    line = corpus.line(name)
    camps = {
        camp: tuple(place for place in line.placements if place.camp == camp)
        for camp in corpus.config.camp_ids
    }
    return LineView(
        line=line, camps=camps, clashes=_clashes(corpus, line), sources=_sources(corpus, line)
    )


def _clashes(corpus: Corpus, line: InquiryLine) -> tuple[Edge, ...]:
    """Edges by which a statement of one camp opposes one of another."""
    camp = {place.statement: place.camp for place in line.placements}
    return tuple(
        edge
        for id in camp
        for edge in corpus.edges_from.get(id, ())
        if edge.relation in CLASHING and camp.get(edge.target) not in (None, camp[id])
    )


def _sources(corpus: Corpus, line: InquiryLine) -> tuple[SourceKey, ...]:
    """Sources that the essay, the placed statements and their direct support rest on, each once."""
    keys: dict[SourceKey, None] = dict.fromkeys(citation.key for citation in line.citations)
    for place in line.placements:
        keys.update(dict.fromkeys(corpus.statements[place.statement].sources))
        for edge in corpus.edges_to.get(place.statement, ()):
            if edge.relation is Relation.SUPPORTS:
                keys.update(dict.fromkeys(corpus.statements[edge.source].sources))
    return tuple(key for key in keys if key in corpus.sources)
