"""Sources: what evidence was taken from."""

from __future__ import annotations

import enum

from kg.model.diagnostic import Span
from kg.model.value import SourceKey, Value, render_card, render_short


class Integrity(enum.StrEnum):
    """Whether a source still stands, as far as its publisher says."""

    OK = "ok"
    CORRECTED = "corrected"
    CONCERN = "concern"
    RETRACTED = "retracted"


class Source(Value, frozen=True):
    """A published work, from the bibliography, a source note, or both."""

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
    def retracted(self) -> bool:
        """Whether the source has been withdrawn, so that nothing may rest on it."""
        return self.integrity is Integrity.RETRACTED

    def __repr__(self) -> str:
        return render_short("source", self.key, self.title)

    def __str__(self) -> str:
        return f"{self.title}  [{self.key}]"

    def _repr_html_(self) -> str:
        year = str(self.year) if self.year else ""
        return render_card(self.title, self.key, (", ".join(self.authors), year, self.venue))
