"""Find the notes of a folder."""

from __future__ import annotations

import errno
import heapq
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from kg.files.read_files import (
    FOLLOW_VARIABLE,
    FolderHandles,
    StrPath,
    TooLarge,
    UnreadableFile,
    allowed_folders,
    is_inside,
    read_regular_file,
    real_path_of,
    render_size,
)
from kg.model import Diagnostic, Severity, Span
from kg.model.errors import KgError
from kg.notes.ignore_globs import IgnoreGlobs

NOTE_SUFFIX = ".md"
CSL_FILE = "references.json"  # always read as a bibliography; other JSON may be anything
BIBLIOGRAPHY_SUFFIXES = (".bib", ".json")
README = "README.md"
JUDGEMENTS_FOLDER = "judgements"
_LOOKALIKE_SUFFIXES = (NOTE_SUFFIX, ".markdown", ".mdown", ".md.txt", *BIBLIOGRAPHY_SUFFIXES)
MAX_NOTE_BYTES = 4 * 1024 * 1024  # bytes: a larger file is data, not text
MAX_BIBLIOGRAPHY_BYTES = 64 * 1024 * 1024  # bytes: about a hundred thousand entries
_STAT_REPORTS_LINKS = os.name != "nt"  # on Windows, a junction is reported as a folder
MAX_LINKS_ON_A_PATH = 16  # on the way to one folder


class NoSuchFolder(KgError, FileNotFoundError):
    """The notes folder is not there; the message says what was looked for. `kg.load("nowhere")`"""


class ListedFile(NamedTuple):
    """A file that exists: its path within the notes folder, and its real path on disk."""

    path: str
    real_path: str


class Listing(NamedTuple):
    """The files found in a folder, in the order of their paths, none of them read yet."""

    notes: tuple[ListedFile, ...]
    bibliographies: tuple[ListedFile, ...]
    diagnostics: tuple[Diagnostic, ...]


def require_folder(folder: StrPath) -> None:
    """Raise `NoSuchFolder` if `folder` is not a folder."""
    if not Path(folder).is_dir():
        raise NoSuchFolder(f"there is no folder {str(folder)!r} to read notes from")


def list_notes(folder: StrPath, ignored: IgnoreGlobs | None = None) -> Listing:
    """List every note and bibliography under `folder`, in the order of their paths.

    Hidden files and folders, the `README.md` and ignored files are left out. Raises
    `NoSuchFolder`.
    """
    require_folder(folder)
    problems: list[Diagnostic] = []
    ignored = ignored or IgnoreGlobs()
    files = sorted(_walk(folder, problems, ignored))
    return Listing(
        tuple(file for file in files if file.path.endswith(NOTE_SUFFIX)),
        tuple(file for file in files if not file.path.endswith(NOTE_SUFFIX)),
        tuple(problems),
    )


def list_judgements(folder: StrPath) -> list[Path]:
    """The paths of the tables in `folder`/judgements; none if that is a link that leads outside,
    which `list_notes` reports.
    """
    path = Path(folder) / JUDGEMENTS_FOLDER
    with FolderHandles() as folders, suppress(OSError):
        real = os.path.realpath(path)
        if not is_inside(real, (real_path_of(folder), *allowed_folders())):
            return []
        names = [entry.name for entry in folders.list(real)]
        return sorted(path / name for name in names if os.path.normcase(name).endswith(".csv"))
    return []


def max_bytes_of(path: str) -> int:
    """Return how large a file may be, by its name."""
    return MAX_NOTE_BYTES if path.endswith(NOTE_SUFFIX) else MAX_BIBLIOGRAPHY_BYTES


class _Folder(NamedTuple):
    """A folder to walk: `above` are the real folders in which links to it were followed."""

    prefix: str
    real: str
    above: tuple[str, ...]


