from __future__ import annotations

import os
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kg.files.cache_files import STAGING_PREFIX
from kg.files.locks import LOCK, LockTimeout, hold_lock
from kg.model.settings.config import Site
from kg.publish.build.theme import shell
from kg.publish.build.theme.shell import (
    METHOD_PAGES,
    ShellError,
    build_shell,
    build_shell_meanwhile,
    find_assets,
    get_inputs,
)
from tests.support.corpora import corpus_of_notes

pytestmark = pytest.mark.integration


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    return Path(shutil.copytree(get_inputs(), tmp_path / "inputs"))


def test_the_shell_is_built_once_until_something_it_rests_on_changes(
    inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = sorted(inputs.rglob("*"))
    first = build_shell(inputs, shells(tmp_path))
    monkeypatch.setattr(shell, "run_builder", fail)
    assert build_shell(inputs, shells(tmp_path)) == first
    assert sorted(inputs.rglob("*")) == before, "MkDocs must never see the inputs themselves"
    change(inputs)
    build_in_no_time(monkeypatch)
    assert build_shell(inputs, shells(tmp_path)).folder != first.folder


def shells(work: Path) -> Path:
    folder = work / "shells"
    folder.mkdir(exist_ok=True)
    return folder


def change(inputs: Path) -> None:
    main = inputs / "overrides" / "main.html"
    main.write_text(main.read_text("utf-8") + "{# changed #}", "utf-8")


def kept_shells(work: Path) -> set[str]:
    return {place.name for place in (work / "shells").iterdir() if place.is_dir()}


def build_in_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(folder: Path, _: str) -> None:
        (folder / "html").mkdir()
        (folder / "html" / "index.html").write_text("x")

    monkeypatch.setattr(shell, "run_builder", run)


def test_a_shell_is_built_while_something_else_is_done(
    inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build_in_no_time(monkeypatch)
    monkeypatch.setattr(shell, "can_fork", lambda: True)
    monkeypatch.setattr(shell, "shared_state_folder", lambda _: shells(tmp_path))
    with build_shell_meanwhile(inputs, Site()):
        pass
    monkeypatch.setattr(shell, "run_builder", fail)
    build_shell(inputs)
    change(inputs)
    with build_shell_meanwhile(inputs, Site()):
        pass
    with pytest.raises(ShellError):
        build_shell(inputs)


def fail(folder: Path, _: str) -> None:
    raise ShellError(f"nothing in {folder}")


def test_shells_that_were_asked_for_lately_stay(
    inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process may be reading the shell before."""
    build_in_no_time(monkeypatch)
    (shells(tmp_path) / "somebody's").mkdir(parents=True)
    os.utime(shells(tmp_path) / "somebody's", (1, 1))
    names = []
    for age in range(shell.SHELLS_KEPT + 2, 0, -1):
        place = build_shell(inputs, shells(tmp_path)).folder.parent
        os.utime(place, (time.time() - age, time.time() - age))
        names.append(place.name)
        change(inputs)
    assert kept_shells(tmp_path) == {"somebody's", *names[1:]}


def test_what_a_killed_build_left_is_removed(
    inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build_in_no_time(monkeypatch)
    (tmp_path / "shells" / f"{STAGING_PREFIX}ab12_xyz" / "html").mkdir(parents=True)
    whole = build_shell(inputs, shells(tmp_path)).folder.parent
    assert kept_shells(tmp_path) == {whole.name}


def test_one_process_builds_while_others_wait(
    inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A draft that is being built is nobody else's to remove."""
    runs: list[Path] = []

    def run(folder: Path, _: str) -> None:
        runs.append(folder)
        with pytest.raises(LockTimeout), hold_lock(folder.parent / LOCK, "x", 0.0):
            pass
        (folder / "html").mkdir()
        (folder / "html" / "index.html").write_text("x")

    monkeypatch.setattr(shell, "run_builder", run)
    with ThreadPoolExecutor(2) as pool:
        first, other = pool.map(lambda _: build_shell(inputs, shells(tmp_path)), range(2))
    assert first == other
    assert len(runs) == 1


def test_pages_written_by_hand_are_rendered_whole(inputs: Path, tmp_path: Path) -> None:
    (inputs / "pages").mkdir(exist_ok=True)
    (inputs / "pages" / "own.md").write_text("# Own page\n\nSome *words*.\n", "utf-8")
    shell = build_shell(inputs, shells(tmp_path))
    assert "own.html" in shell.written_pages
    assert "own.html" not in shell.stencils
    assert "Some <em>words</em>." in (shell.folder / "own.html").read_text("utf-8")


def test_how_answers_come_about_is_on_every_site_without_links_to_other_documentation(
    inputs: Path, tmp_path: Path
) -> None:
    docs = inputs.parent / "docs"
    docs.mkdir()
    text = (
        "# Method\n\nSee [grades](quality.md), [rules](#all) and [the format](note-format.md#x).\n"
    )
    for name in METHOD_PAGES:
        docs.joinpath(name).write_text(text, "utf-8")
    shell = build_shell(inputs, shells(tmp_path))
    for name in METHOD_PAGES:
        address = name.replace(".md", ".html")
        assert address in shell.written_pages
        html = (shell.folder / address).read_text("utf-8")
        assert 'href="quality.html"' in html
        assert 'href="#all"' in html
        assert "the format" in html
        assert "note-format" not in html


def test_a_builder_that_is_not_installed_is_named(
    inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(shell.PACKAGES, "properdocs", ("no-such-package",))
    with pytest.raises(ShellError, match="no-such-package"):
        build_shell(inputs, shells(tmp_path), Site(builder="properdocs"))


def test_what_mkdocs_says_reaches_the_user(inputs: Path, tmp_path: Path) -> None:
    (inputs / "mkdocs.yml").write_text("theme: {name: nonesuch}\nnav: []\n", "utf-8")
    with pytest.raises(ShellError, match="nonesuch"):
        build_shell(inputs, shells(tmp_path))
    assert kept_shells(tmp_path) == set()


@pytest.mark.parametrize("name", ["index.html", "assets/new.js", "../seal"])
def test_a_shell_that_is_not_as_it_was_built_is_built_anew(
    name: str, inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build_in_no_time(monkeypatch)
    folder = build_shell(inputs, shells(tmp_path)).folder
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text("<script>alert(1)</script>")
    again = build_shell(inputs, shells(tmp_path))
    kept_files = [place for place in folder.parent.rglob("*") if place.is_file()]
    assert not any(b"alert" in place.read_bytes() for place in kept_files)
    assert [place.read_text() for place in again.folder.rglob("*")] == ["x"]


def test_where_nothing_can_be_remembered_a_shell_goes_with_the_process(
    inputs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build_in_no_time(monkeypatch)
    monkeypatch.setenv("KG_CACHE_DIR", "/dev/null/x")
    shell._temporary_shells.cache_clear()  # whatever test of this process came here before
    first = build_shell(inputs)
    monkeypatch.setattr(shell, "run_builder", fail)
    assert build_shell(inputs) == first
    shell._temporary_shells.cache_clear()  # nor does a later test of this process find it


def test_the_script_that_draws_graphs_and_the_styles_come_with_every_site() -> None:
    assets = {asset.path: asset.content for asset in find_assets(corpus_of_notes())}
    assert assets["assets/vis-network.min.js"].startswith(b"/**")
    assert {"assets/camps.css", "assets/relations.css"} <= assets.keys()
