"""`kg export`, `import`, `push` and `pull`: exchange of whole corpora."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.cli.editing import editing_options, run_change
from kg.cli.shared.options import IdType, load_notes, notes_options
from kg.cli.shared.output import print_text

if TYPE_CHECKING:
    from kg.corpus import Corpus
    from kg.editing.change import Change
    from kg.editing.folder_files import FolderFiles


class LazyChoice(click.Choice[str]):
    """A name in a table, which is loaded when first needed."""

    def __init__(self, module: str, table: str) -> None:
        self.table_name = (f"kg.{module}", table)
        self.case_sensitive = True

    @cached_property
    def choices(self) -> tuple[str, ...]:  # type: ignore[override]
        module, table = self.table_name
        return tuple(name for name, *_ in getattr(import_module(module), table))


_format_argument = click.argument(
    "name", metavar="FORMAT", type=LazyChoice("exchange.formats", "FORMATS"), is_eager=True
)


class TargetPath(click.Path):
    """The path to write a format to; a slash at its end names a folder, which only some formats
    are.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        from kg.exchange.formats import get_format

        path_text = os.fsdecode(super().convert(value, param, ctx))
        if not path_text:
            self.fail("an empty name is no file", param, ctx)
        name = ctx.params.get("name") if ctx else None
        if path_text.endswith(("/", os.sep)) and name and not get_format(name).is_folder:
            self.fail(f"{path_text} is a folder, and {name} is written to one file", param, ctx)
        return Path(path_text)


class ExportCommand(click.Command):
    """A command whose help lists the formats and profiles of `kg.exchange`."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from kg.exchange.formats import FORMATS
        from kg.exchange.profiles import PROFILES

        super().format_options(ctx, formatter)
        with formatter.section("Formats"):
            formatter.write_dl([(format.name, format.title) for format in FORMATS])
        with formatter.section("Profiles (RDF formats only)"):
            formatter.write_dl(PROFILES)


@click.command(
    cls=ExportCommand,
    epilog="""\b
Examples:
  kg export ttl > graph.ttl
  kg export csv --output tables
  kg export gexf --line social-grounding -o line.gexf
  kg export graphml --where 'claims camp:skeptic' -o claims.graphml
  kg export bibtex --line social-grounding -o sources.bib
  kg export trig --profile nanopub --output nanopubs.trig""",
)
@_format_argument
@click.option(
    "--output",
    "-o",
    type=TargetPath(),
    help="The file, or the folder of files, to write; `-` prints.  [default: print]",
)
@click.option(
    "--profile", type=LazyChoice("exchange.profiles", "PROFILES"), help="In another vocabulary."
)
@click.option("--line", type=IdType("lines"), help="Only an inquiry line and its statements.")
@click.option(
    "--where", metavar="QUERY", help="Only what a short query finds, written as for `kg find`."
)
@click.option("--strengths", is_flag=True, help="Add a graph of strengths and verdicts to RDF.")
@notes_options
def export_command(
    name: str,
    output: Path | None,
    profile: str | None,
    line: str | None,
    where: str | None,
    strengths: bool,
    notes: Path | None,
) -> None:
    """Write the graph, or part of it, in another format.

    A file is written whole or not at all. Text from the notes is escaped in all formats.
    """
    from kg.cli.shared.selecting import select_part
    from kg.exchange.formats import render_export, write_export

    whole_corpus = load_notes(notes)
    part = select_part(whole_corpus, line, where)
    if output is None or str(output) == "-":
        print_text(
            render_export(part, name, profile, whole_corpus=whole_corpus, with_strengths=strengths)
        )
    else:
        write_export(
            part, name, output, profile, whole_corpus=whole_corpus, with_strengths=strengths
        )
        click.echo(f"wrote {output}", err=True)


@click.command(
    epilog="""\b
Examples:
  kg push --endpoint http://localhost:7878/query
  KG_ENDPOINT_USER=dba KG_ENDPOINT_PASSWORD=… \\
    kg push --endpoint http://localhost:8890/sparql-auth
  kg push --endpoint http://localhost:7878/query --dry-run

