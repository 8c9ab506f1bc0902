"""More notes than fit into memory, joined one by one: time and peak memory.

    python -m bench.stream store build/bench/100000/notes build/bench/100000
    python -m bench.stream many 100 build/bench/many
    python -m bench.stream weigh build/bench/many

The first makes a store of notes. The second joins a hundred times 10,000 notes, as they come from
the parser: ids, paths and sources of each ten thousand are others, so that a million notes need not
be written and parsed. If a folder is given, what `store_notes` keeps beside the quads is written
there; the third reads its graph.
"""

from __future__ import annotations

import os
import re
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec

from bench.vault import get_vault
from kg.corpus import Corpus, join_note_by_note
from kg.corpus.record_file import RecordFileWriter, open_record_file
from kg.files.read_files import NotesFolder
from kg.files.settings_file import load_config
from kg.graphs_with_strengths.stored_notes import open_stored_notes, store_notes
from kg.judgements.edge_labels import Judgements, store_judgements
from kg.loader import list_corpus, read_bibliographies
from kg.model import Source
from kg.notes.parse_files import parse_note_files
from kg.notes.parsed_note import ParsedNote
from kg.reasoning.reading import reading_of, store_reading
from kg.reasoning.solution import solve
from kg.runtime.gc_pauses import pause_gc

MARK = bytes(16)  # of files that belong to no store


def store_in(notes: str, place: str) -> None:
    """A store of notes in a folder."""
    store_notes(notes, Path(place) / "store")
    _say("stored")


def join_many(times: str, place: str = "") -> None:
    """Join `times` ten thousand parsed notes, and say what memory that takes; write their records
    and their graph into the folder `place`, if one is given.
    """
    folder = NotesFolder.from_path(get_vault(10_000))
    config = load_config(folder)
    listing = list_corpus(folder, config)
    notes = parse_note_files(listing.notes, config).parsed_notes
    packed = [_packed(note for note in notes if note.line), _packed(n for n in notes if not n.line)]
    sources = _packed(read_bibliographies(listing.bibliographies).sources)
    del notes

    def many(parts: list[bytes], kind: Any) -> Iterator[Any]:
        for part in parts:  # lines first, as their folder comes first
            for number in range(int(times)):
                yield from msgspec.msgpack.decode(_renamed(part, number), type=list[kind])

    _say("read")
    with pause_gc(), ExitStack() as stack:
        file, spooled = (
            stack.enter_context(tempfile.TemporaryFile(dir=folder.around)) for _ in range(2)
        )
        joined = join_note_by_note(many(packed, ParsedNote), many([sources], Source), config, file)
        _say("names gathered")
        rows = RecordFileWriter(spooled)
        count = sum(1 for _ in (rows.gather(joined) if place else joined))
        _say(f"{count:,} notes joined")
        if place:
            Path(place).mkdir(parents=True, exist_ok=True)
            rows.write(Path(place, "notes.rows"), config, MARK)
            _say("records written")
            corpus = stored_corpus(place)
            store_judgements(corpus, Judgements())
            store_reading(corpus)
            _say("graph written")


def stored_corpus(place: str) -> Corpus:
    """The corpus whose records `join_many` wrote into a folder."""
    corpus = open_record_file(Path(place, "notes.rows"), MARK)
    if corpus is None:
        sys.exit(f"{place} holds no records: python -m bench.stream many 100 {place}")
    return corpus


def weigh_stored(place: str) -> None:
    """Read the graph in such a folder, or in a store, and solve it."""
    folder = Path(place)
    corpus = open_stored_notes(folder)[1] if (folder / "CURRENT").exists() else None
    start = time.process_time()
    graph = reading_of(corpus or stored_corpus(place)).graph
    taken, arcs = time.process_time() - start, len(graph.arc_premise)
    _say(f"{graph.size:,} statements and {arcs:,} arcs read in {taken:.2f} s")
    start = time.process_time()
    solve(graph)
    _say(f"solved in {time.process_time() - start:.1f} s")


def _packed(records: Any) -> bytes:
    return msgspec.msgpack.encode(list(records))


def _renamed(part: bytes, number: int) -> bytes:
    """Packed records with other names of the same length: those of another ten thousand."""
    for name in (b"note-", b"part-", b"line-"):
        part = part.replace(name + b"00", name + b"%02d" % number)
    return re.sub(rb"source(?=\d)", b"so%02dce" % number, part)


def _say(what: str) -> None:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{what}: {sum(os.times()[:4]):.0f} s of processor, {peak:.0f} MB at most", flush=True)


if __name__ == "__main__":
    WORK: dict[str, Callable[..., Any]] = {
        "store": store_in,
        "many": join_many,
        "weigh": weigh_stored,
    }
    WORK[sys.argv[1]](*sys.argv[2:])
