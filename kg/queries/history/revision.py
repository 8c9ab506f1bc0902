"""A corpus as git remembers it: read from the object store, never checked out."""

from __future__ import annotations

import datetime as dt
import os
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from kg import loader as settings
from kg.corpus import Corpus
from kg.files.read import Place, real_of
from kg.git import Git, NoHistory, open_git
from kg.loader import load_corpus
from kg.model import Value
from kg.model.config import CONFIG_NAME
from kg.model.errors import Misuse
from kg.notes.discover import BIBLIOGRAPHIES, LARGEST_BIBLIOGRAPHY, LARGEST_NOTE, NOTE_SUFFIX

REGULAR = ("100644", "100755")  # modes of files in git, without and with leave to be run
LARGEST_CORPUS = 256 * 1024 * 1024  # bytes


class NoRevision(Misuse):
    """A revision that cannot be read; the message says why and what would help."""


def load_revision(notes: Place, revision: str) -> Corpus:
    """The corpus in the folder `notes` at a git revision. Raises `NoRevision`."""
    try:
        with open_git(notes, logs="@{" in revision) as git:
            return load_from(git, notes, revision)
    except NoHistory as error:
        raise NoRevision(str(error)) from None


def load_from(git: Git, notes: Place, revision: str) -> Corpus:
    """The same of a repository that is open. Raises `NoRevision` and `NoHistory`."""
    with tempfile.TemporaryDirectory(prefix="kg-") as made:
        files = _files(git, _commit(git, revision), revision)
        inside = _write(files, Path(made), git.prefix, Path(real_of(notes)).name)
        return replace(load_corpus(inside), folder=None)


def _commit(git: Git, revision: str) -> str:
    """The commit that a revision names."""
    named = f"{revision}^{{commit}}"
    try:
        if "\0" in named:
            raise NoHistory("no revision holds NUL")
        found = git.ask("rev-parse", "--verify", "--quiet", "--end-of-options", named)
    except NoHistory:
        hint = (
            "this clone is shallow, so it may lie before what was fetched: `git fetch --unshallow`"
            if git.is_shallow
            else "`git log --oneline` lists the revisions that there are"
        )
        raise NoRevision(f"git knows no revision {revision!r}; {hint}") from None
    return found.decode().strip()


def _write(files: Iterator[tuple[str, bytes]], made: Path, prefix: str, name: str) -> Path:
    """Write files of the repository into a temporary folder; the folder of notes in it."""
    home = prefix.rpartition("/")[0]
    inside = made / name
    inside.mkdir()
    base = made if prefix else inside
    for path, data in files:
        place = base / path[len(home) + 1 if home else 0 :]
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
        except OSError as error:
            raise NoRevision(f"{path} cannot be read from git: {error.strerror}") from None
    return inside


def _files(git: Git, commit: str, revision: str) -> Iterator[tuple[str, bytes]]:
    """Paths in the repository, and contents, of what a commit's corpus is read from."""
    entries = _entries(git, commit, revision)
    sizes = _sizes(git, [hash for _, hash in entries], revision)
    wanted = [
        (path, hash)
        for (path, hash), size in zip(entries, sizes, strict=True)
        if 0 <= size <= _largest(path)
    ]
    if sum(size for size in sizes if size <= LARGEST_BIBLIOGRAPHY) > LARGEST_CORPUS:
        raise NoRevision(f"the notes of {revision!r} hold more than {LARGEST_CORPUS >> 20} MiB")
    blobs = git.ask("cat-file", "--batch", given="\n".join(h for _, h in wanted).encode())
    at = 0
    for path, _ in wanted:
        end = blobs.index(b"\n", at)
        size = int(blobs[at:end].rsplit(b" ", 1)[1])
        yield path, blobs[end + 1 : end + 1 + size]
        at = end + 1 + size + 1


def _entries(git: Git, commit: str, revision: str) -> list[tuple[str, str]]:
    """Paths and names of the regular files that a commit's corpus is read from."""
    home = git.prefix.rpartition("/")[0]
    places = [git.prefix, f"{home}/{CONFIG_NAME}" if home else CONFIG_NAME] if git.prefix else []
    literal = [f":(top,literal){place}" for place in places]
    try:
        listed = git.ask("ls-tree", "-r", "-z", "--full-tree", commit, "--", *literal)
    except NoHistory as error:
        raise NoRevision(_partial(revision) if git.is_partial else str(error)) from None
    found: list[tuple[str, str]] = []
    for entry in listed.split(b"\0"):
        about, tab, path = entry.partition(b"\t")
        mode, _, rest = about.decode().partition(" ")
        name = os.fsdecode(path)
        if tab and mode in REGULAR and _is_wanted(name, git.prefix, places):
            found.append((name, rest.split()[1]))
    return found


