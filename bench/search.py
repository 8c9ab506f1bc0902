"""Search in texts: `python -m bench.search [notes, 10000 unless said]`.

Generated notes are indexed and asked in processes of their own, as `kg search` does; CPU seconds.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.vault import write_vault


def cpu_of_command(*arguments: str) -> float:
    """CPU seconds of one `kg` command on one core."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "kg", *arguments],
        check=True,
        capture_output=True,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(notes: Path) -> None:
    """Print what the first and later searches cost, and what of it is loading the notes."""
    base = [cpu_of_command("find", "--count", "--notes", str(notes)) for _ in range(3)][-1]
    print(f"{'kg find --count (loads the notes)':44} {base:7.2f} s")
    asked = ("search", "repair norms", "--limit", "5", "--notes", str(notes))
    print(f"{'kg search, index made':44} {cpu_of_command(*asked):7.2f} s", flush=True)
    print(f"{'kg search, again':44} {sorted(cpu_of_command(*asked) for _ in range(3))[1]:7.2f} s")


if __name__ == "__main__":
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as made:
        measure(write_vault(Path(made) / "notes", size))
