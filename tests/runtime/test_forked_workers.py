from __future__ import annotations

import os
import threading

import pytest

from kg.runtime.forked_workers import can_fork, fork_process

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")


def test_nothing_is_forked_beside_another_thread() -> None:
    done = threading.Event()
    other = threading.Thread(target=done.wait)
    other.start()
    try:
        assert not can_fork()
    finally:
        done.set()
        other.join()


@needs_fork
def test_a_copy_sends_what_it_made_in_a_process_of_its_own() -> None:
    copies = [fork_process(lambda: b"%d" % os.getpid() * 50_000) for _ in range(2)]
    found = [copy.receive() for copy in copies]
    assert found == [b"%d" % copy.process * 50_000 for copy in copies]
    assert str(os.getpid()).encode() not in found


@needs_fork
def test_of_a_copy_that_fails_nothing_is_received() -> None:
    def fail() -> bytes:
        raise ValueError("as a test has it")

    assert fork_process(fail).receive() is None
