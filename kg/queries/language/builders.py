"""The starts of a selection: statements, claims, evidence, sources, lines, edges."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import ClassVar, Self, Unpack

from kg.model import Kind, Relation
from kg.queries.conditions.condition import AnyOf, Everything, Query
from kg.queries.conditions.field_types import RecordKind
from kg.queries.conditions.fields import parse_closed_words
from kg.queries.conditions.inherited_conditions import WithoutInheritance
from kg.queries.conditions.related_records import (
    CitedBy,
    EndsAt,
    PartOf,
    PlacedBy,
    PlacesStatement,
    StartsAt,
    WeighsStatement,
)
from kg.queries.conditions.value_ranges import Bound, RangeBounds, as_range, range_of
from kg.queries.language.query_words import (
    ANSWERING_RELATIONS,
    RELATION_BY_INVERSE,
    parse_relations,
)
from kg.queries.language.selection import Selection, Thing, as_query


class Statements(Selection):
    """Claims, counter-claims and evidence."""

    record_kind: ClassVar[RecordKind] = RecordKind.STATEMENT

    # -- fields --------------------------------------------------------------------------

    def kind(self, *kinds: str) -> Self:
        """One kind, `claim`, `counter-claim` or `evidence`: `kind("claim")`."""
        return self.has("kind", *kinds)

    def camp(self, camp: str | Iterable[str], line: Thing | None = None) -> Self:
        """Those in a camp, placed by `line` or their own note: `camp("skeptic", line=None)`."""
        camps = (camp,) if isinstance(camp, str) else tuple(camp)
        if line is None:
            return self.has("camp", *camps)
        placing_lines = as_query(RecordKind.LINE, line)
        sides = tuple(PlacedBy(placing_lines, each) for each in camps)
        return self._narrow(sides[0] if len(sides) == 1 else AnyOf(sides))

    def line(self, line: Thing | None = None) -> Self:
        """Those that this line, or any, places in any camp: `line("social-grounding")`."""
        return self._narrow(PlacedBy(as_query(RecordKind.LINE, line)))

    def topic(self, *topics: str) -> Self:
        """Those on one of these topics: `topic("norms")`."""
        return self.has("topic", *topics)

    def about(self, *names: str) -> Self:
        """Those about one of these models, systems, methods or data: `about("GPT-4")`."""
        return self.has("about", *names)

    def status(self, *words: str) -> Self:
        """Those whose note is `draft`, `stable` or `retired`: `status("stable")`."""
        return self.has("status", *words)

    def method(self, *methods: str) -> Self:
        """Those obtained by `experiment`, `benchmark`, `survey`, …: `method("survey")`."""
        return self.has("method", *methods)

    def sample(self, *size: Bound, unit: str | None = None, **ends: Unpack[RangeBounds]) -> Self:
        """Size of the sample: `sample(555)`, `sample(50, 99)`, `sample(over=99, unit="people")`."""
        selection = self._within("sample", range_of(size, ends))
        return selection if unit is None else selection.has("unit", unit)

    def participants(self, *size: Bound, **ends: Unpack[RangeBounds]) -> Self:
        """Those with a sample of people, of this size: `participants(over=100)`."""
        return self.sample(*size, **ends).sample_class("people")

    def replications(self, *count: Bound, **ends: Unpack[RangeBounds]) -> Self:
        """Those with this number of successful replications: `replications(min=1)`."""
        return self._within("replications", range_of(count, ends))

    def year(self, *years: Bound, **ends: Unpack[RangeBounds]) -> Self:
        """Those citing a source of years: `year(2024)`, `year(2023, 2025)`, `year("2024..")`."""
        return self._narrow_to_citing(sources().year(*years, **ends))

    def integrity(self, *words: str) -> Self:
        """Those citing an `ok`, `corrected`, `concern` or `retracted` source: `integrity("ok")`."""
        return self._narrow_to_citing(sources().integrity(*words))

    def author(self, *names: str) -> Self:
        """Those that cite a source by one of these authors: `author("Shaikh")`."""
        return self._narrow_to_citing(sources().author(*names))

    def venue(self, *names: str) -> Self:
        """Those that cite a source published there: `venue("Science")`."""
        return self._narrow_to_citing(sources().venue(*names))

    def peer_reviewed(self, yes: bool = True) -> Self:
        """Those recorded as peer-reviewed, or as not: `peer_reviewed(False)`."""
        return self.has("peer_reviewed", yes)

    def preregistered(self, yes: bool = True) -> Self:
        """Those recorded as preregistered, or as not: `preregistered()`."""
        return self.has("preregistered", yes)

    def updated(
        self, since: dt.date | str | None = None, until: dt.date | str | None = None
    ) -> Self:
        """Those last changed between two days, as the note says: `updated("2025-01-01")`."""
        return self._within("updated", as_range(since, until))

    def unit(self, *units: str) -> Self:
        """Those with a sample of this: “people”, “scenarios”, …: `unit("people")`."""
        return self.has("unit", *units)

    def sample_class(self, *classes: str) -> Self:
        """Samples of `people`, `items`, `conversations`, …: `sample_class("people")`."""
        return self.has("sample_class", *classes)

    def open(self, yes: bool = True) -> Self:
        """Those marked as an open question, or not: `open()`."""
        return self.has("open") if yes else self.without(self.has("open"))

    def directly(self, yes: bool = True) -> Self:
        """Match only what each note says itself: no claims through their evidence, and no evidence
        through the claims that it bears on.

        `directly()`
        """
        return self._narrow(WithoutInheritance()) if yes else self

    # -- sources and support -------------------------------------------------------------

    def citing(self, x: Thing | None = None) -> Self:
        """Those that cite this source, one of these, or any: `citing("shaikh2024")`."""
        return self._narrow_to_citing(x)

    def studies(self, *count: Bound, **ends: Unpack[RangeBounds]) -> Self:
        """Those on this many groups of evidence, directly or through claims: `studies(min=2)`."""
        return self._within("studies", range_of(count, ends))

    def strength(self, *strength: Bound, **ends: Unpack[RangeBounds]) -> Self:
        """Those of this strength, 0 to 1, after weighing all reasons: `strength(min=0.6)`."""
        return self._within("strength", range_of(strength, ends))

    def supporters(self, *count: Bound, **ends: Unpack[RangeBounds]) -> Self:
        """Those supported by this many statements directly: `supporters(0)`."""
        return self._within("supporters", range_of(count, ends))

    def opponents(self, *count: Bound, **ends: Unpack[RangeBounds]) -> Self:
        """Those that this many statements contradict or qualify directly: `opponents(min=1)`."""
        return self._within("opponents", range_of(count, ends))

    # -- one step ------------------------------------------------------------------------

    def linked(self, word: str, x: Thing | None = None) -> Self:
        """Those joined with x by a relation or its inverse: `linked("extends")`,
        `linked("needed-by")`.

        The most common relations of arguments have methods of their own, below.
        """
        [relation_word] = parse_closed_words("relation", (*Relation, *RELATION_BY_INVERSE), (word,))
        if relation_word in RELATION_BY_INVERSE and RELATION_BY_INVERSE[relation_word].is_symmetric:
            # such a relation is written in one of the two notes: look from both ends
            relations = (RELATION_BY_INVERSE[relation_word],)
            return self._narrow_to_linked(relations, True, x) | self._narrow_to_linked(
                relations, False, x
            )
        onward = relation_word not in RELATION_BY_INVERSE
        return self._narrow_to_linked(
            (Relation(relation_word) if onward else RELATION_BY_INVERSE[relation_word],), onward, x
        )

    def supporting(self, x: Thing | None = None) -> Self:
        """Those supporting x, an id or a selection, or anything without x: `supporting()`."""
        return self._narrow_to_linked((Relation.SUPPORTS,), True, x)

    def supported_by(self, x: Thing | None = None) -> Self:
        """Those supported by x: `supported_by(evidence())`."""
        return self._narrow_to_linked((Relation.SUPPORTS,), False, x)

    def contradicting(self, x: Thing | None = None) -> Self:
        """Those contradicting x: `contradicting("collabllm-user-study")`."""
        return self._narrow_to_linked((Relation.CONTRADICTS,), True, x)

    def contradicted_by(self, x: Thing | None = None) -> Self:
        """Those contradicted by x: `contradicted_by(claims(camp="optimist"))`."""
        return self._narrow_to_linked((Relation.CONTRADICTS,), False, x)

    def qualifying(self, x: Thing | None = None) -> Self:
        """Those qualifying x: `qualifying("collabllm-user-study")`."""
        return self._narrow_to_linked((Relation.QUALIFIES,), True, x)

    def qualified_by(self, x: Thing | None = None) -> Self:
        """Those qualified by x: `qualified_by()`."""
        return self._narrow_to_linked((Relation.QUALIFIES,), False, x)

    def undercutting(self, x: Thing | None = None) -> Self:
        """Those undercutting an edge from x, or a support for x: `undercutting()`."""
        return self._narrow_to_linked((Relation.UNDERCUTS,), True, x)

    def undercut_by(self, x: Thing | None = None) -> Self:
        """Those with an edge, or a support, that x undercuts: `undercut_by()`."""
        return self._narrow_to_linked((Relation.UNDERCUTS,), False, x)

    def answering(self, x: Thing | None = None) -> Self:
        """Those that deny, limit or undercut x: `answering("collabllm-user-study")`."""
        return self._narrow_to_linked(ANSWERING_RELATIONS, True, x)

    def answered_by(self, x: Thing | None = None) -> Self:
        """Those that x contradicts, qualifies or undercuts: `answered_by(evidence())`."""
        return self._narrow_to_linked(ANSWERING_RELATIONS, False, x)

    def depending_on(self, x: Thing | None = None) -> Self:
        """Statements that depend on x, so that they fall with it, or on any without x:
        `depending_on("gap-is-a-matter-of-incentives")`.
        """
        return self._narrow_to_linked((Relation.DEPENDS_ON,), True, x)

    def needed_by(self, x: Thing | None = None) -> Self:
        """Those that x depends on: `needed_by()`."""
        return self._narrow_to_linked((Relation.DEPENDS_ON,), False, x)

    def same_as(self, x: Thing | None = None) -> Self:
        """Those declared the same as x, in either of the two notes: `same_as()`."""
        return self.linked(Relation.SAME_AS, x)

    def part_of(self, x: Thing | None = None) -> Self:
        """The callouts inside x's note: `part_of("collabllm-user-study")`."""
        return self._narrow(PartOf(as_query(RecordKind.STATEMENT, x)))

    # -- several steps -------------------------------------------------------------------

    def reachable_from(
        self, x: Thing, relation: str | tuple[str, ...] = (), depth: int | None = None
    ) -> Self:
        """Those to which edges lead from x, in any steps; by default over reasons and dependences.

        `reachable_from("collabllm-user-study", depth=2)`
        """
        return self._narrow_to_linked(parse_relations(relation), False, x, _checked_depth(depth))

    def reaching(
        self, x: Thing, relation: str | tuple[str, ...] = (), depth: int | None = None
    ) -> Self:
        """Those from which edges lead to x, in any steps: `reaching("collabllm-user-study")`."""
        return self._narrow_to_linked(parse_relations(relation), True, x, _checked_depth(depth))

    def between(self, a: Thing, b: Thing, relation: str | tuple[str, ...] = ()) -> Self:
        """Those on a chain of edges from a to b: `between(evidence(), claims())`."""
        return self.reachable_from(a, relation).reaching(b, relation)


