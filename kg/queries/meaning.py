"""Search by meaning: what says something alike comes first, whatever words it uses."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from kg.corpus import Corpus
from kg.queries.documents import Doc, Hit, Hits, documents, kept_place, storable
from kg.queries.html import address
from kg.queries.kept import kept
from kg.queries.match import NothingToSearch
from kg.queries.sort import Sort

if TYPE_CHECKING:
    from kg.queries.encoder import Encoder

LAYOUT = 1
SAVED = 64  # texts after which what was reckoned is written, so that stopping loses little
SHOWN = 160
Vectors = Mapping[bytes, bytes]
Told = Callable[[str, int], None]
_TABLE = "CREATE TABLE IF NOT EXISTS vectors (digest BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID"


class MeaningIndex:
    """Vectors of one corpus's texts, and the model that makes more."""

    def __init__(
        self, corpus: Corpus, docs: Sequence[Doc], vectors: Vectors, model: Encoder
    ) -> None:
        self._corpus = corpus
        self._docs = docs
        self._model = model
        rows = b"".join(vectors[_digest(doc, model)] for doc in docs)
        self._vectors = np.frombuffer(rows, "<f4").reshape(-1, model.width)

    def search(self, text: str, limit: int = 20, sorts: tuple[Sort, ...] = ()) -> Hits:
        """What is nearest in meaning; a score is the cosine of the angle. Raises `NothingToSearch`.

        Ranked by meaning alone: words that are the same add nothing by being the same.
        """
        if not text.strip():
            raise NothingToSearch("there is nothing to search for")
        scores = self._vectors @ self._model.encode([storable(text)])[0]
        best = (int(at) for at in np.argsort(-scores, kind="stable"))
        among = (at for at in best if not sorts or self._docs[at].sort in sorts)
        return Hits([self._hit(self._docs[at], scores[at]) for at in islice(among, limit)])

    def _hit(self, doc: Doc, score: float) -> Hit:
        prose = " ".join(doc.prose.split())
        shown = prose if len(prose) <= SHOWN else prose[: prose.rfind(" ", 0, SHOWN)] + " …"
        return Hit(
            id=doc.id,
            sort=doc.sort,
            title=doc.title,
            snippet=((shown, False),) if shown else (),
            score=round(float(score), 3),
            address=address(self._corpus, doc.sort, doc.id),
        )


def meaning_index(corpus: Corpus, told: Told | None = None) -> MeaningIndex:
    """The corpus's vectors, kept in `build/`: only texts that are new there are read by the model.

    `told` hears how many texts that were. Raises `NoModel`.
    """
    from kg.queries.encoder import load_encoder

    model, docs = load_encoder(), tuple(documents(corpus))
    hear, file = told or (lambda step, count: None), kept_place(corpus, "meaning")
    vectors: dict[bytes, bytes] = {}
    kept(file, LAYOUT, lambda kept_here: _update(kept_here, vectors, docs, model, hear)).close()
    return MeaningIndex(corpus, docs, vectors, model)


def _update(
    connection: sqlite3.Connection,
    vectors: dict[bytes, bytes],
    docs: Iterable[Doc],
    model: Encoder,
    told: Told,
) -> None:
    """Fill `vectors` with what is kept and what was missing, and forget what nothing needs."""
    connection.execute(_TABLE)
    vectors.update(connection.execute("SELECT digest, vector FROM vectors"))
    wanted = {_digest(doc, model): doc for doc in docs}
    with connection:
        gone = ((digest,) for digest in vectors.keys() - wanted.keys())
        connection.executemany("DELETE FROM vectors WHERE digest = ?", gone)
    fresh = sorted(wanted.keys() - vectors.keys())
    for at in range(0, len(fresh), SAVED):
        batch = fresh[at : at + SAVED]
        read = model.encode([_text(wanted[digest]) for digest in batch])
        rows = dict(zip(batch, (row.astype("<f4").tobytes() for row in read), strict=True))
        vectors.update(rows)
        with connection:
            connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows.items())
        told(f"of {len(fresh)} texts, the model has read", len(batch) + at)


def _text(doc: Doc) -> str:
    return f"{storable(doc.title)}. {doc.prose}"


def _digest(doc: Doc, model: Encoder) -> bytes:
    """A fingerprint of the text, and of the model that reads it."""
    whole = f"{model.name}\0{model.reads}\0{doc.title}\0{doc.body}"
    return blake2b(whole.encode("utf-8", "replace"), digest_size=16).digest()
