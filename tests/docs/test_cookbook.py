"""The cookbook, run: every question gives one answer, in memory, from a store, from a server."""

from __future__ import annotations

import ast
import contextlib
import io
import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import kg
from kg.cli import run
from kg.queries.connection import Connection
from kg.queries.results.counts_and_summaries import Sizes
from kg.queries.results.found_records import FoundRecords
from kg.rdf.quad_store import as_store
from tests.support.own import own_corpus
from tests.support.scenes import rewrite_page
from tests.support.store_endpoints import serve_store

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "cookbook.md"
BLOCK = re.compile(r"```python\n(?P<code>.*?)```\n\n```console\n(?P<console>.*?)```", re.S)


class Recipe(NamedTuple):
    """A recipe of the cookbook: its lines of Python, its command, and what that printed."""

    title: str
    code: str
    command: str
    printed: str


def questions() -> list[Recipe]:
    recipes = []
    for part in PAGE.read_text("utf-8").split("\n## ")[1:]:
        block = BLOCK.search(part)
        assert block is not None, part
        command, _, printed = block["console"].partition("\n")
        recipes.append(Recipe(part.partition("\n")[0], block["code"], command[2:], printed))
    return recipes


QUESTIONS = questions()


def answer(code: str, corpus: Any) -> Any:
    """The value of the last line."""
    names = {name: getattr(kg, name) for name in kg.__all__} | {"corpus": corpus}
    tree = ast.parse(code)
    last = tree.body.pop()
    assert isinstance(last, ast.Expr)
    exec(compile(tree, "cookbook", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cookbook", "eval"), names)


def lines_of(value: Any) -> list[str]:
    """What `kg find` prints for a value."""
    if isinstance(value, FoundRecords):
        return list(value.ids)
    if isinstance(value, Sizes):
        return value.to_csv().splitlines()
    return [str(value)]


def printed_text(command: str) -> str:
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream), contextlib.suppress(SystemExit):
        run([*shlex.split(command)[1:], "--notes", str(ROOT / "notes")])
    return stream.getvalue()


@pytest.fixture(scope="module")
def corpus() -> kg.Corpus:
    return own_corpus()


@pytest.fixture(scope="module")
def elsewhere(corpus: kg.Corpus) -> Iterator[dict[str, Connection]]:
    store = as_store(corpus)
    with serve_store(store) as url:
        yield {"store": corpus.stored(), "server": kg.connect(url)}


def test_the_questions_are_numbered_from_one_to_thirty() -> None:
    numbers = [question.title.partition(". ")[0] for question in QUESTIONS]
    assert numbers == [str(number) for number in range(1, 31)]


@pytest.mark.integration
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.title[:40])
def test_a_question_is_answered_alike_by_command_and_python(
    question: Recipe, corpus: kg.Corpus, elsewhere: dict[str, Connection]
) -> None:
    assert len(question.code.strip().splitlines()) <= 3
    output = printed_text(question.command)
    reply = answer(question.code, corpus)
    assert reply, "the example finds nothing: ask for what the notes hold"
    assert lines_of(reply) == output.splitlines()
    for name, other in elsewhere.items():
        assert lines_of(answer(question.code, other)) == lines_of(reply), name
    if os.environ.get("UPDATE_SPECS") and output != question.printed:
        old, new = (f"$ {question.command}\n{each}```" for each in (question.printed, output))
        rewrite_page(PAGE, old, new)
    else:
        assert output == question.printed, (
            "if this answer is right now, "
            "UPDATE_SPECS=1 pytest -n 0 tests/docs/test_cookbook.py writes it into the page"
        )
