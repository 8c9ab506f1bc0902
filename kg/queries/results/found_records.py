"""Answers: the records found, the edges behind them, and output as table, frame and text."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from kg.corpus import Corpus
from kg.model import Edge, InquiryLine, Source, Statement
from kg.model.errors import Misuse
from kg.queries.conditions.condition import Query
from kg.queries.conditions.corpus_index import records_of
from kg.queries.conditions.field_types import RecordKind
from kg.queries.engines.engine import Engine
from kg.queries.language.builders import Edges, Lines, Sources, Statements
from kg.queries.language.parse_query import parse_request
from kg.queries.language.selection import Counted, Grouped, GroupSizes, Selection
from kg.queries.results.counts_and_summaries import GroupKey, Sizes
from kg.queries.results.edges_behind import corpus_excerpt, edges_among, justifying_edges
from kg.queries.results.explain_empty import explain_empty
from kg.queries.results.notebook import render_records
from kg.queries.results.tables import (
    ALL_FIELDS,
    as_json,
    as_table,
    count_line,
    csv_names,
    render_plain,
    table_of,
    value_columns,
)
from kg.reporting.csv_cells import csv_columns
from kg.reporting.data_frames import as_frame
from kg.reporting.report import markdown_table

if TYPE_CHECKING:
    import rdflib
    from rich.table import Table as RichTable

    from kg.graphs_with_strengths.networkx_graph import Network
    from kg.queries.language.parse_query import FindRequest

Found = TypeVar("Found", Statement, Source, InquiryLine, Edge)


class FoundRecords(Sequence[Found], Generic[Found]):
    """The records that a selection finds: a sequence, displayed as a table.

    `corpus.find(claims(topic="norms"))`
    """

    def __init__(
        self, engine: Engine, query: Query, ids: tuple[str, ...], written_query: Query | None = None
    ) -> None:
        self.engine = engine
        self.query = query
        self.ids = ids
        # as it was put, before names were resolved and claims asked through their evidence: readers
        # are told how many of what they asked for there are, or why none
        self.written_query = query if written_query is None else written_query

    @property
    def record_kind(self) -> RecordKind:
        """The kind of these: statements, sources, lines or edges."""
        return self.query.record_kind

    @cached_property
    def corpus(self) -> Corpus:
        """A corpus with at least the records found: the whole corpus if the engine has it."""
        return self.engine.corpus_with(self.record_kind, self.ids)

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """The edges that justify the result: those by which the records meet the conditions."""
        if self.record_kind is RecordKind.EDGE:
            return tuple(self._found_record(id) for id in self.ids)  # type: ignore[misc]
        return justifying_edges(self.engine, self.query, frozenset(self.ids))

    @cached_property
    def excerpt(self) -> Corpus:
        """The found records, the edges among them and those that justify them, as a corpus."""
        surroundings = self.engine.corpus_around(self.edges, self.ids)
        found_ids = frozenset(self.ids)
        edges = {edge.id: edge for edge in self.edges}
        if self.record_kind is RecordKind.STATEMENT:
            edges.update((edge.id, edge) for edge in edges_among(surroundings, found_ids))
        return corpus_excerpt(
            surroundings,
            () if self.record_kind is RecordKind.EDGE else self.ids,
            tuple(edges.values()),
        )

    @cached_property
    def why_empty(self) -> str:
        """The reason why nothing was found, in sentences: the condition that excludes all, and a
        query that would find something; empty if something was found.
        """
        return "" if self.ids else " ".join(explain_empty(self.engine, self.written_query))

    # -- as a sequence -------------------------------------------------------------------

    def _found_record(self, id: str) -> Found:
        record: Found = records_of(self.corpus, self.record_kind)[id]  # type: ignore[assignment]
        return record

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[Found]:
        return map(self._found_record, self.ids)

    def count(self, value: object = None) -> int:
        """The number of records; for a record or an id, 1 if it is among them. `records.count()`"""
        return len(self.ids) if value is None else int(value in self)

    @overload
    def __getitem__(self, position: int) -> Found: ...
    @overload
    def __getitem__(self, position: slice) -> FoundRecords[Found]: ...
    def __getitem__(self, position: int | slice) -> Found | FoundRecords[Found]:
        if isinstance(position, slice):
            return FoundRecords(self.engine, self.query, self.ids[position], self.written_query)
        try:
            id = self.ids[position]
        except IndexError:
            length_text = (
                f"it holds {len(self)}" if self.ids else f"it is empty: no {self.record_kind}s"
            )
            raise IndexError(f"the result has no [{position}]; {length_text}") from None
        return self._found_record(id)

    def __contains__(self, thing: object) -> bool:
        return (thing if isinstance(thing, str) else getattr(thing, "id", None)) in self.ids

    def __eq__(self, other: object) -> bool:
        if isinstance(other, FoundRecords):
            return self.record_kind is other.record_kind and self.ids == other.ids
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    # -- as something else ---------------------------------------------------------------

    def rows(self, *columns: str) -> list[tuple[str, ...]]:
        """The cells of a table, as text: the named columns, or `all`; by default the usual ones.

        `records.rows("id", "support")`
        """
        return [tuple(row) for row in table_of(self, columns).rows]

    def to_frame(self, library: str | None = None) -> Any:
        """A data frame of every field: `"pandas"` or `"polars"`, else whichever is installed.

        Raises `MissingLibrary`.

        `records.to_frame()`
        """
        return as_frame(value_columns(self, ALL_FIELDS), library)

    def to_networkx(self, *, records: bool = False) -> Network:
        """The found statements, and the edges among them and that justify them, as a graph.

        Attributes are words and numbers; `records` adds `statement` and `edge`.

        `records.to_networkx()`
        """
        from kg.graphs_with_strengths.networkx_graph import as_network

        return as_network(self.excerpt, records=records, whole_corpus=self.engine.whole_corpus())

    def to_rdf(self) -> rdflib.Dataset:
        """The records and their edges as RDF, in the vocabulary of kg: `records.to_rdf()`."""
        from kg.rdf.rdflib_dataset import as_rdflib_dataset

        return as_rdflib_dataset(self.excerpt)

    def to_json(self, *columns: str) -> str:
        """The records as JSON: the named columns (computed ones too), or all that is recorded.

        `records.to_json("id", "strength")`
        """
        return as_json(self, columns)

    def to_csv(self, *columns: str) -> str:
        """A table as CSV, with full values, several in a cell joined by `; `: the named columns,
        or by default the usual ones. `records.to_csv("all")`
        """
        return csv_columns(value_columns(self, csv_names(self, columns)))

    def to_markdown(self, *columns: str) -> str:
        """A table in Markdown: `records.to_markdown()`."""
        return f"{markdown_table(table_of(self, columns))}\n\n{count_line(self)}\n"

    def __repr__(self) -> str:
        return render_plain(self)

    def __rich__(self) -> RichTable:
        return as_table(self)

    def _repr_html_(self) -> str:
        return render_records(self)


class Groups(Mapping[GroupKey, FoundRecords[Any]]):
    """Answers by the value of a field, or by the values of several.

    `corpus.find(claims().group_by("camp"))["skeptic"]`
    """

    def __init__(
        self, groups: Mapping[GroupKey, FoundRecords[Any]], fields: tuple[str, ...]
    ) -> None:
        self._groups = dict(groups)
        self.fields = fields

    def __getitem__(self, value: GroupKey) -> FoundRecords[Any]:
        return self._groups[value]

    def __iter__(self) -> Iterator[GroupKey]:
        return iter(self._groups)

    def __len__(self) -> int:
        return len(self._groups)

    def sizes(self) -> Sizes:
        """The number of records per group: `corpus.find(claims().group_by("camp")).sizes()`."""
        return Sizes({value: len(records) for value, records in self._groups.items()}, self.fields)

    def __repr__(self) -> str:
        return repr(self.sizes())

    def _repr_html_(self) -> str:
        return self.sizes()._repr_html_()


class Findable(ABC):
    """The base of what can run selections and text queries: a corpus, or a connection to one."""

    @overload
    def find(self, question: Statements | str = "", **words: object) -> FoundRecords[Statement]: ...
    @overload
    def find(self, question: Sources, **words: object) -> FoundRecords[Source]: ...
    @overload
    def find(self, question: Lines, **words: object) -> FoundRecords[InquiryLine]: ...
    @overload
    def find(self, question: Edges, **words: object) -> FoundRecords[Edge]: ...
    @overload
    def find(self, question: Counted) -> int: ...
    @overload
    def find(self, question: Grouped) -> Groups: ...
    @overload
    def find(self, question: GroupSizes) -> Sizes: ...
    @overload
    def find(self, question: FindRequest | str = "", **words: object) -> Any: ...
    def find(self, question: object = "", **words: object) -> Any:
        """Run a selection: `corpus.find(claims().camp("skeptic").supported_by(evidence()))`.

        A text query works too, as in `kg find`:
        `corpus.find("claims camp:skeptic reward", topic="norms")`.
        Raises `UnknownId`, with the nearest names, for names that the corpus does not have.
        """
        if isinstance(question, str):
            question = parse_request(question)
        if isinstance(question, Selection):
            return self._find(question.where(**words))
        if not isinstance(question, Counted | Grouped | GroupSizes):
            raise Misuse(f"find takes a selection, such as claims(), or text, not {question!r}")
        if words:
            raise Misuse("narrow a selection before it is counted or grouped, not after")
        return self._find(question)

    def ask(self, question: str) -> Any:
        """Run a text query: `corpus.ask('claims evidence.method:experiment "next turn"')`.

        Raises `BadRequest` and `UnknownId`.
        """
        return self.find(question)

    @abstractmethod
    def _find(self, request: FindRequest) -> Any: ...
