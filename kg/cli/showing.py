"""`kg show`: one record in detail, or counts of the corpus."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from kg.cli.shared.options import (
    IdType,
    SectionedCommand,
    format_option,
    load_notes,
    notes_options,
    prepare_folder,
)
from kg.cli.shared.output import print_json, print_table
from kg.corpus.independent_sources import is_retracted
from kg.corpus.quality.evidence_quality import grade_statement
from kg.corpus.same_and_superseded import group_of_same
from kg.model import Kind
from kg.model.settings.quality_settings import render_ladder
from kg.model.statement import recorded_facts
from kg.notes.mapping.note_links import restore_links
from kg.notes.note_listing import require_folder
from kg.text.plurals import pluralize
from kg.text.printable import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kg.corpus import Corpus
    from kg.corpus.quality.evidence_quality import Quality
    from kg.model import Edge, InquiryLine, Source, Span, Statement
    from kg.model.glossary_term import GlossaryTerm
    from kg.model.settings.quality_settings import QualityLadder
    from kg.queries.line_scope import LineView


@click.command(
    cls=SectionedCommand,
    sections={"Show instead": "quality ladder"},
    epilog="""\b
Examples:
  kg show                         counts of what there is, and the lines
  kg show social-grounding        a line, camp by camp
  kg show grounding-grows-with-use
  kg show shaikh2024 --format json
  kg show DPO
  kg show norms-correlated-errors --quality
  kg show --ladder""",
)
@click.argument("id", type=IdType("statements", "sources", "lines"), required=False)
@click.option("--quality", is_flag=True, help="Show only how a piece of evidence is graded.")
@click.option("--ladder", is_flag=True, help="The current ladder of quality, to copy into kg.toml.")
@notes_options
@format_option("table", "json")
def show_command(
    id: str | None, quality: bool, ladder: bool, notes: Path | None, format: str
) -> None:
    """Show a statement, source or line: what it says, and how it relates to others.

    For evidence also how its base strength is computed, term by term; for a line its camps, clashes
    and sources; for a topic, a name or a term what the glossary says. Without ID, counts and
    lines.
    """
    if ladder and id is None:
        print_ladder(notes, format)
    elif ladder or (quality and id is None):
        raise click.UsageError("name a piece of evidence, or ask for the --ladder")
    elif id is None:
        _print_counts(load_notes(notes), format)
    elif quality:
        print_quality(load_notes(notes), id, format)
    else:
        _print_record(load_notes(notes), id, format)


def _print_counts(corpus: Corpus, format: str) -> None:
    from kg.queries.results.counts_and_summaries import count_corpus

    stats = count_corpus(corpus)
    if format == "json":
        print_json(stats)
        return
    rows: list[tuple[str, object]] = []
    for name, value in msgspec.to_builtins(stats).items():
        if isinstance(value, dict):
            rows += [(f"{name.replace('_', ' ')}: {key}", number) for key, number in value.items()]
        else:
            rows.append((name.replace("_", " "), value))
    print_table(("what", "count"), rows)
    line_rows = [(line.id, len(line.placements), line.title) for line in corpus.lines.values()]
    if line_rows:
        print_table(("id", "statements", "question"), line_rows, title="Lines")


def _print_record(corpus: Corpus, id: str, format: str) -> None:
    from kg.queries.line_scope import view_line

    record_id = corpus.look_up(id)
    if record_id is None and (term := corpus.term(id)):
        print_json(term) if format == "json" else _print_term(corpus, term)
    elif record_id is None:
        _require_parsed(corpus, id)
        all_ids = [*corpus.statements, *corpus.lines, *corpus.sources, *corpus.glossary]
        raise corpus.unknown_id_error(id, all_ids, "id")
    elif record_id in corpus.lines:
        view = view_line(corpus, record_id)
        print_json(view) if format == "json" else _print_line(corpus, view)
    elif format == "json":
        print_json(corpus.statements.get(record_id) or corpus.sources[record_id])
    elif record_id in corpus.statements:
        print_statement(corpus, corpus.statements[record_id])
    else:
        _print_source(corpus, corpus.sources[record_id])


def _require_parsed(corpus: Corpus, id: str) -> None:
    """Raise an error with the reason if the note exists but cannot be read."""
    for problem in corpus.diagnostics:
        name = problem.span.path.rpartition("/")[2].removesuffix(".md")
        if problem.rule == "broken-front-matter" and name == id.removesuffix(".md"):
            place = _place_of_span(corpus, problem.span)
            raise click.ClickException(f"{place}: the note cannot be read: {problem.message}")


def _print_term(corpus: Corpus, term: GlossaryTerm) -> None:
    click.secho(printable(term.name), bold=True)
    click.secho(
        printable(" · ".join(("term", *term.names[1:], _place_of_span(corpus, term.span)))),
        dim=True,
    )
    click.echo(f"\n{printable(term.text)}\n")
    for statements_by_name, option in ((corpus.topics, "--topic"), (corpus.about, "--about")):
        if names := [name for name in statements_by_name if corpus.term(name) is term]:
            count = pluralize(
                len({each.id for name in names for each in statements_by_name[name]}), "statement"
            )
            find_options = " ".join(f"{option} {shlex.quote(name)}" for name in names)
            click.echo(printable(f"{count}: kg find {find_options}"))


def _place_of_span(corpus: Corpus, span: Span) -> str:
    return corpus.folder.place(span) if corpus.folder else str(span)


def _as_written(corpus: Corpus, text: str) -> str:
    """Text with its links as written in the note, if the corpus is mapped."""
    return restore_links(text) if corpus.config.map else text


def _print_body(corpus: Corpus, body: str) -> None:
    if body:
        lines = _as_written(corpus, body).splitlines()
        click.echo("\n" + "\n".join(printable(text_line) for text_line in lines))


def _print_changed(corpus: Corpus, record: Statement | InquiryLine) -> None:
    """Print what a statement or line rests on that changed after its last review."""
    from kg.git.note_history import find_history
    from kg.queries.review import statements_changed_beneath

    if record.reviewed and (
        changed_ids := statements_changed_beneath(corpus, record, find_history(corpus.folder))
    ):
        names = printable(", ".join(changed_ids))
        click.echo(f"\nChanged since its review on {record.reviewed}: {names}")


def print_statement(corpus: Corpus, statement: Statement) -> None:
    """Print a statement: its evidence fields, what bears on it, and the lines that place it."""
    camp = corpus.camp_of(statement.id)
    click.secho(printable(statement.title), bold=True)
    facts = (statement.kind.value, camp, statement.id, _place_of_span(corpus, statement.span))
    click.secho(printable(" · ".join(filter(None, facts))), dim=True)
    _print_body(corpus, statement.body)
    _print_changed(corpus, statement)
    _print_facts(corpus, statement)
    edges_from = [(each.edge, each.target) for each in corpus.bearings_from(statement.id)]
    edges_from += [(edge, edge.target) for edge in corpus.edges_with.get(statement.id, ())]
    edges_to = [(each.edge, each.premise) for each in corpus.bearings_on(statement.id)]
    _print_edges(corpus, statement, "Bears on", edges_from)
    _print_edges(corpus, statement, "What bears on it", edges_to)
    if statement.kind is Kind.EVIDENCE:
        click.secho("\nHow it is graded", bold=True)
        print_quality(corpus, statement.id, "table")
    if places := corpus.placements_of.get(statement.id, ()):
        rows = [(place.line, place.camp, place.reason) for place in places]
        print_table(("line", "camp", "reason"), rows, title="In lines")


def _print_facts(corpus: Corpus, statement: Statement) -> None:
    """Print what is recorded of a statement, and on how much it rests."""
    from kg.checks.figures_in_sources import find_figures_in_sources
    from kg.queries.support_groups import support_of

    if same_ids := group_of_same(corpus, statement.id)[1:]:
        click.echo(
            f"\nOne statement with {printable(', '.join(same_ids))}: what bears on any counts."
        )
    if statement.kind is not Kind.EVIDENCE:
        click.echo(f"\nRests on {support_of(corpus, statement.id)}.")
    if is_retracted(corpus, statement):
        click.echo("\nRetracted, so it does not count.")
    if recorded := recorded_facts(statement):
        rows = (f"{name.replace('_', ' ')}: {value}" for name, value in recorded.items())
        click.echo("\n" + printable("; ".join(rows)))
    if statement.kind is Kind.EVIDENCE:
        for figure in find_figures_in_sources(corpus, statement):
            click.echo(printable(str(figure)))


def _print_edges(
    corpus: Corpus, statement: Statement, heading: str, edges_and_ends: Sequence[tuple[Edge, str]]
) -> None:
    """Print edges of a statement, each with its other end; nothing if there are none."""
    rows = [
        (
            f"{edge.relation.entry.mark or '·'} {edge.relation.value}",
            _end_with_premises(corpus, edge, end, statement.id),
            _as_written(corpus, edge.reason),
        )
        for edge, end in edges_and_ends
    ]
    if rows:
        print_table(("relation", "statement", "reason"), rows, title=heading)


def _end_with_premises(corpus: Corpus, edge: Edge, end: str, id: str) -> str:
    """The other end of a statement's edge, whether it is retracted, and joint premises."""
    premise_ids = edge.others(id) if id in edge.premises else edge.together
    other_premises = f"\n  together with {', '.join(premise_ids)}" if premise_ids else ""
    end_is_retracted = end in corpus.statements and is_retracted(corpus, corpus.statements[end])
    return f"{end}{' (retracted)' if end_is_retracted else ''}{other_premises}"


