"""`kg find`"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import click

from kg.cli.options import format_option, notes_option
from kg.cli.sections import Sections
from kg.cli.wanted import narrowing_options


class Find(Sections):
    """`kg find`, its options under headings."""

    sections: ClassVar[Mapping[str, str]] = {
        "What it is": "id kind camp line topic about status open method sample min_sample "
        "max_sample unit replications peer_reviewed preregistered year integrity source",
        "What it rests on": "evidence single_study studies supporters opponents strength "
        "unsupported unanswered unanswered_by",
        "How it bears on others": "supports supported_by contradicts contradicted_by qualifies "
        "qualified_by undercuts undercut_by answers answered_by depends_on needed_by same_as "
        "part_of reaching reachable_from over between",
        "Sources, edges and lines": "author venue cited_by relation from to places",
        "Joining": "without",
    }


@click.command(
    cls=Find,
    epilog="""\b
Examples:
  kg find --camp skeptic --line social-grounding
  kg find evidence --method experiment --sample 101..
  kg find claims --camp skeptic --line social-grounding --unanswered-by camp:optimist
  kg find claims --single-study
  kg find --contradicts grounding-grows-with-use
  kg find --supported-by "evidence method:experiment"
  kg find reward turns                 statements that hold both words
  kg find sources --year 2025.. --sort -year --format markdown
  kg find evidence --group-by method

\b
RANGE is a number (100), a span (50..500, 2024..) or quoted, a comparison (">100").
ID may be a short query instead, as `kg ask` takes it, or * for anything.""",
)
@click.argument("text", nargs=-1, metavar="[WHAT] [TEXT]...")
@narrowing_options
@click.option("--min-sample", type=int, metavar="N", help="With a sample of at least N.")
@click.option("--max-sample", type=int, metavar="N", help="With a sample of at most N.")
@click.option("--single-study", is_flag=True, help="Resting on one independent group of evidence.")
@click.option("--unsupported", is_flag=True, help="Supported by nothing.")
@click.option("--unanswered", is_flag=True, help="Contradicted, qualified or undercut by nothing.")
@click.option("--unanswered-by", metavar="ID", help="Not answered by ID, such as camp:optimist.")
@click.option("--over", multiple=True, metavar="RELATION", help="What --reaching … follows.")
@click.option("--between", metavar="ID,ID", help="On a chain of reasons from one to the other.")
@click.option(
    "--evidence",
    multiple=True,
    metavar="QUERY",
    help="Supported by such evidence: method:experiment (repeatable).",
)
@click.option("--without", multiple=True, metavar="QUERY", help="Take away what QUERY finds.")
@click.option("--sort", metavar="FIELDS", help="Sort by fields: title, or -year for newest first.")
@click.option("--limit", type=click.IntRange(0), help="Only the first so many.")
@click.option("--count", is_flag=True, help="Only how many there are.")
@click.option("--group-by", metavar="FIELD", help="How many there are by the value of a field.")
@click.option("--columns", metavar="FIELDS", help="Columns to show: id,title,year,support.")
@click.option("--edges", is_flag=True, help="Show the edges that justify the answer too.")
@click.option("--endpoint", metavar="URL", help="Ask this SPARQL endpoint instead of the notes.")
@notes_option
@format_option("table", "json", "csv", "markdown", "ids")
def command(text: tuple[str, ...], notes: Path | None, format: str, **said: Any) -> None:
    """Find statements, or WHAT: claims, counter-claims, evidence, sources, lines, edges.

    All that is asked for must hold.
    """
    from kg.cli.answers import answer, write_answer
    from kg.cli.questions import as_question

    found = answer(as_question(text, said), notes, said["endpoint"])
    write_answer(found, format, said["columns"], said["edges"])
