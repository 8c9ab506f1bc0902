"""A changed site takes the place of the old one in one step, where folders can be exchanged.

Of `kg/files/folder_exchange.py`, too.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from kg.files import folder_tree
from kg.files.twin_folder import TwinFolder
from kg.publish.build.writer import Writer
from kg.serve.site_server import LastBuild
from tests.publish.build.written_site import (
    AFTER,
    BEFORE,
    CALLS,
    EXCHANGE,
    files_in,
    refuse,
    site,
    write,
)
from tests.support.every_row import every_row

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="no such call of the system")


def twins(work: Path) -> list[Path]:
    return list(work.glob(".kg-twin-*"))


def record_exchanges(patch: pytest.MonkeyPatch) -> list[str]:
    """The folders that are exchanged with another from now on: a list that grows."""
    exchanges: list[str] = []
    exchange = folder_tree.exchange_folders

    def exchange_and_record(one: str, position: int, other: str, target: int) -> None:
        exchange(one, position, other, target)
        exchanges.append(other)

    patch.setattr(EXCHANGE, exchange_and_record)
    return exchanges


@every_row("twin", ["made", "there already"])
def test_a_reader_sees_the_files_of_one_build_at_any_moment(
    twin: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, BEFORE)
    if twin == "there already":
        write(tmp_path, AFTER)
        write(tmp_path, BEFORE)
    sites: list[dict[str, str]] = []

    def recording_site(call: Callable[..., Any]) -> Callable[..., Any]:
        def record_site_and_call(*arguments: Any, **keywords: Any) -> Any:
            with monkeypatch.context() as patch:
                for name, system_call in system_calls.items():
                    patch.setattr(os, name, system_call)
                sites.append(site(tmp_path))
            return call(*arguments, **keywords)

        return record_site_and_call

    system_calls = {name: getattr(os, name) for name in CALLS}
    for name, call in system_calls.items():
        monkeypatch.setattr(os, name, recording_site(call))
    monkeypatch.setattr(EXCHANGE, recording_site(folder_tree.exchange_folders))
    write(tmp_path, AFTER)
    assert all(files in (BEFORE, AFTER) for files in sites)
    assert sites[0] == BEFORE
    assert sites[-1] == AFTER
    assert len(sites) > len(AFTER)


def test_unchanged_files_are_neither_written_nor_read_again(tmp_path: Path) -> None:
    files = {f"{number}.html": str(number) for number in range(5)}
    write(tmp_path, files)
    place = tmp_path / "html" / "0.html"
    number, status = place.stat().st_ino, place.stat().st_mtime_ns
    for text in ("first", "second"):
        assert write(tmp_path, {**files, "4.html": text}).written == ("4.html",)
        assert (place.stat().st_ino, place.stat().st_mtime_ns) == (number, status)
    with Writer(tmp_path) as writer, pytest.MonkeyPatch.context() as patch:
        patch.setattr("kg.publish.build.writer.has_content", lambda *_: 1 / 0)
        assert all(map(writer.keep, files))


def test_an_open_handle_of_the_folder_finds_the_new_files(tmp_path: Path) -> None:
    write(tmp_path, BEFORE)
    handle = os.open(tmp_path / "html", os.O_RDONLY)
    before = os.getcwd()
    try:
        for files in (AFTER, BEFORE, AFTER):
            write(tmp_path, files)
            os.fchdir(handle)
            assert files_in(Path()) == files == site(tmp_path)
    finally:
        os.chdir(before)
        os.close(handle)


def test_the_twin_is_whole_after_a_run_that_was_killed_between_link_and_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, BEFORE)
    link = folder_tree.FolderTree.link

    def link_and_stop(self: folder_tree.FolderTree, path: str, to: str) -> None:
        link(self, path, to)
        if to.startswith(".kg-staged-"):
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(folder_tree.FolderTree, "link", link_and_stop)
        with pytest.raises(KeyboardInterrupt):
            write(tmp_path, AFTER)
    with Writer(tmp_path):  # which first does again what the killed run left
        pass
    (twin,) = twins(tmp_path)
    assert files_in(twin) == site(tmp_path) == AFTER


@every_row("name", ["CNAME", "f/mine", "uploads/", "uploads/mine"])
def test_where_something_else_stands_nothing_takes_its_place(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, AFTER)
    write(tmp_path, BEFORE)
    assert twins(tmp_path)
    place = tmp_path / "html" / name
    place.parent.mkdir(exist_ok=True)
    place.mkdir() if name.endswith("/") else place.write_text("mine")
    exchanges, number = record_exchanges(monkeypatch), (tmp_path / "html").stat().st_ino
    write(tmp_path, {**BEFORE, "a.html": "new"})
    assert place.exists()
    assert (tmp_path / "html").stat().st_ino == number
    assert exchanges == twins(tmp_path) == []
    assert site(tmp_path)["a.html"] == "new"


def test_what_comes_while_the_folders_are_exchanged_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, BEFORE)
    exchange = TwinFolder.exchange

    def put_file_and_exchange(self: TwinFolder) -> None:
        (tmp_path / "html" / "CNAME").write_text("example.org")
        exchange(self)

    monkeypatch.setattr(TwinFolder, "exchange", put_file_and_exchange)
    write(tmp_path, AFTER)
    assert site(tmp_path) == {**AFTER, "CNAME": "example.org"}


@every_row(
    ("refused", "exchanges"),
    [("always", []), ("of the site alone", ["2", "html"]), ("second names", [])],
)
def test_where_folders_cannot_be_exchanged_files_are_moved(
    refused: str, exchanges: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exchange, attempts = folder_tree.exchange_folders, []

    def record_and_refuse_site(one: str, position: int, other: str, target: int) -> None:
        attempts.append(other)
        refuse() if other == "html" else exchange(one, position, other, target)

    if refused == "second names":
        monkeypatch.setattr(os, "link", refuse)
    else:
        refusal = refuse if refused == "always" else record_and_refuse_site
        monkeypatch.setattr(EXCHANGE, refusal)
    for files in (BEFORE, {**BEFORE, "a.html": "new"}) * 2:
        write(tmp_path, files)
        assert site(tmp_path) == files
        assert [place.name for place in tmp_path.iterdir()] == ["html"]
    assert attempts == exchanges  # once, and not again


@every_row("killed", [False, True])
def test_a_site_on_a_disk_of_its_own_is_built_with_each_file_whole(
    killed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a volume is mounted at its folder: nothing can be moved or linked there."""

    def failing_across_disks(call: Callable[..., Any]) -> Callable[..., Any]:
        def fail_or_call(self: folder_tree.FolderTree, url: str, to: str) -> None:
            if {"html"} < {url.partition("/")[0], to.partition("/")[0]}:
                raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
            call(self, url, to)

        return fail_or_call

    (tmp_path / "html").mkdir()
    for name in ("move", "link", "rename", "exchange"):
        call = getattr(folder_tree.FolderTree, name)
        monkeypatch.setattr(folder_tree.FolderTree, name, failing_across_disks(call))
    create, urls = folder_tree.FolderTree.create, []

    def create_and_stop(self: folder_tree.FolderTree, url: str, data: bytes) -> None:
        create(self, url, data)
        urls.append(url)
        if killed and url.startswith("html/.kg-"):
            monkeypatch.setattr(folder_tree.FolderTree, "create", create)
            raise KeyboardInterrupt

    for files in (BEFORE, AFTER, BEFORE):
        monkeypatch.setattr(folder_tree.FolderTree, "create", create_and_stop)
        with suppress(KeyboardInterrupt):
            write(tmp_path, files)
        write(tmp_path, files)
        assert site(tmp_path) == files
        assert [place.name for place in tmp_path.iterdir()] == ["html"]
    assert any(url.startswith("html/.kg-") for url in urls)


