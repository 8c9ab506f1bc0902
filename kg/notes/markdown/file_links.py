"""Pictures and files that a note shows or links to: all that is neither a note nor a web page."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator
from operator import attrgetter

from kg.model import Span
from kg.notes.markdown.events import find_linked
from kg.notes.markdown.inline import FILE_ENDING, names_a_file
from kg.notes.markdown.parts import Body
from kg.notes.parsed import FileLink

_SCHEME = re.compile(r"[A-Za-z][\w+.-]*:|//")
_FILE_NAME = re.compile(rf"{FILE_ENDING}(?!\w)", re.IGNORECASE)
_SIZE = re.compile(r"(\d{1,4})(?:x(\d{1,4}))?")


def is_remote(destination: str) -> bool:
    """Whether a link names a host or a scheme, and so nothing within the notes."""
    return _SCHEME.match(destination) is not None


def split_size(words: str) -> tuple[str, int | None, int | None]:
    """What is said of a picture, and the width and height asked for: `a fit|300`, `300x200`."""
    said, _, last = words.rpartition("|")
    size = _SIZE.fullmatch(last.strip())
    if size is None:
        return words.strip(), None, None
    return said.strip(), int(size[1]), int(size[2]) if size[2] else None


def find_file_links(body: Body, span: Callable[[int], Span]) -> Iterator[FileLink]:
    """Every picture, and every link to a file, in the order of the text."""
    # most notes link to notes alone: those are not parsed as Markdown once more
    if not ("!" in body.text and "![" in body.text) and not _FILE_NAME.search(body.text):
        return
    around = [body.parts[0]]
    later = deque(sorted(body.parts[1:], key=attrgetter("start")))
    for at, destination, wiki, shown, words in find_linked(body.text):
        remote = not wiki and is_remote(destination)
        is_file = names_a_file(destination)
        # what is embedded and no file is a note
        if (shown and (is_file or not wiki)) or (is_file and not remote):
            while later and later[0].start <= at:
                around.append(later.popleft())
            while len(around) > 1 and around[-1].end <= at:
                around.pop()
            yield FileLink(
                origin=around[-1].id,
                destination=destination,
                span=span(at),
                wiki=wiki,
                shown=shown,
                remote=remote,
                words=split_size(words.text)[0] if words.has_bar else "",
            )
