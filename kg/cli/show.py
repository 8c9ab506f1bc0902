"""`kg show`"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.cli.options import Id, format_option, load, notes_option

if TYPE_CHECKING:
    from kg.corpus import Corpus
    from kg.model import Edge, Source, Statement


@click.command(
    epilog="\b\nExamples:\n  kg show grounding-grows-with-use\n  kg show shaikh2024 --format json"
)
@click.argument("id", type=Id("statements", "sources", "lines"))
@notes_option
@format_option("table", "json")
@click.pass_context
def command(ctx: click.Context, id: str, notes: Path | None, format: str) -> None:
    """Show a statement, source or line: what it says, and what it has to do with others."""
    from kg.cli.output import write_json
    from kg.corpus import UnknownId, nearest

    corpus = load(notes)
    found = corpus.find_id(id.removeprefix("@"))
    if found is None:
        known = [*corpus.statements, *corpus.lines, *corpus.sources]
        raise UnknownId(id, nearest(id, known))
    if found in corpus.lines and format != "json":
        from kg.cli.line import command as line

        ctx.invoke(line, line=found, notes=notes, format=format)
    elif format == "json":
        write_json(corpus.statements.get(found) or corpus.lines.get(found) or corpus.sources[found])
    elif found in corpus.statements:
        _write_statement(corpus, corpus.statements[found])
    else:
        _write_source(corpus, corpus.sources[found])


def _write_statement(corpus: Corpus, statement: Statement) -> None:
    from kg.cli.output import SIGNS, plain, write_table
    from kg.corpus.units import is_retracted
    from kg.model import Kind
    from kg.queries.independence import support_of

    camp = corpus.camp_of(statement.id)
    click.secho(plain(statement.title), bold=True)
    click.secho(
        plain(
            " · ".join(
                filter(None, (statement.kind.value, camp, statement.id, str(statement.span)))
            )
        ),
        dim=True,
    )
    if statement.body:
        click.echo("\n" + "\n".join(plain(line) for line in statement.body.splitlines()))
    if statement.kind is not Kind.EVIDENCE:
        click.echo(f"\nRests on {support_of(corpus, statement.id)}.")
    if is_retracted(corpus, statement):
        click.echo("\nRetracted, so it counts for nothing.")
    fields = _recorded(statement)
    if fields:
        click.echo("\n" + plain("; ".join(f"{key}: {value}" for key, value in fields.items())))
    own = corpus.edges_from.get(statement.id, ())
    for heading, edges, end in (
        ("Bears on", (*own, *corpus.edges_with.get(statement.id, ())), "target"),
        ("What bears on it", corpus.edges_to.get(statement.id, ()), "source"),
    ):
        if edges:
            rows = [
                (
                    f"{SIGNS.get(e.relation.value, '·')} {e.relation.value}",
                    _with_others(corpus, e, end, statement.id),
                    e.reason,
                )
                for e in edges
            ]
            write_table(("relation", "statement", "reason"), rows, title=heading)
    places = corpus.placements_of.get(statement.id, ())
    if places:
        write_table(
            ("line", "camp", "reason"),
            [(p.line, p.camp, p.reason) for p in places],
            title="In lines",
        )


def _with_others(corpus: Corpus, edge: Edge, end: str, id: str) -> str:
    """The statement at one end of an edge, whether it is retracted, and what counts with it."""
    from kg.corpus.units import is_retracted

    others = edge.others(id) if end == "target" else edge.together
    together = f"\n  together with {', '.join(others)}" if others else ""
    there = getattr(edge, end)
    lost = there in corpus.statements and is_retracted(corpus, corpus.statements[there])
    return f"{there}{' (retracted)' if lost else ''}{together}"


def _recorded(statement: Statement) -> dict[str, object]:
    names = (
        "method",
        "sample",
        "sample_unit",
        "sample_class",
        "effect_text",
        "p_text",
        "failed_replications",
        "replications",
        "peer_reviewed",
        "preregistered",
        "concerns",
        "independence",
        "seen_in",
        "open",
    )
    values = {
        name.removesuffix("_text").replace("_", " "): getattr(statement, name) for name in names
    }
    return {
        name: ", ".join(value) if isinstance(value, tuple) else value
        for name, value in values.items()
        if value not in (None, "", ())
    }


def _write_source(corpus: Corpus, source: Source) -> None:
    from kg.cli.output import plain, write_table

    click.secho(plain(source.title), bold=True)
    parts = (
        ", ".join(source.authors),
        str(source.year or ""),
        source.venue,
        source.integrity or "",
        source.url,
    )
    click.echo(plain(" · ".join(part for part in parts if part)))
    if source.body:
        click.echo("\n" + "\n".join(plain(line) for line in source.body.splitlines()))
    rows = [(s.id, s.kind.value, s.title) for s in corpus.citing.get(source.key, ())]
    write_table(("id", "kind", "title"), rows, title="What rests on it")
