"""Tables of claims become notes; what is wrong in one is told in one line.

Of `kg/importing/csv_table.py` and `kg/importing/import_records.py`, too.
"""

from __future__ import annotations

import csv
from itertools import pairwise
from pathlib import Path

import pytest

from kg.checks import check
from kg.exchange.formats import write_export
from kg.importing.import_records import BadInput
from kg.importing.readers.claim_tables import MAX_CALLOUT_DEPTH
from kg.judgements.edge_labels import judgements_of
from kg.loader import load_corpus
from kg.model import Kind
from tests.importing.conftest import Import, load
from tests.support.own import own_corpus

MINE = """title,kind,supports,reason,sources,text
Rain makes streets wet,claim,,,,"It - supports:: [[nothing]] %% and so on"
A wet street was seen,evidence,row 2,one case,roe2020,
"""


def _rows(folder: Path) -> dict[str, list[dict[str, str]]]:
    tables = {}
    for file in sorted(folder.glob("*.csv")):
        with file.open(newline="", encoding="utf-8") as lines:
            rows = [{**row, "path": "", "at_line": ""} for row in csv.DictReader(lines)]
        tables[file.stem] = sorted(rows, key=str)
    return tables


@pytest.mark.integration
def test_our_own_tables_come_back_equal(tmp_path: Path, notes: Path, bring: Import) -> None:
    write_export(own_corpus(), "csv", tmp_path / "first")
    bring("csv", tmp_path / "first")
    write_export(load_corpus(notes), "csv", tmp_path / "second")
    assert _rows(tmp_path / "second") == _rows(tmp_path / "first")
    again = bring("csv", tmp_path / "first")
    assert again.files_after == {}
    assert [remark for remark in again.remarks if "not written" in remark] == []


def test_a_table_with_few_columns_becomes_notes(notes: Path, bring: Import) -> None:
    sources = "id,title,year\nroe2020,Wet streets,2020\n"
    bring("csv", {"mine.csv": MINE, "sources.csv": sources})
    corpus = load(notes)
    assert [(e.origin, e.relation, e.target, e.reason) for e in corpus.edges] == [
        ("a-wet-street-was-seen", "supports", "rain-makes-streets-wet", "one case")
    ]
    assert corpus.statements["a-wet-street-was-seen"].kind is Kind.EVIDENCE
    assert corpus.statements["a-wet-street-was-seen"].sources == ("roe2020",)
    assert corpus.sources["roe2020"].year == 2020
    assert corpus.mentions == ()


BATHS = """---
type: claim
---
# Baths calm

- contradicts:: [[noise]] (mutual:: yes) (by:: Roe) (locator:: p. 3) — they are quiet
- qualifies:: [[noise]] — once
- qualifies:: [[noise]] — twice

> [!evidence] They slept ^slept
> In a trial. (reason:: sleep is calm)
"""
NOISE = "---\ntype: counter-claim\n---\n# Noise calms\n"
LATE = "---\ntype: claim\n---\n# None slept\n\n- undercuts:: [[baths#^slept]] — none did ^late\n"
VOTES = """edge,annotator,label,date,note
baths--contradicts--noise,ada,neutral,2026-01-05,"loud, and long"
baths--qualifies--noise--2,ada,supports,,
baths#slept--supports--baths,ben,contradicts,,
late#late,ben,supports,,=1
"""


def test_judgements_and_all_that_edges_say_come_back(
    tmp_path: Path, notes: Path, bring: Import
) -> None:
    first = tmp_path / "first"
    (first / "judgements").mkdir(parents=True)
    for name, text in {"baths": BATHS, "noise": NOISE, "late": LATE}.items():
        (first / f"{name}.md").write_text(text, "utf-8")
    (first / "judgements" / "votes.csv").write_text(VOTES, "utf-8")
    ours = load_corpus(first)
    assert len(judgements_of(ours).rows) == 4
    write_export(ours, "csv", tmp_path / "tables")
    bring("csv", tmp_path / "tables")
    write_export(load_corpus(notes), "csv", tmp_path / "again")
    assert _rows(tmp_path / "again") == _rows(tmp_path / "tables")
    edge = load(notes).edges_by_id["baths--contradicts--noise"]
    assert (edge.mutual, edge.by, edge.locator) == (True, "Roe", "p. 3")
    assert bring("csv", tmp_path / "tables").files_after == {}


