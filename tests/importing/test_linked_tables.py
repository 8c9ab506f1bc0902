"""Edges in tables: those that callouts state by their kind, and those that are written out."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.importing.import_records import BadInput
from kg.judgements.edge_labels import judgements_of
from kg.loader import load_corpus
from tests.importing.conftest import Import, load


def test_an_edge_to_an_unknown_statement_is_a_remark(bring: Import) -> None:
    change = bring("csv", {"a.csv": "id,title,supports\nx,A,nowhere\n"})
    assert "a.csv:2: not carried: an edge, since 'nowhere' is in no table" in change.remarks


@pytest.mark.parametrize("others", [["a#x"], ["a#y", "a#z", "a#x"], ["a#y", "a#z", "a#y"]])
def test_callouts_that_lie_in_each_other_are_named(
    others: list[str], tmp_path: Path, notes: Path, bring: Import
) -> None:
    ids = ["a#x", "a#y", "a#z"][: len(others)]
    rows = ["id,title,kind,supports", "a,Naps help,claim,"]
    rows += [f"{id},Seen in {id[-1]},evidence,{to}" for id, to in zip(ids, others, strict=True)]
    table = tmp_path / "in.csv"
    table.write_text("\n".join(rows), "utf-8")
    with pytest.raises(BadInput, match=f"callout '{others[-1]}' would lie in itself"):
        bring("csv", table)
    assert not list(notes.rglob("*.md"))
    table.write_text("\n".join(rows).replace(f",{others[-1]}", ",a"), "utf-8")
    bring("csv", table)
    assert {*ids} <= {*load_corpus(notes).statements}


def test_a_named_edge_of_a_callout_keeps_its_name(notes: Path, bring: Import) -> None:
    statements = "id,title,kind\na,Naps help,claim\na#seen,Seen,evidence\n"
    edges = "id,origin,relation,target\na#x,a#seen,supports,a\n,a#seen,supports,a\n"
    bring("csv", {"statements.csv": statements, "edges.csv": edges})
    assert [each.id for each in load(notes).edges] == ["a#seen--supports--a", "a#x"]


def test_the_only_edge_of_a_callout_is_the_one_that_its_kind_states(
    notes: Path, bring: Import
) -> None:
    """Its name is that of the callout, so what named the edge names the callout."""
    statements = "id,title,kind\na,Naps help,claim\na#seen,Seen,evidence\nb,Not so,claim\n"
    edges = "id,origin,relation,target,reason\na#x,a#seen,supports,a,once\n,b,undercuts,a#x,twice\n"
    votes = "edge,annotator,label\na#x,ada,supports\n"
    tables = {"statements.csv": statements, "edges.csv": edges, "judgements.csv": votes}
    change = bring("csv", tables)
    corpus = load(notes)
    assert [(each.id, each.target, each.reason) for each in corpus.edges] == [
        ("a#seen--supports--a", "a", "once"),
        ("b--undercuts--a#seen--supports--a", "a#seen--supports--a", "twice"),
    ]
    assert [each.edge for each in judgements_of(corpus).rows] == ["a#seen--supports--a"]
    assert change.remarks == (
        "edges.csv:2: not carried: the name of edge 'a#x', which is that of its callout",
    )
    assert bring("csv", tables).files_after == {}
