"""Remember the pages of the last build and what each read, to render only what may differ."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from kg.files.cache_files import read_sealed_as, write_sealed
from kg.files.file_signatures import file_signature
from kg.files.read_files import NotesFolder, is_link_outside, read_file
from kg.files.settings_file import config_places
from kg.git import state_files
from kg.loader import list_inputs
from kg.model import Value
from kg.model.settings.config import Config
from kg.notes.note_listing import MAX_BIBLIOGRAPHY_BYTES, README, list_judgements
from kg.notes.notes_cache import PARSER_PACKAGES, package_version
from kg.publish.build.for_programs.sitemap_and_feed import SitemapEntry
from kg.publish.build.theme.renderers import alias_urls
from kg.publish.build.theme.shell import PACKAGES
from kg.publish.context.read_log import EVERYTHING, VALUE_DIGEST_BYTES, ReadLog, pack_numbers
from kg.publish.context.standings import Standings
from kg.publish.page import Page, alternate_url
from kg.rdf.ontology import ontology_folder
from kg.version import VERSION

PAGES_FORMAT = "pages 9"
Reads = npt.NDArray[np.uint32]
Digests = npt.NDArray[np.uint64]
PYTHON_CACHE_FOLDER = "__pycache__"
DRAWING_PACKAGES = (
    "latex2mathml",
    "networkx",
    "numpy",
    "pillow",
    "pyvis",
    "scipy",
)  # packages that draw pictures and compute


class PageRecord(Value, frozen=True, array_like=True):
    """A rendered page or data file: its files, its own first, the number of keys it read, and its
    list entry if it is a page.
    """

    entry: SitemapEntry | None
    files: tuple[str, ...]
    aliases: tuple[str, ...]
    reads: int = 0


class SiteMemory(Value, frozen=True):
    """Everything that one build stores for the next.

    `stamp` identifies what every page depends on, `site` the files that the build wrote;
    `standings` are the weighed statements, and `inputs_digest` that of what they depend on. `keys`
    are all keys that were read, with their numbers, by table; `digests` are those of their values,
    in the order of the numbers. `reads` are the numbers of the keys read for each page, page after
    page.
    """

    stamp: str = ""
    site: str = ""
    inputs_digest: bytes = b""
    standings: Standings = Standings()
    keys: Mapping[str, Mapping[str, int]] = {}
    digests: bytes = bytes(VALUE_DIGEST_BYTES)
    pages: dict[str, PageRecord] = {}
    reads: bytes = b""


def record_of(page: Page) -> PageRecord:
    """The record of a rendered page."""
    return PageRecord(
        entry=SitemapEntry.from_page(page),
        files=(page.url, *(alternate_url(page, alternate) for alternate in page.alternates)),
        aliases=tuple(alias_urls(page)),
    )


def renumber_reads(reads: bytes, first_number: int, new_numbers: Sequence[int]) -> bytes:
    """Key numbers, with `first_number` replaced by `new_numbers[0]`, the number after it by
    `new_numbers[1]`, and so on.
    """
    numbers_read = np.frombuffer(reads, np.uint32)
    if not numbers_read.size or numbers_read[-1] < first_number:
        return reads
    start = np.searchsorted(numbers_read, first_number)
    return pack_numbers(
        [
            *numbers_read[:start].tolist(),
            *(new_numbers[number - first_number] for number in numbers_read[start:]),
        ]
    )


class BuildMemory:
    """Pages of the last build that are still valid, and those that this build makes."""

    def __init__(self, log: ReadLog, last: SiteMemory) -> None:
        self.log = log
        self._last_pages = last.pages
        self._pages: dict[str, PageRecord] = {}
        self._reads: list[Reads] = []
        old_digests = np.frombuffer(last.digests, np.uint64)  # one a key, by the key's number
        # The order matters. The log takes over the last build's numbers, by which `old_digests` and
        # the pages' reads are ordered, before it assigns any itself. Then the current value of each
        # of these keys is digested, and differences from `old_digests` tell which pages are stale.
        log.resume(last.keys, old_digests.size)
        self._digests = old_digests.copy()
        for table, numbers in log.keys.items():
            if log.inputs_digest != last.inputs_digest or table not in log.input_tables:
                self._put_digests(self._digests, table, numbers)
        changed_mask = self._digests != old_digests
        changed_mask[EVERYTHING] = True
        self._last_reads, self._stale = _reads_and_changed_pages(last, changed_mask)

    def find_page_record(self, url: str) -> PageRecord | None:
        """The record for `url` if it is still valid; else None."""
        return None if url in self._stale else self._last_pages.get(url)

    def forget(self, url: str) -> None:
        """Mark the record for `url` as stale."""
        self._stale.add(url)

    def entries(self) -> Iterator[SitemapEntry]:
        """The list entries of the last build's pages."""
        return (record.entry for record in self._last_pages.values() if record.entry)

    def keep(self, record: PageRecord) -> None:
        """Keep a record of the last build."""
        url = record.files[0]
        self._pages[url] = record
        self._reads.append(self._last_reads[url])

    def add(self, record: PageRecord, reads: bytes) -> PageRecord:
        """Store a rendered page, and the packed numbers of the keys that it read."""
        numbers = np.frombuffer(reads, np.uint32)
        record = replace(record, reads=numbers.size)
        self._pages[record.files[0]] = record
        self._reads.append(numbers)
        return record

    def write(self, path: Path | None, stamp: str, site_stamp: str, standings: Standings) -> None:
        """Store everything for the next build."""
        digests = np.zeros(self.log.next_number, np.uint64)
        digests[: self._digests.size] = self._digests
        for table, numbers in self.log.keys.items():
            self._put_digests(digests, table, numbers.entries_from(self._digests.size))
        state = SiteMemory(
            stamp=stamp,
            site=site_stamp,
            inputs_digest=self.log.inputs_digest,
            standings=standings,
            keys=self.log.keys,
            digests=digests.tobytes(),
            pages=self._pages,
            reads=b"".join(part.tobytes() for part in self._reads),
        )
        write_sealed(path, PAGES_FORMAT, msgspec.msgpack.encode(state))

    def _put_digests(self, digests: Digests, table: str, numbers: Mapping[str, int]) -> None:
        """Put the digests of a table's values as they are now under the numbers of their keys."""
        digests_now = self.log.digests(table, numbers)
        digests[list(numbers.values())] = np.frombuffer(digests_now, np.uint64)


