"""Bibliographies of any name: inside the notes, beside them, and where `kg.toml` says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kg.checks import check
from kg.corpus import Corpus
from kg.loader import list_inputs, load_corpus
from tests.support import command
from tests.support.every_row import every_row

NOTE = "---\ntype: claim\n---\n\n# Sleep helps\n\nIt does. [@{key}]\n"
CSL = '[{"id": "csl", "type": "book", "title": "C", "author": [{"family": "Wu"}]}]'


def load(folder: Path, files: dict[str, str]) -> Corpus:
    for name, text in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
    return load_corpus(folder / "notes")


def bib(key: str, more: str = "title={T}") -> str:
    return f"@misc{{{key}, {more}}}\n"


def test_bibliographies_in_beside_and_outside_the_notes_are_read_together(tmp_path: Path) -> None:
    corpus = load(
        tmp_path,
        {
            "kg.toml": 'bibliographies = ["lib/theirs.bib"]',
            "lib/theirs.bib": bib("named"),
            "My Bibliography.bib": bib("beside"),
            "package.json": '{"name": "x"}',
            "notes/My Bibliography.json": CSL,
            "notes/deep/er.bib": bib("inside"),
            "notes/a.md": NOTE.format(key="named"),
        },
    )
    assert sorted(corpus.sources) == ["beside", "csl", "inside", "named"]
    assert [problem.rule for problem in check(corpus)] == ["missing-author", "unsupported-claim"]
    paths = {source.key: source.span.path for source in corpus.sources.values()}
    assert paths["beside"] == "../My Bibliography.bib"
    inputs = {os.path.basename(place) for place in list_inputs(tmp_path / "notes")}
    assert {"My Bibliography.bib", "theirs.bib", "er.bib", "a.md"} <= inputs


def test_a_folder_without_settings_beside_it_is_all_there_is(tmp_path: Path) -> None:
    assert not load(tmp_path, {"My Bibliography.bib": bib("a"), "notes/x.md": "x"}).sources
    assert not load(tmp_path, {"notes/kg.toml": "", "kg.toml": ""}).sources


def test_one_work_in_two_files_is_one_source(tmp_path: Path) -> None:
    corpus = load(
        tmp_path,
        {
            "notes/a.bib": bib("same", "title={The Work}, year=2020"),
            "notes/b.json": '[{"id": "same", "type": "book", "title": "The work", "DOI": "10.1/w",'
            ' "author": [{"family": "Wu"}]}]',
            "notes/c.bib": bib("x") + bib("same", "title={Another}"),
        },
    )
    source = corpus.sources["same"]
    assert (source.title, source.year, source.doi, source.authors) == (
        "The Work", 2020, "10.1/w", ("Wu",)
    )  # fmt: skip
    (problem,) = corpus.diagnostics
    assert (problem.span.path, problem.span.line) == ("c.bib", 2)
    assert [(span.path, span.line) for span in problem.related] == [("a.bib", 1)]
    assert corpus.duplicates == ()


def test_a_file_beside_the_notes_is_named_and_quoted_where_it_stands(tmp_path: Path) -> None:
    load(
        tmp_path,
        {
            "kg.toml": "",
            "My Bibliography.bib": "\n" + bib("a", "title={T}, year={soon}"),
            "notes/x.md": "",
        },
    )
    lines = command.kg(tmp_path, "check").stdout.splitlines()
    begin = next(line for line in lines if "doubtful-entry" in line)
    assert begin.startswith("My Bibliography.bib:2:1: ")
    assert "@misc{a, title={T}, year={soon}" in lines[lines.index(begin) + 1]


def test_a_citation_by_a_second_key_means_the_same_source(tmp_path: Path) -> None:
    corpus = load(
        tmp_path,
        {"notes/a.bib": bib("new", "ids={old}, title={T}"), "notes/a.md": NOTE.format(key="old")},
    )
    (statement,) = corpus.statements.values()
    assert [citation.key for citation in statement.citations] == ["new"]


@every_row(("name", "rule"), [("gone.bib", "unreadable-file"), ("../out.bib", "outside-link")])
def test_what_the_settings_name_and_is_not_read_is_reported(
    tmp_path: Path, name: str, rule: str
) -> None:
    (tmp_path / "out.bib").write_text(bib("secret"), "utf-8")
    corpus = load(tmp_path / "all", {"kg.toml": f'bibliographies = ["{name}"]', "notes/x.md": "x"})
    assert rule in [problem.rule for problem in corpus.diagnostics]
    assert not corpus.sources


@pytest.mark.skipif(os.name == "nt", reason="symbolic links need a privilege there")
def test_a_link_beside_the_notes_leads_nowhere_else(tmp_path: Path) -> None:
    (tmp_path / "out.bib").write_text(bib("secret"), "utf-8")
    (tmp_path / "all").mkdir()
    (tmp_path / "all" / "My Bibliography.bib").symlink_to(tmp_path / "out.bib")
    corpus = load(tmp_path / "all", {"kg.toml": "", "notes/x.md": "x"})
    assert "outside-link" in [problem.rule for problem in corpus.diagnostics]
    assert not corpus.sources
