"""The search index of the site: small files that a browser loads one by one.

Words map to buckets (`t-*.js`), buckets to titles and texts (`d-*.js`), and facets to buckets
(`facets.js`). The files are scripts, as pages opened from disk may not fetch. An edit rewrites
only the files it affects.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, Literal

import msgspec

from kg.files.cache_files import read_sealed_as, write_sealed
from kg.model import Value
from kg.model.ids import wordings_of_title
from kg.publish.build.commit import state_file
from kg.publish.build.search.index_layout import (
    DIGITS,
    assign_buckets,
    capacity_for,
    digits_needed,
    encode_number,
    split_into_files,
)
from kg.publish.build.search.stems import find_words, is_term, stem
from kg.publish.build.writer import AlteredFile, Writer
from kg.publish.markup.address import file_name
from kg.publish.markup.plain_text import as_bare, as_lines
from kg.publish.page import Page

INDEX_FORMAT = "search 17"
STATE = "search"
SEARCH_FOLDER = "search"
INDEX = f"{SEARCH_FOLDER}/index.js"
FACETS = f"{SEARCH_FOLDER}/facets.js"
BUCKETS_IN_FILE = 128  # about a third of them in use
TEXT_LENGTH = 16000  # characters of a page's text available to search results

# BM25 with a fixed mean length, so that a page's weights do not depend on other pages.
SATURATION = 1.2  # BM25's k1, at its usual value
LENGTH_SHARE = 0.5  # BM25's b; usually 0.75, but a line's essay is long for good reasons
MEAN_LENGTH = 150  # words of a page
# How often a word in a title or keyword counts, compared with one in the text; chosen by looking at
# results on our own site. Keywords count for less than titles, as no result shows them.
TITLE_COUNTS = 6
KEYWORD_COUNTS = 4

SHOWN_FACETS = ("kind", "camp", "answer")  # the facets that a result shows

# Factors by kind of page: of two equal matches, the line comes first.
WEIGHT_OF_KIND = {"Question": 1.2, "Topic": 1.1, "Claim": 1.1, "Counter-claim": 1.1}
MAX_KIND_WEIGHT = max(WEIGHT_OF_KIND.values())


class IndexedPage(Value, frozen=True, array_like=True):
    """The record of a page: `terms` are words, each a stem and the digit of its weight."""

    digest: str
    terms: str
    facets: dict[str, tuple[str, ...]]


class IndexState(Value, frozen=True):
    """The documents of the last build's index, and a digest of each of its files."""

    files: dict[str, str] = {}
    documents: dict[str, IndexedPage] = {}


class ResultText(Value, frozen=True, array_like=True):
    """The text of a page in the results, a line for each paragraph or item. That of a line also has
    its answer, which is shown first, with the address and title of its best reason.

    Below the `title`, each in a line, are other wordings of it, which no result shows. `links` are
    addresses and words of what is shown as a way on.
    """

    url: str
    title: str
    labels: tuple[str, ...]
    text: str
    answer: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()


class _Stems(dict[str, str]):
    def __missing__(self, word: str) -> str:
        stem_of_word = self[word] = stem(word) if is_term(word) else ""
        return stem_of_word


