"""A note that becomes something else while a command runs, before each call that names it."""

from __future__ import annotations

import errno
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from kg.checks import check
from kg.loader import load_corpus
from kg.serve.live_site import LiveSite
from tests.support.command import kg
from tests.support.effort import TIMES
from tests.support.publish_pages import PAGES

if sys.platform == "win32":
    pytest.skip("links need a privilege there, and pipes are others", allow_module_level=True)

pytestmark = pytest.mark.integration

SECRET = "What the reader keeps to himself"
NAPS = "---\ntype: claim\ncamp: optimist\n---\n\n# Naps help\n\nThey do. See [[rest]].\n"
REST = "---\ntype: claim\n---\n\n# Rest is enough\n\n- contradicts :: [[naps]] - it does as much\n"
CAMPS = '[[camps]]\nid = "optimist"\nlabel = "Optimists"\n'
CALLS = ("open", "stat", "lstat", "scandir", "rename", "replace", "unlink", "link", "mkdir")
MOST_CALLS = 60  # of one command that name the note
READING = [
    ("check",),
    ("find", "claims"),
    ("search", "naps"),
    ("show", "naps"),
    ("why", "naps"),
    ("verdict", "naps"),
    ("export", "ttl", "-o", "graph.ttl"),
    ("export", "csv", "-o", "tables"),
    ("sparql", "SELECT ?s WHERE { ?s ?p ?o } LIMIT 3"),
]
EDITING = [("rename", "naps", "dozing"), ("fmt",), ("check", "--fix"), ("retire", "naps")]


def _instead(put: Callable[[Path], object]) -> Callable[[Path, Path], None]:
    def become(note: Path, secret: Path) -> None:
        note.unlink(missing_ok=True)
        put(note)

    return become


def _folder_becomes_a_link(note: Path, secret: Path) -> None:
    note.parent.rename(note.parent.with_name("moved"))
    note.parent.symlink_to(secret.parent)


def _link(note: Path, secret: Path) -> None:
    note.unlink(missing_ok=True)
    note.symlink_to(secret)


def _refuse(note: Path, secret: Path) -> None:
    """What `_before_call` makes of it: tests may run as somebody who may read all."""


BECOMES: Mapping[str, Callable[[Path, Path], None]] = {
    "nothing": _instead(lambda note: None),
    "a folder": _instead(Path.mkdir),
    "a link to a secret": _link,
    "a link to itself": _instead(lambda note: note.symlink_to(note)),
    "a pipe": _instead(os.mkfifo),
    "empty": _instead(Path.touch),
    "half of it": _instead(lambda note: note.write_text(NAPS[:20])),
    "another note": _instead(lambda note: note.write_text(NAPS.replace("help", "hinder"))),
    "no text": _instead(lambda note: note.write_bytes(b"\xff\x00" * 4000)),
    "unreadable": _refuse,
    "its folder is gone": lambda note, secret: shutil.rmtree(note.parent),
    "its folder is a link": _folder_becomes_a_link,
}

OFTEN = [*BECOMES] if TIMES > 1 else ["nothing", "a folder", "a link to a secret", "half of it"]
"""What is tried where a site is made, which takes longer."""


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KG_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "work"


def _fresh(work: Path, *kept_text: str) -> Path:
    """A corpus and a secret file, as they were; and the note. Nothing is remembered but `kept`."""
    for place in (work, work.parent / "cache"):
        if place.name not in kept_text:
            shutil.rmtree(place, ignore_errors=True)
    (work / "notes" / "claims").mkdir(parents=True)
    (work / "secret").mkdir()
    (work / "secret" / "naps.md").write_text(NAPS.replace("Naps help", SECRET))
    (work / "notes" / "rest.md").write_text(REST)
    (work / "kg.toml").write_text(CAMPS)
    note = work / "notes" / "claims" / "naps.md"
    note.write_text(NAPS)
    return note


