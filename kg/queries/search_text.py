"""Full-text search over statements, essays and sources, on SQLite's FTS5."""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from kg.corpus import Corpus
from kg.files.cache_files import read_sealed, state_folder, write_sealed
from kg.queries.conditions.field_types import RecordKind
from kg.queries.results.notebook import address_of
from kg.queries.search_documents import (
    Hit,
    Hits,
    SearchDocument,
    as_storable,
    search_documents,
)
from kg.queries.search_query import (
    LETTERS,
    MAX_SEARCH_WORDS,
    TooManyWords,
    as_fts_query,
    is_only_words,
)
from kg.runtime.memoize import memoize
from kg.text.spelling import count_slips, word_within_slips

TEXT_INDEX_FORMAT = "text 4"  # another number where the tables change
INDEX_FILE = "text"
FIELD_WEIGHTS = "6.0, 1.0, 3.0"  # weight of a word in the title, the body and the rest
HIT_BEGIN, HIT_END = "\x02", "\x03"
WORDS_AROUND = 16  # in a snippet
MAX_WORDS_MARKED = 1000  # in a text; beyond this SQLite, comparing each with each, is too slow
MAX_SEARCH_LETTERS = 4000  # characters searched at once in a text with more matching words
MIN_CORRECTED_LETTERS = 7  # in shorter words a slip looks like another word: cooking, looking
MIN_LETTERS_OF_TWO_SLIPS = 10
LETTERS_COMPARED = 3  # of the beginnings of two words, below which no stemmer cuts
_WORDS_OF_QUERY = re.compile(r'"[^"]*"(?: \*)?')
_TABLES = """
CREATE TABLE IF NOT EXISTS docs (
    doc INTEGER PRIMARY KEY, id TEXT, record_kind TEXT, worth REAL, digest BLOB,
    title TEXT, body TEXT, more TEXT);
CREATE VIRTUAL TABLE IF NOT EXISTS texts USING fts5(
    title, body, more, content = "docs", content_rowid = "doc",
    tokenize = "unicode61 remove_diacritics 2");
CREATE VIRTUAL TABLE IF NOT EXISTS stems USING fts5(
    title, body, more, content = "docs", content_rowid = "doc",
    tokenize = "porter unicode61 remove_diacritics 2");
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5vocab(texts, 'row');
"""
# A text matches by the stems of the words, and better by the words as typed.
_SEARCH = f"""
WITH forms AS (SELECT rowid AS doc, bm25(stems, {FIELD_WEIGHTS}) AS fit
               FROM stems WHERE stems MATCH :q),
     exact AS (SELECT rowid AS doc, bm25(texts, {FIELD_WEIGHTS}) AS fit
               FROM texts WHERE texts MATCH :q),
     both AS (SELECT doc, sum(fit) AS fit FROM
              (SELECT * FROM forms UNION ALL SELECT * FROM exact) GROUP BY doc)
SELECT id, record_kind, title, docs.doc, -fit * worth AS score FROM both JOIN docs USING (doc)
"""
_PIECES = """
CREATE VIRTUAL TABLE pieces USING fts5(
    title, body, more, tokenize = "porter unicode61 remove_diacritics 2");
"""
_SNIPPET = "SELECT snippet({0}, 1, ?, ?, '…', ?) FROM {0} WHERE {0} MATCH ? AND rowid = ?"


