"""How hypothesis prints a corpus and settings that it drew: without what is as in any other."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from typing import Any

from hypothesis.vendor.pretty import RepresentationPrinter, for_type_by_name


def print_corpora_in_short() -> None:
    """Have a failing example name only the fields that differ from the default."""
    for_type_by_name("kg.corpus.corpus", "Corpus", _print_corpus)
    for_type_by_name("kg.model.settings.config", "Config", _print_settings)


def _print_corpus(corpus: Any, printer: RepresentationPrinter, _: bool) -> None:
    values = ((each.name, getattr(corpus, each.name), each) for each in fields(corpus) if each.repr)
    _print_call("Corpus", {name: x for name, x, field in values if x != _default(field)}, printer)


def _print_settings(config: Any, printer: RepresentationPrinter, _: bool) -> None:
    _print_call("Config", config.model_dump(exclude_defaults=True), printer)


def _print_call(name: str, values: dict[str, Any], printer: RepresentationPrinter) -> None:
    with printer.group(indent=4, open=f"{name}(", close=")"):
        for number, (key, value) in enumerate(values.items()):
            if number:
                printer.text(",")
                printer.breakable()
            printer.text(f"{key}=")
            printer.pretty(value)


def _default(field: Field[Any]) -> object:
    return field.default if field.default_factory is MISSING else field.default_factory()
