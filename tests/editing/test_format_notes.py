"""Notes written in one way: what changes, what does not, and that nothing says anything else."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kg.corpus import Corpus, assemble
from kg.editing.folder_files import FolderFiles
from kg.editing.format_notes import format_notes, format_text
from kg.loader import load_corpus
from kg.notes.note_files import NoteFile
from kg.notes.parse_note import parse_note
from tests.support.effort import examples
from tests.support.every_row import every_row
from tests.support.linked_notes import CONFIG, linked_notes
from tests.support.own import NOTES, own_corpus

HEAD = "---\ntype: claim   \n---\n# T\n\n"


def formatted_text(body: str, *, bracketed: bool = False) -> str:
    text = format_text(f"{HEAD}{body}\n", "n.md", bracketed=bracketed)
    assert text.startswith(HEAD)
    return text.removeprefix(HEAD).removesuffix("\n")


@every_row(
    ("text", "expected"),
    [
        ("-  Supports::[[a]]", "- supports:: [[a]]"),
        ("- supports:: [[a]] -- why", "- supports:: [[a]] — why"),
        ("- supports:: [[a]] –  why", "- supports:: [[a]] — why"),
        ("- supports:: [[a]] ,[[b]];  [[c|d]] — why", "- supports:: [[a]], [[b]], [[c|d]] — why"),
        ("- supports:: [[a]] with [[b]],[[c]]", "- supports:: [[a]] with [[b]] and [[c]]"),
        (
            "- supports:: [[a]] — why (strength::weak) so  ^id",
            "- supports:: [[a]] (strength:: weak) — why so ^id",
        ),
        ("- supports:: [[a]] ^id (scope:: here)", "- supports:: [[a]] (scope:: here) ^id"),
        ("- supports:: [a](a.md) -- `x -- y`", "- supports:: [a](a.md) — `x -- y`"),
        ("- supports:: [[a]] -- b\n  -- c  -- d", "- supports:: [[a]] — b\n  -- c  -- d"),
        ("- [supports:: [[a]] with [[b]]] -- so", "- [supports:: [[a]]] with [[b]] — so"),
        ("* supports:: [[a]]\n* supports:: [[b]]", "- supports:: [[a]]\n- supports:: [[b]]"),
        ("* supports:: [[a]] -- so\n* prose", "* supports:: [[a]] — so\n* prose"),
        ("> [!claim] T\n> - supports:: [[a]] -- so", "> [!claim] T\n> - supports:: [[a]] — so"),
        ("words \nmore\t\n", "words\nmore"),
    ],
)  # fmt: skip
def test_relations_and_line_ends_are_written_in_one_way(text: str, expected: str) -> None:
    assert formatted_text(text) == expected


@every_row(
    "kept_text",
    [
        "a break  \nstays",
        "a \\ \nmark",
        "```\ncode  \n- supports:: [[a]] -- x\n```",
        "    code  \n    more",
        "<div>  \nhtml  \n</div>",
        "- [ ] supports:: [[a]] -- a task",
        "1. supports:: [[a]] -- first",
        "- supports:: [[a]] odd words -- why",
        "- supports:: [[a]] [@k] -- why",
        "- next:: what  -- then",
        "- see -- [[a]]",
        "supports:: [[a]] -- prose",
        "See [[a]] (strength::weak) -- so.",
    ],
)
def test_what_is_no_plain_relation_stays(kept_text: str) -> None:
    assert formatted_text(kept_text) == kept_text


@every_row("broken", ["---\ntype: [\n---\n- supports:: [[a]] -- b  \n", "", "  \n\n"])
def test_a_note_that_cannot_be_read_stays(broken: str) -> None:
    assert format_text(broken, "n.md") == broken


@every_row(
    ("text", "expected"),
    [
        ("- supports:: [[a]] -- so", "- [supports:: [[a]]] — so"),
        ("- supports:: [[a]], [[b]] with [[c]]", "- [supports:: [[a]], [[b]]] with [[c]]"),
        ("- supports:: [a](a.md) — so", "- supports:: [a](a.md) — so"),
        ("- [supports:: [[a]]] — so", "- [supports:: [[a]]] — so"),
    ],
)
def test_relations_are_links_for_other_programs_where_that_is_asked(
    text: str, expected: str
) -> None:
    assert formatted_text(text, bracketed=True) == expected


def test_files_keep_their_line_ends_and_marks(tmp_path: Path) -> None:
    head = b"\xef\xbb\xbf---\r\ntype: claim\r\n---\r\n"
    data = head + b"# T \r\n\r\n- supports:: [[a]] -- so\n\r\n\r\n"
    (tmp_path / "n.md").write_bytes(data)
    (tmp_path / "README.md").write_bytes(b"words \n")
    change = format_notes(FolderFiles(tmp_path))
    after = head + b"# T\r\n\r\n" + "- supports:: [[a]] — so\n".encode()
    assert change.files_after == {"n.md": after}


def test_a_last_line_is_ended(tmp_path: Path) -> None:
    data = b"---\ntype: claim\n---\n\n# T\n\nWords."
    (tmp_path / "n.md").write_bytes(data)
    assert format_notes(FolderFiles(tmp_path)).files_after == {"n.md": data + b"\n"}


def corpus_of_texts(texts: dict[str, str]) -> Corpus:
    notes = [parse_note(NoteFile(path, text.encode(), b"")) for path, text in texts.items()]
    return assemble(notes, (), (), CONFIG)


def meaning(corpus: Corpus) -> object:
    edges = [
        (e.origin, e.relation, e.target, e.reason, e.strength, e.scope, e.by, e.id, e.span.line)
        for e in corpus.edges
    ]
    texts = [
        (each.id, each.title, [row.rstrip() for row in each.body.splitlines()], each.span.line)
        for each in corpus.statements.values()
    ]
    mentions = [(m.origin, m.target, m.text, m.span.line) for m in corpus.mentions]
    lost = [(each.edge.target, each.reason) for each in corpus.unresolved_edges]
    return edges, texts, mentions, lost, list(corpus.lines), corpus.aliases


noise = st.sampled_from((
    ("- ", "-   "), ("- ", "* "), (" — ", " -- "), (" — ", "  –  "), (":: ", "::"), ("\n", "  \n"),
    ("\n", "\t\n"), (") — so", ") — so (by:: me) then"), ("]]\n", "]] ,[[b]]\n"),
    ("\n- ", "\n  - "), ("- ", "1. "), ("\n\n", "\n"), ("\n\n", "\n```\n\n"), ("\n\n", "\n<br>\n"),
    ("so", "so\n  on"),
))  # fmt: skip


@examples(15)
@given(linked_notes(), st.lists(noise, max_size=4), st.booleans())
def test_formatting_changes_no_meaning_and_needs_no_second_time(
    texts: dict[str, str], changes: list[tuple[str, str]], bracketed: bool
) -> None:
    for old, new in changes:
        texts = {path: text.replace(old, new) for path, text in texts.items()}
    after = {path: format_text(text, path, bracketed=bracketed) for path, text in texts.items()}
    assert meaning(corpus_of_texts(after)) == meaning(corpus_of_texts(texts))
    for path, text in after.items():
        assert format_text(text, path, bracketed=bracketed) == text


@examples(50)
@given(st.text(alphabet="-*+1. ab[]()|:—^`>#\n\t\\<!é", max_size=60))
@example("- [a:: [[b]]\n")
@example("* a::[[b]] —\n* c")
def test_any_text_is_left_alone_or_formatted_once(body: str) -> None:
    once = format_text(f"{HEAD}{body}\n", "n.md", bracketed=True)
    assert format_text(once, "n.md", bracketed=True) == once


@pytest.mark.integration
def test_our_own_notes_need_no_formatting() -> None:
    assert format_notes(FolderFiles(NOTES)).files_after == {}


@pytest.mark.integration
def test_our_own_corpus_is_the_same_in_brackets(tmp_path: Path) -> None:
    files = FolderFiles(NOTES)
    change = format_notes(files, bracketed=True)
    assert len(change.files_after) > 100
    for path in files.paths():
        if not path.startswith("../"):
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            data = change.files_after.get(path) or files.text(path).data
            (tmp_path / path).write_bytes(data)
    before, after = own_corpus(), load_corpus(tmp_path)
    assert [e.id for e in after.edges] == [e.id for e in before.edges]
    assert meaning(after) == meaning(before)
