"""Arguments that were made to do harm."""

from __future__ import annotations

import random
from collections.abc import Iterable

from tests.hostile.hostile_case import Case


def note(name: str, relations: Iterable[str] = (), head: str = "") -> tuple[str, str]:
    """A claim with its relations."""
    text = f"---\ntype: claim\ncamp: skeptic\n{head}---\n\n# Claim {name}\n\nSaid.\n\n"
    return f"notes/{name}.md", text + "\n".join(relations) + "\n"


def _argument(name: str, notes: Iterable[tuple[str, str]], message: str = "") -> Case:
    return Case(f"argument: {name}", dict(notes), message)


def _chain(relation: str, count: int) -> list[tuple[str, str]]:
    return [
        note(f"n{n}", [f"- {relation}:: [[n{n + 1}]] — so ^e"] if n + 1 < count else [])
        for n in range(count)
    ]


def dense(count: int, edges: int) -> list[tuple[str, str]]:
    """Claims that each bear on so many others, drawn by chance."""
    chance = random.Random(7)
    notes = []
    for n in range(count):
        ends = chance.sample([m for m in range(count) if m != n], edges)
        words = [f"- {chance.choice(('supports', 'contradicts'))}:: [[n{m}]] — so" for m in ends]
        notes.append(note(f"n{n}", words))
    return notes


CASES = (
    _argument("support of itself", [note("a", ["- supports:: [[a]] — so"])], "self"),
    _argument("contradiction of itself", [note("a", ["- contradicts:: [[a]] — so"])], "self"),
    _argument("superseded by itself", [note("a", ["- supersedes:: [[a]] — so"])], "self"),
    _argument("the same as itself", [note("a", ["- same-as:: [[a]] — so"])], "self"),
    _argument("an undercut of itself", [note("a", ["- undercuts:: [[a#^e]] — so ^e"])], "a.md"),
    _argument(
        "undercuts in a circle",
        [
            note("a", ["- undercuts:: [[b#^e]] — so ^e"]),
            note("b", ["- undercuts:: [[a#^e]] — so ^e"]),
        ],
    ),
    _argument(
        "undercuts of undercuts, 100 deep",
        [
            note("n0", ["- supports:: [[naps]] — so ^e"]),
            *(note(f"n{n}", [f"- undercuts:: [[n{n - 1}#^e]] — so ^e"]) for n in range(1, 100)),
        ],
    ),
    _argument(
        "a circle of two supports",
        [note("a", ["- supports:: [[b]] — so"]), note("b", ["- supports:: [[a]] — so"])],
    ),
    _argument(
        "a circle of 80 supports",
        [note(f"n{n}", [f"- supports:: [[n{(n + 1) % 80}]] — so"]) for n in range(80)],
    ),
    _argument("a chain of 150 supports", _chain("supports", 150)),
    _argument("a chain of 150 that are the same", _chain("same-as", 150)),
    _argument("a chain of 300 that supersede", _chain("supersedes", 300)),
    _argument(
        "superseding in a circle",
        [note("a", ["- supersedes:: [[b]] — so"]), note("b", ["- supersedes:: [[a]] — so"])],
    ),
    _argument(
        "30 claims, each against all",
        [
            note(
                f"n{n}",
                [f"- contradicts:: [[n{m}]] (mutual:: yes) — so" for m in range(30) if m != n],
            )
            for n in range(30)
        ],
    ),
    _argument("60 claims with 20 edges each", dense(60, 20)),
    _argument(
        "both for and against",
        [note("a", ["- supports:: [[naps]] — so", "- contradicts:: [[naps]] — so"])],
        "both",
    ),
    _argument("the same edge 300 times", [note("a", ["- supports:: [[naps]] — so"] * 300)], "a.md"),
    _argument(
        "300 reasons for one claim",
        [note(f"n{n}", ["- supports:: [[naps]] — so"]) for n in range(300)],
    ),
    _argument(
        "premises that name each other, 60 together",
        [
            note(
                f"n{n}",
                [
                    "- supports:: [[naps]] with "
                    + " and ".join(f"[[n{m}]]" for m in range(60) if m != n)
                    + " — so"
                ],
            )
            for n in range(60)
        ],
    ),
    _argument(
        "dependence in a circle",
        [note("a", ["- depends-on:: [[b]] — so"]), note("b", ["- depends-on:: [[a]] — so"])],
    ),
    _argument(
        "a line that leads to itself",
        [
            (
                "notes/line.md",
                "---\ntype: line\nproposition: line\n---\n\n# Q?\n\n- next:: [[line]]\n- skeptic:: [[line]]\n",
            )
        ],
        "line.md",
    ),
    _argument(
        "a proposition that there is not",
        [("notes/line.md", "---\ntype: line\nproposition: gone\n---\n\n# Q?\n")],
        "gone",
    ),
    _argument("two notes of one id", [note("a", head="id: x\n"), note("b", head="id: x\n")], "x"),
    _argument(
        "an alias that many claim",
        [note(f"n{n}", head="aliases: [same]\n") for n in range(100)],
        "same",
    ),
    _argument(
        "a statement that is a source and a line too",
        [
            note("a"),
            ("notes/x/a.md", "---\ntype: source\n---\n\n# S\n"),
            ("notes/y/a.md", "---\ntype: line\n---\n\n# L?\n"),
        ],
        "a.md",
    ),
    _argument(
        "300 topics on one claim",
        [note("a", head="topics: [" + ", ".join(f"t{n}" for n in range(300)) + "]\n")],
    ),
)