@contextmanager
def _before_call(
    number: int, become: Callable[[], object], refused: bool, expected: list[str]
) -> Iterator[None]:
    """Have the note become something before a call of the system names it; `made` are those."""
    real = {name: getattr(os, name) for name in CALLS}

    def watched(name: str) -> Callable[..., Any]:
        def call(path: Any = ".", *more: Any, **options: Any) -> Any:
            if isinstance(path, str | os.PathLike) and os.path.basename(path) == "naps.md":
                expected.append(name)
                if len(expected) == number:
                    become()
                if refused and len(expected) >= number and name == "open":
                    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
            return real[name](path, *more, **options)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name in CALLS:
            patch.setattr(os, name, watched(name))
        yield


def _moments(work: Path, state: str, *kept_text: str) -> Iterator[AbstractContextManager[None]]:
    """A fresh corpus whose note becomes something at a call, for each call in turn; to be entered
    while calls count.
    """
    number, calls = 0, ["begin"]
    while len(calls) >= number and number < MOST_CALLS:  # the last of these happened
        number += 1
        note = _fresh(work, *kept_text)
        become = partial(BECOMES[state], note, work / "secret" / "naps.md")
        calls = []
        yield _before_call(number, become, state == "unreadable", calls)


def _need_kept(work: Path, expected_output: str) -> None:
    """The secret was neither shown, copied nor changed, and no draft was left."""
    secret = work / "secret" / "naps.md"
    assert secret.read_text() == NAPS.replace("Naps help", SECRET)
    assert SECRET not in expected_output
    for place in work.rglob("*"):
        assert not place.name.startswith(".kg-")
        if place.is_file() and place.resolve().parent != secret.parent:
            assert SECRET.encode() not in place.read_bytes(), place


def _try(work: Path, command: tuple[str, ...], state: str, *kept_text: str) -> int:
    """Run a command once for each call that names the note; return how often."""
    attempts = 0
    for moment in _moments(work, state, *kept_text):
        with moment:
            ended = kg(work, *command)  # what no command foresees is raised
        assert ended.returncode in (0, 1, 2)
        if ended.returncode == 2:
            lines = ended.stderr.strip().splitlines()
            assert any(line.startswith("error: ") for line in lines), ended.stderr
            assert len(lines) <= 2 or "nothing was written" in ended.stderr, ended.stderr
        _need_kept(work, ended.stdout + ended.stderr)
        attempts += 1
    return attempts


@pytest.mark.parametrize("command", [*READING, *EDITING], ids=" ".join)
def test_a_note_may_become_anything_while_a_command_runs(
    command: tuple[str, ...], work: Path
) -> None:
    for state in BECOMES:
        assert _try(work, command, state) > 1


@pytest.mark.parametrize("state", OFTEN)
def test_a_note_may_become_anything_while_a_site_is_built(state: str, work: Path) -> None:
    assert _try(work, ("build",), state, "cache") > 1
    pages = (work / "build" / "site" / "html").rglob("*.html")
    assert any("Rest is enough" in page.read_text("utf-8") for page in pages)


@pytest.mark.parametrize("state", OFTEN)
def test_a_note_may_become_anything_while_it_is_served(state: str, work: Path) -> None:
    for moment in _moments(work, state, "cache"):
        live = LiveSite(work / "notes", pages=PAGES)
        with moment:
            live.refresh()
            site = live.state.site
            assert site
            text = (site.find_file("index.html") or b"").decode()
        assert "Rest is enough" in text
        live.refresh()  # of what stands there now
        live.close()
        message = str(live.state.problems)
        assert "Traceback" not in message
        _need_kept(work, text + message)


@pytest.mark.parametrize("state", BECOMES)
def test_what_is_loaded_is_as_if_it_had_been_so_before_or_after(state: str, work: Path) -> None:
    for moment in _moments(work, state):
        with moment:
            corpus = load_corpus(work / "notes")
        assert "rest" in corpus.statements
        titles = {each.title for each in corpus.statements.values()}
        assert titles <= {"Rest is enough", "Naps help", "Naps hinder", "Untitled"}
        assert all(problem.message for problem in check(corpus))
