"""A folder of files is replaced as a whole: what was written, and what stays."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.publish.build.writer import BadAddress, CommitResult, Writer
from tests.publish.build.written_site import site, write
from tests.support.effort import examples
from tests.support.every_row import every_row

NAMES = st.sampled_from(
    ["index.html", "a.html", "A.html", "b/a.html", "b/c.html", "B/c.html", "b/d/e.json", "f", "f/g"]
)
SITES = st.dictionaries(NAMES, st.sampled_from(["one", "two", "naïve"]))


def without_rivals(files: dict[str, str]) -> dict[str, str]:
    """What a site can hold: no names that differ by case alone, no file where a folder goes."""
    kept_files: dict[str, str] = {}
    folded: set[str] = set()
    for url, content in files.items():
        above = {url.casefold()[:position] for position, c in enumerate(url) if c == "/"}
        below = any(other.startswith(url.casefold() + "/") for other in folded)
        if url.casefold() not in folded and not above & folded and not below:
            kept_files[url] = content
            folded.add(url.casefold())
    return kept_files


@examples(8)
@given(history=st.lists(SITES, min_size=1, max_size=4))
def test_a_site_holds_what_the_last_build_put(
    history: list[dict[str, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    work = tmp_path_factory.mktemp("work")
    for files in map(without_rivals, history):
        write(work, files)
        assert site(work) == files


def test_only_what_changed_is_written(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": "1", "b.html": "2", "c.html": "3"})
    inode = (tmp_path / "html" / "a.html").stat().st_ino
    commit = write(tmp_path, {"a.html": "1", "b.html": "two"})
    assert commit == CommitResult(written=("b.html",), unchanged=1, removed=("c.html",))
    assert (tmp_path / "html" / "a.html").stat().st_ino == inode


def test_a_file_that_someone_changed_is_put_right(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": "1", "b.html": "2"})
    (tmp_path / "html" / "a.html").write_text("scribble")
    (tmp_path / "html" / "b.html").unlink()
    assert write(tmp_path, {"a.html": "1", "b.html": "2"}).written == ("a.html", "b.html")
    assert site(tmp_path) == {"a.html": "1", "b.html": "2"}


def test_a_file_of_the_same_content_is_kept_whatever_its_times(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": "1"})
    os.utime(tmp_path / "html" / "a.html", (1, 1))
    with Writer(tmp_path) as writer:
        assert writer.is_intact("a.html")
        assert writer.keep("a.html")
        assert writer.commit() == CommitResult((), unchanged=1)


def test_a_file_of_another_content_is_written_though_it_looks_the_same(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": "1"})
    place = tmp_path / "html" / "a.html"
    before = place.stat().st_mtime_ns
    place.write_text("2")
    os.utime(place, ns=(before, before))
    assert write(tmp_path, {"a.html": "1"}).written == ("a.html",)
    assert site(tmp_path) == {"a.html": "1"}


def test_what_was_not_written_here_is_never_removed(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": "1"})
    (tmp_path / "html" / "CNAME").write_text("example.org")
    write(tmp_path, {"b.html": "2"})
    assert site(tmp_path) == {"b.html": "2", "CNAME": "example.org"}


def test_a_build_that_fails_leaves_the_site_as_it_was(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": "1", "b.html": "2"})
    with pytest.raises(BadAddress):
        write(tmp_path, {"a.html": "changed", "new.html": "new", "../outside": ""})
    assert site(tmp_path) == {"a.html": "1", "b.html": "2"}
    assert [place.name for place in tmp_path.iterdir()] == ["html"]


def test_a_file_that_stands_where_one_was_written_is_not_removed(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": "1", "b.html": "2"})
    (tmp_path / "html" / "b.html").write_text("mine")
    assert write(tmp_path, {"a.html": "1"}).removed == ()
    assert site(tmp_path) == {"a.html": "1", "b.html": "mine"}


def test_a_copy_of_what_was_written_is_removed(tmp_path: Path) -> None:
    """Such as one that came back from a backup, with times of its own."""
    write(tmp_path, {"a.html": "1", "b.html": "2"})
    os.utime(tmp_path / "html" / "b.html", (1, 1))
    assert write(tmp_path, {"a.html": "1"}).removed == ("b.html",)
    assert site(tmp_path) == {"a.html": "1"}


def test_a_file_takes_the_place_of_empty_folders(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": "1"})
    (tmp_path / "html" / "b.html" / "empty").mkdir(parents=True)
    write(tmp_path, {"a.html": "1", "b.html": "2"})
    assert site(tmp_path) == {"a.html": "1", "b.html": "2"}


def test_nothing_is_removed_through_a_link(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": "1", "b/b.html": "2"})
    (tmp_path / "html" / "b").rename(tmp_path / "elsewhere")
    (tmp_path / "html" / "b").symlink_to(tmp_path / "elsewhere")
    write(tmp_path, {"a.html": "1"})
    assert (tmp_path / "elsewhere" / "b.html").exists()


@every_row(
    "url",
    [
        *("../a.html", "/a.html", "a/../b.html", "a//b", "", "a\\b", "C:/a", "a\0", "a ", "./a"),
        *("a.", "b./a", "a\n", ".", "..", "a/.."),
    ],
)
def test_no_address_leads_outside_the_site(url: str, tmp_path: Path) -> None:
    with Writer(tmp_path) as writer, pytest.raises(BadAddress):
        writer.put(url, "x")


def test_two_pages_cannot_share_an_address(tmp_path: Path) -> None:
    with Writer(tmp_path) as writer:
        writer.put("a.html", "1")
        with pytest.raises(BadAddress, match="case alone"):
            writer.put("A.html", "2")
        with pytest.raises(BadAddress, match="two pages"):
            writer.put("a.html", "3")
