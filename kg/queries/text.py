"""Full-text search over statements, essays and sources, on SQLite's FTS5."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from kg.corpus import Corpus
from kg.model import InquiryLine, Source, Statement, Value
from kg.queries.condition import Sort
from kg.queries.match import match_query
from kg.queries.spelling import nearest_word

LAYOUT = "1"
WEIGHTS = "0.0, 0.0, 6.0, 1.0, 3.0"
BEGIN, END = "\x02", "\x03"
WORDS_AROUND = 16
_TABLES = f"""
CREATE TABLE IF NOT EXISTS docs (id TEXT, sort TEXT, digest BLOB, PRIMARY KEY (sort, id));
CREATE VIRTUAL TABLE IF NOT EXISTS texts USING fts5(
    id UNINDEXED, sort UNINDEXED, title, body, more,
    tokenize = "unicode61 remove_diacritics 2");
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5vocab(texts, 'row');
PRAGMA user_version = {LAYOUT};
"""


class Hit(Value, frozen=True, omit_defaults=False):
    """Something whose text fits, the more the higher its `score`.

    `snippet` is text around the words, in parts that say whether they are what was looked for.
    """

    id: str
    sort: Sort
    title: str
    snippet: tuple[tuple[str, bool], ...]
    score: float

    @property
    def text(self) -> str:
        """The snippet without marks."""
        return "".join(part for part, _ in self.snippet)


class Hits(NamedTuple):
    """What was found, the best first, and the words that were taken for misspelt."""

    found: tuple[Hit, ...]
    corrected: Mapping[str, str]


class Doc(NamedTuple):
    """What of a record is searched."""

    id: str
    sort: Sort
    title: str
    body: str
    more: str

    @property
    def digest(self) -> bytes:
        """A fingerprint of all of it."""
        return blake2b("\0".join(self).encode("utf-8", "replace"), digest_size=12).digest()


class TextIndex:
    """A full-text index of one corpus."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def search(self, text: str, limit: int = 20, sorts: tuple[Sort, ...] = ()) -> Hits:
        """What fits the text best. Words that nothing holds are replaced by the nearest known.

        Raises `NothingToSearch`.
        """
        corrected: dict[str, str] = {}
        query = match_query(text, lambda word: self._correct(word, corrected))
        among = f" AND sort IN ({', '.join('?' * len(sorts))})" if sorts else ""
        rows = self._connection.execute(
            f"SELECT id, sort, title, snippet(texts, -1, ?, ?, '…', ?), bm25(texts, {WEIGHTS}) "
            f"FROM texts WHERE texts MATCH ?{among} ORDER BY bm25(texts, {WEIGHTS}), id LIMIT ?",
            (BEGIN, END, WORDS_AROUND, query, *sorts, limit),
        )
        return Hits(tuple(_hit(*row) for row in rows), corrected)

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def _correct(self, word: str, corrected: dict[str, str]) -> str:
        """The word itself if any text holds it, or a longer form of it, else the nearest known."""
        plain = word.lower()
        held = "SELECT 1 FROM texts WHERE texts MATCH ? LIMIT 1"
        if self._connection.execute(held, (f'"{plain}"',)).fetchone():
            return word
        if self._connection.execute(held, (f'"{plain}" *',)).fetchone():
            return word
        found = nearest_word(plain, self._connection.execute("SELECT term, doc FROM words"))
        if found is None:
            return word
        corrected[word] = found
        return found


def _hit(id: str, sort: str, title: str, snippet: str, rank: float) -> Hit:
    return Hit(
        id=id, sort=Sort(sort), title=title, snippet=tuple(_parts(snippet)), score=round(-rank, 3)
    )


def _parts(snippet: str) -> Iterator[tuple[str, bool]]:
    """Pieces of a snippet, each with whether it is what was looked for."""
    for number, piece in enumerate(snippet.replace("\n", " ").split(BEGIN)):
        marked, _, plain = piece.partition(END)
        if number and marked:
            yield marked, True
        rest = plain if number else piece
        if rest:
            yield rest, False


