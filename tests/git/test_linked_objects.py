"""Repositories that are altered between our look and git's."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kg.git import NoHistory, linked_objects
from kg.git import run_git as running
from kg.git.linked_objects import LinkedObjects
from kg.git.note_history import find_history
from tests.git.sent import SECRET, Sent, git, needs_a_shell, private_repository, refuse

pytestmark = [pytest.mark.integration, needs_a_shell]


Attack = Callable[[Path, Path], None]


def lend(ours: Path, private: Path) -> None:
    (ours / "info" / "alternates").write_text(f"{private}\n")


def link_folders(ours: Path, private: Path) -> None:
    for folder in private.iterdir():
        if len(folder.name) == 2:
            shutil.rmtree(ours / folder.name, ignore_errors=True)
            (ours / folder.name).symlink_to(folder)


def link_files(ours: Path, private: Path) -> None:
    for file in private.glob("??/*"):
        place = ours / file.parent.name / file.name
        place.parent.mkdir(exist_ok=True)
        place.unlink(missing_ok=True)
        place.symlink_to(file)


def link_packs(ours: Path, private: Path) -> None:
    (ours / "pack").rename(ours / "pack-away")
    (ours / "pack").symlink_to(private / "pack")


def link_files_of_packs(ours: Path, private: Path) -> None:
    for file in (private / "pack").iterdir():
        (ours / "pack" / file.name).symlink_to(file)


def link_all(ours: Path, private: Path) -> None:
    ours.rename(ours.with_name("objects-away"))
    ours.symlink_to(private)


def block(ours: Path, private: Path) -> None:
    """A pipe, at which a reader would wait for ever."""
    os.mkfifo(next(ours.glob("??")) / ("0" * 38))


LOOSE: list[Attack] = [lend, link_folders, link_files, link_all]
PACKED: list[Attack] = [lend, link_packs, link_files_of_packs, link_all]


@pytest.mark.parametrize("is_old", [True, False], ids=["old", "young"])
@pytest.mark.parametrize("is_back", [True, False], ids=["back", "stays"])
@pytest.mark.parametrize(
    ("attack", "is_packed"),
    [*((attack, False) for attack in LOOSE), *((attack, True) for attack in PACKED)],
)
def test_what_is_put_among_objects_after_they_were_seen_shows_no_other_repository(
    sent: Sent,
    monkeypatch: pytest.MonkeyPatch,
    attack: Attack,
    is_packed: bool,
    is_back: bool,
    is_old: bool,
) -> None:
    """The name of a commit of the reader's own is known, and stands in a reference from the start.

    Another program alters the objects as git starts, and undoes that when git has read.
    """
    private = private_repository(sent)
    if is_packed:
        git(private, "gc", "-q")
    for folder in private.glob("objects/??"):
        (sent.top / ".git/objects" / folder.name).mkdir(exist_ok=True)
    (sent.top / ".git/refs/heads/main").write_text(git(private, "rev-parse", "HEAD") + "\n")
    if is_old:
        monkeypatch.setattr("kg.git.linked_objects.COARSEST_CLOCK_NANOSECONDS", 0, raising=False)
    shutil.copytree(sent.top / ".git", sent.place / "before")
    started, hear, attacks = subprocess.Popen, running._finish_within, []

    def start(*arguments: Any, **options: Any) -> Any:
        attacks.append(attack)
        if len(attacks) == 1 or is_back:
            attack(sent.top / ".git/objects", private / "objects")
        return started(*arguments, **options)

    def listen(process: subprocess.Popen[bytes], seconds: float) -> running.FinishedRun:
        finished = hear(process, seconds)
        assert SECRET.encode() not in finished.output or is_old
        if is_back:
            undo(sent.top / ".git/objects", sent.place / "before/objects")
        return finished

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(running.subprocess, "Popen", start)
        meanwhile.setattr(running, "_finish_within", listen)
        history = find_history(sent.notes)
    assert attacks
    assert not any(SECRET in change.subject for change in history.log)
    assert not history.known


@pytest.fixture(params=["handles", "names"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways are tried on systems that know both."""
    if request.param == "names":
        monkeypatch.setattr(linked_objects, "CAN_OPEN_BY_HANDLE", False)
    elif not linked_objects.CAN_OPEN_BY_HANDLE:
        pytest.skip("this system has no handles of folders")


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("attack", [lend, link_folders, link_files, link_packs, link_all, block])
def test_objects_that_lead_elsewhere_are_refused_with_handles_and_without(
    sent: Sent, attack: Attack
) -> None:
    private = private_repository(sent)
    attack(sent.top / ".git/objects", private / "objects")
    with pytest.raises(NoHistory):
        LinkedObjects(sent.top / ".git/objects", sent.place / "all")


