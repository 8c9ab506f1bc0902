"""Records found by what they are related to: in so many steps, by citations, by lines."""

from __future__ import annotations

import pytest

from kg.model import Relation
from kg.queries.conditions.related_records import Linked
from kg.queries.engines.engine import MemoryEngine
from kg.queries.find import find
from kg.queries.language.builders import claims, statements
from kg.queries.language.parse_query import parse_request
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row
from tests.support.shorthand import corpus_of_shorthand

CHAIN = corpus_of_shorthand(
    "claim a\nclaim b\nclaim c\nclaim d\na supports b\nb contradicts c\nc supports d\n"
)
RING = corpus_of_shorthand("claim a\nclaim b\na supports b\nb supports a\n")


@every_row(
    ("depth", "onward", "back"),
    [(1, "b", "c"), (2, "b c", "b c"), (3, "b c d", "a b c"), (None, "b c d", "a b c")],
)
def test_a_chain_is_followed_for_as_many_steps_as_are_asked_for(
    depth: int | None, onward: str, back: str
) -> None:
    reachable = statements().reachable_from("a", depth=depth)
    assert list(find(MemoryEngine(CHAIN), reachable).ids) == onward.split()
    reachable = statements().reaching("d", depth=depth)
    assert list(find(MemoryEngine(CHAIN), reachable).ids) == back.split()


def test_in_a_ring_a_statement_is_reached_from_itself() -> None:
    for depth, reached_ids in ((1, "b"), (2, "a b"), (None, "a b")):
        reachable = statements().reachable_from("a", depth=depth)
        assert list(find(MemoryEngine(RING), reachable).ids) == reached_ids.split()
    for depth in (0, -1):
        with pytest.raises(ValueError, match="depth"):
            statements().reachable_from("a", depth=depth)


@every_row(
    ("steps", "message"), [(1, ""), (2, " in up to 2 steps"), (None, " in any number of steps")]
)
def test_steps_are_described_where_there_may_be_several(steps: int | None, message: str) -> None:
    linked_ends = Linked(claims().query, (Relation.SUPPORTS,), onward=False, steps=steps)
    assert linked_ends.describe().endswith(f"claim or counter-claim){message}")


NOTES = {
    "a": "---\ntype: claim\n---\n\n# A\n\n[@own]\n\n> [!evidence] E ^e\n> [@seen]\n",
    "b": "---\ntype: claim\n---\n\n# B\n",
    "l": "---\ntype: line\nproposition: b\n---\n\n# L?\n\nSo [@told].\n\n- optimist:: [[a]]"
    "\n- skeptic:: [[b]]\n",
    "m": "---\ntype: line\n---\n\n# M?\n\n- skeptic:: [[a]]\n",
}
BOOKS = "".join(f"@misc{{{key}, title={{T}}}}\n" for key in ("own", "seen", "told", "unread"))


@every_row(
    ("text", "expected"),
    [
        ("claims line:l", "a b"),
        ("claims line:m", "a"),
        ("claims camp:optimist line:l", "a"),
        ("claims camp:optimist line:m", ""),
        ("lines places:a", "l m"),
        ("lines places:b", "l"),
        ("lines weighs:b", "l"),
        ("lines weighs:a", ""),
        ("lines source:told", "l"),
        ("statements part_of:a", "a#e"),
        ("statements source:own", "a"),
        ("sources cited_by:a", "own"),
        ("sources cited_by:(lines)", "told"),
        ("edges origin:a#e", "a#e--supports--a"),
        ("edges target:b", ""),
    ],
)
def test_statements_are_found_by_each_relation(text: str, expected: str) -> None:
    engine = MemoryEngine(corpus_of_notes(references=BOOKS, **NOTES))
    assert list(find(engine, parse_request(text)).ids) == expected.split()


def test_what_is_supported_in_other_words_is_supported_and_not_contradicted() -> None:
    text = "claim a\nclaim b\nclaim c\nclaim d\na supports b\nd contradicts b\nb same-as c\n"
    engine = MemoryEngine(corpus_of_shorthand(text))
    assert list(find(engine, statements().supported_by()).ids) == ["b", "c"]
    assert list(find(engine, statements().supported_by("a")).ids) == ["b"]
    assert list(find(engine, statements().contradicted_by()).ids) == ["b"]
    assert list(find(engine, statements().supporting()).ids) == ["a"]
