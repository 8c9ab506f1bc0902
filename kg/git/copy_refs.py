"""Give git the references of a repository in one file, however many there are.

Each branch and tag may be a file of its own. To copy tens of thousands of them takes minutes on
an ordinary disk, to read them seconds. So those that name an object are written to one
`packed-refs`, as `git pack-refs` does; symbolic ones are copied.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from kg.files.read_files import FolderHandles
from kg.git.plain_files import (
    MAX_LIST_BYTES,
    MAX_REF_BYTES,
    NoHistory,
    read_plain_file,
    require_plain_folder,
)

MAX_REFS = 100_000  # branches and tags, each of which is a file
MAX_COPIED = 10_000  # files that git needs as they are: symbolic references, logs, reftables
PACKED_NAME = "packed-refs"
_NOT_READ = "replace"  # a folder of references that replace objects by others
_HEX = re.compile(rb"[0-9a-fA-F]+")
# what `git check-ref-format` refuses; a line break here would begin another reference
_REFUSED_IN_NAMES = re.compile(
    rb"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|/\.|\.$|//|\.lock(?:/|$)", re.DOTALL
)


def copy_refs(common: Path, private: Path, *, id_length: int) -> None:
    """Write the references in the folder `common` to `private`, the newer of two with one name.

    Ids of objects have `id_length` digits. Raises `NoHistory` for links, for too many references,
    and for a damaged list; and `OSError`.
    """
    packed = _packed_references(common / PACKED_NAME, id_length)
    (private / "refs").mkdir()
    copied = 0
    for name, data in _files_below(common, common / "refs", MAX_REF_BYTES, MAX_REFS):
        key = os.fsencode(name)
        if _REFUSED_IN_NAMES.search(key):
            continue  # git ignores it, too
        object_id = data.rstrip()
        if len(object_id) == id_length and _HEX.fullmatch(object_id):
            packed[key] = object_id + b" " + key + b"\n"
            continue
        packed.pop(key, None)
        copied += 1
        if copied > MAX_COPIED:
            raise NoHistory(f"{common / 'refs'} has too many symbolic references to read")
        _write_below(private, name, data)
    # git looks in it by halving, so the order is that of bytes
    lines = b"".join(packed[key] for key in sorted(packed))
    (private / PACKED_NAME).write_bytes(b"# pack-refs with: sorted \n" + lines)


def copy_folder(source: Path, target: Path) -> None:
    """Copy a folder of files that git needs as they are.

    Raises `NoHistory` for links, and if there are too many; and `OSError`.
    """
    target.mkdir()
    for name, data in _files_below(source, source, MAX_LIST_BYTES, MAX_COPIED):
        _write_below(target, name, data)


def _packed_references(path: Path, id_length: int) -> dict[bytes, bytes]:
    """The lines of each reference in a list by its name: its own, and that of a tag's target."""
    if not os.path.lexists(path):
        return {}
    lines: dict[bytes, bytes] = {}
    name = b""
    for number, text_line in enumerate(read_plain_file(path, MAX_LIST_BYTES).split(b"\n"), 1):
        object_id, _, line_name = text_line.partition(b" ")
        if not text_line or text_line.startswith(b"#"):
            continue
        if name and text_line.startswith(b"^"):
            lines[name] += text_line + b"\n"
        elif line_name and len(object_id) == id_length and _HEX.fullmatch(object_id):
            name = line_name
            lines[name] = text_line + b"\n"
        else:
            raise NoHistory(f"{path}: line {number} names no reference")
    return lines


def _files_below(
    top: Path, folder: Path, limit: int, max_files: int
) -> Iterator[tuple[str, bytes]]:
    """The path, from `top` with slashes, and the bytes of each file below a folder."""
    require_plain_folder(folder)
    waiting = [folder]
    count = size = 0
    with FolderHandles() as folders:
        while waiting:
            current = waiting.pop()
            prefix = current.relative_to(top).as_posix()
            prefix = "" if prefix == "." else f"{prefix}/"
            for entry in folders.list(str(current)):
                count += 1
                if entry.is_dir(follow_symlinks=False):
                    if entry.name != _NOT_READ:
                        require_plain_folder(current / entry.name)
                        waiting.append(current / entry.name)
                elif not entry.name.endswith(".lock"):  # which git is writing
                    data = read_plain_file(f"{current}{os.sep}{entry.name}", limit, folders)
                    yield prefix + entry.name, data
                    size += len(data)
                if count > max_files or size > MAX_LIST_BYTES:
                    raise NoHistory(f"{folder} has too much to read")


def _write_below(folder: Path, name: str, data: bytes) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