class Sources(Selection):
    """Published works."""

    record_kind: ClassVar[RecordKind] = RecordKind.SOURCE

    def year(self, *years: Bound, **ends: Unpack[RangeBounds]) -> Self:
        """Those published in these years: `year(2024)`, `year(2023, 2025)`, `year("2024..")`."""
        return self._within("year", range_of(years, ends))

    def integrity(self, *words: str) -> Self:
        """Those recorded as `ok`, `corrected`, `concern` or `retracted`: `integrity("ok")`."""
        return self.has("integrity", *words)

    def author(self, *names: str) -> Self:
        """Those by one of these authors: a family name is enough. `author("Shaikh")`"""
        return self.has("author", *names)

    def venue(self, *names: str) -> Self:
        """Those published there: `venue("Science")`."""
        return self.has("venue", *names)

    def topic(self, *topics: str) -> Self:
        """Those on one of these topics, or on any if none is given: `topic()`."""
        return self.has("topic", *topics)

    def peer_reviewed(self, yes: bool = True) -> Self:
        """Those recorded as peer-reviewed, or as not: `peer_reviewed()`."""
        return self.has("peer_reviewed", yes)

    def cited_by(self, x: Thing | None = None) -> Self:
        """Those cited by x, statements or lines; by any statement without x. `cited_by()`"""
        record_kind = x.record_kind if isinstance(x, Lines) else RecordKind.STATEMENT
        return self._narrow(CitedBy(as_query(record_kind, x)))


