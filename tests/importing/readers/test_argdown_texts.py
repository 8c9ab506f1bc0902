"""Argdown as claims and reasons."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kg.exchange.escaped_text import without_controls
from kg.exchange.formats import render_export, write_export
from kg.model import Relation
from tests.importing.conftest import Import, load, reasons_by_title
from tests.support.corpora import HOSTILE, corpus_of_notes
from tests.support.own import own_corpus


def test_what_speaks_against_an_argument_speaks_against_its_one_premise(
    notes: Path, bring: Import
) -> None:
    text = "<One>\n\n(1) [P]: It is wet.\n----\n(2) [C]: It rains.\n  <- [Q]: It is dry.\n\n"
    text += (
        "<Two>\n\n(1) [R]: A.\n(2) [S]: B.\n----\n(3) [T]: C.\n\n[O]: No.\n  -> <One>\n  -> <Two>\n"
    )
    change = bring("argdown", {"a.argdown": text})
    assert {each[:3] for each in reasons_by_title(load(notes)) if each[1] == "contradicts"} == {
        ("It is dry.", "contradicts", "It rains."),
        ("No.", "contradicts", "It is wet."),
    }
    message = "not carried: attack of the argument <Two>, which does not say of which premise"
    assert change.remarks == (f"a.argdown:17: {message}",)


@pytest.mark.integration
def test_our_own_map_comes_back(tmp_path: Path, notes: Path, bring: Import) -> None:
    ours = own_corpus()
    write_export(ours, "argdown", tmp_path / "ours.argdown")
    change = bring("argdown", tmp_path / "ours.argdown")
    assert change.remarks == ()
    back = load(notes)
    ids = {id: back.find_id(id) for id in ours.statements}
    assert [id for id, new in ids.items() if "#" not in id and id != new] == []
    kinds = {(each.kind, each.title) for each in back.statements.values()}
    assert kinds == {(each.kind, each.title) for each in ours.statements.values()}
    assert back.default_camps == {ids[id]: camp for id, camp in ours.default_camps.items()}
    reasons = {
        each
        for each in reasons_by_title(ours)
        if each[1] not in ("same-as", "relates", "depends-on", "extends", "explains")
    }
    assert reasons_by_title(back) == reasons


def test_hostile_words_come_back_as_words(notes: Path, bring: Import) -> None:
    words = [*dict.fromkeys(without_controls(word) for word in HOSTILE if without_controls(word))]
    head = "---\ntype: claim\ntitle: "
    notes_ = {
        f"n{position}": f"{head}{json.dumps(word)}\n---\n" for position, word in enumerate(words)
    }
    corpus = corpus_of_notes(**notes_)
    text = render_export(corpus, "argdown").decode()
    bring("argdown", {"a.argdown": text})
    assert load(notes).edges == ()
    assert load(notes).mentions == ()
    assert len(load(notes).statements) == len(words)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "(1)",
        "  + [A]",
        "[" * 20,
        "--",
        "<!--",
        "<A>\n  _> <A>\n",
        "[A]\n  + [A]\n",
    ],
)
def test_what_makes_no_sense_becomes_no_edge(notes: Path, bring: Import, text: str) -> None:
    bring("argdown", {"a.argdown": text})
    assert load(notes).edges == ()


def test_a_conclusion_undercut_by_itself_keeps_its_reason(notes: Path, bring: Import) -> None:
    bring("argdown", {"a.argdown": "(1) A\n----\n(2) [A]\n  <_ [A]"})
    assert [edge.relation for edge in load(notes).edges] == [Relation.SUPPORTS]


@pytest.mark.parametrize(
    ("argument", "name"), [("a#why", "why"), ("a#Ärger", "step-1"), ("why", "step-1")]
)
def test_a_step_that_is_undercut_has_the_name_that_its_argument_gives_it(
    notes: Path, bring: Import, argument: str, name: str
) -> None:
    text = f"<{argument}>\n\n(1) [P]: It is wet.\n----\n(2) [C]: It rains.\n\n[Q]: It is dry.\n"
    bring("argdown", {"a.argdown": f"{text}  _> <{argument}>\n"})
    (undercut,) = [each for each in load(notes).edges if each.relation == "undercuts"]
    assert undercut.target.rpartition("#")[2] == name
