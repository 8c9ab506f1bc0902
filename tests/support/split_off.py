"""`kg` in a process of its own, split off from one that has loaded the program.

To start Python and load the program takes longer than most commands do. What a process is like as
it starts (its modules, what of them can be loaded) is tested where `sys.executable` is started.
Windows splits off nothing: there it is started each time.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from tests.support.patience import PATIENCE

MAX_REQUEST = 1_000_000  # bytes
LOADED_LATE = (
    *("kg.checks", "kg.editing.change_effect", "kg.exchange.formats", "kg.rdf.run_query"),
    *("kg.publish.build.site", "kg.lsp.protocol", "kg.mcp.tool_server"),
)
"""What commands load when they need it."""
SERVERS = ("lsp", "mcp")
Limits = Mapping[str, int]
"""The most of a resource that the command may take, by its name in `resource`."""


def run_split_off(
    words: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    *,
    sent: bytes = b"",
    limits: Limits | None = None,
    patience: float = PATIENCE,
) -> subprocess.CompletedProcess[bytes]:
    """Run `kg WORDS…` in `folder`, in this environment and no other, and give it `sent` to read."""
    if os.name == "nt":
        return subprocess.run(
            [sys.executable, "-m", "kg", *words],
            cwd=folder,
            env=dict(environment),
            input=sent,
            capture_output=True,
            timeout=patience,
            check=False,
        )
    ends = [os.pipe() for _ in range(3)]
    (heard, say), (listen, output), (complaints, err) = ends
    request = json.dumps([list(words), str(folder), dict(environment), dict(limits or {})])
    output_texts: list[bytes] = [b"", b""]
    _loader().settimeout(patience)
    socket.send_fds(_loader(), [request.encode()], [heard, output, err])
    for handle in (heard, output, err):
        os.close(handle)

    def hear(number: int, handle: int) -> None:
        with os.fdopen(handle, "rb") as stream:
            output_texts[number] = stream.read()

    hearing = [threading.Thread(target=hear, args=each) for each in ((0, listen), (1, complaints))]
    for each in hearing:
        each.start()
    with suppress(BrokenPipeError), open(say, "wb", buffering=0) as stream:
        stream.write(sent)  # unless it ends before it has read all
    code = json.loads(_loader().recv(100))
    for each in hearing:
        each.join(patience)
    return subprocess.CompletedProcess(words, code, *output_texts)


@cache
def _loader() -> socket.socket:
    """The process from which commands are split off, one for each that runs tests."""
    own, other = socket.socketpair()
    command = [sys.executable, "-m", "tests.support.split_off", str(other.fileno())]
    loader = subprocess.Popen(
        command,
        pass_fds=[other.fileno()],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    other.close()

    def end() -> None:
        own.close()
        loader.wait()

    atexit.register(end)
    return own


def _serve(query: socket.socket) -> None:
    """Split off a process for each request until nobody asks; answer with its exit code."""
    import kg.cli

    for module in {module for _, module, _ in kg.cli.COMMANDS}:
        __import__(f"kg.cli.{module}")
    for module in LOADED_LATE:
        __import__(module)
    gc.freeze()
    while True:
        request, handles, *_ = socket.recv_fds(query, MAX_REQUEST, 3)
        if not request:
            return
        child = os.fork()
        if child == 0:
            query.detach()
            _become(*json.loads(request), handles)
            return  # and so end as a program does
        for handle in handles:
            os.close(handle)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        query.send(json.dumps(code).encode())


def _become(
    words: list[str],
    folder: str,
    environment: Mapping[str, str],
    limits: Limits,
    handles: list[int],
) -> None:
    """Be the command; a server to the end that the interpreter makes of its threads."""
    import resource

    from kg.__main__ import run

    for number, handle in enumerate(handles):
        os.dup2(handle, number)
    os.closerange(3, 200)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["kg", *words]
    sys.dont_write_bytecode = True
    for name, maximum in limits.items():
        resource.setrlimit(getattr(resource, name), (maximum, maximum))
    try:
        run()
    except SystemExit as end:
        if words[0] in SERVERS:
            raise
        sys.stdout.flush()
        os._exit(int(end.code or 0))  # what else there is to end takes longest


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
