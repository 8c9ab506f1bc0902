"""`kg stats`"""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli.options import format_option, load, notes_option


@click.command(epilog="\b\nExample:\n  kg stats --format json")
@notes_option
@format_option("table", "json")
def command(notes: Path | None, format: str) -> None:
    """Count what the corpus holds."""
    import msgspec

    from kg.cli.output import write_json, write_table
    from kg.queries.stats import count

    stats = count(load(notes))
    if format == "json":
        write_json(stats)
        return
    rows: list[tuple[str, object]] = []
    for name, value in msgspec.to_builtins(stats).items():
        if isinstance(value, dict):
            rows += [(f"{name.replace('_', ' ')}: {key}", number) for key, number in value.items()]
        else:
            rows.append((name.replace("_", " "), value))
    write_table(("what", "count"), rows)
