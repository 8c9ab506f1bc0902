from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kg.model.config import Site
from kg.publish import shell
from kg.publish.inputs import find_inputs
from kg.publish.shell import ShellError, build_shell


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    return Path(shutil.copytree(find_inputs(), tmp_path / "inputs"))


def test_the_shell_is_built_once_until_something_it_rests_on_changes(
    inputs: Path, tmp_path: Path
) -> None:
    before = sorted(inputs.rglob("*"))
    first = build_shell(inputs, tmp_path)
    again = build_shell(inputs, tmp_path)
    assert (first.built, again.built) == (True, False)
    assert first.folder == again.folder
    assert sorted(inputs.rglob("*")) == before, "MkDocs must never see the inputs themselves"
    main = inputs / "overrides" / "main.html"
    main.write_text(main.read_text("utf-8") + "{# changed #}", "utf-8")
    changed = build_shell(inputs, tmp_path)
    assert changed.built
    assert [place.name for place in (tmp_path / "shell").iterdir()] == [changed.folder.parent.name]


def test_pages_written_by_hand_are_rendered_whole(inputs: Path, tmp_path: Path) -> None:
    (inputs / "pages").mkdir(exist_ok=True)
    (inputs / "pages" / "own.md").write_text("# Own page\n\nSome *words*.\n", "utf-8")
    found = build_shell(inputs, tmp_path)
    assert "own.html" in found.written
    assert "own.html" not in found.stencils
    assert "Some <em>words</em>." in (found.folder / "own.html").read_text("utf-8")


def test_a_builder_that_is_not_installed_is_named(
    inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(shell.PACKAGES, "properdocs", ("no-such-package",))
    with pytest.raises(ShellError, match="no-such-package"):
        build_shell(inputs, tmp_path, Site(builder="properdocs"))


def test_what_mkdocs_says_reaches_the_user(inputs: Path, tmp_path: Path) -> None:
    (inputs / "mkdocs.yml").write_text("theme: {name: nonesuch}\nnav: []\n", "utf-8")
    with pytest.raises(ShellError, match="nonesuch"):
        build_shell(inputs, tmp_path)
    assert list((tmp_path / "shell").iterdir()) == []