def test_where_folders_could_not_be_exchanged_another_site_is_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, BEFORE)
    exchange = folder_tree.exchange_folders
    with monkeypatch.context() as patch:
        refused = lambda *it: refuse() if it[2] == "html" else exchange(*it)  # noqa: E731
        patch.setattr(EXCHANGE, refused)
        write(tmp_path, {**BEFORE, "a.html": "first"})
    exchanges = record_exchanges(monkeypatch)
    write(tmp_path, {**BEFORE, "a.html": "new"})
    assert exchanges == []
    (tmp_path / "html").rename(tmp_path / "aside")
    shutil.copytree(tmp_path / "aside", tmp_path / "html")
    write(tmp_path, {**BEFORE, "a.html": "newer"})
    assert "html" in exchanges


def test_rights_and_attributes_of_the_folder_survive_a_build(tmp_path: Path) -> None:
    write(tmp_path, BEFORE)
    html = tmp_path / "html"
    html.chmod(0o2751)
    (html / "f").chmod(0o711)
    try:
        os.setxattr(html, "user.kg", b"label")
    except OSError:
        pytest.skip("this disk keeps no attributes")
    for text in ("1", "2", "3"):
        write(tmp_path, {**BEFORE, "a.html": text})
        assert stat.S_IMODE(html.stat().st_mode) == 0o2751
        assert stat.S_IMODE((html / "f").stat().st_mode) == 0o711
        assert os.getxattr(html, "user.kg") == b"label"


@every_row("what", ["gone", "emptied", "a link", "a file", "altered", "more"])
def test_a_twin_that_others_changed_changes_no_site(what: str, tmp_path: Path) -> None:
    work = tmp_path / "work"
    write(work, AFTER)
    write(work, BEFORE)
    (twin,) = twins(work)
    aside, theirs = tmp_path / "aside", {"index.html": "theirs"}
    if what in ("gone", "a link", "a file"):
        twin.rename(aside)
        (tmp_path / "theirs").mkdir()
        (tmp_path / "theirs" / "index.html").write_text("theirs")
    if what == "a link":
        twin.symlink_to(tmp_path / "theirs")
    elif what == "a file":
        twin.write_text("theirs")
    elif what == "emptied":
        (twin / "x.js").unlink()
    elif what == "altered":
        (twin / "x.js").unlink()
        (twin / "x.js").write_text("bad")
    elif what == "more":
        (twin / "f" / "h.html").write_text("bad")
    for files in ({**BEFORE, "a.html": "new"}, AFTER, BEFORE):
        write(work, files)
        assert site(work) == files
    assert LastBuild(work).read("x.js") == BEFORE["x.js"].encode()
    if what == "a link":
        assert files_in(tmp_path / "theirs") == theirs


def test_files_whose_times_or_rights_changed_are_still_what_was_built(tmp_path: Path) -> None:
    write(tmp_path, BEFORE)
    os.utime(tmp_path / "html" / "a.html", (1, 1))
    (tmp_path / "html" / "x.js").chmod(0o600)
    assert write(tmp_path, BEFORE).written == ()
    with Writer(tmp_path) as writer:
        assert all(map(writer.keep, BEFORE))