def _is_wanted(path: str, prefix: str, places: list[str]) -> bool:
    """Whether a corpus is read from this file. A tree may hold any name: `..` and hidden ones not,
    nor one that Windows reads otherwise.
    """
    if path in places[1:]:
        return True
    inside = path.removeprefix(f"{prefix}/") if prefix else path
    if (prefix and inside == path) or any(part[:1] in ("", ".") for part in inside.split("/")):
        return False
    if os.name == "nt" and any(mark in path for mark in '\\:<>"|?*'):
        return False
    return inside.endswith(NOTE_SUFFIX) or inside in (*BIBLIOGRAPHIES, CONFIG_NAME)


def _largest(path: str) -> int:
    if path.endswith(CONFIG_NAME):
        return settings.LARGEST
    return LARGEST_NOTE if path.endswith(NOTE_SUFFIX) else LARGEST_BIBLIOGRAPHY


def _sizes(git: Git, hashes: list[str], revision: str) -> list[int]:
    """The size of each blob, unread; negative for what is none."""
    told = git.ask("cat-file", "--batch-check", given="\n".join(hashes).encode()).splitlines()
    rows = [line.split() for line in told]
    if gone := sum(row[-1] == b"missing" for row in rows):
        why = f"{gone} of its {len(rows)} files are not in this clone; `git fsck` tells more"
        raise NoRevision(
            _partial(revision) if git.is_partial else f"{revision!r} is damaged: {why}"
        )
    return [int(row[2]) if row[1] == b"blob" else -1 for row in rows]


def _partial(revision: str) -> str:
    return (
        f"this clone is partial, and does not hold all that {revision!r} needs; nothing is "
        "fetched here: clone again without `--filter`"
    )


HEADER = "--format=%H%x00%P%x00%cs%x00%s"
LOG = (
    "log", "--date-order", "--no-color", "--no-ext-diff", "--no-textconv", "--no-mailmap",
    "--no-show-signature", "--name-status", "--find-renames=100%", "-z", HEADER,
)  # fmt: skip
DIGITS = 10  # of a commit's hash
RENAMED = "R100"


class Commit(Value, frozen=True):
    """One commit that touched a note: its first digits, its day, the first line of its message."""

    commit: str
    day: dt.date
    subject: str


class History(Value, frozen=True):
    """Changes of notes by path, under the names that the notes have now; `log` is all of them.

    The latest come first. `known` is false where git has nothing to say: no repository, or no
    git. A `shallow` clone holds only its latest commits, so the first changes are missing.
    """

    changes: Mapping[str, tuple[Commit, ...]] = {}
    log: tuple[Commit, ...] = ()
    known: bool = False
    shallow: bool = False

    def of(self, path: str) -> tuple[Commit, ...]:
        """Changes of the note at `path`; none where it was never committed."""
        return self.changes.get(path, ())


def find_history(folder: Place | None) -> History:
    """The history of the notes in `folder`; nothing is checked out, and nothing raises."""
    if folder is None:
        return History()
    try:
        with open_git(folder) as git:
            within = [f"--relative={git.prefix}/"] if git.prefix else []
            printed = git.ask(*LOG, *within, "--", f":(top,literal){git.prefix}")
            return parse_log(printed.decode("utf-8", "replace"), git.is_shallow)
    except NoHistory:
        return History()


def parse_log(printed: str, shallow: bool = False) -> History:
    """The history that git prints for `LOG`.

    The first commit that a shallow clone holds seems to add everything, and is left out.
    """
    found: defaultdict[str, list[Commit]] = defaultdict(list)
    log: list[Commit] = []
    now: dict[str, str] = {}
    for commit, parents, touched in _commits(iter(printed.split("\0"))):
        if shallow and not parents:
            continue
        log.append(commit)
        for before, after in touched:
            name = now.get(after, after)
            found[name].append(commit)
            if before != after:
                now[before] = name
    changes = {path: tuple(of_path) for path, of_path in found.items()}
    return History(changes, tuple(log), known=True, shallow=shallow)


def _commits(words: Iterator[str]) -> Iterator[tuple[Commit, str, list[tuple[str, str]]]]:
    """Each commit, its parents, and the paths that it touched, before and after."""
    hash = next(words)
    while hash:
        parents, day, subject = next(words), next(words), next(words)
        commit = Commit(hash[:DIGITS], _day(day), subject)
        touched: list[tuple[str, str]] = []
        hash = ""
        for word in words:
            status = word.lstrip("\n")
            if len(status) > len(RENAMED):
                hash = status
                break
            if status:
                path = next(words)
                touched.append((path, next(words) if status[0] in "RC" else path))
        yield commit, parents, touched


def _day(text: str) -> dt.date:
    """The day of a commit; what is no date counts as the first of all, as in git itself."""
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        return dt.date(1970, 1, 1)
