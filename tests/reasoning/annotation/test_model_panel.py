"""Models beside people, and beside each other; all judgements here are made up.

Of `kg/reasoning/annotation/model_comparison.py` and `kg/reasoning/annotation/panel.py`, too.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.model import Span
from kg.reasoning import (
    EdgeLabel,
    Judgement,
    agreement,
    compare_model,
    compare_models,
    load_judgements,
)
from kg.reasoning.annotation.panel import jensen_shannon, panel_of, split_halves
from tests.support.effort import examples
from tests.support.every_row import every_row

quick = examples(3, derandomize=True)
LETTERS = {"s": EdgeLabel.SUPPORTS, "c": EdgeLabel.CONTRADICTS, "n": EdgeLabel.NEUTRAL}
LABELS_OF_PEOPLE = st.dictionaries(
    st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("VWXYZ")),
    st.sampled_from("scn"),
    min_size=9,  # of an edge two people say something
    max_size=30,
)
MODELS = st.lists(
    st.dictionaries(
        st.sampled_from("abcdefghi"), st.sampled_from(["s", "c", "n", "sc", "ssn"]), min_size=1
    ),
    min_size=1,
    max_size=3,
)
Labels = dict[tuple[str, str], str]


def panel(**edges: str) -> list[Judgement]:
    """Judgements by people A, B, C… of edges: `e1="ssc"` is three people's labels, - is none."""
    return [
        Judgement(edge=edge, annotator=chr(65 + k), label=LETTERS[letter], span=Span("j.csv"))
        for edge, letters in edges.items()
        for k, letter in enumerate(letters)
        if letter != "-"
    ]


def rows(labels: Labels) -> list[Judgement]:
    return [
        Judgement(edge=edge, annotator=who, label=LETTERS[letter], span=Span("j.csv"))
        for (edge, who), letter in labels.items()
    ]


def model(**edges: str) -> dict[str, Any]:
    """A model's shares: `e1="s"` is one label, `e1="ssn"` three samples."""
    return {e: tuple(text.count(k) / len(text) for k in "scn") for e, text in edges.items()}


# -- by hand ----------------------------------------------------------------------------


def test_the_percentile_is_that_computed_by_hand() -> None:
    """A says what the others say in (1/2 + 1/2)/2, B in (1/2 + 1)/2, and so C; the model in all."""
    judged = panel(e1="ssc", e2="css")
    others = {
        "A": [(1 / 2, 0.5), (0.0, 1.0)],
        "B": [(1 / 2, 0.5), (1 / 2, 0.5)],
        "C": [(0.0, 1.0), (1 / 2, 0.5)],
    }
    own = {who: sum(one for one, _ in pairs) / 2 for who, pairs in others.items()}
    beside = {who: sum(other for _, other in pairs) / 2 for who, pairs in others.items()}
    assert own == {"A": 0.25, "B": 0.5, "C": 0.25}
    assert beside == {"A": 0.75, "B": 0.5, "C": 0.75}
    comparison = compare_model(judged, model(e1="s", e2="s"))
    assert comparison.percentile == pytest.approx(100 * (2 + 1 / 2) / 3)
    assert (comparison.rank, comparison.annotators) == (1, 3)
    assert comparison.score == pytest.approx(2 / 3)
    assert comparison.score_people == pytest.approx(1 / 3)
    worst = compare_model(judged, model(e1="n", e2="n"))
    assert (worst.percentile, worst.rank, worst.score) == (0.0, 4, 0.0)


