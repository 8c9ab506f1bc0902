"""Ranges of numbers: what lies within, in memory and in a store, and how they read."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from kg.queries.conditions.value_ranges import (
    BadRange,
    parse_range,
    render_range,
    require_possible_range,
)
from kg.queries.connection import connect_store
from kg.queries.engines.engine import MemoryEngine
from kg.queries.find import find
from kg.queries.language.parse_query import parse_request
from kg.rdf.quad_store import as_store
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row

FIGURES = {
    "exact": "p: 0.05\neffect: d=0.5\nsample: 9",
    "under": 'p: "<.05"\neffect: -77.5 %',
    "far-under": 'p: "<.001"',
    "over": 'p: ">.05"\neffect: OR=1.81 [1.2, 2.7]\nsample: 10',
    "none": "method: survey",
}
NOTES = {
    id: f"---\ntype: evidence\n{text}\n---\n\n# {id}\n\n- supports:: [[claim]]\n"
    for id, text in FIGURES.items()
}
NOTES["claim"] = "---\ntype: claim\n---\n\n# Claim\n"
WITHIN = [
    ("p:<0.05", "far-under under"),
    ("p:<=0.05", "exact far-under under"),
    ("p:..0.05", "exact far-under under"),
    ("p:0..0.05", "exact far-under under"),
    ("p:0.0001..0.05", "exact"),
    ("p:0.05", "exact"),
    ("p:<0.01", "far-under"),
    ("p:>0.04", "exact over"),
    ("p:>0.05", "over"),
    ("p:>=0.05", "exact over"),
    ("p:0.05..1", "exact over"),
    ("p:0.05..0.9", "exact"),
    ("p:<=1", "exact far-under over under"),
    ("p:>=0.001", "exact over"),
    ("p:*", "exact far-under over under"),
    ("effect:>0", "exact over"),
    ("effect:>1", "over"),
    ("effect:<1", "exact under"),
    ("sample:>9", "over"),
    ("sample:<10", "exact"),
    ("sample:*", "exact over"),
]


@pytest.fixture
def asking() -> list[Callable[..., Any]]:
    corpus = corpus_of_notes(**NOTES)
    return [partial(find, MemoryEngine(corpus)), connect_store(as_store(corpus)).find]


@pytest.mark.parametrize(("text", "ids"), WITHIN)
def test_a_bound_is_within_a_range_where_all_that_it_may_be_is(
    asking: list[Callable[..., Any]], text: str, ids: str
) -> None:
    for ask in asking:
        answer = ask(parse_request(f"evidence {text}"))
        assert " ".join(sorted(answer.ids)) == ids
        answer = ask(parse_request(f"claims {text}"))
        assert answer.ids == ("claim",)


@pytest.mark.parametrize("ask", [0, 1], ids=["memory", "store"])
def test_figures_are_shown_as_notes_write_them(asking: list[Callable[..., Any]], ask: int) -> None:
    answer = asking[ask](parse_request("evidence p:* sort:id"))
    expected = [
        ("exact", "0.05", "d=0.5"),
        ("far-under", "<0.001", ""),
        ("over", ">0.05", "OR=1.81"),
        ("under", "<0.05", "-77.5 %"),
    ]
    assert answer.rows("id", "p", "effects") == expected
    lines = answer.to_csv("id", "p", "effect").splitlines()
    assert list(csv.reader(lines)) == [
        ["id", "p", "p_sign", "effect", "effect_kind"],
        ["exact", "0.05", "", "0.5", "d"],
        ["far-under", "0.001", "<", "", ""],
        ["over", "0.05", ">", "1.81", "OR"],
        ["under", "0.05", "<", "-77.5", "%"],
    ]
    assert answer.to_csv("p", "p-sign").startswith("p,p-sign\n")
    rows = json.loads(answer.to_json("p", "effect"))
    assert rows[2] == {"p": 0.05, "effect": 1.81}
    [[cell]] = asking[ask](parse_request("claims")).rows("p")
    assert set(cell.split(", ")) == {"0.05", "<0.05", "<0.001", ">0.05"}


@every_row(
    ("text", "words"),
    [
        (">100", "over 100"),
        ("<0.05", "under 0.05"),
        (">=0.05", "at least 0.05"),
        (">0", "over 0"),
        ("..5", "at most 5"),
        ("2..5", "from 2 to 5"),
        ("7", "7"),
        (">2024-01-31", "at least 2024-02-01"),
    ],
)
def test_a_range_is_described_in_words(text: str, words: str) -> None:
    assert render_range(*parse_range(text)) == words


def test_a_range_in_which_nothing_can_lie_is_refused() -> None:
    for low, high in ((0, 0), (1, 1), (None, 0), (1, None)):
        require_possible_range("strength", low, high, ["strength"])
    for low, high in ((None, -0.1), (1.1, None), (0.5, 0.4)):
        with pytest.raises(BadRange):
            require_possible_range("strength", low, high, ["strength"])
    require_possible_range("sample", 2, None, ["strength"])


def test_a_range_may_lack_both_ends() -> None:
    low, high = parse_range(">2")[0], parse_range("<=5")[1]
    assert render_range(low, high) == "over 2 and at most 5"
