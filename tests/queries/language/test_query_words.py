"""What each word of a question means, and which values it takes."""

from __future__ import annotations

import pytest

from kg.model import Relation
from kg.model.errors import Misuse
from kg.queries.conditions.field_types import RecordKind
from kg.queries.conditions.fields import UnknownWord
from kg.queries.language.builders import claims, edges, evidence, sources, statements
from kg.queries.language.query_words import (
    MissingValue,
    apply_word,
    meaning_of_word,
    narrow_by_words,
    parse_relations,
)
from kg.queries.language.selection import Selection
from tests.support.every_row import every_row


@every_row(
    ("selection", "word", "value", "expected"),
    [
        (claims(), "tag", "a", claims().topic("a")),
        (claims(), "topics", ["a", "b"], claims().topic("a", "b")),
        (claims(), "camp", ("a", "b"), claims().camp(("a", "b"))),
        (claims(), "camp", "*", claims().camp(())),
        (claims(), "answered-by", "x", claims().answered_by("x")),
        (claims(), "answered_by", "*", claims().answered_by()),
        (claims(), "answering", True, claims().answering()),
        (claims(), "supporters", "*", claims().supporters()),
        (claims(), "supporters", (1, None), claims().supporters("1..")),
        (claims(), "supporters", 2, claims().supporters(2)),
        (claims(), "open", "Yes", claims().open(True)),
        (claims(), "open", "no", claims().open(False)),
        (claims(), "text", "*", claims().text("*")),
        (evidence(), "unit", "people", evidence().has("unit", "people")),
        (sources(), "kind", "misc", sources().has("type", "misc")),
        (edges(), "origin", "x", edges().origin("x")),
        (edges(), "target", "x", edges().target("x")),
    ],
)
def test_a_word_with_a_value_means_a_method(
    selection: Selection, word: str, value: object, expected: Selection
) -> None:
    assert apply_word(selection, word, value) == expected


@every_row("value", ["", " ", [], ["a", ""], ("a", " ")])
def test_a_word_without_a_value_is_refused(value: object) -> None:
    with pytest.raises(MissingValue, match="topic has no value"):
        apply_word(claims(), "topic", value)


def test_values_are_of_their_kind() -> None:
    with pytest.raises(Misuse, match="topic takes a value"):
        apply_word(claims(), "topic", {"a": 1})
    with pytest.raises(UnknownWord, match="answer to open"):
        apply_word(claims(), "open", "perhaps")


def test_a_camp_beside_a_line_is_that_of_the_line() -> None:
    assert narrow_by_words(statements(), {"camp": "a", "line": "l"}) == statements().camp("a", "l")
    assert narrow_by_words(statements(), {"camp": "*", "line": "l"}) == statements().line("l")
    assert narrow_by_words(
        statements(), {"camp": None, "line": "l", "topic": ()}
    ) == statements().line("l")
    assert narrow_by_words(statements(), {"camp": "a"}) == statements().camp("a")
    for camp, line in (("", "l"), ("a", "")):
        with pytest.raises(MissingValue):
            narrow_by_words(statements(), {"camp": camp, "line": line})


def test_any_field_is_a_word_and_one_of_sources_is_named_for_who_cites_them() -> None:
    assert meaning_of_word(RecordKind.EDGE, "reason").leading_arguments == ("reason",)
    with pytest.raises(UnknownWord) as caught:
        meaning_of_word(RecordKind.STATEMENT, "doi")
    assert caught.value.nearest == ("source.doi",)
    with pytest.raises(UnknownWord) as caught:
        meaning_of_word(RecordKind.SOURCE, "zzz")
    assert caught.value.nearest == ()


def test_reasons_and_dependences_are_followed_unless_relations_are_named() -> None:
    every = parse_relations(())
    assert {Relation.SUPPORTS, Relation.DEPENDS_ON} < {*every}
    assert Relation.SAME_AS not in every
    assert parse_relations("supports") == (Relation.SUPPORTS,)
    with pytest.raises(UnknownWord):
        parse_relations("undercuts")