@pytest.mark.usefixtures("way")
def test_own_objects_are_read_with_handles_and_without(sent: Sent) -> None:
    assert [change.subject for change in find_history(sent.notes).log] == ["A 1", "A 0"]


def undo(objects: Path, before: Path) -> None:
    """Put back what was there: the same folders, where they are to be had."""
    away = objects.with_name("objects-away")
    if away.exists():
        objects.unlink()
        away.rename(objects)
    if (objects / "pack-away").exists():
        (objects / "pack").unlink()
        (objects / "pack-away").rename(objects / "pack")
    (objects / "info/alternates").unlink(missing_ok=True)
    for place in (*objects.glob("??"), *objects.glob("??/*"), *objects.glob("pack/*")):
        if place.is_symlink():
            place.unlink()
    shutil.copytree(before, objects, dirs_exist_ok=True)


def test_a_commit_made_while_git_reads_is_no_reason_to_refuse(
    sent: Sent, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is a repository that is packed just then."""
    monkeypatch.setattr("kg.git.linked_objects.COARSEST_CLOCK_NANOSECONDS", 0)
    hear, left = (
        running._finish_within,
        [("commit", "-q", "--allow-empty", "-m", "meanwhile"), ("gc", "-q")],
    )

    def listen(process: subprocess.Popen[bytes], seconds: float) -> running.FinishedRun:
        finished = hear(process, seconds)
        if left:
            git(sent.top, *left.pop())
        return finished

    monkeypatch.setattr(running, "_finish_within", listen)
    assert [change.subject for change in find_history(sent.notes).log] == ["A 1", "A 0"]
    assert not left


@pytest.mark.parametrize("way", ["handles", "hard links", "copies"])
def test_objects_are_read_however_they_are_handed_over(
    sent: Sent, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    for is_packed in (False, True):
        with monkeypatch.context() as context_there:
            context_there.setattr("kg.git.linked_objects.COARSEST_CLOCK_NANOSECONDS", 0)
            if way != "handles":
                context_there.setattr("kg.git.linked_objects.CAN_LINK_HANDLES", False)
            elif linked_objects.CAN_LINK_HANDLES:
                context_there.setattr("kg.git.linked_objects.MAX_BYTES_COPIED", 0)
            if way != "hard links":
                context_there.setattr(os, "link", refuse)
            assert [change.subject for change in find_history(sent.notes).log] == ["A 1", "A 0"]
        if not is_packed:
            git(sent.top, "gc", "-q")


def test_objects_are_copied_up_to_the_limit_and_refused_beyond_it(
    sent: Sent, monkeypatch: pytest.MonkeyPatch
) -> None:
    objects = sent.top / ".git/objects"
    size = sum(place.stat().st_size for place in objects.glob("??/*"))
    monkeypatch.setattr("kg.git.linked_objects.CAN_LINK_HANDLES", False)
    monkeypatch.setattr(os, "link", refuse)
    monkeypatch.setattr("kg.git.linked_objects.MAX_BYTES_COPIED", size)
    LinkedObjects(objects, sent.place / "all").close()
    copied = [place.read_bytes() for place in sorted(sent.place.glob("all/??/*"))]
    assert copied == [place.read_bytes() for place in sorted(objects.glob("??/*"))]
    monkeypatch.setattr("kg.git.linked_objects.MAX_BYTES_COPIED", size - 1)
    with pytest.raises(NoHistory, match="has too much to copy"):
        LinkedObjects(objects, sent.place / "more")


@pytest.mark.parametrize("way", ["hard links", "copies"])
def test_a_file_that_becomes_a_link_once_it_was_listed_is_refused(
    sent: Sent, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    private = sent.place / "private"
    private.write_text(SECRET)

    def list_and_swap(handle: int, folder: Path) -> list[str]:
        names = listed(handle, folder)
        for name in names:
            (folder / name).unlink()
            (folder / name).symlink_to(private)
        return names

    listed = linked_objects._regular_file_names
    monkeypatch.setattr(linked_objects, "_regular_file_names", list_and_swap)
    monkeypatch.setattr(linked_objects, "CAN_LINK_HANDLES", False)
    if way == "copies":
        monkeypatch.setattr(os, "link", refuse)
    with pytest.raises(NoHistory):
        LinkedObjects(sent.top / ".git/objects", sent.place / "all")
