"""`kg check`"""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli.options import find_folder, format_option, load, notes_option


@click.command(
    epilog="""\b
Examples:
  kg check                      every problem, with the line and a suggestion
  kg check --format github      annotations for a pull request
  kg check --rule unsupported-claim

Exit status: 0 without errors (warnings do not count), 1 with errors, 2 when misused."""
)
@notes_option
@format_option("text", "json", "github")
@click.option("--rule", "rules", multiple=True, help="Only this rule (may be repeated).")
@click.option("--strict", is_flag=True, help="Fail on warnings too.")
@click.pass_context
def command(
    ctx: click.Context, notes: Path | None, format: str, rules: tuple[str, ...], strict: bool
) -> None:
    """List the problems in the notes: where, what, and what to do."""
    from kg.checks import RULES, check
    from kg.checks.render import render_problems
    from kg.corpus import UnknownId, nearest
    from kg.model import Severity

    names = [rule.name for rule in RULES]
    for name in rules:
        if name not in names:
            raise UnknownId(name, nearest(name, names), "rule")
    folder = find_folder(notes)
    corpus = load(notes)
    problems = [p for p in check(corpus) if not rules or p.rule in rules]
    click.echo(render_problems(problems, corpus, folder, format), nl=False)
    failing = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    ctx.exit(int(any(problem.severity in failing for problem in problems)))
