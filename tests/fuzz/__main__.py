"""Feed every reader with broken input: `python -m tests.fuzz [TARGET …] [--seconds 60]`.

Inputs are grown from `SEEDS` and the marks of the grammar. With the package `atheris` (Linux) what
reaches new lines is kept and grown on (`--guided`). An input that raises anything but an error of
ours, or takes too long, is written to `tests/fuzz/found/TARGET/`, where a test runs it ever after.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import random
import signal
import sys
import tempfile
import time
import traceback
from contextlib import suppress
from pathlib import Path

from kg.model.errors import KgError
from tests.fuzz.inputs import MARKS, mutate, seeds_of
from tests.fuzz.targets import TARGETS, Target

FOUND_FOLDER = Path(__file__).parent / "found"
LONGEST_RUN = 20  # seconds for one input of at most some kilobytes


def try_input(target: Target, data: bytes) -> None:
    """Feed one input. Raises what is no error of ours, and `TimeoutError`."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"more than {LONGEST_RUN} s")

    timed = hasattr(signal, "SIGALRM")
    if timed:
        signal.signal(signal.SIGALRM, stop)
        signal.alarm(LONGEST_RUN)
    try:
        with suppress(KgError):
            target(data)
    finally:
        if timed:
            signal.alarm(0)


def fuzz(name: str, seconds: float, seed: int, kept: Path = FOUND_FOLDER) -> int:
    """Feed one target for so long, and return how many inputs failed, each kind once."""
    chance, seeds = random.Random(f"{seed} {name}"), seeds_of(name)
    end, tried, kinds = time.monotonic() + seconds, 0, set()
    while time.monotonic() < end:
        data = mutate(chance, seeds)
        tried += 1
        try:
            try_input(TARGETS[name], data)
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)
            kind = (type(error).__name__, frames[-1].filename, frames[-1].lineno)
            if kind not in kinds:
                kinds.add(kind)
                print(f"{name}: {type(error).__name__}: {error}: {keep_input(kept / name, data)}")
                traceback.print_tb(error.__traceback__, -4)
    print(f"{name}: {tried} inputs, {len(kinds)} kinds of failure")
    return len(kinds)


def keep_input(folder: Path, data: bytes) -> Path:
    """Write an input that failed to a folder; in `FOUND` a test finds it."""
    place = folder / hashlib.sha256(data).hexdigest()[:12]
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)
    return place


def fuzz_guided(name: str, seconds: float) -> None:
    """Let atheris choose inputs by the lines they reach; it ends the process."""
    import atheris

    for loaded in [module for module in sys.modules if module.split(".")[0] == "kg"]:
        del sys.modules[loaded]  # to be read again, with what tells the lines
    del sys.modules["tests.fuzz.targets"]
    with atheris.instrument_imports(include=["kg"]):
        target = importlib.import_module("tests.fuzz.targets").TARGETS[name]
    errors = importlib.import_module("kg.model.errors")
    place = Path(tempfile.mkdtemp(prefix=f"fuzz-{name}-"))
    for number, text in enumerate(seeds_of(name)):
        (place / f"seed-{number}").write_bytes(text)
    words = place.with_suffix(".dict")
    words.write_text("".join(f'"{_escape_mark(mark)}"\n' for mark in MARKS))

    def feed(data: bytes) -> None:
        with suppress(errors.KgError):
            target(data)

    limits = [f"-max_total_time={int(seconds)}", f"-timeout={LONGEST_RUN}", f"-dict={words}"]
    found = FOUND_FOLDER / name
    found.mkdir(parents=True, exist_ok=True)
    atheris.Setup([sys.argv[0], *limits, f"-artifact_prefix={found}/", str(place)], feed)
    atheris.Fuzz()


def _escape_mark(mark: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in mark)


def main(arguments: list[str]) -> int:
    """Feed the targets named, or all."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    parser.add_argument("--seconds", type=float, default=60, help="for all of them (60)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--guided", action="store_true", help="by atheris, one target")
    asked = parser.parse_args(arguments)
    names = asked.targets or list(TARGETS)
    if unknown := set(names) - set(TARGETS):
        parser.error(f"no target {', '.join(sorted(unknown))}: there are {', '.join(TARGETS)}")
    if asked.guided:
        fuzz_guided(names[0], asked.seconds)
    return min(1, sum(fuzz(name, asked.seconds / len(names), asked.seed) for name in names))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
