"""Terms and where they stand, in files by the first letters of the terms.

A file holds the terms that start with its name; letters are added until a file is small
enough, or its name long enough. What stands in which file depends on the terms alone, so
patching an index and building it anew give the same files.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate

# In the order of their codes, so that sorted texts are sorted numbers.
DIGITS = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
BASE = len(DIGITS)
SLOTS_PER_DOCUMENT = 4  # so that most documents get the slot of their hash
SMALLEST = 256  # slots


def capacity_for(count: int) -> int:
    """How many slots there are for `count` documents: a power of two, at least four times that."""
    return max(SMALLEST, 1 << (count * SLOTS_PER_DOCUMENT - 1).bit_length())


def digits_of(capacity: int) -> int:
    """How many digits write any slot, those past the end included."""
    width = 1
    while BASE**width < capacity * 2:
        width += 1
    return width


def assign(names: Iterable[str], capacity: int) -> dict[str, int]:
    """A slot for each name: its hash, or the next free one. Depends on the names alone."""
    wanted = sorted((_home(name, capacity), name) for name in names)
    slots: dict[str, int] = {}
    last = -1
    for home, name in wanted:
        last = max(home, last + 1)
        slots[name] = last
    return slots


def encode(number: int, width: int) -> str:
    """`number` in `width` digits."""
    digits = []
    for _ in range(width):
        number, rest = divmod(number, BASE)
        digits.append(DIGITS[rest])
    return "".join(reversed(digits))


def _home(name: str, capacity: int) -> int:
    return int.from_bytes(hashlib.blake2b(name.encode("utf-8"), digest_size=8).digest()) % capacity


LIMIT = 24 * 1024  # bytes of a file
DEEPEST = 24  # letters of a file's name, which file systems do not take at any length
EXACT = "$"  # ends the name of the file of a term that too much else begins with
_LAST = chr(0x10FFFF)  # sorts behind every letter
_AROUND = len('"":"",')

Shard = dict[str, str]
Load = Callable[[str], Shard]


class Patch:
    """Postings to take out and put in, by term; a posting is a slot's digits and a weight's."""

    def __init__(self, width: int) -> None:
        self.gone: defaultdict[str, set[str]] = defaultdict(set)
        self.new: defaultdict[str, list[str]] = defaultdict(list)
        self._step = width + 1

    @property
    def terms(self) -> set[str]:
        """Every term that changes."""
        return self.gone.keys() | self.new.keys()

    def apply(self, term: str, postings: str) -> str:
        """The term's postings after the patch."""
        gone = self.gone.get(term, ())
        found = (postings[at : at + self._step] for at in range(0, len(postings), self._step))
        kept = [posting for posting in found if posting[:-1] not in gone]
        return "".join(sorted(kept + self.new.get(term, [])))


class Layout:
    """Which file each term stands in, given how many bytes each takes."""

    def __init__(self, sizes: Mapping[str, int]) -> None:
        self.sizes = dict(sizes)
        self._terms = sorted(self.sizes)
        self._before = [0, *accumulate(map(self.sizes.__getitem__, self._terms))]
        self._under: dict[
            str, int
        ] = {}  # only beginnings that were asked for: all would fill memory

    def file_of(self, term: str) -> str:
        """The shortest beginning of `term` under which not too much stands."""
        for end in range(min(len(term), DEEPEST) + 1):
            if end == DEEPEST or not self.is_split(term[:end]):
                return term[:end]
        return term + EXACT

    def files(self) -> list[str]:
        """Every file, in order."""
        return sorted({self.file_of(term) for term in self.sizes})

    def is_split(self, beginning: str) -> bool:
        """Whether too much stands under `beginning` for one file."""
        if beginning not in self._under:
            first = bisect_left(self._terms, beginning)
            end = bisect_left(self._terms, beginning + _LAST, first)
            self._under[beginning] = self._before[end] - self._before[first]
        return self._under[beginning] > LIMIT


def patch_shards(old: Layout, patch: Patch, load: Load) -> tuple[Layout, dict[str, Shard | None]]:
    """The layout after `patch`, and the files that change by name, None for those that go.

    `load` reads a file as it was before.
    """
    changed = patch.terms
    pool = _load_all({old.file_of(term) for term in changed & old.sizes.keys()}, load)
    loaded = set(pool)
    terms = {term: postings for shard in pool.values() for term, postings in shard.items()}
    sizes = dict(old.sizes)
    for term in changed:
        postings = patch.apply(term, terms.pop(term, ""))
        sizes.pop(term, None)
        if postings:
            terms[term] = postings
            sizes[term] = len(term.encode("utf-8")) + len(postings) + _AROUND
    new = Layout(sizes)
    moved = _moved(old, new, changed)
    wanted = {old.file_of(term) for term in moved & old.sizes.keys()}
    joined = {new.file_of(term) for term in changed & sizes.keys()} & set(old.files())
    more = _load_all((wanted | joined) - loaded, load)
    loaded |= more.keys()
    for shard in more.values():
        terms.update(shard)
    files: defaultdict[str, Shard] = defaultdict(dict)
    for term in sorted(terms):
        files[new.file_of(term)][term] = terms[term]
    return new, {**dict.fromkeys(loaded), **files}


def _load_all(names: Iterable[str], load: Load) -> dict[str, Shard]:
    return {name: load(name) for name in names}


def _moved(old: Layout, new: Layout, changed: Iterable[str]) -> set[str]:
    """Terms that may stand in another file now, because a file was split or joined."""
    crossed = {beginning for term in changed for beginning in _crossed(old, new, term)}
    if not crossed:
        return set()
    beginnings = tuple(crossed)
    return {term for term in new.sizes if term.startswith(beginnings)}


def _crossed(old: Layout, new: Layout, term: str) -> Iterator[str]:
    """Beginnings of `term` that are split in one of the layouts alone."""
    for end in range(min(len(term), DEEPEST) + 1):
        before, after = old.is_split(term[:end]), new.is_split(term[:end])
        if before != after:
            yield term[:end]
        elif not before:
            return  # what is split nowhere has no part that is
