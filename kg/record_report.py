"""The report on one record: the facts shown of a statement, a source, a line or a term, in
order.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from typing import Literal

from kg.checks.figures_in_sources import find_figures_in_sources
from kg.corpus import Corpus
from kg.corpus.independent_sources import is_retracted
from kg.corpus.quality.evidence_quality import Quality, grade_statement
from kg.corpus.same_and_superseded import same_statements
from kg.git.note_history import find_history
from kg.model import Edge, InquiryLine, Kind, Source, Span, Statement
from kg.model.errors import Misuse
from kg.model.glossary_term import GlossaryTerm
from kg.model.settings.quality_settings import QualityLadder
from kg.model.statement import recorded_facts
from kg.notes.mapping.note_links import restore_links
from kg.queries.line_scope import view_line
from kg.queries.review import statements_changed_beneath
from kg.queries.support_groups import support_of
from kg.reporting.report import Report, Table, TextLine
from kg.text.plurals import pluralize

UNGRADED = "a claim is not graded: it starts at the middle, and its reasons move it"
Parts = Iterator[TextLine | Table]
ShownRecord = Statement | Source | InquiryLine | GlossaryTerm


class UnreadNote(Misuse):
    """A note that exists but cannot be read; the message says where, and why."""


def find_record(corpus: Corpus, name: str) -> ShownRecord:
    """Find what an id, a citation key, a title or a term names. Raises `UnreadNote` and
    `UnknownId`.
    """
    if (id := corpus.look_up(name)) is not None:
        return corpus.statements.get(id) or corpus.lines.get(id) or corpus.sources[id]
    if term := corpus.term(name):
        return term
    for problem in corpus.diagnostics:
        note_name = problem.span.path.rpartition("/")[2].removesuffix(".md")
        if problem.rule == "broken-front-matter" and note_name == name.removesuffix(".md"):
            place = _place_of_span(corpus, problem.span)
            raise UnreadNote(f"{place}: the note cannot be read: {problem.message}")
    all_ids = [*corpus.statements, *corpus.lines, *corpus.sources, *corpus.glossary]
    raise corpus.unknown_id_error(name, all_ids, "id")


def report_on_record(corpus: Corpus, name: str, for_program: bool = False) -> Report:
    """A record in detail, with links as the notes write them.

    For a program with the quality of evidence or the essay of a line, and with its place in the
    folder of notes, not in the file system. Raises `UnreadNote` and `UnknownId`.
    """
    record = find_record(corpus, name)
    place = str(record.span) if for_program else _place_of_span(corpus, record.span)
    if isinstance(record, Statement):
        parts = _parts_of_statement(corpus, record, for_program)
    elif isinstance(record, InquiryLine):
        parts = _parts_of_line(corpus, record, for_program)
    elif isinstance(record, Source):
        parts = _parts_of_source(corpus, record)
    else:
        parts = _parts_of_term(corpus, record)
    title = record.name if isinstance(record, GlossaryTerm) else record.title
    facts = f"{facts_of_record(corpus, record)} · {place}"
    all_parts = [TextLine(title, "strong"), TextLine(facts, "aside"), *parts]
    return Report([_as_written(each) for each in all_parts] if corpus.config.map else all_parts)


def _as_written(part: TextLine | Table) -> TextLine | Table:
    if isinstance(part, TextLine):
        return part._replace(text=restore_links(part.text))
    return part._replace(rows=[tuple(map(restore_links, row)) for row in part.rows])


def facts_of_record(corpus: Corpus, record: ShownRecord) -> str:
    """What a record is, and how it is called: `claim · optimist · naps-help`."""
    facts: tuple[str, ...]
    if isinstance(record, Statement):
        facts = (record.kind.value, corpus.camp_of(record.id) or "", record.id)
    elif isinstance(record, GlossaryTerm):
        facts = ("term", *record.names[1:])
    else:
        facts = ("source", record.key) if isinstance(record, Source) else ("line", record.id)
    return " · ".join(filter(None, facts))


def facts_of_source(source: Source) -> str:
    """By whom, when and where a source was published, and whether it still stands."""
    facts = [", ".join(source.authors), str(source.year or ""), source.venue, source.integrity]
    numbers = {"doi": source.doi, "arXiv": source.arxiv}.items()
    others = [f"{name}:{value}" for name, value in numbers if value and value not in source.url]
    return " · ".join(filter(None, (*facts, source.url, *others)))


def _place_of_span(corpus: Corpus, span: Span) -> str:
    return corpus.folder.place(span) if corpus.folder else str(span)


def _paragraph(text: str, style: Literal["", "strong"] = "") -> Parts:
    """A text with an empty line above it; nothing if it is empty."""
    yield from [TextLine("")] if text else []
    yield from (TextLine(text_line, style) for text_line in text.splitlines())


def _change_since_review(corpus: Corpus, record: Statement | InquiryLine) -> Parts:
    """Yield what a statement or line rests on that changed after its last review."""
    if record.reviewed and (
        ids := statements_changed_beneath(corpus, record, find_history(corpus.folder))
    ):
        yield from _paragraph(f"Changed since its review on {record.reviewed}: {', '.join(ids)}")


def _parts_of_statement(corpus: Corpus, statement: Statement, for_program: bool) -> Parts:
    """Its text, how sure it is, what is recorded of it, what bears on it, and the lines that place
    it. For readers evidence, whose grade follows, is not weighed, as that takes time.
    """
    id = statement.id
    yield from _paragraph(statement.body)
    yield from _change_since_review(corpus, statement)
    if for_program or statement.kind is not Kind.EVIDENCE:
        yield from _paragraph(_describe_standing(corpus, statement))
    yield from _facts_of_statement(corpus, statement)
    works = [(key, corpus.sources.get(key)) for key in statement.sources]
    yield Table("Sources", ("key", "title"), [(key, w.title if w else "") for key, w in works])
    edges_from = [(each.edge, each.target) for each in corpus.bearings_from(id)]
    edges_from += [(edge, edge.target) for edge in corpus.edges_with.get(id, ())]
    edges_to = [(each.edge, each.origin) for each in corpus.bearings_on(id)]
    for heading, edges in (("Bears on", edges_from), ("What bears on it", edges_to)):
        rows = [_row_of_edge(corpus, edge, end, id) for edge, end in edges]
        yield Table(heading, ("relation", "statement", "reason"), rows)
    if statement.kind is Kind.EVIDENCE:
        yield from _paragraph("How it is graded", "strong")
        yield from report_on_quality(corpus, id).parts
    placements = corpus.placements_of.get(id, ())
    yield Table(
        "In lines", ("line", "camp", "reason"), [(p.line, p.camp, p.reason) for p in placements]
    )


def _describe_standing(corpus: Corpus, statement: Statement) -> str:
    """Say how sure a claim is, as its verdict words it, with its strength; of evidence, its
    quality.
    """
    from kg.reasoning.answers.verdict import Verdict, verdict
    from kg.reasoning.reading import reading_of
    from kg.reasoning.strength_words import render_strength
    from kg.reasoning.sureness_words import answer_phrase, remark_if_held_back

    answer = verdict(reading_of(corpus), statement.id)
    assert isinstance(answer, Verdict)  # a statement is always weighed
    word = answer_phrase(answer.word, answer.sureness)
    if answer.strength is None or not answer.sureness:
        return word
    hold = remark_if_held_back(answer.strength, answer.held_strength)
    return f"{word}, strength {render_strength(answer.strength, corpus.config.reasoning)}{hold}"


def _facts_of_statement(corpus: Corpus, statement: Statement) -> Parts:
    """Yield what is recorded of a statement, and on how much it rests."""
    if same_ids := same_statements(corpus, statement.id)[1:]:
        yield from _paragraph(
            f"One statement with {', '.join(same_ids)}: what bears on any counts."
        )
    if statement.kind is not Kind.EVIDENCE:
        yield from _paragraph(f"Rests on {support_of(corpus, statement.id)}.")
    if is_retracted(corpus, statement):
        yield from _paragraph("Retracted, so it does not count.")
    recorded = recorded_facts(statement).items()
    yield from _paragraph("; ".join(f"{name.replace('_', ' ')}: {fact}" for name, fact in recorded))
    if statement.kind is Kind.EVIDENCE:
        for figure in find_figures_in_sources(corpus, statement):
            yield TextLine(str(figure))


def _row_of_edge(corpus: Corpus, edge: Edge, end: str, id: str) -> tuple[str, str, str]:
    """An edge of the statement `id`, with its other end, whether that is retracted."""
    is_end_retracted = end in corpus.statements and is_retracted(corpus, corpus.statements[end])
    together = edge.together_with(id) if id in edge.premises else edge.together
    return (
        f"{edge.relation.entry.mark or '·'} {edge.relation.value}",
        _with_premises(f"{end}{' (retracted)' if is_end_retracted else ''}", together),
        edge.reason,
    )


def _with_premises(end: str, together: Iterable[str]) -> str:
    return f"{end}\n  together with {', '.join(together)}" if together else end


def _parts_of_source(corpus: Corpus, source: Source) -> Parts:
    yield TextLine(facts_of_source(source))
    yield from _paragraph(source.body)
    citing = corpus.statements_citing.get(source.key, ())
    rows = [(each.id, each.kind.value, each.title) for each in citing]
    yield Table("What rests on it", ("id", "kind", "title"), rows)


def _parts_of_line(corpus: Corpus, line: InquiryLine, for_program: bool) -> Parts:
    """Its answers, its camps, where these clash, its sources, and which answer holds."""
    from kg.reasoning import verdict

    yield from _paragraph(line.standfirst)
    yield from _change_since_review(corpus, line)
    if line.proposition and line.answers.has_any:
        yield from _paragraph(f"Proposition: {corpus.statements[line.proposition].title}")
        cases = (("holds", 1), ("fails", -1), ("is undecided", 0))
        answers = [(case, line.answer_for(side)) for case, side in cases]
        yield Table("", ("if the proposition", "the answer is"), answers)
    if line.doubt:
        yield TextLine(f"Chief doubt: {line.doubt}")
    view = view_line(corpus, line.id)
    for camp in corpus.config.camps:
        rows = [
            (each.statement, corpus.statements[each.statement].title, each.reason)
            for each in view.camps[camp.id]
        ]
        yield Table(camp.label, ("id", "title", "reason"), rows)
    clashes = [
        (_with_premises(e.origin, e.together), e.relation.value, e.target, e.reason)
        for e in view.clashes
    ]
    yield Table("Where they clash", ("origin", "relation", "target", "reason"), clashes)
    yield from _paragraph(f"Sources: {', '.join(view.sources)}")
    yield from _paragraph(verdict(corpus, line.id).sentence, "strong")
    yield from _paragraph(line.essay if for_program else "")


def _parts_of_term(corpus: Corpus, term: GlossaryTerm) -> Parts:
    yield from _paragraph(term.text)
    yield TextLine("")
    for statements_by_name, option in ((corpus.topics, "--topic"), (corpus.about, "--about")):
        if names := [name for name in statements_by_name if corpus.term(name) is term]:
            ids = {each.id for name in names for each in statements_by_name[name]}
            find_options = " ".join(f"{option} {shlex.quote(name)}" for name in names)
            yield TextLine(f"{pluralize(len(ids), 'statement')}: kg find {find_options}")


def report_on_quality(corpus: Corpus, id: str) -> Report:
    """Report how the base strength of a piece of evidence is computed, term by term."""
    quality = grade_statement(corpus.sources, corpus.statement(id), corpus.config.quality)
    rows = [(term.text, f"{term.points:+.2f}") for term in quality.terms]
    lines = [] if rows else [UNGRADED]
    lines += _describe_sum(quality, corpus.config.quality)
    return Report([Table("", ("what is recorded", "points"), rows), *map(TextLine, lines)])


def _describe_sum(quality: Quality, ladder: QualityLadder) -> Iterator[str]:
    """The sum of the terms, the effect of retractions on it, and what is not recorded."""
    base = f"base strength {quality.base_unretracted:.2f}"
    if quality.terms and not quality.given:
        total = sum(term.points for term in quality.terms)
        bounds_remark = "" if ladder.lowest <= total <= ladder.highest else ", kept within bounds"
        base = f"in all {total:.2f} of {ladder.top:g} points{bounds_remark}, {base}"
    yield base
    if quality.retracted:
        keys = ", ".join(quality.retracted)
        yield f"retracted: {keys}, which leaves a base strength of {quality.base:.2f}"
    if quality.unknown:
        yield f"not recorded: {', '.join(quality.unknown)}"
