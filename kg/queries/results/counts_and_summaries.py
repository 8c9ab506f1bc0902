"""Counts of a whole corpus and of groups, and summaries of the numbers in groups."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from kg.corpus import Corpus
from kg.model import Kind, Relation, Value
from kg.model.errors import Misuse
from kg.queries.conditions.field_types import FieldValue
from kg.queries.conditions.ordering import Values
from kg.queries.results.tables import as_plain_value, render_value, rich_table
from kg.reporting.data_frames import as_frame
from kg.reporting.report import (
    MAX_CELL_CHARACTERS,
    Report,
    Table,
    csv_text,
    markdown_table,
    render_columns,
    render_html,
)

if TYPE_CHECKING:
    from rich.table import Table as RichTable

# The value by which records are grouped, or several; None is not recorded.
GroupKey: TypeAlias = FieldValue | tuple[FieldValue | None, ...] | None
SummaryFigure: TypeAlias = float | dt.date | str | None
EFFECTS = ("effect", "effect_low", "effect_high")


SUMMARIES: Mapping[str, Callable[[Sequence[Any]], Any]] = {
    "mean": fmean,  # adds exactly, so that it is the same in any order
    "min": min,
    "max": max,
    "sum": sum,
}


def summarize(summary: str, values: Values, ids: Collection[str]) -> SummaryFigure:
    """The mean, minimum, maximum or sum of the values of some records; None if there are none.

    A record with several values counts with each of them.
    """
    recorded_values = [value for id in ids for value in values.get(id, ())]
    figure: SummaryFigure = SUMMARIES[summary](recorded_values) if recorded_values else None
    return figure


class MixedMeasures(Misuse, ValueError):
    """Effects with several measures cannot be summarised in one number: a d and an odds ratio."""


def require_one_measure(field: str, measures_of_groups: Iterable[Sequence[str]]) -> None:
    """Raise `MixedMeasures` if the effects of a group have several measures."""
    for kinds in measures_of_groups:
        if len(kinds) > 1:
            raise MixedMeasures(
                f"the values of {field} have several measures ({', '.join(kinds)}), which cannot be"
                f" combined: group by effect_kind, or select one (effect_kind:{kinds[0]})"
            )


class Sizes(Mapping[GroupKey, int]):
    """Counts by the value of a field, or by the values of several.

    `figures` are the summaries asked for: `sizes.figures["mean sample"]["experiment"]`.

    `corpus.find(claims().group_by("camp").count())`
    """

    def __init__(
        self,
        sizes: Mapping[GroupKey, int],
        fields: tuple[str, ...],
        figures: Mapping[str, Mapping[GroupKey, SummaryFigure]] | None = None,
    ) -> None:
        self._sizes = dict(sizes)
        self.fields = fields
        self.figures = dict(figures or {})

    def __getitem__(self, value: GroupKey) -> int:
        return self._sizes[value]

    def __iter__(self) -> Iterator[GroupKey]:
        return iter(self._sizes)

    def __len__(self) -> int:
        return len(self._sizes)

    @property
    def columns(self) -> Mapping[str, list[Any]]:
        """The fields, the number of records and the figures as columns, with their raw values."""
        keys = [value if isinstance(value, tuple) else (value,) for value in self]
        columns = {
            name: [key[position] for key in keys] for position, name in enumerate(self.fields)
        }
        figures = {
            name: [figure_by_value[value] for value in self]
            for name, figure_by_value in self.figures.items()
        }
        return {**columns, "count": list(self.values()), **figures}

    def table(self) -> Table:
        """The columns as a table of text."""
        return Table("", tuple(self.columns), self._rows_of_cells("–"))

    def _rows_of_cells(self, missing: str) -> list[tuple[str, ...]]:
        def render_figure(value: object) -> str:
            return missing if value is None else render_value(value)

        cells = [
            list(map(_name_value if name in self.fields else render_figure, values))
            for name, values in self.columns.items()
        ]
        return list(zip(*cells, strict=True))

    def to_frame(self, library: str | None = None) -> Any:
        """A data frame, a row per group, as by `FoundRecords.to_frame`. Raises `MissingLibrary`."""
        return as_frame(
            {name: list(map(as_plain_value, v)) for name, v in self.columns.items()}, library
        )

    def to_json(self) -> str:
        """Counts by value; a list of objects if there are several fields, or figures."""
        json_value: Any = {_name_value(value): size for value, size in self.items()}
        if len(self.fields) > 1 or self.figures:
            columns = self.columns
            json_value = [
                dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
            ]
        return msgspec.json.format(msgspec.json.encode(json_value), indent=2).decode("utf-8")

    def to_csv(self) -> str:
        """A table as CSV; a missing figure is an empty cell."""
        return csv_text(Table("", tuple(self.columns), self._rows_of_cells("")))

    def to_markdown(self) -> str:
        """A table in Markdown."""
        return f"{markdown_table(self.table())}\n"

    def __repr__(self) -> str:
        return render_columns(self.table(), MAX_CELL_CHARACTERS)

    def __rich__(self) -> RichTable:
        return rich_table(self.table())

    def _repr_html_(self) -> str:
        return render_html(Report((self.table(),)))


def _name_value(value: object) -> str:
    return "not recorded" if value is None else str(value)


class Stats(Value, frozen=True, omit_defaults=False):
    """Counts of everything in a corpus."""

    lines: int
    claims: int
    counter_claims: int
    evidence: int
    sources: int
    cited_sources: int
    edges: int
    edges_by_relation: dict[str, int]
    edges_with_reason: int
    placements: dict[str, int]
    topics: int
    about: int
    mentions: int

    def __repr__(self) -> str:
        field_names = ("lines", "claims", "counter_claims", "evidence", "sources", "edges")
        texts = (f"{name.replace('_', '-')} {getattr(self, name)}" for name in field_names)
        return f"<stats: {', '.join(texts)}>"


def count_corpus(corpus: Corpus) -> Stats:
    """Count each kind of thing that the corpus holds."""
    kinds = Counter(statement.kind for statement in corpus.statements.values())
    relations = Counter(edge.relation for edge in corpus.edges)
    camps = Counter(placement.camp for placement in corpus.placements)
    return Stats(
        lines=len(corpus.lines),
        claims=kinds[Kind.CLAIM],
        counter_claims=kinds[Kind.COUNTER_CLAIM],
        evidence=kinds[Kind.EVIDENCE],
        sources=len(corpus.sources),
        cited_sources=sum(key in corpus.sources for key in corpus.statements_citing),
        edges=len(corpus.edges),
        edges_by_relation={relation.value: relations[relation] for relation in Relation},
        edges_with_reason=sum(bool(edge.reason) for edge in corpus.edges),
        placements={camp: camps[camp] for camp in corpus.config.camp_ids},
        topics=len(corpus.topics),
        about=len(corpus.about),
        mentions=len(corpus.mentions),
    )
