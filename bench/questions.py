"""The cookbook's thirty questions on generated notes: in memory, and on a store on disk.

    python -m bench questions --size 10000
    python -m bench.questions build/bench/100000/store [LIMIT [NOTES]]
    python -m bench.questions build/bench/many [LIMIT]

The first compares both answers of each question, and gives up what takes the store a minute. The
second asks a store that is there, as `python -m bench.stream store` makes it, each question in a
process of its own, gives up what takes more than LIMIT seconds of processor (600), and compares the
answers with those in memory of the folder NOTES, if one is given. The third asks the records that
`python -m bench.stream many` wrote, without quads beside them.
"""

from __future__ import annotations

import multiprocessing
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from bench.measure import Row
from bench.stream import stored_corpus
from bench.vault import get_vault
from kg import claims, edges, evidence, lines, load, sources, statements
from kg.graphs_with_strengths.stored_notes import store_notes
from kg.queries.connection import connect_store
from kg.queries.engines.engine import MemoryEngine
from kg.queries.find import find

_SCEPTICS = claims().camp("skeptic")
_ON_AN_EXPERIMENT = claims().camp("optimist").supported_by(evidence().method("experiment"))
_STUDY, _CLAIM = "note-000003", "note-000005"
QUESTIONS: Mapping[str, Any] = {
    "1 a camp's claims in one line": claims(camp="skeptic", line="line-0000"),
    "2 … that the other does not answer": claims(camp="skeptic", line="line-0000").without(
        answered_by=statements().camp("optimist")
    ),
    "3 experiments of more than 100": evidence().method("experiment").participants(over=100),
    "4 … of items": evidence().sample(over=100).sample_class("items"),
    "5 resting on a single study": claims().studies(1),
    "6 on at least four": claims().studies(min=4).order_by("-studies"),
    "7 that nothing supports": claims().without(supported_by=statements()),
    "8 that nobody answered": claims().without(answered_by=statements()),
    "9 what contradicts a claim": statements().contradicting(_CLAIM),
    "10 what answers a claim": statements().answering(_CLAIM),
    "11 answered by experiments": claims().answered_by(evidence().method("experiment")),
    "12 all reasons for a claim": statements().reaching(_CLAIM, "supports"),
    "13 what a study supports": statements().reachable_from(_STUDY, "supports"),
    "14 from a study to a claim": statements().between(_STUDY, _CLAIM),
    "15 on experiment and benchmark": _ON_AN_EXPERIMENT.supported_by(
        evidence().method("benchmark")
    ),
    "16 a phrase, and an experiment": _SCEPTICS.text('"repair norm"').supported_by(
        evidence(method="experiment")
    ),
    "17 about one system": statements(about="System-7"),
    "18 by three methods": evidence().method("observational", "argument", "benchmark"),
    "19 camps in contradiction": edges()
    .relation("contradicts")
    .between(statements().camp("optimist"), statements().camp("skeptic")),
    "20 denied inferences": edges().relation("undercuts"),
    "21 claims in two lines": claims().line("line-0000") & claims().line("line-0001"),
    "22 lines that place a claim": lines().placing(_CLAIM),
    "23 newest sources": sources().order_by("-year", "title").limit(5),
    "24 sources most built on": sources().order_by("-citations").limit(5),
    "25 on work of before 2016": claims().reachable_from(
        evidence().year("..2015"), relation="supports"
    ),
    "26 what cites an author": statements().citing(sources().author("Repair")),
    "27 most contested": claims().order_by("-opponents").limit(5),
    "28 claims by camp": claims().group_by("camp").count(),
    "29 evidence on a topic by method": evidence()
    .supporting(claims().topic("norm"))
    .group_by("method")
    .count(),
    "30 open claims": claims().open().count(),
}
PATIENCE, SECONDS = 60, 600
_COPIES = multiprocessing.get_context("fork")  # a question cannot be sent to a new process


class Asked(NamedTuple):
    """An answer, the seconds of processor that it took, and the peak memory in megabytes."""

    seconds: float
    answer: Any
    memory: float

    @property
    def found_count(self) -> int:
        """How many it found."""
        return self.answer if isinstance(self.answer, int) else len(self.answer)


def report(size: int) -> list[Row]:
    """Each question on a store on disk, beside the corpus in memory; both answer the same."""
    notes = get_vault(size)
    rows = []
    with tempfile.TemporaryDirectory(dir=notes.parent) as place:
        store = Path(place) / "store"
        _run_in_copy(_store, notes, store)
        corpus = load(notes)
        for what, question in QUESTIONS.items():
            expected = _ask(corpus, question)
            asked = _run_in_copy(_ask_store, store, question, PATIENCE)
            if asked and asked.answer != expected.answer:
                sys.exit(f"{what}: the store answers otherwise")
            said = f"{expected.found_count:,} found" if asked else "given up"
            seconds = asked.seconds if asked else float(PATIENCE)
            rows.append(Row(what, seconds, expected.seconds, said))
    return rows


def ask_each(folder: Path, limit: int, notes: str = "") -> None:
    """Print what each question costs, asked alone."""
    corpus = load(notes) if notes else None
    for what, question in QUESTIONS.items():
        asked = _run_in_copy(_ask_store, folder, question, limit)
        said = (
            f"{asked.found_count:9,} found {asked.seconds:9.3f} s {asked.memory:6.0f} MB"
            if asked
            else f"given up after {limit} s of processor"
        )
        if corpus and asked and asked.answer != _ask(corpus, question).answer:
            said += ", and in memory others"
        print(f"{what:36} {said}", flush=True)


def _run_in_copy(work: Callable[..., Any], *given: Any) -> Any:
    """What `work` returns in a process of its own; None if that runs out of its time."""
    receive, send = _COPIES.Pipe(duplex=False)
    copy = _COPIES.Process(target=lambda: send.send(work(*given)))
    copy.start()
    send.close()
    try:
        found = receive.recv()
    except EOFError:
        found = None
    copy.join()
    if copy.exitcode not in (0, -signal.SIGXCPU, -signal.SIGKILL):
        sys.exit(f"{work.__name__} ended with {copy.exitcode}")
    return found


def _store(notes: Path, store: Path) -> None:
    store_notes(notes, store)


def _ask_store(folder: Path, question: Any, limit: int) -> Asked:
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    connection = connect_store(folder) if (folder / "CURRENT").exists() else _Records(folder)
    return _ask(connection, question)


class _Records:
    """Records without quads beside them, asked as a store is."""

    def __init__(self, folder: Path) -> None:
        self._engine = MemoryEngine(stored_corpus(str(folder)))

    def find(self, question: Any) -> Any:
        return find(self._engine, question)


def _ask(connection: Any, question: Any) -> Asked:
    start = time.thread_time()  # under a limit, process_time() counts only whole ticks
    found = connection.find(question)
    found = getattr(found, "ids", found)
    spent = time.thread_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Asked(spent, dict(found.items()) if isinstance(found, Mapping) else found, peak)


if __name__ == "__main__":
    ask_each(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else SECONDS, *sys.argv[3:])
