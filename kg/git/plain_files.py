"""The files of a repository, read by us and not by git: never a link, within bounds, as data only.

A link would show files from elsewhere; a pipe would never end; settings could run programs.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from kg.files.read_files import FolderHandles, read_regular_file
from kg.model.errors import KgError

MAX_REF_BYTES = 4 * 1024  # of a file with one reference
MAX_LIST_BYTES = 64 * 1024 * 1024  # of packed references, shallow commits, or a log
MAX_SETTINGS_BYTES = 1024 * 1024
MAX_LINE_BYTES = 8 * 1024  # of settings: more than the longest path needs
# Each character can be matched in only one way, so matching takes linear time.
_SECTION_NAME = re.compile(r"[\w.-]+")
_SETTING_NAME = re.compile(r"\w[\w-]*")
_COMMENT = re.compile(r"[#;]")


class NoHistory(KgError):
    """A git history that cannot be read; the message says why and what would help."""


class NoRepository(NoHistory):
    """The folder is not in a repository."""


def read_plain_file(path: str | Path, limit: int, folders: FolderHandles | None = None) -> bytes:
    """The bytes of a file by its real path; raises `NoHistory` if it is a link, below one, not a
    file, or too large. Share `folders` between files.
    """
    if os.path.islink(path):
        raise NoHistory(f"{path} is a link, and is not followed")
    try:
        if folders is not None:
            return read_regular_file(path, limit, folders)
        with FolderHandles() as own_folders:
            return read_regular_file(path, limit, own_folders)
    except OSError as error:
        raise NoHistory(f"{path}: {error.strerror}") from None


def read_line(path: Path) -> str:
    """The stripped text of a small file; raises `NoHistory`."""
    text = os.fsdecode(read_plain_file(path, MAX_REF_BYTES)).strip()
    if "\0" in text:
        raise NoHistory(f"{path} is not text")
    return text


def read_settings(path: Path) -> dict[str, str]:
    """The simple settings of a repository, by section and name in lower case.

    Only settings on short single lines in sections without a subsection are read, as git writes
    the few that are needed. Nothing is included or executed.
    """
    if not os.path.lexists(path):
        return {}
    settings: dict[str, str] = {}
    section = ""
    for raw in os.fsdecode(read_plain_file(path, MAX_SETTINGS_BYTES)).split("\n"):
        text_line = raw.strip()
        if text_line.startswith("["):
            head, _, text_line = text_line[1:].partition("]")
            section = head.strip().casefold()
            # a subsection, `[remote "origin"]`, has none of the needed settings
            section = section if _SECTION_NAME.fullmatch(section) else ""
        name, equals, value = text_line.partition("=")
        name = name.strip()
        if section and equals and len(raw) <= MAX_LINE_BYTES and _SETTING_NAME.fullmatch(name):
            plain = _simple_setting_value(value.strip())
            if plain is not None:
                settings[f"{section}.{name.casefold()}"] = plain
    return settings


def _simple_setting_value(text: str) -> str | None:
    """A value without its quotes and comment; None if its syntax is more complex."""
    if text.startswith('"'):
        value, quote, rest = text[1:].partition('"')
        rest = rest.lstrip()
        is_plain = bool(quote) and (not rest or rest[0] in "#;")
    else:
        value = _COMMENT.split(text)[0]
        is_plain = '"' not in value
    is_plain = is_plain and "\\" not in value and "\0" not in value
    return value.strip() if is_plain else None


def require_plain_folder(path: Path) -> None:
    """Raise `NoHistory` for anything but a folder, also for a link."""
    state = os.lstat(path)
    is_link = getattr(state, "st_file_attributes", 0) & stat.FILE_ATTRIBUTE_REPARSE_POINT
    if is_link or not stat.S_ISDIR(state.st_mode):
        raise NoHistory(f"{path} is a link or not a folder, and is not followed")
