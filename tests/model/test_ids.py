"""Ids are cut where they were joined."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kg.model.ids import (
    edge_id,
    id_of_title,
    is_given_name,
    is_part,
    link_target,
    note_id_of,
    part_id,
    part_name_of,
    slug,
    split_id,
    wordings_of_title,
)
from tests.support.any_text import any_text
from tests.support.every_row import every_row

NOTES = st.text(st.characters(exclude_characters="#", exclude_categories=["Cs"]), min_size=1)
NAMES = any_text(min_size=1)


@given(NOTES, NAMES)
def test_a_part_is_cut_where_it_was_joined(note: str, name: str) -> None:
    id = part_id(note, name)
    assert (note_id_of(id), part_name_of(id)) == (note, name)
    assert is_part(id)
    assert "".join(split_id(id)) == id
    assert split_id(id)[::2] == (note, name)


@given(NOTES)
def test_a_note_has_no_part(note: str) -> None:
    assert (note_id_of(note), part_name_of(note)) == (note, "")
    assert not is_part(note)
    assert split_id(note) == (note, "", "")


@every_row(
    ("id", "note", "name"),
    [("naps#seen", "naps", "seen"), ("naps#a#b", "naps", "a#b"), ("naps#", "naps", "")],
)
def test_the_first_mark_parts_note_and_name(id: str, note: str, name: str) -> None:
    assert split_id(id) == (note, "#", name)
    assert is_part(id)


def test_an_edge_is_called_by_its_ends_or_by_a_name() -> None:
    id = edge_id("naps#seen", "supports", "naps")
    assert id == "naps#seen--supports--naps"
    assert not is_given_name(id)
    assert is_given_name(part_id("naps", "why-so"))


def test_a_link_names_a_part_by_its_mark() -> None:
    assert link_target("naps") == "naps"
    assert link_target("naps#recall") == "naps#^recall"


@every_row(
    ("title", "id"),
    [
        ("最低賃金", "最低賃金"),
        ("最低賃金は、雇用を減らすか？", "最低賃金は-雇用を減らすか"),
        ("Ο ύπνος βοηθά τους ΜΑΘΗΤΕΣ", "ο-ύπνος-βοηθά-τους-μαθητες"),
        ("Größe und Œuvre", "grosse-und-œuvre"),
        ("Cafe\u0301 é", "cafe-e"),
        ("हिन्दी में", "हिन्दी-में"),
        ("Минимальная зарплата", "минимальная-зарплата"),
        ("\u1112\u1161\u11ab", "한"),
        ("one two three four five six seven eight", "one-two-three-four-five-six-seven"),
        ("最" * 90, "最" * 60),
        ("a" * 30 + " " + "b" * 29, "a" * 30 + "-" + "b" * 29),
        ("a" * 30 + " " + "b" * 30, "a" * 30),
        ("one two three four five six of a seven", "one-two-three-four-five-six"),
        ("one two three four five six of", "one-two-three-four-five-six-of"),
        ("of the", "of-the"),
        ("the " + "a" * 60, "the"),
        ("?", "note"),
    ],
)
def test_an_id_keeps_letters_of_any_script(title: str, id: str) -> None:
    assert id_of_title(title) == id


def test_only_an_alias_of_several_words_is_another_wording_of_a_title() -> None:
    assert wordings_of_title(("old-id", "as  it was called")) == ["as it was called"]


def test_slugs_are_short_and_never_empty() -> None:
    assert slug("Ein Über-Maß: 77.5% of it") == "ein-über-mass-77-5-of"
    assert slug("…") == "unnamed"
