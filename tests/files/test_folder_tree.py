"""No link below a folder is followed, by handles or, where there are none, by looking."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import sys
from pathlib import Path

import pytest

from kg.files import folder_tree as module
from kg.files.folder_tree import FolderTree, PathBlocked, open_folder_tree
from tests.support.every_row import every_row

LINKS = pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")


@pytest.fixture(params=["handles", "names"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways are tried on systems that know both."""
    if request.param == "names":
        monkeypatch.setattr(module, "CAN_OPEN_BY_HANDLE", False)
    elif not module.CAN_OPEN_BY_HANDLE:
        pytest.skip("this system has no handles of folders")


def files(folder: Path) -> dict[str, str]:
    return {
        place.relative_to(folder).as_posix(): place.read_text()
        for place in folder.rglob("*")
        if place.is_file()
    }


def test_files_are_made_read_moved_and_removed(tmp_path: Path) -> None:
    with FolderTree(tmp_path, "build/site") as tree:
        tree.create("a/b/c", b"1")
        tree.create("d", b"2")
        with pytest.raises(FileExistsError) as error:
            tree.create("d", b"3")
        assert error.value.filename == str(tmp_path / "build" / "site" / "d")
        assert tree.read("a/b/c") == b"1"
        tree.move("a/b/c", "e/f")
        tree.remove("d")
        tree.rename("e", "g")
        tree.create("g/h/i", b"4")
        assert {url for url, _ in tree.walk("g")} == {"f", "h/i"}
        tree.remove("g/f")
        assert files(tmp_path) == {"build/site/g/h/i": "4"}
        tree.remove("g/h/i")
        tree.remove("nothing/there")
        assert list(tree.walk("g")) == []
        tree.create("j/k", b"5")
        tree.make_folder("j/l/m")
        tree.remove_empty("a")
        tree.remove_empty("j")
        assert files(tmp_path / "build" / "site") == {"j/k": "5"}
        tree.remove_with_content("j")
    assert list((tmp_path / "build" / "site").iterdir()) == []


def test_many_folders_are_let_go_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_HANDLES", 8)
    with FolderTree(tmp_path) as tree:
        for number in range(24):
            tree.create(f"{number}/{'x/' * (number % 10)}a", b"")
        assert len(list(tree.walk(""))) == 24
        assert len(tree._handles) <= 8 + 10


def test_the_top_is_made_with_all_around_it(tmp_path: Path) -> None:
    with FolderTree(tmp_path / "a" / "b", "c") as tree:
        tree.create("d", b"1")
    assert files(tmp_path) == {"a/b/c/d": "1"}
    assert not (tmp_path / "a/b/c/d").stat().st_mode & 0o111, "nothing that is written can be run"


def test_with_handles_each_folder_is_opened_from_the_one_above(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, open_file = [], os.open

    def noted(path: str, flags: int, *rest: int, dir_fd: int | None = None) -> int:
        opened.append(str(path))
        return open_file(path, flags, *rest, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", noted)
    with FolderTree(tmp_path) as tree:
        tree.create("a/b/c", b"1")
    by_name = [str(tmp_path / "a" / "b" / "c")]
    by_handle = [str(tmp_path), "a", "b", "c"]
    assert opened == (by_handle if module.CAN_OPEN_BY_HANDLE else by_name)


@LINKS
def test_nothing_is_done_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "a").write_text("mine")
    work = tmp_path / "work"
    work.mkdir()
    (work / "link").symlink_to(tmp_path / "other")
    (work / "file").symlink_to(tmp_path / "other" / "a")
    (work / "gone").symlink_to(tmp_path / "other" / "new")
    with FolderTree(work) as tree:
        tree.create("mine", b"1")
        for do in (
            lambda: tree.create("link/new", b""),
            lambda: tree.read("link/a"),
            lambda: tree.move("mine", "link/a"),
            lambda: tree.move("link/a", "mine"),
            lambda: tree.make_folder("link/new"),
            lambda: list(tree.walk("link")),
        ):
            with pytest.raises(PathBlocked, match="link is a link, which is not followed"):
                do()
        with pytest.raises(OSError, match=r"link|symbolic"):
            tree.read("file")
        with pytest.raises(FileExistsError):
            tree.create("gone", b"")
        assert tree.stat("link/a") is None
        tree.remove("link/a")
        tree.remove_with_content("link")
        assert [url for url, _ in tree.walk("")].count("link") == 1
        tree.move("mine", "file")
    assert files(tmp_path / "other") == {"a": "mine"}
    assert not (work / "file").is_symlink()


@LINKS
def test_a_link_that_comes_later_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    with FolderTree(tmp_path / "work") as tree:
        tree.create("a/b", b"1")
        (tmp_path / "work" / "a").rename(tmp_path / "aside")
        (tmp_path / "work" / "a").symlink_to(tmp_path / "other")
        try:
            tree.create("a/c", b"2")
        except PathBlocked:
            pass
        else:
            assert module.CAN_OPEN_BY_HANDLE, "the folder itself is held, wherever it was put"
        tree.close()
        with pytest.raises(PathBlocked):
            tree.create("a/d", b"3")
    assert files(tmp_path / "other") == {}


@every_row("url", ["../x", "a/../../x", "..", "/x"])
def test_no_address_leads_outside(url: str, tmp_path: Path) -> None:
    with FolderTree(tmp_path / "work") as tree, pytest.raises(PathBlocked, match="leads outside"):
        tree.create(url, b"")


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "build").write_text("mine")
    with pytest.raises(PathBlocked, match="build is not a folder"):
        FolderTree(tmp_path, "build/site")
    with FolderTree(tmp_path) as tree, pytest.raises(PathBlocked, match="build is not a folder"):
        tree.create("build/a", b"")


