"""Push the corpus to a server graph by graph, and pull it back.

A graph's digest is deleted before the graph is changed, and written after all else; that of the
corpus, which is one of all its graphs, is deleted by each request that changes graphs, as another
push may have ended in between, and written last. So if a push is stopped half-way, the next one
sees which graphs are incomplete, and nobody takes parts of two pushes for a corpus.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import pyoxigraph as ox

from kg.corpus import Corpus
from kg.endpoints.connections import EndpointError, NoReply
from kg.endpoints.endpoint import Endpoint
from kg.rdf.iris import NOTES, Iris
from kg.rdf.quad_store import StoreUpdate, as_digests
from kg.rdf.quads import DIGEST_PROPERTY
from kg.rdf.query_bindings import render_term
from kg.rdf.read_records import parse_corpus

QUADS_PER_UPDATE = 1000
GRAPHS_PER_QUERY = 50
ROWS_AT_ONCE = 100_000  # of names and digests: a server makes the whole list for each page
GRAPH_CLASSES = ("Note", "Corpus")  # the first triple of each graph says which it is
NOT_ONE_CORPUS = "the graphs on the server are incomplete, or those of several pushes: push again"
PushProgress = Callable[[int, int], None]
GraphQuads = tuple[ox.NamedNode, list[ox.Quad]]


@dataclass(frozen=True, slots=True)
class PushResult:
    """The result of a push: the numbers of graphs written, removed and unchanged."""

    written_graphs: int
    removed_graphs: int
    unchanged_graphs: int


def push(
    corpus: Corpus, endpoint: Endpoint, progress: PushProgress = lambda count, total: None
) -> PushResult:
    """Upload the corpus to a server, writing only what changed since the last push.

    Graphs that do not belong to the corpus are not changed. Raises `EndpointError`; the next push
    continues where this one stopped.
    """
    plan = _PushPlan(corpus, endpoint)
    finished_count = 0
    progress(finished_count, plan.total)
    try:
        for count, texts in plan.requests():
            for text in texts:
                endpoint.update(text)
            finished_count += count
            progress(finished_count, plan.total)
    except NoReply as error:
        state = f"{finished_count} of {plan.total} graphs are up to date"
        raise NoReply(f"{error}\n  {state}; push again to continue from there") from None
    return plan.outcome


def preview_push(corpus: Corpus, endpoint: Endpoint) -> PushResult:
    """The result that a push would have now; nothing is written."""
    return _PushPlan(corpus, endpoint).outcome


class _PushPlan:
    """The graphs that are missing or outdated on a server, and the requests to update them."""

    def __init__(self, corpus: Corpus, endpoint: Endpoint) -> None:
        self.names, digests = find_graphs(endpoint, corpus.config.base_iri)
        self.changes = StoreUpdate(corpus, digests)
        self.removed_names = self.changes.graphs_to_remove(self.names)
        written_count = len(self.changes.changed) + (1 if self.changes.has_corpus_changed else 0)
        self.total = written_count + len(self.removed_names)
        # beside the graph of each note, one is of the corpus
        unchanged_count = len(self.changes.parts) + 1 - written_count
        self.outcome = PushResult(written_count, len(self.removed_names), unchanged_count)

    def requests(self) -> Iterator[tuple[int, Iterable[str]]]:
        """Groups of updates in order, each with the number of graphs that it completes."""
        if not self.total:
            return
        delete_digest = _delete_digest_update(self.changes.name)
        known_names = frozenset(self.names)
        for start in range(0, len(self.removed_names), QUADS_PER_UPDATE):
            batch = self.removed_names[start : start + QUADS_PER_UPDATE]
            drops = [f"DROP SILENT GRAPH <{name}>" for name in batch]
            yield len(batch), [" ;\n".join([delete_digest, *drops])]
        for graphs in _batches_for_requests(
            (name, self.changes.quads(part)) for name, part in self.changes.changed
        ):
            updates = _updates_of_graphs(graphs, known_names)
            yield len(graphs), (f"{delete_digest} ;\n{text}" for text in updates)
        if self.changes.has_corpus_changed:
            yield (
                1,
                _updates_of_graphs([(self.changes.name, self.changes.corpus_quads)], known_names),
            )
        else:
            yield (
                0,
                [_insert_update([quad for quad in self.changes.corpus_quads if _is_digest(quad)])],
            )


def pull(endpoint: Endpoint, base: str = "") -> Corpus:
    """Read the corpus from a server; if there are several, the one under `base`.

    Raises `EndpointError` if graphs are missing or incomplete, and `NotACorpus`.
    """
    base = base or _only_base_iri(endpoint)
    names, digests = find_graphs(endpoint, base)
    if names and Iris(base).corpus not in digests:  # else half of it would be read
        raise EndpointError(NOT_ONE_CORPUS)
    corpus = parse_corpus(_quads_of_graphs(endpoint, names))
    changes = StoreUpdate(corpus, digests)
    incomplete = [name.value for name, _ in changes.changed]
    incomplete += [name for name in changes.graphs_to_remove(names) if name not in incomplete]
    if incomplete:
        raise EndpointError(
            f"{len(incomplete)} graphs on the server are incomplete, such as {incomplete[0]}: push "
            "again (or the server cannot store all of it; docs/engines.md lists what some lose)"
        )
    if changes.has_corpus_changed:
        raise EndpointError(NOT_ONE_CORPUS)
    return corpus


# -- reading the server --------------------------------------------------------------------------


def _only_base_iri(endpoint: Endpoint) -> str:
    rows = endpoint.select("SELECT DISTINCT ?base { ?corpus a kg:Corpus ; kg:baseIri ?base }")
    bases = sorted({row["base"] for row in rows if "base" in row})
    if len(bases) != 1:
        bases_text = ", ".join(bases) or "none"
        hint = f"the server must hold one corpus, or be told which; it holds {bases_text}"
        raise EndpointError(hint)
    return bases[0]


def find_graphs(endpoint: Endpoint, base: str) -> tuple[list[str], dict[str, str]]:
    """The graphs on a server that belong to the corpus under a base, and the digests of the
    complete ones.

    If the last push ended, each graph has its first triple or its digest, and servers look those
    up. If not, a graph may be left that has neither.
    """
    digest_pattern = f"GRAPH ?g {{ ?g {DIGEST_PROPERTY} ?d }}"
    base_filter = _belongs_to(base)
    digest_rows = list(endpoint.pages(f"{digest_pattern} {base_filter}", "?g ?d", ROWS_AT_ONCE))
    digests = as_digests(
        ox.Quad(graph, DIGEST_PROPERTY, digest, graph)
        for graph, digest in digest_rows
        if isinstance(graph, ox.NamedNode) and isinstance(digest, ox.Literal)
    )
    if Iris(base).corpus in digests:
        types = " UNION ".join(f"{{ GRAPH ?g {{ ?g a kg:{name} }} }}" for name in GRAPH_CLASSES)
        # few or none: to list all graphs twice would take the server twice as long
        undigested_pattern = f"{{ {types} }} MINUS {{ {digest_pattern} }} {base_filter}"
        undigested_rows = endpoint.pages(undigested_pattern, "?g", ROWS_AT_ONCE)
        graphs = [row[0] for row in (*digest_rows, *undigested_rows)]
        names = (graph.value for graph in graphs if isinstance(graph, ox.NamedNode))
        return list(dict.fromkeys(names)), digests
    return graphs_under(endpoint, base), digests


def graphs_under(endpoint: Endpoint, base: str) -> list[str]:
    """The graphs of the corpus under a base, also the remains of a graph that was being removed.

    The server reads every triple that it holds.
    """
    pattern = f"GRAPH ?g {{ ?s ?p ?o }} {_belongs_to(base)}"
    return [
        row[0].value for row in endpoint.pages(pattern, "?g") if isinstance(row[0], ox.NamedNode)
    ]


def _belongs_to(base: str) -> str:
    """The condition that a graph belongs to the corpus under a base."""
    iris = Iris(base)
    notes_prefix = render_term(ox.Literal(iris.base + NOTES))
    corpus_graph = render_term(ox.Literal(iris.corpus))
    return f"FILTER (STRSTARTS(STR(?g), {notes_prefix}) || STR(?g) = {corpus_graph})"


def _quads_of_graphs(endpoint: Endpoint, names: list[str]) -> Iterator[ox.Quad]:
    for start in range(0, len(names), GRAPHS_PER_QUERY):
        iri_list = " ".join(f"<{name}>" for name in names[start : start + GRAPHS_PER_QUERY])
        pattern = f"VALUES ?g {{ {iri_list} }} GRAPH ?g {{ ?s ?p ?o }}"
        for graph, subject, predicate, value in endpoint.pages(pattern, "?g ?s ?p ?o"):
            if (
                isinstance(graph, ox.NamedNode)
                and isinstance(subject, ox.NamedNode)
                and isinstance(predicate, ox.NamedNode)
                and value
            ):
                yield ox.Quad(subject, predicate, value, graph)


# -- updates -------------------------------------------------------------------------------------


def _batches_for_requests(graphs: Iterable[GraphQuads]) -> Iterator[list[GraphQuads]]:
    """Groups of graphs that fit into one request."""
    batch: list[GraphQuads] = []
    size = 0
    for graph in graphs:
        if batch and size + len(graph[1]) > QUADS_PER_UPDATE:
            yield batch
            batch = []
            size = 0
        batch.append(graph)
        size += len(graph[1])
    if batch:
        yield batch


def _updates_of_graphs(graphs: list[GraphQuads], known_graphs: frozenset[str]) -> Iterator[str]:
    """Requests that replace some graphs: delete digests, drop graphs, insert, add digests."""
    operations = [_delete_digest_update(name) for name, _ in graphs if name.value in known_graphs]
    operations += [f"DROP SILENT GRAPH {name}" for name, _ in graphs if name.value in known_graphs]
    digest_quads = [quad for _, quads in graphs for quad in quads if _is_digest(quad)]
    other_quads = [quad for _, quads in graphs for quad in quads if not _is_digest(quad)]
    starts = range(0, len(other_quads), QUADS_PER_UPDATE)
    batches = [other_quads[start : start + QUADS_PER_UPDATE] for start in starts]
    for batch in batches[:-1]:
        yield " ;\n".join([*operations, _insert_update(batch)])
        operations = []
    yield " ;\n".join([*operations, *map(_insert_update, [*batches[-1:], digest_quads])])


def _is_digest(quad: ox.Quad) -> bool:
    return quad.predicate == DIGEST_PROPERTY


def _delete_digest_update(graph: ox.NamedNode) -> str:
    return f"DELETE WHERE {{ GRAPH {graph} {{ {graph} {DIGEST_PROPERTY} ?old }} }}"


def _insert_update(quads: list[ox.Quad]) -> str:
    lines = ["INSERT DATA {"]
    graph = None
    for quad in quads:
        if quad.graph_name != graph:
            if graph is not None:
                lines.append("}")
            graph = quad.graph_name
            lines.append(f"GRAPH {graph} {{")
        value = quad.object
        assert not isinstance(value, ox.Triple)
        lines.append(f"{quad.subject} {quad.predicate} {render_term(value)} .")
    return "\n".join([*lines, "}", "}"])
