"""Answers: the records found, the edges behind them, and output as table, frame and text.

An answer can also be an excerpt: a part of the corpus as a corpus of its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from kg.corpus import Corpus
from kg.data_frames import as_frame
from kg.model import Edge, InquiryLine, Source, Statement
from kg.model.errors import Misuse
from kg.queries.answers.counts_and_summaries import Sizes
from kg.queries.answers.explain_empty import explain_empty
from kg.queries.answers.notebook import render_answer
from kg.queries.answers.tables import (
    as_json,
    as_table,
    count_line,
    csv_names,
    frame_columns,
    render_plain,
    table_of,
    value_columns,
)
from kg.queries.conditions.condition import All, AnyOf, Condition, InLimitedQuery, Query
from kg.queries.conditions.fields import Sort
from kg.queries.conditions.index import records_of
from kg.queries.conditions.related import CitedBy, Linked, PlacesStatement
from kg.queries.engines.engine import Ends, Engine
from kg.queries.language.builders import Edges, Lines, Sources, Statements
from kg.queries.language.selection import Counted, Grouped, GroupSizes, Selection
from kg.report import csv_columns, markdown_table

if TYPE_CHECKING:
    import networkx as nx
    import rdflib
    from rich.table import Table as RichTable

    from kg.queries.language.parse import FindQuestion

Found = TypeVar("Found", Statement, Source, InquiryLine, Edge)


class Answer(Sequence[Found], Generic[Found]):
    """The records that a selection finds: a sequence, displayed as a table.

    `corpus.find(claims(topic="norms"))`
    """

    def __init__(
        self, engine: Engine, query: Query, ids: tuple[str, ...], written_query: Query | None = None
    ) -> None:
        self.engine = engine
        self.query = query
        self.ids = ids
        self.written_query = query if written_query is None else written_query

    @property
    def sort(self) -> Sort:
        """Whether these are statements, sources, lines or edges."""
        return self.query.sort

    @cached_property
    def corpus(self) -> Corpus:
        """A corpus with at least the records found: the whole corpus if the engine has it."""
        return self.engine.corpus_with(self.sort, self.ids)

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """The edges that justify the answer: those by which the records meet the conditions."""
        if self.sort is Sort.EDGE:
            return tuple(self._record_of(id) for id in self.ids)  # type: ignore[misc]
        return justifying_edges(self.engine, self.query, frozenset(self.ids))

    @cached_property
    def excerpt(self) -> Corpus:
        """The found records, the edges among them and those that justify them, as a corpus."""
        surroundings = self.engine.corpus_around(self.edges, self.ids)
        found_ids = frozenset(self.ids)
        edges = {edge.id: edge for edge in self.edges}
        if self.sort is Sort.STATEMENT:
            edges.update((edge.id, edge) for edge in edges_among(surroundings, found_ids))
        return corpus_excerpt(
            surroundings, () if self.sort is Sort.EDGE else self.ids, tuple(edges.values())
        )

    @cached_property
    def why_empty(self) -> str:
        """Why nothing was found, in sentences: which condition excludes all, and which query
        would find something; empty if something was found.
        """
        return "" if self.ids else " ".join(explain_empty(self.engine, self.written_query))

    # -- as a sequence -------------------------------------------------------------------

    def _record_of(self, id: str) -> Found:
        record: Found = records_of(self.corpus, self.sort)[id]  # type: ignore[assignment]
        return record

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[Found]:
        return map(self._record_of, self.ids)

    def count(self, value: object = None) -> int:
        """The number of records; for a record or an id, 1 if it is among them. `answer.count()`"""
        return len(self.ids) if value is None else int(value in self)

    @overload
    def __getitem__(self, position: int) -> Found: ...
    @overload
    def __getitem__(self, position: slice) -> Answer[Found]: ...
    def __getitem__(self, position: int | slice) -> Found | Answer[Found]:
        if isinstance(position, slice):
            return Answer(self.engine, self.query, self.ids[position], self.written_query)
        try:
            id = self.ids[position]
        except IndexError:
            length_text = f"it holds {len(self)}" if self.ids else f"it is empty: no {self.sort}s"
            raise IndexError(f"the answer has no [{position}]; {length_text}") from None
        return self._record_of(id)

    def __contains__(self, thing: object) -> bool:
        return (thing if isinstance(thing, str) else getattr(thing, "id", None)) in self.ids

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Answer):
            return self.sort is other.sort and self.ids == other.ids
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    # -- as something else ---------------------------------------------------------------

    def rows(self, *columns: str) -> list[tuple[str, ...]]:
        """The cells of a table, as text: the named columns, or `all`; by default the usual ones.

        `answer.rows("id", "support")`
        """
        return [tuple(row) for row in table_of(self, columns).rows]

    def to_frame(self, library: str | None = None) -> Any:
        """A data frame of every field: `"pandas"` or `"polars"`, else whichever is installed.

        Raises `MissingLibrary`.

        `answer.to_frame()`
        """
        return as_frame(frame_columns(self), library)

    def to_networkx(self, *, records: bool = False) -> nx.MultiDiGraph[str]:
        """The found statements, and the edges among them and that justify them, as a graph.

        Attributes are words and numbers; `records` adds `statement` and `edge`.

        `answer.to_networkx()`
        """
        from kg.networkx_view import as_network

        return as_network(self.excerpt, records=records, whole_corpus=self.engine.whole_corpus())

    def to_rdf(self) -> rdflib.Dataset:
        """The records and their edges as RDF, in the vocabulary of kg: `answer.to_rdf()`."""
        from kg.rdf.dataset import as_rdflib_dataset

        return as_rdflib_dataset(self.excerpt)

    def to_json(self, *columns: str) -> str:
        """The records as JSON: the named columns (computed ones too), or all that is recorded.

        `answer.to_json("id", "strength")`
        """
        return as_json(self, columns)

    def to_csv(self, *columns: str) -> str:
        """A table as CSV, with full values, several in a cell joined by `; `: the named columns,
        or by default the usual ones. `answer.to_csv("all")`
        """
        return csv_columns(value_columns(self, csv_names(self, columns)))

    def to_markdown(self, *columns: str) -> str:
        """A table in Markdown: `answer.to_markdown()`."""
        return f"{markdown_table(table_of(self, columns))}\n\n{count_line(self)}\n"

    def __repr__(self) -> str:
        return render_plain(self)

    def __rich__(self) -> RichTable:
        return as_table(self)

    def _repr_html_(self) -> str:
        return render_answer(self)


class Groups(Mapping[Any, Answer[Any]]):
    """Answers by the value of a field, or by the values of several.

    `corpus.find(claims().group_by("camp"))["skeptic"]`
    """

    def __init__(self, groups: Mapping[Any, Answer[Any]], fields: tuple[str, ...]) -> None:
        self._groups: dict[Any, Answer[Any]] = dict(groups)
        self.fields = fields

    def __getitem__(self, value: Any) -> Answer[Any]:
        return self._groups[value]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._groups)

    def __len__(self) -> int:
        return len(self._groups)

    def sizes(self) -> Sizes:
        """The number of records per group: `corpus.find(claims().group_by("camp")).sizes()`."""
        return Sizes({value: len(answer) for value, answer in self._groups.items()}, self.fields)

    def __repr__(self) -> str:
        return repr(self.sizes())

    def _repr_html_(self) -> str:
        return self.sizes()._repr_html_()


def corpus_excerpt(corpus: Corpus, ids: Iterable[str], edges: Collection[Edge]) -> Corpus:
    """A corpus of the statements with these ids, these edges and what they link, and the sources
    cited. Lines and sources among the ids are kept too.
    """
    kept_edges = _add_undercut_edges(corpus, edges)
    end_ids = dict.fromkeys(
        (*ids, *(end for edge in kept_edges for end in (edge.source, edge.target)))
    )
    statements = {id: s for id, s in corpus.statements.items() if id in end_ids}
    lines = {id: line for id, line in corpus.lines.items() if id in end_ids}
    source_keys = {key for s in statements.values() for key in s.sources}
    source_keys |= {citation.key for line in lines.values() for citation in line.citations}
    camps = corpus.default_camps
    return replace(
        corpus,
        statements=statements,
        edges=tuple(sorted(kept_edges, key=lambda edge: (edge.span, edge.id))),
        sources={k: s for k, s in corpus.sources.items() if k in source_keys or k in end_ids},
        lines=lines,
        mentions=(),
        aliases={},
        diagnostics=(),
        unresolved=(),
        duplicates=(),
        dead_links=(),
        best_guess=None,
        known_camps={id: camp for id, camp in camps.items() if id in statements},
    )


def edges_among(corpus: Corpus, ids: Collection[str]) -> list[Edge]:
    """The edges among these statements, including undercuts of such edges."""
    edges = {e.id: e for e in corpus.edges if e.source in ids and e.target in ids}
    undercuts = [e for e in corpus.edges if e.source in ids and e.target in corpus.edges_by_id]
    while new_undercuts := {e.id: e for e in undercuts if e.target in edges and e.id not in edges}:
        edges |= new_undercuts
    return list(edges.values())


def _add_undercut_edges(corpus: Corpus, edges: Collection[Edge]) -> list[Edge]:
    """The edges, and those that they undercut."""
    edges_by_id = {edge.id: edge for edge in edges}
    waiting_edges = list(edges)
    while waiting_edges:
        denied_edge = corpus.edges_by_id.get(waiting_edges.pop().target)
        if denied_edge is not None and denied_edge.id not in edges_by_id:
            edges_by_id[denied_edge.id] = denied_edge
            waiting_edges.append(denied_edge)
    return list(edges_by_id.values())


EdgesWithEnds = list[tuple[Edge, Ends]]


def justifying_edges(engine: Engine, query: Query, ids: Set[str]) -> tuple[Edge, ...]:
    """Edges by which `ids` meet the conditions of a resolved query, in reading order."""
    edges = {edge.id: edge for edge in _edges_behind(engine, query.sort, query.condition, ids)}
    return tuple(sorted(edges.values(), key=lambda edge: (edge.span, edge.id)))


def _edges_behind(
    engine: Engine, sort: Sort, condition: Condition, ids: Set[str]
) -> Iterator[Edge]:
    if not ids:
        return
    match condition:
        case All(parts):
            for part in parts:
                yield from _edges_behind(engine, sort, part, ids)
        case AnyOf(parts):
            for part in parts:
                matching_ids = ids & _result_ids(engine, Query(sort, part))
                yield from _edges_behind(engine, sort, part, matching_ids)
        case InLimitedQuery(query):
            yield from _edges_behind(engine, sort, query.condition, ids)
        case Linked():
            yield from _linking_edges(engine, condition, ids)
        case CitedBy(query) | PlacesStatement(query):
            yield from _edges_behind(
                engine, query.sort, query.condition, _result_ids(engine, query)
            )


def _linking_edges(engine: Engine, condition: Linked, ids: Set[str]) -> Iterator[Edge]:
    """Edges by which `ids` are linked as asked, and those that justify the other ends."""
    other_ids = _result_ids(engine, condition.query)
    edges_with_ends = list(engine.edges(condition.relations))
    starts, ends = (ids, other_ids) if condition.onward else (other_ids, ids)
    if condition.steps != 1:
        starts = ends = _ids_reached(edges_with_ends, starts, 1) & _ids_reached(
            edges_with_ends, ends, 0
        )
    linked_ids: set[str] = set()
    for edge, pairs in edges_with_ends:
        matching_pairs = [pair for pair in pairs if pair[0] in starts and pair[1] in ends]
        if matching_pairs:
            linked_ids.update(end for pair in matching_pairs for end in pair)
            yield edge
    yield from _edges_behind(
        engine, condition.query.sort, condition.query.condition, other_ids & linked_ids
    )


def _ids_reached(edges_with_ends: EdgesWithEnds, start_ids: Set[str], side: int) -> Set[str]:
    """`start_ids` and all that edges lead to from it (side 1), or that lead to it (side 0)."""
    next_ids: dict[str, list[str]] = {}
    for _, pairs in edges_with_ends:
        for pair in pairs:
            next_ids.setdefault(pair[1 - side], []).append(pair[side])
    reached_ids, waiting_ids = set(start_ids), list(start_ids)
    while waiting_ids:
        for end in next_ids.get(waiting_ids.pop(), ()):
            if end not in reached_ids:
                reached_ids.add(end)
                waiting_ids.append(end)
    return reached_ids


def _result_ids(engine: Engine, query: Query) -> Set[str]:
    return frozenset(engine.find_ids(replace(query, order=query.order if query.limit else ())))


class Findable(ABC):
    """The base of what can run selections and text queries: a corpus, or a connection to one."""

    @overload
    def find(self, question: Statements | str = "", **words: object) -> Answer[Statement]: ...
    @overload
    def find(self, question: Sources, **words: object) -> Answer[Source]: ...
    @overload
    def find(self, question: Lines, **words: object) -> Answer[InquiryLine]: ...
    @overload
    def find(self, question: Edges, **words: object) -> Answer[Edge]: ...
    @overload
    def find(self, question: Counted) -> int: ...
    @overload
    def find(self, question: Grouped) -> Groups: ...
    @overload
    def find(self, question: GroupSizes) -> Sizes: ...
    @overload
    def find(self, question: FindQuestion | str = "", **words: object) -> Any: ...
    def find(self, question: object = "", **words: object) -> Any:
        """What a selection finds: `corpus.find(claims().camp("skeptic").supported_by(evidence()))`.

        A text query works too, as in `kg find`:
        `corpus.find("claims camp:skeptic reward", topic="norms")`.
        Raises `UnknownId`, with the nearest names, for names that the corpus does not have.
        """
        if isinstance(question, str):
            from kg.queries.language.parse import parse_question

            question = parse_question(question)
        if isinstance(question, Selection):
            return self._find(question.where(**words))
        if not isinstance(question, Counted | Grouped | GroupSizes):
            raise Misuse(f"find takes a selection, such as claims(), or text, not {question!r}")
        if words:
            raise Misuse("narrow a selection before it is counted or grouped, not after")
        return self._find(question)

    def ask(self, question: str) -> Any:
        """What a text query finds: `corpus.ask('claims evidence.method:experiment "next turn"')`.

        Raises `BadQuestion` and `UnknownId`.
        """
        return self.find(question)

    @abstractmethod
    def _find(self, question: FindQuestion) -> Any: ...
