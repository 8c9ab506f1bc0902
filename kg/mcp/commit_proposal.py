"""Commit a proposal to a branch of its own, without changing the work tree or its index.

git writes to a private folder. The finished objects are copied from there, and then the branch is
created in the same steps as by git itself. So nothing in the repository's own settings is
executed, and no hook either.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import NamedTuple

from kg.files.folder_tree import FolderTree
from kg.git.committed_files import REGULAR_FILE_MODES, read_blobs, resolve_commit
from kg.git.repository import get_readable_repository
from kg.git.run_git import Git, open_git
from kg.model.errors import KgError

BRANCHES = "proposal/"
_HEADS = "refs/heads/"
_READ_ONLY = 0o444  # as git does with objects


class ProposalRefused(KgError):
    """Nothing was proposed; the message says why."""


class ProposalBranch(NamedTuple):
    """A branch, and the commit on it."""

    branch: str
    commit: str


def propose_files(
    folder: Path,
    files: Mapping[str, bytes],
    old_contents: Mapping[str, bytes],
    name: str,
    message: str,
) -> ProposalBranch:
    """Commit files, by their paths in the notes folder, onto a new branch `proposal/NAME` of HEAD.

    `old_contents` are the contents to which changes apply; a file not in it has to be new.
    Raises `ProposalRefused` if HEAD has anything else, and `NoHistory`.
    """
    common = get_readable_repository(folder).common
    if os.path.lexists(common / "reftable"):
        raise ProposalRefused("its branches are in a reftable, which kg cannot write")
    with open_git(folder) as git, tempfile.TemporaryDirectory(prefix="kg-proposal-") as scratch:
        head = resolve_commit(git, "HEAD")
        paths_by_place = {f"{git.prefix}/{path}" if git.prefix else path: path for path in files}
        modes = {
            path_in_git: _mode_of_unchanged_file(git, head, path_in_git, old_contents.get(path))
            for path_in_git, path in paths_by_place.items()
        }
        contents = {path_in_git: files[path] for path_in_git, path in paths_by_place.items()}
        if branch := _existing_proposal(git, contents):
            raise ProposalRefused(f"{branch} already has exactly this")
        scratch_git = git.with_new_objects_in(Path(scratch))
        blobs = {path_in_git: (modes[path_in_git], data) for path_in_git, data in contents.items()}
        commit = _write_commit(scratch_git, head, blobs, message)
        branch = _free_branch(git, name)
        with FolderTree(common) as tree:
            _copy_objects(Path(scratch) / "objects", tree)
            _make_branch(tree, branch, commit)
    return ProposalBranch(branch, commit)


def _mode_of_unchanged_file(git: Git, head: str, path: str, old_content: bytes | None) -> str:
    """The mode of a file; raises `ProposalRefused` unless HEAD has it with `old_content`."""
    listed = git.run("ls-tree", "-z", "--full-tree", head, "--", path)
    mode, _, rest = listed.partition(b"\t")[0].decode().partition(" ")
    if old_content is None:
        if listed:
            raise ProposalRefused(f"{path} is in the last commit: it would be overwritten")
        return REGULAR_FILE_MODES[0]
    if mode not in REGULAR_FILE_MODES:
        raise ProposalRefused(f"{path} is not committed yet: commit it first")
    if next(read_blobs(git, [rest.split()[1]])) != old_content:
        raise ProposalRefused(f"{path} has changes that are not committed: commit them first")
    return mode


def _existing_proposal(git: Git, files: Mapping[str, bytes]) -> str:
    """An existing proposal with exactly these contents of the files; empty if there is none."""
    refs = f"{_HEADS}{BRANCHES}"
    branches = git.run("for-each-ref", "--format=%(refname)", refs).decode().split()
    if not branches:
        return ""
    blobs = [
        git.run("hash-object", "--stdin", "--no-filters", input=data).split()[0]
        for data in files.values()
    ]
    questions = "".join(f"{branch}:{path}\n" for branch in branches for path in files)
    rows = git.run("cat-file", "--batch-check", input=os.fsencode(questions)).splitlines()
    for number, branch in enumerate(branches):
        branch_rows = rows[number * len(files) : (number + 1) * len(files)]
        if [row.split()[0] for row in branch_rows] == blobs:
            return branch.removeprefix(_HEADS)
    return ""


def _write_commit(git: Git, head: str, files: Mapping[str, tuple[str, bytes]], message: str) -> str:
    """Write blobs, a tree and a commit, to which nothing refers yet."""
    rows = b""
    for path, (mode, data) in files.items():
        blob = git.run("hash-object", "-w", "--stdin", "--no-filters", input=data).decode().strip()
        rows += f"{mode} {blob}\t".encode() + os.fsencode(path) + b"\0"
    git.run("read-tree", head)
    git.run("update-index", "-z", "--index-info", input=rows)
    tree = git.run("write-tree").decode().strip()
    text = message.encode("utf-8", "replace").replace(b"\0", b" ")
    return git.run("commit-tree", tree, "-p", head, "-F", "-", input=text).decode().strip()


def _free_branch(git: Git, name: str) -> str:
    """A free branch name."""
    listed = git.run("for-each-ref", "--format=%(refname)", _HEADS.rstrip("/")).decode()
    taken_refs = {ref.casefold() for ref in listed.split()}
    if f"{_HEADS}{BRANCHES}".rstrip("/") in taken_refs:
        raise ProposalRefused(
            "there is a branch `proposal`, so there can be no branch `proposal/…`"
        )
    names = (name if number == 1 else f"{name}-{number}" for number in count(1))
    branches = (f"{BRANCHES}{each}" for each in names)
    return next(each for each in branches if f"{_HEADS}{each}".casefold() not in taken_refs)


def _copy_objects(objects: Path, tree: FolderTree) -> None:
    for folder in sorted(objects.iterdir()):
        if len(folder.name) == 2:
            for file in sorted(folder.iterdir()):
                with suppress(FileExistsError):  # objects are named by their content
                    url = f"objects/{folder.name}/{file.name}"
                    tree.create(url, file.read_bytes(), _READ_ONLY)


def _make_branch(tree: FolderTree, branch: str, commit: str) -> None:
    """Create a branch as git does: the holder of `REF.lock` may write “REF”."""
    ref = f"{_HEADS}{branch}"
    try:
        tree.create(f"{ref}.lock", f"{commit}\n".encode())
    except FileExistsError:
        raise ProposalRefused(f"{branch} is being written; try again") from None
    if tree.stat(ref) is not None:
        tree.remove(f"{ref}.lock")
        raise ProposalRefused(f"{branch} was created in the meantime; try again")
    tree.move(f"{ref}.lock", ref)