class TextIndex:
    """A full-text index of one corpus."""

    def __init__(self, connection: sqlite3.Connection, corpus: Corpus) -> None:
        self._connection = connection
        self._corpus = corpus

    def search(self, text: str, limit: int = 20, record_kinds: tuple[RecordKind, ...] = ()) -> Hits:
        """The best matches: first those with all of the words, then those with some of them.

        Words that do not occur are replaced by the nearest known word. Raises `NothingToSearch`
        and `TooManyWords`.
        """
        if (count := len(text.split())) > MAX_SEARCH_WORDS:
            raise TooManyWords(f"a search has at most {MAX_SEARCH_WORDS} words, not {count:,}")
        corrections: dict[str, str] = {}
        correct = partial(self._correct_word, corrections=corrections, wary=is_only_words(text))
        query = as_fts_query(text, correct)
        hits = self._find_hits(query, limit, record_kinds)
        full_match_count = len(hits)
        if full_match_count < limit and is_only_words(text):
            shown_keys = {(hit.record_kind, hit.id) for hit in hits}
            partial_matches = self._find_hits(
                as_fts_query(text, correct, any_word=True), limit, record_kinds
            )
            hits += [hit for hit in partial_matches if (hit.record_kind, hit.id) not in shown_keys]
        return Hits(hits[:limit], corrections, full_match_count)

    def _find_hits(self, query: str, limit: int, record_kinds: tuple[RecordKind, ...]) -> list[Hit]:
        restriction = (
            "WHERE record_kind IN ({})".format(", ".join(map(repr, map(str, record_kinds))))
            if record_kinds
            else ""
        )
        hit_rows = self._connection.execute(
            f"{_SEARCH} {restriction} ORDER BY score DESC, id LIMIT :limit",
            {"q": query, "limit": limit},
        )
        return [
            Hit(
                id=id,
                record_kind=RecordKind(record_kind),
                title=title.partition("\n")[0],
                snippet=tuple(_snippet_parts(self._snippet_of(query, doc))),
                score=round(score, 3),
                address=address_of(self._corpus, RecordKind(record_kind), id),
            )
            for id, record_kind, title, doc, score in hit_rows.fetchall()
        ]

    def close(self) -> None:
        self._connection.close()

    def _snippet_of(self, query: str, doc: int) -> str:
        """Text around the words as typed, or else around other forms of them."""
        (body,) = self._connection.execute("SELECT body FROM docs WHERE doc = ?", (doc,)).fetchone()
        words = _WORDS_OF_QUERY.findall(query)
        if len(body) > MAX_SEARCH_LETTERS and _count_similar_words(words, body) > MAX_WORDS_MARKED:
            return self._snippet_of_piece(words, body)
        for table in ("texts", "stems"):
            parameters = (HIT_BEGIN, HIT_END, WORDS_AROUND, query, doc)
            row = self._connection.execute(_SNIPPET.format(table), parameters).fetchone()
            if row is not None:
                return str(row[0])
        return ""

    def _snippet_of_piece(self, words: list[str], body: str) -> str:
        """Text around a matching word, in the first piece of a text that has one."""
        query = " OR ".join(words)
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.execute(_PIECES)
            for offset in range(0, len(body), MAX_SEARCH_LETTERS):
                piece = body[offset : offset + MAX_SEARCH_LETTERS]
                connection.execute(
                    "INSERT INTO pieces (rowid, title, body) VALUES (1, '', ?)", (piece,)
                )
                parameters = (HIT_BEGIN, HIT_END, WORDS_AROUND, query, 1)
                row = connection.execute(_SNIPPET.format("pieces"), parameters).fetchone()
                if row is not None:
                    return str(row[0])
                connection.execute("DELETE FROM pieces")
        return ""

    def _correct_word(self, word: str, corrections: dict[str, str], *, wary: bool) -> str:
        """The word itself if a form of it, or a longer word, occurs in a text; else the nearest.

        If `wary`, as several words are often a question, only of what is hardly another word.
        """
        folded_word = word.lower()
        for table, query in (("stems", f'"{folded_word}"'), ("texts", f'"{folded_word}" *')):
            lookup = f"SELECT 1 FROM {table} WHERE {table} MATCH ? LIMIT 1"
            if self._connection.execute(lookup, (query,)).fetchone():
                return word
        nearest = word_within_slips(
            folded_word, self._connection.execute("SELECT term, doc FROM words")
        )
        if nearest is None or (wary and not _is_slip(folded_word, nearest)):
            return word
        corrections[word] = nearest
        return nearest


def _is_slip(word: str, known_word: str) -> bool:
    """Return whether `word` looks like `known_word` mistyped, and not like a word that no text has.

    Of 5,437 usual words 63 look so; of 1,110 any known word is within the slips allowed.
    """
    allowed = 2 if len(word) >= MIN_LETTERS_OF_TWO_SLIPS else 1
    is_long = len(word) >= MIN_CORRECTED_LETTERS
    return is_long and word[0] == known_word[0] and count_slips(word, known_word) <= allowed


