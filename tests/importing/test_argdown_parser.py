"""Argdown parsed by us, beside what its own parser reads."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from kg.importing.argdown_parser import _rule_name_continues, parse_argdown
from kg.importing.import_records import InputFile
from tests.importing.conftest import Import, load, reasons_by_title
from tests.support.every_row import every_row
from tests.support.npm import output_of_script

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


@pytest.mark.integration
def test_argdown_itself_reads_the_same() -> None:
    theirs = output_of_script("argdown.cjs", "@argdown/core", TEXT.encode())
    ours = parse_argdown(InputFile("rain.argdown", TEXT))
    titles = {e.title for e in ours.elements.values() if not e.is_argument and e.title}
    assert titles == {name for name in theirs["statements"] if not name.startswith("Untitled")}
    assert {e.title for e in ours.elements.values() if e.is_argument} == {*theirs["arguments"]}
    counts = Counter(how for how, *_ in theirs["relations"])
    assert Counter(link.relation for link in ours.links) == Counter(
        {
            "support": counts["support"] + counts["entails"],
            "attack": counts["attack"] + counts["contrary"],
            "undercut": counts["undercut"],
            "contradiction": counts["contradictory"],
        }
    )


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


def test_statements_arguments_and_steps_become_notes_and_edges(notes: Path, bring: Import) -> None:
    change = bring("argdown", {"rain.argdown": TEXT})
    corpus = load(notes)
    wet = "Rain wets whoever has No roof."
    ban, plants = "Rain should be banned.", "Plants need it, see here."
    assert reasons_by_title(corpus) == {
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
    assert bring("argdown", {"rain.argdown": TEXT}).files_after == {}
