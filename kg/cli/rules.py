"""`kg rules`"""

from __future__ import annotations

import click

from kg.cli.options import format_option


@click.command(epilog="\b\nExamples:\n  kg rules\n  kg rules unsupported-claim")
@click.argument("name", required=False)
@format_option("table", "json")
def command(name: str | None, format: str) -> None:
    """List the rules that `kg check` applies, or explain one of them."""
    from kg.checks import RULES
    from kg.cli.output import write_json, write_table
    from kg.corpus import UnknownId, nearest

    chosen = [rule for rule in RULES if name in (None, rule.name)]
    if not chosen:
        names = [rule.name for rule in RULES]
        raise UnknownId(str(name), nearest(str(name), names), "rule", where="")
    if format == "json":
        write_json([{"name": r.name, "severity": r.severity, "reason": r.reason} for r in chosen])
    elif name:
        click.echo(f"{name} ({chosen[0].severity.value})\n\n{chosen[0].reason}")
    else:
        write_table(
            ("rule", "severity", "what it finds"),
            [(r.name, r.severity.value, r.reason.splitlines()[0]) for r in chosen],
        )
