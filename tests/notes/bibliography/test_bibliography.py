"""BibTeX and CSL JSON become sources; what is wrong has a line and leaves the rest alone."""

from __future__ import annotations

from collections.abc import Callable
from inspect import cleandoc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.model import Diagnostic, Source, Span
from kg.notes.bibliography.bibliography import parse_bibliography
from tests.support.any_text import any_text
from tests.support.corpora import note_file_of
from tests.support.every_row import every_row

FileOf = Callable[..., object]


@pytest.fixture(scope="session")
def read() -> Callable[..., tuple[tuple[Source, ...], tuple[Diagnostic, ...]]]:
    def read(text: str | bytes, path: str = "references.bib"):  # type: ignore[no-untyped-def]
        file = note_file_of(path, cleandoc(text) if isinstance(text, str) else text)
        bibliography = parse_bibliography(file)
        return bibliography.sources, bibliography.diagnostics

    return read


def test_an_entry_becomes_a_source(read: Callable) -> None:
    (source,), problems = read(r"""
        @InProceedings{shaikh2024,
          author    = {Shaikh, Omar and Gligori{\'c}, Kristina and {OpenAI and Friends} and others},
          title     = {Grounding {Gaps} in $\alpha$ \emph{Language} ``Models'' --- 50\%},
          booktitle = {Proceedings of {NAACL}},
          year      = 2024,
          doi       = {10.18653/v1/2024.naacl-long.348},
          eprint    = {2311.09144}, archivePrefix = {arXiv},
          url       = {https://example.org/a_b%20c?d=1&e=2}
        }
    """)
    assert problems == ()
    assert source == Source(
        key="shaikh2024",
        title="Grounding Gaps in α Language “Models” — 50%",
        span=Span("references.bib", 1),
        type="inproceedings",
        authors=("Omar Shaikh", "Kristina Gligorić", "OpenAI and Friends", "et al."),
        year=2024,
        venue="Proceedings of NAACL",
        doi="10.18653/v1/2024.naacl-long.348",
        arxiv="2311.09144",
        url="https://example.org/a_b%20c?d=1&e=2",
        entry=source.entry,
    )
    assert source.entry["year"] == "2024"


@every_row(
    ("text", "names"),
    [
        ("", ()),
        ("Wu", ("Wu",)),
        ("Wu, Ann and Ben Li", ("Ann Wu", "Ben Li")),
        ("von Neumann, John", ("John von Neumann",)),
        ("King, Jr., Martin Luther", ("Martin Luther King, Jr.",)),
        ("{Meta AI}", ("Meta AI",)),
        ("{Barnes and Noble} and Wu, Ann", ("Barnes and Noble", "Ann Wu")),
        ("Wu, Ann\n  and Li, Ben", ("Ann Wu", "Ben Li")),
        ("Wu, Ann and others", ("Ann Wu", "et al.")),
        (r"G{\"o}del, Kurt and {\O}sten, {\AA}sa", ("Kurt Gödel", "Åsa Østen")),
    ],
)
def test_names_are_read_as_people_say_them(
    read: Callable, text: str, names: tuple[str, ...]
) -> None:
    assert read(f"@misc{{k, author = {{{text}}}}}")[0][0].authors == names


def test_an_entry_without_author_year_or_title_is_still_a_source(read: Callable) -> None:
    (source,), problems = read("@misc{lonely, year = {in press}}")
    assert (source.title, source.authors, source.year, problems) == ("lonely", (), None, ())


def test_an_editor_stands_in_for_the_author_and_a_date_for_the_year(read: Callable) -> None:
    (source,), _ = read("@book{k, editor={Ed Itor}, date={2021-05}, publisher={MIT}}")
    assert (source.authors, source.year, source.venue) == (("Ed Itor",), 2021, "MIT")


@every_row("address", ["javascript:alert(1)", 'https://x.org/"><script>', "ftp://x.org", "x.org"])
def test_only_web_addresses_become_links(read: Callable, address: str) -> None:
    assert read(f"@misc{{k, url={{{address}}}}}")[0][0].url == ""


def test_a_broken_entry_has_its_line_and_the_others_are_read(read: Callable) -> None:
    sources, problems = read("""
        @article{one, title={One}}

        @article{two,
          title={Two
          year={2020}
        }

        @article{three title={Three}}

        @article{one, title={Again}}

        @article{, title={No key}}

        article{four, title={No sign}}

        @article{five, title={A}, title={B}}

        @article{six, title={Six}}
    """)
    assert [source.key for source in sources] == ["one", "five", "six"]
    assert sources[1].title == "A"
    assert [(p.span.line, p.rule) for p in problems] == [
        (line, "broken-bibliography") for line in (3, 8, 10, 12, 14, 16)
    ]
    texts = [f"{p.message} {p.help}" for p in problems]
    assert "`one` is also used for another work: Again" in texts[2]
    assert "key" in texts[3]
    assert "`@`" in texts[4]
    assert "`title` is given twice" in texts[5]


