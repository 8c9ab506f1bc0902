"""Counts by group, and of a whole corpus."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest

from kg.queries.find import find
from kg.queries.language.builders import claims
from kg.queries.results.counts_and_summaries import (
    MixedMeasures,
    Sizes,
    count_corpus,
    require_one_measure,
    summarize,
)
from tests.queries.results.conftest import BOOKS, NOTES, Ask
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row


def test_groups_print_as_a_table_in_text_and_html(ask: Ask) -> None:
    memory_groups = ask(claims()).engine
    groups = find(memory_groups, claims().group_by("camp"))
    assert repr(groups).splitlines() == [
        "camp          count",
        "optimist      2",
        "skeptic       1",
        "not recorded  1",
    ]
    assert "<td>optimist</td>" in groups._repr_html_()


VALUES = {"a": (1, 4), "b": (0.5,), "c": ()}
DAYS = {"a": (dt.date(2026, 1, 2),), "b": (dt.date(2026, 1, 1),)}


@every_row(
    ("summary", "values", "ids", "figure"),
    [
        ("mean", VALUES, ("a",), 2.5),
        ("mean", VALUES, ("a", "b"), 5.5 / 3),
        ("sum", VALUES, ("a", "b", "c", "d"), 5.5),
        ("min", VALUES, ("a", "b"), 0.5),
        ("max", VALUES, ("a", "b"), 4),
        ("sum", VALUES, ("c", "d"), None),
        ("min", DAYS, ("a", "b"), dt.date(2026, 1, 1)),
    ],
)
def test_each_value_of_a_record_counts_in_a_summary(
    summary: str, values: Any, ids: tuple[str, ...], figure: object
) -> None:
    assert summarize(summary, values, ids) == figure


def test_effects_with_one_measure_in_each_group_are_summarised_and_others_refused() -> None:
    require_one_measure("effect", [["d"], ["OR"], []])
    with pytest.raises(MixedMeasures) as error:
        require_one_measure("effect", [["d"], ["OR", "d"]])
    assert str(error.value) == (
        "the values of effect have several measures (OR, d), which cannot be combined: "
        "group by effect_kind, or select one (effect_kind:OR)"
    )


ONE = Sizes({"left": 2, None: 1}, ("camp",))
TWO = Sizes({("left", 2020): 2, (None, None): 1}, ("camp", "year"))
MEANS = Sizes({"left": 2, None: 1}, ("camp",), {"mean n": {"left": 0.125, None: None}})


@every_row(
    ("sizes", "json_value", "csv_text", "expected_output"),
    [
        (ONE, {"left": 2, "not recorded": 1}, "camp,count\nleft,2\nnot recorded,1\n", "2"),
        (
            TWO,
            [
                {"camp": "left", "year": 2020, "count": 2},
                {"camp": None, "year": None, "count": 1},
            ],
            "camp,year,count\nleft,2020,2\nnot recorded,not recorded,1\n",
            "2",
        ),
        (
            MEANS,
            [
                {"camp": "left", "count": 2, "mean n": 0.125},
                {"camp": None, "count": 1, "mean n": None},
            ],
            "camp,count,mean n\nleft,2,0.12\nnot recorded,1,\n",
            "0.12",
        ),
    ],
)
def test_counts_are_shown_and_written_with_what_is_not_recorded(
    sizes: Sizes, json_value: object, csv_text: str, expected_output: str
) -> None:
    assert json.loads(sizes.to_json()) == json_value
    assert sizes.to_csv() == csv_text
    assert sizes.table().rows[0][-1] == expected_output
    assert sizes.table().rows[1][-1] == ("–" if sizes.figures else "1")
    rows = [line for line in sizes.to_markdown().split("\n") if line.startswith("|")]
    assert len(rows) == len(sizes.__rich__().rows) + 2 == 4
    assert sizes.to_frame("polars").to_dict(as_series=False) == sizes.columns


def test_a_corpus_is_counted() -> None:
    corpus = corpus_of_notes(
        references=BOOKS, l="---\ntype: line\n---\n\n# L?\n\n- optimist:: [[a]]\n", **NOTES
    )
    stats = count_corpus(corpus)
    assert repr(stats) == (
        "<stats: lines 1, claims 4, counter-claims 0, evidence 1, sources 2, edges 5>"
    )
    assert (stats.cited_sources, stats.edges_with_reason, stats.placements["optimist"]) == (1, 1, 1)
    assert {name: count for name, count in stats.edges_by_relation.items() if count} == {
        "supports": 3,
        "contradicts": 1,
        "undercuts": 1,
    }