class Lines(Selection):
    """Inquiry lines."""

    record_kind: ClassVar[RecordKind] = RecordKind.LINE

    def topic(self, *topics: str) -> Self:
        """Those on one of these topics: `topic("norms")`."""
        return self.has("topic", *topics)

    def status(self, *words: str) -> Self:
        """Those that are `draft`, `stable` or `retired`: `status("stable")`."""
        return self.has("status", *words)

    def placing(self, x: Thing | None = None, camp: str | None = None) -> Self:
        """Those placing x, in this camp or in any: `placing(claims())`."""
        return self._narrow(PlacesStatement(as_query(RecordKind.STATEMENT, x), camp))

    def weighing(self, x: Thing | None = None) -> Self:
        """Those whose proposition is x: `weighing()`."""
        return self._narrow(WeighsStatement(as_query(RecordKind.STATEMENT, x)))

    def citing(self, x: Thing | None = None) -> Self:
        """Those whose essay cites this source, one of these, or any: `citing("shaikh2024")`."""
        return self._narrow_to_citing(x)


class Edges(Selection):
    """Relations between statements, as written."""

    record_kind: ClassVar[RecordKind] = RecordKind.EDGE

    def relation(self, *relations: str) -> Self:
        """One relation, `supports`, `contradicts`, `qualifies`, …: `relation("qualifies")`."""
        return self.has("relation", *relations)

    def strength(self, *words: str) -> Self:
        """Those that the author calls `weak`, `moderate` or `strong`: `strength("weak")`."""
        return self.has("strength", *words)

    def origin(self, x: Thing | None) -> Self:
        """Those starting at x: `origin("collabllm-user-study")`."""
        return self._narrow(StartsAt(as_query(RecordKind.STATEMENT, x)))

    def target(self, x: Thing | None) -> Self:
        """Those ending at x: a statement, or a selection of undercut edges. `target(claims())`"""
        record_kind = x.record_kind if isinstance(x, Edges) else RecordKind.STATEMENT
        return self._narrow(EndsAt(as_query(record_kind, x)))

    def of(self, x: Thing) -> Self:
        """Those starting or ending at x: `of("collabllm-user-study")`."""
        query = as_query(RecordKind.STATEMENT, x)
        return self._narrow(AnyOf((StartsAt(query), EndsAt(query))))

    def between(self, a: Thing, b: Thing) -> Self:
        """Those from a to b, or from b to a: `between(evidence(), claims())`."""
        return self.origin(a).target(b) | self.origin(b).target(a)


