"""How time grows with what a file to import holds: `python -m tests.fuzz.import_growth`.

Each fragment of a format's grammar, numbered where it names something, and each mark that its
reader looks for, alone and beside each other, fill files of 8 and 32 kB; they are read, and the
notes are made that would be written. What takes more of the processor's time than it should is
tried to 1,024 kB. `--every 40` takes each fortieth part. Prints the worst, as growth per doubling.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import json
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress

from kg.editing.folder_files import FolderFiles
from kg.importing.import_records import BadInput, ImportInput, InputFile
from kg.importing.importers import get_importer
from kg.importing.new_notes import import_notes
from tests.fuzz.growth import (
    LARGE,
    LARGER,
    LEAST_SECONDS,
    MAX_GROWTH,
    MAX_PARTS_SHOWN,
    SMALL,
    SUSPECT_RATIO,
)
from tests.fuzz.targets import corpus

HOLE, NUMBER = "\0", "\1"  # where parts go, and where each has a number
TOP = 1024  # kB
Part = tuple[str, str, str]
"""An importer, a file with a hole in it, and what fills it."""

PAGE = "Should one nap?\n\nSo.\0\n\nOptimists\n\n- Naps help [1]\0\n\n[1] Doe, J. (2019). Naps.\n"
PLACES: Mapping[str, tuple[str, ...]] = {
    "pages": (
        HOLE,
        PAGE.replace(HOLE, "", 1),
        PAGE[::-1].replace(HOLE, "", 1)[::-1],
        PAGE.replace(HOLE, "") + HOLE,
    ),
    "csv": (HOLE, "id,type,title,camp\na,claim,\0", "source,relation,target,reason\n\0"),
    "library": (HOLE, "@book{a, title = {\0}, author = {\0}, note = {\0}}"),
    "argdown": (HOLE, "[A]: \0", "===\ntitle: \0\n===\n\n[A]: x\n  + <B>: \0"),
    "aif": ('{"nodes":[{"nodeID":"1","text":"\0","type":"I"}],"edges":[]}',),
    "kialo": (HOLE, "1. A claim. \0\n1.1. Pro: \0", "Discussion Title: \0\n\n1. A."),
    "roam": ('[{"title":"[[CLM]] - \0","uid":"a","children":[{"string":"\0","uid":"b"}]}]',),
}
MARKS = (
    *"[](){}<>:;,.-+_*#@'\"\\/|=%$&^~`\n a1",
    *(
        "\n\n",
        "\n- ",
        "\n  - ",
        "\n1. ",
        "1.",
        "::",
        "[[",
        "]]",
        "(Doe 2019)",
        "[1]",
        "https://x.y/",
    ),
    *("{{", "}}", "and ", "\n----\n", "/*", "<!--", "//", "\n> ", "\n# ", "- [", "-> See 1.1."),
)
NUMBERED: Mapping[str, tuple[tuple[str, str], ...]] = {
    "pages": (
        (PAGE.replace(HOLE, "", 1), "\n- Naps \1 help [1]"),
        (PAGE.replace(HOLE, "", 1), "\n- Naps help [\1]"),
        (PAGE.replace(HOLE, "") + HOLE, "\n\n[\1] Doe\1, J. (2019). Naps \1. https://x.y/\1"),
        (PAGE.replace(HOLE, "") + HOLE, "\n\n[1] Doe, J. (2019). Naps."),
        (PAGE[::-1].replace(HOLE, "", 1)[::-1], " Naps help (Doe \1)."),
        (PAGE[::-1].replace(HOLE, "", 1)[::-1], "\n\nWho \1?\n\n"),
    ),
    "csv": (
        ("id,type,title,camp\n\0", "a\1,claim,Naps \1 help,optimist\n"),
        ("id,type,title,camp\n\0", "a\1,claim,Naps help,optimist\n"),
        ("id,type,title,camp\n\0", "a,claim,Naps help,c\1\n"),
        ("id,type,title\na,claim,Naps\n\0", "\n\nsource,relation,target\na,supports,b\1\n"),
        ("id,type,title,supports\n\0", "a\1,claim,Naps \1,a0\n"),
        ("id,type,title,supports\na,claim,Naps,\0", "a\1; "),
        ("source,relation,target,reason\n\0", "a\1,supports,a,so\n"),
        ("id,type,title\0\na,claim,Naps", ",k\1"),
        ("id,kind,title\na,claim,Naps\n\0", "a#b\1,evidence,Naps \1\n"),
    ),
    "library": (
        (HOLE, "@book{a\1, title={Naps \1}, author={Doe, J\1}, year=2019}\n"),
        (HOLE, "@book{a, title={Naps \1}, author={Doe, J}, year=2019}\n"),
        (HOLE, "@book{a\1, title={Naps}, author={Doe, J}, year=2019}\n"),
        (HOLE, "@string{s\1 = s0 # {x}}\n"),
        ("@book{a, title={Naps}, author={\0X}}", "Doe\1, J and "),
        ("@book{a, title={Naps}, \0}", "k\1 = {x}, "),
        ("[\0{}]", '{"id":"a\1","type":"book","title":"Naps \1"},'),
        (
            '{"items":[{"key":"A","itemType":"book","title":"T","notes":[\0{}]}]}',
            '{"note":"<p>x \1</p>"},',
        ),
        ('{"items":[\0{}]}', '{"key":"A\1","itemType":"book","title":"T"},'),
        ('{"items":[\0{}]}', '{"key":"A\1","itemType":"note","parentItem":"A","note":"x"},'),
    ),
    "argdown": (
        (HOLE, "[A\1]: Naps \1 help.\n\n"),
        (HOLE, "[A]: Naps \1 help.\n\n"),
        (HOLE, "[A\1]\n  + [A]\n\n"),
        ("[A]: x\n\0", "  - <B\1>: y \1\n"),
        ("[A]: x\n\0", "  - y \1\n"),
        (HOLE, "# H\1\n\n"),
        (HOLE, "<B>\n\n(1) P \1\n(2) Q\n-----\n(3) [A]\n\n"),
        ("<B>\n\n\0-----\n(2) [A]\n", "(1) P \1\n"),
        ("[A]: x\0", " #t\1"),
    ),
    "aif": (
        ('{"nodes":[\0{}],"edges":[]}', '{"nodeID":"\1","text":"A \1","type":"I"},'),
        ('{"nodes":[\0{}],"edges":[]}', '{"nodeID":"\1","text":"A","type":"I"},'),
        ('{"nodes":[\0{}],"edges":[]}', '{"nodeID":"1","text":"A \1","type":"I"},'),
        (
            '{"nodes":[{"nodeID":"1","text":"A","type":"I"},{"nodeID":"2","text":"s","type":"RA"}],'
            '"edges":[\0{}]}',
            '{"edgeID":"\1","fromID":"1","toID":"2"},',
        ),
        (
            '{"nodes":[{"nodeID":"i","text":"A","type":"I"},\0{}],"edges":[]}',
            '{"nodeID":"\1","text":"s","type":"RA"},',
        ),
    ),
    "kialo": (
        ("1. Naps help.\n\0", "1.\1. Pro: They do \1.\n"),
        ("1. Naps help.\n\0", "1.\1. Pro: They do.\n"),
        ("1. Naps help.\n\0", "1.\1. Con: -> See 1.1.\n"),
        ("1. Naps help.\n\0", "1.1. Pro: They do \1.\n"),
        ("1. Naps help.\n1\0 Pro: deep.", ".1"),
        ("1. Naps help. \0", "[\1](https://x.y/\1) "),
    ),
    "roam": (
        ("[\0{}]", '{"title":"[[CLM]] - Naps \1","uid":"\1","children":[]},'),
        ("[\0{}]", '{"title":"[[CLM]] - Naps","uid":"\1","children":[]},'),
        (
            '[{"title":"[[CLM]] - N","uid":"a","children":[{"string":"Supported By","uid":"b",'
            '"children":[\0{}]}]}]',
            '{"string":"[[[[EVD]] - x\1]]","uid":"c\1"},',
        ),
        (
            '[{"title":"[[CLM]] - N","uid":"a","children":[\0{}]}]',
            '{"string":"((c\1))","uid":"d\1"},',
        ),
    ),
}


def parts() -> Iterator[Part]:
    """All of them: fragments, then marks in their places, then two marks in each order."""
    for name, fragments in NUMBERED.items():
        yield from ((name, *each) for each in fragments)
    for name, places in PLACES.items():
        for mark, place in itertools.product(MARKS, places):
            yield name, place, _escaped_mark(mark, place)
    for name, places in PLACES.items():
        for (first, second), place in itertools.product(itertools.permutations(MARKS, 2), places):
            yield name, place, _escaped_mark(first + second, place)


def _escaped_mark(mark: str, place: str) -> str:
    return json.dumps(mark)[1:-1] if place[:1] in "[{" and '"' in place else mark


def file_of(part: Part, size: int) -> str:
    """A file of about so many kB."""
    _, place, filling = part
    count = size * 1024 // len(filling) // place.count(HOLE)
    if NUMBER in filling:
        filled = "".join(filling.replace(NUMBER, str(number)) for number in range(count))
    else:
        filled = filling * count
    return place.replace(HOLE, filled)


def import_text(part: Part, size: int) -> None:
    """Read a file of about so many kB, and make its notes."""
    importer, base = get_importer(part[0]), corpus()
    text = file_of(part, size)
    suffix = ".json" if text[:1] in "[{" and part[0] == "library" else importer.suffixes[0]
    with suppress(BadInput):
        imported = importer.read(
            ImportInput((InputFile(f"given{suffix}", text),), base.config.camps)
        )
        import_notes(FolderFiles(base.folder), base, importer, imported)


def seconds_of(part: Part, size: int) -> float:
    """Seconds of the processor that this takes, without the collector of garbage."""
    gc.collect()
    gc.disable()
    try:
        began = time.process_time()
        import_text(part, size)
        return time.process_time() - began
    finally:
        gc.enable()


def growth_of(part: Part) -> tuple[float, float]:
    """How much longer it takes per doubling, and how long at the last size that was tried.

    1 where it is not suspected: it takes no time, or no more than it should.
    """
    small, large = seconds_of(part, SMALL), seconds_of(part, LARGE)
    if large < LEAST_SECONDS or large < small * 4 * SUSPECT_RATIO:
        return 1.0, large
    small, large = large, min(seconds_of(part, LARGER), seconds_of(part, LARGER))
    if large < small * 4 * SUSPECT_RATIO:
        return 1.0, large
    below, top = seconds_of(part, TOP // 2), min(seconds_of(part, TOP), seconds_of(part, TOP))
    return top / below, top


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.import_growth", description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="take each so many-th part")
    parser.add_argument("--only", default="", help="of this importer alone")
    options = parser.parse_args(arguments)
    chosen_parts = [part for part in parts() if part[0].startswith(options.only)][:: options.every]
    excesses = []
    for part in chosen_parts:
        rate, seconds = growth_of(part)
        if rate > MAX_GROWTH:
            excesses.append((rate, seconds, part))
            print(f"{rate:.2f}  {seconds:7.2f} s  {part!r}", flush=True)
    excesses.sort(reverse=True)
    print(
        *(f"{rate:.2f}  {s:7.2f} s  {part!r}" for rate, s, part in excesses[:MAX_PARTS_SHOWN]),
        sep="\n",
    )
    print(f"{len(chosen_parts)} parts, {len(excesses)} beyond {MAX_GROWTH}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
