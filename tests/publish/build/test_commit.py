"""A site is moved into place as a whole, whenever it is stopped."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from kg.files import folder_tree
from kg.files.cache_files import state_folder
from kg.files.folder_tree import FolderTree, PathBlocked
from kg.publish.build.commit import load_journal
from kg.publish.build.writer import Writer
from kg.serve.site_server import LastBuild
from tests.publish.build.written_site import AFTER, BEFORE, CALLS, EXCHANGE, refuse, site, write
from tests.support.every_row import every_row


def room(work: Path) -> Path:
    folder = state_folder(work)
    assert folder is not None
    return folder


ONE_STEP = pytest.mark.skipif(sys.platform != "linux", reason="no such call of the system")
WAYS = pytest.mark.parametrize("way", [pytest.param("one step", marks=ONE_STEP), "file by file"])


def _go(way: str, patch: pytest.MonkeyPatch) -> None:
    if way == "file by file":
        patch.setattr(EXCHANGE, refuse)


@pytest.mark.parametrize(
    ("error", "tidies"),
    [(KeyboardInterrupt, True), (OSError, True), (KeyboardInterrupt, False)],
    ids=["stopped", "failed", "killed"],
)
@pytest.mark.parametrize("before", [{}, BEFORE], ids=["first", "later"])
@WAYS
@pytest.mark.integration  # some hundred builds, each with its disk
def test_a_build_that_is_killed_leaves_the_old_site_or_the_new(
    way: str,
    before: dict[str, str],
    tidies: bool,
    error: type[BaseException],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever call is its last, the site is the old one or the new; or, where folders cannot be
    exchanged, the next build makes it the new.
    """
    _go(way, monkeypatch)
    for number in itertools.count():
        work = tmp_path / ("site" if before else str(number))
        if not (before and number):  # else it holds that already, as was seen below
            write(work, before)
        with monkeypatch.context() as patch:
            if not tidies:
                patch.setattr(shutil, "rmtree", lambda *_, **__: None)
            if _ends_at(number, error, work, patch):
                break
        begun = load_journal(room(work)) is not None
        may_be_mixed = begun and way == "file by file"
        assert may_be_mixed or site(work) in (before, AFTER)
        with Writer(work):
            pass
        assert site(work) in ((AFTER,) if begun else (before, AFTER))
        write(work, BEFORE)
        assert site(work) == BEFORE
        assert write(work, BEFORE).written == ()
    assert number > 10


def _ends_at(
    number: int, error: type[BaseException], work: Path, patch: pytest.MonkeyPatch
) -> bool:
    """Build until call `number` to the system, which fails; whether the build was done before."""
    left, entered = itertools.count(number, -1), room(work)
    patch.setattr("kg.publish.build.writer.state_folder", lambda _: entered)

    def failing(call: Callable[..., Any]) -> Callable[..., Any]:
        def instead(*arguments: Any, **name: Any) -> Any:
            if next(left) == 0:
                raise error
            return call(*arguments, **name)

        return instead

    for name in CALLS:
        patch.setattr(os, name, failing(getattr(os, name)))
    patch.setattr(EXCHANGE, failing(folder_tree.exchange_folders))
    try:
        write(work, AFTER)
    except error:
        return False
    return next(left) >= 0


LINKED_BEFORE = {
    "index.html": "b.html c.html",
    "b.html": "index.html",
    "c.html": "gone.html",
    "gone.html": "",
    "style.css": "",
}
LINKED_AFTER = {
    "index.html": "b.html z.html",
    "b.html": "new/a.html index.html",
    "new/a.html": "style.css new/look.css z.html",
    "new/look.css": "",
    "style.css": "changed",
    "z.html": "index.html",
}


