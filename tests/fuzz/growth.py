"""How time grows with what stands in a note again and again: `python -m tests.fuzz.growth`.

Every mark that a reader of notes looks for, and every two of them beside each other, fill the body
of a note of 48 kB and one of 192 kB, which is loaded, checked, searched, shown in an editor and as
a page, and exported. Where that takes time to speak of and more than it should, it is tried at
768 kB, too. `--every 40` takes each fortieth. Prints the worst, as growth per doubling.
"""

from __future__ import annotations

import argparse
import itertools
import math
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from kg.checks import check
from kg.corpus import Corpus
from kg.exchange.formats import write_export
from kg.loader import load_changed
from kg.lsp.describe import describe
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.address import Addresses
from kg.publish.pages.statement import statement_page
from kg.queries.search_text import text_index
from tests.fuzz.inputs import MARKS
from tests.fuzz.targets import corpus

HEAD = b"---\ntype: claim\ncamp: optimist\n---\n\n# Naps help\n\n"
ID = "naps-help"
SMALL, LARGE, LARGEST = 48, 192, 768  # kB: two doublings, and two more
BOUND = 2.3  # growth per doubling
FLOOR = 0.4  # seconds of the processor: what takes less says nothing of how it grows
SHOWN = 12
EXPORTED = ("ttl", "jsonld", "graphml", "csv", "report", "latex", "argdown")  # words, not pictures


def _export(changed: Corpus) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name in EXPORTED:
            write_export(changed, name, Path(folder) / f"exported-{name}")


STEPS: Mapping[str, Callable[[Corpus], object]] = {
    "check": check,
    "search": lambda changed: text_index(changed).search("naps x"),
    "preview": lambda changed: describe(changed, ID),
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
    part: bytes


def times_of(part: bytes, size: int) -> dict[str, float]:
    """Seconds of the processor by step, for a note that holds `size` kB of this part."""
    body = (part * (size * 1024 // len(part) + 1))[: size * 1024]
    began = time.process_time()
    changed = load_changed(corpus().folder, {f"{ID}.md": HEAD + body})
    times = {"load": time.process_time() - began}
    if ID in changed.statements:
        for name, step in STEPS.items():
            began = time.process_time()
            step(changed)
            times[name] = time.process_time() - began
    return times


def try_growth(part: bytes, end: int) -> list[Growth]:
    """What `grow` finds; what is raised grows beyond all bounds."""
    try:
        return grow(part, end)
    except Exception as error:
        return [Growth(math.inf, 0.0, f"{type(error).__name__}: {error}", part)]


def grow(part: bytes, end: int = LARGEST) -> list[Growth]:
    """What grows beyond the bound, up to notes of `end` kB."""
    size, small, large = LARGE, times_of(part, SMALL), times_of(part, LARGE)
    found = _beyond(small, large, part)
    while found and size * 4 <= end:
        size *= 4
        small, large = large, times_of(part, size)
        found = _beyond(small, large, part)
    return found


def _beyond(small: Mapping[str, float], large: Mapping[str, float], part: bytes) -> list[Growth]:
    return [
        Growth((seconds / small[step]) ** 0.5, seconds, step, part)
        for step, seconds in large.items()
        if step in small and seconds > FLOOR and seconds > small[step] * BOUND**2
    ]


def parts() -> Iterator[bytes]:
    """Each mark, and each two."""
    marks = [mark for mark in MARKS if mark.strip() or mark == b" "]
    yield from MARKS
    yield from (first + second for first, second in itertools.product(marks, repeat=2))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.growth", description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="take each so many-th part")
    parser.add_argument("--end", type=int, default=LARGEST, help="kB of the largest note")
    parser.add_argument("--processes", type=int, help="at once (one for each core)")
    given = parser.parse_args(arguments)
    tried = list(parts())[:: given.every]
    found: list[Growth] = []
    with multiprocessing.Pool(given.processes, maxtasksperchild=40) as pool:
        for number, grown in enumerate(
            pool.imap_unordered(partial(try_growth, end=given.end), tried), 1
        ):
            found += grown
            if number % 100 == 0 or number == len(tried):
                print(f"{number} of {len(tried)}, {len(found)} beyond", file=sys.stderr)
    for each in sorted(found, reverse=True)[:SHOWN]:
        print(f"{each.per_doubling:.2f}  {each.seconds:7.2f} s  {each.step:8} {each.part!r}")
    print(f"{len(tried)} parts, {len({each.part for each in found})} grow by more than {BOUND}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
