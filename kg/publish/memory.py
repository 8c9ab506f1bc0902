"""What the last build made and from what, so that this one makes only what came out otherwise."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from kg.model import Value
from kg.publish.guide import Entry
from kg.publish.page import Page
from kg.publish.reads import DIGEST, EVERYTHING, Log
from kg.publish.splice import alias_urls, twin_url
from kg.publish.writer import write_whole

FORMAT = 3


class Made(Value, frozen=True, array_like=True):
    """A page that was made: what lists say of it, its files, and the numbers of what it read."""

    entry: Entry
    files: tuple[str, ...]
    aliases: tuple[str, ...]
    reads: bytes


class State(Value, frozen=True):
    """Everything that one build leaves to the next.

    `stamp` names what every page rests on, `site` the files that the build left. `names` are all
    keys; `keys` are those of each table by their places in `names`, with their numbers in the
    log; `digests` are of the keys' values, in the order of the numbers.
    """

    format: int = FORMAT
    stamp: str = ""
    site: str = ""
    names: tuple[str, ...] = ()
    keys: dict[str, tuple[bytes, bytes]] = {}
    digests: bytes = bytes(DIGEST)
    pages: dict[str, Made] = {}


class Memory:
    """Pages of the last build that still hold, and what this build makes."""

    def __init__(self, log: Log, last: State) -> None:
        self.log = log
        self._last = last.pages
        self._pages: dict[str, Made] = {}
        self._digests = array("Q", bytes(DIGEST))
        log.resume(_numbers(last), len(last.digests) // DIGEST)
        self._digest_keys()
        pairs = zip(array("Q", last.digests), self._digests, strict=True)
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
        places = _Places()
        keys = {
            table: (_packed(map(places.__getitem__, numbers)), _packed(numbers.values()))
            for table, numbers in self.log.keys.items()
            if numbers
        }
        state = State(
            stamp=stamp,
            site=site,
            names=tuple(places),
            keys=keys,
            digests=self._digests.tobytes(),
            pages=self._pages,
        )
        write_whole(place, msgspec.msgpack.encode(state))

    def _digest_keys(self) -> None:
        """Digests of the keys that have none yet; values stay the same while a build lasts."""
        done = len(self._digests)
        self._digests.frombytes(bytes(DIGEST * (self.log.count - done)))
        for table, numbers in self.log.keys.items():
            new = {key: number for key, number in numbers.items() if number >= done}
            found = array("Q", self.log.digests(table, new))
            for number, digest in zip(new.values(), found, strict=True):
                self._digests[number] = digest


class _Places(dict[str, int]):
    """The place of each name, in the order in which they were asked for."""

    def __missing__(self, name: str) -> int:
        place = self[name] = len(self)
        return place


def _packed(numbers: Iterable[int]) -> bytes:
    return array("I", numbers).tobytes()


def _numbers(state: State) -> dict[str, dict[str, int]]:
    """The number of each key, by table."""
    name = state.names.__getitem__
    return {
        table: dict(zip(map(name, array("I", places)), array("I", numbers), strict=True))
        for table, (places, numbers) in state.keys.items()
    }


def load_memory(place: Path, stamp: str, site: str) -> State:
    """What the last build left, if the same program made it of the site that is there."""
    try:
        state = msgspec.msgpack.decode(place.read_bytes(), type=State)
    except (OSError, msgspec.DecodeError):
        return State()
    fits = (state.format, state.stamp, state.site) == (FORMAT, stamp, site)
    return state if fits else State()