def _print_source(corpus: Corpus, source: Source) -> None:
    click.secho(printable(source.title), bold=True)
    parts = (
        ", ".join(source.authors),
        str(source.year or ""),
        source.venue,
        source.integrity or "",
        source.url,
        f"arXiv:{source.arxiv}" if source.arxiv and source.arxiv not in source.url else "",
    )
    click.echo(printable(" · ".join(part for part in parts if part)))
    _print_body(corpus, source.body)
    rows = [(s.id, s.kind.value, s.title) for s in corpus.statements_citing.get(source.key, ())]
    print_table(("id", "kind", "title"), rows, title="What rests on it")


def _print_answers(corpus: Corpus, line: InquiryLine) -> None:
    """Print the answer for each outcome of the line's proposition, and the chief doubt."""
    if line.proposition and line.answers.has_any:
        click.echo(printable(f"Proposition: {corpus.statements[line.proposition].title}"))
        cases = (("holds", 1), ("fails", -1), ("is undecided", 0))
        rows = [(case, line.answer_for(side)) for case, side in cases]
        print_table(("if the proposition", "the answer is"), rows)
    if line.doubt:
        click.echo(printable(f"Chief doubt: {line.doubt}"))


def _print_line(corpus: Corpus, view: LineView) -> None:
    from kg.reasoning import verdict as corpus_verdict

    click.secho(printable(view.line.title), bold=True)
    click.echo(printable(_as_written(corpus, view.line.standfirst)) + "\n")
    _print_changed(corpus, view.line)
    _print_answers(corpus, view.line)
    for camp in corpus.config.camps:
        placement_rows = [
            (placement.statement, corpus.statements[placement.statement].title, placement.reason)
            for placement in view.camps[camp.id]
        ]
        print_table(("id", "title", "reason"), placement_rows, title=camp.label)

    clashes = [
        (edge.premise, edge.relation.value, edge.target, _as_written(corpus, edge.reason))
        for edge in view.clashes
    ]
    print_table(("from", "relation", "to", "reason"), clashes, title="Where they clash")
    click.echo("\nSources: " + printable(", ".join(view.sources)))
    click.secho("\n" + printable(corpus_verdict(corpus, view.line.id).sentence), bold=True)


