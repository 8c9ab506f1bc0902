"""Search by meaning: what says something similar comes first, whatever words it uses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from kg.corpus import Corpus
from kg.files.state import read_state, write_sealed
from kg.queries.answers.html import address
from kg.queries.conditions.fields import Sort
from kg.queries.search.documents import Doc, Hit, Hits, documents, kept_place, storable
from kg.queries.search.text import NothingToSearch

if TYPE_CHECKING:
    from kg.queries.search.encoder import Encoder

KIND = "meaning 2"
BATCH = 64  # texts between two reports of progress
SAVED = 8  # the part of all, as 1 in 8, after which it is written: stopping loses little
SHOWN = 160  # letters of a text in a hit
Vectors = Mapping[bytes, bytes]
Progress = Callable[[str, int], None]
_decode = msgspec.msgpack.Decoder(dict[bytes, bytes]).decode


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


def meaning_index(corpus: Corpus, progress: Progress | None = None) -> MeaningIndex:
    """The corpus's vectors, kept between runs: only texts that are new there are read by the model.

    `progress` is called with the number of texts read so far. Raises `NoModel`.
    """
    from kg.queries.search.encoder import load_encoder

    model, docs = load_encoder(), tuple(documents(corpus))
    report = progress or (lambda step, count: None)
    vectors = _read(kept_place(corpus, "meaning"), docs, model, report)
    return MeaningIndex(corpus, docs, vectors, model)


def _read(file: Path | None, docs: Iterable[Doc], model: Encoder, progress: Progress) -> Vectors:
    """The vectors of all texts, from `file` where they are there; it then holds just these."""
    known = read_state(file, KIND, _decode) or {}
    wanted = {_digest(doc, model): doc for doc in docs}
    vectors = {digest: known[digest] for digest in wanted.keys() & known.keys()}
    fresh = sorted(wanted.keys() - vectors.keys())
    saved = len(known)
    for at in range(0, len(fresh), BATCH):
        batch = fresh[at : at + BATCH]
        read = model.encode([_text(wanted[digest]) for digest in batch])
        vectors.update(zip(batch, (row.astype("<f4").tobytes() for row in read), strict=True))
        if at + BATCH < len(fresh) and len(vectors) - saved > saved / SAVED:
            saved = len(vectors)
            write_sealed(file, KIND, msgspec.msgpack.encode(vectors))
        progress(f"of {len(fresh)} texts, the model has read", len(batch) + at)
    if vectors.keys() != known.keys():
        write_sealed(file, KIND, msgspec.msgpack.encode(vectors))
    return vectors


def _text(doc: Doc) -> str:
    return f"{storable(doc.title)}. {doc.prose}"


def _digest(doc: Doc, model: Encoder) -> bytes:
    """A fingerprint of the text, and of the model that reads it."""
    whole = f"{model.name}\0{model.reads}\0{doc.title}\0{doc.body}"
    return blake2b(whole.encode("utf-8", "replace"), digest_size=16).digest()