def _walk(root: StrPath, problems: list[Diagnostic], ignored: IgnoreGlobs) -> Iterator[ListedFile]:
    """Yield all notes and bibliographies. Folders behind links come last, each of them once: two
    links in each of forty folders would make more paths than can be walked.
    """
    top = real_path_of(root)
    waiting = [_Folder("", top, ())]
    links = _SafeLinks((top, *allowed_folders()), problems)
    with FolderHandles() as folders:
        while folder := waiting.pop() if waiting else links.pop():
            if folder.above and not links.accept(folder):
                continue
            try:
                entries = folders.list(folder.real)
            except OSError as error:
                problems.append(unreadable_problem(folder.prefix or ".", error))
                continue
            if ignored:
                prefix = folder.prefix
                entries = [each for each in entries if not ignored.matches(prefix + each.name)]
            yield from _files_in(entries, folder, waiting, links)


def _files_in(
    entries: Iterable[os.DirEntry[str]], folder: _Folder, waiting: list[_Folder], links: _SafeLinks
) -> Iterator[ListedFile]:
    """The notes and bibliographies in one folder; its folders are queued."""
    prefix = folder.prefix
    problems = links.problems
    folder_path = folder.real.rstrip(os.sep) + os.sep
    for entry in entries:
        name = entry.name
        if name.startswith("."):
            continue
        if _STAT_REPORTS_LINKS and entry.is_file(follow_symlinks=False):
            path = prefix + name
            if name != README and name.endswith(NOTE_SUFFIX) and path.isascii():
                yield ListedFile(path, folder_path + name)  # the common case: no further checks
            elif listed_file := _as_listed(prefix, name, folder_path + name, problems):
                yield listed_file
        elif _may_be_link(entry):
            if listed_file := links.follow(name, folder_path + name, folder):
                yield listed_file
        elif _is_folder(entry):
            waiting.append(_Folder(f"{prefix}{name}/", folder_path + name, folder.above))
        elif _accept_name(name, prefix, problems):
            problems.append(_special_file_problem(prefix + name))


class _SafeLinks:
    """The links in a folder of notes: where they may lead, and the folders they lead to."""

    def __init__(self, allowed: Sequence[str], problems: list[Diagnostic]) -> None:
        self.allowed = allowed
        self.problems = problems
        self.waiting: list[_Folder] = []
        self.known: set[str] = set()

    def pop(self) -> _Folder | None:
        """The next folder behind a link, in the order of their paths."""
        return heapq.heappop(self.waiting) if self.waiting else None

    def accept(self, folder: _Folder) -> bool:
        """Take a folder behind a link that has not been walked yet, or report the link."""
        if folder.real in self.known:
            message = "these notes are read already, through another link"
            self.problems.append(_repeated_link_problem(folder.prefix.rstrip("/"), message))
            return False
        self.known.add(folder.real)
        return True

    def follow(self, name: str, whole_path: str, folder: _Folder) -> ListedFile | None:
        """The note or bibliography a link leads to; folders are queued, outside links reported."""
        prefix = folder.prefix
        path = prefix + name
        try:
            real = os.path.realpath(whole_path)  # fails if the link is gone
            if not is_inside(real, self.allowed):
                self.problems.append(_outside_link_problem(path))
                return None
            mode = os.stat(real).st_mode
        except OSError as error:  # of unknown kind: without a suffix, it may be a folder of notes
            if "." not in name or _accept_name(name, prefix, self.problems):
                self.problems.append(unreadable_problem(path, error))
            return None
        if stat.S_ISDIR(mode):
            self._keep_unless_circular(_Folder(f"{path}/", real, (*folder.above, folder.real)))
        elif stat.S_ISREG(mode):
            return _as_listed(prefix, name, real, self.problems)
        elif _accept_name(name, prefix, self.problems):
            self.problems.append(_special_file_problem(path))
        return None

    def _keep_unless_circular(self, folder: _Folder) -> None:
        path = folder.prefix.rstrip("/")
        if any(is_inside(ancestor, (folder.real,)) for ancestor in folder.above):
            message = "this link leads back to a folder around it"
            help = "remove the link; the folder's notes are read where they are"
            self.problems.append(_file_problem(path, message, help))
        elif len(folder.above) > MAX_LINKS_ON_A_PATH:
            self.problems.append(
                _repeated_link_problem(path, f"this link lies behind {MAX_LINKS_ON_A_PATH} others")
            )
        else:
            heapq.heappush(self.waiting, folder)