class Indexer:
    """Collects pages, then writes the index files that change."""

    def __init__(self, state: IndexState | None = None) -> None:
        self.last = state or IndexState()
        self.documents: dict[str, IndexedPage] = {}
        self._new_results: dict[str, msgspec.Raw] = {}  # encoded, which takes half the memory
        self._stems = _Stems()
        self._urls_of_page: defaultdict[str, list[str]] = defaultdict(list)
        for url in self.last.documents:
            self._urls_of_page[url.partition("#")[0]].append(url)

    def add(self, page: Page) -> None:
        """Index a page, unless it is excluded from search."""
        if not page.in_search:
            return
        for each in (page, *_passages_of_page(page)):
            self._add_page(each)

    def _add_page(self, page: Page) -> None:
        facets = {name: values for name, values in sorted(page.facets.items()) if values}
        title = " · ".join(self._different_names(page)).replace("\n", " ")
        titles = [title, *wordings_of_title(page.aliases)]
        is_answered = facets.get("answer") and page.kind == "line"
        answer = (page.description, *page.best_reason) if is_answered else ()
        text = page.search_text or page.description
        indexed_values = titles, facets, text, page.keywords, answer, page.links
        digest = hashlib.blake2b(msgspec.msgpack.encode(indexed_values), digest_size=12).hexdigest()
        last_document = self.last.documents.get(page.url)
        if last_document and last_document.digest == digest:
            self.documents[page.url] = last_document
            return
        text = "\n".join(as_lines(text))
        labels = tuple(value for name in SHOWN_FACETS for value in facets.get(name, ()))
        result = ResultText(
            page.url, "\n".join(titles), labels, text[:TEXT_LENGTH], answer, page.links
        )
        self._new_results[page.url] = msgspec.Raw(msgspec.json.encode(result))
        worth = max((WEIGHT_OF_KIND.get(kind, 1.0) for kind in facets.get("kind", ())), default=1.0)
        keywords = f"\n{as_bare(page.keywords)}" * KEYWORD_COUNTS
        terms = self._terms_with_weights(titles, text + keywords, worth)
        self.documents[page.url] = IndexedPage(digest=digest, terms=terms, facets=facets)

    def checkpoint(self) -> tuple[int, int]:
        """The numbers of documents and result texts so far, for `since`."""
        return len(self.documents), len(self._new_results)

    def since(self, checkpoint: tuple[int, int]) -> tuple[dict[str, IndexedPage], dict[str, bytes]]:
        """The documents added since a checkpoint, and the result texts of new ones."""
        document_count, result_count = checkpoint
        texts = islice(self._new_results.items(), result_count, None)
        return (
            dict(islice(self.documents.items(), document_count, None)),
            {url: bytes(text) for url, text in texts},
        )

    def adopt(self, documents: dict[str, IndexedPage], texts: dict[str, bytes]) -> None:
        """Take over pages that a copy of this process added."""
        self.documents |= documents
        self._new_results |= {url: msgspec.Raw(text) for url, text in texts.items()}

    def keep(self, url: str) -> None:
        """Keep a page from the last build."""
        for each in self._urls_of_page[url]:
            self.documents[each] = self.last.documents[each]

    def write(self, writer: Writer, names: Iterable[tuple[str, ...]] = ()) -> IndexState:
        """Write the index to `writer`, once; return the state for the next build.

        Each of `names` are synonyms: a search for one also finds the others. One of several words
        also tells which word is meant by one that is mistyped.
        """
        last = _Index(self.last.documents)
        index = _Index(self.documents)
        files = _Files(writer, self.last.files)
        shards = split_into_files(_postings_by_term(index))
        for name, shard in shards.items():
            files.put(f"{SEARCH_FOLDER}/t-{file_name(name)}.js", "t", name, shard)
        self._write_documents(files, last, index, last.difference(index))
        self._new_results.clear()
        files.put(FACETS, "facets", "", _buckets_by_facet(index))
        head = {
            "version": files.version(),
            "count": len(index.buckets),
            "width": index.width,
            "bucketsInFile": BUCKETS_IN_FILE,
            "files": sorted(shards),
            "names": [each for each in names if len(each) > 1 or " " in each[0]],
        }
        files.put(INDEX, "index", "", head)
        return IndexState(files=files.digests, documents=self.documents)

    def _different_names(self, page: Page) -> Iterable[str]:
        """The names of `page`, without those that differ only in endings."""
        if not page.names:
            return (page.title,)
        names_by_stems: dict[tuple[str, ...], str] = {}
        for name in (page.title, *page.names):
            names_by_stems.setdefault(tuple(map(self._stems.__getitem__, find_words(name))), name)
        return names_by_stems.values()

    def _terms_with_weights(self, titles: Sequence[str], text: str, worth: float) -> str:
        words = find_words(text)
        counts = Counter(map(self._stems.__getitem__, words))
        title, *wordings = ([self._stems[word] for word in find_words(each)] for each in titles)
        # once, however many wordings have it: each says the same as the title
        for term in (*title, *set(chain(*wordings)).difference(title)):
            counts[term] += TITLE_COUNTS
        counts.pop("", None)
        length = 1 - LENGTH_SHARE + LENGTH_SHARE * len(words) / MEAN_LENGTH
        digit = {count: _weight_digit(count, length, worth) for count in set(counts.values())}
        return " ".join([term + digit[count] for term, count in sorted(counts.items())])

    def _write_documents(
        self, files: _Files, last: _Index, index: _Index, changed_urls: set[str]
    ) -> None:
        stale_numbers = {index.file_of(url) for url in changed_urls if url in index.buckets}
        if last.capacity == index.capacity:
            stale_numbers |= {last.file_of(url) for url in changed_urls if url in last.buckets}
        urls_by_number: defaultdict[int, list[str]] = defaultdict(list)
        for url in index.buckets:
            urls_by_number[index.file_of(url)].append(url)
        for number, urls in urls_by_number.items():
            if number not in stale_numbers and files.keep(_document_file(number)):
                continue
            results = {
                encode_number(index.buckets[url], index.width): self._new_results.get(url)
                or files.load_result_text(last, url)
                for url in urls
            }
            files.put(_document_file(number), "d", f"{number:x}", results)


