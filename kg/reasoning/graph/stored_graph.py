"""The graph of a stored corpus as columns in a file, so that its strengths need no records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, overload

import msgspec
import numpy as np

from kg.corpus import Corpus
from kg.corpus.columns import ids_of_records
from kg.files.cache_files import CacheEntry, open_sealed_parts, write_sealed_parts
from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning.graph.arrays import Ints
from kg.reasoning.graph.graph import Graph
from kg.reasoning.graph.graph_of_corpus import UnweighedEdge

GRAPH_KIND = "graph 1"  # raised when what is written, or how a graph is made, changes
# The arrays of a graph, as they are written: numbers of records need no more than 32 bits.
_COLUMNS: Mapping[str, str] = {
    "base": "<f8",
    "base_unretracted": "<f8",
    "is_claim": "|b1",
    "arc_premise": "<i4",
    "arc_target": "<i4",
    "arc_weight": "<f8",
    "gate": "<i4",
    "fallen": "|b1",
    "shared": "|b1",
    "joint": "<i4",
    "source_group_start": "<i8",
    "source_group_of": "<i4",
    "source_group_fraction": "<f8",
}
# 64 bits, since numbers are multiplied into keys of pairs, which would overflow 32.
_IN_MEMORY = {"f": np.float64, "i": np.int64, "b": np.bool_}


class _GraphHead(msgspec.Struct, array_like=True):
    """The parts that are no columns; `shares_numbers` where statements are declared the same."""

    gate_count: int
    shares_numbers: bool
    unweighed_edges: tuple[UnweighedEdge, ...]


class _EdgeIds(Sequence[str]):
    """The ids of the edges that arcs come from, which few questions need."""

    def __init__(self, corpus: Corpus, numbers: Ints) -> None:
        self._corpus = corpus
        self._numbers = numbers

    @overload
    def __getitem__(self, position: int) -> str: ...
    @overload
    def __getitem__(self, position: slice) -> tuple[str, ...]: ...
    def __getitem__(self, position: int | slice) -> str | tuple[str, ...]:
        ids = ids_of_records(self._corpus.edges_by_id)
        if isinstance(position, slice):
            return tuple(ids[number] for number in self._numbers[position].tolist())
        return ids[int(self._numbers[position])]

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[str]:
        return map(ids_of_records(self._corpus.edges_by_id).__getitem__, self._numbers.tolist())


def store_graph(corpus: Corpus, graph: Graph, unweighed_edges: tuple[UnweighedEdge, ...]) -> None:
    """Keep a graph beside the file that its corpus is read from."""
    if (place := corpus.provenance.record_file) is None:
        return
    head = _GraphHead(graph.gate_count, len(graph.ids) < len(graph.number_of), unweighed_edges)
    columns = [getattr(graph, name).astype(kind) for name, kind in _COLUMNS.items()]
    columns.append(np.fromiter(graph.number_of.values(), "<i4", len(graph.number_of)))
    edge_ids = ids_of_records(corpus.edges_by_id)
    columns.append(np.array(_numbers_of(graph.edge_of_arc, edge_ids), "<i4"))
    parts = [msgspec.msgpack.encode(head), *(column.tobytes() for column in columns)]
    write_sealed_parts(place.file.with_suffix(".graph"), GRAPH_KIND, parts, place.fingerprint)


def _numbers_of(ids: Sequence[str], all_ids: Sequence[str]) -> list[int]:
    """Return the places of these ids among all; most come in the same order."""
    numbers: list[int] = []
    position = 0
    for id in ids:
        try:
            position = all_ids.index(id, position)
        except ValueError:
            position = all_ids.index(id)
        numbers.append(position)
    return numbers


def read_graph(
    corpus: Corpus, settings: Reasoning
) -> tuple[Graph, tuple[UnweighedEdge, ...]] | None:
    """The graph kept beside the file that a corpus is read from, which was made under these
    settings; None if there is none.
    """
    place = corpus.provenance.record_file
    parts = place and _read_parts(place)
    if not parts:
        return None
    head = msgspec.msgpack.decode(parts[0], type=_GraphHead)
    columns: dict[str, Any] = {}
    for (name, kind), part in zip(_COLUMNS.items(), parts[1:-2], strict=True):
        column = np.frombuffer(part, kind)
        columns[name] = column.astype(_IN_MEMORY[column.dtype.kind], copy=False)
    nodes = np.frombuffer(parts[-2], "<i4")
    all_ids = list(corpus.statements)
    number_of = dict(zip(all_ids, nodes.tolist(), strict=True))
    ids = tuple(all_ids)
    if head.shares_numbers:
        _, first = np.unique(nodes, return_index=True)
        ids = tuple(all_ids[number] for number in first.tolist())
    edge_of_arc = _EdgeIds(corpus, np.frombuffer(parts[-1], "<i4").astype(np.int64))
    graph = Graph(
        ids=ids,
        edge_of_arc=edge_of_arc,
        gate_count=head.gate_count,
        number_of=number_of,
        settings=settings,
        **columns,
    )
    return graph, head.unweighed_edges


def _read_parts(place: CacheEntry) -> list[bytes] | None:
    sealed = open_sealed_parts(place.file.with_suffix(".graph"), GRAPH_KIND, place.fingerprint)
    if sealed is None or len(sealed) != len(_COLUMNS) + 3:
        return None
    parts = [part for number in range(len(sealed)) if (part := sealed.part(number)) is not None]
    return parts if len(parts) == len(sealed) else None
