"""What building a site costs, beside the programs that people would use instead.

    python -m bench.site 1000 10000

Each program builds the same synthetic notes in a process of its own, once, one after another;
read the ratios. Ours also makes a page for each topic, source, thing and callout, with maps,
verdicts and a search index; the others make one page per note, with their own search.
"""

from __future__ import annotations

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

from bench.vault import write_vault

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
HUGO = """baseURL = "/"
contentDir = "notes"
disableKinds = ["taxonomy", "term", "RSS"]
[outputs]
home = ["HTML", "JSON"]
"""
HUGO_PAGE = """<!doctype html><meta charset="utf-8"><title>{{ .Title }}</title>{{ .Content }}"""
HUGO_INDEX = """[{{ range $i, $p := .Site.RegularPages }}{{ if $i }},{{ end }}
{{ dict "title" $p.Title "url" $p.RelPermalink "text" $p.Plain | jsonify }}{{ end }}]"""


@dataclass(frozen=True)
class Cost:
    """What one run of one program cost."""

    what: str
    cpu: float
    wall: float
    memory: float
    files: int


def run(what: str, command: list[str], folder: Path, output: Path) -> Cost:
    """Run `command` in `folder`; processor time and memory include its children."""
    here = str(Path(__file__).resolve().parents[1])
    start = time.perf_counter()
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, **QUIET, "PYTHONPATH": here},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{what} failed: {' '.join(command)} in {folder}")
    wall = time.perf_counter() - start
    files = sum(len(names) for _, _, names in os.walk(output))
    return Cost(what, used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024, files)


def run_ours(folder: Path) -> Iterator[Cost]:
    """Cold, nothing changed, one note edited."""
    command = [sys.executable, "-m", "kg", "build", "--notes", "notes", "--out", "ours"]
    output = folder / "ours" / "html"
    yield run("kg build", command, folder, output)
    yield run("kg build, nothing changed", command, folder, output)
    edit(folder / "notes")
    yield run("kg build, one edit", command, folder, output)
    yield run_live(folder)


def run_live(folder: Path) -> Cost:
    """From an edit until `kg serve` has the new page."""
    from kg.publish.address import Addresses
    from kg.serve.live import Live

    live = Live(folder / "notes", folder / "ours")
    live.refresh_pages()
    preview = live.moment.preview
    assert preview is not None
    url = Addresses(preview.corpus).statement("note-000000")
    preview.find(url)
    edit(folder / "notes")
    wall, cpu = time.perf_counter(), time.process_time()
    live.refresh_pages()
    preview = live.moment.preview
    assert preview is not None
    preview.find(url)
    return Cost("kg serve, one edit", time.process_time() - cpu, time.perf_counter() - wall, 0, 1)


def run_others(folder: Path) -> Iterator[Cost]:
    """The peers that are installed."""
    (folder / "mkdocs.yml").write_text(MKDOCS, "utf-8")
    (folder / "notes" / "index.md").write_text("# Home\n", "utf-8")
    mkdocs = [sys.executable, "-m", "mkdocs", "build", "--quiet"]
    yield run("mkdocs-material", mkdocs, folder, folder / "site")
    if importlib.util.find_spec("zensical"):
        shutil.rmtree(folder / "site")
        yield run("zensical", [sys.executable, "-m", "zensical", "build"], folder, folder / "site")
    if shutil.which("hugo"):
        write_hugo(folder)
        yield run("hugo", ["hugo", "--quiet", "-d", "hugo-site"], folder, folder / "hugo-site")


def write_hugo(folder: Path) -> None:
    """The least that makes Hugo build pages and a search index."""
    (folder / "hugo.toml").write_text(HUGO, "utf-8")
    (folder / "config.toml").write_text(HUGO, "utf-8")
    layouts = folder / "layouts" / "_default"
    layouts.mkdir(parents=True)
    (layouts / "single.html").write_text(HUGO_PAGE, "utf-8")
    (layouts / "list.html").write_text(HUGO_PAGE, "utf-8")
    (folder / "layouts" / "index.json").write_text(HUGO_INDEX, "utf-8")


def edit(notes: Path) -> None:
    """Add a sentence to one note."""
    note = notes / "part-000" / "note-000000.md"
    note.write_text(note.read_text("utf-8") + f"\nEdited at {time.time_ns()}.\n", "utf-8")


def main(sizes: list[int]) -> None:
    """Print a table for each size."""
    for size in sizes:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            write_vault(folder / "notes", size)
            costs = [*run_ours(folder), *run_others(folder)]
        first = costs[0].cpu
        print(f"\n{size} notes          CPU s   wall s   MB   files   CPU to `kg build`")
        for cost in costs:
            print(
                f"{cost.what:<26} {cost.cpu:7.2f} {cost.wall:8.2f} {cost.memory:5.0f} "
                f"{cost.files:7}   {cost.cpu / first:.2f}"
            )


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or [1000])
