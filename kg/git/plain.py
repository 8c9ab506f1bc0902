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
LONGEST_LINE = 8 * 1024  # of settings: more than the longest path takes
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


def read_settings(place: Path) -> dict[str, str]:
    """The plain settings of a repository, by section and name in small letters.

    Only what stands on a short line of its own in a section without a name is read: that is how
    git writes the few that are wanted. Nothing is included, and nothing is done.
    """
    if not os.path.lexists(place):
        return {}
    found: dict[str, str] = {}
    section = ""
    for raw in os.fsdecode(read_plain(place, LARGEST_SETTINGS)).split("\n"):
        line = raw.strip()
        if line.startswith("["):
            head, _, line = line[1:].partition("]")
            section = head.strip().casefold()
            section = section if _SECTION.fullmatch(section) else ""
        name, equals, value = line.partition("=")
        name = name.strip()
        if section and equals and len(raw) <= LONGEST_LINE and _NAME.fullmatch(name):
            plain = _plain_value(value.strip())
            if plain is not None:
                found[f"{section}.{name.casefold()}"] = plain
    return found


# Each sign can be matched in one way only, so no line takes longer than it is long.
_SECTION = re.compile(r"[\w.-]+")
_NAME = re.compile(r"\w[\w-]*")
_COMMENT = re.compile(r"[#;]")


def _plain_value(text: str) -> str | None:
    """A value without its quotes and comment; None for one that takes more than that to read."""
    if text.startswith('"'):
        value, quote, rest = text[1:].partition('"')
        rest = rest.lstrip()
        is_plain = bool(quote) and (not rest or rest[0] in "#;")
    else:
        value = _COMMENT.split(text, maxsplit=1)[0]
        is_plain = '"' not in value
    is_plain = is_plain and "\\" not in value and "\0" not in value
    return value.strip() if is_plain else None


def need_folder(place: Path) -> None:
    """Raises `NoHistory` for a link, and for what is no folder."""
    state = os.lstat(place)
    is_link = getattr(state, "st_file_attributes", 0) & _REPARSE_POINT
    if is_link or not stat.S_ISDIR(state.st_mode):
        raise NoHistory(f"{place} is a link or no folder, and is not followed")
