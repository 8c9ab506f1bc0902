"""Run git; no other module starts it.

A folder from somebody else may contain a repository whose configuration makes git run programs:
transports, helpers, filters, pagers. So git never sees it. It works in a private folder with our
own settings, a list of the references, and the objects from `kg.git.linked_objects`. No remote is
configured there, so missing objects cannot be fetched.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from copy import copy
from pathlib import Path
from typing import IO, NamedTuple

from kg.files.read_files import CHUNK_SIZE, StrPath, is_inside, real_path_of
from kg.git.copy_refs import copy_folder, copy_refs
from kg.git.linked_objects import LinkedObjects
from kg.git.plain_files import (
    MAX_LIST_BYTES,
    MAX_REF_BYTES,
    MAX_SETTINGS_BYTES,
    NoHistory,
    read_plain_file,
    read_settings,
    require_plain_folder,
)
from kg.git.repository import Repository, get_readable_repository
from kg.model.settings.config import CONFIG_NAME

COMMAND_TIMEOUT_SECONDS = 120.0  # for one command, all tries together
MAX_TRIES_WHILE_CHANGED = 4  # while the repository is being changed
MAX_OUTPUT_BYTES = 128 * 1024 * 1024  # of one question
MAX_MEMORY_BYTES = 2 * 1024 * 1024 * 1024  # without mapped files
WRITER, WRITER_ADDRESS = "kg proposal", "proposal@kg.invalid"  # author of our commits
_GIT_OPTIONS = ("--no-pager", "-c", "protocol.allow=never", "-c", "safe.bareRepository=explicit")
_INHERITED_VARIABLES = ("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "PATHEXT", "TEMP", "TMP", "TMPDIR")
_SETTING_OF_FORMAT = {
    "extensions.objectformat": ("sha1", "sha256"),
    "extensions.refstorage": ("files", "reftable"),
}
_SETTINGS = """[core]
\tbare = true
\tcommitGraph = false
\tmultiPackIndex = false
\trepositoryformatversion = {version}
[extensions]
{extensions}"""


class Git:
    """Runs git on one repository; `prefix` is the path of the notes in it, with slashes."""

    def __init__(self, program: str, private: Path, objects: LinkedObjects, prefix: str) -> None:
        self.prefix = prefix
        self.is_shallow = (private / "shallow").is_file()
        self.is_partial = any((objects.path / "pack").glob("*.promisor"))
        self._command = (program, *_GIT_OPTIONS)
        self._private = private
        self._objects = objects
        self._environment = _environment_for_git(private, objects.path, program)

    def run(self, *arguments: str, input: bytes = b"") -> bytes:
        """The output of a git command that reads `input`.

        Raises `NoHistory` if it fails, takes too long or prints too much.
        """
        # a file, not a pipe, as each try reads it from the start
        (self._private / "input").write_bytes(input)
        until = time.monotonic() + COMMAND_TIMEOUT_SECONDS
        for _ in range(MAX_TRIES_WHILE_CHANGED):
            run = self._run_within(arguments, until - time.monotonic())
            # if objects changed meanwhile, the output may come from foreign ones
            if run.is_late or self._objects.confirm_unchanged():
                break
        else:
            raise NoHistory("the repository keeps changing; try again later")
        if run.is_late:
            raise NoHistory(
                f"git {arguments[0]} took longer than {COMMAND_TIMEOUT_SECONDS:.0f} seconds"
            )
        if len(run.output) > MAX_OUTPUT_BYTES:
            raise NoHistory(f"git {arguments[0]} printed more than {MAX_OUTPUT_BYTES >> 20} MiB")
        if run.status:
            raise NoHistory(run.complaint or f"git {arguments[0]} failed")
        return run.output

    def with_new_objects_in(self, path: Path) -> Git:
        """The same repository, with new objects and a separate index written to `path`."""
        (path / "objects").mkdir()
        other = copy(self)
        other._environment = {
            **self._environment,
            "GIT_OBJECT_DIRECTORY": str(path / "objects"),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(self._objects.path),
            "GIT_INDEX_FILE": str(path / "index"),
            **{f"GIT_{role}_NAME": WRITER for role in ("AUTHOR", "COMMITTER")},
            **{f"GIT_{role}_EMAIL": WRITER_ADDRESS for role in ("AUTHOR", "COMMITTER")},
        }
        return other

    def _run_within(self, arguments: tuple[str, ...], seconds: float) -> FinishedRun:
        with (
            (self._private / "input").open("rb") as questions,
            subprocess.Popen(
                [*self._command, *arguments],
                cwd=self._private,
                env=self._environment,
                stdin=questions,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=self._objects.handles,
                preexec_fn=_limit_memory if os.name == "posix" else None,
            ) as process,
        ):
            return _finish_within(process, seconds)


@contextmanager
def open_git(folder: StrPath, *, logs: bool = False) -> Iterator[Git]:
    """Open the repository around the notes in `folder` for git. Raises `NoHistory`.

    With `logs`, earlier values of references such as `HEAD@{1}` are available.
    """
    repository = get_readable_repository(folder)
    program = get_program(folder, repository.top)
    prefix = Path(real_path_of(folder)).relative_to(repository.top).as_posix()
    try:
        with tempfile.TemporaryDirectory(prefix="kg-git-") as private_folder:
            copy_history(repository, Path(private_folder), logs=logs)
            objects = LinkedObjects(repository.common / "objects", Path(private_folder) / "objects")
            with closing(objects):
                yield Git(program, Path(private_folder), objects, "" if prefix == "." else prefix)
    except OSError as error:
        raise NoHistory(f"git cannot be run: {error}") from None


def get_program(notes: StrPath, top: Path) -> str:
    """The path of git; never one in the corpus, in the repository at `top`, or found by a relative
    path. Raises `NoHistory`.
    """
    distrusted_folders = (_real_corpus_path(notes), str(top.resolve()))
    name = "git.exe" if os.name == "nt" else "git"
    for folder in _search_path(distrusted_folders):
        program = os.path.join(folder, name)
        # a folder in PATH may contain a link into the corpus
        is_distrusted = is_inside(os.path.realpath(program), distrusted_folders)
        if not is_distrusted and os.path.isfile(program) and os.access(program, os.X_OK):
            return program
    raise NoHistory("history needs git, which is not installed")


def _real_corpus_path(notes: StrPath) -> str:
    """The real path of the corpus: the folder of its settings, or only the notes folder."""
    real_path = Path(real_path_of(notes))
    return str(real_path.parent if (real_path.parent / CONFIG_NAME).exists() else real_path)


def _search_path(avoided: tuple[str, ...]) -> list[str]:
    """Absolute entries of PATH, except the current folder and those in `avoided`."""
    current_folder = os.path.realpath(os.curdir)
    entries = [entry.strip('"') for entry in os.environ.get("PATH", "").split(os.pathsep)]
    return [
        entry
        for entry in entries
        if os.path.isabs(entry)
        and os.path.realpath(entry) != current_folder
        and not is_inside(os.path.realpath(entry), avoided)
    ]


def _environment_for_git(private: Path, objects: Path, program: str) -> dict[str, str]:
    """The environment for git in the folder `private`, without the user's own git settings."""
    return {
        **{name: os.environ[name] for name in _INHERITED_VARIABLES if name in os.environ},
        "PATH": os.path.dirname(program),
        "LC_ALL": "C",
        "HOME": str(private),
        "XDG_CONFIG_HOME": str(private),
        "GIT_DIR": str(private),
        "GIT_OBJECT_DIRECTORY": str(objects),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        # The allowed protocols. On Windows, an empty value would be unset.
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_ALLOC_LIMIT": "2g",
    }


