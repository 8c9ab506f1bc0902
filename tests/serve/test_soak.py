"""`kg serve` through a storm of edits and of requests that are none: no leak, and a clean end."""

from __future__ import annotations

import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest

from tests.fuzz.inputs import mutate, seeds_of
from tests.support.patience import PATIENCE

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(sys.platform != "linux", reason="memory of a process is read from /proc"),
]

EDITS = 300  # before a release: KG_SOAK_SECONDS=600 pytest -s -n 0 -o faulthandler_timeout=1200
GROWTH = 40 * 1024  # KiB between a third of these and the end: caches of pages, and no leak
JUNK = (
    b"GET / HTTP/1.1\r\n",
    b"\x00\xff" * 500 + b"\r\n\r\n",
    b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 5_000 + b"\r\n",
    b"POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n",
    b"GET /../../etc/passwd HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"",
)


def memory_of(process: subprocess.Popen[str]) -> int:
    """Memory that a process holds, in KiB."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    match = re.search(r"VmRSS:\s+(\d+)", status)
    assert match, status
    return int(match[1])


def ask(address: str, path: str) -> int:
    """The status that a page has."""
    try:
        with urllib.request.urlopen(address + path, timeout=PATIENCE) as answer:
            answer.read()
            return int(answer.status)
    except urllib.error.HTTPError as error:
        error.close()
        return error.code


def pester(port: int, end: threading.Event, seed: int) -> None:
    """Send what is no request, and leave at any time."""
    chance = random.Random(seed)
    while not end.is_set():
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 5) as link:
            link.sendall(chance.choice(JUNK))
            if chance.random() < 0.5:
                link.settimeout(0.05)
                link.recv(1000)
        time.sleep(0.02)


def _end_of(process: subprocess.Popen[str]) -> int:
    """The status of a process that ends; what hangs says where each of its threads stands."""
    try:
        return process.wait(2 * PATIENCE)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGABRT)
        return process.wait(PATIENCE)


def test_a_server_stays_as_it_is_through_edits_and_abuse(notes: Path, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "kg", "serve", "--notes", str(notes), "--port", "0"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONPATH": ":".join(sys.path), "PYTHONFAULTHANDLER": "1"},
    )
    text: list[str] = []
    end = threading.Event()
    try:
        assert process.stdout
        match = re.search(r"http://[\w.]+:(\d+)/", process.stdout.readline())
        assert match
        address, port = match[0], int(match[1])
        reader = threading.Thread(target=text.extend, args=(process.stdout,), daemon=True)
        reader.start()
        pests = [threading.Thread(target=pester, args=(port, end, n), daemon=True) for n in (1, 2)]
        for pest in pests:
            pest.start()
        chance, seeds = random.Random(1), seeds_of("note")
        until = time.monotonic() + float(os.environ.get("KG_SOAK_SECONDS", 0))
        memories, number = [memory_of(process)], 0
        while number < EDITS or time.monotonic() < until:
            number += 1
            place = notes / f"soaked-{chance.randrange(9)}.md"
            if chance.random() < 0.2:
                place.unlink(missing_ok=True)
            else:
                place.write_bytes(mutate(chance, seeds))
            assert ask(address, chance.choice(["", "statements/", "search/", "nowhere"])) in (
                200,
                404,
            )
            if number % (EDITS // 3) == 0:
                memories.append(memory_of(process))
        for place in notes.glob("soaked-*.md"):
            place.unlink()
        assert ask(address, "") == 200
        sys.stdout.write(
            f"{number} edits; KiB at first, then each {EDITS // 3} edits: {memories}\n"
        )
        assert memory_of(process) - memories[1] < GROWTH
    finally:
        end.set()
        process.send_signal(signal.SIGINT)
        code = _end_of(process)
    assert code in (0, 130), "".join(text)
    assert not [line for line in text if "Traceback" in line], "".join(text)
