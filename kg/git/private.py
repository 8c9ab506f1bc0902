"""The private folder that git works in: settings of our own, and copies of the references."""

from __future__ import annotations

import os
from pathlib import Path

from kg.files.folders import Folders
from kg.git.objects import (
    LARGEST_REF,
    LARGEST_SETTINGS,
    NoHistory,
    need_folder,
    read_plain,
    read_settings,
)
from kg.git.repository import Repository

LARGEST_LIST = 64 * 1024 * 1024  # of packed references, of commits at the edge, of a log
MOST_REFS = 100_000
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


def write_private(repository: Repository, private: Path, *, logs: bool) -> None:
    """Make `private` a git directory of the same history; raises `NoHistory` and `OSError`.

    Only with `logs` can `HEAD@{1}` and the like be looked up in it.
    """
    _, own, common = repository
    settings = read_settings(common / "config")
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
            (private / place.name).write_bytes(read_plain(place, limit))
    _copy(common / "refs", private / "refs", LARGEST_REF)
    if "reftable" in extensions:
        if own != common:
            raise NoHistory(f"{own} is a worktree with a reftable, which is not read")
        _copy(common / "reftable", private / "reftable", LARGEST_LIST)
    if logs:
        _copy_logs(own, common, private)


def _copy_logs(own: Path, common: Path, private: Path) -> None:
    if os.path.isdir(common / "logs"):
        _copy(common / "logs", private / "logs", LARGEST_LIST)
    if own != common and os.path.lexists(own / "logs" / "HEAD"):
        need_folder(own / "logs")
        (private / "logs").mkdir(exist_ok=True)
        (private / "logs" / "HEAD").write_bytes(read_plain(own / "logs" / "HEAD", LARGEST_LIST))


def _copy(source: Path, target: Path, limit: int) -> None:
    """Copy a folder of small files; raises `NoHistory` for links, and where they are too many."""
    need_folder(source)
    target.mkdir()
    waiting = [(source, target)]
    count = size = 0
    with Folders() as folders:
        while waiting:
            here, there = waiting.pop()
            for entry in folders.list(str(here)):
                made, found = there / entry.name, here / entry.name
                if entry.is_dir(follow_symlinks=False):
                    if entry.name not in _NOT_COPIED:
                        need_folder(found)
                        waiting.append((found, made))
                elif not entry.name.endswith(".lock"):
                    there.mkdir(parents=True, exist_ok=True)
                    data = read_plain(found, limit, folders)
                    count, size = count + 1, size + made.write_bytes(data)
                if count > MOST_REFS or size > LARGEST_LIST:
                    raise NoHistory(f"{source} holds too much to be read")