def test_comments_strings_and_text_between_entries_are_no_problem(read: Callable) -> None:
    sources, problems = read("""
        % my bibliography
        @string{j = "A Journal"}
        @comment{anything}
        Notes to self: read more.
        @article{k, journal = j, title = "Quoted {T}itle"}
    """)
    assert ([s.title for s in sources], [s.venue for s in sources]) == (
        ["Quoted Title"],
        ["A Journal"],
    )
    assert problems == ()


@every_row(
    "title",
    ["\\emph{" * 2000 + "x" + "}" * 2000, r"\frac \begin{x} $ \sqrt[", "{" * 900 + "x" + "}" * 900],
)
def test_tex_that_cannot_be_read_is_kept_as_it_is(read: Callable, title: str) -> None:
    sources, problems = read("@misc{k, title={" + title + "}}")
    assert problems == ()
    assert [bool(source.title) for source in sources] == [True]


def test_csl_json_becomes_sources(read: Callable) -> None:
    sources, problems = read(
        """
        [
          {"id": "wu2025", "type": "article-journal", "title": "A  title",
           "author": [{"family": "Wu", "given": "Ann"}, {"literal": "Some Org"}],
           "issued": {"date-parts": [["2025", 3]]}, "container-title": "J", "DOI": "10.1/x",
           "URL": "https://arxiv.org/abs/2401.01234"},
          {"id": 7, "citation-key": "li2020", "issued": {"raw": "May 2020"}},
          {"id": "odd", "issued": {"date-parts": [2020]}, "author": [null, "X", {"family": null}]}
        ]
        """,
        "references.json",
    )
    assert problems == ()
    wu, li, odd = sources
    assert (wu.authors, wu.year, wu.venue) == (("Ann Wu", "Some Org"), 2025, "J")
    assert (wu.arxiv, wu.title, wu.doi) == ("2401.01234", "A title", "10.1/x")
    assert (li.key, li.year, li.span.line) == ("li2020", 2020, 6)
    assert (odd.authors, odd.year) == ((), 2020)


@every_row(
    ("text", "line", "word"),
    [
        ("{", 1, "JSON"),
        ('[\n{"id": "a",}\n]', 2, "JSON"),
        ('"text"', 1, "list"),
        ('[{"title": "x"}]', 1, "id"),
        ("[5]", 1, "id"),
        ("[" * 100_000, 1, "JSON"),
        ('[{"id":' + "9" * 5000 + "}]", 1, "JSON"),
        ('[{"id": "a"},\n{"id": "a"}]', 2, "twice"),
    ],
)
def test_what_is_not_csl_json_is_one_problem(
    read: Callable, text: str, line: int, word: str
) -> None:
    _, problems = read(text, "references.json")
    assert [(p.rule, p.span.line) for p in problems] == [("broken-bibliography", line)]
    assert word in problems[0].message


def test_a_bibliography_that_is_not_utf_8_says_where(read: Callable) -> None:
    _, (problem,) = read(b"@misc{a, title={ok}}\n@misc{b, title={\xff}}")
    assert (problem.span.line, problem.message) == (2, "this file is not UTF-8")


def test_half_a_character_in_json_is_replaced_so_that_it_can_be_written(read: Callable) -> None:
    (source,), _ = read('[{"id": "a\\ud800", "title": "x\\ud800"}]', "references.json")
    assert f"{source.key} {source.title}".encode()


PIECES = st.sampled_from(
    [
        "@",
        "article",
        "misc",
        "{",
        "}",
        ",",
        "=",
        '"',
        "key",
        "title",
        "author",
        " and ",
        "\n",
        "\\",
        "\\'e",
        "$",
        "#",
        "%",
        "2020",
        "é",
        "@string",
        "@comment",
        "others",
    ]
)


@given(st.lists(PIECES, max_size=40).map("".join))
def test_no_bibtex_raises(read: Callable, text: str) -> None:
    for problem in read(text)[1]:
        assert 1 <= problem.span.line <= text.count("\n") + 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | any_text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["id", "title", "author", "issued", "date-parts", "family", "URL", "raw"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_no_json_raises(read: Callable, value: object) -> None:
    import json

    assert len(read(json.dumps(value), "references.json")) == 2
