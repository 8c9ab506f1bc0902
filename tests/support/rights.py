"""The rights of files, which count for root, too, while a test looks at them."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

_VERSION_3 = 0x20080522  # of `capset`: 64 capabilities, so two records
_BEYOND_RIGHTS = 1 << 1 | 1 << 2  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH

needs_rights = pytest.mark.skipif(os.name == "nt", reason="Windows keeps rights otherwise")


@contextmanager
def rights_count() -> Iterator[None]:
    """As if root were anyone, within this thread; for anyone else nothing changes."""
    if os.geteuid() != 0:
        yield
        return
    libc = ctypes.CDLL(None)
    head = (ctypes.c_uint32 * 2)(_VERSION_3, 0)
    rights, fewer = (ctypes.c_uint32 * 6)(), (ctypes.c_uint32 * 6)()
    if sys.platform != "linux" or libc.capget(head, rights):
        pytest.skip("root cannot give up its rights here: run this as another user")
    fewer[:] = rights
    fewer[0] &= ~_BEYOND_RIGHTS
    assert libc.capset(head, fewer) == 0
    try:
        yield
    finally:
        assert libc.capset(head, rights) == 0