def test_errors_of_two_models_are_those_computed_by_hand() -> None:
    """People: supports on e1 to e4, contradicts on e5; e6 has no commonest label."""
    judged = panel(e1="ss", e2="ss", e3="ss", e4="ss", e5="cc", e6="sc")
    one = model(e1="s", e2="n", e3="n", e4="c", e5="c", e6="n")
    other = model(e1="s", e2="n", e3="c", e4="s", e5="s", e6="n")
    comparison = compare_models(judged, {"one": one, "other": other})
    [pair] = comparison.pairs
    assert (pair.edges, pair.both_wrong) == (5, 2.0)
    assert pair.expected == pytest.approx(5 * 3 / 5 * 3 / 5)
    x, y = [0, 1, 1, 1, 0], [0, 1, 1, 0, 1]
    assert pair.correlation == pytest.approx(float(np.corrcoef(x, y)[0, 1]))
    assert pair.same_wrong == 0.5
    # where people say supports, one is wrong with n, n, c, the other with n, c
    chance = 2 / 3 * 1 / 2 + 1 / 3 * 1 / 2
    assert pair.by_chance == pytest.approx(chance)
    assert pair.beyond_chance == pytest.approx((0.5 - chance) / (1 - chance))
    assert comparison.mean_correlation == pair.correlation
    assert (comparison.all_wrong, comparison.missed) == (2.0, ("e2", "e3"))
    assert comparison.all_wrong_expected == pytest.approx(5 * 9 / 25)


def test_pairs_that_err_most_alike_come_first_and_those_without_a_number_last() -> None:
    judged = panel(e1="ss", e2="ss", e3="ss")
    text = {"a": "sns", "b": "snn", "c": "sns", "d": "sss"}
    models = {
        name: model(**dict(zip(("e1", "e2", "e3"), each, strict=True)))
        for name, each in text.items()
    }
    result_rows = [
        (pair.one + pair.other, pair.correlation) for pair in compare_models(judged, models).pairs
    ]
    assert result_rows[0] == ("ac", 1.0)
    assert [number for _, number in result_rows[1:3]] == [0.5, 0.5]
    assert [number for _, number in result_rows[3:]] == [None] * 3


def test_a_model_of_several_samples_is_wrong_as_often_as_its_samples_are() -> None:
    judged = panel(e1="ss", e2="ss")
    [pair] = compare_models(
        judged, {"a": model(e1="sn", e2="s"), "b": model(e1="nn", e2="cs")}
    ).pairs
    assert pair.both_wrong == 0.5
    assert pair.expected == pytest.approx(2 * 0.25 * 0.75)
    assert pair.same_wrong == 1.0


def test_errors_of_two_people_are_those_computed_by_hand() -> None:
    """Two of the three s leave s and c: no commonest label. s with c leaves s, s: c is wrong."""
    one = compare_models(panel(e1="sssc"), {}).people
    assert one is not None
    pairs, error = 0.5, 0.5  # half of all pairs have the c in it, and count; one of two is it
    assert (one.edges, one.both_wrong, one.same_wrong) == (1, 0.0, None)
    assert one.expected == pytest.approx(pairs * error**2)
    assert one.correlation == pytest.approx((0 - error**2) / (error * (1 - error)))
    assert compare_models(panel(e1="ssc"), {}).people is None


def test_two_people_who_err_alone_do_not_correlate() -> None:
    """Labels drawn for each person alone, all edges equally hard, the rest sure of its label."""
    draw = random.Random(5)
    edges = {f"e{k}": "".join(draw.choices("scn", (6, 2, 2), k=21)) for k in range(1000)}
    people = compare_models(panel(**edges), {}).people
    assert people is not None
    assert people.correlation == pytest.approx(0.0, abs=0.03)
    assert people.both_wrong == pytest.approx(people.expected, rel=0.05)


def test_edges_that_are_hard_for_all_make_the_errors_of_people_correlate() -> None:
    draw = random.Random(5)
    weights = ((96, 2, 2), (40, 30, 30))
    edges = {f"e{k}": "".join(draw.choices("scn", weights[k % 2], k=9)) for k in range(2000)}
    people = compare_models(panel(**edges), {}).people
    assert people is not None
    assert people.correlation is not None
    assert people.correlation > 0.1


