"""Find the repository of a folder of notes, and check that it may be read."""

from __future__ import annotations

import os
import stat
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from kg.files.read_files import StrPath, real_path_of
from kg.git.objects import (
    MAX_LIST_BYTES,
    MAX_REF_BYTES,
    NoHistory,
    NoRepository,
    read_line,
    read_plain,
    read_settings,
    require_plain_folder,
    require_plain_objects,
)


class Repository(NamedTuple):
    """The folder with `.git` (`top`), that of `HEAD` (`own`), and that of objects and refs."""

    top: Path
    own: Path
    common: Path


def get_repository(folder: StrPath) -> Repository:
    """The repository around a folder: the nearest `.git` at or above it, and never a bare one.

    Raises `NoRepository`; and `NoHistory` for one that is inconsistent or links elsewhere.
    """
    whole = Path(real_path_of(folder))
    for top in (whole, *whole.parents):
        place = top / ".git"
        if os.path.lexists(place):
            try:
                return _repository_at(top, place)
            except OSError as error:
                raise NoHistory(f"{place} cannot be read: {error}") from None
    raise NoRepository(f"{folder} is not in a git repository, so it has no history to compare with")


def get_readable_repository(folder: StrPath) -> Repository:
    """The repository around a folder; raises `NoHistory`, also if it has no HEAD or refs.

    Its objects are not checked here, but in `kg.git.objects`.
    """
    found = get_repository(folder)
    if not os.path.lexists(found.own / "HEAD"):
        raise NoHistory(f"{found.own} is not a repository: it has no HEAD")
    try:
        require_plain_folder(found.common / "refs")
    except OSError as error:
        raise NoHistory(f"{found.common} is not a repository that kg can read: {error}") from None
    return found


def reason_for_no_history(folder: StrPath) -> str:
    """Why the repository around a folder cannot be read; empty if it can, or if there is none."""
    try:
        require_plain_objects(get_readable_repository(folder).common / "objects")
    except NoRepository:
        return ""
    except NoHistory as error:
        return str(error)
    except OSError as error:
        return f"its objects cannot be read: {error}"
    return ""


def state_files(folder: StrPath) -> list[str]:
    """Files that change when the repository around a folder moves to another commit."""
    try:
        _, own, common = get_repository(folder)
        branch = read_plain(own / "HEAD", MAX_REF_BYTES).decode("utf-8", "replace")
    except (NoHistory, OSError):
        return []
    kept = [own / "HEAD", common / "packed-refs", common / "shallow"]
    kept += [common / "objects" / "info" / "alternates", own / "reftable" / "tables.list"]
    name = branch.removeprefix("ref:").strip()
    if name.startswith("refs/") and ".." not in name and "\0" not in name:
        kept.append(common / name)
    return [str(file) for file in kept]


def head_digest(folder: StrPath) -> bytes:
    """A digest that changes when the repository is at another commit; empty without one."""
    files = state_files(folder)
    if not files:
        return b""
    whole = blake2b(digest_size=16)
    for file in files:
        try:
            held = read_plain(file, MAX_LIST_BYTES) if os.path.lexists(file) else b""
        except NoHistory:
            return b""
        whole.update(b"%d\n" % len(held) + held)
    return whole.digest()


def _repository_at(top: Path, place: Path) -> Repository:
    state = os.lstat(place)
    if stat.S_ISREG(state.st_mode):
        return _repository_elsewhere(top, place)
    require_plain_folder(place)
    return Repository(top, place, place)


def _repository_elsewhere(top: Path, place: Path) -> Repository:
    """The repository of a worktree or submodule, which must refer back to this folder."""
    line = read_line(place)
    if not line.startswith("gitdir:"):
        raise NoHistory(f"{place} names no repository")
    own = Path(os.path.realpath(top / line.removeprefix("gitdir:").strip()))
    require_plain_folder(own)
    common = own
    if os.path.lexists(own / "commondir"):
        common = own.parent.parent
        mutual = own.parent.name == "worktrees"
        mutual = mutual and _is_same_place(own / read_line(own / "commondir"), common)
        mutual = mutual and _is_same_place(own / read_line(own / "gitdir"), place)
    else:
        worktree = read_settings(own / "config").get("core.worktree", "")
        mutual = bool(worktree) and _is_same_place(own / worktree, top)
    if not mutual:
        raise NoHistory(f"{place} names {own}, which does not know of {top}: its history is unread")
    return Repository(top, own, common)


def _is_same_place(one: Path, other: Path) -> bool:
    return os.path.normcase(os.path.realpath(one)) == os.path.normcase(other)
