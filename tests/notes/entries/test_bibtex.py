"""What BibTeX and biblatex can write in an entry, kind by kind."""

from __future__ import annotations

from inspect import cleandoc

from kg.notes.entries.bibtex import parse_bibtex
from kg.notes.entries.parsed_bibliography import Bibliography
from kg.notes.entries.tex import unescape_tex
from tests.support.every_row import every_row


def read(text: str) -> Bibliography:
    return parse_bibtex(cleandoc(text), "My Bibliography.bib")


def test_addresses_keep_their_signs() -> None:
    assert (
        unescape_tex(r"https://x.org/~a/b\_c--d?e=1\&f=2\%20")
        == "https://x.org/~a/b_c--d?e=1&f=2%20"
    )
    assert unescape_tex(r"10.1002/1:2$<$3::AID$>$4") == "10.1002/1:2<3::AID>4"


@every_row(
    ("fields", "year"),
    [
        ("year = 2020", 2020),
        ("year = {{2020}}", 2020),
        ("year = {in press}, date = {2021-05/2021-07}", 2021),
        ("date = {2021-05/..}", 2021),
        ("date = {1960~}", 1960),
        ("date = {-0333}", None),
        ("year = {c1999}", 1999),
        ("year = {19XX}", None),
        ("year = y, month = jan", 2019),
    ],
)
def test_years(fields: str, year: int | None) -> None:
    assert read(f"@string{{Y = 2019}}@misc{{k, {fields}}}").sources[0].year == year


def test_a_value_may_be_joined_of_strings() -> None:
    bibliography = read("""
        @STRING{jf = "Journal of " # {Sleep # 1}}
        @string{again = jf # ", again"}
        @article{a, journal = JF, title = {A #1}, year = 2020}
        @article{b, journal = again # { and } # "more", title = "B" # nobody, author = "Wu, {Ann}"}
    """)
    assert [source.venue for source in bibliography.sources] == [
        "Journal of Sleep # 1",
        "Journal of Sleep # 1, again and more",
    ]
    assert [source.title for source in bibliography.sources] == ["A #1", "Bnobody"]


def test_nothing_is_lost_beside_what_is_wrong() -> None:
    bibliography = read("""
        @misc{a, title = {A}, year = 2020}
        @misc{a, title = {A}, doi = {10.1/a}}
        @misc{a, title = {Other}}
        @misc{, title = {No key}}
        @misc{b, title = {B}, Title = {B}, year = 2020, year = 2021}
        @misc{c, title = {C}, crossref = {gone}}
    """)
    a, b, c = bibliography.sources
    assert (a.title, a.year, a.doi) == ("A", 2020, "10.1/a")
    assert (b.title, b.year, c.title) == ("B", 2020, "C")
    assert [(p.rule, p.span.line) for p in bibliography.diagnostics] == [
        ("broken-bibliography", 2),
        ("broken-bibliography", 3),
        ("broken-bibliography", 4),
        ("broken-bibliography", 5),
        ("lost-crossref", 6),
    ]
    assert bibliography.diagnostics[1].related == (a.span,)
    assert "Other" in bibliography.diagnostics[1].message
    assert "`title`, `year` is given twice" in bibliography.diagnostics[3].message
