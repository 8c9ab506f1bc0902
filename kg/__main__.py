"""The program `kg`, also as `python -m kg`."""

from __future__ import annotations

import signal


def run() -> None:
    """Load the command and run it; Ctrl-C while it loads or ends shows no traceback."""
    previous_handler = _end_at_once()
    from kg.cli import run as run_command

    signal.signal(signal.SIGINT, previous_handler)
    try:
        run_command()
    finally:
        _end_at_once()


def _end_at_once() -> signal._HANDLER:
    """Make Ctrl-C end the process at once, unless it is ignored; return the handler before."""
    previous_handler = signal.getsignal(signal.SIGINT)
    if previous_handler is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return previous_handler


if __name__ == "__main__":
    run()
