"""Holds back signals that end the program while it moves files, so that it never ends halfway."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_ENDING = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


@contextmanager
def signals_wait() -> Iterator[None]:
    """Ctrl-C and its like count at the end of the block, if they come in it."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals end no other thread than the main one
        return
    came: list[int] = []

    def remember(number: int, frame: FrameType | None) -> None:
        came.append(number)

    before = {number: signal.signal(number, remember) for number in _ENDING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        for number in came:  # all, since the first may be one that is ignored here
            signal.raise_signal(number)
