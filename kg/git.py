"""git, asked for history and made to run nothing: the only module that starts it.

A folder that somebody sent brings the configuration of its repository, and git runs what that
names: transports, helpers, filters, pagers. So git never sees it. It works in a private folder
with settings of our own and copies of the references, and only the objects stay where they are.
Nothing there names a remote, so nothing that is missing can be fetched.
"""

from __future__ import annotations

import os
import re
import stat
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from kg.files.read import is_inside, read_regular
from kg.model.config import CONFIG_NAME

SECONDS = 120.0  # what one question may take
LARGEST_ANSWER = 512 * 1024 * 1024
LARGEST_REF = 4 * 1024
LARGEST_LIST = 64 * 1024 * 1024  # of packed references, of commits at the edge, of a log
LARGEST_SETTINGS = 1024 * 1024
MOST_REFS = 100_000
CHUNK = 1024 * 1024
_REPARSE_POINT = 0x400  # on Windows: a junction, or a link
_FORMATS = {
    "extensions.objectformat": ("sha1", "sha256"),
    "extensions.refstorage": ("files", "reftable"),
}
_NOT_COPIED = ("replace",)  # references that put other objects in the place of those asked for
_SETTINGS = """[core]
\tbare = true
\tcommitGraph = false
\tmultiPackIndex = false
\trepositoryformatversion = {version}
[extensions]
{extensions}"""
_SWITCHES = ("--no-pager", "-c", "protocol.allow=never", "-c", "safe.bareRepository=explicit")
_FROM_CALLER = ("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "PATHEXT", "TEMP", "TMP", "TMPDIR")


class NoHistory(Exception):
    """What git holds cannot be read; the message says why and what would help."""


class NoRepository(NoHistory):
    """The folder is in no repository."""


class Repository(NamedTuple):
    """The folder with `.git`, where its `HEAD` is, and where its objects and references are."""

    top: Path
    own: Path
    common: Path


class Git:
    """One repository, to be asked; `prefix` is the folder of notes in it, with slashes."""

    def __init__(self, program: str, private: Path, repository: Repository, prefix: str) -> None:
        self.prefix = prefix
        self.is_shallow = (private / "shallow").is_file()
        self.is_partial = any((repository.common / "objects" / "pack").glob("*.promisor"))
        self._command = (program, *_SWITCHES)
        self._private = private
        self._environment = _environment(private, repository, program)

    def ask(self, *arguments: str, given: bytes = b"") -> bytes:
        """What git prints, told `given`.

        Raises `NoHistory` where it fails, takes too long or prints too much.
        """
        asked = self._private / "asked"
        asked.write_bytes(given)
        with (
            asked.open("rb") as questions,
            subprocess.Popen(
                [*self._command, *arguments],
                cwd=self._private,
                env=self._environment,
                stdin=questions,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            ) as process,
        ):
            said, complaint, late = _hear(process)
        if late:
            raise NoHistory(f"git {arguments[0]} took longer than {SECONDS:.0f} seconds")
        if len(said) > LARGEST_ANSWER:
            raise NoHistory(f"git {arguments[0]} told more than {LARGEST_ANSWER >> 20} MiB")
        if process.returncode:
            raise NoHistory(complaint or f"git {arguments[0]} failed")
        return said


@contextmanager
def open_git(folder: Path) -> Iterator[Git]:
    """The repository around the notes in `folder`, to be asked. Raises `NoHistory`."""
    repository = need_repository(folder)
    program = find_program(folder)
    prefix = folder.resolve().relative_to(repository.top).as_posix()
    try:
        with tempfile.TemporaryDirectory(prefix="kg-git-") as made:
            _write_private(repository, Path(made))
            yield Git(program, Path(made), repository, "" if prefix == "." else prefix)
    except OSError as error:
        raise NoHistory(f"git cannot be asked: {error}") from None


def find_program(notes: Path) -> str:
    """The path of git: never one in the corpus, or found by a relative path. Raises `NoHistory`."""
    corpus = _corpus_of(notes)
    name = "git.exe" if os.name == "nt" else "git"
    for place in _search_path(corpus):
        found = os.path.join(place, name)
        is_ours = is_inside(os.path.realpath(found), (corpus,))
        if not is_ours and os.path.isfile(found) and os.access(found, os.X_OK):
            return found
    raise NoHistory("history needs git, which is not installed")


def _corpus_of(notes: Path) -> str:
    """The real path of what came with the notes: the folder of their settings, or they alone."""
    whole = notes.resolve()
    return str(whole.parent if (whole.parent / CONFIG_NAME).exists() else whole)


def _search_path(avoided: str) -> list[str]:
    """Absolute entries of PATH, but for the folder that we stand in and those in `avoided`."""
    here = os.path.realpath(os.curdir)
    entries = [entry.strip('"') for entry in os.environ.get("PATH", "").split(os.pathsep)]
    return [
        entry
        for entry in entries
        if os.path.isabs(entry)
        and os.path.realpath(entry) != here
        and not is_inside(os.path.realpath(entry), (avoided,))
    ]


def _environment(private: Path, repository: Repository, program: str) -> dict[str, str]:
    """All that git is told of its surroundings: nothing of the caller's own settings for it."""
    return {
        **{name: os.environ[name] for name in _FROM_CALLER if name in os.environ},
        "PATH": os.path.dirname(program),
        "LC_ALL": "C",
        "HOME": str(private),
        "XDG_CONFIG_HOME": str(private),
        "GIT_DIR": str(private),
        "GIT_OBJECT_DIRECTORY": str(repository.common / "objects"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        # The names of the protocols that are allowed. An empty value is no value on Windows.
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_ALLOC_LIMIT": "2g",
    }


def _hear(process: subprocess.Popen[bytes]) -> tuple[bytes, str, bool]:
    """What a process prints, and complains of, as far as anybody wants to know; or it is late."""
    late = threading.Event()

    def stop() -> None:
        late.set()
        process.kill()

    complaints: list[bytes] = []
    assert process.stdout is not None and process.stderr is not None  # noqa: PT018
    timer = threading.Timer(SECONDS, stop)
    listener = threading.Thread(target=_drain, args=(process.stderr, complaints), daemon=True)
    timer.start()
    listener.start()
    try:
        said = _take(process.stdout)
        if len(said) > LARGEST_ANSWER:
            process.kill()
        process.wait()
        listener.join()
    finally:
        timer.cancel()
        timer.join()
        if process.poll() is None:
            process.kill()
    return said, b"".join(complaints).decode("utf-8", "replace").strip(), late.is_set()


def _take(pipe: IO[bytes]) -> bytes:
    chunks: list[bytes] = []
    size = 0
    while size <= LARGEST_ANSWER and (more := pipe.read(CHUNK)):
        chunks.append(more)
        size += len(more)
    return b"".join(chunks)


def _drain(pipe: IO[bytes], kept: list[bytes]) -> None:
    """Read all, and keep the beginning: a full pipe would stop the process."""
    while more := pipe.read(LARGEST_REF):
        if not kept:
            kept.append(more)


# -- which repository ------------------------------------------------------------------------


def find_repository(folder: Path) -> Repository:
    """The repository around a folder: the nearest `.git` at or above it, and never a bare one.

    Raises `NoRepository`; and `NoHistory` for one that is not what it says, or links elsewhere.
    """
    whole = folder.resolve()
    for top in (whole, *whole.parents):
        place = top / ".git"
        if os.path.lexists(place):
            try:
                return _parts(top, place)
            except OSError as error:
                raise NoHistory(f"{place} cannot be read: {error}") from None
    raise NoRepository(f"{folder} is in no git repository, so it has no history to compare with")


def need_repository(folder: Path) -> Repository:
    """The repository around a folder, fit to be read.

    Raises `NoHistory`, too, where its objects are kept elsewhere or are no files.
    """
    found = find_repository(folder)
    if not os.path.lexists(found.own / "HEAD"):
        raise NoHistory(f"{found.own} is no repository: it has no HEAD")
    try:
        _need_folder(found.common / "refs")
        _need_plain_objects(found.common / "objects")
    except OSError as error:
        raise NoHistory(f"{found.common} is no repository that is read: {error}") from None
    return found


def why_no_history(folder: Path) -> str:
    """Why the repository around a folder is not read; empty where it is, or where there is none."""
    try:
        need_repository(folder)
    except NoRepository:
        return ""
    except NoHistory as error:
        return str(error)
    return ""


def state_files(folder: Path) -> list[str]:
    """Files that tell which commit the repository around a folder is at, and since when."""
    try:
        _, own, common = find_repository(folder)
        branch = _read(own / "HEAD", LARGEST_REF).decode("utf-8", "replace")
    except (NoHistory, OSError):
        return []
    kept = [own / "HEAD", common / "packed-refs", common / "shallow"]
    kept += [common / "objects" / "info" / "alternates", own / "reftable" / "tables.list"]
    name = branch.removeprefix("ref:").strip()
    if name.startswith("refs/") and ".." not in name and "\0" not in name:
        kept.append(common / name)
    return [str(file) for file in kept]


def _parts(top: Path, place: Path) -> Repository:
    state = os.lstat(place)
    if stat.S_ISREG(state.st_mode):
        return _parts_elsewhere(top, place)
    _need_folder(place)
    return Repository(top, place, place)


def _parts_elsewhere(top: Path, place: Path) -> Repository:
    """The repository of a worktree or a submodule: one that names this very folder as its own."""
    said = _line(place)
    if not said.startswith("gitdir:"):
        raise NoHistory(f"{place} names no repository")
    own = Path(os.path.realpath(top / said.removeprefix("gitdir:").strip()))
    _need_folder(own)
    common = own
    if os.path.lexists(own / "commondir"):
        common = own.parent.parent
        known = own.parent.name == "worktrees"
        known = known and _is_same(own / _line(own / "commondir"), common)
        known = known and _is_same(own / _line(own / "gitdir"), place)
    else:
        worktree = _read_settings(own / "config").get("core.worktree", "")
        known = bool(worktree) and _is_same(own / worktree, top)
    if not known:
        raise NoHistory(f"{place} names {own}, which does not know of {top}: its history is unread")
    return Repository(top, own, common)


def _is_same(one: Path, other: Path) -> bool:
    return os.path.normcase(os.path.realpath(one)) == os.path.normcase(other)


def _need_folder(place: Path) -> None:
    state = os.lstat(place)
    is_link = getattr(state, "st_file_attributes", 0) & _REPARSE_POINT
    if is_link or not stat.S_ISDIR(state.st_mode):
        raise NoHistory(f"{place} is a link or no folder, and is not followed")


def _need_plain_objects(objects: Path) -> None:
    """Raises `NoHistory` where git would follow the objects out of their folder, or wait for ever:
    alternates, links, pipes.
    """
    _need_folder(objects)
    if os.path.lexists(objects / "info" / "alternates"):
        raise NoHistory(
            f"the repository borrows objects from another ({objects / 'info' / 'alternates'}), "
            "which is not read; `git repack -a -d` and removing that file make it whole"
        )
    waiting = [objects]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(Path(entry.path))
                    _need_folder(waiting[-1])
                elif not entry.is_file(follow_symlinks=False):
                    raise NoHistory(f"{entry.path} is a link or no file, and is not followed")


# -- the private folder ----------------------------------------------------------------------


def _write_private(repository: Repository, private: Path) -> None:
    _, own, common = repository
    settings = _read_settings(common / "config")
    extensions = ""
    for name, values in _FORMATS.items():
        value = settings.get(name, values[0]).casefold()
        if value not in values:
            raise NoHistory(f"{common / 'config'}: {name} is {value[:40]!r}, which is not known")
        if value != values[0]:
            extensions += f"\t{name.partition('.')[2]} = {value}\n"
    text = _SETTINGS.format(version=1 if extensions else 0, extensions=extensions)
    (private / "config").write_text(text, "utf-8")
    for place, limit in (
        (own / "HEAD", LARGEST_REF),
        (own / "ORIG_HEAD", LARGEST_REF),
        (own / "FETCH_HEAD", LARGEST_SETTINGS),
        (common / "packed-refs", LARGEST_LIST),
        (common / "shallow", LARGEST_LIST),
    ):
        if os.path.lexists(place):
            (private / place.name).write_bytes(_read(place, limit))
    _copy(common / "refs", private / "refs", LARGEST_REF)
    if "reftable" in extensions:
        if own != common:
            raise NoHistory(f"{own} is a worktree with a reftable, which is not read")
        _copy(common / "reftable", private / "reftable", LARGEST_LIST)
    _copy_logs(own, common, private)


def _copy_logs(own: Path, common: Path, private: Path) -> None:
    """What `HEAD@{1}` and the like are looked up in."""
    if os.path.isdir(common / "logs"):
        _copy(common / "logs", private / "logs", LARGEST_LIST)
    if own != common and os.path.lexists(own / "logs" / "HEAD"):
        (private / "logs").mkdir(exist_ok=True)
        (private / "logs" / "HEAD").write_bytes(_read(own / "logs" / "HEAD", LARGEST_LIST))


def _copy(source: Path, target: Path, limit: int) -> None:
    """Copy a folder of small files; raises `NoHistory` for links, and where they are too many."""
    _need_folder(source)
    target.mkdir()
    waiting = [(source, target)]
    count = size = 0
    while waiting:
        here, there = waiting.pop()
        with os.scandir(here) as entries:
            for entry in entries:
                made = there / entry.name
                if entry.is_dir(follow_symlinks=False):
                    if entry.name not in _NOT_COPIED:
                        _need_folder(Path(entry.path))
                        made.mkdir()
                        waiting.append((Path(entry.path), made))
                elif not entry.name.endswith(".lock"):
                    count, size = count + 1, size + made.write_bytes(_read(entry.path, limit))
                if count > MOST_REFS or size > LARGEST_LIST:
                    raise NoHistory(f"{source} holds too much to be read")


def _read(place: str | Path, limit: int) -> bytes:
    """A file's bytes; raises `NoHistory` for a link, and for what is no file or is too large."""
    if os.path.islink(place):
        raise NoHistory(f"{place} is a link, and is not followed")
    try:
        return read_regular(place, limit)
    except OSError as error:
        raise NoHistory(f"{place}: {error.strerror}") from None


def _line(place: Path) -> str:
    text = os.fsdecode(_read(place, LARGEST_REF)).strip()
    if "\0" in text:
        raise NoHistory(f"{place} is no text")
    return text


_SECTION = re.compile(r"\[\s*([\w.-]+)\s*\]\s*")
_SETTING = re.compile(r"(\w[\w-]*)\s*=\s*(?:\"([^\"\\]*)\"|([^\"\\#;]*))\s*(?:[#;].*)?")


def _read_settings(place: Path) -> dict[str, str]:
    """The plain settings of a repository, by section and name in small letters.

    Only what stands on a line of its own in a section without a name is read: that is how git
    writes the few that are wanted. Nothing is included, and nothing is done.
    """
    if not os.path.lexists(place):
        return {}
    found: dict[str, str] = {}
    section = ""
    for raw in os.fsdecode(_read(place, LARGEST_SETTINGS)).splitlines():
        line = raw.strip()
        if line.startswith("["):
            head = _SECTION.match(line)
            section = head[1].casefold() if head else ""
            line = line[head.end() :] if head else ""
        setting = _SETTING.fullmatch(line)
        if section and setting:
            value = setting[2] if setting[2] is not None else setting[3]
            found[f"{section}.{setting[1].casefold()}"] = value.strip()
    return found
