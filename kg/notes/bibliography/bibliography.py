"""Read bibliographies, BibTeX and CSL JSON, as sources."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from kg.model import Diagnostic, Span
from kg.model.diagnostic import conflict_problem
from kg.notes.bibliography.bibtex import parse_bibtex
from kg.notes.bibliography.csl import is_csl, parse_csl
from kg.notes.bibliography.parsed_bibliography import Bibliography as Bibliography
from kg.notes.bibliography.parsed_bibliography import merge_by_key, unread_bibliography
from kg.notes.note_files import NoteFile
from kg.notes.note_listing import CSL_FILE
from kg.text.merge_conflicts import keep_first_versions


def join_bibliographies(
    bibliographies: Iterable[Bibliography], problems: Iterable[Diagnostic]
) -> Bibliography:
    """Return all sources of several bibliographies, and all problems with them."""
    bibliographies = list(bibliographies)
    sources, clashes = merge_by_key(
        (source for bibliography in bibliographies for source in bibliography.sources),
        is_one_file=False,
    )
    file_problems = (p for bibliography in bibliographies for p in bibliography.diagnostics)
    abstracts = {
        key: figures
        for each in reversed(bibliographies)
        for key, figures in each.figures_in_abstracts.items()
    }
    return Bibliography(sources, (*problems, *file_problems, *clashes), abstracts)


@lru_cache(maxsize=8)
def parse_bibliography(file: NoteFile) -> Bibliography:
    """The sources and problems of one bibliography; the last few results are cached."""
    try:
        text = file.data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line_number = file.data.count(b"\n", 0, error.start) + 1
        return unread_bibliography(
            Span(file.path, line_number), "this file is not UTF-8", "save it again as UTF-8"
        )
    text, conflicts = keep_first_versions(text)
    name = file.path.rpartition("/")[2]
    if not name.lower().endswith(".json"):
        bibliography = parse_bibtex(text, file.path)
    elif name == CSL_FILE or is_csl(text):
        bibliography = parse_csl(text, file.path)
    else:
        return Bibliography()
    if not conflicts:
        return bibliography
    problems = (conflict_problem(file.path, conflicts), *bibliography.diagnostics)
    return Bibliography(bibliography.sources, problems, bibliography.figures_in_abstracts)
