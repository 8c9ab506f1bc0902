"""Corpora read from git: every state of the clone that people meet."""

from __future__ import annotations

import json
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from kg.cli import run
from kg.git.committed_files import NoRevision
from kg.history import revision
from kg.history.find_changes import diff
from kg.history.revision import load_revision
from kg.loader import load_corpus
from kg.model.settings.config import ConfigError

pytestmark = pytest.mark.integration

CLAIM = "---\ntype: claim\ncamp: believer\n---\n\n# {0}\n"
CAMPS = "[[camps]]\nid = 'believer'\nlabel = 'Believer'\n"


def git(folder: Path, *arguments: str) -> None:
    name = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", str(folder), *name, *arguments], check=True, capture_output=True)


def write(folder: Path, **notes: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in notes.items():
        (folder / f"{name}.md").write_text(text, "utf-8")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Two commits, and a change that is not committed."""
    top = tmp_path / "project"
    write(top / "notes", a=CLAIM.format("A"), ünter=CLAIM.format("Ü"))
    (top / "kg.toml").write_text(CAMPS, "utf-8")
    git(top, "init", "-q", "-b", "main")
    git(top, "add", ".")
    git(top, "commit", "-q", "-m", "one")
    git(top, "tag", "one")
    write(top / "notes", b=CLAIM.format("B"))
    git(top, "add", ".")
    git(top, "commit", "-q", "-m", "two")
    write(top / "notes", c=CLAIM.format("C"))
    return top


def test_a_revision_is_the_corpus_of_its_time(project: Path) -> None:
    old = load_revision(project / "notes", "one")
    assert sorted(old.statements) == ["a", "ünter"]
    assert old.config.camp_ids == ("believer",)
    assert not old.diagnostics
    assert sorted(load_revision(project / "notes", "HEAD").statements) == ["a", "b", "ünter"]
    assert old.folder is None


def test_a_dirty_tree_is_compared_as_it_lies(project: Path) -> None:
    corpus_here = load_corpus(project / "notes")
    assert diff(load_revision(project / "notes", "HEAD"), corpus_here).added == ("c",)
    assert diff(load_revision(project / "notes", "one"), corpus_here).added == ("b", "c")


def test_a_revision_is_read_where_notes_are_at_the_top_of_the_repository(tmp_path: Path) -> None:
    write(tmp_path, a=CLAIM.format("A"))
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "one")
    assert list(load_revision(tmp_path, "HEAD").statements) == ["a"]


BIB = "@misc{{{0}, title = {{T}}, year = 2020}}\n"


@pytest.mark.parametrize("home", ["", "deep/er/"])
def test_bibliographies_beside_the_notes_are_read(tmp_path: Path, home: str) -> None:
    top = tmp_path / home
    write(top / "notes", a=CLAIM.format("A"))
    files = {
        "kg.toml": "bibliographies = ['library/theirs.bib']\n",
        "My Library.bib": BIB.format("beside"),
        "library/theirs.bib": BIB.format("named"),
        "library/others.bib": BIB.format("unnamed"),
        ".hidden.bib": BIB.format("hidden"),
    }
    for name, text in files.items():
        (top / name).parent.mkdir(exist_ok=True)
        (top / name).write_text(text, "utf-8")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "one")
    old = load_revision(top / "notes", "HEAD")
    assert sorted(old.sources) == ["beside", "named"] == sorted(load_corpus(top / "notes").sources)


def test_a_note_is_read_up_to_the_size_of_a_note(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = (project / "notes" / "a.md").stat().st_size
    for limit, is_read in ((size, True), (size - 1, False)):
        monkeypatch.setattr(revision, "MAX_NOTE_BYTES", limit)
        assert ("a" in load_revision(project / "notes", "HEAD").statements) is is_read


def test_symbolic_links_are_not_followed(project: Path) -> None:
    (project / "notes" / "link.md").symlink_to(project / "kg.toml")
    git(project, "add", ".")
    git(project, "commit", "-q", "-m", "three")
    assert sorted(load_revision(project / "notes", "HEAD").statements) == ["a", "b", "c", "ünter"]


def test_unknown_revisions_say_what_helps(project: Path, tmp_path: Path) -> None:
    with pytest.raises(NoRevision, match="knows no revision 'nope'; `git log --oneline`"):
        load_revision(project / "notes", "nope")
    with pytest.raises(NoRevision, match="knows no revision '--output=x'"):
        load_revision(project / "notes", "--output=x")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth", "1", project.as_uri(), str(clone))
    with pytest.raises(NoRevision, match=r"this clone is shallow.*git fetch --unshallow"):
        load_revision(clone / "notes", "HEAD~1")
    write(tmp_path / "bare", a=CLAIM.format("A"))
    with pytest.raises(NoRevision, match="no history to compare with"):
        load_revision(tmp_path / "bare", "HEAD")


@pytest.mark.parametrize("name", ["^one", "^HEAD", "one..HEAD", "HEAD^!", "HEAD^@"])
def test_a_name_of_no_single_revision_is_refused_in_one_message(project: Path, name: str) -> None:
    with pytest.raises(NoRevision) as error:
        load_revision(project / "notes", name)
    assert str(error.value) == (
        f"git knows no revision {name!r}; `git log --oneline` lists the revisions"
    )


@pytest.mark.parametrize("place", ["kg.toml", "notes/kg.toml"])
@pytest.mark.parametrize("home", ["", "deep/er"])
def test_broken_settings_of_a_revision_are_named_as_git_names_them(
    tmp_path: Path, home: str, place: str
) -> None:
    top = tmp_path / home
    write(top / "notes", a=CLAIM.format("A"))
    (top / place).write_text("name = ", "utf-8")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "one")
    name = f"HEAD:{home}/{place}".replace(":/", ":")
    with pytest.raises(ConfigError, match=f"^{name}:1: not valid TOML"):
        load_revision(top / "notes", "HEAD")


def test_the_command_compares_commits_in_each_format(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project)
    run_quietly("diff", "--format", "json")
    assert json.loads(capsys.readouterr().out)["added"] == ["c"]
    run_quietly("diff", "one..HEAD", "--format", "json")
    assert json.loads(capsys.readouterr().out)["added"] == ["b"]
    run_quietly("diff", "one", "HEAD", "--format", "markdown")
    assert "### Statements added (1)" in capsys.readouterr().out
    run_quietly("diff", "one")
    assert "statements +2 ~0 −0" in capsys.readouterr().out


def run_quietly(*arguments: str) -> None:
    with suppress(SystemExit):
        run(list(arguments))
