"""Terms and where they stand, in files by the first letters of the terms.

A file holds the terms that start with its name; letters are added until a file is small
enough. What stands in which file depends on the terms alone, so patching an index and
building it anew give the same files.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

LIMIT = 24 * 1024
EXACT = "$"
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
    """Which file each term stands in, told by how much room the terms take."""

    def __init__(self, sizes: Mapping[str, int]) -> None:
        self.sizes = dict(sizes)
        self._under: defaultdict[str, int] = defaultdict(int)
        for term, size in self.sizes.items():
            for end in range(len(term) + 1):
                self._under[term[:end]] += size

    def file_of(self, term: str) -> str:
        """The shortest beginning of `term` under which not too much stands."""
        for end in range(len(term) + 1):
            if self._under[term[:end]] <= LIMIT:
                return term[:end]
        return term + EXACT

    def files(self) -> list[str]:
        """Every file, in order."""
        return sorted({self.file_of(term) for term in self.sizes})

    def is_split(self, beginning: str) -> bool:
        """Whether too much stands under `beginning` for one file."""
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
    crossed = {
        term[:end]
        for term in changed
        for end in range(len(term) + 1)
        if old.is_split(term[:end]) != new.is_split(term[:end])
    }
    if not crossed:
        return set()
    beginnings = tuple(crossed)
    return {term for term in new.sizes if term.startswith(beginnings)}
