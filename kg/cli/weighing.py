"""Answers of reasoning in a terminal: the sentence first, then what it rests on."""

from __future__ import annotations

from typing import Any

import click
import msgspec

from kg.cli.output import plain, write_json, write_table
from kg.reasoning import Answer, Report

LONGEST = 15


def write_answer(answer: Report, format: str, most: int = LONGEST) -> None:
    """Print an answer as JSON, or as its sentence with tables of at most `most` rows."""
    if format == "json":
        write_json(answer.to_dict())
        return
    click.secho(plain(answer.sentence), bold=True)
    fields = {name: getattr(answer, name) for name in answer.__struct_fields__}
    facts = {name: value for name, value in fields.items() if _is_fact(value)}
    if facts:
        click.echo("; ".join(f"{_words(name)} {_cell(value)}" for name, value in facts.items()))
    for name, value in fields.items():
        if name != "asked" and name not in facts:
            _write_part(_words(name), value, most)
    if isinstance(answer, Answer):
        _write_terms(answer)


def _write_part(name: str, value: Any, most: int) -> None:
    if isinstance(value, msgspec.Struct):
        told = "; ".join(f"{_words(k)} {_cell(v)}" for k, v in _flat(value).items())
        click.echo(f"{name}: {told}")
    elif isinstance(value, dict) and value:
        click.echo(f"{name}: " + "; ".join(f"{k} {_cell(v)}" for k, v in value.items()))
    elif isinstance(value, tuple) and value and isinstance(value[0], msgspec.Struct):
        rows = [_flat(item) for item in value[:most]]
        columns = list(dict.fromkeys(key for row in rows for key in row if key != "title"))
        cells = [[_cell(row.get(column)) for column in columns] for row in rows]
        write_table([_words(column) for column in columns], cells, title=f"{name}")
        if len(value) > most:
            click.echo(f"… and {len(value) - most} more")
    elif isinstance(value, tuple) and value:
        shown = [_cell(item) for item in value[:most]]
        more = f" … and {len(value) - most} more" if len(value) > most else ""
        click.echo(f"{name}: {', '.join(shown)}{more}")


def _write_terms(answer: Answer) -> None:
    asked = answer.asked
    told = [f"{_words(k)} {_cell(v)}" for k, v in _flat(asked.parameters).items()]
    if asked.certificate:
        told.append(f"certificate {asked.certificate.name}")
    if not answer.complete:
        told.append("the search was cut short: what is listed holds, and there may be more")
    click.secho("\n" + "; ".join(told), dim=True)


def _is_fact(value: Any) -> bool:
    return (
        value is None
        or isinstance(value, bool | int | float)
        or (isinstance(value, str) and len(value) < 40)
    )


def _flat(value: msgspec.Struct) -> dict[str, Any]:
    """Fields of a record, those of a record within it taken out of it."""
    found: dict[str, Any] = {}
    for name in value.__struct_fields__:
        inner = getattr(value, name)
        found |= _flat(inner) if isinstance(inner, msgspec.Struct) else {name: inner}
    return found


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, tuple):
        return ", ".join(_cell(item) for item in value[:6]) + (" …" if len(value) > 6 else "")
    return plain(str(value))


def _words(name: str) -> str:
    return name.replace("_", " ")