def _passages_of_page(page: Page) -> Iterator[Page]:
    """Parts of `page` that are indexed separately, each as a page."""
    for part in page.passages:
        yield Page(
            url=f"{page.url}#{part.id}",
            kind=page.kind,
            title=part.names[0],
            html="",
            names=part.names[1:],
            search_text=part.text,
            links=part.links,
            facets={"kind": (part.facet,)},
        )


class _Index:
    """Buckets of a set of documents."""

    def __init__(self, documents: dict[str, IndexedPage]) -> None:
        self.documents = documents
        self.capacity = capacity_for(len(documents))
        self.width = digits_needed(self.capacity)
        self.buckets = assign_buckets(documents, self.capacity)

    def difference(self, other: _Index) -> set[str]:
        """Documents that are added, removed, changed or moved between two indexes."""
        return {
            url
            for url in self.buckets.keys() | other.buckets.keys()
            if self.buckets.get(url) != other.buckets.get(url)
            or self.capacity != other.capacity
            or self.documents[url].digest != other.documents[url].digest
        }

    def file_of(self, url: str) -> int:
        return self.buckets[url] // BUCKETS_IN_FILE

    def code(self, url: str) -> str:
        return encode_number(self.buckets[url], self.width)


class _Files:
    """The index files of the site: reads the last build's, and writes the new ones."""

    def __init__(self, writer: Writer, last_digests: dict[str, str]) -> None:
        self.writer = writer
        self.digests: dict[str, str] = {}
        self._last_digests = last_digests
        self._result_files: dict[int, dict[str, Any]] = {}

    def put(
        self,
        url: str,
        callback_kind: Literal["index", "facets", "t", "d"],
        name: str,
        content: object,
    ) -> None:
        data = msgspec.json.encode(content)
        data = f'kgSearch("{callback_kind}","{name}",'.encode() + data + b")\n"
        self.writer.put(url, data)
        self.digests[url] = _digest_of(data)

    def keep(self, url: str) -> bool:
        is_kept = url in self._last_digests and self.writer.keep(url)
        if is_kept:
            self.digests[url] = self._last_digests[url]
        return is_kept

    def version(self) -> str:
        """A digest of all files."""
        text = "".join(f"{url} {digest}\n" for url, digest in sorted(self.digests.items()))
        return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()

    def load(self, url: str) -> Any:
        """The content of a file of the last build."""
        data = self.writer.read(url)
        return msgspec.json.decode(data[data.index(b'",', data.index(b',"')) + 2 : -2])

    def load_result_text(self, last: _Index, url: str) -> ResultText:
        number = last.file_of(url)
        if number not in self._result_files:
            self._result_files[number] = self.load(_document_file(number))
        return msgspec.convert(self._result_files[number][last.code(url)], ResultText)


def load_state(writer: Writer) -> IndexState:
    """The last build's state, if the site still has exactly its files; else an empty one."""
    state = read_sealed_as(
        state_file(writer.state_dir, STATE),
        INDEX_FORMAT,
        msgspec.msgpack.Decoder(IndexState).decode,
    )
    if state is None or not all(map(writer.is_intact, (INDEX, *state.files))):
        return IndexState()
    try:
        return state if state.files.get(INDEX) == _digest_of(writer.read(INDEX)) else IndexState()
    except AlteredFile:
        return IndexState()


def _digest_of(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _postings_by_term(index: _Index) -> dict[str, str]:
    """The postings of each term in order of buckets, each the digits of a bucket and a weight."""
    postings: defaultdict[str, list[str]] = defaultdict(list)
    for url in index.buckets:
        code = index.code(url)
        for term in index.documents[url].terms.split():
            postings[term[:-1]].append(code + term[-1])
    return {term: "".join(each) for term, each in postings.items()}


def _buckets_by_facet(index: _Index) -> dict[str, dict[str, str]]:
    """Concatenate the buckets of the documents that have each value of each facet."""
    codes_by_value: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for url in index.buckets:
        code = index.code(url)
        for name, values in index.documents[url].facets.items():
            for value in values:
                codes_by_value[name][value].append(code)
    return {
        name: {value: "".join(codes) for value, codes in sorted(values.items())}
        for name, values in sorted(codes_by_value.items())
    }


def _weight_digit(count: int, length: float, worth: float) -> str:
    """The weight digit of a term that occurs `count` times in a text of relative `length`."""
    weight = count / (count + SATURATION * length) * worth / MAX_KIND_WEIGHT
    return DIGITS[min(len(DIGITS) - 1, round(weight * (len(DIGITS) - 1)))]


def _document_file(number: int) -> str:
    return f"{SEARCH_FOLDER}/d-{number:x}.js"


def save_state(writer: Writer, state: IndexState) -> None:
    """Store `state` for `load_state` in the next build."""
    write_sealed(state_file(writer.state_dir, STATE), INDEX_FORMAT, msgspec.msgpack.encode(state))
