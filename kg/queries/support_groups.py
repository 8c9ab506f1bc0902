"""Separate groups of evidence for and against a statement."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from kg.corpus import Corpus
from kg.corpus.columns import premises_and_targets, records_of_key
from kg.corpus.independent_sources import independent_sources, retracted_evidence
from kg.corpus.reasons_for_and_against import reasons_by_side, undercuts_of
from kg.corpus.same_and_superseded import same_by_statement, same_statements, superseded_statements
from kg.grouping import UnionFind, group_by
from kg.model import Kind, Relation, StatementId, Value
from kg.reachability import walk_from
from kg.runtime.memoize import memoize
from kg.text.plurals import pluralize

LinkedStatements = Mapping[StatementId, tuple[StatementId, ...]]


class GroupedSupport(Value, frozen=True, omit_defaults=False):
    """Pieces of evidence, in groups that share a source or an independence key.

    `retracted` evidence is listed separately, since it does not count.
    """

    evidence: tuple[StatementId, ...]
    evidence_groups: tuple[tuple[StatementId, ...], ...]
    retracted: tuple[StatementId, ...] = ()

    def __str__(self) -> str:
        items = len(self.evidence)
        retracted_count = len(self.retracted)
        retracted_text = f" ({retracted_count} more retracted)" if retracted_count else ""
        if not items:
            return f"no evidence{retracted_text.replace(' more', '')}"
        group_count = pluralize(len(self.evidence_groups), "separate group")
        return f"{pluralize(items, 'item')} from {group_count}{retracted_text}"


def support_of(corpus: Corpus, name: str) -> GroupedSupport:
    """The evidence that supports a statement, directly or through claims. Raises `UnknownId`."""
    return group_evidence(corpus, _find_evidence_beneath(corpus, [corpus.statement(name).id]))


def opposition_of(corpus: Corpus, name: str, include_beneath: bool) -> GroupedSupport:
    """The evidence against a statement: what contradicts or qualifies it or undercuts a reason for
    it, and what supports these; with `include_beneath`, the same for its reasons, at any depth.

    A mutual contradiction counts from both sides. Raises `UnknownId`.
    """
    root = corpus.statement(name).id
    opponents = {*_opponents_of(corpus, root, include_beneath)}
    direct = {id for id in opponents if corpus.statements[id].kind is Kind.EVIDENCE}
    return group_evidence(
        corpus,
        (direct | _find_evidence_beneath(corpus, opponents)) - {*same_statements(corpus, root)},
    )


def group_evidence(corpus: Corpus, evidence: Iterable[StatementId]) -> GroupedSupport:
    """Pieces of evidence in separate groups, in reading order."""
    sorted_ids = sorted(evidence, key=lambda id: corpus.statements[id].span)
    source_groups = _source_groups_of_evidence(corpus) if sorted_ids else {}
    items = [id for id in sorted_ids if source_groups[id]]
    retracted = tuple(id for id in sorted_ids if not source_groups[id])
    classes = UnionFind[str]()
    for id in items:
        classes.join(source_groups[id])
    evidence_groups = group_by(items, lambda id: classes.representative_of(source_groups[id][0]))
    return GroupedSupport(
        evidence=tuple(items), evidence_groups=tuple(evidence_groups.values()), retracted=retracted
    )


@memoize
def evidence_group_counts(corpus: Corpus) -> Mapping[StatementId, int]:
    """Count the separate groups of evidence that each statement rests on, if it rests on any."""
    table = _evidence_masks(corpus)
    # many statements rest on the same evidence, and so have the same mask
    count_by_mask: dict[int, int] = {}
    counts = {}
    for id, mask in table.beneath.items():
        if mask not in count_by_mask:
            count_by_mask[mask] = table.count(mask)
        counts[id] = count_by_mask[mask]
    return counts


@dataclass(frozen=True, slots=True)
class _EvidenceMasks:
    """The evidence beneath each statement as a bit mask, to count the separate groups in it.

    The low `source_group_count` bits of a mask are source groups; those above are items that rest
    on several, which `joined_source_groups` lists. With masks, joining two sets of evidence is a
    single operation, however large they are.
    """

    beneath: Mapping[StatementId, int]
    joined_source_groups: tuple[tuple[str, ...], ...]
    source_group_count: int

    def count(self, mask: int) -> int:
        """The number of separate groups in a mask: one for each source group, but one for all those
        on which a single item rests.
        """
        count = (mask & ((1 << self.source_group_count) - 1)).bit_count()
        classes = UnionFind[str]()
        joining_bits = mask >> self.source_group_count
        while joining_bits:
            # the lowest bit that is set, which the last line of the loop clears
            number = (joining_bits & -joining_bits).bit_length() - 1
            source_groups = self.joined_source_groups[number]
            count -= (
                len({classes.representative_of(source_group) for source_group in source_groups}) - 1
            )
            classes.join(source_groups)
            joining_bits &= joining_bits - 1
        return count


@memoize
def _source_groups_of_evidence(corpus: Corpus) -> Mapping[StatementId, tuple[str, ...]]:
    """The source groups on which each piece of evidence rests; empty if retracted."""
    retracted = retracted_evidence(corpus)
    return {
        id: () if id in retracted else tuple(fractions)
        for id, fractions in independent_sources(corpus).fractions_left.items()
    }


@memoize
def _evidence_masks(corpus: Corpus) -> _EvidenceMasks:
    source_groups = _source_groups_of_evidence(corpus)
    distinct_source_groups = dict.fromkeys(chain.from_iterable(source_groups.values()))
    numbers = {source_group: number for number, source_group in enumerate(distinct_source_groups)}
    source_group_count = len(numbers)
    joined_source_groups: list[tuple[str, ...]] = []
    own_masks = {}
    for id, source_groups_of_item in source_groups.items():
        if not source_groups_of_item:
            continue
        own_masks[id] = sum(1 << numbers[source_group] for source_group in source_groups_of_item)
        if len(source_groups_of_item) > 1:
            own_masks[id] |= 1 << (source_group_count + len(joined_source_groups))
            joined_source_groups.append(source_groups_of_item)
    masks_beneath = _propagate_masks(own_masks, _support_links(corpus))
    return _EvidenceMasks(masks_beneath, tuple(joined_source_groups), source_group_count)


def _support_links(corpus: Corpus, to_supporters: bool = False) -> LinkedStatements:
    """Links from supporters, including all premises, to what they support (or the other way,
    `to_supporters`), and both ways between claims declared the same.
    """
    links: defaultdict[StatementId, list[StatementId]] = defaultdict(list)
    statements = corpus.statements
    for id, (_, *twins) in same_by_statement(corpus).items():
        if statements[id].kind is not Kind.EVIDENCE:
            links[id] += twins
    superseded = superseded_statements(corpus)
    for premises, target in _ends_of_support(corpus):
        if not superseded.keys().isdisjoint(premises):
            continue  # superseded statements do not count
        if target in statements:
            for premise in premises:
                if premise in statements:
                    start, end = (target, premise) if to_supporters else (premise, target)
                    links[start].append(end)
    return {id: tuple(ends) for id, ends in links.items()}


def _ends_of_support(corpus: Corpus) -> Iterator[tuple[tuple[StatementId, ...], StatementId]]:
    """The premises and the target of each edge of support."""
    if ends := premises_and_targets(corpus, Relation.SUPPORTS):
        for premise, target in zip(*ends, strict=True):
            yield (premise,), target
        return
    for edge in records_of_key(corpus.edges_by_relation, Relation.SUPPORTS):
        yield edge.premises, edge.target


def _propagate_masks(own_masks: Mapping[str, int], links: LinkedStatements) -> Mapping[str, int]:
    """Compute for each statement the mask of all that support it, directly or indirectly."""
    masks_beneath: dict[str, int] = {}
    waiting_ids = list(own_masks)
    while waiting_ids:
        id = waiting_ids.pop()
        mask = own_masks.get(id, 0) | masks_beneath.get(id, 0)
        for target in links.get(id, ()):
            target_mask = masks_beneath.get(target, 0)
            # only new bits are passed on, so circles terminate
            if mask | target_mask != target_mask:
                masks_beneath[target] = mask | target_mask
                waiting_ids.append(target)
    return masks_beneath


def _opponents_of(
    corpus: Corpus, root: StatementId, include_beneath: bool
) -> Iterator[StatementId]:
    def supporters_of(id: StatementId) -> Iterator[StatementId]:
        for reason in reasons_by_side(corpus, id).pro:
            for premise in reason.premises:
                yield same_statements(corpus, premise)[0]

    for id in walk_from([root], supporters_of) if include_beneath else [root]:
        sides = reasons_by_side(corpus, id)
        for reason in sides.con:
            yield from reason.premises
        for reason in sides.pro:
            for undercut in undercuts_of(corpus, reason.edge.id):
                yield from undercut.premises


@memoize
def _links_to_supporters(corpus: Corpus) -> LinkedStatements:
    return _support_links(corpus, to_supporters=True)


def _find_evidence_beneath(corpus: Corpus, ids: Iterable[StatementId]) -> set[StatementId]:
    """The evidence that supports some statements, directly or through claims."""
    supporters = _links_to_supporters(corpus)
    direct = (supporter for id in ids for supporter in supporters.get(id, ()))
    beneath = walk_from(direct, lambda id: supporters.get(id, ()))
    return {each for each in beneath if corpus.statements[each].kind is Kind.EVIDENCE}
