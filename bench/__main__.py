"""Speed, as ratios measured in one run: `python -m bench [load site …] [--size 1000 10000]`.

Each report runs in a process of its own, as what one leaves behind would disturb the next: memory
that it holds makes every collection of garbage longer, and a fork may hang once threads have run.
"""

from __future__ import annotations

import argparse
import importlib
import platform
import subprocess
import sys
from pathlib import Path

from bench.measure import Row

SIZES = (1_000, 10_000)
HERE = Path(__file__).parent


def find_reports() -> list[str]:
    """The benchmarks of this folder that can be part of one report."""
    return sorted(
        file.stem
        for file in HERE.glob("*.py")
        if not file.stem.startswith(("_", "test_"))
        and "\ndef report(size: int)" in file.read_text("utf-8")
    )


def main(arguments: list[str]) -> int:
    """Run the named benchmarks (all, unless some are named) at each size, and print the report."""
    known = find_reports()
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(known)}")
    parser.add_argument("--size", type=int, nargs="+", default=SIZES, metavar="NOTES")
    given = parser.parse_args(arguments)
    if unknown := [name for name in given.names if name not in known]:
        parser.error(f"no benchmark is called {unknown[0]!r}; there are {', '.join(known)}")
    machine = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    print(f"medians, each beside the floor of the same run; {machine}", flush=True)
    reports = [(name, size) for size in given.size for name in given.names or known]
    failed = [each for each in reports if not _run_in_own_process(*each)]
    for name, size in failed:
        print(f"failed: python -m bench {name} --size {size}", file=sys.stderr)
    return 1 if failed else 0


def _run_in_own_process(name: str, size: int) -> bool:
    """Whether a benchmark, run in a new process that prints its report, ended without an error."""
    code = f"from bench.__main__ import print_report; print_report({name!r}, {size})"
    return not subprocess.run([sys.executable, "-c", code], check=False).returncode


def print_report(name: str, size: int) -> None:
    """Run a benchmark in this process, and print its report."""
    print(f"\n{name}, {size:,} notes", flush=True)
    report = importlib.import_module(f"bench.{name}").report
    print(render_rows(report(size)), flush=True)


def render_rows(rows: list[Row]) -> str:
    """Rows as a table for a terminal."""
    wide = max(len(row.what) for row in rows)
    lines = [f"{'':{wide}}  {'ms':>10}  {'x floor':>8}"]
    for row in rows:
        note = f"  ({row.note})" if row.note else ""
        lines.append(f"{row.what:{wide}}  {row.seconds * 1000:10,.1f}  {row.ratio:8.2f}{note}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
