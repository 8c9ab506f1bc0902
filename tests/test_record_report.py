"""All that is told of one record, as the command and programs are shown it."""

from __future__ import annotations

from pathlib import Path

from kg.mcp.text_pages import report_entries
from kg.record_report import UNGRADED, report_on_quality, report_on_record
from kg.reporting.report import render_text
from tests.support.command import kg
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row

RECORDS = {
    "q": "---\ntype: claim\ncamp: optimist\ntopics: [sleep]\n---\n\n# Naps help\n\n"
    "They do. [@old]\n",
    "w": "---\ntype: claim\n---\n\n# Work thrives\n",
    "seen": "---\ntype: evidence\nmethod: survey\n---\n\n# Seen\n\n[@old]\n\n"
    "- supports:: [[q]] (with:: [[w]]) — so it was\n",
    "asked": "---\ntype: line\nproposition: q\nanswers: {holds: 'Yes, they do', fails: 'No'}\n"
    "doubt: Nobody asks why.\n---\n\n# Do naps help?\n\nAsked.\n\nTold.\n\n"
    "- optimist:: [[q]] — so\n",
    "old": "---\ntype: source\nintegrity: retracted\n---\n\nOf naps.\n",
    "words": "---\ntype: glossary\n---\n\n- **sleep**, **nap**: rest\n",
}
BOOKS = "@book{old, title={Old}, author={Jo Doe}, year={2020}, publisher={P}, doi={10.1/x}}\n"
SHOWN_CLAIM = """\
Naps help
claim · optimist · q · notes/q.md:7:1

They do. [@old]

undecided, strength 0.50

Rests on no evidence (1 retracted).

Sources
key  title
old  Old

What bears on it
relation    statement          reason
+ supports  seen (retracted)   so it was
              together with w

In lines
line   camp      reason
asked  optimist  so
"""
SHOWN_EVIDENCE = """\
Seen
evidence · seen · notes/seen.md:6:1

[@old]

Retracted, so it does not count.

method: survey

Sources
key  title
old  Old

Bears on
relation    statement          reason
+ supports  q                  so it was
              together with w

How it is graded
what is recorded  points
survey            +2.00
in all 2.00 of 5 points, base strength 0.40
retracted: old, which leaves a base strength of 0.00
not recorded: sample, p, replications, failed_replications, peer_reviewed, preregistered, seen_in
"""
SHOWN_LINE = """\
Do naps help?
line · asked · notes/asked.md:8:1

Asked.

Proposition: Naps help
if the proposition  the answer is
holds               Yes, they do
fails               No
is undecided        Undecided: the notes do not settle it.
Chief doubt: Nobody asks why.

Optimist
id  title      reason
q   Naps help  so

Sources: old

Undecided: the notes do not settle it. Undecided: too little in this corpus bears on “Naps help” \
to say.
"""
SHOWN_SOURCE = """\
Old
source · old · notes/old.md:6:1
Jo Doe · 2020 · P · retracted · doi:10.1/x

Of naps.

What rests on it
id    kind      title
q     claim     Naps help
seen  evidence  Seen
"""
SHOWN_TERM = """\
sleep
term · nap · notes/words.md:5:1

rest

1 statement: kg find --topic sleep
"""


@every_row(
    ("id", "text"),
    [
        ("q", SHOWN_CLAIM),
        ("seen", SHOWN_EVIDENCE),
        ("asked", SHOWN_LINE),
        ("old", SHOWN_SOURCE),
        ("nap", SHOWN_TERM),
    ],
)
def test_a_record_is_shown_with_all_that_is_known_of_it(id: str, text: str, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    for name, note in RECORDS.items():
        (folder / f"{name}.md").write_text(note, "utf-8")
    (folder / "references.bib").write_text(BOOKS, "utf-8")
    assert kg(tmp_path, "show", id).stdout == text


def test_a_record_for_a_program_has_its_quality_or_its_essay_too() -> None:
    corpus = corpus_of_notes(BOOKS, **RECORDS)
    quality = "\nquality 0.00\n"
    assert quality not in render_text(report_on_record(corpus, "seen"))
    assert quality in render_text(report_on_record(corpus, "seen", for_program=True))
    assert "Told." not in render_text(report_on_record(corpus, "asked"))
    assert render_text(report_on_record(corpus, "asked", for_program=True)).endswith("\n\nTold.")


def test_a_clash_and_a_claim_that_is_not_graded_are_described() -> None:
    notes = {
        "con": "---\ntype: claim\n---\n\n# Con\n\n- contradicts:: [[q]] (with:: [[w]]) — not so\n",
        "asked": f"{RECORDS['asked']}- skeptic:: [[con]] — no\n",
    }
    corpus = corpus_of_notes(BOOKS, **(RECORDS | notes))
    clash = "Where they clash: origin | relation | target | reason"
    entries = report_entries(report_on_record(corpus, "asked"))
    assert entries[entries.index(clash) + 1] == "con;   together with w | contradicts | q | not so"
    assert render_text(report_on_quality(corpus, "q")) == f"{UNGRADED}\nbase strength 0.50"