def test_judgements_follow_notes_that_get_another_id(notes: Path, bring: Import) -> None:
    rows = "id,title,supports\na,Rain wets,b\nb,Streets are wet,\n"
    (notes / "claims").mkdir(parents=True, exist_ok=True)
    (notes / "claims" / "a.md").write_text(NOISE, "utf-8")
    votes = "edge,annotator,label\na--supports--b,ada,supports\na--supports--c,ada,supports\n"
    change = bring("csv", {"statements.csv": rows, "judgements.csv": votes})
    (judged,) = judgements_of(load(notes)).rows
    assert (judged.edge, judged.annotator) == ("a-2--supports--b", "ada")
    assert "judgements.csv:3: not carried: a judgement of 'a--supports--c'" in change.remarks


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id\nx\n", "a.csv:1: no column `title`"),
        ("title,id\nA,x\nB,x\n", "a.csv:3: id 'x' is used twice"),
        ("title,kind\nA,essay\n", "a.csv:2: no kind is called 'essay'"),
        # a row is told by its line, not by its number
        ('title,id\n"A\nB",x\nC,x\n', "a.csv:4: id 'x' is used twice"),
        ('title,"two\nlines"\n,x\n', "a.csv:3: no title"),
        ("title\n,x\n", "a.csv:2: 2 cells in a table of 1 columns"),
        ("title,id\n,x\n", "a.csv:2: no title"),
        ('title\n"' + "x" * 5_000_000 + '"\n', "a.csv:2: field larger"),
        ("", "a.csv:1: no column `title`"),
    ],
)
def test_a_wrong_table_is_refused_with_a_message_of_one_line(
    bring: Import, text: str, message: str
) -> None:
    with pytest.raises(BadInput) as error:
        bring("csv", {"a.csv": text})
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_ids_that_lead_out_of_the_folder_become_files_in_it(
    tmp_path: Path, notes: Path, bring: Import
) -> None:
    rows = 'id,title,supports\n../../out,One,"a/../b"\na/../b,Two,../../out\nx#^y,Three,\nCON,é,\n'
    bring("csv", {"a.csv": rows})
    assert len(load(notes).statements) == 4
    assert len(load(notes).edges) == 2
    assert not (tmp_path / "out.md").exists()
    assert {file.parent for file in notes.rglob("*.md")} == {notes / "claims"}


def test_a_row_called_as_a_file_that_is_no_note_becomes_one(notes: Path, bring: Import) -> None:
    table = {"a.csv": "id,title\nREADME,One\n"}
    bring("csv", table)
    assert [*load(notes).statements] == ["README-2"]
    assert bring("csv", table).files_after == {}


def test_marks_of_comments_in_a_table_hide_nothing(notes: Path, bring: Import) -> None:
    rows = "id,title,text,supports\na,x <!-- y,<!-- z,b\nb,%% u,<!-- v --> %%w%%,\n"
    bring("csv", {"a.csv": rows})
    corpus = load(notes)
    assert [each.title for each in corpus.statements.values()] == ["x <!-- y", "%% u"]
    assert [edge.target for edge in corpus.edges] == ["b"]
    assert not [each for each in check(corpus) if each.rule == "unclosed-bracket"]
    assert "z" in corpus.statements["a"].body
    assert "v" in corpus.statements["b"].body


def test_callouts_are_nested_up_to_a_bound(bring: Import) -> None:
    def tables_of(depth: int) -> dict[str, str]:
        ids = ["a", *(f"a#c{number}" for number in range(depth))]
        rows = [
            f"{id},Title {number},{'evidence' if number else 'claim'}"
            for number, id in enumerate(ids)
        ]
        edges = [f"{inner},supports,{outer}" for outer, inner in pairwise(ids)]
        return {
            "statements.csv": "\n".join(["id,title,kind", *rows]),
            "edges.csv": "\n".join(["origin,relation,target", *edges]),
        }

    with pytest.raises(BadInput, match="51 callouts within each other"):
        bring("csv", tables_of(MAX_CALLOUT_DEPTH + 1))
    assert bring("csv", tables_of(MAX_CALLOUT_DEPTH)).files_after


def test_a_callout_says_of_its_row_what_a_callout_may_say(notes: Path, bring: Import) -> None:
    rows = [
        "id,title,kind,camp,method,topics,sample,unit,status,supports",
        "a,Naps help,claim,optimist,,x,,,draft,",
        "a#seen,Seen,evidence,optimist,survey,x; y,5,people,draft,a",
        "a#other,Other,claim,skeptic,,,,,stable,a",
        "b,Rest helps,claim,,,,,,stable,",
    ]
    bring("csv", {"a.csv": "\n".join(rows)})
    text = (notes / "claims" / "a.md").read_text("utf-8")
    assert "status: draft\n" in text
    assert [line for line in text.splitlines() if line.startswith("> ")] == [
        "> [!evidence] Seen ^seen",
        "> (method:: survey)",
        "> (topics:: x, y)",
        "> (sample:: 5 people)",
        "> [!claim] Other ^other",
        "> (camp:: skeptic)",
        "> - supports:: [[a]]",
    ]
    assert "status" not in (notes / "claims" / "b.md").read_text("utf-8")
    assert [each for each in check(load(notes)) if each.rule == "unknown-key"] == []
