from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.publish import writer as module
from kg.publish.writer import BadAddress, Writer, Written, finish_commit

NAMES = st.sampled_from(
    ["index.html", "a.html", "A.html", "b/a.html", "b/c.html", "B/c.html", "b/d/e.json", "f", "f/g"]
)
SITES = st.dictionaries(NAMES, st.sampled_from(["one", "two", "naïve"]))


def write(work: Path, files: Mapping[str, str]) -> Written:
    with Writer(work) as writer:
        for url, content in files.items():
            writer.put(url, content)
        return writer.commit()


def site(work: Path) -> dict[str, str]:
    html = work / "html"
    return {
        place.relative_to(html).as_posix(): place.read_text("utf-8")
        for place in html.rglob("*")
        if place.is_file()
    }


def without_rivals(files: dict[str, str]) -> dict[str, str]:
    """What a site can hold: no names that differ by case alone, no file where a folder goes."""
    kept: dict[str, str] = {}
    folded: set[str] = set()
    for url, content in files.items():
        above = {url.casefold()[:at] for at, c in enumerate(url) if c == "/"}
        below = any(other.startswith(url.casefold() + "/") for other in folded)
        if url.casefold() not in folded and not above & folded and not below:
            kept[url] = content
            folded.add(url.casefold())
    return kept


@settings(max_examples=30, deadline=None)
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
    kept = (tmp_path / "html" / "a.html").stat().st_ino
    done = write(tmp_path, {"a.html": "1", "b.html": "two"})
    assert done == Written(written=("b.html",), unchanged=1, removed=("c.html",))
    assert (tmp_path / "html" / "a.html").stat().st_ino == kept


def test_a_file_that_someone_changed_is_put_right(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": "1", "b.html": "2"})
    (tmp_path / "html" / "a.html").write_text("scribble")
    (tmp_path / "html" / "b.html").unlink()
    assert write(tmp_path, {"a.html": "1", "b.html": "2"}).written == ("a.html", "b.html")
    assert site(tmp_path) == {"a.html": "1", "b.html": "2"}


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
    assert sorted(place.name for place in tmp_path.iterdir()) == ["html", "lock", "manifest.json"]


@pytest.mark.parametrize("survived", range(5))
def test_a_killed_commit_is_finished_by_the_next_build(
    survived: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {"a.html": "1", "b.html": "2", "gone.html": "3", "x.js": "4"}
    after = {"a.html": "one", "b.html": "two", "new/c.html": "three", "x.js": "four"}
    write(tmp_path, before)
    monkeypatch.setattr(module.shutil, "rmtree", lambda *_, **__: None)
    with monkeypatch.context() as patch:
        _kill_after(survived, patch)
        with pytest.raises(KeyboardInterrupt):
            write(tmp_path, after)
    assert (tmp_path / "commit.json").exists()
    finish_commit(tmp_path)
    assert site(tmp_path) == after
    assert write(tmp_path, after).written == ()


def _kill_after(moves: int, patch: pytest.MonkeyPatch) -> None:
    """Let the journal and so many files be moved, then stop as if killed."""
    left = [moves + 1]
    replace = os.replace

    def replace_some(source: str, target: str) -> None:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        replace(source, target)

    patch.setattr(module.os, "replace", replace_some)


def test_the_first_site_appears_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moved: list[Path] = []
    rename = Path.rename
    monkeypatch.setattr(Path, "rename", lambda self, to: (moved.append(self), rename(self, to))[1])
    write(tmp_path, {"a.html": "1", "b/c.html": "2"})
    assert moved == [tmp_path / "staged"]


@pytest.mark.parametrize(
    "url", ["../a.html", "/a.html", "a/../b.html", "a//b", "", "a\\b", "C:/a", "a\0", "a ", "./a"]
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


def test_a_broken_manifest_costs_only_time(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": "1"})
    (tmp_path / "manifest.json").write_text("{")
    assert write(tmp_path, {"a.html": "1"}).written == ("a.html",)
