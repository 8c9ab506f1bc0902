"""Distribute terms and their postings among files by first letters.

A file holds the terms that start with its name; letters are added to the name until the file is
small enough, or the name too long. The distribution depends only on the terms, so patching an
index and building it from scratch give the same files.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate

MAX_FILE_BYTES = 24 * 1024  # bytes of a file
MAX_NAME_LETTERS = 24  # of a file's name, as file systems limit it
EXACT_TERM_SUFFIX = "$"  # suffix of the file for a term that is a prefix of too many others
_LAST = chr(0x10FFFF)  # sorts behind every letter
_BYTES_AROUND_TERM = len('"":"",')  # the JSON around a term and its postings

Shard = dict[str, str]
Load = Callable[[str], Shard]


class PostingsPatch:
    """Postings to remove and add, by term; a posting is the digits of a slot and a weight."""

    def __init__(self, width: int) -> None:
        self.removed: defaultdict[str, set[str]] = defaultdict(set)
        self.added: defaultdict[str, list[str]] = defaultdict(list)
        self._step = width + 1

    @property
    def terms(self) -> set[str]:
        """Every term that changes."""
        return self.removed.keys() | self.added.keys()

    def apply(self, term: str, postings: str) -> str:
        """The term's postings after the patch."""
        removed_codes = self.removed.get(term, ())
        postings_before = (
            postings[start : start + self._step] for start in range(0, len(postings), self._step)
        )
        remaining = [posting for posting in postings_before if posting[:-1] not in removed_codes]
        return "".join(sorted(remaining + self.added.get(term, [])))


class Layout:
    """The file of each term, given the size of each in bytes."""

    def __init__(self, sizes: Mapping[str, int]) -> None:
        self.sizes = dict(sizes)
        self._terms = sorted(self.sizes)
        self._bytes_before = [0, *accumulate(map(self.sizes.__getitem__, self._terms))]
        # only prefixes that were asked for: all would fill memory
        self._bytes_by_prefix: dict[str, int] = {}

    def file_of(self, term: str) -> str:
        """The shortest prefix of `term` whose terms fit into one file."""
        for end in range(min(len(term), MAX_NAME_LETTERS) + 1):
            if end == MAX_NAME_LETTERS or not self.is_split(term[:end]):
                return term[:end]
        return term + EXACT_TERM_SUFFIX

    def files(self) -> list[str]:
        """Every file, in order."""
        return sorted({self.file_of(term) for term in self.sizes})

    def is_split(self, prefix: str) -> bool:
        """Whether the terms with this prefix are too large for one file."""
        if prefix not in self._bytes_by_prefix:
            first = bisect_left(self._terms, prefix)
            end = bisect_left(self._terms, prefix + _LAST, first)
            self._bytes_by_prefix[prefix] = self._bytes_before[end] - self._bytes_before[first]
        return self._bytes_by_prefix[prefix] > MAX_FILE_BYTES


def patch_shards(
    old: Layout, patch: PostingsPatch, load: Load
) -> tuple[Layout, dict[str, Shard | None]]:
    """The layout after `patch`, and the changed files by name; None for removed ones.

    `load` reads a file as it was before.
    """
    changed_terms = patch.terms
    shards = _load_all({old.file_of(term) for term in changed_terms & old.sizes.keys()}, load)
    loaded_names = set(shards)
    postings_by_term = {
        term: postings for shard in shards.values() for term, postings in shard.items()
    }
    sizes = dict(old.sizes)
    for term in changed_terms:
        postings = patch.apply(term, postings_by_term.pop(term, ""))
        sizes.pop(term, None)
        if postings:
            postings_by_term[term] = postings
            sizes[term] = len(term.encode("utf-8")) + len(postings) + _BYTES_AROUND_TERM
    new = Layout(sizes)
    moved_terms = _terms_in_other_files(old, new, changed_terms)
    names_to_load = {old.file_of(term) for term in moved_terms & old.sizes.keys()}
    joined_names = {new.file_of(term) for term in changed_terms & sizes.keys()} & set(old.files())
    more_shards = _load_all((names_to_load | joined_names) - loaded_names, load)
    loaded_names |= more_shards.keys()
    for shard in more_shards.values():
        postings_by_term.update(shard)
    files: defaultdict[str, Shard] = defaultdict(dict)
    for term in sorted(postings_by_term):
        files[new.file_of(term)][term] = postings_by_term[term]
    return new, {**dict.fromkeys(loaded_names), **files}


def _load_all(names: Iterable[str], load: Load) -> dict[str, Shard]:
    return {name: load(name) for name in names}


def _terms_in_other_files(old: Layout, new: Layout, changed_terms: Iterable[str]) -> set[str]:
    """Terms that may be in another file now, because files were split or merged."""
    prefix_set = {prefix for term in changed_terms for prefix in _split_changes(old, new, term)}
    if not prefix_set:
        return set()
    prefixes = tuple(prefix_set)
    return {term for term in new.sizes if term.startswith(prefixes)}


def _split_changes(old: Layout, new: Layout, term: str) -> Iterator[str]:
    """Prefixes of `term` that are split in only one of the layouts."""
    for end in range(min(len(term), MAX_NAME_LETTERS) + 1):
        was_split, is_split = old.is_split(term[:end]), new.is_split(term[:end])
        if was_split != is_split:
            yield term[:end]
        elif not was_split:
            return  # a longer prefix is split only if this one is
