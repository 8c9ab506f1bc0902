"""`kg check`"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from kg.cli.options import find_folder, format_option, load, notes_option


@click.command(
    epilog="""\b
Examples:
  kg check                      every problem, with the line and a suggestion
  kg check --format lines       one line each, as editors read it (docs/editors.md)
  kg check --format github      annotations for a pull request; `sarif` for other code hosts
  kg check --rule unsupported-claim
  kg check --shacl              what the SHACL shapes say of the graph
  kg check --watch              again whenever a note is saved, until Ctrl-C

Exit status: 0 without errors (warnings do not count), 1 with errors, 2 when misused."""
)
@notes_option
@format_option("text", "lines", "json", "github", "sarif")
@click.option("--rule", "rules", multiple=True, help="Only this rule (may be repeated).")
@click.option("--strict", is_flag=True, help="Fail on warnings too.")
@click.option("--shacl", is_flag=True, help="Hold the graph to the SHACL shapes instead.")
@click.option("--watch", "watched", is_flag=True, help="Check again whenever a note is saved.")
@click.pass_context
def command(
    ctx: click.Context,
    notes: Path | None,
    format: str,
    rules: tuple[str, ...],
    strict: bool,
    shacl: bool,
    watched: bool,
) -> None:
    """List the problems in the notes: where, what, and what to do."""
    from kg.checks import RULES
    from kg.corpus import UnknownId, nearest

    names = [rule.name for rule in RULES]
    for name in rules:
        if name not in names:
            close = nearest(name, names)
            raise UnknownId(name, close, "rule", where="" if close else "; see `kg rules`")
    status = _report(notes, format, rules, strict, shacl)
    if watched:
        _watch(notes, lambda: _report(notes, format, rules, strict, shacl))
    ctx.exit(status)


def _report(
    notes: Path | None, format: str, rules: tuple[str, ...], strict: bool, shacl: bool
) -> int:
    """Print the problems there are now; 1 if any of them is a failure."""
    from kg.checks import check
    from kg.checks.render import render_problems
    from kg.checks.shacl import check_shapes
    from kg.model import Severity

    corpus = load(notes)
    problems = [
        p for p in (check_shapes if shacl else check)(corpus) if not rules or p.rule in rules
    ]
    click.echo(render_problems(problems, corpus, find_folder(notes), format), nl=False)
    failing = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    return int(any(problem.severity in failing for problem in problems))


def _watch(notes: Path | None, report: Callable[[], int]) -> None:
    import threading

    from kg.cli.failure import explain
    from kg.serve.watch import watch, watched_files

    def react(changed: set[str]) -> None:
        click.clear()
        click.secho("checking", dim=True, err=True)
        try:
            report()
        except Exception as error:
            explain(error)  # broken settings are mended as notes are: save again

    click.secho("watching; Ctrl-C to stop", dim=True, err=True)
    try:
        watch(lambda: watched_files(find_folder(notes)), react, threading.Event())
    except KeyboardInterrupt:
        click.echo()
