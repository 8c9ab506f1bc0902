"""`kg` killed at each of its calls that change files or send; each time in a process of its own.

    python -m tests.cli.kills FOLDER KEEP EVERY WORDS…

runs `kg WORDS…` in FOLDER again and again, killed at its first such call, its second and so on to
the last, or at each EVERYth, and leaves what each run made of FOLDER in KEEP under that number;
`whole` is the one that was not killed. The program is loaded once, and a run is split off from it
for each call. A server knows the runs apart by their bearer tokens, which are these numbers.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kg.endpoints.client import TOKEN_VARIABLE

CHANGES = {
    "open",
    "os.rename",
    "os.remove",
    "os.rmdir",
    "os.mkdir",
    "os.link",
    "os.utime",
    "os.truncate",
}
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
TIMEOUT_SECONDS = 120  # seconds that all runs of a command may take
WHOLE = "whole"


def kill_at_each_call(folder: Path, keep: Path, *words: str, every: int = 1) -> Iterator[int]:
    """The numbers of the calls at which `kg WORDS…` was killed, with `folder` as that left it.

    What a run that is not killed makes of it stands in `keep / WHOLE`.
    """
    command = [sys.executable, "-m", "tests.cli.kills", str(folder), str(keep), str(every)]
    result = subprocess.run(
        [*command, *words],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
    )
    assert result.returncode == 0, result.stderr
    for number in range(every, int(result.stdout), every):
        shutil.rmtree(folder, ignore_errors=True)
        (keep / str(number)).rename(folder)
        yield number


def _run(words: list[str], place: Path, number: int) -> bool:
    """Run the command in `place` until call `number`; whether it came to its end before."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) >= 0
    try:
        os.environ["KG_CACHE_DIR"] = str(place / "cache")
        os.environ[TOKEN_VARIABLE] = str(number)
        os.chdir(place)
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
            os.dup2(nowhere.fileno(), 2)
        _exit_at(number)
        from kg.cli import run

        run(words)
    finally:
        os._exit(0)


def _exit_at(number: int) -> None:
    left = number

    def count() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def look(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and not arguments[2] & WRITES:
            return
        if event == "os.mkdir" and os.access(arguments[0], os.F_OK):
            return  # it changes nothing
        if event in CHANGES:
            count()

    write = os.write

    def instead(handle: int, data: Any) -> int:
        count()  # the file is there by now, and empty
        return write(handle, data)

    send = socket.socket.sendall

    def send_instead(self: socket.socket, data: Any, flags: int = 0) -> None:
        count()  # head and body of a request are sent apart
        send(self, data, flags)

    sys.addaudithook(look)
    os.write = instead
    socket.socket.sendall = send_instead  # type: ignore[method-assign]


def main(folder: Path, keep: Path, every: int, *words: str) -> None:
    """Leave a copy for each call, and say the first number at which nothing was killed."""
    for name in ("authoring", "editing", "exchanging", "querying", "serving"):
        __import__(f"kg.cli.{name}")
    import kg.editing.change_effect
    import kg.endpoints.push_and_pull
    import kg.rdf.run_query  # noqa: F401

    more = {
        "export": "exchange.formats",
        "pull": "exchange.formats",
        "import": "importing.importers",
    }
    if words[0] in more:  # they load much
        __import__(f"kg.{more[words[0]]}")

    keep.mkdir()
    folder.rename(keep / "before")
    number, ended = 0, False
    while not ended:
        number += every
        shutil.copytree(keep / "before", folder)
        ended = _run([*words], folder, number)
        folder.rename(keep / (WHOLE if ended else str(number)))
    sys.stdout.write(f"{number}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), *sys.argv[4:])
