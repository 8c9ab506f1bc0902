"""Changes as text: complete, and inert."""

from __future__ import annotations

from kg.history.changes import Changes
from kg.history.find_changes import diff
from tests.support.corpora import corpus_of_notes

CLAIM = "---\ntype: claim\ncamp: {camp}\n---\n\n# {title}\n\n{body}\n"


def claim(title: str, body: str = "", camp: str = "optimist") -> str:
    return CLAIM.format(camp=camp, title=title, body=body)


def test_markdown_is_inert_and_complete() -> None:
    before = corpus_of_notes(a=claim("A"))
    after = corpus_of_notes(a=claim("A <script>|x|"), b=claim("@everyone [x](javascript:1)"))
    changes = diff(before, after)
    assert isinstance(changes, Changes)
    text = changes.to_markdown()
    assert text.startswith("**statements +1 \\~1 −0; ")
    assert "\\<script\\>\\|x\\|" in text
    assert "\\@everyone" in text
    assert "[x](" not in text.replace("\\[x\\](", "")


def test_changes_print_as_what_they_say() -> None:
    before = corpus_of_notes(a=claim("A", "It is."), gone=claim("Quite another <b>thing</b>"))
    changes = diff(before, corpus_of_notes(a=claim("A", "It was."), c=claim("Wholly new")))
    assert str(changes) == repr(changes)
    assert str(changes).split("\n\n") == [
        "statements +1 ~1 −1; edges +0 ~0 −0; sources +0 −0; 0 verdicts moved; 0 essays stale.",
        "Statements added\nid  title\nc   Wholly new",
        "Statements changed\nid  what  before  after\na   body  It is.  It was.",
        "Statements removed\nid    title\ngone  Quite another <b>thing</b>",
    ]
    assert "<b>" not in changes._repr_html_()


def test_long_titles_are_shown_whole() -> None:
    was, text = ("Much that was said before the end " * 4 + word for word in ("stays", "goes"))
    changes = diff(corpus_of_notes(a=claim(was)), corpus_of_notes(a=claim(text)))
    to_markdown = changes.to_markdown()
    assert was in to_markdown
    assert text in to_markdown


def test_only_the_status_of_a_retired_statement_is_called_retired() -> None:
    before, after = (
        corpus_of_notes(a=claim("A", body, camp))
        for body, camp in (("It is.", "optimist"), ("It was.", "optimist\nstatus: retired"))
    )
    rows = str(diff(before, after)).partition("Statements changed\n")[2].splitlines()[1:]
    assert [row.split()[1] for row in rows] == ["body", "retired"]
