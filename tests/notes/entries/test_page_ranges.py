from __future__ import annotations

from kg.checks.rules.sources import parse_cited_pages, parse_printed_pages
from tests.support.every_row import every_row


@every_row(
    ("locator", "pages"),
    [
        ("p. 3", [(3, 3)]),
        ("pp. 823–8, and p. 900", [(823, 828), (900, 900)]),
        ("S. 12 - 15", [(12, 15)]),
        ("chap. 3", []),
    ],
)
def test_pages_that_a_citation_names(locator: str, pages: list[tuple[int, int]]) -> None:
    assert parse_cited_pages(locator) == pages


@every_row(
    ("text", "pages"),
    [
        ("1--24", [(1, 24)]),
        ("823-8, 840-55", [(823, 828), (840, 855)]),
        ("e12-e19", []),
        ("823+", []),
        ("7", []),
    ],
)
def test_pages_that_an_entry_gives(text: str, pages: list[tuple[int, int]]) -> None:
    assert parse_printed_pages(text) == pages
