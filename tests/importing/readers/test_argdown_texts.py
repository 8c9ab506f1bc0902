"""Argdown read by us, beside what Argdown's own parser reads.

Of `kg/importing/argdown_parser.py`, too.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from kg.corpus import Corpus
from kg.exchange.escaped_text import on_one_line
from kg.exchange.formats import render_export, write_export
from kg.importing.argdown_parser import _rule_name_continues, parse_argdown
from kg.importing.import_records import InputFile
from kg.model import Relation
from tests.importing.conftest import Import, load
from tests.support.corpora import HOSTILE, corpus_of_notes
from tests.support.every_row import every_row
from tests.support.npm import output_of_script
from tests.support.own import own_corpus

TEXT = """===
title: Rain
===

# Rain

/* a remark
over two lines */

[Ban]: Rain should be **banned**. #(counter-claim) #weather
  + <Wet>: Rain wets
    whoever has @[No roof]. // said often
    - Some like it \\<wet\\>.
  - [Plants]: Plants _need_ it, see [here](https://example.org).
    <_ [Umbrellas]: There are umbrellas.

[No roof]: A house without a roof.
  >< [Ban]
  +> <Wet>

<Core>: what it comes to

(1) [Cold]: Rain is cold.
(2) [Flu]: Cold makes ill.
--
Modus ponens {uses: [1,2]}
--
(3) [Ill]: Rain makes ill.
(4) [Bad]: To be ill is bad.
----
(5) [Ban]
    <- [Plants]

<Doubt>: the cold is not the cause
  _> <Core>
  + [Warm]: Summer rain is warm.

* a list
"""


def _edges(corpus: Corpus) -> set[tuple[str, str, str, str]]:
    titles = {id: each.title for id, each in corpus.statements.items()}
    return {
        (
            " & ".join(titles[p] for p in e.premises),
            e.relation.value + "*" * e.goes_both_ways,
            titles.get(e.target, "a step"),
            e.reason,
        )
        for e in corpus.edges
    }


def test_statements_arguments_and_steps(notes: Path, bring: Import) -> None:
    change = bring("argdown", {"rain.argdown": TEXT})
    corpus = load(notes)
    wet = "Rain wets whoever has No roof."
    ban, plants = "Rain should be banned.", "Plants need it, see here."
    assert _edges(corpus) == {
        (wet, "supports", ban, ""),
        ("Some like it <wet>.", "contradicts", wet, ""),
        (plants, "contradicts", ban, ""),
        ("There are umbrellas.", "undercuts", "a step", ""),
        ("A house without a roof.", "contradicts*", ban, ""),
        ("A house without a roof.", "supports", wet, ""),
        ("Rain is cold. & Cold makes ill.", "supports", "Rain makes ill.", "what it comes to"),
        ("Rain makes ill. & To be ill is bad.", "supports", ban, "what it comes to"),
        ("Summer rain is warm.", "undercuts", "a step", "the cold is not the cause"),
    }
    assert corpus.statements["Ban"].kind == "counter-claim"
    assert corpus.statements["Ban"].topics == ("weather",)
    line = TEXT.splitlines().index("* a list") + 1
    assert change.remarks == (f"rain.argdown:{line}: not carried: a list or a table: '* a list'",)
    assert bring("argdown", {"rain.argdown": TEXT}).after == {}


def test_what_speaks_against_an_argument_speaks_against_its_one_premise(
    notes: Path, bring: Import
) -> None:
    text = "<One>\n\n(1) [P]: It is wet.\n----\n(2) [C]: It rains.\n  <- [Q]: It is dry.\n\n"
    text += (
        "<Two>\n\n(1) [R]: A.\n(2) [S]: B.\n----\n(3) [T]: C.\n\n[O]: No.\n  -> <One>\n  -> <Two>\n"
    )
    change = bring("argdown", {"a.argdown": text})
    assert {each[:3] for each in _edges(load(notes)) if each[1] == "contradicts"} == {
        ("It is dry.", "contradicts", "It rains."),
        ("No.", "contradicts", "It is wet."),
    }
    told = "not carried: attack of the argument <Two>, which does not say of which premise"
    assert change.remarks == (f"a.argdown:17: {told}",)


@pytest.mark.integration
def test_argdown_itself_reads_the_same() -> None:
    theirs = output_of_script("argdown.cjs", "@argdown/core", TEXT.encode())
    ours = parse_argdown(InputFile("rain.argdown", TEXT))
    named = {e.title for e in ours.elements.values() if not e.is_argument and e.title}
    assert named == {name for name in theirs["statements"] if not name.startswith("Untitled")}
    assert {e.title for e in ours.elements.values() if e.is_argument} == {*theirs["arguments"]}
    told = Counter(how for how, *_ in theirs["relations"])
    assert Counter(link.kind for link in ours.links) == Counter(
        {
            "support": told["support"] + told["entails"],
            "attack": told["attack"] + told["contrary"],
            "undercut": told["undercut"],
            "contradiction": told["contradictory"],
        }
    )


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
    drawn = {
        each
        for each in _edges(ours)
        if each[1] not in ("same-as", "relates", "depends-on", "extends", "explains")
    }
    assert _edges(back) == drawn


def test_hostile_words_come_back_as_words(notes: Path, bring: Import) -> None:
    words = [*dict.fromkeys(on_one_line(word) for word in HOSTILE if on_one_line(word))]
    head = "---\ntype: claim\ntitle: "
    notes_ = {f"n{at}": f"{head}{json.dumps(word)}\n---\n" for at, word in enumerate(words)}
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


@every_row(
    ("lines", "goes_on"),
    [
        (["----"], False),
        (["-- by rest --"], False),
        (["-- by"], True),
        (["--"], True),
        (["---"], False),
        (["--", "rest"], True),
        (["--", "rest --"], False),
        (["(1) It rains."], False),
    ],
)
def test_the_name_of_a_rule_goes_on_until_its_dashes(lines: list[str], goes_on: bool) -> None:
    assert _rule_name_continues(lines) is goes_on
