"""Sources: published works, their authors, and whether they have been retracted."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

from kg.model.value import SourceKey, Span, Value, render_card, render_short

_AUTHOR_SEPARATOR = re.compile(r"\{[^{}]*\}| and ")  # one in braces is part of a name
ET_AL = "et al."  # entry among the authors that stands for those not named
# Kinds of what works share, as they begin an `independence` key.
TEAM_KIND, DATA_KIND = "lab", "data"


def fold_independence_keys(keys: Iterable[str]) -> tuple[str, ...]:
    """Keys in the form in which they are compared: `Data: X` is `data:x`."""
    folded_keys = (re.sub(r"\s*:\s*", ":", " ".join(key.split())).casefold() for key in keys)
    return tuple(dict.fromkeys(filter(None, folded_keys)))


class IndependenceKey(NamedTuple):
    """What works share: of a `kind`, such as `DATA_KIND` or `TEAM_KIND`, with a name.

    Both are empty in a key that does not say both.
    """

    kind: str
    name: str


def parse_independence_key(key: str) -> IndependenceKey:
    """The parts of a folded key: `data` and `x` of `data:x`."""
    kind, _, name = key.partition(":")
    return IndependenceKey(kind, name) if kind and name else IndependenceKey("", "")


class Integrity(enum.StrEnum):
    """The publisher's word on a source: whether it was corrected, doubted or retracted."""

    OK = "ok"
    CORRECTED = "corrected"
    CONCERN = "concern"
    RETRACTED = "retracted"


class Source(Value, frozen=True, rename={"key": "id"}):
    """A published work, from the bibliography, a source note, or both; its key is its id."""

    key: SourceKey
    title: str
    span: Span
    type: str = "misc"
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str = ""
    doi: str = ""
    arxiv: str = ""
    url: str = ""
    body: str = ""
    note: str = ""
    aliases: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    integrity: Integrity | None = None
    independence: tuple[str, ...] = ()
    verification: str = ""
    snapshot: str = ""
    peer_reviewed: bool | None = None
    entry: dict[str, str] = {}
    extra: dict[str, str] = {}

    @property
    def id(self) -> SourceKey:
        """The citation key, under the name that ids have in other records."""
        return self.key

    @property
    def retracted(self) -> bool:
        """Whether the source has been retracted, so that nothing may rest on it."""
        return self.integrity is Integrity.RETRACTED

    @property
    def organisations(self) -> frozenset[str]:
        """The authors that are organisations, which the entry marks by braces."""
        author_field = self.entry.get("author") or self.entry.get("editor") or ""
        return (
            frozenset(re.findall(r"\{([^{}]+)\}", author_field))
            if "{" in author_field
            else frozenset()
        )

    @property
    def short_authors(self) -> str:
        """The authors as cited in running text: “Roe”, “Roe and Doe”, “Roe et al.”, or empty."""
        names = [name for name in self.authors if name.strip()]
        short_names = [self._short_name(name) for name in names[:2] if name != ET_AL]
        return (
            f"{short_names[0]} {ET_AL}"
            if short_names and len(short_names) < len(names)
            else " and ".join(short_names)
        )

    @property
    def first_author(self) -> str:
        """The family name of the first author, for sorting lists of works."""
        return next(
            (self._short_name(name) for name in self.authors if name not in ("", ET_AL)), ""
        )

    @property
    def written_authors(self) -> dict[str, str]:
        """The authors' names as the entry writes them (`Last, First`), by their names."""
        author_field = self.entry.get("author") or self.entry.get("editor") or ""
        ands = (
            match.span()
            for match in _AUTHOR_SEPARATOR.finditer(author_field)
            if match[0] == " and "
        )
        places = [0, *chain.from_iterable(ands), len(author_field)]
        parts = [author_field[i:j] for i, j in zip(places[::2], places[1::2], strict=True)]
        return (
            dict(zip(self.authors, parts, strict=True)) if len(parts) == len(self.authors) else {}
        )

    def _short_name(self, name: str) -> str:
        family = self.written_authors.get(name, "").partition(",")
        if family[1] and family[0] in name:
            return family[0]
        return name if name in self.organisations else _family_name(name)

    def __repr__(self) -> str:
        return render_short("source", self.key, self.title)

    def __str__(self) -> str:
        return f"{self.title}  [{self.key}]"

    def _repr_html_(self) -> str:
        year = str(self.year) if self.year else ""
        return render_card(self.title, self.key, (", ".join(self.authors), year, self.venue))


def _family_name(name: str) -> str:
    """The family name of a person, as shown in citations: with particles, without any `Jr.`"""
    parts = name.partition(", ")[0].split()
    start = next((i for i, part in enumerate(parts[1:-1], 1) if part[:1].islower()), len(parts) - 1)
    return " ".join(parts[start:])
