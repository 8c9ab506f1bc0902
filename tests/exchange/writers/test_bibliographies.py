"""Sources as BibTeX and CSL JSON, read back by our own reader and by Pandoc.

Of `kg/exchange/escaped_text.py`, too.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import assume, example, given
from hypothesis import strategies as st

from kg.cli import main as kg
from kg.corpus import Corpus
from kg.exchange.escaped_text import assign_safe_names, escape_tex, without_controls
from kg.exchange.formats import render_export
from kg.exchange.writers.bibliographic_works import PEOPLE
from kg.exchange.writers.bibliographies import bibtex_keys, csl_item
from kg.model import Source, Span
from kg.notes.bibliography.bibtex import parse_bibtex
from kg.notes.bibliography.csl import is_csl, parse_csl
from kg.notes.bibliography.parsed_bibliography import BIBTEX_FIELDS
from kg.notes.bibliography.tex import tex_to_plain_text
from tests.support.corpora import HOSTILE, corpus_of_notes, random_corpora, words
from tests.support.effort import examples
from tests.support.every_row import every_row
from tests.support.own import NOTES, own_corpus

TOLD = ("key", "title", "authors", "year", "venue", "doi", "arxiv", "url")
OURS = ("independence", "integrity")


def sources_in(corpus: Corpus) -> dict[str, Source]:
    library = parse_bibtex(render_export(corpus, "bibtex").decode(), "out.bib")
    assert library.diagnostics == ()
    return {source.key: source for source in library.sources}


def without_place(source: Source, *but: str) -> Source:
    entry = {name: value for name, value in source.entry.items() if name not in but}
    plain = {"independence": (), "integrity": None} if but else {}
    return msgspec.structs.replace(source, span=Span(""), entry=entry, **plain)


def test_our_bibliography_comes_back_field_by_field() -> None:
    """Integrity and independence stand in source notes, and so in no entry, before."""
    back = sources_in(own_corpus())
    text = NOTES.joinpath("references.bib").read_text("utf-8")
    sources = {source.key: source for source in parse_bibtex(text, "references.bib").sources}
    assert len(sources) > 90
    assert {key: without_place(back[key], *OURS) for key in sources} == {
        key: without_place(source, *OURS) for key, source in sources.items()
    }
    known_sources = own_corpus().sources
    assert [*back] == [*known_sources]
    for name in (*TOLD, *OURS):
        assert [getattr(s, name) for s in back.values()] == [
            getattr(s, name) for s in known_sources.values()
        ]


def test_no_sign_that_a_terminal_acts_on_stands_in_a_key() -> None:
    for sign in "\x00\x1b\x7f\x9b\u200b\u202e\u2066":
        assert bibtex_keys([f"a{sign}b"]) == {f"a{sign}b": "a_b"}


def test_csl_tells_the_same_works() -> None:
    text = render_export(own_corpus(), "csl").decode()
    assert is_csl(text)
    library = parse_csl(text, "out.json")
    assert library.diagnostics == ()
    for name in (*TOLD, *OURS):
        values = {source.key: getattr(source, name) for source in library.sources}
        assert values == {key: getattr(s, name) for key, s in own_corpus().sources.items()}, name


fields = st.dictionaries(
    st.sampled_from(sorted(BIBTEX_FIELDS.split())), st.one_of(words, st.sampled_from(HOSTILE))
)


def _with_words_of_people(source: Source) -> Source:
    """People as the words of their names: beside a brace, `0 {` may be written as `{, 0`.

    Who it is stays, and is compared as `authors`.
    """
    people = {
        role: " ".join(sorted(re.findall(r"\w+", source.entry.get(role, "")))) for role in PEOPLE
    }
    return msgspec.structs.replace(source, entry={**source.entry, **people})


@given(st.lists(fields, min_size=1, max_size=4))
@example([{"author": "a", "editor": "0 {"}])
@example([{"author": "a", "editor": "0 } b"}])
@examples(10)
def test_whatever_an_entry_holds_stays_in_its_field(entries: list[dict[str, str]]) -> None:
    """Written and read once, nothing changes any more, and no entry ends another."""
    # a sign is no author: who edited is read in its place, and only then is a name
    assume(all(any(map(str.isalnum, entry.get("author", "a"))) for entry in entries))
    sources = [
        Source(
            key=f"k{position}", title=entry.get("title") or "None", span=Span("x.bib"), entry=entry
        )
        for position, entry in enumerate(entries)
    ]
    corpus = replace(corpus_of_notes(), sources={each.key: each for each in sources})
    first = sources_in(corpus)
    again = sources_in(replace(corpus, sources=first))
    assert [*first] == [each.key for each in sources]
    for one, other in zip(first.values(), again.values(), strict=True):
        assert _with_words_of_people(without_place(one)) == _with_words_of_people(
            without_place(other)
        )


@given(random_corpora())
@examples(4)
def test_each_source_is_there_once_whatever_it_is_called(corpus: Corpus) -> None:
    back = parse_bibtex(render_export(corpus, "bibtex").decode(), "out.bib")
    assert back.diagnostics == ()
    assert len(back.sources) == len(corpus.sources)
    items = json.loads(render_export(corpus, "csl"))
    assert [item["id"] for item in items] == [*corpus.sources]


def test_sources_of_csl_become_bibtex_and_stay_csl() -> None:
    item = {
        "id": "doe", "type": "paper-conference", "title": "A <i>b</i> & c",
        "author": [{"family": "van Doe", "given": "Jo"}, {"literal": "The Nap League"}],
        "container-title": "Proceedings", "page": "1-9", "issued": {"date-parts": [[2019, 3]]},
        "DOI": "10.1/x", "publisher-place": "Oslo",
    }  # fmt: skip
    corpus = corpus_of_notes(references=json.dumps([item]))
    (entry,) = sources_in(corpus).values()
    assert (entry.type, entry.venue, entry.doi) == ("inproceedings", "Proceedings", "10.1/x")
    assert entry.authors == ("Jo van Doe", "The Nap League")
    assert (entry.entry["pages"], entry.entry["address"]) == ("1-9", "Oslo")
    (csl_item,) = json.loads(render_export(corpus, "csl"))
    assert csl_item == item | {"title": "A b & c", "issued": {"date-parts": [[2019]]}}


@every_row(
    ("entry", "message"),
    [
        ("@article{k, year={2020}, month={feb}, day={1}, number={4}, pages={1--9}",
         {"issued": [2020, 2, 1], "issue": "4", "page": "1-9"}),
        ("@misc{k, year={2020}, month={February}", {"issued": [2020, 2]}),
        ("@techreport{k, year={2020}, month={12}, day={31}, number={4}",
         {"issued": [2020, 12, 31], "number": "4"}),
        ("@misc{k, year={2020}, month={13}, day={1}", {"issued": [2020]}),
        ("@misc{k, year={2020}, month={1}, day={32}", {"issued": [2020, 1]}),
        ("@misc{k, year={2020}, month={²}", {"issued": [2020]}),
        ("@misc{k, date={in the spring}", {"issued": "in the spring"}),
        ("@misc{k, year={forthcoming}", {"issued": "forthcoming"}),
        ("@misc{k", {}),
        ("@misc{k, date={2020-05-07}, urldate={2021-02-03}, month={1}",
         {"issued": [2020, 5, 7], "accessed": [2021, 2, 3]}),
    ],
)  # fmt: skip
def test_fields_of_an_entry_have_the_names_of_csl(entry: str, message: dict[str, object]) -> None:
    (item,) = json.loads(
        render_export(corpus_of_notes(references=f"{entry}, title={{T}}}}"), "csl")
    )
    fields = {
        k: v.get("literal") or v["date-parts"][0] if isinstance(v, dict) else v
        for k, v in item.items()
    }
    assert {k: v for k, v in fields.items() if k not in ("id", "type", "title")} == message


@pytest.mark.integration
def test_parts_have_their_own_sources_and_a_lines_essay_counts() -> None:
    run = CliRunner().invoke
    result = run(kg, ["export", "bibtex", "--line", "social-grounding", "--notes", str(NOTES)])
    corpus = own_corpus()
    line = corpus.lines["social-grounding"]
    keys = {source.key for source in parse_bibtex(result.output, "x.bib").sources}
    assert {citation.key for citation in line.citations} <= keys
    assert keys < set(corpus.sources)
    query = ["--where", "sources year:2025.."]
    result = run(kg, ["export", "csl", *query, "--notes", str(NOTES)])
    recent = {key for key, source in corpus.sources.items() if (source.year or 0) >= 2025}
    assert {item["id"] for item in json.loads(result.output)} == recent


def test_others_are_no_author_in_csl() -> None:
    corpus = corpus_of_notes(
        references="@misc{k, title={A}, author={Doe, Jo and others}, year={2020}}"
    )
    (item,) = json.loads(render_export(corpus, "csl"))
    assert item["author"] == [{"family": "Doe", "given": "Jo"}]
    assert item["custom"] == {"unnamed": "author"}
    (back,) = parse_csl(json.dumps([item]), "x.json").sources
    assert back.authors == corpus.sources["k"].authors == ("Jo Doe", "et al.")


@every_row(
    ("fields", "number"),
    [
        ("eprint={2401.00001}, archiveprefix={arXiv}", "2401.00001"),
        ("arxiv={2401.00001}", "2401.00001"),
        ("eprint={2401.00001}, url={https://arxiv.org/abs/2312.00009}", "2401.00001"),
        ("doi={10.48550/arXiv.2401.00001}", None),
        ("url={https://arxiv.org/abs/2401.00001v2}", None),
    ],
)
def test_the_number_of_a_preprint_stands_once_in_csl(fields: str, number: str | None) -> None:
    """Where a DOI or an address has it, there alone."""
    corpus = corpus_of_notes(references=f"@misc{{k, title={{T}}, {fields}}}")
    (item,) = json.loads(render_export(corpus, "csl"))
    assert item.get("archive_location") == number
    assert json.dumps(item).count("2401.00001") == 1
    (back,) = parse_csl(json.dumps([item]), "x.json").sources
    assert back.arxiv == corpus.sources["k"].arxiv != ""


def test_csl_keeps_its_own_tags_and_no_others() -> None:
    title = "<i>E. coli</i>, <sup>13</sup>C, <u>x</u>, <img src=x>, <b>alone, 1 < 2"
    corpus = corpus_of_notes(references=f"@misc{{k, title={{{title}}}}}")
    (item,) = json.loads(render_export(corpus, "csl"))
    assert item["title"] == (
        "<i>E. coli</i>, <sup>13</sup>C, &lt;u&gt;x&lt;/u&gt;, <img src=x>, &lt;b&gt;alone, 1 < 2"
    )


@pytest.mark.integration
def test_pandoc_reads_both_alike(tmp_path: Path) -> None:
    pandoc = pytest.importorskip("pypandoc", reason="pypandoc-binary, of the extra `test`")
    hostile = corpus_of_notes(references="@misc{h, title={x}}").sources["h"]
    sources = {
        f"h{position}": msgspec.structs.replace(
            hostile, key=f"h{position}", title=f"The {without_controls(word)}"
        )
        for position, word in enumerate(HOSTILE)
    }
    corpus = replace(own_corpus(), sources={**own_corpus().sources, **sources})
    items = {}
    for name, theirs in (("bibtex", "biblatex"), ("csl", "csljson")):
        file = tmp_path / name
        file.write_bytes(render_export(corpus, name))
        items[name] = {
            item["id"]: item
            for item in json.loads(pandoc.convert_file(str(file), "csljson", format=theirs))
        }
    assert [*items["bibtex"]] == [*items["csl"]] == [*corpus.sources]
    for key, item in items["bibtex"].items():
        other = items["csl"][key]
        for name in ("issued", "DOI", "URL", "volume", "page", "container-title"):
            assert item.get(name) == other.get(name), (key, name)
        assert _plain(item["title"]) == _plain(other["title"])
        people = [person for person in item.get("author", ()) if person != {"literal": "others"}]
        assert len(people) == len(other.get("author", ()))


def _plain(text: str) -> str:
    """The letters: it guesses at quotes and spaces, and knows no TeX for single braces."""
    text = text.replace('<span class="nocase">', "").replace("</span>", "")
    return "".join(filter(str.isalnum, text))


@given(st.one_of(words, st.text("\\{}~^%$#_&'`-?! a\"@=,")))
@examples(75)
def test_any_text_is_inert_tex(text: str) -> None:
    """What TeX would do something on is escaped, braces match, and our reader reads it back."""
    tex = escape_tex(text)
    bare = tex.replace("\\{", "").replace("\\}", "").replace("{}", "")
    assert "{" not in bare
    assert "}" not in bare
    assert tex_to_plain_text(tex) == without_controls(text)


def test_names_that_differ_in_bad_characters_alone_stay_apart() -> None:
    safe_names = assign_safe_names(["a b", "a.b", "a_b", "a/b"], re.compile(r"[^\w]"))
    assert safe_names == {"a b": "a_b-2", "a.b": "a_b-3", "a_b": "a_b", "a/b": "a_b-4"}


@every_row(
    ("fields", "container"),
    [
        ("booktitle={B}, journaltitle={JT}, journal={J}", "J"),
        ("booktitle={B}, journaltitle={JT}", "JT"),
        ("booktitle={B}", "B"),
    ],
)
def test_of_several_containers_the_journal_is_the_one_in_csl(fields: str, container: str) -> None:
    corpus = corpus_of_notes(references=f"@article{{k, title={{T}}, year={{2020}}, {fields}}}")
    item = csl_item(corpus.sources["k"])
    assert item["container-title"] == container
    assert "custom" not in item
