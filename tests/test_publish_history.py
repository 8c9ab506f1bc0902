"""A folder that lives: whatever changes in it, a build after a build is a build from nothing."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from kg.load import load_corpus
from kg.publish.inputs import find_inputs
from kg.publish.shell import build_shell
from kg.publish.site import build_site

NOTES = {
    "rest.md": """---
type: claim
camp: optimist
topics: [sleep]
---

# Rest heals

As in [[naps]].
""",
    "naps.md": """---
type: counter-claim
camp: skeptic
topics: [sleep]
---

# Naps do not

> [!evidence] Nobody got better ^trial
> Of 40 who slept, none. [@smith2020]
> (method:: experiment) (sample:: 40)

- contradicts:: [[rest]] — nothing was healed
""",
    "line.md": """---
type: line
proposition: rest
---

# Does rest heal?

See [[rest]] and [[naps]].

## Camps

- optimist:: [[rest]] — it says so
- skeptic:: [[naps]] — it denies it
""",
    "references.bib": "@article{smith2020, title={On rest}, year={2020}}",
}
SETTINGS = '[site]\nname = "Rest"\n'


class Folder:
    """Notes in a repository, and the site that is kept up to date with them."""

    def __init__(self, place: Path, shell: Path) -> None:
        self.notes, self.place, self._shell = place / "notes", place, shell
        self.notes.mkdir()
        for name, text in NOTES.items():
            (self.notes / name).write_text(text, "utf-8")
        (place / "kg.toml").write_text(SETTINGS, "utf-8")
        self.git("init", "-q")
        self.commit("First notes")
        self.kept = self._fresh("kept")
        self.build(self.kept)

    def git(self, *words: str) -> None:
        who = ("-c", "user.name=N", "-c", "user.email=n@example.org")
        subprocess.run(["git", "-C", str(self.place), *who, *words], check=True)

    def commit(self, words: str) -> None:
        self.git("add", "notes", "kg.toml")
        self.git("commit", "-qm", words)

    def build(self, work: Path) -> dict[str, bytes]:
        build_site(load_corpus(self.notes), work)
        html = work / "html"
        files = (place for place in html.rglob("*") if place.is_file())
        return {place.relative_to(html).as_posix(): place.read_bytes() for place in files}

    def build_anew(self) -> dict[str, bytes]:
        work = self._fresh("anew")
        try:
            return self.build(work)
        finally:
            shutil.rmtree(work)

    def edit(self, name: str, old: str, new: str) -> None:
        place = self.notes / name
        text = place.read_text("utf-8")
        assert old in text
        place.write_text(text.replace(old, new), "utf-8")

    def _fresh(self, name: str) -> Path:
        return Path(shutil.copytree(self._shell, self.place / name / "shell")).parent


def _rename(folder: Folder) -> None:
    (folder.notes / "naps.md").rename(folder.notes / "naps-fail.md")
    folder.edit("naps-fail.md", "camp:", "aliases: [naps]\ncamp:")


def _judge(folder: Folder) -> None:
    (folder.notes / "judgements").mkdir()
    rows = "edge,annotator,label\n" + "".join(
        f"naps--contradicts--rest,{who},supports\n" for who in "ab"
    )
    (folder.notes / "judgements" / "panel.csv").write_text(rows, "utf-8")


EDITS: dict[str, Callable[[Folder], object]] = {
    "a text": lambda folder: folder.edit("rest.md", "As in", "Not as\n\nin"),
    "a title": lambda folder: folder.edit("rest.md", "Rest heals", "Rest <b>heals</b>"),
    "a text within a callout": lambda folder: folder.edit("naps.md", "none.", "none at all."),
    "what weighs": lambda folder: folder.edit("naps.md", "experiment", "anecdote"),
    "a reason": lambda folder: folder.edit("naps.md", "nothing was healed", "see [[rest]]"),
    "a note": lambda folder: (folder.notes / "more.md").write_text(NOTES["rest.md"], "utf-8"),
    "a text about the corpus": lambda folder: (folder.notes / "README.md").write_text("# About\n"),
    "a commit": lambda folder: folder.commit("Second thoughts"),
    "judgements": _judge,
    "a source": lambda folder: folder.edit("references.bib", "2020}}", "2021}}"),
    "a camp's label": lambda folder: (folder.place / "kg.toml").write_text(
        SETTINGS + '[[camps]]\nid = "optimist"\nlabel = "Hopeful"\n'
        '[[camps]]\nid = "skeptic"\nlabel = "Doubtful"\n'
    ),
    "a name": _rename,
    "a note that goes": lambda folder: (folder.notes / "more.md").unlink(),
    "a text about the corpus that goes": lambda folder: (folder.notes / "README.md").unlink(),
}


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Shells are made by settings; this one is of none, and a place for those of the tests."""
    folder = tmp_path_factory.mktemp("shell")
    build_shell(find_inputs(), folder)
    return folder / "shell"


def test_after_every_edit_the_site_is_that_of_a_build_from_nothing(
    tmp_path: Path, shell: Path
) -> None:
    folder = Folder(tmp_path, shell)
    for what, edit in EDITS.items():
        edit(folder)
        kept, anew = folder.build(folder.kept), folder.build_anew()
        assert kept.keys() == anew.keys(), what
        assert [url for url in kept if kept[url] != anew[url]] == [], what