def text_index(corpus: Corpus, file: Path | None = None) -> TextIndex:
    """The corpus's index: in memory, or in `file`, where only what changed is written again.

    A file that cannot be used (broken, locked, of another layout) is replaced or left alone.
    """
    if file is not None:
        try:
            return TextIndex(_opened(file, corpus))
        except (sqlite3.Error, OSError):
            pass
    connection = sqlite3.connect(":memory:")
    _update(connection, corpus)
    return TextIndex(connection)


def _opened(file: Path, corpus: Corpus) -> sqlite3.Connection:
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        return _updated(file, corpus)
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        file.unlink()
        return _updated(file, corpus)


def _updated(file: Path, corpus: Corpus) -> sqlite3.Connection:
    connection = sqlite3.connect(file, timeout=1.0)
    try:
        if connection.execute("PRAGMA user_version").fetchone()[0] not in (0, int(LAYOUT)):
            connection.executescript("DROP TABLE IF EXISTS docs; DROP TABLE IF EXISTS texts;")
        _update(connection, corpus)
    except BaseException:
        connection.close()
        raise
    return connection


def _update(connection: sqlite3.Connection, corpus: Corpus) -> None:
    """Write what changed since the last time."""
    connection.executescript(_TABLES)
    known = {
        (sort, id): (row, digest)
        for row, id, sort, digest in connection.execute("SELECT rowid, id, sort, digest FROM docs")
    }
    current = {(doc.sort, doc.id): doc for doc in documents(corpus)}
    digests = {key: doc.digest for key, doc in current.items()}
    gone = [row for key, (row, digest) in known.items() if digests.get(key) != digest]
    fresh = [key for key, digest in digests.items() if key not in known or known[key][1] != digest]
    with connection, closing(connection.cursor()) as cursor:
        cursor.executemany("DELETE FROM texts WHERE rowid = ?", ((row,) for row in gone))
        cursor.executemany("DELETE FROM docs WHERE rowid = ?", ((row,) for row in gone))
        for key in fresh:
            _add(cursor, current[key], digests[key])


def _add(cursor: sqlite3.Cursor, doc: Doc, digest: bytes) -> None:
    safe = [_storable(part) for part in doc]
    cursor.execute("INSERT INTO docs VALUES (?, ?, ?)", (safe[0], safe[1], digest))
    cursor.execute(
        "INSERT INTO texts (rowid, id, sort, title, body, more) VALUES (?, ?, ?, ?, ?, ?)",
        (cursor.lastrowid, *safe),
    )


def _storable(text: str) -> str:
    """Text that UTF-8 can hold, without the marks of snippets."""
    plain = text.encode("utf-8", "replace").decode("utf-8")
    return plain.replace(BEGIN, " ").replace(END, " ")


def documents(corpus: Corpus) -> Iterator[Doc]:
    """What of each statement, line and source is searched."""
    for statement in corpus.statements.values():
        yield _statement(statement)
    for line in corpus.lines.values():
        yield _line(line)
    for source in corpus.sources.values():
        yield _source(source)


def _more(*parts: Any) -> str:
    return " ".join(str(part) for part in parts if part)


def _statement(statement: Statement) -> Doc:
    more = _more(statement.id, *statement.topics, *statement.about, *statement.asserted_by)
    return Doc(statement.id, Sort.STATEMENT, statement.title, statement.body, more)


def _line(line: InquiryLine) -> Doc:
    body = f"{line.standfirst}\n{line.essay}"
    return Doc(line.id, Sort.LINE, line.title, body, _more(line.id, *line.topics))


def _source(source: Source) -> Doc:
    more = _more(source.key, *source.authors, source.year, source.venue, *source.topics)
    return Doc(source.key, Sort.SOURCE, source.title, source.body, more)
