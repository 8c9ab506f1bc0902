"""How the authors of a source are cited."""

from __future__ import annotations

from kg.model import Source, Span
from tests.support.every_row import every_row


@every_row(
    ("authors", "short"),
    [
        ((), ""),
        (("Doe, Ann",), "Doe"),
        (("Ludwig van Beethoven",), "van Beethoven"),
        (("Doe, Ann", "Bo Roe"), "Doe and Roe"),
        (("Doe, Ann", "Bo Roe", "Poe"), "Doe et al."),
    ],
)
def test_authors_are_cited_by_their_family_names(authors: tuple[str, ...], short: str) -> None:
    assert Source(key="k", title="T", span=Span("k.bib"), authors=authors).short_authors == short
