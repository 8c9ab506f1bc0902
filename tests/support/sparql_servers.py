"""SPARQL servers that the tests start on loopback, and stop."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.patience import PATIENCE


@dataclass
class Server:
    """A running server: where it takes queries and updates."""

    url: str
    update_url: str
    process: subprocess.Popen[bytes]

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.send_signal(signal.SIGKILL if os.name != "nt" else signal.SIGTERM)
        self.process.wait(PATIENCE)


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    """Return when `url` answers anything; raise if the server ends or stays silent."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with {process.returncode}")
        try:
            opener.open(url, timeout=2).close()
            return
        except urllib.error.HTTPError as error:
            error.close()
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError("the server does not answer")


@contextmanager
def oxigraph(folder: Path | None = None, *options: str) -> Iterator[Server]:
    """Oxigraph's server, from the package `oxigraph`; in memory, or kept in `folder`."""
    program = shutil.which("oxigraph", path=str(Path(sys.executable).parent))
    assert program, "the package `oxigraph` belongs to the tests: pip install 'inquiry-lines[test]'"
    address = f"127.0.0.1:{free_port()}"
    where = ["--location", str(folder)] if folder else []
    process = subprocess.Popen(
        [program, "serve", "--bind", address, *where, *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(f"http://{address}/", process)
        yield Server(f"http://{address}/query", f"http://{address}/update", process)
    finally:
        process.kill()
        process.wait(PATIENCE)


VIRTUOSO = """\
[Database]
DatabaseFile = {folder}/v.db
ErrorLogFile = {folder}/v.log
LockFile = {folder}/v.lck
TransactionFile = {folder}/v.trx
xa_persistent_file = {folder}/v.pxa
[TempDatabase]
DatabaseFile = {folder}/t.db
TransactionFile = {folder}/t.trx
[Parameters]
ServerPort = 127.0.0.1:{port}
NumberOfBuffers = 10000
MaxDirtyBuffers = 6000
[HTTPServer]
ServerPort = 127.0.0.1:{web}
[SPARQL]
ResultSetMaxRows = 10000
"""


@contextmanager
def virtuoso(folder: Path) -> Iterator[Server]:
    """Virtuoso on loopback, kept in `folder`; its user is `dba` with the password `dba`."""
    from tests.engines.find_virtuoso import environment, find_virtuoso

    program = find_virtuoso()
    assert program, "Virtuoso is not here"
    web = free_port()
    settings = folder / "virtuoso.ini"
    settings.write_text(VIRTUOSO.format(folder=folder, port=free_port(), web=web))
    folder.joinpath("v.lck").unlink(missing_ok=True)
    process = subprocess.Popen(
        [program, "+foreground", "+configfile", str(settings)],
        cwd=folder,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        address = f"http://127.0.0.1:{web}/sparql-auth"
        wait_for(f"http://127.0.0.1:{web}/sparql", process)
        yield Server(address, address, process)
    finally:
        process.kill()
        process.wait(PATIENCE)
