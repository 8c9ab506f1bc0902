"""Independent sources, and those that each piece of evidence rests on.

Works that share a team or data (an `independence` key, or a DOI) are one independent source, a
source group. A piece of evidence that cites two works of different groups rests on both: its
fractions are ½ and ½. One that cites none is a group of its own, with a fraction of 1.

A review cites many works, and its keys do not join them. If another work or piece of evidence has
one of its keys, the review rests on that key's group instead of on the works that it cites: such
keys are its `evidence_keys`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

from kg.corpus.columns import values_of_field
from kg.corpus.corpus import Corpus
from kg.grouping import UnionFind, group_by_each
from kg.model import Kind, Source, SourceKey, Statement, StatementId
from kg.notes.bibliography import parse_doi
from kg.reachability import walk_from
from kg.runtime.memoize import memoize


@dataclass(frozen=True, slots=True)
class IndependentSources:
    """The groups of sources that each count as one independent source.

    `fractions` gives the source groups that a piece of evidence rests on, each with its fraction
    (they sum to 1), `fractions_left` the same for what is left if some of its sources are
    retracted, `sources` the citation keys that make up a source group (none for evidence that cites
    nothing), and `evidence_keys` the keys of evidence that rests on keys it shares, not on the
    several works it cites.
    """

    fractions: Mapping[StatementId, Mapping[str, float]]
    fractions_left: Mapping[StatementId, Mapping[str, float]]
    sources: Mapping[str, tuple[SourceKey, ...]]
    evidence_keys: Mapping[StatementId, tuple[str, ...]]


class CitingEvidence(NamedTuple):
    """A piece of evidence, by what decides on which independent sources it rests."""

    id: StatementId
    sources: tuple[SourceKey, ...]
    independence: tuple[str, ...]


@memoize
def citing_evidence(corpus: Corpus) -> Sequence[CitingEvidence]:
    """Return all evidence, without reading whole records where columns are kept."""
    kinds, sources, keys = (
        values_of_field(corpus.statements, name) for name in ("kind", "sources", "independence")
    )
    return [
        CitingEvidence(id, sources.get(id, ()), keys.get(id, ()))
        for id, kind in kinds.items()
        if kind is Kind.EVIDENCE
    ]


@memoize
def independent_sources(corpus: Corpus) -> IndependentSources:
    """The source groups of a corpus: sources are joined if they, or evidence from them alone, share
    an `independence` key, or if their entries have the same DOI.

    A key on evidence that cites several sources joins nothing: a review does not make one source
    group of the studies that it cites. If others have the key too, such evidence rests on that
    source group. Evidence without any source or key is a source group of its own. Claims rest on
    their evidence, not on what their text cites, so they are not listed.
    """
    classes = UnionFind[str]()
    for _, names in joined_sources(corpus):
        classes.join(names)
    evidence_keys = _evidence_with_keys(corpus)
    evidence = citing_evidence(corpus)
    fractions_by_evidence = {
        item.id: _fractions_of_item(item, item.sources, classes, evidence_keys) for item in evidence
    }
    retracted_keys = {key for key, source in corpus.sources.items() if source.retracted}
    fractions_left = dict(fractions_by_evidence)
    for item in evidence:
        if retracted_keys.isdisjoint(item.sources):
            continue
        remaining_keys = [key for key in item.sources if key not in retracted_keys]
        fractions_left[item.id] = {}
        if remaining_keys:
            fractions_left[item.id] = _fractions_of_item(
                item, remaining_keys, classes, evidence_keys
            )
    members: defaultdict[str, list[SourceKey]] = defaultdict(list)
    for key in dict.fromkeys(key for item in evidence for key in item.sources):
        members[classes.representative_of(work_name(key))].append(key)
    sources = {source_group: tuple(keys) for source_group, keys in members.items()}
    return IndependentSources(fractions_by_evidence, fractions_left, sources, evidence_keys)


def joined_sources(corpus: Corpus) -> list[tuple[StatementId, tuple[str, ...]]]:
    """Groups of works (`work_name`) and keys (`key_name`) that are one source, with the evidence
    that joins them, or an empty id if the bibliography does.
    """
    groups = [
        ("", (work_name(source.key), *map(key_name, keys)))
        for source in corpus.sources.values()
        if (keys := _independence_keys(source))
    ]
    # otherwise a key on a review would join all works that it cites (decision 0028)
    groups += [
        (item.id, (*map(key_name, item.independence), *map(work_name, item.sources)))
        for item in citing_evidence(corpus)
        if item.independence and len(item.sources) < 2
    ]
    return groups


@memoize
def joined_sources_by_name(
    corpus: Corpus,
) -> Mapping[str, Sequence[tuple[StatementId, tuple[str, ...]]]]:
    """The groups of `joined_sources` that each name is in.

    If the source “doe2020” has the key `lab:doe`, both `@doe2020` and `~lab:doe` lead to
    `(("", ("@doe2020", "~lab:doe")),)`.
    """
    return group_by_each(joined_sources(corpus), itemgetter(1))


def source_groups_without(
    corpus: Corpus, names: Iterable[str], excluded_evidence: Container[StatementId]
) -> UnionFind[str]:
    """The classes of some works and keys if `excluded_evidence` joined nothing."""
    groups_by_name = joined_sources_by_name(corpus)
    classes = UnionFind[str]()

    def groups_of(name: str) -> list[tuple[str, ...]]:
        return [group for id, group in groups_by_name.get(name, ()) if id not in excluded_evidence]

    for name in walk_from(names, lambda name: chain(*groups_of(name))):
        for group in groups_of(name):
            classes.join(group)
    return classes


@memoize
def count_uses_of_keys(corpus: Corpus) -> Counter[str]:
    """Count the works and pieces of evidence that have each key."""
    key_lists = [each.independence for each in citing_evidence(corpus)]
    key_lists += [work.independence for work in corpus.sources.values()]
    return Counter(key for keys in key_lists for key in {*keys})


def _evidence_with_keys(corpus: Corpus) -> Mapping[StatementId, tuple[str, ...]]:
    """Evidence that cites several works, with those of its keys that others have too."""
    use_counts = count_uses_of_keys(corpus)
    citing_several = (
        item for item in citing_evidence(corpus) if item.independence and len(item.sources) > 1
    )
    shared_keys = {
        item.id: tuple(dict.fromkeys(key for key in item.independence if use_counts[key] > 1))
        for item in citing_several
    }
    return {id: keys for id, keys in shared_keys.items() if keys}


def _fractions_of_item(
    item: CitingEvidence,
    sources: Sequence[SourceKey],
    classes: UnionFind[str],
    evidence_keys: Mapping[StatementId, tuple[str, ...]],
) -> Mapping[str, float]:
    keys = evidence_keys.get(item.id, () if sources else item.independence[:1])
    names = [*map(key_name, keys)] or [*map(work_name, sources)]
    if not names:
        return {item.id: 1.0}
    # works of one source add up their fractions
    counts = Counter(classes.representative_of(name) for name in names)
    return {source_group: count / len(names) for source_group, count in counts.items()}


def unretracted_fractions(
    same_ids: Collection[StatementId], source_groups: IndependentSources
) -> Mapping[str, float]:
    """Return every source group of statements declared the same, with its fraction of what is left
    of them: 0 if all of the source group is retracted.
    """
    fractions_left = mean_fractions(same_ids, source_groups.fractions_left)
    return {
        source_group: fractions_left.get(source_group, 0.0)
        for source_group in mean_fractions(same_ids, source_groups.fractions)
    }


def mean_fractions(
    same_ids: Iterable[StatementId],
    fractions_by_statement: Mapping[StatementId, Mapping[str, float]],
) -> Mapping[str, float]:
    """The source groups of statements declared the same, with their mean fractions."""
    fractions_of_same = [
        fractions_by_statement[id] for id in same_ids if fractions_by_statement.get(id)
    ]
    means: dict[str, float] = {}
    for fractions in fractions_of_same:
        for source_group, fraction in fractions.items():
            means[source_group] = means.get(source_group, 0.0) + fraction / len(fractions_of_same)
    return means


def render_source_group(source_group: str, further_works: int) -> str:
    """A source group in words: its name, and how many further works share its team or data."""
    shared = (
        f"{further_works} more that {'shares' if further_works == 1 else 'share'} its team or data"
    )
    return f"{source_group} (and {shared})" if further_works > 0 else source_group


def is_retracted(corpus: Corpus, statement: Statement) -> bool:
    """Return whether a statement is evidence of which nothing is left: all works that it cites and
    that are in the bibliography are retracted.
    """
    return statement.kind is Kind.EVIDENCE and _are_retracted(corpus, statement.sources)


def retracted_evidence(corpus: Corpus) -> frozenset[StatementId]:
    """Evidence of which every known source is retracted."""
    if not any(source.retracted for source in corpus.sources.values()):
        return frozenset()
    evidence = citing_evidence(corpus)
    return frozenset(item.id for item in evidence if _are_retracted(corpus, item.sources))


def newest_year(corpus: Corpus, id: StatementId) -> int | None:
    """The last year in which one of the works that a statement cites was published; None if no year
    is known.
    """
    years = [source.year for source in _known_sources(corpus, corpus.statements[id].sources)]
    return max((year for year in years if year is not None), default=None)


def _known_sources(corpus: Corpus, keys: Iterable[SourceKey]) -> list[Source]:
    return [corpus.sources[key] for key in keys if key in corpus.sources]


def _are_retracted(corpus: Corpus, keys: Iterable[SourceKey]) -> bool:
    cited_sources = _known_sources(corpus, keys)
    return bool(cited_sources) and all(source.retracted for source in cited_sources)


# Works and independence keys are in one union-find, and a key may have the name of a work.
def work_name(key: SourceKey) -> str:
    """The name of a work in the union-find."""
    return f"@{key}"


def key_name(key: str) -> str:
    """The name of a key in the union-find."""
    return f"~{key}"


def _independence_keys(source: Source) -> tuple[str, ...]:
    """The keys of a source, including one for its DOI."""
    doi = fold_doi(source)
    return (*source.independence, f"doi:{doi}") if doi else source.independence


def fold_doi(source: Source) -> str:
    """The DOI in the form in which DOIs are compared: lower case, without an address."""
    return parse_doi(source.doi.strip()).casefold()
