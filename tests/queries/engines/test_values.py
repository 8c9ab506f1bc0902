"""What is shown, sorted and grouped is what conditions read: any field in any way."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kg.corpus import Corpus
from kg.queries.conditions.fields import FIELDS, Sort
from kg.queries.engines.memory import MemoryEngine
from kg.queries.find import connect_store, find
from kg.queries.language.builders import claims, edges, evidence, lines, sources, statements
from kg.queries.language.selection import Selection
from kg.rdf.store import as_store

NOTES = {
    "a": "---\ntype: claim\ncamp: optimist\ntopics: [talk]\n---\n\n# Talk grounds\n\n"
    "> [!evidence] It was tried ^tried\n> [@early] (method:: experiment) (sample:: 120)\n",
    "b": "---\ntype: claim\ncamp: skeptic\ntopics: [norms]\n---\n\n# It does not\n",
    "e": "---\ntype: evidence\nmethod: survey\nsample: 40\n---\n\n# Asked [@late]\n\n"
    "- supports:: [[b]]\n- contradicts:: [[a]]\n",
    "line": "---\ntype: line\nproposition: a\n---\n\n# So?\n\n"
    "- optimist:: [[b]]\n- skeptic:: [[a]]\n",
}
BOOKS = "@misc{early, title={Early}, year={2019}}\n@misc{late, title={Late}, year={2025}}"
STARTS: dict[Sort, tuple[Selection, ...]] = {
    Sort.STATEMENT: (statements(), claims(), evidence(), evidence().line("line")),
    Sort.SOURCE: (sources(),),
    Sort.LINE: (lines(),),
    Sort.EDGE: (edges(),),
}


@pytest.fixture
def corpus(corpus_of: Callable[..., Corpus]) -> Corpus:
    return corpus_of(references=BOOKS, **NOTES)


@pytest.mark.parametrize("sort", Sort)
def test_any_field_sorts_groups_and_shows(corpus: Corpus, sort: Sort) -> None:
    stored, memory = connect_store(as_store(corpus)), MemoryEngine(corpus)
    for start in STARTS[sort]:
        everything = set(find(memory, start).ids)
        for field in FIELDS[sort]:
            for name in (field, field.replace("_", "-"), f"{field}s"):
                for order in (name, f"-{name}"):
                    found = find(memory, start.order_by(order))
                    assert set(found.ids) == everything
                    assert stored.find(start.order_by(order)).ids == found.ids
                sizes = find(memory, start.group_by(name).count())
                assert dict(stored.find(start.group_by(name).count())) == dict(sizes)
                shown = [row[0] for row in found.rows(name)]
                assert len(shown) == len(everything)
                assert all(shown) == (None not in sizes) or not everything


def shown(corpus: Corpus, selection: Selection, *fields: str) -> dict[str, tuple[str, ...]]:
    rows = find(MemoryEngine(corpus), selection).rows("id", *fields)
    return {row[0]: row[1:] for row in rows}


def test_claims_show_what_their_evidence_has(corpus: Corpus) -> None:
    assert shown(corpus, claims(), "method", "year") == {
        "a": ("experiment, survey", "2019, 2025"),
        "b": ("survey", "2025"),
    }
    assert shown(corpus, claims().directly(), "method") == {"a": ("",), "b": ("",)}
    assert list(find(MemoryEngine(corpus), claims().order_by("year")).ids) == ["a", "b"]
    assert list(find(MemoryEngine(corpus), claims().order_by("-sample")).ids) == ["a", "b"]


def test_evidence_stands_where_its_claims_stand(corpus: Corpus) -> None:
    assert shown(corpus, evidence(), "topic", "line", "camp") == {
        "a#tried": ("talk", "line", "optimist"),
        "e": ("norms, talk", "line", "skeptic"),
    }


def test_within_a_line_a_camp_is_the_placement_there(corpus: Corpus) -> None:
    placed = {"a#tried": ("skeptic",), "e": ("optimist",)}
    memory = MemoryEngine(corpus)
    assert shown(corpus, evidence().line("line"), "camp") == placed
    assert dict(find(memory, claims().line("line").group_by("camp").count())) == {
        "optimist": 1,
        "skeptic": 1,
    }
    assert list(find(memory, claims().line("line").group_by("camp"))["skeptic"].ids) == ["a"]
