"""Separate groups of evidence for and against a statement."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from kg.corpus import Corpus
from kg.corpus.grouping import group_by
from kg.corpus.independent_sources import UnionFind, independent_sources, is_retracted
from kg.corpus.reasons_for_and_against import reasons_by_side, undercuts_of
from kg.corpus.same_and_superseded import groups_of_same, statements_same_as, superseded_statements
from kg.model import Kind, Relation, StatementId, Value
from kg.text.plurals import pluralize

LinkedStatements = Mapping[StatementId, tuple[StatementId, ...]]


class GroupedSupport(Value, frozen=True, omit_defaults=False):
    """Pieces of evidence, in groups that share a source or an independence key.

    `retracted` evidence is listed separately, since it does not count.
    """

    evidence: tuple[StatementId, ...]
    groups: tuple[tuple[StatementId, ...], ...]
    retracted: tuple[StatementId, ...] = ()

    def __str__(self) -> str:
        items, groups, lost = len(self.evidence), len(self.groups), len(self.retracted)
        besides = f" ({lost} more retracted)" if lost else ""
        if not items:
            return f"no evidence{besides.replace(' more', '')}"
        return f"{pluralize(items, 'item')} from {pluralize(groups, 'separate group')}{besides}"


def support_of(corpus: Corpus, name: str) -> GroupedSupport:
    """The evidence that supports a statement, directly or through claims. Raises `UnknownId`."""
    return group_evidence(corpus, _find_evidence_beneath(corpus, [corpus.statement(name).id]))


def opposition_of(corpus: Corpus, name: str, beneath: bool) -> GroupedSupport:
    """The evidence against a statement: what contradicts or qualifies it or undercuts a reason for
    it, and what supports these; with `beneath`, the same for its reasons, at any depth.

    A mutual contradiction counts from both sides. Raises `UnknownId`.
    """
    root = corpus.statement(name).id
    opponents = {*_opponents(corpus, root, beneath)}
    direct = {id for id in opponents if corpus.statements[id].kind is Kind.EVIDENCE}
    return group_evidence(
        corpus,
        (direct | _find_evidence_beneath(corpus, opponents)) - {*statements_same_as(corpus, root)},
    )


def group_evidence(corpus: Corpus, evidence: Iterable[StatementId]) -> GroupedSupport:
    """Pieces of evidence in separate groups, in reading order."""
    listed = sorted(evidence, key=lambda id: corpus.statements[id].span)
    units = corpus.derive(_support_table).units
    items = [id for id in listed if units[id]]
    lost = tuple(id for id in listed if not units[id])
    classes = UnionFind()
    for id in items:
        classes.join(units[id])
    groups = group_by(items, lambda id: classes.find(units[id][0]))
    return GroupedSupport(evidence=tuple(items), groups=tuple(groups.values()), retracted=lost)


def group_counts(corpus: Corpus) -> Mapping[StatementId, int]:
    """How many separate groups of evidence each statement rests on, if it rests on any."""
    table = corpus.derive(_support_table)
    # many statements rest on the same evidence, and so have the same mask
    by_mask: dict[int, int] = {}
    groups = {}
    for id, mask in table.beneath.items():
        if mask not in by_mask:
            by_mask[mask] = table.count(mask)
        groups[id] = by_mask[mask]
    return groups


@dataclass(frozen=True, slots=True)
class _EvidenceMasks:
    """The units of each piece of evidence (empty if retracted), and the evidence beneath each
    statement as a bit mask.

    The low bits of a mask are units, those from `first` on the items that rest on several units.
    With masks, joining two sets of evidence is a single operation, however large they are.
    """

    units: Mapping[StatementId, tuple[str, ...]]
    beneath: Mapping[StatementId, int]
    several: tuple[tuple[str, ...], ...]
    first: int

    def count(self, mask: int) -> int:
        """The number of groups in a mask: an item that rests on several units joins them."""
        groups = (mask & ((1 << self.first) - 1)).bit_count()
        classes, joining = UnionFind(), mask >> self.first
        while joining:
            # the lowest bit that is set, which the last line of the loop clears
            units = self.several[(joining & -joining).bit_length() - 1]
            groups -= len({classes.find(unit) for unit in units}) - 1
            classes.join(units)
            joining &= joining - 1
        return groups


def _support_table(corpus: Corpus) -> _EvidenceMasks:
    units = {
        id: () if is_retracted(corpus, corpus.statements[id]) else tuple(parts)
        for id, parts in independent_sources(corpus).parts_left.items()
    }
    names = dict.fromkeys(unit for mine in units.values() for unit in mine)
    numbers = {unit: number for number, unit in enumerate(names)}
    first = len(numbers)
    several: list[tuple[str, ...]] = []
    own = {}
    for id, mine in units.items():
        if not mine:
            continue
        own[id] = sum(1 << numbers[unit] for unit in mine)
        if len(mine) > 1:
            own[id] |= 1 << (first + len(several))
            several.append(mine)
    beneath = _propagate_masks(own, _support_links(corpus))
    return _EvidenceMasks(units, beneath, tuple(several), first)


def _support_links(corpus: Corpus, back: bool = False) -> LinkedStatements:
    """Links from supporters, including all premises, to what they support (or `back`), and both
    ways between claims declared the same.
    """
    links: defaultdict[StatementId, list[StatementId]] = defaultdict(list)
    known = corpus.statements
    for id, (_, *twins) in corpus.derive(groups_of_same).items():
        if known[id].kind is not Kind.EVIDENCE:
            links[id] += twins
    replaced = corpus.derive(superseded_statements)
    for edge in corpus.edges_by_relation.get(Relation.SUPPORTS, ()):
        if not replaced.keys().isdisjoint(edge.premises):
            continue  # superseded statements do not count
        if edge.target in known:
            for premise in (edge.source, *edge.together):
                if premise in known:
                    start, end = (edge.target, premise) if back else (premise, edge.target)
                    links[start].append(end)
    return {id: tuple(ends) for id, ends in links.items()}


def _propagate_masks(own: Mapping[str, int], onward: LinkedStatements) -> Mapping[str, int]:
    """For each statement, the mask of all that support it, directly or indirectly."""
    beneath: dict[str, int] = {}
    waiting = list(own)
    while waiting:
        id = waiting.pop()
        passed = own.get(id, 0) | beneath.get(id, 0)
        for target in onward.get(id, ()):
            known = beneath.get(target, 0)
            # only new bits are passed on, so circles terminate
            if passed | known != known:
                beneath[target] = passed | known
                waiting.append(target)
    return beneath


def _opponents(corpus: Corpus, root: StatementId, beneath: bool) -> Iterator[StatementId]:
    waiting, known = [root], {*statements_same_as(corpus, root)}
    while waiting:
        sides = reasons_by_side(corpus, waiting.pop())
        for reason in sides.con:
            yield from reason.premises
        for reason in sides.pro:
            for cut in undercuts_of(corpus, reason.edge):
                yield from cut.premises
            for premise in reason.premises if beneath else ():
                if premise not in known:
                    known.update(statements_same_as(corpus, premise))
                    waiting.append(premise)


def _support_links_back(corpus: Corpus) -> LinkedStatements:
    return _support_links(corpus, back=True)


def _find_evidence_beneath(corpus: Corpus, ids: Iterable[StatementId]) -> set[StatementId]:
    """The evidence that supports some statements, directly or through claims."""
    back, waiting = corpus.derive(_support_links_back), list(ids)
    evidence: set[StatementId] = set()
    while waiting:
        for below in back.get(waiting.pop(), ()):
            if below not in evidence:
                evidence.add(below)
                waiting.append(below)
    return {each for each in evidence if corpus.statements[each].kind is Kind.EVIDENCE}
