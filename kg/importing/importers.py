"""The table of importers, and how their files are read."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from kg.files.read_files import read_file
from kg.importing.import_records import BadInput, ImportInput, ImportResult, InputFile
from kg.importing.readers.aif_graphs import read_aif
from kg.importing.readers.argdown_texts import read_argdown
from kg.importing.readers.claim_tables import read_csv
from kg.importing.readers.inquiry_pages import read_inquiry_pages
from kg.importing.readers.kialo_outlines import read_kialo
from kg.importing.readers.reference_libraries import read_library
from kg.importing.readers.roam_graphs import read_roam
from kg.model.settings.config import Camp

MAX_INPUT_BYTES = 64 * 1024 * 1024  # bytes of one file
MAX_FILES_IMPORTED = 2_000  # of one folder


class Importer(NamedTuple):
    """A format: its name, the suffixes of its files, its title, and its reader."""

    name: str
    suffixes: tuple[str, ...]
    title: str
    read: Callable[[ImportInput], ImportResult]


IMPORTERS: tuple[Importer, ...] = (
    Importer(
        "pages",
        (".txt", ".md"),
        "inquiry pages: a question, an essay, its notes",
        read_inquiry_pages,
    ),
    Importer("csv", (".csv",), "tables of claims and evidence, also our own", read_csv),
    Importer(
        "library", (".bib", ".json"), "works and annotations: BibTeX, CSL, Zotero", read_library
    ),
    Importer("argdown", (".argdown", ".ad"), "an argument map in Argdown", read_argdown),
    Importer("aif", (".json",), "an argument graph in AIF or xAIF JSON", read_aif),
    Importer("kialo", (".txt",), "a discussion that Kialo exported as text", read_kialo),
    Importer("roam", (".json",), "a Discourse Graph of Roam, as JSON", read_roam),
)


def get_importer(name: str) -> Importer:
    """The importer with this name, which must exist."""
    return next(each for each in IMPORTERS if each.name == name)


def read_import_input(importer: Importer, path: Path, camps: tuple[Camp, ...]) -> ImportInput:
    """Read a file, or the format's files in a folder. Raises `BadInput` and `OSError`."""
    if not path.is_dir():
        return ImportInput((_read_input(path, None),), camps)
    real = os.path.realpath(path)
    names = sorted(name for name in os.listdir(real) if name.endswith(importer.suffixes))
    if not names:
        raise BadInput(str(path), f"no file in it ends in {' or '.join(importer.suffixes)}")
    if len(names) > MAX_FILES_IMPORTED:
        raise BadInput(str(path), f"more than {MAX_FILES_IMPORTED} files", "import them in parts")
    return ImportInput(tuple(_read_input(Path(real, name), real) for name in names), camps)


def _read_input(path: Path, within: str | None) -> InputFile:
    data = read_file(path, MAX_INPUT_BYTES, (within,) if within else None)
    try:
        return InputFile(path.name, data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line_number = data.count(b"\n", 0, error.start) + 1
        raise BadInput(
            f"{path.name}:{line_number}", "it is not UTF-8", "save it as UTF-8"
        ) from None
