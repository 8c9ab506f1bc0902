"""What annotators say of an edge, and where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.corpus.record_file import DamagedRecords
from kg.graphs_with_strengths.stored_notes import open_stored_notes, store_notes
from kg.judgements.edge_labels import directions_by_edge
from kg.loader import load_corpus
from kg.reasoning import EdgeLabel, judgements_of, load_judgements
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row


def write(folder: Path, text: str, name: str = "a.csv") -> Path:
    (folder / "judgements").mkdir(exist_ok=True)
    (folder / "judgements" / name).write_text(text, "utf-8")
    return folder


def test_the_direction_of_an_edge_is_its_share_for_less_that_against(tmp_path: Path) -> None:
    text = (
        "edge,annotator:a,annotator:b,annotator:c,annotator:d\n"
        "e1,supports,supports,contradicts,neutral\ne2,contradicts,,,\ne3,neutral,neutral,,\n"
    )
    rows = load_judgements(write(tmp_path, text)).rows
    assert {edge: (of.value, of.annotators) for edge, of in directions_by_edge(rows).items()} == {
        "e1": (0.25, 4),
        "e2": (-1.0, 1),
        "e3": (0.0, 2),
    }


def test_an_unknown_edge_is_named_with_the_nearest_one_if_there_is_any(tmp_path: Path) -> None:
    folder = write(tmp_path, "edge,annotator:a\nnaps--supports--slep,supports\nfar,neutral\n")
    near, far = load_judgements(folder, ["naps--supports--sleep"]).diagnostics
    assert near.help == "did you mean `naps--supports--sleep`?"
    assert far.help.endswith("lists the edges")
    assert len(load_judgements(folder, []).diagnostics) == 2
    assert load_judgements(folder).diagnostics == ()


def test_judgements_stand_beside_the_notes_or_beside_what_is_stored_of_them(
    tmp_path: Path,
) -> None:
    assert judgements_of(corpus_of_notes()).rows == ()
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "b.md").write_text("---\ntype: claim\n---\n# B\n", "utf-8")
    (folder / "a.md").write_text("---\ntype: claim\n---\n# A\n\n- supports:: [[b]]\n", "utf-8")
    judgements = judgements_of(
        load_corpus(write(folder, "edge,annotator:a\na--supports--b,neutral\n"))
    )
    assert [row.label for row in judgements.rows] == [EdgeLabel.NEUTRAL]
    store_notes(folder, tmp_path / "store")
    (folder / "judgements" / "a.csv").unlink()
    _, stored = open_stored_notes(tmp_path / "store")
    assert stored is not None
    assert judgements_of(stored) == judgements
    for file in (tmp_path / "store").rglob("*.judgements"):
        file.unlink()
    _, damaged = open_stored_notes(tmp_path / "store")
    assert damaged is not None
    with pytest.raises(DamagedRecords, match="store the notes again"):
        judgements_of(damaged)


def test_models_are_read_beside_people_as_shares_of_all_their_samples(tmp_path: Path) -> None:
    write(tmp_path, "edge,model:m,annotator:a\ne1,supports supports neutral,neutral\ne2,no,no\n")
    longer = (
        "edge,annotator,label,date,note\ne1,model:m,contradicts,,\ne1,b,supports,2026-01-02,so\n"
    )
    longer += "e2,b,supports,yesterday,\ne2,b,,,\ne3,a,neutral,,\ne3,a,supports,,\n"
    judgements = load_judgements(write(tmp_path, longer, "b.csv"))
    assert judgements.models == {"m": {"e1": (0.5, 0.25, 0.25)}}
    assert [(row.edge, row.annotator, row.label, row.note) for row in judgements.rows] == [
        ("e1", "a", "neutral", ""),
        ("e1", "b", "supports", "so"),
        ("e3", "a", "supports", ""),
    ]
    assert [
        (problem.span.path[-5:], problem.span.line, problem.message)
        for problem in judgements.diagnostics
    ] == [
        ("a.csv", 3, "label 'no' of model:m is not valid"),
        ("a.csv", 3, "label 'no' of annotator:a is not valid"),
        ("b.csv", 4, "date 'yesterday' is not YYYY-MM-DD"),
        ("b.csv", 5, "label is empty"),
        ("b.csv", 6, "a judges e3 again later; the later label counts"),
    ]


@every_row(
    ("header", "missing"),
    [
        ("edge", "annotator, label"),
        ("annotator:a", "edge"),
        ("edge,label,annotator:a", "annotator"),
    ],
)
def test_a_table_without_a_column_it_needs_is_reported_and_left_out(
    tmp_path: Path, header: str, missing: str
) -> None:
    (problem,) = load_judgements(write(tmp_path, f"{header}\ne1,supports\n")).diagnostics
    assert problem.message == f"no column {missing}"
