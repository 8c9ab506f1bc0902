"""What building a site costs, beside the programs that people would use instead.

    python -m bench site --size 1000

Each program builds the same synthetic notes in a process of its own, once, one after another, and
processor time is what counts: read the ratios. Ours also makes a page for each topic, source,
thing and callout, with maps, verdicts and a search index; the others make one page per note, with
their own search. The floor reads and renders each note, splices it into a page and writes that.
"""

from __future__ import annotations

import gc
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.measure import Row
from bench.vault import write_vault
from kg.publish.markup.address import Addresses

QUIET = {"NO_MKDOCS_2_WARNING": "1"}
MKDOCS = """site_name: Notes
docs_dir: notes
site_dir: site
theme: {name: material, font: false}
nav: [Home: index.md]
not_in_nav: "*"
validation: {links: {not_found: ignore, unrecognized_links: ignore}}
markdown_extensions: [footnotes, tables, admonition, toc, pymdownx.superfences]
"""
RUNNER = """import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
_, status, used = os.wait4(process.pid, 0)
print(os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
"""
"""Runs a program from a small process: a new one begins with the peak memory of its parent."""

LIVE_EDITS = 6  # the least time of these counts: the first after a start takes longer
ADDED_RELATION = "\n- supports:: [[note-000100]] — an edge that comes and goes\n"


@dataclass(frozen=True)
class Cost:
    """What one run of one program cost: seconds of processors and on the clock, megabytes."""

    what: str
    cpu: float
    clock: float
    memory: float
    files: int
    size: float


def measure_program(what: str, command: list[str], folder: Path, output: Path) -> Cost:
    """Run `command` in `folder`; processor time and memory include its children.

    What `kg` remembers is remembered for `output` alone: its first build is one from nothing.
    """
    kept = str(folder.resolve() / f"kept-{output.parent.name}")
    here = str(Path(__file__).resolve().parents[1])
    start = time.perf_counter()
    told = subprocess.run(
        [sys.executable, "-S", "-c", RUNNER, *command],
        cwd=folder,
        env={**os.environ, **QUIET, "PYTHONPATH": here, "KG_CACHE_DIR": kept},
        stdout=subprocess.PIPE,
        check=True,
    )
    code, cpu, memory = map(float, told.stdout.split())
    if code:
        sys.exit(f"{what} failed: {' '.join(command)} in {folder}")
    clock = time.perf_counter() - start
    sizes = [
        os.path.getsize(os.path.join(at, name))
        for at, _, names in os.walk(output)
        for name in names
    ]
    return Cost(what, cpu, clock, memory, len(sizes), sum(sizes) / 1e6)


def run_floor(folder: Path) -> Cost:
    """Notes read, rendered, spliced and written, and nothing else."""
    command = [sys.executable, "-m", "bench.site", "notes", "floor"]
    return measure_program("floor: parse, splice, write", command, folder, folder / "floor")


def build_floor(notes: Path, out: Path) -> None:
    """What every builder has to do at least."""
    import pyromark

    head, tail = "<!doctype html><title>Note</title><article>", "</article>" + " " * 16_000
    out.mkdir()
    for place in sorted(notes.rglob("*.md")):
        text = place.read_text("utf-8").partition("\n---\n")[2]
        (out / f"{place.stem}.html").write_text(head + pyromark.html(text) + tail, "utf-8")


def run_ours(folder: Path) -> Iterator[Cost]:
    """Cold, nothing changed, one note edited; then while it is served."""
    command = [sys.executable, "-m", "kg", "build", "--notes", "notes", "--out", "ours"]
    output = folder / "ours" / "html"
    yield measure_program("kg build", command, folder, output)
    yield measure_program("kg build, nothing changed", command, folder, output)
    edit_a_note(folder / "notes")
    yield measure_program("kg build, one edit", command, folder, output)
    yield from run_live(folder)


def run_live(folder: Path) -> Iterator[Cost]:
    """From an edit, of a text and of a relation, until `kg serve` has the new page."""
    from kg.serve.live_site import LiveSite
    from kg.serve.watch_and_serve import COLLECT_AFTER

    gc.set_threshold(COLLECT_AFTER)  # as the server does
    live = LiveSite(folder / "notes")
    live.refresh_pages()
    site = live.state.site
    assert site is not None
    url = Addresses(site.corpus).of("note-000000")
    site.find_file(url)
    for name, edit in (("a text", edit_a_note), ("a relation", edit_a_relation)):
        costs = []
        for _ in range(LIVE_EDITS):
            edit(folder / "notes")
            cpu, clock = time.process_time(), time.perf_counter()
            live.refresh_pages()
            site = live.state.site
            assert site is not None
            site.find_file(url)
            costs.append((time.process_time() - cpu, time.perf_counter() - clock))
        yield Cost(f"kg serve, an edit of {name}", *min(costs), 0, 1, 0)


def run_others(folder: Path) -> Iterator[Cost]:
    """The peers that are installed."""
    (folder / "mkdocs.yml").write_text(MKDOCS, "utf-8")
    (folder / "notes" / "index.md").write_text("# Home\n", "utf-8")
    mkdocs = [sys.executable, "-m", "mkdocs", "build", "--quiet"]
    yield measure_program("mkdocs-material", mkdocs, folder, folder / "site")
    if importlib.util.find_spec("zensical"):
        shutil.rmtree(folder / "site")
        yield measure_program(
            "zensical", [sys.executable, "-m", "zensical", "build"], folder, folder / "site"
        )


def edit_a_note(notes: Path) -> None:
    """Add a sentence to one note."""
    note = notes / "part-000" / "note-000000.md"
    note.write_text(note.read_text("utf-8") + f"\nEdited at {time.time_ns()}.\n", "utf-8")


def edit_a_relation(notes: Path) -> None:
    """Make one note support another, or no longer."""
    note = notes / "part-000" / "note-000000.md"
    text = note.read_text("utf-8")
    kept_text = text.removesuffix(ADDED_RELATION)
    note.write_text(kept_text if kept_text != text else text + ADDED_RELATION, "utf-8")


def report(size: int) -> list[Row]:
    """Every builder that is installed here; files and peak memory stand beside the times."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write_vault(folder / "notes", size)
        floor = run_floor(folder)
        costs = [floor, *run_ours(folder), *run_others(folder)]
    return [
        Row(
            cost.what,
            cost.cpu,
            floor.cpu,
            f"{cost.files:,} files of {cost.size:.0f} MB, {cost.memory:.0f} MB in memory, "
            f"{cost.clock:.1f} s on the clock",
        )
        for cost in costs
    ]


if __name__ == "__main__":
    build_floor(Path(sys.argv[1]), Path(sys.argv[2]))
