"""Paths that are not safe to write to: devices, links, names that Windows reads otherwise."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

_SYSTEM_FOLDERS = ("/dev/", "/proc/")  # for example, a terminal or redirected output


def is_device(file_stat: os.stat_result) -> bool:
    """Return whether it is neither a file, a folder nor a link."""
    mode = file_stat.st_mode
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or is_link(file_stat))


def leads_to_system_folder(link: Path) -> bool:
    """Return whether a link is below `/dev` or `/proc`, or leads there."""
    places = link, link.parent / os.readlink(link)
    return any(os.path.abspath(each).startswith(_SYSTEM_FOLDERS) for each in places)


def is_link(file_stat: os.stat_result) -> bool:
    """Return whether it is a link, or a junction on Windows."""
    if sys.platform == "win32":
        tags = (stat.IO_REPARSE_TAG_SYMLINK, stat.IO_REPARSE_TAG_MOUNT_POINT)
        if file_stat.st_reparse_tag in tags:
            return True
    return stat.S_ISLNK(file_stat.st_mode)


def is_unsafe_on_windows(path: str) -> bool:
    """Return whether Windows would read a path as another folder, disk or stream."""
    return "\\" in path or ":" in path
