"""The notes as an editor shows them: which file is whose, and what is read again when."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.files.read_files import NotesFolder
from kg.lsp.workspace import MAX_NAMES_OFFERED, Workspace, author_and_year, by_path, find_names
from kg.model import Source, Span
from kg.notes.notes_cache import notes_cache_file
from tests.lsp.conftest import NAPS, REST
from tests.support.corpora import corpus_of_notes

TITLED = "---\ntype: claim\nopen: so\n---\n\n# {}\n"


@pytest.mark.parametrize(
    ("place", "path"),
    [
        ("notes/naps.md", "naps.md"),
        ("notes/deep/new.md", "deep/new.md"),
        ("notes/../kg.toml", "../kg.toml"),
        ("library.bib", "../library.bib"),
        ("other.md", None),
        ("deep/kg.toml", None),
        ("../out.md", None),
    ],
)
def test_a_file_on_disk_is_found_within_the_notes(root: Path, place: str, path: str | None) -> None:
    (root / "library.bib").write_text("@book{roe, title={T}}\n")
    workspace = Workspace(NotesFolder.from_path(root / "notes"))
    workspace.open()
    assert workspace.path_of(str(root / place)) == path
    if path is not None:
        assert workspace.path_of(workspace.place_of(path)) == path


@pytest.mark.parametrize("is_cached", [True, False])
def test_the_corpus_is_there_as_soon_as_it_is_open(root: Path, is_cached: bool) -> None:
    folder = NotesFolder.from_path(root / "notes")
    workspace = Workspace(folder, notes_cache_file(folder) if is_cached else None)
    workspace.open()
    assert workspace.corpus
    assert set(workspace.corpus.statements) == {"naps", "naps#seen", "rest"}


def test_no_path_has_a_nul(workspace: Workspace) -> None:
    assert workspace.path_of("a\0b") is None


def test_a_text_is_as_typed_until_it_is_closed(workspace: Workspace) -> None:
    workspace.type("rest.md", TITLED.format("Typed \udc80"))
    assert workspace.text("rest.md").text.endswith("# Typed ?\n")
    assert workspace.join().statements["rest"].title == "Typed ?"
    assert set(workspace.typed_contents()) == {"rest.md"}
    workspace.close("rest.md")
    assert workspace.text("rest.md").text == REST
    assert workspace.join().statements["rest"].title == "Rest is enough"
    assert workspace.text("gone.md").text == ""


@pytest.mark.parametrize(
    "path", ["README.md", "deep/README.md", ".hidden.md", "../out.md", "a.txt"]
)
def test_what_is_no_note_on_disk_is_none_when_typed(workspace: Workspace, path: str) -> None:
    workspace.type(path, TITLED.format("Typed"))
    assert "Typed" not in {each.title for each in workspace.join().statements.values()}
    workspace.type("deep/a.md", TITLED.format("Typed"))
    assert "Typed" in {each.title for each in workspace.join().statements.values()}


def test_a_bibliography_is_read_again_once_it_is_known_to_have_changed(
    workspace: Workspace, root: Path
) -> None:
    (root / "notes" / "references.bib").write_text("@book{roe, title={T}}\n")
    assert set(workspace.join().sources) == {"doe2024"}
    workspace.forget(["rest.md"])
    assert set(workspace.join().sources) == {"doe2024"}
    workspace.forget(["references.bib"])
    assert set(workspace.join().sources) == {"roe"}


@pytest.mark.parametrize("cached", [False, True])
def test_what_is_opened_is_the_corpus_on_the_disk(root: Path, tmp_path: Path, cached: bool) -> None:
    workspace = Workspace(
        NotesFolder.from_path(root / "notes"), tmp_path / "cache" if cached else None
    )
    assert workspace.corpus is None
    workspace.open()
    assert workspace.corpus is not None
    assert {"naps", "rest"} <= workspace.corpus.statements.keys()


def test_broken_settings_leave_the_last_ones_in_force(workspace: Workspace, root: Path) -> None:
    (root / "kg.toml").write_text("name = ")
    workspace.read_settings()
    assert workspace.config.camp_ids == ("optimist", "skeptic")
    (root / "kg.toml").write_text('[[camps]]\nid = "third"\nlabel = "T"\n')
    workspace.read_settings()
    assert workspace.config.camp_ids == ("third",)


def test_a_check_can_be_stopped_and_is_kept_by_file(workspace: Workspace) -> None:
    workspace.type("rest.md", f"{REST}\n- supports:: [[gone]]\n- suports:: [[naps]]\n")
    workspace.join()
    assert workspace.check(stop=lambda: True) is None
    assert workspace.known_problems == {}
    problems = workspace.check()
    assert problems is not None
    assert problems is workspace.known_problems
    lines = [each.span.line for each in problems["rest.md"]]
    assert lines == sorted(lines) != []
    assert by_path([*reversed(problems["rest.md"])]) == {"rest.md": problems["rest.md"]}
    assert workspace.problems("gone.md") == []


def test_a_problem_among_all_has_its_fix_until_the_text_changes(workspace: Workspace) -> None:
    text = f"{REST}\n- supports:: [[nap]] — so\n"
    workspace.type("rest.md", text)
    workspace.join()
    workspace.check()
    (problem,) = (each for each in workspace.problems("rest.md") if each.rule == "unknown-target")
    assert problem.fix
    workspace.type("rest.md", f"{text}\n- suports:: [[naps]] — so\n")
    fixes = {each.rule: each.fix for each in workspace.problems("rest.md")}
    assert fixes["unknown-relation"]
    assert fixes["unknown-target"] is None


def test_a_corpus_is_weighed_once(workspace: Workspace) -> None:
    before = workspace.weighed
    assert before is workspace.corpus
    assert workspace.weigh() is before
    workspace.type("naps.md", NAPS.replace("not enough", "too little"))
    after = workspace.join()
    assert workspace.weighed is before
    assert workspace.weigh() is after is workspace.weighed


def test_names_hold_all_words_typed_and_as_many_as_are_shown() -> None:
    notes = {f"n{number:02}": TITLED.format("Sleep helps") for number in range(MAX_NAMES_OFFERED)}
    corpus = corpus_of_notes(
        references="@book{sleepy, title={T}, author={Roe, Jo}, year=2020}", **notes
    )
    names, all_there = find_names(corpus, "HELPS sl")
    assert ([each.id for each in names], all_there) == ([*notes], True)
    assert find_names(corpus, "helps nothing") == ([], True)
    names, all_there = find_names(corpus, "sl")
    assert (names[0].id, len(names), all_there) == ("sleepy", MAX_NAMES_OFFERED, False)
    names, all_there = find_names(corpus, "", only_sources=True)
    assert ([(each.id, each.description) for each in names], all_there) == (
        [("sleepy", "Roe 2020")],
        True,
    )


def test_ids_that_begin_so_come_before_ids_and_titles_that_hold_it(workspace: Workspace) -> None:
    for name, title in (("aa", "Of naps"), ("xnap", "X"), ("naps", "Naps help memory")):
        workspace.type(f"{name}.md", f"---\ntype: claim\n---\n\n# {title}\n")
    names, all_there = find_names(workspace.join(), "nap")
    assert [each.id for each in names][:3] == ["naps", "xnap", "aa"]
    assert all_there


def test_a_source_without_authors_and_year_is_called_one() -> None:
    source = Source(key="k", title="T", span=Span("a.bib"))
    assert author_and_year(source) == "source"