def _checked_depth(depth: int | None) -> int | None:
    if depth is not None and depth < 1:
        raise ValueError("a depth is at least 1")
    return depth


_STATEMENTS = Statements(Query(RecordKind.STATEMENT, Everything()))
_SOURCES = Sources(Query(RecordKind.SOURCE, Everything()))
_LINES = Lines(Query(RecordKind.LINE, Everything()))
_EDGES = Edges(Query(RecordKind.EDGE, Everything()))
_CLAIMS = _STATEMENTS.kind(Kind.CLAIM, Kind.COUNTER_CLAIM)
_EVIDENCE = _STATEMENTS.kind(Kind.EVIDENCE)


def statements(**values_by_word: object) -> Statements:
    """Select all statements; words narrow it: `statements(topic="norms")`."""
    return _STATEMENTS.where(**values_by_word)


def claims(**values_by_word: object) -> Statements:
    """Select all claims and counter-claims: `claims()`."""
    return _CLAIMS.where(**values_by_word)


def counter_claims(**values_by_word: object) -> Statements:
    """Select all counter-claims: `counter_claims(camp="skeptic")`."""
    return statements().kind(Kind.COUNTER_CLAIM).where(**values_by_word)


def evidence(**values_by_word: object) -> Statements:
    """Select all evidence: `evidence(method="experiment", sample=">100")`."""
    return _EVIDENCE.where(**values_by_word)


def sources(**values_by_word: object) -> Sources:
    """Select all sources: `sources(year="2024..")`."""
    return _SOURCES.where(**values_by_word)


def lines(**values_by_word: object) -> Lines:
    """Select all inquiry lines: `lines(topic="norms")`."""
    return _LINES.where(**values_by_word)


def edges(**values_by_word: object) -> Edges:
    """Select all edges: `edges(relation="contradicts", strength="strong")`."""
    return _EDGES.where(**values_by_word)
