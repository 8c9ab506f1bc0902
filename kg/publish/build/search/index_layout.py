"""The layout of an index: a number for each document, and terms shared out among files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

MAX_FILE_BYTES = 24 * 1024  # bytes of a file
MAX_NAME_LETTERS = 24  # of a file's name, as file systems limit it
EXACT_TERM_SUFFIX = "$"  # suffix of the file for a term that is a prefix of too many others
_BYTES_AROUND_TERM = len('"":"",')  # the JSON around a term and its postings
# In code point order, so that sorted strings are sorted numbers.
DIGITS = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
BASE = len(DIGITS)
BUCKETS_PER_DOCUMENT = 3  # so that most documents get the bucket of their hash
SMALLEST_CAPACITY = 256  # buckets


def split_into_files(postings: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """The terms of each file with their postings, by its name."""
    files = _split_into_files("", sorted(postings), postings)
    return {name: {term: postings[term] for term in terms} for name, terms in files if terms}


def _split_into_files(
    prefix: str, terms: Sequence[str], postings: Mapping[str, str]
) -> Iterator[tuple[str, Sequence[str]]]:
    """The names of the files of `terms`, which are sorted and begin with `prefix`, and theirs."""
    sizes = (len(term.encode("utf-8")) + len(postings[term]) + _BYTES_AROUND_TERM for term in terms)
    if len(prefix) == MAX_NAME_LETTERS or sum(sizes) <= MAX_FILE_BYTES:
        yield prefix, terms
        return
    for letter, group in groupby(terms, lambda term: term[len(prefix) : len(prefix) + 1]):
        if letter:
            yield from _split_into_files(prefix + letter, [*group], postings)
        else:
            yield prefix + EXACT_TERM_SUFFIX, [*group]


def capacity_for(count: int) -> int:
    """The number of buckets for `count` documents: a power of two, at least three times as many."""
    return max(SMALLEST_CAPACITY, 1 << (count * BUCKETS_PER_DOCUMENT - 1).bit_length())


def digits_needed(capacity: int) -> int:
    """The number of digits for any bucket, including those past the end."""
    width = 1
    while BASE**width < capacity * 2:
        width += 1
    return width


def assign_buckets(names: Iterable[str], capacity: int) -> dict[str, int]:
    """A bucket for each name, in order: its hash, or the next free one. Only the names matter."""
    names_by_first_bucket = sorted((_first_bucket(name, capacity), name) for name in names)
    buckets: dict[str, int] = {}
    last = -1
    for home, name in names_by_first_bucket:
        last = max(home, last + 1)
        buckets[name] = last
    return buckets


def encode_number(number: int, width: int) -> str:
    """A number in `width` of our `DIGITS`: `--4` for 5 in three."""
    digits = []
    for _ in range(width):
        number, rest = divmod(number, BASE)
        digits.append(DIGITS[rest])
    return "".join(reversed(digits))


def _first_bucket(name: str, capacity: int) -> int:
    return int.from_bytes(hashlib.blake2b(name.encode("utf-8"), digest_size=8).digest()) % capacity
