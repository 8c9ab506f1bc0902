from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import pytest

from kg.runtime import forked_workers
from kg.runtime.forked_workers import available_cores, can_fork, fork_process

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")


def test_nothing_is_forked_beside_another_thread() -> None:
    event = threading.Event()
    other = threading.Thread(target=event.wait)
    other.start()
    try:
        assert not can_fork()
    finally:
        event.set()
        other.join()


@pytest.mark.skipif(sys.platform != "linux", reason="only there is it known")
@pytest.mark.parametrize(
    ("cores", "threads", "forks"), [(1, 1, False), (2, 1, True), (2, 2, False), (3, None, False)]
)
def test_one_thread_and_two_cores_are_needed(
    cores: int,
    threads: int | None,
    forks: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = {0: set(range(cores))}
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: own.get(process, set()))
    tasks = tmp_path / "task"
    if threads is not None:
        tasks.mkdir()
        for number in range(threads):
            (tasks / str(number)).mkdir()
    monkeypatch.setattr(forked_workers, "_THREADS_OF_PROCESS", tasks)
    assert (available_cores(), can_fork()) == (cores, forks)


@needs_fork
def test_a_copy_sends_what_it_made_in_a_process_of_its_own() -> None:
    copies = [fork_process(lambda: b"%d" % os.getpid() * 50_000) for _ in range(2)]
    receives = [copy.receive() for copy in copies]
    assert receives == [b"%d" % copy.process * 50_000 for copy in copies]
    assert str(os.getpid()).encode() not in receives


@needs_fork
def test_of_a_copy_that_fails_nothing_is_received() -> None:
    def fail() -> bytes:
        raise ValueError("as a test has it")

    assert fork_process(fail).receive() is None
