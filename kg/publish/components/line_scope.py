"""How far an inquiry line reaches: what every page counts as its statements and sources."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from kg.corpus import Corpus
from kg.corpus.corpus import opposing_edges
from kg.model import InquiryLine, Kind
from kg.publish.components.reasons import edges_for, other_end
from kg.publish.markup.words import count_of


@dataclass(frozen=True)
class LineScope:
    """What belongs to a line, from the inside out."""

    corpus: Corpus
    line: InquiryLine

    @cached_property
    def members(self) -> list[str]:
        """Its proposition, the statements it places in camps, then those its essay links to."""
        corpus, line = self.corpus, self.line
        linked = [
            mention.target
            for mention in corpus.mentions_from.get(line.id, ())
            if mention.target in corpus.statements
        ]
        asked = [line.proposition] if line.proposition else []
        return list(dict.fromkeys([*asked, *(p.statement for p in line.placements), *linked]))

    @cached_property
    def near(self) -> list[str]:
        """Its members, and the statements that speak directly for or against one of them."""
        corpus = self.corpus
        speaking = [
            other_end(edge, id)
            for id in self.members
            for edge in (*edges_for(corpus, id), *opposing_edges(corpus, id))
        ]
        return list(dict.fromkeys([*self.members, *speaking]))

    @cached_property
    def evidence(self) -> list[str]:
        """Pieces of evidence among what is near."""
        return [id for id in self.near if self.corpus.statements[id].kind is Kind.EVIDENCE]

    @cached_property
    def carried(self) -> dict[str, list[str]]:
        """By source: the statements near the line that cite it; none where only its essay does."""
        found: dict[str, list[str]] = {}
        for id in self.near:
            for key in self.corpus.statements[id].sources:
                found.setdefault(key, []).append(id)
        for citation in self.line.citations:
            found.setdefault(citation.key, [])
        return found

    def placed(self, camp: str) -> int:
        """How many statements the line places in a camp."""
        return sum(place.camp == camp for place in self.line.placements)

    def evidence_words(self) -> str:
        """`56 pieces of evidence from 35 sources`."""
        pieces = count_of(len(self.evidence), "piece of evidence", "pieces of evidence")
        return f"{pieces} from {count_of(len(self.carried), 'source')}"