def test_at_no_moment_a_page_that_a_reader_comes_to_leads_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever a build is killed: what `index.html` leads to is there, and so on from there."""
    _go("file by file", monkeypatch)
    for number in itertools.count(1):
        work = tmp_path / str(number)
        write(work, LINKED_BEFORE)
        left = itertools.count(number - 1, -1)
        with monkeypatch.context() as patch:
            for name in ("move", "remove"):
                patch.setattr(FolderTree, name, _killed_after(left, getattr(FolderTree, name)))
            with suppress(_Killed):
                write(work, LINKED_AFTER)
                break
        files, visited = site(work), {"index.html"}
        for url in (waiting := ["index.html"]):
            words = {link for link in files[url].split() if "." in link}
            assert words <= files.keys(), (number, url)
            waiting += sorted(words - visited)
            visited |= words
        with Writer(work):
            pass
        assert site(work) in (LINKED_BEFORE, LINKED_AFTER)
    assert number > len(LINKED_AFTER)


class _Killed(BaseException):
    pass


def _killed_after(left: Iterator[int], call: Callable[..., Any]) -> Callable[..., Any]:
    def instead(*arguments: Any) -> Any:
        if next(left) <= 0:
            raise _Killed
        return call(*arguments)

    return instead


@WAYS
def test_ctrl_c_waits_until_all_files_are_moved(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _go(way, monkeypatch)
    write(tmp_path, BEFORE)
    move = FolderTree.move

    def interrupted(self: FolderTree, url: str, to: str) -> None:
        signal.raise_signal(signal.SIGINT)
        move(self, url, to)

    monkeypatch.setattr(FolderTree, "move", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write(tmp_path, AFTER)
    assert site(tmp_path) == AFTER


@every_row("damage", [b"", b"{", b"kg-sealed\x01" + b"x" * 99])
def test_a_damaged_journal_is_dropped_and_said(damage: bytes, tmp_path: Path) -> None:
    write(tmp_path, {"a.html": "1"})
    (room(tmp_path) / "commit").write_bytes(damage)
    with Writer(tmp_path) as writer:
        assert "journal is damaged" in writer.anew
        writer.put("a.html", "1")
        assert writer.commit().written == ("a.html",)
    assert write(tmp_path, {"a.html": "1"}).written == ()


def _stop_before_moves(work: Path, files: Mapping[str, str], patch: pytest.MonkeyPatch) -> None:
    with patch.context() as stopped:
        for name in ("move", "rename"):
            stopped.setattr(FolderTree, name, _stop)
        with pytest.raises(KeyboardInterrupt):
            write(work, files)


def _stop(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_staged_file_that_was_altered_is_not_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"a.html": "1", "b.html": "2"})
    _stop_before_moves(tmp_path, {"a.html": "one", "b.html": "two"}, monkeypatch)
    (staged,) = tmp_path.glob(".kg-staged-*")
    (staged / "a.html").write_text("<script>alert(1)</script>")
    with Writer(tmp_path) as writer:
        assert writer.anew == "a.html is not what it had made"
    assert site(tmp_path) == {"a.html": "1", "b.html": "2"}
    assert list(tmp_path.glob(".kg-staged-*")) == []


@every_row("before", [{}, {"b.html": "2"}])
def test_what_was_altered_while_it_was_staged_is_not_believed(
    before: dict[str, str], tmp_path: Path
) -> None:
    write(tmp_path, before)
    with Writer(tmp_path) as writer:
        writer.put("a.html", "one")
        (staged,) = tmp_path.glob(".kg-staged-*")
        (staged / "a.html").write_text("bad")
        writer.commit()
    with Writer(tmp_path) as writer:
        assert not writer.is_intact("a.html")
        writer.put("a.html", "one")
        assert writer.commit().written == ("a.html",)


def test_what_was_staged_for_a_site_that_was_thrown_away_may_be_gone_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"a.html": "1"})
    _stop_before_moves(tmp_path, {"a.html": "one", "b/b.html": "2"}, monkeypatch)
    shutil.rmtree(tmp_path)
    write(tmp_path, {"a.html": "1"})
    assert site(tmp_path) == {"a.html": "1"}


def _file(place: Path) -> None:
    place.write_text("mine")


def _full_folder(place: Path) -> None:
    place.mkdir()
    (place / "mine").write_text("mine")


def _link(place: Path) -> None:
    (place.parent.parent / "elsewhere").mkdir()
    place.symlink_to(place.parent.parent / "elsewhere")


@every_row(("name", "make"), [("b", _file), ("b", _link), ("c.html", _full_folder)])
def test_an_obstacle_is_named_before_any_file_is_moved(
    name: str, make: Callable[[Path], None], tmp_path: Path
) -> None:
    write(tmp_path, {"a.html": "1"})
    make(tmp_path / "html" / name)
    new = {"a.html": "one", "b/b.html": "2", "c.html": "3"}
    with pytest.raises(PathBlocked, match=f"html.{name} .*move it away"):
        write(tmp_path, new)
    assert (tmp_path / "html" / "a.html").read_text() == "1"
    (tmp_path / "html" / name).rename(tmp_path / "aside")
    write(tmp_path, new)
    assert site(tmp_path) == new
    assert list((tmp_path / "elsewhere").iterdir() if make is _link else ()) == []


def test_the_first_site_appears_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moved: list[str] = []
    rename = FolderTree.rename
    monkeypatch.setattr(FolderTree, "rename", lambda *it: (moved.append(it[2]), rename(*it))[1])
    monkeypatch.setattr(FolderTree, "move", _stop)
    write(tmp_path, {"a.html": "1", "b/c.html": "2"})
    assert moved == ["html"]


def test_a_broken_manifest_costs_only_time(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": "1"})
    (room(tmp_path) / "manifest").write_text("{")
    with Writer(tmp_path) as writer:
        assert writer.anew == "its list of files is damaged"
        writer.put("a.html", "1")
        assert writer.commit().written == ("a.html",)


def test_a_reader_finds_a_file_that_a_build_replaces_as_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"a.js": "1", "b.js": "1"})
    last_build, read = LastBuild(tmp_path), FolderTree.read

    def read_late(tree: FolderTree, url: str) -> bytes:
        monkeypatch.undo()
        write(tmp_path, {"a.js": "2"})
        return read(tree, url)

    for url, content in {"a.js": b"2", "b.js": None}.items():
        monkeypatch.setattr(FolderTree, "read", read_late)
        assert last_build.read(url) == content
        write(tmp_path, {"a.js": "1", "b.js": "1"})
