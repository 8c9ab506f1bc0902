"""The site of a folder of notes, built where anything has changed since it was built last."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from kg.corpus import Corpus
from kg.files.read import NotesFolder, Place
from kg.files.state import locked, read_state, state_folder, write_sealed
from kg.loader import load_corpus
from kg.model import Value
from kg.publish.build.memory import Stamp, find_sources, is_same, program, take_stamp
from kg.publish.build.site import DEFAULT_OUT, Progress, SiteReport, build_site, own_folders
from kg.publish.output.commit import SITE, state_file, unbuilt_beside
from kg.publish.output.writer import LOCK
from kg.publish.theme.shell import find_inputs

BUILT = "built"
KIND = "built 1"


class BuildRecord(Value, frozen=True):
    """A finished build: what it was made of and by, the files it left, and what it reported."""

    sources: Stamp
    program: str
    site: str
    pages: int
    files: int
    empty_sections: tuple[str, ...]
    fallback: str


def build_folder(
    notes: Place,
    out: Path | str = DEFAULT_OUT,
    load: Callable[[NotesFolder], Corpus] = load_corpus,
    *,
    progress: Progress | None = None,
    inputs: Path | None = None,
) -> SiteReport:
    """Build the site of the folder `notes` with `build_site`, which says what may go wrong.

    Where neither the notes, the theme, the program nor the site changed, nothing is loaded.
    """
    notes = NotesFolder.of(notes)
    work, inputs = Path(out), inputs or find_inputs()
    sources = take_stamp(find_sources(notes, inputs))
    room = state_folder(work)
    last = read_state(state_file(room, BUILT), KIND, msgspec.msgpack.Decoder(BuildRecord).decode)
    if (
        last
        and last.program == program()
        and is_same(last.sources, sources)
        and (unbuilt := unbuilt_beside(work, own_folders(notes, out), last.site)) is not None
    ):
        return SiteReport(
            index=work / SITE / "index.html",
            pages=last.pages,
            unchanged=last.files,
            empty_sections=last.empty_sections,
            fallback=last.fallback,
            stamp=last.site,
            unbuilt=unbuilt,
        )
    report = build_site(load(notes), work, progress=progress, inputs=inputs)
    built = BuildRecord(
        sources=sources,
        program=program(),
        site=report.stamp,
        pages=report.pages,
        files=len(report.written) + report.unchanged,
        empty_sections=report.empty_sections,
        fallback=report.fallback,
    )
    with locked(state_file(room, LOCK), str(work)):
        write_sealed(state_file(room, BUILT), KIND, msgspec.msgpack.encode(built))
    return report
