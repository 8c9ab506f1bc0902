"""Files of a repository, read as they stand: no links, no pipes, nothing without bounds."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from kg.files.folders import Folders
from kg.files.read import read_regular

LARGEST_REF = 4 * 1024
LARGEST_SETTINGS = 1024 * 1024
_REPARSE_POINT = 0x400  # on Windows: a junction, or a link


class NoHistory(Exception):
    """What git holds cannot be read; the message says why and what would help."""


class NoRepository(NoHistory):
    """The folder is in no repository."""


def read_plain(place: str | Path, limit: int, folders: Folders | None = None) -> bytes:
    """The bytes of a file by its real path; raises `NoHistory` for a link there or on the way, and
    for what is no file or is too large. `folders` serve for many.
    """
    if os.path.islink(place):
        raise NoHistory(f"{place} is a link, and is not followed")
    try:
        if folders is not None:
            return read_regular(place, limit, folders)
        with Folders() as found:
            return read_regular(place, limit, found)
    except OSError as error:
        raise NoHistory(f"{place}: {error.strerror}") from None


def read_line(place: Path) -> str:
    """The text of a small file, without spaces around it; raises `NoHistory`."""
    text = os.fsdecode(read_plain(place, LARGEST_REF)).strip()
    if "\0" in text:
        raise NoHistory(f"{place} is no text")
    return text


_SECTION = re.compile(r"\[\s*([\w.-]+)\s*\]\s*")
_SETTING = re.compile(r"(\w[\w-]*)\s*=\s*(?:\"([^\"\\]*)\"|([^\"\\#;]*))\s*(?:[#;].*)?")


def read_settings(place: Path) -> dict[str, str]:
    """The plain settings of a repository, by section and name in small letters.

    Only what stands on a line of its own in a section without a name is read: that is how git
    writes the few that are wanted. Nothing is included, and nothing is done.
    """
    if not os.path.lexists(place):
        return {}
    found: dict[str, str] = {}
    section = ""
    for raw in os.fsdecode(read_plain(place, LARGEST_SETTINGS)).splitlines():
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


def need_folder(place: Path) -> None:
    """Raises `NoHistory` for a link, and for what is no folder."""
    state = os.lstat(place)
    is_link = getattr(state, "st_file_attributes", 0) & _REPARSE_POINT
    if is_link or not stat.S_ISDIR(state.st_mode):
        raise NoHistory(f"{place} is a link or no folder, and is not followed")
