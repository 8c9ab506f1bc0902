"""Where broken input begins: texts that are read well, and the marks that readers look for."""

from __future__ import annotations

import random
from functools import cache

from tests.fuzz.targets import SEEDS

LONGEST_INPUT = 6_000  # bytes

MARKS: tuple[bytes, ...] = tuple(
    mark.encode("utf-8", "surrogatepass")
    for mark in (
        *"*_`~[]()<>|\\#^@$%&=:;,.-+!?\"'{}/\n\r\t \0\x1b\x7f",
        *("[[", "]]", "![[", "[@", "]: ", "<!--", "-->", "%%", "$$", "::", " — ", "^why", "---\n"),
        *(
            "\n\n",
            "\n> ",
            "\n- ",
            "\n## ",
            "\n```\n",
            "\n    ",
            "> [!evidence] ",
            "(with:: [[work]])",
        ),
        *(
            "supports:: ",
            "contradicts:: ",
            "effect:: ",
            "sample:: ",
            "p:: ",
            "type: ",
            "id: ",
            "null",
        ),
        *(
            "true",
            "-1",
            "1e400",
            "9" * 400,
            "0.5",
            "NaN",
            "12 %",
            "1/0",
            "2020-13-45",
            "http://a.b/",
        ),
        *(
            "javascript:",
            "data:",
            "\ufeff",
            "\u2028",
            "\u202e",
            "\u0301",
            "é",
            "\ud800",
            "\uffff",
            "𝕏",
        ),
        *("@article{", "author = {", " and ", "crossref", "@string{", "@comment{", "[[camps]]\n"),
        *(
            '"nodes":[',
            '"edges":[',
            '"fromID":',
            '"children":[',
            '"string":',
            "<a> + ",
            "  - [a]: ",
        ),
        *(
            "opposes:: ",
            "since ",
            "kind: idea\n",
            "- [ ] ",
            "[[@doe]]",
            "EVD - ",
            "(opposes:: [[work]]) ",
        ),
        *(
            "camp:",
            " not ",
            " or ",
            "cites:",
            "sort:",
            "group-by:",
            "<<<<<<< HEAD\n",
            "=======\n",
            ">>>>>>> x\n",
        ),
    )
)


@cache
def seeds_of(name: str) -> tuple[bytes, ...]:
    """Texts that the target called so reads well: some of our own notes among them."""
    places = sorted((SEEDS / name).glob("*"))
    if not places:
        own_files = sorted((SEEDS.parents[2] / "notes").rglob("*.md"))[::25]
        places = [*sorted((SEEDS / "corpus").glob("*.md")), *own_files]
    return tuple(place.read_bytes()[:LONGEST_INPUT] for place in places)


def mutate(chance: random.Random, seeds: tuple[bytes, ...]) -> bytes:
    """One of the seeds with one to twelve changes."""
    data = bytearray(chance.choice(seeds))
    for _ in range(chance.choice((1, 1, 2, 3, 6, 12))):
        start = chance.randint(0, len(data))
        end = min(len(data), start + chance.choice((0, 1, 2, 8, 60)))
        kind = chance.randrange(6)
        if kind == 0:
            del data[start:end]
        elif kind == 1:
            data[start:start] = chance.choice(MARKS)
        elif kind == 2:
            data[start:end] = chance.choice(MARKS)
        elif kind == 3:
            data[start:start] = data[start:end] * chance.choice((1, 2, 30))
        elif kind == 4:
            data[start:end] = bytes(chance.randrange(256) for _ in range(end - start))
        else:
            other = chance.choice(seeds)
            begin = chance.randint(0, len(other))
            data[start:end] = other[begin : begin + chance.choice((5, 40, 300))]
    return bytes(data[:LONGEST_INPUT])
