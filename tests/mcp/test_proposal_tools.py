"""Notes that a program proposes: checked, and a commit on a branch of their own.

Of `kg/mcp/tool_server.py`, too.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kg.files.read_files import NotesFolder
from kg.loader import load_corpus
from kg.mcp.commit_proposal import ProposalRefused
from kg.mcp.latest_corpus import LatestCorpus
from kg.mcp.proposal_tools import (
    ask_check,
    propose_change,
    propose_new,
    read_note_text,
    valid_path,
)
from kg.model.errors import Misuse
from tests.mcp.conftest import NAPS, REST, asking, contents_of
from tests.support.every_row import every_row
from tests.support.repository import git

pytestmark = [pytest.mark.integration, pytest.mark.anyio]

GOOD = (
    "---\ntype: claim\n---\n\n# Pupils who nap are calmer\n\nSo a teacher says. [@roe2025]\n\n"
    "> [!evidence] A class that napped was calmer ^calm\n> In a diary. [@roe2025]\n"
    "> (method:: anecdote) (reason:: calm was seen)\n\n- supports:: [[naps]] — calm goes with it\n"
)

DIARY = "@misc{roe2025, title={A diary}, author={Roe, Jo}, year={2025}}\n"

CALM: dict[str, Any] = {
    "path": "claims/calm.md",
    "why": "A teacher told us.\n\nSigned-off-by: The Editor <e@x.test>\n",
    "more": {"roe.bib": DIARY},
}


async def test_a_proposal_with_an_error_makes_no_branch(folder: Path) -> None:
    async with asking(folder, propose=True) as (_, ask):
        refused = await ask("propose_note", path="claims/calm.md", text=GOOD, why="x")
    assert refused.startswith("error: not proposed: ")
    assert "roe2025" in refused, "a source that is nowhere"
    assert "proposal" not in git(folder.parent, "branch", "--list")


async def test_a_proposal_is_a_commit_on_a_branch(folder: Path) -> None:
    work = folder.parent
    async with asking(folder, propose=True) as (_, ask):
        answer = await ask("propose_note", text=GOOD, **CALM)
        edited = await ask(
            "propose_edit", note="naps", old="They do.", new="They do, a bit.", why="It varies."
        )
    assert "proposed on branch proposal/calm, commit" in answer
    assert "proposed on branch proposal/naps" in edited
    changed = git(work, "diff", "--name-status", "HEAD", "proposal/calm").split()
    assert changed == ["A", "notes/claims/calm.md", "A", "notes/roe.bib"]
    assert git(work, "show", "proposal/calm:notes/claims/calm.md") == GOOD.strip()
    assert git(work, "rev-parse", "proposal/calm^") == git(work, "rev-parse", "HEAD")
    assert git(work, "diff", "--shortstat", "HEAD", "proposal/naps").startswith("1 file")
    assert git(work, "fsck", "--strict", "--no-dangling") == ""


async def test_the_reason_of_a_proposal_is_quoted_and_is_no_trailer(folder: Path) -> None:
    work = folder.parent
    async with asking(folder, propose=True) as (_, ask):
        await ask("propose_note", text=GOOD, **CALM)
    message = git(work, "log", "-1", "--format=%B", "proposal/calm")
    assert message.endswith("\n\n> A teacher told us. Signed-off-by: The Editor <e@x.test>")
    assert git(work, "log", "-1", "--format=%(trailers)", "proposal/calm") == ""


async def test_what_is_proposed_already_is_refused_and_another_text_has_another_branch(
    folder: Path,
) -> None:
    async with asking(folder, propose=True) as (_, ask):
        for number, text in (("", GOOD), ("-2", f"{GOOD}\nMore.\n")):
            answer = await ask("propose_note", text=text, **CALM)
            assert f"proposed on branch proposal/calm{number}, commit" in answer
            again = await ask("propose_note", text=text, **{**CALM, "why": "Once more."})
            assert again.startswith("error: ")
            assert f"proposal/calm{number} already has exactly this" in again


async def test_a_proposal_leaves_the_folder_and_its_index_alone(folder: Path) -> None:
    work = folder.parent
    (folder / "draft.md").write_text("not mine to touch\n", "utf-8")
    git(work, "add", "notes/draft.md")
    before, status = contents_of(work), git(work, "status", "--porcelain=v2")
    async with asking(folder, propose=True) as (_, ask):
        assert "proposed on branch" in await ask("propose_note", text=GOOD, **CALM)
    assert contents_of(work) == before
    assert git(work, "status", "--porcelain=v2") == status


OUTSIDE = (
    *("../out.md", "/tmp/out.md", "a/../../out.md", ".git/x.md", "claims/.x.md", "a\\b.md"),
    *("README.md", "x.txt", "claims//x.md", "kg.toml", "link/x.md", "x\n.md", "claims", "", ".md"),
    *("naps.md/x.md:y.md", "a/ .md", "claims/naps.md/x.md", "private/x.md", "claims/README.md"),
)


async def test_a_proposal_stays_in_the_folder_and_overwrites_nothing(folder: Path) -> None:
    (folder / "link").symlink_to(folder.parent, target_is_directory=True)
    (folder / "kg.toml").write_text('ignore = ["private/**"]\n', "utf-8")
    text = REST.replace("Rest", "Tea")
    before = contents_of(folder.parent)
    async with asking(folder, propose=True) as (_, ask):
        for path in (*OUTSIDE, "claims/naps.md", "CLAIMS/Naps.md"):
            answer = await ask("propose_note", path=path, text=text, why="x")
            assert answer.startswith("error: "), path
        inner = await ask("propose_note", path="notes/claims/x.md", text=text, why="x")
        assert "relative to the notes folder: claims/x.md, not notes/claims/x.md" in inner
        large = await ask("propose_note", path="x.md", text=text.ljust(256 * 1024 + 1), why="x")
        assert "at most 262144 bytes" in large
        tea = {"path": "claims/tea.md", "text": text}
        assert "has no argument branch" in await ask("propose_note", **tea, why="x", branch="m")
        assert "why: Field required" in await ask("propose_note", **tea)
        assert "`why` is empty" in await ask("propose_note", **tea, why=" \n")
        for other in ("claims/tea.md", "CLAIMS/Tea.md", "claims/tea.md/x.md"):
            both = await ask("propose_note", **tea, why="x", more={other: text})
            assert "cannot both be files" in both
        assert "proposed on" in await ask("propose_note", **tea, why="x")
    assert git(folder.parent, "branch", "--list", "proposal/*") == "proposal/tea"
    assert contents_of(folder.parent) == before


TEA = "---\ntype: {}\nopen: nobody looked\n---\n# Tea helps\n"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            {"path": "log/tea.md", "text": TEA.format("")},
            "error: not proposed: log/tea.md is left out by `[map]` in kg.toml",
        ),
        (
            {"path": "tea.md", "text": TEA.format("daily")},
            "error: not proposed: tea.md is left out by `[map]` in kg.toml",
        ),
        (
            {"path": "a.md", "text": "---\ntype: glossary\n---\n"},
            "error: not proposed: a.md states nothing",
        ),
        ({"note": "rest", "old": "claim", "new": "daily"}, "error: not proposed: "),
        ({"path": "tea.md", "text": TEA.format("claim")}, "proposed on"),
    ],
    ids=["folder", "type", "glossary", "edit", "proposed"],
)
async def test_a_note_that_nothing_would_be_read_from_is_not_proposed(
    folder: Path, call: dict[str, str], message: str
) -> None:
    types = '[map.types]\ndaily = "none"\n[map.folders]\n"." = "claim"\nlog = "none"\n'
    (folder / "kg.toml").write_text(types, "utf-8")
    git(folder.parent, "add", ".")
    git(folder.parent, "commit", "--quiet", "-m", "Map")
    async with asking(folder, propose=True) as (_, ask):
        tool = "propose_edit" if "note" in call else "propose_note"
        answer = await ask(tool, why="x", **call)
    assert message in answer


async def test_a_change_rests_on_what_is_committed(folder: Path) -> None:
    place = folder / "claims" / "naps.md"
    place.write_text(NAPS.replace("They do.", "They surely do."), "utf-8")
    async with asking(folder, propose=True) as (_, ask):
        edit = {"note": "naps", "old": "surely", "new": "often", "why": "x"}
        assert "not committed" in await ask("propose_edit", **edit)
        assert "0 times" in await ask("propose_edit", **{**edit, "old": "zzz"})
        edit = {"note": "rest", "old": "contradicts:: [[naps]]", "why": "x"}
        broken = await ask("propose_edit", **edit, new="supports:: [[nix]]")
        assert broken.startswith("error: not proposed: on the last commit it has 1 error")
        assert "correct the errors" in broken
        assert "unknown-target" in broken
        (folder / "nix.md").write_text(REST.replace("contradicts", "qualifies"), "utf-8")
        leaning = await ask("propose_edit", **edit, new="supports:: [[nix]]")
        assert leaning.startswith("error: not proposed: on the last commit it has 1 error")
        assert "commit the notes here that it needs" in leaning
        assert "unknown-target" in leaning
    assert git(folder.parent, "branch", "--list", "proposal/*") == ""


def test_what_a_change_would_break_in_another_note_is_reported(folder: Path) -> None:
    tea = "---\ntype: claim\n---\n\n# Tea\n\nAs [[naps#^seen]] and [[nowhere]].\n"
    (folder / "tea.md").write_text(tea, "utf-8")
    git(folder.parent, "add", ".")
    git(folder.parent, "commit", "--quiet", "-m", "Tea")
    notes = NotesFolder.from_path(folder)
    answer = propose_change(notes, load_corpus(notes), "naps", "^seen", "^saw", "why")
    about_tea = [row for row in answer.entries if row.startswith("tea.md:")]
    assert ["`^seen`" in row for row in about_tea] == [True]  # what was dead before is not told


def test_a_text_is_checked_against_the_notes_as_they_are_now(folder: Path) -> None:
    latest = LatestCorpus(NotesFolder.from_path(folder))
    text = "---\ntype: claim\nopen: yes\n---\n# It is so\n\nAs [[late]] says."
    answers = [ask_check(latest, "claims/here.md", text).entries for _ in range(2)]
    assert answers[0] == answers[1]
    assert any("dead-link" in row for row in answers[0])
    (folder / "claims" / "late.md").write_text("---\ntype: claim\n---\n# It is late", "utf-8")
    assert not any("dead-link" in row for row in ask_check(latest, "claims/here.md", text).entries)
    assert not (folder / "claims" / "here.md").exists()


@every_row(
    "path", ["x.md", "x.bib", "new/deep/x.md", "notes.md", "a b's (1), c+d-e.md", f"{'x' * 197}.md"]
)
def test_a_path_of_a_note_or_bibliography_in_the_folder_is_valid(path: str, folder: Path) -> None:
    assert valid_path(NotesFolder.from_path(folder), path) == path


NO_PATH = "is not a note's path in the folder, such as claims/a-note.md"


@every_row(
    ("path", "message"),
    [
        *((path, f"{path!r} {NO_PATH}") for path in ("x.txt", "README.md", "_x.md", "a./x.md")),
        *((path, f"{path!r} {NO_PATH}") for path in ("claims/README.md", "a /x.md", "x/.md", "")),
        (f"{'x' * 198}.md", f"{'x' * 80!r} {NO_PATH}"),
        ("notes/x.md", "paths are relative to the notes folder: x.md, not notes/x.md"),
        ("claims/naps.md/x.md", "claims/naps.md is not a folder within the notes"),
        ("link/x.md", "link is not a folder within the notes"),
        ("nowhere/x.md", "nowhere is not a folder within the notes"),
        ("claims/link.md", "claims/link.md is a link"),
        ("private/x.md", "private/x.md is ignored by `ignore` in kg.toml"),
    ],
)
def test_another_path_is_refused_with_the_reason(path: str, message: str, folder: Path) -> None:
    for name, target in (("link", "claims"), ("nowhere", "gone"), ("claims/link.md", "naps.md")):
        if not (folder / name).is_symlink():
            (folder / name).symlink_to(target)
    (folder / "kg.toml").write_text('ignore = ["private/**"]\n', "utf-8")
    with pytest.raises(Misuse) as error:
        valid_path(NotesFolder.from_path(folder), path)
    assert str(error.value) == message


def test_a_folder_may_hold_one_of_its_own_name(folder: Path) -> None:
    (folder / "notes").mkdir()
    assert valid_path(NotesFolder.from_path(folder), "notes/x.md") == "notes/x.md"


@every_row(
    ("count", "message"),
    [(20, "'x.md' and 'x.md' cannot both be files"), (21, "at most 20 notes at once")],
)
def test_up_to_twenty_notes_are_proposed_at_once(count: int, message: str, folder: Path) -> None:
    with pytest.raises(Misuse) as error:
        propose_new(NotesFolder.from_path(folder), [("x.md", REST)] * count, "x")
    assert str(error.value) == message


@every_row(
    ("old", "new", "message"),
    [
        ("", "x", "`old` must occur in claims/naps.md once; it occurs 495 times"),
        ("zzz", "x", "`old` must occur in claims/naps.md once; it occurs 0 times"),
        ("---", "x", "`old` must occur in claims/naps.md once; it occurs 2 times"),
        ("They do.", "They do.", "`new` is the same as `old`"),
        ("They do.", "x" * 262_145, "a text may have at most 262144 bytes here"),
    ],
)
def test_an_edit_that_changes_no_one_place_is_refused(
    old: str, new: str, message: str, folder: Path
) -> None:
    notes = NotesFolder.from_path(folder)
    with pytest.raises(Misuse) as error:
        propose_change(notes, load_corpus(notes), "naps", old, new, "x")
    assert str(error.value).replace(f"{len(NAPS) + 1} times", "495 times") == message


@every_row("excess", [0, 1])
def test_a_text_of_up_to_256_kib_is_checked(excess: int, folder: Path) -> None:
    latest = LatestCorpus(NotesFolder.from_path(folder))
    text = REST + "\n" * (256 * 1024 + excess - len(REST.encode()))
    if not excess:
        assert ask_check(latest, "x.md", text).summary == "no problems"
        return
    with pytest.raises(Misuse, match="at most 262144 bytes"):
        ask_check(latest, "x.md", text)


def test_problems_are_counted_by_severity_and_named_with_their_help(folder: Path) -> None:
    text = "---\ntype: claim\ncolour: red\n---\n\n# Tea helps\n\n- supports:: [[nap]] — so\n"
    answer = ask_check(LatestCorpus(NotesFolder.from_path(folder)), "tea.md", text)
    assert answer.summary == "1 error, 2 warnings"
    assert answer.entries[2] == (
        "tea.md:8:14 error unknown-target: `supports::` leads to `nap`, but there is no such note "
        "(help: did you mean `[[naps]]`?)"
    )


def test_the_text_of_a_note_is_read_without_comments(folder: Path) -> None:
    (folder / "tea.md").write_text("---\ntype: claim\n---\n\n# Tea\n\n%% no %%Hot.\n", "utf-8")
    (folder / "d.md").write_text("---\ntype: claim\nstatus: draft\n---\n\n# D\n", "utf-8")
    (folder / "roe.bib").write_text(DIARY, "utf-8")
    notes = NotesFolder.from_path(folder)
    corpus = load_corpus(notes)
    entries = read_note_text(notes, corpus, "tea").entries
    assert entries[:6] == ["tea.md:", "---", "type: claim", "---", "", "# Tea"]
    assert [entry.strip() for entry in entries[7:]] == ["Hot.", ""]
    for name in ("roe2025", "d", "d.md", "gone", "tea.md"):
        with pytest.raises(Misuse, match=f"^there is no note {name!r} to read$"):
            read_note_text(notes, corpus, name)
    (folder / "tea.md").write_bytes(b"\xff")
    with pytest.raises(ProposalRefused, match=r"^tea\.md cannot be read: "):
        read_note_text(notes, corpus, "tea")
