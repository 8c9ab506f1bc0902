"""A group by several fields holds what a selection with the same conditions finds.

Of `kg/queries/find.py`, too.
"""

from __future__ import annotations

from functools import partial
from itertools import permutations
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from kg.corpus import Corpus
from kg.queries.connection import connect_store
from kg.queries.engines.engine import MemoryEngine
from kg.queries.find import find
from kg.queries.language.builders import claims, evidence, statements
from kg.queries.language.selection import Selection
from kg.rdf.quad_store import as_store
from tests.support.corpora import corpus_of_notes
from tests.support.effort import examples

BOOKS = "@misc{x, title={X}, year={2023}}\n@misc{y, title={Y}, year={2024}}"
FIELDS = ("method", "year", "peer_reviewed", "sample_class", "unit", "camp", "line", "topic")
CLAIMS, LINES = ("a", "b", "c"), ("l", "m")
some, camps = st.sampled_from, st.sampled_from(["optimist", "skeptic"])


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    """Claims whose camps differ between lines, and evidence that bears on several of them."""
    notes = {}
    for id in CLAIMS:
        head = draw(some(["camp: optimist\n", "camp: skeptic\n", ""]))
        head += draw(some(["topics: [norms]\n", "topics: [norms, talk]\n"]))
        notes[id] = f"---\ntype: claim\n{head}---\n\n# {id}\n{draw(some(['', ' [@x]']))}\n"
    for number in range(draw(st.integers(1, 4))):
        head = draw(some(["method: survey\n", "method: experiment\n", ""]))
        head += draw(some(["peer_reviewed: true\n", "peer_reviewed: false\n", ""]))
        head += draw(some(["sample: 9 people\n", "sample: 20 turns\n", "camp: skeptic\n"]))
        cited_example = draw(some(["", "[@x]", "[@y]", "[@x; @y]"]))
        does = some(["supports", "contradicts", "qualifies"])
        borne = draw(st.lists(st.tuples(does, some(CLAIMS)), max_size=3))
        edges = "\n".join(f"- {word}:: [[{id}]]" for word, id in borne)
        notes[f"e{number}"] = (
            f"---\ntype: evidence\n{head}---\n\n# Seen\n\n{cited_example}\n\n{edges}\n"
        )
    for line in LINES:
        placed = draw(st.lists(st.tuples(camps, some([*CLAIMS, "e0"])), max_size=3))
        places = "\n".join(f"- {camp}:: [[{id}]]" for camp, id in placed)
        notes[line] = f"---\ntype: line\nproposition: a\n---\n\n# So?\n\n## Camps\n\n{places}\n"
    return corpus_of_notes(references=BOOKS, **notes)


def members_of_group(start: Selection, one: str, value: Any, other: str, second: Any) -> Selection:
    """What is in a group: both values, or one of them where no second goes with it."""
    if second is not None:
        return start.where(**{one: value, other: second})
    where = start.where(**{one: value})
    return where - where.has(other)


@pytest.mark.parametrize("start", [claims(), evidence(), claims().method("survey")], ids=repr)
@examples(3, suppress_health_check=list(HealthCheck))
@given(corpus=corpora())
def test_a_group_is_as_large_as_what_its_conditions_find(start: Selection, corpus: Corpus) -> None:
    memory = partial(find, MemoryEngine(corpus))
    stored = connect_store(as_store(corpus))
    for one, other in permutations(FIELDS, 2):
        groups = start.group_by(one, other).count()
        sizes = memory(groups)
        assert dict(stored.find(groups)) == dict(sizes)
        for (value, second), size in sizes.items():
            if value is not None and {one, other} != {"camp", "line"}:
                assert memory(members_of_group(start, one, value, other, second).count()) == size
            elif None not in (value, second):
                assert memory(start.where(**{one: value, other: second}).count()) == size
        for value in dict.fromkeys(key[0] for key in sizes):
            for second in dict.fromkeys(key[1] for key in sizes):
                if None not in (value, second) and (value, second) not in sizes:
                    assert not memory(start.where(**{one: value, other: second}))


PLACED = {
    "a": "---\ntype: claim\ncamp: optimist\n---\n\n# A\n",
    "b": "---\ntype: claim\ncamp: skeptic\n---\n\n# B\n",
    "e": "---\ntype: evidence\nmethod: survey\n---\n\n# E\n\n- supports:: [[a]]\n",
    "l": "---\ntype: line\nproposition: a\n---\n\n# L\n\n- skeptic:: [[a]]\n",
    "m": "---\ntype: line\nproposition: a\n---\n\n# M\n\n- optimist:: [[a]]\n",
}


def test_beside_a_line_a_camp_is_the_placement_there() -> None:
    corpus = corpus_of_notes(**PLACED)
    for ask in (partial(find, MemoryEngine(corpus)), connect_store(as_store(corpus)).find):
        sizes = ask(claims().group_by("camp", "line").aggregate(mean="strength"))
        assert dict(sizes) == {
            ("optimist", "m"): 1,
            ("skeptic", "l"): 1,
            ("skeptic", None): 1,
        }
        assert sizes.figures["strength recorded"] == dict.fromkeys(sizes, 1)
        for start in (claims(), evidence()):
            pairs = {key for key in ask(start.group_by("line", "camp")) if None not in key}
            assert pairs == {("l", "skeptic"), ("m", "optimist")}
        answer = ask(statements())
        assert answer.rows("id", "camp") == [("a", "optimist"), ("b", "skeptic"), ("e", "optimist")]
        assert answer.rows("id", "line", "camp") == [
            *(("a", "l, m", "optimist, skeptic"), ("b", "", "skeptic")),
            ("e", "l, m", "optimist, skeptic"),
        ]
        assert ask(claims().line("l")).rows("id", "line", "camp") == [("a", "l, m", "skeptic")]
        direct = ask(statements().directly().group_by("camp", "line"))
        assert direct[None, None].ids == ("e",)


PIECES = {
    "a": "---\ntype: claim\n---\n\n# A\n",
    "d": "---\ntype: evidence\nmethod: survey\npeer_reviewed: true\n---\n# D\n- supports:: [[a]]\n",
    "e": "---\ntype: evidence\nmethod: experiment\n---\n# E\n- contradicts:: [[a]]\n",
}


def test_fields_of_evidence_are_of_one_piece_in_a_group() -> None:
    corpus = corpus_of_notes(**PIECES)
    for ask in (partial(find, MemoryEngine(corpus)), connect_store(as_store(corpus)).find):
        groups = ask(claims().group_by("method", "peer_reviewed"))
        assert set(groups) == {("survey", True), ("experiment", None)}
        assert set(ask(claims().directly().group_by("method", "year"))) == {(None, None)}
