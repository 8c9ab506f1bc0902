"""Markdown as parser events, for pages and to find pictures, files and code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pyromark

from kg.notes.markdown.blocks import OPTIONS, Event, as_link, options_for, places_of_bytes
from kg.notes.markdown.markdown_bounds import bound_nesting
from kg.notes.markdown.maths import blank_display_formulas, find_formulas, protect_display_formulas

_PAGE_OPTIONS = OPTIONS | pyromark.Options.ENABLE_STRIKETHROUGH | pyromark.Options.ENABLE_TASKLISTS


def read_events(text: str) -> Iterator[Event]:
    """Parser events of `text`, with strike-through, task lists and formulas, for pages."""
    text = bound_nesting(text)
    if "$" not in text:
        yield from pyromark.events(text, options=options_for(text, _PAGE_OPTIONS))
        return
    text = protect_display_formulas(text)
    data = text.encode()
    events: Any = pyromark.events_with_range(
        text, options=options_for(text, _PAGE_OPTIONS | pyromark.Options.ENABLE_MATH)
    )
    for event, byte_range in events:  # one by one: all of them may take a thousand times the text
        yield _formula_or_literal_dollars(event, data, *byte_range.values())


def _formula_or_literal_dollars(event: Event, data: bytes, start: int, end: int) -> Event:
    """The event; inline maths as text where `find_formulas` takes its dollar signs for money."""
    if type(event) is not str and "DisplayMath" in event:
        return {"DisplayMath": event["DisplayMath"].replace("\n{}", "\n")}  # as it was written
    if type(event) is str or "InlineMath" not in event:
        return event
    surroundings = data[max(start - 4, 0) : end + 4].decode("utf-8", "ignore")
    source_text = data[start:end].decode()
    offset = surroundings.find(source_text)
    is_formula = any(
        a <= offset and offset + len(source_text) <= b for a, b in find_formulas(surroundings)
    )
    return event if is_formula else {"Text": source_text}


def find_code(text: str) -> list[tuple[int, int]]:
    """The ranges of code between backticks or fences, in order; indented code is not among them."""
    options = OPTIONS | pyromark.Options.ENABLE_MATH if "$" in text else OPTIONS
    text = bound_nesting(blank_display_formulas(text))
    offset_of = places_of_bytes(text)
    ranges = []
    events: Any = pyromark.events_with_range(text, options=options_for(text, options))
    for event, byte_range in events:
        if type(event) is not str and ("Code" in event or _begins_fenced_code(event)):
            ranges.append((offset_of(byte_range["start"]), offset_of(byte_range["end"])))
    return ranges


def _begins_fenced_code(event: dict[str, Any]) -> bool:
    element = event.get("Start")
    return type(element) is dict and "Fenced" in element.get("CodeBlock", ())


class LinkOrPicture(NamedTuple):
    """A link or a picture in a text; `has_bar` says whether its words are written separately from
    its destination.
    """

    offset: int
    destination: str
    wiki: bool
    is_picture: bool
    has_bar: bool
    words: str = ""


def find_links_and_pictures(text: str) -> Iterator[LinkOrPicture]:
    """Links and pictures, each when it ends."""
    text = bound_nesting(text)
    ascii = text.isascii()
    encoded_text = b"" if ascii else text.encode()
    counted_end = count = 0
    open_: list[tuple[LinkOrPicture, list[str]]] = []
    events: Any = pyromark.events_with_range(text, options=options_for(text))
    for event, byte_range in events:
        if type(event) is str:
            continue
        if open_ and ("Text" in event or "Code" in event):
            for _, words in open_:
                words.append(next(iter(event.values())))
        elif "Start" in event and not {"Link", "Image"}.isdisjoint(event["Start"]):
            if type(event["Start"]) is str:
                continue
            (kind, details), *_ = event["Start"].items()
            start = byte_range["start"]
            if not ascii:
                count = count + len(encoded_text[counted_end:start].decode())
                counted_end = start
            link = as_link(details, start, start)
            has_bar = not link.wiki or details["link_type"]["WikiLink"]["has_pothole"]
            offset = start if ascii else count
            found = LinkOrPicture(offset, link.destination, link.wiki, kind == "Image", has_bar)
            open_.append((found, []))
        elif event.get("End") in ("Link", "Image") and open_:
            found, words = open_.pop()
            yield found._replace(words="".join(words))
