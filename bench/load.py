"""Loading and checking, beside the time to list, read and hash the same files.

    python -m bench load --size 10000

Processor time, unless the clock is named.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
import pyromark
import yaml_rs

from bench.measure import Row, medians, processor_time, rounds_for
from bench.vault import get_vault
from kg.api import load
from kg.checks import check, diagnostics_in
from kg.checks.check_shapes import check_shapes
from kg.loader import load_corpus, load_remembered
from kg.notes import parse_files
from kg.notes.frontmatter.front_matter import split_front_matter
from kg.notes.note_listing import list_notes
from kg.notes.notes_cache import notes_cache_file
from kg.notes.parse_files import parse_note_files
from kg.notes.parsed_note import ParsedNote
from kg.runtime.forked_workers import can_fork


def report(size: int) -> list[Row]:
    """Cold and warm loads, what libraries alone take, and checks, of `size` notes."""
    folder = get_vault(size)
    cache = notes_cache_file(folder)
    if cache is None:
        raise SystemExit("no cache can be kept here: set KG_CACHE_DIR")
    tasks: dict[str, Callable[[], Any]] = {FLOOR: lambda: read_floor(folder)}
    tasks |= tasks_of(folder, cache)
    rounds = rounds_for(size)
    found = medians(tasks, rounds, processor_time)
    # by itself: until a note that was written has aged, no look tells that nothing changed
    changed = {
        LOAD_CHANGED: lambda: _load_changed(folder, cache, checked=False),
        CHECK_CHANGED: lambda: _load_changed(folder, cache, checked=True),
    }
    found |= medians(changed, rounds, processor_time)
    targets = {LOAD: "target 6", UNCHANGED: "target 1", SHAPES: "target 1.5 s"}
    targets |= dict.fromkeys(changed, "target 1.5")
    rows = [Row(name, time, found[FLOOR], targets.get(name, "")) for name, time in found.items()]
    if size >= parse_files.FEWEST_NOTES_TO_SHARE_OUT and can_fork():
        ways = {"one": lambda: _load_alone(folder), "several": lambda: load_corpus(folder)}
        clocks = medians(ways, rounds)
        rows.append(Row("several cores / one core, by the clock", clocks["several"], clocks["one"]))
    return rows


FLOOR = "list, read and hash (the floor)"
LIBRARIES = "YAML, Markdown and records by their libraries alone"
LOAD, UNCHANGED = "load, one core", "load, nothing changed"
LOAD_CHANGED, CHECK_CHANGED = "load, one note changed", "load and check, one note changed"
SHAPES = "check --shacl"


def tasks_of(folder: Path, cache: Path) -> dict[str, Callable[[], Any]]:
    """What is measured of a folder of notes."""
    for _ in range(2):  # kept when it was the same twice
        load_remembered(folder, cache)
    corpus = load(folder)
    return {
        LIBRARIES: libraries_alone(folder),
        LOAD: lambda: _load_alone(folder),
        UNCHANGED: lambda: load_remembered(folder, cache),
        "check": lambda: check(corpus),
        SHAPES: lambda: check_shapes(corpus),
    }


def libraries_alone(folder: Path) -> Callable[[], Any]:
    """What no reader in Python can do without, be it written as it may: front matter decoded, the
    events of the Markdown, and the records made; each by the library that is fastest at it.
    """
    texts = [split_front_matter(place.read_text("utf-8")) for place in folder.rglob("*.md")]
    notes = msgspec.msgpack.encode(parse_note_files(list_notes(folder).notes).parsed_notes)

    def task() -> Any:
        for front in texts:
            yaml_rs.loads(front.text)
            for _ in pyromark.events_with_range(front.body):
                pass
        return msgspec.msgpack.decode(notes, type=list[ParsedNote])

    return task


def _load_changed(folder: Path, cache: Path, *, checked: bool) -> None:
    """A note is written and read with all others, and its problems are found if `checked`; then it
    is as it was.
    """
    note = next(folder.rglob("*.md"))
    text = note.read_bytes()
    note.write_bytes(text + b"\n")
    try:
        corpus = load_remembered(folder, cache)
        if checked:
            diagnostics_in(check(corpus), (note.relative_to(folder).as_posix(),))
    finally:
        note.write_bytes(text)


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
    on_two, parse_files.FEWEST_NOTES_TO_SHARE_OUT = parse_files.FEWEST_NOTES_TO_SHARE_OUT, 10**9
    try:
        return load_corpus(folder)
    finally:
        parse_files.FEWEST_NOTES_TO_SHARE_OUT = on_two
