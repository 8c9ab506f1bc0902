"""Tables of judgements: a column for each annotator, or a row for each label."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.judgements.label_table import LABELS, MAX_COUNT_IN_CELL, one_hot, parse_count
from kg.reasoning import EdgeLabel, load_judgements
from tests.support.every_row import every_row


def write(folder: Path, text: str, name: str = "a.csv") -> Path:
    (folder / "judgements").mkdir(exist_ok=True)
    (folder / "judgements" / name).write_text(text, "utf-8")
    return folder


def test_a_column_for_each_judge_says_what_a_row_for_each_label_does(tmp_path: Path) -> None:
    wide = load_judgements(
        write(
            tmp_path,
            "edge,annotator:ada,annotator:ben,model:m\ne1,supports,neutral,supports\ne2,,neutral,\n",
        )
    )
    (tmp_path / "long").mkdir()
    long = load_judgements(
        write(
            tmp_path / "long",
            "edge,annotator,label\ne1,ada,supports\ne1,ben,neutral\ne1,model:m,supports\n"
            "e2,ben,neutral\n",
        )
    )
    rows = [[(r.edge, r.annotator, r.label) for r in table.rows] for table in (wide, long)]
    assert rows[0] == rows[1]
    assert rows[0][0] == ("e1", "ada", EdgeLabel.SUPPORTS)
    assert len(rows[0]) == 3
    assert wide.models == long.models == {"m": {"e1": (1.0, 0.0, 0.0)}}
    assert wide.diagnostics == long.diagnostics == ()


def test_people_and_models_may_share_a_file_and_samples_add_up(tmp_path: Path) -> None:
    text = (
        "Edge,Annotator,Label,Model: GPT-4.5 \n"
        "e1,ada,supports,supports=3 neutral=1\ne1,ben,neutral,supports=3 neutral=1\n"
        "e1,,,neutral contradicts;contradicts\n"
    )
    judgements = load_judgements(write(tmp_path, text))
    assert judgements.diagnostics == ()
    assert [row.annotator for row in judgements.rows] == ["ada", "ben"]
    assert judgements.models["GPT-4.5"]["e1"] == pytest.approx((6 / 11, 2 / 11, 3 / 11))


@every_row(
    ("text", "rule", "words"),
    [
        ("edge,gpt\ne1,supports\n", "judgement-file", "no column annotator, label"),
        ("edge,label,model:m\ne1,supports,neutral\n", "judgement-file", "no column annotator"),
        ("annotator:a,model:m\nsupports,neutral\n", "judgement-file", "no column edge"),
        ("", "judgement-file", "no column edge, annotator, label"),
        ("edge,annotator:a,gpt\ne1,supports,neutral\n", "judgement-column", "unknown column 'gpt'"),
        ("edge,annotator:a,annotator:a\ne1,supports,neutral\n", "judgement-column", "duplicate"),
        ("edge,annotator:a,model:\ne1,supports,neutral\n", "judgement-column", "unknown column"),
        ("edge,annotator:a,\ne1,supports,\n", "judgement-column", "column 3 has no name"),
        ("edge,annotator:a,model:m\ne1,supports,perhaps\n", "judgement-row", "of model:m is"),
        ("edge,annotator:a,model:m\ne1,supports,supports=-1\n", "judgement-row", "of model:m is"),
        ("edge,annotator:a,model:m\ne1,supports,supports=nan\n", "judgement-row", "of model:m"),
        ("edge,annotator:a,model:m\ne1,supports,supports=1e300\n", "judgement-row", "of model:m"),
        ("edge,annotator:a,model:m\ne1,supports,supports=0\n", "judgement-row", "of model:m is"),
        ("edge,annotator:a\ne1,supports\ne1,neutral,hm\n", "judgement-row", "more cells than"),
        ("edge,annotator:a\ne1,supports\n,neutral\n", "judgement-row", "edge, annotator, label is"),
        ("edge,annotator:a\ne1,supports\ngone,neutral\n", "judged-edge-unknown", "no edge 'gone'"),
        ("edge,annotator:a\ne1,supports\ne1," + "x" * 200_000, "judgement-file", "from here on"),
    ],
)
def test_what_cannot_be_read_is_reported_once_and_the_rest_counts(
    tmp_path: Path, text: str, rule: str, words: str
) -> None:
    judgements = load_judgements(write(tmp_path, text), ["e1"])
    assert [(one.rule, words in one.message) for one in judgements.diagnostics] == [(rule, True)]
    assert len(judgements.rows) == (
        0 if rule == "judgement-file" and words != "from here on" else 1
    )
    assert judgements.models == {}


def test_of_two_columns_of_one_name_the_first_counts(tmp_path: Path) -> None:
    text = (
        "edge,annotator:a,annotator:a,model:m,model:m\ne1,supports,neutral,contradicts,supports\n"
    )
    judgements = load_judgements(write(tmp_path, text))
    assert [(row.annotator, row.label) for row in judgements.rows] == [("a", EdgeLabel.SUPPORTS)]
    assert judgements.models == {"m": {"e1": one_hot(EdgeLabel.CONTRADICTS)}}
    assert ["duplicate" in each.message for each in judgements.diagnostics] == [True, True]


def test_a_label_alone_takes_all_and_counts_add_up() -> None:
    one_hots = [one_hot(label) for label in LABELS]
    assert one_hots == [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]
    assert (parse_count("0"), parse_count("-1"), parse_count("many")) == (0.0, None, None)
    assert parse_count(str(MAX_COUNT_IN_CELL)) == MAX_COUNT_IN_CELL
    assert parse_count(str(MAX_COUNT_IN_CELL + 1)) is None
