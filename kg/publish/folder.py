"""The site of a folder of notes, built where anything has changed since it was built last."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from kg.corpus import Corpus
from kg.load import load_corpus
from kg.model import Value
from kg.publish.inputs import find_inputs
from kg.publish.lock import locked
from kg.publish.site import DEFAULT_OUT, Progress, SiteReport, build_site
from kg.publish.stamp import Stamp, find_sources, is_same, program, take_stamp
from kg.publish.writer import LOCK, SITE, is_whole, write_whole

BUILT = "built.state"


class Built(Value, frozen=True):
    """A finished build: what it was made of and by, the files it left, and what it reported."""

    sources: Stamp
    program: str
    site: str
    pages: int
    files: int
    empty_sections: tuple[str, ...]
    fallback: str


def build_folder(
    notes: Path,
    out: Path | str = DEFAULT_OUT,
    load: Callable[[Path], Corpus] = load_corpus,
    *,
    progress: Progress | None = None,
    inputs: Path | None = None,
) -> SiteReport:
    """Build the site of the folder `notes` with `build_site`, which says what may go wrong.

    Where neither the notes, the theme, the program nor the site changed, nothing is loaded.
    """
    work, inputs = Path(out), inputs or find_inputs()
    sources = take_stamp(find_sources(notes, inputs))
    last = _load_built(work)
    if last and is_same(last.sources, sources) and is_whole(work, last.site):
        return SiteReport(
            index=work / SITE / "index.html",
            pages=last.pages,
            unchanged=last.files,
            empty_sections=last.empty_sections,
            fallback=last.fallback,
            stamp=last.site,
        )
    report = build_site(load(notes), work, progress=progress, inputs=inputs)
    built = Built(
        sources=sources,
        program=program(),
        site=report.stamp,
        pages=report.pages,
        files=len(report.written) + report.unchanged,
        empty_sections=report.empty_sections,
        fallback=report.fallback,
    )
    with locked(work / LOCK):
        write_whole(work / BUILT, msgspec.msgpack.encode(built))
    return report


def _load_built(work: Path) -> Built | None:
    try:
        found = msgspec.msgpack.decode((work / BUILT).read_bytes(), type=Built)
    except (OSError, msgspec.DecodeError):
        return None
    return found if found.program == program() else None
