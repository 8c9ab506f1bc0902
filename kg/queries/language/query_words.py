"""Words that narrow a selection: keywords in Python, command options, and words of short text."""

from __future__ import annotations

import enum
from collections.abc import Hashable, Iterator, Mapping
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

from kg.model import SIDES, Relation, RelationEnds
from kg.model.errors import Misuse, require_type
from kg.queries.conditions.field_types import FieldType, RecordKind
from kg.queries.conditions.fields import (
    FIELDS_BY_KIND,
    UnknownWord,
    field_name,
    parse_closed_words,
)

ANSWERING_RELATIONS = tuple(relation for relation in Relation if relation.entry.side < 0)
RELATION_BY_INVERSE = {relation.entry.inverse: relation for relation in Relation}
FOLLOWED_RELATIONS = (*SIDES, Relation.DEPENDS_ON)
_FLAG_WORDS = {
    **dict.fromkeys((True, "yes", "true", "1"), True),
    **dict.fromkeys((False, "no", "false", "0"), False),
}


def parse_relations(relation: str | tuple[str, ...]) -> tuple[Relation, ...]:
    """The relations to follow, by default all that carry reasons; raises `UnknownWord`."""
    if not relation:
        return FOLLOWED_RELATIONS
    words = (relation,) if isinstance(relation, str) else relation
    allowed_words = tuple(r.value for r in Relation if r.entry.joins is not RelationEnds.EDGE)
    return tuple(map(Relation, parse_closed_words("relation to follow", allowed_words, words)))


class Narrowable(Protocol):
    """The part of `Selection` that words need; a protocol, as `Selection` imports this module."""

    record_kind: ClassVar[RecordKind]


Selected = TypeVar("Selected", bound=Narrowable)


class MissingValue(Misuse, ValueError):
    """A word or an option has no value, as when a variable of a script is unset."""

    def __init__(self, word_or_option: str) -> None:
        super().__init__(f"{word_or_option} has no value: give one, or leave it out")


class ArgumentType(enum.Enum):
    """The argument of a word: names, a range, yes or no, or a thing (an id or a selection)."""

    NAMES = enum.auto()
    RANGE = enum.auto()
    FLAG = enum.auto()
    THING = enum.auto()


class QueryWord(NamedTuple):
    """A method of the selection, its argument's type and kind of record, and its help text.

    `leading_arguments` are arguments that come before the value.
    """

    method: str
    argument_type: ArgumentType
    help: str
    argument_kind: RecordKind = RecordKind.STATEMENT
    leading_arguments: tuple[str, ...] = ()


def _word_for_names(method: str, help: str) -> QueryWord:
    return QueryWord(method, ArgumentType.NAMES, help)


def _range_word(method: str, help: str) -> QueryWord:
    return QueryWord(method, ArgumentType.RANGE, help)


def _flag_word(method: str, help: str) -> QueryWord:
    return QueryWord(method, ArgumentType.FLAG, help)


def _thing_word(
    method: str, help: str, argument_kind: RecordKind = RecordKind.STATEMENT
) -> QueryWord:
    return QueryWord(method, ArgumentType.THING, help, argument_kind)


def _word_for_field(record_kind: RecordKind, field: str, help: str = "") -> QueryWord:
    definition = FIELDS_BY_KIND[record_kind][field]
    if definition.type is FieldType.FLAG:
        argument_type = ArgumentType.FLAG
    else:
        argument_type = ArgumentType.RANGE if definition.has_order else ArgumentType.NAMES
    return QueryWord("has", argument_type, help, leading_arguments=(field,))


def _as_identifier(word: str) -> str:
    """A word in the form used by options and keywords."""
    return word.replace("-", "_")


def _link_words() -> Iterator[tuple[str, QueryWord]]:
    """Yield each relation and its inverse."""
    for relation in Relation:
        entry = relation.entry
        sides = {relation.value: entry.finds}
        if not relation.is_symmetric:
            sides[entry.inverse] = entry.finds_back
        for word, help in sides.items():
            yield (
                _as_identifier(word),
                QueryWord("linked", ArgumentType.THING, help, leading_arguments=(word,)),
            )


