"""How many files and functions of `kg/` one step enters: `python -m bench.chains`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType

import kg
from kg.corpus import Corpus
from kg.files.read_files import NotesFolder
from kg.loader import load_corpus
from kg.notes.note_files import NoteFile
from kg.notes.parse_note import parse_note
from kg.publish.build.dependencies import tracked_context
from kg.publish.context.read_log import ReadLog
from kg.publish.page import make_page
from kg.publish.pages.statement import statement_pages
from kg.queries.connection import connect_store
from kg.rdf.quad_store import as_store

NOTES = NotesFolder.of(Path(__file__).parents[1] / "notes")
LINE, CLAIM = "social-grounding", "gap-is-a-matter-of-incentives"


def functions_entered(step: Callable[[], object]) -> set[CodeType]:
    """The functions of `kg/` that a step calls; neither modules nor comprehensions are any."""
    found: set[CodeType] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and "/kg/" in frame.f_code.co_filename:
            found.add(frame.f_code)

    sys.setprofile(note)
    try:
        step()
    finally:
        sys.setprofile(None)
    return {code for code in found if not code.co_name.startswith("<")}


def steps(corpus: Corpus) -> dict[str, Callable[[], object]]:
    """What is measured, each with what it needs at hand."""
    path = corpus.statements[CLAIM].path
    note = NoteFile(path, (NOTES.real / path).read_bytes(), b"")
    drafts = {each.url: each for each in statement_pages(tracked_context(corpus, ReadLog()))}
    draft = drafts[f"statements/{CLAIM}.html"]
    connected = connect_store(as_store(corpus))
    asked = kg.claims().camp("skeptic").supported_by(kg.evidence().method("experiment"))
    return {
        "a note, parsed": lambda: parse_note(note),
        "a line's verdict": lambda: kg.verdict(corpus, LINE),
        "a claim's page": lambda: make_page(draft),
        "a selection, on a store": lambda: connected.find(asked),
    }


if __name__ == "__main__":
    print(f"{'':24}  files  functions")
    for name, first in steps(load_corpus(NOTES)).items():
        first()  # imports what is loaded on first use; the corpus that is measured is another one
        codes = functions_entered(steps(load_corpus(NOTES))[name])
        print(f"{name:24}  {len({code.co_filename for code in codes}):5}  {len(codes):9}")
