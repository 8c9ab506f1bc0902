"""The address of everything on the site."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import NamedTuple

from kg.corpus import Corpus
from kg.model.glossary_term import fold_term
from kg.runtime.memoize import memoize

_PLAIN = re.compile(r"[^A-Za-z0-9._-]")
_SAFE_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*")
_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(?:\.|$)", re.IGNORECASE)
MAX_NAME_BYTES = 200  # file systems allow 255 bytes; a suffix or a number may follow


def file_name(id: str) -> str:
    """`id` in characters that every file system and address keeps; different ids stay different.

    Nested ids become `note.block`; an unusual character becomes `~` and its hexadecimal code, and
    the end of a name that is too long is replaced by a digest.
    """
    if len(id) <= MAX_NAME_BYTES and _SAFE_NAME.fullmatch(id):
        return id
    stem, mark, block = id.partition("#")
    parts = [_PLAIN.sub(lambda match: f"~{ord(match[0]):x}~", part) for part in (stem, block)]
    name = ".".join(parts) if mark else parts[0]
    name = name if not name.startswith(".") else "~2e~" + name[1:]
    if len(name) <= MAX_NAME_BYTES:
        return name
    digest = blake2b(id.encode(), digest_size=8).hexdigest()
    return f"{name[: MAX_NAME_BYTES - len(digest) - 1]}~{digest}"


def relative_url(origin: str, target: str) -> str:
    """`target` as a link on the page `origin`; both are relative to the site's root."""
    place, mark, fragment = target.partition("#")
    if place == origin and mark:
        return mark + fragment
    return posixpath.relpath(place, posixpath.dirname(origin) or ".") + mark + fragment


class AddressTables(NamedTuple):
    """The page of each thing by id, of each topic, and of each name that statements are about."""

    things: Mapping[str, str]
    topics: Mapping[str, str]
    names: Mapping[str, str]


class Addresses:
    """Addresses of everything in a corpus, relative to the site's root."""

    def __init__(self, corpus: Corpus, tables: AddressTables | None = None) -> None:
        self.corpus = corpus
        self.tables = tables or _tables_of(corpus)

    def find_page(self, id: str) -> str | None:
        """The page of a statement, line or source, by id or alias; None if there is none."""
        return self.tables.things.get(self.corpus.find_id(id) or id)

    def of(self, id: str) -> str:
        """The page of the statement, line or source with this id."""
        return self.tables.things[id]

    def topic(self, name: str) -> str:
        """The address of a topic's page: `topics/norms.html`."""
        return self.tables.topics[name]

    def about(self, name: str) -> str:
        """The page of a named thing, by any of its names."""
        return self.tables.names[name]

    def camp(self, id: str) -> str:
        """The address of a camp's page: `camps/skeptic.html`."""
        name = _avoid_device_name(file_name(id))
        return f"camps/{'index~' if name == 'index' else name}.html"  # not over the list of camps


@memoize
def addresses_of_things(corpus: Corpus) -> Mapping[str, str]:
    """The page of each source, line and statement, by id."""
    return {
        **_addresses_in("sources", corpus.sources),
        **_addresses_in("lines", corpus.lines),
        **_addresses_in("statements", corpus.statements),
    }


def _tables_of(corpus: Corpus) -> AddressTables:
    things = addresses_of_things(corpus)
    representatives = names_as_one(corpus)
    address_by_representative = _addresses_in("about", dict.fromkeys(representatives.values()))
    names = {
        name: address_by_representative[representative]
        for name, representative in representatives.items()
    }
    return AddressTables(things, _addresses_in("topics", corpus.topics), names)


def names_as_one(corpus: Corpus) -> dict[str, str]:
    """Map each name that statements are about to its representative: names that one glossary entry
    explains are one, represented by the entry's first name.
    """
    terms = {name: corpus.term(name) for name in corpus.about}
    representatives: dict[str, str] = {}
    for first in (True, False):
        for name, term in terms.items():
            if term and first is (fold_term(name) == fold_term(term.name)):
                representatives.setdefault(term.name, name)
    return {name: representatives[term.name] if term else name for name, term in terms.items()}


def _addresses_in(folder: str, ids: Iterable[str]) -> dict[str, str]:
    """An address for each id; a number distinguishes ids that differ only in case."""
    used_names: set[str] = {"index"}
    addresses: dict[str, str] = {}
    for id in ids:
        name = unique = _avoid_device_name(file_name(id))
        number = 2
        while unique.casefold() in used_names:
            unique, number = f"{name}~{number}", number + 1
        used_names.add(unique.casefold())
        addresses[id] = f"{folder}/{unique}.html"
    return addresses


def _avoid_device_name(name: str) -> str:
    """`name`, changed if its part before the first dot would be a device on Windows."""
    match = _DEVICE.match(name)
    return f"{match[1]}~{name[match.end(1) :]}" if match else name
