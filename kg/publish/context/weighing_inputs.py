"""The input of the weights: its digest, and what a site keeps of an earlier one with the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import blake2b
from operator import attrgetter
from typing import Any, TypeAlias

import msgspec

from kg.corpus import Corpus
from kg.corpus.independent_sources import independent_sources
from kg.corpus.quality.evidence_quality import qualities_of
from kg.corpus.same_and_superseded import first_of_same, same_by_statement, superseded_statements
from kg.judgements.edge_labels import judgements_of
from kg.model import CampPlacement, Edge, InquiryLine, Source, Statement, Value
from kg.runtime.memoize import MemoizedFunction, memoize

_encode = msgspec.json.Encoder(order="deterministic").encode  # encodes integers of any size
_OfCorpus: TypeAlias = MemoizedFunction[Corpus, [], Any]
_CITING_FIELDS = ("citations", "quotations")
# What follows from statements and sources, without their texts and edges.
OF_STATEMENTS: tuple[_OfCorpus, ...] = (independent_sources, qualities_of)
# What follows from the inputs alone, and names things by their ids.
OF_THE_INPUTS: tuple[_OfCorpus, ...] = (
    first_of_same,
    same_by_statement,
    superseded_statements,
)


def _fields_but(kind: type[Value], *left_out: str) -> Callable[[Any], tuple[object, ...]]:
    """A function that returns all fields of a value except some."""
    return attrgetter(*(name for name in kind.__struct_fields__ if name not in left_out))


_STATEMENT_FIELDS = _fields_but(Statement, "span", "body", *_CITING_FIELDS)
_EDGE_FIELDS = _fields_but(Edge, "span")
_SOURCE_FIELDS = _fields_but(Source, "span", "body")
_LINE_FIELDS = _fields_but(
    InquiryLine, "span", "standfirst", "essay", "placements", "next", *_CITING_FIELDS
)
_PLACEMENT_FIELDS = _fields_but(CampPlacement, "span")


def _statement_fields(statement: Statement) -> tuple[object, ...]:
    return _STATEMENT_FIELDS(statement), statement.sources


def _edge_fields(edge: Edge) -> tuple[object, ...]:
    return _EDGE_FIELDS(edge), edge.span.path


def _line_fields(line: InquiryLine) -> tuple[object, ...]:
    return _LINE_FIELDS(line), list(map(_PLACEMENT_FIELDS, line.placements))


@memoize
def digest_of_inputs(corpus: Corpus) -> bytes:
    """A digest of everything that weights depend on: the corpus and its settings without its texts
    and their positions in files.
    """
    parts = (
        list(map(_statement_fields, corpus.statements.values())),
        list(map(_edge_fields, corpus.edges)),
        list(map(_line_fields, corpus.lines.values())),
        list(map(_SOURCE_FIELDS, corpus.sources.values())),
        dict(corpus.aliases),
        _judgement_rows(corpus),
        [part.model_dump(mode="json") for part in _settings_that_weigh(corpus)],
    )
    return blake2b(_encode(parts), digest_size=16).digest()


def _judgement_rows(corpus: Corpus) -> object:
    return judgements_of(corpus).rows


def _settings_that_weigh(corpus: Corpus) -> tuple[Any, ...]:
    config = corpus.config
    return (config.reasoning, config.quality, *config.camps)


def keep_results(old_corpus: Corpus, new_corpus: Corpus, of_ids: Iterable[_OfCorpus]) -> bool:
    """Let `new_corpus` keep what was made of `old_corpus` from what is the same in both.

    Returns whether they are the same in all that weights follow from. Most of what they hold is
    equal as a whole, which is quicker to see than to make or to digest anything.
    `of_ids` are functions of the ids alone. No result may hold its corpus.
    """
    if not all(
        list(getattr(old_corpus, name)) == list(getattr(new_corpus, name))
        for name in ("statements", "lines", "sources")
    ):
        return False
    _take_over(of_ids, old_corpus, new_corpus)
    if not (
        _settings_that_weigh(old_corpus) == _settings_that_weigh(new_corpus)
        and _are_alike(
            old_corpus.statements.values(), new_corpus.statements.values(), _statement_fields
        )
        and _are_alike(old_corpus.sources.values(), new_corpus.sources.values(), _SOURCE_FIELDS)
    ):
        return False
    _take_over(OF_STATEMENTS, old_corpus, new_corpus)
    are_alike = (
        old_corpus.aliases == new_corpus.aliases  # with names of files, which no record holds
        and _are_alike(old_corpus.edges, new_corpus.edges, _edge_fields)
        and _are_alike(old_corpus.lines.values(), new_corpus.lines.values(), _line_fields)
        and _judgement_rows(old_corpus) == _judgement_rows(new_corpus)
    )
    if are_alike:
        _take_over(OF_THE_INPUTS, old_corpus, new_corpus)
    return are_alike


def _take_over(makers: Iterable[_OfCorpus], old_corpus: Corpus, new_corpus: Corpus) -> None:
    for make in makers:
        if (result := make.recall(old_corpus)) is not None:
            make.give(new_corpus, result)


def _are_alike(
    old_items: Iterable[Value], new_items: Iterable[Value], fields_of: Callable[[Any], object]
) -> bool:
    old_values, new_values = tuple(old_items), tuple(new_items)
    return old_values == new_values or (
        len(old_values) == len(new_values)
        and all(
            old is new or old == new or fields_of(old) == fields_of(new)
            for old, new in zip(old_values, new_values, strict=True)
        )
    )
