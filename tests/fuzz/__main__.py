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
import subprocess
import sys
import tempfile
import time
import traceback
from contextlib import suppress
from pathlib import Path

from kg.model.errors import KgError
from tests.fuzz.inputs import LONGEST_INPUT, MARKS, mutate, seeds_of
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


class Failures:
    """The inputs that failed, each kind once: kept, and said."""

    def __init__(self, name: str, kept_folder: Path) -> None:
        self._name, self._kept = name, kept_folder
        self.kinds: set[tuple[str, str, int | None]] = set()

    def add(self, error: Exception, data: bytes) -> None:
        """Keep an input, unless one failed so before."""
        frames = traceback.extract_tb(error.__traceback__)
        kind = (type(error).__name__, frames[-1].filename, frames[-1].lineno)
        if kind not in self.kinds:
            self.kinds.add(kind)
            place = keep_input(self._kept / self._name, data)
            print(f"{self._name}: {type(error).__name__}: {error}: {place}", flush=True)
            traceback.print_tb(error.__traceback__, -4)


def fuzz(name: str, seconds: float, seed: int, kept_folder: Path = FOUND_FOLDER) -> int:
    """Feed one target for so long, and return how many inputs failed, each kind once."""
    chance, seeds = random.Random(f"{seed} {name}"), seeds_of(name)
    end, tried_count, failures = time.monotonic() + seconds, 0, Failures(name, kept_folder)
    while time.monotonic() < end:
        data = mutate(chance, seeds)
        tried_count += 1
        try:
            try_input(TARGETS[name], data)
        except Exception as error:
            failures.add(error, data)
    print(f"{name}: {tried_count} inputs, {len(failures.kinds)} kinds of failure", flush=True)
    return len(failures.kinds)


def keep_input(folder: Path, data: bytes) -> Path:
    """Write an input that failed to a folder; in `FOUND_FOLDER` a test finds it."""
    place = folder / hashlib.sha256(data).hexdigest()[:12]
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)
    return place


def fuzz_guided(names: list[str], seconds: float) -> int:
    """Let atheris seek inputs for each target, in a process of its own, which it ends.

    Returns how many failed.
    """
    known_files = set(FOUND_FOLDER.glob("*/*"))
    for name in names:
        command = [sys.executable, "-m", "tests.fuzz", name, "--guided-here"]
        command += ["--seconds", str(seconds / len(names))]
        ended = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
        *_, last = ["nothing said", *ended.stderr.split("\n")][:-1] or [""]
        print(f"{name}: {last}", flush=True)
        if ended.returncode:
            print(ended.stderr[-3000:])
    return len(set(FOUND_FOLDER.glob("*/*")) - known_files)


def _guide(name: str, seconds: float) -> None:
    """Let atheris choose inputs by the lines that they reach; it ends the process."""
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
    failures = Failures(name, FOUND_FOLDER)

    def feed(data: bytes) -> None:
        try:
            with suppress(errors.KgError):
                target(data)
        except Exception as error:
            failures.add(error, data)

    limits = [f"-max_total_time={int(seconds)}", f"-timeout={LONGEST_RUN}", f"-dict={words}"]
    limits += [
        f"-report_slow_units={LONGEST_RUN}",
        "-reload=0",
        "-rss_limit_mb=4096",
        f"-max_len={LONGEST_INPUT}",
    ]
    found_folder = FOUND_FOLDER / name
    found_folder.mkdir(parents=True, exist_ok=True)
    atheris.Setup([sys.argv[0], *limits, f"-artifact_prefix={found_folder}/", str(place)], feed)
    atheris.Fuzz()


def _escape_mark(mark: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in mark)


def main(arguments: list[str]) -> int:
    """Feed the targets named, or all."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    parser.add_argument("--seconds", type=float, default=60, help="for all of them (60)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--guided", action="store_true", help="by the lines reached, with atheris")
    parser.add_argument("--guided-here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    names = options.targets or list(TARGETS)
    if unknown := set(names) - set(TARGETS):
        parser.error(f"no target {', '.join(sorted(unknown))}: there are {', '.join(TARGETS)}")
    if options.guided_here:
        _guide(names[0], options.seconds)
    if options.guided:
        return min(1, fuzz_guided(names, options.seconds))
    return min(1, sum(fuzz(name, options.seconds / len(names), options.seed) for name in names))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