Credentials come from KG_ENDPOINT_USER and KG_ENDPOINT_PASSWORD (basic or digest), or from
KG_ENDPOINT_TOKEN (bearer). Only changed graphs are sent. A push that was stopped continues where
it stopped when run again."""
)
@click.option("--endpoint", required=True, metavar="URL", help="The server's query endpoint.")
@click.option("--update-endpoint", metavar="URL", default="", help="Its update endpoint.")
@click.option("--dry-run", is_flag=True, help="Show what would be sent, and send nothing.")
@notes_options
def push_command(endpoint: str, update_endpoint: str, dry_run: bool, notes: Path | None) -> None:
    """Upload the graph to a SPARQL 1.1 server, with one named graph per note."""
    from kg.endpoints.endpoint import open_endpoint
    from kg.endpoints.push_and_pull import preview_push, push

    corpus = load_notes(notes)
    server = open_endpoint(endpoint, update_endpoint)
    if dry_run:
        changes = preview_push(corpus, server)
        click.echo(
            f"{changes.written_graphs} graphs to write, {changes.removed_graphs} to remove, "
            f"{changes.unchanged_graphs} unchanged; nothing was sent"
        )
        return
    steps: Iterable[int] = ()
    with click.progressbar(steps, length=1, label="pushing", file=sys.stderr) as bar:

        def show(sent_count: int, total: int) -> None:
            bar.length = total
            bar.update(sent_count - bar.pos)

        report = push(corpus, server, show)
    click.echo(
        f"{report.written_graphs} graphs written, {report.removed_graphs} removed, "
        f"{report.unchanged_graphs} unchanged"
    )


class ImportCommand(click.Command):
    """A command whose help lists the formats of `kg.importing`."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from kg.importing.importers import IMPORTERS

        super().format_options(ctx, formatter)
        with formatter.section("Formats"):
            formatter.write_dl([(each.name, each.title) for each in IMPORTERS])


@click.command(
    cls=ImportCommand,
    epilog="""\b
Examples:
  kg import pages inquiries --dry-run    a folder of pages, as a diff
  kg import pages page.txt

Existing notes are not changed. docs/import.md says for each format what is
imported, and what is not.""",
)
@click.argument("name", metavar="FORMAT", type=LazyChoice("importing.importers", "IMPORTERS"))
@click.argument("place", metavar="FILE|DIR", type=click.Path(path_type=Path, exists=True))
@editing_options
def import_command(name: str, place: Path, notes: Path | None, format: str, dry_run: bool) -> None:
    """Write notes from the data of another program, or from another folder.

    The front matter of each note records its origin, so that importing the same data again changes
    nothing. What could not be imported is reported.
    """
    from kg.importing.importers import get_importer, read_import_input
    from kg.importing.new_notes import import_notes

    def make_import(files: FolderFiles, corpus: Corpus) -> Change:
        importer = get_importer(name)
        imported = importer.read(read_import_input(importer, place, corpus.config.camps))
        return import_notes(files, corpus, importer, imported)

    run_change(notes, format, dry_run, make_import)


@click.command(
    epilog="""\b
Examples:
  kg pull nq --endpoint http://localhost:7878/query --output graph.nq
  kg pull csv --endpoint https://sparql.example.org/query --output tables

Credentials come from the environment, as for `kg push`."""
)
@_format_argument
@click.option("--endpoint", required=True, metavar="URL", help="The server's query endpoint.")
@click.option("--base", metavar="IRI", default="", help="The corpus, if there are several.")
@click.option(
    "--output",
    "-o",
    type=TargetPath(),
    required=True,
    help="The file, or the folder of files, to write.",
)
def pull_command(name: str, endpoint: str, base: str, output: Path) -> None:
    """Read the graph back from a SPARQL 1.1 server, and write it as `kg export` does."""
    from kg.endpoints.endpoint import open_endpoint
    from kg.endpoints.push_and_pull import pull
    from kg.exchange.formats import write_export

    corpus = pull(open_endpoint(endpoint), base)
    write_export(corpus, name, output)
    click.echo(f"wrote {output}: {corpus!r}")