def _as_listed(prefix: str, name: str, real: str, problems: list[Diagnostic]) -> ListedFile | None:
    """A regular file, if it is a note or a bibliography."""
    path = prefix + name
    if not _accept_name(name, prefix, problems):
        return None
    if name == README:  # not a note, only the site reads it: check here that it can be read
        try:
            read_regular_file(real, MAX_NOTE_BYTES)
        except OSError as error:
            problems.append(unreadable_problem(path, error))
        return None
    if (
        name.endswith(".json")
        and name != CSL_FILE
        and os.stat(real).st_size > MAX_BIBLIOGRAPHY_BYTES
    ):
        return None  # data of some other sort
    return ListedFile(path, real) if path.isascii() or _accept_encoding(path, problems) else None


def _may_be_link(entry: os.DirEntry[str]) -> bool:
    if entry.is_symlink():
        return True
    if os.name != "nt":
        return False
    attributes = getattr(entry.stat(follow_symlinks=False), "st_file_attributes", 0)
    return bool(attributes & stat.FILE_ATTRIBUTE_REPARSE_POINT)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _accept_name(name: str, prefix: str, problems: list[Diagnostic]) -> bool:
    """Take a note, a bibliography or the `README.md` at the top; report a file that
    only looks like one.
    """
    if not name.lower().endswith(_LOOKALIKE_SUFFIXES):
        return False
    if name == README:
        return not prefix
    if not name.endswith((NOTE_SUFFIX, *BIBLIOGRAPHY_SUFFIXES)):
        problems.append(_unread_file_problem(prefix + name))
        return False
    return True


def _accept_encoding(path: str, problems: list[Diagnostic]) -> bool:
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        problems.append(_file_problem(path, "this file's name is not Unicode", "rename the file"))
        return False
    return True


def _special_file_problem(path: str) -> Diagnostic:
    return unreadable_problem(path, UnreadableFile("it is a pipe or a device, not a file", path))


def _file_problem(
    path: str,
    message: str,
    help: str,
    rule: str = "unreadable-file",
    severity: Severity = Severity.ERROR,
) -> Diagnostic:
    return Diagnostic(
        rule=rule,
        severity=severity,
        message=message,
        # a name that is not Unicode could be neither printed nor stored
        span=Span(path.encode("utf-8", "backslashreplace").decode("utf-8")),
        help=help,
    )


def unreadable_problem(path: str, error: OSError) -> Diagnostic:
    """The problem of a file that cannot be read."""
    if isinstance(error, TooLarge):
        help = "notes are short texts; split it, or link to the data"
        message = f"this file is larger than {render_size(max_bytes_of(path))}"
        return _file_problem(path, message, help if path.endswith(NOTE_SUFFIX) else "split it")
    if error.errno in (errno.EMFILE, errno.ENFILE):  # too many are open: no fault of this one
        raise error
    message = f"this file cannot be read: {error.strerror or error}"
    return _file_problem(path, message, "check its permissions, and that a link leads to a file")


def _outside_link_problem(path: str) -> Diagnostic:
    return _file_problem(
        path,
        "this link leads out of the notes folder, so it is not followed",
        f"put what it leads to here; if you trust the link, name its target in {FOLLOW_VARIABLE}",
        "outside-link",
        Severity.WARNING,
    )


def _repeated_link_problem(path: str, message: str) -> Diagnostic:
    return _file_problem(
        path,
        message,
        "remove one of the links",
        "unread-file",
        Severity.WARNING,
    )


def _unread_file_problem(path: str) -> Diagnostic:
    """The problem of a file that only looks like a note or a bibliography."""
    help = "a note's name ends in `.md`, a bibliography's in `.bib` or `.json`"
    return _file_problem(path, "this file is not read", help, "unread-file", Severity.WARNING)
