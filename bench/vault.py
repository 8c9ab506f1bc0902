"""Synthetic corpora of any size, the same for the same seed.

Each note is about 1.4 kB: eight front matter keys, four to five relations,
one callout in two notes, citations, links, a code span and a fence now and
then, so that no parser can win by skipping what real notes hold.
"""

from __future__ import annotations

import random
import shutil
from pathlib import Path

WORDS = [
    "grounding",
    "dialogue",
    "model",
    "speaker",
    "listener",
    "repair",
    "norm",
    "claim",
    "evidence",
    "reward",
    "turn",
    "question",
    "answer",
    "training",
    "belief",
    "intent",
    "partner",
    "signal",
    "context",
    "meaning",
    "reference",
    "agreement",
    "persona",
    "stance",
    "corpus",
    "human",
    "social",
    "language",
    "interaction",
    "prediction",
]
KINDS = ("claim", "claim", "counter-claim", "evidence", "evidence")
CAMPS = ("optimist", "skeptic")
METHODS = ("experiment", "benchmark", "observational", "argument")
NOTES_PER_LINE = 200
SOURCES_PER_NOTE = 0.05


def get_vault(size: int) -> Path:
    """A corpus of `size` notes under `build/bench`, written on first use."""
    folder = Path(__file__).parents[1] / "build" / "bench" / str(size) / "notes"
    if not folder.exists():
        half = folder.with_name("half-written")
        shutil.rmtree(half, ignore_errors=True)
        write_vault(half, size).rename(folder)
    return folder


def write_vault(folder: Path, size: int, seed: int = 7) -> Path:
    """Write `size` statement notes, their lines and their bibliography under `folder`."""
    draw = random.Random(seed)
    sources = max(3, int(size * SOURCES_PER_NOTE))
    for number in range(size):
        place = folder / _folder(number)
        place.mkdir(parents=True, exist_ok=True)
        place.joinpath(f"note-{number:06}.md").write_text(
            _note(draw, number, size, sources), "utf-8"
        )
    _write_lines(folder, size, draw)
    bibliography = "\n".join(_entry(draw, number) for number in range(sources))
    folder.joinpath("references.bib").write_text(bibliography, "utf-8")
    return folder


def _prose(draw: random.Random, words: int) -> str:
    return " ".join(draw.choices(WORDS, k=words)).capitalize()


def _kind(number: int) -> str:
    return KINDS[number % len(KINDS)]


def _claim(draw: random.Random, size: int) -> str:
    number = draw.randrange(size)
    return f"note-{number - number % len(KINDS) if size >= len(KINDS) else 0:06}"


def _path(draw: random.Random, size: int) -> str:
    """A note's place, as a note in another folder links to it."""
    claim = _claim(draw, size)
    return f"../{_folder(int(claim.removeprefix('note-')))}/{claim}.md"


def _folder(number: int) -> str:
    return f"part-{number // 1000:03}"


def _front_matter(draw: random.Random, number: int) -> str:
    kind = _kind(number)
    lines = [
        "---",
        f"type: {kind}",
        f"camp: {draw.choice(CAMPS)}",
        f"topics: [{draw.choice(WORDS)}, {draw.choice(WORDS)}-{number % 40}]",
        f"about: [System-{number % 60}]",
        "status: stable",
        "created: 2026-01-12",
        "updated: 2026-10-02",
    ]
    if kind == "evidence":
        lines.append(f"method: {draw.choice(METHODS)}")
        lines.append(f"sample: {draw.randrange(10, 5000)}")
        lines.append(f"independence: [lab:{number % 300}]")
    return "\n".join([*lines, "---"])


def _note(draw: random.Random, number: int, size: int, sources: int) -> str:
    cite = f"[@source{draw.randrange(sources)}, p. {draw.randrange(1, 40)}]"
    body = [
        _front_matter(draw, number),
        "",
        f"# {_prose(draw, 9)} {number}",
        "",
        f"{_prose(draw, 34)} {cite}, as in [[{_claim(draw, size)}|an earlier note]].",
        "",
        f"{_prose(draw, 30)} with `code::span` and *stress*, see [more]({_path(draw, size)}).",
        "",
    ]
    if number % 2:
        body += [
            f"> [!evidence] {_prose(draw, 8)} ^found",
            f"> {_prose(draw, 14)}. [@source{draw.randrange(sources)}]",
            "> (method:: benchmark) (sample:: 120)",
            "",
        ]
    if number % 10 == 0:
        body += ["```text", "- supports:: [[nothing]] — inside a fence", "```", ""]
    relations = ["supports", "supports", "contradicts", "qualifies"]
    if number % 2:
        relations.append("supports")
    own = f"note-{number:06}"
    for relation in relations:
        target = _claim(draw, size)
        if target != own:
            body.append(f"- {relation}:: [[{target}]] — {_prose(draw, 6).lower()}")
    return "\n".join(body) + "\n"


def _write_lines(folder: Path, size: int, draw: random.Random) -> None:
    place = folder / "lines"
    place.mkdir(parents=True, exist_ok=True)
    for number in range(max(1, size // NOTES_PER_LINE)):
        placed = sorted({_claim(draw, size) for _ in range(20)})
        camps = "\n".join(
            f"- {CAMPS[index % 2]}:: [[{claim}]] — {_prose(draw, 5).lower()}"
            for index, claim in enumerate(placed)
        )
        text = (
            f"---\ntype: line\nproposition: {placed[0]}\n---\n\n# {_prose(draw, 8)}?\n\n"
            f"{_prose(draw, 20)}.\n\n{_prose(draw, 90)} [[{placed[0]}]].\n\n## Camps\n\n{camps}\n"
        )
        place.joinpath(f"line-{number:04}.md").write_text(text, "utf-8")


def _entry(draw: random.Random, number: int) -> str:
    return (
        f"@article{{source{number},\n"
        f"  author = {{Writer, {draw.choice(WORDS).title()} and Other, Ann}},\n"
        f"  title = {{{_prose(draw, 8)}}},\n  year = {{{draw.randrange(2015, 2027)}}},\n"
        f"  journal = {{Journal of {draw.choice(WORDS).title()}}}\n}}\n"
    )
