"""What of a list item is a target, a premise, a reason, a field."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from kg.model import EdgeStrength
from kg.notes.body.relation_items import ListItem, find_item, parse_with_field, read_edge_fields
from tests.support.effort import examples
from tests.support.every_row import every_row

LINK = re.compile(r"\[\[[^\[\]|]+\]\]")


def links_of(raw: str) -> list[tuple[int, int]]:
    return [match.span() for match in LINK.finditer(raw)]


def item_of(raw: str) -> ListItem | None:
    return find_item(raw, raw, links_of(raw))


def without_wording(item: ListItem) -> ListItem:
    """The item but for how it is written."""
    fields = {name: value for name, value in item.fields.items() if name != "with"}
    return item._replace(words="", places={}, fields=fields)


WHOLE = "- supports:: [[a]], [[b]] with [[c]] and [[d]] (strength:: weak) — as [[e]] says ^x"


def test_each_link_of_an_item_has_one_part() -> None:
    item = item_of(WHOLE)
    assert item is not None
    assert (item.word, item.targets) == ("supports", (0, 1))
    assert (item.together, item.others) == ((2, 3), (4,))
    assert (item.has_with, item.block, item.leftover) == (True, "x", "")
    assert item.fields == {"strength": "weak"}
    assert item.reason == "as [[e]] says"


@every_row(
    "other",
    [
        "- supports:: [[a]], [[b]] (with:: [[c]], [[d]]) (strength:: weak) — as [[e]] says ^x",
        "- [supports:: [[a]], [[b]] with [[c]] and [[d]] (strength:: weak)] — as [[e]] says ^x",
        "- supports:: [[a]], [[b]] With [[c]] and [[d]] (strength:: weak) — as [[e]] says ^x",
        "1. supports:: [[a]], [[b]] with [[c]] and [[d]] — as [[e]] says ^x (strength:: weak)",
    ],
)
def test_other_ways_to_write_an_item_mean_the_same(other: str) -> None:
    item, other_item = item_of(WHOLE), item_of(other)
    assert item is not None
    assert other_item is not None
    assert without_wording(other_item) == without_wording(item)


def test_places_are_those_of_keys_and_values() -> None:
    item = item_of(WHOLE)
    assert item is not None
    key, value = item.places["strength"]
    assert (WHOLE[key:].startswith("strength::"), WHOLE[value:].startswith("weak)")) == (True, True)


@every_row(
    ("field", "details", "messages"),
    [
        ("strength:: Weak", {"strength": EdgeStrength.WEAK}, []),
        ("strength:: heavy", {}, ["`strength` should be weak, moderate or strong, not 'heavy'"]),
        ("mutual:: Yes", {"mutual": True}, []),
        ("mutual:: no", {"mutual": False}, []),
        ("mutual:: maybe", {}, ["`mutual` should be yes or no, not 'maybe'"]),
        ("with:: [[b]]", {}, []),
    ],
)
def test_fields_of_an_edge_have_the_values_that_they_may_have(
    field: str, details: dict[str, object], messages: list[str]
) -> None:
    item = item_of(f"- supports:: [[a]] ({field}) — so")
    assert item is not None
    fields, problems = read_edge_fields(item)
    assert fields == details
    assert [problem.message for problem in problems] == messages


@every_row(
    ("text", "targets"),
    [
        ("[[b]], [[#^own]] and [c](c.md)", ("b", "x#^own", "/c.md")),
        ("[[b]], [[#Heading]]", ()),
        ("[[b]], [c](https://example.org)", ()),
        ("[[b]] or so", ()),
    ],
)
def test_a_field_of_premises_holds_links_to_notes_and_blocks_alone(
    text: str, targets: tuple[str, ...]
) -> None:
    assert parse_with_field(text, "x.md", "x") == targets


@every_row("raw", ["supports:: [[a]]", "- supports: [[a]]", "- [x:: [[a]]", ""])
def test_what_names_no_relation_states_no_edge(raw: str) -> None:
    assert item_of(raw) is None


@examples(30)
@given(st.text("-[]()|:—with ab^", max_size=40))
def test_no_link_is_in_two_parts_or_in_none(rest: str) -> None:
    raw = f"- supports:: {rest} [[a]] {rest} [[b]]"
    links = links_of(raw)
    item = find_item(raw, raw, links)
    if item is not None:
        parts = [*item.targets, *item.together, *item.others]
        assert sorted(parts) == [*range(len(links))]