def _limit_memory() -> None:
    """Limit this process's memory, as small objects can decompress without bound."""
    import resource

    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))


class FinishedRun(NamedTuple):
    """What a process left: its status, its output, the beginning of its errors, and whether it was
    killed as too slow.
    """

    status: int
    output: bytes
    complaint: str
    is_late: bool


def _finish_within(process: subprocess.Popen[bytes], seconds: float) -> FinishedRun:
    late = threading.Event()

    def stop() -> None:
        late.set()
        process.kill()

    complaints: list[bytes] = []
    assert process.stdout is not None and process.stderr is not None  # noqa: PT018
    timer = threading.Timer(seconds, stop)
    listener = threading.Thread(target=_drain_pipe, args=(process.stderr, complaints), daemon=True)
    timer.start()
    listener.start()
    try:
        output = _read_bounded(process.stdout)
        if len(output) > MAX_OUTPUT_BYTES:
            process.kill()
        status = process.wait()
        listener.join()
    finally:
        timer.cancel()
        timer.join()
        if process.poll() is None:
            process.kill()
    complaint = b"".join(complaints).decode("utf-8", "replace").strip()
    return FinishedRun(status, output, complaint, late.is_set())


def _read_bounded(pipe: IO[bytes]) -> bytes:
    """The output, read until it exceeds `MAX_OUTPUT_BYTES`; longer output exceeds it, too."""
    chunks: list[bytes] = []
    size = 0
    while size <= MAX_OUTPUT_BYTES and (chunk := pipe.read(CHUNK_SIZE)):
        chunks.append(chunk)
        size += len(chunk)
    return b"".join(chunks)


