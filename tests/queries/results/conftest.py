"""A few notes with hostile words, and answers about them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kg.queries.engines.engine import MemoryEngine
from kg.queries.find import find
from kg.queries.language.selection import Selection
from kg.queries.results.found_records import FoundRecords
from tests.support.corpora import corpus_of_notes

HOSTILE = "<img src=x onerror=alert(1)> [red]x[/red] | `a` =1+1 \x1b[31m"
NOTES = {
    "a": f"---\ntype: claim\ncamp: optimist\n---\n\n# A {HOSTILE}\n\n"
    "> [!evidence] Tried ^t\n> [@s] (method:: experiment) (sample:: 9) (independence:: lab-x)\n",
    "b": '---\ntype: claim\ncamp: skeptic\n---\n\n# B\n\n- contradicts:: [[a]] — "so" ^e\n',
    "c": "---\ntype: claim\ncamp: optimist\n---\n\n# C\n\n- undercuts:: [[b#^e]]\n",
    "d": "---\ntype: claim\n---\n\n# D\n\n- supports:: [[b]]\n- supports:: [[c]]\n",
}
BOOKS = (
    "@misc{s, title={<b>S</b>}, year={2020}, url={https://example.org/s}}\n"
    "@misc{t, title={T}, url={javascript:alert(1)}}"
)


Ask = Callable[[Selection], FoundRecords[Any]]


@pytest.fixture
def ask() -> Ask:
    memory = MemoryEngine(corpus_of_notes(references=BOOKS, **NOTES))
    return lambda selection: find(memory, selection)
