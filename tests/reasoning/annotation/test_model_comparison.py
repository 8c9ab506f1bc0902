"""A model beside people; all judgements here are made up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.model import Span
from kg.reasoning import (
    EdgeLabel,
    Judgement,
    compare_model,
)
from tests.support.effort import examples

quick = examples(4, derandomize=True)
COUNTS = st.lists(st.tuples(*[st.integers(0, 6)] * 3).filter(any), min_size=1, max_size=8)


def rows(*panels: tuple[int, int, int]) -> list[Judgement]:
    return [
        Judgement(edge=f"e{edge}", annotator=f"a{k}", label=label, span=Span("j.csv"))
        for edge, panel in enumerate(panels)
        for k, label in enumerate(
            [label for label, n in zip(EdgeLabel, panel, strict=True) for _ in range(n)]
        )
    ]


@quick
@given(COUNTS)
def test_a_model_that_says_what_people_say_differs_in_nothing(
    panels: list[tuple[int, int, int]],
) -> None:
    judged = rows(*panels)
    own = {
        f"e{k}": (s / (s + c + n), c / (s + c + n), n / (s + c + n))
        for k, (s, c, n) in enumerate(panels)
    }
    comparison = compare_model(judged, own)
    assert comparison.divergence == pytest.approx(0.0, abs=1e-9)
    assert (comparison.variation, comparison.brier) == (0.0, 0.0)
    with_one_commonest = any(panel.count(max(panel)) == 1 for panel in panels)
    assert comparison.agree == (1.0 if with_one_commonest else None)
    agreed = any(sum(panel) > 1 and max(panel) / sum(panel) >= 0.8 for panel in panels)
    assert comparison.deviation == (0.0 if agreed else None)


def test_a_model_is_compared_with_people_by_deviation_and_flattening() -> None:
    judged = rows((9, 1, 0), (1, 9, 0), (5, 5, 0), (4, 3, 3))
    model = {
        "e0": (0.1, 0.9, 0.0),
        "e1": (0.1, 0.9, 0.0),
        "e2": (0.95, 0.05, 0.0),
        "e3": (0.4, 0.3, 0.3),
        "other": (1.0, 0.0, 0.0),
    }
    comparison = compare_model(judged, model)
    assert (comparison.deviation, comparison.flattening) == (0.5, 0.5)
    assert (comparison.edges, comparison.unjudged, comparison.missing) == (4, 1, ())
    assert [band.edges for band in comparison.bands] == [1, 0, 2]


def test_one_label_per_edge_flattens_by_construction_so_it_is_not_reported() -> None:
    comparison = compare_model(
        rows((9, 1, 0), (5, 5, 0)), {"e0": (1.0, 0.0, 0.0), "e1": (1.0, 0.0, 0.0)}
    )
    assert comparison.one_label
    assert comparison.flattening is None