@every_row("annotators", [10, 11])
def test_the_ceiling_is_what_a_second_panel_really_shows(annotators: int) -> None:
    rng = np.random.default_rng(annotators)
    truth = rng.dirichlet([1.0, 1.0, 1.0], 800)
    first, second = rng.multinomial(annotators, truth), rng.multinomial(annotators, truth)
    real = float(jensen_shannon(first / annotators, second / annotators).mean())
    texts = {f"e{k}": "s" * a + "c" * b + "n" * c for k, (a, b, c) in enumerate(first.tolist())}
    comparison = compare_model(panel(**texts), model(**texts))
    assert comparison.ceiling == pytest.approx(real, rel=0.12)
    squared = float(((first - second) ** 2).sum(axis=1).mean()) / annotators**2
    assert comparison.ceiling_brier == pytest.approx(squared, rel=0.08)


def test_the_ceiling_is_that_computed_by_hand() -> None:
    """Two annotators, two halves of one: as far apart as can be, or not at all; half of one bit."""
    comparison = compare_model(panel(e1="sc", e2="ss", e3="s"), model(e1="s", e2="s", e3="s"))
    assert comparison.ceiling == pytest.approx((1 * 1 / 2 + 0) / 2)
    assert comparison.ceiling_agree == pytest.approx(1 / 2)
    assert comparison.ceiling_brier == pytest.approx((2 * (1 - 1 / 2) / 1 + 0) / 2)
    assert compare_model(panel(e1="s"), model(e1="s")).ceiling is None


def test_one_judge_alone_agrees_with_nobody() -> None:
    comparison = compare_model(panel(e1="s"), model(e1="c"))
    assert (
        comparison.deviation,
        comparison.percentile,
        comparison.rank,
        comparison.annotators,
    ) == (
        None,
        None,
        None,
        0,
    )


def test_a_model_torn_between_two_labels_agrees_by_half() -> None:
    comparison = compare_model(panel(e1="ss", e2="cc"), model(e1="sc", e2="sc"))
    assert (comparison.agree, comparison.deviation) == (0.5, 0.5)


def test_nothing_to_compare_is_said() -> None:
    comparison = compare_models(panel(e1="ss"), {"m": model(e2="s")})
    assert comparison.models[0].sentence == "The model labels none of the judged edges."
    assert (comparison.pairs, comparison.mean_correlation) == ((), None)
    assert compare_models([], {"m": {}}).people is None


def test_every_figure_has_a_unit() -> None:
    record = compare_models(panel(e1="ss"), {"m": model(e1="s"), "n": model(e1="s")}).to_dict()
    for part, name in (("models", "models"), ("pairs", "pairs")):
        figures = {
            k for k, v in record[part][0].items() if not isinstance(v, str | bool | list | dict)
        }
        assert figures - set(record["units"][name]) == set()
    alone = compare_model(panel(e1="ss"), model(e1="s")).to_dict()
    figures = {k for k, v in alone.items() if not isinstance(v, str | bool | list | dict)}
    assert figures - set(alone["units"]) == set()


# -- worked out a second time -----------------------------------------------------------


def alpha_again(given_labels: Labels) -> float:
    """Krippendorff's alpha from the matrix of coincidences, label by label."""
    coincide: defaultdict[tuple[str, str], float] = defaultdict(float)
    for edge in {edge for edge, _ in given_labels}:
        labels = [letter for (other, _), letter in given_labels.items() if other == edge]
        for one, two in itertools.permutations(range(len(labels)), 2):
            coincide[labels[one], labels[two]] += 1 / (len(labels) - 1)
    whole = sum(coincide.values())
    each = {k: sum(v for (one, _), v in coincide.items() if one == k) for k in "scn"}
    observed = sum(v for (one, two), v in coincide.items() if one != two)
    expected = sum(each[a] * each[b] for a in "scn" for b in "scn" if a != b)
    return 1 - (whole - 1) * observed / expected if expected > 1e-12 else math.nan


def percentile_again(labels: Labels, model: dict[str, str]) -> float:
    """The percentile by loops over people, edges, others and samples."""
    points = []
    for who in {who for _, who in labels}:
        own, beside = [], []
        for edge in {edge for edge, other in labels if other == who and edge in model}:
            rest = [v for (e, other), v in labels.items() if e == edge and other != who]
            if rest:
                own.append(sum(v == labels[edge, who] for v in rest) / len(rest))
                samples = model[edge]
                hits = [v == sample for v in rest for sample in samples]
                beside.append(sum(hits) / len(hits))
        if own:
            lead = sum(beside) / len(own) - sum(own) / len(own)
            points.append(0.5 if abs(lead) < 1e-9 else float(lead > 0))
    return 100 * sum(points) / len(points) if points else math.nan


