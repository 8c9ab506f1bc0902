"""What was drawn, and which test noticed it: kept by seed, so that a run can go on."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

from tests.mutation.line_map import MAP_FOLDER
from tests.mutation.operators import Mutant, mutants_of
from tests.mutation.trial import Trials


class DrawnMutants:
    """What was drawn from a room, and which test noticed it; kept so that a run can go on."""

    def __init__(self, room: str, seed: int, kind: str = "drawn") -> None:
        self._room, self._seed = room, seed
        MAP_FOLDER.mkdir(exist_ok=True)
        self._file = (
            MAP_FOLDER / f"{kind}-{seed}-{room.replace('/', '-').replace('*', 'files')}.json"
        )
        self._drawn: list[dict[str, str]] = []
        if self._file.exists():
            self._drawn = json.loads(self._file.read_text())

    def draw(self, sample: int) -> None:
        """Draw as many as are asked for, those of an earlier run first."""
        mutants = list(self._mutants_of_files())
        random.Random(f"{self._seed} {self._room}").shuffle(mutants)
        known = [_without_answer(each) for each in self._drawn]
        for name, mutant in mutants:
            if len(self._drawn) >= sample:
                break
            described = _describe_mutant(name, mutant)
            if described not in known:
                self._drawn.append(described)

    def try_each(self, trials: Trials, *, again: bool) -> None:
        """Make each mistake that was not yet made, or that no test noticed."""
        for each in list(self._drawn):
            if each.get("by") or ("by" in each and not again):
                continue
            place = next((pair for pair in self._mutants_of_files() if _is_same(each, *pair)), None)
            if place is None:  # it was drawn before the file changed
                self._drawn.remove(each)
                continue
            begun = time.monotonic()
            each["by"] = trials.noticed_by(*place)
            seconds = f"{time.monotonic() - begun:.0f} s"
            text = f"{each['file']}: {each['was']!r} -> {each['text']!r} in: {each['line']}"
            print(f"{each['by'] or 'MISSED'} ({seconds}) {text}", flush=True)
            self._file.write_text(json.dumps(self._drawn, indent=1))

    def counts(self) -> tuple[int, int]:
        """How many were noticed, and how many were made."""
        return sum(bool(each.get("by")) for each in self._drawn), len(self._drawn)

    def _mutants_of_files(self) -> Iterator[tuple[str, Mutant]]:
        place = Path(self._room)  # in the copy, which is the working directory
        files = place.rglob("*.py") if place.is_dir() else Path().glob(self._room)
        for file in sorted(files):
            yield from ((file.as_posix(), mutant) for mutant in _mutants(file.as_posix()))


@lru_cache
def _text(name: str) -> str:
    return Path(name).read_text("utf-8")


@cache
def _mutants(name: str) -> list[Mutant]:
    return mutants_of(_text(name))


def _describe_mutant(name: str, mutant: Mutant) -> dict[str, str]:
    """A mistake in words that still name it when other lines of the file change."""
    source = _text(name)
    start = source.rfind("\n", 0, mutant.start) + 1
    return {
        "file": name,
        "line": source.split("\n")[mutant.line - 1].strip(),
        "was": source[mutant.start : mutant.end],
        "text": mutant.text,
        "column": str(len(source[start : mutant.start].lstrip())),
    }


def _without_answer(described: dict[str, str]) -> dict[str, str]:
    return {key: value for key, value in described.items() if key != "by"}


def _is_same(known_mutant: dict[str, str], name: str, mutant: Mutant) -> bool:
    return known_mutant["file"] == name and _without_answer(known_mutant) == _describe_mutant(
        name, mutant
    )
