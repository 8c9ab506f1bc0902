"""Commands on notes that have not changed, start of Python included, beside the files' floor.

python -m bench commands --size 10000
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from bench.load import FLOOR, read_floor
from bench.measure import Row, medians, processor_time
from bench.vault import get_vault

ROUNDS = 5
COMMANDS = {
    "kg show ID --format json": "show note-000002 --format json",
    "kg show ID": "show note-000002",
    "kg find, by a topic": "find claims --topic grounding --format ids",
    "kg find, by words": "find reward turn --limit 20",
    "kg find, by camp": "find --camp skeptic --limit 20",
}


def report(size: int) -> list[Row]:
    """Processor time of whole commands, each run three times before it is measured."""
    folder = get_vault(size)
    tasks: dict[str, Callable[[], object]] = {FLOOR: lambda: read_floor(folder)}
    tasks |= {name: _command(words, folder) for name, words in COMMANDS.items()}
    for task in (*tasks.values(), *tasks.values(), *tasks.values()):
        task()
    found = medians(tasks, ROUNDS, processor_time)
    return [Row(name, time, found[FLOOR]) for name, time in found.items()]


def _command(words: str, folder: Path) -> Callable[[], object]:
    line = (sys.executable, "-m", "kg", *words.split(), "--notes", str(folder))
    return lambda: subprocess.run(line, capture_output=True, check=True)