def _reads_and_changed_pages(
    state: SiteMemory, changed_mask: npt.NDArray[np.bool_]
) -> tuple[dict[str, Reads], set[str]]:
    """The keys read for each page, and the pages for which one of them changed."""
    reads = np.frombuffer(state.reads, np.uint32)
    ends = np.cumsum([record.reads for record in state.pages.values()], dtype=np.int64)
    reads_by_url = dict(zip(state.pages, np.split(reads, ends[:-1]), strict=False))
    changed_reads = np.searchsorted(ends, np.flatnonzero(changed_mask[reads]), side="right")
    urls = list(state.pages)
    return reads_by_url, {urls[page] for page in np.unique(changed_reads)}


def load_memory(path: Path | None, stamp: str, site_stamp: str) -> SiteMemory:
    """The last build's memory, if it is of the same program and the same site."""
    state = read_sealed_as(path, PAGES_FORMAT, msgspec.msgpack.Decoder(SiteMemory).decode)
    return state if state and (state.stamp, state.site) == (stamp, site_stamp) else SiteMemory()


class InputState(Value, frozen=True, array_like=True):
    """A file's stat signature, and a digest of its content if its times are too recent to trust."""

    size: int
    modified: int
    changed: int
    digest: bytes = b""


Stamp = dict[bytes, InputState]  # states by file name in bytes, as names need not be Unicode


def list_build_inputs(notes: NotesFolder, inputs: Path, config: Config | None = None) -> list[str]:
    """Return every input file of a site for the folder `notes`, except the program.

    `config` are the settings, if they were read before.
    """
    files = list_inputs(notes, config)
    other_files = [*list_judgements(notes), notes / README]
    files += [str(file) for file in other_files if not is_link_outside(file, notes)]
    files += [str(file) for file in config_places(notes) if not is_link_outside(file, file.parent)]
    return [*files, *state_files(notes), *files_below(inputs)]


def take_stamp(files: Iterable[str]) -> Stamp:
    """The stat signature of each file that exists."""
    stamp = {}
    for file in map(os.fsencode, files):
        signature = file_signature(file)
        if signature is not None:
            with suppress(OSError):
                digest = b"" if signature.is_old_enough else _digest_of_file(file)
                stamp[file] = InputState(signature.size, signature.mtime, signature.ctime, digest)
    return stamp


def is_same(old: Stamp, new: Stamp) -> bool:
    """Return whether the files are certainly unchanged since the older stamp."""
    return old.keys() == new.keys() and all(
        _is_same_state(old[file], new_state, file) for file, new_state in new.items()
    )


def _is_same_state(old: InputState, new: InputState, file: bytes) -> bool:
    if (old.size, old.modified, old.changed) != (new.size, new.modified, new.changed):
        return False
    try:
        return not old.digest or old.digest == (new.digest or _digest_of_file(file))
    except OSError:
        return False


def _digest_of_file(file: bytes) -> bytes:
    data = read_file(os.fsdecode(file), MAX_BIBLIOGRAPHY_BYTES)
    return blake2b(data, digest_size=16).digest()


def program_digest() -> str:
    """A digest of everything that makes pages: Python, this program, and its packages."""
    folders = (str(files("kg")), str(ontology_folder()))
    program_files = (
        file
        for folder in folders
        for file in files_below(Path(folder))
        if PYTHON_CACHE_FOLDER not in file
    )
    states = sorted(
        (file, state.size, state.modified) for file, state in take_stamp(program_files).items()
    )
    package_versions = sorted(
        {
            *PARSER_PACKAGES,
            *DRAWING_PACKAGES,
            *(name for names in PACKAGES.values() for name in names),
        }
    )
    parts = (
        VERSION,
        sys.version,
        [(name, package_version(name)) for name in package_versions],
        states,
    )
    return blake2b(msgspec.msgpack.encode(parts), digest_size=12).hexdigest()


def files_below(folder: Path) -> list[str]:
    """Return every file below a folder, except hidden ones."""
    return [
        os.path.join(parent, name)
        for parent, _, names in os.walk(folder)
        for name in names
        if not name.startswith(".")
    ]
