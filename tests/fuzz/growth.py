"""How time grows with what stands in a note again and again: `python -m tests.fuzz.growth`.

Every mark that a reader of notes looks for, and every two of them beside each other, fill the body
of a note of 32 kB, which is loaded, checked, searched, shown in an editor and as a page, and
exported. What takes long is tried at 8 kB, what of it takes more of the processor's time than it
should at 128 kB, of this at 512 kB, and what does so there, too, at 1,024 kB, unless it is beyond
doubt already. `--every 40` takes each fortieth part. `--kept FILE` writes each result to a file,
and goes on where that ends.
`--place NAME` fills a heading, a cell, a string of the front matter or the like in place of the
body. `--marks` takes each mark alone, `--telling` those that are read unlike all others, and their
pairs. Prints the worst, as growth per doubling.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import json
import math
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from kg.checks import check
from kg.corpus import Corpus
from kg.exchange.formats import write_export
from kg.loader import load_changed
from kg.lsp.hover_text import hover_text
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.address import Addresses
from kg.publish.pages.statement import statement_page
from kg.queries.search_text import text_index
from tests.fuzz.growth_places import PLACES, QUESTION
from tests.fuzz.inputs import MARKS
from tests.fuzz.targets import ask, corpus

ID = "naps-help"
SMALL, LARGE, LARGER = 8, 32, 128  # kB: all parts are tried at `LARGE`, suspects at all three
LADDER = (512, 1024)  # kB: where what is suspected is tried
SUSPECT_RATIO = (
    1.3  # times as long as it should for four times as much, less what an empty note takes
)
LEAST_SECONDS = 0.0075  # seconds of the processor: what takes less at `LARGE` is not suspected
MAX_GROWTH = 2.3  # growth per doubling, at the end of the ladder
SURE_SECONDS = 3.0  # seconds at `LARGER`: what took so long, and grew so, is not tried at more
MAX_PARTS_SHOWN = 12
EXPORTED = ("ttl", "jsonld", "graphml", "csv", "report", "latex", "argdown")  # words, not pictures


def _export(changed: Corpus) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name in EXPORTED:
            write_export(changed, name, Path(folder) / f"exported-{name}")


STEPS: Mapping[str, Callable[[Corpus], object]] = {
    "check": check,
    "search": lambda changed: text_index(changed).search("naps x"),
    "preview": lambda changed: hover_text(changed, ID),
    "page": lambda changed: (
        statement_page(SiteContext(Addresses(changed)), changed.statements[ID]).html
    ),
    "export": _export,
}


class Growth(NamedTuple):
    """How much longer a step takes per doubling, and for how long at the largest size (seconds)."""

    per_doubling: float
    seconds: float
    step: str


def times_of(
    part: bytes, size: int, steps: Collection[str] = STEPS, place: str = "body"
) -> dict[str, float]:
    """Seconds of the processor by step, where `size` kB of this part stand in a place.

    Without the collector of garbage, whose passes over all that lives come at odd sizes.
    """
    fill = part * (size * 1024 // len(part))
    gc.collect()
    gc.disable()
    try:
        began = time.process_time()
        if place == QUESTION:
            ask(fill)
            return {"ask": time.process_time() - began}
        changed = load_changed(corpus().folder, PLACES[place](fill))
        times = {"load": time.process_time() - began}
        for name in STEPS if ID in changed.statements else ():
            if name in steps:
                began = time.process_time()
                STEPS[name](changed)
                times[name] = time.process_time() - began
    finally:
        gc.enable()
    return times


@cache
def _empty(place: str) -> dict[str, float]:
    """What each step takes for next to nothing, once all is loaded."""
    tries = [times_of(b"x ", 1, place=place) for _ in range(4)]
    gc.freeze()  # what is loaded once is collected no more
    return min(tries, key=lambda each: sum(each.values()))


def try_growth(part: bytes, place: str = "body") -> tuple[bytes, list[str], list[Growth]]:
    """The part, the steps that were tried at all sizes, and what of them grows beyond the bound.

    What is raised grows beyond all bounds.
    """
    try:
        _empty(place)
        large = times_of(part, LARGE, place=place)
        suspects = _suspected_steps(place, {}, large, large)
        if suspects:
            small = times_of(part, SMALL, suspects, place)
            suspects = _suspected_steps(place, small, large, suspects)
        if suspects:
            large = _least_seconds(large, times_of(part, LARGE, suspects, place))
            suspects = _suspected_steps(place, small, large, suspects)
        if suspects:
            larger = times_of(part, LARGER, suspects, place)
            suspects = _suspected_steps(place, large, larger, suspects)
            if sure := _sure_growths(large, larger, suspects):
                return part, suspects, sure
        if suspects:
            below = times_of(part, LADDER[0], suspects, place)
            suspects = _suspected_steps(place, larger, below, suspects)
        return part, suspects, _measure_suspects(place, part, below, suspects) if suspects else []
    except Exception as error:
        return part, [], [Growth(math.inf, 0.0, f"{type(error).__name__}: {error}")]


def _least_seconds(first: Mapping[str, float], second: Mapping[str, float]) -> dict[str, float]:
    return {step: min(seconds, second.get(step, seconds)) for step, seconds in first.items()}


def _suspected_steps(
    place: str, small: Mapping[str, float], large: Mapping[str, float], steps: Iterable[str]
) -> list[str]:
    """The steps that took long, and longer for four times as much than they should."""
    return [
        step
        for step in steps
        if step in large  # else it is refused as too large
        and (more := large[step] - _empty(place)[step]) > LEAST_SECONDS
        and more > max(0.0, small.get(step, 0) - _empty(place)[step]) * 4 * SUSPECT_RATIO
    ]


def _sure_growths(
    large: Mapping[str, float], larger: Mapping[str, float], suspects: Iterable[str]
) -> list[Growth]:
    """What took long, and for four times as much more than two doublings may."""
    rates = {step: math.sqrt(larger[step] / large[step]) for step in suspects}
    return [
        Growth(rate, larger[step], step)
        for step, rate in rates.items()
        if rate > MAX_GROWTH and larger[step] > SURE_SECONDS
    ]


def _measure_suspects(
    place: str, part: bytes, first: Mapping[str, float], suspects: Sequence[str]
) -> list[Growth]:
    """What of them grows beyond the bound on the ladder; `first` was measured at its foot."""
    foot, head = LADDER
    below = _least_seconds(first, times_of(part, foot, suspects, place))
    top = _least_seconds(*(times_of(part, head, suspects, place) for _ in range(2)))
    return [
        Growth(top[step] / below[step], top[step], step)
        for step in suspects
        if top[step] > below[step] * MAX_GROWTH
    ]


ALIKE = frozenset(
    mark.encode("utf-8", "surrogatepass")
    for mark in (
        *"=+-?,.;&~!\r\0\x1b\x7f\ufeff\u2028\u202e\u0301\ud800\uffff𝕏",
        *("contradicts:: ", "effect:: ", "sample:: ", "p:: ", "opposes:: ", "type: ", "id: "),
        *("null", "true", "-1", "1e400", "0.5", "NaN", "12 %", "1/0", "2020-13-45", "9" * 400),
        *("javascript:", "data:", "crossref", "@string{", "@comment{", "author = {", "---\n"),
        *('"nodes":[', '"edges":[', '"fromID":', '"children":[', '"string":', "  - [a]: "),
        *("kind: idea\n", "- [ ] ", "[[@doe]]", "EVD - ", "(opposes:: [[work]]) "),
        *("camp:", " not ", " or ", "cites:", "sort:", "group-by:", "[[camps]]\n"),
        *("<<<<<<< HEAD\n", "=======\n", ">>>>>>> x\n"),
    )
)
"""Marks in whose place, where time is short, others stand that are read alike or as words."""


def parts(passed_over: Collection[bytes] = ()) -> Iterator[bytes]:
    """Each mark, and each two; their other order, which differs at both ends alone, last."""
    marks = [mark for mark in MARKS if mark.strip() or mark == b" "]
    marks = [mark for mark in marks if mark not in passed_over]
    yield from MARKS
    yield from (first + second for first, second in itertools.combinations(marks, 2))
    yield from (second + first for first, second in itertools.combinations(marks, 2))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.growth", description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="take each so many-th part")
    parser.add_argument("--kept", type=Path, help="a file of what was found so far")
    parser.add_argument("--processes", type=int, help="at once (one for each core)")
    parser.add_argument("--place", choices=[*PLACES, QUESTION], default="body")
    parser.add_argument("--marks", action="store_true", help="take each mark alone")
    parser.add_argument("--telling", action="store_true", help="leave out marks read like others")
    options = parser.parse_args(arguments)
    asked_parts = MARKS if options.marks else list(parts(ALIKE if options.telling else ()))
    query = [part.hex() for part in dict.fromkeys(asked_parts[:: options.every])]
    kept_file = options.kept or Path(tempfile.mkdtemp()) / "growth.jsonl"
    data = _read(kept_file)
    left = [bytes.fromhex(part) for part in query if part not in data]
    pool = multiprocessing.Pool(options.processes, maxtasksperchild=200)
    with pool, kept_file.open("a") as file:
        for part, suspects, grown in pool.imap_unordered(
            partial(try_growth, place=options.place), left
        ):
            file.write(json.dumps([part.hex(), suspects, grown]) + "\n")
            file.flush()
    data = _read(kept_file)
    rows = [(*each, part) for part in query for each in data[part][1]]
    for rate, seconds, step, part in sorted(rows, reverse=True)[:MAX_PARTS_SHOWN]:
        print(f"{rate:.2f}  {seconds:7.2f} s  {step:8} {bytes.fromhex(part)!r}")
    climbed = sum(bool(data[part][0]) for part in query)
    beyond = len({part for *_, part in rows})
    print(f"{len(query)} parts, {climbed} tried to {LADDER[-1]} kB, {beyond} beyond {MAX_GROWTH}")
    return 0


def _read(kept_path: Path) -> dict[str, tuple[list[str], list[list[float]]]]:
    if not kept_path.exists():
        return {}
    lines = map(json.loads, kept_path.read_text().splitlines())
    return {part: (suspects, grown) for part, suspects, grown in lines}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
