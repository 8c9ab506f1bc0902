"""What docs/linked-data.md shows, runs on our own notes as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kg.rdf.run_query import ask, named_queries
from kg.rdf.store import as_store
from tests.support.own import own_corpus

ROOT = Path(__file__).parents[2]
PAGE = ROOT.joinpath("docs", "linked-data.md").read_text("utf-8")


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.+?)^```", PAGE, re.M | re.S)


def test_the_python_on_the_page_finds_something(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    (block,) = _blocks("python")
    names: dict[str, object] = {}
    exec(block, names)
    assert "statements/" in capsys.readouterr().out
    assert names["graph"]


def test_every_query_on_the_page_finds_something_in_our_notes() -> None:
    store = as_store(own_corpus())
    for query in _blocks("sparql"):
        assert len(ask(store, query)), query  # type: ignore[arg-type]


def test_the_page_names_kept_queries_that_there_are() -> None:
    named = re.findall(r"^\$ kg sparql ([a-z-]+) ", PAGE, re.M)
    assert set(named) <= {query.name for query in named_queries()}
    assert len(named) >= 3
