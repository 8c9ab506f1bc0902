"""Distribute terms and their postings among files by first letters.

A file holds the terms that start with its name; letters are added to the name until the file is
small enough, or the name too long. So an edit moves few terms to other files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

MAX_FILE_BYTES = 24 * 1024  # bytes of a file
MAX_NAME_LETTERS = 24  # of a file's name, as file systems limit it
EXACT_TERM_SUFFIX = "$"  # suffix of the file for a term that is a prefix of too many others
_BYTES_AROUND_TERM = len('"":"",')  # the JSON around a term and its postings


def split_into_files(postings: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """The terms of each file with their postings, by its name."""
    files = _files_below("", sorted(postings), postings)
    return {name: {term: postings[term] for term in terms} for name, terms in files if terms}


def _files_below(
    prefix: str, terms: Sequence[str], postings: Mapping[str, str]
) -> Iterator[tuple[str, Sequence[str]]]:
    """The names of the files of `terms`, which are sorted and begin with `prefix`, and theirs."""
    sizes = (len(term.encode("utf-8")) + len(postings[term]) + _BYTES_AROUND_TERM for term in terms)
    if len(prefix) == MAX_NAME_LETTERS or sum(sizes) <= MAX_FILE_BYTES:
        yield prefix, terms
        return
    for letter, group in groupby(terms, lambda term: term[len(prefix) : len(prefix) + 1]):
        if letter:
            yield from _files_below(prefix + letter, [*group], postings)
        else:
            yield prefix + EXACT_TERM_SUFFIX, [*group]
