"""How long each answer takes on a folder of notes, in milliseconds of processor time.

`python bench/answers.py [NOTES [TRANSFER]]` asks everything about every line, by the rule of
`transfer` that the notes set, or another. *First* is the first answer
after the notes are read, with all that it has to work out about the corpus; *new* (median of
several, and the best) is a question not asked before, of a corpus that has been; *again* is the
same question.
"""

from __future__ import annotations

import dataclasses
import functools
import gc
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from kg import reasoning
from kg.corpus import Corpus
from kg.loader import load_corpus
from kg.reasoning.reading import Reading

RUNS = 5
ANSWERS = (
    "verdict",
    "case",
    "crux",
    "flips",
    "flips by source",
    "robustness",
    "independence",
    "contributions",
    "tensions",
    "gaps",
    "labels",
    "positions",
)
WHOLE = ("tensions", "gaps", "circles", "impact", "whatif", "strengths")


def cpu_milliseconds(answer: Callable[[Any], Any], asked: Any) -> float:
    """Milliseconds of processor time."""
    start = time.process_time()
    answer(asked)
    return (time.process_time() - start) * 1e3


def fresh_reading(reading: Reading) -> Reading:
    """The same reading, of which nothing has been asked."""
    return dataclasses.replace(reading)


def ask(reading: Any, name: str, line: str) -> Any:
    """One answer about one line."""
    word, _, by = name.partition(" by ")
    extra: dict[str, Any] = {"by": by} if by else {}
    if word == "case":
        camps = reasoning.reading_of(reading).corpus.config.camp_ids
        extra = {"camp": camps[-1]}
    return getattr(reasoning, word)(reading, line, **extra)


def answer_of_corpus(reading: Any, name: str) -> Any:
    """One answer about the whole corpus."""
    corpus = reasoning.reading_of(reading).corpus
    if name == "impact":
        return reasoning.impact(reading, next(iter(corpus.sources)))
    if name == "whatif":
        return reasoning.whatif(reading, mute=[corpus.evidence[0].id])
    return getattr(reasoning, name)(reading)


def load(folder: str, transfer: str) -> Corpus:
    """The notes, weighed by a rule."""
    corpus = load_corpus(folder)
    weighing = corpus.config.reasoning.model_copy(update={"transfer": transfer} if transfer else {})
    config = corpus.config.model_copy(update={"reasoning": weighing})
    return dataclasses.replace(corpus, config=config)


def row(title: str, corpus: Corpus, answer: Callable[[Any], Any], reading: Reading) -> None:
    """Print one answer's times, the first of them about a corpus that was just read."""
    first = cpu_milliseconds(answer, corpus)
    fresh = [fresh_reading(reading) for _ in range(RUNS)]
    times = [cpu_milliseconds(answer, each) for each in fresh]
    again = cpu_milliseconds(answer, fresh[-1])
    new, best = statistics.median(times), min(times)
    slow = "  over 50" if new > 50.0 else ""
    print(f"  {title:18} {first:8.1f} {new:8.1f} {best:8.1f} {again:8.1f}{slow}", flush=True)


def main(folder: str, transfer: str = "") -> None:
    """Print the times of every answer about every line."""
    reading = reasoning.reading_of(load(folder, transfer))
    lines = [line for line in reading.corpus.lines if reading.question(line).statement]
    for line in lines:  # imports, and what numpy sets up on first use
        for name in ANSWERS:
            ask(fresh_reading(reading), name, line)
    gc.freeze()
    graph = reading.graph
    print(f"{graph.size} statements, {len(graph.arc_premise)} arcs")
    print("milliseconds: first, new (median, best), again")
    for line in lines:
        part = reading.question(line).graph
        print(f"{line}: {part.size} statements, {len(part.arc_premise)} arcs bear on it")
        for name in ANSWERS:
            asked = functools.partial(ask, name=name, line=line)
            row(name, load(folder, transfer), asked, reading)
    print("the whole corpus")
    for name in WHOLE:
        row(name, load(folder, transfer), functools.partial(answer_of_corpus, name=name), reading)


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["notes"]))
