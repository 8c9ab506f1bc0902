"""The site of a folder of notes as it is at this moment."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from kg.checks import check
from kg.corpus import Corpus
from kg.files.read import NotesFolder, Place
from kg.loader import load_corpus
from kg.model import Diagnostic, Severity
from kg.notes.cache import ParsedBatch, SeenFile, look_at, read_notes
from kg.notes.discover import Listed
from kg.notes.parsed import ParsedNote
from kg.publish.build.preview import Preview
from kg.publish.build.site import PageMaker
from kg.reasoning.session import reuse

MOST_PROBLEMS = 8


@dataclass(frozen=True)
class SiteState:
    """One state of the notes: its number, its pages, and what is wrong with the notes."""

    number: int
    preview: Preview | None
    problems: tuple[str, ...]


class LiveSite:
    """Reads the notes again after each edit; what broke is told, and the last good pages stay."""

    def __init__(
        self,
        notes: Place,
        *,
        pages: Iterable[PageMaker] | None = None,
        inputs: Path | None = None,
    ) -> None:
        self.notes = NotesFolder.of(notes)
        self._preview = partial(Preview, pages=pages, inputs=inputs)
        self._read = Remembered().read_notes
        self._news = threading.Condition()
        self._moment = SiteState(0, None, ())
        self.closed = False

    @property
    def moment(self) -> SiteState:
        """The latest state."""
        return self._moment

    def refresh(self) -> None:
        """Read the notes as they are now; tell of new pages first, then of problems."""
        corpus = self.refresh_pages()
        if corpus is not None:
            self._tell(self._moment.preview, self._check(corpus))

    def refresh_pages(self) -> Corpus | None:
        """Read the notes, and tell of the pages alone; None where that could not be done."""
        try:
            corpus = load_corpus(self.notes, self._read)
            if self._moment.preview:
                reuse(self._moment.preview.corpus, corpus)
            preview = self._preview(corpus)
        except Exception as error:
            # Whatever breaks while somebody edits is shown to them, and must not end the server.
            self._tell(self._moment.preview, _said(error))
            return None
        problems = render_errors(corpus.diagnostics, self.notes.shown)
        self._tell(preview, problems or self._moment.problems)
        return corpus

    def _check(self, corpus: Corpus) -> tuple[str, ...]:
        try:
            return render_errors(check(corpus), self.notes.shown)
        except Exception as error:  # as above
            return _said(error)

    def wait(self, after: int, seconds: float) -> SiteState:
        """The first state later than number `after`, or the latest when the time is up."""
        with self._news:
            self._news.wait_for(lambda: self.closed or self._moment.number > after, seconds)
            return self._moment

    def close(self) -> None:
        """Wake everyone who waits, for good."""
        with self._news:
            self.closed = True
            self._news.notify_all()

    def _tell(self, preview: Preview | None, problems: tuple[str, ...]) -> None:
        with self._news:
            last = self._moment
            if preview is not last.preview or problems != last.problems:
                self._moment = SiteState(last.number + 1, preview, problems)
                self._news.notify_all()


class Remembered:
    """Reads notes, those again that may have changed since they were read last."""

    def __init__(self) -> None:
        self._known: dict[Listed, tuple[SeenFile, ParsedNote]] = {}

    def read_notes(self, files: Sequence[Listed]) -> ParsedBatch:
        """What `kg.notes.cache.read_notes` gives; notes that are not asked for are forgotten."""
        looks = {file: look_at(file.place) for file in files}
        notes = {file.path: self._known[file][1] for file in files if self._holds(file, looks)}
        batch = read_notes([file for file in files if file.path not in notes])
        notes |= {note.path: note for note in batch.notes}
        self._known = {
            file: (look, notes[file.path])
            for file, look in looks.items()
            if look and file.path in notes
        }
        return ParsedBatch(
            [notes[file.path] for file in files if file.path in notes], batch.diagnostics
        )

    def _holds(self, file: Listed, looks: Mapping[Listed, SeenFile | None]) -> bool:
        look, known = looks[file], self._known.get(file)
        return look is not None and known is not None and known[0].holds(look)


def find_news(before: tuple[str, ...], now: tuple[str, ...]) -> tuple[str, ...]:
    """What a writer should hear: problems that are new, or that the last one is gone."""
    if before and not now:
        return ("all is well again",)
    return tuple(problem for problem in now if problem not in before)


def render_errors(problems: Iterable[Diagnostic], notes: Path) -> tuple[str, ...]:
    """Errors, one line each, the first few."""
    errors = [problem for problem in problems if problem.severity is Severity.ERROR]
    lines = [_line(problem, notes) for problem in errors[:MOST_PROBLEMS]]
    more = len(errors) - len(lines)
    return (*lines, *([f"and {more} more; see `kg check`"] if more else ()))


def _said(error: Exception) -> tuple[str, ...]:
    return (f"{type(error).__name__}: {error}",)


def _line(problem: Diagnostic, notes: Path) -> str:
    help = f" ({problem.help})" if problem.help else ""
    place = Path(notes.name, problem.span.path)
    where = f"{place}:{problem.span.line}:{problem.span.column}"
    return f"{where}: {problem.rule}: {problem.message}{help}"
