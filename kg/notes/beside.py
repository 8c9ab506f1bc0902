"""Bibliographies that stand beside the notes folder, or that `kg.toml` names."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from kg.files.read import NotesFolder, allowed_folders, is_inside
from kg.model import Diagnostic, Severity, Span
from kg.notes.corrections import note_problem
from kg.notes.discover import BIBLIOGRAPHY_SUFFIXES, ListedFile, Listing


def with_files_beside(
    listing: Listing, folder: NotesFolder, home: Path, named: Iterable[str]
) -> Listing:
    """The listing with all that `named` names, and all that stands beside the notes in `home`,
    the folder of the settings; each file once.
    """
    problems = [*listing.diagnostics]
    known = {file.place for file in listing.bibliographies}
    found = []
    for place, is_named in [*((home / name, True) for name in named), *_beside(folder, home)]:
        path = os.path.relpath(place, folder.real).replace(os.sep, "/")
        real = os.path.realpath(place)
        if real in known:
            continue
        known.add(real)
        if not is_inside(real, (str(home), str(folder.real), *allowed_folders())):
            problems.append(_outside(path))
        elif os.path.isfile(real):
            found.append(ListedFile(path, real))
        elif is_named:
            problems.append(_missing(path))
    bibliographies = tuple(sorted((*listing.bibliographies, *found)))
    return listing._replace(bibliographies=bibliographies, diagnostics=tuple(problems))


def _beside(folder: NotesFolder, home: Path) -> list[tuple[Path, bool]]:
    """Only where the settings stand: what else lies around a folder of notes is none of it."""
    if home == folder.real:
        return []
    names = sorted(os.listdir(home))
    return [
        (home / name, False)
        for name in names
        if name.lower().endswith(BIBLIOGRAPHY_SUFFIXES) and not name.startswith(".")
    ]


def _outside(path: str) -> Diagnostic:
    message = "this bibliography lies outside the folder of the settings, and is not read"
    help = "put it beside `kg.toml`, or export it there"
    return note_problem("outside-link", message, Span(path), help, Severity.WARNING)


def _missing(path: str) -> Diagnostic:
    message = "`kg.toml` names this bibliography, and there is no such file"
    help = "`bibliographies` gives paths from the folder of `kg.toml`"
    return note_problem("unreadable-file", message, Span(path), help)
