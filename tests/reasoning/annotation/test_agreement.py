"""Agreement of annotators, and a model beside them; all judgements here are made up."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.model import Span
from kg.reasoning import (
    EdgeLabel,
    Judgement,
    agreement,
    judged_edges,
    load_judgements,
)
from kg.reasoning.annotation.agreement import (
    Annotator,
    fleiss_kappa,
    gwet_ac1,
    krippendorff_alpha,
    status_of_panel,
)
from tests.support.effort import examples
from tests.support.every_row import every_row

quick = examples(4, derandomize=True)
COUNTS = st.lists(st.tuples(*[st.integers(0, 6)] * 3).filter(any), min_size=1, max_size=8)
SUPPORTS, CONTRADICTS, NEUTRAL = EdgeLabel


def rows(*panels: tuple[int, int, int]) -> list[Judgement]:
    return [
        Judgement(edge=f"e{edge}", annotator=f"a{k}", label=label, span=Span("j.csv"))
        for edge, panel in enumerate(panels)
        for k, label in enumerate(
            [label for label, n in zip(EdgeLabel, panel, strict=True) for _ in range(n)]
        )
    ]


def test_alpha_is_that_computed_by_hand() -> None:
    """Krippendorff's own way: coincidences within units, against all pairs of values."""
    table = np.array([[2, 0, 0], [1, 1, 0], [0, 3, 0], [1, 0, 0]], dtype=float)
    observed = (0 + 2 / 1 + 0) / 7
    expected = (7**2 - (3**2 + 4**2)) / (7 * 6)
    assert krippendorff_alpha(table) == pytest.approx(1 - observed / expected)


def test_alpha_is_undefined_where_nothing_can_differ() -> None:
    assert np.isnan(krippendorff_alpha(np.array([[3, 0, 0], [2, 0, 0]], dtype=float)))
    answer = agreement(rows((3, 0, 0), (2, 0, 0)))
    assert answer.alpha is None
    assert "undefined" in answer.sentence


def test_ac1_holds_where_one_label_dominates() -> None:
    table = np.array([[3, 0, 0]] * 19 + [[2, 1, 0]], dtype=float)
    assert krippendorff_alpha(table) < 0.1
    assert gwet_ac1(table) > 0.95


def test_ac1_is_that_computed_by_hand() -> None:
    table = np.array([[2, 0, 0], [1, 1, 0]], dtype=float)
    share = np.array([0.75, 0.25, 0.0])
    chance = float((share * (1 - share)).sum()) / 2
    assert gwet_ac1(table) == pytest.approx((0.5 - chance) / (1 - chance))


def test_kappa_is_that_computed_by_hand_and_only_for_panels_of_one_size() -> None:
    table = np.array([[3, 0, 0], [1, 2, 0]], dtype=float)
    agreed, chance = (1 + 1 / 3) / 2, (4 / 6) ** 2 + (2 / 6) ** 2
    assert fleiss_kappa(table) == pytest.approx((agreed - chance) / (1 - chance))
    assert np.isnan(fleiss_kappa(np.array([[3, 0, 0], [1, 1, 0]], dtype=float)))
    assert np.isnan(fleiss_kappa(np.array([[3, 0, 0]], dtype=float)))


@quick
@given(COUNTS, st.permutations(range(3)))
def test_alpha_does_not_depend_on_names_and_is_at_most_one(
    panels: list[tuple[int, int, int]], order: list[int]
) -> None:
    table = np.array(panels, dtype=float)
    one, other = krippendorff_alpha(table), krippendorff_alpha(table[:, order])
    assert one == pytest.approx(other, nan_ok=True)
    assert not one > 1.0 + 1e-12


@every_row(
    ("panel", "status"),
    [
        ((1, 0, 0), "single"),
        ((5, 0, 0), "unanimous"),
        ((8, 1, 1), "high"),
        ((7, 2, 1), "moderate"),
        ((5, 5, 0), "polarised"),
        ((3, 3, 4), "polarised"),
        ((4, 2, 4), "split"),
    ],
)
def test_the_status_of_a_panel_follows_from_its_counts(
    panel: tuple[int, int, int], status: str
) -> None:
    assert status_of_panel(panel) == status


def test_items_keep_the_distribution() -> None:
    even, neutral, strong = judged_edges(rows((5, 5, 0), (0, 0, 10), (8, 2, 0)))
    assert even.direction == neutral.direction == 0.0
    assert (even.consensus, neutral.consensus) == (0.5, 1.0)
    assert strong.majority_real == pytest.approx(0.974, abs=1e-3)
    assert judged_edges(rows((7, 3, 0)))[0].majority_real == pytest.approx(0.898, abs=1e-3)


def test_agreement_flags_what_is_disputed_and_names_the_odd_one_out() -> None:
    judged = rows((3, 0, 0), (0, 3, 0), (2, 2, 0))
    answer = agreement(judged, bootstrap=200)
    assert answer.flagged == ("e2",)
    assert answer.low is not None
    assert answer.high is not None
    assert answer.low <= (answer.alpha or 0.0) <= answer.high
    assert answer == agreement(judged, bootstrap=200)
    assert answer.annotators[0] == Annotator(name="a3", labels=1, agreement=pytest.approx(1 / 3))
    assert [*answer.statuses.items()] == [("polarised", 1), ("unanimous", 2)]


def test_loading_reports_what_it_cannot_read(tmp_path: Path) -> None:
    folder = tmp_path / "judgements"
    folder.mkdir()
    (folder / "a.csv").write_text(
        "edge,annotator,label,date,note\n"
        "e1,ann,supports,2026-01-02,clear\n"
        "e1,bob,maybe,,\n"
        "e1,,supports,,\n"
        "e2,ann,Contradicts,yesterday,\n"
        "gone,ann,neutral,,\n"
        "e1,ann,neutral,,changed my mind\n",
        "utf-8",
    )
    (folder / "b.csv").write_text("edge;label\n", "utf-8")
    judgements = load_judgements(tmp_path, ["e1", "e2"])
    assert [(row.edge, row.annotator, row.label) for row in judgements.rows] == [
        ("e1", "ann", EdgeLabel.NEUTRAL)
    ]
    assert [problem.rule for problem in judgements.diagnostics] == [
        "judgement-row",
        "judgement-row",
        "judgement-row",
        "judged-edge-unknown",
        "judged-twice",
        "judgement-file",
    ]
    assert str(judgements.diagnostics[0].span) == "judgements/a.csv:3:1"


def test_without_a_file_there_are_no_judgements(tmp_path: Path) -> None:
    assert load_judgements(tmp_path).rows == ()
    assert agreement([]).sentence == "No edge has been judged."
