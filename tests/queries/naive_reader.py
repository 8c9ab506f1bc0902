"""Notes read by plain loops, as docs/asking.md puts it: without anything of `kg.queries`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kg.corpus import Corpus
from kg.model import Statement

BEARING_RELATIONS = "supports", "contradicts", "qualifies", "undercuts its support"
Test = Callable[[Statement], bool]


class Reader:
    """The notes of a corpus, read again for every question."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.all = list(corpus.statements.values())
        self.evidence = [each for each in self.all if each.kind == "evidence"]
        self.claims = [each for each in self.all if each.kind != "evidence"]
        self.claim_ids = {claim.id for claim in self.claims}
        self.steps = list(self._steps())

    def _steps(self) -> Iterator[tuple[str, str, str]]:
        """Who does what to whom; `undercuts` whose reason is denied, and what it was one for."""
        edges = {edge.id: edge for edge in self.corpus.edges}
        for edge in edges.values():
            denied = edges.get(edge.target)
            for speaker in edge.premises:
                for premise in denied.premises if denied else (edge.target,):
                    yield speaker, edge.relation, premise
                if denied and denied.relation == "supports":
                    yield speaker, "undercuts", denied.target
                    yield speaker, "undercuts its support", denied.target
            if edge.goes_both_ways:
                yield edge.target, edge.relation, edge.origin

    def towards(self, target: str, *words: str) -> set[str]:
        return {
            speaker
            for speaker, word, position in self.steps
            if position == target and word in words
        }

    def borne_on(self, speaker: str, *words: str) -> set[str]:
        return {
            position for who, word, position in self.steps if who == speaker and word in words
        } & self.claim_ids

    def camp(self, each: Statement, camp: str, line: str = "") -> bool:
        mine = self.borne_on(each.id, "supports") if each.kind == "evidence" else set[str]()
        if not line:
            return camp in {self.corpus.camp_of(name) for name in (each.id, *mine)}
        places = [place for place in self.corpus.placements if place.line == line]
        return any(place.statement in {each.id, *mine} and place.camp == camp for place in places)

    def of_its_claims(self, each: Statement, test: Test) -> bool:
        """Whether it holds of a piece of evidence itself, or of a claim that it bears on."""
        claims = self.borne_on(each.id, *BEARING_RELATIONS) if each.kind == "evidence" else ()
        return any(test(self.corpus.statements[name]) for name in (each.id, *claims))

    def of_its_evidence(self, each: Statement, test: Test) -> bool:
        """Whether it holds of a claim's own note, or of one piece of evidence that bears on it."""
        near = self.towards(each.id, *BEARING_RELATIONS) if each.kind != "evidence" else set()
        return test(each) or any(test(item) for item in self.evidence if item.id in near)

    def in_line(self, each: Statement, line: str) -> bool:
        placed = {place.statement for place in self.corpus.placements if place.line == line}
        return self.of_its_claims(each, lambda one: one.id in placed)

    def years(self, each: Statement) -> list[int]:
        return [year for key in each.sources if (year := self.corpus.sources[key].year)]

    def citers(self, key: str) -> list[Statement]:
        return [each for each in self.all if key in each.sources]

    def same(self, name: str) -> set[str]:
        """The claim, and all that are said to be the same, however far along."""
        names, before = {name}, set[str]()
        while names != before:
            before = set(names)
            for one, word, other in self.steps:
                if word == "same-as" and {one, other} & before:
                    names |= {one, other}
        return names

    def groups(self, claim: Statement) -> int:
        """How many separate groups of evidence support it, directly or through other claims."""
        below, before = self.same(claim.id), set[str]()
        while below != before:
            before = set(below)
            for name in before:
                below |= set().union(*map(self.same, self.towards(name, "supports")))
        groups: list[set[str]] = []
        for item in self.evidence:
            works = [self.corpus.sources[key] for key in item.sources]
            if item.id not in below or (works and all(work.retracted for work in works)):
                continue
            marks = {item.id}.union(*({work.key, *work.independence} for work in works))
            marks |= {*item.independence} if len(works) < 2 else set()
            joined_groups = [group for group in groups if group & marks]
            groups = [each for each in groups if each not in joined_groups] + [
                marks.union(*joined_groups)
            ]
        return len(groups)
