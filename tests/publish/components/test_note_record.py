"""What a note says of itself, and when it was changed."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from msgspec.structs import replace

from kg.git.note_history import Commit, History
from kg.publish.components.note_record import day_of_page, note_dates, record_of_note
from tests.support.corpora import corpus_of_notes
from tests.support.note_texts import builder_of


@pytest.mark.parametrize(
    ("created", "updated", "words"),
    [
        (1, 2, "1 May 2026, last changed 2 May 2026"),
        (1, 1, "1 May 2026"),
        (1, None, "1 May 2026"),
        (None, 2, "last changed 2 May 2026"),
        (None, None, ""),
    ],
)
def test_a_note_says_when_it_was_written_and_last_changed(
    created: int | None, updated: int | None, words: str
) -> None:
    days = (day and dt.date(2026, 5, day) for day in (created, updated))
    assert note_dates(builder_of(corpus_of_notes()), "a.md", *days) == words


def test_a_page_is_of_the_day_of_the_last_change_else_of_the_review_else_of_the_first() -> None:
    head = "type: claim\ncreated: 2026-05-01\nreviewed: 2026-05-02\nupdated: 2026-05-04"
    corpus = corpus_of_notes(a=f"---\n{head}\n---\n\n# A\n")
    context, record = builder_of(corpus).context, corpus.statements["a"]
    commits = [Commit("c", dt.date(2026, 5, day), "s") for day in (3, 1)]
    context.history = History({"a.md": tuple(commits)})
    days = [day_of_page(context, record)]
    record = replace(record, updated=None)
    days += [day_of_page(context, record)]
    context.history = History()
    days += [day_of_page(context, record), day_of_page(context, replace(record, reviewed=None))]
    assert days == [dt.date(2026, 5, day) for day in (4, 3, 2, 1)]
    assert day_of_page(context, replace(record, reviewed=None, created=None)) is None


def test_the_record_of_a_note_has_a_row_for_all_that_it_says_and_no_other() -> None:
    corpus = corpus_of_notes(
        references="@book{roe, title={R}, author={Jo Roe}, year={2020}}",
        full="---\ntype: claim\nasserted_by: [roe, 'Li, Ben']\nreported: true\nabout: [GPT]\n"
        "created: 2026-05-01\nreviewed: 2026-05-03\n---\n\n# Full\n",
        bare="---\ntype: claim\n---\n\n# Bare\n",
    )
    builder = builder_of(corpus)
    full, bare = (
        re.sub("<[^>]*>", "|", record_of_note(builder, corpus.statements[id]))
        for id in ("full", "bare")
    )
    rows = [row for row in re.split(r"\|+", full) if row]
    assert rows == [
        *("Asserted by", "Roe 2020", "; Li, Ben"),
        *("Stance", "reported, not held by the note", "About", "GPT"),
        *("Written", "1 May 2026", "Reviewed", "3 May 2026"),
        *("Note", "full.md:10", "Id", "full"),
    ]
    assert [row for row in re.split(r"\|+", bare) if row] == ["Note", "bare.md:5", "Id", "bare"]