def number(value: float | None) -> float:
    """What nothing tells, as it is worked out again here."""
    return math.nan if value is None else value


@quick
@given(LABELS_OF_PEOPLE)
def test_alpha_is_that_of_a_second_implementation(labels: Labels) -> None:
    alpha = agreement(rows(labels), bootstrap=0).alpha
    assert number(alpha) == pytest.approx(alpha_again(labels), abs=1e-8, nan_ok=True)


@quick
@given(LABELS_OF_PEOPLE, MODELS)
def test_the_percentile_is_that_of_a_second_implementation(
    labels: Labels, models: list[dict[str, str]]
) -> None:
    for each in models:
        percentile = compare_model(rows(labels), model(**each)).percentile
        assert number(percentile) == pytest.approx(percentile_again(labels, each), nan_ok=True)


# -- what must not matter ---------------------------------------------------------------


def reported_values(
    judgements: Sequence[Judgement], models: list[dict[str, str]], *without: str
) -> Any:
    """All that is reported of agreement and models, as JSON values."""
    record = compare_models(
        judgements, {f"m{k}": model(**each) for k, each in enumerate(models)}
    ).to_dict()
    for each in record["models"]:
        for name in without:
            each.pop(name)
    return agreement(judgements, bootstrap=20).to_dict(), record


def near(one: Any, other: Any) -> bool:
    """Whether two JSON values are the same, but for what rounding leaves."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(near(one[k], other[k]) for k in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(near, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, abs_tol=1e-7)
    return bool(one == other)


@quick
@given(labels=LABELS_OF_PEOPLE, models=MODELS)
def test_what_stands_there_twice_counts_once(
    tmp_path_factory: pytest.TempPathFactory, labels: Labels, models: list[dict[str, str]]
) -> None:
    folder = tmp_path_factory.mktemp("twice") / "judgements"
    folder.mkdir()
    lines = [f"{edge},{who},{LETTERS[letter]}" for (edge, who), letter in labels.items()]
    for k, each in enumerate(models):
        lines += [
            f"{e},model:m{k},{LETTERS[one]}" for e, letters in each.items() for one in letters
        ]
    text = "\n".join(["edge,annotator,label", *lines, ""])
    reports = []
    for name in ("a.csv", "b.csv"):
        (folder / name).write_text(text, "utf-8")
        judgements = load_judgements(folder.parent)
        reports.append(
            (
                agreement(judgements.rows, bootstrap=9),
                compare_models(judgements.rows, judgements.models),
            )
        )
    one, two = ([part.to_dict() for part in report] for report in reports)
    assert near(one, two)


@quick
@given(
    LABELS_OF_PEOPLE,
    st.dictionaries(st.sampled_from("abcdefghi"), st.sampled_from(["s", "c", "ssn"]), min_size=1),
)
def test_a_model_and_its_copy_err_as_one(labels: Labels, each: dict[str, str]) -> None:
    [pair] = compare_models(rows(labels), {"a": model(**each), "b": model(**each)}).pairs
    assert pair.correlation in (None, 1.0)
    if set(map(len, each.values())) == {1} and pair.same_wrong is not None:
        assert pair.same_wrong == 1.0


@quick
@given(LABELS_OF_PEOPLE)
def test_split_halves_agree_fully_where_all_people_agree(labels: Labels) -> None:
    """Whoever all agree agree in halves, where two or more people judge an edge."""
    alike = dict.fromkeys(labels, "s")
    has_halves = len({edge for edge, _ in labels}) < len(labels)
    halves = split_halves(panel_of(rows(alike)), seed=0)
    expected = (0.0, 1.0) if has_halves else (math.nan, math.nan)
    assert (halves.divergence, halves.agree) == pytest.approx(expected, nan_ok=True)
