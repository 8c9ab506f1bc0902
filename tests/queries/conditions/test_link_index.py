"""Which statements an edge links."""

from __future__ import annotations

from kg.model import Relation
from kg.queries.conditions.link_index import LinkIndex, step_along
from tests.support.corpus_parts import claim, corpus_of_parts, edge
from tests.support.every_row import every_row

JOINT = edge("a supports c", together=("b",))


@every_row(
    ("query", "pairs"),
    [
        (edge("a supports b"), "ab"),
        (JOINT, "ac bc"),
        (edge("b contradicts c"), "bc"),
        (edge("b contradicts c", mutual=True), "bc cb"),
        (edge("d undercuts a supports c"), "da db dc"),
        (edge("d undercuts b contradicts c"), "db"),
        (edge("d undercuts nothing"), ""),
    ],
)
def test_an_edge_links_each_premise_to_each_end(query: object, pairs: str) -> None:
    """Each premise is a start; an undercut of a support opposes its target too."""
    index = LinkIndex(corpus_of_parts(*map(claim, "abcd"), JOINT, "b contradicts c"))
    assert ["".join(pair) for pair in index.ends(query)] == pairs.split()  # type: ignore[arg-type]


def test_links_lead_both_ways_and_only_to_statements() -> None:
    index = LinkIndex(
        corpus_of_parts(*map(claim, "abc"), "a supports b", "b supports c", "b supports x")
    )
    for ids, targets, starts in (
        ("a", {"b"}, set()),
        ("ab", {"b", "c"}, {"a"}),
        ("x", set(), set()),
    ):
        assert index.linked_ids(Relation.SUPPORTS, {*ids}, lead_to_ids=False) == targets
        assert index.linked_ids(Relation.SUPPORTS, {*ids}, lead_to_ids=True) == starts
    both = index.neighbours((Relation.SUPPORTS,))
    assert [id for id, _ in both["b"]] == ["a", "c", "x"]


def test_one_step_reaches_the_neighbours_of_all_given_ids() -> None:
    links = {"a": ("b", "c"), "b": ("c",)}
    for ids, ends in (("a", "bc"), ("z", ""), ("ab", "bc"), ("bz", "c"), ("abz", "bc")):
        assert step_along(links, {*ids}) == {*ends}
