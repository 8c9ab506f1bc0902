"""One word has one meaning: Python, options, text, the store, SPARQL and loops by hand agree."""

from __future__ import annotations

import csv
import json
import shlex
from inspect import cleandoc
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

import kg
from kg.graphs_with_strengths.stored_notes import store_notes
from kg.queries.connection import connect_store
from tests.queries.naive_reader import Reader
from tests.queries.small_notes import SMALL
from tests.queries.thirty_questions import QUESTIONS, AskedQuestion
from tests.support.command import kg as run
from tests.support.every_row import every_row
from tests.support.own import own_corpus

NOTES_HERE = ("--notes", ".")
LINES = "/lines/"  # essays cite, too, and are asked for apart


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small")
    for name, text in SMALL.items():
        (folder / name).write_text(cleandoc(text) + "\n", "utf-8")
    return folder


@pytest.fixture(scope="module")
def small_reader(small: Path) -> Reader:
    return Reader(kg.load(small))


@pytest.fixture(scope="module", params=["own", "small"])
def corpus(request: pytest.FixtureRequest, small: Path) -> kg.Corpus:
    return own_corpus() if request.param == "own" else kg.load(small)


@pytest.fixture(scope="module")
def stored(corpus: kg.Corpus) -> Any:
    return corpus.stored()


@pytest.fixture(scope="module")
def stored_notes(corpus: kg.Corpus, tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("stored") / "store"
    assert corpus.folder is not None
    store_notes(corpus.folder.real, folder)
    connection = connect_store(folder)
    assert connection.corpus is not None
    return connection


@pytest.fixture(scope="module")
def reader(corpus: kg.Corpus) -> Reader:
    return Reader(corpus)


def as_ids_or_counts(expected: Any) -> Any:
    """Ids, or how many each group has."""
    return {**expected.sizes()} if isinstance(expected, kg.Groups) else {*expected.ids}


def ids_printed(notes: Path, command: str, *words: str, grouped: bool) -> Any:
    """What a command prints, in the form of `told`."""
    ended = run(notes, command, *words, *NOTES_HERE, "--format", "json" if grouped else "ids")
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout) if grouped else {*ended.stdout.splitlines()}


def ids_from_sparql(notes: Path, question: AskedQuestion) -> Any:
    """What SPARQL answers, in the form of `told`."""
    words = [question.sparql] if "{" in question.sparql else question.sparql.split()
    ended = run(notes, "sparql", *words, *NOTES_HERE, "--format", "csv")
    assert ended.returncode == 0, ended.stderr
    key, _, number = question.column.partition(" ")
    rows = [row for row in csv.DictReader(ended.stdout.splitlines()) if LINES not in row[key]]
    names = [unquote(row[key].rpartition("/")[2]) for row in rows]
    return dict(zip(names, (int(row[number]) for row in rows), strict=True)) if number else {*names}


def test_thirty_different_questions_are_asked() -> None:
    assert len({question.title for question in QUESTIONS}) == 30


@every_row("question", QUESTIONS)
def test_the_small_corpus_answers_each(question: AskedQuestion, small_reader: Reader) -> None:
    """Else a way of asking that finds nothing would pass."""
    assert question.by_hand(small_reader)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.title[:40])
def test_python_and_the_store_find_what_a_reader_finds(
    question: AskedQuestion, corpus: kg.Corpus, stored: Any, stored_notes: Any, reader: Reader
) -> None:
    by_hand = question.by_hand(reader)
    assert as_ids_or_counts(stored_notes.find(question.selection)) == by_hand
    assert as_ids_or_counts(corpus.find(question.selection)) == by_hand
    assert as_ids_or_counts(stored.find(question.selection)) == by_hand


@every_row("question", QUESTIONS)
def test_options_and_text_find_what_a_reader_finds(
    question: AskedQuestion, small: Path, small_reader: Reader
) -> None:
    by_hand = question.by_hand(small_reader)
    grouped = isinstance(by_hand, dict)
    assert ids_printed(small, "find", *shlex.split(question.find), grouped=grouped) == by_hand
    assert ids_printed(small, "find", question.ask, grouped=grouped) == by_hand


@every_row(
    "question",
    [question for question in QUESTIONS if question.sparql],
)
def test_sparql_finds_what_a_reader_finds(
    question: AskedQuestion, small: Path, small_reader: Reader
) -> None:
    assert ids_from_sparql(small, question) == question.by_hand(small_reader)