LINK_WORDS: Mapping[str, QueryWord] = dict(_link_words())
# Words with their help texts. Where there is nothing else, the word is the field of this name.
_STATEMENTS: Mapping[str, QueryWord | str] = {
    "id": _word_for_names("named", "These ids."),
    "text": _word_for_names("text", "Whose text holds these words."),
    "kind": "claim, counter-claim or evidence.",
    "camp": _word_for_names(
        "camp", "Of this camp: in the line, where one is named, else by default."
    ),
    "line": _thing_word("line", "Placed by this inquiry line.", RecordKind.LINE),
    "topic": "On this topic.",
    "about": "About this named model, system, method or data set.",
    "directly": _flag_word("directly", "As each note says itself, not through evidence or claims."),
    "status": "draft, stable or retired.",
    "method": "Obtained in this way: experiment, benchmark, survey, …",
    "sample": "With a sample of this size: 100, >100, 50..500.",
    "participants": _range_word("participants", "With a sample of so many people: 101.., 50..500."),
    "unit": "With a sample of this: people, scenarios, …",
    "sample_class": "With a sample of people, conversations, items, models or unknown.",
    "open": _flag_word("open", "Marked as an open question."),
    "replications": "Number of replications.",
    "year": _range_word("year", "Citing a source of these years: 2024, 2023..2025, 2024.."),
    "integrity": _word_for_names(
        "integrity", "Citing a source that is ok, corrected, concern, retracted."
    ),
    "author": _word_for_names("author", "Citing a source by this author; a family name is enough."),
    "venue": _word_for_names("venue", "Citing a source published there."),
    "peer_reviewed": "Recorded as peer-reviewed.",
    "preregistered": "Recorded as preregistered.",
    "source": _thing_word("citing", "Citing this source.", RecordKind.SOURCE),
    "studies": "Resting on this many separate groups of evidence.",
    "strength": "Strength, from 0 to 1, all reasons weighed: 0.6..",
    "supporters": "Supported by this many statements directly.",
    "opponents": "Contradicted or qualified by this many statements.",
    **LINK_WORDS,
    "answers": _thing_word("answering", "Contradicting, qualifying or undercutting ID."),
    "answered_by": _thing_word("answered_by", "Statements that ID answers."),
    "part_of": _thing_word("part_of", "Callouts inside ID's note."),
    "reaching": _thing_word("reaching", "From where reasons lead to ID, in any number."),
    "reachable_from": _thing_word("reachable_from", "Where reasons lead from ID, in any number."),
}
_SOURCES: Mapping[str, QueryWord | str] = {
    "id": _word_for_names("named", "These keys."),
    "text": _word_for_names("text", "Whose title, venue or note holds these words."),
    "year": "Published in these years.",
    "integrity": "ok, corrected, concern or retracted.",
    "author": "By this author; a family name is enough.",
    "venue": "Published there.",
    "type": "article, book, … as recorded.",
    "topic": "On this topic.",
    "peer_reviewed": "Recorded as peer-reviewed.",
    "cited_by": _thing_word("cited_by", "Cited by this statement."),
}
_LINES: Mapping[str, QueryWord | str] = {
    "id": _word_for_names("named", "These ids."),
    "text": _word_for_names("text", "Whose question or essay holds these words."),
    "topic": "On this topic.",
    "status": "draft, stable or retired.",
    "places": _thing_word("placing", "Placing ID in a camp."),
    "weighs": _thing_word("weighing", "Whose proposition is ID."),
    "source": _thing_word("citing", "Whose essay cites this source.", RecordKind.SOURCE),
}
_EDGES: Mapping[str, QueryWord | str] = {
    "id": _word_for_names("named", "These ids."),
    "text": _word_for_names("text", "Whose reason holds these words."),
    "relation": f"{', '.join(Relation)}.",
    "strength": "weak, moderate or strong.",
    "origin": _thing_word("origin", "Starting at ID."),
    "target": _thing_word("target", "Ending at ID."),
    "of": _thing_word("of", "Starting or ending at ID."),
}
WORDS: Mapping[RecordKind, Mapping[str, QueryWord]] = {
    record_kind: {
        name: _word_for_field(record_kind, name, word) if isinstance(word, str) else word
        for name, word in words.items()
    }
    for record_kind, words in zip(RecordKind, (_STATEMENTS, _SOURCES, _LINES, _EDGES), strict=True)
}
OTHER_NAMES = {
    **{
        _as_identifier(r.entry.participle): _as_identifier(r)
        for r in Relation
        if r.entry.participle
    },
    "ids": "id",
    "type": "kind",  # of a statement
    "kind": "type",  # of a source
    "tag": "topic",
    "topics": "topic",
    "cites": "source",
    "citing": "source",
    "size": "sample",
    "answering": "answers",
    "years": "year",
    "in": "line",
    "placing": "places",
    "weighing": "weighs",
}


