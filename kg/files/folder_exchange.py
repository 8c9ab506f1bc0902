"""Two folders change places in one step, where the system can do that."""

from __future__ import annotations

import errno
import os
import stat
import sys

_RENAME_EXCHANGE_FLAG = 2  # RENAME_EXCHANGE of renameat2(2)


def exchange_folders(one: str, first_handle: int, other: str, second_handle: int) -> None:
    """Give each the other's name, each below a folder's handle; raises `OSError`.

    At no moment is there nothing at either name. Linux has such a call, which Python does not name.
    """
    if sys.platform != "linux":
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    import ctypes  # it takes as long as many a command, and is needed where a site changed

    call = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if call is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    if call(
        first_handle, os.fsencode(one), second_handle, os.fsencode(other), _RENAME_EXCHANGE_FLAG
    ):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), one, None, other)


def copy_rights(folder: int, to: int) -> None:
    """Let those enter `to` who may enter `folder`, by their handles; raises `OSError`."""
    look, now = os.fstat(folder), os.fstat(to)
    if (look.st_uid, look.st_gid) != (now.st_uid, now.st_gid):
        os.fchown(to, look.st_uid, look.st_gid)
    if look.st_mode != now.st_mode:
        os.fchmod(to, stat.S_IMODE(look.st_mode))
    if sys.platform == "linux":
        wanted, found = _attributes(folder), _attributes(to)
        for name in found.keys() - wanted.keys():
            os.removexattr(to, name)
        for name, value in wanted.items():
            if found.get(name) != value:
                os.setxattr(to, name, value)


def _attributes(folder: int) -> dict[str, bytes]:
    """What Linux keeps lists of rights and labels in; none where the disk has no such thing."""
    if sys.platform != "linux":
        return {}
    try:
        return {name: os.getxattr(folder, name) for name in os.listxattr(folder)}
    except OSError as error:
        if error.errno in (errno.ENOTSUP, errno.ENOSYS):
            return {}
        raise
