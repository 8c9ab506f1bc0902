"""`kg show`: one record in detail, or counts of the corpus."""

from __future__ import annotations

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
from kg.cli.shared.output import print_json, print_report, print_table
from kg.corpus.quality.evidence_quality import grade_statement
from kg.model.settings.quality_settings import render_ladder
from kg.notes.note_listing import require_folder

if TYPE_CHECKING:
    from kg.corpus import Corpus


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
        _print_ladder(notes, format)
    elif ladder or (quality and id is None):
        raise click.UsageError("name a piece of evidence, or ask for the --ladder")
    elif id is None:
        _print_counts(load_notes(notes), format)
    elif quality:
        _print_quality(load_notes(notes), id, format)
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
    from kg.model import InquiryLine
    from kg.queries.line_scope import view_line
    from kg.record_report import find_record, report_on_record

    if format == "json":
        record = find_record(corpus, id)
        print_json(view_line(corpus, record.id) if isinstance(record, InquiryLine) else record)
    else:
        print_report(report_on_record(corpus, id))


def _print_quality(corpus: Corpus, id: str, format: str) -> None:
    from kg.record_report import report_on_quality

    if format == "json":
        quality = corpus.config.quality
        print_json(grade_statement(corpus.sources, corpus.statement(id), quality))
    else:
        print_report(report_on_quality(corpus, id))


def _print_ladder(notes: Path | None, format: str) -> None:
    """Print the ladder in force."""
    from kg.files.settings_file import load_config

    folder = prepare_folder(notes)
    require_folder(folder)
    ladder = load_config(folder).quality
    if format == "json":
        print_json(ladder.model_dump(by_alias=True))
    else:
        click.echo(render_ladder(ladder), nl=False)
