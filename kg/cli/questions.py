"""Options of `kg find` made into a selection."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kg.queries.ask import STARTS, Question, parse_question, shaped
from kg.queries.condition import Sort
from kg.queries.selection import Selection
from kg.queries.sorts import statements
from kg.queries.words import WORDS, Takes, apply, narrow, word_of

SHAPES = {"sort": "sort", "limit": "limit", "group_by": "group"}


def as_question(text: tuple[str, ...], said: Mapping[str, Any]) -> Question:
    """The selection that words and options mean. Raises `UnknownWord` and `Misuse`."""
    first = text[0].casefold().replace("_", "-") if text else ""
    starts = {n.removesuffix("s"): s for n, s in STARTS.items()} | dict(STARTS)
    start = starts.get(first, statements)()
    words = text[1:] if first in starts else text
    selection = narrow(start.text(*words), _words(start.sort, said))
    selection = _rest(start, selection, said)
    shape = {name: str(said[option]) for option, name in SHAPES.items() if said[option] is not None}
    return shaped(selection, shape | ({"count": "yes"} if said["count"] else {}))


def _words(sort: Sort, said: Mapping[str, Any]) -> dict[str, Any]:
    known = {name for words in WORDS.values() for name in words}
    given = {
        name: value for name, value in said.items() if name in known and value not in (None, ())
    }
    return {name: _value(sort, name, value) for name, value in given.items()}


def _value(sort: Sort, name: str, value: Any) -> Any:
    if name == "camp":
        return value[0]
    return thing(value) if word_of(sort, name).takes is Takes.THING else value


def thing(value: str) -> Any:
    """An id, or the selection that a short query means."""
    if not any(mark in value for mark in ': "('):
        return value
    found = parse_question(value)
    return found if isinstance(found, Selection) else value


def _rest(start: Selection, selection: Selection, said: Mapping[str, Any]) -> Selection:
    """The options that are no words of the language, but short for some."""
    if said["min_sample"] is not None or said["max_sample"] is not None:
        ends = (said["min_sample"], said["max_sample"])
        selection = apply(selection, "sample", ends)
    if said["single_study"]:
        selection = apply(selection, "studies", 1)
    if said["evidence"]:
        found = parse_question(f"evidence {said['evidence']}")
        selection = apply(selection, "supported_by", found)
    if said["unsupported"]:
        selection = selection - apply(start, "supported_by", "*")
    if said["unanswered"]:
        selection = selection - apply(start, "answered_by", "*")
    if said["unanswered_by"]:
        selection = selection - apply(start, "answered_by", thing(said["unanswered_by"]))
    for query in said["without"]:
        selection = selection - narrow_by(start, query)
    return selection


def narrow_by(start: Selection, query: str) -> Any:
    """What a short query finds, of the same sort as `start`."""
    names = {
        Sort.SOURCE: "sources",
        Sort.LINE: "lines",
        Sort.EDGE: "edges",
        Sort.STATEMENT: "statements",
    }
    first = query.split(" ", 1)[0]
    return parse_question(query if first in STARTS else f"{names[start.sort]} {query}")