def print_quality(corpus: Corpus, id: str, format: str) -> None:
    """Print how the base strength of a piece of evidence is computed, term by term."""
    quality = grade_statement(corpus.sources, corpus.statement(id), corpus.config.quality)
    if format == "json":
        print_json(quality)
        return
    rows = [(term.text, f"{term.points:+.2f}") for term in quality.terms]
    if rows:
        print_table(("what is recorded", "points"), rows)
    else:
        click.echo("a claim is not graded: it starts at the middle, and its reasons move it")
    for text_line in _sum_in_words(quality, corpus.config.quality):
        click.echo(text_line)
    if quality.unknown:
        click.echo("not recorded: " + printable(", ".join(quality.unknown)))


def _sum_in_words(quality: Quality, ladder: QualityLadder) -> list[str]:
    """The sum of the terms, and the effect of retractions on it."""
    total = sum(term.points for term in quality.terms)
    lines = []
    if quality.terms and not quality.given:
        sums = f"in all {total:.2f} of {ladder.top:g} points"
        bounds_remark = "" if ladder.lowest <= total <= ladder.highest else ", kept within bounds"
        lines.append(f"{sums}{bounds_remark}, base strength {quality.base_unretracted:.2f}")
    else:
        lines.append(f"base strength {quality.base_unretracted:.2f}")
    if quality.retracted:
        keys = ", ".join(quality.retracted)
        lines.append(f"retracted: {keys}, which leaves a base strength of {quality.base:.2f}")
    return lines


def print_ladder(notes: Path | None, format: str) -> None:
    """Print the ladder in force."""
    from kg.files.settings_file import load_config

    folder = prepare_folder(notes)
    require_folder(folder)
    ladder = load_config(folder).quality
    if format == "json":
        print_json(ladder.model_dump(by_alias=True))
    else:
        click.echo(render_ladder(ladder), nl=False)
