"""Where everything lives on the site."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from hashlib import blake2b

from kg.corpus import Corpus
from kg.model.records import fold_term

_PLAIN = re.compile(r"[^A-Za-z0-9._-]")
_FINE = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*")
_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(?:\.|$)", re.IGNORECASE)
LONGEST_NAME = 200  # file systems keep names of 255 bytes; a suffix or a number may follow


def file_name(id: str) -> str:
    """`id` in letters that every file system and address keeps; different ids stay different.

    Nested ids read `note.block`; anything unusual becomes `~` and its code in hexadecimal, and
    of what is too long the end becomes a digest.
    """
    if len(id) <= LONGEST_NAME and _FINE.fullmatch(id):
        return id
    stem, mark, block = id.partition("#")
    parts = [_PLAIN.sub(lambda found: f"~{ord(found[0]):x}~", part) for part in (stem, block)]
    name = ".".join(parts) if mark else parts[0]
    name = name if not name.startswith(".") else "~2e~" + name[1:]
    if len(name) <= LONGEST_NAME:
        return name
    digest = blake2b(id.encode(), digest_size=8).hexdigest()
    return f"{name[: LONGEST_NAME - len(digest) - 1]}~{digest}"


def relative(origin: str, target: str) -> str:
    """`target` as a link on the page `origin`; both are relative to the site's root."""
    place, mark, fragment = target.partition("#")
    if place == origin and mark:
        return mark + fragment
    return posixpath.relpath(place, posixpath.dirname(origin) or ".") + mark + fragment


class Addresses:
    """Addresses of everything in a corpus, relative to the site's root."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus

    def find(self, id: str) -> str | None:
        """The page of a statement, line or source, by id or alias; None where there is none."""
        return self._known.get(self.corpus.find_id(id) or id)

    def of(self, id: str) -> str:
        """The page of the statement, line or source with this id."""
        return self._known[id]

    def topic(self, name: str) -> str:
        """The topic's page."""
        return self._topics[name]

    def about(self, name: str) -> str:
        """The page of a named thing, by any of its names."""
        return self._about[name]

    def camp(self, id: str) -> str:
        """The camp's page."""
        name = _no_device(file_name(id))
        return f"camps/{'index~' if name == 'index' else name}.html"  # beside the list of camps

    @cached_property
    def _known(self) -> Mapping[str, str]:
        return {
            **_under("sources", self.corpus.sources),
            **_under("lines", self.corpus.lines),
            **_under("statements", self.corpus.statements),
        }

    @cached_property
    def _topics(self) -> Mapping[str, str]:
        return _under("topics", self.corpus.topics)

    @cached_property
    def _about(self) -> Mapping[str, str]:
        shown = names_as_one(self.corpus)
        of_shown = _under("about", dict.fromkeys(shown.values()))
        return {name: of_shown[one] for name, one in shown.items()}


def names_as_one(corpus: Corpus) -> dict[str, str]:
    """Each name that statements speak of, and the one of them that stands for it: those that one
    entry of a glossary explains are one, by the name that the entry gives first.
    """
    terms = {name: corpus.term(name) for name in corpus.about}
    shown: dict[str, str] = {}
    for first in (True, False):
        for name, term in terms.items():
            if term and first is (fold_term(name) == fold_term(term.name)):
                shown.setdefault(term.name, name)
    return {name: shown[term.name] if term else name for name, term in terms.items()}


def _under(folder: str, ids: Iterable[str]) -> dict[str, str]:
    """An address for each id; ids that differ by case alone are told apart by a number."""
    taken: set[str] = {"index"}
    found: dict[str, str] = {}
    for id in ids:
        name = unique = _no_device(file_name(id))
        number = 2
        while unique.casefold() in taken:
            unique, number = f"{name}~{number}", number + 1
        taken.add(unique.casefold())
        found[id] = f"{folder}/{unique}.html"
    return found


def _no_device(name: str) -> str:
    """`name`, changed where Windows would take it for a device, whatever follows its first dot."""
    device = _DEVICE.match(name)
    return f"{device[1]}~{name[device.end(1) :]}" if device else name
