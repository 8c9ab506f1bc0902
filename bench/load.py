"""Loading, checking and finding, beside the time to list, read and hash the same files.

python -m bench load --size 10000
"""

from __future__ import annotations

import os
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any

from bench.measure import Row, medians, rounds_for
from bench.vault import find_vault
from kg.api import load
from kg.checks import check
from kg.files.process_copies import may_fork
from kg.loader import load_corpus, load_remembered
from kg.notes import batch
from kg.notes.cache import notes_cache_file


def report(size: int) -> list[Row]:
    """Cold and warm loads, all checks, and three searches, of `size` generated notes."""
    folder = find_vault(size)
    cache = notes_cache_file(folder)
    if cache is None:
        raise SystemExit("no cache can be kept here: set KG_CACHE_DIR")
    cache.unlink(missing_ok=True)
    load_remembered(folder, cache)
    corpus = load(folder)
    tasks: dict[str, Callable[[], Any]] = {
        "list, read and hash (the floor)": lambda: read_floor(folder),
        "load, one core": lambda: _load_alone(folder),
        "load, several cores": lambda: load_corpus(folder),
        "load, nothing changed": lambda: load_remembered(folder, cache),
        "check": lambda: check(corpus),
        "find by camp": lambda: corpus.find(camp="skeptic"),
        "find by text": lambda: corpus.find("reward"),
        "find by relation": lambda: corpus.find(supports="note-000000"),
    }
    if size < batch.FEWEST_NOTES_TO_SHARE_OUT or not may_fork():
        del tasks["load, several cores"]
    found = medians(tasks, rounds_for(size))
    floor = found["list, read and hash (the floor)"]
    targets = {"load, several cores": "at most 6", "load, nothing changed": "at most 1"}
    return [Row(name, seconds, floor, targets.get(name, "")) for name, seconds in found.items()]


def read_floor(folder: Path) -> int:
    """List, read and hash every file: what no reader of these notes can do without."""
    size = 0
    waiting = [str(folder)]
    while waiting:
        for entry in os.scandir(waiting.pop()):
            if entry.is_dir():
                waiting.append(entry.path)
                continue
            entry.stat()
            handle = os.open(entry.path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
            while data := os.read(handle, 64 * 1024):
                size += len(data)
                blake2b(data, digest_size=16).digest()
                if len(data) < 64 * 1024:
                    break
            os.close(handle)
    return size


def _load_alone(folder: Path) -> Any:
    """A load that does not take a second core."""
    on_two, batch.FEWEST_NOTES_TO_SHARE_OUT = batch.FEWEST_NOTES_TO_SHARE_OUT, 10**9
    try:
        return load_corpus(folder)
    finally:
        batch.FEWEST_NOTES_TO_SHARE_OUT = on_two
