"""What the last build made and from what, so that this one makes only what came out otherwise."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from pathlib import Path

import msgspec

from kg.model import Value
from kg.publish.guide import Entry
from kg.publish.page import Page
from kg.publish.reads import EVERYTHING, Log
from kg.publish.splice import alias_urls, twin_url
from kg.publish.writer import write_whole

FORMAT = 2


class Made(Value, frozen=True, array_like=True):
    """A page that was made: what lists say of it, its files, and the numbers of what it read."""

    entry: Entry
    files: tuple[str, ...]
    aliases: tuple[str, ...]
    reads: bytes


class State(Value, frozen=True):
    """Everything that one build leaves to the next.

    `stamp` names what every page rests on, `site` the files that the build left.
    """

    format: int = FORMAT
    stamp: str = ""
    site: str = ""
    keys: list[tuple[str, str]] = []
    digests: bytes = b""
    pages: dict[str, Made] = {}


class Memory:
    """Pages of the last build that still hold, and what this build makes."""

    def __init__(self, log: Log, last: State) -> None:
        self.log = log
        self._last = last.pages
        self._pages: dict[str, Made] = {}
        self._digests = array("Q", [0])
        log.resume(last.keys)
        self._digest_keys()
        pairs = zip(array("Q", last.digests), self._digests, strict=False)
        self._changed = {EVERYTHING, *(at for at, (old, new) in enumerate(pairs) if old != new)}

    def find(self, url: str) -> Made | None:
        """The page at `url`, where making it again would give the same."""
        made = self._last.get(url)
        if made is None or not self._changed.isdisjoint(array("I", made.reads)):
            return None
        return made

    def keep(self, made: Made) -> None:
        """A page stays as it is."""
        self._pages[made.entry.url] = made

    def add(self, page: Page, reads: Sequence[int]) -> Made:
        """Remember a page that was made, and what was read for it."""
        made = Made(
            entry=Entry.of(page),
            files=(page.url, *(twin_url(page, twin) for twin in page.twins)),
            aliases=tuple(alias_urls(page)),
            reads=array("I", reads).tobytes(),
        )
        self._pages[page.url] = made
        return made

    def write(self, place: Path, stamp: str, site: str) -> None:
        """Leave everything to the next build."""
        self._digest_keys()
        digests = self._digests.tobytes()
        state = State(
            stamp=stamp, site=site, keys=self.log.keys, digests=digests, pages=self._pages
        )
        write_whole(place, msgspec.msgpack.encode(state))

    def _digest_keys(self) -> None:
        """Digests of the keys that have none yet; values stay the same while a build lasts."""
        new = self.log.keys[len(self._digests) :]
        self._digests.extend(self.log.digest(table, key) for table, key in new)


def load_memory(place: Path, stamp: str, site: str) -> State:
    """What the last build left, if the same program made it of the site that is there."""
    try:
        state = msgspec.msgpack.decode(place.read_bytes(), type=State)
    except (OSError, msgspec.DecodeError):
        return State()
    holds = len(state.digests) == array("Q").itemsize * len(state.keys)
    fits = (state.format, state.stamp, state.site) == (FORMAT, stamp, site)
    return state if holds and fits else State()
