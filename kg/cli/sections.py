"""A command with many options, shown in help under headings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import click


class Sections(click.Command):
    """A command whose help sorts its options under `sections`, the rest under the last one.

    Each section names its options, separated by spaces.
    """

    sections: ClassVar[Mapping[str, str]] = {}
    last = "Answer"

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        place = {name: title for title, names in self.sections.items() for name in names.split()}
        held: dict[str, list[tuple[str, str]]] = {title: [] for title in self.sections}
        held.setdefault(self.last, [])
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None and isinstance(param, click.Option):
                held[place.get(param.name or "", self.last)].append(record)
        for title, records in held.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records, col_max=26)