def _count_similar_words(words: Sequence[str], text: str) -> int:
    """Count the words of a text that begin like a word of a query, so that they may be forms of
    it.
    """
    folded_query, folded_text = (
        unicodedata.normalize("NFKD", each).casefold() for each in ("".join(words), text)
    )
    beginnings = {
        re.escape(letters[:LETTERS_COMPARED]) for letters in LETTERS.findall(folded_query)
    }
    return sum(1 for _ in re.finditer(rf"(?<![^\W_])(?:{'|'.join(beginnings)})", folded_text))


def _snippet_parts(snippet: str) -> Iterator[tuple[str, bool]]:
    """Parts of a snippet, each with a flag for matched words."""
    for number, piece in enumerate(snippet.replace("\n", " ").split(HIT_BEGIN)):
        matched_text, _, plain_text = piece.partition(HIT_END)
        if number and matched_text:
            yield matched_text, True
        rest = plain_text if number else piece
        if rest:
            yield rest, False


def text_index(corpus: Corpus, file: Path | None = None) -> TextIndex:
    """The corpus's text index, in memory; with `file`, cached there and updated incrementally.

    SQLite never reads a file itself: it gets bytes whose seal was checked.
    """
    file = file if hasattr(sqlite3.Connection, "serialize") else None  # not in every SQLite
    cached_bytes = None if file is None else read_sealed(file, TEXT_INDEX_FORMAT)
    try:
        connection = _open_index(corpus, cached_bytes)
    except Exception:  # the cache of another release may break this one
        if cached_bytes is None:
            raise
        connection = _open_index(corpus, None)
    if file is not None and connection.total_changes:
        write_sealed(file, TEXT_INDEX_FORMAT, connection.serialize())
    return TextIndex(connection, corpus)


@memoize
def cached_text_index(corpus: Corpus) -> TextIndex:
    """The corpus's text index, cached in the user's cache folder if the corpus has a folder."""
    folder = None if corpus.folder is None else state_folder(corpus.folder)
    return text_index(corpus, None if folder is None else folder / INDEX_FILE)


def _open_index(corpus: Corpus, cached_bytes: bytes | None) -> sqlite3.Connection:
    """The index in memory, brought up to date from a cached one, if there is one."""
    connection = sqlite3.connect(":memory:")
    try:
        if cached_bytes is not None:
            connection.deserialize(cached_bytes)
        _update_index(connection, corpus)
    except BaseException:
        connection.close()
        raise
    return connection


def _update_index(connection: sqlite3.Connection, corpus: Corpus) -> None:
    """Update the index by what changed since the last time."""
    connection.executescript(_TABLES)
    indexed_documents = {
        (record_kind, id): (doc, digest)
        for doc, id, record_kind, digest in connection.execute(
            "SELECT doc, id, record_kind, digest FROM docs"
        )
    }
    current = {(doc.record_kind, doc.id): doc for doc in search_documents(corpus)}
    digests = {key: doc.digest for key, doc in current.items()}
    outdated_rows = [
        row for key, (row, digest) in indexed_documents.items() if digests.get(key) != digest
    ]
    new_keys = [
        key
        for key, digest in digests.items()
        if key not in indexed_documents or indexed_documents[key][1] != digest
    ]
    with connection, closing(connection.cursor()) as cursor:
        for row in outdated_rows:
            _remove_document(cursor, row)
        for key in new_keys:
            _add_document(cursor, current[key], digests[key])


def _remove_document(cursor: sqlite3.Cursor, row: int) -> None:
    for table in ("texts", "stems"):
        cursor.execute(
            f"INSERT INTO {table} ({table}, rowid, title, body, more) "
            "SELECT 'delete', doc, title, body, more FROM docs WHERE doc = ?",
            (row,),
        )
    cursor.execute("DELETE FROM docs WHERE doc = ?", (row,))


def _add_document(cursor: sqlite3.Cursor, doc: SearchDocument, digest: bytes) -> None:
    texts = (as_storable(doc.title), doc.prose, as_storable(doc.keywords))
    cursor.execute(
        "INSERT INTO docs (id, record_kind, worth, digest, title, body, more) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        (as_storable(doc.id), doc.record_kind, doc.worth, digest, *texts),
    )
    row = cursor.lastrowid
    for table in ("texts", "stems"):
        cursor.execute(
            f"INSERT INTO {table} (rowid, title, body, more) VALUES (?, ?, ?, ?)", (row, *texts)
        )
