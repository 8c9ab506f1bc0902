"""Notice edits by looking: works on every system and every kind of disk."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

from kg.files.read import Place
from kg.notes.discover import list_files, list_judgements
from kg.notes.settings import config_places

SHORTEST_PAUSE = 0.05
# Looking may cost a twentieth of one core.
PAUSE_PER_LOOK = 20

Seen = dict[str, tuple[int, int]]


def watched_files(notes: Place) -> list[str]:
    """What a corpus is read from: notes, bibliographies, judgements, settings."""
    found = list_files(notes)
    found += map(str, list_judgements(notes))
    return [*found, *map(str, config_places(notes))]


def look(files: Iterable[str]) -> Seen:
    """When each file was last changed, and its size."""
    seen: Seen = {}
    for file in files:
        with suppress(OSError):
            state = os.stat(file)
            seen[file] = (state.st_mtime_ns, state.st_size)
    return seen


def watch(
    find_files: Callable[[], Iterable[str]],
    react: Callable[[set[str]], None],
    stop: threading.Event,
) -> None:
    """Call `react` with the files that came, went or changed, until `stop` is set."""
    seen = look(find_files())
    while not stop.is_set():
        start = time.perf_counter()
        now = look(find_files())
        changed = {file for file in seen.keys() | now.keys() if seen.get(file) != now.get(file)}
        cost = time.perf_counter() - start
        seen = now
        if changed:
            react(changed)
        else:
            stop.wait(max(SHORTEST_PAUSE, PAUSE_PER_LOOK * cost))