def meaning_of_word(record_kind: RecordKind, name: str) -> QueryWord:
    """The meaning of a word for a kind of record; any field is a word too. Raises `UnknownWord`."""
    identifier = _as_identifier(name)
    words = WORDS[record_kind]
    if identifier not in words and identifier not in FIELDS_BY_KIND[record_kind]:
        identifier = OTHER_NAMES.get(identifier, identifier)
    if identifier in words:
        return words[identifier]
    try:
        canonical_name = field_name(record_kind, identifier)
    except UnknownWord:
        error = UnknownWord(name, words, f"word for {record_kind}s")
        cites_sources = record_kind is not RecordKind.SOURCE and "source" in words
        if cites_sources and identifier in FIELDS_BY_KIND[RecordKind.SOURCE]:
            error.nearest = (f"source.{identifier}",)
        raise error from None
    return _word_for_field(record_kind, canonical_name)


def narrow_by_words(selection: Selected, values_by_word: Mapping[str, object]) -> Selected:
    """The selection narrowed by every word that has a value; None means no value.

    Raises `MissingValue` for an empty text.
    """
    given_values = {
        name: value for name, value in values_by_word.items() if value not in (None, ())
    }
    if selection.record_kind is RecordKind.STATEMENT and given_values.keys() >= {"camp", "line"}:
        camps, line = given_values.pop("camp"), given_values.pop("line")
        _require_value("camp", camps)
        _require_value("line", line)
        statements: Any = selection
        selection = statements.line(line) if camps == "*" else statements.camp(camps, line)
    for name, value in given_values.items():
        selection = apply_word(selection, name, value)
    return selection


def apply_word(selection: Selected, name: str, value: object) -> Selected:
    """The selection narrowed by one word. Raises `UnknownWord` and `MissingValue`."""
    word = meaning_of_word(selection.record_kind, name)
    _require_value(name, value)
    field = _as_identifier(name)
    is_flag = word.argument_type is ArgumentType.FLAG
    arguments: tuple[Any, ...] = ()
    if value == "*" and is_flag and field in FIELDS_BY_KIND[selection.record_kind]:
        word = _word_for_field(selection.record_kind, field)  # whether yes or no
    else:
        arguments = _arguments_of_word(word, name, value)
    narrowed_selection: Selected = getattr(selection, word.method)(
        *word.leading_arguments, *arguments
    )
    return narrowed_selection


def _require_value(name: str, value: object) -> None:
    values = value if isinstance(value, tuple | list | set | frozenset) else (value,)
    for each in values:
        require_type(each, Hashable, f"{name} takes a value, or several in a list")
    if not values or any(isinstance(each, str) and not each.strip() for each in values):
        raise MissingValue(name)


def _arguments_of_word(word: QueryWord, name: str, value: object) -> tuple[Any, ...]:
    if word.argument_type is ArgumentType.FLAG:
        return (_parse_flag(name, value),)
    if word.argument_type is ArgumentType.RANGE:
        return () if value == "*" else (_as_range(value),)
    if word.argument_type is ArgumentType.THING:
        return (None if value in ("*", True) else value,)
    if word.method == "camp":
        return ((),) if value == "*" else (value,)  # a second argument would be a line
    if value == "*" and word.method != "text":
        return ()  # anything at all
    return tuple(value) if isinstance(value, tuple | list | set | frozenset) else (value,)


def _as_range(value: object) -> str:
    """A number, a pair of bounds, or a range, as text."""
    if isinstance(value, tuple | list):
        return "..".join("" if end is None else str(end) for end in value)
    return str(value)


def _parse_flag(name: str, value: object) -> bool:
    folded_value = value.casefold() if isinstance(value, str) else value
    if folded_value not in _FLAG_WORDS:
        raise UnknownWord(str(value), ("yes", "no"), f"answer to {name}")
    return _FLAG_WORDS[folded_value]
