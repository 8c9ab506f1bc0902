"""The program `kg`, also as `python -m kg`."""

from __future__ import annotations

import signal


def run() -> None:
    """Load the command and run it; who stops it while it loads or ends is shown no traceback."""
    before = _end_at_once()
    from kg.cli import run as run_command

    signal.signal(signal.SIGINT, before)
    try:
        run_command()
    finally:
        _end_at_once()


def _end_at_once() -> signal._HANDLER:
    """Ctrl-C ends the process from now on, unless it is not heard at all; what it did before."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return before


if __name__ == "__main__":
    run()