@LINKS
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_only_files_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with FolderTree(tmp_path) as tree, pytest.raises(OSError, match="not a file"):
        tree.read("pipe")


@LINKS
def test_only_a_folder_that_is_nobodys_work_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "real" / "sub").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    open_folder_tree(tmp_path / "link" / "sub").close()
    with pytest.raises(PathBlocked):
        open_folder_tree(tmp_path / "link" / "sub", (tmp_path,))
    (tmp_path / "other").symlink_to(tmp_path)
    with pytest.raises(PathBlocked):
        open_folder_tree(tmp_path / "other" / "link" / "sub", (tmp_path,))
    open_folder_tree(tmp_path / "link" / "sub", (tmp_path / "real",)).close()


def test_a_folder_that_is_cleared_is_let_go_of(tmp_path: Path) -> None:
    with FolderTree(tmp_path) as tree:
        tree.create("a/b", b"1")
        tree.remove_with_content("a")
        tree.create("a/b", b"2")  # a handle of the folder that is gone would lead nowhere
    assert files(tmp_path) == {"a/b": "2"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no such pipes")
def test_no_file_replaces_a_pipe_link_or_folder(tmp_path: Path) -> None:
    made_file, to = tmp_path / "made", tmp_path / "place"
    made_file.write_text("made", "utf-8")
    for put in (
        lambda: os.mkfifo(to / "x"),
        lambda: (to / "x").symlink_to("/dev/null"),
        lambda: (to / "x").symlink_to("/proc/self/fd/1"),
        lambda: (to / "x").mkdir(),
    ):
        to.mkdir()
        put()
        before = os.lstat(to / "x").st_ino
        with (
            open_folder_tree(to) as tree,
            pytest.raises(PathBlocked, match="name a file to write to"),
        ):
            tree.move_in(made_file, "x")
        assert os.lstat(to / "x").st_ino == before
        assert made_file.read_text("utf-8") == "made"
        shutil.rmtree(to)
    to.mkdir()
    other = tmp_path / "other"
    other.write_text("other", "utf-8")
    (to / "x").symlink_to(other)
    with open_folder_tree(to) as tree:
        tree.move_in(made_file, "x")
    assert (to / "x").read_text("utf-8") == "made", "a link to a file is replaced"
    assert other.read_text("utf-8") == "other"


def test_folders_that_hold_nothing_after_an_error_are_taken_away(tmp_path: Path) -> None:
    def fail(top: Path, name: str, *, is_kept: bool) -> None:
        with FolderTree(top, "build/site") as tree:
            tree.create(name, b"1")
            if not is_kept:
                tree.remove(name)
            raise KeyError

    (tmp_path / "there").mkdir()
    for name in ("there", "new"):
        with pytest.raises(KeyError):
            fail(tmp_path / name, "deep/a", is_kept=False)
    assert [place.relative_to(tmp_path).as_posix() for place in tmp_path.rglob("*")] == ["there"]
    with pytest.raises(KeyError):
        fail(tmp_path / "there", "a", is_kept=True)
    assert files(tmp_path) == {"there/build/site/a": "1"}


@pytest.mark.parametrize("is_full_at", ["once", "halfway"])
def test_on_a_full_disk_no_part_of_a_file_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_full_at: str
) -> None:
    write, sizes = os.write, []

    def write_half(handle: int, data: memoryview) -> int:
        if is_full_at == "once" or sizes:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        sizes.append(write(handle, data[: len(data) // 2]))
        return sizes[0]

    with FolderTree(tmp_path) as tree:
        tree.create("before", b"1")
        with monkeypatch.context() as full_disk:
            full_disk.setattr(os, "write", write_half)
            with pytest.raises(OSError, match="No space") as raised:
                tree.create("a/new", b"1234")
        assert raised.value.filename == str(tmp_path / "a" / "new")
        assert files(tmp_path) == {"before": "1"}
        tree.create("a/new", b"1234")
    assert files(tmp_path) == {"before": "1", "a/new": "1234"}


def test_of_several_new_files_none_is_left_if_one_exists(tmp_path: Path) -> None:
    (tmp_path / "b").write_text("mine")
    with FolderTree(tmp_path) as tree:
        with pytest.raises(FileExistsError) as raised:
            tree.create_whole({"a/new": b"1", "b": b"2", "c": b"3"})
        assert raised.value.filename == str(tmp_path / "b")
        assert files(tmp_path) == {"b": "mine"}
        tree.create_whole({"a/new": b"1", "c": b"3"})
    assert files(tmp_path) == {"b": "mine", "a/new": "1", "c": "3"}


def test_a_file_is_written_whole_by_a_system_that_writes_less_than_it_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: write(handle, data[:3]))
    with FolderTree(tmp_path) as tree:
        tree.create("a", b"12345678")
    assert files(tmp_path) == {"a": "12345678"}


@pytest.mark.skipif(sys.platform == "win32", reason="rights are others there")
def test_a_folder_has_the_rights_of_another(tmp_path: Path) -> None:
    with FolderTree(tmp_path, "site") as tree:
        tree.make_folder("one")
        tree.make_folder("other")
        one, other = (tmp_path / "site" / name for name in ("one", "other"))
        one.chmod(0o750)
        other.chmod(0o705)
        tree.copy_access_rights("one", "other")
    rights = 0o750 if module.CAN_OPEN_BY_HANDLE else 0o705
    assert [stat.S_IMODE(place.stat().st_mode) for place in (one, other)] == [0o750, rights]
