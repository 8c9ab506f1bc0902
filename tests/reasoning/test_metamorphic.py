"""How answers must change, or not, when the notes do: over small corpora written as notes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import kg
from kg.corpus import Corpus
from kg.reasoning import reading_of
from kg.reasoning.answers.flips import Flips
from kg.reasoning.strength_words import side_of
from kg.reasoning.word_and_side import side_by_strength
from tests.support.effort import examples
from tests.support.shorthand import corpus_of_shorthand

quick = examples(5, derandomize=True)
CLOSE = 1e-9
QUALITY = st.sampled_from([0.1, 0.25, 0.4, 0.55, 0.7, 0.85])
SIDES = ("supports", "supports", "contradicts", "qualifies")
STRENGTHS = ("", "moderate", "weak")


@dataclass(frozen=True)
class SmallCorpus:
    """A small corpus: claims, evidence with quality and sources, edges, and undercuts of edges."""

    claims: tuple[str, ...]
    evidence: dict[str, tuple[float, tuple[str, ...]]]
    edges: tuple[tuple[str, str, str, str], ...] = ()
    cuts: tuple[tuple[str, str], ...] = ()
    more: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        cited_texts = {
            name: " ".join(f"@{s}" for s in sources) for name, (_, sources) in self.evidence.items()
        }
        return [
            *(f"claim {name}" for name in self.claims),
            *(f"evidence {name} {q} {cited_texts[name]}" for name, (q, _) in self.evidence.items()),
            *(" ".join(edge) for edge in self.edges),
            *(f"{name} undercuts {edge}" for name, edge in self.cuts),
            f"line l {self.claims[0]}",
            *self.more,
        ]

    def read(self, retracted: str = "") -> Corpus:
        return corpus_of_shorthand("\n".join(self.lines()), retracted)

    def plus(self, *more: str) -> SmallCorpus:
        return replace(self, more=(*self.more, *more))

    def without(self, gone: Iterable[str]) -> SmallCorpus:
        """The notes of `gone` deleted, and what others say of them."""
        lost = frozenset(gone)
        edges = tuple(edge for edge in self.edges if not lost & {edge[0], edge[2]})
        left = {f"{a}>{b}" for a, _, b, _ in edges}
        return replace(
            self,
            claims=tuple(name for name in self.claims if name not in lost),
            evidence={name: study for name, study in self.evidence.items() if name not in lost},
            edges=edges,
            cuts=tuple((a, edge) for a, edge in self.cuts if a not in lost and edge in left),
        )


@st.composite
def small_corpora(draw: st.DrawFn, premises: bool = True) -> SmallCorpus:
    claims = [f"c{k}" for k in range(draw(st.integers(1, 4)))]
    items = [f"e{k}" for k in range(draw(st.integers(1, 5)))]
    names = [*claims, *items]
    place = st.integers(0, len(names) - 1)
    relations = (*SIDES, "depends-on") if premises else SIDES
    raw = draw(
        st.lists(
            st.tuples(place, st.sampled_from(relations), place, st.sampled_from(STRENGTHS)),
            max_size=10,
            unique_by=lambda edge: (edge[0], edge[2]),
        )
    )
    edges = tuple((names[a], r, names[b], s) for a, r, b, s in raw if a != b)
    edges = tuple({(a, b): (a, r, b, s) for a, r, b, s in edges}.values())
    plain = [f"{a}>{b}" for a, relation, b, _ in edges if relation != "depends-on"]
    cut = st.tuples(st.sampled_from(names), st.sampled_from(plain or ["none"]))
    cuts = draw(st.lists(cut, max_size=2, unique=True)) if plain else []
    sources = st.lists(st.sampled_from("rstu"), min_size=1, max_size=2, unique=True).map(tuple)
    return SmallCorpus(
        tuple(claims),
        {name: (draw(QUALITY), draw(sources)) for name in items},
        edges,
        tuple(cuts),
    )


def strengths(corpus: Corpus) -> dict[str, float]:
    return {name: float(s or 0.0) for name, s in kg.strengths(corpus).items()}


def require_same_strengths(one: dict[str, float], other: dict[str, float]) -> None:
    """Both give the statements that they share the same strengths."""
    for name in one.keys() & other.keys():
        assert one[name] == pytest.approx(other[name], abs=CLOSE), name


# -- what changes nothing -----------------------------------------------------------------


@quick
@given(small_corpora(), st.integers(0, 9), st.sampled_from([0.3, 0.8, 1.0]), st.booleans())
def test_a_duplicate_of_a_source_changes_nothing_at_its_target(
    notes: SmallCorpus, which: int, part: float, doubted: bool
) -> None:
    """In circles too. `dup` brings no more than the finding that it repeats does there."""
    bears = [
        edge
        for edge in notes.edges
        if edge[0] in notes.evidence
        and edge[1] in SIDES
        and f"{edge[0]}>{edge[2]}" not in _cut(notes)
    ]
    assume(bears)
    premise, relation, target, strength = bears[which % len(bears)]
    before = strengths(notes.read())
    minimum = min(notes.evidence[premise][0], before[premise])
    # where the finding itself is denied by what it bears on, the target hears it undenied
    assume(_is_undenied(notes, premise))
    cited_text = " ".join(f"@{s}" for s in notes.evidence[premise][1])
    more = notes.plus(
        f"evidence dup {part * minimum} {cited_text}", f"dup {relation} {target} {strength}"
    )
    if doubted:
        more = more.plus(f"{notes.claims[0]} undercuts dup>{target}")
    assert strengths(more.read())[target] == pytest.approx(before[target], abs=CLOSE)


def _cut(notes: SmallCorpus) -> set[str]:
    return {edge for _, edge in notes.cuts}


def _is_undenied(notes: SmallCorpus, name: str) -> bool:
    against = ("contradicts", "qualifies")
    return not any(b == name and r in against for _, r, b, _ in notes.edges) and not any(
        a == name and r == "depends-on" for a, r, _, _ in notes.edges
    )


@quick
@given(
    small_corpora(),
    st.lists(
        st.tuples(st.sampled_from([*SIDES, "depends-on"]), st.integers(0, 8)),
        max_size=4,
        unique_by=lambda edge: edge[1],
    ),
    st.integers(0, 9),
    st.booleans(),
)
def test_a_bare_claim_changes_nothing(
    notes: SmallCorpus, edges: list[tuple[str, int]], which: int, closing: bool
) -> None:
    """By edges of every relation, by an undercut, and where the claim that it serves serves it."""
    names = [*notes.claims, *notes.evidence]
    more = ["claim bare"]
    targets = {names[place % len(names)]: relation for relation, place in edges}
    more += [f"bare {relation} {target}" for target, relation in targets.items()]
    plain = [f"{a}>{b}" for a, relation, b, _ in notes.edges if relation != "depends-on"]
    if plain:
        more.append(f"bare undercuts {plain[which % len(plain)]}")
    if closing and targets:
        # what it bears on bears on it: no more than begging the question
        target, relation = next(iter(targets.items()))
        more = ["claim bare", f"bare {relation} {target}", f"{target} supports bare"]
    before, after = strengths(notes.read()), strengths(notes.plus(*more).read())
    after.pop("bare")
    require_same_strengths(before, after)


# -- suppositions are what they suppose ---------------------------------------------------


@quick
@given(small_corpora())
def test_impact_is_reading_anew_with_the_source_retracted(notes: SmallCorpus) -> None:
    read = notes.read()
    before = strengths(read)
    for key in read.sources:
        fell = kg.impact(read, key)
        moved = {each.statement: each.strength_after for each in (*fell.falls, *fell.rises)}
        for name, strength in strengths(notes.read(key)).items():
            assert moved.get(name, before[name]) == pytest.approx(strength, abs=2e-6), name


# -- what turns an answer -----------------------------------------------------------------


def side_in(corpus: Corpus) -> int:
    return side_by_strength(reading_of(corpus).question("l"))


def sides_of(flips: Flips) -> list[tuple[tuple[str, ...], str]]:
    losses = (*flips.singles, *flips.undoing, *flips.minimal, *flips.minimal_undoing)
    return [(flip.removed, flip.word) for flip in losses]


@quick
@given(small_corpora(premises=False), st.sampled_from(["", "r"]))
def test_losses_of_sources_do_to_the_notes_what_is_reported(
    notes: SmallCorpus, retracted: str
) -> None:
    read = notes.read(retracted)
    flips, side = kg.flips(read, "l", by="source"), side_in(read)
    for removed, word in sides_of(flips):
        lost = " ".join([retracted, *(source_group.removeprefix("@") for source_group in removed)])
        assert side_in(notes.read(lost)) == side_of(word) != side
    for flip in flips.minimal:
        for fewer in range(1, len(flip.removed)):
            for some in combinations(flip.removed, fewer):
                lost = " ".join(
                    [retracted, *(source_group.removeprefix("@") for source_group in some)]
                )
                assert side_in(notes.read(lost)) != -side