def _drain_pipe(pipe: IO[bytes], chunks: list[bytes]) -> None:
    """Read everything, but keep only the beginning: a full pipe would block the process."""
    while chunk := pipe.read(MAX_REF_BYTES):
        if not chunks:
            chunks.append(chunk)


# -- the private folder that git works in -------------------------------------------------


def copy_history(repository: Repository, private_folder: Path, *, logs: bool) -> None:
    """Make `private_folder` a git directory with the same history.

    References such as `HEAD@{1}` need `logs`. Raises `NoHistory` and `OSError`.
    """
    _, own_folder, common = repository
    settings = read_settings(common / "config")
    extensions = ""
    for name, values in _SETTING_OF_FORMAT.items():
        # the first of the two values is git's default
        value = settings.get(name, values[0]).casefold()
        if value not in values:
            raise NoHistory(f"{common / 'config'}: {name} is {value[:40]!r}, which is not known")
        if value != values[0]:
            extensions += f"\t{name.partition('.')[2]} = {value}\n"
    text = _SETTINGS.format(version=1 if extensions else 0, extensions=extensions)
    (private_folder / "config").write_text(text, "utf-8")
    for place, limit in (
        (own_folder / "HEAD", MAX_REF_BYTES),
        (own_folder / "ORIG_HEAD", MAX_REF_BYTES),
        (own_folder / "FETCH_HEAD", MAX_SETTINGS_BYTES),
        (common / "shallow", MAX_LIST_BYTES),
    ):
        if os.path.lexists(place):
            (private_folder / place.name).write_bytes(read_plain_file(place, limit))
    copy_refs(common, private_folder, id_length=64 if "sha256" in extensions else 40)
    if "reftable" in extensions:
        if own_folder != common:
            raise NoHistory(f"{own_folder} is a worktree with a reftable, which is not read")
        copy_folder(common / "reftable", private_folder / "reftable")
    if logs:
        _copy_logs(own_folder, common, private_folder)


def _copy_logs(own_folder: Path, common: Path, private_folder: Path) -> None:
    if os.path.isdir(common / "logs"):
        copy_folder(common / "logs", private_folder / "logs")
    if own_folder != common and os.path.lexists(own_folder / "logs" / "HEAD"):
        require_plain_folder(own_folder / "logs")
        (private_folder / "logs").mkdir(exist_ok=True)
        (private_folder / "logs" / "HEAD").write_bytes(
            read_plain_file(own_folder / "logs" / "HEAD", MAX_LIST_BYTES)
        )
