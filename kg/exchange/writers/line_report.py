"""A line or a statement as a report, before it is Markdown or LaTeX: what is said, and cited."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal, NamedTuple

from kg.corpus import Corpus
from kg.corpus.sides import find_bearings
from kg.model import Bearing, Citation, InquiryLine, Kind, Source, SourceKey, Statement
from kg.reasoning.answers.verdict import Verdict, leading_sentences, verdict
from kg.reasoning.reading import reading_of

MAX_REASONS = 12
"""On a side, of a statement that is no line's: the rest is counted."""


class ReportBlock(NamedTuple):
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
    """What a report says, and the sources that it cites, in the order of the text."""

    title: str
    blocks: tuple[ReportBlock, ...]
    sources: Mapping[SourceKey, Source]


def as_report(part: Corpus, corpus: Corpus) -> WrittenReport:
    """The report on the lines of a part, or where it has none on its statements."""
    found = [_line_blocks(corpus, line, _verdict(corpus, line.id)) for line in part.lines.values()]
    found = found or [_statement(corpus, each) for each in part.statements.values()]
    on = [each.title for each in (part.lines or part.statements).values()]
    return _make_report(corpus, on[0] if len(on) == 1 else corpus.config.name, chain(*found))


def line_report(corpus: Corpus, line: InquiryLine, found: Verdict | None) -> WrittenReport:
    """The report on a line, given the verdict on it."""
    said = leading_sentences(found) if found else ()
    return _make_report(corpus, line.title, _line_blocks(corpus, line, said))


def _make_report(corpus: Corpus, title: str, blocks: Iterable[ReportBlock]) -> WrittenReport:
    held = tuple(blocks)
    cited = dict.fromkeys(citation.key for block in held for citation in block.cited)
    return WrittenReport(
        title, held, {key: corpus.sources[key] for key in cited if key in corpus.sources}
    )


def _line_blocks(corpus: Corpus, line: InquiryLine, said: Iterable[str]) -> Iterator[ReportBlock]:
    yield ReportBlock("heading", line.title)
    if line.standfirst:
        yield ReportBlock("text", line.standfirst)
    yield from (ReportBlock("text", sentence) for sentence in said)
    for camp in corpus.config.camps:
        placed = [p for p in line.placements if p.camp == camp.id]
        if held := [p for p in placed if p.statement in corpus.statements]:
            yield ReportBlock("heading", camp.label, depth=2)
            for place in held:
                yield _item(corpus.statements[place.statement], "", place.reason)
                yield from _reasons(corpus, place.statement, 2, evidence=True)
    if line.next:
        yield ReportBlock("heading", "What comes next", depth=2)
        for step in line.next:
            other = corpus.lines.get(step.target or "")
            asked = step.question or (other.title if other else step.target or "")
            yield ReportBlock("item", asked, after=_reason(step.reason))


def _statement(corpus: Corpus, statement: Statement) -> Iterator[ReportBlock]:
    yield ReportBlock("heading", statement.title)
    camp = corpus.camp_of(statement.id) or ""
    labels = {each.id: each.label for each in corpus.config.camps}
    about = ", ".join(filter(None, (statement.kind.value, labels.get(camp, camp))))
    yield ReportBlock("text", about.capitalize(), statement.citations, ".")
    yield from (ReportBlock("text", sentence) for sentence in _verdict(corpus, statement.id))
    for side, name in ((1, "For it"), (-1, "Against it")):
        if found := list(_reasons(corpus, statement.id, 1, side=side)):
            yield ReportBlock("heading", name, depth=2)
            yield from found[:MAX_REASONS]
            if more := len(found) - MAX_REASONS:
                yield from [ReportBlock("item", f"and {more} more")] * (more > 0)


def _verdict(corpus: Corpus, name: str) -> tuple[str, ...]:
    """Where it comes out, in the words of the site."""
    found = verdict(reading_of(corpus), name)
    return leading_sentences(found) if isinstance(found, Verdict) else (found.sentence,)


def _reasons(
    corpus: Corpus, id: str, depth: int, *, side: int = 0, evidence: bool = False
) -> Iterator[ReportBlock]:
    """What bears on a statement, on one side or on both; all of it, or evidence alone."""
    for bearing, speaker in find_bearings(corpus, id):
        if side in (0, bearing.sign) and (not evidence or speaker.kind is Kind.EVIDENCE):
            words = _lead(corpus, bearing, said=not side)
            yield _item(speaker, words, bearing.edge.reason, depth)


def _lead(corpus: Corpus, bearing: Bearing, said: bool) -> str:
    """`For, with …: `: on which side it is, where no heading says that, and what it needs."""
    needed = [corpus.statements[i].title for i in bearing.edge.together if i in corpus.statements]
    words = [{1: "For", -1: "Against"}[bearing.sign]] if said else []
    words += [f"together with “{'” and “'.join(needed)}”"] if needed else []
    return f"{', '.join(words)}: " if words else ""


def _item(statement: Statement, lead: str, reason: str, depth: int = 1) -> ReportBlock:
    return ReportBlock("item", lead + statement.title, statement.citations, _reason(reason), depth)


def _reason(reason: str) -> str:
    return f" – {reason}" if reason else ""
