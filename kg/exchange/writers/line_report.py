"""A line or a statement as a report, before it is Markdown or LaTeX: what is said, and cited."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal, NamedTuple

from kg.corpus import Corpus
from kg.corpus.sides import heard_on
from kg.model import Bearing, Citation, InquiryLine, Kind, Statement
from kg.reasoning.answers.verdict import Verdict, leading_sentences, verdict
from kg.reasoning.reading import reading_of

MOST_REASONS = 12
"""On a side, of a statement that is no line's: the rest is counted."""


class Block(NamedTuple):
    """A heading, a paragraph or an item of a list: text, then what it cites, then more text.

    `depth` is a heading's rank, from 1, or how far an item stands in.
    """

    style: Literal["heading", "text", "item"]
    text: str
    cited: Sequence[Citation] = ()
    after: str = ""
    depth: int = 1


@dataclass(frozen=True)
class WrittenReport:
    """What a report says; `corpus` is the whole, `part` what it is on."""

    part: Corpus
    corpus: Corpus
    blocks: tuple[Block, ...]

    @property
    def title(self) -> str:
        """What the report is on: its line, its statement, or the corpus."""
        lines = [line.title for line in self.part.lines.values()]
        on = lines or [each.title for each in self.part.statements.values()]
        return on[0] if len(on) == 1 else self.corpus.config.name

    @property
    def keys(self) -> list[str]:
        """The sources that it cites, each once, in the order of the text."""
        cited = (citation.key for block in self.blocks for citation in block.cited)
        return [key for key in dict.fromkeys(cited) if key in self.corpus.sources]


def as_report(part: Corpus, corpus: Corpus) -> WrittenReport:
    """The report on the lines of a part, or where it has none on its statements."""
    found = [_line(corpus, line) for line in part.lines.values()]
    found = found or [_statement(corpus, each) for each in part.statements.values()]
    return WrittenReport(part, corpus, tuple(chain.from_iterable(found)))


def _line(corpus: Corpus, line: InquiryLine) -> Iterator[Block]:
    yield Block("heading", line.title)
    if line.standfirst:
        yield Block("text", line.standfirst)
    yield from _verdict(corpus, line.id)
    for camp in corpus.config.camps:
        placed = [p for p in line.placements if p.camp == camp.id]
        if held := [p for p in placed if p.statement in corpus.statements]:
            yield Block("heading", camp.label, depth=2)
            for place in held:
                yield _item(corpus.statements[place.statement], "", place.reason)
                yield from _reasons(corpus, place.statement, 2, evidence=True)
    if line.next:
        yield Block("heading", "What comes next", depth=2)
        for step in line.next:
            other = corpus.lines.get(step.target or "")
            asked = step.question or (other.title if other else step.target or "")
            yield Block("item", asked, after=_reason(step.reason))


def _statement(corpus: Corpus, statement: Statement) -> Iterator[Block]:
    yield Block("heading", statement.title)
    camp = corpus.camp_of(statement.id) or ""
    labels = {each.id: each.label for each in corpus.config.camps}
    about = ", ".join(filter(None, (statement.kind.value, labels.get(camp, camp))))
    yield Block("text", about.capitalize(), statement.citations, ".")
    yield from _verdict(corpus, statement.id)
    for side, name in ((1, "For it"), (-1, "Against it")):
        if found := list(_reasons(corpus, statement.id, 1, side=side)):
            yield Block("heading", name, depth=2)
            yield from found[:MOST_REASONS]
            if more := len(found) - MOST_REASONS:
                yield from [Block("item", f"and {more} more")] * (more > 0)


def _verdict(corpus: Corpus, name: str) -> Iterator[Block]:
    """Where it comes out, in the words of the site."""
    found = verdict(reading_of(corpus), name)
    said = leading_sentences(found) if isinstance(found, Verdict) else (found.sentence,)
    for sentence in said:
        yield Block("text", sentence)


def _reasons(
    corpus: Corpus, id: str, depth: int, *, side: int = 0, evidence: bool = False
) -> Iterator[Block]:
    """What bears on a statement, on one side or on both; all of it, or evidence alone."""
    for bearing, speaker in heard_on(corpus, id):
        if side in (0, bearing.sign) and (not evidence or speaker.kind is Kind.EVIDENCE):
            words = _lead(corpus, bearing, said=not side)
            yield _item(speaker, words, bearing.edge.reason, depth)


def _lead(corpus: Corpus, bearing: Bearing, said: bool) -> str:
    """`For, with …: `: on which side it is, where no heading says that, and what it needs."""
    needed = [corpus.statements[i].title for i in bearing.edge.together if i in corpus.statements]
    words = [{1: "For", -1: "Against"}[bearing.sign]] if said else []
    words += [f"together with “{'” and “'.join(needed)}”"] if needed else []
    return f"{', '.join(words)}: " if words else ""


def _item(statement: Statement, lead: str, reason: str, depth: int = 1) -> Block:
    return Block("item", lead + statement.title, statement.citations, _reason(reason), depth)


def _reason(reason: str) -> str:
    return f" – {reason}" if reason else ""
