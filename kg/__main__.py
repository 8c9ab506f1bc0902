"""The program `kg`, also as `python -m kg`."""

from __future__ import annotations

import signal


def run() -> None:
    """Load the command and run it; Ctrl-C while it loads or ends shows no traceback."""
    before = _end_at_once()
    from kg.cli import run as run_command

    signal.signal(signal.SIGINT, before)
    try:
        run_command()
    finally:
        _end_at_once()


def _end_at_once() -> signal._HANDLER:
    """Make Ctrl-C end the process at once, unless it is ignored; return the handler before."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return before


if __name__ == "__main__":
    run()
