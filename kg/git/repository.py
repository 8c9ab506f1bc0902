"""Find the repository of a folder of notes, and check that it may be read."""

from __future__ import annotations

import os
import stat
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from kg.files.read_files import StrPath, real_path_of
from kg.git.linked_objects import require_plain_objects
from kg.git.plain_files import (
    MAX_LIST_BYTES,
    MAX_REF_BYTES,
    NoHistory,
    NoRepository,
    read_line,
    read_plain_file,
    read_settings,
    require_plain_folder,
)


class Repository(NamedTuple):
    """The folder with `.git` (`top`), that of its “HEAD”, and that of objects and refs."""

    top: Path
    head_folder: Path
    common: Path


def get_repository(folder: StrPath) -> Repository:
    """The repository around a folder: the nearest `.git` at or above it, and never a bare one.

    Raises `NoRepository`; and `NoHistory` for one that is inconsistent or links elsewhere.
    """
    real_path = Path(real_path_of(folder))
    for top in (real_path, *real_path.parents):
        path = top / ".git"
        if os.path.lexists(path):
            try:
                return _repository_at(top, path)
            except OSError as error:
                raise NoHistory(f"{path} cannot be read: {error}") from None
    raise NoRepository(f"{folder} is not in a git repository, so it has no history to compare with")


def get_readable_repository(folder: StrPath) -> Repository:
    """The repository around a folder; raises `NoHistory`, also if it has no HEAD or refs.

    Its objects are not checked here, but in `kg.git.linked_objects`.
    """
    repository = get_repository(folder)
    if not os.path.lexists(repository.head_folder / "HEAD"):
        raise NoHistory(f"{repository.head_folder} is not a repository: it has no HEAD")
    try:
        require_plain_folder(repository.common / "refs")
    except OSError as error:
        raise NoHistory(
            f"{repository.common} is not a repository that kg can read: {error}"
        ) from None
    return repository


def reason_for_no_history(folder: StrPath) -> str:
    """Explain why the repository around a folder cannot be read; empty if it can, or if there is
    none.
    """
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
        _, own_folder, common = get_repository(folder)
        branch = read_plain_file(own_folder / "HEAD", MAX_REF_BYTES).decode("utf-8", "replace")
    except (NoHistory, OSError):
        return []
    files = [own_folder / "HEAD", common / "packed-refs", common / "shallow"]
    files += [common / "objects" / "info" / "alternates", own_folder / "reftable" / "tables.list"]
    name = branch.removeprefix("ref:").strip()
    if name.startswith("refs/") and ".." not in name and "\0" not in name:
        files.append(common / name)
    return [str(file) for file in files]


def head_digest(folder: StrPath) -> bytes:
    """A digest that changes when the repository is at another commit; empty without one."""
    files = state_files(folder)
    if not files:
        return b""
    digest = blake2b(digest_size=16)
    for file in files:
        try:
            content = read_plain_file(file, MAX_LIST_BYTES) if os.path.lexists(file) else b""
        except NoHistory:
            return b""
        digest.update(b"%d\n" % len(content) + content)
    return digest.digest()


def _repository_at(top: Path, path: Path) -> Repository:
    state = os.lstat(path)
    if stat.S_ISREG(state.st_mode):
        return _repository_elsewhere(top, path)
    require_plain_folder(path)
    return Repository(top, path, path)


def _repository_elsewhere(top: Path, path: Path) -> Repository:
    """The repository of a worktree or submodule, which must refer back to this folder."""
    # else a folder from somebody else could name any repository of its reader
    first_line = read_line(path)
    if not first_line.startswith("gitdir:"):
        raise NoHistory(f"{path} names no repository")
    own_folder = Path(os.path.realpath(top / first_line.removeprefix("gitdir:").strip()))
    require_plain_folder(own_folder)
    common = own_folder
    if os.path.lexists(own_folder / "commondir"):
        common = own_folder.parent.parent
        is_mutual = (
            own_folder.parent.name == "worktrees"
            and _is_same_place(own_folder / read_line(own_folder / "commondir"), common)
            and _is_same_place(own_folder / read_line(own_folder / "gitdir"), path)
        )
    else:
        worktree = read_settings(own_folder / "config").get("core.worktree", "")
        is_mutual = bool(worktree) and _is_same_place(own_folder / worktree, top)
    if not is_mutual:
        raise NoHistory(
            f"{path} names {own_folder}, which does not know of {top}: its history is unread"
        )
    return Repository(top, own_folder, common)


def _is_same_place(path: Path, other: Path) -> bool:
    return os.path.normcase(os.path.realpath(path)) == os.path.normcase(other)
