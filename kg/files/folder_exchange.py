"""Exchange two folders in one step, where the system can do that."""

from __future__ import annotations

import errno
import os
import stat
import sys

_RENAME_EXCHANGE_FLAG = 2  # RENAME_EXCHANGE of renameat2(2)


def exchange_folders(
    first_path: str, first_handle: int, second_path: str, second_handle: int
) -> None:
    """Exchange the names of two folders, each below a folder's handle; raises `OSError`.

    Both names exist at every moment. Linux has a call for this that Python does not offer.
    """
    if sys.platform != "linux":
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    import ctypes  # it takes as long as many a command, and is needed where a site changed

    call = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if call is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    if call(
        first_handle,
        os.fsencode(first_path),
        second_handle,
        os.fsencode(second_path),
        _RENAME_EXCHANGE_FLAG,
    ):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), first_path, None, second_path)


def copy_access_rights(folder: int, target: int) -> None:
    """Give one folder the owner, mode and attributes of another, so that the same people may enter.

    `folder` and `target` are open handles. Raises `OSError`.
    """
    folder_stat = os.fstat(folder)
    target_stat = os.fstat(target)
    if (folder_stat.st_uid, folder_stat.st_gid) != (target_stat.st_uid, target_stat.st_gid):
        os.fchown(target, folder_stat.st_uid, folder_stat.st_gid)
    if folder_stat.st_mode != target_stat.st_mode:
        os.fchmod(target, stat.S_IMODE(folder_stat.st_mode))
    if sys.platform == "linux":
        wanted_attributes = _folder_attributes(folder)
        present_attributes = _folder_attributes(target)
        for name in present_attributes.keys() - wanted_attributes.keys():
            os.removexattr(target, name)
        for name, value in wanted_attributes.items():
            if present_attributes.get(name) != value:
                os.setxattr(target, name, value)


def _folder_attributes(folder: int) -> dict[str, bytes]:
    """Read the attributes in which Linux keeps rights and labels; none where the disk has no such
    thing.
    """
    if sys.platform != "linux":
        return {}
    try:
        return {name: os.getxattr(folder, name) for name in os.listxattr(folder)}
    except OSError as error:
        if error.errno in (errno.ENOTSUP, errno.ENOSYS):
            return {}
        raise
