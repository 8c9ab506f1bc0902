"""On which line of a TOML text each key stands: `tomllib` gives values without their places."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

Place = tuple[str | int, ...]
MOST_READ = 1024 * 1024
"""Characters to parse in all: a value of many lines is tried again with each of them."""


def lines_of_keys(text: str) -> dict[Place, int]:
    """The line, from 1, on which each key of a valid TOML text begins, tables and entries too.

    Each statement is parsed by itself: as soon as the lines of one are valid, it is whole, so
    what stands in strings and comments is never taken for a key. The last lines of a text that
    takes too much parsing are left out.
    """
    found: dict[Place, int] = {}
    entries: dict[Place, int] = {}
    here: Place = ()
    for number, statement, said in _statements(text):
        if statement.lstrip().startswith("["):
            here = _opened(said, entries)
            places = iter([here[:end] for end in range(1, len(here) + 1)])
        else:
            places = _within(said, here)
        for place in places:
            found.setdefault(place, number)
    return found


def _statements(text: str) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Each statement of the text: its first line, its own text, and what it says."""
    first, held, spent = 1, "", 0
    for number, line in enumerate(text.split("\n"), 1):
        held = f"{held}\n{line}" if held else line
        spent += len(held)
        if spent > MOST_READ:
            return
        try:
            said = tomllib.loads(held + "\n")
        except ValueError:
            continue
        yield first, held, said
        first, held = number + 1, ""


def _opened(said: dict[str, Any], entries: dict[Place, int]) -> Place:
    """The table that a header opens; `entries` counts those of each list of tables."""
    place: Place = ()
    inner: Any = said
    while inner:
        (key, inner), *_ = inner.items()
        place = (*place, key)
        if isinstance(inner, list):
            entries[place] = entries.get(place, -1) + 1
            inner = inner[0]
        if place in entries:
            place = (*place, entries[place])
    return place


def _within(said: dict[str, Any], here: Place) -> Iterator[Place]:
    """The places of all keys that a statement sets in the table `here`, inline tables included."""
    waiting: list[tuple[Place, Any]] = [(here, said)]
    while waiting:
        place, value = waiting.pop()
        if place != here:
            yield place
        if isinstance(value, dict):
            waiting += [((*place, key), inner) for key, inner in value.items()]
        elif isinstance(value, list):
            waiting += [((*place, number), inner) for number, inner in enumerate(value)]
