"""Repositories that somebody sent: nothing of theirs runs."""

from __future__ import annotations

import os
import shutil

import pytest

from tests.git.sent import CLAIM, SECRET, Sent, git, make_repository, needs_a_shell

pytestmark = [pytest.mark.integration, needs_a_shell]


def test_an_honest_repository_is_read(sent: Sent) -> None:
    assert [change.subject for change in sent.history().of("a.md")] == ["A 1", "A 0"]
    assert sent.show().returncode == 0


@pytest.mark.parametrize(
    "settings",
    [
        (("remote.origin.url", "{place}/origin"), ("remote.origin.uploadpack", "{script}; false")),
        (("remote.origin.url", "ssh://h/x"), ("core.sshCommand", "{script}")),
        (("remote.origin.url", "ext::{script}"), ("protocol.ext.allow", "always")),
        (("remote.origin.url", "ssh://h/x"), ("core.alternateRefsCommand", "{script}"),
         ("core.sshCommand", "{script}")),
    ],
    ids=["uploadpack", "sshCommand", "ext", "alternateRefsCommand"],
)  # fmt: skip
def test_a_partial_clone_fetches_nothing(sent: Sent, settings: tuple[tuple[str, str], ...]) -> None:
    sent.make_partial()
    git(sent.top, "config", "--unset-all", "remote.origin.url")
    sent.claims_to_be(*((k, v.format(place=sent.place, script=sent.script)) for k, v in settings))
    assert len(sent.history().of("a.md")) == 2
    result = sent.show()
    assert result.returncode
    assert "this clone is partial" in result.stderr


def test_a_renamed_note_in_a_partial_clone_fetches_nothing(sent: Sent) -> None:
    """To find renames by likeness, git compares contents."""
    git(sent.top, "mv", "notes/a.md", "notes/b.md")
    (sent.notes / "b.md").write_text(CLAIM.format("B") + "\nmore\n", "utf-8")
    git(sent.top, "commit", "-qam", "rename and change")
    sent.make_partial()
    sent.claims_to_be(("remote.origin.uploadpack", f"{sent.script}; false"))
    assert sent.history().known


def test_a_bare_repository_in_the_notes_is_not_one(sent: Sent) -> None:
    """A plain clone can bring this: to git, these are files like any others."""
    sent.make_partial()
    sent.claims_to_be(
        ("core.worktree", ".."),
        ("remote.origin.uploadpack", f"{sent.script}; false"),
    )
    for item in list((sent.top / ".git").iterdir()):
        shutil.move(item, sent.notes / item.name)
    (sent.top / ".git").rmdir()
    assert not sent.history().known
    assert "no history to compare with" in sent.show().stderr


@pytest.mark.parametrize(
    "settings",
    [
        (("core.fsmonitor", "{script}"),),
        (("core.pager", "{script}"), ("pager.log", "true")),
        (("diff.external", "{script}"), ("diff.x.textconv", "{script}"),
         ("diff.x.command", "{script}")),
        (("gpg.program", "{script}"), ("log.showSignature", "true")),
        (("include.path", "../included"),),
        (("core.hooksPath", "../hooks"),),
        (("credential.helper", "!{script}"), ("core.editor", "{script}"),
         ("alias.log", "!{script}")),
    ],
    ids=["fsmonitor", "pager", "diff", "gpg", "include", "hooks", "helpers"],
)  # fmt: skip
def test_programs_that_the_settings_name_do_not_run(
    sent: Sent, settings: tuple[tuple[str, str], ...]
) -> None:
    sent.claims_to_be(*((name, value.format(script=sent.script)) for name, value in settings))
    (sent.top / "included").write_text(
        f"[core]\n\tfsmonitor = {sent.script}\n\tpager = {sent.script}\n"
    )
    (sent.top / "hooks").mkdir()
    for name in ("post-index-change", "reference-transaction", "post-checkout", "fsmonitor"):
        (sent.top / "hooks" / name).symlink_to(sent.script)
    (sent.top / ".gitattributes").write_text("* diff=x filter=x merge=x\n")
    (sent.top / ".git" / "info" / "attributes").write_text("* diff=x filter=x\n")
    assert len(sent.history().of("a.md")) == 2
    assert sent.show().returncode == 0


def test_what_the_caller_tells_git_does_not_count(sent: Sent) -> None:
    private = make_repository(sent.place / "private", SECRET).parent
    result = sent.show(
        "HEAD~1",
        GIT_DIR=str(private / ".git"),
        GIT_WORK_TREE=str(private),
        GIT_EXTERNAL_DIFF=str(sent.script),
        GIT_PAGER=str(sent.script),
        GIT_SSH_COMMAND=str(sent.script),
        GIT_CONFIG_COUNT="1",
        GIT_CONFIG_KEY_0="core.fsmonitor",
        GIT_CONFIG_VALUE_0=str(sent.script),
        GIT_TRACE=str(sent.canary),
        GIT_TRACE2=str(sent.canary),
        GIT_EXEC_PATH=str(sent.place),
    )
    assert result.returncode == 0
    assert SECRET not in result.stdout


@pytest.mark.parametrize("path", ["", ".", "{top}", "{notes}", "bin"])
def test_a_git_that_lies_in_the_folder_is_not_run(sent: Sent, path: str) -> None:
    for folder in (sent.top, sent.notes, sent.top / "bin"):
        folder.mkdir(exist_ok=True)
        shutil.copy(sent.script, folder / "git")
    first = path.format(top=sent.top, notes=sent.notes)
    result = sent.show("HEAD~1", PATH=f"{first}{os.pathsep}{os.environ['PATH']}")
    assert result.returncode == 0


def test_a_git_beside_the_corpus_in_its_repository_is_not_run(sent: Sent) -> None:
    """Also where the settings stand deeper than the folder of programs that PATH names."""
    (sent.notes / "kg.toml").write_text('name = "Sent"\n')
    (sent.top / "tools").mkdir()
    shutil.copy(sent.script, sent.top / "tools" / "git")
    result = sent.show("HEAD~1", PATH=f"{sent.top / 'tools'}{os.pathsep}{os.environ['PATH']}")
    assert result.returncode == 0
