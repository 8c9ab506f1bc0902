"""Run selections with a SPARQL engine: the embedded store, or a server."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import msgspec
from pyoxigraph import NamedNode

from kg.corpus import Corpus, UnknownId
from kg.model import Edge, Kind, Relation
from kg.model.errors import KgError, NotACorpus
from kg.model.ids import part_id, split_id
from kg.model.settings.config import Camp, Config
from kg.queries.conditions.condition import Everything, Query
from kg.queries.conditions.corpus_index import CorpusIndex, query_values, sort_values, unknown_value
from kg.queries.conditions.field_types import Field, FieldType, FieldValue, RecordKind
from kg.queries.conditions.fields import FIELDS_BY_KIND
from kg.queries.conditions.ordering import Values, edges_in_order, sort_by
from kg.queries.conditions.sparql_patterns import CLASS, FOLDER_BY_KIND, declare_prefixes
from kg.queries.engines.compile_query import answer_subqueries, compile_query
from kg.queries.engines.engine import Ends, Engine, NameDirectory, resolve_names
from kg.rdf.iris import CAMPS, Iris
from kg.rdf.ontology import CLASS_OF, KG, RELATION_OF
from kg.rdf.query_bindings import render_literal, render_term
from kg.rdf.read_records import RdfRecords, values_by_subject
from kg.rdf.vocabulary import DAY
from kg.text.spelling import similar_names

if TYPE_CHECKING:
    from pyoxigraph import Store


AnswerRows: TypeAlias = Iterable[Sequence[Any]]
# A record consists of its own triples and of those of its parts, which are other subjects.
_PATHS_TO_CITATIONS = (
    "?x kg:hasCitation ?n .",
    "?x kg:hasQuotation ?n .",
    "?x kg:hasQuotation/oa:hasTarget ?n .",
    "?x kg:hasQuotation/oa:hasTarget/oa:hasSelector ?n .",
)
# How the parts of a record, `?n`, are linked to it.
_PATHS_TO_PARTS: Mapping[RecordKind, Sequence[str]] = {
    RecordKind.STATEMENT: _PATHS_TO_CITATIONS,
    RecordKind.SOURCE: (),
    RecordKind.LINE: (*_PATHS_TO_CITATIONS, "?n kg:inLine ?x ."),
    RecordKind.EDGE: ("?x kg:origin ?n . VALUES ?p { kg:writtenIn }",),
}
# Ids from which a query over all records is cheaper than one that names them.
IDS_FOR_FULL_SCAN = 500


@contextmanager
def _read_answers() -> Iterator[None]:
    """A server may answer anything, so these errors are not bugs of the program."""
    try:
        yield
    except KgError:
        raise
    except (AttributeError, LookupError, TypeError, ValueError, msgspec.MsgspecError) as error:
        reason = " ".join(str(error).split())
        raise NotACorpus(f"what was answered is not of a corpus of kg: {reason}") from None


def _require_all(ids: Iterable[str], answered_ids: Collection[str]) -> None:
    """Refuse an answer that leaves out some of what was asked for."""
    if missing_ids := [id for id in ids if id not in answered_ids]:
        raise NotACorpus(
            f"what was answered lacks {len(missing_ids)} records, such as {missing_ids[0]!r}"
        )


class SelectRunner(Protocol):
    """Anything that runs a SELECT: rows of terms, None for an unbound variable."""

    def __call__(self, query: str) -> AnswerRows: ...


class SparqlEngine(Engine, NameDirectory):
    """A corpus in an Oxigraph store, or on a SPARQL server, as an engine."""

    def __init__(self, select: SelectRunner) -> None:
        self.select = select
        self._known_values: dict[tuple[RecordKind, str], Sequence[str]] = {}

    # -- the corpus in the engine --------------------------------------------------------

    @cached_property
    @_read_answers()
    def iris(self) -> Iris:
        """What makes IRIs of ids, `https://kg.example/sources/doe2020` of “doe2020”, and ids of
        IRIs. Raises `NotACorpus` unless the engine holds exactly one corpus.
        """
        rows = self._rows_of_query("SELECT ?base WHERE { ?c a kg:Corpus ; kg:baseIri ?base }")
        bases = sorted({row[0].value for row in rows})
        if len(bases) != 1:
            corpora_text = (
                "no corpus" if not bases else f"{len(bases)} corpora ({', '.join(bases)})"
            )
            raise NotACorpus(f"this endpoint holds {corpora_text}; it must hold one, written by kg")
        return Iris(bases[0])

    @cached_property
    @_read_answers()
    def config(self) -> Config:
        """The settings of the corpus, as far as the engine has them."""
        rows = self._rows_of_query(
            "SELECT ?id ?label ?position ?colour WHERE { ?c a kg:Camp ; dcterms:identifier ?id ; "
            "rdfs:label ?label ; kg:position ?position ; kg:colour ?colour }"
        )
        in_order = sorted(rows, key=lambda row: int(row[2].value))
        camps = [Camp(id=r[0].value, label=r[1].value, colour=r[3].value) for r in in_order]
        return Config(base_iri=self.iris.base, camps=tuple(camps))

    def _rows_of_query(self, query: str) -> list[Sequence[Any]]:
        return [tuple(row) for row in self.select(declare_prefixes(query))]

    # -- answering -----------------------------------------------------------------------

    def resolve(self, query: Query) -> Query:
        return resolve_names(query, self)

    @_read_answers()
    def find_ids(self, query: Query) -> tuple[str, ...]:
        expressible = answer_subqueries(query, self.find_ids, self._find_in_memory)
        rows = self._rows_of_query(compile_query(expressible, self.iris))
        places = {
            self.iris.id_of(x.value): (path.value, int(line.value), _column_of_term(column))
            for x, path, line, column in rows
            if path and line
        }
        order = sorted(places, key=lambda id: (places[id], id))
        values = {
            key.field: self._sort_keys(query.record_kind, key.field, order) for key in query.order
        }
        # sorted here and not by SPARQL, so that every engine gives the same order
        return tuple(sort_by(order, query.order, values)[: query.limit])

    def _sort_keys(self, record_kind: RecordKind, field: str, ids: Collection[str]) -> Values:
        """The sort keys of a field; from whole records if the field has a `rank`."""
        rank = FIELDS_BY_KIND[record_kind][field].rank
        if rank is None:
            return self.values(record_kind, field, ids)
        return sort_values(self._records(record_kind, ids), rank)

    def _find_in_memory(self, query: Query) -> tuple[str, ...]:
        """Ids by fields that RDF does not have, such as strengths: computed in memory."""
        return query.ordered_ids(self._index_of_records)

    @cached_property
    def _index_of_records(self) -> CorpusIndex:
        """All records, for what must be computed over the whole corpus."""
        return CorpusIndex(
            self._excerpt_of(dict.fromkeys(RecordKind))
        )  # None for each kind, which means all

    @_read_answers()
    def values(self, record_kind: RecordKind, field: str, ids: Collection[str]) -> Values:
        definition = FIELDS_BY_KIND[record_kind][field]
        if field == "id":
            return {id: (id,) for id in ids}
        if not definition.path:
            return self._index_of_records.values(record_kind, field)
        restriction = ""
        if len(ids) < IDS_FOR_FULL_SCAN:
            restriction = f"VALUES ?x {{ {self._iris(record_kind, ids)} }} "
        rows = self._rows_of_query(
            f"SELECT DISTINCT ?x ?v WHERE {{ {restriction}"
            f"?x a {CLASS[record_kind]} ; {definition.path} ?v }}"
        )
        # dicts as sets that keep the order in which values came
        by_id: dict[str, dict[FieldValue, None]] = {}
        for x, term in rows:
            if (value := self._value_of(definition, term)) not in (
                None,
                "",
                definition.placeholder,
            ):
                by_id.setdefault(self.iris.id_of(x.value), {})[value] = None
        if definition.type is FieldType.KIND:
            # a counter-claim also has the class of claims, as its own is a subclass
            for kinds in by_id.values():
                if Kind.COUNTER_CLAIM in kinds:
                    kinds.pop(Kind.CLAIM, None)
            _require_all(ids, by_id)
        values_by_id: dict[str, tuple[FieldValue, ...]] = {id: tuple(v) for id, v in by_id.items()}
        if definition.default is None:
            return values_by_id
        # defaults are not written as triples, so a record without a value has the default
        return {id: values_by_id.get(id, (definition.default,)) for id in ids}

    def _value_of(self, field: Field, term: Any) -> Any:
        """A term as a field's value; None for a class that is not a kind."""
        word: str = term.value
        match field.type:
            case FieldType.NUMBER:
                return float(word) if "." in word or "E" in word.upper() else int(word)
            case FieldType.YEAR:
                return int(word)
            case FieldType.FLAG:
                return word in ("true", "1")
            case FieldType.DAY:
                return DAY.read(word)
            case FieldType.KIND:
                kind: Kind | None = CLASS_OF.get(word.removeprefix(KG))
                return kind
            case FieldType.RELATION:
                return RELATION_OF[word.removeprefix(KG)]
            case FieldType.WORD:
                return word.removeprefix(KG).partition("-")[2]
            case FieldType.THING:
                return self.iris.id_of(word)
        return word

    # -- records -------------------------------------------------------------------------

    def whole_corpus(self) -> Corpus:
        return self._index_of_records.corpus

    def corpus_with(self, record_kind: RecordKind, ids: Collection[str]) -> Corpus:
        """A corpus that holds these records, and the sources that they cite."""
        part = self._excerpt_of({record_kind: ids})
        _require_all(ids, CorpusIndex(part).records(record_kind))
        return part

    def corpus_around(self, edges: Collection[Edge], ids: Collection[str]) -> Corpus:
        """A corpus that holds these statements, the edges among them, and what edges link."""
        ends = {end for edge in edges for end in (edge.origin, edge.target)}
        edges_from_ids = [edge for edge, _ in self.edges(tuple(Relation)) if edge.origin in ids]
        by_id = {
            edge.id: edge for edge in (*edges, *(e for e in edges_from_ids if e.target in ids))
        }
        part = self._excerpt_of({RecordKind.STATEMENT: {*ends, *ids}})
        return _with_edges(part, by_id.values())

    def _excerpt_of(self, ids_by_kind: Mapping[RecordKind, Collection[str] | None]) -> Corpus:
        """A corpus of some records of each kind; None means all."""
        tables = {kind: self._records(kind, ids) for kind, ids in ids_by_kind.items()}
        statements = tables.get(RecordKind.STATEMENT, {})
        cited_keys = {key for s in statements.values() for key in s.sources}
        if RecordKind.SOURCE not in tables and cited_keys:
            tables[RecordKind.SOURCE] = self._records(RecordKind.SOURCE, cited_keys)
        edges: Mapping[str, Any] = tables.get(RecordKind.EDGE, {})
        camps = self.values(RecordKind.STATEMENT, "camp", statements)
        return Corpus(
            statements=statements,
            sources=tables.get(RecordKind.SOURCE, {}),
            lines=tables.get(RecordKind.LINE, {}),
            edges=edges_in_order(edges.values()),
            config=self.config,
            known_camps={id: str(camps[id][0]) for id in statements if camps.get(id)},
        )

    @_read_answers()
    def _records(self, record_kind: RecordKind, ids: Collection[str] | None) -> Mapping[str, Any]:
        """Records of one kind by id; None means all."""
        restriction = "" if ids is None else f"VALUES ?x {{ {self._iris(record_kind, ids)} }} "
        record = f"{restriction}?x a {CLASS[record_kind]}"
        rows = self._rows_of_query(f"SELECT ?x ?p ?o WHERE {{ {record} ; ?p ?o }}")
        part_patterns = " UNION ".join(
            f"{{ {record} . {path} ?n ?p ?o }}" for path in _PATHS_TO_PARTS[record_kind]
        )
        part_rows = (
            self._rows_of_query(f"SELECT ?n ?p ?o WHERE {{ {part_patterns} }}")
            if part_patterns
            else []
        )
        records = RdfRecords(
            values_by_subject((s, p, o) for s, p, o in [*rows, *part_rows]), self.iris
        )
        read_record = {
            RecordKind.STATEMENT: records.statement,
            RecordKind.SOURCE: records.source,
            RecordKind.LINE: records.line,
            RecordKind.EDGE: records.edge,
        }[record_kind]
        return {
            self.iris.id_of(iri): read_record(iri) for iri in {row[0].value: None for row in rows}
        }

    def edges(self, relations: Collection[Relation]) -> Sequence[tuple[Edge, Ends]]:
        # the links of an edge depend on edges only, so statements need not be fetched
        index = CorpusIndex(_with_edges(Corpus(statements={}), self._all_edges))
        return [(edge, index.ends(edge)) for each in relations for edge in index.edges(each)]

    def links(
        self, relations: Collection[Relation], ids: Set[str]
    ) -> Iterable[tuple[Relation, str, str]]:
        return ((edge.relation, *pair) for edge, ends in self.edges(relations) for pair in ends)

    @cached_property
    def _all_edges(self) -> tuple[Edge, ...]:
        return tuple(self._records(RecordKind.EDGE, None).values())

    def _iris(self, record_kind: RecordKind, ids: Iterable[str]) -> str:
        return " ".join(
            render_term(NamedNode(self.iris.iri_of(FOLDER_BY_KIND[record_kind], id))) for id in ids
        )

    # -- names ---------------------------------------------------------------------------

    @_read_answers()
    def resolve_name(self, record_kind: RecordKind, name: str) -> str:
        # as written in notes: `@key`, and `note#^block`, whose id is `note#block`
        plain_name = (
            name.removeprefix("@") if record_kind is RecordKind.SOURCE else name.replace("#^", "#")
        )
        iri = self._iris(record_kind, (plain_name,))
        text = render_literal(plain_name)
        rows = self._rows_of_query(
            f"SELECT DISTINCT ?x ?exact WHERE {{ {{ VALUES ?x {{ {iri} }} "
            f"?x a {CLASS[record_kind]} BIND(1 AS ?exact) }} "
            f"UNION {{ ?x kg:alias|kg:otherName {text} }} }}"
        )
        # an id takes precedence over an alias of something else
        if any(exact is not None for _, exact in rows):
            return plain_name
        # the query does not check the class of aliases, so the one found may be of another kind
        folder = self.iris.base + FOLDER_BY_KIND[record_kind]
        if len(rows) == 1 and rows[0][0].value.startswith(folder):
            return self.iris.id_of(rows[0][0].value)
        if (id := self._id_by_title_or_note(record_kind, plain_name)) is not None:
            return id
        known_ids = self.find_ids(Query(record_kind, Everything()))
        if record_kind is RecordKind.STATEMENT and plain_name in self.config.camp_ids:
            raise UnknownId(name, (f"camp:{plain_name}",), record_kind)
        raise UnknownId(
            name,
            similar_names(name, known_ids),
            "inquiry line" if record_kind is RecordKind.LINE else record_kind,
        )

    @_read_answers()
    def _id_by_title_or_note(self, record_kind: RecordKind, name: str) -> str | None:
        """The id of the only record with this title, or of a part of a note given by an alias."""
        note, mark, part = split_id(name)
        with suppress(UnknownId):
            if mark and (note_id := self.resolve_name(record_kind, note)) != note:
                return self.resolve_name(record_kind, part_id(note_id, part))
        rows = self._rows_of_query(
            f"SELECT DISTINCT ?x {{ ?x a {CLASS[record_kind]} ; dcterms:title ?title "
            f"FILTER(LCASE(STR(?title)) = {render_literal(' '.join(name.split()).lower())}) }}"
        )
        ids = sorted(self.iris.id_of(row[0].value) for row in rows)
        if len(ids) > 1:
            raise UnknownId(name, tuple(ids), record_kind, shared=True)
        return ids[0] if ids else None

    def iri_of(self, name: str) -> NamedNode:
        """The IRI of the record of any kind, or of the camp, called `name`; raises `UnknownId`."""
        unknown: UnknownId | None = None
        for kind, folder in FOLDER_BY_KIND.items():
            try:
                return NamedNode(self.iris.iri_of(folder, self.resolve_name(kind, name)))
            except UnknownId as error:
                unknown = unknown or error
        if camp := self.config.find_camp(name):
            return NamedNode(self.iris.iri_of(CAMPS, camp))
        raise unknown or UnknownId(name, ())

    def camp_of(self, name: str) -> str:
        if camp := self.config.find_camp(name):
            return camp
        raise unknown_value(name, self.config.camp_ids, "camp")

    def values_of(self, record_kind: RecordKind, field: str, name: str) -> Sequence[str]:
        if (record_kind, field) not in self._known_values:
            all_ids = self.find_ids(Query(record_kind, Everything()))
            by_id = self.values(record_kind, field, all_ids)
            known_values = {str(value) for values in by_id.values() for value in values}
            self._known_values[record_kind, field] = sorted(known_values)
        return query_values(record_kind, field, name, self._known_values[record_kind, field])


def engine_of_store(store: Store) -> SparqlEngine:
    """The corpus in an Oxigraph store."""

    def select(query: str) -> AnswerRows:
        # each note has a graph of its own; the corpus is their union
        result: Any = store.query(query, use_default_graph_as_union=True)
        rows: AnswerRows = result
        return rows

    return SparqlEngine(select)


def _column_of_term(term: Any) -> int:
    """The column in a file, which triples omit if it is the first."""
    return 1 if term is None else int(term.value)


def _with_edges(corpus: Corpus, edges: Iterable[Edge]) -> Corpus:
    # the camps stay as they are: taken from these edges, which are not all, they might differ
    return replace(corpus, edges=edges_in_order(edges), known_camps=corpus.default_camps)
