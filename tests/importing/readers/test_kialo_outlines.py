from __future__ import annotations

from functools import cached_property
from pathlib import Path

import pytest

from kg.importing.import_records import BadInput, ImportInput, InputFile
from kg.importing.readers import kialo_outlines
from tests.importing.conftest import Import, load

TEXT = """Discussion Title: Should rain be banned?

1. Rain should be banned.
1.1. Pro: Rain is wet.
1.1.1. Con: Some rain is [frozen](https://example.org/ice_(water)).
It is called snow.
1.2. Con: Plants need [[rain]] %% - supports:: [[x]]
1.2.1. Pro: -> See 1.1.1.
1.3. Con: -> See 9.9.
"""


def test_an_outline_becomes_claims_and_a_line(notes: Path, bring: Import) -> None:
    change = bring("kialo", {"rain.txt": TEXT})
    corpus = load(notes)
    titles = {id: each.title for id, each in corpus.statements.items()}
    assert {
        (titles[e.origin], e.relation.value, titles[e.target])
        for e in corpus.edges
        if e.origin in titles
    } == {
        ("Rain is wet.", "supports", "Rain should be banned."),
        ("Some rain is frozen.", "contradicts", "Rain is wet."),
        ("Plants need [[rain]] %% - supports:: [[x]]", "contradicts", "Rain should be banned."),
        ("Some rain is frozen.", "supports", "Plants need [[rain]] %% - supports:: [[x]]"),
    }
    (line,) = corpus.lines.values()
    assert line.title == "Should rain be banned?"
    assert line.proposition == "rain-should-be-banned"
    body = corpus.statements["some-rain-is-frozen"].body
    assert body == "It is called snow.\n\n- frozen, https://example.org/ice_(water)"
    assert change.remarks == ("rain.txt:9: not carried: '-> See 9.9.' leads nowhere",)
    assert bring("kialo", {"rain.txt": TEXT}).files_after == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a.txt:1: no row such as `1.1. Pro: …`"),
        ("1. A\n1. B\n", "a.txt:2: 1. is used twice"),
    ],
)
def test_what_is_no_outline_is_an_error(bring: Import, text: str, message: str) -> None:
    with pytest.raises(BadInput, match="^" + message.replace(".", r"\.")):
        bring("kialo", {"a.txt": text})


def test_what_bears_on_itself_or_on_nothing_or_is_no_row_is_reported(
    notes: Path, bring: Import
) -> None:
    change = bring("kialo", {"a.txt": "Hm\n1. A\n1.1. Pro: -> See 1.\n2.3. Con: B\n3. -> See 3.\n"})
    assert load(notes).edges == ()
    assert len(change.remarks) == 3
    assert change.remarks[0] == "a.txt:1: not understood: 'Hm'"


def test_rows_of_one_claim_are_put_together_once(monkeypatch: pytest.MonkeyPatch) -> None:
    joined_parts: list[int] = []
    query = kialo_outlines._Entry.text.func

    def count(entry: kialo_outlines._Entry) -> str:
        joined_parts.append(len(text := query(entry)))
        return text

    whole = cached_property(count)
    whole.__set_name__(kialo_outlines._Entry, "text")
    monkeypatch.setattr(kialo_outlines._Entry, "text", whole)
    text = "1. A\n" + "and so on\n" * 5_000
    imported = kialo_outlines.read_kialo(ImportInput((InputFile("a.txt", text),), ()))
    (note,) = imported.notes
    assert note.new_note.body.count("and so on") == 5_000
    assert joined_parts == [len(text) - len("1. \n")]


def test_of_several_theses_none_is_the_proposition(notes: Path, bring: Import) -> None:
    bring("kialo", {"a.txt": "Discussion Title: Which?\n1. A\n2. B\n"})
    (line,) = load(notes).lines.values()
    assert line.proposition is None
