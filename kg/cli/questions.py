"""Options of `kg find` made into a selection."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kg.queries.ask import STARTS, BadQuestion, Question, parse_question, shaped
from kg.queries.selection import Selection
from kg.queries.sort import Sort
from kg.queries.starts import Edges, Statements, statements
from kg.queries.words import WORDS, Takes, apply, narrow, word_of

SHAPES = {"sort": "sort", "limit": "limit", "group_by": "group"}


def as_question(text: tuple[str, ...], said: Mapping[str, Any]) -> Question:
    """The selection that words and options mean. Raises `UnknownWord` and `Misuse`."""
    first = text[0].casefold().replace("_", "-") if text else ""
    starts = {n.removesuffix("s"): s for n, s in STARTS.items()} | dict(STARTS)
    start = starts.get(first, statements)()
    words = text[1:] if first in starts else text
    given = _words(start.sort, said)
    selection = narrow(_walked(start.text(*words), given, said["over"]), given)
    selection = _rest(start, selection, said)
    shape = {name: str(said[option]) for option, name in SHAPES.items() if said[option] is not None}
    return shaped(selection, shape | ({"count": "yes"} if said["count"] else {}))


def _walked(selection: Selection, given: dict[str, Any], over: tuple[str, ...]) -> Selection:
    """`--reaching` and `--reachable-from`, over some relations alone."""
    if not over or not isinstance(selection, Statements):
        return selection
    if "reaching" in given:
        selection = selection.reaching(given.pop("reaching"), over)
    if "reachable_from" in given:
        selection = selection.reachable_from(given.pop("reachable_from"), over)
    return selection


def _words(sort: Sort, said: Mapping[str, Any]) -> dict[str, Any]:
    known = {name for words in WORDS.values() for name in words}
    given = {
        name: value for name, value in said.items() if name in known and value not in (None, ())
    }
    return {name: _value(sort, name, value) for name, value in given.items()}


def _value(sort: Sort, name: str, value: Any) -> Any:
    if name == "camp" and len(value) == 1:
        return value[0]
    word = word_of(sort, name)
    return thing(value, word.of) if word.takes is Takes.THING else value


def thing(value: str, sort: Sort = Sort.STATEMENT) -> Any:
    """An id, or the selection of a sort that a short query means."""
    if not any(mark in value for mark in ': "('):
        return value
    return parse_question(_of(sort, value))


def _rest(start: Selection, selection: Selection, said: Mapping[str, Any]) -> Selection:
    """The options that are no words of the language, but short for some."""
    if said["min_sample"] is not None or said["max_sample"] is not None:
        ends = (said["min_sample"], said["max_sample"])
        selection = apply(selection, "sample", ends)
    if said["single_study"]:
        selection = apply(selection, "studies", 1)
    for query in said["evidence"]:
        selection = apply(selection, "supported_by", parse_question(f"evidence {query}"))
    if said["between"]:
        selection = _between(selection, said["between"], said["over"])
    if said["unsupported"]:
        selection = selection - apply(start, "supported_by", "*")
    if said["unanswered"]:
        selection = selection - apply(start, "answered_by", "*")
    if said["unanswered_by"]:
        selection = selection - apply(start, "answered_by", thing(said["unanswered_by"]))
    for query in said["without"]:
        selection = selection - narrow_by(start, query)
    return selection


def _between(selection: Selection, ends: str, over: tuple[str, ...]) -> Selection:
    one, comma, other = ends.partition(",")
    if not comma or not isinstance(selection, Statements | Edges):
        raise BadQuestion("--between takes two ids, joined by a comma, of statements")
    if isinstance(selection, Edges):
        return selection.between(thing(one), thing(other))
    return selection.between(thing(one), thing(other), over)


def narrow_by(start: Selection, query: str) -> Any:
    """What a short query finds, of the same sort as `start`."""
    return parse_question(_of(start.sort, query))


def _of(sort: Sort, query: str) -> str:
    """A short query that says which sort it seeks, where it does not say so itself."""
    return query if query.split(" ", 1)[0] in STARTS else f"{sort}s {query}"
