"""Where the whole record of a thing stands as data: which file of many records, and where in it."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from urllib.parse import quote

from kg.corpus import Corpus

RECORDS_URL = "api/v1/records/"
MAX_IN_FILE = 128  # records, about: ids fall into files by their hashes


def record_files(corpus: Corpus) -> dict[str, list[str]]:
    """The ids in each file of records, by its address without a suffix.

    What else there is decides how many files there are, never which of them a thing is in: so an
    edit of one note touches few.
    """
    found: dict[str, list[str]] = {}
    kinds: tuple[tuple[str, Iterable[str], int], ...] = (
        ("lines", corpus.lines, len(corpus.lines)),
        ("statements", corpus.statements, len(corpus.statements)),
        ("sources", corpus.sources, len(corpus.sources)),
    )
    for kind, ids, count in kinds:
        files = 1 << max(0, (count - 1) // MAX_IN_FILE).bit_length()
        names = [f"{RECORDS_URL}{kind}-{number:x}" for number in range(files)]
        found.update((name, []) for name in names)
        for id in ids:
            digest = blake2b(id.encode(), digest_size=8).digest()
            found[names[int.from_bytes(digest) % files]].append(id)
    return {name: ids for name, ids in found.items() if ids}


def record_addresses(corpus: Corpus) -> dict[str, str]:
    """The address of each record: of its file, and in it a JSON Pointer (RFC 6901)."""
    return {
        id: f"{file}.json#/{quote(id.replace('~', '~0').replace('/', '~1'), safe='~')}"
        for file, ids in record_files(corpus).items()
        for id in ids
    }
