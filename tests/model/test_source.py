"""How the authors of a source are cited."""

from __future__ import annotations

from kg.model import Source, Span
from kg.model.source import parse_independence_key
from tests.support.every_row import every_row


@every_row(
    ("authors", "author_field", "short", "first"),
    [
        ((), "", "", ""),
        (("",), "", "", ""),
        (("Doe, Ann",), "", "Doe", "Doe"),
        (("Plato",), "", "Plato", "Plato"),
        (("Ludwig van Beethoven",), "", "van Beethoven", "van Beethoven"),
        (("Doe, Ann", "Bo Roe"), "", "Doe and Roe", "Doe"),
        (("Doe, Ann", "Bo Roe", "Poe"), "", "Doe et al.", "Doe"),
        (("Bo Roe", "et al."), "", "Roe et al.", "Roe"),
        (
            ("Ann Mary Roe", "Bo Lee Poe"),
            "Mary Roe, Ann and Bo Lee Poe",
            "Mary Roe and Poe",
            "Mary Roe",
        ),
        (("Ann Mary Roe", "Bo Poe"), "Mary Roe, Ann and others", "Mary Roe and Poe", "Mary Roe"),
        (("Ann Mary Roe",), "Mary Roe, Ann and Poe, Bo", "Roe", "Roe"),
        (("Ann Roe",), "R{\\'o}e, Ann", "Roe", "Roe"),
        (
            ("World Health Union",),
            "{World Health Union}",
            "World Health Union",
            "World Health Union",
        ),
        (("World Health Union",), "World Health Union", "Union", "Union"),
    ],
)
def test_authors_are_cited_by_their_family_names(
    authors: tuple[str, ...], author_field: str, short: str, first: str
) -> None:
    for entry in ({"author": author_field}, {"editor": author_field}):
        source = Source(key="k", title="T", span=Span("k.bib"), authors=authors, entry=entry)
        assert (source.short_authors, source.first_author) == (short, first)


def test_a_key_of_independence_has_a_kind_and_a_name_or_neither() -> None:
    keys = ("data:x", "lab:a:b", "data:", ":x", "x")
    assert [*map(parse_independence_key, keys)] == [
        *(("data", "x"), ("lab", "a:b"), ("", ""), ("", ""), ("", ""))
    ]
