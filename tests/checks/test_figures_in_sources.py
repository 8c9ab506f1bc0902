"""Where the figures of evidence are looked for."""

from __future__ import annotations

from pathlib import Path

from kg.checks.figures_in_sources import archived_text, figures_by_statement
from kg.corpus import Corpus
from kg.loader import load_corpus
from tests.support.corpora import corpus_of_notes

BIB = """
@article{bell2020, title = {Naps}, author = {Bell, Ann}, year = {2020},
  abstract = {We tested 140 students. Naps helped by 20\\%.}}
@article{hall2021, title = {Nights}, author = {Hall, Bo}, year = {2021}}
"""
CSL = '[{"id": "bell2020", "type": "book", "title": "Naps", "abstract": "p &lt; .001 for 140"}]'


def figure_texts(corpus: Corpus) -> list[str]:
    return [str(figure) for figures in figures_by_statement(corpus).values() for figure in figures]


def note(head: str, text: str) -> str:
    return f"---\ntype: evidence\nmethod: experiment\n{head}\n---\n\n# It helped\n\n{text}\n"


def test_each_figure_says_where_it_was_seen() -> None:
    it = note(
        "sample: 140 students\neffect: 20 %\np: 0.03",
        "“It was so at p = .03 again” [@bell2020].",
    )
    assert figure_texts(corpus_of_notes(references=BIB, it=it)) == [
        "140 students: seen in the abstract",
        "20 %: seen in the abstract",
        "p = 0.03: seen in the quoted passage",
    ]
    it = note("sample: 40 students", "It was so [@bell2020].")
    assert figure_texts(corpus_of_notes(references=BIB, it=it)) == [
        "40 students: not seen in the abstract"
    ]


def test_nothing_is_said_where_there_is_no_text() -> None:
    it = note("sample: 140 students", "It was so [@hall2021].")
    assert figure_texts(corpus_of_notes(references=BIB, it=it)) == []


def test_the_abstract_of_csl_counts() -> None:
    it = note("p: <0.001", "It was so [@bell2020].")
    assert figure_texts(corpus_of_notes(references=CSL, it=it)) == [
        "p < 0.001: seen in the abstract"
    ]


def test_an_archived_text_counts_before_the_abstract(tmp_path: Path) -> None:
    files = {
        "references.bib": BIB,
        "bell2020.md": "---\ntype: source\nsnapshot: text.txt\n---\n\n# Naps\n",
        "text.txt": "A sample of 40.",
        "it.md": note("sample: 40 students", "It was so [@bell2020]."),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    assert figure_texts(load_corpus(tmp_path)) == ["40 students: seen in the archived text"]


def test_a_corpus_without_a_folder_has_no_archived_text() -> None:
    it = note("sample: 140 students", "It was so [@bell2020].")
    snapshot = "---\ntype: source\nsnapshot: text.txt\n---\n\n# Naps\n"
    corpus = corpus_of_notes(references=BIB, it=it, bell2020=snapshot)
    assert archived_text(corpus, corpus.sources["bell2020"]) is None
    assert figure_texts(corpus) == ["140 students: seen in the abstract"]
